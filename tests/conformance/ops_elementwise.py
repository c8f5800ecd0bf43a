"""Generators of the operators that work element by element, with one, two or three inputs."""
import numpy as np

from cases import Tensor
from elementwise_lines import KINDS, LINES, named
from random_source import QUANTIZED, generates, one

# Beside those, random_source.kind tries halves and others now and then.
SELDOM = {"f16", "bf16"}


def kinds(name):
    """The types that the line of an operator has, in a string."""
    line = LINES[name]
    return " ".join(k for k in KINDS if k in line.plain + line.quantized and k not in SELDOM)


# Each line of core/elementwise.def is tested; what follows are exceptions.
UNARY = {name: kinds(name) for name in named("UNARY")} | {
    "ZEROS_LIKE": "f32 i32 i64", "COMPLEX_ABS": "c64 c128", "REAL": "c64 c128", "IMAG": "c64 c128"}
POSITIVE = {"LOG", "SQRT", "RSQRT"}
SAME_QUANTIZATION = {"NEG", "ABS"}
HALVES = {"c64": "f32", "c128": "f64"}


def unary_quantization(r, op, kind):
    """(of the input, of the output)"""
    if kind not in QUANTIZED:
        return {}, {}
    q = r.quant(kind)
    if op in POSITIVE and kind != "i16":
        q["zero"] = {"i8": -128, "u8": 0}[kind]
    if op in ("LOGISTIC", "TANH"):
        low = {"i8": -128, "u8": 0, "i16": 0}[kind]
        steps = 32768 if kind == "i16" else 256 if op == "LOGISTIC" else 128
        middle = {"i8": 0, "u8": 128, "i16": 0}[kind]
        if kind == "i16" and r.chance(0.4):
            q["scale"] = 2.0 ** -r.int(9, 14)
        return q, {"scale": 1.0 / steps, "zero": low if op == "LOGISTIC" else middle}
    if op in SAME_QUANTIZATION and r.chance(0.5):
        return q, q
    out = r.quant(kind)
    if op in ("EXP", "RSQRT"):
        out["scale"] *= r.pick([1, 10])
    return q, out


