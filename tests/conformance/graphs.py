#!/usr/bin/env python3
"""Random graphs: the OpenCL delegate against the CPU kernels. graphs.py --oclite PROGRAM [--cases N] [--seed N] [--keep DIR]

Each graph of random_graph.py runs in `oclite run --batch`, without a delegate and with it, very many in a process, which compiles or
loads each kernel once: PoCL takes longer to find one, even in its cache, than to run a graph. Some operators are denied to the
delegate, others in each process, so that there are several partitions, and in most the host goes on while the device works. Integers must be equal, floats within a tolerance that grows
with the number of operators. Exit status 1 on any difference, 77 without NumPy, flatbuffers or an OpenCL device.
"""
import argparse
import collections
import multiprocessing
import os
import shlex
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
try:
    import numpy as np
    import flatbuffers  # noqa: F401
except ImportError as missing:
    print(f"skipped: {missing} (pip install flatbuffers numpy)")
    sys.exit(77)
from chunk import SANITIZER, SECONDS_DELEGATE, Chunk
from compare import close, names, read
from random_graph import make_graph

CHUNK, MEMORY, RELATIVE = 2500, "/dev/shm", 3e-6
# Shares: of the graphs, the others are refused on both sides, or another host's own kernels differ; of their operators.
LEAST_RUN, LEAST_RUN_ELSEWHERE, LEAST_TAKEN = 0.9, 0.7, 0.5
DENIED = ["RESHAPE+MUL+SUM+GATHER", "TRANSPOSE+MAXIMUM+TANH+FULLY_CONNECTED", "CONCATENATION+SLICE+SUB+MEAN+PAD", ""]
MODEL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../ops/cases/ABS__f32/model.tflite")
# Of some graphs: what is wrong, how many were made and ran, how many of their operators the delegate took and was asked about, and
# {operator: how many it took}.
Part = collections.namedtuple("Part", "faults made ran taken asked operators")


def compare(case, own, wanted):
    """Why the answers in two folders differ, or None."""
    for stem in names(wanted):
        want, got = read(wanted, stem)[0], read(own, stem)[0]
        if got is None or got.shape != want.shape or got.dtype != want.dtype:
            return f"{stem} is missing or of another shape or type"
        allowed = RELATIVE * (2 + len(case.graphs[0].nodes)) if want.dtype.kind in "fc" else 0.0
        fine = close(got, want, allowed, allowed)
        if not np.all(fine):
            at = np.unravel_index(int(np.argmin(fine)), got.shape) if got.ndim else ()
            return f"{stem}: {int(np.sum(~fine))} of {got.size} {got.dtype}, first at {list(map(int, at))}: {got[at]!r}, CPU {want[at]!r}"
    return None


def judge(chunk, i, kind="opencl"):
    """What is wrong with graph i, None or a text."""
    status = [chunk.status(i, k)[0] for k in ("cpu", kind)]
    if None in status or min(status) < 0 or (status[0] == 0) != (status[1] == 0):
        return f"status {status[0]} on the CPU, {status[1]} on {kind}"
    if status[0]:
        return None  # refused by both, perhaps not at once
    failure = chunk.state(i, kind).get("failure")
    return f"the delegate failed: {failure}" if failure else compare(chunk.cases[i][2], chunk.folder(i, kind), chunk.folder(i, "cpu"))


def run_chunk(job):
    args, first, count = job
    root = tempfile.mkdtemp(prefix="graphs_", dir=MEMORY if os.access(MEMORY, os.W_OK) else None)
    faults, ran, nodes = [], 0, []
    try:
        chunk = Chunk(root, args.oclite, [("GRAPH", number, make_graph(args.seed, number)) for number in range(first, first + count)])
        denied = DENIED[first // CHUNK % len(DENIED)]
        overlap = "off" if first // CHUNK // len(DENIED) % 2 else "on"
        delegate = f"opencl:partition=all,overlap={overlap}" + (f",deny={denied}" if denied else "")
        everything = range(count)
        chunk.execute([args.oclite, "run", "--batch", "LIST"], everything, "cpu")
        if args.host:
            chunk.execute([*args.host, "run", "--batch", "LIST"], everything, "host", seconds=SECONDS_DELEGATE)
            # Its own kernels differ from ours, or refuse the graph: nothing can be said.
            everything = [i for i in everything if not judge(chunk, i, "host")]
        errors = chunk.execute([*(args.host or [args.oclite]), "run", "--delegate", delegate, "--batch", "LIST"], everything, "opencl",
                               seconds=SECONDS_DELEGATE)
        if SANITIZER.search(errors):
            faults.append(errors)
        for i in everything:
            why = judge(chunk, i)
            if chunk.status(i, "cpu")[0] == 0:
                ran += 1
                nodes += chunk.state(i, "opencl").get("nodes", [])
            if why:
                said = " ".join(line for line in errors.split("\n") if f"GRAPH:{first + i}: " in line)
                faults.append(f"graph {first + i} ({delegate}): {why} {said}")
                if args.keep:
                    shutil.copytree(f"{root}/{i}", f"{args.keep}/{first + i}", dirs_exist_ok=True)
    finally:
        shutil.rmtree(root, ignore_errors=True)
    operators = collections.Counter(node["op"] for node in nodes if node["taken"])
    return Part(faults, count, ran, sum(operators.values()), len(nodes), operators)


def total(parts):
    return Part(*(sum(column, start) for column, start in zip(zip(*parts), ([], 0, 0, 0, 0, collections.Counter()))))


def summary(parts):
    whole = total(parts)
    return (f"{whole.ran} of {whole.made} graphs ran on both, {whole.taken} of {whole.asked} operators, {len(whole.operators)} different "
            f"ones, with the delegate: {len(whole.faults)} faults")


def has_device(program):
    result = subprocess.run([*program, "info", "--delegate", "opencl", MODEL], capture_output=True, text=True, check=False)
    return "no OpenCL delegate" not in result.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--oclite", required=True)
    parser.add_argument("--host", type=shlex.split, help="what runs graphs with the delegate: a command line that is used as oclite's; graphs are left out that its own kernels "
                        "compute differently")
    parser.add_argument("--cases", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--keep")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--verbose", action="store_true", help="tell how many operators of each name the delegate took")
    args = parser.parse_args()
    if not has_device(args.host or [args.oclite]):
        print("skipped: no OpenCL device")
        return 77
    end = args.first + args.cases
    jobs = [(args, first, min(CHUNK, end - first)) for first in range(args.first, end, CHUNK)]
    parts = []
    with multiprocessing.Pool(args.jobs) as pool:
        for part in pool.imap_unordered(run_chunk, jobs, 1):
            parts.append(part)
            print("\n".join([*part.faults, f"so far: {summary(parts)}"]), flush=True)
    whole = total(parts)
    if args.verbose:
        print("\n".join(f"{count:7} {op}" for op, count in sorted(whole.operators.items())))
    too_few = whole.taken < LEAST_TAKEN * whole.asked or whole.ran < (LEAST_RUN_ELSEWHERE if args.host else LEAST_RUN) * args.cases
    if too_few:
        print("too few graphs ran, or the delegate took too few operators")
    print(summary(parts))
    return 1 if whole.faults or too_few else 0


if __name__ == "__main__":
    sys.exit(main())
