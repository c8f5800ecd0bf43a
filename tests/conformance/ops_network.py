"""Generators of the operators that networks are made of: convolutions, pooling, matrix products, normalization."""
import numpy as np

from cases import SAME, VALID, Tensor
from random_source import generates, one
from sparse_tensor import sparse

# (input, weights, bias)
WEIGHTED = [("f32", "f32", "f32")] * 3 + [("i8", "i8", "i32")] * 3 + [("u8", "u8", "i32"), ("i16", "i8", "i64"), ("i16", "i8", "i32"),
            ("f32", "i8", "f32"), ("f32", "i4", "f32"), ("i8", "i4", "i32")]
DENSE = [*WEIGHTED, ("i16", "i8", "i64"), ("f32", "i8", "f32"), ("f32", "u8", "f32"), ("f32", "i2", "f32"), ("i8", "i2", "i32"),
         ("i16", "i4", "i64"), ("i16", "i16", "i64")]
STEPS = {"i8": 127, "i16": 32767, "i4": 7, "i2": 1}


def weights(r, kind, shape, axis, hybrid, per_channel=0.6):
    """Constant weights with their quantization, and the scale of each channel."""
    if kind == "f32":
        return r.const("f32", shape, low=-1, high=1), None
    if kind == "u8":
        scale = r.float(0.002, 0.03)
        return r.const("u8", shape, scale=scale, zero=r.int(90, 160)), scale
    channel = r.chance(per_channel)
    scale = r.rng.uniform(0.002, 0.03, shape[axis] if channel else 1)
    most = STEPS[kind]
    values = r.rng.integers(-most, most + 1, shape)
    if r.chance(0.05):
        values[r.int(0, shape[0] - 1)] = 0
    if r.chance(0.05):
        values = np.full(shape, r.pick([most, -most]))  # the largest sums
    return r.const(kind, shape, values, scale=scale, axis=axis if channel else 0), scale


def at_run_time(r, filters, hybrid):
    """Weights that are an input of the graph."""
    if not hybrid and filters.kind in ("f32", "i8", "u8") and filters.sparsity is None and r.chance(0.1):
        filters.feed, filters.data = filters.data, None
    return filters


def bias_of(r, kind, count, scale, p=0.75):
    """A bias or None; an integer one has the scale of the products."""
    if not r.chance(p):
        return None
    if kind == "f32":
        return r.const("f32", [count], low=-1, high=1)
    most = 3000 if kind == "i32" else 30000
    return r.const(kind, [count], r.rng.integers(-most, most, count), scale=np.broadcast_to(scale, np.shape(scale)), zero=0)


def bias_type(r, source, bias):
    """What the options say of a bias: the width of 16-bit activations' sums, also without one."""
    if source != "i16":
        return {}
    return {"bias_type": r.pick([0, 2, 4]) if bias is None else {"i32": 2, "i64": 4}[bias.kind]}


def output_of(r, kind, x, scale, terms):
    """An output whose range is about what the products of `terms` pairs make."""
    if kind == "f32":
        return r.out("f32")
    half = {"i8": 128, "u8": 128, "i16": 32768}[kind]
    wide = float(np.mean(x.scale)) * float(np.mean(scale)) * half * 60 * max(terms, 1) ** 0.5
    zero = 0 if kind == "i16" else r.int(-40, 40) + (128 if kind == "u8" else 0)
    return r.out(kind, scale=wide / half * r.pick([0.3, 1.0, 2.0]), zero=zero)


def activation(r, source, terms):
    """A narrow range would show only the rounding of large sums."""
    return r.activation() if source != "f32" or terms < 100 else r.pick([0, 1])


