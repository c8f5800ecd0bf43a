#!/usr/bin/env python3
"""Runs a model of Roll with the tool, which knows the operators of custom_ops: custom_ops_tool.py OCLITE LIBRARY KERNELS

On the CPU, with LIBRARY by --operators, and on OpenCL with the kernel in the folder KERNELS, where there is a device.
"""
import os
import struct
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tools"))
from tflite_writer import Graph, write  # noqa: E402
from tool_case import read_npy, write_npy  # noqa: E402


def main():
    tool, library, kernels = sys.argv[1:]
    graph = Graph()
    x = graph.tensor("x", [2, 3])
    shift, axis = (graph.tensor(name, [2], "i4", struct.pack("<2i", *data)) for name, data in (("shift", (1, -1)), ("axis", (0, -1))))
    graph.inputs = [x]
    graph.outputs = [graph.node("Roll", [x, shift, axis], "y", [2, 3])]
    with tempfile.TemporaryDirectory() as folder:
        model, data = os.path.join(folder, "roll.tflite"), os.path.join(folder, "x.npy")
        write(model, [graph])
        write_npy(data, [2, 3], [0, 1, 2, 3, 4, 5])
        kernel = "opencl:custom_ops=" + os.path.join(kernels, "Roll.cl")
        for options in ([], ["--operators", library], ["--delegate", kernel]):
            result = subprocess.run([tool, "run", model, "--in", data, "--out", folder, *options], capture_output=True, text=True)
            if options[:1] == ["--delegate"]:
                info = subprocess.run([tool, "info", model, *options], capture_output=True, text=True)
                if "no OpenCL delegate" in info.stderr:
                    print("skipped on OpenCL:", info.stderr.strip())
                    continue
                if "1 of 1 nodes run on the delegate" not in info.stdout:
                    sys.exit(f"not on the delegate: {info.stdout}{info.stderr}")
            if result.returncode:
                sys.exit(f"{options}: {result.stderr}")
            got = read_npy(os.path.join(folder, "out0.npy"))
            print(options, got)
            if got != ((2, 3), [4, 5, 3, 1, 2, 0]):
                sys.exit("expected 4 5 3 1 2 0")
            os.remove(os.path.join(folder, "out0.npy"))


if __name__ == "__main__":
    main()
