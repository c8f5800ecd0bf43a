# SPDX-License-Identifier: Apache-2.0
"""Tensors as the Open Inference Protocol writes them: types, JSON, and bytes."""
from __future__ import annotations

import itertools
import math
import struct
from typing import TYPE_CHECKING, Any, Dict, List, Sequence, Tuple

import numpy as np

from oclite.serve._errors import InvalidError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]
    Buffer = Any  # bytes, bytearray, memoryview

DATATYPES: Dict[str, np.dtype[Any]] = {
    "BOOL": np.dtype(np.bool_), "UINT8": np.dtype(np.uint8), "UINT16": np.dtype(np.uint16), "UINT32": np.dtype(np.uint32),
    "UINT64": np.dtype(np.uint64), "INT8": np.dtype(np.int8), "INT16": np.dtype(np.int16), "INT32": np.dtype(np.int32),
    "INT64": np.dtype(np.int64), "FP16": np.dtype(np.float16), "FP32": np.dtype(np.float32), "FP64": np.dtype(np.float64),
    "BYTES": np.dtype(np.object_),
}
_NAMES = {dtype: name for name, dtype in DATATYPES.items()}
_MAX_DIMENSIONS = 8
_MAX_ELEMENTS = 1 << 31
_MAX_DEPTH = 32  # of lists in JSON; NumPy's arrays have 64 dimensions at most


def datatype_of(dtype: Any) -> str:
    """The protocol's name of a NumPy type; "" where it has none."""
    kind = np.dtype(dtype)
    return "BYTES" if kind.kind == "S" else _NAMES.get(kind, "")


def check_datatype(name: str, datatype: Any) -> np.dtype[Any]:
    if isinstance(datatype, str) and datatype in DATATYPES:
        return DATATYPES[datatype]
    raise InvalidError(f"input {name!r}: the datatype {datatype!r} is none of {', '.join(DATATYPES)}")


def check_shape(name: str, shape: Any) -> Tuple[int, ...]:
    if not isinstance(shape, (list, tuple)) or not all(type(n) is int and n >= 0 for n in shape):
        raise InvalidError(f"input {name!r}: the shape {_short(shape)} is no list of integers from 0 on")
    if len(shape) > _MAX_DIMENSIONS:
        raise InvalidError(f"input {name!r}: the shape has {len(shape)} dimensions, at most {_MAX_DIMENSIONS}")
    if math.prod(shape) >= _MAX_ELEMENTS:
        raise InvalidError(f"input {name!r}: the shape {_short(shape)} has {math.prod(shape)} elements, at most {_MAX_ELEMENTS - 1}")
    return tuple(shape)


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


# ---- Bytes ----

def from_bytes(name: str, datatype: str, shape: Tuple[int, ...], data: Buffer) -> Array:
    """An array over these bytes, without a copy; of BYTES a new one of objects."""
    if datatype == "BYTES":
        return _split_strings(name, shape, memoryview(data))
    dtype, got = DATATYPES[datatype].newbyteorder("<"), memoryview(data).nbytes
    needed = math.prod(shape) * dtype.itemsize
    if got != needed:
        raise InvalidError(f"input {name!r}: {got} bytes of data, but the shape {list(shape)} of {datatype} has {needed}")
    array: Array = np.frombuffer(data, dtype).reshape(shape)
    if datatype == "BOOL" and array.view(np.uint8).max(initial=0) > 1:
        found = array.view(np.uint8).reshape(-1)
        at = int(np.argmax(found > 1))
        raise InvalidError(f"input {name!r}: element {at} is the byte {found[at]}; a BOOL is 0 or 1")
    return array


def _split_strings(name: str, shape: Tuple[int, ...], data: memoryview) -> Array:
    """BYTES: before each element its length, in four bytes."""
    count, at = math.prod(shape), 0
    if len(data) < 4 * count:
        raise InvalidError(f"input {name!r}: {len(data)} bytes of data are too few for {count} elements of BYTES, each with its "
                           "length in 4 bytes before it")
    strings = np.empty(count, object)
    for i in range(count):
        if len(data) - at < 4:
            raise InvalidError(f"input {name!r}: the data end at byte {len(data)}, before the length of element {i}")
        length, = struct.unpack_from("<I", data, at)
        at += 4
        if length > len(data) - at:
            raise InvalidError(f"input {name!r}: element {i} has {length} bytes by its length, but {len(data) - at} follow")
        strings[i] = bytes(data[at:at + length])
        at += length
    if at != len(data):
        raise InvalidError(f"input {name!r}: {len(data) - at} bytes follow the last of {count} elements")
    return strings.reshape(shape)


def to_bytes(array: Array) -> Buffer:
    """What a client reads: little-endian, row by row."""
    if array.dtype == object:
        return b"".join(itertools.chain.from_iterable((struct.pack("<I", len(s)), s) for s in array.reshape(-1).tolist()))
    return np.ascontiguousarray(array.astype(array.dtype.newbyteorder("<"), copy=False)).reshape(-1).view(np.uint8).data


# ---- JSON, and lists of protobuf ----

