# SPDX-License-Identifier: Apache-2.0
"""Tensors of an interpreter as NumPy arrays: what they are, copies in and out, and views."""
from __future__ import annotations

import ctypes as c
import math
from typing import TYPE_CHECKING, Any, Dict, List, Sequence, Tuple

import numpy as np

from oclite import _structs as s
from oclite._library import text
from oclite._native import Native

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]


_MOST_DIMENSIONS = 64  # of NumPy's arrays; how many are too many for a tensor is the library's business


def ints(pointer: Any) -> Array:
    """A copy of a TfLiteIntArray; empty for none."""
    return np.array(pointer[0].data[:pointer[0].size] if pointer else [], np.int32)


def floats(pointer: Any) -> Array:
    """A copy of a TfLiteFloatArray."""
    return np.array(pointer[0].data[:pointer[0].size] if pointer else [], np.float32)


def as_shape(value: Any) -> Array:
    """Lengths of dimensions as numpy.int32; ValueError or TypeError for what is none."""
    if isinstance(value, (list, tuple)) and any(isinstance(length, np.ndarray) and length.size > 1 for length in value):
        raise ValueError("Shape should be 1D: its dimensions are arrays")  # which NumPy would copy, however long they are
    size = as_array(value, "Shape")
    if size.ndim != 1:
        raise ValueError(f"Shape should be 1D instead of {size.ndim}.")
    if size.size > _MOST_DIMENSIONS:
        raise ValueError(f"Shape has {size.size} dimensions: a tensor has at most 8")
    lengths = size.tolist()
    for length in lengths:
        if not isinstance(length, (int, float)):
            raise TypeError(f"a dimension is an integer, not {type(length).__name__}: {length!r}")
        if length != length or length % 1 != 0:
            raise ValueError(f"a dimension is an integer, not {length!r}")
        if not -2**31 <= length < 2**31:
            raise ValueError(f"a dimension of {lengths} has more than 32 bits")
    return size.astype(np.int32)


def shape_of(tensor: Any) -> Tuple[int, ...]:
    dims = tensor.dims
    return tuple(dims[0].data[:dims[0].size]) if dims else ()


