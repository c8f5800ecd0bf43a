#!/usr/bin/env python3
"""Tests of oclite info: what it tells of models, as text and as JSON, on this machine's devices and on pretended ones.

test_info.py OCLITE MODELS   (OCLITE_FAKE_OPENCL is the folder with the library of tests/support/fake_opencl.c)
Needs nothing but Python's own library. Numbers of published networks are checked where OCLITE_SHARED_MODELS has them.
"""
import array
import io
import json
import os
import random
import subprocess
import unittest
import zipfile
from unittest import mock

import tool_case
from tflite_writer import Flat, Graph, Scalar, write

FAKE = os.environ.get("OCLITE_FAKE_OPENCL", "")
SHARED = os.environ.get("OCLITE_SHARED_MODELS", "")


class Info(tool_case.Case):
    def setUp(self):
        super().setUp()
        self.digits = os.path.join(tool_case.MODELS, "digits.tflite")

    def facts(self, model, *arguments):
        return json.loads(self.expect(0, "info", model, "--json", "-", *arguments))

    def with_library(self, folder, **variables):
        path = os.environ.get("LD_LIBRARY_PATH")
        patch = mock.patch.dict(os.environ, {"LD_LIBRARY_PATH": folder + (":" + path if path else ""), **variables})
        patch.start()
        self.addCleanup(patch.stop)

    def with_fake(self, **variables):
        if not FAKE:
            self.skipTest("OCLITE_FAKE_OPENCL is not set")
        self.with_library(FAKE, **{"OCLITE_OPENCL_SELFTEST": "off", **variables})


