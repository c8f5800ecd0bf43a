"""Generators of the recurrent operators."""
import numpy as np

from cases import Tensor
from random_source import generates, one

TERMS = 0.5  # the largest bias, state or weight where there are any: what is left of a sum may be much less
HYBRID = ["f32", "f32", "f32", "i8", "i8", "u8"]


def hybrid_weights(r, kind, shape):
    """Constant weights, of one scale where they are 8-bit. Those of unsigned type are read as signed ones."""
    if kind == "f32":
        return with_nan(r, r.const("f32", shape, low=-0.5, high=0.5))
    values = r.rng.integers(-127, 128, shape)
    return r.const(kind, shape, values if kind == "i8" else values % 256, scale=0.5 / 127, zero=0)


def with_nan(r, weights):
    """The same, now and then with a NaN, of which activations and clips make numbers."""
    if weights.data.size and r.chance(0.02):
        weights.data.flat[r.int(0, weights.data.size - 1)] = float("nan")
    return weights


def size(r, kind, most=8):
    """Of a layer. A rounding that falls the other way in many quantized values would be seen in the results."""
    return r.wide(most) if kind == "f32" else r.int(1, most)


def state(kind, shape, **q):
    return Tensor(kind, shape, variable=True, **q)


def floats(r, shape):
    return r.const("f32", shape, low=-0.5, high=0.5)


def rows(r, kind, shape):
    """What weights of that kind multiply; with 8-bit ones LiteRT takes infinities and NaN by their position."""
    return r.fed("f32", shape, low=-1, high=1, special=0.15 if kind == "f32" else 0.0)


@generates("RNN")
def rnn(r, op):
    kind = r.pick(HYBRID)
    batch, depth, units = r.int(1, 5), size(r, kind), size(r, kind)
    inputs = [rows(r, kind, [batch, depth]), hybrid_weights(r, kind, [units, depth]),
              hybrid_weights(r, kind, [units, units]), floats(r, [units]), state("f32", [batch, units])]
    options = {"activation": r.pick([0, 1, 3, 4]), "asymmetric": kind != "f32" and r.chance(0.5)}
    return twice(r, one(op, inputs, [r.out("f32")], ("RNN", options), loose=kind != "f32"))


WIDER = {"f32": ["i32", "i64", "f64"], "i8": ["i16", "i32"], "i16": ["i32"]}


def twice(r, case):
    """Often a second run, which begins with the state of the first; now and then a state is declared as wider than it is."""
    for t in case.graphs[0].nodes[0].inputs:
        if t is not None and t.variable and r.chance(0.03):
            t.kind = r.pick(WIDER[t.kind])
    if case.op.endswith("LSTM") and any(np.isnan(t.data).any() for t in case.graphs[0].tensors() if t.data is not None):
        for array in case.runs[0]:  # LiteRT leaves out the product of a step whose inputs are all 0, here 0 times NaN is NaN
            array[array == 0] = 0.25
    case.terms = TERMS
    if r.chance(0.5):
        case.runs.append([r.rng.permutation(a.reshape(-1)).reshape(a.shape) for a in case.runs[0]])
    r.no_change = True
    return case


@generates("UNIDIRECTIONAL_SEQUENCE_RNN")
def sequence_rnn(r, op):
    kind = r.pick(HYBRID)
    batch, time, depth, units, major = r.int(1, 5), r.int(1, 5), size(r, kind), size(r, kind), r.chance(0.5)
    shape = [time, batch, depth] if major else [batch, time, depth]
    inputs = [rows(r, kind, shape), hybrid_weights(r, kind, [units, depth]), hybrid_weights(r, kind, [units, units]),
              floats(r, [units]), state("f32", [batch, units])]
    options = {"activation": r.pick([0, 1, 3, 4]), "time_major": major, "asymmetric": kind != "f32" and r.chance(0.5)}
    return twice(r, one(op, inputs, [r.out("f32")], ("SequenceRNN", options), loose=kind != "f32"))


