#!/usr/bin/env python3
"""Files that the tools cannot take: short, of another type or shape, missing, no files; none of them ends silently.

test_inputs.py OCLITE MODELS [NAME...]
"""
import os

import tool_case
from tflite_writer import Graph, write

NAME = "serving_default_keras_tensor_7:0"
INPUTS = f'the model\'s inputs are 0 "{NAME}" FLOAT32 (1x8x8x1)\n'


class Inputs(tool_case.Case):
    def setUp(self):
        super().setUp()
        self.digits = os.path.join(tool_case.MODELS, "digits.tflite")

    def bytes_of(self, name, content):
        with open(self.path(name), "wb") as out:
            out.write(content)
        return self.path(name)

    def short(self):
        whole = self.input([1, 8, 8, 1], [0] * 64, "whole.npy")
        with open(whole, "rb") as source:
            return self.bytes_of("short.npy", source.read()[:-10])

    def commands(self, path):
        """The commands that take files of inputs, each with this one."""
        layer = NAME.replace(":", "::")
        yield "run", self.digits, "--in", path, "--out", self.out
        yield "diff", self.digits, "--in", path
        yield "bench", self.digits, f"--input_layer_value_files={layer}:{path}", "--num_runs=1", "--min_secs=0"

    def refused(self, path, *says):
        """Every command ends with a status, and one line that says why; the outputs are not there."""
        for command in self.commands(path):
            with self.subTest(command=command[0], path=path):
                rc, _, err = tool_case.oclite(*command)
                self.assertIn(rc, (1, 2, 11), err)
                self.assertEqual(err.count("\n"), 1, err)
                for word in says:
                    self.assertIn(word, err)
                self.assertFalse(os.path.exists(os.path.join(self.out, "out0.npy")))

    def test_files_that_are_none(self):
        self.refused(self.short(), "short.npy: 246 bytes of data do not make an array of shape (1x8x8x1)")
        self.refused(self.path("absent.npy"), "absent.npy: No such file or directory")
        self.refused(self.bytes_of("empty.npy", b""), "empty.npy: not a .npy file")
        self.refused(self.bytes_of("text.npy", b"hello, world"), "text.npy: not a .npy file")
        self.refused(self.folder, "Is a directory")

    def test_raw_bytes(self):
        """Which bench alone takes."""
        for size in (0, 3, 255, 257):
            command = list(self.commands(self.bytes_of("raw.bin", bytes(size))))[-1]
            self.assertIn(f"raw.bin: {size} bytes, the input {NAME} takes 256", self.expect(1, *command))

    def test_another_type(self):
        self.refused(self.input([1, 8, 8, 1], [0] * 64, descr="<i4"), f'in.npy: holds elements of type INT32, the input "{NAME}" is FLOAT32')

    def test_all_inputs_are_told(self):
        """By run and diff, with what the files hold."""
        for path, held in ((self.input([1, 8, 8, 1], [0] * 64, "int.npy", "<i4"), "INT32 (1x8x8x1)"),
                           (self.input([1, 4, 4, 1], [0] * 16, "small.npy"), "FLOAT32 (1x4x4x1)")):
            for command in list(self.commands(path))[:2]:
                _, _, err = tool_case.oclite(*command)
                self.assertIn(f"the files are 0 {path[:60]} {held}; {INPUTS}", err)
        ok = self.input([1, 8, 8, 1], [0] * 64)
        for command in ("run", "diff"):
            more = ["--out", self.out] if command == "run" else []
            self.assertIn(f"2 input files, but the model has 1 inputs; {INPUTS}", self.expect(2, command, self.digits, "--in", ok, "--in", ok, *more))

    def test_several_inputs(self):
        graph, model = Graph(), self.path("sum.tflite")
        first, second = graph.tensor("first", [4]), graph.tensor("second", [4])
        graph.inputs, graph.outputs = [first, -1, second], [graph.node("ADD", [first, second], "y", [4])]
        write(model, [graph])
        ok, other = self.input([4], [1, 2, 3, 4], "ok.npy"), self.input([3], [1, 2, 3], "other.npy")
        told = 'the model\'s inputs are 0 "first" FLOAT32 (4), 1 absent, 2 "second" FLOAT32 (4)\n'
        err = self.expect(11, "run", model, "--in", other, "--out", self.out)
        self.assertIn(f"the files are 0 {other[:60]} FLOAT32 (3); {told}", err)
        self.assertIn(told, self.expect(2, "run", model, *["--in", ok] * 4, "--out", self.out))

    def test_many_inputs(self):
        """Not all of them fit into the line."""
        graph, model = Graph(), self.path("many.tflite")
        graph.inputs = [graph.tensor(f"input_{i}_with_a_rather_long_name", [1, 2, 3, 4]) for i in range(100)]
        graph.outputs = [graph.node("ADD", graph.inputs[:2], "y", [1, 2, 3, 4])]
        write(model, [graph])
        wrong = self.input([4], [1, 2, 3, 4], descr="<i4")
        self.assertRegex(self.expect(2, "run", model, *["--in", wrong] * 100, "--out", self.out), r"\(1x2x3x4\), \.\.\.\n$")

    def test_models_that_do_not_load(self):
        with open(self.digits, "rb") as source:
            content = source.read()
        for size in (0, 4, 100, 5000, len(content) // 2):
            model = self.bytes_of("cut.tflite", content[:size])
            for command in (("run", model, "--out", self.out), ("diff", model), ("bench", model), ("info", model), ("view", model, "--out", self.path("a.html")),
                            ("warm", model), ("fuse", model, "--ops", "ADD", "--name", "X", "--out", self.path("b")), ("select", model, "--out", self.path("s"))):
                with self.subTest(command=command[0], size=size):
                    rc, _, err = tool_case.oclite(*command)
                    self.assertNotEqual(rc, 0)
                    self.assertIn("cut.tflite", err)
        self.assertEqual(os.listdir(self.folder), ["cut.tflite"])


if __name__ == "__main__":
    tool_case.main(__doc__)