class Model(Info):
    def test_text(self):
        out = self.expect(0, "info", self.model)
        self.assertIn(f'file: {os.path.getsize(self.model)} bytes, "MLIR Converted."\n', out)
        self.assertIn('metadata: "min_runtime_version" 16 bytes: 1.5.0\nmetadata: "CONVERSION_METADATA" 96 bytes\n', out)
        self.assertRegex(out, r"\n  tensorflow version +2\.\d+\.\d+\n  api version +\d\n  model type +TF_")
        self.assertIn('input 0: FLOAT32 (5) "x"\n', out)
        self.assertIn("parameters: 1\n", out)
        self.assertIn("operators:\n  ADD v1 1 x FLOAT32 -> FLOAT32\n  Atan v1 1 x FLOAT32 -> FLOAT32\n", out)
        self.assertRegex(out, r"#0 ADD v1 \[CPU\] .*\n +5 operations, 24 bytes read, 20 written\n"
                              r" +fused_activation_function NONE, pot_scale_int16 true\n")
        self.assertRegex(out, r"#1 Atan v1 \[CPU\] .*\n +operations not known, 20 bytes read, 20 written\n")
        self.assertIn("all: 5 operations, 44 bytes read, 40 written; 1 of 2 nodes not known\n", out)
        self.assertRegex(out, r"memory: \d+ bytes for tensors")

    def test_file(self):
        facts = self.facts(self.model)
        self.assertEqual(facts["file"], self.model)
        self.assertEqual(facts["file_bytes"], os.path.getsize(self.model))
        self.assertEqual([m["name"] for m in facts["metadata"]], ["min_runtime_version", "CONVERSION_METADATA"])
        self.assertEqual(facts["buffers"], {"count": 7, "with_contents": 3, "bytes": 16 + 96 + 4, "shared_by_tensors": 0,
                                            "largest": {"buffer": 6, "bytes": 96}})
        self.assertEqual(facts["inputs"], [{"tensor": 0, "name": "x", "type": "FLOAT32", "shape": [5]}])

    def test_nodes(self):
        facts = self.facts(self.model)
        add, atan = facts["subgraphs"][0]["nodes"]
        self.assertEqual((add["op"], add["inputs"], add["outputs"], add["resolved"]), ("ADD", [0, 1], [2], True))
        self.assertEqual((add["operations"], add["bytes_read"], add["bytes_written"]), (5, 24, 20))
        self.assertEqual(add["parameters"]["fused_activation_function"], "NONE")
        self.assertIsNone(atan["operations"])
        tensors = facts["subgraphs"][0]["tensors"]
        self.assertTrue(tensors[1]["constant"])
        self.assertNotIn("constant", tensors[0])

    def test_quantization(self):
        model = os.path.join(tool_case.MODELS, "digits_int8.tflite")
        tensor = self.facts(model)["subgraphs"][0]["tensors"][9]
        self.assertEqual((tensor["type"], tensor["shape"], tensor["quantized_dimension"]), ("INT8", [16, 3, 3, 1], 0))
        self.assertEqual((len(tensor["scale"]), tensor["zero_point"]), (16, [0] * 16))
        self.assertRegex(self.expect(0, "info", model), r"scale 0.00392\d* zero point -128, 9 INT8 \(16x3x3x1\) 16 scales along 0, 8 ")

    def test_signatures(self):
        signature = self.facts(self.digits)["signatures"][0]
        self.assertEqual((signature["key"], signature["subgraph"]), ("serving_default", 0))
        for end in signature["inputs"] + signature["outputs"]:
            self.assertEqual(end["type"], "FLOAT32")
        self.assertEqual(len(signature["inputs"]), 1)
        self.assertRegex(self.expect(0, "info", self.digits), r'signature: "serving_default" graph 0\n  input ".*": tensor ".*"\n  output ')

    def test_sums_are_those_of_the_nodes(self):
        facts = self.facts(self.digits)
        main = facts["subgraphs"][0]
        known = [n for n in main["nodes"] if n["operations"] is not None]
        for what in ("operations", "bytes_read", "bytes_written"):
            self.assertEqual(main["work"][what], sum(n[what] for n in known), what)
        self.assertEqual(main["work"]["nodes"], len(main["nodes"]))
        self.assertEqual(main["work"]["nodes_not_known"], 0)
        self.assertEqual(sum(op["nodes"] for op in facts["operators"]), len(main["nodes"]))

    def test_published_networks(self):
        # 300 million multiply-adds, 3.5 million parameters
        model = os.path.join(SHARED, "mobilenet_v2_1.0_224_quant.tflite")
        if not SHARED or not os.path.exists(model):
            self.skipTest("no mobilenet_v2_1.0_224_quant.tflite")
        facts = self.facts(model)
        products = sum(n["operations"] for n in facts["subgraphs"][0]["nodes"] if "CONV" in n["op"])
        self.assertEqual(products / 2, 300774272 + 1280)  # a class more than the paper's 1000
        self.assertEqual(facts["parameters"], 3489097)

    def test_json_file_and_text(self):
        out = self.expect(0, "info", self.model, "--json", self.path("facts.json"))
        self.assertIn("#0 ADD", out)
        with open(self.path("facts.json"), encoding="utf-8") as source:
            self.assertEqual(json.load(source), self.facts(self.model))

    def test_names_are_made_printable(self):
        with open(self.model, "rb") as source:
            data = source.read()
        self.assertIn(b"Identity", data)
        with open(self.path("odd.tflite"), "wb") as out:
            out.write(data.replace(b"Identity", b"\x1b[1m\xff\xc3\xa4\xc3"))
        self.assertEqual(self.facts(self.path("odd.tflite"))["outputs"][0]["name"], "\x1b[1m?\u00e4?")
        text = subprocess.run([tool_case.OCLITE, "info", self.path("odd.tflite")], capture_output=True, check=True).stdout
        self.assertIn(b"?[1m", text)
        self.assertNotIn(b"\x1b", text)

    def test_absent_inputs(self):
        """A model may list -1 among its inputs, for every command to pass over."""
        graph, model = Graph(), self.path("gap.tflite")
        x = graph.tensor("x", [4])
        graph.inputs, graph.outputs = [-1, x], [graph.node("RELU", [x], "y", [4])]
        write(model, [graph])
        self.assertIn('input 0: absent\ninput 1: FLOAT32 (4) "x"\n', self.expect(0, "info", model))
        self.assertEqual(self.facts(model)["inputs"][0], {"tensor": -1})
        self.expect(0, "run", model, "--out", self.folder)
        self.expect(0, "diff", model)
        self.expect(0, "view", model, "--out", self.path("gap.html"))
        self.expect(0, "bench", model, "--num_runs=1", "--min_secs=0", "--warmup_min_secs=0")
        self.expect(0, "fuse", model, "--ops", "RELU", "--name", "Atan", "--out", self.path("fused.tflite"))
        self.assertEqual([o["tensor"] for o in self.facts(self.path("fused.tflite"))["inputs"]], [-1, 0])

    def test_no_nodes(self):
        graph, model = Graph(), self.path("empty.tflite")
        graph.inputs = graph.outputs = [graph.tensor("x", [4])]
        write(model, [graph])
        out = self.expect(0, "info", model)
        self.assertNotIn("operators:", out)
        self.assertIn("all: 0 operations, 0 bytes read, 0 written\n", out)

    def test_bad_input(self):
        self.assertIn("absent", self.expect(1, "info", self.path("absent")))
        for content in (b"", b"TFL3", b"\0" * 64, os.urandom(1000)):
            with open(self.path("bad.tflite"), "wb") as bad:
                bad.write(content)
            self.assertIn("bad.tflite", self.expect(1, "info", self.path("bad.tflite"), "--json", self.path("facts.json")))
        self.expect(2, "info")
        self.expect(2, "info", self.model, "--wings")
        self.expect(2, "info", self.model, "--delegate", "abacus")
        self.expect(1, "info", self.model, "--json", self.path("no/such/folder"))
        self.assertEqual(os.listdir(self.folder), ["bad.tflite"])


