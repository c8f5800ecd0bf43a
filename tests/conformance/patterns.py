"""Patterns that GPU delegates have computed wrongly: networks' parts, and what the rows of the other tables are written with.

A row gives [node, ...] and [(output, its values), ...]: those that are right by definition, NumPy's in float64. For several runs it
gives the values of one after the other, and [[array of an input, ...], ...] of each.
"""
import numpy as np

from cases import NONE, RELU, SAME, VALID, Node, Tensor

TOLERANCE = 2e-6
# Numbers below the smallest half or beyond the largest, and sums that nearly cancel.
NOT_IN_HALVES = {"a tiny constant is added 1e-05", "a tiny constant is added 1e-12", "a convolution of 3x3 on large values",
                 "complex numbers are copied", *(f"results beyond all floats are infinite {op}" for op in ("ADD", "SUB", "MUL", "DIV")),
                 "a residual connection beyond all floats", "dense layers reach beyond halves"}
ROWS = []
RNG = np.random.default_rng(7)


def row(*arguments):
    """Registers a function that gives ([node, ...], [(output, expected), ...]), for each of the arguments."""
    def register(function):
        for argument in arguments or (None,):
            name = function.__name__.replace("_", " ") + (f" {argument}" if argument is not None else "")
            ROWS.append((name, function, argument))
        return function
    return register


def fed(values):
    values = np.asarray(values, np.float32)
    return Tensor("f32", values.shape, feed=values)


def const(values, kind="f32"):
    values = np.asarray(values, {"f32": np.float32, "f16": np.float16, "i32": np.int32}[kind])
    return Tensor(kind, values.shape, data=values)


def out():
    return Tensor("f32", [])


