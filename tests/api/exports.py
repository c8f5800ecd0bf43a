#!/usr/bin/env python3
"""Compares the symbols that the shared libraries export with what the API has, and with the list of the others.

exports.py FUNCTIONS OTHERS RUNTIME DELEGATE EDIT EXTENSION...
FUNCTIONS is functions.def, OTHERS a list of further names: oclite's own, those of earlier versions of the API, and after the name
of a library those of sets of custom operators.
Programs rely on these names: one that disappears breaks them, one that appears is a promise. The delegate also must need nothing of
its host and of OpenCL: it is loaded into hosts that export nothing, on machines without OpenCL. So must the library that
changes models: it works without a runtime.
"""
import os
import re
import subprocess
import sys

DELEGATE = re.compile(r"TfLiteGpuDelegate|tflite_plugin_|oclite_opencl_")
EDIT = re.compile(r"oclite_edit_")  # the others are in the runtime


def exported(library):
    """Names of functions, and of data other than the versions of the symbols."""
    out = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    symbols = (line.split() for line in out.splitlines() if line.strip())
    return {symbol[-1].split("@")[0] for symbol in symbols if symbol[-2] != "A"}


def ties(library):
    """What binds a library to a host or a machine: libraries beyond the system's, and functions that others must define."""
    dynamic = subprocess.run(["readelf", "-d", library], capture_output=True, text=True, check=True).stdout
    for needed in re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic):
        if not re.match(r"(libc|libm|libdl|libpthread|ld-linux.*|libgcc_s)\.so", needed):
            yield f"needs {needed}"
    undefined = subprocess.run(["nm", "-D", "--undefined-only", library], capture_output=True, text=True, check=True).stdout
    for name in re.findall(r"^\s+U (\S+)", undefined, re.M):
        if re.match(r"TfLite|tflite|oclite|lite_|cl[A-Z]|LLVM|_Z", name):
            yield f"{name} is undefined"


def read(path, pattern):
    with open(path, encoding="utf-8") as source:
        return set(re.findall(pattern, source.read(), re.M))


def main():
    functions, others, runtime, delegate, edit, *extensions = sys.argv[1:]
    names = read(functions, r"^FUNCTION\([^,]*, (\w+),") | read(others, r"^(\w+)$")
    wrong = 0
    delegates, edits = ({n for n in names if pattern.match(n)} for pattern in (DELEGATE, EDIT))
    libraries = [(runtime, names - delegates - edits), (delegate, delegates), (edit, edits)]
    libraries += [(library, read(others, rf"^{os.path.basename(library).split('.')[0]}: (\w+)$")) for library in extensions]
    for library, expected in libraries:
        found = exported(library)
        wrong += len(found ^ expected)
        for name in sorted(expected - found):
            print(f"{library}: missing: {name}")
        for name in sorted(found - expected):
            print(f"{library}: not in the lists: {name}")
        print(f"{library}: {len(found)} symbols")
    for library in (delegate, edit):
        for tie in ties(library):
            print(f"{library}: {tie}")
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
