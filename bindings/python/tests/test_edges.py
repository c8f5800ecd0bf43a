#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Bad input: each is an exception that says what was expected, and whatever was open goes on working.

The ideas of the reference's own test of its Python API (tensorflow/lite/python/interpreter_test.py) and where each is tested:

  registerers of custom operators by name, by function, a wrong name, none    test_operators.py (oclite.load_operators)
  number of threads: negative, of another type; two threads                   test_interpreter.py, here
  kind of resolver: unknown; float with each                                  test_interpreter.py, here
  details and results of FLOAT32, UINT8, strings; strings without dimensions  test_models.py, test_interpreter.py, here
  details of quantization for each channel, of dense and sparse tensors       test_models.py, test_interpreter.py
  sparse contents                                                             here
  content that is no model, or too short; a path to nothing; neither          test_interpreter.py, here
  invoke before tensors are allocated                                         test_interpreter.py
  index of a tensor, a node, a subgraph that does not exist                   test_interpreter.py, here
  an input without elements, through a signature                              here
  tensor() refers, get_tensor() copies, and who may run meanwhile             test_interpreter.py, here (_safe_to_run)
  details of a node                                                           test_models.py
  a delegate: made, applied to one or several interpreters, options, failure  here
  the interpreter goes before the delegate                                    test_delegate.py, here
  subgraphs and their tensors with one signature and with two                 here

