"""make_case(seed, operator, number): the random case of that number, with what is common to all operators added."""
import copy
import re

import numpy as np

# The generators register themselves.
import ops_detect  # noqa: F401
import ops_elementwise  # noqa: F401
import ops_graph  # noqa: F401
import ops_move  # noqa: F401
import ops_network  # noqa: F401
import ops_recurrent  # noqa: F401
import ops_reduce  # noqa: F401
import ops_types  # noqa: F401 (behind the others, whose generators it wraps)
from cases import KINDS, PACKED
from exceptions import KEEPS_DECLARATION
from mutate import applied, empty_changes
from random_source import GENERATORS, QUANTIZED, Random

BREAK, EMPTY, RESIZE, SHRINK, AGAIN, DECLARE, LISTED = 0.07, 0.01, 0.12, 0.05, 0.1, 0.1, 0.1
NOT_LISTED = ("i4", "i2", "bf16")  # NumPy lacks them, and LiteRT's Python describes all inputs in its terms
__all__ = ["GENERATORS", "make_case"]


def make_case(seed, op, number):
    r = Random(seed, op, number)
    case = GENERATORS[op](r, op)
    if len(case.graphs) == 1 and len(case.graphs[0].nodes) == 1:
        if r.chance(BREAK):
            break_case(r, case)
        elif r.chance(EMPTY) and not r.no_change:
            case = without_elements(r, case)
        elif not r.no_change and r.chance(RESIZE):
            declare_smaller(r, case)
        elif not r.no_change and len(case.graphs[0].inputs) == 1 and len(case.runs) == 1 and r.chance(SHRINK):
            shrink(case)
    if r.chance(AGAIN) and len(case.runs) == 1:
        case.runs.append([shuffled(r, array) for array in case.runs[0]])
    if not case.bad and r.chance(DECLARE):
        declare_other_type(r, case)
    if r.chance(LISTED):
        list_constants(r, case)
    return case


def declare_other_type(r, case):
    """The model declares another type of a result, or of what a graph is called with; most operators set it, or refuse that."""
    graphs = case.graphs[:1] if case.op == "STABLEHLO_CASE" else case.graphs  # it compares its branches before they are prepared
    results = [t for graph in graphs for node in graph.nodes if not re.fullmatch(KEEPS_DECLARATION, node.op) for t in node.outputs]
    some = [t for t in results + [t for graph in case.graphs[1:] for t in graph.inputs] if t is not None and t.kind != "resource"]
    if some:
        t = r.pick(some)
        t.kind = r.pick([kind for kind in KINDS if kind != t.kind and kind not in PACKED and kind != "bf16"])


def list_constants(r, case):
    """Constants are inputs of the graph, too, as some converters write them."""
    graph = case.graphs[0]
    for t in graph.tensors():
        if t.data is not None and t.kind not in NOT_LISTED and not any(t is other for other in graph.inputs) and r.chance(0.7):
            at = r.int(0, len(graph.inputs))
            graph.inputs = [*graph.inputs[:at], t, *graph.inputs[at:]]
            case.runs = [[*run[:at], None, *run[at:]] for run in case.runs]


def without_elements(r, case):
    """The first input, and all of its shape, become empty; the product of their other dimensions does not fit 32 bits."""
    node = case.graphs[0].nodes[0]
    if node.op in ("MEAN", "SUM") and node.inputs[0].kind in QUANTIZED:  # LiteRT does not write the output
        return case
    changes = [change for label, change in empty_changes(case) if "[0" in label]
    return applied(case, changes[-1 - r.int(0, min(2, len(changes) - 1))]) if changes else case


def declare_smaller(r, case):
    """The model declares other dimensions for an input, which is resized before the run."""
    for t in case.graphs[0].inputs:
        if t.shape and r.chance(0.7):
            t.declared = [1 if r.chance(0.5) else d for d in t.shape]


def shrink(case):
    """Two further runs, with half of the input's first dimension and with all of it."""
    x = case.runs[0][0]
    shrinking = [case.graphs[0].inputs[0], *case.graphs[0].outputs]
    has_row_scales = any(t.axis == 0 and np.size(t.scale) > 1 for t in shrinking)
    if x.ndim and x.shape[0] > 1 and not has_row_scales:
        case.runs += [[x[:x.shape[0] // 2]], [x]]


def shuffled(r, array):
    """Floats in another order, for a second run; everything else may have a meaning."""
    if array.dtype.kind != "f" or array.size < 2:
        return array
    return r.rng.permutation(array.reshape(-1)).reshape(array.shape)


def break_case(r, case):
    """One change that most often makes the case illegal."""
    case.bad = True
    node = case.graphs[0].nodes[0]
    r.pick([wrong_type, wrong_rank, wrong_count, wrong_option, wrong_size, wrong_values])(r, node)
    case.graphs[0].inputs = case.graphs[0].fed()
    case.graphs[0].outputs = [t for t in node.outputs if t]
    case.runs = [[t.feed for t in case.graphs[0].inputs]]


def present(node):
    return [t for t in node.inputs if t is not None and t.kind not in ("str", "resource")]


def replace(node, old, new):
    node.inputs = [new if t is old else t for t in node.inputs]


def remade(r, t, kind, shape):
    new = copy.copy(t)
    new.kind, new.shape = kind, list(shape)
    values = r.numbers(kind, shape)
    if t.data is not None:
        new.data = values
    elif t.feed is not None:
        new.feed = values
    return new


def wrong_type(r, node):
    kind = r.pick(["f32", "i32", "i64", "i8", "u8", "i16", "bool", "f16", "f64", "u32", "c64"])
    if r.chance(0.3) and node.outputs[0] is not None:
        node.outputs[0].kind = kind
    elif present(node):
        t = r.pick(present(node))
        replace(node, t, remade(r, t, kind, t.shape))


def wrong_rank(r, node):
    if not present(node):
        return
    t = r.pick(present(node))
    shape = t.shape[1:] if t.shape and r.chance(0.5) else [r.int(1, 3), *t.shape]
    replace(node, t, remade(r, t, t.kind, shape))


def wrong_size(r, node):
    some = [t for t in present(node) if t.shape]
    if not some:
        return
    t = r.pick(some)
    shape = list(t.shape)
    shape[r.int(0, len(shape) - 1)] = r.int(0, 7)
    replace(node, t, remade(r, t, t.kind, shape))


def wrong_count(r, node):
    if r.chance(0.4) and node.inputs:
        node.inputs.pop()
    elif r.chance(0.5) and node.inputs:
        node.inputs[r.int(0, len(node.inputs) - 1)] = None
    else:
        node.inputs.append(r.fed("f32", [2]))


def wrong_option(r, node):
    if not node.options or isinstance(node.options, bytes) or not node.options[1]:
        return
    values = dict(node.options[1])
    key = r.pick(sorted(values))
    if isinstance(values[key], (int, np.integer)) and not isinstance(values[key], bool):
        values[key] = r.pick([-1, 0, 1, 5, 100])
    node.options = (node.options[0], values)


def wrong_values(r, node):
    some = [t for t in present(node) if t.kind in ("i32", "i64") and np.size(t.data if t.data is not None else t.feed)]
    if not some:
        return
    t = r.pick(some)
    new = copy.copy(t)
    values = np.array(t.data if t.data is not None else t.feed)
    values.flat[r.int(0, values.size - 1)] = KINDS[t.kind][1](r.pick([-1, -7, 0, 9, 100, -2 ** 31]))
    if t.data is not None:
        new.data = values
    else:
        new.feed = values
    replace(node, t, new)
