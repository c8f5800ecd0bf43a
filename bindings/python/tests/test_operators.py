#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Custom operators as functions in Python, as shared libraries, and as OpenCL kernels: results, and what goes wrong."""
import gc
import os
import struct
import tempfile
import unittest
import weakref

from python_case import LIBRARIES, SOURCE, delegate, main, model_of, np, oclite, own, run, shared
from oclite._flexbuffers import read_options

X = np.array([-8, 0.5, 2, 2.2, 201], np.float32)
ATAN = np.arctan(X + np.float32(0.99999905))  # what the model atan computes


def tensor(name, shape=(4,), kind=0, buffer=0):
    return {"shape": list(shape), "type": kind, "buffer": buffer, "name": name}


def one_node(inputs, outputs, options=None, buffers=()):
    """A model of one node of the operator Mine."""
    tensors = [tensor(*item) if isinstance(item, tuple) else item for item in inputs + outputs]
    count = len(inputs)
    free = [i for i in range(count) if tensors[i]["buffer"] == 0]
    made = list(range(count, len(tensors)))
    return model_of([("Mine", list(range(count)), made, options)], tensors, free, made, buffers)


def flex(value):
    from flatbuffers import flexbuffers
    return bytes(flexbuffers.Dumps(value))


def mine(invoke, **keywords):
    return oclite.Operator("Mine", invoke, **keywords)


def double(call):
    np.multiply(call.inputs[0], 2, out=call.outputs[0])


