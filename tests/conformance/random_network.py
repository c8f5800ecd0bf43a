"""What networks are made of, for random graphs: LAYERS of products and windows, and CHAINS of operators that read each other.

Operators of a chain may be done in one launch where nobody else reads what is between them: most often nobody does.
"""
import numpy as np

from cases import NONE, RELU, RELU6, SAME, VALID, Node, Tensor
from ops_network import DENSE, STEPS, WEIGHTED, bias_of, bias_type, extent, output_of, weights

IMAGES = ("f32", "f32", "f32", "f32", "i8", "i8", "u8", "i16")
HALF, SEEN, MOST_SCORE = 0.15, 0.2, 8.0


def constant_floats(b, shape, low, high):
    """Constants, now and then stored as float16."""
    if not b.r.chance(HALF):
        return b.r.const("f32", shape, low=low, high=high)
    made = Tensor("f32", [])
    b.nodes.append(Node("DEQUANTIZE", [b.r.const("f16", shape, low=low, high=high)], [made]))
    return made


def bias_of_floats(b, count):
    """Not below 0, where an activation would leave nothing but what rounding makes."""
    return constant_floats(b, [count], 0.0, 4.0)


def bound_of(x, depth):
    """The largest sum of `depth` products with weights of 1 / sqrt(depth), and a bias."""
    return x.bound * depth ** 0.5 + 4 if x.kind == "f32" else 1.0


def parameters(b, x, rows, shape, axis, depth, unbiased=0.0):
    """(filter, bias, the output's quantization) for sums of `depth` products. Inputs that are rounded at run time have to be exact."""
    source, kind, bias_kind = b.r.pick([row for row in rows if row[0] == x.kind and (row[1] == "f32" or x.exact)])
    hybrid, most, count = source == "f32" and kind != "f32", depth ** -0.5, shape[axis]
    if kind == "f32":
        return constant_floats(b, shape, -most, most), bias_of_floats(b, count), {}
    filters, scale = weights(b.r, kind, shape, axis, hybrid, 1.0 if axis else 0.6)
    if hybrid:
        filters.scale = np.asarray(scale) * most / (0.03 * STEPS[kind])
        return filters, bias_of_floats(b, count), {}
    bias = bias_of(b.r, bias_kind, count, np.asarray(scale) * float(np.ravel(x.tensor.scale)[0]), 1 - unbiased)
    y = output_of(b.r, source, x.tensor, scale, depth)
    return filters, bias, {"scale": y.scale, "zero": y.zero}


def multiply(b, x, outputs):
    depth, keep = x.shape[-1], b.r.chance(0.5)
    shape = x.shape[:-1] + [outputs] if keep else [int(np.prod(x.shape[:-1])), outputs]
    if not b.allows(x.kind, shape, bound_of(x, depth)):
        return []
    rows = [row for row in DENSE if row[:2] != ("f32", "u8")]
    filters, bias, q = parameters(b, x, rows, [outputs, depth], 0, depth, 0.2)
    options = {"keep_num_dims": keep, "activation": b.r.pick([NONE, RELU, RELU6]), **bias_type(b.r, x.kind, bias),
               "asymmetric": filters.kind != x.kind and b.r.chance(0.5)}
    return b.add("FULLY_CONNECTED", [x, filters, bias], [(x.kind, shape, bound_of(x, depth), False, q)], ("FullyConnected", options))


