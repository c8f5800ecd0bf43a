"""What make_cases.py makes a recorded case of: tensors, a model around an operator, and LiteRT's answers."""
import copy
import json
import os
import zlib

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema
from ai_edge_litert.interpreter import Interpreter, OpResolverType

TYPES = {"f32": (schema.TensorType.FLOAT32, np.float32), "i8": (schema.TensorType.INT8, np.int8),
         "u8": (schema.TensorType.UINT8, np.uint8), "i16": (schema.TensorType.INT16, np.int16),
         "i4": (schema.TensorType.INT4, np.int8), "i2": (schema.TensorType.INT2, np.int8), "i32": (schema.TensorType.INT32, np.int32), "i64": (schema.TensorType.INT64, np.int64),
         "f16": (schema.TensorType.FLOAT16, np.float16), "u64": (schema.TensorType.UINT64, np.uint64), "bool": (schema.TensorType.BOOL, np.bool_),
         "c64": (schema.TensorType.COMPLEX64, np.complex64)}


class T:
    """A tensor: type, shape, constant contents (None: fed or computed; a function of a generator: drawn when the case is recorded),
    quantization (scale list or number, zero; or `block`, a constant of scales and the size of the blocks); `feed`: what is fed, where not everything may be."""

    def __init__(self, kind, shape, data=None, scale=None, zero=0, axis=0, variable=False, feed=None,
                 block=None):
        self.kind, self.shape, self.scale, self.zero, self.axis = kind, list(shape), scale, zero, axis
        self.variable, self.block = variable, block
        self.data = data if data is None or callable(data) else np.asarray(data, TYPES[kind][1]).reshape(shape)
        self.feed = None if feed is None else np.asarray(feed, TYPES[kind][1]).reshape(shape)


    def drawn(self, rng):
        """This tensor with its contents."""
        if not callable(self.data):
            return self
        other = copy.copy(self)
        other.data = np.asarray(self.data(rng), TYPES[self.kind][1]).reshape(self.shape)
        return other


def random_numbers(rng, kind, shape, low, high):
    dtype = TYPES[kind][1]
    if kind in ("f32", "f16"):
        return rng.uniform(low, high, shape).astype(dtype)
    if kind == "c64":
        return (rng.uniform(low, high, shape) + 1j * rng.uniform(low, high, shape)).astype(dtype)
    if kind == "bool":
        return rng.integers(0, 2, shape).astype(dtype)
    if kind in ("i32", "i64"):
        return rng.integers(-20, 20, shape).astype(dtype)
    info = np.iinfo(dtype)
    if kind == "u64":
        return rng.integers(info.max, size=shape, dtype=dtype)
    return rng.integers(info.min, info.max + 1, shape).astype(dtype)


def random(kind, shape, low=-1.0, high=1.0):
    """Contents to be drawn: any numbers of the type."""
    return lambda rng: random_numbers(rng, kind, shape, low, high)


def integers(low, high, shape):
    """The same: integers in [low, high)."""
    return lambda rng: rng.integers(low, high, shape)


def const(kind, shape, scale=None, zero=0, axis=0):
    data = integers(-127, 128, shape) if kind == "i8" else integers(-2000, 2000, shape) if kind in ("i32", "i64") else random(kind, shape)
    return T(kind, shape, data, scale, zero, axis)


def packed(t):
    """INT4 and INT2: several elements in a byte, the first in the low bits."""
    bits = {"i4": 4, "i2": 2}[t.kind]
    each = 8 // bits
    flat = np.append(t.data.ravel(), [0] * (-t.data.size % each)).astype(np.uint8).reshape(-1, each)
    return ((flat & ((1 << bits) - 1)) << bits * np.arange(each, dtype=np.uint8)).sum(1).astype(np.uint8)


def fed(t):
    return t is not None and t.data is None and not t.variable


def function(model, op, kind):
    """Adds a subgraph that applies `op` to two numbers."""
    graph = schema.SubGraphT()
    graph.tensors, graph.inputs, graph.outputs = [schema.TensorT() for _ in range(3)], [0, 1], [2]
    for i, tensor in enumerate(graph.tensors):
        tensor.name, tensor.shape, tensor.type = "n%d" % i, [], TYPES[kind][0]
    code = schema.OperatorCodeT()
    code.builtinCode, code.deprecatedBuiltinCode, code.version = getattr(schema.BuiltinOperator, op), 127, 1
    operator = schema.OperatorT()
    operator.opcodeIndex, operator.inputs, operator.outputs = len(model.operatorCodes), [0, 1], [2]
    graph.operators = [operator]
    model.operatorCodes.append(code)
    model.subgraphs.append(graph)


def add_tensor(model, graph, t):
    tensor = schema.TensorT()
    tensor.name, tensor.shape, tensor.type = "t%d" % len(graph.tensors), t.shape, TYPES[t.kind][0]
    tensor.isVariable = t.variable
    if t.scale is not None:
        tensor.quantization = schema.QuantizationParametersT()
        tensor.quantization.scale = np.atleast_1d(t.scale).astype(np.float32).tolist()
        tensor.quantization.zeroPoint = [t.zero] * len(tensor.quantization.scale)
        tensor.quantization.quantizedDimension = t.axis
    if t.block is not None:
        blocks = schema.BlockwiseQuantizationT()
        blocks.scales, blocks.zeroPoints, blocks.blockSize = add_tensor(model, graph, t.block[0]), -1, t.block[1]
        tensor.quantization = schema.QuantizationParametersT()
        tensor.quantization.detailsType, tensor.quantization.details = schema.QuantizationDetails.BlockwiseQuantization, blocks
    if t.data is not None:
        tensor.buffer = len(model.buffers)
        model.buffers.append(schema.BufferT())
        model.buffers[-1].data = packed(t) if t.kind in ("i4", "i2") else np.frombuffer(t.data.tobytes(), np.uint8)
    graph.tensors.append(tensor)
    return len(graph.tensors) - 1


