#!/usr/bin/env python3
"""Writes the models with which tools/product.c measures products of matrices: make_product_models.py > tools/product_models.inc

One FULLY_CONNECTED with constant weights, float32 and int8. The weights, which may be any, are left out: a model is its head,
SIZE x SIZE weights and its tail. Needs flatbuffers and numpy.
"""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tests/conformance"))
import model_writer  # noqa: E402

SIZE = 1024
FLOAT32, INT8 = 0, 9
FULLY_CONNECTED = 9


def quantized(scale):
    return {"scale": [scale], "zero_point": [0]}


def make(kind, weights):
    tensors = [{"name": "x", "shape": [1, SIZE], "type": kind}, {"name": "weights", "shape": [SIZE, SIZE], "type": kind, "buffer": 1},
               {"name": "y", "shape": [1, SIZE], "type": kind}]
    if kind == INT8:
        for tensor, scale in zip(tensors, (1 / 64, 1 / 64, 1 / 2), strict=True):
            tensor["quantization"] = quantized(scale)
    node = {"opcode_index": 0, "inputs": [0, 1, -1], "outputs": [2], **model_writer.options("FullyConnected", {})}
    return model_writer.write({
        "version": 3,
        "operator_codes": [{"deprecated_builtin_code": FULLY_CONNECTED, "builtin_code": FULLY_CONNECTED, "version": 6}],
        "subgraphs": [{"tensors": tensors, "inputs": [0], "outputs": [2], "operators": [node]}],
        "buffers": [{}, {"data": weights}]})


def print_bytes(name, data):
    print(f"static const unsigned char {name}[] = {{")
    for i in range(0, len(data), 20):
        print("    " + " ".join(f"{byte}," for byte in data[i:i + 20]))
    print("};")


def main():
    print("// Written by tools/make_product_models.py.")
    print(f"enum {{ kProductSize = {SIZE} }};")
    for name, kind, dtype in (("Float", FLOAT32, np.float32), ("Byte", INT8, np.int8)):
        weights = np.random.default_rng(1).integers(-100, 100, SIZE * SIZE).astype(dtype).tobytes()
        file = make(kind, weights)
        start = file.index(weights)
        assert start % 16 == 0
        print_bytes(f"k{name}Head", file[:start])
        print_bytes(f"k{name}Tail", file[start + len(weights):])


if __name__ == "__main__":
    main()
