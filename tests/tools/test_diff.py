#!/usr/bin/env python3
"""Tests of `oclite diff`: models that agree, divergences that were planted, bad input.

test_diff.py OCLITE MODELS [NAME...]   ($OCLITE_PYTHON: a Python with LiteRT, $OCLITE_SHARED_DIR: with models/)
Without PoCL, LiteRT or that folder tests are skipped.
"""
import json
import os
import re
import shlex
import signal
import struct
import subprocess
import sys
import time

import tool_case
from tool_case import oclite

# Something else than the CPU's Atan, by up to 0.15.
WRONG_ATAN = """/* oclite
   operator:    Atan
   input:       x float32
   output:      y like x
   elementwise: y = x / (1 + 0.28 * x * x)
*/
"""
# Two signatures: tanh(x), and with a graph of its own t = tanh(b), d = (a - t)^2.
TWO_SIGNATURES = """
import sys
import flatbuffers
from ai_edge_litert import schema_py_generated as schema

def table(kind, **fields):
    result = kind()
    for name, value in fields.items():
        setattr(result, name, value)
    return result

def tensors(names):
    return [table(schema.TensorT, name=n, shape=[4], type=schema.TensorType.FLOAT32, buffer=0) for n in names]

def node(code, inputs, outputs):
    return table(schema.OperatorT, opcodeIndex=code, inputs=inputs, outputs=outputs)

def ends(**numbers):
    return [table(schema.TensorMapT, name=n, tensorIndex=i) for n, i in numbers.items()]

codes = [table(schema.OperatorCodeT, builtinCode=c, deprecatedBuiltinCode=c, version=1)
         for c in (schema.BuiltinOperator.TANH, schema.BuiltinOperator.SQUARED_DIFFERENCE)]
graphs = [table(schema.SubGraphT, tensors=tensors("xy"), operators=[node(0, [0], [1])], inputs=[0], outputs=[1]),
          table(schema.SubGraphT, tensors=tensors("abtd"), operators=[node(0, [1], [2]), node(1, [0, 2], [3])], inputs=[0, 1],
                outputs=[3, 2])]
signatures = [table(schema.SignatureDefT, signatureKey="one", subgraphIndex=0, inputs=ends(x=0), outputs=ends(y=1)),
              table(schema.SignatureDefT, signatureKey="two", subgraphIndex=1, inputs=ends(a=0, b=1), outputs=ends(d=3, t=2))]
model = table(schema.ModelT, version=3, operatorCodes=codes, buffers=[schema.BufferT()], subgraphs=graphs, signatureDefs=signatures)
builder = flatbuffers.Builder(1024)
builder.Finish(model.Pack(builder), b"TFL3")
with open(sys.argv[1], "wb") as out:
    out.write(builder.Output())
"""
SHARED = ["mobilenet_v1_0.25_224", "keyword_scrambled", "tf2_mobilenet_v2_1.0_224_ptq", "movie_review",
          "sample_4x4x4x4x4_two_input_one_output", "whitespace_tokenizer_to_ragged_1d_input"]


def shared_model(name):
    path = os.path.join(os.environ.get("OCLITE_SHARED_DIR", ""), "models", name + ".tflite")
    return path if os.path.exists(path) else None