def normal(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def numbers(tensor):
    return np.asarray(tensor.feed if tensor.feed is not None else tensor.data, np.float64)


def binary(op, a, b, to):
    return Node(op, [a, b], [to], (op.capitalize(), {"activation": NONE}))


def product_of(a, b, to, adj_x=False, adj_y=False):
    return Node("BATCH_MATMUL", [a, b], [to], ("BatchMatMul", {"adj_x": adj_x, "adj_y": adj_y}))


def mean(x, axes, to):
    return Node("MEAN", [x, const(axes, "i32")], [to], ("Reducer", {"keep_dims": True}))


def softmax(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


@row((False, True), (True, False), (True, True))
def adjoints_of_a_product_are_obeyed(adjoints):
    adj_x, adj_y = adjoints
    a, b, y = fed(normal(2, 5, 3) if adj_x else normal(2, 3, 5)), fed(normal(2, 4, 5) if adj_y else normal(2, 5, 4)), out()
    left, right = (np.swapaxes(numbers(t), 1, 2) if adjoint else numbers(t) for t, adjoint in ((a, adj_x), (b, adj_y)))
    return [product_of(a, b, y, adj_x, adj_y)], [(y, left @ right)]


@row([1, 1, 6, 6], [1, 1, 1, 6], [2, 1, 6, 1], [6])
def a_mask_is_added_to_a_product(shape):
    q, k, mask, scores, masked = fed(normal(2, 3, 6, 4)), fed(normal(2, 3, 6, 4)), fed(-10 * (normal(*shape) > 0)), out(), out()
    expected = numbers(q) @ np.swapaxes(numbers(k), 2, 3) + numbers(mask)
    return [product_of(q, k, scores, adj_y=True), binary("ADD", scores, mask, masked)], [(masked, expected)]


@row([2, 3], [3], [])
def attention_as_a_whole(heads):
    q, k, v = fed(normal(*heads, 6, 4)), fed(normal(*heads, 6, 4)), fed(normal(*heads, 6, 5))
    mask = const(-20 * np.triu(np.ones((1,) * len(heads) + (6, 6)), 1))
    scores, scaled, masked, weights, y = (out() for _ in range(5))
    nodes = [product_of(q, k, scores, adj_y=True), binary("MUL", scores, const(0.5), scaled), binary("ADD", scaled, mask, masked),
             Node("SOFTMAX", [masked], [weights], ("Softmax", {"beta": 1.0})), product_of(weights, v, y)]
    expected = softmax(numbers(q) @ np.swapaxes(numbers(k), -1, -2) * 0.5 + numbers(mask)) @ numbers(v)
    return nodes, [(y, expected)]


@row()
def an_output_that_is_also_consumed():
    x, s, t, u = fed(normal(1, 4, 4, 3)), out(), out(), out()
    nodes = [binary("ADD", x, const(1.5), s), binary("ADD", s, x, t), Node("RELU", [s], [u])]
    sums = numbers(x) + 1.5
    return nodes, [(s, sums), (t, sums + numbers(x)), (u, np.maximum(sums, 0))]


@row(0.25, 3.0)
def softmax_has_a_beta(beta):
    x, y = fed(3 * normal(2, 3, 4, 7)), out()
    return [Node("SOFTMAX", [x], [y], ("Softmax", {"beta": beta}))], [(y, softmax(beta * numbers(x)))]


@row()
def sums_beyond_the_range_of_float16():
    x, y, z = fed(1000 + 100 * normal(1, 16, 16, 2)), out(), out()
    options = ("Reducer", {"keep_dims": True})
    sums = numbers(x).sum((1, 2), keepdims=True)
    return [Node("SUM", [x, const([1, 2], "i32")], [y], options), binary("MUL", y, const(1 / 256), z)], [(y, sums), (z, sums / 256)]


@row(False, True)
def sums_beyond_the_range_of_float16_are_made_small(reshaped):
    """Of squeeze and excitation: nothing of it leaves the partition but the means."""
    x, y, flat, z = fed(1000 + 100 * normal(1, 16, 16, 2)), out(), out(), out()
    nodes = [Node("SUM", [x, const([1, 2], "i32")], [y], ("Reducer", {"keep_dims": True}))]
    if reshaped:
        nodes.append(Node("RESHAPE", [y, const([1, 2], "i32")], [flat], ("Reshape", {"new_shape": [1, 2]})))
    nodes.append(binary("MUL", flat if reshaped else y, const(1 / 256), z))
    means = numbers(x).mean((1, 2), keepdims=True)
    return nodes, [(z, means.reshape(1, 2) if reshaped else means)]


@row()
def sums_over_the_last_axis():
    x, y = fed(normal(23, 512)), out()
    expected = numbers(x).sum(1)
    return [Node("SUM", [x, const([1], "i32")], [y], ("Reducer", {"keep_dims": False}))], [(y, expected)]


@row(512, 4096)
def a_product_as_deep_as(depth):
    a, b, y = fed(normal(1, depth)), fed(normal(depth, 3) / 64), out()
    return [product_of(a, b, y)], [(y, numbers(a) @ numbers(b), 8 * TOLERANCE)]


@row()
def dense_layers_one_behind_the_other():
    x = fed(normal(2, 6))
    nodes, outputs, before, values = [], [], x, numbers(x)
    for units in (9, 1, 7):
        w, b, after = const(normal(units, values.shape[1])), const(normal(units)), out()
        nodes.append(Node("FULLY_CONNECTED", [before, w, b], [after], ("FullyConnected", {"activation": NONE})))
        values = values @ numbers(w).T + numbers(b)
        outputs.append((after, values))
        before = after
    return nodes, outputs


@row()
def pixels_are_normalized_first():
    x, scale, offset, s, y, z = fed(127 * np.clip(normal(1, 4, 4, 3), -1, 1)), const([1 / 58, 1 / 57, 1 / 57.5]), const([2.1, 2.0, 1.8]), \
        out(), out(), out()
    nodes = [binary("MUL", x, scale, s), binary("SUB", s, offset, y), Node("TANH", [y], [z])]
    expected = numbers(x) * numbers(scale) - numbers(offset)
    return nodes, [(y, expected), (z, np.tanh(expected))]


@row([], [1], [1, 1, 1, 3])
def bytes_of_an_image_are_made_small_and_convolved(shape):
    """As networks that know faces begin: the first product has made all that follows NaN."""
    x, factor, filters, s, y, z = fed(np.round(127 * np.clip(normal(1, 5, 5, 3), -1, 1))), const(np.full(shape, 1 / 128)), \
        const(normal(4, 3, 3, 3)), out(), out(), out()
    slopes = const([[[0.25, -0.5, 0, 1]]])
    options = {"padding": VALID, "stride_w": 1, "stride_h": 1, "dilation_w": 1, "dilation_h": 1, "activation": NONE}
    nodes = [binary("MUL", x, factor, s), Node("CONV_2D", [s, filters, const(np.zeros(4))], [y], ("Conv2D", options)),
             Node("PRELU", [y, slopes], [z])]
    patches = np.stack([numbers(x)[:, i:i + 3, j:j + 3] for i in range(3) for j in range(3)], 3) / 128
    sums = np.einsum("nhwpc,opc->nhwo", patches, numbers(filters).reshape(4, 9, 3))
    return nodes, [(z, np.where(sums < 0, sums * numbers(slopes), sums))]


@row()
def a_residual_stream_of_large_values_is_normalized():
    """By its root mean square, as language models do: neither the squares nor their sum fit halves, the results do."""
    x, added, gamma, total, s, m, e, r, n, y = fed(2000 * normal(2, 3, 8)), fed(900 * normal(2, 3, 8)), const(1 + normal(8) / 4), \
        out(), out(), out(), out(), out(), out(), out()
    nodes = [binary("ADD", x, added, total), binary("MUL", total, total, s), mean(s, [2], m), binary("ADD", m, const(1e-6), e),
             Node("RSQRT", [e], [r]), binary("MUL", total, r, n), binary("MUL", n, gamma, y)]
    stream = numbers(x) + numbers(added)
    return nodes, [(y, stream / np.sqrt((stream ** 2).mean(2, keepdims=True) + 1e-6) * numbers(gamma))]


@row()
def many_outputs_of_one_tensor():
    x, s = fed(normal(2, 5)), out()
    nodes, outputs = [Node("LOGISTIC", [x], [s])], []
    shares = 1 / (1 + np.exp(-numbers(x)))
    for factor in normal(4, 5):
        y = out()
        nodes.append(binary("MUL", s, const(factor), y))
        outputs.append((y, shares * factor))
    return nodes, outputs


@row(0, 1, 3)
def tensors_are_stacked(axis):
    a, b, y = fed(normal(2, 3, 5)), fed(normal(2, 3, 5)), out()
    nodes = [Node("PACK", [a, b, a], [y], ("Pack", {"count": 3, "axis": axis}))]
    return nodes, [(y, np.stack([numbers(a), numbers(b), numbers(a)], axis))]


@row()
def the_largest_of_what_was_transposed():
    """As a segmentation ends."""
    x, t, y = fed(normal(1, 4, 3, 5)), out(), Tensor("i32", [])
    nodes = [Node("TRANSPOSE", [x, const([0, 3, 1, 2], "i32")], [t]),
             Node("ARG_MAX", [t, const([1], "i32")], [y], ("ArgMax", {"output_type": 2}))]
    return nodes, [(y, np.argmax(numbers(x).transpose(0, 3, 1, 2), 1))]


@row(1e-5, 1e-12)
def a_tiny_constant_is_added(tiny):
    x, y, z = fed([0, 0, tiny, 4 * tiny]), out(), out()
    expected = 1 / np.sqrt(np.float64(np.float32(tiny)) + numbers(x))
    return [binary("ADD", x, const(tiny), y), Node("RSQRT", [y], [z])], [(z, expected)]


@row([3], [1, 2], [1])
def a_normalization_over_these_axes(axes):
    """The pattern of a layer normalization, over the last axis or not."""
    x, gamma, epsilon = fed(normal(2, 3, 4, 5)), const(normal(5)), const(1e-3)
    m, d, s, v, e, r, n, y = (out() for _ in range(8))
    nodes = [mean(x, axes, m), binary("SUB", x, m, d), binary("MUL", d, d, s), mean(s, axes, v), binary("ADD", v, epsilon, e),
             Node("RSQRT", [e], [r]), binary("MUL", d, r, n), binary("MUL", n, gamma, y)]
    centred = numbers(x) - numbers(x).mean(tuple(axes), keepdims=True)
    expected = centred / np.sqrt((centred ** 2).mean(tuple(axes), keepdims=True) + 1e-3) * numbers(gamma)
    return nodes, [(y, expected)]


@row()
def what_only_looks_like_a_normalization():
    """The same chain, but another tensor than its mean's is centred, and the squares are of a third."""
    x, other, epsilon = fed(normal(2, 6)), fed(normal(2, 6)), const(1e-3)
    m, d, s, v, e, r, y = (out() for _ in range(7))
    nodes = [mean(other, [1], m), binary("SUB", x, m, d), binary("MUL", d, other, s), mean(s, [1], v),
             Node("SQUARE", [v], [e]), binary("ADD", e, epsilon, r), binary("MUL", d, r, y)]
    centred = numbers(x) - numbers(other).mean(1, keepdims=True)
    expected = centred * ((centred * numbers(other)).mean(1, keepdims=True) ** 2 + 1e-3)
    return nodes, [(y, expected)]


@row()
def zeros_around_negative_data_are_the_maximum():
    x, padded, y = fed(-1 - np.abs(normal(2, 4, 4, 3))), out(), out()
    nodes = [Node("PAD", [x, const([[0, 0], [1, 1], [1, 1], [0, 0]], "i32")], [padded]),
             Node("MAX_POOL_2D", [padded], [y], ("Pool2D", {"padding": VALID, "stride_w": 2, "stride_h": 2, "filter_w": 2, "filter_h": 2}))]
    around = np.pad(numbers(x), ((0, 0), (1, 1), (1, 1), (0, 0)))
    return nodes, [(y, around.reshape(2, 3, 2, 3, 2, 3).max((2, 4)))]


@row()
def padding_of_a_pool_is_no_data():
    x, y = fed(-1 - np.abs(normal(1, 3, 3, 2))), out()
    options = {"padding": SAME, "stride_w": 1, "stride_h": 1, "filter_w": 3, "filter_h": 3}
    around = np.pad(numbers(x), ((0, 0), (1, 1), (1, 1), (0, 0)), constant_values=-np.inf)
    expected = np.max([around[:, i:i + 3, j:j + 3] for i in range(3) for j in range(3)], 0)
    return [Node("MAX_POOL_2D", [x], [y], ("Pool2D", options))], [(y, expected)]


@row()
def a_convolution_of_3x3_on_large_values():
    """What an algorithm by transforms loses: sums that nearly cancel."""
    x, filters = 1000 + normal(1, 6, 6, 8), np.round(4 * normal(8, 3, 3, 8)) / 4
    filters -= filters.mean((1, 2, 3), keepdims=True)
    inputs, weights, y = fed(x), const(filters), out()
    options = {"padding": VALID, "stride_w": 1, "stride_h": 1, "dilation_w": 1, "dilation_h": 1, "activation": NONE}
    patches = np.stack([numbers(inputs)[:, i:i + 4, j:j + 4] for i in range(3) for j in range(3)], 3)
    expected = np.einsum("nhwpc,opc->nhwo", patches, numbers(weights).reshape(8, 9, 8))
    return [Node("CONV_2D", [inputs, weights, const(np.zeros(8))], [y], ("Conv2D", options))], [(y, expected, 2000 * TOLERANCE)]


@row("ADD", "SUB", "MUL", "DIV")
def results_beyond_all_floats_are_infinite(op):
    """Also below an activation that has no upper limit."""
    x, a, y, z = fed([[-3e38, -2, 3e38, np.inf]] * 2), fed([3e38, 1e-39, 1e-39, 2]), out(), out()
    with np.errstate(over="ignore"):
        expected = {"ADD": np.add, "SUB": np.subtract, "MUL": np.multiply, "DIV": np.divide}[op](x.feed, a.feed)
    nodes = [binary(op, x, a, y), Node(op, [x, a], [z], (op.capitalize(), {"activation": RELU}))]
    return nodes, [(y, expected.astype(np.float64)), (z, np.maximum(expected, 0).astype(np.float64))]


@row()
def a_residual_connection_beyond_all_floats():
    x, other, y, z = fed(normal(1, 3, 4, 2)), fed(np.full((1, 3, 4, 2), 3e38)), out(), out()
    options = {"padding": VALID, "stride_w": 1, "stride_h": 1, "dilation_w": 1, "dilation_h": 1, "activation": NONE}
    filters = const(np.zeros((2, 1, 1, 2)))
    nodes = [Node("CONV_2D", [x, filters, const([3e38, -3e38])], [y], ("Conv2D", options)), binary("ADD", y, other, z)]
    return nodes, [(z, np.broadcast_to([np.inf, 0], (1, 3, 4, 2)))]


@row()
def what_stands_for_zero_differs_in_one_graph():
    """A convolution reads bytes of 1 outside of its input, a padding writes bytes of 0."""
    x, z = (Tensor("i8", [1, 2, 3, 1], feed=RNG.integers(-9, 9, (1, 2, 3, 1)).astype(np.int8), scale=1.0, zero=zero) for zero in (1, 0))
    filters = Tensor("i8", [1, 1, 1, 1], data=np.ones((1, 1, 1, 1), np.int8), scale=1.0)
    bias = Tensor("i32", [1], data=np.zeros(1, np.int32), scale=1.0)
    y, padded = Tensor("i8", [], scale=1.0, zero=1), Tensor("i8", [], scale=1.0, zero=0)
    options = {"padding": SAME, "stride_w": 1, "stride_h": 1, "dilation_w": 1, "dilation_h": 1, "activation": NONE}
    around = [[0, 0], [1, 0], [0, 2], [0, 0]]
    nodes = [Node("CONV_2D", [x, filters, bias], [y], ("Conv2D", options)), Node("PAD", [z, const(around, "i32")], [padded])]
    return nodes, [(y, x.feed), (padded, np.pad(z.feed, around))]


@row()
def complex_numbers_are_copied():
    x, y = Tensor("c64", [3], feed=np.array([1 + 2j, -3j, 4], np.complex64)), Tensor("c64", [])
    return [Node("CAST", [x], [y])], [(y, x.feed)]


@row()
def the_same_tensor_divided_by_itself():
    x, y, z = fed(1 + np.abs(normal(3, 5))), out(), out()
    return [binary("DIV", x, x, y), binary("SUB", y, y, z)], [(y, np.ones((3, 5))), (z, np.zeros((3, 5)))]


@row((2, 3, 2, 2, 3), (2, 1, 3, 2, 2, 2))
def many_dimensions_are_reshaped_and_transposed(shape):
    x, t, y = fed(normal(*shape)), out(), out()
    order = list(np.roll(np.arange(len(shape)), 2))
    flat = [int(np.prod(shape[:2])), -1]
    nodes = [Node("TRANSPOSE", [x, const(order, "i32")], [t]),
             Node("RESHAPE", [t, const(flat, "i32")], [y], ("Reshape", {"new_shape": flat}))]
    moved = numbers(x).transpose(order)
    return nodes, [(t, moved), (y, moved.reshape(flat))]


@row(2, 3)
def batches_of_a_dense_layer(batch):
    x, w, b, flat, y = fed(normal(batch, 2, 3, 2)), const(normal(4, 12)), const(normal(4)), out(), out()
    nodes = [Node("RESHAPE", [x, const([-1, 12], "i32")], [flat], ("Reshape", {"new_shape": [-1, 12]})),
             Node("FULLY_CONNECTED", [flat, w, b], [y], ("FullyConnected", {"activation": NONE}))]
    return nodes, [(y, numbers(x).reshape(batch, 12) @ numbers(w).T + numbers(b))]