def convolve(b, x, depthwise, outputs, size, padding):
    """A convolution with a filter of (height, width); a depthwise one gives a multiple of the input's channels."""
    n, h, w, c = x.shape
    stride, depth = b.r.pick([1, 1, 2]), size[0] * size[1] * (1 if depthwise else c)
    dilation = 2 if stride == 1 and padding == SAME and b.r.chance(0.1) else 1
    shape = [n, *(extent(padding, d, k, stride, dilation) for d, k in zip((h, w), size)), outputs]
    if not b.allows(x.kind, shape, bound_of(x, depth)):
        return []
    if depthwise:
        rows = [row for row in WEIGHTED if row[1] != "i4" and row != ("i16", "i8", "i32")]
        filters, bias, q = parameters(b, x, rows, [1, *size, outputs], 3, depth)
    else:
        filters, bias, q = parameters(b, x, WEIGHTED, [outputs, *size, c], 0, depth)
    options = {"padding": padding, "stride_w": stride, "stride_h": stride, "activation": b.r.pick([NONE, RELU, RELU6]),
               "dilation_w": dilation, "dilation_h": dilation}
    options.update({"multiplier": outputs // c} if depthwise else bias_type(b.r, x.kind, bias))
    op, table = ("DEPTHWISE_CONV_2D", "DepthwiseConv2D") if depthwise else ("CONV_2D", "Conv2D")
    return b.add(op, [x, filters, bias], [(x.kind, shape, bound_of(x, depth), False, q)], (table, options))


def take_windows(b, x, size, padding):
    n, h, w, c = x.shape
    stride, op = b.r.int(1, 2), b.r.pick(["MAX_POOL_2D", "AVERAGE_POOL_2D"])
    options = {"padding": padding, "stride_w": stride, "stride_h": stride, "filter_w": size[1], "filter_h": size[0], "activation": NONE}
    shape = [n, *(extent(padding, d, k, stride, 1) for d, k in zip((h, w), size)), c]
    made = b.move(op, x, shape, [], ("Pool2D", options))
    for value in made:
        value.exact = value.exact and (op == "MAX_POOL_2D" or x.kind != "f32")
    return made


def filter_size(b, x, most=3):
    """Of a filter that fits into the image."""
    return [b.r.int(1, min(most, d)) for d in x.shape[1:3]]


def product(b):
    return multiply(b, b.any(("f32", "f32", "i8", "u8", "i16"), low=2, high=4), b.r.int(1, 9))


def batch_product(b):
    x = b.any(("f32",), low=2, high=5)
    adj_x, adj_y = b.r.chance(0.4), b.r.chance(0.4)
    rows, depth = (x.shape[-1], x.shape[-2]) if adj_x else (x.shape[-2], x.shape[-1])
    columns = b.r.int(1, 6)
    tail = [columns, depth] if adj_y else [depth, columns]
    batch = b.r.broadcast(x.shape[:-2])
    y = b.r.either("f32", batch + tail, 0.5, low=-1.0, high=1.0)
    shape = x.shape[:-2] + [rows, columns]
    return b.add("BATCH_MATMUL", [x, y], [("f32", shape, x.bound * depth, False, {})], ("BatchMatMul", {"adj_x": adj_x, "adj_y": adj_y}))


def convolution(b):
    x = b.any(IMAGES, low=4, high=4)
    depthwise = b.r.chance(0.4)
    return convolve(b, x, depthwise, x.shape[3] * b.r.int(1, 2) if depthwise else b.r.int(1, 9), filter_size(b, x), b.r.pick([SAME, VALID]))


def pool(b):
    x = b.any(("f32", "i8", "u8"), low=4, high=4)
    return take_windows(b, x, filter_size(b, x), b.r.pick([SAME, VALID]))


def more_channels(b, x):
    """A convolution of pixels or of 3x3, often to many channels."""
    return convolve(b, x, False, b.r.pick([b.r.wide(), b.r.int(8, 40)]), filter_size(b, x, b.r.pick([1, 3])), SAME)


def each_channel(b, x):
    size = b.r.pick([1, 3, 3, 3, 5])
    return convolve(b, x, True, x.shape[3] * b.r.pick([1, 1, 1, 2]), [size, size], SAME)


def residual(b, x):
    other = b.pick(lambda v: v is not x and v.kind == x.kind and v.shape == x.shape, lambda: None)
    other = other or b.leaf(x.kind, x.shape if b.r.chance(0.8) else b.r.broadcast(x.shape), b.r.chance(0.3))
    inputs = [x, other] if b.r.chance(0.5) else [other, x]
    bound = x.bound + other.bound if x.kind == "f32" else 1.0
    options = ("Add", {"activation": b.r.pick([NONE, RELU, RELU6])})
    return b.add("ADD", inputs, [(x.kind, x.shape, bound, False, b.r.quant(x.kind))], options)


def activated(b, x):
    if x.kind == "i16":
        return []
    return b.add(b.r.pick(["RELU", "RELU6", "HARD_SWISH"]), [x], [(x.kind, x.shape, max(x.bound, 1.0), False, b.r.quant(x.kind))])


def padded_windows(b, x):
    """What networks that were converted from others have in place of SAME."""
    if x.kind == "i16":
        return []
    around = [[0, 0], *([b.r.int(0, 2), b.r.int(0, 2)] for _ in range(2)), [0, 0]]
    made = b.move("PAD", x, [d + p + q for d, (p, q) in zip(x.shape, around)], [b.ints(around)])
    if not made:
        return []
    size = filter_size(b, made[0])
    if b.r.chance(0.5):
        return take_windows(b, made[0], size, VALID)
    return convolve(b, made[0], False, b.r.int(1, 9), size, VALID)


PARTS = [more_channels, more_channels, each_channel, residual, activated, padded_windows]
BEHIND = [*PARTS, each_channel, each_channel, residual]  # a convolution


def convolutions(b):
    x = b.pick(lambda v: v.kind in IMAGES and len(v.shape) == 4 and np.prod(v.shape) > 30)
    if x is None or b.r.chance(0.5):
        n, side = b.r.pick([1, 1, 4, 6]), b.r.int(2, 12)
        x = b.leaf(b.r.pick(IMAGES), [n, side, b.r.int(2, 10), b.r.int(1, 6)])
    step = None
    for _ in range(b.r.int(2, 5)):
        step = b.r.pick(BEHIND if step is more_channels else PARTS)
        for after in step(b, x):
            if x.tensor.feed is None and x in b.values and not b.r.chance(SEEN):
                b.values.remove(x)
            x = after


def attention(b):
    x = b.any(("f32",), low=2, high=5)
    depth, keys = x.shape[-1], b.r.int(1, 12)
    if x.bound * depth > MOST_SCORE ** 2:
        return
    batch, shape = b.r.broadcast(x.shape[:-2]), x.shape[:-1] + [keys]
    scores = b.add("BATCH_MATMUL", [x, b.r.either("f32", batch + [keys, depth], 0.3, low=-1.0, high=1.0)],
                   [("f32", shape, x.bound * depth, False, {})], ("BatchMatMul", {"adj_x": False, "adj_y": True}))
    for op in ("MUL", "ADD"):
        if scores and b.r.chance(0.8):
            other = b.leaf("f32", b.r.broadcast(shape) if op == "ADD" else [], b.r.chance(0.5))
            bound = scores[0].bound + other.bound if op == "ADD" else scores[0].bound * other.bound
            scores = b.add(op, [*scores, other], [("f32", shape, bound, False, {})], (op.capitalize(), {"activation": NONE}))
    if scores:
        options = ("Softmax", {"beta": b.r.pick([1.0, 0.5, 0.125])})
        shares = b.add("SOFTMAX", scores, [("f32", shape, 1.0, False, {})], options)
        columns = b.r.int(1, 9)
        b.add("BATCH_MATMUL", [*shares, b.r.either("f32", batch + [keys, columns], 0.3)],
              [("f32", shape[:-1] + [columns], 4.0 * keys, False, {})], ("BatchMatMul", {"adj_x": False, "adj_y": False}))


def keep(b, made):
    """The value that was made, if any; most often nobody else finds it."""
    for value in made:
        if not b.r.chance(SEEN):
            b.values.remove(value)
        return value
    return None


def squeezed(b, x):
    """The gate that a squeeze-and-excite block makes of an image, or one like it."""
    n, _, w, c = x.shape
    columns = b.r.chance(0.1)
    means = ("f32", [n, 1, w if columns else 1, c], x.bound, False, {})
    gate = keep(b, b.add("MEAN", [x, b.ints([1] if columns else [1, 2])], [means], ("Reducer", {"keep_dims": True})))
    for outputs in (b.r.pick([b.r.int(1, 20), c]), c):
        gate = gate and keep(b, convolve(b, gate, False, outputs, [1, 1], SAME))
        if gate and b.r.chance(0.8):
            gate = keep(b, b.add(b.r.pick(["RELU", "RELU6", "HARD_SWISH", "LOGISTIC"]), [gate], [("f32", gate.shape, max(gate.bound, 1.0), False, {})]))
    return gate


def gates(b):
    x = b.leaf("f32", [b.r.pick([1, 1, 2, 3]), b.r.int(1, 6), b.r.int(1, 6), b.r.pick([b.r.int(1, 9), b.r.int(16, 40)])])
    gate = squeezed(b, x)
    if not gate or gate.shape[2] not in (1, x.shape[2]) or gate.shape[3] != x.shape[3]:
        return
    inputs = [x, gate] if b.r.chance(0.5) else [gate, x]
    options = ("Mul", {"activation": b.r.pick([NONE, NONE, NONE, RELU6])})
    gated = keep(b, b.add("MUL", inputs, [("f32", x.shape, x.bound * gate.bound, False, {})], options))
    size = b.r.pick([1, 1, 1, min(x.shape[1:3])])
    if gated:
        convolve(b, gated, False, b.r.int(1, 40), [size, size], SAME)


LAYERS, CHAINS = [product, batch_product, convolution, pool], [convolutions, convolutions, attention, gates]
