#!/usr/bin/env python3
"""Two operators that no library has, as OpenCL kernels in the LiteRT from PyPI: run.py DELEGATE

Makes a model whose nodes are SoftClip and FrameNorm, gives LiteRT the delegate with the files that declare them, and
compares the result with NumPy's. Needs ai-edge-litert, flatbuffers and numpy.
"""
import os
import sys

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema
from ai_edge_litert.interpreter import Interpreter, load_delegate
from flatbuffers import flexbuffers

SHAPE = [2, 3, 4]


def tensor(name):
    made = schema.TensorT()
    made.name, made.shape, made.type, made.buffer = name, SHAPE, schema.TensorType.FLOAT32, 0
    return made


def node(code, tensors, options):
    made = schema.OperatorT()
    made.opcodeIndex, made.inputs, made.outputs = code, tensors[:1], tensors[1:]
    made.customOptions = list(flexbuffers.Dumps(options))
    return made


def model():
    """x -> SoftClip(limit=3) -> FrameNorm(epsilon=0.001) -> y"""
    graph, made = schema.SubGraphT(), schema.ModelT()
    graph.tensors = [tensor("x"), tensor("clipped"), tensor("y")]
    graph.inputs, graph.outputs = [0], [2]
    graph.operators = [node(0, [0, 1], {"limit": 3.0}), node(1, [1, 2], {"epsilon": 0.001})]
    made.version, made.subgraphs, made.buffers, made.operatorCodes = 3, [graph], [schema.BufferT()], []
    for name in ("SoftClip", "FrameNorm"):
        code = schema.OperatorCodeT()
        code.customCode, code.version = name, 1
        code.builtinCode = code.deprecatedBuiltinCode = schema.BuiltinOperator.CUSTOM
        made.operatorCodes.append(code)
    builder = flatbuffers.Builder()
    builder.Finish(made.Pack(builder), b"TFL3")
    return bytes(builder.Output())


def main(library):
    here = os.path.dirname(os.path.abspath(__file__))
    files = ":".join(os.path.join(here, name) for name in ("soft_clip.cl", "frame_norm.cl"))
    delegate = load_delegate(library, {"custom_ops": files})
    interpreter = Interpreter(model_content=model(), experimental_delegates=[delegate])
    interpreter.allocate_tensors()
    x = np.linspace(-9, 9, 24, dtype=np.float32).reshape(SHAPE) ** 2 / 10
    interpreter.set_tensor(interpreter.get_input_details()[0]["index"], x)
    interpreter.invoke()
    y = interpreter.get_tensor(interpreter.get_output_details()[0]["index"])

    clipped = 3 * np.tanh(x / 3)
    spread = np.sqrt(clipped.var(axis=2, keepdims=True) + 0.001)
    expected = (clipped - clipped.mean(axis=2, keepdims=True)) / spread
    print(y[0])
    print("largest difference from NumPy:", float(np.abs(y - expected).max()))
    return 0 if np.allclose(y, expected, atol=1e-4) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]) if len(sys.argv) == 2 else __doc__)
