#!/usr/bin/env python3
"""Make the demo's digit classifier: make_digits_model.py OUT_DIR

Trains a small CNN on the handwritten digits that scikit-learn ships (1,797 pictures of 8 x 8, grey values 0..16; UCI
"Optical Recognition of Handwritten Digits"), holds 20 % back, prints the accuracy on them and writes
  digits.tflite            float32, input [1, 8, 8, 1] in 0..1, output [1, 10] probabilities
  digits_int8.tflite       the same, fully quantized (int8 in and out)
Needs tensorflow and scikit-learn (PyPI).
"""
import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


def build(batch=None):
    layers = tf.keras.layers
    return tf.keras.Sequential([
        layers.Input((8, 8, 1), batch_size=batch),
        layers.Conv2D(16, 3, padding="same", activation="relu"),
        layers.MaxPooling2D(),
        layers.DepthwiseConv2D(3, padding="same", activation="relu"),
        layers.Conv2D(32, 1, activation="relu"),
        layers.Flatten(),
        layers.Dense(10, activation="softmax"),
    ])


def convert(trained, samples=None):
    model = build(batch=1)
    model.set_weights(trained.get_weights())
    converter = tf.lite.TFLiteConverter.from_keras_model(model)
    if samples is not None:
        converter.optimizations = [tf.lite.Optimize.DEFAULT]
        converter.representative_dataset = lambda: ([x[None]] for x in samples)
        converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
        converter.inference_input_type = converter.inference_output_type = tf.int8
    return converter.convert()


def main(folder):
    tf.keras.utils.set_random_seed(1)
    digits = load_digits()
    images = (digits.images / 16.0).astype(np.float32)[..., None]
    train_x, test_x, train_y, test_y = train_test_split(images, digits.target, test_size=0.2, random_state=1)
    model = build()
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train_x, train_y, epochs=60, batch_size=32, verbose=0)
    print("accuracy on held-back pictures: %.4f" % model.evaluate(test_x, test_y, verbose=0)[1])
    for name, data in (("digits", convert(model)), ("digits_int8", convert(model, train_x[:200]))):
        with open(os.path.join(folder, name + ".tflite"), "wb") as out:
            out.write(data)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