class Case(tool_case.Case):
    def setUp(self):
        super().setUp()
        self.digits = os.path.join(tool_case.MODELS, "digits.tflite")
        self.digits_int8 = os.path.join(tool_case.MODELS, "digits_int8.tflite")
        self.found = self.path("found")
        # Nothing of its own may stay behind.
        self.temporary = self.path("tmp")
        os.mkdir(self.temporary)
        os.environ["TMPDIR"] = self.temporary
        self.addCleanup(os.environ.pop, "TMPDIR")

    def diff(self, status, model, *arguments):
        """The comparison as JSON; None after wrong usage."""
        report = self.path("report.json")
        rc, _, err = oclite("diff", model, "--json", report, *arguments)
        self.skip_without_opencl(err)
        if "choose a Python" in err:
            self.skipTest(err.strip())
        self.assertEqual(rc, status, err)
        self.assertEqual(err.count("\n"), 0 if status == 0 else 1, err)
        self.assertEqual(os.listdir(self.temporary), [])
        if not os.path.exists(report):
            return None
        with open(report, encoding="utf-8") as source:
            return json.load(source)

    def skip_without_opencl(self, err):
        if re.search("no OpenCL delegate: OpenCL: (no platform|libOpenCL)", err):
            self.skipTest(err.strip())

    def write(self, name, text):
        with open(self.path(name), "w", encoding="ascii") as out:
            out.write(text)
        return self.path(name)

    def expect_found(self, report, node, op):
        finding = report["finding"]
        self.assertEqual([(n["node"], n["op"]) for n in finding["nodes"]], [(node, op)])
        self.assertEqual(finding["cause"], "node")
        self.assertEqual(finding["own"]["verdict"], "DIFFERS")
        return finding

    def expect_again(self, finding, op):
        """The command that was written shows it again, in node 0 of the model that was written."""
        words = shlex.split(finding["command"])
        self.assertEqual(words[:2], ["oclite", "diff"])
        self.assertEqual(os.path.dirname(words[2]), self.found)
        with open(words[2].replace(".tflite", ".txt"), encoding="ascii") as source:
            self.assertEqual(source.read(), finding["command"] + "\n")
        os.remove(self.path("report.json"))
        again = self.diff(1, *words[2:])
        self.assertEqual(len({row["node"] for row in again["tensors"]}), 1)
        self.expect_found(again, 0, op)
        for key in ("max_error", "worst_a", "worst_b"):
            self.assertEqual(again["finding"]["own"][key], finding["own"][key])


class Agreement(Case):
    def test_cpu_paths(self):
        for model in (self.model, self.digits, self.digits_int8):
            report = self.diff(0, model, "--runs", "3")
            self.assertEqual(report["finding"], {"cause": "none"})
            self.assertEqual(report["run"], 2)
            self.assertTrue(report["tensors"])
            if model == self.digits_int8:
                self.assertEqual({row["verdict"] for row in report["tensors"]}, {"same"})

    def test_precisions(self):
        self.diff(0, self.digits, "--a", "cpu:float32", "--b", "cpu")
        self.diff(0, self.digits, "--a", "cpu:bfloat16", "--b", "cpu:bfloat16")
        report = self.diff(1, self.digits, "--a", "reference:bfloat16", "--b", "cpu:float32")
        self.assertNotEqual(report["finding"], {"cause": "none"})
        report = self.diff(0, self.digits, "--a", "reference:float16", "--b", "cpu:float16", "--tolerance", "rel=1e-4,abs=1e-4")
        self.assertEqual(report["finding"], {"cause": "none"})

    def test_all_tensors(self):
        report = self.diff(0, self.digits)
        self.assertEqual([row["op"] for row in sorted(report["tensors"], key=lambda row: row["node"])],
                         ["CONV_2D", "MAX_POOL_2D", "DEPTHWISE_CONV_2D", "CONV_2D", "RESHAPE", "FULLY_CONNECTED", "SOFTMAX"])
        self.assertLess(max(row["max_error"] for row in report["tensors"]), 1e-5)

    def test_a_side_is_itself(self):
        for side in ("reference", "cpu", "vec128"):
            report = self.diff(0, self.digits, "--a", side, "--b", side, "--tolerance", "0")
            self.assertEqual({row["verdict"] for row in report["tensors"]}, {"same"})

    def test_seed(self):
        values = [self.diff(0, self.model, "--seed", seed)["tensors"][0]["worst_a"] for seed in ("1", "1", "2")]
        self.assertEqual(values[0], values[1])
        self.assertNotEqual(values[0], values[2])

    def test_files_and_shapes(self):
        x = self.input([2, 3], [1, 2, 3, 4, 5, 6])
        for arguments in (["--in", x], ["--resize", "0=2x3"], ["--in", x, "--resize", "0=3x2"]):
            report = self.diff(0, self.model, *arguments)
            self.assertEqual(sorted(report["tensors"][0]["shape"]), [2, 3])

    def test_opencl(self):
        for model in (self.model, self.digits, self.digits_int8):
            report = self.diff(0, model, "--a", "cpu", "--b", "opencl")
            self.assertIn("opencl: ", report["b"])

    def test_litert(self):
        for side in ("litert", "litert:reference", "litert:builtin"):
            report = self.diff(0, self.digits, "--a", side, "--b", "cpu")
            self.assertRegex(report["a"], r"^litert\S*: \w+ \d")
        report = self.diff(0, self.digits_int8, "--a", "litert:reference", "--tolerance", "0")
        self.assertEqual({row["verdict"] for row in report["tensors"]}, {"same"})

    def test_signatures(self):
        model = self.path("two.tflite")
        python = os.environ.get("OCLITE_PYTHON") or sys.executable
        made = subprocess.run([python, "-c", TWO_SIGNATURES, model], capture_output=True, text=True, check=False)
        if made.returncode != 0:
            self.skipTest(made.stderr.strip().split("\n")[-1])
        for key, ops in (("one", ["TANH"]), ("two", ["SQUARED_DIFFERENCE", "TANH"])):
            report = self.diff(0, model, "--signature", key)
            self.assertEqual(sorted(row["op"] for row in report["tensors"]), ops)
        self.assertIn("of 2 signatures", self.expect(0, "diff", model))
        self.assertIn("has no 'three', but: one, two", self.expect(2, "diff", model, "--signature", "three"))
        # The other graph reads b first.
        b, a = self.input([4], [0] * 4, "b.npy"), self.input([4], [3] * 4, "a.npy")
        report = self.diff(0, model, "--signature", "two", "--in", b, "--in", a)
        self.assertEqual({row["name"]: float(row["worst_a"]) for row in report["tensors"]}, {"t": 0, "d": 9})

    def test_shared_models(self):
        models = [m for m in map(shared_model, SHARED) if m]
        if not models:
            self.skipTest("no models in $OCLITE_SHARED_DIR")
        for model in models:
            with self.subTest(model=model):
                self.diff(0, model)

    def test_shared_models_on_opencl(self):
        models = [m for m in map(shared_model, SHARED[:2]) if m]
        if not models:
            self.skipTest("no models in $OCLITE_SHARED_DIR")
        for model in models:
            with self.subTest(model=model):
                report = self.diff(0, model, "--b", "opencl", "--runs", "2")
                ops = {row["op"] for row in report["tensors"]}
                # Convolutions and the depthwise ones behind them are one launch: only what leaves it is compared.
                self.assertGreater(len(ops), 2)

    def test_shared_models_in_litert(self):
        model = shared_model("movie_review")
        if not model:
            self.skipTest("no models in $OCLITE_SHARED_DIR")
        self.diff(0, model, "--b", "litert")


