#!/usr/bin/env python3
"""Tests of the command line tool: usage, exit statuses, files, batch.

test_oclite.py OCLITE MODELS   (MODELS holds atan.tflite: ADD, then the custom operator Atan: atan(x + 1))
Needs nothing but Python's own library.
"""
import json
import math
import os
import struct
import unittest

import tool_case
from tflite_writer import Graph, write
from tool_case import oclite, read_npy

X = [-8, 0.5, 2, 2.2, 201]


def write_sum(path):
    """Writes a model of x + c, with (7, 8) in c, which is an input too."""
    graph = Graph()
    x, c = graph.tensor("x", [2]), graph.tensor("c", [2], data=struct.pack("<2f", 7, 8))
    graph.inputs = [x, c]
    graph.outputs = [graph.node("ADD", [x, c], "y", [2])]
    write(path, [graph])
    return path


class Case(tool_case.Case):
    def expect_atan(self, name, shape, xs):
        got_shape, got = read_npy(os.path.join(self.out, name))
        self.assertEqual(got_shape, tuple(shape))
        for x, y in zip(xs, got, strict=True):
            self.assertAlmostEqual(y, math.atan(x + 1), places=5)


class Usage(Case):
    def test_help_and_version(self):
        for arguments in (["--help"], ["-h"], ["help"]):
            self.assertIn("  run         runs a model", self.expect(0, *arguments))
        for arguments in (["run", "--help"], ["run", "x", "-h"], ["help", "run"]):
            self.assertIn("oclite run [OPTION]... MODEL\n", self.expect(0, *arguments))
        self.assertRegex(self.expect(0, "--version"), r"^oclite \d+\.\d+\.\d+ ")

    def test_wrong_usage(self):
        model, out = self.model, ["--out", self.out]
        for arguments in (
                [], ["fly"], ["help", "fly"], ["run"], ["run", model], ["run", *out], ["run", model, model, *out],
                ["run", model, "--out"], ["run", model, *out, "--wings"], ["run", model, *out, "--in"],
                ["run", model, *out, "--resize"], ["run", model, *out, "--threads", "0"],
                ["run", model, *out, "--threads", "2x"], ["run", model, *out, "--threads", "99999999999"],
                ["run", model, *out, "--memory-limit"], ["run", model, *out, "--memory-limit", "0"],
                ["run", model, *out, "--memory-limit", "-1"], ["run", model, *out, "--memory-limit", "1T"],
                ["run", model, *out, "--memory-limit", "1KB"], ["run", model, *out, "--memory-limit", "99999999999G"],
                ["run", model, *out, "--delegate", "abacus"], ["run", model, *out, "--delegate"],
                ["run", model, *out, "--cpu"], ["run", model, *out, "--cpu", "abacus"], ["cpu", "avx2"],
                ["run", "--batch"], ["run", "--batch", "l.json", model], ["run", "--batch", "l.json", "--run"],
                ["info"], ["info", model, "--out", "x"], ["bench"], ["bench", model, "--runs", "0"],
                ["bench", model, "--resize", "0"]):
            with self.subTest(arguments=arguments):
                self.expect(2, *arguments)

    def test_malformed_resize(self):
        for resize in ("", "=", "0", "x=1", "0=x", "0=1x", "0=1xx2", "0=1,2", "0=99999999999", "0= 1 ", "0=1x2y",
                       "0=" + "x".join(["1"] * 33)):
            with self.subTest(resize=resize):
                self.expect(2, "run", self.model, "--out", self.out, "--resize", resize)


