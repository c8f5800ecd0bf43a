#!/usr/bin/env python3
"""Writes the models with which matmul_rate.c measures products of matrices: make_matmul_models.py [FOLDER]

matmul_float32.tflite and matmul_int8.tflite: one FULLY_CONNECTED with constant weights, which may be any and are left out: their
buffer is what follows the file, HEAD bytes from its beginning. Needs flatbuffers and numpy.
"""
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../../tests/conformance"))
import model_writer  # noqa: E402

HEAD = 1024
SIZE = 1024
FLOAT32, INT8 = 0, 9
FULLY_CONNECTED = 9


def make(kind, element_bytes):
    tensors = [{"name": "x", "shape": [1, SIZE], "type": kind}, {"name": "weights", "shape": [SIZE, SIZE], "type": kind, "buffer": 1},
               {"name": "y", "shape": [1, SIZE], "type": kind}]
    if kind == INT8:
        for tensor, scale in zip(tensors, (1 / 64, 1 / 64, 1 / 2), strict=True):
            tensor["quantization"] = {"scale": [scale], "zero_point": [0]}
    node = {"opcode_index": 0, "inputs": [0, 1, -1], "outputs": [2], **model_writer.options("FullyConnected", {})}
    file = model_writer.write({
        "version": 3,
        "operator_codes": [{"deprecated_builtin_code": FULLY_CONNECTED, "builtin_code": FULLY_CONNECTED, "version": 6}],
        "subgraphs": [{"tensors": tensors, "inputs": [0], "outputs": [2], "operators": [node]}],
        "buffers": [{}, {"offset": HEAD, "size": SIZE * SIZE * element_bytes}]})
    assert len(file) <= HEAD
    return file + bytes(HEAD - len(file))


def main(folder):
    for name, kind, element_bytes in (("float32", FLOAT32, 4), ("int8", INT8, 1)):
        with open(os.path.join(folder, f"matmul_{name}.tflite"), "wb") as out:
            out.write(make(kind, element_bytes))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else HERE)
