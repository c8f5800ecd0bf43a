# SPDX-License-Identifier: Apache-2.0
"""How a batch is computed: chunks of rows go into an engine, and their results come out, in the same order.

Readers make chunks and the writer takes results; neither knows where an engine computes. What an engine gets besides, a
Task, is pickled to wherever that is, and opens a Worker there.
"""
from __future__ import annotations

import importlib
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Callable, Dict, Generator, Iterator, List, Mapping, NamedTuple, Optional, Protocol, Sequence, Tuple, Union

import numpy as np

from oclite.predictor import Predictor

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
    payload: Any  # what the loader makes inputs of, where the rows themselves do not say it: a slice of a table


class Loaded(NamedTuple):
    """The inputs of a chunk."""
    errors: List[Optional[str]]  # of each row; None: it has none
    inputs: Dict[str, Array]  # of the rows without an error, in a first dimension; objects where their shapes differ


class Results(NamedTuple):
    """What has become of a chunk."""
    rows: Sequence[Row]
    errors: List[Optional[str]]  # of each row; None: it has none
    outputs: Dict[str, Array]  # of the rows without an error, in a first dimension; objects where their shapes differ


class Loader(Protocol):
    """Makes inputs of a chunk, on whichever thread or machine it is called. It can be pickled."""

    def load(self, chunk: Chunk) -> Loaded:
        """What is wrong with a row is that row's error; nothing is raised for it."""


class EngineOptions(NamedTuple):
    """Of the command line."""
    workers: Optional[int]  # interpreters; None: as many as there are processors for
    readers: Optional[int]  # threads that load; None: as many as there are processors
    threads: int  # of one interpreter
    address: Optional[str] = None  # of a cluster
    resources: Mapping[str, float] = MappingProxyType({})  # of its nodes, that a worker takes beside processors
    model: Optional[Model] = None  # open in this process
    first: Optional[Predictor] = None  # of that model, and of the task


class Engine(Protocol):
    """Computes chunks."""

    def run(self, task: Task, chunks: Iterator[Chunk]) -> Generator[Results, None, None]:
        """The results of the chunks, in their order, each once. It takes chunks only a little ahead of what it has given
        out, and begins nothing more after it is closed. What makes any further work senseless is raised."""


def make_engine(name: str, options: EngineOptions) -> Engine:
    """ImportError: what it needs is not installed."""
    engine: Engine = importlib.import_module(f"oclite.batch._{name}").make_engine(options)
    return engine


def stack(values: Sequence[Array]) -> Array:
    """Values of rows in a new first dimension; objects where their shapes differ."""
    if len({value.shape for value in values}) == 1:
        return np.stack(values)
    stacked = np.empty(len(values), object)
    stacked[:] = values
    return stacked


def load_each(rows: Sequence[Row], load: Callable[[int, Row], Dict[str, Array]]) -> Loaded:
    """Loads row by row. What damaged files make libraries raise is of any kind, and is the row's error."""
    errors: List[Optional[str]] = []
    found: List[Dict[str, Array]] = []
    for i, row in enumerate(rows):
        try:
            found.append(load(i, row))
            errors.append(None)
        except Exception as error:  # pylint: disable=broad-except
            errors.append(said(error))
    return Loaded(errors, {name: stack([values[name] for values in found]) for name in found[0]} if found else {})


def said(error: BaseException) -> str:
    """An exception in one line; its kind where it says nothing else."""
    return " ".join(str(error).split()) or type(error).__name__


@dataclass(frozen=True)
class Task:
    """What is done with each chunk."""
    model: str
    predictor: Mapping[str, Any]  # further arguments of oclite.Predictor
    loaders: Mapping[str, Loader]
    outputs: Sequence[str]  # the names of those that are wanted
    real: Mapping[str, Tuple[float, int]] = field(default_factory=dict)  # scales and zero points of those that become real numbers

    def open(self, model: Union[Model, str, None] = None) -> Worker:
        """A worker, with an interpreter of its own: of `model`, whose packed weights workers of one process share, or of
        the task's file. ValueError, OSError: as oclite.Predictor has them."""
        return Worker(self, Predictor(self.model if model is None else model, **self.predictor))

    def load(self, chunk: Chunk) -> Loaded:
        """Thread-safe."""
        return self.loaders[chunk.kind].load(chunk)


class Worker:
    """Computes chunks, one at a time."""

    def __init__(self, task: Task, predict: Callable[[Mapping[str, Any]], Dict[str, Array]]) -> None:
        self._task = task
        self._predict = predict

    def __call__(self, chunk: Chunk) -> Results:
        return self.predict(chunk, self._task.load(chunk))

    def predict(self, chunk: Chunk, loaded: Loaded) -> Results:
        """Rows that the model refuses get its words as their error, and the others their results."""
        count = sum(error is None for error in loaded.errors)
        errors, outputs = list(loaded.errors), None
        if count and all(values.dtype != object for values in loaded.inputs.values()):
            try:
                outputs = self._computed(loaded.inputs)
            except Exception:  # pylint: disable=broad-except
                pass  # of some row, which is found below
        if outputs is None:
            outputs = self._one_by_one(loaded.inputs, errors)
        return Results(chunk.rows, errors, outputs)

    def _one_by_one(self, inputs: Dict[str, Array], errors: List[Optional[str]]) -> Dict[str, Array]:
        found: List[Dict[str, Array]] = []
        good = [i for i, error in enumerate(errors) if error is None]
        for at, i in enumerate(good):
            try:
                results = self._computed({name: _row(values, at) for name, values in inputs.items()})
                found.append({name: result[0] for name, result in results.items()})
            except Exception as error:  # pylint: disable=broad-except
                errors[i] = said(error)
        return {name: stack([values[name] for values in found]) for name in found[0]} if found else {}

    def _computed(self, inputs: Dict[str, Array]) -> Dict[str, Array]:
        results = self._predict(inputs)
        return {name: self._as_wanted(name, results[name]) for name in self._task.outputs}

    def _as_wanted(self, name: str, values: Array) -> Array:
        if name not in self._task.real:
            return values
        if values.dtype == object:
            return stack([self._as_wanted(name, value) for value in values])
        scale, zero = self._task.real[name]
        real: Array = (values.astype(np.float32) - np.float32(zero)) * np.float32(scale)
        return real


def _row(values: Array, at: int) -> Array:
    """One row, in a first dimension of one. Of objects that are no arrays, as strings are, it is a row of them."""
    value = values[at]
    return value[None] if isinstance(value, np.ndarray) else values[at:at + 1]