@generates("BIDIRECTIONAL_SEQUENCE_RNN")
def bidirectional_rnn(r, op):
    kind = r.pick(HYBRID)
    batch, time, depth, forward, backward = r.int(1, 3), r.int(1, 5), r.int(1, 8), r.int(1, 6), r.int(1, 6)
    major, merge, extra = r.chance(0.5), r.chance(0.5), r.chance(0.3)
    shape = [time, batch, depth] if major else [batch, time, depth]
    inputs = [rows(r, kind, shape)]
    for units in (forward, backward):
        inputs += [hybrid_weights(r, kind, [units, depth]), hybrid_weights(r, kind, [units, units]), floats(r, [units]),
                   state("f32", [batch, units])]
    inputs += ([rows(r, kind, shape), hybrid_weights(r, kind, [forward, depth]), hybrid_weights(r, kind, [backward, depth])]
               if extra else [None] * 3)
    options = {"activation": r.pick([0, 1, 3, 4]), "time_major": major, "merge_outputs": merge,
               "asymmetric": kind != "f32" and r.chance(0.5)}
    outputs = [r.out("f32") for _ in range(1 if merge else 2)]
    return twice(r, one(op, inputs, outputs, ("BidirectionalSequenceRNN", options), loose=kind != "f32"))


@generates("SVDF")
def svdf(r, op):
    kind = r.pick([*HYBRID, "full", "full"])
    batch, depth, units, rank, memory = r.int(1, 5), size(r, kind), size(r, kind, 6), r.int(1, 3), size(r, kind, 6)
    filters = units * rank
    options = {"rank": rank, "activation": 1 if kind == "full" else r.pick([0, 1, 3]), "asymmetric": kind in ("i8", "u8") and r.chance(0.5)}
    if kind == "full":
        return integer_svdf(r, op, (batch, depth, units, filters, memory), options)
    bias = floats(r, [units]) if r.chance(0.6) else None
    inputs = [rows(r, kind, [batch, depth]), hybrid_weights(r, kind, [filters, depth]),
              hybrid_weights(r, kind, [filters, memory]), bias, state("f32", [batch, filters * memory])]
    return twice(r, one(op, inputs, [r.out("f32")], ("SVDF", options), loose=kind != "f32"))


def integer_svdf(r, op, sizes, options):
    batch, depth, units, filters, memory = sizes
    # LiteRT reads 8-bit weights and states as 16-bit ones.
    time_kind, state_scale, time_scale = "i16", 1 / 256, 0.0005
    x = r.fed("i8", [batch, depth], scale=0.02, zero=r.int(-10, 10))
    features = r.const("i8", [filters, depth], scale=0.008, zero=0)
    time = r.const(time_kind, [filters, memory], scale=time_scale, zero=0)
    bias = r.const("i32", [units], r.rng.integers(-3000, 3000, units), scale=state_scale * time_scale, zero=0) if r.chance(0.6) else None
    inputs = [x, features, time, bias, state(time_kind, [batch, filters * memory], scale=state_scale, zero=0)]
    return twice(r, one(op, inputs, [r.out("i8", scale=0.05, zero=r.int(-20, 20))], ("SVDF", options)))


class Cell:
    """The weights of an LSTM; absent ones are None."""

    def __init__(self, r, kind, depth, units, output, forms):
        cifg, peephole, projection, norm = forms
        matrix = lambda a, b: hybrid_weights(r, kind, [a, b])
        gates = [None if cifg and g == 0 else g for g in range(4)]
        self.input = [None if g is None else matrix(units, depth) for g in gates]
        self.recurrent = [None if g is None else matrix(units, output) for g in gates]
        self.peephole = [None if not peephole or (cifg and k == 0) else hybrid_weights(r, kind, [units]) for k in range(3)]
        self.bias = [None if g is None else floats(r, [units]) for g in gates]
        self.projection = [matrix(output, units) if projection else None,
                           floats(r, [output]) if projection and r.chance(0.5) else None]
        self.norm = [None if not norm or g is None else r.const("f32", [units], low=0.5, high=1.5) for g in gates]

    def inputs(self):
        return [*self.input, *self.recurrent, *self.peephole, *self.bias, *self.projection]


