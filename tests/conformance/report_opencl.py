"""The figures of the OpenCL delegate, written into a document."""
import collections
import datetime
import importlib.metadata
import os
import re
import subprocess
import sys

from report import figures, in_order, reasons, replace_part, table

START = "<!-- made by tests/conformance/run.py --delegate -->\n"
HERE = os.path.dirname(os.path.abspath(__file__))
MOST_REASONS = 3


def checks(args):
    """[(what, name of its log, command, which of its lines are the result)]"""
    build = os.path.dirname(os.path.dirname(os.path.abspath(args.oclite)))
    ops, runtime, delegate = os.path.join(HERE, "../ops"), f"{build}/liboclite.so", f"{build}/liboclite_opencl.so"
    python = sys.executable
    return [
        ("Recorded cases", "judge", [python, f"{args.suite}/judge.py", f"{args.oclite} run --delegate opencl", f"{args.suite}/cases",
                                     "--batch", "--failures", "0"], "cases pass"),
        ("Those of them that the delegate takes", "delegated", [python, f"{ops}/delegated.py", runtime, delegate, args.suite], "cases taken"),
        ("Patterns that GPU delegates got wrong", "regressions", [python, f"{HERE}/regressions.py", args.oclite, runtime, delegate],
         "patterns"),
        (f"Random graphs of seed {args.seed}, against the CPU kernels", "graphs",
         [python, f"{HERE}/graphs.py", "--oclite", args.oclite, "--cases", "10000", "--seed", str(args.seed)], "graphs ran on both"),
        ("Recorded cases of this checkout on Oclgrind", "oclgrind", [python, f"{ops}/oclgrind.py", f"{build}/tests/ops/test_ops",
                                                                     f"{ops}/cases"], "with reports"),
    ]


def said(args, name, command, pattern):
    """The lines of a check's output that are its result. An output that --logs has is not made again."""
    path = os.path.join(args.logs, name + ".log")
    if not os.path.exists(path):
        with open(path + ".part", "w", encoding="utf-8") as file:
            subprocess.run(command, stdout=file, stderr=subprocess.STDOUT, check=False)
        os.replace(path + ".part", path)
    with open(path, encoding="utf-8") as file:
        found = [line.strip() for line in file if pattern in line]
    return "; ".join([line for line in found if not line.startswith("so far")] or found[-1:]) or "**failed**"


def delegated(results):
    """{operator: (cases that ran, those of them that the delegate took, Counter of the reasons for leaving others)}"""
    rows = collections.defaultdict(list)
    for result in results:
        if result.verdict not in ("both errors", "skipped"):
            rows[result.op].append(result.left)
            rows[None].append(result.left)
    return {op: (len(left), left.count(""), collections.Counter(re.sub(r"\b\d+\b", "N", why) for why in left if why))
            for op, left in rows.items()}


def shorten(left):
    """The most frequent reasons."""
    return "; ".join(f"{n}: {reason}" for reason, n in left.most_common(MOST_REASONS)) + ("; ..." if len(left) > MOST_REASONS else "")


def print_delegated(results):
    rows = delegated(results)
    print(f"{'operator':32} {'ran':>6} {'delegated':>9}")
    for op in in_order(rows):
        count, taken, left = rows.get(op, (0, 0, {}))
        print(f"{op or 'all':32} {count:6} {taken:9} {shorten(left) if op else ''}".rstrip())


def write_report_opencl(path, results, args):
    """Replaces the part between the marks."""
    write_tables(path, args, delegated(results), figures(results), reasons(results))


def write_tables(path, args, rows, random, not_compared):
    said_of_all = [(what, said(args, name, command, pattern)) for what, name, command, pattern in checks(args)]
    info = subprocess.run([args.oclite, "info", "--delegate", args.delegate, os.path.join(HERE, "../ops/cases/ABS__f32/model.tflite")],
                          capture_output=True, text=True, check=True).stdout
    device = re.search(r"^delegate: (.*); left", info, re.M).group(1)
    lines = [f"{datetime.date.today()}, ai-edge-litert {importlib.metadata.version('ai-edge-litert')}, {device}.", "",
             *table(["check", "result"], said_of_all), "",
             f"Random cases of seed {args.seed}: how many are equal to LiteRT's to the bit + within tolerance; of those that ran, how many "
             "the delegate took, and why it left the others to the CPU.", ""]
    cells = []
    for op in in_order(random):
        count, taken, left = rows.get(op, (0, 0, {}))
        row = random[op]
        text = f"{row['equal']} + {row['within']}" + (f", **{row['difference']} differ**" if row["difference"] else "")
        cells.append([op or "**all**", str(sum(row.values())), str(row["both errors"]), str(row["skipped"]), text, f"{taken} of {count}",
                      shorten(left) if op else ""])
    lines += table(["operator", "cases", "refused by both", "not compared", "equal + within", "delegated", "left, because"], cells)
    lines += ["", "Not compared:", "", *(f"- {count}: {why}" for count, why in not_compared)]
    replace_part(path, START, lines)
