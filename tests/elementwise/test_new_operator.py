#!/usr/bin/env python3
"""Adds operators to a copy of the tree, by one line in core/elementwise.def and one in core/ops.def each, and runs them.

test_new_operator.py ROOT BUILD CMAKE [CMAKE_ARGUMENT...]
  BUILD    where the copy is made and built; it is kept, and the next time only what has changed is compiled

Cube, a custom operator, is computed on the CPU and on an OpenCL device, as FLOAT32, INT32 and, by a table, INT8. STABLEHLO_SUBTRACT
has a code in the format and no kernels: it takes the formula of SUB. What they should give is computed here.
Exit status 77: numpy or flatbuffers is missing, or there is no OpenCL device (the CPU was tested then).
"""
import ctypes
import os
import re
import shutil
import subprocess
import sys
import time

SKIPPED = 77
try:
    import flatbuffers  # noqa: F401
    import numpy as np
except ImportError as error:
    print(f"SKIPPED: {error}")
    sys.exit(SKIPPED)

# All that the operators need.
ADDED = {"core/elementwise.def": (
    "UNARY(Cube, F32 | I32, I8, 1, x * x * x, (T)((U)x * (U)x * (U)x))\n"
    "BINARY_LIKE(STABLEHLO_SUBTRACT, SUB, F32 | I32 | U8, SAME_SHAPE, 1)\n"), "core/ops.def": "CUSTOM_OP(Cube, 1, 1)\n"}
FLAGS = ("OP(STABLEHLO_SUBTRACT, StablehloSubtract, 0, 0, 0, 0)", "OP(STABLEHLO_SUBTRACT, StablehloSubtract, 1, 1, 1, 1)")
# The library has nothing but these: so a build of selected operators is tested too, and little is compiled.
SELECTED = "set(OCLITE_OPERATORS STABLEHLO_SUBTRACT)\nset(OCLITE_CUSTOM_OPERATORS Cube)\nset(OCLITE_TYPES \"\")\n"


def changed(path, text):
    """The text of a file of the tree with the operators."""
    if path in ADDED:
        end = text.index("\n\n#undef")
        text = text[:end] + "\n" + ADDED[path] + text[end:]
    if path == "core/ops.def":
        assert FLAGS[0] in text, FLAGS[0]
        text = text.replace(*FLAGS)
    return text


def write(path, data):
    """Only what differs, so that the rest is not compiled again."""
    if os.path.exists(path):
        with open(path, "rb") as file:
            if file.read() == data:
                return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


def copy_tree(root, tree):
    """The files that a build needs, and the writer of models."""
    listed = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True, check=False)
    if listed.returncode != 0:
        print("SKIPPED: the tree is no checkout of git")
        sys.exit(SKIPPED)
    wanted = [p for p in listed.stdout.split("\n") if p and os.path.isfile(os.path.join(root, p))
              and (p.startswith("tests/conformance/") or not p.startswith(("tests/", "docs/", "demo/")))]
    for folder, _, names in os.walk(tree):
        for name in names:  # files that are no longer there
            path = os.path.relpath(os.path.join(folder, name), tree)
            if path not in wanted:
                os.remove(os.path.join(tree, path))
    for path in wanted:
        with open(os.path.join(root, path), "rb") as file:
            data = file.read()
        if path.endswith(".def"):
            data = changed(path, data.decode()).encode()
        write(os.path.join(tree, path), data)


def call(*command):
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        print(result.stdout + result.stderr)
        sys.exit(f"{command[0]}: exit status {result.returncode}")


def build(cmake, tree, folder, arguments):
    write(os.path.join(folder, "selected.cmake"), SELECTED.encode())
    ccache = shutil.which("ccache")
    launcher = [f"-DCMAKE_C_COMPILER_LAUNCHER={ccache}"] if ccache else []
    call(cmake, "-S", tree, "-B", folder, "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_C_FLAGS_RELEASE=-O1",
         f"-DOCLITE_SELECTED_OPS={folder}/selected.cmake", "-DOCLITE_CPU_PATHS=vec128", "-DOCLITE_ONEDNN=OFF",
         "-DOCLITE_EXAMPLES=OFF", "-DOCLITE_TOOLS=OFF", "-DOCLITE_TESTS=OFF", *launcher, *arguments)
    call(cmake, "--build", folder, "--parallel", "2", "--target", "oclite", "oclite_opencl")


