"""Models of one operator with tensors of about a million elements: models(NAME) yields (label, Case) for an operator.

Operators whose work is not in their elements (variables, hash tables, control flow, ...) get a random case of
tests/conformance, which is where the models' writer is, too.
"""
import itertools

import numpy as np

import operator_models_move  # noqa: F401  registers its models
from operator_tensors import BROADCASTS, MATRIX, MODELS, PICTURE, quant, times, use_small_shapes  # noqa: F401  the last for users
from cases import KINDS, OPERATORS, SAME, VALID  # this and what follows is of tests/conformance
from compare import judge_output  # noqa: F401  for users
from make import GENERATORS
from ops_elementwise import ACTIVATED, BINARY, COMPARE, HALVES, PLAIN, POSITIVE, UNARY
from ops_reduce import REDUCTIONS
from random_source import Random, one

OTHER_KINDS = {"PRELU": "f32 i8"}


def models(name):
    r = Random(0, name, 0)
    if name in MODELS:
        for label, case in MODELS[name](r, name):
            yield label, case
        return
    for number in itertools.count():
        case = GENERATORS[name](Random(0, name, number), name)
        if all(np.prod(t.shape) for graph in case.graphs for t in graph.tensors()):
            yield "small", case
            return


@times(*UNARY)
def unary(r, op):
    for kind in UNARY[op].split():
        q, out = quant(kind), quant(kind, 0.04)
        if op in ("LOGISTIC", "TANH") and q:
            steps = 32768 if kind == "i16" else 256 if op == "LOGISTIC" else 128
            low, middle = {"i8": (-128, 0), "u8": (0, 128), "i16": (0, 0)}[kind]
            out = {"scale": 1 / steps, "zero": low if op == "LOGISTIC" else middle}
        if op in POSITIVE and kind == "i8":
            q["zero"] = -128
        x = r.fed(kind, PICTURE, low=0.01 if op in POSITIVE else -4.0, **q)
        if op in POSITIVE and kind == "i16":
            x.feed = np.abs(x.feed // 2) + np.int16(1)
        options = {"GELU": ("Gelu", {"approximate": False}), "LEAKY_RELU": ("LeakyRelu", {"alpha": 0.1})}.get(op)
        yield kind, one(op, [x], [r.out(HALVES.get(kind, kind), **out)], options)
    if op == "GELU":
        yield "f32 tanh", one(op, [r.fed("f32", PICTURE)], [r.out("f32")], ("Gelu", {"approximate": True}))


def second_values(r, op, kind, shape, q):
    """What the second operand may hold."""
    if "SHIFT" in op:
        return r.rng.integers(0, 8, shape)
    if op == "POW":
        return r.rng.integers(0, 5, shape) if kind == "i32" else r.numbers(kind, shape, low=0.5)
    values = r.numbers(kind, shape)
    if "DIV" in op or "MOD" in op:
        values = np.where((values == 0) | (values == q.get("zero")), KINDS[kind][1](3), values)
    return values


@times(*[name for name in BINARY if name in GENERATORS], "PRELU")
def binary(r, op):
    fixed = op.startswith("STABLEHLO") or op == "ATAN2"
    for kind in {**BINARY, **OTHER_KINDS}[op].split():
        q = quant(kind) if op not in PLAIN else {}
        out = quant(kind, 0.05) if q and op not in ("MAXIMUM", "MINIMUM") else q
        for label, shape in BROADCASTS.items():
            if label != "same" and (fixed or label != "row" and kind not in ("f32", "i8")):
                continue
            a = r.fed(kind, PICTURE, low=0.1 if op == "POW" else -4.0, **q)
            b = r.fed(kind, shape, second_values(r, op, kind, shape, q), **q)
            if op == "PRELU":
                b.data, b.feed = b.feed, None
            yield f"{kind} {label}", one(op, [a, b], [r.out(kind, **out)], (ACTIVATED[op], {}) if op in ACTIVATED else None)


@times(*COMPARE)
def compare(r, op):
    for kind in ("f32", "i32", "i64", "i8", "u8"):
        for label in ("same", "row", "scalar"):
            yield f"{kind} {label}", one(op, [r.fed(kind, PICTURE, **quant(kind)), r.fed(kind, BROADCASTS[label], **quant(kind))],
                                         [r.out("bool")])


@times("SELECT", "SELECT_V2")
def select(r, op):
    for kind in ("f32", "i8", "i32", "i64"):
        for label, shape in BROADCASTS.items():
            if label == "same" or op == "SELECT_V2":
                q = quant(kind)
                yield f"{kind} {label}", one(op, [r.fed("bool", PICTURE), r.fed(kind, PICTURE, **q), r.fed(kind, shape, **q)],
                                             [r.out(kind, **q)])
    if op == "SELECT_V2":
        yield "f32 condition side", one(op, [r.fed("bool", BROADCASTS["side"]), r.fed("f32", PICTURE), r.fed("f32", PICTURE)],
                                        [r.out("f32")])


@times("ADD_N")
def add_n(r, op):
    for kind in ("f32", "i32"):
        yield kind, one(op, [r.fed(kind, PICTURE) for _ in range(4)], [r.out(kind)])


@times("CAST")
def cast(r, op):
    pairs = ("f32 i32", "i32 f32", "f32 f16", "f16 f32", "u8 f32", "f32 u8", "i8 f32", "i32 i64", "i64 i32", "i64 f32", "bool f32",
             "f32 bool", "i32 i16", "i32 i8")
    for source, target in (pair.split() for pair in pairs):
        yield f"{source} {target}", one(op, [r.fed(source, PICTURE)], [r.out(target)], ("Cast", {}))


@times("QUANTIZE")
def quantize(r, op):
    for source, target in (("f32", "i8"), ("f32", "u8"), ("f32", "i16"), ("i8", "i8"), ("i8", "u8"), ("i16", "i16"), ("i16", "i8")):
        yield f"{source} {target}", one(op, [r.fed(source, PICTURE, **quant(source))], [r.out(target, **quant(target, 0.04))])


@times("DEQUANTIZE")
def dequantize(r, op):
    for kind in ("i8", "u8", "i16"):
        yield kind, one(op, [r.fed(kind, PICTURE, **quant(kind))], [r.out("f32")])
    channels = {"scale": r.rng.uniform(0.01, 0.1, PICTURE[3]), "zero": np.zeros(PICTURE[3]), "axis": 3}
    yield "i8 channels", one(op, [r.fed("i8", PICTURE, **channels)], [r.out("f32")])
    yield "f16", one(op, [r.fed("f16", PICTURE)], [r.out("f32")])


@times("FAKE_QUANT")
def fake_quant(r, op):
    yield "f32", one(op, [r.fed("f32", PICTURE)], [r.out("f32")], ("FakeQuant", {"min": -3.0, "max": 5.0, "num_bits": 8}))


@times("BUCKETIZE")
def bucketize(r, op):
    for kind in ("f32", "i32"):
        yield kind, one(op, [r.fed(kind, PICTURE)], [r.out("i32")], ("Bucketize", {"boundaries": [-3.0, -1.0, 0.0, 1.0, 2.0]}))


AXES = {"all": [0, 1, 2, 3], "inner": [3], "pixels": [1, 2], "outer": [0], "middle": [2], "sides": [0, 3]}


@times(*REDUCTIONS)
def reduction(r, op):
    for kind in REDUCTIONS[op].split():
        for label, axes in AXES.items():
            if label in ("sides", "middle") and kind not in ("f32", "i8"):
                continue
            q = quant(kind)
            yield f"{kind} {label}", one(op, [r.fed(kind, PICTURE, **q), r.const("i32", [len(axes)], axes)], [r.out(kind, **q)],
                                         ("Reducer", {"keep_dims": False}))


@times("ARG_MAX", "ARG_MIN")
def arg(r, op):
    for kind in ("f32", "i8", "u8", "i32"):
        for label, shape, axis in (("inner", PICTURE, 3), ("long", [1, 1 << 20], 1), ("middle", PICTURE, 2), ("outer", PICTURE, 0)):
            options = ("ArgMax" if op == "ARG_MAX" else "ArgMin", {"output_type": 2})
            yield f"{kind} {label}", one(op, [r.fed(kind, shape), r.const("i32", [], axis)], [r.out("i32")], options)


@times("CUMSUM")
def cumsum(r, op):
    for kind, axis in itertools.product(("f32", "i32", "i64"), (0, 2, 3)):
        yield f"{kind} axis {axis}", one(op, [r.fed(kind, PICTURE), r.const("i32", [], axis)], [r.out(kind)], ("Cumsum", {}))


@times("TOPK_V2")
def topk(r, op):
    for kind, (label, shape, k) in itertools.product(("f32", "i8", "i32"), (("rows", [1024, 1000], 5), ("long", [1, 1 << 20], 100))):
        yield f"{kind} {label}", one(op, [r.fed(kind, shape, **quant(kind)), r.const("i32", [], k)],
                                     [r.out(kind, **quant(kind)), r.out("i32")])


@times("UNIQUE")
def unique(r, op):
    for kind in ("f32", "i32"):
        for label, most in (("few", 50), ("many", 1 << 17)):
            yield f"{kind} {label}", one(op, [r.fed(kind, [1 << 18], r.rng.integers(0, most, 1 << 18))], [r.out(kind), r.out("i32")],
                                         ("Unique", {"index_type": 2}))


@times("WHERE")
def where(r, op):
    for kind in ("bool", "f32"):
        yield kind, one(op, [r.fed(kind, PICTURE, r.rng.integers(0, 2, PICTURE))], [r.out("i64")])


@times("SEGMENT_SUM", "UNSORTED_SEGMENT_PROD", "UNSORTED_SEGMENT_MAX", "UNSORTED_SEGMENT_SUM", "UNSORTED_SEGMENT_MIN")
def segment(r, op):
    ids = np.sort(r.rng.integers(0, 256, 4096)).astype(np.int32)
    ids[:256] = np.arange(256)
    more = [] if op == "SEGMENT_SUM" else [r.const("i32", [], 256)]
    for kind in ("f32", "i32"):
        yield kind, one(op, [r.fed(kind, [4096, 256]), r.const("i32", [4096], np.sort(ids)), *more], [r.out(kind)])


@times("EMBEDDING_LOOKUP")
def embedding(r, op):
    ids = r.rng.integers(0, 10000, 8192)
    yield "f32", one(op, [r.fed("i32", [8192], ids), r.const("f32", [10000, 128])], [r.out("f32")])
    yield "i8 to f32", one(op, [r.fed("i32", [8192], ids), r.const("i8", [10000, 128], scale=0.05, zero=0)], [r.out("f32")])


@times("SOFTMAX", "LOG_SOFTMAX")
def softmax(r, op):
    kinds = ("f32", "i8", "u8", "i16") if op == "SOFTMAX" else ("f32", "i8", "u8")
    for kind, shape in itertools.product(kinds, ([1024, 1000], [65536, 16])):
        low = {"i8": -128, "u8": 0, "i16": 0, "f32": 0}[kind]
        out = {"scale": 1 / 32768 if kind == "i16" else 1 / 256, "zero": low} if op == "SOFTMAX" else {"scale": 1 / 16, "zero": low + 255}
        yield f"{kind} {shape[1]}", one(op, [r.fed(kind, shape, **quant(kind, 0.05))], [r.out(kind, **(out if kind != "f32" else {}))],
                                        ("Softmax", {"beta": 1.0}) if op == "SOFTMAX" else None)


@times("L2_NORMALIZATION")
def l2_normalization(r, op):
    for kind, out in (("f32", {}), ("i8", {"scale": 1 / 128, "zero": 0}), ("u8", {"scale": 1 / 128, "zero": 128})):
        yield kind, one(op, [r.fed(kind, PICTURE, **quant(kind))], [r.out(kind, **out)], ("L2Norm", {}))


@times("LOCAL_RESPONSE_NORMALIZATION")
def local_response(r, op):
    for label, beta in (("1/2", 0.5), ("1", 1.0), ("3/4", 0.75)):
        options = {"radius": 5, "bias": 1.0, "alpha": 0.1, "beta": beta}
        yield f"f32 beta {label}", one(op, [r.fed("f32", PICTURE)], [r.out("f32")], ("LocalResponseNormalization", options))


@times("AVERAGE_POOL_2D", "MAX_POOL_2D", "L2_POOL_2D")
def pool(r, op):
    windows = (("2x2", 2, 2, VALID), ("3x3", 3, 2, SAME), ("3x3 stride 1", 3, 1, SAME), ("whole", 64, 1, VALID))
    for kind, (label, size, stride, padding) in itertools.product(("f32", "i8", "u8", "i16") if op != "L2_POOL_2D" else ("f32",), windows):
        options = {"padding": padding, "stride_h": stride, "stride_w": stride, "filter_h": size, "filter_w": size}
        yield f"{kind} {label}", one(op, [r.fed(kind, PICTURE, **quant(kind))], [r.out(kind, **quant(kind))], ("Pool2D", options))


@times("RESIZE_BILINEAR", "RESIZE_NEAREST_NEIGHBOR")
def resize(r, op):
    name = "ResizeBilinear" if op == "RESIZE_BILINEAR" else "ResizeNearestNeighbor"
    for kind, (label, shape, size), half in itertools.product(("f32", "i8", "u8", "i16"), (("twice", [1, 64, 64, 64], 128),
                                                              ("channels 3", [1, 300, 300, 3], 513), ("half", PICTURE, 32)), (False, True)):
        yield f"{kind} {label}{' centers' if half else ''}", one(
            op, [r.fed(kind, shape, **quant(kind)), r.const("i32", [2], [size, size])], [r.out(kind, **quant(kind))],
            (name, {"half_pixel_centers": half}))


@times("RANDOM_UNIFORM", "RANDOM_STANDARD_NORMAL")
def random_numbers(r, op):
    yield "f32", one(op, [r.const("i32", [4], PICTURE)], [r.out("f32")], ("Random", {"seed": 1, "seed2": 2}))


@times("RFFT2D")
def rfft2d(r, op):
    yield "f32", one(op, [r.fed("f32", [4, 512, 512]), r.const("i32", [2], [512, 512])], [r.out("c64")])


def layer(r, kind, filter_shape, axis, terms):
    """Constant weights and bias of a float or an int8 layer with its input's and output's quantization."""
    if kind == "f32":
        return r.const(kind, filter_shape, low=-1, high=1), r.const(kind, [filter_shape[axis]]), {}
    scale = r.rng.uniform(0.002, 0.03, filter_shape[axis])
    bias = r.const("i32", [filter_shape[axis]], r.rng.integers(-3000, 3000, filter_shape[axis]), scale=scale * quant(kind)["scale"], zero=0)
    return r.const(kind, filter_shape, scale=scale, zero=0, axis=axis), bias, {"scale": 0.02 * terms ** 0.5, "zero": 3}


@times("CONV_2D", "DEPTHWISE_CONV_2D", "TRANSPOSE_CONV")
def conv(r, op):
    options = {"padding": SAME, "stride_h": 1, "stride_w": 1, "dilation_h": 1, "dilation_w": 1, "multiplier": 1}
    table = {"CONV_2D": "Conv2D", "DEPTHWISE_CONV_2D": "DepthwiseConv2D", "TRANSPOSE_CONV": "TransposeConv"}[op]
    for kind, size in itertools.product(("f32", "i8"), (1, 3)):
        shape = [1, size, size, 64] if op.startswith("DEPTH") else [64, size, size, 64]
        weights, bias, q = layer(r, kind, shape, 3 if op.startswith("DEPTH") else 0, size * size * (1 if op.startswith("DEPTH") else 64))
        x = r.fed(kind, [1, *PICTURE[1:]], **quant(kind))
        inputs = [r.const("i32", [4], [1, 64, 64, 64]), weights, x, bias] if op == "TRANSPOSE_CONV" else [x, weights, bias]
        values = {key: value for key, value in options.items() if key != "multiplier" or op.startswith("DEPTH")}
        values = {key: value for key, value in values.items() if "dilation" not in key or op != "TRANSPOSE_CONV"}
        yield f"{kind} {size}x{size}", one(op, inputs, [r.out(kind, **q)], (table, values))


@times("FULLY_CONNECTED")
def fully_connected(r, op):
    for kind, rows in itertools.product(("f32", "i8"), (1, 128)):
        weights, bias, q = layer(r, kind, MATRIX, 0, 1024)
        yield f"{kind} {rows} rows", one(op, [r.fed(kind, [rows, 1024], **quant(kind)), weights, bias], [r.out(kind, **q)], ("FullyConnected", {}))


@times("BATCH_MATMUL")
def batch_matmul(r, op):
    for kind in ("f32", "i8"):
        out = {} if kind == "f32" else {"scale": 0.3, "zero": 0}
        yield kind, one(op, [r.fed(kind, [8, 128, 128], **quant(kind)), r.fed(kind, [8, 128, 128], **quant(kind))], [r.out(kind, **out)],
                        ("BatchMatMul", {}))


@times("CONV_3D", "CONV_3D_TRANSPOSE")
def conv_3d(r, op):
    options = ("Conv3D", {"padding": SAME, **{f"{what}_{axis}": 1 for what in ("stride", "dilation") for axis in "dhw"}})
    x, weights = r.fed("f32", [1, 8, 32, 32, 16]), r.const("f32", [3, 3, 3, 16, 16])
    inputs = [x, weights] if op == "CONV_3D" else [r.const("i32", [5], x.shape), weights, x]
    yield "f32", one(op, inputs, [r.out("f32")], options)


def names():
    return [name for name in sorted(OPERATORS) if OPERATORS[name].cpu]
