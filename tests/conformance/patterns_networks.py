"""Patterns that GPU delegates have computed wrongly: what is known of whole networks of which only the answers were published."""
import numpy as np

from cases import NONE, RELU, SAME, VALID, Node, Tensor
from patterns import RNG, binary, const, fed, normal, numbers, out, row
from patterns_operators import CONV, convolved, halves, of_bytes


def convolution(x, filters, y, padding=SAME, activation=NONE):
    zeros = const(np.zeros(filters.shape[0]))
    return Node("CONV_2D", [x, filters, zeros], [y], ("Conv2D", {"padding": padding, **CONV, "activation": activation}))


def padded(x, by=1):
    return np.pad(x, ((0, 0), (by, by), (by, by), (0, 0)))


def dense(x, weights, bias, y, activation=NONE):
    return Node("FULLY_CONNECTED", [x, weights, bias], [y], ("FullyConnected", {"activation": activation}))


@row()
def heads_of_one_trunk_are_outputs():
    """Some of them were NaN or beyond 1e29, the others right, in full precision; so one tensor has all kinds of readers."""
    x, stem, first = fed(100 * normal(1, 4, 6, 3)), const(normal(5, 3, 3, 3)), const(normal(2, 1, 1, 5))
    taps, wide = const(normal(1, 3, 3, 5)), const(normal(2, 5 * 4 * 6) / 9)
    trunk, scores, shares, each, large, means, flat, poses = (out() for _ in range(8))
    depthwise = ("DepthwiseConv2D", {"padding": VALID, "multiplier": 1, **CONV})
    nodes = [convolution(x, stem, trunk, activation=RELU), convolution(trunk, first, scores), Node("LOGISTIC", [scores], [shares]),
             Node("DEPTHWISE_CONV_2D", [trunk, taps, const(np.zeros(5))], [each], depthwise),
             Node("RESIZE_NEAREST_NEIGHBOR", [trunk, const([8, 12], "i32")], [large], ("ResizeNearestNeighbor", {})),
             Node("MEAN", [trunk, const([1, 2], "i32")], [means], ("Reducer", {"keep_dims": False})),
             Node("RESHAPE", [trunk, const([1, 120], "i32")], [flat], ("Reshape", {"new_shape": [1, 120]})), dense(flat, wide, None, poses)]
    values = np.maximum(convolved(padded(numbers(x)), numbers(stem)), 0)
    expected = convolved(values, numbers(first))
    per_channel = sum(values[:, i:i + 2, j:j + 4] * numbers(taps)[:, i:i + 1, j:j + 1] for i in range(3) for j in range(3))
    return nodes, [(trunk, values, 1e-5), (scores, expected, 1e-5), (shares, 1 / (1 + np.exp(-np.clip(expected, -700, None))), 1e-4),
                   (each, per_channel, 1e-5), (large, values.repeat(2, 1).repeat(2, 2), 1e-5), (means, values.mean((1, 2)), 1e-5),
                   (poses, values.reshape(1, 120) @ numbers(wide).T, 1e-5)]


def joined_and_convolved(x, channels):
    """(nodes, output, its values) of a layer of a dense block: scaled, moved, convolved, and joined with what it read."""
    values, count = x[1], x[1].shape[3]
    scale, offset, filters = const(1 + normal(count) / 4), const(normal(count)), const(normal(channels, 3, 3, count) / 4)
    s, n, y, joined = out(), out(), out(), out()
    nodes = [binary("MUL", x[0], scale, s), Node("ADD", [s, offset], [n], ("Add", {"activation": RELU})), convolution(n, filters, y),
             Node("CONCATENATION", [x[0], y], [joined], ("Concatenation", {"axis": 3}))]
    added = convolved(padded(np.maximum(values * numbers(scale) + numbers(offset), 0)), numbers(filters))
    return nodes, (joined, np.concatenate([values, added], 3))


