#!/usr/bin/env python3
"""Every declaration of the API, taken from the installed headers by cffi, can be called.

test_cffi.py PREFIX ATAN_MODEL FUNCTIONS COMPILER
The headers are read under the names that functions.def, FUNCTIONS, gives them, through the preprocessor. Then all functions
are called with nothing but NULL and 0, and a model with a custom operator in Python is run, profiled and reported about.
"""
import math
import os
import re
import subprocess
import sys
import tempfile

import client

try:
    import cffi
except ImportError:
    print("skipped: no cffi (pip install cffi)")
    sys.exit(client.SKIPPED)

# cffi knows the types of these headers; a va_list is handed over as a pointer on x86-64 and elsewhere not looked at.
SYSTEM = {name: "" for name in ("stdbool.h", "stddef.h", "stdint.h", "stdlib.h")} | {
    "stdarg.h": "#pragma once\ntypedef void* va_list;\n"}
PROFILER = "tensorflow/lite/profiling/telemetry/c/profiler.h"
XNNPACK = "tensorflow/lite/delegates/xnnpack/xnnpack_delegate.h"  # which is not in FUNCTIONS


def declarations(prefix, headers, compiler):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in SYSTEM.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        program = "".join(f'#include "{header}"\n' for header in headers)
        command = [compiler, "-E", "-P", "-nostdinc", "-DTFL_CAPI_EXPORT=", f"-I{folder}", f"-I{prefix}/include", "-xc", "-"]
        result = subprocess.run(command, input=program, capture_output=True, text=True, check=True)
    return result.stdout


def find(libraries, name):
    for library in libraries:
        try:
            return getattr(library, name)
        except AttributeError:
            continue
    raise AssertionError(f"{name} is declared, but in neither library")


def call_with_nothing(ffi, libraries, names):
    """None of the functions may crash; what they make is released."""
    for name in names:
        print(name, flush=True)  # the last one, should the program die
        function = find(libraries, name)
        kinds = ffi.typeof(function).args
        zeros = [ffi.new(kind.cname + "*")[0] if kind.kind in ("struct", "union") else
                 ffi.NULL if kind.kind in ("pointer", "array", "function") else ffi.cast(kind, 0) for kind in kinds]
        try:
            result = function(*zeros)
        except NotImplementedError as error:  # TfLiteTensorClone: libffi cannot pass a union
            print(f"    {error}")
            continue
        if isinstance(result, ffi.CData) and ffi.typeof(result).kind == "pointer" and result != ffi.NULL:
            release(ffi, libraries, name, result)


def release(ffi, libraries, name, made):
    """Calls the function that undoes `name`, where there is one."""
    maker = re.fullmatch(r"(\w+?)(?:V2Create|Create)(?:Async|WithData)?", name)
    if name.endswith("ArrayCreate"):
        find(libraries, name.replace("Create", "Free"))(made)
    elif name.startswith("TfLiteGpuDelegate"):
        find(libraries, "TfLiteGpuDelegateV2Delete")(made)
    elif name == "tflite_plugin_create_delegate":
        find(libraries, "tflite_plugin_destroy_delegate")(made)
    elif maker:
        find(libraries, maker.group(1) + "Delete")(made)


