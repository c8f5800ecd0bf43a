# SPDX-License-Identifier: Apache-2.0
"""The inputs of a batch: which files, how many rows each has, and the chunks of which these become."""
from __future__ import annotations

import bisect
import glob
import itertools
import os
from dataclasses import dataclass
from typing import Any, Callable, Dict, Iterator, List, Mapping, NamedTuple, Optional, Protocol, Sequence, Tuple

from oclite.batch._engine import Chunk, Loaded, Row, said
from oclite.batch._pictures import is_picture
from oclite.batch._sounds import SUFFIXES as OF_SOUNDS
from oclite.batch._tables import SUFFIXES as OF_TABLES

Range = Tuple[int, int]  # of rows: the first, and the one behind the last

LAST_PARTS = 8  # a chunk is no more than such a part of what is left


class Source(NamedTuple):
    """A file."""
    path: str
    size: int
    modified: int  # nanoseconds
    kind: str
    rows: int
    error: Optional[str]  # why it cannot be read: it is one row, with this error


class Kind(Protocol):
    """What reads files of one kind: a Loader that knows how many rows a file has. One that has slices(path, start, end, size)
    as well is read from front to end; its slices have `errors`, one for each row."""

    def count(self, path: str) -> int:
        """Any exception: the file cannot be read, or does not fit the model."""

    def load(self, chunk: Chunk) -> Loaded:
        """See Loader."""


@dataclass(frozen=True)
class Broken:
    """A Loader of rows that have an error already."""

    def load(self, chunk: Chunk) -> Loaded:
        return Loaded(list(chunk.payload), {})


def kind_of(path: str) -> Optional[str]:
    """By what the file's name ends with."""
    suffix = os.path.splitext(path)[1].lower()
    if suffix == ".npy":
        return "array"
    if suffix in OF_TABLES:
        return "table"
    if suffix in OF_SOUNDS:
        return "sound"
    return "picture" if suffix and is_picture(suffix) else None


def _files_in(folder: str) -> List[str]:
    def refuse(error: OSError) -> None:
        raise error
    found = []
    for place, folders, names in os.walk(folder, onerror=refuse, followlinks=True):
        folders.sort()
        found += [os.path.join(place, name) for name in sorted(names)]
    return [path for path in found if kind_of(path)]


def expand(inputs: Sequence[str], out: str) -> List[str]:
    """The files that are meant, each once, but for those in the folder of the results. ValueError: there is none, or one
    that is of no known kind."""
    found: Dict[str, str] = {}
    results = os.path.join(os.path.abspath(out), "")
    for given in inputs:
        if os.path.isdir(given):
            paths = _files_in(given)
        elif os.path.exists(given):
            paths = [given]
            if kind_of(given) is None:
                raise ValueError(f"{given}: the end of its name tells no picture, sound, .npy, Parquet or CSV file")
        else:
            matches = sorted(glob.glob(given, recursive=True))
            paths = [path for path in matches if os.path.isfile(path) and kind_of(path)]
            if not matches:
                raise ValueError(f"{given}: there is no such file")
        if not paths:
            raise ValueError(f"{given}: there are no pictures, sounds, .npy, Parquet or CSV files")
        for path in paths:
            found.setdefault(os.path.abspath(path), path)
    taken = [path for place, path in found.items() if not place.startswith(results)]
    if not taken:
        raise ValueError(f"{inputs[0]}: there is nothing but the results in {out}")
    return taken


def list_sources(paths: Sequence[str], kind: Callable[[str], Kind], known: Mapping[Tuple[str, int, int], Source]) -> List[Source]:
    """Counts the rows of files, but for those that are known and have not changed. ValueError: none can be read."""
    sources = []
    for path in paths:
        status = os.stat(path)
        name = kind_of(path) or ""
        found = known.get((path, status.st_size, status.st_mtime_ns))
        if found is None:
            reader = kind(name)
            try:
                rows, error = reader.count(path), None
            except ImportError:
                raise  # which is no fault of the file's
            except Exception as wrong:  # pylint: disable=broad-except  # damaged files make libraries raise anything
                rows, error = 1, said(wrong)
            found = Source(path, status.st_size, status.st_mtime_ns, name, rows, error)
        sources.append(found)
    if sources and all(source.error is not None for source in sources):
        raise ValueError(f"{sources[0].path}: {sources[0].error}" + (f", and {len(sources) - 1} more" if len(sources) > 1 else ""))
    return sources