def from_list(name: str, datatype: str, shape: Tuple[int, ...], data: Any) -> Array:
    """An array of the elements of a list, in lists or all in one."""
    if not isinstance(data, list):
        raise InvalidError(f"input {name!r}: data is a list of elements, not {_short(data)}")
    array = _from_strings(name, data) if datatype == "BYTES" else _from_numbers(name, datatype, data)
    if array.size != math.prod(shape) or (array.ndim > 1 and array.shape != shape):
        raise InvalidError(f"input {name!r}: data has the shape {list(array.shape)}, but shape says {list(shape)}")
    return array.reshape(shape)


def _from_strings(name: str, data: Any) -> Array:
    flat, shape = data, [len(data)]
    while flat and isinstance(flat[0], list):
        if len(shape) == _MAX_DEPTH:
            raise InvalidError(f"input {name!r}: data has more than {_MAX_DEPTH} lists in each other")
        length = len(flat[0])
        if any(not isinstance(row, list) or len(row) != length for row in flat):
            raise InvalidError(f"input {name!r}: the lists of data have different lengths")
        shape.append(length)
        flat = list(itertools.chain.from_iterable(flat))
    strings = np.empty(len(flat), object)
    for i, value in enumerate(flat):
        if not isinstance(value, (str, bytes)):
            raise InvalidError(f"input {name!r}: element {i} of BYTES is a string, not {_short(value)}")
        strings[i] = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value
    return strings.reshape(shape)


def _depth(data: Any) -> int:
    depth = 0
    while isinstance(data, list):
        depth += 1
        data = data[0] if data else None
    return depth


def _from_numbers(name: str, datatype: str, data: List[Any]) -> Array:
    dtype = DATATYPES[datatype]
    if _depth(data) > _MAX_DEPTH:
        raise InvalidError(f"input {name!r}: data has more than {_MAX_DEPTH} lists in each other")
    try:
        found: Array = np.array(data) if data else np.empty(0, dtype)
    except (ValueError, OverflowError):
        raise InvalidError(f"input {name!r}: the lists of data have different lengths") from None
    if found.size == 0:
        return found.astype(dtype)
    if found.dtype.kind not in "biuf" or (found.dtype.kind == "b") != (dtype.kind == "b") and not _is_bits(found, dtype):
        raise InvalidError(f"input {name!r}: {_odd_element(found, dtype)} is no {datatype}")
    if dtype.kind in "iu":
        return _integers(name, datatype, _exact(found, data))
    with np.errstate(over="ignore"):
        converted = found.astype(dtype)
    if dtype.kind == "f" and not np.isfinite(converted).all():
        at = int(np.argmin(np.isfinite(converted.reshape(-1))))
        raise InvalidError(f"input {name!r}: element {at}, {found.reshape(-1)[at]!r}, is too large for {datatype}")
    return converted


def _is_bits(found: Array, dtype: np.dtype[Any]) -> bool:
    return dtype.kind == "b" and found.dtype.kind in "iu" and bool(((found == 0) | (found == 1)).all())


def _odd_element(found: Array, dtype: np.dtype[Any]) -> str:
    """Which one does not fit, in words."""
    flat = found.reshape(-1).tolist()
    wanted = bool if dtype.kind == "b" else (int, float)
    at = next((i for i, value in enumerate(flat) if not isinstance(value, wanted) or isinstance(value, bool) != (dtype.kind == "b")), 0)
    return f"element {at}, {_short(flat[at])},"


def _exact(found: Array, data: List[Any]) -> Array:
    """NumPy makes floats of integers that have no type in common, such as 0 and 2**64 - 1."""
    if found.dtype.kind == "f" and abs(found).max() >= 2**53:
        objects: Array = np.array(data, object)
        if all(type(value) is int for value in objects.reshape(-1)):
            return objects
    return found


def _integers(name: str, datatype: str, found: Array) -> Array:
    dtype = DATATYPES[datatype]
    limits = np.iinfo(dtype)
    flat = found.reshape(-1)
    wrong = (flat != np.trunc(flat)) if found.dtype.kind == "f" else np.zeros(flat.shape, bool)
    if found.dtype.kind == "f":  # 2**63 is a float, and limits.max is not: compare with what a float can tell
        wrong |= (flat < float(limits.min)) | (flat >= float(limits.max) + 1)
    elif flat.dtype != dtype:
        least, most = int(flat.min()), int(flat.max())
        if least < limits.min or most > limits.max:
            wrong = np.array([not limits.min <= value <= limits.max for value in flat.tolist()])
    if wrong.any():
        at = int(np.argmax(wrong))
        raise InvalidError(f"input {name!r}: element {at}, {flat[at]!s}, is no {datatype}: an integer from {limits.min} to {limits.max}")
    return found.astype(dtype)


def to_list(name: str, array: Array) -> Any:
    """What orjson writes as one list."""
    if array.dtype == object:
        try:
            return [value.decode() for value in array.reshape(-1).tolist()]
        except UnicodeDecodeError:
            raise InvalidError(f"output {name!r}: JSON holds no bytes that are not UTF-8: ask for it with binary_data") from None
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise InvalidError(f"output {name!r}: JSON holds no NaN and no infinity: ask for it with binary_data")
    return np.ascontiguousarray(array).reshape(-1)


def describe(shape: Sequence[int]) -> str:
    """[-1, 3]: -1 where any length will do."""
    return str(list(shape))
