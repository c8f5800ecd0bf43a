#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Each function that bindings look up is exported, with their types, and their structs lie as ours do.

test_lookups.py PREFIX LOOKUPS FUNCTIONS COMPILER
LOOKUPS is lookups.txt. Types come from the installed headers, as test_cffi.py reads them by FUNCTIONS.
"""
import ctypes as c
import mmap
import platform
import re
import sys

import client

try:
    import cffi

    import test_cffi
except ImportError:
    print("skipped: no cffi (pip install cffi)")
    sys.exit(client.SKIPPED)

LETTERS = {"void": "v", "bool": "b", "_Bool": "b", "size_t": "z", "int64_t": "l", "uint64_t": "l", "float": "f"}


def letter(kind):
    if kind.kind in ("pointer", "array", "function"):
        return "p"
    if kind.kind in ("struct", "union"):
        return re.sub(r"^struct ", "", kind.cname)
    return "i" if kind.kind == "enum" else LETTERS.get(kind.cname, "i")


def differs(wanted, found):
    """C# says int where C has a size_t, of which it sees the lower half, and Crystal where C has a bool."""
    return wanted != found and (wanted, found) not in (("i", "z"), ("i", "b"))


class Checker:
    def __init__(self, ffi, libraries):
        self.ffi, self.libraries, self.faults, self.count = ffi, libraries, [], 0

    def check(self, client_name, line):
        self.count += 1
        name, *rest = line.split()
        try:
            if name == "struct":
                self.struct(*rest)
            elif name == "options":
                self.options(int(rest[0]), rest[1:] == ["default"])
            else:
                self.function(name, *rest)
        except (AssertionError, KeyError, AttributeError, cffi.FFIError) as error:
            self.faults.append(f"{client_name}: {line}: {error or type(error).__name__}")

    def function(self, name, declared=None):
        kind = self.ffi.typeof(test_cffi.find(self.libraries, name))
        if declared is None:
            return
        result, parameters = re.fullmatch(r"(\w+)\((\w*)\)", declared).groups()
        found = [letter(kind.result), *map(letter, kind.args)]
        wanted = [result, *parameters]
        assert len(wanted) == len(found) and not any(map(differs, wanted, found)), f"ours is {found[0]}({''.join(found[1:])})"

    def struct(self, name, size, *fields):
        kind = self.ffi.typeof(name)
        for field in fields:
            field_name, offset = field.split("@")
            found = self.ffi.offsetof(name, field_name)
            assert found == int(offset), f"our {field_name} is at {found}"
        if len(fields) == len(kind.fields):
            assert self.ffi.sizeof(name) == int(size), f"ours has {self.ffi.sizeof(name)} bytes"

    def options(self, size, is_by_value):
        """No byte behind the binding's struct is written or read: it ends where a page does that cannot be touched."""
        library = c.CDLL(client.library(sys.argv[1]))
        page = mmap.PAGESIZE
        pages = mmap.mmap(-1, 2 * page)
        begin = c.addressof(c.c_char.from_buffer(pages))
        libc = c.CDLL(None)
        libc.mprotect.argtypes = [c.c_void_p, c.c_size_t, c.c_int]
        assert libc.mprotect(begin + page, page, 0) == 0
        place = begin + page - size
        c.memset(place, 0xEE, size)
        if is_by_value and platform.machine() in ("x86_64", "AMD64"):  # where the address is the first parameter
            default = library.TfLiteXNNPackDelegateOptionsDefault
            default.restype, default.argtypes = c.c_void_p, [c.c_void_p]
            assert default(place) == place
        c.memmove(place, bytes(c.c_int32(3)), 4)
        create, delete = library.TfLiteXNNPackDelegateCreate, library.TfLiteXNNPackDelegateDelete
        create.restype, create.argtypes, delete.restype, delete.argtypes = c.c_void_p, [c.c_void_p], None, [c.c_void_p]
        made = create(place)
        assert made, "no delegate"
        delete(made)


def main():
    prefix, lookups, functions, compiler = sys.argv[1:]
    with open(functions, encoding="utf-8") as file:
        headers = re.findall(r"^// (tensorflow/\S+\.h)$", file.read(), re.M)
    ffi = cffi.FFI()
    ffi.cdef(test_cffi.declarations(prefix, headers + [test_cffi.PROFILER, test_cffi.XNNPACK], compiler))
    checker = Checker(ffi, [ffi.dlopen(client.library(prefix, f"libtensorflowlite_{name}.so")) for name in ("c", "gpu_delegate")])
    clients = 0
    with open(lookups, encoding="utf-8") as file:
        for line in map(str.strip, file):
            if line.startswith("== "):
                name, clients = line[3:], clients + 1
            elif line and not line.startswith("#"):
                checker.check(name, line)
    print("\n".join(checker.faults))
    print(f"{checker.count} look-ups of {clients} clients, {len(checker.faults)} are not met")
    return 1 if checker.faults or checker.count < 100 else 0


if __name__ == "__main__":
    sys.exit(main())