@row()
def dense_blocks_give_a_class_for_each_pixel():
    """Down, up again, joined with what was there; the largest is chosen among four, as bytes. With halves all was bogus."""
    x = fed(normal(1, 4, 4, 3))
    nodes, stage = joined_and_convolved((x, numbers(x)), 2)
    small, large, skip = out(), out(), out()
    up = const(normal(2, 2, 2, 5))
    halving = {"padding": VALID, "stride_w": 2, "stride_h": 2}
    nodes += [Node("MAX_POOL_2D", [stage[0]], [small], ("Pool2D", {**halving, "filter_w": 2, "filter_h": 2})),
              Node("TRANSPOSE_CONV", [const([1, 4, 4, 2], "i32"), up, small], [large], ("TransposeConv", halving)),
              Node("CONCATENATION", [large, stage[0]], [skip], ("Concatenation", {"axis": 3}))]
    pooled = stage[1].reshape(1, 2, 2, 2, 2, 5).max((2, 4))
    grown = np.einsum("nhwc,oijc->nhiwjo", pooled, numbers(up)).reshape(1, 4, 4, 2)
    more, stage = joined_and_convolved((skip, np.concatenate([grown, stage[1]], 3)), 1)
    filters, scores, moved, best, classes = const(np.round(8 * normal(4, 1, 1, 8))), out(), out(), Tensor("i64", []), Tensor("u8", [])
    nodes += more + [convolution(stage[0], filters, scores), Node("TRANSPOSE", [scores, const([0, 3, 1, 2], "i32")], [moved]),
                     Node("ARG_MAX", [moved, const([1], "i32")], [best], ("ArgMax", {"output_type": 4})), Node("CAST", [best], [classes])]
    expected = convolved(stage[1], numbers(filters))
    order = np.sort(expected, 3)
    assert np.min(order[..., 3] - order[..., 2]) > 4e-3 * np.abs(expected).max()  # halves have to choose the same
    return nodes, [(classes, expected.argmax(3).astype(np.uint8)), (scores, expected, 1e-5)]


@row()
def dense_layers_reach_beyond_halves():
    """Weights of float16, two branches that meet again, sums up to some 100,000; some numbers of some runs were infinite."""
    inputs = [50 * normal(1, 81) for _ in range(3)]
    x = fed(inputs[0])
    first, second, third, last = halves(normal(8, 81)), halves(3 * normal(8, 8)), halves(3 * normal(8, 8)), halves(4 * normal(46, 8))
    bias = const(normal(46))
    a, b, c, s, y = (out() for _ in range(5))
    nodes = [first[2], dense(x, first[1], None, a), second[2], dense(a, second[1], None, b, RELU), third[2], dense(b, third[1], None, c),
             binary("ADD", a, c, s), last[2], dense(s, last[1], bias, y)]

    def layers(values):
        start = values.astype(np.float64) @ numbers(first[0]).T
        return (start + np.maximum(start @ numbers(second[0]).T, 0) @ numbers(third[0]).T) @ numbers(last[0]).T + numbers(bias)

    return nodes, [(y, layers(values), 2e-5) for values in inputs], [[values] for values in inputs]


@row()
def vectors_are_stacked():
    """Side by side, which makes two channels of 23 columns."""
    a, b, y = fed(normal(1, 23)), fed(normal(1, 23)), out()
    return [Node("PACK", [a, b], [y], ("Pack", {"count": 2, "axis": 2}))], [(y, np.stack([numbers(a), numbers(b)], 2))]


@row(1e-3, 1, 900)
def vectors_are_divided_by_their_length(factor):
    """Of 3 numbers; in halves the squares of the short ones are nothing, and those of the long ones infinite."""
    x, squares, sums, lengths, y = fed(factor * (normal(1, 26, 3) + 0.5)), out(), out(), out(), out()
    nodes = [Node("SQUARE", [x], [squares]), Node("SUM", [squares, const([2], "i32")], [sums], ("Reducer", {"keep_dims": True})),
             Node("SQRT", [sums], [lengths]), binary("DIV", x, lengths, y)]
    return nodes, [(y, numbers(x) / np.sqrt((numbers(x) ** 2).sum(2, keepdims=True)))]


@row([8, 1], [1, 16], [1, 1], [16])
def numbers_are_repeated_from(shape):
    x, y = fed(normal(*shape)), out()
    return [Node("BROADCAST_TO", [x, const([8, 16], "i32")], [y])], [(y, np.broadcast_to(numbers(x), [8, 16]))]


@row()
def weights_of_bytes_do_not_cancel():
    """What a zero point of the input adds is proportional to the sum of a row, which is large here."""
    x, y = fed(5 + normal(3, 24)), out()
    values = RNG.integers(60, 128, (6, 24)).astype(np.int8)
    scales = np.linspace(0.01, 0.03, 6)
    weights = Tensor("i8", [6, 24], data=values, scale=scales.tolist(), zero=[0] * 6)
    expected = of_bytes(numbers(x)) @ (values * scales.astype(np.float32)[:, None].astype(np.float64)).T
    return [dense(x, weights, None, y)], [(y, expected, 1e-5)]
