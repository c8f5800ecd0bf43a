#!/usr/bin/env python3
"""Writes the cases of the self-test: make_cases.py PROGRAM [FILE]

PROGRAM is oclite_opencl_selftest of a build, on a driver that is known to be good: of the random cases of tests/conformance it
takes, for each operator that has an OpenCL form and each type of numbers, the first small one that runs there and is right.
Needs numpy. FILE is cases.bin beside this script; its format is in cases.h.
"""
import os
import struct
import subprocess
import sys
import tempfile

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../tests/conformance"))
import make  # noqa: E402  the generators register themselves
from cases import OPERATORS  # noqa: E402
from random_source import Random  # noqa: E402

RECORDED = os.path.join(HERE, "../../tests/ops/cases")
SEED = 1
TRIED = 400
KINDS = {"f32", "i8"}  # a driver's faults in floats and in bytes differ; others count where an operator has neither
LEAST, MOST = 24, 4000  # elements of all tensors
MOST_BYTES = 12000


def numbers(*values):
    return struct.pack(f"<{len(values)}I", *values)


def packed(data):
    return numbers(len(data)) + data


def encode(name, model, arrays):
    inputs = [np.ascontiguousarray(array).tobytes() for array in arrays]
    return packed(name.encode()) + packed(model) + numbers(len(inputs)) + b"".join(map(packed, inputs))


def recorded(name):
    """The first recorded case of an operator, for those of which there are no random ones."""
    folder = next(f for f in sorted(os.listdir(RECORDED)) if f.startswith(name + "__"))
    with open(os.path.join(RECORDED, folder, "model.tflite"), "rb") as file:
        model = file.read()
    paths = [os.path.join(RECORDED, folder, f) for f in sorted(os.listdir(os.path.join(RECORDED, folder))) if f.startswith("in")]
    return encode(name, model, [np.load(path) for path in paths])


def write(path, encoded):
    body = numbers(len(encoded)) + b"".join(encoded)
    with open(path, "wb") as out:
        out.write(b"OCLCASE1" + packed(body))


def is_plain(case, least):
    """One node (and the graphs that it applies), all inputs fed once with finite numbers."""
    graph = case.graphs[0]
    if len(graph.nodes) != 1 or len(case.runs) != 1 or case.loose or case.bad:
        return False
    if any(array is None or array.dtype == object for array in case.runs[0]) or len(case.runs[0]) > 16:
        return False
    tensors = graph.tensors()
    if any(t.declared is not None or t.kind in ("str", "resource") or 0 in t.shape for t in tensors):
        return False
    if not all(np.isfinite(array).all() for array in case.runs[0] if array.dtype.kind == "f"):
        return False
    return MOST >= sum(int(np.prod(t.shape)) for t in tensors) >= least


def candidates(name, least=LEAST):
    for number in range(TRIED):
        try:
            case = make.GENERATORS[name](Random(SEED, name, number), name)
        except (ValueError, KeyError, IndexError):
            continue  # now and then a generator wants what there is not
        if is_plain(case, least):
            yield case


def outcome(program, name, encoded):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "cases")
        write(path, [encoded])
        out = subprocess.run([program, "--cases", path, name], capture_output=True, text=True, check=False).stdout.split("\n")
    return out[1] if len(out) > 1 else ""


def choose(program, name, least=LEAST):
    chosen = {}
    fallback = None
    for case in candidates(name, least):
        node = case.graphs[0].nodes[0]
        kind = next((t.kind for t in node.inputs + node.outputs if t is not None), "")
        kind = kind if kind in KINDS else "other"
        if kind in chosen or (kind == "other" and fallback is not None):
            continue
        encoded = encode(name, case.model(), case.runs[0])
        if len(encoded) > MOST_BYTES or not outcome(program, name, encoded).startswith(f"right {name}"):
            continue
        if kind == "other":
            fallback = encoded
        else:
            chosen[kind] = encoded
        if len(chosen) == len(KINDS):
            break
    return list(chosen.values()) or ([fallback] if fallback else [])


def main():
    program = os.path.abspath(sys.argv[1])
    path = sys.argv[2] if len(sys.argv) > 2 else os.path.join(HERE, "cases.bin")
    encoded = []
    for name, operator in OPERATORS.items():
        if not operator.cl:
            continue
        chosen = choose(program, name) if name in make.GENERATORS else [recorded(name)]
        chosen = chosen or choose(program, name, 1)
        print(name, len(chosen), sum(map(len, chosen)), flush=True)
        encoded += chosen
    write(path, encoded)


if __name__ == "__main__":
    main()
