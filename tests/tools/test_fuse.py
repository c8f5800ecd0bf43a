#!/usr/bin/env python3
"""Tests of oclite fuse, and of --operators: models that stay the same, models that are fused, and what they compute.

test_fuse.py OCLITE MODELS   In the environment, what is missing skips its tests:
  OCLITE_SHARED        the folder with models/
  OCLITE_FUZZ_REPLAY   the program that asks the official verifier (tests/fuzz)
  OCLITE_ATAN_OFFSET   the library of examples/fused_atan, OCLITE_FUSED_ATAN its program
Needs nothing but Python's own library.
"""
import glob
import json
import os
import re
import subprocess
import unittest

import tool_case
from tool_case import oclite, read_npy

HERE = os.path.dirname(os.path.abspath(__file__))
DECLARATION = os.path.join(HERE, "../../examples/fused_atan/atan_offset.cl")
X = [-8, 0.5, 2, 2.2, 201]


def read(path):
    with open(path, "rb") as source:
        return source.read()


class Fuse(tool_case.Case):
    def setUp(self):
        super().setUp()
        self.fused = self.path("fused.tflite")
        self.digits = os.path.join(tool_case.MODELS, "digits.tflite")

    def need(self, name):
        if not os.path.exists(os.environ.get(name, "")):
            self.skipTest(f"{name} is not set")
        return os.environ[name]

    def fuse(self, status, model, *arguments):
        return self.expect(status, "fuse", model, "--name", "Fused", "--out", self.fused, *arguments)

    def refuse(self, status, said, model, *arguments):
        self.assertIn(said, self.fuse(status, model, *arguments))
        self.assertFalse(os.path.exists(self.fused))

    def nodes(self, model=None):
        """The operators of the main graph, which are told also when nobody has them."""
        rc, out, err = oclite("info", model or self.fused)
        if rc:
            self.assertIn("Encountered unresolved custom op", err)
        return re.findall(r"(?m)^  #\d+ (\S+) v", out)

    def models(self, folder):
        return sorted(glob.glob(os.path.join(folder, "*.tflite")))

    def check_unchanged(self, models):
        for model in models:
            self.assertIn("nothing matched", self.fuse(0, model, "--ops", "ADD,NoSuchOperator"))
            self.assertEqual(read(self.fused), read(model), model)

    def fuse_atan(self):
        self.expect(0, "fuse", self.model, "--outputs", "Identity", "--ops", "ADD,Atan", "--name", "AtanOffset",
                    "--out", self.fused)

    def run_model(self, model, *arguments):
        self.expect(0, "run", model, "--in", self.input([5], X), "--out", self.out, *arguments)
        return read_npy(os.path.join(self.out, "out0.npy"))[1]


class Unchanged(Fuse):
    def test_own_models(self):
        self.check_unchanged(self.models(tool_case.MODELS))

    def test_shared_models(self):
        models = self.models(os.path.join(self.need("OCLITE_SHARED"), "models"))
        if not models:
            self.skipTest("no shared models")
        self.check_unchanged(models)

    def test_it_says_what_is_in_the_way(self):
        said = self.fuse(0, self.model, "--ops", "ADD,Atan")
        self.assertIn("#0 ADD and #1 Atan are none because tensor 2 is needed elsewhere, too\nnothing matched", said)
        self.assertNotIn("needed", self.fuse(0, self.digits, "--ops", "CONV_2D,SOFTMAX"))

    def test_a_model_may_be_its_own_result(self):
        with open(self.fused, "wb") as out:
            out.write(read(self.digits))
        self.expect(0, "fuse", self.fused, "--ops", "RESHAPE,FULLY_CONNECTED", "--name", "Head", "--out", self.fused)
        self.assertEqual(self.nodes()[-2:], ["Head", "SOFTMAX"])


