"""The figures of a comparison, printed or written into a document."""
import collections

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


def write_report(path, results, args):
    """Replaces the part between the marks."""
    with open(path, encoding="utf-8") as file:
        before, rest = file.read().split(START)
        after = rest.split(END)[1]
    lines = [f"`tests/conformance/run.py --oclite build/dev/tools/oclite --cases {args.cases} --seed {args.seed}` prints:", "",
             "| operator | cases | equal | within tolerance | differences | errors in both | not compared |",
             "|---|---|---|---|---|---|---|"]
    for op, row in figures(results).items():
        lines.append(f"| {op or '**all**'} | {sum(row.values())} | " + " | ".join(str(row[v]) for v in VERDICTS) + " |")
    lines += ["", "Not compared:", ""] + [f"- {count}: {why}" for count, why in reasons(results)]
    with open(path, "w", encoding="utf-8") as file:
        file.write(before + START + "\n".join(lines) + "\n" + END + after)
