#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a .tflite file of a network that Keras knows: keras_network.py NAME OUT [SIZE]

NAME is a class of keras.applications, such as InceptionV3; OUT is written; pictures are SIZE by SIZE (224). Weights are random,
scaled so that activations keep their size (He): right for times and comparisons, not for accuracy. Needs tensorflow (PyPI).
"""
import os
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy as np
import tensorflow as tf


def scale(layer, rng):
    weights = layer.get_weights()
    if not weights or weights[0].ndim < 2:
        return
    is_depthwise = isinstance(layer, tf.keras.layers.DepthwiseConv2D)
    inputs = np.prod(weights[0].shape[:2] if is_depthwise else weights[0].shape[:-1])
    weights[0] = rng.normal(0, np.sqrt(2 / inputs), weights[0].shape)
    layer.set_weights(weights)


def main(name, out, size=224):
    picture = tf.keras.layers.Input((int(size), int(size), 3), batch_size=1)
    model = getattr(tf.keras.applications, name)(weights=None, input_tensor=picture)
    rng = np.random.default_rng(1)
    for layer in model.layers:
        scale(layer, rng)
    data = tf.lite.TFLiteConverter.from_keras_model(model).convert()
    with open(out, "wb") as file:
        file.write(data)
    print(f"{out}: {len(data)} bytes")


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
