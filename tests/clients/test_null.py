#!/usr/bin/env python3
"""NULL in each place of each function of the project's own headers is an error, never a crash.

test_null.py PREFIX ATAN_MODEL COMPILER
Each function is called with NULL everywhere, and then with one NULL at a time among arguments that are valid, by a process of its
own, so that what ends it is named.
"""
import os
import re
import sys

import client

try:
    import cffi

    import test_cffi
except ImportError:
    print("skipped: no cffi (pip install cffi)")
    sys.exit(client.SKIPPED)

HEADERS = [f"oclite/{name}.h" for name in
           ("edit", "flexbuffers", "flexbuffers_writer", "oclite", "opencl", "opencl_custom", "operators", "tftext")]
OF_PROGRAMS = {"oclite_add_operators"}  # a library of operators defines it
LIBRARIES = ("liboclite.so", "liboclite_edit.so", "liboclite_opencl.so", "liboclite_tftext.so")


class Maker:
    """Valid arguments of every kind of pointer."""

    def __init__(self, ffi, find, path):
        self.ffi, self.find, self.path, self.kept = ffi, find, path, []

    def interpreter(self):
        model = self.find("TfLiteModelCreateFromFile")(self.path.encode())
        options = self.find("TfLiteInterpreterOptionsCreate")()
        interpreter = self.find("TfLiteInterpreterCreate")(model, options)
        assert interpreter != self.ffi.NULL
        return interpreter

    def handle(self, kind):
        """An object of a type that only the library knows; None for other types."""
        makers = {
            "TfLiteInterpreter": self.interpreter,
            "TfLiteModel": lambda: self.find("TfLiteModelCreateFromFile")(self.path.encode()),
            "TfLiteInterpreterOptions": lambda: self.find("TfLiteInterpreterOptionsCreate")(),
            "OcliteEdit": lambda: self.find("oclite_edit_create_from_file")(self.path.encode()),
            "OcliteFlexWriter": lambda: self.find("oclite_flex_writer_create")(),
            "TfLiteDelegate": lambda: self.find("oclite_opencl_delegate_create")(self.ffi.NULL),
        }
        return makers[kind]() if kind in makers else None

    def argument(self, kind):
        ffi = self.ffi
        if kind.kind in ("struct", "union"):
            return ffi.new(kind.cname + "*")[0]
        if kind.kind == "function" or (kind.kind == "pointer" and kind.item.kind == "function"):
            return ffi.NULL
        if kind.kind != "pointer":
            return ffi.cast(kind, 0)
        made = self.handle(re.sub(r"^(const )?(struct )?", "", kind.item.cname))
        if made is None:
            cname = kind.item.cname
            if cname in ("char", "const char"):
                made = ffi.new("char[]", b"x")
            elif kind.item.kind in ("void", "function") or (kind.item.kind == "struct" and kind.item.fields is None):
                made = ffi.new("char[]", 64)
            else:
                made = ffi.new(f"{cname}[8]")
        self.kept.append(made)
        return ffi.cast(kind, made)


def open_all(prefix, compiler):
    ffi = cffi.FFI()
    text = test_cffi.declarations(prefix, HEADERS, compiler)
    ffi.cdef(text)
    libraries = [ffi.dlopen(client.library(prefix, name)) for name in LIBRARIES]
    names = sorted(set(re.findall(r"\b(oclite_\w+)\s*\(", text)) - OF_PROGRAMS)
    return ffi, libraries, names


def call(ffi, libraries, path, name):
    def find(function):
        return test_cffi.find(libraries, function)

    kinds = ffi.typeof(find(name)).args
    maker = Maker(ffi, find, path)
    print(f"{name}: NULL everywhere", flush=True)
    find(name)(*[ffi.NULL if kind.kind == "pointer" else maker.argument(kind) for kind in kinds])
    for missing, kind in enumerate(kinds):
        if kind.kind != "pointer":
            continue
        print(f"{name}: argument {missing} ({kind.cname}) is NULL", flush=True)
        find(name)(*[ffi.NULL if i == missing else maker.argument(other) for i, other in enumerate(kinds)])


def main():
    prefix, path, compiler = sys.argv[1:]
    ffi, libraries, names = open_all(prefix, compiler)
    failures = 0
    for name in names:
        child = os.fork()
        if child == 0:
            call(ffi, libraries, path, name)
            os._exit(0)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status != 0:
            print(f"    ended the process: status {status}")
            failures += 1
    print(f"{len(names)} functions of {len(HEADERS)} headers, {failures} fail")
    return 1 if failures or len(names) < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
