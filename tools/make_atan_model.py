#!/usr/bin/env python3
"""Make the model of the custom operator guide, step by step: make_atan_model.py OUT.tflite

1. Trains y = atan(x + offset) on five points (Adam 0.01, 1000 steps): offset ends near 1.
2. Converts it as it is, and shows the converter's error: TensorFlow Lite has no operator Atan.
3. Converts it with allow_custom_ops, to a graph of ADD and the custom operator "Atan", and writes that.
4. Runs it in the interpreter of TensorFlow Lite, and shows its error: nobody has registered that operator. oclite has it
   registered: oclite run OUT.tflite --in x.npy --out results

Needs tensorflow (PyPI). Exit status 1 when a step does not go as the guide says.
"""
import contextlib
import math
import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
X = [-8, 0.5, 2, 2.2, 201]
Y = [-1.4288993, 0.98279375, 1.2490457, 1.2679114, 1.5658458]
STEPS = 1000


def train(tf):
    """The function and what it has learned."""
    offset = tf.Variable(0.0)

    @tf.function(input_signature=[tf.TensorSpec.from_tensor(tf.constant(X))])
    def atan(x):
        return tf.atan(x + offset, name="Atan")

    optimizer = tf.optimizers.Adam(0.01)
    for _ in range(STEPS):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.square(atan(tf.constant(X)) - Y))
        optimizer.apply_gradients(zip(tape.gradient(loss, [offset]), [offset]))
    return atan, float(offset.numpy())


def convert(tf, atan, allow_custom_ops):
    converter = tf.lite.TFLiteConverter.from_concrete_functions([atan.get_concrete_function()], atan)
    converter.allow_custom_ops = allow_custom_ops
    return converter.convert()


@contextlib.contextmanager
def quiet():
    """Without what TensorFlow's C++ parts write to the standard error."""
    kept, null = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(null)


def refusal(action, expected):
    """The error with these words, from there to the end of its line; without one the guide does not hold."""
    try:
        action()
    except Exception as error:  # of several kinds, as the version of TensorFlow is
        line = next((line for line in str(error).split("\n") if expected in line), None)
        if line:
            return line[line.index(expected):].strip()
        sys.exit(f"expected an error about '{expected}', got: {error}")
    sys.exit(f"expected an error about '{expected}', got none")


def write(path, data):
    """The whole file or none."""
    part = path + ".partial"
    try:
        with open(part, "wb") as out:
            out.write(data)
        os.replace(part, path)
    except OSError as error:
        sys.exit(f"{path}: {error.strerror}")


def main(path):
    try:
        with quiet():
            import tensorflow as tf
    except ImportError:
        sys.exit("tensorflow is needed: pip install tensorflow")
    with quiet():
        atan, offset = train(tf)
    print(f"1. trained, {STEPS} steps: offset = {offset:.8g}")
    if not math.isclose(offset, 1, abs_tol=1e-3):
        sys.exit("the offset should be near 1")
    with quiet():
        error = refusal(lambda: convert(tf, atan, False), "error: 'tf.Atan' op")
        model = convert(tf, atan, True)
        interpreter = tf.lite.Interpreter(model_content=model)
    print("2. converting without allow_custom_ops:", error)
    write(path, model)
    operators = ", ".join(op["op_name"] for op in interpreter._get_ops_details())
    print(f"3. converting with allow_custom_ops: {path}, {len(model)} bytes, operators {operators}")
    print("4. running it in TensorFlow Lite:", refusal(interpreter.allocate_tensors, "Encountered unresolved custom op"))


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    main(sys.argv[1])
