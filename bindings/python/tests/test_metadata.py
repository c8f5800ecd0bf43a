#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What Interpreter.get_metadata() tells, and which errors files and models give that are not what they should be."""
import os
import tempfile
import unittest

import numpy as np

import python_case as case
import oclite


class Metadata(unittest.TestCase):
    def test_picture(self):
        with oclite.Interpreter(case.own("shapes_label")) as interpreter:
            metadata = interpreter.get_metadata()
        self.assertEqual((metadata.name, metadata.version, metadata.author, metadata.license), ("Shapes", "v1", "oclite", "Apache-2.0"))
        self.assertEqual((metadata.min_parser_version, metadata.files), ("1.3.0", ()))
        [graph] = metadata.subgraphs
        [picture], [probability] = graph.inputs, graph.outputs
        self.assertEqual((picture.name, picture.content, picture.color_space, picture.width, picture.height), ("picture", "image", "RGB", 64, 64))
        self.assertEqual((picture.mean, picture.std, picture.min, picture.max), ((127.5,), (127.5,), (0,), (255,)))
        self.assertEqual((picture.score_threshold, picture.tokenizer, graph.tokenizer), (None, None, None))
        [labels] = probability.files
        self.assertEqual((labels.name, labels.type, labels.data, labels.absent),
                         ("labels.txt", "TENSOR_AXIS_LABELS", b"circle\nsquare\ntriangle\n", ""))
        self.assertEqual([(file.name, file.data) for file in metadata.packed], [("labels.txt", labels.data)])

    def test_text_sound_and_boxes(self):
        with oclite.Interpreter(case.own("requests")) as interpreter:
            tokenizer = interpreter.get_metadata().subgraphs[0].inputs[0].tokenizer
        self.assertEqual((tokenizer.kind, tokenizer.delimiters, tokenizer.files[0].type), ("regex", "[^a-z0-9']+", "VOCABULARY"))
        self.assertTrue(tokenizer.files[0].data.startswith(b"<PAD> 0\n<START> 1\n"))
        with oclite.Interpreter(case.own("sounds")) as interpreter:
            sound = interpreter.get_metadata().subgraphs[0].inputs[0]
        self.assertEqual((sound.content, sound.sample_rate, sound.channels), ("audio", 8000, 1))
        with oclite.Interpreter(case.own("shapes_detect")) as interpreter:
            outputs = interpreter.get_metadata().subgraphs[0].outputs
        self.assertEqual((outputs[0].content, outputs[0].box_type, outputs[0].coordinate_type), ("bounding boxes", "BOUNDARIES", "RATIO"))
        self.assertEqual(outputs[2].score_threshold, 0.5)

    def test_none(self):
        with oclite.Interpreter(case.own("digits")) as interpreter:
            metadata = interpreter.get_metadata()
        self.assertEqual((metadata.name, metadata.subgraphs, metadata.packed), ("", (), ()))
        with self.assertRaisesRegex(RuntimeError, "closed"):
            interpreter.get_metadata()

    def test_damaged(self):
        with open(case.own("shapes_label"), "rb") as source:
            content = source.read()
        at = content.index(b"M001")
        with oclite.Interpreter(model_content=content[:at] + b"M999" + content[at + 4:]) as interpreter:
            with self.assertRaisesRegex(ValueError, "TFLITE_METADATA"):
                interpreter.get_metadata()
            interpreter.allocate_tensors()  # it runs nevertheless
        at = content.rindex(b"PK\3\4")
        with oclite.Interpreter(model_content=content[:at] + b"PKPK" + content[at + 4:]) as interpreter:
            with self.assertRaisesRegex(ValueError, "The packed file labels.txt has no header"):
                interpreter.get_metadata()


class Failures(unittest.TestCase):
    """A load that fails, or a value that does not fit, always raises something that says why."""

    def test_models(self):
        with open(case.own("digits"), "rb") as source:
            content = source.read()
        with tempfile.TemporaryDirectory() as folder:
            for size in (0, 3, 100, 5000, len(content) // 2):
                path = os.path.join(folder, "cut.tflite")
                with open(path, "wb") as out:
                    out.write(content[:size])
                with self.assertRaisesRegex(ValueError, "not a valid Flatbuffer"):
                    oclite.Interpreter(path)
            for path, why in ((os.path.join(folder, "absent.tflite"), "No such file"), (folder, "Is a directory")):
                with self.assertRaisesRegex(ValueError, f"{os.path.basename(path)}.*{why}"):
                    oclite.Interpreter(path)
            for load in (oclite.load_operators, oclite.load_delegate):
                with self.assertRaisesRegex((OSError, ValueError), "absent.so"):
                    load(os.path.join(folder, "absent.so"))

    def test_values(self):
        with oclite.Interpreter(case.own("digits")) as interpreter:
            index = interpreter.get_input_details()[0]["index"]
            with self.assertRaisesRegex(ValueError, "allocate_tensors"):
                interpreter.set_tensor(index, np.zeros((1, 8, 8, 1), np.float32))
            interpreter.allocate_tensors()
            for value, why in ((np.zeros((1, 8, 7, 1), np.float32), "Got 7 but expected 8 for dimension 2"), (np.zeros(63, np.float32), "Got 1 but expected 4"),
                               (np.zeros((1, 8, 8, 1), np.int32), "type INT32 but expected type FLOAT32"), (b"short", "type STRING")):
                with self.assertRaisesRegex(ValueError, why):
                    interpreter.set_tensor(index, value)


if __name__ == "__main__":
    case.main()
