"""Patterns that GPU delegates have computed wrongly or refused: single operators, and who else reads a tensor."""
import numpy as np

from cases import NONE, RELU, SAME, TANH, VALID, Node, Tensor
from patterns import RNG, binary, const, fed, mean, normal, numbers, out, row, softmax
from sparse_tensor import from_sparse, sparse

CONV = {"stride_w": 1, "stride_h": 1, "dilation_w": 1, "dilation_h": 1, "activation": NONE}


def convolved(x, filters):
    """Without padding, in steps of 1; filters [out, height, width, in]."""
    _, high, wide, _ = filters.shape
    h, w = x.shape[1] - high + 1, x.shape[2] - wide + 1
    return sum(np.einsum("nhwc,oc->nhwo", x[:, i:i + h, j:j + w], filters[:, i, j]) for i in range(high) for j in range(wide))


@row()
def what_is_pooled_is_an_output_too():
    x, s, y = fed(normal(1, 6, 6, 3)), out(), out()
    options = {"padding": VALID, "stride_w": 2, "stride_h": 2, "filter_w": 2, "filter_h": 2}
    values = np.maximum(numbers(x), 0)
    nodes = [Node("RELU", [x], [s]), Node("MAX_POOL_2D", [s], [y], ("Pool2D", options))]
    return nodes, [(s, values), (y, values.reshape(1, 3, 2, 3, 2, 3).max((2, 4)))]


@row()
def parts_have_several_readers():
    """As in networks whose stages are joined across."""
    x, a, b, s, t, joined = fed(normal(1, 3, 4, 6)), out(), out(), out(), out(), out()
    left, right = np.split(numbers(x), 2, 3)
    nodes = [Node("SPLIT", [const(3, "i32"), x], [a, b], ("Split", {"num_splits": 2})), binary("ADD", b, const(1.5), s),
             binary("MUL", b, s, t), Node("CONCATENATION", [a, b, t, b], [joined], ("Concatenation", {"axis": 3}))]
    product = right * (right + 1.5)
    return nodes, [(b, right), (s, right + 1.5), (joined, np.concatenate([left, right, product, right], 3))]


@row()
def copies_of_one_tensor_are_outputs():
    x, filters, bias, y, a, b = fed(normal(1, 5, 5, 2)), const(normal(4, 1, 1, 2)), const(normal(4)), out(), out(), out()
    strided = {"padding": SAME, **CONV, "stride_w": 2, "stride_h": 2}
    expected = numbers(x)[:, ::2, ::2] @ numbers(filters).reshape(4, 2).T + numbers(bias)
    nodes = [Node("CONV_2D", [x, filters, bias], [y], ("Conv2D", strided)),
             Node("RESHAPE", [y, const([1, 3, 3, 4], "i32")], [a], ("Reshape", {"new_shape": [1, 3, 3, 4]})),
             Node("RESHAPE", [y, const([9, 4], "i32")], [b], ("Reshape", {"new_shape": [9, 4]}))]
    return nodes, [(a, expected), (b, expected.reshape(9, 4)), (y, expected)]


@row()
def a_tensor_is_joined_with_itself():
    x, y, z = fed(normal(2, 3, 5)), out(), out()
    nodes = [Node("CONCATENATION", [x, x, x], [y], ("Concatenation", {"axis": 1})), binary("MUL", y, y, z)]
    expected = np.concatenate([numbers(x)] * 3, 1)
    return nodes, [(y, expected), (z, expected ** 2)]


@row(("ADD", [2, 1, 4, 1], [1, 3, 1, 5]), ("MUL", [1, 1, 1, 5], [2, 3, 4, 5]), ("SUB", [2, 3, 1, 1], [4, 5]), ("ADD", [98, 8], [8]),
     ("SUB", [], [2, 3]))
def either_side_is_broadcast(arguments):
    op, left, right = arguments
    a, b, y = fed(normal(*left)), fed(normal(*right)), out()
    function = {"ADD": np.add, "MUL": np.multiply, "SUB": np.subtract}[op]
    return [binary(op, a, b, y)], [(y, function(numbers(a), numbers(b)))]


