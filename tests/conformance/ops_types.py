"""Forms that are too rare for the operators' own generators: packed types, blocks of weights, shuffled weights."""
import numpy as np

from cases import Case, Graph, Node, Tensor
from random_source import GENERATORS, one

RARE = 0.15


def rare(*names):
    """Now and then this function makes the case instead of the generator that these operators have."""
    def register(function):
        for name in names:
            def either(r, op, usual=GENERATORS[name]):
                return function(r, op) if r.chance(RARE) else usual(r, op)
            GENERATORS[name] = either
        return function
    return register


def cast_to_float(op, inputs, kind, options=None):
    """A case whose output, of a type that NumPy lacks, is cast."""
    packed, out = Tensor(kind, []), Tensor("f32", [])
    graph = Graph([Node(op, inputs, [packed], options), Node("CAST", [packed], [out])], outputs=[out])
    return Case(op, [graph])


@rare("TRANSPOSE", "SLICE", "CONCATENATION", "DYNAMIC_UPDATE_SLICE", "GATHER")
def packed_move(r, op):
    """Constants of 4 bits; graph inputs of that type cannot be fed."""
    r.no_change = True
    shape = r.shape(2, 4, empty=0)
    shape[-1] += shape[-1] % 2  # LiteRT's GATHER takes whole bytes
    x = r.const("i4", shape)
    if op == "TRANSPOSE":
        return cast_to_float(op, [x, r.const("i32", [len(shape)], r.rng.permutation(len(shape)))], "i4")
    if op == "SLICE":
        begin = [r.int(0, d - 1) for d in shape]
        size = [r.int(1, d - b) for d, b in zip(shape, begin)]
        return cast_to_float(op, [x, r.side("i32", begin), r.side("i32", size)], "i4")
    if op == "CONCATENATION":
        return cast_to_float(op, [x, r.const("i4", shape)], "i4", ("Concatenation", {"axis": r.axis(len(shape))}))
    if op == "GATHER":
        indices = r.fed("i32", [3], r.rng.integers(0, shape[0], 3))
        return cast_to_float(op, [x, indices], "i4", ("Gather", {"axis": 0}))
    update = r.const("i4", [r.int(1, d) for d in shape])
    return cast_to_float(op, [x, update, r.fed("i32", [len(shape)], [r.int(-1, d) for d in shape])], "i4")


@rare("FULLY_CONNECTED")
def special_weights(r, op):
    r.no_change = True
    return shuffled(r, op) if r.chance(0.3) else blockwise(r, op)


def blockwise(r, op):
    """4 bits, a scale for each block of a row. LiteRT's reference kernel ignores these scales, its others do not."""
    block = r.pick([32, 64])
    depth, units, rows = block * r.int(1, 4), r.int(4, 20), r.int(1, 5)
    scales = r.const("f16", [units, depth // block], low=0.01, high=0.1)
    weights = Tensor("i4", [units, depth], data=r.numbers("i4", [units, depth]), block=(scales, block))
    bias = r.const("f32", [units]) if r.chance(0.7) else None
    options = ("FullyConnected", {"activation": r.activation()})
    return one(op, [r.fed("f32", [rows, depth]), weights, bias], [r.out("f32")], options, loose=True)


def shuffled(r, op):
    depth, units, rows = 16 * r.int(1, 5), 4 * r.int(1, 4), r.pick([1, 4])
    weights = r.const("u8", [units, depth], scale=0.01, zero=128)
    bias = r.const("i32", [units], r.rng.integers(-3000, 3000, units), scale=0.0005, zero=0)
    outputs = [r.out("i16", scale=0.003, zero=0), Tensor("u8", [rows, depth])]
    return one(op, [r.fed("u8", [rows, depth], scale=0.05, zero=128), weights, bias], outputs,
               ("FullyConnected", {"activation": r.activation(), "format": 1}))


@rare("REDUCE_PROD")
def plain_bytes(r, op):
    x = r.fed("u8", r.shape(1, 4))
    return one(op, [x, r.side("i32", r.subset(len(x.shape)))], [r.out("u8")], ("Reducer", {"keep_dims": r.chance(0.5)}))


@rare("UNSORTED_SEGMENT_PROD", "UNSORTED_SEGMENT_MAX", "UNSORTED_SEGMENT_SUM", "UNSORTED_SEGMENT_MIN")
def scalar_segment(r, op):
    count = r.int(1, 5)
    kind = r.pick(["f32", "i32"])
    return one(op, [r.fed(kind, []), r.fed("i32", [], r.int(0, count - 1)), r.side("i32", count)], [r.out(kind)])


@rare("CONCATENATION")
def constant_scalars(r, op):
    """They make a vector."""
    kind = r.pick(["f32", "i8", "i32", "i64", "bool"])
    return one(op, [r.const(kind, []) for _ in range(r.int(1, 4))], [r.out(kind)], ("Concatenation", {"axis": 0}))