class Divergence(Case):
    def one_output(self):
        """Without the sum as an output ADD and Atan are one launch."""
        with open(self.model, "rb") as source:
            data = source.read()
        both = struct.pack("<3i", 2, 3, 2)
        self.assertEqual(data.count(both), 1)
        with open(self.path("one.tflite"), "wb") as out:
            out.write(data.replace(both, struct.pack("<3i", 1, 3, 2)))
        return self.path("one.tflite")

    def test_wrong_operator(self):
        side = "opencl:custom_ops=" + self.write("wrong.cl", WRONG_ATAN)
        report = self.diff(1, self.model, "--b", side, "--out", self.found)
        self.assertEqual([row["verdict"] for row in sorted(report["tensors"], key=lambda row: row["node"])],
                         ["same", "DIFFERS"])
        finding = self.expect_found(report, 1, "Atan")
        self.assertEqual(sorted(os.listdir(self.found)), ["node_1_Atan.tflite", "node_1_Atan.txt", "node_1_Atan_in0.npy"])
        self.expect_again(finding, "Atan")

    def test_wrong_operator_in_a_launch_with_others(self):
        side = "opencl:custom_ops=" + self.write("wrong.cl", WRONG_ATAN)
        report = self.diff(1, self.one_output(), "--b", side, "--out", self.found)
        self.assertEqual(len(report["tensors"]), 1)  # what ADD gives never leaves the launch
        finding = self.expect_found(report, 1, "Atan")
        self.expect_again(finding, "Atan")

    def test_nodes_by_number(self):
        side = "opencl:deny=0,custom_ops=" + self.write("wrong.cl", WRONG_ATAN)
        report = self.diff(1, self.model, "--b", side, "--out", self.found)
        finding = self.expect_found(report, 1, "Atan")
        # Node 0 of the part is node 1 of the model, which was not denied.
        self.assertNotIn("deny", finding["command"])
        self.expect_again(finding, "Atan")

    def test_halves(self):
        # The largest value of the first convolution is beyond what a half holds.
        x = self.input([1, 8, 8, 1], [6e4 * (i * 37 % 64) / 64 for i in range(64)])
        arguments = ["--in", x, "--tolerance", "1e-2", "--out", self.found]
        report = self.diff(1, self.digits, "--b", "opencl:precision=float16", *arguments)
        finding = self.expect_found(report, 0, "CONV_2D")
        self.assertEqual((finding["own"]["max_error"], finding["own"]["worst_b"]), ("inf", "inf"))
        self.expect_again(finding, "CONV_2D")
        # The same on the other side, and not at all when that node stores floats.
        report = self.diff(1, self.digits, "--a", "opencl:precision=float16", "--b", "cpu", *arguments)
        self.expect_found(report, 0, "CONV_2D")

    def test_halves_of_one_node(self):
        side = "opencl:precision_float16=2"
        report = self.diff(1, self.digits, "--b", side, "--tolerance", "1e-5", "--out", self.found)
        finding = self.expect_found(report, 2, "DEPTHWISE_CONV_2D")
        # What follows differs, too, and is no cause.
        self.assertGreater(sum(row["verdict"] == "DIFFERS" for row in report["tensors"]), 1)
        self.assertIn("--b opencl:precision=float16 ", finding["command"])
        self.expect_again(finding, "DEPTHWISE_CONV_2D")

    def test_errors_that_grow(self):
        report = self.diff(1, self.digits, "--b", "opencl:precision=float16", "--tolerance", "5e-4", "--out", self.found)
        self.assertEqual(report["finding"]["cause"], "sum")
        self.assertIn("nothing is written", report["finding"]["note"])
        self.assertEqual(report["finding"]["own"]["verdict"], "agrees")
        self.assertFalse(os.path.exists(self.found))

    def test_litert(self):
        # XNNPACK rounds some sums the other way.
        report = self.diff(1, self.digits_int8, "--b", "litert", "--tolerance", "0", "--out", self.found)
        finding = self.expect_found(report, 0, "CONV_2D")
        self.assertEqual(finding["own"]["max_error"], 1)
        self.expect_again(finding, "CONV_2D")
        self.diff(0, self.digits_int8, "--b", "litert", "--tolerance", "steps=1")

    def test_table(self):
        differs = ["diff", self.digits, "--b", "opencl:precision=float16", "--tolerance", "0"]
        rc, out, err = oclite(*differs, "--rows", "2")
        self.skip_without_opencl(err)
        self.assertEqual(rc, 1)
        self.assertIn("differ, first in node #0 CONV_2D", err)
        self.assertRegex(out, r"\n +0  CONV_2D +10  FLOAT32 \(1x8x8x16\) .* DIFFERS, \d+ of 1024; \[\d+\] ")
        self.assertIn("(2 of 7 tensors are shown; --all shows the others)", out)
        self.assertIn("first to differ: node #0 CONV_2D\n", out)
        out = oclite(*differs, "--all")[1]
        self.assertRegex(out, r"\n +6  SOFTMAX ")


