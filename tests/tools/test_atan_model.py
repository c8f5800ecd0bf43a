#!/usr/bin/env python3
"""Makes the guide's Atan model with TensorFlow and runs it: test_atan_model.py OCLITE MAKER

Skipped (exit status 77) without TensorFlow.
"""
import importlib.util
import math
import os
import subprocess
import sys
import tempfile

import tool_case

X = [-8, 0.5, 2, 2.2, 201]


def run(*command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit status {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def expect(condition, what):
    if not condition:
        sys.exit(what)


def main(oclite, maker):
    with tempfile.TemporaryDirectory() as folder:
        model, source = os.path.join(folder, "atan.tflite"), os.path.join(folder, "x.npy")
        said = run(sys.executable, maker, model)
        print(said, end="")
        expect("'tf.Atan' op is neither a custom op nor a flex op" in said, "the converter's error is not shown")
        expect("Encountered unresolved custom op: Atan." in said, "the interpreter's error is not shown")
        nodes = run(oclite, "info", model)
        expect("#0 ADD" in nodes and "#1 Atan" in nodes, nodes)
        tool_case.write_npy(source, [len(X)], X)
        run(oclite, "run", model, "--in", source, "--out", folder)
        shape, got = tool_case.read_npy(os.path.join(folder, "out0.npy"))
        print("oclite:", got)
        expect(shape == (len(X),) and all(abs(y - math.atan(x + 1)) < 2e-6 for x, y in zip(X, got)), "other values")


if __name__ == "__main__":
    if not importlib.util.find_spec("tensorflow"):
        print("skipped: no TensorFlow")
        sys.exit(77)
    main(*sys.argv[1:])
