# SPDX-License-Identifier: Apache-2.0
"""Arrays in .npy files, whose first dimension counts rows."""
from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict

import numpy as np

from oclite.batch._engine import Chunk, Loaded, Row, load_each
from oclite.batch._target import Target

if TYPE_CHECKING:
    from oclite._tensor import Array


@dataclass(frozen=True)
class Arrays:
    """Fills the model's only input."""
    target: Target

    def count(self, path: str) -> int:
        """Rows in a file. ValueError, OSError: it cannot be read, or does not fit."""
        array = self._open(path)
        shape = array.shape if self._has_rows(array) else (1, *array.shape)
        wanted = self.target.shape
        if len(shape) != len(wanted) + 1 or any(want not in (-1, got) for got, want in zip(shape[1:], wanted)):
            text = ", ".join(["rows", *("any" if length == -1 else str(length) for length in wanted)])
            raise ValueError(f"an array {list(array.shape)}, where input {self.target.name!r} takes [{text}]")
        self.target.store(array[:0])
        return int(shape[0])

    def load(self, chunk: Chunk) -> Loaded:
        rows, arrays = chunk.rows, {path: self._open(path) for path in {row.source for row in chunk.rows}}
        array = arrays[rows[0].source]
        if len(arrays) == 1 and self._has_rows(array):
            try:
                values = self.target.store(np.array(array[rows[0].position:rows[-1].position + 1]))
                return Loaded([None] * len(rows), {self.target.name: values})
            except ValueError:
                pass  # of some row, which is found below

        def load(_: int, row: Row) -> Dict[str, Array]:
            array = arrays[row.source]
            return {self.target.name: self.target.fit(np.array(array[row.position] if self._has_rows(array) else array))}
        return load_each(rows, load)

    def _has_rows(self, array: Array) -> bool:
        return array.ndim != len(self.target.shape)

    @staticmethod
    def _open(path: str) -> Any:
        return np.load(path, mmap_mode="r", allow_pickle=False)
