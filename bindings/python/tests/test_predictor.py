#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""oclite.Predictor: rows that go through a model together, or one after another, and what it is told wrongly."""
import pickle
import unittest
from concurrent.futures import ThreadPoolExecutor

from python_case import main, np, oclite, own, run, shared

RNG = np.random.default_rng(0)
BOOL, INT64, STRING = 6, 4, 5  # TensorType
RESHAPE, MEAN, SUB, EQUAL, WHERE = 22, 40, 41, 71, 109  # BuiltinOperator


def model(operators, tensors, inputs, outputs, buffers=()):
    """A model's bytes: (code, inputs, outputs, options) for each operator."""
    try:
        import model_writer
    except ImportError as missing:
        raise unittest.SkipTest(f"no FlatBuffers ({missing})") from None
    codes = [{"deprecated_builtin_code": code, "builtin_code": code, "version": 1} for code, *_ in operators]
    nodes = [{"opcode_index": i, "inputs": sources, "outputs": results, **({"options": options} if options else {})}
             for i, (_, sources, results, options) in enumerate(operators)]
    return model_writer.write({
        "version": 3, "operator_codes": codes, "buffers": [{}, *({"data": np.array(data, np.int32).tobytes()} for data in buffers)],
        "subgraphs": [{"tensors": tensors, "inputs": inputs, "outputs": outputs, "operators": nodes}]})


def images(count):
    """For the model shapes_label."""
    return RNG.integers(0, 256, (count, 64, 64, 3), np.uint8)


def one_by_one(path, name, rows):
    """The reference: an interpreter that is opened for each row."""
    results = []
    for row in rows:
        results.append(run(oclite.Interpreter(path), row[np.newaxis])[0])
    return {name: np.concatenate(results)}


class Rows(unittest.TestCase):
    def check(self, path, name, values, can_resize, **arguments):
        """All rows in one call, in chunks, and one after another: the same bits."""
        (given, *_), want = oclite.Predictor(path).get_input_details(), one_by_one(path, name, values)
        for batch in (1, 4, 16):
            predict = oclite.Predictor(path, batch=batch, **arguments)
            for _ in range(2):
                got = predict({given: values})
                self.assertEqual(list(got), [name])
                np.testing.assert_array_equal(got[name], want[name])
            self.assertIs(predict._can_resize, can_resize if batch > 1 else False)

    def test_together(self):
        self.check(own("shapes_label"), "output_0", images(11), True)

    def test_one_after_another(self):
        """A reshape to a constant shape; a state of one row."""
        self.check(own("digits"), "output_0", RNG.random((11, 8, 8, 1), np.float32), False)
        self.check(shared("trained_lstm"), "sequential", RNG.random((5, 28, 28), np.float32), False)

    def test_whole_inputs(self):
        """A dimension in front of the model's own."""
        rows = images(3)[:, np.newaxis]
        predict = oclite.Predictor(own("shapes_label"))
        (name,) = predict.get_input_details()
        want = predict({name: rows[:, 0]})["output_0"]
        np.testing.assert_array_equal(predict({name: rows})["output_0"], want[:, np.newaxis])

    def test_a_model_that_mixes_rows(self):
        """x minus the mean over the first dimension: all shapes are right for many rows, and the values are others."""
        content = model([(MEAN, [0, 1], [2], ("Reducer", {"keep_dims": True})), (SUB, [0, 2], [3], ("Sub", {}))],
                        [{"name": "x", "shape": [1, 4]}, {"name": "axis", "shape": [1], "type": 2, "buffer": 1},
                         {"name": "mean", "shape": [1, 4]}, {"name": "y", "shape": [1, 4]}], [0], [3], [[0]])
        predict = oclite.Predictor(content)
        got = predict({"x": RNG.random((5, 4), np.float32)})["y"]
        np.testing.assert_array_equal(got, np.zeros((5, 4)))
        self.assertIs(predict._can_resize, False)

    def test_a_model_of_four_rows(self):
        """The last four are filled up, and cut."""
        content = model([(RESHAPE, [0, 1], [2], ("Reshape", {"new_shape": [4, 2]}))],
                        [{"name": "x", "shape": [4, 2]}, {"name": "shape", "shape": [2], "type": 2, "buffer": 1},
                         {"name": "y", "shape": [4, 2]}], [0], [2], [[4, 2]])
        for rows in (1, 3, 4, 7, 21):
            values = RNG.random((rows, 2), np.float32)
            for batch in (1, 6, 16):
                np.testing.assert_array_equal(oclite.Predictor(content, batch=batch)({"x": values})["y"], values)

    def test_strings(self):
        content = model([(EQUAL, [0, 1], [2], None)],
                        [{"name": name, "shape": [1], "type": STRING} for name in "ab"]
                        + [{"name": "same", "shape": [1], "type": BOOL}], [0, 1], [2])
        predict = oclite.Predictor(content)
        got = predict({"a": np.array(["x", "y", "z"]), "b": np.array([b"x", b"z", b"z"], object)})["same"]
        np.testing.assert_array_equal(got, [True, False, True])

    def test_results_of_many_shapes(self):
        """What differs between rows comes as objects, also where the rows of a chunk agree by chance."""
        content = model([(WHERE, [0], [1], None)], [{"name": "x", "shape": [4], "type": BOOL},
                                                    {"name": "where", "shape": [1, 1], "type": INT64}], [0], [1])
        rows = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [1, 1, 0, 1], [0, 0, 0, 0]], bool)
        for batch in (1, 2, 16):
            got = oclite.Predictor(content, batch=batch)({"x": rows})["where"]
            self.assertEqual((got.dtype, len(got)), (object, 4))
            for row, found in zip(rows, got):
                np.testing.assert_array_equal(found[:, 0], np.flatnonzero(row))
        with self.assertRaisesRegex(ValueError, "output 'where' .* does not begin with the 4 rows"):
            oclite.Predictor(content)({"x": rows[0]})

    def test_no_rows(self):
        predict = oclite.Predictor(own("digits"))
        got = predict({name: np.empty((0, 8, 8, 1), np.float32) for name in predict.get_input_details()})
        self.assertEqual({name: (value.shape, value.dtype) for name, value in got.items()},
                         {"output_0": ((0, 10), np.float32)})

    def test_an_open_signature(self):
        predict = oclite.Predictor(shared("sample_4x4x4x4x4_two_input_one_output"), signature="serving_default")
        values = {name: RNG.random((5, 4, 4, 4, 4, 4), np.float32) for name in predict.get_input_details()}
        (got,) = predict(values).values()
        np.testing.assert_array_equal(got, sum(values.values()))
        self.assertIs(predict._can_resize, True)


