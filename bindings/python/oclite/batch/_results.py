# SPDX-License-Identifier: Apache-2.0
"""The folder of results. It has a file for some rows that follow each other, whose name says which: what is there is done, and whole.

  part-000000000000-000000001000.parquet   rows 0 to 999
  _manifest.json, _inputs.jsonl            what was to be done: a batch that goes on must be the same
  _SUCCESS                                 all rows are there
  _lock, _tmp-...                          in use; of a batch that was killed, until the next one removes it
"""
from __future__ import annotations

import contextlib
import fcntl
import json
import os
import re
import shutil
import time
from typing import IO, Any, Dict, Iterator, List, Optional, Sequence

import numpy as np

from oclite.batch._engine import Results
from oclite.batch._formats import Format, Rows
from oclite.batch._sources import Range, Source

MANIFEST, INPUTS, SUCCESS, LOCK, TEMPORARY = "_manifest.json", "_inputs.jsonl", "_SUCCESS", "_lock", "_tmp-"
_PART = re.compile(r"part-(\d{12})-(\d{12})(\.\w+|)")


def _sync(path: str) -> None:
    """Waits until a file, or the names in a folder, are on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove(path: str) -> None:
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path)
    else:
        os.unlink(path)


class Folder:
    """Where results go. One batch at a time has it."""

    def __init__(self, path: str) -> None:
        """ValueError: it is in use, or of something else. OSError: it cannot be made."""
        os.makedirs(path, exist_ok=True)
        self._path = path
        others = [name for name in os.listdir(path) if not name.startswith("_")]
        if others and not os.path.exists(self._at(MANIFEST)):
            raise ValueError(f"--out {path}: the folder has files of something else, such as {min(others)}")
        self._lock = self._take_lock()
        for name in os.listdir(path):
            if name.startswith(TEMPORARY):
                _remove(self._at(name))

    def close(self) -> None:
        """Lets others have it."""
        self._lock.close()

    def _at(self, name: str) -> str:
        return os.path.join(self._path, name)

    def _take_lock(self) -> IO[str]:
        lock = open(self._at(LOCK), "a+", encoding="ascii")
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            owner = lock.read().strip()
            lock.close()
            raise ValueError(f"--out {self._path}: another batch writes there (process {owner})") from None
        lock.truncate(0)
        lock.write(f"{os.getpid()}\n")
        lock.flush()
        return lock

    # ---- What is to be done ----

    def manifest(self) -> Optional[Dict[str, Any]]:
        """That of an earlier start. ValueError: it is damaged."""
        try:
            with open(self._at(MANIFEST), encoding="utf-8") as file:
                found = json.load(file)
        except FileNotFoundError:
            return None
        except ValueError as error:
            raise ValueError(f"{self._at(MANIFEST)}: {error}") from None
        if not isinstance(found, dict):
            raise ValueError(f"{self._at(MANIFEST)}: this is no manifest")
        return found

    def inputs(self) -> List[Source]:
        """Those of an earlier start. ValueError: the list is damaged."""
        try:
            with open(self._at(INPUTS), encoding="utf-8") as file:
                return [Source(**json.loads(line)) for line in file]
        except (ValueError, TypeError) as error:
            raise ValueError(f"{self._at(INPUTS)}: {error}") from None

    def begin(self, manifest: Dict[str, Any], sources: Sequence[Source]) -> None:
        """Notes what is to be done, the manifest last: with it the list of inputs is whole."""
        self.write_text(INPUTS, "".join(json.dumps(source._asdict()) + "\n" for source in sources))
        self.write_text(MANIFEST, json.dumps(manifest, indent=2) + "\n")

    def write_text(self, name: str, text: str) -> None:
        """A whole file or none."""
        with self._new(name) as temporary:
            with open(temporary, "w", encoding="utf-8") as file:
                file.write(text)
            self._keep(temporary, [temporary], name)

    # ---- What is done ----

    def done(self, suffix: str, rows: int) -> List[Range]:
        """The rows of the files that are there. ValueError: files that do not belong together."""
        found: List[Range] = []
        for name in sorted(os.listdir(self._path)):
            match = _PART.fullmatch(name)
            if match is None:
                continue
            first, end = int(match[1]), int(match[2])
            if match[3] != suffix or not first < end <= rows or (found and first < found[-1][1]):
                raise ValueError(f"{self._at(name)}: this is no part of a batch of {rows} rows beside the others that are there")
            found.append((first, end))
        return found

    def write(self, form: Format, given: Rows) -> None:
        """A part. OSError: it cannot be written, and nothing of it is left."""
        name = f"part-{given.rows[0].number:012d}-{given.rows[-1].number + 1:012d}{form.suffix}"
        with self._new(name) as temporary:
            written = form.write(temporary, given)
            self._keep(temporary, [*written, *([] if form.suffix else [temporary])], name)

    @contextlib.contextmanager
    def _new(self, name: str) -> Iterator[str]:
        """The path under which a file is written until it is whole. Nothing is left there when that fails."""
        temporary = self._at(TEMPORARY + name)
        try:
            yield temporary
        except BaseException as error:
            with contextlib.suppress(OSError):
                _remove(temporary)
            if isinstance(error, OSError):
                raise OSError(f"{self._at(name)} cannot be written: {error.strerror or error}. What is there stays, and the same command "
                              "goes on") from error
            raise

    def _keep(self, temporary: str, written: Sequence[str], name: str) -> None:
        for path in written:
            _sync(path)
        os.rename(temporary, self._at(name))
        _sync(self._path)


class Writer:
    """Collects results, and writes them as parts of limited length."""

    def __init__(self, folder: Folder, form: Format, *, rows: int, size: int, seconds: float) -> None:
        """A part has at most `rows` rows, and is written as soon as its values take `size` bytes, or are `seconds` old."""
        self._folder = folder
        self._form = form
        self._limits = rows, size, seconds
        self._clear()

    def _clear(self) -> None:
        self._kept = Rows([], [], {})
        self._size = 0
        self._since = time.monotonic()

    def add(self, results: Results) -> None:
        """OSError: they cannot be written."""
        if self._kept.rows and results.rows[0].number != self._kept.rows[-1].number + 1:
            self.flush()  # behind rows that were done before
        at = 0
        for row, error in zip(results.rows, results.errors):
            self._kept.rows.append(row)
            self._kept.errors.append(error)
            if error is None:
                for name, values in results.outputs.items():
                    value = values[at] if isinstance(values[at], np.ndarray) else np.array(values[at], values.dtype)
                    self._kept.outputs.setdefault(name, []).append(value)
                    self._size += value.nbytes
                at += 1
            if len(self._kept.rows) >= self._limits[0] or self._size >= self._limits[1]:
                self.flush()
        if time.monotonic() - self._since >= self._limits[2]:
            self.flush()

    def flush(self) -> None:
        """Writes what there is. OSError: it cannot be written."""
        if self._kept.rows:
            self._folder.write(self._form, self._kept)
        self._clear()
