#!/usr/bin/env python3
"""Loads the delegate into the LiteRT that PyPI ships: stock_litert.py DELEGATE.so MODELS_DIR

The Atan model runs there although that runtime has no such operator, also after a resize, and the digit classifier gives
what it gives without the delegate. Exit status 77 (skipped) without LiteRT or an OpenCL device.
"""
import sys

try:
    import numpy as np
    from ai_edge_litert.interpreter import Interpreter, load_delegate
except ImportError as missing:
    print(f"skipped: no LiteRT in this Python ({missing})")
    sys.exit(77)


def run(path, x, delegates):
    interpreter = Interpreter(model_path=path, experimental_delegates=delegates)
    index = interpreter.get_input_details()[0]["index"]
    interpreter.resize_tensor_input(index, x.shape)
    interpreter.allocate_tensors()
    interpreter.set_tensor(index, x)
    interpreter.invoke()
    return interpreter.get_tensor(interpreter.get_output_details()[0]["index"])


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
    print(f"atan: off by {worst:.3g}; digits: off by {digits:.3g}")
    return 0 if worst < 1e-6 and digits < 1e-5 else 1


if __name__ == "__main__":
    sys.exit(main())