def description():
    """TensorFlow Lite's description of a model, with all fields that are told."""
    labels = {0: b"labels.txt", 1: b"what the scores mean", 2: Scalar("b", 2), 3: b"en"}
    normalization = {0: Scalar("B", 1), 1: {0: array.array("f", [127.5]), 1: array.array("f", [127.5, 128.0])}}
    image = {0: b"image", 1: b"a photograph", 3: {0: Scalar("B", 2), 1: {0: Scalar("b", 1), 1: {0: Scalar("I", 64), 1: Scalar("I", 32)}}},
             4: [normalization], 5: {0: array.array("f", [255.0]), 1: array.array("f", [0.0])}}
    words = {0: b"words.txt", 2: Scalar("b", 5)}
    text = {0: b"text", 4: [{0: Scalar("B", 6), 1: {0: b"[^a-z]+", 1: [words]}}]}
    sound = {0: b"sound", 3: {0: Scalar("B", 4), 1: {0: Scalar("I", 16000), 1: Scalar("I", 1)}}}
    scores = {0: b"scores", 4: [{0: Scalar("B", 3), 1: {0: Scalar("f", 0.5)}}], 6: [labels]}
    boxes = {0: b"boxes", 3: {0: Scalar("B", 3), 1: {1: Scalar("b", 1), 2: Scalar("b", 1)}}}
    graph = {2: [image, text, sound], 3: [scores, boxes], 4: [words], 5: [{0: Scalar("B", 4), 1: {0: [words]}}]}
    return {0: b"Finder", 1: b"finds\nthings", 2: b"v3", 3: [graph], 4: b"somebody", 5: b"MIT", 6: [{0: b"readme.txt"}], 7: b"1.3.0"}


