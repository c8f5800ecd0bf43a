# SPDX-License-Identifier: Apache-2.0
"""The options of the OpenCL delegate: their names, what they may be, and how they reach the library."""
from __future__ import annotations

import difflib
import os
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterable, Sequence, TypedDict, Union

import numpy as np

from oclite import _structs as s
from oclite._library import encode

if TYPE_CHECKING:
    from oclite._kernel import Kernel

Nodes = Union[str, int, Sequence[Union[str, int]]]  # "CONV_2D+17", or ["CONV_2D", 17]


class DelegateOptions(TypedDict, total=False):
    """Keywords of oclite.delegate(); docs/DELEGATE.md says more about each. None is as if it were left out.

    precision: "float32"; "float16": values between operators and weights are stored as half; "auto": as far as
      error_budget allows
    error_budget: with "auto": the error that outputs may have, relative to their largest value
    precision_float32, precision_float16, allow, deny: nodes, by operator or number: ["CONV_2D", 17]
    partition: what runs on the device: "cost", "greedy", "all", "none"; overlap: whether the host goes on while the
      device works: "on", "off", "cost"
    max_partitions, min_nodes: only the largest so many; only those of so many nodes
    custom_ops: .cl files with operators (a path or a list); operators: the same as oclite.Kernel
    cache_dir: a folder for compiled programs, or "off"
    tuning, series, profiling, verbose: switches; report: a file for what the delegate does, as JSON
    watchdog_ms: milliseconds after which kernels are given up
    winograd: how filters of 3 x 3 are computed: "off", "2x2", "4x4", "auto"
    gemm: "own", "clblast", "auto"; selftest: "on", "off", "force"; priority, throttle: "high", "medium", "low"
    """
    precision: Union[str, None]
    error_budget: Union[float, None]
    precision_float32: Union[Nodes, None]
    precision_float16: Union[Nodes, None]
    allow: Union[Nodes, None]
    deny: Union[Nodes, None]
    partition: Union[str, None]
    overlap: Union[str, None]
    max_partitions: Union[int, None]
    min_nodes: Union[int, None]
    custom_ops: Union[str, os.PathLike[str], Sequence[Union[str, os.PathLike[str]]], None]
    operators: Union[Kernel, Sequence[Kernel], None]
    cache_dir: Union[str, os.PathLike[str], None]
    series: Union[bool, None]
    tuning: Union[bool, None]
    profiling: Union[bool, None]
    verbose: Union[bool, None]
    report: Union[str, os.PathLike[str], None]
    watchdog_ms: Union[int, None]
    gemm: Union[str, None]
    winograd: Union[str, None]
    selftest: Union[str, None]
    priority: Union[str, None]
    throttle: Union[str, None]


def _wrong(name: str, value: Any, wanted: str) -> ValueError:
    return ValueError(f"option {name}: {value!r} is not {wanted}")


def nearest(name: str, known: Iterable[str]) -> str:
    """" (did you mean ...?)", or "" where nothing is near."""
    found = difflib.get_close_matches(name.lower(), list(known), 1)
    return f"; did you mean {found[0]!r}?" if found else ""


def _word(*words: str) -> Callable[[str, Any], bytes]:
    def convert(name: str, value: Any) -> bytes:
        if not isinstance(value, str) or value not in words:
            listed = ", ".join(words)
            raise ValueError(f"option {name}: {value!r} is none of {listed}{nearest(str(value), words)}")
        return str(value).encode()
    return convert


def _bytes(name: str, value: Union[str, bytes]) -> bytes:
    return encode(value, f"option {name}")


def _path(name: str, value: Any) -> bytes:
    if not isinstance(value, (str, bytes, os.PathLike)):
        raise _wrong(name, value, "a path")
    return _bytes(name, os.fspath(value))


def _nodes(name: str, value: Any) -> bytes:
    items = [value] if isinstance(value, (str, int, np.integer)) else value
    if not isinstance(items, (list, tuple, set, frozenset)) or not all(
            isinstance(item, (str, int, np.integer)) and not isinstance(item, bool) for item in items):
        raise _wrong(name, value, 'a list of operators and numbers of nodes, such as ["CONV_2D", 17]')
    return _bytes(name, "+".join(str(item) for item in items))


def _switch(name: str, value: Any) -> int:
    if not isinstance(value, (int, np.bool_, np.integer)) or value not in (0, 1):
        raise _wrong(name, value, "True or False")
    return int(value)


def _count(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not 0 <= value < 2**31:
        raise _wrong(name, value, "a number from 0 on")
    return int(value)


def _budget(name: str, value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)) or not 0 < value <= 1:
        raise _wrong(name, value, "a number that is more than 0 and at most 1")
    return float(value)


def _device(name: str, value: Any) -> bytes:
    if isinstance(value, bool) or not isinstance(value, (str, int, np.integer)):
        raise _wrong(name, value, '"any", "gpu", "cpu", "accelerator", a part of a name, or a number')
    return _bytes(name, str(value))


# Those that a field of the library's struct takes. custom_ops and operators become operators of the struct, so that paths
# may contain the ':' by which the library separates them.
_CONVERT: Dict[str, Callable[[str, Any], Any]] = {
    "device": _device, "precision": _word("float32", "float16", "auto"), "error_budget": _budget,
    "precision_float32": _nodes, "precision_float16": _nodes, "allow": _nodes, "deny": _nodes,
    "partition": _word("cost", "greedy", "all", "none"), "overlap": _word("on", "off", "cost"), "max_partitions": _count, "min_nodes": _count,
    "cache_dir": _path, "tuning": _switch, "series": _switch, "profiling": _switch, "verbose": _switch, "report": _path,
    "watchdog_ms": _count, "gemm": _word("own", "clblast", "auto"), "winograd": _word("auto", "off", "2x2", "4x4"),
    "selftest": _word("on", "off", "force"),
    "priority": _word("high", "medium", "low"), "throttle": _word("high", "medium", "low"),
}
NAMES = ("device", *DelegateOptions.__annotations__)


def fill(struct: s.OpenclOptions, options: Dict[str, Any]) -> None:
    """Sets the fields of the library's struct. ValueError names the option and what it may be."""
    for name, value in options.items():
        if name not in NAMES:
            raise ValueError(f"there is no option {name!r}{nearest(name, NAMES)}")
        if value is not None and name in _CONVERT:
            setattr(struct, name, _CONVERT[name](name, value))