@row(1, 3, 5)
def a_convolution_of_so_many_channels(channels):
    """Vectors of four have lanes to spare, which a quotient makes NaN."""
    x, divisor, filters, s, y = fed(normal(1, 5, 6, channels)), const(1 + normal(channels) ** 2), const(normal(7, 3, 3, channels)), \
        out(), out()
    nodes = [binary("DIV", x, divisor, s), Node("CONV_2D", [s, filters, const(np.zeros(7))], [y], ("Conv2D", {"padding": VALID, **CONV}))]
    return nodes, [(y, convolved(numbers(x) / numbers(divisor), numbers(filters)))]


@row()
def filters_that_are_given_with_the_input():
    x, filters, bias, y = fed(normal(1, 5, 6, 3)), fed(normal(4, 3, 3, 3)), const(normal(4)), out()
    around = np.pad(numbers(x), ((0, 0), (1, 1), (1, 1), (0, 0)))
    nodes = [Node("CONV_2D", [x, filters, bias], [y], ("Conv2D", {"padding": SAME, **CONV}))]
    return nodes, [(y, convolved(around, numbers(filters)) + numbers(bias))]


@row()
def a_convolution_of_1x1():
    x, filters, bias, y = fed(normal(1, 1, 1, 24)), const(normal(24, 1, 1, 24)), const(normal(24)), out()
    nodes = [Node("CONV_2D", [x, filters, bias], [y], ("Conv2D", {"padding": SAME, **CONV}))]
    return nodes, [(y, convolved(numbers(x), numbers(filters)) + numbers(bias))]


@row(1, 2)
def a_depthwise_convolution_with_multiplier(multiplier):
    x, filters, y = fed(normal(1, 6, 5, 3)), const(normal(1, 3, 3, 3 * multiplier)), out()
    options = ("DepthwiseConv2D", {"padding": VALID, "multiplier": multiplier, **CONV})
    each = np.repeat(numbers(x), multiplier, 3)
    expected = sum(each[:, i:i + 4, j:j + 3] * numbers(filters)[:, i:i + 1, j:j + 1] for i in range(3) for j in range(3))
    return [Node("DEPTHWISE_CONV_2D", [x, filters, const(np.zeros(3 * multiplier))], [y], options)], [(y, expected)]


@row((SAME, 6, 0), (VALID, 7, 0), (SAME, 5, 1))
def a_transposed_convolution(arguments):
    """3x3, in steps of 2; of the scattered sums SAME leaves out the borders."""
    padding, size, before = arguments
    x, filters, y = fed(normal(1, 3, 3, 2)), const(normal(4, 3, 3, 2)), out()
    whole = np.zeros((1, 8, 8, 4))
    for i in range(3):
        for j in range(3):
            whole[:, i:i + 5:2, j:j + 5:2] += numbers(x) @ numbers(filters)[:, i, j].T
    options = ("TransposeConv", {"padding": padding, "stride_w": 2, "stride_h": 2})
    nodes = [Node("TRANSPOSE_CONV", [const([1, size, size, 4], "i32"), filters, x], [y], options)]
    return nodes, [(y, whole[:, before:before + size, before:before + size])]


