"""Models for the checks in stock hosts."""
import numpy as np
from flatbuffers import flexbuffers

import cases
from cases import Case, Graph, Tensor


def node(op, inputs, outputs, options=None):
    """Of version 1, which hosts of any age take."""
    return cases.Node(op, inputs, outputs, options, version=1)


def const(value, kind="f32"):
    value = np.asarray(value, cases.KINDS[kind][1])
    return Tensor(kind, value.shape, data=value)


def binary(op, a, b, out):
    return node(op, [a, b], [out], (op.capitalize(), {"activation": cases.NONE}))


def chain(shape=(4, 6)):
    """x -> x + 1 -> softmax -> * 3 -> tanh -> y: two partitions where SOFTMAX is denied."""
    x, moved, shares, scaled, y = (Tensor("f32", shape) for _ in range(5))
    nodes = [binary("ADD", x, const(1), moved), node("SOFTMAX", [moved], [shares], ("Softmax", {"beta": 1.0})),
             binary("MUL", shares, const(3), scaled), node("TANH", [scaled], [y])]
    return Case("", [Graph(nodes, [x], [y])], runs=[[]]).model()


def listed():
    """x by weights that are listed as an input behind it, times a product of constants, which hosts compute once."""
    weights = const(np.arange(24).reshape(4, 6) / 10)
    x, sums, factor, y = Tensor("f32", [3, 6]), Tensor("f32", [3, 4]), Tensor("f32", [4]), Tensor("f32", [3, 4])
    nodes = [node("FULLY_CONNECTED", [x, weights], [sums], ("FullyConnected", {"activation": cases.NONE})),
             binary("MUL", const([1, 2, 3, 4]), const([0.5]), factor), binary("MUL", sums, factor, y)]
    return Case("", [Graph(nodes, [x, weights], [y, factor])], runs=[[]]).model()


def choice():
    """IF p: x + x, else x * x"""
    p, x, y = Tensor("bool", []), Tensor("f32", [3, 5]), Tensor("f32", [3, 5])

    def branch(op):
        a, out = Tensor("f32", [3, 5]), Tensor("f32", [3, 5])
        return Graph([binary(op, a, a, out)], [a], [out])

    chosen = node("IF", [p, x], [y], ("If", {"then_graph": 1, "else_graph": 2}))
    return Case("", [Graph([chosen], [p, x], [y]), branch("ADD"), branch("MUL")], runs=[[]]).model()


def loop():
    """while (i < 10) { i += 1; x = 1.5 * x + 1 }, and tanh of x behind it"""
    shape = [2, 7]
    i, x, less = Tensor("i32", []), Tensor("f32", shape), Tensor("bool", [])
    condition = Graph([node("LESS", [i, const(10, "i32")], [less])], [i, x], [less])
    i, x, next_i, scaled, next_x = Tensor("i32", []), Tensor("f32", shape), Tensor("i32", []), Tensor("f32", shape), Tensor("f32", shape)
    body = Graph([binary("ADD", i, const(1, "i32"), next_i), binary("MUL", x, const(1.5), scaled),
                  binary("ADD", scaled, const(1), next_x)], [i, x], [next_i, next_x])
    start, value, end, last, y = Tensor("i32", []), Tensor("f32", shape), Tensor("i32", []), Tensor("f32", shape), Tensor("f32", shape)
    looped = node("WHILE", [start, value], [end, last], ("While", {"condition_graph": 1, "body_graph": 2}))
    main = Graph([looped, node("TANH", [last], [y])], [start, value], [end, y])
    return Case("", [main, condition, body], runs=[[]]).model()


def counter():
    """A variable that each run adds x to, and reads."""
    shape, name = [4], ("VarHandle", {"container": "", "shared_name": "v"})
    x, handle, old, new = Tensor("f32", shape), Tensor("resource", [1]), Tensor("f32", shape), Tensor("f32", shape)
    y, zeros = Tensor("f32", shape), Tensor("resource", [1])
    once = Graph([node("VAR_HANDLE", [], [zeros], name), node("ASSIGN_VARIABLE", [zeros, const([0] * 4)], [])], [], [])
    nodes = [node("CALL_ONCE", [], [], ("CallOnce", {"graph": 1})), node("VAR_HANDLE", [], [handle], name),
             node("READ_VARIABLE", [handle], [old]), binary("ADD", old, x, new), node("ASSIGN_VARIABLE", [handle, new], []),
             node("TANH", [new], [y])]
    return Case("", [Graph(nodes, [x], [new, y]), once], runs=[[]]).model()


def reshape_to_input():
    """x, s -> y = x in shape s -> z = y + y"""
    x, s, y, z = Tensor("f32", [2, 6]), Tensor("i32", [2]), Tensor("f32", [1, 1]), Tensor("f32", [1, 1])
    return Case("", [Graph([node("RESHAPE", [x, s], [y]), binary("ADD", y, y, z)], [x, s], [z])], runs=[[]]).model()


def selection():
    """x -> the places where it is above 0 (as many as there are, by the host) -> as floats, halved"""
    x, above, places, numbers, y = (Tensor(kind, shape) for kind, shape in (("f32", [4, 6]), ("bool", [4, 6]), ("i64", [1, 2]),
                                                                           ("f32", [1, 2]), ("f32", [1, 2])))
    nodes = [node("GREATER", [x, const(0)], [above]), node("WHERE", [above], [places]),
             node("CAST", [places], [numbers], ("Cast", {"in_type": 4, "out_type": 0})), binary("MUL", numbers, const(0.5), y)]
    return Case("", [Graph(nodes, [x], [y])], runs=[[]]).model()


def unpooling():
    """x, places -> x at those places of windows of 2x2, by a custom operator"""
    x, places, y = Tensor("f32", [1, 2, 2, 1]), Tensor("f32", [1, 2, 2, 1]), Tensor("f32", [1, 4, 4, 1])
    same_2x2 = np.array([1, 2, 2, 2, 2, 0], np.int32).tobytes()
    return Case("", [Graph([node("MaxUnpooling2D", [x, places], [y], same_2x2)], [x, places], [y])], runs=[[]]).model()


def custom(name, options):
    """x -> name -> tanh -> y"""
    cases.OPERATORS.setdefault(name, cases.Operator(name, -1, 1, 1, False, True))
    x, made, y = (Tensor("f32", [2, 3, 4]) for _ in range(3))
    nodes = [node(name, [x], [made], bytes(flexbuffers.Dumps(options))), node("TANH", [made], [y])]
    return Case("", [Graph(nodes, [x], [y])], runs=[[]]).model()
