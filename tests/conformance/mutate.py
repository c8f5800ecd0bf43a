"""Variants of a case whose legality only LiteRT can tell: other element types, other parameters, other shapes."""
import copy

import numpy as np

from cases import KINDS, OPERATORS
from model_writer import TABLES

QUANTIZED = {"i8", "u8", "i16", "i32", "i4"}
NOT_FED = {"bf16", "i4", "i2"}  # NumPy has no such types
TYPES = [k for k in KINDS if k not in ("str", "resource")]
INTEGERS = [-1, 0, 1, 2, 3, 5, 100, 2 ** 31 - 1, -2 ** 31]
FLOATS = [float("nan"), float("inf"), -1.0, 0.0, 1e30]


def contents(t):
    return t.data if t.data is not None else t.feed


def set_contents(t, values):
    values = np.asarray(values, KINDS[t.kind][1])
    t.shape = list(values.shape)
    if t.data is not None:
        t.data = values
    elif t.feed is not None:
        t.feed = values


def converted(values, kind):
    """Values in another type, in its range; what they are does not matter much."""
    dtype = KINDS[kind][1]
    if kind in ("bool", "c64", "c128"):
        return np.asarray(values).astype(dtype)
    real = np.nan_to_num(np.asarray(values).real.astype(np.float64), nan=1, posinf=3, neginf=-3)
    if dtype().dtype.kind in "iu":
        info = np.iinfo(dtype)
        low, high = {"i4": (-8, 7), "i2": (-2, 1)}.get(kind, (max(info.min, -2 ** 40), min(info.max, 2 ** 40)))
        real = np.clip(np.round(real), low, high)
    with np.errstate(over="ignore"):
        return real.astype(dtype)


def retype(t, kind):
    values = contents(t)
    t.kind = kind
    if values is not None:
        set_contents(t, converted(values, kind))
    if kind not in QUANTIZED:
        t.scale = t.block = None
    elif t.scale is not None and kind in ("i16", "i32"):
        t.zero = 0
    elif t.scale is not None:
        low = 0 if kind == "u8" else -128
        t.zero = np.clip(t.zero, low, low + 255)


def finish(case):
    """The graph's inputs and outputs after its node has changed."""
    graph = case.graphs[0]
    graph.inputs, graph.outputs = graph.fed(), [t for t in graph.nodes[0].outputs if t]
    case.runs = [[t.feed for t in graph.inputs]]
    return case


def tensors(node):
    some = [t for t in node.inputs + node.outputs if t is not None and t.kind in TYPES]
    return list({id(t): t for t in some}.values())


def groups(own, feature):
    """The numbers of the tensors: each alone, then those together which have the same of something."""
    alike = {}
    for i, t in enumerate(own):
        alike.setdefault(feature(t), []).append(i)
    return [[i] for i in range(len(own))] + [same for same in alike.values() if len(same) > 1]


def type_changes(case):
    """(label, change of a copy): each tensor in each type, then all that have the same type together."""
    own = tensors(case.graphs[0].nodes[0])
    for group in groups(own, lambda t: t.kind):
        for kind in TYPES:
            fed = any(own[i].feed is not None for i in group)
            if kind != own[group[0]].kind and not (kind in NOT_FED and fed):
                def change(node, group=group, kind=kind):
                    there = tensors(node)
                    for i in group:
                        retype(there[i], kind)
                yield f"tensors {group} {own[group[0]].kind} -> {kind}", change


def of_rank(shape, rank):
    """As many elements in so many dimensions; one in none."""
    if rank == 0:
        return []
    if rank > len(shape):
        return [1] * (rank - len(shape)) + list(shape)
    merged = len(shape) - rank + 1
    return [int(np.prod(shape[:merged], dtype=np.int64)), *shape[merged:]]


def rank_changes(case):
    """(label, change of a copy): each input with 0 to 8 dimensions, then all that have as many together."""
    def ranked(node):
        return [t for t in tensors(node) if contents(t) is not None]
    own = ranked(case.graphs[0].nodes[0])
    for group in groups(own, lambda t: len(t.shape)):
        for rank in range(9):
            if rank != len(own[group[0]].shape):
                def change(node, group=group, rank=rank):
                    for t in [ranked(node)[i] for i in group]:
                        set_contents(t, np.resize(contents(t), of_rank(t.shape, rank)))
                yield f"tensors {group} of {rank} dimensions", change


MANY = 2 ** 20


def empty_shapes(shape):
    """As many dimensions, of which one is 0 and the others, multiplied, exceed 32 bits."""
    for place in range(len(shape)):
        yield [0 if i == place else MANY if i in ((place + 1) % len(shape), (place + 2) % len(shape)) else d
               for i, d in enumerate(shape)]


