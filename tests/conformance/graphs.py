#!/usr/bin/env python3
"""Random graphs: the OpenCL delegate against the CPU kernels. graphs.py --oclite PROGRAM [--cases N] [--seed N] [--keep DIR]

Each graph of random_graph.py runs in `oclite run --batch`, without a delegate and with it; some operators are denied to
the delegate, others in each chunk, so that there are several partitions. Integers must be equal, floats within a tolerance
that grows with the number of operators. Exit status 1 on any difference, 77 without NumPy, flatbuffers or an OpenCL device.
"""
import argparse
import os
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
from chunk import SANITIZER, Chunk
from compare import close, names, read
from random_graph import make_graph

CHUNK, MEMORY, RELATIVE = 100, "/dev/shm", 3e-6
SECONDS_GRAPH = 20  # drivers compile
ASKED, LEAST_TAKEN = 20, 0.5  # of each so many graphs one is asked where its operators run: so many at least with the delegate
DENIED = ["", "RESHAPE+ADD", "MUL+TRANSPOSE+MAXIMUM", "CONCATENATION+TANH+SLICE", "CONV_2D+FULLY_CONNECTED+SUB", "PAD+SUM+MEAN+GATHER"]
MODEL = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../ops/cases/ABS__f32/model.tflite")
FAILED = "delegate failed"  # the runtime's words when it goes on without the delegate


def compare(case, own, wanted):
    """Why the answers in two folders differ, or None."""
    for stem in names(wanted):
        want, got = read(wanted, stem)[0], read(own, stem)[0]
        if got is None or got.shape != want.shape or got.dtype != want.dtype:
            return f"{stem} is missing or of another shape or type"
        allowed = RELATIVE * (2 + len(case.graphs[0].nodes)) if want.dtype.kind == "f" else 0.0
        fine = close(got, want, allowed, allowed)
        if not np.all(fine):
            at = np.unravel_index(int(np.argmin(fine)), got.shape) if got.ndim else ()
            return f"{stem}: {int(np.sum(~fine))} of {got.size} {got.dtype}, first at {list(map(int, at))}: {got[at]!r}, CPU {want[at]!r}"
    return None


def delegated(program, delegate, models):
    """(operators that the delegate takes, all) of the models."""
    taken = every = 0
    for model in models:
        lines = subprocess.run([program, "info", "--delegate", delegate, model], capture_output=True, text=True, check=False).stdout.split("\n")
        taken += sum(line.startswith("  #") and " [in #" in line for line in lines)
        every += sum(line.startswith("  #") and (" [in #" in line or " [CPU]" in line) for line in lines)
    return taken, every


def run_chunk(args, first, count):
    """(differences, graphs that ran, operators delegated and asked about) of graphs first, first + 1, ..."""
    root = tempfile.mkdtemp(prefix="graphs_", dir=MEMORY if os.access(MEMORY, os.W_OK) else None)
    faults, ran, taken = [], 0, (0, 0)
    try:
        numbers = list(range(first, first + count))
        cases = [("GRAPH", number, make_graph(args.seed, number)) for number in numbers]
        chunk = Chunk(root, args.oclite, cases)
        denied = DENIED[first // CHUNK % len(DENIED)]
        delegate = "opencl" + (f":deny={denied}" if denied else "")
        everything = range(count)
        chunk.execute([args.oclite, "run", "--batch", "LIST"], everything, "cpu")
        errors = chunk.execute([args.oclite, "run", "--delegate", delegate, "--batch", "LIST"], everything, "opencl",
                               seconds=SECONDS_GRAPH)
        taken = delegated(args.oclite, delegate, [f"{root}/{i}/model.tflite" for i in everything[::ASKED]])
        if SANITIZER.search(errors):
            faults.append(errors)
        for i, number in enumerate(numbers):
            messages = [line for line in errors.split("\n") if f"GRAPH:{number}: " in line]
            status = [chunk.status(i, kind)[0] for kind in ("cpu", "opencl")]
            if status == [0, 0]:
                ran += 1
                why = compare(cases[i][2], chunk.folder(i, "opencl"), chunk.folder(i, "cpu"))
            else:
                why = f"status {status[0]} on the CPU, {status[1]} with the delegate"
            if why is None and any(FAILED in m for m in messages):
                why = "the delegate failed"
            if why:
                faults.append(f"graph {number} (deny {denied or 'nothing'}): {why} {' '.join(messages)}")
                if args.keep:
                    shutil.copytree(f"{root}/{i}", f"{args.keep}/{number}", dirs_exist_ok=True)
    finally:
        shutil.rmtree(root, ignore_errors=True)
    return faults, ran, taken


def has_device(program):
    result = subprocess.run([program, "info", "--delegate", "opencl", MODEL], capture_output=True, text=True, check=False)
    return "no OpenCL delegate" not in result.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--oclite", required=True)
    parser.add_argument("--cases", type=int, default=10000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--keep")
    args = parser.parse_args()
    if not has_device(args.oclite):
        print("skipped: no OpenCL device")
        return 77
    faults, ran, taken, asked = [], 0, 0, 0
    for first in range(args.first, args.first + args.cases, CHUNK):
        more, count, (some, every) = run_chunk(args, first, min(CHUNK, args.first + args.cases - first))
        print("\n".join(more), end="\n" if more else "", flush=True)
        faults, ran, taken, asked = faults + more, ran + count, taken + some, asked + every
    if taken < LEAST_TAKEN * asked:
        faults.append(f"the delegate takes {taken} of {asked} operators")
        print(faults[-1])
    print(f"{ran} of {args.cases} graphs ran on both, {taken} of {asked} operators with the delegate: {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
