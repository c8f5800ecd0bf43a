"""The figures of a comparison, printed or written into a document."""
import collections
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
    for op, _, verdict, _ in sorted(results):
        rows[op][verdict] += 1
    total = sum(rows.values(), collections.Counter())
    return {**rows, None: total}


def reasons(results):
    """Why cases were not compared: [(number, reason)]"""
    count = collections.Counter(why for _, _, verdict, why in results if verdict == "skipped")
    return sorted(((n, why) for why, n in count.items()), reverse=True)


def print_report(results, args, seconds):
    """Prints everything; the number of differences."""
    for op, number, verdict, why in sorted(results):
        if verdict == "difference":
            print(f"DIFFERENCE {op}:{number} {why}")
    if args.verbose:
        count = collections.Counter((op, why) for op, _, verdict, why in results if verdict == "both errors" and why)
        for (op, why), n in sorted(count.items()):
            print(f"both refuse {op}, {n} times: {why}")
    print(f"{'operator':32} {'cases':>6} " + " ".join(f"{v:>11}" for v in VERDICTS))
    for op, row in figures(results).items():
        print(f"{op or 'all':32} {sum(row.values()):6} " + " ".join(f"{row[v]:11}" for v in VERDICTS))
    for count, why in reasons(results):
        print(f"not compared: {count} ({why})")
    differences = figures(results)[None]["difference"]
    print(f"{len(results)} cases, seed {args.seed}, {seconds:.0f} s: {differences} differences")
    return differences


def judged(program, suite, delegate):
    """What the recorded cases' judge says: {operator: (passed, cases)}, the sum under None."""
    with tempfile.TemporaryDirectory() as folder:
        result = os.path.join(folder, "result.json")
        subprocess.run([sys.executable, os.path.join(suite, "judge.py"), f"{program} run --delegate {delegate}",
                        os.path.join(suite, "cases"), "--batch", "--json", result, "--failures", "0"],
                       stdout=subprocess.DEVNULL, check=False)
        with open(result, encoding="utf-8") as file:
            operators = json.load(file)["operators"]
    rows = {op: (row.get("pass", 0), row["total"]) for op, row in operators.items()}
    rows[None] = tuple(map(sum, zip(*rows.values())))
    return rows


def write_report(path, results, args):
    """Replaces the part between the marks."""
    with open(path, encoding="utf-8") as file:
        before, rest = file.read().split(START)
        after = rest.split(END)[1]
    rows = figures(results)
    recorded = [judged(args.oclite, args.suite, delegate) for delegate in ("none", "opencl")] if args.suite else [{}, {}]
    names = sorted({*rows, *recorded[0]} - {None}, key=str.lower)
    lines = ["| operator | recorded, CPU | recorded, OpenCL | random | equal | within tolerance | differences | errors in both "
             "| not compared |", "|---|---|---|---|---|---|---|---|---|"]
    for op in [*names, None]:
        row = rows.get(op, collections.Counter())
        cells = ["{} of {}".format(*path[op]) if op in path else "" for path in recorded]
        cells += [str(sum(row.values()))] + [str(row[v]) for v in VERDICTS] if row else [""] * 6
        lines.append(f"| {op or '**all**'} | {' | '.join(cells)} |")
    lines += ["", f"Random cases of seed {args.seed}. Not compared:", ""]
    lines += [f"- {count}: {why}" for count, why in reasons(results)]
    with open(path, "w", encoding="utf-8") as file:
        file.write(before + START + "\n".join(lines) + "\n" + END + after)
