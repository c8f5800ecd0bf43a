# SPDX-License-Identifier: Apache-2.0
"""Finds the shared libraries and declares their functions.

The libraries lie in the folder `lib` of this package. The environment variable OCLITE_LIBRARY_DIR names another
folder, for example a build tree. Nothing is written anywhere, so the package works from a place that is read-only.
"""
from __future__ import annotations

import ctypes as c
import functools
import os
from typing import Any, Dict, Tuple

from oclite import _structs as s

PACKAGE = os.path.dirname(os.path.abspath(__file__))
VARIABLE = "OCLITE_LIBRARY_DIR"

P, I, I32, I64, Z, S, B = c.c_void_p, c.c_int, c.c_int32, c.c_int64, c.c_size_t, c.c_char_p, c.c_bool
OUT_P, OUT_I, OUT_S = c.POINTER(c.c_void_p), c.POINTER(c.c_int), c.POINTER(c.c_char_p)
TENSOR = c.POINTER(s.Tensor)

# void report(void* user_data, const char* format, va_list arguments): a va_list is handed over as a pointer on Linux,
# whatever the processor is.
REPORT = c.CFUNCTYPE(None, P, S, P)
INIT = c.CFUNCTYPE(P, P, P, Z)
FREE = c.CFUNCTYPE(None, P, P)
CALL = c.CFUNCTYPE(I, P, P)
EXPLAIN = c.CFUNCTYPE(None, P, c.POINTER(s.OpenclNode))
PROFILE = c.CFUNCTYPE(None, P, c.POINTER(s.OpenclKernel))
PLACE = c.CFUNCTYPE(None, P, c.POINTER(s.OpenclPlacement))

Signatures = Dict[str, Tuple[Any, ...]]  # name of a function: its result, then its parameters

RUNTIME: Signatures = {
    "oclite_version": (S,),
    "TfLiteModelCreateWithErrorReporter": (P, S, Z, REPORT, P),
    "TfLiteModelCreateFromFileWithErrorReporter": (P, S, REPORT, P),
    "TfLiteModelDelete": (None, P),
    "oclite_metadata_create": (c.POINTER(s.Metadata), P, REPORT, P),
    "oclite_metadata_delete": (None, c.POINTER(s.Metadata)),
    "TfLiteInterpreterOptionsCreate": (P,),
    "TfLiteInterpreterOptionsDelete": (None, P),
    "TfLiteInterpreterOptionsSetNumThreads": (None, P, I32),
    "TfLiteInterpreterOptionsSetErrorReporter": (None, P, REPORT, P),
    "TfLiteInterpreterOptionsAddOperator": (None, P, P),
    "TfLiteInterpreterOptionsEnableCancellation": (I, P, B),
    "oclite_interpreter_options_set_preserve_all_tensors": (None, P, B),
    "oclite_interpreter_options_set_memory_limit": (None, P, Z),
    "TfLiteInterpreterCreate": (P, P, P),
    "TfLiteInterpreterDelete": (None, P),
    "TfLiteInterpreterModifyGraphWithDelegate": (I, P, P),
    "TfLiteInterpreterCancel": (I, P),
    "TfLiteInterpreterResetVariableTensors": (I, P),
    "oclite_graph_allocate": (I, P, I),
    "oclite_graph_invoke": (I, P, I),
    "TfLiteInterpreterAllocateTensors": (I, P),
    "TfLiteInterpreterInvoke": (I, P),
    "oclite_interpreter_resize_input": (I, P, I, I, OUT_I, I),
    "oclite_interpreter_subgraph_count": (I, P),
    "oclite_interpreter_tensor_count": (I, P, I),
    "oclite_interpreter_tensor": (TENSOR, P, I, I),
    "oclite_interpreter_inputs": (I, P, I, c.POINTER(OUT_I), OUT_I),
    "oclite_interpreter_outputs": (I, P, I, c.POINTER(OUT_I), OUT_I),
    "oclite_interpreter_node_count": (I, P, I),
    "oclite_interpreter_node": (I, P, I, I, c.POINTER(s.Node)),
    "oclite_interpreter_signature_subgraph": (I, P, I),
    "TfLiteInterpreterGetSignatureCount": (I32, P),
    "TfLiteInterpreterGetSignatureKey": (S, P, I32),
    "TfLiteInterpreterGetSignatureRunner": (P, P, S),
    "TfLiteSignatureRunnerDelete": (None, P),
    "TfLiteSignatureRunnerGetInputCount": (Z, P),
    "TfLiteSignatureRunnerGetInputName": (S, P, I32),
    "TfLiteSignatureRunnerGetInputTensor": (TENSOR, P, S),
    "TfLiteSignatureRunnerGetOutputCount": (Z, P),
    "TfLiteSignatureRunnerGetOutputName": (S, P, I32),
    "TfLiteSignatureRunnerGetOutputTensor": (TENSOR, P, S),
    "TfLiteTensorCopyFromBuffer": (I, TENSOR, P, Z),
    "oclite_tensor_copy_error": (S,),
    "TfLiteTypeGetName": (S, I),
    "TfLiteOpaqueTensorGetStringCount": (I, TENSOR),
    "TfLiteOpaqueTensorGetString": (I, TENSOR, I, OUT_P, OUT_I),
    "TfLiteOpaqueTensorWriteStrings": (I, TENSOR, OUT_S, I, OUT_I),
    "TfLiteOpaqueTensorSetAllocationTypeToDynamic": (None, TENSOR),
    "TfLiteOperatorCreate": (P, I, S, I, P),
    "TfLiteOperatorDelete": (None, P),
    "TfLiteOperatorSetInit": (None, P, INIT),
    "TfLiteOperatorSetFree": (None, P, FREE),
    "TfLiteOperatorSetPrepare": (None, P, CALL),
    "TfLiteOperatorSetInvoke": (None, P, CALL),
    "TfLiteOpaqueNodeNumberOfInputs": (I, P),
    "TfLiteOpaqueNodeNumberOfOutputs": (I, P),
    "TfLiteOpaqueNodeGetInput": (TENSOR, P, P, I),
    "TfLiteOpaqueNodeGetOutput": (TENSOR, P, P, I),
    "TfLiteOpaqueNodeGetCustomInitialData": (I, P, OUT_P, OUT_I),
    "TfLiteIntArrayCreate": (P, I),
    "TfLiteOpaqueContextResizeTensor": (I, P, TENSOR, P),
    "oclite_flex_root": (B, P, Z, c.POINTER(s.Flex)),
    "oclite_flex_kind": (I, s.Flex),
    "oclite_flex_int": (B, s.Flex, c.POINTER(c.c_int64)),
    "oclite_flex_uint": (B, s.Flex, c.POINTER(c.c_uint64)),
    "oclite_flex_float": (B, s.Flex, c.POINTER(c.c_double)),
    "oclite_flex_bool": (B, s.Flex, c.POINTER(c.c_bool)),
    "oclite_flex_string": (B, s.Flex, OUT_P, c.POINTER(Z)),
    "oclite_flex_blob": (B, s.Flex, OUT_P, c.POINTER(Z)),
    "oclite_flex_vector_size": (B, s.Flex, c.POINTER(Z)),
    "oclite_flex_vector_at": (B, s.Flex, Z, c.POINTER(s.Flex)),
    "oclite_flex_map_key": (B, s.Flex, Z, OUT_S),
}

