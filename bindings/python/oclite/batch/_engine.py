# SPDX-License-Identifier: Apache-2.0
"""How a batch is computed: chunks of rows go into an engine, and their results come out, in the same order.

Readers make chunks and the writer takes results; neither knows where an engine computes. What an engine gets besides, a
Task, is pickled to wherever that is, and opens a Worker there.
"""
from __future__ import annotations

import importlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Protocol, Sequence, Union

if TYPE_CHECKING:
    from oclite._model import Model
    from oclite._tensor import Array

ENGINES = ("local", "ray")
"""Name -> the module oclite.batch._NAME, whose make_engine(options) returns an Engine."""


class Row(NamedTuple):
    """One set of inputs of the model, and one row of the results."""
    number: int  # among all rows of the batch
    source: str  # the file
    position: int  # among the file's rows


class Chunk(NamedTuple):
    """Rows that are loaded and computed together. It can be pickled."""
    rows: Sequence[Row]
    kind: str  # the loader's
    payload: Any  # what the loader makes inputs of: paths, a slice of a table


class Loaded(NamedTuple):
    """The inputs of a chunk."""
    errors: List[Optional[str]]  # of each row; None: it has none, and its values are the next in `inputs`
    inputs: Dict[str, Array]


class Results(NamedTuple):
    """What has become of a chunk."""
    rows: Sequence[Row]
    errors: List[Optional[str]]
    outputs: Dict[str, Array]  # of the rows without an error, in a first dimension; objects where their shapes differ


class Loader(Protocol):
    """Makes inputs of a chunk's payload, on whichever thread or machine it is called. It can be pickled."""

    def load(self, chunk: Chunk) -> Loaded:
        """What is wrong with a row is that row's error; nothing is raised for it."""


class EngineOptions(NamedTuple):
    """Of the command line."""
    workers: Optional[int]  # interpreters; None: as many as there are processors for
    readers: Optional[int]  # threads that load; None: as many as there are processors
    address: Optional[str]  # of a cluster
    threads: int  # of one interpreter


class Engine(Protocol):
    """Computes chunks."""

    def run(self, task: Task, chunks: Iterator[Chunk]) -> Iterator[Results]:
        """The results of the chunks, in their order, each once. It takes chunks only a little ahead of what it has given
        out, and begins nothing more after it is closed. What makes any further work senseless is raised."""


def make_engine(name: str, options: EngineOptions) -> Engine:
    """ValueError: there is no such engine; ImportError: what it needs is not installed."""
    if name not in ENGINES:
        raise ValueError(f"there is no engine {name!r}: --engine {' or '.join(ENGINES)}")
    engine: Engine = importlib.import_module(f"oclite.batch._{name}").make_engine(options)
    return engine


@dataclass(frozen=True)
class Task:
    """What is done with each chunk."""
    model: str
    predictor: Mapping[str, Any]  # further arguments of oclite.Predictor
    loaders: Mapping[str, Loader]
    outputs: Sequence[str] = field(default=())  # which; none: all

    def open(self, model: Union[Model, str, None] = None) -> Worker:
        """A worker, with an interpreter of its own: of `model`, whose packed weights workers of one process share, or of
        the task's file."""
        return Worker(self, model)

    def load(self, chunk: Chunk) -> Loaded:
        """Thread-safe."""
        return self.loaders[chunk.kind].load(chunk)


class Worker:
    """Computes chunks, one at a time."""

    def __init__(self, task: Task, model: Union[Model, str, None] = None) -> None:
        from oclite.predictor import Predictor  # which readers need not have
        self._task = task
        self._predict = Predictor(task.model if model is None else model, **task.predictor)

    def __call__(self, chunk: Chunk) -> Results:
        return self.predict(chunk, self._task.load(chunk))

    def predict(self, chunk: Chunk, loaded: Loaded) -> Results:
        """Rows that the model refuses get its words as their error, and the others their results."""
        raise NotImplementedError(chunk, loaded)
