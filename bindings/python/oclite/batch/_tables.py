# SPDX-License-Identifier: Apache-2.0
"""Columns of Parquet and CSV files, read by pyarrow."""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Tuple

import numpy as np

from oclite.batch._engine import Chunk, Loaded, Row, load_each, said, stack
from oclite.batch._extras import extra
from oclite.batch._pictures import Pictures
from oclite.batch._target import Target

if TYPE_CHECKING:
    from oclite._tensor import Array

DELIMITERS = {".csv": ",", ".tsv": "\t"}
SUFFIXES = (".parquet", ".pq", *DELIMITERS)
_READ_AHEAD = 16  # chunks that are read from a file at a time

Columns = Dict[str, Tuple[str, ...]]  # of each input; their values are one behind the other in a row


class Slice(NamedTuple):
    """A chunk's payload."""
    errors: List[Optional[str]]  # of rows that are not in the table
    table: Any  # a RecordBatch of the others
    columns: Columns
    is_text: bool = False  # all values are texts, as in CSV files


@dataclass(frozen=True)
class Tables:
    """Fills all inputs, each from its columns."""
    targets: Tuple[Target, ...]
    chosen: Mapping[str, Tuple[str, ...]]  # columns of inputs; of the others they follow from names
    pictures: Optional[Pictures]  # for columns of files' bytes

    def count(self, path: str) -> int:
        """Rows in a file. ValueError, OSError: it cannot be read, or does not fit."""
        if not _is_text(path):
            with extra("pyarrow.parquet").ParquetFile(path) as file:
                self._columns(file.schema_arrow, False)
                return int(file.metadata.num_rows)
        bad: Dict[int, str] = {}
        reader = _open_csv(path, bad)
        if all(_is_number(name) for name in reader.schema.names):
            raise ValueError("the first line holds numbers, where the names of the columns are expected")
        self._columns(reader.schema, True)
        return sum(int(batch.num_rows) for batch in reader) + len(bad)

    def _columns(self, schema: Any, is_text: bool) -> Columns:
        """Which columns fill each input. ValueError: there are none for one."""
        names, found = schema.names, {}
        listed = ", ".join(map(repr, names[:10])) + (" ..." if len(names) > 10 else "")
        for target in self.targets:
            columns = self.chosen.get(target.name) or ((target.name,) if target.name in names else None)
            if columns is None:
                if len(self.targets) > 1:
                    raise ValueError(f"no column for input {target.name!r}: --input '{target.name}=COLUMN' names one of {listed}")
                columns = tuple(names)
            for column in columns:
                if names.count(column) != 1:
                    raise ValueError(f"{'no column' if column not in names else 'several columns'} {column!r} among {listed}")
            wanted, are_single = math.prod(target.shape), is_text or not any(_holds_several(schema.field(column).type) for column in columns)
            if -1 not in target.shape and wanted != len(columns) and are_single:
                raise ValueError(f"input {target.name!r} takes {wanted} values, and {len(columns)} columns are there for it: "
                                 f"--input '{target.name}=COLUMN,...' names those of {listed} that fill it")
            found[target.name] = columns
        return found

    # ---- Reading ----

    def slices(self, path: str, start: int, end: int, size: int) -> Iterator[Slice]:
        """Rows start to end - 1, `size` at a time. What is wrong with the file is raised."""
        return self._csv_slices(path, start, end, size) if _is_text(path) else self._parquet_slices(path, start, end, size)

    def _parquet_slices(self, path: str, start: int, end: int, size: int) -> Iterator[Slice]:
        with extra("pyarrow.parquet").ParquetFile(path) as file:
            columns, first = self._columns(file.schema_arrow, False), 0
            names = sorted({column for several in columns.values() for column in several})
            for group in range(file.num_row_groups):
                rows = file.metadata.row_group(group).num_rows
                low, high = max(start - first, 0), min(end - first, rows)
                first += rows
                why = "a group of the file has fewer rows than the file says"
                try:
                    for part in _slices_of_group(file, group, (low, high), (size, names)) if low < high else ():
                        yield Slice([None] * part.num_rows, part, columns)
                        low += part.num_rows
                except Exception as wrong:  # pylint: disable=broad-except  # other groups of a damaged file may be whole
                    why = said(wrong)
                for at in range(low, high, size):  # what is left, if anything
                    yield Slice([why] * min(size, high - at), file.schema_arrow.empty_table(), columns)

    def _csv_slices(self, path: str, start: int, end: int, size: int) -> Iterator[Slice]:
        bad: Dict[int, str] = {}
        reader, position = _open_csv(path, bad), 0
        columns, empty = self._columns(reader.schema, True), extra("pyarrow").RecordBatch.from_pylist([], reader.schema)
        for batch in _and_last(reader, empty):
            taken = 0
            while position < end and (taken < batch.num_rows or position in bad):
                errors: List[Optional[str]] = []
                first = taken
                while len(errors) < size and position < end and (taken < batch.num_rows or position in bad):
                    error = bad.pop(position, None)
                    taken += error is None
                    if position >= start:
                        errors.append(error)
                    else:
                        first = taken
                    position += 1
                if errors:
                    yield Slice(errors, batch.slice(first, taken - first), columns, True)

    # ---- Loading ----

    def load(self, chunk: Chunk) -> Loaded:
        given: Slice = chunk.payload
        try:
            inputs = self._values(given.table, given) if given.table.num_rows else {}
            return Loaded(given.errors, inputs)
        except Exception:  # pylint: disable=broad-except
            pass  # of some row, which is found below
        at = iter(range(given.table.num_rows))

        def load(i: int, _: Row) -> Dict[str, Array]:
            if given.errors[i] is not None:
                raise ValueError(given.errors[i])
            return {name: values[0] for name, values in self._values(given.table.slice(next(at), 1), given).items()}
        return load_each(chunk.rows, load)

    def _values(self, table: Any, given: Slice) -> Dict[str, Array]:
        return {target.name: self._input(target, [(name, table.column(name)) for name in given.columns[target.name]], given.is_text)
                for target in self.targets}

    def _input(self, target: Target, columns: List[Tuple[str, Any]], is_text: bool) -> Array:
        """All rows of one input, in a first dimension."""
        types = extra("pyarrow").types
        for name, column in columns:
            if column.null_count:
                raise ValueError(f"column {name!r} has no value")
        contents = _bytes_of(columns[0][1], types) if self.pictures and len(columns) == 1 and not is_text else None
        if self.pictures and contents is not None:
            return np.stack([self.pictures.decode(content) for content in contents.to_pylist()])
        if is_text and not target.is_text:
            rows = _numbers_of_texts(columns, np.int64 if target.dtype.kind in "iu" and not target.scale else np.float64)
        else:
            parts = [_numbers(name, column, types) for name, column in columns]
            rows = parts[0] if len(parts) == 1 else np.concatenate([part.reshape(len(part), -1) for part in parts], 1)
        if math.prod(rows.shape[1:]) == math.prod(target.shape):
            return target.store(rows.reshape(len(rows), *target.shape))
        return stack([target.fit(row) for row in rows])


