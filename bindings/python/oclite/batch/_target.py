# SPDX-License-Identifier: Apache-2.0
"""The model's inputs as loaders fill them, and its outputs as writers keep them."""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, List, Tuple

import numpy as np

if TYPE_CHECKING:
    from oclite._tensor import Array


@dataclass(frozen=True)
class Target:
    """An input, or an output, for one row."""
    name: str
    shape: Tuple[int, ...]  # -1: any length
    dtype: np.dtype[Any]
    scale: float  # of quantized values: real = (stored - zero_point) * scale; 0: they are what they are
    zero_point: int
    is_text: bool
    is_known: bool = True  # of an output: whether `shape` has as many dimensions as its results

    def fit(self, values: Array) -> Array:
        """Any values, as many as a row has, as the input's own. ValueError says what does not fit."""
        fixed = math.prod(length for length in self.shape if length >= 0)
        is_open = -1 in self.shape
        if values.shape != self.shape and (values.size % max(fixed, 1) if is_open else values.size != fixed):
            wanted = f"a multiple of {fixed}" if is_open else str(fixed)
            raise ValueError(f"input {self.name!r} takes {wanted} values, of the shape {list(self.shape)}, not {values.size}")
        if values.ndim != len(self.shape) or not is_open:
            if self.shape.count(-1) > 1:
                raise ValueError(f"input {self.name!r} has several open lengths, {list(self.shape)}: a row does not tell which")
            values = values.reshape(self.shape)
        return self.store(values)

    def store(self, values: Array) -> Array:
        """Values of another type as the input has them: real numbers are quantized where it is, integers are stored
        values. ValueError: the input cannot hold them."""
        if values.dtype == self.dtype:
            return values
        if self.is_text or values.dtype.kind not in "fiub":
            if self.is_text and values.dtype.kind in "SUO":
                return values
            raise ValueError(f"input {self.name!r} takes {'texts' if self.is_text else self.dtype.name}, not {values.dtype.name}")
        if values.dtype.kind == "f" and self.scale and self.dtype.kind in "iu":
            return self.quantize(values)
        if self.dtype.kind in "fc":
            with np.errstate(over="raise"):
                try:
                    return np.asarray(values, self.dtype)
                except FloatingPointError:
                    raise ValueError(f"input {self.name!r} is of {self.dtype.name}, which cannot hold "
                                     f"{np.abs(values).max():g}") from None
        return self._as_integers(values)

    def quantize(self, values: Array) -> Array:
        """As the reference's QUANTIZE: halves go away from zero, and what is out of range to its end."""
        if not np.isfinite(values).all():
            raise ValueError(f"input {self.name!r} is quantized, and cannot hold NaN or infinity")
        kind = np.iinfo(self.dtype)
        scaled = values.astype(np.float32) / np.float32(self.scale)
        stored = np.trunc(scaled + np.copysign(np.float32(0.5), scaled)) + np.float32(self.zero_point)
        return np.asarray(np.clip(stored, kind.min, kind.max), self.dtype)

    def _as_integers(self, values: Array) -> Array:
        lowest, highest = (0, 1) if self.dtype.kind == "b" else (np.iinfo(self.dtype).min, np.iinfo(self.dtype).max)
        is_right = (values >= lowest) & (values <= highest)
        if values.dtype.kind == "f":
            is_right &= np.floor(values) == values
        if not is_right.all():
            raise ValueError(f"input {self.name!r} is of {self.dtype.name}, which cannot hold {values[~is_right].flat[0]:g}")
        return np.asarray(values, self.dtype)


def _target(name: str, detail: Dict[str, Any], has_rows: bool) -> Target:
    signature = detail["shape_signature"].tolist()
    shape = tuple(signature if len(signature) == len(detail["shape"]) else detail["shape"].tolist())
    is_text = detail["dtype"] is np.bytes_
    scale, zero = detail["quantization"]
    is_row = has_rows and bool(shape) and (shape[0] == -1 or detail["shape"][0] == 1)
    return Target(name, shape[1:] if is_row else shape, np.dtype(object if is_text else detail["dtype"]), scale, zero, is_text,
                  is_row or len(shape) > 0)


def targets(inputs: Dict[str, Dict[str, Any]], outputs: Dict[str, Dict[str, Any]]) -> Tuple[List[Target], List[Target]]:
    """Inputs and outputs, for one row. Where all inputs begin with a dimension of 1, or an open one, that is the rows'; elsewhere
    a row is all of an input. So it is where outputs have open first dimensions and inputs have none: as long as contents say."""
    shapes = [(detail["shape"].tolist(), detail["shape_signature"].tolist()) for detail in inputs.values()]
    is_open = [any(detail["shape_signature"].tolist()[:1] == [-1] for detail in side.values()) for side in (inputs, outputs)]
    has_rows = is_open[0] >= is_open[1] and all(shape and (shape[0] == 1 or signature[:1] == [-1]) for shape, signature in shapes)
    return ([_target(name, detail, has_rows) for name, detail in inputs.items()],
            [_target(name, detail, has_rows) for name, detail in outputs.items()])
