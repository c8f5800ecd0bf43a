# SPDX-License-Identifier: Apache-2.0
"""The structs of the C API that are read here, and how element types are called in NumPy.

A test holds the layouts against the ones that the C library is tested with (tests/api/layout.def).
"""
from __future__ import annotations

import ctypes as c
from typing import Any, Dict

import numpy as np

OK, ERROR, DELEGATE_ERROR, CANCELLED = 0, 1, 2, 8  # TfLiteStatus
STRING, RESOURCE, VARIANT = 5, 14, 15  # TfLiteType
MODEL_MEMORY, PREPARED_MEMORY, DYNAMIC_MEMORY, OTHER_MEMORY = 1, 5, 4, (7, 8)  # TfLiteAllocationType
BUILTIN_CUSTOM = 32  # TfLiteBuiltinOperator

# TfLiteType: the class of NumPy. 4 and 2 bits become bytes; what NumPy lacks (bfloat16, 8-bit floats) are its bits.
DTYPES: Dict[int, Any] = {
    1: np.float32, 2: np.int32, 3: np.uint8, 4: np.int64, 5: np.bytes_, 6: np.bool_, 7: np.int16, 8: np.complex64,
    9: np.int8, 10: np.float16, 11: np.float64, 12: np.complex128, 13: np.uint64, 14: np.object_, 15: np.object_,
    16: np.uint32, 17: np.uint16, 18: np.int8, 19: np.uint16, 20: np.int8, 21: np.uint8, 22: np.int8, 23: np.int8,
}
NUMPY_DTYPES: Dict[int, np.dtype[Any]] = {number: np.dtype(kind) for number, kind in DTYPES.items()}
PACKED_BITS: Dict[int, int] = {18: 4, 20: 2, 21: 4}  # bits of an element, the first one in the lowest bits of a byte


_ANY = 1 << 26  # elements of an array whose length the struct tells: slices up to that are read, and nothing else


class IntArray(c.Structure):
    """TfLiteIntArray."""
    _fields_ = [("size", c.c_int), ("data", c.c_int * _ANY)]


class FloatArray(c.Structure):
    """TfLiteFloatArray."""
    _fields_ = [("size", c.c_int), ("data", c.c_float * _ANY)]


class QuantizationParams(c.Structure):
    _fields_ = [("scale", c.c_float), ("zero_point", c.c_int32)]


class Quantization(c.Structure):
    _fields_ = [("type", c.c_int), ("params", c.c_void_p)]


class AffineQuantization(c.Structure):
    _fields_ = [("scale", c.POINTER(FloatArray)), ("zero_point", c.POINTER(IntArray)),
                ("quantized_dimension", c.c_int32)]


class BlockwiseQuantization(c.Structure):
    _fields_ = [("scale", c.c_int32), ("zero_point", c.c_int32), ("blocksize", c.c_int32),
                ("quantized_dimension", c.c_int32)]


class DimensionMetadata(c.Structure):
    _fields_ = [("format", c.c_int), ("dense_size", c.c_int), ("array_segments", c.POINTER(IntArray)),
                ("array_indices", c.POINTER(IntArray))]


class Sparsity(c.Structure):
    _fields_ = [("traversal_order", c.POINTER(IntArray)), ("block_map", c.POINTER(IntArray)),
                ("dim_metadata", c.POINTER(DimensionMetadata)), ("dim_metadata_size", c.c_int)]


class Tensor(c.Structure):
    """TfLiteTensor, which is also what TfLiteOpaqueTensor is."""
    _fields_ = [("type", c.c_int), ("data", c.c_void_p), ("dims", c.POINTER(IntArray)),
                ("params", QuantizationParams), ("allocation_type", c.c_int), ("bytes", c.c_size_t),
                ("allocation", c.c_void_p), ("name", c.c_char_p), ("delegate", c.c_void_p),
                ("buffer_handle", c.c_int), ("data_is_stale", c.c_bool), ("is_variable", c.c_bool),
                ("quantization", Quantization), ("sparsity", c.POINTER(Sparsity)),
                ("dims_signature", c.POINTER(IntArray))]


class Node(c.Structure):
    """OcliteNode."""
    _fields_ = [("op", c.c_char_p), ("builtin_code", c.c_int), ("version", c.c_int), ("is_delegate", c.c_bool),
                ("in_plan", c.c_bool), ("resolved", c.c_bool), ("delegate_node", c.c_int),
                ("replaced_count", c.c_int), ("replaced", c.POINTER(c.c_int)), ("input_count", c.c_int),
                ("inputs", c.POINTER(c.c_int)), ("output_count", c.c_int), ("outputs", c.POINTER(c.c_int)),
                ("node", c.c_void_p), ("registration", c.c_void_p)]


class Flex(c.Structure):
    """OcliteFlex, a value in FlexBuffers."""
    _fields_ = [("data", c.c_void_p), ("size", c.c_size_t), ("at", c.c_size_t), ("slot", c.c_uint8),
                ("width", c.c_uint8), ("type", c.c_uint8)]