class Run(Case):
    def run_model(self, *arguments, status=0):
        return self.expect(status, "run", self.model, "--out", self.out, *arguments)

    def test_values(self):
        self.run_model("--in", self.input([5], X))
        self.expect_atan("out0.npy", [5], X)

    def test_inputs_without_file_are_zero(self):
        self.run_model()
        self.expect_atan("out0.npy", [5], [0] * 5)

    def test_threads(self):
        self.run_model("--in", self.input([5], X), "--threads", "2", "--delegate", "none")
        self.expect_atan("out0.npy", [5], X)

    def test_cpu_paths(self):
        paths = self.expect(0, "cpu").split()
        self.assertEqual(paths[:3], ["auto", "reference", "vec128"])
        for path in paths:
            self.run_model("--in", self.input([5], X), "--cpu", path)
            self.expect_atan("out0.npy", [5], X)
            self.expect(0, "bench", self.model, "--runs", "1", "--cpu", path)
        message = self.run_model("--cpu", "abacus", status=2)
        self.assertIn(f"--cpu: 'abacus' is none of those here: {', '.join(paths)}", message)

    def test_memory_limit(self):
        self.run_model("--in", self.input([5], X), "--memory-limit", "1K")
        self.expect_atan("out0.npy", [5], X)
        message = self.run_model("--resize", "0=1000", "--memory-limit", "1K", status=11)
        self.assertIn("needs 4000 bytes: more than the 1024 that are left of the limit of 1024", message)

    def test_resize(self):
        self.run_model("--resize", "0=2x3", "--in", self.input([2, 3], [1, 2, 3, 4, 5, 6]))
        self.expect_atan("out0.npy", [2, 3], [1, 2, 3, 4, 5, 6])
        self.run_model("--resize", "0=2x3", "--in", self.input([6], [1, 2, 3, 4, 5, 6]))
        self.expect_atan("out0.npy", [2, 3], [1, 2, 3, 4, 5, 6])
        self.run_model("--resize", "0=", "--in", self.input([], [7]))
        self.expect_atan("out0.npy", [], [7])
        self.run_model("--resize", "0=0x3", "--in", self.input([0, 3], []))
        self.expect_atan("out0.npy", [0, 3], [])

    def test_file_gives_shape(self):
        self.run_model("--in", self.input([3, 1], [1, 2, 3]))
        self.expect_atan("out0.npy", [3, 1], [1, 2, 3])

    def test_resize_fails(self):
        err = self.run_model("--resize", "0=2x3", "--in", self.input([5], X), status=11)
        self.assertIn("(5)", err)
        self.assertIn("(2x3)", err)
        self.run_model("--resize", "1=5", status=11)
        self.run_model("--resize", "-1=5", status=11)
        self.run_model("--resize", "0=-5", status=11)
        self.run_model("--resize", "0=2147483647x2147483647x2147483647", status=11)

    def test_further_runs(self):
        self.run_model("--in", self.input([5], X, "a.npy"), "--run", "--resize", "0=2", "--in",
                       self.input([2], [3, 4], "b.npy"), "--run", "--in", self.input([2], [5, 6], "c.npy"))
        self.expect_atan("out0.npy", [5], X)
        self.expect_atan("run1_out0.npy", [2], [3, 4])
        self.expect_atan("run2_out0.npy", [2], [5, 6])

    def test_bad_model(self):
        self.assertIn("absent.tflite", self.expect(10, "run", self.path("absent.tflite"), "--out", self.out))
        for content in (b"", b"TFL3", b"\0" * 64, os.urandom(1000)):
            with open(self.path("bad.tflite"), "wb") as bad:
                bad.write(content)
            self.expect(10, "run", self.path("bad.tflite"), "--out", self.out)

    def test_bad_input_files(self):
        good = self.input([5], X)
        self.run_model("--in", self.path("absent.npy"), status=1)
        self.run_model("--in", self.folder, status=1)
        self.assertIn("INT32", self.run_model("--in", self.input([5], [1] * 5, "i.npy", "<i4"), status=2))
        self.run_model("--in", good, "--in", good, status=2)
        with open(good, "rb") as source:
            data = source.read()
        for name, content in (("short.npy", data[:-1]), ("long.npy", data + b"0"), ("none.npy", b"hello"),
                              ("none.json", b"[1]")):
            with open(self.path(name), "wb") as bad:
                bad.write(content)
            self.run_model("--in", self.path(name), status=1)
        with open(self.path("s.json"), "w", encoding="ascii") as strings:
            json.dump(["Zg=="] * 5, strings)
        self.assertIn("STRING", self.run_model("--in", self.path("s.json"), status=2))

    def test_constants_among_the_inputs(self):
        self.model = write_sum(self.path("sum.tflite"))
        self.run_model("--in", self.input([2], [1, 2]))
        self.assertEqual(read_npy(os.path.join(self.out, "out0.npy")), ((2,), [8, 10]))
        self.run_model("--in", self.input([2], [1, 2]), "--in", self.input([2], [7, 8], "same.npy"))
        other = self.run_model("--in", self.input([2], [1, 2]), "--in", self.input([2], [7, 9], "other.npy"), status=12)
        self.assertIn("other.npy: the input c is a constant of the model, with other contents", other)
        self.assertIn("'c' is a constant of the model", self.run_model("--resize", "1=3", status=11))
        for command in (["bench", "--runs", "1"], ["diff"], ["info"], ["view", "--runs", "1", "--out", self.path("view.html")]):
            self.expect(0, command[0], self.model, *command[1:])

    def test_out_cannot_be_made(self):
        self.expect(1, "run", self.model, "--out", "/dev/null")
        self.expect(1, "run", self.model, "--out", self.path("no/such"))


