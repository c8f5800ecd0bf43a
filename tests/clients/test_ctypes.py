#!/usr/bin/env python3
"""A model with a custom operator written in Python, through plain ctypes: test_ctypes.py PREFIX ATAN_MODEL"""
import ctypes as c
import math
import platform
import sys

import client

P, I, Z, S = c.c_void_p, c.c_int, c.c_size_t, c.c_char_p
OK, UNRESOLVED, FLOAT32, CUSTOM = 0, 7, 1, 32
INIT = c.CFUNCTYPE(P, P, P, Z)
FREE = c.CFUNCTYPE(None, P, P)
CALL = c.CFUNCTYPE(I, P, P)
REPORT = c.CFUNCTYPE(None, P, S, P)
TYPES = {  # result, parameters
    "TfLiteVersion": (S,), "TfLiteModelCreateFromFile": (P, S), "TfLiteModelDelete": (None, P),
    "TfLiteInterpreterOptionsCreate": (P,), "TfLiteInterpreterOptionsDelete": (None, P),
    "TfLiteInterpreterOptionsSetNumThreads": (None, P, c.c_int32),
    "TfLiteInterpreterOptionsSetErrorReporter": (None, P, REPORT, P),
    "TfLiteInterpreterOptionsAddOperator": (None, P, P),
    "TfLiteInterpreterCreate": (P, P, P), "TfLiteInterpreterDelete": (None, P),
    "TfLiteInterpreterAllocateTensors": (I, P), "TfLiteInterpreterInvoke": (I, P),
    "TfLiteInterpreterResizeInputTensor": (I, P, c.c_int32, P, c.c_int32),
    "TfLiteInterpreterGetInputTensor": (P, P, c.c_int32), "TfLiteInterpreterGetOutputTensor": (P, P, c.c_int32),
    "TfLiteInterpreterGetSignatureCount": (c.c_int32, P),
    "TfLiteInterpreterGetSignatureRunner": (P, P, S), "TfLiteSignatureRunnerDelete": (None, P),
    "TfLiteSignatureRunnerGetInputName": (S, P, c.c_int32), "TfLiteSignatureRunnerGetOutputName": (S, P, c.c_int32),
    "TfLiteSignatureRunnerGetInputTensor": (P, P, S), "TfLiteSignatureRunnerGetOutputTensor": (P, P, S),
    "TfLiteSignatureRunnerAllocateTensors": (I, P), "TfLiteSignatureRunnerInvoke": (I, P),
    "TfLiteTensorType": (I, P), "TfLiteTensorNumDims": (c.c_int32, P), "TfLiteTensorDim": (c.c_int32, P, c.c_int32),
    "TfLiteTensorByteSize": (Z, P), "TfLiteTensorCopyFromBuffer": (I, P, P, Z),
    "TfLiteTensorCopyToBuffer": (I, P, P, Z),
    "TfLiteOperatorCreate": (P, I, S, I, P), "TfLiteOperatorDelete": (None, P),
    "TfLiteOperatorSetInit": (None, P, INIT), "TfLiteOperatorSetFree": (None, P, FREE),
    "TfLiteOperatorSetPrepare": (None, P, CALL), "TfLiteOperatorSetInvoke": (None, P, CALL),
    "TfLiteOpaqueNodeGetInput": (P, P, P, I), "TfLiteOpaqueNodeGetOutput": (P, P, P, I),
    "TfLiteOpaqueNodeGetUserData": (P, P), "TfLiteOpaqueTensorNumDims": (c.c_int32, P),
    "TfLiteOpaqueTensorDim": (c.c_int32, P, c.c_int32), "TfLiteOpaqueTensorByteSize": (Z, P),
    "TfLiteOpaqueTensorData": (P, P), "TfLiteIntArrayCreate": (P, I),
    "TfLiteOpaqueContextResizeTensor": (I, P, P, P),
}


def load(path):
    lib = c.CDLL(path)
    for name, (result, *parameters) in TYPES.items():
        function = getattr(lib, name)
        function.restype, function.argtypes = result, parameters
    return lib


class Atan:
    """The operator, and how often its functions were called."""

    def __init__(self, lib):
        self.lib, self.calls = lib, {"init": 0, "free": 0, "prepare": 0, "invoke": 0}
        # The library keeps these as long as the operator lives, so this object does too.
        self.functions = INIT(self.init), FREE(self.free), CALL(self.prepare), CALL(self.invoke)
        self.handle = lib.TfLiteOperatorCreate(CUSTOM, b"Atan", 1, None)
        for name, function in zip(("Init", "Free", "Prepare", "Invoke"), self.functions):
            getattr(lib, f"TfLiteOperatorSet{name}")(self.handle, function)

    def init(self, _context, _buffer, _length):
        self.calls["init"] += 1
        return 1234

    def free(self, _context, data):
        self.calls["free"] += data == 1234

    def tensors(self, context, node):
        assert self.lib.TfLiteOpaqueNodeGetUserData(node) == 1234
        return self.lib.TfLiteOpaqueNodeGetInput(context, node, 0), self.lib.TfLiteOpaqueNodeGetOutput(context, node, 0)

    def prepare(self, context, node):
        self.calls["prepare"] += 1
        x, y = self.tensors(context, node)
        rank = self.lib.TfLiteOpaqueTensorNumDims(x)
        shape = self.lib.TfLiteIntArrayCreate(rank)
        numbers = c.cast(shape, c.POINTER(c.c_int))  # the size, then the elements
        for i in range(rank):
            numbers[1 + i] = self.lib.TfLiteOpaqueTensorDim(x, i)
        return self.lib.TfLiteOpaqueContextResizeTensor(context, y, shape)

    def invoke(self, context, node):
        self.calls["invoke"] += 1
        x, y = self.tensors(context, node)
        count = self.lib.TfLiteOpaqueTensorByteSize(x) // 4
        source = c.cast(self.lib.TfLiteOpaqueTensorData(x), c.POINTER(c.c_float))
        target = c.cast(self.lib.TfLiteOpaqueTensorData(y), c.POINTER(c.c_float))
        for i in range(count):
            target[i] = math.atan(source[i])
        return OK


