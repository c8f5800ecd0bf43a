#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Interpreter without anything else: each error, strings, views, types of less than a byte, layouts of structs."""
import copy
import ctypes
import gc
import os
import pathlib
import pickle
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from python_case import SOURCE, main, model_of, np, oclite, own, run, shared
from oclite import _structs

ZEROS = np.zeros((1, 8, 8, 1), np.float32)
HUGE = np.broadcast_to(np.float32(1), (2**33,))  # 32 GiB for those who copy it


def digits():
    """An interpreter, and the indices of its input and output."""
    made = oclite.Interpreter(own("digits"))
    return made, made.get_input_details()[0]["index"], made.get_output_details()[0]["index"]


def one_tensor(kind, shape=(4, 4), **fields):
    """A model whose only tensor is input and output."""
    return model_of([], [{"shape": list(shape), "type": kind, "buffer": 0, "name": "x", **fields}], [0], [0])


class Construction(unittest.TestCase):
    def test_sources(self):
        with open(own("digits"), "rb") as file:
            content = file.read()
        changed = bytearray(content)
        made = [oclite.Interpreter(own("digits")), oclite.Interpreter(os.fsencode(own("digits"))),
                oclite.Interpreter(pathlib.Path(own("digits"))), oclite.Interpreter(model_content=content),
                oclite.Interpreter(model_content=changed), oclite.Interpreter(model_content=memoryview(content))]
        changed[:] = bytes(len(changed))  # the interpreter has a copy
        del content
        gc.collect()
        want = run(made[0], ZEROS)[0]
        for interpreter in made[1:]:
            np.testing.assert_array_equal(run(interpreter, ZEROS)[0], want)

    def test_refusals(self):
        path = own("digits")
        with tempfile.TemporaryDirectory() as folder:
            for words, kind, arguments in [
                    ("must be specified", ValueError, {}), ("both", ValueError, {"model_path": path, "model_content": b"x"}),
                    ("Could not open", ValueError, {"model_path": os.path.join(folder, "none.tflite")}),
                    ("Could not open", ValueError, {"model_path": folder}),
                    ("zero byte", ValueError, {"model_path": "a\0b"}),
                    ("not a valid Flatbuffer", ValueError, {"model_content": b"abc"}),
                    ("", TypeError, {"model_content": "abc"}), ("", TypeError, {"model_path": 5}),
                    ("", TypeError, {"model_content": 5}), ("repeats the same bytes", ValueError, {"model_content": HUGE}),
                    ("num_threads should be int", ValueError, {"model_path": path, "num_threads": "2"}),
                    ("num_threads should >= 1", ValueError, {"model_path": path, "num_threads": 0}),
                    ("resolver", ValueError, {"model_path": path, "experimental_op_resolver_type": 1}),
                    ("5 is no delegate", TypeError, {"model_path": path, "experimental_delegates": [5]}),
                    ("5 is none of", TypeError, {"model_path": path, "operators": [5]}),
                    ("memory_limit", ValueError, {"model_path": path, "memory_limit": -1}),
                    ("memory_limit", TypeError, {"model_path": path, "memory_limit": "1"}),
                    ("unexpected keyword", TypeError, {"model_path": path, "threads": 1})]:
                with self.subTest(words, arguments=arguments), self.assertRaisesRegex(kind, words):
                    oclite.Interpreter(**arguments)

    def test_arguments_of_the_reference(self):
        made = oclite.Interpreter(own("digits"), None, None, 2, oclite.OpResolverType.BUILTIN_REF, True, True, True, True,
                                  True, True)
        self.assertTrue(made.experimental_compress_quantization_zero_points)
        np.testing.assert_allclose(run(made, ZEROS)[0].sum(), 1, rtol=1e-5)

    def test_memory_limit(self):
        made = oclite.Interpreter(own("digits"), memory_limit=100)
        with self.assertRaisesRegex(RuntimeError, "memory"):
            made.allocate_tensors()

    def test_close(self):
        made, x, _ = digits()
        made.allocate_tensors()
        made.close()
        made.close()
        for call in (made.allocate_tensors, made.invoke, made.get_input_details, made.get_tensor_details, made.num_subgraphs,
                     made.cancel, made.reset_all_variables, made._get_ops_details, lambda: made.get_tensor(x),
                     made.tensor(x), lambda: made.set_tensor(x, ZEROS), lambda: made.resize_tensor_input(x, [1])):
            with self.assertRaisesRegex(RuntimeError, "closed"):
                call()
        with self.assertRaisesRegex(RuntimeError, "closed"), made:
            pass
        with oclite.Interpreter(own("digits")) as inner:
            run(inner, ZEROS)
        self.assertRaises(RuntimeError, inner.invoke)


    def test_copies(self):
        made = oclite.Interpreter(own("digits"))
        for function in (copy.copy, copy.deepcopy, pickle.dumps):
            for owner in (made, made._native):
                self.assertRaisesRegex(TypeError, "copied", function, owner)

    def test_missing_libraries(self):
        """Another process: this one has the libraries."""
        program = "import oclite\ntry: oclite.Interpreter('x')\nexcept OSError as error: print(error)"
        with tempfile.TemporaryDirectory() as folder:
            environment = dict(os.environ, OCLITE_LIBRARY_DIR=folder, PYTHONPATH=os.path.dirname(os.path.dirname(oclite.__file__)))
            said = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
            self.assertIn(f"there is no {folder}/liboclite.so", said.stdout)
            self.assertEqual(said.stderr, "")
            said = subprocess.run([sys.executable, "-m", "oclite"], env=environment, capture_output=True, text=True, check=False)
            self.assertEqual(said.returncode, 1)
            self.assertIn("the program is not at", said.stderr)