@generates("LSTM", "UNIDIRECTIONAL_SEQUENCE_LSTM")
def lstm(r, op):
    sequence = op == "UNIDIRECTIONAL_SEQUENCE_LSTM"
    if not sequence and r.chance(0.2):
        return basic_lstm(r, op)
    if r.chance(0.3):
        return integer_lstm(r, op)
    kind = r.pick(HYBRID)
    batch, time, depth, units = r.int(1, 5), r.int(1, 5), size(r, kind), size(r, kind)
    forms = [r.chance(0.35), r.chance(0.35), r.chance(0.35), r.chance(0.35)]
    if forms[3]:
        units += 3  # the normalization of two values multiplies their rounding errors
    output = size(r, kind) if forms[2] else units
    cell = Cell(r, kind, depth, units, output, forms)
    major = r.chance(0.5)
    shape = ([time, batch, depth] if major else [batch, time, depth]) if sequence else [batch, depth]
    inputs = [rows(r, kind, shape), *cell.inputs(), state("f32", [batch, output]), state("f32", [batch, units])]
    if forms[3] or r.chance(0.3):
        inputs += cell.norm
    options = {"activation": r.pick([4, 4, 1, 3]), "cell_clip": r.pick([0.0, 0.0, 0.5]), "proj_clip": r.pick([0.0, 0.0, 0.3]),
               "asymmetric": kind != "f32" and r.chance(0.5)}
    if sequence:
        options["time_major"] = major
    name = "UnidirectionalSequenceLSTM" if sequence else "LSTM"
    return twice(r, one(op, inputs, [r.out("f32")], (name, options), loose=kind != "f32"))


def basic_lstm(r, op):
    """The older kernel with one matrix and the state as inputs and outputs."""
    batch, depth, units = r.int(1, 3), r.int(1, 8), r.int(1, 8)
    if r.chance(0.5):
        # Its quantized form takes these scales only, and multiples of 16.
        depth, units = 8 * r.int(1, 2), 8 * r.int(1, 2)
        q, c = {"scale": 1 / 128, "zero": 128}, {"scale": 1 / 2048, "zero": 0}
        weight = r.const("u8", [4 * units, depth + units], scale=0.01, zero=r.int(100, 150))
        bias = r.const("i32", [4 * units], r.rng.integers(-2000, 2000, 4 * units), scale=0.01 / 128, zero=0)
        inputs = [r.fed("u8", [batch, depth], **q), r.fed("u8", [batch, units], **q), weight, bias,
                  r.fed("i16", [batch, units], **c)]
        outputs = [r.out("u8", **q), r.out("i16", **c), r.out("u8", **q), r.out("i16", **c)]
    else:
        inputs = [r.fed("f32", [batch, depth]), r.fed("f32", [batch, units]), floats(r, [4 * units, depth + units]),
                  floats(r, [4 * units]), r.fed("f32", [batch, units])]
        outputs = [r.out("f32") for _ in range(4)]
    r.no_change = True
    return one(op, inputs, outputs, ("LSTM", {"activation": 4, "kernel_type": 1}))


