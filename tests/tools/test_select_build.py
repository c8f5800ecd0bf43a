#!/usr/bin/env python3
"""Builds libraries of selected operators into programs, runs these, and prints their sizes.

test_select_build.py OCLITE MODELS CMAKE BUILD SHARED CMAKE_ARGUMENT...
  BUILD    a folder to build in, which is kept: the next time little is to be done
  SHARED   mobilenet_v2 is in SHARED/models; without it, a program for its operators is built and not run on it
"""
import math
import os
import random
import re
import struct
import subprocess
import sys
import unittest

import tool_case
from tool_case import Case, read_npy_bytes, write_npy_bytes

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "selected")
CMAKE = BUILD = SHARED = ARGUMENTS = None
MOBILENETS = ["tf2_mobilenet_v2_1.0_224_ptq.tflite", "mobilenet_v2_1.0_224_quant.tflite"]
# What these two consist of.
MOBILENET_OPS = ["--ops", "ADD:1-2,AVERAGE_POOL_2D:1,CONV_2D:1-3,DEPTHWISE_CONV_2D:1-3,MEAN:2,QUANTIZE:1,RESHAPE:1,SOFTMAX:2",
                 "--types", "INT32,UINT8,INT8"]


def call(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, timeout=600, check=False, **more)


class Selected(Case):
    def build(self, name, selection, *arguments, target="selected"):
        """A program with the operators of some models, or of what else oclite select is told."""
        folder = os.path.join(BUILD, name)
        self.expect(0, "select", *selection, "--out", os.path.join(BUILD, name + "_ops"))
        for command in ([CMAKE, "-S", SOURCE, "-B", folder, "-DCMAKE_BUILD_TYPE=MinSizeRel",
                         f"-DSELECTED={BUILD}/{name}_ops", "-DOCLITE_CPU_PATHS=vec128", "-DOCLITE_ONEDNN=OFF",
                         *ARGUMENTS, *arguments],
                        [CMAKE, "--build", folder, "--parallel", "--target", target]):
            result = call(*command)
            self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        return os.path.join(folder, target)

    def print_size(self, what, program):
        print(f"{what}: {os.path.getsize(program)} bytes; sections of the program: "
              + re.sub(r"\s+", " ", call("size", program).stdout.split("filename")[-1].strip()), flush=True)

    def run_program(self, program, model, data):
        """The bytes of the output, or what it says of an error."""
        with open(self.path("in"), "wb") as file:
            file.write(data)
        result = call(program, model, self.path("in"), self.path("out"))
        self.printed = result.stdout
        if result.returncode != 0:
            return result.stderr
        with open(self.path("out"), "rb") as file:
            return file.read()

    def expect_same_as_tool(self, program, model, *arguments):
        """The same bits as the library with everything computes."""
        data = random.Random(1).randbytes(224 * 224 * 3)
        write_npy_bytes(self.path("in.npy"), (1, 224, 224, 3), data)
        self.expect(0, "run", model, "--in", self.path("in.npy"), "--out", self.path("whole"), *arguments)
        self.assertEqual(self.run_program(program, model, data), read_npy_bytes(self.path("whole/out0.npy")))

    def test_atan(self):
        program = self.build("atan", [self.model], "-DATAN=ON")
        self.print_size("Atan and ADD", program)
        with open(os.path.join(BUILD, "atan/oclite/selected/core/ops.def"), encoding="utf-8") as file:
            kept = re.findall(r"^(?:CUSTOM_)?OP\(.*\)$", file.read(), re.M)
        # With their columns for CPU and OpenCL.
        self.assertEqual([line for line in kept if not line.endswith(" 0, 0)")],
                         ["OP(ADD, Add, 1, 6, 1, 1)", "CUSTOM_OP(Atan, 0, 2)"])
        x = [-8, 0.5, 2, 2.2, 201]
        y = struct.unpack("<5f", self.run_program(program, self.model, struct.pack("<5f", *x)))
        for a, b in zip(x, y, strict=True):
            self.assertAlmostEqual(b, math.atan(a + 1), places=5)
        said = self.run_program(program, os.path.join(tool_case.MODELS, "digits.tflite"), b"")
        self.assertIn("This library was built for selected operators", said)
        self.assertIn("CONV_2D", said)

    def setUp(self):
        super().setUp()
        paths = [os.path.join(SHARED, "models", name) for name in MOBILENETS]
        self.mobilenets = paths if all(map(os.path.exists, paths)) else []

    def skip_without_models(self):
        if not self.mobilenets:
            self.skip(f"built, but there is no mobilenet_v2 in {SHARED}/models to run")

    def skip(self, reason):
        print(f"{self.id()} skipped: {reason}", flush=True)
        self.skipTest(reason)

    def test_mobilenet(self):
        program = self.build("mobilenet", self.mobilenets or MOBILENET_OPS)
        self.print_size("mobilenet_v2, CPU", program)
        self.assertLess(os.path.getsize(program), 220_000)
        for model, said in (("digits_int8.tflite", "This library was built for selected operators"),
                            ("atan.tflite", "ADD: input 0 is FLOAT32; this library was built for selected types")):
            self.assertIn(said, self.run_program(program, os.path.join(tool_case.MODELS, model), b""))
        for model in self.mobilenets:
            self.expect_same_as_tool(program, model, "--cpu", "vec128")
        self.skip_without_models()

    def test_mobilenet_opencl(self):
        program = self.build("mobilenet", self.mobilenets or MOBILENET_OPS, target="selected_opencl")
        self.print_size("mobilenet_v2, CPU and OpenCL", program)
        self.assertLess(os.path.getsize(program), 490_000)
        self.skip_without_models()
        rc, said, _ = tool_case.oclite("info", self.mobilenets[0], "--delegate", "opencl")
        if rc != 0:
            self.skip("built, but there is no OpenCL device to run it on")
        taken = int(re.search(r"(\d+) of \d+ nodes run on the delegate", said)[1])
        self.assertGreater(taken, 0)
        self.expect_same_as_tool(program, self.mobilenets[0], "--cpu", "vec128", "--delegate", "opencl")
        self.assertIn(f"{taken} nodes on ", self.printed)

    def test_cxx(self):
        program = self.build("mobilenet", self.mobilenets or MOBILENET_OPS, target="selected_cc")
        for model in self.mobilenets:
            result = call(program, model)
            self.assertEqual(result.returncode, 0, result.stderr)
        self.skip_without_models()


def main():
    global CMAKE, BUILD, SHARED, ARGUMENTS
    if len(sys.argv) < 6:
        sys.exit(__doc__)
    CMAKE, BUILD, SHARED = sys.argv[3], *map(os.path.abspath, sys.argv[4:6])
    ARGUMENTS = sys.argv[6:]
    del sys.argv[3:]
    os.makedirs(BUILD, exist_ok=True)
    tool_case.main(__doc__)


if __name__ == "__main__":
    main()
