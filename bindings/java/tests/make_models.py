#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the models that the tests of the Java binding need: make_models.py SOURCE FOLDER

Exit status 77 (skipped) where this Python has no FlatBuffers; the tests that need a model are skipped then, too.
"""
import os
import sys

SOURCE, FOLDER = sys.argv[1:]
sys.path.insert(0, os.path.join(SOURCE, "tests", "conformance"))
try:
    import model_writer
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

FLOAT32 = 0  # as the format counts types
# DataType's name: the format's number.
TYPES = {"FLOAT32": 0, "FLOAT16": 1, "INT32": 2, "UINT8": 3, "INT64": 4, "STRING": 5, "BOOL": 6, "INT16": 7, "COMPLEX64": 8,
         "INT8": 9, "FLOAT64": 10, "COMPLEX128": 11, "UINT64": 12, "UINT32": 15, "UINT16": 16, "INT4": 17}
ADD, MUL, CUSTOM = 0, 18, 32  # builtin operators


def tensor(name, shape, kind=FLOAT32, **fields):
    return {"name": name, "shape": shape, "type": kind, "buffer": 0, **fields}


def operator(code, **fields):
    return {"deprecated_builtin_code": code, "builtin_code": code, "version": 1, **fields}


def model(codes, graphs, signatures=()):
    return {"version": 3, "operator_codes": codes, "subgraphs": graphs, "buffers": [{}], "signature_defs": list(signatures)}


def one_tensor(kind, shape, **fields):
    """A model whose only tensor is input and output."""
    return model([], [{"tensors": [tensor("x", shape, kind, **fields)], "inputs": [0], "outputs": [0], "operators": []}])


def of_two(code, options, name):
    """A subgraph that computes its third tensor from two, of [1, 4] or more rows."""
    tensors = [tensor(f"{name}_{which}", [1, 4], shape_signature=[-1, 4]) for which in ("x", "y", "z")]
    node = {"opcode_index": code, "inputs": [0, 1], "outputs": [2], **options}
    return {"tensors": tensors, "inputs": [0, 1], "outputs": [2], "operators": [node]}


def signature(key, graph, inputs, output):
    return {"signature_key": key, "subgraph_index": graph, "outputs": [{"name": output, "tensor_index": 2}],
            "inputs": [{"name": name, "tensor_index": i} for i, name in enumerate(inputs)]}


def write(name, content):
    with open(os.path.join(FOLDER, f"{name}.tflite"), "wb") as file:
        file.write(model_writer.write(content))


os.makedirs(FOLDER, exist_ok=True)
for type_name, number in TYPES.items():
    write(f"type_{type_name}", one_tensor(number, [2, 3]))
write("scalar", one_tensor(FLOAT32, []))
write("open", one_tensor(FLOAT32, [1, 4], shape_signature=[-1, 4]))
graphs = [of_two(0, model_writer.options("Add", {"activation": 0}), "add"),
          of_two(1, model_writer.options("Mul", {"activation": 0}), "mul")]
write("signatures", model([operator(ADD), operator(MUL)], graphs,
                          [signature("add", 0, ["x", "y"], "sum"), signature("mul", 1, ["a", "b"], "product")]))
write("one_signature", model([operator(ADD)], graphs[:1], [signature("serving_default", 0, ["x", "y"], "sum")]))
write("custom", model([operator(CUSTOM, custom_code="Mine")], [of_two(0, {"custom_options": b"\x01\x02\x03"}, "mine")]))
mine = {"opcode_index": 0, "inputs": [0], "outputs": [1]}
twice = {"opcode_index": 1, "inputs": [1, 1], "outputs": [2], **model_writer.options("Add", {"activation": 0})}
write("custom_first", model([operator(CUSTOM, custom_code="Mine"), operator(ADD)], [{
    "tensors": [tensor(name, [5]) for name in "xyz"], "inputs": [0], "outputs": [2], "operators": [mine, twice]}]))
write("custom_sign", model([operator(CUSTOM, custom_code="Sign")], [{
    "tensors": [tensor("x", [4]), tensor("y", [4])], "inputs": [0], "outputs": [1], "operators": [mine]}]))
strings = [tensor("x", [2], TYPES["STRING"]), tensor("y", [2])]
write("custom_strings", model([operator(CUSTOM, custom_code="Mine")], [{
    "tensors": strings, "inputs": [0], "outputs": [1], "operators": [{"opcode_index": 0, "inputs": [0], "outputs": [1]}]}]))
