"""Writes .tflite models of a few operators, with nothing but Python's own library: for tests of tools on odd and on large graphs.

    graph = Graph()
    x = graph.tensor("x", [4])
    graph.inputs = [x]
    graph.outputs = [graph.node("RELU", [x], "y", [4])]
    write(path, [graph])
"""
import array
import struct

CODES = {"ADD": 0, "CONCATENATION": 2, "DEQUANTIZE": 6, "FULLY_CONNECTED": 9, "L2_NORMALIZATION": 11, "LOGISTIC": 14, "RELU": 19, "RESHAPE": 22, "CUSTOM": 32, "GATHER": 36, "TRANSPOSE": 39, "LESS": 58, "WHILE": 119}
OPTIONS = {"ADD": 11, "CONCATENATION": 10, "FULLY_CONNECTED": 8, "RESHAPE": 17, "GATHER": 23, "LESS": 44, "WHILE": 93}  # numbers of the table types
TYPES = {"f4": 0, "f2": 1, "i4": 2, "u1": 3, "i8": 4, "str": 5, "bool": 6, "i2": 7, "i1": 9, "f8": 10, "u8": 12, "u4": 15, "u2": 16}


class Graph:
    def __init__(self, name="main"):
        self.name, self.inputs, self.outputs, self.tensors, self.nodes = name, [], [], [], []

    def tensor(self, name, shape, kind="f4", data=None, scale=None):
        """Its number. `data`: the bytes of a constant; `scale`: of a quantized one, with its zero point."""
        self.tensors.append((name, shape, kind, data, scale))
        return len(self.tensors) - 1

    def node(self, op, inputs, name, shape, kind="f4", options=None):
        """Adds a node with one output, whose tensor's number is returned. `op`: of CODES, or a custom operator's name."""
        output = self.tensor(name, shape, kind)
        self.nodes.append((op, inputs, [output], options or {}))
        return output


class Scalar:
    def __init__(self, form, value):
        self.form, self.value = form, value


class Flat:
    """A FlatBuffer, children behind their parents. Objects: dict (a table, by field number), bytes (a string or a vector of bytes), list of
    ints (a vector of int32), array.array (a vector of its type), list of dicts (the same one again is stored once), Scalar."""

    def __init__(self):
        self.data = bytearray()

    def pad(self, to, ahead=0):
        self.data += bytes(-(len(self.data) + ahead) % to)

    def finish(self, root, identifier):
        self.data += bytes(4) + identifier
        struct.pack_into("<I", self.data, 0, self.put(root))
        return bytes(self.data)

    def put(self, thing):
        if isinstance(thing, dict):
            return self.put_table(thing)
        if isinstance(thing, bytes):
            self.pad(16, 4)
            at = len(self.data)
            self.data += struct.pack("<I", len(thing)) + thing + b"\0"
            return at
        if isinstance(thing, array.array):
            self.pad(thing.itemsize, 4)
            at = len(self.data)
            self.data += struct.pack("<I", len(thing)) + thing.tobytes()
            return at
        self.pad(4)
        at = len(self.data)
        if thing and isinstance(thing[0], dict):
            self.data += struct.pack("<I", len(thing)) + bytes(4 * len(thing))
            for i, child in enumerate(thing):
                if i == 0 or child is not thing[i - 1]:
                    target = self.put(child)
                struct.pack_into("<I", self.data, at + 4 + 4 * i, target - at - 4 - 4 * i)
        else:
            self.data += struct.pack(f"<I{len(thing)}i", len(thing), *thing)
        return at

    def link(self, place, child):
        struct.pack_into("<I", self.data, place, self.put(child) - place)

    def put_table(self, fields):
        count = max(fields, default=-1) + 1
        offsets, size = [0] * count, 4
        for field, value in sorted(fields.items()):
            width = struct.calcsize(value.form) if isinstance(value, Scalar) else 4
            size += -size % width
            offsets[field] = size
            size += width
        self.pad(8, 4 + 2 * count)  # the table follows its list of offsets
        self.data += struct.pack(f"<{2 + count}H", 4 + 2 * count, size, *offsets)
        at = len(self.data)
        self.data += struct.pack("<i", 4 + 2 * count) + bytes(size - 4)
        for field, value in fields.items():
            if isinstance(value, Scalar):
                struct.pack_into("<" + value.form, self.data, at + offsets[field], value.value)
            else:
                self.link(at + offsets[field], value)
        return at


def text(name):
    return name if isinstance(name, bytes) else name.encode()


def write(path, graphs, signatures=(), metadata=None):
    """`signatures`: of graph 0: (key, {input's name: tensor}, {output's name: tensor}). `metadata`: bytes by their names."""
    codes, buffers, subgraphs = [], [{}], []

    def code_of(op):
        if op not in codes:
            codes.append(op)
        return codes.index(op)

    def tensor(name, shape, kind, data, scale):
        if data is not None:
            buffers.append({0: data})
        quantization = {4: {2: array.array("f", [scale[0]]), 3: array.array("q", [scale[1]])}} if scale else {}
        return {0: list(shape), 1: Scalar("b", TYPES[kind]), 2: Scalar("I", len(buffers) - 1 if data is not None else 0),
                3: text(name)} | quantization

    def ends(tensors):
        return [{0: text(name), 1: Scalar("I", index)} for name, index in tensors.items()]

    def node(op, inputs, outputs, options):
        fields = {0: Scalar("I", code_of(op)), 1: inputs, 2: outputs}
        if op in OPTIONS:
            fields |= {3: Scalar("B", OPTIONS[op]), 4: {field: Scalar("i", value) for field, value in options.items()}}
        return fields

    for graph in graphs:
        subgraphs.append({0: [tensor(*t) for t in graph.tensors], 1: graph.inputs, 2: graph.outputs, 3: [node(*n) for n in graph.nodes],
                          4: text(graph.name)})

    def operator_code(op):
        custom = {1: text(op)} if op not in CODES else {}
        code = CODES.get(op, CODES["CUSTOM"])
        return {0: Scalar("b", code), 2: Scalar("i", 1), 3: Scalar("i", code)} | custom

    model = {0: Scalar("I", 3), 1: [operator_code(op) for op in codes], 2: subgraphs, 4: buffers}
    if signatures:
        model[7] = [{0: ends(inputs), 1: ends(outputs), 2: text(key)} for key, inputs, outputs in signatures]
    if metadata:
        model[6] = [{0: text(name), 1: Scalar("I", len(buffers) + i)} for i, name in enumerate(metadata)]
        buffers += [{0: data} for data in metadata.values()]
    with open(path, "wb") as out:
        out.write(Flat().finish(model, b"TFL3"))