def integer_lstm(r, op):
    """8-bit activations and weights, a 16-bit cell."""
    sequence = op == "UNIDIRECTIONAL_SEQUENCE_LSTM"
    batch, time, depth, units = r.int(1, 3), r.int(1, 5), r.wide(), r.wide()
    cifg, peephole, projection, norm = (r.chance(0.3) for _ in range(4))
    short = not sequence and r.chance(0.2)  # of which the products have 8 bits, too
    if short:
        cifg, peephole, projection, norm = True, False, True, True
    # LiteRT's products of a projection that is wider than the cell do not fit into its buffer.
    output = r.int(1, units) if projection else units
    ties = r.chance(0.4)  # powers of two and gates without weights: many products lie halfway between two values, and show
    hidden = {"scale": 2.0 ** -(r.int(7, 13) if ties else 7), "zero": r.int(-10, 10)}
    scale = lambda: 2.0 ** -r.int(6, 9) if ties else r.float(0.003, 0.01)
    most = lambda usual: 1 if ties and r.chance(0.3) else usual
    byte = lambda shape: r.const("i8", shape, r.rng.integers(1 - most(128), most(128), shape), scale=scale(), zero=0)
    gates = [None if cifg and g == 0 else g for g in range(4)]
    norms = [None if not norm or g is None else r.const("i16", [units], r.rng.integers(5000, 20000, units), scale=1 / 16384, zero=0)
             for g in gates]
    word = lambda s: r.const("i32", [units], r.rng.integers(-2000, 2000, units) * (most(2) - 1), scale=s, zero=0)
    inputs = [r.fed("i8", [time, batch, depth] if sequence else [batch, depth], scale=scale() if ties else 0.01, zero=r.int(-10, 10))]
    inputs += [None if g is None else byte([units, depth]) for g in gates]
    inputs += [None if g is None else byte([units, output]) for g in gates]
    inputs += [None if not peephole or (cifg and k == 0) else
               r.const("i16", [units], r.rng.integers(-9000, 9000, units), scale=1 / 32768, zero=0) for k in range(3)]
    inputs += [None if g is None else word(norms[k].scale / 1024 if norm else 0.0001) for k, g in enumerate(gates)]
    inputs += [byte([output, units]) if projection else None,
               r.const("i32", [output], r.rng.integers(-2000, 2000, output), scale=0.0001, zero=0)
               if projection and (short or r.chance(0.5)) else None]
    inputs += [state("i8", [batch, output], **hidden), state("i16", [batch, units], scale=2.0 ** -(15 if short else r.int(11, 13)), zero=0)]
    inputs += norms if norm or r.chance(0.5) else []
    inner = [r.out("i16", scale=2.0 ** -12, zero=0) for _ in range(4)] + [r.out("i8", scale=hidden["scale"], zero=r.int(-5, 5))]
    if short:
        inner = [r.out("i8", scale=r.float(0.01, 0.05), zero=r.int(-5, 5)) for _ in range(12)]
    options = {"activation": 4, "cell_clip": r.pick([0.0, 0.5]), "proj_clip": r.pick([0.0, 0.3])}
    if sequence:
        options["time_major"] = True
    case = one(op, inputs, [r.out("i8", **hidden)], ("UnidirectionalSequenceLSTM" if sequence else "LSTM", options), intermediates=inner)
    return twice(r, case)


@generates("BIDIRECTIONAL_SEQUENCE_LSTM")
def bidirectional_lstm(r, op):
    kind = r.pick(HYBRID)
    batch, time, depth = r.int(1, 3), r.int(1, 5), size(r, kind)
    forms = [r.chance(0.35), r.chance(0.35), r.chance(0.35), False]
    major, merge = r.chance(0.5), r.chance(0.5)
    if not major and merge:
        batch = 1  # LiteRT's answers for the last sequence of several are others than for it alone
    shape = [time, batch, depth] if major else [batch, time, depth]
    cells, states = [], []
    units = size(r, kind)
    output = size(r, kind) if forms[2] else units
    auxiliary, own = [None], r.chance(0.5)
    if r.chance(0.3):
        auxiliary = [rows(r, kind, [*shape[:2], size(r, kind) if own else depth])]
    for _ in range(2):
        cell = Cell(r, kind, depth, units, output, forms)
        cells += cell.inputs()
        states += [state("f32", [batch, output]), state("f32", [batch, units])]
        auxiliary += [None if auxiliary[0] is None or not own or w is None else hybrid_weights(r, kind, [units, auxiliary[0].shape[2]])
                      for w in cell.input]
    inputs = [rows(r, kind, shape), *cells, *states, *auxiliary]
    options = {"activation": 4, "cell_clip": r.pick([0.0, 0.0, 0.5]), "proj_clip": r.pick([0.0, 0.0, 0.3]), "merge_outputs": merge,
               "time_major": major, "asymmetric": kind != "f32" and r.chance(0.5)}
    outputs = [r.out("f32") for _ in range(1 if merge else 2)]
    return twice(r, one(op, inputs, outputs, ("BidirectionalSequenceLSTM", options), loose=kind != "f32"))
