"""make_graph(seed, number): a random graph of 2 to some 30 operators that have an OpenCL form.

Tensors are used several times, are outputs and consumed, are constants or inputs, parameters too; ranks reach 6. One in ten is a
chain of random_network.py, with what delegates like to fuse, one in four an operator of random_graft.py, which has all families. A
graph may run twice, and may declare other types than its operators give. What is computed is well-conditioned: values stay bounded, and only tensors whose bits are the same on every
device (integers, and floats that were only moved) are compared, rounded or used in conditions.
"""
import numpy as np

from cases import KINDS, NONE, OPERATORS, RELU, RELU6, RELU_N1_TO_1, Case, Graph, Node, Tensor
from make import LISTED, list_constants, shuffled
from random_graft import graft, operators
from random_network import CHAINS, LAYERS
from random_source import QUANTIZED, Random

MOST_ELEMENTS, MOST_BOUND, MOST_ANGLE = 4000, {"f32": 1e3, "i32": 2.0 ** 29}, 20.0
FED, GRAFT, CHAIN, AGAIN, DECLARE = 0.15, 0.25, 0.1, 0.25, 0.2
TEMPLATES, GRAFTABLE = [*LAYERS], operators()


class Value:
    """A tensor with what the generator knows of it: its shape, the largest absolute value, whether it is exact."""

    def __init__(self, tensor, shape, bound, exact):
        self.tensor, self.shape, self.bound, self.exact = tensor, list(shape), bound, exact
        self.kind = tensor.kind


class Builder:
    def __init__(self, seed, number):
        self.r, self.seed, self.number, self.graftable = Random(seed, "GRAPH", number), seed, number, GRAFTABLE
        self.nodes, self.values, self.inputs, self.consumed = [], [], [], set()
        self.bodies, self.extra = [], []  # further graphs; results of unknown shape

    def quantization(self, value):
        return {"scale": value.tensor.scale, "zero": value.tensor.zero} if value.tensor.scale is not None else {}

    def leaf(self, kind, shape, constant=False):
        bound = 4.0 if kind == "f32" else 60.0 if kind == "i32" else 1.0
        values = self.r.numbers(kind, shape)
        if kind == "i32":
            values = self.r.rng.integers(-60, 61, shape).astype(np.int32)
        tensor = (self.r.const if constant else self.r.fed)(kind, shape, values, **self.r.quant(kind))
        value = Value(tensor, shape, bound, True)
        self.values.append(value)
        return value

    def pick(self, accept, make=None):
        """A value so far, more often a late one; a new input where there is none."""
        found = [v for v in self.values if accept(v)]
        if not found or self.r.chance(0.08):
            return make() if make else None
        return found[max(self.r.int(0, len(found) - 1), self.r.int(0, len(found) - 1))]

    def any(self, kinds, low=0, high=6, exact=False):
        def make():
            shape = self.r.shape(max(low, 1), min(high, 6), most=5, elements=600, empty=0)[:high]
            shape += [1] * (low - len(shape))
            return self.leaf(self.r.pick(kinds), shape)
        return self.pick(lambda v: v.kind in kinds and low <= len(v.shape) <= high and (v.exact or not exact), make)

    def other(self, value):
        """An operand of the same type that broadcasts with the value: itself, another one, or a new one."""
        def fits(v):
            return v.kind == value.kind and broadcast(v.shape, value.shape) is not None
        if self.r.chance(0.7):
            found = self.pick(fits)
            if found is not None:
                return found
        return self.leaf(value.kind, self.r.broadcast(value.shape), self.r.chance(0.6))

    @staticmethod
    def allows(kind, shape, bound):
        return np.prod(shape, dtype=np.int64) <= MOST_ELEMENTS and bound <= MOST_BOUND.get(kind, np.inf) and len(shape) <= 6

    def add(self, op, inputs, outputs, options=None):
        """outputs: (kind, shape, bound, exact, quantization) each. Gives their values; none when one of them is too large."""
        if not all(self.allows(kind, shape, bound) for kind, shape, bound, _, _ in outputs):
            return []
        made = [Value(Tensor(kind, [], **q), shape, bound, exact or kind not in ("f32",)) for kind, shape, bound, exact, q in outputs]
        self.nodes.append(Node(op, [i.tensor if isinstance(i, Value) else i for i in inputs], [v.tensor for v in made], options))
        self.consumed |= {id(i.tensor) for i in inputs if isinstance(i, Value)}
        self.values += made
        return made

    def move(self, op, value, shape, more=(), options=None):
        return self.add(op, [value, *more], [(value.kind, shape, value.bound, value.exact, self.quantization(value))], options)

    def append(self, op, inputs, kind, shape, bound):
        """Adds an operator on tensors that are no values."""
        self.values.append(Value(Tensor(kind, []), shape, bound, False))
        self.nodes.append(Node(op, inputs, [self.values[-1].tensor]))

    def ints(self, values, kind="i32"):
        """A parameter: most often a constant, else fed."""
        return (self.r.fed if self.r.chance(FED) else self.r.const)(kind, np.shape(values), values)