def _slices_of_group(file: Any, group: int, rows: Tuple[int, int], wanted: Tuple[int, List[str]]) -> Iterator[Any]:
    """Rows of a row group, so many at a time, of these columns."""
    (low, high), (size, names), first = rows, wanted, 0
    for batch in file.iter_batches(size * _READ_AHEAD, [group], names):
        for at in range(max(low - first, 0), min(high - first, batch.num_rows), size):
            yield batch.slice(at, min(size, high - first - at, batch.num_rows - at))
        first += batch.num_rows


def _is_text(path: str) -> bool:
    return path.lower().endswith(tuple(DELIMITERS))


def _is_number(name: str) -> bool:
    try:
        float(name)
    except ValueError:
        return False
    return True


def _holds_several(kind: Any) -> bool:
    """Whether a value of a column may be several values of an input."""
    types = extra("pyarrow").types
    return any(check(kind) for check in (types.is_nested, types.is_binary, types.is_large_binary)) or hasattr(kind, "storage_type")


def _open_csv(path: str, bad: Dict[int, str]) -> Any:
    """All columns as bytes. Lines with too few or too many values are left out, and noted by their place among all rows."""
    csv, pyarrow = extra("pyarrow.csv"), extra("pyarrow")

    def refuse(line: Any) -> str:
        bad[line.number - 2] = f"a line of {line.actual_columns} values, where the first line names {line.expected_columns} columns"
        return "skip"
    delimiter = next(sign for suffix, sign in DELIMITERS.items() if path.lower().endswith(suffix))
    read = csv.ReadOptions(use_threads=False)  # otherwise lines have no numbers
    parse = csv.ParseOptions(delimiter=delimiter, newlines_in_values=True, invalid_row_handler=refuse)
    with csv.open_csv(path, read, parse) as first:
        names = first.schema.names
    bad.clear()
    convert = csv.ConvertOptions(column_types={name: pyarrow.binary() for name in names}, strings_can_be_null=False)
    return csv.open_csv(path, read, parse, convert)