def atan_operator(ffi, lib):
    """TfLiteOperator "Atan", with the functions that must live as long as it."""
    @ffi.callback("TfLiteStatus(TfLiteOpaqueContext*, TfLiteOpaqueNode*)")
    def prepare(context, node):
        x = lib.TfLiteOpaqueNodeGetInput(context, node, 0)
        shape = lib.TfLiteIntArrayCreate(lib.TfLiteOpaqueTensorNumDims(x))
        for i in range(shape.size):
            shape.data[i] = lib.TfLiteOpaqueTensorDim(x, i)
        return lib.TfLiteOpaqueContextResizeTensor(context, lib.TfLiteOpaqueNodeGetOutput(context, node, 0), shape)

    @ffi.callback("TfLiteStatus(TfLiteOpaqueContext*, TfLiteOpaqueNode*)")
    def invoke(context, node):
        x = lib.TfLiteOpaqueNodeGetInput(context, node, 0)
        source = ffi.cast("float*", lib.TfLiteOpaqueTensorData(x))
        target = ffi.cast("float*", lib.TfLiteOpaqueTensorData(lib.TfLiteOpaqueNodeGetOutput(context, node, 0)))
        for i in range(lib.TfLiteOpaqueTensorByteSize(x) // 4):
            target[i] = math.atan(source[i])
        return lib.kTfLiteOk

    name = ffi.new("char[]", b"Atan")
    operator = lib.TfLiteOperatorCreate(lib.kTfLiteBuiltinCustom, name, 1, ffi.NULL)
    lib.TfLiteOperatorSetPrepare(operator, prepare)
    lib.TfLiteOperatorSetInvoke(operator, invoke)
    return operator, (name, prepare, invoke)


def profiler_into(ffi, events):
    profiler = ffi.new("TfLiteTelemetryProfilerStruct*")

    @ffi.callback("uint32_t(TfLiteTelemetryProfilerStruct*, const char*, int64_t, int64_t)")
    def begin(_profiler, name, index, subgraph):
        events.append((ffi.string(name).decode(), index, subgraph))
        return len(events)

    @ffi.callback("void(TfLiteTelemetryProfilerStruct*, uint32_t)")
    def end(_profiler, event):
        events.append(event)

    profiler.ReportBeginOpInvokeEvent, profiler.ReportEndOpInvokeEvent = begin, end
    return profiler, (begin, end)


def run_model(ffi, lib, path):
    events = []
    operator, operator_keeps = atan_operator(ffi, lib)
    profiler, profiler_keeps = profiler_into(ffi, events)
    model = lib.TfLiteModelCreateFromFile(path.encode())
    options = lib.TfLiteInterpreterOptionsCreate()
    lib.TfLiteInterpreterOptionsAddOperator(options, operator)
    lib.TfLiteInterpreterOptionsSetTelemetryProfiler(options, profiler)
    interpreter = lib.TfLiteInterpreterCreate(model, options)
    values = [-8.0, 0.5, 2.0, 2.2, 201.0]
    assert lib.TfLiteInterpreterResizeInputTensor(interpreter, 0, [len(values)], 1) == lib.kTfLiteOk
    assert lib.TfLiteInterpreterAllocateTensors(interpreter) == lib.kTfLiteOk
    x = lib.TfLiteInterpreterGetInputTensor(interpreter, 0)
    assert (x.type, x.dims.size, x.dims.data[0], x.bytes) == (lib.kTfLiteFloat32, 1, 5, 20)  # the struct itself
    source, result = ffi.new("float[]", values), ffi.new("float[]", len(values))
    assert lib.TfLiteTensorCopyFromBuffer(x, source, ffi.sizeof(source)) == lib.kTfLiteOk
    assert lib.TfLiteInterpreterInvoke(interpreter) == lib.kTfLiteOk
    y = lib.TfLiteInterpreterGetOutputTensor(interpreter, 0)
    assert lib.TfLiteTensorCopyToBuffer(y, result, ffi.sizeof(result)) == lib.kTfLiteOk
    for value, found in zip(values, result):
        assert abs(found - math.atan(value + 0.99999905)) < 1e-6, (value, found)
    assert events == [("ADD", 0, 0), 1, ("Atan", 1, 0), 3], events
    lib.TfLiteInterpreterDelete(interpreter)
    lib.TfLiteInterpreterOptionsDelete(options)
    lib.TfLiteModelDelete(model)
    lib.TfLiteOperatorDelete(operator)
    del operator_keeps, profiler_keeps


def main():
    prefix, path, functions, compiler = sys.argv[1:]
    with open(functions, encoding="utf-8") as file:
        text = file.read()
    headers = re.findall(r"^// (tensorflow/\S+\.h)$", text, re.M)
    names = re.findall(r"^FUNCTION\([^,]*, (\w+),", text, re.M)
    ffi = cffi.FFI()
    declared = declarations(prefix, headers + [PROFILER, XNNPACK], compiler)
    names += re.findall(r"(TfLiteXNNPack\w+)\(", declared)
    ffi.cdef(declared)
    libraries = [ffi.dlopen(client.library(prefix, f"libtensorflowlite_{name}.so")) for name in ("c", "gpu_delegate")]
    call_with_nothing(ffi, libraries, names)
    run_model(ffi, libraries[0], path)
    print(f"{len(names)} functions of {len(headers) + 1} headers")


if __name__ == "__main__":
    main()
