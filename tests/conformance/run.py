#!/usr/bin/env python3
"""Compares oclite with LiteRT on random cases: run.py --oclite PROGRAM [--cases N] [--seed N] [--ops REGEX]

Each case is a small model made from a seed; it runs in LiteRT (ai-edge-litert from PyPI: its reference kernels, and where
the answers are not the same also its other ones) and in `oclite run --batch`. Per operator it prints how many were equal,
within tolerance, refused by both, and not compared; exit status 1 on any difference, 77 without LiteRT.

  --cpu PATH,...     the CPU paths on which oclite runs them: `oclite cpu` prints those here, "all" stands for each of them. On the
                     second and further ones it runs the operators whose code differs between the paths (BY_PATH in chunk.py)
  --delegate opencl[:OPTIONS]  the OpenCL delegate instead of a CPU path; prints how many cases it took, and why it left others
  --case OP:NUMBER   only this case, and keep it (needs --keep)
  --keep DIR         leave the models, inputs and answers of the cases that differ there
  --verbose          say why cases that are legal by the generator were refused by both
  --write FILE       write the figures into the part of FILE that is made from them
  --suite DIR        with those of the recorded cases' judge there
  --logs DIR         keep results there, and with --delegate the outputs of the further checks that --write tells of; what is
                     there already is not run again, so that a run that was interrupted goes on
"""
import argparse
import json
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
try:
    import ai_edge_litert  # noqa: F401
    import flatbuffers  # noqa: F401
    import numpy  # noqa: F401
except ImportError as missing:
    print(f"skipped: {missing} (pip install ai-edge-litert flatbuffers numpy)")
    sys.exit(77)
from cases import OPERATORS
from chunk import Chunk, Result
from make import GENERATORS, make_case
from report import print_differences, print_report, write_report
from report_opencl import print_delegated, write_report_opencl

CHUNK = 200
MEMORY = "/dev/shm"  # for the many small files, where there is one


def plan(args):
    """The (operator, number) of all cases: as many of each operator, which are drawn from its own seeds."""
    if args.case:
        op, number = args.case.split(":")
        return [(op, int(number))]
    names = [n for n in sorted(OPERATORS) if OPERATORS[n].cpu and re.search(args.ops, n)]
    missing = [n for n in names if n not in GENERATORS]
    if missing:
        sys.exit(f"no generator for {', '.join(missing)}")
    each = -(-args.cases // max(len(names), 1))
    cases = [(n, k) for k in range(each) for n in names][:args.cases]
    return sorted(cases) if args.delegate else cases  # kernels of an operator are compiled, or loaded, in one process


def paths_of(args):
    """Where cases run: on CPU paths, or with a delegate."""
    if args.delegate:
        return [args.delegate]
    known = subprocess.run([args.oclite, "cpu"], capture_output=True, text=True, check=True).stdout.split()
    wanted = known if args.cpu == "all" else args.cpu.split(",")
    if not set(wanted) <= set(known):
        sys.exit(f"--cpu: this machine and build have {', '.join(known)}")
    return wanted


def run_chunk(job):
    args, paths, wanted = job
    root = tempfile.mkdtemp(prefix="conformance_", dir=MEMORY if os.access(MEMORY, os.W_OK) else None)
    try:
        cases = [(op, number, make_case(args.seed, op, number)) for op, number in wanted]
        return Chunk(root, args.oclite, cases, paths).judge(args.keep)
    finally:
        shutil.rmtree(root, ignore_errors=True)


def log_of(args):
    """Where results are kept, a line of JSON each; None without --logs."""
    if not args.logs:
        return None
    os.makedirs(args.logs, exist_ok=True)
    return os.path.join(args.logs, f"random_{args.delegate or 'cpu'}_{args.seed}.log".replace(":", "_"))


def run_all(args, paths):
    """The results of all cases; those that the log has are not run again."""
    log, results = log_of(args), []
    if log and os.path.exists(log):
        with open(log, encoding="utf-8") as file:
            results = [Result(*json.loads(line)) for line in file]
    done = {(result.op, result.number) for result in results}
    wanted = [case for case in plan(args) if case not in done]
    jobs = [(args, paths, wanted[i:i + CHUNK]) for i in range(0, len(wanted), CHUNK)]
    with multiprocessing.Pool(args.jobs) as pool:
        for part in pool.imap_unordered(run_chunk, jobs):
            print_differences(part)
            results += part
            if log:
                with open(log, "a", encoding="utf-8") as file:
                    file.writelines(json.dumps(result) + "\n" for result in part)
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--oclite", required=True)
    parser.add_argument("--cases", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ops", default="")
    parser.add_argument("--case")
    parser.add_argument("--cpu", default="auto")
    parser.add_argument("--delegate")
    parser.add_argument("--keep")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--write")
    parser.add_argument("--suite")
    parser.add_argument("--logs")
    args = parser.parse_args()
    if args.write and args.delegate and not (args.logs and args.suite):
        parser.error("--write with --delegate needs --logs and --suite")
    paths, start = paths_of(args), time.time()
    results = run_all(args, paths)
    if args.delegate:
        print_delegated(results)
    differences = print_report(results, args, time.time() - start)
    if args.write and args.delegate:
        write_report_opencl(args.write, results, args)
    elif args.write:
        write_report(args.write, results, args, paths)
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
