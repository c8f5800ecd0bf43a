"""Generators of the operators that call graphs, or share resources and variables between operators."""
import numpy as np
from flatbuffers import flexbuffers

from cases import Case, Graph, Node, Tensor
from random_source import generates


def body(r, kind, shape, op, inputs=1):
    """A graph of one operator on its inputs, or on one and a constant."""
    parameters = [Tensor(kind, shape) for _ in range(inputs)]
    sources = parameters[:2] if inputs > 1 and r.chance(0.7) else [parameters[0], r.const(kind, [])]
    out = Tensor(kind, shape)
    return Graph([Node(op, sources, [out], (op.capitalize(), {"activation": 0}))], parameters, [out])


def doubled(kind, shape, count):
    """A graph whose output is longer than its inputs: the first one twice."""
    parameters = [Tensor(kind, shape) for _ in range(count)]
    out = Tensor(kind, [2 * shape[0], *shape[1:]])
    return Graph([Node("CONCATENATION", [parameters[0]] * 2, [out], ("Concatenation", {"axis": 0}))], parameters, [out])


@generates("IF", "STABLEHLO_CASE")
def choice(r, op):
    kind, shape, count = r.pick(["f32", "i32"]), r.shape(0, 3, empty=0), r.int(1, 2)
    operands = [r.fed(kind, shape) for _ in range(count)]
    out = Tensor(kind, shape)
    branches = [body(r, kind, shape, r.pick(["ADD", "MUL", "SUB"]), count) for _ in range(2 if op == "IF" else r.int(1, 4))]
    if shape and r.chance(0.25):  # which output is longer is only known when the graph runs
        branches[r.int(0, len(branches) - 1)] = doubled(kind, shape, count)
    if op == "IF":
        selector, options = r.fed("bool", [] if r.chance(0.5) else [1]), ("If", {"then_graph": 1, "else_graph": 2})
    else:
        selector = r.fed("i32", [], r.int(-1, len(branches)))
        options = ("StablehloCase", {"graphs": list(range(1, len(branches) + 1))})
    return Case(op, [Graph([Node(op, [selector, *operands], [out], options)]), *branches])


@generates("WHILE")
def loop(r, op):
    """while (i < limit) { i += step; x = x op (x or a constant) }"""
    kind, shape, step = r.pick(["f32", "i32"]), r.shape(0, 3, empty=0), r.int(1, 3)
    i, x, less = Tensor("i32", []), Tensor(kind, shape), Tensor("bool", [])
    condition = Graph([Node("LESS", [i, r.const("i32", [], r.int(0, 9))], [less])], [i, x], [less])
    i, x, next_i, next_x = Tensor("i32", []), Tensor(kind, shape), Tensor("i32", []), Tensor(kind, shape)
    other = r.const(kind, [], r.pick([1, 2])) if r.chance(0.7) else x
    inner = Graph([Node("ADD", [i, r.const("i32", [], step)], [next_i], ("Add", {})),
                   Node(r.pick(["ADD", "SUB"]), [x, other], [next_x], ("Add", {}))], [i, x], [next_i, next_x])
    inner.nodes[1].options = (inner.nodes[1].op.capitalize(), {})
    if shape and r.chance(0.25):  # grows with each round
        row = r.const(kind, [1, *shape[1:]])
        inner.nodes[1] = Node("CONCATENATION", [inner.inputs[1], row], [next_x], ("Concatenation", {"axis": 0}))
    outputs = [Tensor("i32", []), Tensor(kind, shape)]
    node = Node(op, [r.fed("i32", [], r.int(0, 5)), r.fed(kind, shape)], outputs, ("While", {"condition_graph": 1, "body_graph": 2}))
    return Case(op, [Graph([node]), condition, inner])


@generates("STABLEHLO_COMPOSITE")
def composite(r, op):
    kind, shape = "f32", r.shape(0, 4, empty=0)
    operands, out = [r.fed(kind, shape) for _ in range(r.int(1, 2))], Tensor(kind, shape)
    inner = body(r, kind, shape, r.pick(["ADD", "MUL", "SUB"]), len(operands))
    options = ("StableHLOComposite", {"name": "odml.some", "graph": 1, "version": 1, "attributes": bytes(flexbuffers.Dumps({}))})
    return Case(op, [Graph([Node(op, operands, [out], options)]), inner])


@generates("VAR_HANDLE", "READ_VARIABLE", "ASSIGN_VARIABLE", "CALL_ONCE")
def variable(r, op):
    """A variable that is set (by a constant, once, or at each run) and then read."""
    kind, shape = r.pick(["f32", "i32", "i64", "i8", "bool", "u8"]), r.shape(0, 4)
    q = r.quant(kind)
    name = ("VarHandle", {"container": "", "shared_name": "v"})
    out = Tensor(kind, shape, **q)

    def assignment(source):
        handle = Tensor("resource", [])
        return [Node("VAR_HANDLE", [], [handle], name), Node("ASSIGN_VARIABLE", [handle, source], [])]

    handle = Tensor("resource", [])
    reading = [Node("VAR_HANDLE", [], [handle], name), Node("READ_VARIABLE", [handle], [out])]
    if op != "CALL_ONCE":
        source = r.fed(kind, shape, **q)
        runs = [[r.numbers(kind, shape)] for _ in range(r.int(1, 3))]
        return Case(op, [Graph(assignment(source) + reading, [source], [out])], runs=runs)
    once = Graph(assignment(r.const(kind, shape, **q)), [], [])
    return Case(op, [Graph([Node(op, [], [], ("CallOnce", {"graph": 1})), *reading], [], [out]), once], runs=[[]] * r.int(1, 2))