class Errors(unittest.TestCase):
    def refuses(self, kind, words, function, *arguments, **keywords):
        with self.subTest(words, arguments=arguments), self.assertRaisesRegex(kind, words):
            function(*arguments, **keywords)

    def test_order_of_calls(self):
        made, x, y = digits()
        self.refuses(RuntimeError, "Invoke called on model that is not ready", made.invoke)
        self.refuses(ValueError, r"Run allocate_tensors\(\) first", made.get_tensor, x)
        self.refuses(ValueError, r"Run allocate_tensors\(\) first", made.tensor(x))
        self.refuses(ValueError, "unallocated", made.set_tensor, x, ZEROS)
        made.allocate_tensors()
        made.resize_tensor_input(x, [2, 8, 8, 1])
        self.refuses(RuntimeError, "not ready", made.invoke)
        self.refuses(ValueError, "null", made.get_tensor, x)
        self.refuses(ValueError, "unallocated", made.set_tensor, x, np.zeros((2, 8, 8, 1), np.float32))
        self.refuses(RuntimeError, "RESHAPE", made.allocate_tensors)  # a model of one image
        made.resize_tensor_input(x, [1, 8, 8, 1])
        made.allocate_tensors()
        made.invoke()
        self.assertEqual(made.get_tensor(y).shape, (1, 10))

    def test_values(self):
        made, x, _ = digits()
        made.allocate_tensors()
        for value in (ZEROS.astype(np.float64), ZEROS.astype(np.int32), None, "text", b"", object(), [1.5], ZEROS > 0):
            self.refuses(ValueError, "Got value of type", made.set_tensor, x, value)
        self.refuses(ValueError, "Got 7 but expected 8 for dimension 1", made.set_tensor, x, ZEROS[:, 1:])
        self.refuses(ValueError, "Got 3 but expected 4", made.set_tensor, x, ZEROS[0])
        self.refuses(ValueError, "", made.set_tensor, x, [[1.0], [1.0, 2.0]])
        made.set_tensor(x, np.arange(64, dtype=np.float32).reshape(8, 8).T.reshape(1, 8, 8, 1)[:, ::-1])  # strides
        np.testing.assert_array_equal(made.get_tensor(x)[0, 0, :, 0], np.arange(7, 64, 8))
        made.set_tensor(x, (ZEROS + 2).astype(">f4"))
        np.testing.assert_array_equal(made.get_tensor(x), ZEROS + 2)

    def test_indices(self):
        made, x, _ = digits()
        made.allocate_tensors()
        for index in (-1, 9999, 2**31, -2**40, 10**30):
            for function in (made.get_tensor, lambda i: made.set_tensor(i, ZEROS), lambda i: made.tensor(i)(),
                             lambda i: made._get_tensor_details(i, 0), made._get_op_details):
                self.refuses(ValueError, "Invalid", function, index)
        for index in ("0", 1.5, None, [0]):
            for function in (made.get_tensor, lambda i: made.set_tensor(i, ZEROS), made.tensor, made._get_op_details,
                             lambda i: made.resize_tensor_input(i, [1]), lambda i: made.get_tensor(0, i)):
                self.refuses(TypeError, "integer", function, index)
        self.refuses(ValueError, "subgraph", made.get_tensor, 0, 7)
        self.refuses(ValueError, "out of range: 3", made.get_tensor_details, 3)
        self.assertEqual(made.get_tensor(np.int64(x)).shape, ZEROS.shape)

    def test_shapes(self):
        made, x, _ = digits()
        self.refuses(RuntimeError, "no tensor 999", made.resize_tensor_input, 999, [1])
        self.refuses(RuntimeError, "negative", made.resize_tensor_input, x, [-1, 2])
        self.refuses(RuntimeError, "", made.resize_tensor_input, x, [2**31 - 1] * 4)
        self.refuses(ValueError, "1D instead of 0", made.resize_tensor_input, x, 5)
        self.refuses(ValueError, "1D instead of 2", made.resize_tensor_input, x, [[1]])
        self.refuses(ValueError, "dimensions are arrays", made.resize_tensor_input, x, [HUGE])
        self.refuses(ValueError, "", made.resize_tensor_input, x, "ab")
        self.refuses(ValueError, "", made.resize_tensor_input, x, [2**40])
        constant = next(i for i in made._get_ops_details()[0]["inputs"] if i != x)
        self.refuses(RuntimeError, "constant", made.resize_tensor_input, constant, [2])
        made.resize_tensor_input(x, [2, 3])
        self.refuses(RuntimeError, "CONV_2D", made.allocate_tensors)
        made.resize_tensor_input(x, [1, 8, 8, 1])
        made.allocate_tensors()
        self.refuses(ValueError, "constant", made.set_tensor, constant, made.get_tensor(constant))
        self.assertFalse(made.tensor(constant)().flags.writeable)

    def test_strict_resize(self):
        made = oclite.Interpreter(model_content=one_tensor(0, (1, 4), shape_signature=[-1, 4]))
        made.resize_tensor_input(0, [3, 4], strict=True)
        self.refuses(RuntimeError, "dimension 1 of tensor 0 with value 4 to 5", made.resize_tensor_input, 0, [3, 5], True)
        self.refuses(RuntimeError, "from 2 to 1 dimensions", made.resize_tensor_input, 0, [3], strict=True)
        made.allocate_tensors()
        self.assertEqual(made.get_tensor(0).shape, (3, 4))

    def test_unresolved_operator(self):
        made = oclite.Interpreter(own("atan"))
        self.refuses(RuntimeError, "unresolved custom op: Atan", made.allocate_tensors)

    def test_signatures(self):
        made = oclite.Interpreter(own("atan"))
        self.refuses(ValueError, "model has 0 Signatures", made.get_signature_runner)
        self.refuses(ValueError, 'Invalid signature_key provided: "x"', made.get_signature_runner, "x")
        self.refuses(ValueError, "None interpreter", oclite.SignatureRunner)
        made = oclite.Interpreter(shared("ops/reverse_signature_model"))
        runner, one = made.get_signature_runner(), np.ones((1, 8), np.float32)
        self.refuses(ValueError, "expected 2 vs provided 1", runner, x=one)
        self.refuses(ValueError, r"Invalid Input name \(z\)", runner, x=one, z=one)
        self.refuses(ValueError, "Got value of type FLOAT64", runner, x=one.astype(float), y=one)
        self.refuses(RuntimeError, "", runner, x=np.ones((1, 7), np.float32), y=one)
        np.testing.assert_array_equal(runner(x=one, y=one)["sum"], one * 2)
        held = made.tensor(made.get_input_details()[0]["index"])()
        self.refuses(RuntimeError, "reference to internal data", runner, x=one, y=one)
        del held
        made.close()
        self.refuses(RuntimeError, "closed", runner, x=one, y=one)
        self.refuses(RuntimeError, "closed", runner.get_input_details)