class Use(unittest.TestCase):
    def test_pickle(self):
        with open(own("digits"), "rb") as file:
            content = file.read()
        values = RNG.random((3, 8, 8, 1), np.float32)
        for source in (own("digits"), content):
            predict = oclite.Predictor(source, threads=2, batch=2)
            (name,) = predict.get_input_details()
            with pickle.loads(pickle.dumps(predict)) as again:
                self.assertEqual(again._arguments, predict._arguments)
                np.testing.assert_array_equal(again({name: values})["output_0"], predict({name: values})["output_0"])
            with self.assertRaisesRegex(RuntimeError, "closed"):
                again({name: values})

    def test_details_stay(self):
        """They are the model's, not those of the rows that it has had."""
        predict = oclite.Predictor(own("shapes_label"))
        (name,) = predict.get_input_details()
        predict({name: images(3)})
        self.assertEqual(predict.get_input_details()[name]["shape"].tolist(), [1, 64, 64, 3])
        self.assertEqual(predict.get_output_details()["output_0"]["shape"].tolist(), [1, 3])

    def test_threads_take_turns(self):
        predict = oclite.Predictor(own("shapes_label"), batch=4)
        (name,) = predict.get_input_details()
        values = images(9)
        want = predict({name: values})["output_0"]

        def work(rows):
            return np.array_equal(predict({name: values[:rows]})["output_0"], want[:rows])
        with ThreadPoolExecutor(4) as pool:
            self.assertEqual(list(pool.map(work, [1, 9, 3, 5] * 4)), [True] * 16)

    def test_a_device(self):
        try:
            predict = oclite.Predictor(own("shapes_label"), delegate={"device": "any", "cache_dir": "off", "selftest": "off"})
        except ValueError as error:
            self.skipTest(f"no OpenCL device ({error})")
        (name,) = predict.get_input_details()
        values = images(3)
        want = oclite.Predictor(own("shapes_label"))({name: values})["output_0"]
        np.testing.assert_allclose(predict({name: values})["output_0"], want, atol=1e-4)


class Mistakes(unittest.TestCase):
    def test_arguments(self):
        for kind, said, arguments in (
                (TypeError, "batch is an integer, not str", {"batch": "4"}), (ValueError, "batch is at least 1, not 0", {"batch": 0}),
                (TypeError, "threads is an integer, not float", {"threads": 1.5}), (ValueError, "threads is at least 1", {"threads": 0}),
                (TypeError, "delegate is the name of a device or a dictionary", {"delegate": oclite}),
                (ValueError, "no_such_option", {"delegate": {"no_such_option": 1}}),
                (ValueError, 'Invalid signature_key provided: "absent"', {"signature": "absent"})):
            with self.subTest(arguments), self.assertRaisesRegex(kind, said):
                oclite.Predictor(own("shapes_label"), **arguments)
        with self.assertRaises(ValueError):
            oclite.Predictor(b"no model")
        with self.assertRaisesRegex(ValueError, "absent.tflite"):
            oclite.Predictor("absent.tflite")

    def test_inputs(self):
        predict = oclite.Predictor(own("digits"))
        (name,) = predict.get_input_details()
        good = np.zeros((2, 8, 8, 1), np.float32)
        for kind, said, given in (
                (TypeError, "inputs is a dictionary of arrays by name, not ndarray", good),
                (ValueError, f"inputs are '{name}'; '{name}' is missing", {}),
                (ValueError, f"inputs are '{name}'; 'other' is none of them", {name: good, "other": good}),
                (ValueError, "Got value of type FLOAT64 but expected type FLOAT32", {name: good.astype(np.float64)}),
                (ValueError, "Got value of type OBJECT but expected type FLOAT32", {name: good.astype(object)}),
                (ValueError, "Got 7 but expected 8 for dimension 2", {name: good[:, :, :7]}),
                (ValueError, "Got 2 but expected 4 or 5 for", {name: good[:, :, 0, 0]}),
                (ValueError, "input .*: setting an array element with a sequence", {name: [[1], [2, 3]]})):
            with self.subTest(said), self.assertRaisesRegex(kind, said):
                predict(given)
        self.assertEqual(predict({name: good})["output_0"].shape, (2, 10))

    def test_rows_that_differ(self):
        predict = oclite.Predictor(shared("sample_4x4x4x4x4_two_input_one_output"))
        first, second = predict.get_input_details()
        with self.assertRaisesRegex(ValueError, f"as many rows as each other, not 2 .'{first}'., 3 .'{second}'."):
            predict({first: np.zeros((2, 4, 4, 4, 4, 4), np.float32), second: np.zeros((3, 4, 4, 4, 4, 4), np.float32)})


if __name__ == "__main__":
    main()