class Fused(Fuse):
    def test_chains(self):
        out = self.fuse(0, self.digits, "--ops", "CONV_2D,MAX_POOL_2D")
        self.assertIn("#0 CONV_2D, #1 MAX_POOL_2D -> Fused\n1 in the place of 2 nodes", out)
        self.assertEqual(self.nodes(), ["Fused", "DEPTHWISE_CONV_2D", "CONV_2D", "RESHAPE", "FULLY_CONNECTED", "SOFTMAX"])

    def test_all_or_the_first(self):
        self.fuse(0, self.digits, "--ops", "CONV_2D")
        self.assertEqual(self.nodes().count("Fused"), 2)
        self.fuse(0, self.digits, "--ops", "CONV_2D", "--first")
        self.assertEqual(self.nodes()[0], "Fused")
        self.assertEqual(self.nodes().count("Fused"), 1)

    def test_between_tensors(self):
        self.fuse(0, self.digits, "--from", "serving_default_keras_tensor_7:0", "--to", "StatefulPartitionedCall_1:0")
        self.assertEqual(self.nodes(), ["Fused"])
        self.fuse(0, self.digits, "--from", "10", "--to", "12,14")
        self.assertEqual(self.nodes(), ["CONV_2D", "Fused", "FULLY_CONNECTED", "SOFTMAX"])

    def test_options(self):
        with open(self.path("options.json"), "w", encoding="utf-8") as out:
            json.dump({"limit": 1.5, "pads": [1, 2], "mode": "fast", "flags": {"on": True, "off": None}}, out)
        self.fuse(0, self.model, "--from", "x", "--to", "Identity", "--options", self.path("options.json"), "--version", "3")
        self.assertEqual([b"limit\0" in read(self.fused), b"fast\0" in read(self.fused)], [True, True])
        self.fuse(0, self.model, "--from", "x", "--to", "Identity", "--options", '{"axis": 7}')
        self.assertIn(b"axis\0", read(self.fused))
        with open(self.path("raw.bin"), "wb") as out:
            out.write(b"any bytes")
        self.fuse(0, self.model, "--from", "x", "--to", "Identity", "--options", self.path("raw.bin"))
        self.assertIn(b"any bytes", read(self.fused))

    def test_the_official_verifier_accepts(self):
        replay = self.need("OCLITE_FUZZ_REPLAY")
        patterns = ["CONV_2D,MAX_POOL_2D", "CONV_2D,DEPTHWISE_CONV_2D", "DEPTHWISE_CONV_2D,CONV_2D", "ADD,Atan",
                    "FULLY_CONNECTED,SOFTMAX", "CONV_2D", "RESHAPE,SOFTMAX", "MUL,ADD"]
        models = self.models(tool_case.MODELS) + self.models(os.path.join(os.environ.get("OCLITE_SHARED", ""), "models"))
        made = []
        for model in models:
            for pattern in patterns:
                out = self.path(f"{len(made)}.tflite")
                said = self.expect(0, "fuse", model, "--ops", pattern, "--name", "Fused", "--out", out, "--options", '{"a": 1}')
                if "nothing matched" in said:
                    os.remove(out)
                else:
                    made.append(out)
        self.assertGreaterEqual(len(made), 5)
        result = subprocess.run([replay, "verify", "accept", self.folder], capture_output=True, text=True, timeout=60)
        if result.returncode == 2:
            self.skipTest("the official library is not there")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn(f"{len(made)} of {len(made)} files accepted", result.stdout)