The counter of interpreters that the reference keeps for its maker has no counterpart.
"""
import asyncio
import contextlib
import ctypes
import gc
import os
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings
from concurrent.futures import ThreadPoolExecutor

from python_case import main, model_of, np, oclite, own, run

ZEROS = np.zeros((1, 8, 8, 1), np.float32)


def one_tensor(kind, shape=(4, 4), **fields):
    """A model whose only tensor is input and output."""
    return model_of([], [{"shape": list(shape), "type": kind, "buffer": 0, "name": "x", **fields}], [0], [0])


def digits(**keywords):
    made = oclite.Interpreter(own("digits"), **keywords)
    made.allocate_tensors()
    return made


def two_signatures():
    """Of two subgraphs, each with an operator of its own between x and y."""
    import model_writer
    code = [{"deprecated_builtin_code": 32, "builtin_code": 32, "custom_code": name, "version": 1} for name in ("Twice", "Thrice")]
    graphs = [{"tensors": [{"shape": [4], "shape_signature": [-1], "buffer": 0, "name": f"{name}_{tensor}"} for tensor in "xy"],
               "inputs": [0], "outputs": [1], "operators": [{"opcode_index": i, "inputs": [0], "outputs": [1]}]}
              for i, name in enumerate(("twice", "thrice"))]
    keys = [{"signature_key": name, "subgraph_index": i, "inputs": [{"name": "x", "tensor_index": 0}],
             "outputs": [{"name": "y", "tensor_index": 1}]} for i, name in enumerate(("twice", "thrice"))]
    return model_writer.write({"version": 3, "operator_codes": code, "subgraphs": graphs, "buffers": [{}], "signature_defs": keys})


def times(name, factor):
    return oclite.Operator(name, lambda call: np.multiply(call.inputs[0], factor, out=call.outputs[0]))


class Refusals(unittest.TestCase):
    def refuses(self, kind, words, function, *arguments, **keywords):
        with self.subTest(words, arguments=arguments), self.assertRaisesRegex(kind, words):
            function(*arguments, **keywords)


class Arguments(Refusals):
    def test_models(self):
        content = np.fromfile(own("digits"), np.uint8)
        run(oclite.Interpreter(model_content=content), ZEROS)
        run(oclite.Interpreter(model_content=np.repeat(content, 2)[::2]), ZEROS)
        for kind, words, keywords in (
                (ValueError, "must be specified", {"model_path": "", "model_content": b""}),
                (ValueError, "1 bytes are too few", {"model_content": np.zeros(1, np.uint8)}),
                (TypeError, "model_content is bytes, .* not list", {"model_content": [1]}),
                (TypeError, "model_path is a text or a path, not list", {"model_path": ["x"]}),
                (ValueError, "no text that UTF-8 can hold", {"model_path": "\ud800"}),
                (TypeError, "experimental_delegates is a list, not int", {"model_path": own("digits"), "experimental_delegates": 5}),
                (TypeError, "experimental_delegates is a list, not str", {"model_path": own("digits"), "experimental_delegates": "ab"}),
                (TypeError, "0.0.* is no delegate", {"model_path": own("digits"), "experimental_delegates": np.zeros(2)}),
                (TypeError, "operators is a list, not Operator", {"model_path": own("atan"), "operators": times("Atan", 1)})):
            self.refuses(kind, words, oclite.Interpreter, **keywords)
        self.assertEqual(len(digits(operators=None, experimental_delegates=None).get_input_details()), 1)

    def test_delegates_without_an_address(self):
        class Foreign:
            def __init__(self, address):
                self.address = address

            def _get_native_delegate_pointer(self):
                return self.address
        for address in (None, 0, "x", 1.5):
            self.refuses(ValueError, "its address is", digits, experimental_delegates=[Foreign(address)])

    def test_numbers_of_numpy(self):
        made = digits()
        self.assertEqual(made.get_tensor(np.uint8(0), np.int16(0)).shape, ZEROS.shape)
        self.assertEqual(len(made.get_tensor_details(np.int64(0))), len(made.get_tensor_details()))
        self.assertEqual(made._get_op_details(np.array(0))["index"], 0)
        for name, value in (("min_nodes", np.int64(2)), ("tuning", np.bool_(True)), ("allow", np.int32(1)), ("deny", [np.int8(1)]),
                            ("error_budget", np.float32(0.5)), ("device", np.int64(0))):
            with self.subTest(name), contextlib.suppress(ValueError):  # of the library, where there is no device
                oclite.delegate(cache_dir="off", selftest="off", precision="auto", **{"error_budget": 0.1, name: value})
        for name, value in (("precision", np.zeros(3)), ("precision", []), ("min_nodes", np.float32(1)), ("deny", {}), ("tuning", np.int64(2)),
                            ("error_budget", float("nan")), ("error_budget", 10**400), ("device", "\ud800")):
            self.refuses(ValueError, f"option {name}: ", oclite.delegate, **{name: value})

    def test_shapes(self):
        made = oclite.Interpreter(model_content=one_tensor(0))
        for value in ([2, 3], (2, 3), np.array([2, 3], ">i2"), [2.0, 3.0], np.array([2, 3], np.uint64), np.array([2, 3], object)):
            made.resize_tensor_input(0, value)
            self.assertEqual(made.get_input_details()[0]["shape"].tolist(), [2, 3])
        for kind, words, value in (
                (ValueError, "integer, not 1.5", [1.5]), (ValueError, "not nan", [np.nan, 1]), (ValueError, "not inf", np.array([np.inf])),
                (TypeError, "not str: '2'", ["2"]), (TypeError, "not NoneType", [None]), (TypeError, "not complex", [1j]),
                (ValueError, "1D instead of 0", None), (ValueError, "1D instead of 0", "23"), (ValueError, "Shape", [[1], [1, 2]]),
                (ValueError, "32 bits", np.array([2**63], np.uint64)), (ValueError, "32 bits", [10**30]),
                (ValueError, "Shape has 8589934592 dimensions", np.broadcast_to(1, (2**33,))), (RuntimeError, "negative", [-1])):
            self.refuses(kind, words, made.resize_tensor_input, 0, value)
        made.allocate_tensors()
        self.assertEqual(made.get_tensor(0).shape, (2, 3))

    def test_values(self):
        """However the array lies in memory; and what is none, or one of another kind."""
        made = digits()
        want = np.arange(64, dtype=np.float32).reshape(ZEROS.shape)
        read_only = want.copy()
        read_only.flags.writeable = False
        for value in (want, np.asfortranarray(want), want.astype(">f4"), np.repeat(want, 2, axis=1)[:, ::2], want[:, ::-1][:, ::-1], read_only,
                      memoryview(want), np.ma.array(want), want.view(np.recarray)):
            made.set_tensor(0, ZEROS)
            made.set_tensor(0, value)
            np.testing.assert_array_equal(made.get_tensor(0), want)
        made.set_tensor(0, np.broadcast_to(np.float32(3), ZEROS.shape))
        np.testing.assert_array_equal(made.get_tensor(0), ZEROS + 3)
        for words, value in (
                ("type OBJECT but expected type FLOAT32", None), ("type OBJECT", ZEROS.astype(object)), ("type BOOL", ZEROS > 0),
                ("type STRING", "x"), ("type STRING", np.array([b"x"])), ("type DATETIME64", ZEROS.astype("M8[s]")),
                ("type VOID", ZEROS.astype("V4")),
                ("type COMPLEX64", ZEROS.astype(np.complex64)), ("type FLOAT16", ZEROS.astype(np.float16)), ("type INT64", 5),
                ("Got 0 but expected 4", np.float32(5)), ("Got 1 but expected 4", np.broadcast_to(np.array(1, ">f4"), (2**40,))),
                ("Cannot set tensor", [[1.0], [1.0, 2.0]])):
            self.refuses(ValueError, words, made.set_tensor, 0, value)

    def test_values_of_no_dimension(self):
        made = oclite.Interpreter(model_content=one_tensor(0, (), has_rank=True))
        made.allocate_tensors()
        for value in (np.float32(2), np.array(2, np.float32), np.array(2, ">f4")):
            made.set_tensor(0, value)
            self.assertEqual(made.get_tensor(0).item(), 2)
        self.refuses(ValueError, "type FLOAT64", made.set_tensor, 0, 2.0)

    def test_resources(self):
        """Their memory is not the program's: objects would be addresses in it."""
        made = oclite.Interpreter(model_content=one_tensor(13))
        made.allocate_tensors()
        self.refuses(ValueError, "holds no numbers", made.set_tensor, 0, np.full((4, 4), None, object))

    def test_strings(self):
        text = b"abcd" + bytes(16)
        made = oclite.Interpreter(model_content=one_tensor(5, (), has_rank=True))
        made.allocate_tensors()
        made.set_tensor(0, np.array(text, object))
        self.assertEqual(made.get_tensor(0).item(), text)
        made.set_tensor(0, "\u20ac\udc80")  # a byte that is no UTF-8, as Python reads it
        self.assertEqual(made.get_tensor(0).item(), "\u20ac".encode() + b"\x80")
        for words, value in (("no text that UTF-8 can hold", "\ud800"), ("of type int", np.array(5, object)), ("of type NoneType", None),
                             ("type INT64 but expected type STRING", 5)):
            self.refuses(ValueError, words, made.set_tensor, 0, value)
        self.assertEqual(made.get_tensor(0).item(), "\u20ac".encode() + b"\x80")

    def test_exceptions_of_values(self):
        """Those of the program's own objects come through, and nothing stays in use."""
        class Value:
            def __array__(self, *_, **__):
                raise KeyError("mine")

            def __index__(self):
                raise KeyError("mine")
        made = digits()
        for call in (lambda: made.set_tensor(0, Value()), lambda: made.get_tensor(Value()), lambda: made.resize_tensor_input(0, Value())):
            self.refuses(KeyError, "mine", call)
        made.invoke()

    def test_kernels_and_libraries(self):
        for kind, words, function, arguments in (
                (TypeError, "a text, not int", oclite.Kernel, (5,)), (TypeError, "file is a text or a path", oclite.Kernel, ("", 5)),
                (ValueError, "zero bytes", oclite.Kernel, ("", "a\0b")), (TypeError, "path is a text", oclite.Kernel.from_file, (5,)),
                (TypeError, "library is a text or a path, not int", oclite.load_operators, (5,)),
                (TypeError, "function is a text, not int", oclite.load_operators, ("libm.so.6", 5)),
                (ValueError, "zero bytes", oclite.load_operators, ("libm.so.6", "a\0b")),
                (ValueError, "UTF-8", oclite.Operator, ("\ud800", len)),
                (TypeError, "library is a text or a path, not NoneType", oclite.load_delegate, (None,)),
                (ValueError, "zero bytes", oclite.load_delegate, ("a\0b",)),
                (TypeError, "options is a dictionary, not list", oclite.load_delegate, ("libm.so.6", ["a"])),
                (TypeError, "5 is no oclite.Interpreter", oclite.SignatureRunner, (5, "x"))):
            self.refuses(kind, words, function, *arguments)