@row()
def what_is_padded_has_two_readers():
    """A stem of two branches: a strided convolution and the maximum of what was padded with zeros, joined."""
    x, filters, scale, offset = fed(255 * np.abs(np.tanh(normal(1, 6, 6, 3)))), const(normal(2, 3, 3, 3)), const([[[[1 / 58] * 3]]]), \
        const([[[[124, 117, 104]]]])
    s, n, padded, a, b, joined = out(), out(), out(), out(), out(), out()
    pool = {"padding": VALID, "stride_w": 2, "stride_h": 2, "filter_w": 3, "filter_h": 3}
    nodes = [binary("SUB", x, offset, s), binary("MUL", s, scale, n), Node("PAD", [n, const([[0, 0], [1, 1], [1, 1], [0, 0]], "i32")], [padded]),
             Node("CONV_2D", [padded, filters, const(np.zeros(2))], [a], ("Conv2D", {"padding": VALID, **CONV, "stride_w": 2, "stride_h": 2})),
             Node("MAX_POOL_2D", [padded], [b], ("Pool2D", pool)), Node("CONCATENATION", [a, b], [joined], ("Concatenation", {"axis": 3}))]
    around = np.pad((numbers(x) - numbers(offset)) * numbers(scale), ((0, 0), (1, 1), (1, 1), (0, 0)))
    largest = np.max([around[:, i:i + 5:2, j:j + 5:2] for i in range(3) for j in range(3)], 0)
    return nodes, [(joined, np.concatenate([convolved(around, numbers(filters))[:, ::2, ::2], largest], 3), 1e-5)]


@row()
def a_signal_is_convolved_behind_its_zeros():
    """Sound, filled up with zeros: an image of one row and one channel, in steps of 4; two branches gate each other."""
    values = np.concatenate([normal(30), np.zeros(18)])
    x, wide, narrow = fed(values.reshape(1, 1, 48, 1)), const(normal(5, 1, 12, 1)), const(normal(5, 1, 12, 1))
    a, b, t, g, y = out(), out(), out(), out(), out()
    strided = ("Conv2D", {"padding": VALID, **CONV, "stride_w": 4})
    nodes = [Node("CONV_2D", [x, wide, const(np.zeros(5))], [a], strided), Node("CONV_2D", [x, narrow, const(np.zeros(5))], [b], strided),
             Node("TANH", [a], [t]), Node("LOGISTIC", [b], [g]), binary("MUL", t, g, y)]
    left, right = (convolved(numbers(x), numbers(filters))[:, :, ::4] for filters in (wide, narrow))
    return nodes, [(y, np.tanh(left) / (1 + np.exp(-right)))]


@row("f32", "f16")
def weights_are_kept_sparse(kind):
    """One is made dense by an operator of its own, and is an output, too; the other is multiplied as it is."""
    x, dense = fed(normal(2, 8)), normal(6, 8).astype(np.float16 if kind == "f16" else np.float32)
    stored, rest = sparse(dense, 4, kind), sparse(normal(5, 6), 1)
    nodes, values = [Node("DENSIFY", [stored], [Tensor(kind, [])])], from_sparse(stored, 4)
    if kind == "f16":
        nodes.append(Node("DEQUANTIZE", [nodes[0].outputs[0]], [out()]))
    weights, y, z = nodes[-1].outputs[0], out(), out()
    options = ("FullyConnected", {"activation": NONE})
    nodes += [Node("FULLY_CONNECTED", [x, weights, None], [y], options), Node("FULLY_CONNECTED", [y, rest, None], [z], options)]
    return nodes, [(weights, values), (z, numbers(x) @ values.T @ from_sparse(rest, 1).T, 1e-5)]


@row(("RNN", "sparse"), ("LSTM", "sparse"), ("RNN", "f16"), ("LSTM", "f16"))
def cells_have_weights(form):
    """Sparse ones, or each of their constants dequantized."""
    op, kind = form
    x, made, nodes = fed(normal(2, 8)), [], []

    def weights(values, block):
        if kind == "sparse":
            stored = sparse(values, block) if block else const(values)
            return stored, from_sparse(stored, block) if block else numbers(stored)
        constant, whole, node = halves(values)
        nodes.append(node)
        return whole, numbers(constant)

    for _ in range(4 if op == "LSTM" else 1):
        made.append([weights(normal(5, 8), 4), weights(normal(5, 5), 1), weights(normal(5), 0)])
    gates = [[tensor for tensor, _ in gate] for gate in made]
    sums, y = [numbers(x) @ w.T + b for (_, w), _, (_, b) in made], out()
    states = [Tensor("f32", [2, 5], variable=True) for _ in range(2)]
    if op == "RNN":
        return nodes + [Node(op, [x, *gates[0], states[0]], [y], ("RNN", {"activation": RELU}))], [(y, np.maximum(sums[0], 0))]
    inputs = [x, *(g[0] for g in gates), *(g[1] for g in gates), *[None] * 3, *(g[2] for g in gates), None, None, *states]
    of_input, _, _, of_output = (1 / (1 + np.exp(-s)) for s in sums)
    cell = of_input * np.tanh(sums[2])
    return nodes + [Node(op, inputs, [y], ("LSTM", {"activation": TANH}))], [(y, of_output * np.tanh(cell))]