class Refused(Fuse):
    def test_wrong_usage(self):
        self.refuse(2, "either --ops", self.model)
        self.refuse(2, "either --ops", self.model, "--from", "x")
        self.refuse(2, "either --ops", self.model, "--ops", "ADD", "--to", "Identity")
        self.assertIn("--name is missing", self.expect(2, "fuse", self.model, "--ops", "ADD", "--out", self.fused))
        self.assertIn("--out is missing", self.expect(2, "fuse", self.model, "--ops", "ADD", "--name", "F"))
        self.refuse(2, "--version", self.model, "--ops", "ADD", "--version", "0")

    def test_what_is_not_there(self):
        self.refuse(1, 'no tensor of subgraph 0 is called "nobody"', self.model, "--from", "nobody", "--to", "Identity")
        self.refuse(1, "there is no tensor 99", self.model, "--from", "99", "--to", "Identity")
        self.refuse(1, "there is no subgraph 3: the model has 1", self.model, "--ops", "ADD", "--subgraph", "3")
        self.refuse(1, "is needed too", self.digits, "--from", "11", "--to", "10")
        self.refuse(1, "No such file", self.path("nothing.tflite"), "--ops", "ADD")

    def test_a_value_that_comes_back(self):
        self.refuse(1, "depends on them by way of other nodes", self.digits, "--from", "0", "--from", "11", "--to", "10,12")

    def test_options_that_are_none(self):
        self.refuse(1, "--options: no JSON object", self.model, "--from", "x", "--to", "Identity", "--options", "{1}")
        self.refuse(1, "--options: no JSON object", self.model, "--from", "x", "--to", "Identity", "--options", '{"a": 1} 2')
        self.refuse(1, "No such file", self.model, "--from", "x", "--to", "Identity", "--options", self.path("no.json"))

    def test_no_model(self):
        broken = self.path("broken")
        with open(broken, "wb") as out:
            out.write(read(self.model)[:300])
        self.refuse(1, "broken: The model is not", broken, "--ops", "ADD")


class Atan(Fuse):
    """examples/fused_atan: one operator in the place of two."""

    def test_one_node_computes_the_same(self):
        library = self.need("OCLITE_ATAN_OFFSET")
        expected = self.run_model(self.model)
        self.fuse_atan()
        self.assertEqual(self.nodes(self.model), ["ADD", "Atan"])
        out = self.expect(0, "info", self.fused, "--operators", library)
        self.assertIn("#0 AtanOffset v1 [CPU]", out)
        self.assertNotIn("#1", out)
        self.assertEqual(self.run_model(self.fused, "--operators", library), expected)

    def test_on_opencl_it_is_one_launch(self):
        program = self.need("OCLITE_FUSED_ATAN")
        expected = self.run_model(self.model)
        self.fuse_atan()
        result = subprocess.run([program, self.fused, DECLARATION], capture_output=True, text=True, timeout=60)
        self.assertIn("CPU\n  node: AtanOffset\n  atan", result.stdout, result.stderr)
        if result.returncode == 77:
            self.skipTest(result.stdout.splitlines()[-1])
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("  node: OpenCL\n  launch: AtanOffset\n  1 launch(es)\n", result.stdout)
        found = [float(y) for y in re.findall(r"= (\S+)", result.stdout)]
        self.assertEqual(len(found), 10)
        for y, right in zip(found, expected * 2):
            self.assertAlmostEqual(y, right, delta=1e-6)

    def test_oclite_runs_it_on_opencl(self):
        library = self.need("OCLITE_ATAN_OFFSET")
        rc, out, err = oclite("info", self.model, "--delegate", "opencl")
        if rc:
            self.skipTest(err.strip())
        expected = self.run_model(self.model)
        self.fuse_atan()
        delegate = ("--operators", library, "--delegate", "opencl:custom_ops=" + DECLARATION)
        self.assertIn("1 of 1 nodes run on the delegate", self.expect(0, "info", self.fused, *delegate))
        for y, right in zip(self.run_model(self.fused, *delegate), expected):
            self.assertAlmostEqual(y, right, delta=1e-6)

    def test_libraries_that_are_none(self):
        for library, said in ((self.path("no.so"), "no.so: cannot open"), (self.model, "--operators: "),
                              (self.need("OCLITE_OTHER_LIBRARY"), "has no function oclite_add_operators")):
            rc, _, err = oclite("run", self.model, "--in", self.input([5], X), "--out", self.out, "--operators", library)
            self.assertEqual(rc, 10)
            self.assertIn(said, err)
            self.assertEqual(err.count("\n"), 1)


if __name__ == "__main__":
    tool_case.main(__doc__)
