#!/usr/bin/env python3
"""Random networks as .tflite models: random_networks.py [--seed S] [--count N] [--families cnn,transformer,rnn] [--weights KIND] OUT_DIR

Families are cnn, transformer, rnn, and towers: two branches with inputs of their own, which meet at the end.

Sizes are spread over orders of magnitude: an inference takes from some 20 microseconds to some tens of milliseconds on two cores. Layers are
those that converters write: normalizations and gates in single operators, heads as transposes and batched products, cells unrolled or whole.
The models with the same seed and number are the same everywhere. KIND is how weights are stored, as converters do: float32, float16
(behind DEQUANTIZE), or int8 (dynamic range: operators quantize their inputs). Needs what tests/conformance needs, whose writer this uses.
"""
import argparse
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tests", "conformance"))

import numpy as np  # noqa: E402

from cases import NONE, RELU, RELU6, SAME, TANH, Case, Graph, Node, Tensor  # noqa: E402
from random_source import Random  # noqa: E402

FAMILIES = ("cnn", "transformer", "rnn")  # unless others are named


class Network:
    """The nodes so far. Methods add a layer behind a tensor and return its result."""

    def __init__(self, family, seed, number, stored="float32"):
        self.r, self.nodes, self.stored = Random(seed, family, number), [], stored

    def between(self, low, high):
        """An integer, each order of magnitude as likely as the other."""
        return int(np.exp(self.r.rng.uniform(np.log(low), np.log(high + 0.999))))

    def feed(self, *shape):
        return Tensor("f32", shape, feed=self.r.rng.uniform(-1, 1, shape).astype(np.float32))

    def weights(self, *shape, fan=None):
        spread = np.sqrt(2.0 / (fan or np.prod(shape[1:]) or 1))
        return self.store(self.r.rng.normal(0, spread, shape).astype(np.float32))

    def store(self, values):
        if self.stored == "float16":
            whole = Tensor("f32", values.shape)
            self.nodes.append(Node("DEQUANTIZE", [Tensor("f16", values.shape, data=values.astype(np.float16))], [whole]))
            return whole
        if self.stored == "float32" or values.ndim not in (2, 4):
            return Tensor("f32", values.shape, data=values)
        axis = 3 if values.ndim == 4 and values.shape[0] == 1 else 0  # of depthwise filters, of others
        others = tuple(i for i in range(values.ndim) if i != axis or values.ndim == 2)
        scale = np.maximum(np.abs(values).max(others, keepdims=True) / 127, 1e-9)
        return Tensor("i8", values.shape, data=np.round(values / scale).astype(np.int8), scale=scale.reshape(-1), axis=axis)

    def numbers(self, *values):
        return Tensor("i32", [len(values)], data=np.array(values, np.int32))

    def constant(self, value):
        return Tensor("f32", [1], data=np.array([value], np.float32))

    def add(self, op, inputs, shape, options=None):
        result = Tensor("f32", shape)
        self.nodes.append(Node(op, inputs, [result], options))
        return result

    def unary(self, op, x, options=None):
        return self.add(op, [x], x.shape, options)

    def binary(self, op, a, b):
        return self.add(op, [a, b], np.broadcast_shapes(tuple(a.shape), tuple(b.shape)), (op.capitalize(), {"activation": NONE}))

    def reshape(self, x, *shape):
        return self.add("RESHAPE", [x, self.numbers(*shape)], shape, ("Reshape", {"new_shape": list(shape)}))

    def transpose(self, x, *order):
        return self.add("TRANSPOSE", [x, self.numbers(*order)], [x.shape[i] for i in order])

    def mean(self, x, *axes):
        shape = [1 if i in axes else d for i, d in enumerate(x.shape)]
        return self.add("MEAN", [x, self.numbers(*axes)], shape, ("Reducer", {"keep_dims": True}))

    def dense(self, x, width, activation=NONE):
        return self.add("FULLY_CONNECTED", [x, self.weights(width, x.shape[-1]), self.weights(width, fan=100)], [*x.shape[:-1], width],
                        ("FullyConnected", {"activation": activation, "keep_num_dims": True}))

    def convolve(self, x, channels, kernel=1, stride=1, activation=NONE):
        height, width = (-(-d // stride) for d in x.shape[1:3])
        return self.add("CONV_2D", [x, self.weights(channels, kernel, kernel, x.shape[3]), self.weights(channels, fan=100)],
                        [1, height, width, channels],
                        ("Conv2D", {"padding": SAME, "stride_w": stride, "stride_h": stride, "dilation_w": 1, "dilation_h": 1,
                                    "activation": activation}))

    def depthwise(self, x, kernel=3, stride=1, activation=NONE):
        height, width = (-(-d // stride) for d in x.shape[1:3])
        channels = x.shape[3]
        return self.add("DEPTHWISE_CONV_2D", [x, self.weights(1, kernel, kernel, channels, fan=kernel * kernel),
                                              self.weights(channels, fan=100)], [1, height, width, channels],
                        ("DepthwiseConv2D", {"padding": SAME, "stride_w": stride, "stride_h": stride, "dilation_w": 1,
                                             "dilation_h": 1, "multiplier": 1, "activation": activation}))

    def swish(self, x):
        """HARD_SWISH, or swish as converters write it."""
        return self.unary("HARD_SWISH", x) if self.r.chance(0.5) else self.binary("MUL", x, self.unary("LOGISTIC", x))

    def pool(self, x, op, size, stride):
        shape = [1, *(-(-d // stride) for d in x.shape[1:3]), x.shape[3]]
        return self.add(op, [x], shape, ("Pool2D", {"padding": SAME, "stride_w": stride, "stride_h": stride, "filter_w": size,
                                                    "filter_h": size, "activation": NONE}))

    def concatenate(self, parts, axis):
        shape = list(parts[0].shape)
        shape[axis] = sum(part.shape[axis] for part in parts)
        return self.add("CONCATENATION", parts, shape, ("Concatenation", {"axis": axis, "activation": NONE}))

    def gate(self, x):
        """Squeeze and excitation."""
        channels = x.shape[3]
        squeezed = self.convolve(self.mean(x, 1, 2), max(4, channels // 4), activation=RELU)
        return self.binary("MUL", x, self.unary(self.r.pick(["LOGISTIC", "HARD_SWISH"]), self.convolve(squeezed, channels)))

    def normalize(self, x):
        """Layer normalization in single operators."""
        centred = self.binary("SUB", x, self.mean(x, len(x.shape) - 1))
        spread = self.mean(self.binary("MUL", centred, centred), len(x.shape) - 1)
        scaled = self.binary("MUL", centred, self.unary("RSQRT", self.binary("ADD", spread, self.constant(1e-5))))
        return self.binary("ADD", self.binary("MUL", scaled, self.weights(x.shape[-1], fan=2)), self.weights(x.shape[-1], fan=100))

    def case(self, result):
        return Case("NETWORK", [Graph(self.nodes, None, [result])])


def inverted_residual(n, x):
    channels, stride = x.shape[3], n.r.pick([1, 1, 2])
    expanded, kernel, swishes = channels * n.r.pick([2, 4, 6]), n.r.pick([3, 5]), n.r.chance(0.4)
    if swishes:  # as in MobileNet V3 and EfficientNet
        wide = n.swish(n.depthwise(n.swish(n.convolve(x, expanded)), kernel, stride))
    else:
        wide = n.depthwise(n.convolve(x, expanded, activation=RELU6), kernel, stride, n.r.pick([RELU6, NONE]))
    if n.r.chance(0.3):
        wide = n.gate(wide if swishes else n.unary("HARD_SWISH", wide))
    narrow = n.convolve(wide, channels if stride == 1 else n.between(channels, 2 * channels))
    return n.binary("ADD", x, narrow) if stride == 1 else narrow


def bottleneck(n, x):
    inner = n.convolve(x, max(8, x.shape[3] // 2), activation=RELU)
    inner = n.convolve(n.convolve(inner, inner.shape[3], 3, activation=RELU), x.shape[3])
    return n.unary("RELU", n.binary("ADD", x, inner))


def inception(n, x):
    width = max(8, x.shape[3] // 4)
    parts = [n.convolve(x, width, activation=RELU), n.convolve(n.convolve(x, width, activation=RELU), width, 3, activation=RELU),
             n.convolve(n.pool(x, n.r.pick(["MAX_POOL_2D", "AVERAGE_POOL_2D"]), 3, 1), width, activation=RELU)]
    return n.concatenate(parts, 3)


def separable(n, x):
    return n.convolve(n.depthwise(x, 3, n.r.pick([1, 1, 2]), RELU6), n.between(x.shape[3], 2 * x.shape[3]), activation=RELU6)


def cnn(n):
    size = n.between(24, 224)
    x = n.convolve(n.feed(1, size, size, n.r.pick([1, 3, 3])), n.between(8, 64), 3, 2, n.r.pick([RELU, RELU6, NONE]))
    for _ in range(n.between(1, 14)):
        x = n.r.pick([inverted_residual, inverted_residual, bottleneck, inception, separable])(n, x)
        if x.shape[3] > 256 or n.r.chance(0.1):
            x = n.convolve(n.pool(x, "MAX_POOL_2D", 2, 2), min(x.shape[3], 128), activation=RELU)
        if n.r.chance(0.1):
            x = n.unary(n.r.pick(["HARD_SWISH", "LOGISTIC", "ELU"]), x)
    x = n.reshape(n.mean(x, 1, 2), 1, x.shape[3])
    return n.unary("SOFTMAX", n.dense(x, n.between(2, 1000)), ("Softmax", {"beta": 1.0}))


def attention(n, x, heads):
    length, width = x.shape[1:]
    each = width // heads

    def split(y):
        return n.transpose(n.reshape(y, 1, length, heads, each), 0, 2, 1, 3)

    queries, keys, values = (split(n.dense(x, width)) for _ in range(3))
    scores = n.add("BATCH_MATMUL", [queries, keys], [1, heads, length, length], ("BatchMatMul", {"adj_x": False, "adj_y": True}))
    scores = n.unary("SOFTMAX", n.binary("MUL", scores, n.constant(each ** -0.5)), ("Softmax", {"beta": 1.0}))
    mixed = n.add("BATCH_MATMUL", [scores, values], [1, heads, length, each], ("BatchMatMul", {"adj_x": False, "adj_y": False}))
    return n.dense(n.reshape(n.transpose(mixed, 0, 2, 1, 3), 1, length, width), width)


def transformer(n):
    heads, length = n.r.pick([1, 2, 4, 8]), n.between(8, 160)
    width = heads * n.between(8, 256 // heads)
    x = n.feed(1, length, width)
    for _ in range(n.between(1, 6)):
        x = n.normalize(n.binary("ADD", x, attention(n, x, heads)))
        inner = n.dense(x, width * n.r.pick([2, 4]))
        inner = n.unary("RELU", inner) if n.r.chance(0.3) else n.unary("GELU", inner, ("Gelu", {"approximate": n.r.chance(0.5)}))
        x = n.normalize(n.binary("ADD", x, n.dense(inner, width)))
    return n.dense(n.mean(x, 1), n.between(2, 200))


def whole_lstm(n, x, width):
    depth = x.shape[2]
    state = [Tensor("f32", [1, width], variable=True) for _ in range(2)]
    inputs = [x, *(n.weights(width, depth) for _ in range(4)), *(n.weights(width, width) for _ in range(4)), None, None, None,
              *(n.weights(width, fan=100) for _ in range(4)), None, None, *state, None, None, None, None]
    return n.add("UNIDIRECTIONAL_SEQUENCE_LSTM", inputs, [1, x.shape[1], width],
                 ("UnidirectionalSequenceLSTM", {"activation": TANH, "cell_clip": 0.0, "proj_clip": 0.0, "time_major": False}))


def unrolled_gru(n, x, width):
    steps = [Tensor("f32", [1, x.shape[2]]) for _ in range(x.shape[1])]
    n.nodes.append(Node("UNPACK", [x], steps, ("Unpack", {"num": len(steps), "axis": 1})))
    state = Tensor("f32", [1, width], data=np.zeros((1, width), np.float32))
    one, results = n.constant(1.0), []
    for step in steps:
        both = n.concatenate([step, state], 1)
        update, reset = n.unary("LOGISTIC", n.dense(both, width)), n.unary("LOGISTIC", n.dense(both, width))
        new = n.unary("TANH", n.dense(n.concatenate([step, n.binary("MUL", reset, state)], 1), width))
        state = n.binary("ADD", n.binary("MUL", update, state), n.binary("MUL", n.binary("SUB", one, update), new))
        results.append(state)
    return n.add("PACK", results, [1, len(steps), width], ("Pack", {"count": len(steps), "axis": 1}))


def rnn(n):
    length, depth = n.between(6, 96), n.between(8, 256)
    x = n.feed(1, length, depth)
    if n.r.chance(0.5):
        channels = n.between(16, 128)
        x = n.reshape(n.convolve(n.reshape(x, 1, 1, length, depth), channels, 3, activation=RELU), 1, length, channels)
    for _ in range(n.r.int(1, 3)):
        cell = unrolled_gru if length <= 24 and n.r.chance(0.4) else whole_lstm
        x = cell(n, x, n.between(12, 256))
        if n.r.chance(0.3):
            x = n.normalize(x)
    if n.r.chance(0.5):
        x = n.dense(x, n.between(8, 256), RELU)
    return n.unary("SOFTMAX", n.dense(n.mean(x, 1), n.between(2, 1000)), ("Softmax", {"beta": 1.0}))


def towers(n):
    """Convolutions of two pictures, of which one has 0.4 to 1 times the work of the other, or recurrent layers beside them."""
    size, width, depth = n.between(20, 56), n.between(32, 128), n.between(3, 12)
    x = n.feed(1, size, size, width)
    for _ in range(depth):
        x = n.convolve(x, width, activation=RELU)
    share = n.r.rng.uniform(0.4, 1)
    if n.r.chance(0.7):
        size, width = n.between(20, 56), n.between(32, 128)
        y = n.feed(1, size, size, width)
        left = share * depth * (x.shape[1] * x.shape[3] / (size * width)) ** 2
        for _ in range(max(1, round(left))):
            y = n.convolve(y, width, activation=RELU)
        y = n.reshape(n.mean(y, 1, 2), 1, width)
    else:
        y = n.feed(1, n.between(16, 96), n.between(64, 128))
        for _ in range(n.between(1, 4)):
            y = whole_lstm(n, y, n.between(64, 192))
        y = n.reshape(n.mean(y, 1), 1, y.shape[2])
    both = n.concatenate([n.reshape(n.mean(x, 1, 2), 1, x.shape[3]), y], 1)
    return n.unary("SOFTMAX", n.dense(both, n.between(2, 100)), ("Softmax", {"beta": 1.0}))


def make(family, seed, number, stored="float32"):
    """A case whose model and inputs depend on nothing but the arguments."""
    network = Network(family, seed, number, stored)
    return network.case(globals()[family](network))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=200, help="of all families together")
    parser.add_argument("--families", type=lambda text: text.split(","), default=FAMILIES)
    parser.add_argument("--weights", choices=("float32", "float16", "int8"), default="float32")
    parser.add_argument("folder")
    arguments = parser.parse_args()
    os.makedirs(arguments.folder, exist_ok=True)
    for number in range(arguments.count):
        family = arguments.families[number % len(arguments.families)]
        with open(os.path.join(arguments.folder, f"{family}_{number}.tflite"), "wb") as file:
            file.write(make(family, arguments.seed, number, arguments.weights).model())


if __name__ == "__main__":
    main()