class Tensors(unittest.TestCase):
    def test_views(self):
        made, x, y = digits()
        made.allocate_tensors()
        view = made.tensor(x)
        view()[:] = 1
        np.testing.assert_array_equal(made.get_tensor(x), ZEROS + 1)
        held = view()[0, 2:, :, 0]
        for call in (made.invoke, made.allocate_tensors, lambda: made.resize_tensor_input(x, [1, 8, 8, 1])):
            with self.assertRaisesRegex(RuntimeError, "reference to internal data"):
                call()
        del held
        made.invoke()
        copy, result = made.get_tensor(y), made.tensor(y)()
        np.testing.assert_array_equal(copy, result)
        copy[:] = 0
        self.assertGreater(result.max(), 0)

    def test_views_outlive_the_interpreter(self):
        made, x, _ = digits()
        made.allocate_tensors()
        view = made.tensor(x)()
        view[:] = 7
        made.close()
        del made
        gc.collect()
        others = [run(oclite.Interpreter(own("digits")), ZEROS) for _ in range(5)]
        np.testing.assert_array_equal(view, ZEROS + 7)
        self.assertEqual(len(others), 5)

    def test_dlpack(self):
        if not hasattr(np, "from_dlpack"):
            self.skipTest("this NumPy has no DLPack")
        made, x, y = digits()
        made.allocate_tensors()
        other = np.from_dlpack(made.tensor(x)())
        self.assertEqual(other.ctypes.data, made.tensor(x)().ctypes.data)  # no copy
        self.assertRaises(RuntimeError, made.invoke)
        del other
        made.invoke()
        self.assertEqual(np.from_dlpack(made.get_tensor(y)).shape, (1, 10))

    def test_types(self):
        """Schema type: its class of NumPy; what is written comes back."""
        for kind, dtype in enumerate((np.float32, np.float16, np.int32, np.uint8, np.int64, None, np.bool_, np.int16,
                                      np.complex64, np.int8, np.float64, np.complex128, np.uint64, None, None, np.uint32,
                                      np.uint16)):
            if dtype is None:
                continue
            made = oclite.Interpreter(model_content=one_tensor(kind))
            self.assertIs(made.get_input_details()[0]["dtype"], dtype)
            value = np.random.default_rng(kind).integers(0, 2, (4, 4)).astype(dtype)
            np.testing.assert_array_equal(run(made, value)[0], value)
            self.assertEqual(made.tensor(0)().dtype, dtype)

    def test_elements_of_some_bits(self):
        for kind, dtype, low, high in ((17, np.int8, -8, 8), (19, np.int8, -2, 2), (20, np.uint8, 0, 16)):
            for shape in ((4, 4), (3, 1), (1, 1), (0, 2)):
                made = oclite.Interpreter(model_content=one_tensor(kind, shape))
                value = np.random.default_rng(kind).integers(low, high, shape).astype(dtype)
                np.testing.assert_array_equal(run(made, value)[0], value)
            self.assertRaisesRegex(ValueError, "bits", made.tensor(0))

    def test_empty_and_scalar(self):
        for shape in ((0, 3), ()):
            made = oclite.Interpreter(model_content=one_tensor(0, shape, has_rank=True))
            self.assertEqual(run(made, np.zeros(shape, np.float32))[0].shape, shape)
            self.assertEqual(made.tensor(0)().shape, shape)

    def test_resources(self):
        made = oclite.Interpreter(model_content=one_tensor(13))
        self.assertIs(made.get_input_details()[0]["dtype"], np.object_)
        self.assertRaisesRegex(ValueError, "no numbers", made.get_tensor, 0)

    def test_strings(self):
        made = oclite.Interpreter(shared("ops/gather_string"))
        made.allocate_tensors()
        x, places = (detail["index"] for detail in made.get_input_details())
        self.assertRaisesRegex(ValueError, "null", made.get_tensor, x)
        self.assertRaisesRegex(ValueError, "Strings", made.tensor(x))
        for values in (np.array([b"a", b"bcd\0x"] * 5), np.array(["a", "bc\u00e9"] * 5),
                       np.array([b"", "text"] * 5, object), ["a", "b"] * 5):
            made.set_tensor(x, values)
            want = [value if isinstance(value, bytes) else value.encode() for value in np.asarray(values).tolist()]
            self.assertEqual(made.get_tensor(x).tolist(), want)
            made.set_tensor(places, np.array([1, 0, 9]))
            made.invoke()
            got = made.get_tensor(made.get_output_details()[0]["index"])
            self.assertEqual((got.tolist(), got.dtype), ([want[1], want[0], want[9]], np.dtype(object)))
        for wrong in (np.arange(10), np.array([1] * 10, object), ["a"] * 9, "a"):
            with self.assertRaises(ValueError):
                made.set_tensor(x, wrong)

    def test_sparse_and_quantized_details(self):
        """Fields that the models at hand do not have; the values are LiteRT's for the same models."""
        metadata = [{"format": 0, "dense_size": 2},
                    {"format": 1, "segments_type": 1, "segments": {"values": [0, 1, 2]}, "indices_type": 1,
                     "indices": {"values": [0, 1]}}, {"format": 0, "dense_size": 2}]
        sparsity = {"traversal_order": [0, 1, 2], "block_map": [1], "dim_metadata": metadata}
        data = np.arange(4, dtype=np.float32).tobytes()
        model = model_of([], [{"shape": [2, 4], "buffer": 1, "name": "x", "sparsity": sparsity}], [], [0], [data])
        found = oclite.Interpreter(model_content=model).get_output_details()[0]["sparsity_parameters"]
        self.assertEqual(list(found), ["traversal_order", "block_map", "dim_metadata"])
        self.assertEqual([found["traversal_order"].tolist(), found["block_map"].tolist()], [[0, 1, 2], [1]])
        self.assertEqual(found["dim_metadata"][0], {"format": 0, "dense_size": 2})
        self.assertEqual([found["dim_metadata"][1][name].tolist() for name in ("array_segments", "array_indices")],
                         [[0, 1, 2], [0, 1]])
        model = one_tensor(9, (2, 2), quantization={"scale": [0.5, 0.25], "zero_point": [1, 2], "axis": 1})
        found = oclite.Interpreter(model_content=model).get_input_details()[0]
        self.assertEqual(found["quantization"], (0.0, 0))
        found = found["quantization_parameters"]
        self.assertEqual([found["scales"].tolist(), found["zero_points"].tolist()], [[0.5, 0.25], [1, 2]])
        self.assertEqual([found["quantized_dimension"], found["block_size"]], [1, 0])

    def test_variables(self):
        made = oclite.Interpreter(shared("keyword_scrambled"))
        values = np.random.default_rng(0).integers(-999, 999, made.get_input_details()[0]["shape"]).astype(np.int16)
        first = run(made, values)
        states = [i for i in range(len(made.get_tensor_details())) if made._native.tensor(i, 0).is_variable]
        self.assertTrue(any(made.get_tensor(i).any() for i in states))
        made.reset_all_variables()
        for i in states:  # an INT8 or INT16 state of 0 is its zero point
            zero_point = made._get_tensor_details(i, 0)["quantization"][1]
            np.testing.assert_array_equal(made.get_tensor(i), np.full_like(made.get_tensor(i), zero_point))
        np.testing.assert_array_equal(run(made, values)[0], first[0])