def broadcast(a, b):
    try:
        return list(np.broadcast_shapes(tuple(a), tuple(b)))
    except ValueError:
        return None


def template(function):
    TEMPLATES.append(function)
    return function


ANY = ("f32", "i8", "u8", "i16", "i32", "bool")
NUMBERS = ("f32", "f32", "i8", "u8", "i16", "i32")


@template
def arithmetic(b):
    op = b.r.pick(["ADD", "ADD", "SUB", "MUL", "MAXIMUM", "MINIMUM", "SQUARED_DIFFERENCE"])
    x = b.any(NUMBERS if op in ("ADD", "SUB", "MUL") else ("f32", "i8", "i32"))
    y = b.other(x)
    if b.r.chance(0.4):
        x, y = y, x
    q = b.r.quant(x.kind)
    if op in ("MAXIMUM", "MINIMUM") and x.kind == "i8":
        if b.quantization(x) != b.quantization(y):
            return
        q = b.quantization(x)
    if op == "SQUARED_DIFFERENCE" and x.kind == "i8":
        return
    if op == "SUB" and x.kind == "i16":
        return
    bound = {"MUL": x.bound * y.bound, "SQUARED_DIFFERENCE": (x.bound + y.bound) ** 2}.get(op, x.bound + y.bound)
    if x.kind in QUANTIZED:
        bound = 1.0
    moved = op in ("MAXIMUM", "MINIMUM") and x.exact and y.exact
    options = None
    if op in ("ADD", "SUB", "MUL"):
        activation = b.r.pick([NONE, NONE, RELU, RELU6, RELU_N1_TO_1]) if x.kind != "i32" else NONE
        options = (op.capitalize(), {"activation": activation})
    b.add(op, [x, y], [(x.kind, broadcast(x.shape, y.shape), bound, moved, q)], options)


@template
def function(b):
    op = b.r.pick(["RELU", "RELU6", "TANH", "LOGISTIC", "ABS", "NEG", "LEAKY_RELU", "HARD_SWISH", "ELU", "SIN", "COS", "RELU_N1_TO_1"])
    x = b.any(("f32",))
    if op in ("SIN", "COS") and x.bound > MOST_ANGLE:
        return
    options = ("LeakyRelu", {"alpha": 0.25}) if op == "LEAKY_RELU" else None
    b.add(op, [x], [("f32", x.shape, max(x.bound, 1.0), x.exact and op in ("RELU", "RELU6", "ABS", "NEG", "RELU_N1_TO_1"), {})], options)


@template
def byte_function(b):
    op = b.r.pick(["TANH", "LOGISTIC", "RELU", "RELU6", "LEAKY_RELU", "HARD_SWISH"])
    x = b.any(("i8", "u8"))
    signed = x.kind == "i8"
    q = {"TANH": {"scale": 1 / 128, "zero": 0 if signed else 128}, "LOGISTIC": {"scale": 1 / 256, "zero": -128 if signed else 0}}.get(
        op, b.r.quant(x.kind))
    options = ("LeakyRelu", {"alpha": 0.25}) if op == "LEAKY_RELU" else None
    b.add(op, [x], [(x.kind, x.shape, 1.0, True, q)], options)


