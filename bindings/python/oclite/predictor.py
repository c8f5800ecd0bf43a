# SPDX-License-Identifier: Apache-2.0
"""Predictor: a model as a function of many inputs, for pipelines, which send it to where it runs."""
from __future__ import annotations

import copy
import threading
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Type, Union

import numpy as np

from oclite import _tensor
from oclite._custom import load_operators
from oclite._delegate import Delegate, delegate as make_delegate
from oclite._interpreter import Interpreter
from oclite._signature import SignatureRunner, primary_runner

if TYPE_CHECKING:
    import os
    from types import TracebackType

    from oclite._model import Model
    from oclite._tensor import Array

    Rows = Dict[str, Array]

DelegateSpec = Union[str, Mapping[str, Any], None]
"""A device's name, or the keywords of oclite.delegate(); None: the CPU."""


class _Input(NamedTuple):
    """An input of the model."""
    name: str
    shape: Tuple[int, ...]
    is_open: Tuple[bool, ...]  # the lengths that the model leaves to its caller
    dtype: np.dtype[Any]
    is_string: bool


def _create_delegate(spec: DelegateSpec) -> List[Delegate]:
    if spec is None:
        return []
    if isinstance(spec, str):
        return [make_delegate(spec)]
    if not isinstance(spec, Mapping):
        raise TypeError("delegate is the name of a device or a dictionary of options for oclite.delegate(), not "
                        f"{type(spec).__name__}: a predictor is sent to where it runs, and makes its delegate there")
    return [make_delegate(**dict(spec))]


def _check_count(value: Any, name: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name} is an integer, not {type(value).__name__}")
    if value < 1:
        raise ValueError(f"{name} is at least 1, not {value}")
    return value


def _input(name: str, detail: Dict[str, Any]) -> _Input:
    shape, signature = tuple(detail["shape"].tolist()), detail["shape_signature"].tolist()
    is_open = tuple(length == -1 for length in signature) if len(signature) == len(shape) else (False,) * len(shape)
    return _Input(name, shape, is_open, np.dtype(detail["dtype"]), detail["dtype"] is np.bytes_)


def _same(left: Array, right: Array, exact: bool) -> bool:
    """Whether results are the same; of a device within what another order of its sums may change."""
    if left.shape != right.shape:
        return False
    if left.dtype.kind not in "iufc":
        return bool(np.array_equal(left, right))
    if exact or left.size == 0:
        return bool(np.array_equal(left, right, equal_nan=left.dtype.kind in "fc"))
    if left.dtype.kind in "iu":
        return bool(np.all(np.abs(left.astype(np.float64) - right.astype(np.float64)) <= 1))
    finite = np.abs(right[np.isfinite(right)]).astype(np.float64)
    return bool(np.allclose(left, right, rtol=1e-2, atol=1e-2 * finite.max(initial=0.0), equal_nan=True))


def _stack(results: Sequence[Array]) -> Array:
    """Results behind each other in a new first dimension; of shapes that differ, as objects."""
    if len({result.shape for result in results}) == 1:
        return np.stack(results)
    stacked = np.empty(len(results), object)
    for i, result in enumerate(results):
        stacked[i] = result
    return stacked


def _join(parts: Sequence[Array]) -> Array:
    """Results behind each other in their first dimension; rows of shapes that differ are objects."""
    if len({(part.dtype, part.shape[1:]) for part in parts}) == 1:
        return np.concatenate(parts)
    return _stack([row for part in parts for row in part])


