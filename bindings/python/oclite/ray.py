# SPDX-License-Identifier: Apache-2.0
"""Models in Ray Data's pipelines: `oclite.ray.Predictor` is a class for Dataset.map_batches()."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Mapping, Optional, Sequence, Tuple, Union

from oclite.batch._extras import extra
from oclite.predictor import DelegateSpec, Predictor as _Predictor

if TYPE_CHECKING:
    import os

    from oclite._tensor import Array

extra("ray", "ray", "oclite.ray")


def _renamed(given: Optional[Mapping[str, str]], known: Mapping[str, Any], what: str) -> Dict[str, str]:
    """The column of each input or output: its own name, unless another is given."""
    for name in given or {}:
        if name not in known:
            raise ValueError(f"{what}: the model has no {what[:-1]} {name!r}, but {', '.join(map(repr, known))}")
    return {name: (given or {}).get(name, name) for name in known}


class Predictor:
    """A model for Dataset.map_batches(), which makes one for each of its actors:

        scored = images.map_batches(oclite.ray.Predictor, fn_constructor_kwargs={"model": "model.tflite", "batch": 32},
                                    batch_size=32, concurrency=8, num_cpus=1)

    Each batch comes with columns for the model's inputs, as oclite.Predictor takes them, and goes on with all other
    columns and those of the outputs. `num_cpus` is what `threads` says here; for a device an actor takes num_gpus=1, or of a
    resource that the cluster's nodes have been given for it: resources={"opencl": 1}.
    """

    def __init__(self, model: Union[str, bytes, os.PathLike[str]], *, inputs: Optional[Mapping[str, str]] = None,
                 outputs: Optional[Mapping[str, str]] = None, delegate: DelegateSpec = None, threads: int = 1, batch: int = 16,
                 signature: Optional[str] = None, operators: Sequence[Union[str, Tuple[str, str]]] = ()) -> None:
        """Opens a model, where the actor is.

        model: a file that each node has, or the bytes of one.
        inputs, outputs: {name in the model: column}; a name that is not there is the column's, too.
        delegate, threads, batch, signature, operators: as oclite.Predictor has them.
        """
        self._predict = _Predictor(model, delegate=delegate, threads=threads, batch=batch, signature=signature, operators=operators)
        self._inputs = _renamed(inputs, self._predict.get_input_details(), "inputs")
        self._outputs = _renamed(outputs, self._predict.get_output_details(), "outputs")

    def __call__(self, batch: Mapping[str, Array]) -> Dict[str, Array]:
        """ValueError: a column is missing, is there twice, or is of another type or shape than the input's."""
        absent = [column for column in self._inputs.values() if column not in batch]
        if absent:
            raise ValueError(f"the batch has no column {', '.join(map(repr, absent))}, but {', '.join(map(repr, batch))}: "
                             "inputs={name in the model: column}")
        results = self._predict({name: batch[column] for name, column in self._inputs.items()})
        taken = set(self._inputs.values())
        columns = {column: values for column, values in batch.items() if column not in taken}
        for name, column in self._outputs.items():
            if column in columns:
                raise ValueError(f"the batch has a column {column!r}, as the output {name!r}: outputs={{name in the model: column}}")
            columns[column] = results[name]
        return columns