def four_bits(units, depth):
    """Weights of 4 bits with a scale for each unit, and their values."""
    values, scales = RNG.integers(-7, 8, (units, depth)).astype(np.int8), np.abs(normal(units)) / 8 + 0.01
    return Tensor("i4", [units, depth], data=values, scale=scales.tolist(), zero=[0] * units), values * scales[:, None].astype(np.float64)


def of_bytes(x):
    """What is left of rows when each is quantized by its largest number."""
    scale = np.abs(x).max(-1, keepdims=True) / 127
    return np.round(x / scale) * scale


@row()
def weights_of_four_bits_behind_a_rotation():
    """Rows are multiplied by a Hadamard matrix, which evens them out, quantized as they come, and multiplied by integers."""
    hadamard = np.array([[1]])
    while len(hadamard) < 8:
        hadamard = np.block([[hadamard, hadamard], [hadamard, -hadamard]]) / np.sqrt(2)
    x, turn, (weights, real) = fed(normal(3, 16)), const(hadamard), four_bits(6, 16)
    parts, turned, rows, y = out(), out(), out(), out()
    dense = ("FullyConnected", {"activation": NONE})
    nodes = [Node("RESHAPE", [x, const([6, 8], "i32")], [parts], ("Reshape", {"new_shape": [6, 8]})),
             Node("FULLY_CONNECTED", [parts, turn, None], [turned], dense),
             Node("RESHAPE", [turned, const([3, 16], "i32")], [rows], ("Reshape", {"new_shape": [3, 16]})),
             Node("FULLY_CONNECTED", [rows, weights, None], [y], dense)]
    turned_rows = (numbers(x).reshape(6, 8) @ numbers(turn).T).reshape(3, 16)
    return nodes, [(y, of_bytes(turned_rows) @ real.T, 1e-5)]


@row(32, 12)
def weights_of_four_bits_in_blocks_of(size):
    """Each block of a row has a scale; the input is quantized between its smallest and its largest number."""
    x, scales = fed(1 + normal(3, 2 * size)), const(0.01 + np.abs(normal(5, 2)) / 8, "f16")
    weights = Tensor("i4", [5, 2 * size], data=RNG.integers(-8, 8, (5, 2 * size)).astype(np.int8), block=(scales, size))
    bias, y = const(normal(5)), out()
    low, high = np.minimum(numbers(x).min(1, keepdims=True), 0), np.maximum(numbers(x).max(1, keepdims=True), 0)
    step = (high - low) / 255
    real = numbers(weights) * np.repeat(numbers(scales), size, 1)
    expected = np.round(numbers(x) / step) * step @ real.T + numbers(bias)
    return [Node("FULLY_CONNECTED", [x, weights, bias], [y], ("FullyConnected", {"activation": RELU}))], [(y, np.maximum(expected, 0), 2e-5)]


