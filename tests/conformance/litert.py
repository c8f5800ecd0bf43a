#!/usr/bin/env python3
"""Runs cases in LiteRT: litert.py LIST.json RESOLVER (ref, opt, auto)

Takes the list of `oclite run --batch` and writes what that writes: OUT/out<i>.npy and OUT/status.json per case. A case
that makes LiteRT end its process, or takes longer than SECONDS, has no status.json: each runs in a child process.
"""
import base64
import json
import os
import signal
import sys

import numpy as np
from ai_edge_litert.interpreter import Interpreter, OpResolverType

RESOLVERS = {"ref": OpResolverType.BUILTIN_REF, "opt": OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES,
             "auto": OpResolverType.AUTO}
LOAD, ALLOCATE, INVOKE = 10, 11, 12
SECONDS = 20


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


def execute(case, resolver, folder):
    """(status as oclite's, message)"""
    phase = LOAD
    try:
        interpreter = Interpreter(model_path=case["model"], experimental_op_resolver_type=resolver, num_threads=1)
        for number, run in enumerate(case["runs"]):
            phase = ALLOCATE
            for i, shape in run["resize"].items():
                interpreter.resize_tensor_input(interpreter.get_input_details()[int(i)]["index"], shape)
            if number == 0 or run["resize"]:
                interpreter.allocate_tensors()
            phase = INVOKE
            for detail, path in zip(interpreter.get_input_details(), run["in"]):
                interpreter.set_tensor(detail["index"], load(path, detail["shape"]))
            interpreter.invoke()
            for i, detail in enumerate(interpreter.get_output_details()):
                save(interpreter, detail, os.path.join(folder, f"run{number}_out{i}" if number else f"out{i}"))
        return 0, ""
    except (ValueError, RuntimeError, TypeError) as error:
        return phase, str(error)


def record(case, resolver):
    status, message = execute(case, resolver, case["out"])
    path = os.path.join(case["out"], "status.json")
    with open(path + ".part", "w", encoding="utf-8") as file:
        json.dump({"rc": status, "message": message}, file)
    os.replace(path + ".part", path)  # at once: this process may end at any moment


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        cases = json.load(file)["cases"]
    for case in cases:
        os.makedirs(case["out"], exist_ok=True)
        child = os.fork()
        if child == 0:
            signal.alarm(SECONDS)
            record(case, RESOLVERS[sys.argv[2]])
            os._exit(0)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main()