@generates(*UNARY)
def unary(r, op):
    kind = r.kind(UNARY[op].split())
    shape = r.shape(0, 6)
    q, out = unary_quantization(r, op, kind)
    low, high = (0.01, 30.0) if op in POSITIVE and r.chance(0.9) else r.pick([(-4, 4), (-12, 12), (-1, 1), (-100, 100)])
    options = {"GELU": ("Gelu", {"approximate": r.chance(0.5)}),
               "LEAKY_RELU": ("LeakyRelu", {"alpha": r.pick([0.1, 0.01, 0.5, 1.0, 1.5, -0.3, 0.0])})}.get(op)
    x = r.fed(kind, shape, low=low, high=high, special=0.1, **q)
    if op == "GELU" and kind == "i16":
        x.zero = r.pick([0, 0, r.int(-2000, 2000)])
    if op == "GELU" and kind in ("f32", "f16") and x.feed.size:
        x.feed.flat[0] = 1  # tails alone are as exact as the reference's 1 + tanh(x)
    if op in ("SQRT", "RSQRT") and kind == "i16" and not r.chance(0.05):
        x.feed = np.abs(x.feed // 2) + np.int16(1)
    return one(op, [x], [r.out(HALVES.get(kind, kind), **out)], options)


BINARY = {name: kinds(name) for name in named("BINARY", "BINARY_LIKE", "BITWISE") if name != "PRELU"} | {
    "STABLEHLO_OR": "i32 bool"}
NUMBERS = ("f16", "f16", "i8", "u8", "i16", "i32", "i64", "f64")  # that may be tried in the others
ACTIVATED = {"ADD": "Add", "SUB": "Sub", "MUL": "Mul", "DIV": "Div"}
PLAIN = {name for name in BINARY if name in LINES and not LINES[name].quantized} - {"MAXIMUM", "MINIMUM"}  # integers are not quantized


def two_shapes(r, most=5):
    shape = r.shape(0, most)
    if len(shape) > most or r.chance(0.45):
        return shape, list(shape)
    a, b = shape, r.broadcast(shape)
    if r.chance(0.3):
        a = [1 if r.chance(0.2) else d for d in a]
    return (a, b) if r.chance(0.5) else (b, a)


def powers(r, op):
    """int16 with scales that are powers of two, as older converters made."""
    return {"scale": 2.0 ** -r.int(6, 12), "zero": 0}


def binary_quantization(r, op, kind):
    if kind not in QUANTIZED or op in PLAIN or (kind == "i16" and op in ("ADD", "SUB", "MUL") and r.chance(0.1)):
        return {}, {}, {}
    if kind == "i16" and op in ACTIVATED and r.chance(0.3):
        return tuple(powers(r, op) for _ in range(3))
    a = r.quant(kind)
    if op in ("MAXIMUM", "MINIMUM"):
        return a, a, a
    return a, r.quant(kind), r.quant(kind)


DIVISIONS = ("DIV", "FLOOR_DIV", "FLOOR_MOD")


def multiples(r, a, b):
    """Makes quotients that are an integer in decimals, and next to one in binary numbers."""
    step = r.pick([0.1, 0.2, 0.3, 0.7, 1.1, 3.3])
    b[...] = step * r.rng.choice([-1, 1], b.shape)
    a[...] = np.round(step * r.rng.integers(-200, 200, a.shape), 1)


def second_values(r, op, kind, shape):
    """What the second input may hold."""
    if op in ("RIGHT_SHIFT", "STABLEHLO_SHIFT_LEFT"):
        return r.rng.integers(0, int(kind[1:]), shape)
    if op == "POW" and kind[0] in "iu":
        return r.rng.integers(0, 5, shape)
    values = r.numbers(kind, shape, special=0.05 if op not in DIVISIONS else 0)
    if op in DIVISIONS and kind[0] in "iu" and not r.chance(0.1):
        values[values == 0] = 3
    if op == "FLOOR_DIV" and kind in ("i8", "i16"):
        values[values == -1] = -2  # the lowest value by -1 is in LiteRT now the lowest, now the highest one
    return values


@generates(*[n for n in BINARY if n != "STABLEHLO_OR"])
def binary(r, op):
    kind = r.kind(BINARY[op].split(), NUMBERS)
    first, second = two_shapes(r, 6 if op in ("ADD", "MUL", "SUB") else 5)
    if op in LINES and "SAME_SHAPE" in LINES[op].traits:
        second = list(first)
    qa, qb, qo = binary_quantization(r, op, kind)
    low = 0.1 if op == "POW" and r.chance(0.7) else -4.0
    a = r.either(kind, first, 0.1, low=low, special=0.05, **qa)
    b = r.side(kind, second_values(r, op, kind, second), 0.3, **qb)
    if op in DIVISIONS and kind == "f32" and r.chance(0.3):
        multiples(r, *(t.feed if t.data is None else t.data for t in (a, b)))
    if a.feed is None and b.feed is None:
        b.feed, b.data = b.data, None
    options = None
    if op in ACTIVATED:
        values = {"activation": r.activation()}
        if kind == "u32" and values["activation"] == 2:
            values["activation"] = 0  # LiteRT's lower bound of -1 becomes the largest number
        if kind == "i16" and op in ("ADD", "SUB"):
            values["pot_scale_int16"] = r.chance(0.5)
        options = (ACTIVATED[op], values)
    return one(op, [a, b], [r.out(kind, **qo)], options)


COMPARE = {name: kinds(name) for name in named("COMPARE")}


@generates(*COMPARE)
def compare(r, op):
    kind = r.kind(COMPARE[op].split())
    first, second = two_shapes(r, 4)
    if kind == "str":  # LiteRT's Python interface feeds a scalar string wrongly
        first, second = first or [1], second or [1]
    qa = r.quant(kind) if kind in ("i8", "u8") else {}
    qb = r.quant(kind) if qa and r.chance(0.5) else qa
    a, b = r.fed(kind, first, special=0.1, **qa), r.either(kind, second, special=0.1, **qb)
    if kind in ("f32", "i32", "i64") and a.shape == b.shape and r.chance(0.5) and b.feed is not None:
        b.feed[...] = r.rng.permutation(a.feed.reshape(-1)).reshape(b.feed.shape)
    return one(op, [a, b], [r.out("bool")])


@generates("SELECT", "SELECT_V2")
def select(r, op):
    kind = r.pick(["f32", "i8", "u8", "i16", "i32", "i64", "bool", "u32", "f64", "f16", "c64", "u64"])
    shape = r.shape(0, 5)
    q = r.quant(kind) if r.chance(0.5) else {}
    shapes = [list(shape)] * 3
    if op == "SELECT":
        if r.chance(0.3):
            shapes[0] = r.pick([[], shape[:1]])
    elif len(shape) < 6 and r.chance(0.6):
        shapes = [r.broadcast(shape) for _ in range(3)]
    inputs = [r.fed("bool", shapes[0]), r.either(kind, shapes[1], 0.2, **q), r.either(kind, shapes[2], 0.2, **q)]
    if all(np.prod(s) == 1 for s in shapes):  # the output's shape stays as it is declared
        return one(op, inputs, [Tensor(kind, [1] * r.int(0, 3), **q)])
    return one(op, inputs, [Tensor(kind, np.broadcast_shapes(*map(tuple, shapes[op == "SELECT":])), **q)])


@generates("PRELU")
def prelu(r, op):
    kind = r.pick(["f32", "i8", "u8", "i16"])
    slopes = "i8" if kind == "i16" else kind  # those of INT16 it reads as bytes
    shape = r.shape(1, 4)
    alpha = r.broadcast(shape)
    q = [r.quant(k, 0.01, 0.1) if r.chance(0.97) else {} for k in (kind, slopes, kind)]  # a scale that is missing is 0
    return one(op, [r.fed(kind, shape, special=0.05, **q[0]), r.either(slopes, alpha, 0.7, **q[1])], [r.out(kind, **q[2])])


@generates("ADD_N")
def add_n(r, op):
    kind = r.kind(["f32", "i32"])
    shape = r.shape(0, 5)
    inputs = [r.either(kind, shape, 0.2, special=0.1) for _ in range(r.int(2, 6))]
    if all(t.feed is None for t in inputs):
        inputs[0] = r.fed(kind, shape)
    return one(op, inputs, [r.out(kind)])


@generates("CAST")
def cast(r, op):
    kinds = ["f32", "f16", "i32", "u8", "i64", "bool", "i16", "c64", "i8", "f64", "u32", "u16"]
    source, target = r.pick(kinds), r.pick(kinds)
    low = 0 if target[0] == "u" or target == "bool" else -100
    most = 100 if target != "bool" else 2
    if source[0] == "f" and r.chance(0.3):  # out of range
        most = r.pick([300, 1e5, 1e10, 1e20])
        low = -most
    return one(op, [r.fed(source, r.shape(0, 5), low=low, high=most, special=0.1)], [r.out(target)],
               ("Cast", {"in_type": 0, "out_type": 0}) if r.chance(0.5) else None)


@generates("QUANTIZE")
def quantize(r, op):
    source, target = r.pick(["f32", "f32", "i8", "u8", "i16", "i32"]), r.pick(["i8", "u8", "i16"])
    shape = r.shape(0, 5)
    q = r.quant(source) if source != "i32" else {"scale": r.float(0.0001, 0.01), "zero": 0}
    out = r.quant(target)
    if source == "f32" and shape and r.chance(0.3):
        axis = r.int(0, len(shape) - 1)
        out = {"scale": r.rng.uniform(0.01, 0.1, shape[axis]), "zero": 0, "axis": axis}
        if not shape[axis]:
            out = r.quant(target)
    return one(op, [r.fed(source, shape, special=0.05, **q)], [Tensor(target, shape, **out)])


@generates("DEQUANTIZE")
def dequantize(r, op):
    kind = r.pick(["i8", "u8", "i16", "f16", "i4"])
    shape = r.shape(0, 5)
    if kind == "f16":
        return one(op, [r.either(kind, shape)], [r.out("f32")])
    q = r.quant(kind) if kind != "i4" else {"scale": 0.1, "zero": 0}
    if kind != "i16" and shape and 0 not in shape and r.chance(0.4):
        axis = r.int(0, len(shape) - 1)
        q = {"scale": r.rng.uniform(0.01, 0.1, shape[axis]), "zero": r.rng.integers(0, 5, shape[axis]), "axis": axis}
    x = r.const(kind, shape, **q) if kind == "i4" else r.either(kind, shape, **q)
    return one(op, [x], [r.out("f32")])


@generates("FAKE_QUANT")
def fake_quant(r, op):
    low, high = r.pick([(-1, 1), (0, 6), (-3.2, 5.7), (0.5, 2), (-4, -1), (-0.01, 100)])
    options = {"min": low, "max": high, "num_bits": r.int(2, 16), "narrow_range": r.chance(0.03)}
    return one(op, [r.fed("f32", r.shape(1, 5), special=0.05)], [r.out("f32")], ("FakeQuant", options))


@generates("BUCKETIZE")
def bucketize(r, op):
    kind = r.pick(["f32", "i32", "i64", "f64"])
    bounds = sorted(r.rng.uniform(-30, 30, r.int(0, 7)))
    return one(op, [r.fed(kind, r.shape(0, 5), low=-40, high=40, special=0.1)], [r.out("i32")], ("Bucketize", {"boundaries": bounds}))
