"""What a random case is made of: tensors, operators, graphs, and the model and the inputs that they make."""
import os
import re

import numpy as np

from model_writer import options, write

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# Short name -> (number in the format, NumPy's type). Types that NumPy lacks are only used for constants.
KINDS = {"f32": (0, np.float32), "f16": (1, np.float16), "i32": (2, np.int32), "u8": (3, np.uint8), "i64": (4, np.int64),
         "str": (5, object), "bool": (6, np.bool_), "i16": (7, np.int16), "c64": (8, np.complex64), "i8": (9, np.int8),
         "f64": (10, np.float64), "c128": (11, np.complex128), "u64": (12, np.uint64), "resource": (13, np.int32),
         "u32": (15, np.uint32), "u16": (16, np.uint16), "i4": (17, np.int8), "bf16": (18, np.float32), "i2": (19, np.int8)}
PACKED = {"i4": 4, "i2": 2}
NONE, RELU, RELU_N1_TO_1, RELU6, TANH, SIGN_BIT = range(6)
SAME, VALID = 0, 1

# The reference kernels' registration ends earlier than the optimized kernels' for these.
REFERENCE_LAST = {"ADD": 5, "DEPTHWISE_CONV_2D": 6, "DEPTH_TO_SPACE": 1, "MUL": 7, "SOFTMAX": 3, "TRANSPOSE": 8, "SQUEEZE": 1,
                  "UNIDIRECTIONAL_SEQUENCE_LSTM": 3, "STRIDED_SLICE": 4, "ARG_MAX": 2, "SIN": 1, "TILE": 2, "ARG_MIN": 2,
                  "RANGE": 1, "ABS": 3, "COS": 1, "GELU": 2}


class Operator:
    def __init__(self, name, code, first, last, cpu, cl):
        self.name, self.code, self.first, self.last, self.cpu, self.cl = name, code, first, last, cpu, cl
        self.registered, self.last = last, REFERENCE_LAST.get(name, last)
        self.sets_types = False


# Custom operators of others, whose answers tests/ops/make_cases.py computes.
NOT_IN_LITERT = {"Convolution2DTransposeBias", "MaxPoolingWithArgmax2D", "MaxUnpooling2D", "Resampler"}


def operators():
    """{name: Operator} as core/ops.def lists them; its lines are in the order of the codes, customs have the code -1."""
    found = {}
    with open(os.path.join(ROOT, "core/ops.def"), encoding="utf-8") as file:
        text = file.read()
    with open(os.path.join(ROOT, "core/base/output_type.c"), encoding="utf-8") as file:
        setting = set(re.findall(r"\[kTfLiteBuiltin(\w+)\] = \"", file.read()))
    for code, line in enumerate(re.findall(r"^OP\((\w+), (\w+), (\d+), (\d+), ([01]), ([01])\)$", text, re.M)):
        found[line[0]] = Operator(line[0], code, int(line[2]), int(line[3]), line[4] == "1", line[5] == "1")
        found[line[0]].sets_types = line[1] in setting
    for name, cpu, cl in re.findall(r"^CUSTOM_OP\((\w+), ([01]), ([01])\)$", text, re.M):
        found[name] = Operator(name, -1, 1, 1, cpu == "1" and name not in NOT_IN_LITERT, cl == "1")
    return found


OPERATORS = operators()