class Layouts(unittest.TestCase):
    def test_structs(self):
        """Those of the API lie as the C library's tests say."""
        with open(os.path.join(SOURCE, "tests", "api", "layout.def"), encoding="utf-8") as file:
            table = file.read()
        compared = 0
        for struct in vars(_structs).values():
            if not isinstance(struct, type) or not issubclass(struct, ctypes.Structure):
                continue
            name = f"TfLite{struct.__name__}"
            found = re.search(rf"^STRUCT\(\w+, {name}, (\d+),", table, re.M)
            if found is None or name == "TfLiteNode":  # Node is OcliteNode
                continue
            if "Array" not in name:  # whose elements follow
                self.assertEqual(ctypes.sizeof(struct), int(found[1]), name)
            for field, *_ in struct._fields_:
                offset = re.search(rf"(?:FIELD|NESTED)\({name}, {field}, (\d+)\)", table)
                self.assertEqual(getattr(struct, field).offset, int(offset[1]), f"{name}.{field}")
                compared += 1
        self.assertGreater(compared, 20)

    def test_structs_of_oclite(self):
        """A C program says where the fields lie that the headers of this tree have. That of the options is as long here."""
        compiler = shutil.which("cc")
        if compiler is None:
            self.skipTest("no C compiler")
        structs = {"OcliteNode": _structs.Node, "OcliteFlex": _structs.Flex, "OcliteOpenclNode": _structs.OpenclNode,
                   "OcliteOpenclKernel": _structs.OpenclKernel, "OcliteOpenclPlacement": _structs.OpenclPlacement,
                   "OcliteOpenclDelegateOptions": _structs.OpenclOptions}
        lines = [f'#include "oclite/{name}.h"' for name in ("oclite", "opencl", "flexbuffers")]
        lines += ["#include <stdio.h>", "int main(void) {"]
        want = []
        for name, struct in structs.items():
            lines.append(f'printf("{name} %zu\\n", sizeof({name}));')
            want.append(f"{name} {ctypes.sizeof(struct)}")
            for field, *_ in struct._fields_:
                lines.append(f'printf("{name}.{field} %zu\\n", offsetof({name}, {field}));')
                want.append(f"{name}.{field} {getattr(struct, field).offset}")
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "layout")
            subprocess.run([compiler, "-xc", "-", "-o", program, f"-I{SOURCE}/include"], input="\n".join([*lines, "}"]), text=True,
                           check=True)
            said = subprocess.run([program], capture_output=True, text=True, check=True).stdout
        self.assertEqual(said.splitlines(), want)


if __name__ == "__main__":
    main()