@row("FULLY_CONNECTED", "RNN", "SVDF")
def a_number_that_is_none_is_quantized_by(op):
    """It counts as 0, and its neighbours are what they are without it."""
    values = normal(2, 8)
    values[0, 3] = values[1, 7] = np.nan
    x, y = fed(values), out()
    weights, recurrent = (Tensor("i8", [4, n], data=RNG.integers(-127, 128, (4, n)).astype(np.int8), scale=0.01) for n in (8, 4))
    bias, products = const(normal(4)), of_bytes(np.nan_to_num(numbers(x))) @ numbers(weights).T * 0.01
    if op == "FULLY_CONNECTED":
        return [Node(op, [x, weights, bias], [y], ("FullyConnected", {"activation": NONE}))], [(y, products + numbers(bias), 1e-5)]
    state = Tensor("f32", [2, 4] if op == "RNN" else [2, 4 * 3], variable=True)
    if op == "RNN":
        return [Node(op, [x, weights, recurrent, bias, state], [y], ("RNN", {"activation": NONE}))], [(y, products + numbers(bias), 1e-5)]
    times = Tensor("i8", [4, 3], data=RNG.integers(-127, 128, (4, 3)).astype(np.int8), scale=0.01)
    expected = products * numbers(times)[:, 2] * 0.01 + numbers(bias)
    return [Node(op, [x, weights, times, bias, state], [y], ("SVDF", {"rank": 1, "activation": NONE}))], [(y, expected, 1e-5)]


@row("SQUARED_DIFFERENCE", "SQUARE", "MUL")
def a_normalization_of_large_values(op):
    """Their squares, and the mean of these, are beyond what halves hold."""
    x, epsilon = fed(700 + 500 * normal(1, 4, 5, 3)), const(1e-3)
    m, d, s, v, e, r, y = (out() for _ in range(7))
    squares = {"SQUARED_DIFFERENCE": Node(op, [x, m], [s]), "SQUARE": Node(op, [d], [s]), "MUL": binary("MUL", d, d, s)}[op]
    nodes = [mean(x, [1, 2], m), binary("SUB", x, m, d), squares, mean(s, [1, 2], v), binary("ADD", v, epsilon, e),
             Node("RSQRT", [e], [r]), binary("MUL", d, r, y)]
    centred = numbers(x) - numbers(x).mean((1, 2), keepdims=True)
    return nodes, [(y, centred / np.sqrt((centred ** 2).mean((1, 2), keepdims=True) + 1e-3))]


@row([7], [1, 1, 7], [2, 3, 7], [98, 7])
def a_dense_layer_of_an_input_of_shape(shape):
    keeps = len(shape) == 3
    x, weights, bias, y = fed(normal(*shape)), const(normal(5, 7)), const(normal(5)), out()
    options = ("FullyConnected", {"activation": NONE, "keep_num_dims": keeps})
    expected = numbers(x) @ numbers(weights).T + numbers(bias)
    nodes = [Node("FULLY_CONNECTED", [x, weights, bias], [y], options)]
    return nodes, [(y, expected if keeps else expected.reshape(-1, 5))]


@row(512, 4096)
def a_dense_layer_as_deep_as(depth):
    x, weights, y = fed(normal(1, depth)), fed(normal(3, depth) / 64), out()
    nodes = [Node("FULLY_CONNECTED", [x, weights, const(np.zeros(3))], [y], ("FullyConnected", {"activation": NONE}))]
    return nodes, [(y, numbers(x) @ numbers(weights).T, 2e-5)]


@row([2, 5], [1, 1, 1, 3], [3, 1])
def softmax_of_large_numbers(shape):
    x, y = fed(200 + 100 * np.round(normal(*shape))), out()
    return [Node("SOFTMAX", [x], [y], ("Softmax", {"beta": 1.0}))], [(y, softmax(numbers(x)))]


@row()
def an_average_counts_no_padding():
    x, y = fed(3 + normal(1, 3, 3, 2)), out()
    options = {"padding": SAME, "stride_w": 1, "stride_h": 1, "filter_w": 3, "filter_h": 3}
    around = np.pad(numbers(x), ((0, 0), (1, 1), (1, 1), (0, 0)), constant_values=np.nan)
    expected = np.nanmean([around[:, i:i + 3, j:j + 3] for i in range(3) for j in range(3)], 0)
    return [Node("AVERAGE_POOL_2D", [x], [y], ("Pool2D", options))], [(y, expected)]