def empty_changes(case):
    """(label, change of a copy): each input without elements, then all that have the same shape together."""
    def shaped(node):
        return [t for t in tensors(node) if contents(t) is not None and len(t.shape) > 1]
    own = shaped(case.graphs[0].nodes[0])
    for group in groups(own, lambda t: tuple(t.shape)):
        for shape in empty_shapes(own[group[0]].shape):
            def change(node, group=group, shape=shape):
                for t in [shaped(node)[i] for i in group]:
                    set_contents(t, np.zeros(shape, KINDS[t.kind][1]))
            yield f"tensors {group} of shape {shape}", change


def version_changes(case):
    """(label, change of a copy): the operator in each version that there is, and in one behind them."""
    for version in range(1, OPERATORS[case.op].registered + 2):
        def change(node, version=version):
            node.version = version
        if version != case.graphs[0].nodes[0].version:
            yield f"version {version}", change


def option_changes(node):
    if not node.options or isinstance(node.options, bytes):
        return
    table, values = node.options

    def setter(key, value):
        def change(node):
            node.options = (table, {**values, key: value})
        return f"{key} = {value}", change
    for key, value in values.items():
        if isinstance(value, (bool, np.bool_)):
            yield setter(key, not value)
        elif isinstance(value, (int, np.integer)):
            byte = TABLES[table][key][1] == "byte"
            yield from (setter(key, other) for other in ([-1, *range(7), 100] if byte else INTEGERS))
        elif isinstance(value, float):
            yield from (setter(key, other) for other in FLOATS)
        elif isinstance(value, (list, tuple)):
            value = list(value)
            yield from (setter(key, other) for other in ([], value + [1], value[:-1]))
            yield from (setter(key, value[:i] + [other] + value[i + 1:]) for i in range(len(value)) for other in INTEGERS)


def value_changes(node):
    """Small inputs are parameters: each of their elements takes other values."""
    for n, t in enumerate(tensors(node)):
        values = contents(t)
        if values is None or np.size(values) > 16 or KINDS[t.kind][1] is np.bool_:
            continue
        dtype = np.asarray(values).dtype
        others = FLOATS if dtype.kind in "fc" else [v for v in [*INTEGERS, 2 ** 40] if np.iinfo(dtype).min <= v <= np.iinfo(dtype).max]
        for i in range(np.size(values)):
            for other in others:
                def change(node, n=n, i=i, other=other):
                    new = np.array(contents(tensors(node)[n]))
                    with np.errstate(over="ignore"):
                        new.flat[i] = other
                    set_contents(tensors(node)[n], new)
                yield f"tensor {n} [{i}] = {other}", change


def shape_changes(node):
    for n, t in enumerate(tensors(node)):
        if contents(t) is None:
            continue
        shape = list(np.shape(contents(t)))
        others = [[1, *shape], shape[1:], [], [0]] + [shape[:i] + [d] + shape[i + 1:] for i in range(len(shape))
                                                      for d in (0, 1, shape[i] + 1)]
        for other in others:
            def change(node, n=n, other=other):
                there = tensors(node)[n]
                set_contents(there, np.resize(contents(there), other))
            if other != shape:
                yield f"tensor {n} of shape {other}", change

        def turn(node, n=n):
            there = tensors(node)[n]
            there.data, there.feed = there.feed, there.data
        if t.kind not in NOT_FED and t.sparsity is None:
            yield f"tensor {n} {'given at run time' if t.data is not None else 'constant'}", turn


def count_changes(node):
    yield "one input less", lambda node: node.inputs.pop() if node.inputs else None
    yield "one input more", lambda node: node.inputs.append(copy.copy(node.inputs[-1])) if node.inputs else None
    yield "one output less", lambda node: node.outputs.pop()
    yield "one output more", lambda node: node.outputs.append(copy.copy(node.outputs[-1])) if node.outputs else None
    for i in range(len(node.inputs)):
        def change(node, i=i):
            node.inputs[i] = None
        yield f"no input {i}", change


def quantization_changes(node):
    for n, t in enumerate(tensors(node)):
        if t.scale is None:
            continue
        usual = {"scale": t.scale, "zero": t.zero, "axis": t.axis}
        for other in ({"scale": None}, {"scale": 3.0}, {"scale": 1e-4},
                      {"zero": 1}, {"zero": -128}, {"zero": 127}, {"scale": [0.1] * 3}, {"axis": 1}, {"axis": 9}):
            def change(node, n=n, new={**usual, **other}):
                for key, value in new.items():
                    setattr(tensors(node)[n], key, value)
            yield f"tensor {n} quantized with {other}", change


    def plain(node):
        for t in tensors(node):
            t.scale = None
    if any(t.scale is not None for t in tensors(node)):
        yield "no tensor quantized", plain


def parameter_changes(case):
    node = case.graphs[0].nodes[0]
    for source in (option_changes, value_changes, shape_changes, count_changes, quantization_changes):
        yield from source(node)


def applied(case, change):
    """A changed copy of the case."""
    other = copy.deepcopy(case)
    change(other.graphs[0].nodes[0])
    return finish(other)
