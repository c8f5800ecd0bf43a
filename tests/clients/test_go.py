#!/usr/bin/env python3
"""Calls the C library as Go's bindings do: test_go.py PREFIX [DELEGATE]

Builds the package in `go`, beside this file, in a folder of its own, with nothing but Go's own library, and runs its tests on models that
are written here. DELEGATE is the OpenCL delegate, for the test of external delegates. Skipped where there is no Go.
"""
import array
import os
import shutil
import subprocess
import sys
import tempfile

import client

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tools"))
from tflite_writer import Graph, write  # noqa: E402  (beside the tests of tools)


def floats(*values):
    return array.array("f", values).tobytes()


def xor():
    """y = x0 + x1 - 2 relu(x0 + x1 - 1)"""
    graph = Graph()
    x = graph.tensor("x", [1, 2])
    weights = graph.tensor("w", [2, 2], data=floats(1, 1, 1, 1))
    bias = graph.tensor("b", [2], data=floats(0, -1))
    more = graph.tensor("v", [1, 2], data=floats(1, -2))
    zero = graph.tensor("c", [1], data=floats(0))
    hidden = graph.node("FULLY_CONNECTED", [x, weights, bias], "h", [1, 2], options={0: 1})
    graph.inputs, graph.outputs = [x], [graph.node("FULLY_CONNECTED", [hidden, more, zero], "y", [1, 1])]
    return graph


def unary(op, kind="f4", to="f4", scale=None, shape=(3,), second=()):
    graph = Graph()
    x = graph.tensor("x", shape, kind, scale=scale)
    others = [graph.tensor(*tensor) for tensor in second]
    graph.inputs, graph.outputs = [x], [graph.node(op, [x, *others], "y", shape, to)]
    return graph


def write_models():
    graph = xor()
    write("xor.tflite", [graph])
    write("xor_signature.tflite", [graph], [("serving_default", {"a": graph.inputs[0]}, {"out": graph.outputs[0]})])
    write("quantized.tflite", [unary("DEQUANTIZE", "i1", scale=(0.5, -3))])
    write("custom.tflite", [unary("Twice")])
    write("relu.tflite", [unary("RELU")])
    every = array.array("i", [-1]).tobytes()
    write("strings.tflite", [unary("RESHAPE", "str", "str", shape=(1,), second=[("shape", [1], "i4", every)])])


def main():
    prefix, delegate = sys.argv[1], os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else ""
    if shutil.which("go") is None:
        print("skipped: there is no Go (Debian: golang-go)")
        return client.SKIPPED
    library = os.path.dirname(client.library(os.path.abspath(prefix)))
    with tempfile.TemporaryDirectory() as folder:
        package = os.path.join(folder, "clients")
        shutil.copytree(os.path.join(HERE, "go"), package)
        os.chdir(package)
        write_models()
        environment = dict(os.environ, GOFLAGS="-mod=mod", GOPROXY="off", GO111MODULE="on", CGO_ENABLED="1", OCLITE_OPENCL=delegate,
                           CGO_CFLAGS=f"-I{os.path.abspath(prefix)}/include", LD_LIBRARY_PATH=library,
                           CGO_LDFLAGS=f"-L{library} -ltensorflowlite_c", GODEBUG="cgocheck=2")
        environment.setdefault("GOCACHE", os.path.join(folder, "cache"))
        return subprocess.run(["go", "test", "-count=1", "-v", "."], env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