@row("corners", "halves", "neither")
def an_image_is_resized_by(kind):
    """From 3 to 5 rows and columns."""
    x, y = fed(normal(1, 3, 3, 2)), out()
    options = ("ResizeBilinear", {"align_corners": kind == "corners", "half_pixel_centers": kind == "halves"})
    at = np.arange(5)
    places = {"corners": at * 2 / 4, "halves": np.maximum((at + 0.5) * 3 / 5 - 0.5, 0), "neither": at * 3 / 5}[kind]
    below, above = np.floor(places).astype(int), np.minimum(np.floor(places).astype(int) + 1, 2)
    part = places - below
    rows = numbers(x)[:, below] * (1 - part)[:, None, None] + numbers(x)[:, above] * part[:, None, None]
    expected = rows[:, :, below] * (1 - part)[:, None] + rows[:, :, above] * part[:, None]
    return [Node("RESIZE_BILINEAR", [x, const([5, 5], "i32")], [y], options)], [(y, expected, 1e-5)]


@row()
def the_largest_of_a_constant():
    x, table, largest, y = fed(normal(2, 5)), const(RNG.standard_normal((4, 5))), out(), out()
    nodes = [Node("REDUCE_MAX", [table, const([0], "i32")], [largest], ("Reducer", {"keep_dims": False})),
             binary("SUB", x, largest, y)]
    return nodes, [(y, numbers(x) - numbers(table).max(0))]


def halves(values):
    """A constant of float16, and what it is dequantized to."""
    constant, whole = const(values, "f16"), out()
    return constant, whole, Node("DEQUANTIZE", [constant], [whole])


@row()
def weights_are_kept_as_float16():
    """As converters write them: each is dequantized where it is needed, and one of them is an output, too."""
    x, filters, taps, dense = fed(normal(1, 6, 6, 3)), halves(normal(8, 3, 3, 3)), halves(normal(1, 3, 3, 8)), halves(normal(5, 32))
    added, zeros = halves(normal(8)), const(np.zeros(8))
    y, z, s, flat, last = out(), out(), out(), out(), out()
    nodes = [filters[2], Node("CONV_2D", [x, filters[1], zeros], [y], ("Conv2D", {"padding": VALID, **CONV})), taps[2],
             Node("DEPTHWISE_CONV_2D", [y, taps[1], zeros], [z], ("DepthwiseConv2D", {"padding": VALID, "multiplier": 1, **CONV})),
             added[2], binary("ADD", z, added[1], s), Node("RESHAPE", [s, const([1, 32], "i32")], [flat], ("Reshape", {"new_shape": [1, 32]})),
             dense[2], Node("FULLY_CONNECTED", [flat, dense[1], None], [last], ("FullyConnected", {"activation": NONE}))]
    first = convolved(numbers(x), numbers(filters[0]))
    second = sum(first[:, i:i + 2, j:j + 2] * numbers(taps[0])[:, i:i + 1, j:j + 1] for i in range(3) for j in range(3))
    sums = second + numbers(added[0])
    return nodes, [(last, sums.reshape(1, 32) @ numbers(dense[0]).T, 1e-5), (added[1], numbers(added[0]))]


@row(3, 5)
def a_slice_lies_outside(begin):
    """An index that is dropped selects nothing: zeros, as on the CPU."""
    x, y, z = fed(normal(3, 4)), out(), out()
    options = {"begin_mask": 0, "end_mask": 2, "shrink_axis_mask": 1, "ellipsis_mask": 0, "new_axis_mask": 0, "offset": False}
    bounds = [const(values, "i32") for values in ([begin, 1], [begin + 1, 4], [1, 1])]
    nodes = [Node("STRIDED_SLICE", [x, *bounds], [y], ("StridedSlice", options)), binary("ADD", y, const(1.5), z)]
    return nodes, [(y, np.zeros(3)), (z, np.full(3, 1.5))]
