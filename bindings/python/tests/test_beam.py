#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""oclite.beam.ModelHandler in pipelines of Apache Beam, on its local runner."""
import os
import sys
import tempfile
import unittest
from unittest import mock

from python_case import main, np, oclite, own, shared, skip

try:
    import apache_beam as beam
    from apache_beam.ml.inference.base import KeyedModelHandler, RunInference
    from apache_beam.testing.test_pipeline import TestPipeline
    from apache_beam.testing.util import assert_that
except ImportError as missing:
    skip(f"this Python has no Apache Beam ({missing})")

import oclite.beam  # noqa: E402

IMAGES = np.random.default_rng(0).integers(0, 256, (100, 64, 64, 3), np.uint8)
with oclite.Predictor(own("shapes_label")) as _predict:
    (NAME,) = _predict.get_input_details()
    WANT = _predict({NAME: IMAGES})["output_0"]


def pipeline():
    return TestPipeline(runner="FnApiRunner")


def keyed(rows):
    """A check of a pipeline's results: each key once, with the result of one call."""
    def check(results):
        results = dict(sorted(results)) if len({key for key, _ in results}) == len(results) else {}
        assert list(results) == rows, f"{sorted(results)} instead of {rows}"
        for key, result in results.items():
            np.testing.assert_array_equal(result.inference["output_0"], WANT[key])
    return check


class Sizes(oclite.beam.ModelHandler):
    """Writes down how many examples each batch has."""

    def __init__(self, path, *arguments, **options):
        super().__init__(*arguments, **options)
        self._path = path

    def run_inference(self, batch, model, inference_args=None):
        with open(self._path, "a", encoding="utf-8") as file:
            file.write(f"{len(batch)}\n")
        return super().run_inference(batch, model, inference_args)


class Pipelines(unittest.TestCase):
    def test_batches(self):
        """Each example once, whatever the batches."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "sizes")
            handler = Sizes(path, own("shapes_label"), min_batch_size=8, max_batch_size=8)
            with pipeline() as made:
                results = made | beam.Create(list(enumerate(IMAGES))) | RunInference(KeyedModelHandler(handler))
                assert_that(results, keyed(list(range(100))))
            with open(path, encoding="utf-8") as file:
                sizes = [int(line) for line in file]
        self.assertEqual((sum(sizes), max(sizes)), (100, 8))

    def test_dead_letters(self):
        """What does not fit is put aside with its error, and all others have results."""
        examples = [(i, {NAME: image if i != 10 else image[:, :63]}) for i, image in enumerate(IMAGES[:20])]
        handler = oclite.beam.ModelHandler(own("shapes_label"), max_batch_size=1)

        def check(failed):
            ((element, (kind, said, _)),) = failed
            assert [key for key, _ in element] == [10] and kind is ValueError, (element, kind)
            assert "Got 63 but expected 64 for dimension 2" in said, said
        with pipeline() as made:
            good, bad = made | beam.Create(examples) | RunInference(KeyedModelHandler(handler)).with_exception_handling()
            assert_that(good, keyed([i for i in range(20) if i != 10]), label="good")
            assert_that(bad.failed_inferences, check, label="bad")

    def test_another_file_system(self):
        """Bytes, and names of Beam's own file systems."""
        with open(own("shapes_label"), "rb") as file:
            content = file.read()
        filesystems = "oclite.beam._filesystems.FileSystems.open"
        with mock.patch(filesystems, lambda name: open(name.partition("://")[2], "rb")):
            for model in (content, "some://" + own("shapes_label")):
                handler = oclite.beam.ModelHandler(model)
                (result,) = handler.run_inference([IMAGES[0]], handler.load_model())
                np.testing.assert_array_equal(result.inference["output_0"], WANT[0])


class Examples(unittest.TestCase):
    def test_mistakes(self):
        handler = oclite.beam.ModelHandler(own("shapes_label"))
        model = handler.load_model()
        with self.assertRaisesRegex(ValueError, "^example 2 of 3 in a batch: .*Got value of type FLOAT32"):
            handler.run_inference([IMAGES[0], IMAGES[1].astype(np.float32), IMAGES[2]], model)
        with self.assertRaisesRegex(ValueError, "is missing; 'other' is none of them"):
            handler.run_inference([{"other": IMAGES[0]}], model)
        two = oclite.Predictor(shared("sample_4x4x4x4x4_two_input_one_output"))
        with self.assertRaisesRegex(TypeError, "an example is a dictionary of 'input_1', 'input_2', not ndarray"):
            handler.run_inference([IMAGES[0]], two)

    def test_shapes_that_differ(self):
        """Examples of other shapes are computed one by one."""
        handler = oclite.beam.ModelHandler(own("shapes_label"))
        results = handler.run_inference([IMAGES[0], IMAGES[1][np.newaxis]], handler.load_model())
        np.testing.assert_array_equal(results[0].inference["output_0"], WANT[0])
        np.testing.assert_array_equal(results[1].inference["output_0"], WANT[1:2])

    def test_what_beam_asks(self):
        handler = oclite.beam.ModelHandler(own("shapes_label"), min_batch_size=2, max_batch_size=5)
        self.assertEqual(handler.get_num_bytes([IMAGES[0], {NAME: IMAGES[1]}]), 2 * IMAGES[0].nbytes)
        self.assertEqual(handler.batch_elements_kwargs(), {"min_batch_size": 2, "max_batch_size": 5})
        handler.update_model_path(own("digits"))
        with self.assertRaisesRegex(ValueError, "Got value of type UINT8 but expected type FLOAT32"):
            handler.run_inference([IMAGES[0]], handler.load_model())

    def test_without_beam(self):
        with mock.patch.dict(sys.modules, {"apache_beam": None, "apache_beam.ml.inference.base": None}):
            kept = sys.modules.pop("oclite.beam")
            try:
                with self.assertRaisesRegex(ImportError, r"oclite.beam needs apache_beam: pip install 'oclite\[beam\]'"):
                    import oclite.beam  # pylint: disable=reimported,redefined-outer-name
            finally:
                sys.modules["oclite.beam"] = kept


if __name__ == "__main__":
    main()