def reporter(messages):
    """A va_list is a pointer in calls on these machines; the C library knows how to print it."""
    libc = c.CDLL(None)
    libc.vsnprintf.argtypes = [P, Z, S, P]

    def report(_data, text, arguments):
        buffer = c.create_string_buffer(1024)
        libc.vsnprintf(buffer, len(buffer), text, arguments)
        messages.append(buffer.value.decode())

    return REPORT(report)


def run(lib, tensors, invoke, values):
    x, y = tensors
    data = (c.c_float * len(values))(*values)
    assert lib.TfLiteTensorCopyFromBuffer(x, data, c.sizeof(data)) == OK
    assert invoke() == OK
    result = (c.c_float * len(values))()
    assert lib.TfLiteTensorByteSize(y) == c.sizeof(result)
    assert lib.TfLiteTensorCopyToBuffer(y, result, c.sizeof(result)) == OK
    for value, found in zip(values, result):
        assert abs(found - math.atan(value + 0.99999905)) < 1e-6, (value, found)


def check_unresolved(lib, model):
    messages = []
    report = reporter(messages)
    options = lib.TfLiteInterpreterOptionsCreate()
    if platform.machine() in ("x86_64", "AMD64"):
        lib.TfLiteInterpreterOptionsSetErrorReporter(options, report, None)
    interpreter = lib.TfLiteInterpreterCreate(model, options)
    lib.TfLiteInterpreterOptionsDelete(options)
    assert lib.TfLiteInterpreterAllocateTensors(interpreter) == UNRESOLVED
    assert not messages or "Encountered unresolved custom op: Atan." in messages[0], messages
    lib.TfLiteInterpreterDelete(interpreter)


def check_interpreter(lib, interpreter):
    for shape in ((5,), (2,)):
        dims = (c.c_int * len(shape))(*shape)
        assert lib.TfLiteInterpreterResizeInputTensor(interpreter, 0, dims, len(shape)) == OK
        assert lib.TfLiteInterpreterAllocateTensors(interpreter) == OK
        tensors = (lib.TfLiteInterpreterGetInputTensor(interpreter, 0),
                   lib.TfLiteInterpreterGetOutputTensor(interpreter, 0))
        assert lib.TfLiteTensorType(tensors[0]) == FLOAT32
        assert (lib.TfLiteTensorNumDims(tensors[1]), lib.TfLiteTensorDim(tensors[1], 0)) == (1, shape[0])
        run(lib, tensors, lambda: lib.TfLiteInterpreterInvoke(interpreter), [-8, 0.5, 2, 2.2, 201][:shape[0]])


def check_signature(lib, interpreter):
    assert lib.TfLiteInterpreterGetSignatureCount(interpreter) == 0
    runner = lib.TfLiteInterpreterGetSignatureRunner(interpreter, None)  # of the model as a whole
    assert not lib.TfLiteInterpreterGetSignatureRunner(interpreter, b"no such signature")
    assert lib.TfLiteSignatureRunnerAllocateTensors(runner) == OK
    x = lib.TfLiteSignatureRunnerGetInputTensor(runner, lib.TfLiteSignatureRunnerGetInputName(runner, 0))
    y = lib.TfLiteSignatureRunnerGetOutputTensor(runner, lib.TfLiteSignatureRunnerGetOutputName(runner, 0))
    run(lib, (x, y), lambda: lib.TfLiteSignatureRunnerInvoke(runner), [3.25, -1])
    lib.TfLiteSignatureRunnerDelete(runner)


def main():
    prefix, path = sys.argv[1:]
    lib = load(client.library(prefix))
    model = lib.TfLiteModelCreateFromFile(path.encode())
    check_unresolved(lib, model)
    atan = Atan(lib)
    options = lib.TfLiteInterpreterOptionsCreate()
    lib.TfLiteInterpreterOptionsSetNumThreads(options, 2)
    lib.TfLiteInterpreterOptionsAddOperator(options, atan.handle)
    interpreter = lib.TfLiteInterpreterCreate(model, options)
    lib.TfLiteInterpreterOptionsDelete(options)
    lib.TfLiteModelDelete(model)  # the interpreter keeps what it needs
    check_interpreter(lib, interpreter)
    check_signature(lib, interpreter)
    lib.TfLiteInterpreterDelete(interpreter)
    lib.TfLiteOperatorDelete(atan.handle)
    assert atan.calls == {"init": 1, "free": 1, "prepare": 2, "invoke": 3}, atan.calls
    print(f"TensorFlow Lite {lib.TfLiteVersion().decode()}: {atan.calls}")


if __name__ == "__main__":
    main()
