#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The same script with oclite's Interpreter and with LiteRT's, on every model: all fields of all details, and results."""
import glob
import os
import unittest

from python_case import OWN, SHARED, litert, main, np, oclite, skip

try:
    import compare  # exits with 77 where there is no LiteRT
except ImportError as missing:
    skip(f"this Python lacks something ({missing})")

# What LiteRT cannot run: unresolved operators, and memory that it writes beyond (tests/models/compare.py).
NOT_RUN = compare.NOT_RUN | {"atan", "keyword_scrambled_8bit", "whitespace_tokenizer_to_ragged_1d_input",
                             "whitespace_tokenizer_to_ragged_2d_input", "whitespace_tokenizer_to_tensor"}


def models():
    paths = glob.glob(f"{OWN}/*.tflite") + glob.glob(f"{SHARED}/models/*.tflite") + glob.glob(f"{SHARED}/models/ops/*.tflite")
    return sorted(paths)


class Comparison(unittest.TestCase):
    def assert_same(self, got, want, where):
        """The same value, of the same type, all the way down."""
        self.assertIs(type(got), type(want), where)
        if isinstance(want, dict):
            self.assertEqual(list(got), list(want), where)
            for key in want:
                self.assert_same(got[key], want[key], f"{where}[{key!r}]")
        elif isinstance(want, (list, tuple)):
            self.assertEqual(len(got), len(want), where)
            for i, pair in enumerate(zip(got, want)):
                self.assert_same(*pair, f"{where}[{i}]")
        elif isinstance(want, np.ndarray):
            self.assertEqual((got.dtype, got.shape), (want.dtype, want.shape), where)
            np.testing.assert_array_equal(got, want, where)
        else:
            self.assertEqual(got, want, where)

    def assert_same_details(self, ours, theirs, where):
        self.assert_same(ours.get_input_details(), theirs.get_input_details(), f"{where}: inputs")
        self.assert_same(ours.get_output_details(), theirs.get_output_details(), f"{where}: outputs")
        self.assert_same(ours._get_full_signature_list(), theirs._get_full_signature_list(), f"{where}: signatures")
        self.assert_same(ours.get_signature_list(), theirs.get_signature_list(), f"{where}: signatures")
        for key in theirs.get_signature_list():
            pair = ours.get_signature_runner(key), theirs.get_signature_runner(key)
            self.assert_same(pair[0].get_input_details(), pair[1].get_input_details(), f"{where}: {key}")
            self.assert_same(pair[0].get_output_details(), pair[1].get_output_details(), f"{where}: {key}")

    def assert_same_tensors(self, ours, theirs, where):
        """Before operators add tensors of their own, which they do in another way."""
        own = {detail["index"]: detail for detail in ours.get_tensor_details()}
        for detail in theirs.get_tensor_details():
            self.assert_same(own[detail["index"]], detail, f"{where}: tensor {detail['index']}")

    def assert_right(self, got, path, data, values, where):
        """As close as tests/models/compare.py demands: to LiteRT's default, else to its reference kernels."""
        resolvers = litert().OpResolverType
        want = compare.litert(data, resolvers.AUTO, lambda _: values)[1]
        self.assertEqual(len(got), len(want), where)
        also = want
        if any(compare.difference(*three) > 1 for three in zip(got, want, also)):
            want = compare.litert(data, resolvers.BUILTIN_REF, lambda _: values)[1]
        for three in zip(got, want, also):
            self.assertLessEqual(compare.difference(*three), 1, where)

    def compare_model(self, path):
        where = os.path.basename(path).removesuffix(".tflite")
        with open(path, "rb") as file:
            data = compare.loadable(file.read())
        ours, theirs = oclite.Interpreter(model_content=data), litert().Interpreter(model_content=data, num_threads=1)
        self.assertEqual(ours.num_subgraphs(), len([g for g in range(ours.num_subgraphs()) if ours.get_tensor_details(g)]))
        self.assert_same_details(ours, theirs, where)
        self.assert_same_tensors(ours, theirs, where)
        if where in NOT_RUN:
            return False
        self.run_both(ours, theirs, path, data, where)
        return True

    def run_both(self, ours, theirs, path, data, where):
        ours.allocate_tensors()
        details = ours.get_input_details()
        for whole in (4, 0):  # 0 where an index would be too large
            values = list(compare.seeded(details, whole))
            for detail, value in zip(details, values):
                ours.set_tensor(detail["index"], value)
            try:
                ours.invoke()
                break
            except RuntimeError:
                if whole == 0:
                    raise
        theirs.allocate_tensors()
        for detail, value in zip(details, values):
            theirs.set_tensor(detail["index"], value)
        theirs.invoke()
        self.assert_same_details(ours, theirs, f"{where} after invoke")
        got = [ours.get_tensor(d["index"]) for d in ours.get_output_details()]
        self.assert_right(got, path, data, values, where)

    def test_every_model(self):
        ran = 0
        for path in models():
            with self.subTest(os.path.basename(path)):
                ran += self.compare_model(path)
        print(f"{len(models())} models, {ran} of them run in both")
        self.assertGreaterEqual(ran, 2)

    def test_nodes(self):
        for name in ("digits", "digits_int8"):
            path = os.path.join(OWN, f"{name}.tflite")
            kind = litert().OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES
            theirs = litert().Interpreter(path, experimental_op_resolver_type=kind)
            self.assert_same(oclite.Interpreter(path)._get_ops_details(), theirs._get_ops_details(), name)

    def test_signature_results(self):
        for path in models():
            where = os.path.basename(path).removesuffix(".tflite")
            if where in NOT_RUN:
                continue
            with open(path, "rb") as file:
                data = compare.loadable(file.read())
            theirs = litert().Interpreter(model_content=data)
            for key in theirs.get_signature_list():
                with self.subTest(where, key=key):
                    runner = oclite.Interpreter(model_content=data).get_signature_runner(key)
                    reference = theirs.get_signature_runner(key)
                    details = reference.get_input_details()
                    values = dict(zip(details, compare.seeded(details.values(), 2)))
                    got, want = runner(**values), reference(**values)
                    self.assertEqual(list(got), list(want))
                    for name, value in want.items():
                        self.assertLessEqual(compare.difference(got[name], value, value), 1, name)


if __name__ == "__main__":
    main()
