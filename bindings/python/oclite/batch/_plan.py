# SPDX-License-Identifier: Apache-2.0
"""What a batch does, as its command line and the model say."""
from __future__ import annotations

import argparse
import contextlib
import functools
import hashlib
import json
import math
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, Callable, Dict, Tuple

import numpy as np

from oclite import _files
from oclite._interpreter import Interpreter
from oclite._model import Model
from oclite.batch._arrays import Arrays
from oclite.batch._engine import Task
from oclite.batch._extras import extra
from oclite.batch._formats import import_format
from oclite.batch._options import RESULTS
from oclite.batch._pictures import Pictures, pictures
from oclite.batch._sounds import Sounds, sounds
from oclite.batch._sources import Broken, Kind
from oclite.batch._tables import Tables
from oclite.batch._target import Target, targets
from oclite.predictor import Predictor

CHUNK_BYTES = 2 << 20  # inputs that are loaded together, at least 4 rows and at most 64
LARGE_MODEL = 24 << 20  # bytes of a file: weights of which caches hold little from one inference to the next
LARGE_BATCH = 4  # rows that share the reading of such weights; more gain no more


def _digest(path: str) -> str:
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        for part in iter(functools.partial(file.read, 1 << 20), b""):
            digest.update(part)
    return digest.hexdigest()


class Plan:
    """The model, and what reads inputs for it."""

    def __init__(self, options: argparse.Namespace) -> None:
        """ValueError, OSError: the model cannot be run, or options do not fit it."""
        self._options = options
        is_local = options.engine == "local"
        with ThreadPoolExecutor() as beside:
            digest = beside.submit(_digest, options.model)
            beside.submit(import_format, options.format)
            self.model = Model(options.model)
            self.batch: int = options.batch or (LARGE_BATCH if not options.delegate and self._is_large() else 1)
            opened = Predictor(self.model, **self._predictor(is_local))
        self._digest = digest.result()
        self._details = opened.get_input_details()
        self.inputs, outputs = targets(self._details, opened.get_output_details())
        self.predictor = opened if is_local else None
        if not is_local:
            opened.close()
        names = [output.name for output in outputs]
        for name in options.outputs or ():
            if name not in names:
                raise ValueError(f"--outputs: the model has no output {name!r}, but {', '.join(map(repr, names))}")
        self.real = {output.name: (output.scale, output.zero_point) for output in outputs if options.dequantize and output.scale}
        self.outputs = [replace(output, dtype=np.dtype(np.float32)) if output.name in self.real else output for output in outputs
                        if output.name in (options.outputs or names)]
        for name, _ in options.input:
            if name not in self._details:
                raise ValueError(f"--input: the model has no input {name!r}, but {', '.join(map(repr, self._details))}")
        self.kinds: Dict[str, Any] = {"broken": Broken()}

    def _is_large(self) -> bool:
        """Bytes are multiplied so fast that to read weights takes a part of the time; with real numbers several rows at a time
        gain nothing, since what is between the layers is four times as large."""
        if os.path.getsize(self._options.model) < LARGE_MODEL:
            return False
        with Interpreter(self.model) as interpreter:
            return all(np.dtype(detail["dtype"]).itemsize == 1 for detail in interpreter.get_input_details())

    def close(self) -> None:
        if self.predictor is not None:
            self.predictor.close()

    def _predictor(self, is_whole: bool) -> Dict[str, Any]:
        """The arguments of a worker's; or of one that only describes the model, where workers are elsewhere."""
        options = self._options
        what = {"delegate": options.delegate, "threads": options.threads, "batch": self.batch} if is_whole else {"batch": 1}
        return {**what, "signature": options.signature, "operators": options.operators}

    def _only(self, what: str) -> Tuple[Target, Any]:
        """The model's only input, and what the metadata say of it."""
        if len(self.inputs) != 1:
            raise ValueError(f"the model takes {len(self.inputs)} inputs, which {what} do not fill: tables do")
        with Interpreter(self.model) as interpreter:
            graphs = interpreter.get_metadata().subgraphs
            order = [detail["index"] for detail in interpreter.get_input_details()]
        about, index = graphs[0].inputs if graphs else (), self._details[self.inputs[0].name]["index"]
        found = order.index(index) if index in order else len(about)
        return self.inputs[0], about[found] if found < len(about) else None

    def _pictures(self) -> Pictures:
        options = self._options
        return pictures(*self._only("pictures"), size=options.size, mean=options.mean, std=options.std, fit=options.fit,
                        resample=options.resample)

    def _arrays(self) -> Arrays:
        return Arrays(self._only(".npy files")[0])

    def _sounds(self) -> Sounds:
        return sounds(*self._only("sounds"), rate=self._options.sample_rate, hop=self._options.hop)

    def _tables(self) -> Tables:
        extra("pyarrow")
        found = None
        if len(self.inputs) == 1:
            with contextlib.suppress(ValueError, ImportError):  # what takes no pictures has none in its tables
                found = self._pictures()
        return Tables(tuple(self.inputs), dict(self._options.input), found)

    def kind(self, name: str) -> Kind:
        """What reads files of this kind. ValueError: the model takes none."""
        make: Dict[str, Callable[[], Kind]] = {"picture": self._pictures, "table": self._tables, "array": self._arrays, "sound": self._sounds}
        if name not in self.kinds:
            self.kinds[name] = make[name]()
        found: Kind = self.kinds[name]
        return found

    def chunk_rows(self, rows: int) -> int:
        """Rows of a chunk: whole batches, of which each worker has several."""
        size = sum(math.prod(max(length, 1) for length in target.shape) * target.dtype.itemsize for target in self.inputs)
        wanted = min(max(CHUNK_BYTES // max(size, 1), 4), 64, max(rows // 16, 1))
        return -(-wanted // self.batch) * self.batch

    def task(self) -> Task:
        options = self._options
        return Task(os.path.abspath(options.model), self._predictor(True), self.kinds, [output.name for output in self.outputs], self.real)

    def manifest(self) -> Dict[str, Any]:
        """What the results depend on, but for the inputs."""
        settings = {name: getattr(self._options, name) for name in RESULTS}
        outputs = [{"name": output.name, "type": "text" if output.is_text else output.dtype.name, "shape": output.shape}
                   for output in self.outputs]
        plain: Dict[str, Any] = json.loads(json.dumps({"model": {"path": self._options.model, "sha256": self._digest},
                                                       "options": settings, "outputs": outputs, "version": _files.version()}))
        return plain
