#!/usr/bin/env python3
"""Which cases of the operator suite does the OpenCL delegate take? delegated.py LIBOCLITE LIBOCLITE_OPENCL OPCASES_DIR [--list] [REGEX]

A case of an operator that core/ops.def says has an OpenCL form must be taken, unless the delegate's reasons, for each node
of it, are among those below. Prints how many are taken and, with --list, the reasons of the others; with REGEX of cases whose
names it finds only. Exit status 77 (skipped) without the suite or an OpenCL device.
"""
import ctypes
import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# What has no kernel yet. Anything else is a kernel that should have taken the case.
REASONS = [
    r"input \d+ is STRING",
    r"(input|output) \d+ is .*, not ",  # a type that the operator's signature has not
    r"no kernel ",  # a type or quantization
]


class Node(ctypes.Structure):
    _fields_ = [("graph", ctypes.c_int), ("node", ctypes.c_int), ("op", ctypes.c_char_p), ("taken", ctypes.c_bool),
                ("reason", ctypes.c_char_p)]


def with_opencl_form():
    with open(os.path.join(ROOT, "core/ops.def"), encoding="utf-8") as file:
        return set(re.findall(r"^(?:CUSTOM_)?OP\((\w+),.* 1\)$", file.read(), re.M))


def positive_cases(folder, operators, names):
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name, "case.json")
        if os.path.exists(path) and re.search(names, name):
            with open(path, encoding="utf-8") as file:
                case = json.load(file)
            if case["expect"] == "ok" and case["op"] in operators:
                yield case["op"], name


class Explainer:
    def __init__(self, runtime, delegate):
        self.runtime, self.delegate = ctypes.CDLL(runtime, ctypes.RTLD_GLOBAL), ctypes.CDLL(delegate)
        for library, names in ((self.runtime, ("TfLiteModelCreateFromFile", "TfLiteInterpreterOptionsCreate",
                                               "TfLiteInterpreterCreate")),
                               (self.delegate, ("oclite_opencl_delegate_create_from_string",))):
            for name in names:
                getattr(library, name).restype = ctypes.c_void_p

        # The device stays open, and with it its programs: so each is compiled once.
        self.first = self.delegate.oclite_opencl_delegate_create_from_string(None)

    def has_device(self):
        return self.first is not None

    def reasons(self, model_path, operator):
        """Why nodes of the operator are left to the CPU: refused, or failed when they were prepared."""
        found = []
        runtime, library = self.runtime, self.delegate
        model = ctypes.c_void_p(runtime.TfLiteModelCreateFromFile(model_path.encode()))
        options = ctypes.c_void_p(runtime.TfLiteInterpreterOptionsCreate())
        delegate = ctypes.c_void_p(library.oclite_opencl_delegate_create_from_string(None))
        runtime.TfLiteInterpreterOptionsAddDelegate(options, delegate)

        @ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
        def report(_, message, __):
            if b"delegate failed" in message:
                found.append(message.decode())

        runtime.TfLiteInterpreterOptionsSetErrorReporter(options, report, None)
        interpreter = ctypes.c_void_p(runtime.TfLiteInterpreterCreate(model, options))
        runtime.TfLiteInterpreterAllocateTensors(interpreter)

        @ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(Node))
        def collect(_, node):
            if node[0].op.decode() == operator and not node[0].taken:
                found.append(node[0].reason.decode())

        library.oclite_opencl_delegate_explain(delegate, collect, None)
        runtime.TfLiteInterpreterDelete(interpreter)
        runtime.TfLiteInterpreterOptionsDelete(options)
        library.oclite_opencl_delegate_delete(delegate)
        runtime.TfLiteModelDelete(model)
        return found


def main():
    runtime, delegate, suite, *rest = [argument for argument in sys.argv[1:] if argument != "--list"]
    folder = os.path.join(suite, "cases")
    explainer = Explainer(runtime, delegate)
    if not os.path.isdir(folder) or not explainer.has_device():
        print("skipped: no operator cases, or no OpenCL device")
        return 77
    taken, left, faults = 0, {}, []
    for operator, name in positive_cases(folder, with_opencl_form(), rest[0] if rest else ""):
        reasons = explainer.reasons(os.path.join(folder, name, "model.tflite"), operator)
        taken += not reasons
        for reason in reasons:
            key = (operator, re.sub(r"\d+", "N", reason))
            left[key] = left.get(key, 0) + 1
            if not any(re.search(known, reason) for known in REASONS):
                faults.append(f"{name}: {reason}")
    if "--list" in sys.argv:
        for (operator, reason), count in sorted(left.items()):
            print(f"{count:4} {operator}: {reason}")
    print("\n".join(faults))
    print(f"{taken} cases taken, {sum(left.values())} nodes left, {len(faults)} of them for no known reason")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