class Objects(Refusals):
    """Those that were not made, are closed, or are used in another way than was meant."""

    def test_subclass_that_forgets(self):
        class Forgets(oclite.Interpreter):
            def __init__(self):  # pylint: disable=super-init-not-called
                pass
        made = Forgets()
        for call in (made.invoke, made.allocate_tensors, made.get_signature_list, made.get_signature_runner, made.num_subgraphs, made.__enter__,
                     lambda: made.experimental_compress_quantization_zero_points):
            self.refuses(RuntimeError, "never opened", call)
        made.close()

    def test_subclass(self):
        class Mine(oclite.Interpreter):
            def __call__(self, value):
                return run(self, value)[0]
        np.testing.assert_array_equal(Mine(own("digits"))(ZEROS), run(digits(), ZEROS)[0])

    def test_never_made(self):
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # nor is anything printed when they go
            for kind in (oclite.Kernel, oclite.Delegate):
                made = kind.__new__(kind)
                self.refuses(RuntimeError, "was not made", lambda made=made: made.pointer if kind is oclite.Kernel else digits(
                    experimental_delegates=[made]))
        program = "import oclite, gc\ntry: oclite.Delegate()\nexcept TypeError: pass\noclite.Kernel.__new__(oclite.Kernel)\ngc.collect()"
        environment = dict(os.environ, PYTHONPATH=os.path.dirname(os.path.dirname(oclite.__file__)))
        said = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
        self.assertEqual(said.stderr, "")

    def test_closed(self):
        made = digits()
        runner = made.get_signature_runner()
        made.close()
        for call in (made.get_signature_list, made.get_signature_runner, lambda: oclite.SignatureRunner(made, "serving_default"), runner,
                     runner.get_output_details, made._native_handle, made._safe_to_run):
            self.refuses(RuntimeError, "closed", call, **({"keras_tensor_7": ZEROS} if call is runner else {}))

    def test_closed_by_two(self):
        for _ in range(50):
            made = oclite.Interpreter(own("digits"))
            with ThreadPoolExecutor(2) as pool:
                for closed in [pool.submit(made.close) for _ in range(2)]:
                    with contextlib.suppress(RuntimeError):  # it is in use
                        closed.result()
            self.refuses(RuntimeError, "closed", made.invoke)

    def test_safe_to_run(self):
        made = digits()
        view = made.tensor(0)
        self.assertTrue(made._safe_to_run())
        arrays = [view(), view()[0, 2:]]
        self.assertFalse(made._safe_to_run())
        arrays.pop()
        self.assertFalse(made._safe_to_run())
        arrays.pop()
        self.assertTrue(made._safe_to_run())

    def test_constants_stay(self):
        made = digits()
        constant = made.tensor(made._get_ops_details()[0]["inputs"][1])()
        self.assertRaises(ValueError, constant.setflags, write=True)
        self.assertRaises(ValueError, constant.fill, 1)

    def test_signature_keys(self):
        made = oclite.Interpreter(own("digits"))
        for key in (b"serving_default", 5, ["x"], {"a": 1}):
            self.refuses(ValueError, "Invalid signature_key provided", made.get_signature_runner, key)
        runner = made.get_signature_runner()
        self.refuses(ValueError, "expected 1 vs provided 0", runner)
        self.refuses(ValueError, "32 bits", runner, keras_tensor_7=np.broadcast_to(np.float32(1), (2**33,)))
        self.assertEqual(runner(keras_tensor_7=ZEROS)["output_0"].shape, (1, 10))

    def test_executor_that_is_shut_down(self):
        """An inference that was handed over but never began leaves the interpreter free."""
        made, entered, leave = digits(), threading.Event(), threading.Event()

        async def work():
            executor = ThreadPoolExecutor(1)
            executor.submit(lambda: (entered.set(), leave.wait(30)))
            asyncio.get_running_loop().set_default_executor(executor)
            task = asyncio.ensure_future(made.invoke_async())
            await asyncio.sleep(0)
            entered.wait(30)
            executor.shutdown(wait=False, cancel_futures=True)
            leave.set()
            with self.assertRaises(asyncio.CancelledError):
                await task
        asyncio.run(work())
        made.invoke()

    def test_operator_whose_exception_has_no_words(self):
        class Silent(Exception):
            def __str__(self):
                raise KeyError("no words")

        def invoke(_):
            raise Silent
        made = oclite.Interpreter(model_content=two_signatures(), operators=[oclite.Operator("Twice", invoke), times("Thrice", 3)])
        self.refuses(RuntimeError, "Twice: Silent", run, made, np.ones(4, np.float32))

    def test_outputs_that_are_not_there(self):
        said = []

        def invoke(call):
            for index in (-1, 1, 10**9):
                try:
                    call.set_output(index, [1])
                except ValueError as error:
                    said.append(str(error))
            call.outputs[0][:] = 1
        made = oclite.Interpreter(model_content=two_signatures(), operators=[oclite.Operator("Twice", invoke), times("Thrice", 3)])
        run(made, np.ones(4, np.float32))
        self.assertEqual(said, [f"there is no output {index}: the node has 1" for index in (-1, 1, 10**9)])