@generates("HASHTABLE", "HASHTABLE_IMPORT", "HASHTABLE_FIND", "HASHTABLE_SIZE")
def hashtable(r, op):
    kinds = ["str", "i64"] if r.chance(0.5) else ["i64", "str"]
    count = r.int(0, 6)

    def some(kind, number):
        if kind == "i64":
            return r.rng.integers(-3, 5, number)
        return r.numbers("str", [number])

    made = ("Hashtable", {"table": r.int(0, 3), "key_type": {"i64": 4, "str": 5}[kinds[0]], "value_type": {"i64": 4, "str": 5}[kinds[1]]})
    first, second = Tensor("resource", [1]), Tensor("resource", [1])
    keys, values = (r.const(kind, [count], some(kind, count)) for kind in kinds)
    once = Graph([Node("HASHTABLE", [], [first], made), Node("HASHTABLE_IMPORT", [first, keys, values], [])], [], [])
    nodes = [Node("CALL_ONCE", [], [], ("CallOnce", {"graph": 1})), Node("HASHTABLE", [], [second], made)]
    inputs = []
    if op == "HASHTABLE_SIZE":
        out = Tensor("i64", [1])
        nodes.append(Node(op, [second], [out]))
    else:
        wanted, default = r.int(1, 5), r.const(kinds[1], [1], some(kinds[1], 1))
        inputs = [r.fed(kinds[0], [wanted], some(kinds[0], wanted))]
        out = Tensor(kinds[1], [wanted])
        nodes.append(Node("HASHTABLE_FIND", [second, inputs[0], default], [out]))
    return Case(op, [Graph(nodes, inputs, [out]), once], runs=[[t.feed for t in inputs]])


REDUCERS = {"ADD": ("Add", 0), "MUL": ("Mul", 1), "MINIMUM": (None, 3), "MAXIMUM": (None, -9)}


def reducer(kind):
    """(graph of (a, b) -> a op b, initial value)"""
    def of(r):
        op = r.pick(sorted(REDUCERS))
        a, b, out = (Tensor(kind, []) for _ in range(3))
        name, start = REDUCERS[op]
        return Graph([Node("STABLEHLO_" + {"MUL": "MULTIPLY"}.get(op, op), [a, b], [out])], [a, b], [out]), start
    return of


@generates("STABLEHLO_REDUCE_WINDOW")
def stablehlo_reduce_window(r, op):
    kind, shape = r.pick(["f32", "i32", "i8", "i16"]), r.shape(1, 4, empty=0, most=6)
    graph, start = reducer(kind)(r)
    rank = len(shape)
    dims = [r.int(1, 3) for _ in shape]
    options = {"dimensions": dims, "strides": [r.int(1, 2) for _ in shape], "base_dilations": [r.pick([1, 1, 2]) for _ in shape],
               "window_dilations": [r.pick([1, 1, 2]) for _ in shape], "padding": [r.pick([0, 0, 1, 2, -1]) for _ in range(2 * rank)],
               "graph": 1}
    values = r.rng.integers(-3, 4, shape) if kind != "f32" else None
    node = Node(op, [r.fed(kind, shape, values), r.const(kind, [], start)], [r.out(kind)], ("StablehloReduceWindow", options))
    return Case(op, [Graph([node]), graph])


@generates("STABLEHLO_SCATTER")
def stablehlo_scatter(r, op):
    """Whole rows along the first dimensions, as gather's opposite."""
    kind, shape = r.pick(["f32", "i32", "i64"]), r.shape(1, 4, empty=0)
    a, b, out = (Tensor(kind, []) for _ in range(3))
    graph = Graph([Node(r.pick(["STABLEHLO_ADD", "STABLEHLO_MULTIPLY", "STABLEHLO_MAXIMUM", "STABLEHLO_MINIMUM"]), [a, b], [out])], [a, b],
                  [out])
    if r.chance(0.3):  # the update itself
        graph = Graph([], [a, b], [b])
    depth, count = r.int(1, len(shape)), r.int(1, 4)
    indices = np.stack([r.rng.integers(-1 if r.chance(0.1) else 0, d, count) for d in shape[:depth]], -1)
    options = {"update_window_dims": list(range(1, 1 + len(shape) - depth)), "inserted_window_dims": list(range(depth)),
               "scatter_dims": list(range(depth)), "index_vector_dim": 1, "graph": 1}
    node = Node(op, [r.fed(kind, shape), r.side(r.pick(["i32", "i64"]), indices, 0.3), r.fed(kind, [count, *shape[depth:]])],
                [r.out(kind)], ("StablehloScatter", options))
    return Case(op, [Graph([node]), graph])