class Node(ctypes.Structure):
    """OcliteOpenclNode of include/oclite/opencl.h."""
    _fields_ = [("graph", ctypes.c_int), ("node", ctypes.c_int), ("op", ctypes.c_char_p), ("taken", ctypes.c_bool),
                ("reason", ctypes.c_char_p), ("float16", ctypes.c_bool)]


class Runtime:
    def __init__(self, folder):
        self.lib = ctypes.CDLL(os.path.join(folder, "liboclite.so"), mode=ctypes.RTLD_GLOBAL)
        self.cl = ctypes.CDLL(os.path.join(folder, "liboclite_opencl.so"))
        for library, names in ((self.lib, ("TfLiteModelCreate", "TfLiteInterpreterOptionsCreate", "TfLiteInterpreterCreate",
                                           "TfLiteInterpreterGetInputTensor", "TfLiteInterpreterGetOutputTensor",
                                           "TfLiteTensorData")),
                               (self.cl, ("oclite_opencl_delegate_create_from_string",))):
            for name in names:
                getattr(library, name).restype = ctypes.c_void_p
        self.cl.oclite_opencl_last_error.restype = ctypes.c_char_p

    def delegate(self):
        """One that takes every node, None without a device."""
        made = self.cl.oclite_opencl_delegate_create_from_string(b"min_nodes=1")
        if not made:
            print("no OpenCL device:", (self.cl.oclite_opencl_last_error() or b"").decode())
        return made

    def run(self, model, inputs, delegate, kind, shape):
        """The output; with a delegate, the delegate has to have taken the node."""
        lib, pointer = self.lib, ctypes.c_void_p
        kept = ctypes.create_string_buffer(model, len(model))
        parsed = pointer(lib.TfLiteModelCreate(kept, ctypes.c_size_t(len(model))))
        options = pointer(lib.TfLiteInterpreterOptionsCreate())
        if delegate:
            lib.TfLiteInterpreterOptionsAddDelegate(options, pointer(delegate))
        interpreter = pointer(lib.TfLiteInterpreterCreate(parsed, options))
        assert interpreter.value, "the interpreter"
        assert lib.TfLiteInterpreterAllocateTensors(interpreter) == 0, "prepare"
        for i, values in enumerate(inputs):
            tensor = pointer(lib.TfLiteInterpreterGetInputTensor(interpreter, i))
            assert lib.TfLiteTensorCopyFromBuffer(tensor, values.ctypes.data_as(pointer), ctypes.c_size_t(values.nbytes)) == 0
        assert lib.TfLiteInterpreterInvoke(interpreter) == 0, "invoke"
        result = np.zeros(shape, kind)
        tensor = pointer(lib.TfLiteInterpreterGetOutputTensor(interpreter, 0))
        assert lib.TfLiteTensorCopyToBuffer(tensor, result.ctypes.data_as(pointer), ctypes.c_size_t(result.nbytes)) == 0
        if delegate:
            refusal = self.refusal(delegate)
            assert not refusal, "left to the CPU: " + refusal
        lib.TfLiteInterpreterDelete(interpreter)
        lib.TfLiteInterpreterOptionsDelete(options)
        lib.TfLiteModelDelete(parsed)
        if delegate:
            self.cl.oclite_opencl_delegate_delete(pointer(delegate))
        return result

    def refusal(self, delegate):
        """Why a node was left to the CPU; "" when none was."""
        nodes = []

        @ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(Node))
        def hear(_, node):
            nodes.append("" if node[0].taken else (node[0].reason or b"").decode() or "unknown")

        self.cl.oclite_opencl_delegate_explain(ctypes.c_void_p(delegate), hear, None)
        return " ".join(nodes) if nodes else "no node was seen"