class Metadata(Info):
    def model_with(self, **metadata):
        graph, model = Graph(), self.path("noted.tflite")
        graph.inputs = [graph.tensor("x", [4])]
        graph.outputs = [graph.node("RELU", graph.inputs, "y", [4])]
        write(model, [graph], metadata=metadata)
        return model

    def only(self, **metadata):
        return self.facts(self.model_with(**metadata))["metadata"][0]

    def test_description_of_the_model(self):
        data = Flat().finish(description(), b"M001")
        model = self.model_with(TFLITE_METADATA=data)
        absent = {"absent": "is not packed into the model"}
        words = {"name": "words.txt", "type": "VOCABULARY"} | absent
        self.assertEqual(self.facts(model)["metadata"], [{"name": "TFLITE_METADATA", "bytes": len(data), "model": {
            "name": "Finder", "description": "finds\nthings", "version": "v3", "author": "somebody", "license": "MIT", "min_parser_version": "1.3.0",
            "associated_files": [{"name": "readme.txt"} | absent],
            "subgraphs": [{
                "inputs": [{"name": "image", "description": "a photograph", "content": "image", "color_space": "RGB", "width": 64, "height": 32,
                            "normalization": {"mean": [127.5], "std": [127.5, 128]}, "min": [0], "max": [255]},
                           {"name": "text", "tokenizer": {"kind": "regex", "delimiters": "[^a-z]+", "files": [words]}},
                           {"name": "sound", "content": "audio", "sample_rate": 16000, "channels": 1}],
                "outputs": [{"name": "scores", "score_threshold": 0.5, "associated_files": [
                    {"name": "labels.txt", "description": "what the scores mean", "type": "TENSOR_AXIS_LABELS", "locale": "en"} | absent]},
                            {"name": "boxes", "content": "bounding boxes", "box_type": "BOUNDARIES", "coordinate_type": "PIXEL"}],
                "tokenizer": {"kind": "bert", "files": [words]},
                "associated_files": [words]}]}}])
        out = self.expect(0, "info", model)
        for line in (r"  name +Finder", r"  description +finds things", r"  author +somebody", r"  associated files readme\.txt", r"  subgraphs 0",
                     r"    inputs image", r"      description +a photograph", r"      associated files labels\.txt", r"        type +TENSOR_AXIS_LABELS", r"        mean +127.5", r"        std +127.5, 128",
                     r"        absent +is not packed into the model"):
            self.assertRegex(out, f"(?m)^{line}$")

    def with_packed(self, files, method=zipfile.ZIP_STORED):
        """The model with a description, its length without them, and `files` packed into it."""
        model = self.model_with(TFLITE_METADATA=Flat().finish(description(), b"M001"))
        length = os.path.getsize(model)
        with zipfile.ZipFile(model, "a", method) as archive:
            for name, content in files.items():
                archive.writestr(name, content)
        return model, length

    def test_packed_files(self):
        model, _ = self.with_packed({"labels.txt": "cat\ndog\n", "more.txt": ""})
        facts = self.facts(model)
        self.assertEqual(facts["packed_files"], [{"name": "labels.txt", "bytes": 8}, {"name": "more.txt", "bytes": 0}])
        self.assertEqual(facts["metadata"][0]["model"]["subgraphs"][0]["outputs"][0]["associated_files"][0]["bytes"], 8)
        self.assertIn('packed file: "labels.txt" 8 bytes\npacked file: "more.txt" 0 bytes\n', self.expect(0, "info", model))
        model, _ = self.with_packed({"labels.txt": "cat\ndog\n" * 100}, zipfile.ZIP_DEFLATED)
        self.assertIn("is compressed", self.facts(model)["packed_files"][0]["absent"])

    def test_packed_files_in_an_archive_of_its_own(self):
        """Other writers count from the start of the archive."""
        model, length = self.with_packed({})
        content = io.BytesIO()
        with zipfile.ZipFile(content, "w") as archive:
            archive.writestr("labels.txt", "cat\n")
            archive.comment = b"a comment"
        with open(model, "r+b") as file:
            file.truncate(length)
            file.seek(length)
            file.write(content.getvalue())
        self.assertEqual(self.facts(model)["packed_files"], [{"name": "labels.txt", "bytes": 4}])

    def test_damaged_packed_files(self):
        model, length = self.with_packed({"labels.txt": "cat\ndog\n", "more.txt": "more"})
        with open(model, "rb") as source:
            data = bytearray(source.read())
        directory, end = data.index(b"PK\1\2"), data.index(b"PK\5\6")
        for at, value, why in ((directory + 42, 0xff, "has no header at offset"), (directory + 24, 0xff, ""), (length, 0, "has no header at offset"),
                               (directory, 0, "has no entry at offset"), (directory + 29, 0x7f, "ends outside"), (end + 15, 0x7f, "lies outside"),
                               (end + 11, 0x7f, "bytes for 32514 entries"), (directory + 27, 0x7f, "ends outside")):
            bad = bytearray(data)
            bad[at] = value
            with open(model, "wb") as out:
                out.write(bad)
            with self.subTest(at=at - length):
                facts = self.facts(model)
                self.assertIn(why, facts.get("metadata_damaged", ""))
                if why:
                    self.assertIn(f"metadata damaged: {facts['metadata_damaged']}\n", self.expect(0, "info", model))

    def test_conversion(self):
        notes = {0: {0: b"2.99.1", 1: Scalar("I", 2), 2: Scalar("i", 7)}, 1: {0: [1003, 4711]}}
        self.assertEqual(self.only(CONVERSION_METADATA=Flat().finish(notes, b"\0\0\0\0"))["conversion"],
                         {"tensorflow_version": "2.99.1", "api_version": 2, "model_type": "PYTORCH",
                          "optimization_modes": ["PTQ_FULL_INTEGER", 4711]})

    def test_texts_and_other_contents(self):
        for data, text in ((b"1.14.0" + bytes(10), "1.14.0"), (b"fp16accfp32", "fp16accfp32"), (b"\x1b[1m", None), (bytes(16), None),
                           (b"1.0\0x", None), (b"a" * 65, None), ("\u00e4".encode(), None)):
            with self.subTest(data=data):
                self.assertEqual(self.only(anything=data), {"name": "anything", "bytes": len(data)} | ({"text": text} if text else {}))

    def test_published_models(self):
        for name, title, label in (("yamnet", "yamnet/classification", "yamnet_label_list.txt"),
                                   ("tf2_mobilenet_v2_1.0_224_ptq", "ImageClassifier", "imagenet_labels.txt")):
            model = os.path.join(SHARED, name + ".tflite")
            if not SHARED or not os.path.exists(model):
                self.skipTest(f"no {name}.tflite")
            told = self.facts(model)["metadata"][1]["model"]
            self.assertEqual((told["name"], told["subgraphs"][0]["outputs"][0]["associated_files"][0]["name"]), (title, label))

    def test_damaged_contents_are_told_by_name_and_size_with_the_reason(self):
        data = Flat().finish(description(), b"M001")
        graph = {2: [{0: b"image"}] * 3000}
        endless = Flat().finish({0: b"small, with nine million tensors", 3: [graph] * 3000}, b"M001")
        long = Flat().finish({0: b"small, with a gigabyte of text", 6: [{0: b"a" * 100000}] * 10000}, b"M001")
        for bad in (b"", b"M001", data[:-200], data.replace(b"M001", b"M999"), b"\xff" * 200, data[:8] + b"\xff" * 400, endless, long):
            with self.subTest(size=len(bad)):
                told = self.only(TFLITE_METADATA=bad)
                self.assertIn("TFLITE_METADATA", told.pop("damaged"))
                self.assertEqual(told, {"name": "TFLITE_METADATA", "bytes": len(bad)})
        source = random.Random(1)
        for _ in range(100):
            bad = bytearray(data)
            bad[source.randrange(len(bad))] = source.choice([0, 1, 0x7f, 0x80, 0xff])
            told = self.only(TFLITE_METADATA=bytes(bad), CONVERSION_METADATA=bytes(bad))
            self.assertEqual((told["name"], told["bytes"]), ("TFLITE_METADATA", len(bad)))