class InPython(unittest.TestCase):
    def test_atan(self):
        operator = oclite.Operator("Atan", lambda call: np.arctan(call.inputs[0], out=call.outputs[0]))
        made = oclite.Interpreter(own("atan"), operators=[operator])
        for _ in range(3):
            np.testing.assert_array_equal(run(made, X)[0], ATAN)
        np.testing.assert_array_equal(run(made, X[:2])[0], ATAN[:2])
        other = oclite.Interpreter(own("atan"), operators=[operator])  # serves several
        np.testing.assert_array_equal(run(other, X)[0], ATAN)

    def test_options_shapes_and_constants(self):
        seen = []

        def shapes(inputs, options):
            seen.append((inputs, options))
            return [[options["times"], *inputs[0].shape], [2]]

        def invoke(call):
            self.assertFalse(call.inputs[0].flags.writeable)
            call.outputs[0][:] = call.inputs[0] * call.inputs[1]
            call.outputs[1][:] = call.options["of"]
        model = one_node([("x",), ("w", (4,), 0, 1)], [("y",), ("z",)], flex({"times": 3, "of": [7, 8]}),
                         [np.arange(4, dtype=np.float32).tobytes()])
        made = oclite.Interpreter(model_content=model, operators=[mine(invoke, shapes=shapes)])
        y, z = run(made, np.full(4, 2, np.float32))
        np.testing.assert_array_equal(y, np.tile(np.arange(4, dtype=np.float32) * 2, (3, 1)))
        self.assertEqual(z.tolist(), [7, 8])
        (x, w), options = seen[0]
        self.assertEqual((x.name, x.shape, x.dtype, x.value, options), ("x", (4,), np.float32, None, {"times": 3, "of": [7, 8]}))
        self.assertEqual(w.value.tolist(), [0, 1, 2, 3])

    def test_dynamic_outputs_and_strings(self):
        """Words of a text, and their lengths: how many there are only the contents tell."""
        def invoke(call):
            self.assertEqual(call.outputs, (None, None))
            words = call.inputs[0][0].split()
            call.set_output(0, np.array(words, object))
            call.set_output(1, np.array([len(word) for word in words], np.int32))
        model = one_node([("text", (1,), 5)], [("words", (1,), 5), ("lengths", (1,), 2)])
        made = oclite.Interpreter(model_content=model, operators=[mine(invoke, shapes=lambda *_: [None, None])])
        for text in ("one two", "", "a bc def ghij"):
            words, lengths = run(made, np.array([text]))
            self.assertEqual(words.tolist(), text.encode().split())
            self.assertEqual(lengths.tolist(), [len(word) for word in text.split()])

    def test_exceptions(self):
        def fails(_):
            raise KeyError("no such row")

        def fails_in_shapes(*_):
            raise ZeroDivisionError("by nothing")
        model = one_node([("x",)], [("y",)])
        made = oclite.Interpreter(model_content=model, operators=[mine(fails)])
        for _ in range(2):
            with self.assertRaisesRegex(RuntimeError, "Mine: KeyError: 'no such row'.*failed to invoke") as caught:
                run(made, X[:4])
            self.assertIsInstance(caught.exception.__cause__, KeyError)
        made = oclite.Interpreter(model_content=model, operators=[mine(double, shapes=fails_in_shapes)])
        with self.assertRaisesRegex(RuntimeError, "Mine: ZeroDivisionError: by nothing.*failed to prepare"):
            made.allocate_tensors()

        def interrupted(_):
            raise KeyboardInterrupt
        made = oclite.Interpreter(model_content=model, operators=[mine(interrupted)])
        self.assertRaises(KeyboardInterrupt, run, made, X[:4])
        made = oclite.Interpreter(model_content=model, operators=[mine(double)])
        np.testing.assert_array_equal(run(made, X[:4])[0], X[:4] * 2)

    def test_wrong_answers(self):
        model = one_node([("x",)], [("y",)])
        for words, keywords in (("has returned 2 shapes, but the node has 1", {"shapes": lambda *_: [[1], [2]]}),
                                ("cannot have the shape", {"shapes": lambda *_: [[-1]]}),
                                ("ValueError|OverflowError", {"shapes": lambda *_: [[2**40]]}),
                                ("ValueError", {"shapes": lambda *_: ["ab"]}), ("TypeError", {"shapes": lambda *_: None}),
                                ("could not be broadcast|ValueError", {"shapes": lambda *_: [[3]]}),
                                ("was not written", {"shapes": lambda *_: [None]})):
            invoke = (lambda _: None) if "written" in words else double
            made = oclite.Interpreter(model_content=model, operators=[mine(invoke, **keywords)])
            with self.subTest(words), self.assertRaisesRegex(RuntimeError, words):
                run(made, X[:4])
        made = oclite.Interpreter(model_content=model, operators=[
            mine(lambda call: call.set_output(0, [1]), shapes=lambda *_: [None])])
        with self.assertRaisesRegex(RuntimeError, "INT64 but expected type FLOAT32 for output 0, name: y"):
            run(made, X[:4])
        for name, invoke, keywords in (("", double, {}), (5, double, {}), ("a\0b", double, {}), ("Mine", double, {"version": 0})):
            self.assertRaises(ValueError, oclite.Operator, name, invoke, **keywords)
        self.assertRaises(TypeError, oclite.Operator, "Mine", None)

    def test_arrays_that_are_kept(self):
        kept = []
        model = one_node([("x",)], [("y",)])
        made = oclite.Interpreter(model_content=model, operators=[mine(lambda call: kept.append(call.outputs[0]))])
        with self.assertRaisesRegex(RuntimeError, "has kept an array"):
            run(made, X[:4])
        with self.assertRaisesRegex(RuntimeError, "reference to internal data"):
            made.allocate_tensors()
        made.close()
        kept[0][:] = 1  # its memory is still there
        kept.clear()

    def test_calls_that_are_kept(self):
        calls = []

        def keeps(call):
            calls.append(call)
            double(call)
        made = oclite.Interpreter(model_content=one_node([("x",)], [("y",)], flex({"a": 1})), operators=[mine(keeps)])
        run(made, X[:4])
        run(made, X[:4])
        made.close()
        self.assertEqual((len(calls), calls[0].inputs, calls[0].outputs), (2, (), ()))
        for use in (lambda: calls[0].options, lambda: calls[0].set_output(0, X[:4])):
            self.assertRaisesRegex(RuntimeError, "the call is over", use)

    def test_calls_from_within(self):
        """The interpreter refuses calls of an operator that it runs."""
        said = []

        def invoke(call):
            for inner in (made.invoke, made.allocate_tensors, made.close, lambda: made.get_tensor(0)):
                try:
                    inner()
                except RuntimeError as error:
                    said.append(str(error))
            double(call)
        made = oclite.Interpreter(model_content=one_node([("x",)], [("y",)]), operators=[mine(invoke)])
        np.testing.assert_array_equal(run(made, X[:4])[0], X[:4] * 2)
        self.assertEqual(len(said), 4)
        self.assertIn("in use", said[0])

    def test_circles(self):
        """An operator that refers to its interpreter is collected together with it."""
        def make():
            def invoke(call):
                double(call)
                return made
            made = oclite.Interpreter(model_content=one_node([("x",)], [("y",)]), operators=[mine(invoke)])
            run(made, X[:4])
            return weakref.ref(made)
        gone = [make() for _ in range(20)]
        gc.collect()
        self.assertEqual([reference() for reference in gone], [None] * 20)

    def test_flexbuffers(self):
        for value in ({}, {"a": 1, "b": [1.5, True, None, "text", {"c": b"bytes"}]}, [1, 2, 3], [], {"x": [[1], [2]]}, 7, -7,
                      2**62, "text", {"deep": {"er": {"est": -1}}}):
            self.assertEqual(read_options(flex(value)), value)
        self.assertEqual(read_options(b""), {})
        random = np.random.default_rng(0)
        base = flex({"a": [1, 2.5, "three"], "b": {"c": True}})
        for _ in range(3000):  # any bytes: a value or a ValueError
            data = bytearray(base)
            for place in random.integers(0, len(data), 3):
                data[place] = random.integers(256)
            try:
                read_options(bytes(data))
            except ValueError:
                pass