class Tensor:
    """`data` makes it a constant, which may be listed as a graph input, `feed` an ordinary graph input; with neither it is
    computed (or a variable)."""

    def __init__(self, kind, shape=(), data=None, feed=None, scale=None, zero=0, axis=0, variable=False, sparsity=None,
                 block=None):
        self.kind, self.shape, self.data, self.feed = kind, list(shape), data, feed
        self.scale, self.zero, self.axis, self.variable, self.sparsity = scale, zero, axis, variable, sparsity
        self.block = block  # of blockwise quantization: (tensor of scales, size)
        self.declared = None  # the shape in the model, when the input is resized to `shape` before the run

    def pack(self):
        if self.kind == "str":
            items = list(np.asarray(self.data, object).reshape(-1))
            ends = np.cumsum([0] + [len(item) for item in items]) + 4 * (len(items) + 2)
            return np.array([len(items), *ends], np.int32).tobytes() + b"".join(items)
        values = np.asarray(self.data, KINDS[self.kind][1]).reshape(-1)
        if self.kind == "bf16":
            return (values.view(np.uint32) >> 16).astype(np.uint16).tobytes()
        if self.kind not in PACKED:
            return values.tobytes()
        bits = PACKED[self.kind]
        per = 8 // bits
        low = np.zeros(-(-values.size // per) * per, np.uint8)
        low[:values.size] = values.view(np.uint8) & ((1 << bits) - 1)
        return (low.reshape(-1, per) << (bits * np.arange(per, dtype=np.uint8))).sum(1).astype(np.uint8).tobytes()

    def quantization(self, indices):
        if self.block:
            return {"details_type": 2, "details": {"scales": indices[id(self.block[0])], "zero_points": -1,
                                                   "block_size": self.block[1]}, "axis": self.axis}
        if self.scale is None:
            return None
        scale = np.atleast_1d(np.asarray(self.scale, np.float32))
        zero = np.broadcast_to(np.asarray(self.zero, np.int64), scale.shape)
        return {"scale": scale, "zero_point": zero, "axis": self.axis}


class Node:
    """One operator; `options` is (table, values), for a custom operator the bytes of its options."""

    def __init__(self, op, inputs, outputs, options=None, intermediates=(), version=None):
        self.op, self.inputs, self.outputs, self.options = op, list(inputs), list(outputs), options
        self.intermediates, self.version = list(intermediates), version or OPERATORS[op].last


class Graph:
    def __init__(self, nodes, inputs=None, outputs=None):
        self.nodes = nodes
        self.inputs = self.fed() if inputs is None else inputs
        self.outputs = [t for t in nodes[-1].outputs if t] if outputs is None else outputs

    def tensors(self):
        every = [t for n in self.nodes for t in n.inputs + n.outputs + n.intermediates] + self.inputs + self.outputs
        every += [t.block[0] for t in every if t is not None and t.block]
        return list({id(t): t for t in every if t is not None}.values())

    def fed(self):
        every = [t for n in self.nodes for t in n.inputs if t is not None and t.feed is not None]
        return list({id(t): t for t in every}.values())


class Case:
    """Graphs (the first is the main one) and, per run, the arrays for the main graph's inputs, None where one is a constant.

    loose: the result of float arithmetic on 8-bit inputs made at run time; bad: made illegal on purpose;
    shape_only: the values are up to the runtime; terms: how large the terms of the sums of floats are at least.
    """

    def __init__(self, op, graphs, loose=False, shape_only=False, runs=None):
        self.op, self.graphs, self.loose, self.bad, self.shape_only = op, graphs, loose, False, shape_only
        self.terms = 0.0
        self.runs = runs or [[t.feed for t in graphs[0].inputs]]

    def resizes(self):
        """Per run, the inputs whose shape changes: {number: shape}."""
        now = [list(t.declared if t.declared is not None else t.shape) for t in self.graphs[0].inputs]
        for run in self.runs:
            change = {}
            for i, array in enumerate(run):
                if array is not None and list(array.shape) != now[i]:
                    change[str(i)] = now[i] = [int(d) for d in array.shape]
            yield change

    def model(self):
        codes, buffers = [], [{}]
        subgraphs = [_subgraph(graph, codes, buffers) for graph in self.graphs]
        return write({"version": 3, "operator_codes": [_code(*c) for c in codes], "subgraphs": subgraphs,
                      "buffers": buffers})


def _code(op, version):
    code = OPERATORS[op].code
    if code < 0:
        # core/ops.def has no points in names.
        return {"custom_code": re.sub("^aeq_", "aeq.", op), "builtin_code": 32, "deprecated_builtin_code": 32, "version": version}
    return {"builtin_code": code, "deprecated_builtin_code": min(code, 127), "version": version}


def _subgraph(graph, codes, buffers):
    tensors = graph.tensors()
    indices = {id(t): i for i, t in enumerate(tensors)}

    def numbers(some):
        return [-1 if t is None else indices[id(t)] for t in some]

    written = []
    for t in tensors:
        shape = t.shape if t.declared is None else t.declared
        row = {"shape": shape, "type": KINDS[t.kind][0], "name": f"t{len(written)}", "is_variable": t.variable,
               "quantization": t.quantization(indices), "sparsity": t.sparsity, "buffer": 0}
        if t.declared is not None:
            row["shape_signature"] = [-1 if a != b else a for a, b in zip(t.declared, t.shape)]
        if t.data is not None:
            row["buffer"] = len(buffers)
            buffers.append({"data": t.pack()})
        written.append(row)
    nodes = []
    for n in graph.nodes:
        if (n.op, n.version) not in codes:
            codes.append((n.op, n.version))
        row = {"opcode_index": codes.index((n.op, n.version)), "inputs": numbers(n.inputs), "outputs": numbers(n.outputs)}
        if n.intermediates:
            row["intermediates"] = numbers(n.intermediates)
        if isinstance(n.options, bytes):
            row["custom_options"] = n.options
        elif n.options:
            row.update(options(*n.options))
        nodes.append(row)
    return {"tensors": written, "inputs": numbers(graph.inputs), "outputs": numbers(graph.outputs), "operators": nodes}