class Devices(Info):
    def test_delegate(self):
        rc, out, err = tool_case.oclite("info", self.model, "--delegate", "opencl:deny=ADD")
        if "no OpenCL delegate" in err:
            self.skipTest(err.strip())
        self.assertEqual(rc, 0, err)
        self.assertRegex(out, r"delegate: .*; left to the CPU:\n  graph 0 #0 ADD: .+\n  1 of 2 nodes run on the delegate\n")
        self.assertIn("#1 Atan v1 [in #2]", out)
        facts = self.facts(self.model, "--delegate", "opencl:deny=ADD")
        self.assertEqual(facts["subgraphs"][0]["nodes"][1]["run_by_node"], 2)
        self.assertEqual(facts["subgraphs"][0]["nodes"][2]["runs_nodes"], [1])
        self.assertEqual(facts["delegate"]["nodes_taken"], 1)
        self.assertEqual(self.facts(self.model)["subgraphs"][0]["work"], facts["subgraphs"][0]["work"])
        self.expect(2, "info", self.model, "--delegate", "opencl:device=abacus")

    def test_nothing_is_left_to_the_cpu(self):
        rc, out, err = tool_case.oclite("info", self.model, "--delegate", "opencl")
        if "no OpenCL delegate" in err:
            self.skipTest(err.strip())
        self.assertEqual(rc, 0, err)
        self.assertNotIn("left to the CPU", out)
        self.assertRegex(out, r"\ndelegate: .+\n  2 of 2 nodes run on the delegate\n")

    def test_all_devices(self):
        self.with_fake(OCLITE_FAKE_COUNT="2")
        devices = self.facts(self.model, "--all-devices")["devices"]
        self.assertEqual([d["number"] for d in devices], [0, 1])
        for device in devices:
            self.assertEqual((device["device"], device["nodes_asked"]), ("fake (fake)", 2))
            self.assertEqual(len(device["left_to_the_cpu"]), 2 - device["nodes_taken"])
        self.assertIn("device 1: fake (fake)\n  2 of 2 nodes run on the delegate\n", self.expect(0, "info", self.model, "--all-devices"))
        self.assertNotIn("device 0", self.expect(0, "info", self.model))

    def test_devices_that_fail(self):
        self.with_fake(OCLITE_FAKE_FAILS="clCreateContext")
        self.assertIn("clCreateContext", self.facts(self.model, "--all-devices")["devices"][0]["failed"])

    def test_without_opencl(self):
        with open(self.path("libOpenCL.so.1"), "w", encoding="ascii"):
            pass
        self.with_library(self.folder)
        facts = self.facts(self.model, "--all-devices")
        self.assertEqual(facts["devices"], [])
        self.assertIn("libOpenCL.so.1", facts["devices_absent"])
        self.assertRegex(self.expect(0, "info", self.model, "--all-devices"), r"devices: no OpenCL: .*libOpenCL.so.1")


if __name__ == "__main__":
    tool_case.main(__doc__)