@template
def rounding(b):
    x = b.any(("f32",), exact=True)
    b.add(b.r.pick(["FLOOR", "CEIL", "ROUND", "SIGN"]), [x], [("f32", x.shape, x.bound + 1, True, {})])


@template
def comparison(b):
    x = b.any(("f32", "i32"), exact=True)
    y = b.other(x)
    if not y.exact:
        return
    op = b.r.pick(["LESS", "LESS_EQUAL", "GREATER", "GREATER_EQUAL", "EQUAL", "NOT_EQUAL"])
    b.add(op, [x, y], [("bool", broadcast(x.shape, y.shape), 1.0, True, {})])


@template
def logic(b):
    x = b.any(("bool",))
    if b.r.chance(0.3):
        b.add("LOGICAL_NOT", [x], [("bool", x.shape, 1.0, True, {})])
        return
    y = b.other(x)
    b.add(b.r.pick(["LOGICAL_AND", "LOGICAL_OR"]), [x, y], [("bool", broadcast(x.shape, y.shape), 1.0, True, {})])


@template
def choice(b):
    x = b.any(("f32", "i32"), high=4)
    y = b.other(x)
    shape = broadcast(x.shape, y.shape)
    condition = b.pick(lambda v: v.kind == "bool" and broadcast(v.shape, shape) == shape, lambda: b.leaf("bool", b.r.broadcast(shape)))
    b.add("SELECT_V2", [condition, x, y], [(x.kind, shape, max(x.bound, y.bound), x.exact and y.exact, {})])


@template
def conversion(b):
    x = b.any(("f32", "i32", "bool", "i16"), exact=True)
    if x.kind == "i16":  # not its quantized values
        return
    to = b.r.pick([k for k in ("f32", "i32") if k != x.kind])
    numbers = {"f32": 0, "i32": 2, "bool": 6}
    b.add("CAST", [x], [(to, x.shape, x.bound, True, {})], ("Cast", {"in_type": numbers[x.kind], "out_type": numbers[to]}))


@template
def quantization(b):
    if b.r.chance(0.5):
        x = b.any(QUANTIZED)
        if b.r.chance(0.5):
            scale = np.max(np.abs(x.tensor.scale))
            b.add("DEQUANTIZE", [x], [("f32", x.shape, float(scale) * (2 ** 15 if x.kind == "i16" else 256), True, {})])
        else:
            b.add("QUANTIZE", [x], [(x.kind, x.shape, 1.0, True, b.r.quant(x.kind))])
        return
    x = b.any(("f32",), exact=True)
    kind = b.r.pick(QUANTIZED)
    b.add("QUANTIZE", [x], [(kind, x.shape, 1.0, True, b.r.quant(kind))])


@template
def reshape(b):
    x = b.any(ANY)
    count, shape = int(np.prod(x.shape)), []
    while count > 1 and len(shape) < 5 and b.r.chance(0.8):
        factor = b.r.pick([d for d in range(1, min(count, 12) + 1) if count % d == 0])
        shape.append(factor)
        count //= factor
    shape.append(count)
    shape = [int(d) for d in b.r.rng.permutation(shape)]
    declared = list(shape)
    if b.r.chance(0.3):
        declared[b.r.int(0, len(shape) - 1)] = -1
    b.move("RESHAPE", x, shape, [b.ints(declared)], ("Reshape", {"new_shape": declared}))


@template
def dimensions(b):
    x = b.any(ANY, high=5)
    if b.r.chance(0.5):
        axis = b.r.int(0, len(x.shape))
        b.move("EXPAND_DIMS", x, x.shape[:axis] + [1] + x.shape[axis:], [b.ints(axis)])
    else:
        ones = [i for i, d in enumerate(x.shape) if d == 1]
        b.move("SQUEEZE", x, [d for d in x.shape if d != 1], [], ("Squeeze", {"squeeze_dims": ones}))