def contents_shape(tensor: Any) -> Tuple[int, ...]:
    """The shape of what is in memory: of a sparse tensor the stored elements, in one row."""
    if not tensor.sparsity:
        return shape_of(tensor)
    return (tensor.bytes * 8 // (s.PACKED_BITS.get(tensor.type) or numpy_dtype(tensor).itemsize * 8),)


def dtype_of(tensor: Any) -> Any:
    """The class of NumPy; ValueError for a type that is not known."""
    try:
        return s.DTYPES[tensor.type]
    except KeyError:
        raise ValueError(f"Could not get tensor details: the type {tensor.type} has no form in NumPy") from None


def numpy_dtype(tensor: Any) -> np.dtype[Any]:
    """The same as an object."""
    return s.NUMPY_DTYPES[tensor.type] if tensor.type in s.NUMPY_DTYPES else np.dtype(dtype_of(tensor))


def details(native: Native, index: int, subgraph: int) -> Dict[str, Any]:
    tensor = native.tensor(index, subgraph)
    signature = tensor.dims_signature
    return {
        "name": text(tensor.name),
        "index": index,
        "shape": ints(tensor.dims),
        "shape_signature": ints(signature if signature and signature[0].size > 0 else tensor.dims),
        "dtype": dtype_of(tensor),
        "quantization": (float(tensor.params.scale), int(tensor.params.zero_point)),
        "quantization_parameters": _quantization(native, tensor, subgraph),
        "sparsity_parameters": _sparsity(tensor),
    }


def _quantization(native: Native, tensor: Any, subgraph: int) -> Dict[str, Any]:
    scales, zero_points, axis, block = np.array([], np.float32), np.array([], np.int32), 0, 0
    params = tensor.quantization.params
    if tensor.quantization.type == 1 and params:
        affine = c.cast(params, c.POINTER(s.AffineQuantization))[0]
        scales, zero_points, axis = floats(affine.scale), ints(affine.zero_point), affine.quantized_dimension
    elif tensor.quantization.type == 2 and params:
        blockwise = c.cast(params, c.POINTER(s.BlockwiseQuantization))[0]
        axis, block = blockwise.quantized_dimension, blockwise.blocksize
        scales = _contents(native, blockwise.scale, subgraph, scales)
        zero_points = _contents(native, blockwise.zero_point, subgraph, zero_points)
    return {"scales": scales, "zero_points": zero_points, "quantized_dimension": int(axis), "block_size": int(block)}


def _contents(native: Native, index: int, subgraph: int, otherwise: Array) -> Array:
    """The elements of a constant, in one row."""
    try:
        return read(native, index, subgraph).reshape(-1)
    except ValueError:
        return otherwise


def _sparsity(tensor: Any) -> Dict[str, Any]:
    if not tensor.sparsity:
        return {}
    sparsity = tensor.sparsity[0]
    result: Dict[str, Any] = {"traversal_order": ints(sparsity.traversal_order)}
    if sparsity.block_map:
        result["block_map"] = ints(sparsity.block_map)
    dimensions: List[Dict[str, Any]] = []
    for i in range(sparsity.dim_metadata_size):
        dimension = sparsity.dim_metadata[i]
        if dimension.format == 0:
            dimensions.append({"format": 0, "dense_size": int(dimension.dense_size)})
        else:
            dimensions.append({"format": 1, "array_segments": ints(dimension.array_segments),
                               "array_indices": ints(dimension.array_indices)})
    result["dim_metadata"] = dimensions
    return result


def _element_bytes(tensor: Any) -> int:
    """Bytes of all elements in memory."""
    count = math.prod(contents_shape(tensor))
    bits = s.PACKED_BITS.get(tensor.type)
    return (count * bits + 7) // 8 if bits else count * numpy_dtype(tensor).itemsize


def _need_numbers(tensor: Any) -> None:
    if tensor.type in (s.RESOURCE, s.VARIANT):
        raise ValueError(f"Tensor {text(tensor.name)!r} holds no numbers: it stands for a variable or a table")


def _need_data(tensor: Any) -> None:
    """ValueError unless the tensor has memory for its shape, which is that of the processor."""
    _need_numbers(tensor)
    is_there = tensor.allocation_type not in s.OTHER_MEMORY and (tensor.data or tensor.bytes == 0)
    if not is_there or (tensor.type != s.STRING and tensor.bytes < _element_bytes(tensor)):
        raise ValueError("Tensor data is null. Run allocate_tensors() first; a tensor between operators has none where "
                         "they run as one or on a device (experimental_preserve_all_tensors keeps those of the CPU)")


class _Memory:
    """Memory of a tensor for NumPy. Arrays that share it are based on this object, which keeps the interpreter's memory."""

    def __init__(self, native: Native, address: int, dtype: np.dtype[Any], shape: Tuple[int, ...], read_only: bool) -> None:
        self._native = native
        self.__array_interface__ = {"data": (address, read_only), "typestr": dtype.str, "shape": shape, "version": 3}


def _is_constant(tensor: Any) -> bool:
    return tensor.allocation_type in (s.MODEL_MEMORY, s.PREPARED_MEMORY)


def view_of(native: Native, tensor: Any, read_only: bool = False) -> Array:
    """An array of the tensor's own memory; constants are read-only."""
    if tensor.type == s.STRING:
        raise ValueError("Strings have no fixed place: use get_tensor() and set_tensor()")
    if tensor.type in s.PACKED_BITS:
        raise ValueError(f"Elements of {s.PACKED_BITS[tensor.type]} bits share bytes: use get_tensor() and set_tensor()")
    _need_data(tensor)
    read_only = read_only or _is_constant(tensor)
    shape = contents_shape(tensor)
    if not tensor.data or 0 in shape:
        array: Array = np.empty(shape, numpy_dtype(tensor))
        array.flags.writeable = not read_only
        return array
    memory = _Memory(native, tensor.data, numpy_dtype(tensor), shape, read_only)
    native.views.add(memory)
    return np.asarray(memory)


def read(native: Native, index: int, subgraph: int) -> Array:
    """A copy of the tensor's contents."""
    return read_tensor(native, native.tensor(index, subgraph))


def read_tensor(native: Native, tensor: Any) -> Array:
    if tensor.type == s.STRING:
        return _read_strings(native, tensor)
    _need_data(tensor)
    shape, dtype = contents_shape(tensor), numpy_dtype(tensor)
    count = math.prod(shape)
    if count == 0:
        return np.empty(shape, dtype)
    bits = s.PACKED_BITS.get(tensor.type)
    if not bits:
        return np.array(_Memory(native, tensor.data, dtype, shape, True))
    raw = np.array(_Memory(native, tensor.data, np.dtype(np.uint8), (_element_bytes(tensor),), True))
    return _unpack(raw, bits, dtype.kind == "i", count).astype(dtype).reshape(shape)


def _unpack(raw: Array, bits: int, is_signed: bool, count: int) -> Array:
    parts = [(raw >> shift) & ((1 << bits) - 1) for shift in range(0, 8, bits)]
    values = np.stack(parts, axis=-1).reshape(-1)[:count].astype(np.int16)
    return np.where(values >> (bits - 1), values - (1 << bits), values) if is_signed else values


def _pack(value: Array, bits: int) -> Array:
    per_byte = 8 // bits
    elements = (value.reshape(-1).astype(np.int16) & ((1 << bits) - 1)).astype(np.uint8)
    rows = np.pad(elements, (0, -elements.size % per_byte)).reshape(-1, per_byte)
    shifts = np.arange(0, 8, bits, dtype=np.uint8)
    packed: Array = np.bitwise_or.reduce(rows << shifts, axis=1).astype(np.uint8)
    return packed


def _read_strings(native: Native, tensor: Any) -> Array:
    shape = shape_of(tensor)
    count = native.library.TfLiteOpaqueTensorGetStringCount(c.byref(tensor)) if tensor.data else -1
    if count < 0 or count != math.prod(shape):
        raise ValueError("Tensor data is null: no strings have been written")
    strings = np.empty(count, object)
    place, length = c.c_void_p(), c.c_int()
    for i in range(count):
        native.library.TfLiteOpaqueTensorGetString(c.byref(tensor), i, c.byref(place), c.byref(length))
        strings[i] = c.string_at(place.value, length.value) if place.value and length.value else b""
    return strings.reshape(shape)


def as_array(value: Any, what: str = "Cannot set tensor") -> Array:
    """A value of the program as an array, for messages of the right kind: what NumPy says is a ValueError."""
    try:
        return np.asarray(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(f"{what}: {error}") from None


def _check_type(native: Native, array: Array, tensor: Any, where: str) -> None:
    if tensor.type == s.STRING:
        is_right = array.dtype.kind in "SUO"
    else:
        is_right = array.dtype.newbyteorder("=") == numpy_dtype(tensor)
    if is_right:
        return
    got = "STRING" if array.dtype.kind in "SU" else array.dtype.name.upper()
    needs = text(native.library.TfLiteTypeGetName(tensor.type))
    raise ValueError(f"Cannot set tensor: Got value of type {got} but expected type {needs} for {where}, "
                     f"name: {text(tensor.name)}")


def _check_shape(array: Array, tensor: Any, where: str) -> None:
    shape = shape_of(tensor)
    if array.shape == shape:
        return
    if array.ndim != len(shape):
        raise ValueError(f"Cannot set tensor: Dimension mismatch. Got {array.ndim} but expected {len(shape)} for {where}.")
    for i, (got, wanted) in enumerate(zip(array.shape, shape)):
        if got != wanted:
            raise ValueError(f"Cannot set tensor: Dimension mismatch. Got {got} but expected {wanted} "
                             f"for dimension {i} of {where}.")


def write(native: Native, index: int, subgraph: int, value: Any) -> None:
    """Copies a value, which has the tensor's type and shape, into the tensor."""
    write_tensor(native, native.tensor(index, subgraph), value, f"input {index}")


def write_tensor(native: Native, tensor: Any, value: Any, where: str) -> None:
    array = as_array(value)
    _need_numbers(tensor)
    _check_type(native, array, tensor, where)
    _check_shape(array, tensor, where)
    if _is_constant(tensor):
        raise ValueError(f"Cannot set tensor: {where}, name: {text(tensor.name)}, is a constant")
    if tensor.type == s.STRING:
        write_strings(native, tensor, array)
        return
    array = array.astype(numpy_dtype(tensor), copy=False)  # this processor's order of bytes
    if tensor.type in s.PACKED_BITS:
        array = _pack(array, s.PACKED_BITS[tensor.type])
    array = np.ascontiguousarray(array)
    if array.nbytes == 0:
        return
    if not tensor.data or tensor.bytes < array.nbytes:
        raise ValueError("Cannot set tensor: Tensor is unallocated. Try calling allocate_tensors() first")
    if native.library.TfLiteTensorCopyFromBuffer(c.byref(tensor), array.__array_interface__["data"][0], array.nbytes) != s.OK:
        raise ValueError(f"Cannot set tensor: {text(native.library.oclite_tensor_copy_error())}")


def write_strings(native: Native, tensor: Any, array: Array) -> None:
    """Copies strings, str as UTF-8, into the tensor."""
    encoded = _encode(array.reshape(-1).tolist())
    if sum(map(len, encoded)) >= 2**31:
        raise ValueError("Cannot set tensor: the strings have more than 2**31 - 1 bytes")
    strings = (c.c_char_p * max(len(encoded), 1))(*encoded)
    lengths = (c.c_int * max(len(encoded), 1))(*(len(string) for string in encoded))
    if native.library.TfLiteOpaqueTensorWriteStrings(c.byref(tensor), strings, len(encoded), lengths) != s.OK:
        native.fail(ValueError, "Cannot set tensor: the strings are too long")


def _encode(values: Sequence[Any]) -> List[bytes]:
    encoded = []
    for value in values:
        if not isinstance(value, (bytes, str)):
            raise ValueError(f"Cannot set tensor: an element is no string, but of type {type(value).__name__}")
        try:
            encoded.append(value if isinstance(value, bytes) else value.encode("utf-8", "surrogateescape"))
        except UnicodeEncodeError as error:
            raise ValueError(f"Cannot set tensor: {value!r} is no text that UTF-8 can hold: {error.reason}") from None
    return encoded