def rest(rows: int, done: Sequence[Range]) -> List[Range]:
    """What is missing among the first `rows`."""
    missing, reached = [], 0
    for first, end in sorted(done):
        if first > reached:
            missing.append((reached, first))
        reached = max(reached, end)
    return missing + ([(reached, rows)] if reached < rows else [])


class Feeder:
    """Makes chunks of sources."""

    def __init__(self, sources: Sequence[Source], kinds: Mapping[str, Any], sizes: Mapping[str, int], batch: int = 1) -> None:
        self._sources = sources
        self._kinds = kinds
        self._sizes = sizes  # rows of a chunk, for each kind
        self._batch = batch  # what chunks are multiples of
        self._ends = list(itertools.accumulate(source.rows for source in sources))

    @property
    def rows(self) -> int:
        """Of all sources."""
        return self._ends[-1] if self._ends else 0

    def chunks(self, ranges: Sequence[Range]) -> Iterator[Chunk]:
        """In the order of the rows; none reaches from one range into another."""
        left = sum(end - first for first, end in ranges)
        for first, end in ranges:
            for chunk in self._together(self._range(first, end)):
                yield from self._parts(chunk, left)
                left -= len(chunk.rows)

    def _parts(self, chunk: Chunk, left: int) -> Iterator[Chunk]:
        """The chunk, or less at a time where few rows are left: then all workers end at about the same time."""
        rows = chunk.rows
        while chunk.payload is None and rows:
            count = -(-max(left // LAST_PARTS, 1) // self._batch) * self._batch
            yield Chunk(rows[:count], chunk.kind, None)
            rows, left = rows[count:], left - count
        if chunk.payload is not None:
            yield chunk

    def _range(self, first: int, end: int) -> Iterator[Chunk]:
        for i in range(bisect.bisect_right(self._ends, first), len(self._sources)):
            source, begin = self._sources[i], self._ends[i] - self._sources[i].rows
            if begin >= end:
                return
            yield from self._source(source, begin, max(first - begin, 0), min(end - begin, source.rows))

    def _source(self, source: Source, begin: int, start: int, end: int) -> Iterator[Chunk]:
        """Rows start to end - 1 of a source, whose first row is the number `begin` of all."""
        size = self._sizes[source.kind]
        kind = self._kinds[source.kind]

        def rows(at: int, count: int) -> List[Row]:
            return [Row(begin + i, source.path, i) for i in range(at, at + count)]

        def broken(why: str) -> Iterator[Chunk]:
            for at in range(start, end, size):
                count = min(size, end - at)
                yield Chunk(rows(at, count), "broken", [why] * count)
        if source.error is not None:
            yield from broken(source.error)
        elif not hasattr(kind, "slices"):
            for at in range(start, end, size):
                yield Chunk(rows(at, min(size, end - at)), source.kind, None)
        else:
            try:
                for part in kind.slices(source.path, start, end, size):
                    yield Chunk(rows(start, len(part.errors)), source.kind, part)
                    start += len(part.errors)
                why = "the file has fewer rows than when it was counted"
            except Exception as wrong:  # pylint: disable=broad-except  # as above
                why = said(wrong)
            yield from broken(why)  # what is left, if anything

    def _together(self, chunks: Iterator[Chunk]) -> Iterator[Chunk]:
        """Small chunks of one kind, as files of one row are, become one."""
        kept: Optional[Chunk] = None
        for chunk in chunks:
            if kept is not None and kept.payload is None and chunk.payload is None and kept.kind == chunk.kind and (
                    len(kept.rows) + len(chunk.rows) <= self._sizes[chunk.kind]):
                kept = Chunk([*kept.rows, *chunk.rows], kept.kind, None)
                continue
            if kept is not None:
                yield kept
            kept = chunk
        if kept is not None:
            yield kept
