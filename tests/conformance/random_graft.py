"""Operators of any family in a random graph: the generators of single operators make one, some of its inputs come from the graph.

Only the operator's kernel knows the shape of its output, so what follows takes any shape, or makes it one element.
"""
import numpy as np

from cases import OPERATORS, Node, Tensor
from make import GENERATORS
from random_source import QUANTIZED, Random

CONTROL = ["IF", "WHILE", "STABLEHLO_CASE", "STABLEHLO_COMPOSITE"]  # their bodies are delegated
# Random numbers of no seed; states that tests/unit/delegate-opencl/test_opencl_variables.c looks at; no generator draws legal cases only.
LEFT_OUT = {"RANDOM_STANDARD_NORMAL", "RANDOM_UNIFORM", "MULTINOMIAL"}
# Values near their poles, zeros or steps would turn the last bit of an input into something visible.
OWN_VALUES = set("""ATAN2 BUCKETIZE DIV FLOOR_DIV FLOOR_MOD LOG NON_MAX_SUPPRESSION_V4 NON_MAX_SUPPRESSION_V5 POW RANGE RSQRT SQRT
    Resampler TFLite_Detection_PostProcess""".split())
# It writes its states over its inputs, which other readers would see, or not.
WRITES_INPUTS = {"LSTM"}
MOST_BOUND, MOST_OPERATORS = 8.0, 3


class Legal(Random):
    """Draws no type that the operator may not take."""

    def kind(self, usual, others=()):
        return self.pick(usual)


def operators():
    return [n for n in sorted(OPERATORS) if n in GENERATORS and n not in LEFT_OUT and (OPERATORS[n].cl or n in CONTROL)]


def adapted(b, t):
    """A tensor like t, made of a tensor of the graph; t itself where there is none that fits."""
    count = int(np.prod(t.shape, dtype=np.int64))
    if t.declared is not None or not 0 < count <= 600 or t.kind not in ("f32", *QUANTIZED):
        return t
    if t.kind != "f32" and (t.scale is None or np.size(t.scale) != 1):
        return t

    def fits(v):
        return v.kind == t.kind and v.exact and v.bound <= MOST_BOUND and np.prod(v.shape, dtype=np.int64) >= count
    value = b.pick(fits)
    if value is None:
        return t
    b.move("RESHAPE", value, [int(np.prod(value.shape))], [b.ints([-1])])
    b.move("SLICE", b.values[-1], [count], [b.ints([0]), b.ints([count])])
    b.move("RESHAPE", b.values[-1], t.shape, [b.ints(t.shape)])
    if t.kind != "f32":
        b.add("QUANTIZE", [b.values[-1]], [(t.kind, t.shape, 1.0, True, {"scale": t.scale, "zero": t.zero})])
    return b.values[-1].tensor


def follow(b, t):
    """What may come behind a result of unknown shape."""
    whole = Tensor(t.kind, [], scale=t.scale, zero=t.zero)
    b.nodes.append(Node("RESHAPE", [t, b.ints([-1])], [whole], ("Reshape", {"new_shape": [-1]})))
    if t.kind != "f32" or b.r.chance(0.3):
        return [whole]
    # The largest absolute value is as exact as the whole; one between 0 and 6 is used in other operators.
    size, largest = Tensor("f32", []), Tensor("f32", [])
    b.nodes.append(Node("ABS", [whole], [size]))
    b.nodes.append(Node("REDUCE_MAX", [size, b.ints([0])], [largest], ("Reducer", {"keep_dims": True})))
    b.append("RELU6", [largest], "f32", [1], 6.0)
    return []


def graft(b):
    """Adds an operator, with what leads to it and what follows."""
    op = b.r.pick(b.graftable)
    case = GENERATORS[op](Legal(b.seed, "GRAFT " + op, 1000 * b.number + len(b.nodes)), op)
    main, *bodies = case.graphs
    if case.loose and "SEQUENCE" in op:
        return  # states are rounded to 8 bits in each step, where a last bit may become a whole one
    if case.shape_only or len(main.nodes) > MOST_OPERATORS or (bodies and b.bodies):
        return
    b.bodies += bodies  # their numbers are in the operator's options, so there can be those of one operator
    swaps = {id(t): adapted(b, t) for t in main.inputs if op not in OWN_VALUES | WRITES_INPUTS and b.r.chance(0.7)}
    for node in main.nodes:
        b.nodes.append(Node(node.op, [swaps.get(id(t), t) for t in node.inputs], node.outputs, node.options, node.intermediates,
                            node.version))
    for t in main.outputs:
        b.extra += follow(b, t) if t.kind in ("f32", "i8", "u8", "i32") and b.r.chance(0.6) else [t]
