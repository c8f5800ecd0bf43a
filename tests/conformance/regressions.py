#!/usr/bin/env python3
"""Patterns that GPU delegates have computed wrongly without a word: regressions.py OCLITE LIBOCLITE LIBOCLITE_OPENCL

The tables of patterns.py, patterns_operators.py and patterns_networks.py, a small model per row. Each runs on the CPU, on OpenCL, which must take
all of its nodes, and, where halves can hold its numbers, with precision=float16. Exit status 1 on any difference, 77 without
NumPy, flatbuffers or a device.
"""
import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [HERE, os.path.join(os.path.dirname(HERE), "ops")]
try:
    import numpy as np
    import flatbuffers  # noqa: F401
except ImportError as missing:
    print(f"skipped: {missing} (pip install flatbuffers numpy)")
    sys.exit(77)
import patterns_networks  # noqa: F401 (its rows register themselves, as those of patterns_operators, which it imports)
from cases import Case, Graph
from chunk import Chunk
from compare import close, names, read
from delegated import Explainer
from patterns import NOT_IN_HALVES, ROWS, TOLERANCE

MOST_BYTES = 4096
HALVES, TOLERANCE_HALVES = "opencl:precision=float16", 4e-3


def differences(kind, folder, outputs):
    least = TOLERANCE_HALVES if kind == HALVES else TOLERANCE
    stems = names(folder) if os.path.isdir(folder) else []
    if len(stems) != len(outputs):
        yield f"{kind}: {len(stems)} outputs of {len(outputs)}"
        return
    for stem, (_, want, *tolerance) in zip(stems, outputs):
        allowed = max([least, *tolerance])
        got = read(folder, stem)[0]
        if got.shape != want.shape or not np.all(close(got, want, allowed, allowed)):
            yield f"{kind}: {stem} is\n{got}\nexpected\n{want}"


def case_of(nodes, outputs, runs=None):
    return Case("", [Graph(nodes, None, list({id(o[0]): o[0] for o in outputs}.values()))], runs=runs)


def main():
    program, runtime, delegate = sys.argv[1:4]
    explainer = Explainer(runtime, delegate)
    if not explainer.has_device():
        print("skipped: no OpenCL device")
        return 77
    made = [(name, *(function(argument) if argument is not None else function())) for name, function, argument in ROWS]
    cases = [(name, 0, case_of(*pattern)) for name, *pattern in made]
    faults = []
    with tempfile.TemporaryDirectory() as root:
        chunk = Chunk(root, program, cases)
        chunk.execute([program, "run", "--batch", "LIST"], range(len(cases)), "cpu")
        errors = ""
        for kind in ("opencl", HALVES):
            errors += chunk.execute([program, "run", "--delegate", kind, "--batch", "LIST"], range(len(cases)), kind)
        for i, (name, nodes, outputs, *_) in enumerate(made):
            path = f"{root}/{i}/model.tflite"
            kinds = ["cpu", "opencl"] + ([HALVES] if name not in NOT_IN_HALVES else [])
            faults += [f"{name}: {d}" for kind in kinds for d in differences(kind, chunk.folder(i, kind), outputs)]
            faults += [f"{name}: on the CPU: {why}" for op in sorted({n.op for n in nodes}) for why in explainer.reasons(path, op)]
            if os.path.getsize(path) > MOST_BYTES:
                faults.append(f"{name}: the model has {os.path.getsize(path)} bytes")
    print("\n".join(faults + ([errors] if faults else [])))
    print(f"{len(made)} patterns: {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