class Batch(Case):
    def batch(self, status, content):
        with open(self.path("list.json"), "w", encoding="utf-8") as out:
            out.write(content if isinstance(content, str) else json.dumps(content))
        rc, _, err = oclite("run", "--batch", self.path("list.json"))
        self.assertEqual(rc, status, err)
        return err

    def case(self, name, model, *runs):
        return {"name": name, "model": model, "out": self.path(name), "runs": list(runs)}

    def status(self, name):
        with open(os.path.join(self.path(name), "status.json"), encoding="ascii") as source:
            return json.load(source)["rc"]

    def test_failing_cases_do_not_stop_the_others(self):
        x = self.input([5], X)
        err = self.batch(0, {"cases": [
            self.case("bad_model", self.path("absent"), {"resize": {}, "in": [x]}),
            self.case("bad_file", self.model, {"in": [self.path("absent")]}),
            self.case("bad_resize", self.model, {"resize": {"3": [1]}, "in": [x]}),
            self.case("bad_runs", self.model, {"resize": []}),
            self.case("out", self.model, {"resize": {}, "in": [x]}, {"resize": {"0": [2, 1]}, "in": []}),
        ]})
        self.assertEqual([self.status(n) for n in ("bad_model", "bad_file", "bad_resize", "bad_runs", "out")],
                         [10, 1, 11, 2, 0])
        self.assertEqual(err.count("\n"), 4)
        self.expect_atan("out0.npy", [5], X)
        self.expect_atan("run1_out0.npy", [2, 1], [0, 0])

    def test_null_leaves_an_input(self):
        model, x = write_sum(self.path("sum.tflite")), self.input([2], [1, 2])
        self.batch(0, {"cases": [self.case("given", model, {"in": [x, None]}), self.case("zero", model, {"in": [None, None]})]})
        for name, values in (("given", [8, 10]), ("zero", [7, 8])):
            self.assertEqual(read_npy(os.path.join(self.path(name), "out0.npy"))[1], values)

    def test_malformed_lists(self):
        for content in ("", "[", "[]", "{}", {"cases": 1}, {"cases": [1]}, {"cases": [{"name": "a"}]}):
            with self.subTest(content=content):
                self.batch(2, content)
        self.batch(0, {"cases": []})
        self.assertEqual(oclite("run", "--batch", self.path("absent.json"))[0], 1)

    def test_malformed_runs(self):
        for run in (1, {"in": [1]}, {"in": {}}, {"resize": {"x": [1]}}, {"resize": {"0": 1}}, {"resize": {"0": ["a"]}},
                    {"resize": {"0": [1.5]}}, {"resize": {"0": [1] * 40}}, {"resize": {"": []}}):
            with self.subTest(run=run):
                self.batch(0, {"cases": [self.case("out", self.model, run)]})
                self.assertEqual(self.status("out"), 2)


class Info(Case):
    def test_info(self):
        out = self.expect(0, "info", self.model)
        self.assertIn("input 0: FLOAT32 (5)", out)
        self.assertRegex(out, r"#0 ADD v1 \[CPU\]")
        self.assertRegex(out, r"#1 Atan .*\[CPU\]")
        self.expect(1, "info", self.path("absent"))


class OpenCl(Case):
    def test_same_values(self):
        rc, _, err = oclite("run", self.model, "--out", self.out, "--in", self.input([5], X), "--delegate", "opencl")
        if rc == 1 and "no OpenCL delegate" in err:
            self.skipTest(err.strip())
        self.assertEqual(rc, 0, err)
        self.expect_atan("out0.npy", [5], X)
        self.assertIn("delegate: ", self.expect(0, "info", self.model, "--delegate", "opencl"))

    def test_bad_options(self):
        for option, says in (("wings=2", "there is none of that name"), ("denny=ADD", "did you mean deny?"),
                             ("device=abacus", "none of the"), ("deny=SOFTMAXX", "did you mean SOFTMAX?"),
                             ("deny=999", "there is no node 999"), ("report=" + self.path("absent/file"), "cannot be written")):
            with self.subTest(option=option):
                rc, _, err = oclite("run", self.model, "--out", self.out, "--delegate", "opencl:" + option)
                if rc == 1 and "no OpenCL delegate" in err:
                    self.skipTest(err.strip())
                self.assertEqual(rc, 2, err)
                self.assertIn(says, err)
        absent = self.path("absent.cl")
        self.assertIn(absent, self.expect(1, "run", self.model, "--out", self.out, "--delegate", "opencl:custom_ops=" + absent))


if __name__ == "__main__":
    tool_case.main(__doc__)