class BadInput(Case):
    def test_wrong_usage(self):
        x = self.input([5], [1, 2, 3, 4, 5])
        for arguments in (["--a", "abacus"], ["--b", "cpu:half"], ["--b", "abacus:float16"], ["--b", "c" * 40], ["--b", "opencl2"], ["--b", "opencl:wings=2"], ["--b", "litert:fast"], ["--tolerance", "-1"],
                          ["--tolerance", "rel=x"], ["--tolerance", "rel=1e-3,"], ["--tolerance", "nan"], ["--tolerance", ""],
                          ["--runs", "0"], ["--wings"], ["--in", x, "--in", x], ["--resize", "0=1,2"],
                          ["--in", self.input([5], [1] * 5, "i.npy", "<i4")], ["--in", x, "--resize", "0=2x3"]):
            with self.subTest(arguments=arguments):
                self.diff(2, self.model, *arguments)
        self.expect(2, "diff")
        self.expect(2, "diff", self.model, self.model)

    def test_bad_files(self):
        with open(self.path("bad.tflite"), "wb") as bad:
            bad.write(os.urandom(500))
        for arguments in ([self.path("bad.tflite")], [self.path("absent.tflite")], [self.folder],
                          [self.model, "--in", self.path("absent.npy")], [self.model, "--in", self.model],
                          [self.model, "--resize", "3=5"], [self.model, "--resize", "0=-5"]):
            with self.subTest(arguments=arguments):
                self.diff(1, *arguments)

    def test_nothing_partial_is_left(self):
        differs = [self.digits, "--b", "opencl:precision=float16", "--tolerance", "0"]
        for out in ("/dev/null", self.path("no/such")):
            rc, _, err = oclite("diff", *differs, "--out", out)
            self.skip_without_opencl(err)
            self.assertEqual((rc, err.count("\n")), (1, 1), err)
            self.assertNotIn("differ", err)
        # A folder is in the place of the last file.
        os.makedirs(os.path.join(self.found, "node_0_CONV_2D.txt", "x"))
        rc, _, err = oclite("diff", *differs, "--out", self.found)
        self.assertEqual((rc, err.count("\n")), (1, 1), err)
        self.assertEqual(os.listdir(self.found), ["node_0_CONV_2D.txt"])
        self.assertEqual(oclite("diff", self.model, "--json", self.path("no/such.json"))[0], 1)
        self.assertEqual(os.listdir(self.temporary), [])

    def test_names_of_any_bytes(self):
        with open(self.model, "rb") as source:
            data = source.read()
        self.assertEqual(data.count(b"Identity"), 1)
        model = self.path("name.tflite")
        with open(model, "wb") as out:
            out.write(data.replace(b"Identity", b"Id\xee\xfftity"))
        self.assertIn("Id??tity", [row["name"] for row in self.diff(0, model)["tensors"]])

    def test_no_temporary_folder(self):
        os.environ["TMPDIR"] = self.path("absent")
        self.assertIn("no temporary folder", self.expect(1, "diff", self.model))

    def test_python_without_litert(self):
        broken = self.write("broken", "#!/bin/sh\necho \"no\nthis is the last line\" >&2\nexit 3\n")
        babbling = self.write("babbling", "#!/bin/sh\necho hello\nread line\n")
        ends = self.write("ends", "#!/bin/sh\necho '{\"package\": \"p\", \"version\": \"1\"}'\nread line\nkill -9 $$\n")
        refuses = self.write("refuses", "#!/bin/sh\necho '{}'\nread line\necho '{\"error\": \"not this one\"}'\nread line\n")
        for path in (broken, babbling, ends, refuses):
            os.chmod(path, 0o755)
        for python, said in ((self.path("absent"), "No such file"), ("/dev/null", "ermission denied"),
                             (broken, "this is the last line"), (babbling, "without an answer"), (ends, "without an answer"),
                             (refuses, "not this one")):
            with self.subTest(python=python):
                self.assertIn(said, self.expect(1, "diff", self.model, "--b", "litert", "--python", python))
                self.assertEqual(os.listdir(self.temporary), [])

    def test_signals(self):
        waits = self.write("waits", "#!/bin/sh\nread line\n")
        os.chmod(waits, 0o755)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGPIPE, signal.SIGABRT, signal.SIGSEGV,
                       signal.SIGUSR1, signal.SIGXCPU):
            command = [tool_case.OCLITE, "diff", self.model, "--b", "litert", "--python", waits]
            with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
                while not os.listdir(self.temporary):
                    time.sleep(0.01)
                time.sleep(0.1)
                process.send_signal(number)
                self.assertEqual(process.wait(timeout=30), -number)
            self.assertEqual(os.listdir(self.temporary), [])

    def test_operators_that_litert_lacks(self):
        rc, _, err = oclite("diff", self.model, "--b", "litert")
        if "choose a Python" in err:
            self.skipTest(err.strip())
        self.assertEqual((rc, err.count("\n")), (1, 1))
        self.assertIn("Atan", err)


if __name__ == "__main__":
    tool_case.main(__doc__)