@template
def transpose(b):
    x = b.any(ANY, low=2)
    order = [int(i) for i in b.r.rng.permutation(len(x.shape))]
    b.move("TRANSPOSE", x, [x.shape[i] for i in order], [b.ints(order)])


@template
def pad(b):
    x = b.any(("f32", "i8", "u8", "i32"), low=1, high=4)
    amounts = [[b.r.int(0, 2), b.r.int(0, 2)] for _ in x.shape]
    b.move("PAD", x, [d + p + q for d, (p, q) in zip(x.shape, amounts)], [b.ints(amounts)])


@template
def slices(b):
    x = b.any(("f32", "i8", "u8", "i16", "i32", "bool"), low=1, high=5)
    begin = [b.r.int(0, d - 1) for d in x.shape]
    end = [b.r.int(low + 1, d) for low, d in zip(begin, x.shape)]
    if b.r.chance(0.5):
        size = [e - s for s, e in zip(begin, end)]
        b.move("SLICE", x, size, [b.ints(begin), b.ints(size)])
        return
    strides = [b.r.pick([1, 1, 2]) for _ in x.shape]
    shape = [len(range(s, e, t)) for s, e, t in zip(begin, end, strides)]
    b.move("STRIDED_SLICE", x, shape, [b.ints(begin), b.ints(end), b.ints(strides)], ("StridedSlice", {}))


@template
def reverse(b):
    x = b.any(("f32", "i32", "i8", "u8", "bool"), low=1)
    b.move("REVERSE_V2", x, x.shape, [b.ints([b.r.int(0, len(x.shape) - 1)])])


@template
def tile(b):
    x = b.any(("f32", "i32", "bool"), low=1, high=4)
    counts = [b.r.int(1, 2) for _ in x.shape]
    b.move("TILE", x, [d * n for d, n in zip(x.shape, counts)], [b.ints(counts)])


@template
def gather(b):
    x = b.any(("f32", "i8", "u8", "i16", "i32"), low=1, high=5)
    axis = b.r.int(0, len(x.shape) - 1)
    indices = b.r.rng.integers(0, x.shape[axis], b.r.shape(1, 2, most=4, empty=0)).astype(np.int32)
    shape = x.shape[:axis] + list(indices.shape) + x.shape[axis + 1:]
    b.move("GATHER", x, shape, [b.r.side("i32", indices)], ("Gather", {"axis": axis}))


@template
def joined(b):
    x = b.any(("f32", "i8", "u8", "i16", "i32"), low=1, high=5)
    axis = b.r.int(0, len(x.shape) - 1)

    def fits(v):
        return (v.kind == x.kind and len(v.shape) == len(x.shape) and b.quantization(v) == b.quantization(x)
                and all(p == q or i == axis for i, (p, q) in enumerate(zip(v.shape, x.shape))))
    every = [x] + [b.pick(fits) or x for _ in range(b.r.int(1, 3))]
    result = (x.kind, x.shape[:axis] + [sum(v.shape[axis] for v in every)] + x.shape[axis + 1:], max(v.bound for v in every),
              all(v.exact for v in every), b.quantization(x))
    b.add("CONCATENATION", every, [result], ("Concatenation", {"axis": axis, "activation": NONE}))


@template
def packed(b):
    x = b.any(("f32", "i8", "u8", "i32"), low=1, high=5)
    every = [x] + [b.pick(lambda v: v.kind == x.kind and v.shape == x.shape and b.quantization(v) == b.quantization(x)) or x]
    axis = b.r.int(0, len(x.shape))
    result = (x.kind, x.shape[:axis] + [2] + x.shape[axis:], max(v.bound for v in every), all(v.exact for v in every), b.quantization(x))
    b.add("PACK", every, [result], ("Pack", {"count": 2, "axis": axis}))


