"""Runs a case, as `oclite run --batch` has it, in an interpreter of LiteRT's or TensorFlow's Python package.

case: {"model", "out", "runs": [{"resize": {"0": [2, 3]}, "in": [files]}]}. Files are .npy, or .json for strings; None is
for an input that is a constant of the model, which must not be set.
"""
import base64
import json
import os

import numpy as np

LOAD, ALLOCATE, INVOKE = 10, 11, 12  # what failed, as oclite's exit status


def load(path, shape):
    if path.endswith(".json"):
        with open(path, encoding="utf-8") as file:
            items = [base64.b64decode(item) for item in json.load(file)]
        return np.array(items + [None], object)[:-1].reshape(shape)
    return np.load(path)


def save(interpreter, detail, stem):
    empty = 0 in detail["shape"]
    if detail["dtype"] in (bytes, np.bytes_):
        value = np.zeros(detail["shape"], object) if empty else interpreter.get_tensor(detail["index"])
        items = [base64.b64encode(item).decode() for item in value.reshape(-1)]
        with open(stem + ".json", "w", encoding="utf-8") as file:
            json.dump({"shape": [int(d) for d in detail["shape"]], "data": items}, file)
        return
    value = np.zeros(detail["shape"], detail["dtype"]) if empty else interpreter.get_tensor(detail["index"])
    np.save(stem + ".npy", value)


def execute(case, make_interpreter):
    """Writes OUT/out<i>, from the second run on OUT/run<r>_out<i>; (status as oclite's, message). make_interpreter takes the
    model's path."""
    phase = LOAD
    try:
        interpreter = make_interpreter(case["model"])
        for number, run in enumerate(case["runs"]):
            phase = ALLOCATE
            for i, shape in run["resize"].items():
                interpreter.resize_tensor_input(interpreter.get_input_details()[int(i)]["index"], shape)
            if number == 0 or run["resize"]:
                interpreter.allocate_tensors()
            phase = INVOKE
            for detail, path in zip(interpreter.get_input_details(), run["in"]):
                if path is not None:
                    interpreter.set_tensor(detail["index"], load(path, detail["shape"]))
            interpreter.invoke()
            for i, detail in enumerate(interpreter.get_output_details()):
                save(interpreter, detail, os.path.join(case["out"], f"run{number}_out{i}" if number else f"out{i}"))
        return 0, ""
    except (ValueError, RuntimeError, TypeError, IndexError) as error:  # C++ exceptions, too
        return phase, str(error)


def write_status(case, status, message, **more):
    path = os.path.join(case["out"], "status.json")
    with open(path + ".part", "w", encoding="utf-8") as file:
        json.dump({"rc": status, "message": message, **more}, file)
    os.replace(path + ".part", path)  # at once: this process may end at any moment