OPENCL: Signatures = {
    "oclite_opencl_delegate_create": (P, c.POINTER(s.OpenclOptions)),
    "oclite_opencl_delegate_delete": (None, P),
    "oclite_opencl_last_error": (S,),
    "oclite_opencl_delegate_device": (S, P),
    "oclite_opencl_delegate_warning": (S, P),
    "oclite_opencl_delegate_status": (I, P),
    "oclite_opencl_delegate_failure": (S, P),
    "oclite_opencl_delegate_explain": (None, P, EXPLAIN, P),
    "oclite_opencl_delegate_profile": (None, P, PROFILE, P),
    "oclite_opencl_delegate_placements": (None, P, PLACE, P),
    "oclite_opencl_delegate_memory": (Z, P),
    "oclite_opencl_operator_create": (P, S, S),
    "oclite_opencl_operator_create_from_file": (P, S),
    "oclite_opencl_operator_delete": (None, P),
    "oclite_opencl_operator_name": (S, P),
    "oclite_opencl_operator_cpu": (P, P),
}


def library_dir() -> str:
    """The folder with the shared libraries: OCLITE_LIBRARY_DIR, or `lib` in this package."""
    return os.path.abspath(os.environ.get(VARIABLE) or os.path.join(PACKAGE, "lib"))


def _load(name: str, signatures: Signatures) -> c.CDLL:
    path = os.path.join(library_dir(), name)
    if not os.path.exists(path):
        raise OSError(f"oclite: there is no {path}; the variable {VARIABLE} names the folder of the libraries")
    library = c.CDLL(path)
    for function_name, (result, *parameters) in signatures.items():
        try:
            function = getattr(library, function_name)
        except AttributeError:
            raise OSError(f"oclite: {path} is of another version: it has no {function_name}") from None
        function.restype, function.argtypes = result, parameters
    return library


def open_library(path: Any) -> c.CDLL:
    """A shared library of the program's. OSError: it cannot be opened; ValueError, TypeError: it is no path."""
    return c.CDLL(os.fsdecode(encode(path, "the path of a library")))


@functools.lru_cache(maxsize=None)
def runtime() -> c.CDLL:
    """liboclite.so, with its functions declared. Calls release the lock of the Python interpreter."""
    return _load("liboclite.so", RUNTIME)


@functools.lru_cache(maxsize=None)
def opencl() -> c.CDLL:
    """liboclite_opencl.so, which needs no runtime of ours."""
    return _load("liboclite_opencl.so", OPENCL)


def encode(value: Any, what: str) -> bytes:
    """A text, or a path, for C; ValueError for what C cannot hold, TypeError for anything else."""
    try:
        encoded = os.fsencode(value)
    except UnicodeEncodeError:
        raise ValueError(f"{what}: {value!r} is no text that UTF-8 can hold") from None
    except TypeError:
        raise TypeError(f"{what} is a text or a path, not {type(value).__name__}") from None
    if b"\0" in encoded:
        raise ValueError(f"{what}: {value!r} is not a text without zero bytes")
    return encoded


def text(value: Any) -> str:
    """A C string, which belongs to somebody else, as a str."""
    return value.decode("utf-8", "replace") if value else ""