def cube(x):
    return x * x * x


def cases(np_random):
    """(name, operator, kind, arrays, scales, expected, tolerance) for all that is run."""
    shape = (3, 41)
    floats = np_random.uniform(-3, 3, shape).astype(np.float32)
    others = np_random.uniform(-3, 3, shape).astype(np.float32)
    ints = np_random.integers(-2**31, 2**31, shape).astype(np.int32)
    others_i = np_random.integers(-2**31, 2**31, shape).astype(np.int32)
    bytes_ = np_random.integers(-128, 128, shape).astype(np.int8)
    unsigned = [np_random.integers(0, 256, shape).astype(np.uint8) for _ in range(2)]
    wrapped = cube(ints.astype(np.uint32)).astype(np.int32)
    scale, zero, out_scale, out_zero = 0.03, 4, 0.4, -9
    real = cube(np.float32(scale) * (bytes_.astype(np.int32) - zero).astype(np.float32))
    steps = real / np.float32(out_scale)
    quantized = np.clip(np.sign(steps) * np.floor(np.abs(steps) + 0.5) + out_zero, -128, 127).astype(np.int8)
    ends = ({"scale": scale, "zero": zero}, {"scale": out_scale, "zero": out_zero})
    plain = ({}, {})
    yield "Cube f32", "Cube", "f32", [floats], plain, cube(floats), 1e-6
    yield "Cube i32", "Cube", "i32", [ints], plain, wrapped, 0
    yield "Cube i8", "Cube", "i8", [bytes_], ends, quantized, 0
    yield "STABLEHLO_SUBTRACT f32", "STABLEHLO_SUBTRACT", "f32", [floats, others], plain, floats - others, 0
    yield "STABLEHLO_SUBTRACT i32", "STABLEHLO_SUBTRACT", "i32", [ints, others_i], plain, ints - others_i, 0
    yield "STABLEHLO_SUBTRACT u8", "STABLEHLO_SUBTRACT", "u8", unsigned, plain, unsigned[0] - unsigned[1], 0


def run_all(tree, runtime):
    """How many cases failed, and whether there was a device."""
    sys.path.insert(0, os.path.join(tree, "tests/conformance"))  # the copy's: it knows the operators by ops.def
    from cases import Case, Graph, Node, Tensor  # pylint: disable=import-outside-toplevel
    failed, device = 0, runtime.delegate()
    for name, op, kind, arrays, (q_in, q_out), expected, tolerance in cases(np.random.default_rng(7)):
        inputs = [Tensor(kind, a.shape, feed=a, **q_in) for a in arrays]
        output = Tensor(kind, expected.shape, **q_out)
        options = b"" if op == "Cube" else None
        model = Case(op, [Graph([Node(op, inputs, [output], options)])]).model()
        for where, delegate in (("CPU", None), ("OpenCL", runtime.delegate() if device else 0)):
            if delegate == 0:
                continue
            result = runtime.run(model, arrays, delegate, expected.dtype, expected.shape)
            good = np.allclose(result, expected, rtol=tolerance, atol=tolerance) if tolerance else np.array_equal(result, expected)
            failed += not good
            print(f"{name} on {where}: {'as computed' if good else 'DIFFERS'}")
    return failed, bool(device)


def main():
    root, folder, cmake, *arguments = sys.argv[1:]
    tree, start = os.path.join(folder, "tree"), time.time()
    copy_tree(root, tree)
    build(cmake, tree, os.path.join(folder, "build"), arguments)
    print(f"built in {time.time() - start:.0f} s")
    failed, device = run_all(tree, Runtime(os.path.join(folder, "build")))
    if failed:
        return 1
    if not device:
        print("SKIPPED: OpenCL was not tested")
    return 0 if device else SKIPPED


if __name__ == "__main__":
    sys.exit(main())