def set_options(operator, options):
    kind = options.pop("kind")
    table = getattr(schema, kind + "T")()
    for key, value in options.items():
        setattr(table, key, value)
    if hasattr(schema.BuiltinOptions2, kind):
        operator.builtinOptions2Type = getattr(schema.BuiltinOptions2, kind)
        operator.builtinOptions2 = table
    else:
        operator.builtinOptionsType = getattr(schema.BuiltinOptions, kind)
        operator.builtinOptions = table


def append(model, op, inputs, output, options):
    """Adds an operator that takes the graph's output and constants, and gives the graph's output from now on."""
    graph = model.subgraphs[0]
    code = schema.OperatorCodeT()
    code.builtinCode = code.deprecatedBuiltinCode = getattr(schema.BuiltinOperator, op)
    code.version = 1
    operator = schema.OperatorT()
    operator.opcodeIndex = len(model.operatorCodes)
    operator.inputs = graph.outputs + [add_tensor(model, graph, t) for t in inputs]
    operator.outputs = [add_tensor(model, graph, output)]
    set_options(operator, dict(options))
    graph.outputs = list(operator.outputs)
    model.operatorCodes.append(code)
    graph.operators.append(operator)


def build(op, inputs, outputs, options):
    """The bytes of a model with one operator; inputs that are None are absent. The option "then" has the
    arguments of append: an operator behind it."""
    then = options.pop("then", None) if options else None
    intermediates = options.pop("intermediates", []) if options else []
    body = options.pop("body", None) if options else None
    custom = options.pop("custom", None) if options else None
    model = schema.ModelT()
    model.version = 3
    code = schema.OperatorCodeT()
    code.builtinCode = schema.BuiltinOperator.CUSTOM if custom is not None else getattr(schema.BuiltinOperator, op)
    code.deprecatedBuiltinCode = min(code.builtinCode, 127)
    if custom is not None:
        code.customCode = op
    code.version = options.pop("version", 1) if options else 1
    model.operatorCodes = [code]
    model.buffers = [schema.BufferT()]
    graph = schema.SubGraphT()
    graph.tensors, graph.inputs, graph.outputs = [], [], []
    operator = schema.OperatorT()
    operator.inputs, operator.outputs, inner = [], [], []
    ends = (operator.inputs, len(inputs)), (operator.outputs, len(outputs)), (inner, len(intermediates))
    for t in inputs + outputs + intermediates:
        end = next(list for list, length in ends if len(list) < length)
        if t is None:
            end.append(-1)
            continue
        index = add_tensor(model, graph, t)
        end.append(index)
        if end is operator.inputs and fed(t):
            graph.inputs.append(index)
    operator.intermediates = inner or None
    graph.outputs = list(operator.outputs)
    if custom:
        operator.customOptions = list(custom)
    if options:
        set_options(operator, options)
    graph.operators = [operator]
    model.subgraphs = [graph]
    if then:
        append(model, *then)
    if body:
        function(model, body, inputs[0].kind)
    builder = flatbuffers.Builder(1024)
    builder.Finish(model.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def answers(data, values, resolver):
    interpreter = Interpreter(model_content=data, num_threads=1, experimental_op_resolver_type=resolver)
    interpreter.allocate_tensors()
    for detail, value in zip(interpreter.get_input_details(), values):
        interpreter.set_tensor(detail["index"], value)
    interpreter.invoke()
    return [interpreter.get_tensor(d["index"]) for d in interpreter.get_output_details()]


def record(folder, name, op, inputs, outputs, options=None, low=-1.0, high=1.0, computed=None):
    """One case on disk; float inputs are uniform in [low, high). `computed`: a function from inputs, the constant ones too, to
    outputs. What a case has of random numbers depends on its name alone."""
    rng = np.random.default_rng(zlib.crc32(f"{op}__{name}".encode()))
    inputs, options = [t and t.drawn(rng) for t in inputs], dict(options or {})
    if "then" in options:
        behind, more, *rest = options["then"]
        options["then"] = (behind, [t.drawn(rng) for t in more], *rest)
    data = build(op, inputs, outputs, options)
    values = [random_numbers(rng, t.kind, t.shape, low, high) if t.feed is None else t.feed for t in inputs if fed(t)]
    if computed:
        given = iter(values)
        want = also = computed(*(next(given) if fed(t) else t.data for t in inputs))
    else:
        try:
            want = answers(data, values, OpResolverType.BUILTIN_REF)
        except ValueError:  # the reference resolver lacks a few operators
            want = answers(data, values, OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES)
        also = answers(data, values, OpResolverType.AUTO)
    path = os.path.join(folder, f"{op}__{name}")
    os.makedirs(path, exist_ok=True)
    with open(os.path.join(path, "model.tflite"), "wb") as out:
        out.write(data)
    tolerances = []
    for i, value in enumerate(values):
        np.save(os.path.join(path, f"in{i}.npy"), value)
    for i, (ref, opt) in enumerate(zip(want, also)):
        np.save(os.path.join(path, f"out{i}.npy"), ref)
        if not np.array_equal(ref, opt):
            np.save(os.path.join(path, f"opt{i}.npy"), opt)
        real = ref.dtype.kind in "fc"
        scale = float(np.max(np.abs(ref[np.isfinite(ref)]), initial=0)) if real else 0.0
        tolerances.append({"abs": 1e-5 * scale if real else 0, "rel": 1e-5 if real else 0})
    with open(os.path.join(path, "case.json"), "w") as out:
        json.dump({"op": op, "tolerances": tolerances}, out)
        out.write("\n")