@template
def divided(b):
    x = b.any(("f32", "i8", "u8", "i32"), low=1, high=5)
    axis = b.r.int(0, len(x.shape) - 1)
    part = (x.kind, x.shape[:axis] + x.shape[axis + 1:], x.bound, x.exact, b.quantization(x))
    if x.shape[axis] <= 4 and b.r.chance(0.5):
        b.add("UNPACK", [x], [part] * x.shape[axis], ("Unpack", {"num": x.shape[axis], "axis": axis}))
        return
    count = b.r.pick([n for n in (1, 2, 3) if x.shape[axis] % n == 0])
    part = (x.kind, x.shape[:axis] + [x.shape[axis] // count] + x.shape[axis + 1:], *part[2:])
    b.add("SPLIT", [b.ints(axis), x], [part] * count, ("Split", {"num_splits": count}))


@template
def reduction(b):
    op = b.r.pick(["MEAN", "SUM", "REDUCE_MAX", "REDUCE_MIN"])
    x = b.any(("f32", "i8", "u8") if op == "MEAN" else ("f32", "i32"), low=1, high=5)
    axes = b.r.subset(len(x.shape)) or [0]
    keep = b.r.chance(0.5)
    shape = [1 if i in axes else d for i, d in enumerate(x.shape) if keep or i not in axes]
    bound = x.bound * (np.prod([x.shape[a] for a in axes]) if op == "SUM" else 1)
    q = b.r.quant(x.kind) if x.kind != "f32" else {}
    b.add(op, [x, b.ints(axes)], [(x.kind, shape, float(bound), x.exact and op.startswith("REDUCE"), q)], ("Reducer", {"keep_dims": keep}))


@template
def softmax(b):
    x = b.any(("f32",), low=1, high=5)
    b.add("SOFTMAX", [x], [("f32", x.shape, 1.0, False, {})], ("Softmax", {"beta": b.r.pick([1.0, 0.5, 2.0])}))


@template
def search(b):
    x = b.any(("f32", "i32", "i8"), low=1, high=5, exact=True)
    axis = b.r.int(0, len(x.shape) - 1)
    op = b.r.pick(["ARG_MAX", "ARG_MIN"])
    result = ("i32", x.shape[:axis] + x.shape[axis + 1:], float(x.shape[axis]), True, {})
    b.add(op, [x, b.ints(axis)], [result], ("ArgMax" if op == "ARG_MAX" else "ArgMin", {"output_type": 2}))


def make_graph(seed, number):
    b = Builder(seed, number)
    kind = b.r.pick(["f32", "f32", "f32", "i8", "u8", "i16", "i32"])
    b.leaf(kind, b.r.shape(1, 6, most=6, elements=800, empty=0) if b.r.chance(0.6) else [b.r.int(1, 3), b.r.int(2, 8), b.r.int(2, 8),
                                                                                         b.r.int(1, 9)])
    wanted = b.r.int(2, 30)
    for _ in range(20 * wanted):
        if len(b.nodes) >= wanted:
            break
        (b.r.pick(CHAINS) if b.r.chance(CHAIN) else graft if b.r.chance(GRAFT) else b.r.pick(TEMPLATES))(b)
    known = {id(v.tensor) for v in b.values}
    made = [t for n in b.nodes for t in n.outputs if id(t) in known]
    outputs = [t for t in made if id(t) not in b.consumed or b.r.chance(0.15)] + b.extra
    case = Case("GRAPH", [Graph(b.nodes, None, outputs), *b.bodies])
    if b.r.chance(AGAIN):
        case.runs.append([shuffled(b.r, array) for array in case.runs[0]])
    if b.r.chance(DECLARE):
        declare_other_types(b.r, case)
    if b.r.chance(LISTED):
        list_constants(b.r, case)
    return case


def declare_other_types(r, case):
    """The model declares other types of results than the operators give that set them."""
    for node in (n for graph in case.graphs for n in graph.nodes if OPERATORS[n.op].sets_types):
        for t in node.outputs:
            if t is not None and t.kind != "str" and r.chance(0.5):
                t.kind = r.pick([kind for kind in KINDS if kind != "resource"])
