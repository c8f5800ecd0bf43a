#!/usr/bin/env python3
"""Loads the delegate into the LiteRT that PyPI ships: stock_litert.py DELEGATE.so MODELS_DIR

The Atan model runs there although that runtime has no such operator, also after a resize, and the digit classifier gives
what it gives without the delegate. A graph whose shape is an input follows it from inference to inference. Exit status 77 (skipped) without LiteRT or an OpenCL device.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "conformance"))
try:
    import numpy as np
    from ai_edge_litert.interpreter import Interpreter, load_delegate
    import model_writer
except ImportError as missing:
    print(f"skipped: no LiteRT in this Python ({missing})")
    sys.exit(77)


# Numbers of the format.
FLOAT32, INT32 = 0, 2
ADD, RESHAPE = 0, 22


def run(path, x, delegates):
    interpreter = Interpreter(model_path=path, experimental_delegates=delegates)
    index = interpreter.get_input_details()[0]["index"]
    interpreter.resize_tensor_input(index, x.shape)
    interpreter.allocate_tensors()
    interpreter.set_tensor(index, x)
    interpreter.invoke()
    return interpreter.get_tensor(interpreter.get_output_details()[0]["index"])


def reshape_to_input():
    """A model: x, s -> y = x in shape s -> z = y + y."""
    tensors = [{"shape": shape, "type": kind, "buffer": 0, "name": name}
               for name, kind, shape in (("x", FLOAT32, [2, 6]), ("s", INT32, [2]), ("y", FLOAT32, [1, 1]),
                                         ("z", FLOAT32, [1, 1]))]
    operators = [{"opcode_index": 0, "inputs": [0, 1], "outputs": [2]},
                 {"opcode_index": 1, "inputs": [2, 2], "outputs": [3], **model_writer.options("Add", {})}]
    codes = [{"deprecated_builtin_code": code, "builtin_code": code, "version": 1} for code in (RESHAPE, ADD)]
    return model_writer.write({"version": 3, "operator_codes": codes, "buffers": [{}],
                               "subgraphs": [{"tensors": tensors, "inputs": [0, 1], "outputs": [3],
                                              "operators": operators}]})


def follows_shapes(library):
    """Does one interpreter give the right results for shapes that change?"""
    interpreter = Interpreter(model_content=reshape_to_input(),
                              experimental_delegates=[load_delegate(library, {"device": "any"})])
    x, s = (detail["index"] for detail in interpreter.get_input_details())
    z = interpreter.get_output_details()[0]["index"]
    right = True
    for size, shapes in ((12, ((3, 4), (3, 4), (12, 1))), (20, ((5, 4), (2, 10)))):
        interpreter.resize_tensor_input(x, [2, size // 2])
        interpreter.allocate_tensors()
        for shape in shapes:
            values = np.arange(size, dtype=np.float32)
            interpreter.set_tensor(x, values.reshape(2, -1))
            interpreter.set_tensor(s, np.array(shape, np.int32))
            interpreter.invoke()
            right = right and np.array_equal(interpreter.get_tensor(z), 2 * values.reshape(shape))
    return right


def main():
    library, models = sys.argv[1:]
    try:
        load_delegate(library, {"device": "any"})
    except ValueError as error:
        print(f"skipped: no OpenCL device ({error})")
        return 77
    worst = 0.0
    for count in (5, 3, 1000):
        x = np.linspace(-9, 201, count, dtype=np.float32)
        got = run(f"{models}/atan.tflite", x, [load_delegate(library, {"device": "any"})])
        worst = max(worst, float(np.max(np.abs(got - np.arctan(x + np.float32(0.99999905))))))
    picture = np.random.default_rng(0).random((1, 8, 8, 1), dtype=np.float32)
    with_it = run(f"{models}/digits.tflite", picture, [load_delegate(library, {"device": "any"})])
    digits = float(np.max(np.abs(with_it - run(f"{models}/digits.tflite", picture, None))))
    shapes = follows_shapes(library)
    print(f"shapes that are inputs: {'right' if shapes else 'WRONG'}")
    print(f"atan: off by {worst:.3g}; digits: off by {digits:.3g}")
    return 0 if shapes and worst < 1e-6 and digits < 1e-5 else 1


if __name__ == "__main__":
    sys.exit(main())