class Predictor:
    """A model as a function of arrays whose first dimension counts inputs ("rows"):

        predict = oclite.Predictor("model.tflite", delegate="gpu", batch=32)
        result = predict({"image": images})["scores"]     # images: (1000, 224, 224, 3), scores: (1000, 1001)

    An input of the model that is (1, 224, 224, 3) takes (n, 224, 224, 3): its first dimension is that of the rows, as it is
    of outputs that begin with 1. Or it takes (n, 1, 224, 224, 3), one whole input for each row; where no input has the
    rows in its own first dimension, outputs are stacked whole, too, and those whose shapes differ are objects of an array.
    A model of k rows gets k at a time.

    Each row's result is that of the row alone, whatever rows are beside it: rows go through the model together where
    it can be resized and its results stay the same, which the first call finds out; elsewhere one after another. What a
    model remembers in variables is forgotten between inferences.

    Pickled, it is its arguments; what unpickles it opens the model again, there. Threads take turns.
    """

    def __init__(self, model: Union[str, bytes, os.PathLike[str], Model], *, delegate: DelegateSpec = None, threads: int = 1,
                 batch: int = 16, signature: Optional[str] = None,
                 operators: Sequence[Union[str, Tuple[str, str]]] = ()) -> None:
        """Opens a model.

        model: the file, or its bytes, which also go where there is no such file; or an oclite.Model, for several
          predictors of one process.
        delegate: the name of an OpenCL device, "any" for whatever there is, or a dictionary of oclite.delegate()'s
          arguments: {"device": "gpu", "precision": "float16"}; None: the CPU.
        threads: of the CPU.
        batch: the most rows of one inference.
        signature: whose inputs and outputs have the names; None: those of the only one. Of a model that has none, the
          names are those of its tensors.
        operators: the libraries of custom operators, by paths, or paths and functions, as load_operators() takes them.

        ValueError, TypeError, OSError: as Interpreter and delegate() have them.
        """
        self._arguments = {"model": model, "delegate": delegate, "threads": threads, "batch": batch, "signature": signature,
                           "operators": operators}
        self._batch = _check_count(batch, "batch")
        self._lock = threading.Lock()
        is_content = isinstance(model, (bytes, bytearray, memoryview))
        self._interpreter = Interpreter(model_path=None if is_content else model, model_content=model if is_content else None,
                                        num_threads=_check_count(threads, "threads"),
                                        experimental_delegates=_create_delegate(delegate),
                                        operators=[load_operators(*((found,) if isinstance(found, str) else found)) for found in operators])
        self._run = self._runner(signature)
        self._input_details = self._run.get_input_details()
        self._inputs = [_input(name, detail) for name, detail in self._input_details.items()]
        self._allocate()  # shapes of outputs may be known only then
        self._output_details = self._run.get_output_details()
        self._outputs = {name: tuple(detail["shape"].tolist()) for name, detail in self._output_details.items()}
        self._can_resize: Optional[bool] = None if self._batch > 1 else False

    def _runner(self, signature: Optional[str]) -> SignatureRunner:
        if signature is None and not self._interpreter.get_signature_list():
            return primary_runner(self._interpreter)
        return self._interpreter.get_signature_runner(signature)

    def _allocate(self) -> None:
        try:
            self._run.allocate()
        except RuntimeError:
            if not any(any(found.is_open) for found in self._inputs):
                raise  # whatever rows come

    def __reduce__(self) -> Tuple[Callable[..., Predictor], Tuple[Type[Predictor], Dict[str, Any]]]:
        return _make, (type(self), self._arguments)

    def __enter__(self) -> Predictor:
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], value: Optional[BaseException],
                 trace: Optional[TracebackType]) -> None:
        self.close()

    def close(self) -> None:
        """Gives the model's memory back. Any further call is an error."""
        with self._lock:
            self._interpreter.close()

    def get_input_details(self) -> Dict[str, Dict[str, Any]]:
        """The description of each input, as Interpreter.get_input_details() has it, by its name: of the model as it is, whatever
        it has been resized to."""
        return copy.deepcopy(self._input_details)

    def get_output_details(self) -> Dict[str, Dict[str, Any]]:
        """The description of each output by its name."""
        return copy.deepcopy(self._output_details)

    def __call__(self, inputs: Mapping[str, Any]) -> Rows:
        """The outputs by name, for inputs by name.

        TypeError: no dictionary. ValueError: other names than the model's, another type or shape, which one and what
        would be right. RuntimeError: what the library says.
        """
        if not isinstance(inputs, Mapping):
            raise TypeError(f"inputs is a dictionary of arrays by name, not {type(inputs).__name__}")
        with self._lock:
            call = _Call(self._inputs, inputs)
            if call.rows == 0:
                return self._nothing(call)
            step = max(self._batch // call.unit, 1) * call.unit
            chunks = [self._chunk(call, first, min(first + step, call.rows)) for first in range(0, call.rows, step)]
        return {name: _join([chunk[name] for chunk in chunks]) for name in chunks[0]}

    def _chunk(self, call: _Call, first: int, end: int) -> Rows:
        if call.can_resize and self._can_resize is not False and end - first > call.unit:
            together = self._together(call, first, end)
            if together is not None:
                return together
        units = [self._unit(call, at, min(at + call.unit, end)) for at in range(first, end, call.unit)]
        return {name: self._put_together(call, name, [unit[name] for unit in units], end - first) for name in units[0]}

    def _infer(self, values: Rows) -> Rows:
        try:
            return self._run(**values)
        finally:
            self._interpreter.reset_all_variables()

    def _unit(self, call: _Call, first: int, end: int) -> Rows:
        """The results of as many rows as the model has."""
        return self._infer(call.unit_values(first, end))

    def _together(self, call: _Call, first: int, end: int) -> Optional[Rows]:
        """The results of rows in one inference; None if the model cannot do that."""
        last = first + (end - first - 1) // call.unit * call.unit
        samples = (first, last) if self._can_resize is None else ()
        alone = {at: self._unit(call, at, min(at + call.unit, end)) for at in samples}
        try:
            results = self._infer(call.values(first, end))
        except RuntimeError:  # it cannot be resized, or not to that; what else there is, is met by rows alone
            results = {}
        is_right = bool(results) and all(result.ndim > 0 and len(result) == end - first for result in results.values())
        for at, unit in alone.items():
            is_right = is_right and all(self._agree(results[name][at - first:], result, min(call.unit, end - at))
                                        for name, result in unit.items())
        if self._can_resize is None:
            self._can_resize = is_right
        return results if is_right else None

    def _agree(self, together: Array, alone: Array, rows: int) -> bool:
        exact = self._arguments["delegate"] is None
        return alone.ndim > 0 and len(alone) >= rows and _same(together[:rows], alone[:rows], exact)

    def _put_together(self, call: _Call, name: str, results: List[Array], rows: int) -> Array:
        shape = self._outputs[name]
        if call.is_leading and shape and shape[0] == call.unit:
            for result in results:
                if result.ndim == 0 or len(result) != call.unit:
                    raise ValueError(f"output {name!r} has the shape {list(result.shape)} for {call.unit} of the inputs: which "
                                     "row is whose is not known. Give each input a dimension in front of the model's own")
            return _join(results)[:rows]
        if call.unit > 1:
            raise ValueError(f"output {name!r} has the shape {list(shape)}, which does not begin with the {call.unit} rows of "
                             "the inputs. Give each input a dimension in front of the model's own")
        return _stack(results)

    def _nothing(self, call: _Call) -> Rows:
        results = {}
        for name, detail in self._output_details.items():
            shape = self._outputs[name]
            rest = shape[1:] if call.is_leading and shape and shape[0] == call.unit else shape
            results[name] = np.empty((0, *rest), detail["dtype"] if detail["dtype"] is not np.bytes_ else object)
        return results


def _make(kind: Type[Predictor], arguments: Dict[str, Any]) -> Predictor:
    return kind(**arguments)


class _Call:
    """The inputs of one call: what was given, checked, and how rows lie in it."""

    def __init__(self, inputs: Sequence[_Input], given: Mapping[str, Any]) -> None:
        names = [found.name for found in inputs]
        missing, unknown = [n for n in names if n not in given], [n for n in given if n not in names]
        if missing or unknown:
            raise ValueError(f"the model's inputs are {', '.join(map(repr, names))}"
                             + (f"; {', '.join(map(repr, missing))} is missing" if missing else "")
                             + (f"; {', '.join(map(repr, unknown))} is none of them" if unknown else ""))
        if not names:
            raise ValueError("the model has no inputs: there are no rows to compute")
        self._values = {found.name: _tensor.as_array(given[found.name], f"input {found.name!r}") for found in inputs}
        leading = {found.name: self._check(found) for found in inputs}
        self._leading = leading
        self.is_leading = any(leading.values())
        self.can_resize = all(leading.values())
        self.unit = self._unit_of(inputs)
        lengths = {name: len(value) for name, value in self._values.items()}
        self.rows = next(iter(lengths.values()))
        if any(length != self.rows for length in lengths.values()):
            raise ValueError("inputs have as many rows as each other, not "
                             + ", ".join(f"{length} ({name!r})" for name, length in lengths.items()))

    def _unit_of(self, inputs: Sequence[_Input]) -> int:
        """The rows of one inference of the model as it is."""
        lengths = {found.name: 1 if found.is_open[0] else found.shape[0] for found in inputs if self._leading[found.name]}
        lengths.update({name: 1 for name, is_leading in self._leading.items() if not is_leading})
        if len(set(lengths.values())) > 1 or 0 in lengths.values():
            raise ValueError("the inputs' first dimensions are not the same in the model: "
                             + ", ".join(f"{length} ({name!r})" for name, length in lengths.items())
                             + ". Give each input a dimension in front of the model's own")
        return next(iter(lengths.values()))

    def _check(self, found: _Input) -> bool:
        """Whether the rows lie in the input's own first dimension; ValueError for another type or shape."""
        value = self._values[found.name]
        kinds = "SUO" if found.is_string else value.dtype.kind
        if value.dtype.kind not in kinds or (not found.is_string and value.dtype.newbyteorder("=") != found.dtype):
            wanted = "STRING" if found.is_string else found.dtype.name.upper()
            raise ValueError(f"Cannot set tensor: Got value of type {value.dtype.name.upper()} but expected type {wanted} for "
                             f"input {found.name!r}")
        rank = len(found.shape)
        is_leading = rank > 0 and value.ndim == rank
        wanted_shape = ["-1" if is_open else str(length) for length, is_open in zip(found.shape, found.is_open)]
        text = f"[rows, {', '.join(wanted_shape[1:])}]" if rank > 1 else "[rows]" if rank else "no"
        if value.ndim != rank + 1 and not is_leading:
            raise ValueError(f"Cannot set tensor: Dimension mismatch. Got {value.ndim} but expected {rank} or {rank + 1} for "
                             f"input {found.name!r}, of {text} dimensions or with one of rows in front")
        got = value.shape if is_leading else value.shape[1:]
        for i in range(1 if is_leading else 0, rank):
            if got[i] != found.shape[i] and not found.is_open[i]:
                raise ValueError(f"Cannot set tensor: Dimension mismatch. Got {got[i]} but expected {found.shape[i]} for "
                                 f"dimension {i + (0 if is_leading else 1)} of input {found.name!r}")
        return is_leading

    def values(self, first: int, end: int) -> Rows:
        return {name: value[first:end] for name, value in self._values.items()}

    def unit_values(self, first: int, end: int) -> Rows:
        """The values of one inference of the model as it is; where too few rows are left, the last one stands in for others."""
        taken = {}
        for name, value in self._values.items():
            if not self._leading[name]:
                taken[name] = value[first]
                continue
            part = value[first:end]
            taken[name] = part if len(part) == self.unit else np.concatenate(
                [part, np.repeat(part[-1:], self.unit - len(part), axis=0)])
        return taken