def _and_last(reader: Any, last: Any) -> Iterator[Any]:
    """With something behind the end, where lines may be that were left out."""
    yield from reader
    yield last


def _bytes_of(column: Any, types: Any) -> Any:
    """The files in a column of bytes, or of structures that have them as others' data sets of pictures do; else None."""
    if types.is_struct(column.type) and column.type.get_field_index("bytes") >= 0:
        column = extra("pyarrow.compute").struct_field(column, "bytes")
        if column.null_count:
            raise ValueError("a picture without bytes")
    return column if types.is_binary(column.type) or types.is_large_binary(column.type) else None


def _numbers_of_texts(columns: List[Tuple[str, Any]], kind: Any) -> Array:
    """Numbers as CSV files have them."""
    pyarrow, compute = extra("pyarrow"), extra("pyarrow.compute")
    try:
        texts = compute.utf8_trim_whitespace(compute.cast(pyarrow.concat_arrays([column for _, column in columns]), pyarrow.string()))
        numbers = compute.cast(texts, pyarrow.from_numpy_dtype(kind)).to_numpy(zero_copy_only=False)
    except pyarrow.ArrowInvalid as error:
        if len(columns) == 1:
            raise ValueError(f"column {columns[0][0]!r}: {error}") from None
        for column in columns:  # which one is it?
            _numbers_of_texts([column], kind)
        raise
    rows: Array = numbers.reshape(len(columns), -1).T
    return rows


def _numbers(name: str, column: Any, types: Any) -> Array:
    """A column as an array, rows in the first dimension; lists make further ones."""
    compute = extra("pyarrow.compute")
    shape = [len(column)]
    if hasattr(column.type, "storage_type"):
        column = column.storage
    while types.is_nested(column.type) and not types.is_struct(column.type):
        lengths = compute.unique(compute.list_value_length(column)).to_pylist()
        if len(lengths) != 1:
            raise ValueError(f"column {name!r} holds lists of several lengths")
        shape.append(lengths[0])
        column = column.flatten()
        if column.null_count:
            raise ValueError(f"column {name!r} holds a list with a value that is missing")
    if types.is_dictionary(column.type):
        column = column.dictionary_decode()
    is_text = any(check(column.type) for check in (types.is_string, types.is_large_string, types.is_binary, types.is_large_binary))
    if types.is_decimal(column.type):
        column = compute.cast(column, extra("pyarrow").float64())
    elif not is_text and not types.is_integer(column.type) and not types.is_floating(column.type) and not types.is_boolean(column.type):
        raise ValueError(f"column {name!r} holds {column.type}, which is no number and no text")
    values: Array = np.array(column.to_pylist(), object) if is_text else column.to_numpy(zero_copy_only=False)
    return values.reshape(shape)
