# SPDX-License-Identifier: Apache-2.0
"""One instance of a model: an interpreter, which is one thread's at a time, and what a model's tensors are to a client."""
from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from oclite._custom import OperatorLibrary, load_operators
from oclite._delegate import Delegate, load_delegate
from oclite._files import get_library_dir
from oclite._interpreter import Interpreter
from oclite._model import Model
from oclite.serve._tensors import DATATYPES, datatype_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[Any]


class TensorInfo(NamedTuple):
    """An input or output of a model. A length of -1 may be any."""
    name: str
    datatype: str
    shape: Tuple[int, ...]
    number: int  # of the interpreter's tensor


class Times(NamedTuple):
    """Nanoseconds of one run: values go in, are computed, and results come out."""
    input: int
    infer: int
    output: int


def make_delegate(text: str) -> Delegate:
    """The delegate of --delegate: opencl, or opencl:OPTION=VALUE,...; ValueError for anything else."""
    name, _, rest = text.partition(":")
    pairs = [option.partition("=") for option in rest.split(",") if option]
    wrong = next((key for key, equals, _ in pairs if not equals), None)
    if name != "opencl" or wrong is not None:
        raise ValueError(f"--delegate {text}: " + (f"{wrong!r} has no value" if wrong is not None else f"there is no delegate {name!r}")
                         + "; right is opencl, or opencl:device=gpu,precision=float16")
    return load_delegate(f"{get_library_dir()}/liboclite_opencl.so", {key: value for key, _, value in pairs})


def load_operators_of(text: str) -> OperatorLibrary:
    """Those of --operators: a library, or a library and its function. OSError, ValueError."""
    path, _, function = text.rpartition(":") if not os.path.exists(text) else (text, "", "")
    return load_operators(path, function) if path and function else load_operators(text)


class Runner:
    """An interpreter with the shapes of its last run."""

    def __init__(self, model: Model, delegate: Optional[Delegate], threads: int, operators: Sequence[OperatorLibrary] = ()) -> None:
        self.interpreter = Interpreter(model, experimental_delegates=[delegate] if delegate else None, num_threads=threads,
                                       operators=operators, enable_cancellation=True)
        self.inputs = _infos(self.interpreter, "inputs")
        self._shapes = [tuple(detail["shape"].tolist()) for detail in self.interpreter.get_input_details()]
        self._is_allocated = False

    @property
    def outputs(self) -> List[TensorInfo]:
        """Shapes may be known only after the first run."""
        return _infos(self.interpreter, "outputs")

    def run(self, values: Sequence[Array]) -> Tuple[List[Array], Times]:
        """The outputs, in the model's order, for the inputs. ValueError, RuntimeError: what the library says. What a model
        remembers in variables is forgotten: requests know nothing of each other."""
        began = time.perf_counter_ns()
        interpreter = self.interpreter
        self._fit([value.shape for value in values])
        interpreter.reset_all_variables()
        for info, value in zip(self.inputs, values):
            interpreter.set_tensor(info.number, value)
        ready = time.perf_counter_ns()
        interpreter.invoke()
        done = time.perf_counter_ns()
        results = [interpreter.get_tensor(detail["index"]) for detail in interpreter.get_output_details()]
        return results, Times(ready - began, done - ready, time.perf_counter_ns() - done)

    def _fit(self, shapes: List[Tuple[int, ...]]) -> None:
        for i, (info, shape) in enumerate(zip(self.inputs, shapes)):
            if shape != self._shapes[i]:
                self._is_allocated = False
                self.interpreter.resize_tensor_input(info.number, shape)
                self._shapes[i] = shape
        if not self._is_allocated:
            self.interpreter.allocate_tensors()
            self._is_allocated = True

    def warm(self) -> None:
        """Allocates tensors for the model's own shapes, so that shapes of outputs are known."""
        self._fit([tuple(max(n, 1) for n in info.shape) for info in self.inputs])

    def cancel(self) -> None:
        """Ends a run on another thread, which raises."""
        self.interpreter.cancel()

    def close(self) -> None:
        self.interpreter.close()


def _infos(interpreter: Interpreter, side: str) -> List[TensorInfo]:
    """Names are those of the only signature, or those of the tensors, made different from each other."""
    details = interpreter.get_input_details() if side == "inputs" else interpreter.get_output_details()
    signatures = interpreter._get_full_signature_list()  # pylint: disable=protected-access
    said = {index: name for signature in signatures.values() for name, index in signature[side].items()} if len(signatures) == 1 else {}
    own = set(said) == {detail["index"] for detail in details}
    infos: List[TensorInfo] = []
    for i, detail in enumerate(details):
        name = said[detail["index"]] if own else detail["name"]
        if not name or any(name == info.name for info in infos):
            name = f"{name or side[:-1]}_{i}"
        datatype = datatype_of(detail["dtype"]) if detail["dtype"] is not np.object_ else ""
        if not datatype:
            raise ValueError(f"{side[:-1]} {name!r} is of type {np.dtype(detail['dtype']).name}, which the protocol does not have")
        signature = detail["shape_signature"].tolist()
        shape = signature if len(signature) == len(detail["shape"]) else detail["shape"].tolist()
        infos.append(TensorInfo(name, datatype, tuple(shape), detail["index"]))
    return infos


# ---- Rows that go through a model together ----

def can_batch(runner: Runner) -> str:
    """Tries whether rows give together what each gives alone: "" if so, else why not."""
    if not runner.inputs or any(not info.shape or info.shape[0] not in (1, -1) for info in runner.inputs):
        return "the first dimension of each input is not 1"
    rng = np.random.default_rng(0)
    shapes = [(1, *(max(n, 1) for n in info.shape[1:])) for info in runner.inputs]
    samples = [[_sample(rng, info.datatype, shape) for info, shape in zip(runner.inputs, shapes)] for _ in range(2)]
    try:
        alone = [runner.run(sample)[0] for sample in samples]
        together = runner.run([np.concatenate(pair) for pair in zip(*samples)])[0]
    except (ValueError, RuntimeError) as error:
        return str(error)
    for info, joint, *each in zip(runner.outputs, together, *alone):
        if any(one.ndim == 0 or one.shape[0] != 1 for one in each):
            return f"output {info.name!r} has no dimension of rows"
        if joint.shape != (2, *each[0].shape[1:]) or not _agree(joint, np.concatenate(each)):
            return f"output {info.name!r} differs when two rows are computed together"
    return ""


def _sample(rng: np.random.Generator, datatype: str, shape: Tuple[int, ...]) -> Array:
    """Values that indices may have, too."""
    if datatype == "BYTES":
        strings = np.empty(shape, object)
        strings[...] = rng.choice([b"a", b"b c"])
        return strings
    dtype = DATATYPES[datatype]
    if dtype.kind == "f":
        return rng.random(shape).astype(dtype)
    return rng.integers(0, 2, shape).astype(dtype)


def _agree(joint: Array, apart: Array) -> bool:
    """Up to what another order of sums changes."""
    if joint.dtype.kind == "f":
        most = float(np.abs(apart).max(initial=0))
        return bool(np.allclose(joint, apart, rtol=1e-2, atol=1e-3 * most + 1e-6, equal_nan=True))
    if joint.dtype.kind in "iu":
        return bool((np.abs(joint.astype(np.float64) - apart.astype(np.float64)) <= 1).all())
    return bool((joint == apart).all())
