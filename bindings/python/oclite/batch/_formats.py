# SPDX-License-Identifier: Apache-2.0
"""What results are written as: a Parquet file, lines of JSON, or a folder of .npy files, for some rows that follow each other."""
from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Protocol, Sequence, Tuple

import numpy as np

from oclite.batch._engine import Row
from oclite.batch._extras import extra
from oclite.batch._target import Target

if TYPE_CHECKING:
    from oclite._tensor import Array

OF_ROWS = ("row", "source", "position", "error")
"""The columns beside the outputs."""


class Rows(NamedTuple):
    """Results that are written together."""
    rows: List[Row]
    errors: List[Optional[str]]
    outputs: Dict[str, List[Array]]  # of the rows without an error


class Format(Protocol):
    """One of them. `suffix` ends the names of files; what has none is a folder."""
    suffix: str

    def write(self, path: str, given: Rows) -> List[str]:
        """Writes a new file, or folder, and returns the files that have been written. OSError: it cannot."""


def column_names(outputs: Sequence[Target]) -> Dict[str, str]:
    """What each output is called beside the columns of rows."""
    return {output.name: f"output:{output.name}" if output.name in OF_ROWS else output.name for output in outputs}


def _name(path: str) -> str:
    """A file's name, as a text; bytes that are none are written as \\xFF."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")


def _objects(values: Sequence[Optional[str]]) -> Array:
    array = np.empty(len(values), object)
    array[:] = values
    return array


def _offsets(sizes: Any) -> Array:
    offsets = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
    if offsets[-1] > np.iinfo(np.int32).max:
        raise ValueError(f"{offsets[-1]} values in a column of one file, where Parquet's lists and texts hold {np.iinfo(np.int32).max}: --format npy")
    return offsets.astype(np.int32)


class Parquet:
    """A table. Outputs of several values are lists, in one row; those of several dimensions have a column for their shape."""
    suffix = ".parquet"

    def __init__(self, outputs: Sequence[Target]) -> None:
        import_format("parquet")
        self._pyarrow = extra("pyarrow")
        self._outputs = outputs
        for output in outputs:
            if output.dtype.kind == "c":
                raise ValueError(f"output {output.name!r} is of {output.dtype.name}, which Parquet does not have: --format npy")

    def write(self, path: str, given: Rows) -> List[str]:
        pa, names = self._pyarrow, column_names(self._outputs)
        kinds = (pa.int64(), pa.string(), pa.int64(), pa.string())
        rows = (np.array([row.number for row in given.rows], np.int64), _objects([_name(row.source) for row in given.rows]),
                np.array([row.position for row in given.rows], np.int64), _objects(given.errors))
        fields = [pa.field(name, kind) for name, kind in zip(OF_ROWS, kinds)]
        columns = [self._array(values, kind) for values, kind in zip(rows, kinds)]
        absent = np.array([error is not None for error in given.errors])
        for output in self._outputs:
            for name, column in self._columns(output, names[output.name], given.outputs.get(output.name, []), absent):
                fields.append(pa.field(name, column.type, metadata={"shape": json.dumps(output.shape)} if name == names[output.name] else None))
                columns.append(column)
        self._pyarrow.parquet.write_table(pa.Table.from_arrays(columns, schema=pa.schema(fields)), path)
        return [path]

    def _columns(self, output: Target, name: str, values: List[Array], absent: Array) -> Iterator[Tuple[str, Any]]:
        pa = self._pyarrow
        kind = pa.binary() if output.is_text else pa.from_numpy_dtype(output.dtype)
        sizes = np.zeros(len(absent), np.int64)
        sizes[~absent] = [value.size for value in values]
        flat = np.concatenate([value.reshape(-1) for value in values]) if values else np.empty(0, output.dtype)
        if output.is_known and not output.shape:
            _same_size(output, sizes[~absent])
            spread = np.zeros(len(absent), flat.dtype)
            spread[~absent] = flat
            yield name, self._array(spread, kind, absent)
            return
        yield name, self._lists(self._array(flat, kind), sizes, absent)
        if not output.is_known or len(output.shape) > 1:
            shapes = [value.shape for value in values]
            lengths = np.array([length for shape in shapes for length in shape], np.int32)
            ranks = np.zeros(len(absent), np.int64)
            ranks[~absent] = [len(shape) for shape in shapes]
            yield f"{name}.shape", self._lists(self._array(lengths, pa.int32()), ranks, absent)

    def _lists(self, flat: Any, sizes: Array, absent: Array) -> Any:
        offsets = self._array(_offsets(sizes), self._pyarrow.int32())
        return self._pyarrow.ListArray.from_arrays(offsets, flat, mask=self._array(absent, self._pyarrow.bool_()))

    def _array(self, values: Array, kind: Any, absent: Optional[Array] = None) -> Any:
        """Of texts (objects), truth values or numbers, by their memory: pyarrow.array imports pandas, where it is, for half a second."""
        pa, parts = self._pyarrow, []
        if values.dtype.kind == "O":
            texts = [text.encode() if isinstance(text, str) else text or b"" for text in values]
            parts = [_offsets([len(text) for text in texts]), np.frombuffer(b"".join(texts), np.uint8)]
            absent = np.array([text is None for text in values], bool) if absent is None else absent
        elif values.dtype.kind == "b":
            parts = [np.packbits(values, bitorder="little")]
        else:
            parts = [np.ascontiguousarray(values)]
        valid = None if absent is None else pa.py_buffer(np.packbits(~absent, bitorder="little"))
        return pa.Array.from_buffers(kind, len(values), [valid, *map(pa.py_buffer, parts)])


class JsonLines:
    """A line for each row. Numbers that JSON does not have are "NaN", "Infinity" and "-Infinity"."""
    suffix = ".jsonl"

    def __init__(self, outputs: Sequence[Target]) -> None:
        self._names = column_names(outputs)
        for output in outputs:
            if output.dtype.kind == "c":
                raise ValueError(f"output {output.name!r} is of {output.dtype.name}, which JSON does not have: --format npy")

    def write(self, path: str, given: Rows) -> List[str]:
        at = 0
        with open(path, "w", encoding="utf-8") as file:
            for row, error in zip(given.rows, given.errors):
                line = _of_row(row, error)
                for name, column in self._names.items():
                    line[column] = _plain(given.outputs[name][at]) if error is None else None
                at += error is None
                file.write(json.dumps(line, allow_nan=False) + "\n")
        return [path]


class Npy:
    """A folder with an array for each output, rows in the first dimension, and the rows as lines of JSON. Rows with an error
    are NaN in arrays of floats and 0 in others."""
    suffix = ""

    def __init__(self, outputs: Sequence[Target]) -> None:
        self._outputs = outputs
        for output in outputs:
            if output.is_text:
                raise ValueError(f"output {output.name!r} holds texts, which .npy files do not: --format parquet")

    def write(self, path: str, given: Rows) -> List[str]:
        os.mkdir(path)
        written = [os.path.join(path, "rows.jsonl")]
        with open(written[0], "w", encoding="utf-8") as file:
            file.writelines(json.dumps(_of_row(row, error)) + "\n" for row, error in zip(given.rows, given.errors))
        good = [error is None for error in given.errors]
        for output, name in zip(self._outputs, file_names(self._outputs)):
            values = given.outputs.get(output.name, [])
            shapes = {value.shape for value in values} or {tuple(max(length, 0) for length in output.shape)}
            if len(shapes) > 1:
                raise ValueError(f"output {output.name!r} has rows of several shapes, which no array holds: --format parquet")
            array = np.full((len(good), *shapes.pop()), np.nan if output.dtype.kind in "fc" else 0, output.dtype)
            if values:
                array[good] = np.stack(values)
            written.append(os.path.join(path, name))
            np.save(written[-1], array, allow_pickle=False)
        return written


def import_format(name: str) -> None:
    """ImportError: what the format needs is not installed."""
    for module in ("pyarrow", "pyarrow.parquet") if name == "parquet" else ():
        extra(module)


FORMATS: Dict[str, Callable[[Sequence[Target]], Format]] = {"parquet": Parquet, "npy": Npy, "jsonl": JsonLines}


def file_names(outputs: Sequence[Target]) -> List[str]:
    """The .npy file of each output, whose name has what file systems take."""
    names: List[str] = []
    for output in outputs:
        name = re.sub(r"[^\w.-]", "_", output.name) or "output"
        while f"{name}.npy" in names:
            name += "_"
        names.append(f"{name}.npy")
    return names


def _of_row(row: Row, error: Optional[str]) -> Dict[str, Any]:
    return dict(zip(OF_ROWS, (row.number, _name(row.source), row.position, error)))


def _plain(value: Array) -> Any:
    """As lists, of what JSON has."""
    if value.dtype.kind == "f" and not np.isfinite(value).all():
        names = np.where(np.isnan(value), "NaN", np.where(value > 0, "Infinity", "-Infinity"))
        return np.where(np.isfinite(value), value.astype(object), names.astype(object)).tolist()
    if value.dtype == object:
        return np.vectorize(lambda text: text.decode("utf-8", "backslashreplace"), otypes=[object])(value).tolist()
    return value.tolist()


def _same_size(output: Target, sizes: Array) -> None:
    if (sizes != 1).any():
        raise ValueError(f"output {output.name!r} has {sizes[sizes != 1][0]} values for a row, where the model says one")