class Reference(Refusals):
    """What the reference tests of its own, see the head of this file."""

    def test_threads_and_resolvers(self):
        self.refuses(ValueError, "type of num_threads should be int", digits, num_threads=4.2)
        self.refuses(ValueError, "Unrecognized passed in op resolver type: test", digits, experimental_op_resolver_type="test")
        want = run(digits(), ZEROS)[0]
        for kind in oclite.OpResolverType:
            np.testing.assert_array_equal(run(digits(experimental_op_resolver_type=kind, num_threads=2), ZEROS)[0], want)

    def test_sparse_contents(self):
        """The stored elements of a sparse tensor, in one row."""
        metadata = [{"format": 0, "dense_size": 2}, {"format": 1, "segments_type": 1, "segments": {"values": [0, 1, 2]}, "indices_type": 1,
                                                     "indices": {"values": [0, 1]}}, {"format": 0, "dense_size": 2}]
        tensor = {"shape": [2, 4], "buffer": 1, "name": "x",
                  "sparsity": {"traversal_order": [0, 1, 2], "block_map": [1], "dim_metadata": metadata}}
        made = oclite.Interpreter(model_content=model_of([], [tensor], [], [0], [np.arange(4, dtype=np.float32).tobytes()]))
        made.allocate_tensors()
        self.assertEqual(made.get_tensor(0).tolist(), [0, 1, 2, 3])
        self.assertEqual(made.tensor(0)().tolist(), [0, 1, 2, 3])

    def test_without_elements(self):
        made = oclite.Interpreter(model_content=two_signatures(), operators=[times("Twice", 2), times("Thrice", 3)])
        self.assertEqual(made.get_signature_runner("twice")(x=np.zeros(0, np.float32))["y"].shape, (0,))

    def test_two_signatures(self):
        made = oclite.Interpreter(model_content=two_signatures(), operators=[times("Twice", 2), times("Thrice", 3)])
        self.assertEqual(made.num_subgraphs(), 2)
        self.assertEqual([[detail["name"] for detail in made.get_tensor_details(i)] for i in range(2)],
                         [["twice_x", "twice_y"], ["thrice_x", "thrice_y"]])
        self.refuses(ValueError, "model has 2 Signatures", made.get_signature_runner)
        for index in (2, -1):
            self.refuses(ValueError, "subgraph_index is out of range", made.get_tensor_details, subgraph_index=index)
        for key, factor in (("twice", 2), ("thrice", 3), ("twice", 2)):
            y = made.get_signature_runner(key)(x=np.arange(3, dtype=np.float32))["y"]
            self.assertEqual(y.tolist(), [0, factor, 2 * factor])