def extent(padding, size, filter_size, stride, dilation):
    span = (filter_size - 1) * dilation + 1
    return -(-size // stride) if padding == SAME else -(-(size - span + 1) // stride)


def window(r, h, w):
    """Padding, strides, dilations and a filter that fit an image."""
    padding = r.pick([SAME, VALID])
    dilation = [r.pick([1, 1, 1, 2, 3]) for _ in range(2)]
    size = [r.int(1, 4) for _ in range(2)]
    if padding == VALID:
        size = [max(1, min(k, (s - 1) // d + 1)) for k, s, d in zip(size, (h, w), dilation)]
    return padding, [r.pick([1, 1, 2, 3]), r.pick([1, 1, 2, 3])], dilation, size


@generates("CONV_2D")
def conv(r, op):
    source, kind, bias_kind = r.pick(WEIGHTED)
    hybrid = source == "f32" and kind != "f32"
    n, h, w, c = r.int(1, 2), r.pick([1, r.int(1, 9), r.int(1, 9), r.int(1, 9)]), r.int(1, 9), r.wide()
    padding, stride, dilation, size = window(r, h, w)
    groups = r.pick([g for g in (1, 2, 3, 4, c) if c % g == 0]) if not hybrid and r.chance(0.15) else 1
    out = r.wide() * groups if groups < 5 else r.int(1, 2) * groups
    filters, scale = weights(r, kind, [out, *size, c // groups], 0, hybrid, 1.0 if groups > 1 else 0.6)
    filters = at_run_time(r, filters, hybrid)
    x = r.fed(source, [n, h, w, c], special=0.0 if hybrid else 0.05, **r.quant(source, 0.01, 0.1))
    bias = bias_of(r, bias_kind, out, None if scale is None or hybrid else np.asarray(scale) * x.scale, 0.97)
    y = output_of(r, source, x, scale, size[0] * size[1] * c)
    options = {"padding": padding, "stride_h": stride[0], "stride_w": stride[1], "dilation_h": dilation[0], "dilation_w": dilation[1],
               "activation": activation(r, source, size[0] * size[1] * c), **bias_type(r, source, bias)}
    return one(op, [x, filters] + ([bias] if bias else []), [y], ("Conv2D", options), loose=hybrid)


@generates("DEPTHWISE_CONV_2D")
def depthwise(r, op):
    source, kind, bias_kind = r.pick([row for row in WEIGHTED if row != ("f32", "i4", "f32")])
    hybrid = source == "f32" and kind != "f32"
    n, h, w, c, multiplier = r.int(1, 2), r.int(1, 9), r.int(1, 9), r.wide(9), r.pick([1, 1, 2, 3, 8 if r.chance(0.3) else 1])
    padding, stride, dilation, size = window(r, h, w)
    filters, scale = weights(r, kind, [1, *size, c * multiplier], 3, hybrid, 1.0 if hybrid else 0.6)
    filters = at_run_time(r, filters, hybrid)
    x = r.fed(source, [n, h, w, c], special=0.0 if hybrid else 0.05, **r.quant(source, 0.01, 0.1))
    # Without a bias LiteRT's default kernels end the process.
    bias = bias_of(r, bias_kind, c * multiplier, None if scale is None or hybrid else np.asarray(scale) * x.scale, 0.9)
    y = output_of(r, source, x, scale, size[0] * size[1])
    options = {"padding": padding, "stride_h": stride[0], "stride_w": stride[1], "dilation_h": dilation[0], "dilation_w": dilation[1],
               "activation": r.activation(), "multiplier": multiplier}
    return one(op, [x, filters] + ([bias] if bias else []), [y], ("DepthwiseConv2D", options), loose=hybrid)


@generates("TRANSPOSE_CONV")
def transpose_conv(r, op):
    source, kind, bias_kind = r.pick([row for row in WEIGHTED if row[1] != "i4" and not (row[0] == "f32" and row[1] == "i8")])
    n, h, w, c, out = r.int(1, 2), r.int(1, 5), r.int(1, 5), r.wide(6), r.wide(6)
    padding, stride, size = r.pick([SAME, VALID]), [r.int(1, 3), r.int(1, 3)], [r.int(1, 4), r.int(1, 4)]
    shape = [k + s * (i - 1) if padding == VALID else i * s - r.int(0, s - 1) for i, s, k in zip((h, w), stride, size)]
    filters, scale = weights(r, kind, [out, *size, c], 0, False)
    filters = at_run_time(r, filters, False)
    x = r.fed(source, [n, h, w, c], **r.quant(source, 0.01, 0.1))
    bias = bias_of(r, bias_kind, out, None if scale is None else np.asarray(scale) * x.scale, 0.5)
    y = output_of(r, source, x, scale, c * 2)
    options = {"padding": padding, "stride_h": stride[0], "stride_w": stride[1], "activation": activation(r, source, size[0] * size[1] * c),
               **bias_type(r, source, bias)}
    inputs = [r.side("i32", [n, *shape, out], 0.8), filters, x] + ([bias] if bias else [])
    return one(op, inputs, [y], ("TransposeConv", options))


def sparse_weights(r, units, depth):
    """Float weights, stored in rows of single elements or of blocks of 4."""
    block = 4 if r.chance(0.5) else 1
    dense = r.numbers("f32", [units, block * depth])
    return sparse(dense, block), block * depth


@generates("FULLY_CONNECTED")
def fully_connected(r, op):
    source, kind, bias_kind = r.pick(DENSE)
    hybrid = source == "f32" and kind != "f32"
    depth, units = r.pick([r.int(1, 40), r.wide(16)]), r.wide(12)
    keep, scale, special = r.chance(0.4), None, 0.0
    if kind == "f32" and r.chance(0.1):
        filters, depth = sparse_weights(r, units, depth)
    else:
        filters, scale = weights(r, kind, [units, depth], 0, hybrid, 0.4)
        if hybrid and kind == "u8":
            filters.data[filters.data == 128] = 127  # LiteRT's vector instructions cannot negate it
        filters = at_run_time(r, filters, hybrid)
        special = 0.05 if kind == "f32" else 0.0
    x = r.fed(source, [*r.shape(0, 4, most=4, elements=40), depth], special=special, **r.quant(source, 0.01, 0.1))
    if hybrid and x.feed.size and r.chance(0.1):
        x.feed.reshape(-1, depth)[0] = 0
    # To int16 LiteRT reads a bias that is not there, and has no scales of channels.
    target = "i16" if (source, kind) in (("i8", "i8"), ("u8", "u8")) and np.size(scale) == 1 and r.chance(0.3) else source
    bias = bias_of(r, bias_kind, units, None if scale is None or hybrid else np.asarray(scale) * x.scale, 1.0 if target != source else 0.75)
    y = output_of(r, target, x, scale, depth)
    options = {"activation": activation(r, source, depth), "keep_num_dims": keep,
               "asymmetric": hybrid and r.chance(0.5), **bias_type(r, source, bias)}
    return one(op, [x, filters, bias], [y], ("FullyConnected", options), loose=hybrid)


@generates("BATCH_MATMUL")
def batch_matmul(r, op):
    source, kind, target = r.pick([("f32", "f32", "f32")] * 3 + [("i8", "i8", "i8")] * 2 + [("i16", "i16", "i16"), ("i8", "i8", "i32"),
                                                                                          ("f32", "i8", "f32")])
    hybrid = source != kind
    # Of several batch dimensions LiteRT's hybrid kernel takes the scales of the wrong rows.
    batch, (m, k, n) = r.shape(0, 1 if hybrid else 3, most=3, empty=0), (r.wide(), r.pick([r.int(1, 20), r.wide(12)]), r.wide())
    left, right = batch, list(batch)
    if not hybrid and r.chance(0.4):
        left, right = r.broadcast(batch), r.broadcast(batch)
    adj_x, adj_y = r.chance(0.3), r.chance(0.3)
    x = r.fed(source, [*left, *((k, m) if adj_x else (m, k))], special=0.0 if hybrid else 0.1, **r.quant(source, 0.01, 0.1))
    q = {"scale": r.float(0.01, 0.03), "zero": 0} if hybrid else r.quant(kind, 0.01, 0.1)
    shape = [*right, *((n, k) if adj_y else (k, n))]
    y = r.const(kind, shape, **q) if hybrid else r.either(kind, shape, 0.4, **q)
    out = r.out("i32") if target == "i32" else output_of(r, target, x, q.get("scale"), k)
    options = {"adj_x": adj_x, "adj_y": adj_y, "asymmetric": hybrid and r.chance(0.5)}
    return one(op, [x, y], [out], ("BatchMatMul", options), loose=hybrid)


@generates("AVERAGE_POOL_2D", "MAX_POOL_2D", "L2_POOL_2D")
def pool(r, op):
    kind = r.kind(["f32", "i8", "u8", "i16"] if op != "L2_POOL_2D" else ["f32"])
    n, h, w, c = r.int(1, 2), r.int(1, 9), r.int(1, 9), r.wide(9)
    padding = r.pick([SAME, VALID])
    fits = padding == VALID and r.chance(0.9)
    size = [r.int(1, min(5, h) if fits else 5), r.int(1, min(5, w) if fits else 7)]
    q = r.quant(kind)
    options = {"padding": padding, "stride_h": r.int(1, 3), "stride_w": r.int(1, 3), "filter_h": size[0], "filter_w": size[1],
               "activation": r.activation()}
    special = 0.05 if op != "L2_POOL_2D" else 0.0
    return one(op, [r.fed(kind, [n, h, w, c], special=special, **q)], [r.out(kind, **q)], ("Pool2D", options))


@generates("SOFTMAX", "LOG_SOFTMAX")
def softmax(r, op):
    kind = r.pick(["f32", "f32", "i8", "u8"] + (["i16", "f16"] if op == "SOFTMAX" else []))
    low = {"i8": -128, "u8": 0}.get(kind, 0)
    if op == "SOFTMAX":
        out = {} if kind[0] == "f" else {"scale": 1 / 32768 if kind == "i16" else 1 / 256, "zero": low}
    else:
        out = {} if kind == "f32" else {"scale": 16 / 256, "zero": low + 255}
    q, target = r.quant(kind, 0.005, 0.3), r.out(kind, **out)
    if kind == "i16":
        q = {"scale": r.float(0.0001, 0.001), "zero": 0}
    if op == "SOFTMAX" and kind == "i8" and r.chance(0.2):
        target = r.out("i16", scale=1 / 65536, zero=-32768)
    shape = r.shape(1, 5, empty=0, most=9)
    beta = r.pick([1.0, 1.0, 0.5, 2.5, 0.1])
    return one(op, [r.fed(kind, shape, low=-10, high=10, **q)], [target], ("Softmax", {"beta": beta}) if op == "SOFTMAX" else None)


@generates("L2_NORMALIZATION")
def l2_normalization(r, op):
    kind = r.pick(["f32", "i8", "u8"])
    out = {"f32": {}, "i8": {"scale": 1 / 128, "zero": 0}, "u8": {"scale": 1 / 128, "zero": 128}}[kind]
    x = r.fed(kind, r.shape(1, 4, empty=0), **r.quant(kind))
    if r.chance(0.1):
        x.feed.reshape(-1, x.shape[-1])[0] = x.zero
    elif kind == "f32" and r.chance(0.1):
        x.feed.flat[0] = r.pick([np.nan, np.inf])
    return one(op, [x], [r.out(kind, **out)], ("L2Norm", {"activation": 0}))


@generates("LOCAL_RESPONSE_NORMALIZATION")
def local_response(r, op):
    options = {"radius": r.int(0, 5), "bias": r.float(0.5, 2), "alpha": r.float(0.01, 1), "beta": r.pick([0.5, 1.0, 0.75, 0.3])}
    shape = [r.int(1, 2), r.int(1, 4), r.int(1, 4), r.int(1, 12)]
    return one(op, [r.fed("f32", shape)], [r.out("f32")], ("LocalResponseNormalization", options))


@generates("RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR")
def resize(r, op):
    kind = r.kind(["f32", "i8", "u8", "i16"])
    shape = [r.int(1, 2), r.int(1, 7), r.int(1, 7), r.wide(6)]
    mode = r.pick([(False, False), (False, True), (True, False)] + ([(True, True)] if r.chance(0.1) else []))
    options = {"align_corners": mode[0], "half_pixel_centers": mode[1]}
    q = r.quant(kind)
    name = "ResizeBilinear" if op == "RESIZE_BILINEAR" else "ResizeNearestNeighbor"
    size = [0 if op != "RESIZE_BILINEAR" and r.chance(0.02) else r.int(1, 12) for _ in range(2)]
    return one(op, [r.fed(kind, shape, **q), r.side("i32", size)], [r.out(kind, **q)], (name, options))


@generates("CONV_3D", "CONV_3D_TRANSPOSE")
def conv_3d(r, op):
    n, c, out = r.int(1, 2), r.wide(4), r.wide(4)
    sizes, filters, strides = ([r.int(1, 5) for _ in range(3)], [r.int(1, 3) for _ in range(3)], [r.int(1, 2) for _ in range(3)])
    padding = r.pick([SAME, VALID])
    dilations = [r.pick([1, 1, 2]) if op == "CONV_3D" else 1 for _ in range(3)]
    if op == "CONV_3D" and padding == VALID:
        filters = [max(1, min(f, (s - 1) // d + 1)) for f, s, d in zip(filters, sizes, dilations)]
    options = {"padding": padding, "activation": activation(r, "f32", 4 * int(np.prod(filters)) * c)}
    for axis, stride, dilation in zip("dhw", strides, dilations):
        options.update({f"stride_{axis}": stride, f"dilation_{axis}": dilation})
    bias = [r.const("f32", [out])] if r.chance(0.6) else []
    x = r.fed("f32", [n, *sizes, c])
    if op == "CONV_3D":
        return one(op, [x, r.either("f32", [*filters, c, out], 0.7), *bias], [r.out("f32")], ("Conv3D", options))
    shape = [f + s * (i - 1) if padding == VALID else i * s for i, s, f in zip(sizes, strides, filters)]
    return one(op, [r.side("i32", [n, *shape, out]), r.either("f32", [*filters, out, c], 0.7), x, *bias], [r.out("f32")],
               ("Conv3D", options))


@generates("RFFT2D")
def rfft2d(r, op):
    length = [2 ** r.int(0, 6), 2 ** r.int(1, 6)]  # LiteRT's transform of rows of 1 is none
    shape = [*r.shape(0, 2, most=3), r.int(1, 17), r.int(1, 17)]
    return one(op, [r.fed("f32", shape), r.side("i32", length)], [r.out("c64")])


@generates("DENSIFY")
def densify(r, op):
    kind = r.pick(["f32", "i8"])
    block = r.pick([1, 1, 2, 4])
    x = sparse(r.numbers(kind, [r.int(1, 6), block * r.int(1, 6)]), block, kind, **r.quant(kind))
    return one(op, [x], [Tensor(kind, x.shape, scale=x.scale, zero=x.zero)])
