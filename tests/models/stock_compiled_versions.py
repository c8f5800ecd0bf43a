#!/usr/bin/env python3
"""Versions of LiteRT's interface to accelerators: stock_compiled_versions.py DELEGATE.so EXAMPLES_DIR

A runtime that is made up calls the accelerator: of the version that is known, of others, with less than is needed. Those are refused by a status and
one line, before anything is called. What a model's GPU options say is what the delegate has. Exit status 77 (skipped) without LiteRT or an OpenCL device.
"""
import ctypes as c
import os
import sys
import tempfile

import stock
import stock_compiled

OK, INVALID, FAILED, WRONG_VERSION = 0, 1, 3, 8
P, I = c.c_void_p, c.c_int
POINTERS = 51  # of 2.3.0's table, behind its header
OPAQUE, FIND, WRAP, HARDWARE = 9, 10, 17, 49  # places in it


class Header(c.Structure):
    _fields_ = [("size", c.c_uint16), ("major", c.c_uint16), ("minor", c.c_uint16), ("reserved", c.c_uint16)]


class Accelerator(c.Structure):
    _fields_ = [("header", Header), ("functions", P * 8), ("buffers", c.c_char * 128)]


class Table(c.Structure):
    _fields_ = [("header", Header), ("functions", P * POINTERS)]


class Runtime:
    """LiteRT as an accelerator sees it."""

    def __init__(self, size=8 + 8 * POINTERS, major=1, minor=2, options=None, hardware=3, wraps=OK, without=()):
        self.calls, self.wrapped, self.text = [], [], options and c.create_string_buffer(options.encode())
        find = c.CFUNCTYPE(I, P, c.c_char_p, c.POINTER(P))(self.find)
        self.functions = {OPAQUE: c.CFUNCTYPE(I, P, c.POINTER(P))(self.opaque), FIND: find,
                          WRAP: c.CFUNCTYPE(I, P, P, c.POINTER(P))(self.wrap), HARDWARE: c.CFUNCTYPE(I, P, c.POINTER(I))(self.alone)}
        self.hardware, self.wraps = hardware, wraps
        self.table = Table(Header(size, major, minor, 0))
        for place, function in self.functions.items():
            if place not in without:
                self.table.functions[place] = c.cast(function, P).value

    def opaque(self, _, out):
        self.calls.append("options")
        out[0] = 1
        return OK

    def find(self, _, name, out):
        self.calls.append(name.decode())
        out[0] = c.addressof(self.text) if self.text else None
        return OK if self.text else 6

    def wrap(self, delegate, destroy, out):
        self.calls.append("wrap")
        if self.wraps == OK:
            self.wrapped.append((delegate, c.CFUNCTYPE(None, P)(destroy)))
            out[0] = delegate
        return self.wraps

    def alone(self, _, out):
        self.calls.append("hardware")
        out[0] = self.hardware
        return OK

    def release(self):
        for delegate, destroy in self.wrapped:
            destroy(delegate)
        self.wrapped = []


def create(found, runtime, table=True):
    """(status, what was printed)"""
    function = c.CFUNCTYPE(I, P, P, P, P, c.POINTER(P))(found.functions[4])
    wrapper, said = P(), []
    text, _ = stock_compiled.errors(lambda: said.append(function(
        c.addressof(runtime.table) if table else None, None, None, 1, c.byref(wrapper))))
    assert (said[0] == OK) == bool(wrapper.value), (said, wrapper)
    return said[0], text


def check_accelerator(found):
    assert (found.header.size, found.header.major, found.header.minor) == (200, 1, 0)
    # What LiteRT up to 2.1 reads as a version, of which it knows 1.
    assert c.c_int.from_buffer(found).value != 1
    name, version, hardware, compiles = c.c_char_p(), (I * 3)(), I(), c.c_bool()
    for place, out in enumerate((c.byref(name), version, c.byref(hardware), c.byref(compiles))):
        assert c.CFUNCTYPE(I, P, P)(found.functions[place])(None, c.cast(out, P)) == OK
    assert (name.value, hardware.value, compiles.value) == (b"oclite OpenCL", 2, True)
    assert any(version), "no version"


