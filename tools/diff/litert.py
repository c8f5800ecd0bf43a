# SPDX-License-Identifier: Apache-2.0
"""Runs models in LiteRT for `oclite diff`: one request per line on the standard input, one answer per line, both in JSON.

The program is embedded in oclite, which starts it as `python3 -c`. Arrays travel as .npy files, strings as .json files in the form
of `oclite run`. Types that NumPy does not have are stored as there.
"""
import base64
import importlib
import json
import os
import sys

import numpy as np

WIDER = {"bfloat16": np.float32, "int4": np.int8, "int2": np.int8, "uint4": np.uint8}


def find_interpreter():
    for package in ("ai_edge_litert.interpreter", "tflite_runtime.interpreter", "tensorflow.lite.python.interpreter"):
        try:
            module = importlib.import_module(package)
            return module, package.split(".", maxsplit=1)[0]
        except ImportError:
            continue
    raise ImportError("neither ai_edge_litert nor tflite_runtime nor tensorflow is installed")


def version_of(package):
    try:
        return importlib.import_module("importlib.metadata").version(package.replace("_", "-"))
    except ImportError:
        return "?"


def load(path):
    if not path.endswith(".json"):
        return np.load(path)
    with open(path, encoding="ascii") as source:
        strings = json.load(source)
    return np.array([base64.b64decode(s) for s in strings["data"]], object).reshape(strings["shape"])


def save(stem, value):
    value = np.asarray(value)
    if value.dtype.kind in "OSU":
        items = [v if isinstance(v, bytes) else str(v).encode() for v in value.reshape(-1).tolist()]
        strings = {"shape": list(value.shape), "data": [base64.b64encode(i).decode() for i in items]}
        with open(stem + ".json", "w", encoding="ascii") as out:
            json.dump(strings, out)
        return stem + ".json"
    if value.dtype.name in WIDER:
        value = value.astype(WIDER[value.dtype.name])
    elif value.dtype.name.startswith("float8"):
        value = value.view(np.uint8)
    np.save(stem + ".npy", np.asarray(value, order="C"))
    return stem + ".npy"


def holds(interpreter, detail, value):
    """Has the input these contents already? One that is a constant of the model has, and LiteRT ends the process when it is set."""
    try:
        now = interpreter.get_tensor(detail["index"])
    except ValueError:  # it has no contents yet
        return False
    return now.shape == value.shape and (now.tolist() if now.dtype == object else now.tobytes()) == (
        value.tolist() if value.dtype == object else value.tobytes())


class Server:
    def __init__(self):
        self.module, self.package = find_interpreter()
        self.models = {}

    def open(self, request):
        options = {"num_threads": request["threads"] or None}
        if request["resolver"] != "auto":
            kinds = self.module.OpResolverType
            options["experimental_op_resolver_type"] = {
                "reference": kinds.BUILTIN_REF, "builtin": kinds.BUILTIN_WITHOUT_DEFAULT_DELEGATES}[request["resolver"]]
        self.models[request["id"]] = [self.module.Interpreter(model_path=request["model"], **options), False]
        return {}

    def invoke(self, request):
        model = self.models[request["id"]]
        interpreter = model[0]
        details = interpreter.get_input_details()
        values = [load(path) for path in request["inputs"]]
        for detail, value in zip(details, values):
            if list(detail["shape"]) != list(value.shape):
                interpreter.resize_tensor_input(detail["index"], value.shape)
                model[1] = False
        if not model[1]:
            interpreter.allocate_tensors()
            model[1] = True
        for detail, value in zip(details, values):
            value = value if value.dtype == object else value.astype(detail["dtype"])
            if not holds(interpreter, detail, value):
                interpreter.set_tensor(detail["index"], value)
        interpreter.invoke()
        outputs = []
        for i, detail in enumerate(interpreter.get_output_details()):
            try:
                outputs.append(save(f"{request['stem']}{i}", interpreter.get_tensor(detail["index"])))
            except (ValueError, TypeError, RuntimeError):
                outputs.append(None)  # LiteRT's Python does not show every type
        return {"outputs": outputs}

    def close(self, request):
        self.models.pop(request["id"], None)
        return {}


def main():
    # LiteRT and its dependencies print; the answers are nobody else's.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.stdin.reconfigure(encoding="utf-8", errors="surrogateescape")  # paths may be any bytes
    try:
        server = Server()
        answer = {"package": server.package, "version": version_of(server.package)}
    except ImportError as missing:
        server, answer = None, {"error": str(missing)}
    print(json.dumps(answer), file=answers, flush=True)
    for line in sys.stdin if server else ():
        request = json.loads(line)
        try:
            answer = getattr(server, {"open": "open", "invoke": "invoke", "close": "close"}[request["do"]])(request)
        except Exception as error:  # pylint: disable=broad-except  # whatever it is, it is told
            answer = {"error": " ".join(str(error).split())}
        print(json.dumps(answer), file=answers, flush=True)


main()
