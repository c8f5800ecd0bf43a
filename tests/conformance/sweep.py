#!/usr/bin/env python3
"""Which illegal models oclite takes, and which legal ones it refuses: sweep.py --oclite PROGRAM --change types|parameters|ranks|versions|empty

The generators' cases are changed in one place each, and run in LiteRT (in a child process, which may die) and in oclite. Each
difference is printed with the change that made it. Too slow and, where LiteRT does not look at something, too noisy for CTest.

  --ops REGEX    these operators
  --seed N       the cases that are changed, and which of the changes are drawn
  --cases N      how many of each operator are changed
  --most N       changes of each operator
  --only REGEX   changes whose description has this
  --done FILE    operators that are finished, to begin again behind them; what was found goes there, too
  --keep DIR     leave the models, inputs and answers of the cases that differ there
"""
import argparse
import itertools
import multiprocessing
import os
import re
import shutil
import sys
import tempfile
import time

from chunk import Chunk
from cases import OPERATORS
from make import GENERATORS
from mutate import applied, empty_changes, parameter_changes, rank_changes, type_changes, version_changes
from random_source import Random
from run import CHUNK, MEMORY

TOGETHER = 4  # operators
CHANGES = {"types": type_changes, "parameters": parameter_changes, "ranks": rank_changes, "versions": version_changes,
           "empty": empty_changes}


def form_of(node, change):
    """What makes a case another one for a change; types that were changed in one case need not be in its like of another rank."""
    if change == "types":
        return tuple(t and t.kind for t in node.inputs + node.outputs)
    return tuple(t and (t.kind, len(t.shape), t.data is not None) for t in node.inputs)


def changed(args, op):
    """[(label, case)], at most args.most."""
    all_of_them, seen = [], set()
    for number in range(args.cases):
        case = GENERATORS[op](Random(args.seed, op, number), op)
        if len(case.graphs[0].nodes) > 1:
            continue
        form = form_of(case.graphs[0].nodes[0], args.change)
        for label, change in CHANGES[args.change](case):
            if (form, label) not in seen and re.search(args.only, label):
                seen.add((form, label))
                all_of_them.append((label, case, change))
    found = []
    for i in Random(args.seed, op, 0).rng.permutation(len(all_of_them)):
        label, case, change = all_of_them[i]
        other = applied(case, change)
        if is_writable(other):
            found.append((label, other))
        if len(found) == args.most:
            break
    return found


def is_writable(case):
    """Whether a model can hold it: as many zero points as scales, numbers that fit into their fields."""
    try:
        case.model()
        return True
    except (ValueError, OverflowError, TypeError):
        return False


def describe(case):
    node = case.graphs[0].nodes[0]

    def tensor(t):
        return "-" if t is None else f"{t.kind}{'' if t.data is None else ' const'}{t.shape}"
    return f"{', '.join(map(tensor, node.inputs))} -> {', '.join(map(tensor, node.outputs))} {node.options or ''}"


def sweep(job):
    """[(operator, number of variants, differences as text)] of some operators, which share LiteRT's processes."""
    args, ops = job
    found = {op: changed(args, op) for op in ops}
    cases = [(op, i, case) for op in ops for i, (_, case) in enumerate(found[op])]
    lines = {op: [] for op in ops}
    for first in range(0, len(cases), CHUNK):
        root = tempfile.mkdtemp(prefix="sweep_", dir=MEMORY if os.access(MEMORY, os.W_OK) else None)
        try:
            for result in Chunk(root, args.oclite, cases[first:first + CHUNK]).judge(args.keep):
                if result.op not in found:  # a sanitizer's report, of one of these operators
                    lines[ops[0]].append(result.why)
                elif result.verdict == "difference":
                    label, case = found[result.op][result.number]
                    lines[result.op].append(f"{result.op}:{result.number} {label}: {result.why[:300]} || {describe(case)}")
        finally:
            shutil.rmtree(root, ignore_errors=True)
    return [(op, len(found[op]), lines[op]) for op in ops]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--oclite", required=True)
    parser.add_argument("--change", choices=sorted(CHANGES), required=True)
    parser.add_argument("--ops", default="")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cases", type=int, default=12)
    parser.add_argument("--most", type=int, default=400)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--done")
    parser.add_argument("--keep")
    args = parser.parse_args()
    done = set()
    if args.done and os.path.exists(args.done):
        with open(args.done, encoding="utf-8") as file:
            done = {line.split()[1] for line in file if line.startswith("## ")}
    names = [n for n in sorted(OPERATORS) if OPERATORS[n].cpu and n not in done and re.search(args.ops, n)]
    start, total, differences = time.time(), 0, 0
    with multiprocessing.Pool(args.jobs) as pool:
        groups = [(args, names[i:i + TOGETHER]) for i in range(0, len(names), TOGETHER)]
        for op, count, lines in itertools.chain.from_iterable(pool.imap_unordered(sweep, groups)):
            text = "".join(line + "\n" for line in lines) + f"## {op} {count} variants, {len(lines)} differences\n"
            print(text, end="", flush=True)
            if args.done:
                with open(args.done, "a", encoding="utf-8") as file:
                    file.write(text)
            total, differences = total + count, differences + len(lines)
    print(f"{len(names)} operators, {total} variants; seed {args.seed}, {time.time() - start:.0f} s: {differences} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
