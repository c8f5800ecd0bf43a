#!/usr/bin/env python3
"""Make the guide's Atan model: make_atan_model.py OUT.tflite

Trains y = atan(x + offset) on five points (Adam 0.01, 1000 steps, offset ends near 1) and converts it with
allow_custom_ops: a graph of two nodes, ADD and the custom operator "Atan". Needs tensorflow (PyPI).
"""
import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import tensorflow as tf

X = [-8, 0.5, 2, 2.2, 201]
Y = [-1.4288993, 0.98279375, 1.2490457, 1.2679114, 1.5658458]


def main(path):
    offset = tf.Variable(0.0)

    @tf.function(input_signature=[tf.TensorSpec.from_tensor(tf.constant(X))])
    def atan(x):
        return tf.atan(x + offset, name="Atan")

    optimizer = tf.optimizers.Adam(0.01)
    for _ in range(1000):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(tf.square(atan(tf.constant(X)) - Y))
        optimizer.apply_gradients(zip(tape.gradient(loss, [offset]), [offset]))
    print("offset:", offset.numpy())

    converter = tf.lite.TFLiteConverter.from_concrete_functions([atan.get_concrete_function()], atan)
    converter.allow_custom_ops = True
    with open(path, "wb") as out:
        out.write(converter.convert())


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