def check_refusals(library, found):
    status, said = WRONG_VERSION, []
    text, _ = stock_compiled.errors(lambda: said.append(library.LiteRtRegisterGpuAccelerator(None)))
    assert said == [status] and text.count("\n") == 1 and "does not take accelerators of this library's version" in text, text
    for runtime, says in ((Runtime(major=2, minor=0), "version 2.0"), (Runtime(major=0), "version 0.2"), (Runtime(size=144), "144 bytes, and 152"),
                          (Runtime(size=8), "8 bytes, and 152"), (Runtime(without=(WRAP,)), "lacks"), (Runtime(without=(FIND,)), "lacks"),
                          (Runtime(size=0xd2a0, major=0x1234, minor=0x7f00), "version 4660")):  # a function's address, as in 2.1
        got, text = create(found, runtime)
        assert got == status and text.startswith("ERROR: [oclite] ") and says in text and text.count("\n") == 1, (got, text)
        assert runtime.calls == []
    got, text = create(found, Runtime(), table=False)
    assert got == status and "lends no functions" in text, (got, text)


def check_versions(found):
    for runtime, calls in ((Runtime(size=400, minor=0), ["options", "gpu_options", "wrap"]),  # 2.2.0
                           (Runtime(), ["options", "gpu_options", "hardware", "wrap"]),  # 2.3.0
                           (Runtime(size=2000, minor=9), ["options", "gpu_options", "hardware", "wrap"])):
        got, text = create(found, runtime)
        if "no platform" in text or "no device" in text:
            stock.skip(text)
        assert got == OK and text == "" and runtime.calls == calls, (got, text, runtime.calls)
        runtime.release()
    runtime = Runtime(wraps=2)
    got, text = create(found, runtime)
    assert got == 2 and "does not take the delegate" in text and runtime.wrapped == [], (got, text)


class Wrapped:
    def __init__(self, pointer):
        self.pointer = pointer

    def _get_native_delegate_pointer(self):
        return self.pointer


def check_options(found, interpret, model):
    """What the delegate has decided with a model's options, told by its report."""
    with tempfile.TemporaryDirectory() as folder:
        cache = os.path.join(folder, "a, b = c")
        os.makedirs(cache)
        dirs = f'serialization_dir = "{cache}"\nmodel_cache_key = "m"\n'
        for options, half, kept in (("precision = 1\n", True, False), ("precision = 2\n", False, False), ("precision = 3\npriority = 3\n", True, False),
                                    ("precision = 0\nbenchmark_mode = true\nbackend = 1\n", False, False), (dirs, False, True),
                                    (dirs + "serialize_program_cache = false\n", False, False)):
            with stock_compiled.Options() as told:
                runtime = Runtime(options=options)
                got, text = create(found, runtime)
                assert got == OK, (options, text)
                interpreter = interpret(model, experimental_delegates=[Wrapped(runtime.wrapped[0][0])])
                interpreter.allocate_tensors()
                interpreter.invoke()
                del interpreter
                runtime.release()
                assert any(node.get("float16") for node in told.report()["nodes"]) == half, options
            assert bool(os.listdir(cache)) == kept, options
            for name in os.listdir(cache):
                os.remove(os.path.join(cache, name))
    for options, says in (("precision = 4\n", 'precision: "4" is none of 0 to 3'), ("precision = half\n", '"half" is none of 0 to 3'),
                          ("priority = -1\n", '"-1" is none of 0 to 3'), ('preferred_device_substr = "quux"\n', "quux")):
        got, text = create(found, Runtime(options=options))
        assert got == FAILED and says in text and text.count("\n") == 1, (options, got, text)


def main():
    if len(sys.argv) != 3:
        print(__doc__)
        return 2
    library = c.CDLL(stock_compiled.accelerator(sys.argv[1]))
    found = Accelerator.in_dll(library, "LiteRtAcceleratorImpl")
    check_accelerator(found)
    check_refusals(library, found)
    check_versions(found)
    check_options(found, stock.host().Interpreter, os.path.join(sys.argv[2], "models", "digits.tflite"))
    print("versions: ok")
    return 0


if __name__ == "__main__":
    sys.exit(main())
