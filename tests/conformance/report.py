"""The figures of a comparison, printed or written into a document."""
import collections
import datetime
import importlib.metadata
import json
import os
import subprocess
import sys
import tempfile

VERDICTS = ("equal", "within", "difference", "both errors", "skipped")
START, END = "<!-- made by tests/conformance/run.py -->\n", "<!-- end -->\n"


def figures(results):
    """{operator: Counter of verdicts}, with the sum under None at the end."""
    rows = collections.defaultdict(collections.Counter)
    for result in sorted(results):
        rows[result.op][result.verdict] += 1
    total = sum(rows.values(), collections.Counter())
    return {**rows, None: total}


def reasons(results):
    """Why cases were not compared: [(number, reason)]"""
    count = collections.Counter(result.why for result in results if result.verdict == "skipped")
    return sorted(((n, why) for why, n in count.items()), reverse=True)


def print_differences(results):
    paths = collections.defaultdict(list)
    for result in sorted(results):
        if result.verdict == "difference":
            paths[result.op, result.number, result.why].append(result.path)
    for (op, number, why), where in paths.items():
        print(f"DIFFERENCE {op}:{number} on {', '.join(where)}: {why}", flush=True)


def print_report(results, args, seconds):
    """Prints the figures; the number of differences."""
    if args.verbose:
        count = collections.Counter((r.op, r.why) for r in results if r.verdict == "both errors" and r.why)
        for (op, why), n in sorted(count.items()):
            print(f"both refuse {op}, {n} times: {why}")
    print(f"{'operator':32} {'cases':>6} " + " ".join(f"{v:>11}" for v in VERDICTS))
    for op, row in figures(results).items():
        print(f"{op or 'all':32} {sum(row.values()):6} " + " ".join(f"{row[v]:11}" for v in VERDICTS))
    for count, why in reasons(results):
        print(f"not compared: {count} ({why})")
    cases = collections.Counter(result.path for result in results)
    differences = figures(results)[None]["difference"]
    print(", ".join(f"{path}: {n} cases" for path, n in cases.items()) + f"; seed {args.seed}, {seconds:.0f} s: {differences} differences")
    return differences


def judged(program, suite, path):
    """What the recorded cases' judge says of a CPU path: {operator: (passed, cases)}, the sum under None."""
    with tempfile.TemporaryDirectory() as folder:
        result = os.path.join(folder, "result.json")
        subprocess.run([sys.executable, os.path.join(suite, "judge.py"), f"{program} run --cpu {path}",
                        os.path.join(suite, "cases"), "--batch", "--json", result, "--failures", "0"],
                       stdout=subprocess.DEVNULL, check=False)
        with open(result, encoding="utf-8") as file:
            operators = json.load(file)["operators"]
    rows = {op: (row.get("pass", 0), row["total"]) for op, row in operators.items()}
    rows[None] = tuple(map(sum, zip(*rows.values())))
    return rows


def table(head, rows):
    return ["| " + " | ".join(cells) + " |" for cells in (head, ["---"] * len(head), *rows)]


def in_order(names):
    return [*sorted({*names} - {None}, key=str.lower), None]


def recorded_table(args, paths):
    columns = {path: judged(args.oclite, args.suite, path) for path in paths}
    rows = [[op or "**all**", str(columns[paths[0]][op][1]), *(str(column[op][0]) for column in columns.values())]
            for op in in_order(columns[paths[0]])]
    return ["### Recorded cases", "", "How many of the recorded cases pass, per CPU path.", "",
            *table(["operator", "cases", *columns], rows), ""]


def random_cell(row):
    if not row:
        return ""
    text = str(row["equal"]) + (f" + {row['within']}" if row["within"] else "")
    return text + (f", **{row['difference']} differ**" if row["difference"] else "")


def random_table(results, args, paths):
    columns = {path: figures(r for r in results if r.path == path) for path in paths}
    rows = []
    for op in in_order(columns[paths[0]]):
        first = columns[paths[0]][op]
        rows.append([op or "**all**", str(sum(first.values())), str(first["both errors"]), str(first["skipped"]),
                     *(random_cell(column.get(op)) for column in columns.values())])
    skipped = reasons(r for r in results if r.path == paths[0])
    return ["### Random cases", "", f"Those of seed {args.seed}. Per CPU path: how many are equal to the bit, + how many within tolerance. "
            "The other paths run the operators whose code they change.",
            "", *table(["operator", "cases", "refused by both", "not compared", *paths], rows), "", "Not compared:", "",
            *(f"- {count}: {why}" for count, why in skipped)]


def replace_part(path, start, lines):
    """Puts lines into the place of those between the marks `start` and END."""
    with open(path, encoding="utf-8") as file:
        before, rest = file.read().split(start)
    after = rest.split(END, 1)[1]
    with open(path, "w", encoding="utf-8") as file:
        file.write(before + start + "\n".join(lines) + "\n" + END + after)


def write_report(path, results, args, paths):
    """Replaces the part between the marks."""
    version = subprocess.run([args.oclite, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    lines = [f"{datetime.date.today()}: oclite {version}, ai-edge-litert {importlib.metadata.version('ai-edge-litert')}, CPU paths "
             f"{', '.join(paths)}.", ""]
    lines += recorded_table(args, paths) if args.suite else []
    lines += random_table(results, args, paths)
    replace_part(path, START, lines)