PLUGIN = """
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "tensorflow/lite/c/common.h"
int made, deleted, applied, options;
static TfLiteStatus prepare(TfLiteContext* context, TfLiteDelegate* delegate) { applied++; return kTfLiteOk; }
TfLiteDelegate* tflite_plugin_create_delegate(char** keys, char** values, size_t count, void (*report)(const char*)) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(keys[i], "fail") == 0) { report("fail was given"); return NULL; }
        options += atoi(values[i]);
    }
    TfLiteDelegate* delegate = calloc(1, sizeof *delegate);
    delegate->Prepare = prepare;
    made++;
    return delegate;
}
void tflite_plugin_destroy_delegate(TfLiteDelegate* delegate) { deleted++; free(delegate); }
"""


class OtherDelegates(Refusals):
    """A delegate of another library, which counts what is done with it."""

    @classmethod
    def setUpClass(cls):
        from python_case import SOURCE
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = os.path.join(cls.folder.name, "plugin.so")
        try:
            subprocess.run(["cc", "-shared", "-fPIC", "-xc", "-", "-o", cls.path, f"-I{SOURCE}/include"], input=PLUGIN, text=True, check=True)
        except OSError as missing:
            raise unittest.SkipTest(f"no C compiler ({missing})") from None

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def setUp(self):
        self.counts = ctypes.CDLL(self.path)
        for name in ("made", "deleted", "applied", "options"):
            ctypes.c_int.in_dll(self.counts, name).value = 0

    def expect(self, **wanted):
        found = {name: ctypes.c_int.in_dll(self.counts, name).value for name in wanted}
        self.assertEqual(found, wanted)

    def test_life(self):
        made = oclite.Interpreter(own("digits"), experimental_delegates=[oclite.load_delegate(self.path)])
        self.expect(made=1, deleted=0, applied=1)
        self.assertIsNotNone(made._delegates[0]._library.tflite_plugin_create_delegate)
        del made
        gc.collect()
        self.expect(made=1, deleted=1, applied=1)

    def test_several_interpreters(self):
        delegate = oclite.load_delegate(self.path)
        interpreters = [oclite.Interpreter(own("digits"), experimental_delegates=[delegate]) for _ in range(2)]
        self.expect(made=1, deleted=0, applied=2)
        del delegate
        interpreters.pop()
        gc.collect()
        self.expect(deleted=0)
        run(interpreters[0], ZEROS)
        interpreters[0].close()
        gc.collect()
        self.expect(made=1, deleted=1)

    def test_options(self):
        kept = [oclite.load_delegate(self.path), oclite.load_delegate(self.path, {"unused": False, "counter": 2})]
        self.expect(made=2, options=2, applied=0)
        self.refuses(ValueError, "Failed to load delegate from .*\nfail was given", oclite.load_delegate, self.path, {"fail": "fail"})
        self.refuses(ValueError, "UTF-8", oclite.load_delegate, self.path, {"\ud800": 1})
        kept.clear()
        gc.collect()
        self.expect(made=2, deleted=2)

    def test_deleted_early(self):
        """By its name: an interpreter that has it keeps it, and a new one does not get what is gone."""
        delegate = oclite.load_delegate(self.path)
        made = oclite.Interpreter(own("digits"), experimental_delegates=[delegate])
        delegate.__del__()
        self.expect(deleted=0)
        run(made, ZEROS)
        del made
        gc.collect()
        self.expect(deleted=1)
        self.refuses(RuntimeError, "has been deleted", oclite.Interpreter, own("digits"), experimental_delegates=[delegate])
        self.refuses(RuntimeError, "has been deleted", delegate._get_native_delegate_pointer)
        kernel = oclite.Kernel("/* oclite\noperator: X\ninput: x float32\noutput: y like x\nelementwise: y = x */")
        kernel.__del__()
        self.refuses(RuntimeError, "has been deleted", lambda: kernel.name)
        del delegate
        gc.collect()
        self.expect(deleted=1)


if __name__ == "__main__":
    main()