class InLibraries(unittest.TestCase):
    def test_own_library(self):
        path = os.path.join(LIBRARIES, "extensions", "liboclite_custom_ops.so")
        options = flex({"T": 1})
        model = model_of([("Roll", [0, 1, 2], [3], options)], [tensor("x", (4,)), tensor("shift", (), 2, 1),
                         tensor("axis", (), 2, 2), tensor("y", (4,))], [0], [3], [struct.pack("<i", 1), struct.pack("<i", 0)])
        made = oclite.Interpreter(model_content=model, operators=[oclite.load_operators(path)])
        np.testing.assert_array_equal(run(made, X[:4])[0], np.roll(X[:4], 1))

    def test_text(self):
        path = os.path.join(LIBRARIES, "extensions", "liboclite_tftext.so")
        operators = oclite.load_operators(path, "oclite_tftext_add_operators")
        made = oclite.Interpreter(shared("whitespace_tokenizer_to_tensor"), operators=[operators])
        words = run(made, np.array(["hello big  world"]))[0]
        self.assertEqual([word for word in words.reshape(-1).tolist() if word], [b"hello", b"big", b"world"])

    def test_refusals(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertRaises(OSError, oclite.load_operators, os.path.join(folder, "none.so"))
        self.assertRaisesRegex(ValueError, "no function oclite_add_operators", oclite.load_operators, "libm.so.6")


CLIP = """/* oclite
   operator:    Mine
   input:       x float32
   output:      y like x
   option:      limit float = 1
   elementwise: y = limit * tanh(x / limit)
*/"""
KERNEL = """/* oclite
   operator: Mine
   input:    x float32
   output:   y like x
   kernel:   twice(x, y)
   work:     x.elements
*/
__kernel void twice(__global const float* x, __global float* y) {
    y[get_global_id(0)] = x[get_global_id(0)] * 2.0f;
}
"""


class OnOpencl(unittest.TestCase):
    def test_formula_on_both(self):
        clip = oclite.Kernel(CLIP)
        self.assertEqual(clip.name, "Mine")
        model = one_node([("x",)], [("y",)], flex({"limit": 3.0}))
        want = 3 * np.tanh(X[:4] / 3)
        made = oclite.Interpreter(model_content=model, operators=[clip])
        np.testing.assert_allclose(run(made, X[:4])[0], want, rtol=1e-6)
        gpu = delegate(operators=[clip])
        del clip
        gc.collect()
        made = oclite.Interpreter(model_content=model, experimental_delegates=[gpu])
        np.testing.assert_allclose(run(made, X[:4])[0], want, rtol=1e-5)
        self.assertEqual([(node.op, node.taken) for node in oclite.report(gpu).nodes], [("Mine", True)])

    def test_kernel_in_a_string_and_in_a_file(self):
        model = one_node([("x",)], [("y",)])
        with tempfile.TemporaryDirectory(prefix="a:b") as folder:  # a colon separates paths in the text form
            path = os.path.join(folder, "mine.cl")
            with open(path, "w", encoding="utf-8") as file:
                file.write(KERNEL)
            for keywords in ({"operators": oclite.Kernel(KERNEL)}, {"custom_ops": path}, {"custom_ops": [path]},
                             {"operators": [oclite.Kernel.from_file(path)]}):
                made = oclite.Interpreter(model_content=model, experimental_delegates=[delegate(**keywords)])
                np.testing.assert_array_equal(run(made, X[:4])[0], X[:4] * 2)

    def test_refusals(self):
        self.assertRaisesRegex(ValueError, "my.cl:2: .*operater", oclite.Kernel, "/* oclite\n operater: X */", "my.cl")
        self.assertRaises(ValueError, oclite.Kernel, "")
        self.assertRaises(ValueError, oclite.Kernel, "a\0b")
        self.assertRaisesRegex(ValueError, "no form for the CPU", oclite.Interpreter,
                               model_content=one_node([("x",)], [("y",)]), operators=[oclite.Kernel(KERNEL)])
        with tempfile.TemporaryDirectory() as folder:
            self.assertRaisesRegex(ValueError, "none.cl", oclite.Kernel.from_file, os.path.join(folder, "none.cl"))
        with self.assertRaisesRegex(ValueError, "<string>:9:.*nothing"):
            delegate(operators=oclite.Kernel(KERNEL.replace("2.0f", "nothing")))

    def test_the_example(self):
        """examples/custom_kernel, in this package."""
        folder = os.path.join(SOURCE, "examples", "custom_kernel")
        gpu = delegate(custom_ops=[os.path.join(folder, name) for name in ("soft_clip.cl", "frame_norm.cl")])
        shape = (2, 3, 4)
        model = model_of([("SoftClip", [0], [1], flex({"limit": 3.0})), ("FrameNorm", [1], [2], flex({"epsilon": 0.001}))],
                         [tensor(name, shape) for name in ("x", "clipped", "y")], [0], [2])
        x = np.linspace(-9, 9, 24, dtype=np.float32).reshape(shape) ** 2 / 10
        y = run(oclite.Interpreter(model_content=model, experimental_delegates=[gpu]), x)[0]
        clipped = 3 * np.tanh(x / 3)
        spread = np.sqrt(clipped.var(axis=2, keepdims=True) + 0.001)
        np.testing.assert_allclose(y, (clipped - clipped.mean(axis=2, keepdims=True)) / spread, atol=1e-4)


if __name__ == "__main__":
    main()
