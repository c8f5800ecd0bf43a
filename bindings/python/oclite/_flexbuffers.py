# SPDX-License-Identifier: Apache-2.0
"""FlexBuffers, the form of a custom operator's options in a model, as values of Python."""
from __future__ import annotations

import ctypes as c
from typing import Any, List

from oclite import _library, _structs as s

_NULL, _INT, _UINT, _FLOAT, _BOOL, _KEY, _STRING, _BLOB, _VECTOR, _MAP = range(10)
_DEEPEST = 64  # a malicious buffer can contain itself
_MOST = 1 << 20  # values of one document, for the same reason


def read_options(buffer: bytes) -> Any:
    """The value that FlexBuffers hold: a dictionary in most models; {} for no bytes.

    Numbers, bool, str, bytes, None, lists and dictionaries. ValueError: the bytes are no FlexBuffers.
    """
    if not buffer:
        return {}
    root = s.Flex()
    if not _library.runtime().oclite_flex_root(buffer, len(buffer), c.byref(root)):
        raise ValueError("the options are no FlexBuffers")
    return _value(root, 0, [_MOST])


def _number(name: str, kind: Any, value: s.Flex) -> Any:
    result = kind()
    if not getattr(_library.runtime(), f"oclite_flex_{name}")(value, c.byref(result)):
        raise ValueError("a number of the options lies outside of their bytes")
    return result.value


def _raw(name: str, value: s.Flex) -> bytes:
    place, length = c.c_void_p(), c.c_size_t()
    if not getattr(_library.runtime(), f"oclite_flex_{name}")(value, c.byref(place), c.byref(length)):
        raise ValueError("a text of the options lies outside of their bytes")
    return c.string_at(place.value, length.value) if place.value and length.value else b""


def _value(value: s.Flex, depth: int, left: List[int]) -> Any:
    left[0] -= 1
    if depth > _DEEPEST or left[0] < 0:
        raise ValueError("the options are nested too deeply, or too many")
    kind = _library.runtime().oclite_flex_kind(value)
    if kind == _NULL:
        return None
    if kind in (_INT, _UINT, _FLOAT, _BOOL):
        types = {_INT: ("int", c.c_int64), _UINT: ("uint", c.c_uint64), _FLOAT: ("float", c.c_double), _BOOL: ("bool", c.c_bool)}
        return _number(*types[kind], value)
    if kind in (_KEY, _STRING):
        return _raw("string", value).decode("utf-8", "replace")
    if kind == _BLOB:
        return _raw("blob", value)
    values = _elements(value, depth, left)
    return values if kind == _VECTOR else dict(zip(_keys(value, len(values)), values))


def _elements(value: s.Flex, depth: int, left: List[int]) -> List[Any]:
    library, count, found = _library.runtime(), c.c_size_t(), []
    if not library.oclite_flex_vector_size(value, c.byref(count)):
        raise ValueError("a vector of the options lies outside of their bytes")
    for i in range(count.value):
        element = s.Flex()
        if not library.oclite_flex_vector_at(value, i, c.byref(element)):
            raise ValueError("an element of the options lies outside of their bytes")
        found.append(_value(element, depth + 1, left))
    return found


def _keys(value: s.Flex, count: int) -> List[str]:
    keys, key = [], c.c_char_p()
    for i in range(count):
        if not _library.runtime().oclite_flex_map_key(value, i, c.byref(key)):
            raise ValueError("a key of the options lies outside of their bytes")
        keys.append(_library.text(key.value))
    return keys