class MetadataFile(c.Structure):
    """OcliteMetadataFile, and likewise the following ones."""
    _fields_ = [("name", c.c_char_p), ("description", c.c_char_p), ("type", c.c_char_p), ("locale", c.c_char_p),
                ("data", c.c_void_p), ("size", c.c_size_t), ("absent", c.c_char_p)]


class MetadataTokenizer(c.Structure):
    _fields_ = [("kind", c.c_char_p), ("delimiters", c.c_char_p), ("file_count", c.c_int),
                ("files", c.POINTER(MetadataFile))]


class MetadataFloats(c.Structure):
    _fields_ = [("count", c.c_int), ("values", c.POINTER(c.c_float))]


class MetadataTensor(c.Structure):
    _fields_ = [("name", c.c_char_p), ("description", c.c_char_p), ("content", c.c_char_p), ("color_space", c.c_char_p),
                ("width", c.c_uint32), ("height", c.c_uint32), ("box_type", c.c_char_p),
                ("coordinate_type", c.c_char_p), ("sample_rate", c.c_uint32), ("channels", c.c_uint32),
                ("mean", MetadataFloats), ("std", MetadataFloats), ("min", MetadataFloats), ("max", MetadataFloats),
                ("has_score_threshold", c.c_bool), ("score_threshold", c.c_float), ("tokenizer", MetadataTokenizer),
                ("file_count", c.c_int), ("files", c.POINTER(MetadataFile))]


class MetadataSubgraph(c.Structure):
    _fields_ = [("name", c.c_char_p), ("description", c.c_char_p), ("input_count", c.c_int),
                ("inputs", c.POINTER(MetadataTensor)), ("output_count", c.c_int), ("outputs", c.POINTER(MetadataTensor)),
                ("tokenizer", MetadataTokenizer), ("file_count", c.c_int), ("files", c.POINTER(MetadataFile))]


class Metadata(c.Structure):
    _fields_ = [("name", c.c_char_p), ("description", c.c_char_p), ("version", c.c_char_p), ("author", c.c_char_p),
                ("license", c.c_char_p), ("min_parser_version", c.c_char_p), ("subgraph_count", c.c_int),
                ("subgraphs", c.POINTER(MetadataSubgraph)), ("file_count", c.c_int), ("files", c.POINTER(MetadataFile)),
                ("packed_count", c.c_int), ("packed", c.POINTER(MetadataFile))]


class OpenclOptions(c.Structure):
    """OcliteOpenclDelegateOptions."""
    _fields_ = [("size", c.c_size_t), ("device", c.c_char_p), ("max_partitions", c.c_int), ("min_nodes", c.c_int),
                ("allow", c.c_char_p), ("deny", c.c_char_p), ("precision", c.c_char_p), ("watchdog_ms", c.c_int),
                ("operators", c.POINTER(c.c_void_p)), ("operator_count", c.c_size_t), ("custom_ops", c.c_char_p),
                ("cache_dir", c.c_char_p), ("precision_float32", c.c_char_p), ("precision_float16", c.c_char_p),
                ("context", c.c_void_p), ("device_id", c.c_void_p), ("queue", c.c_void_p),
                ("error_budget", c.c_double), ("priority", c.c_char_p), ("throttle", c.c_char_p),
                ("profiling", c.c_bool), ("tuning", c.c_int), ("verbose", c.c_bool), ("report", c.c_char_p),
                ("selftest", c.c_char_p), ("gemm", c.c_char_p), ("partition", c.c_char_p), ("overlap", c.c_char_p),
                ("winograd", c.c_char_p), ("series", c.c_int)]


class OpenclNode(c.Structure):
    """OcliteOpenclNode."""
    _fields_ = [("graph", c.c_int), ("node", c.c_int), ("op", c.c_char_p), ("taken", c.c_bool),
                ("reason", c.c_char_p), ("float16", c.c_bool), ("host_ns", c.c_int64), ("device_ns", c.c_int64),
                ("host_measured", c.c_bool), ("device_measured", c.c_bool)]


class OpenclKernel(c.Structure):
    """OcliteOpenclKernel."""
    _fields_ = [("graph", c.c_int), ("nodes", c.POINTER(c.c_int)), ("node_count", c.c_int), ("op", c.c_char_p),
                ("kernel", c.c_char_p), ("global", c.c_size_t * 3), ("local", c.c_size_t * 3), ("runs", c.c_uint64),
                ("last_ns", c.c_uint64), ("total_ns", c.c_uint64)]


class OpenclPlacement(c.Structure):
    """OcliteOpenclPlacement."""
    _fields_ = [("graph", c.c_int), ("partitions", c.c_int), ("chosen_ns", c.c_int64), ("host_ns", c.c_int64),
                ("all_ns", c.c_int64), ("partition_ns", c.c_int64), ("chosen_run_ns", c.c_int64),
                ("host_run_ns", c.c_int64), ("all_run_ns", c.c_int64), ("overlapped_run_ns", c.c_int64),
                ("overlapped", c.c_bool)]
