#!/usr/bin/env python3
"""Runs the operator conformance suite beside the checkout: suite.py [--one-each | --every N --from K [--without REGEX] | --only REGEX] OCLITE OPCASES_DIR [RUN_OPTION...]

The suite's own judge decides. Every case of an operator that core/ops.def has a CPU kernel for must pass, and no case
may end in a crash or run out of time, whatever the operator. With --one-each one good case of each operator is run, with
--every N --from K each N-th case, by name, from the K-th (0: the first) on, but for those with such names, with --only those
with such names. Exit status 77 (skipped) without the suite or numpy, and on a machine that lacks the path of --cpu.
"""
import collections
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Groups of cases that are not one operator, and customs that the tool does not register.
GROUPS = {"GRAPH", "FILE"}


def implemented():
    with open(os.path.join(ROOT, "core/ops.def"), encoding="utf-8") as file:
        text = file.read()
    return set(re.findall(r"^OP\((\w+),.*, 1, [01]\)$", text, re.M)) | set(
        re.findall(r"^CUSTOM_OP\((\w+), 1, [01]\)$", text, re.M))


def one_each(folder):
    """A regular expression for the names of one case of each operator: the middle one of those that must be right."""
    groups = collections.defaultdict(list)
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name, "case.json"), encoding="utf-8") as file:
            if json.load(file)["expect"] == "ok":
                groups[name.split("__")[0]].append(name)
    return "^(" + "|".join(names[len(names) // 2] for names in groups.values()) + ")$"


def every(folder, step, first, without):
    """A regular expression for the names of each step-th case from the first-th on."""
    names = [name for name in sorted(os.listdir(folder))[first::step] if not without or not re.search(without, name)]
    return "^(" + "|".join(re.escape(name) for name in names) + ")$"


def main():
    few = sys.argv[1] == "--one-each"
    part = [int(sys.argv[2]), int(sys.argv[4]), ""] if sys.argv[1] == "--every" else []
    only = sys.argv[2] if sys.argv[1] == "--only" else ""
    rest = sys.argv[2 if few else 5 if part else 3 if only else 1:]
    if part and rest[0] == "--without":
        part[2], rest = rest[1], rest[2:]
    tool, suite, *options = rest
    judge = os.path.join(suite, "judge.py")
    paths = subprocess.run([tool, "cpu"], capture_output=True, text=True, check=True).stdout.split()
    if "--cpu" in options and options[options.index("--cpu") + 1] not in paths:
        print(f"skipped: this machine and build have {', '.join(paths)} only")
        return 77
    try:
        import numpy  # noqa: F401  the judge needs it
    except ImportError:
        print("skipped: no numpy in this Python")
        return 77
    if not os.path.exists(judge):
        print(f"skipped: no operator cases at {suite}")
        return 77
    where = os.path.join(suite, "cases")
    chosen = one_each(where) if few else every(where, *part) if part else only
    with tempfile.TemporaryDirectory() as folder:
        result = os.path.join(folder, "result.json")
        subprocess.run([sys.executable, judge, " ".join([tool, "run", *options]), where, "--filter", chosen, "--batch",
                        "--json", result, "--failures", "0"], stdout=subprocess.DEVNULL, check=False)
        with open(result, encoding="utf-8") as file:
            cases = json.load(file)["cases"]
    known = implemented()
    required, unsupported, faults = 0, 0, []
    for name, case in sorted(cases.items()):
        op = name.split("__")[0]
        needed = op in known
        required += needed
        if case["verdict"] in ("crash", "timeout") or (needed and case["verdict"] != "pass"):
            faults.append(f"{case['verdict']} {name}: {case['remark']}")
        elif not needed and op not in GROUPS and case["verdict"] != "pass":
            unsupported += 1
    print("\n".join(faults))
    print(f"{required} cases of {len(known)} implemented operators, {unsupported} refused of operators without a "
          f"kernel, {len(cases)} in all: {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
