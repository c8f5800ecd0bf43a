# SPDX-License-Identifier: Apache-2.0
"""Models in Apache Beam's pipelines: `oclite.beam.ModelHandler` is for RunInference."""
from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from oclite.batch._extras import extra
from oclite.predictor import DelegateSpec, Predictor

if TYPE_CHECKING:
    from oclite._tensor import Array

    Example = Union[Mapping[str, Array], Array]

_base = extra("apache_beam.ml.inference.base", "beam", "oclite.beam")
_ModelHandler: Any = _base.ModelHandler
_filesystems = extra("apache_beam.io.filesystems", "beam", "oclite.beam")


class ModelHandler(_ModelHandler):  # type: ignore[misc]
    """A model for Beam's RunInference:

        scores = images | RunInference(oclite.beam.ModelHandler("model.tflite", max_batch_size=32))

    An example is a dictionary of arrays, one row for each input of the model, or the array of a model's only input: of an
    input (1, 224, 224, 3) it is (224, 224, 3). Results are dictionaries of the outputs' rows. With KeyedModelHandler
    examples have keys. An error is one of a whole batch, and says which example it is of; with_exception_handling() puts
    that batch, with the error, aside.
    """

    def __init__(self, model: Union[str, bytes, os.PathLike[str]], *, delegate: DelegateSpec = None, threads: int = 1,
                 batch: int = 16, signature: Optional[str] = None, operators: Sequence[Union[str, Tuple[str, str]]] = (),
                 **batching: Any) -> None:
        """The model is opened where it runs, not here.

        model: a file there, one of a file system that Beam knows ("gs://bucket/model.tflite"), or the bytes.
        delegate, threads, batch, signature, operators: as oclite.Predictor has them.
        batching: what Beam's ModelHandler takes: min_batch_size, max_batch_size, large_model, ...
        """
        super().__init__(**batching)
        self._model = model
        self._arguments: Dict[str, Any] = {"delegate": delegate, "threads": threads, "batch": batch, "signature": signature,
                                           "operators": operators}

    def load_model(self) -> Predictor:
        """ValueError, OSError: as oclite.Predictor has them."""
        model = self._model
        if isinstance(model, str) and "://" in model:
            with _filesystems.FileSystems.open(model) as file:
                model = file.read()
        return Predictor(model, **self._arguments)

    def run_inference(self, batch: Sequence[Example], model: Predictor,
                      inference_args: Optional[Dict[str, Any]] = None) -> Iterable[Any]:
        """A PredictionResult for each example."""
        names = list(model.get_input_details())
        rows = [_as_row(example, names) for example in batch]
        results = _together(rows, model)
        name = None if isinstance(self._model, bytes) else os.fspath(self._model)
        return [_base.PredictionResult(example, result, name) for example, result in zip(batch, results)]

    def get_num_bytes(self, batch: Sequence[Example]) -> int:
        """Of the arrays, for Beam's metrics."""
        values = (value for example in batch for value in (example.values() if isinstance(example, Mapping) else [example]))
        return sum(np.asarray(value).nbytes for value in values)

    def get_metrics_namespace(self) -> str:
        return "oclite"

    def update_model_path(self, model_path: Optional[str] = None) -> None:
        """Called by RunInference where a side input has another model."""
        self._model = model_path or self._model


def _as_row(example: Any, names: Sequence[str]) -> Dict[str, Array]:
    if isinstance(example, Mapping):
        return {name: np.asarray(value) for name, value in example.items()}
    if len(names) != 1:
        raise TypeError(f"an example is a dictionary of {', '.join(map(repr, names))}, not {type(example).__name__}")
    return {names[0]: np.asarray(example)}


def _together(rows: List[Dict[str, Array]], model: Predictor) -> List[Dict[str, Array]]:
    forms = {tuple((name, value.shape, value.dtype) for name, value in sorted(row.items())) for row in rows}
    if len(forms) == 1:
        try:
            results = model({name: np.stack([row[name] for row in rows]) for name in rows[0]})
            return [{name: values[i] for name, values in results.items()} for i in range(len(rows))]
        except Exception:  # pylint: disable=broad-except
            if len(rows) == 1:
                raise
    return [_alone(row, f"example {i + 1} of {len(rows)} in a batch", model) for i, row in enumerate(rows)]


def _alone(row: Dict[str, Array], where: str, model: Predictor) -> Dict[str, Array]:
    try:
        (result,) = _together([row], model)
        return result
    except (ValueError, TypeError, RuntimeError) as error:
        raise type(error)(f"{where}: {error}") from error
