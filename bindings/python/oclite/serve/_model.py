# SPDX-License-Identifier: Apache-2.0
"""A version of a model that is served: its instances, what it tells of itself, and inference."""
from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Tuple

from oclite._model import Model
from oclite.serve._errors import InvalidError, LateError, ServeError
from oclite.serve._queue import Job, Queue
from oclite.serve._runner import Runner, TensorInfo, can_batch, load_operators_of, make_delegate
from oclite.serve._statistics import Statistics
from oclite.serve._tensors import datatype_of, describe

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from oclite._delegate import Delegate
    from oclite._metadata import Metadata
    from oclite.serve._options import Options
    from oclite.serve._statistics import Metrics

    Array = NDArray[Any]

LOG = logging.getLogger("oclite.serve")
PLATFORM = "tensorflow_lite"
_AGAIN = 0.05  # seconds between attempts to end a run that nobody waits for
_CONFIG_TYPES = {"BYTES": "TYPE_STRING"}


class ServedModel:
    """Made on any thread, which takes as long as the model; everything else is the event loop's."""

    def __init__(self, name: str, version: str, content: bytes, options: Options, metrics: Metrics) -> None:
        """ValueError, RuntimeError: why it cannot be served."""
        self.name, self.version = name, version
        self._options, self._metrics = options, metrics
        model = Model(model_content=content)
        delegates: List[Optional[Delegate]] = [make_delegate(text) for text in options.delegates] or [None]
        operators = [load_operators_of(text) for text in options.operators]
        runners = [Runner(model, delegate, options.threads, operators) for delegate in delegates for _ in range(options.instances)]
        alone = can_batch(runners[0])
        self.rows = 0 if alone else options.batch  # most of a request; 0: the model has no dimension of rows
        if alone:
            LOG.info("%s, version %s: requests run alone: %s", name, version, " ".join(alone.split())[:200])
        for runner in runners:
            self._warm(runner)
        self.inputs = [self._open(info) for info in runners[0].inputs]
        self.outputs = [self._open(info) for info in runners[0].outputs]
        self.metadata = self._read_metadata(runners[0])
        self.quantization = {side: _quantization(runners[0], side) for side in ("input", "output")}
        self.statistics = Statistics(metrics, name, version)
        self._by_name = {info.name: i for i, info in enumerate(self.inputs)}
        self.instances = len(runners)
        self._queue = Queue(runners, options.queue, options.batch, options.delay if self.rows else None, self.statistics.ran)

    @staticmethod
    def _warm(runner: Runner) -> None:
        try:
            runner.warm()
        except RuntimeError:
            if all(-1 not in info.shape for info in runner.inputs):
                raise  # whoever asks, with whatever shapes

    def _open(self, info: TensorInfo) -> TensorInfo:
        """As clients see it: any number of rows, where the model computes them together."""
        return info._replace(shape=(-1, *info.shape[1:])) if self.rows else info

    def _read_metadata(self, runner: Runner) -> Optional[Metadata]:
        try:
            return runner.interpreter.get_metadata()
        except ValueError as error:
            LOG.warning("%s, version %s: its metadata are left out: %s", self.name, self.version, error)
            return None

    # ---- What it is ----

    def described(self, versions: Sequence[str]) -> Dict[str, Any]:
        """The protocol's model metadata."""
        def tensors(infos: Sequence[TensorInfo]) -> List[Dict[str, Any]]:
            return [{"name": info.name, "datatype": info.datatype, "shape": list(info.shape)} for info in infos]
        return {"name": self.name, "versions": list(versions), "platform": PLATFORM, "inputs": tensors(self.inputs),
                "outputs": tensors(self.outputs)}

    def config(self) -> Dict[str, Any]:
        """Triton's model configuration, as far as there is something to say."""
        def tensors(infos: Sequence[TensorInfo]) -> List[Dict[str, Any]]:
            return [{"name": info.name, "data_type": _CONFIG_TYPES.get(info.datatype, "TYPE_" + info.datatype),
                     "dims": list(info.shape[1:] if self.rows else info.shape)} for info in infos]
        options = self._options
        config: Dict[str, Any] = {
            "name": self.name, "platform": PLATFORM, "backend": "oclite", "version_policy": {"latest": {"num_versions": options.versions}},
            "max_batch_size": self.rows, "input": tensors(self.inputs), "output": tensors(self.outputs),
            "instance_group": [{"name": "gpu" if options.delegates else "cpu", "count": self.instances,
                                "kind": "KIND_MODEL" if options.delegates else "KIND_CPU"}],
            "default_model_filename": "model.tflite", "parameters": {"threads": {"string_value": str(options.threads)}}}
        if self.rows and options.delay is not None:
            config["dynamic_batching"] = {"max_queue_delay_microseconds": int(options.delay * 1e6)}
        return config

    def counted(self) -> Dict[str, Any]:
        """The statistics extension's entry."""
        return {"name": self.name, "version": self.version, **self.statistics.told()}

    def load(self) -> Tuple[int, int]:
        """Requests that wait, and instances that compute."""
        return self._queue.load()

    def measure(self) -> None:
        """Sets what Prometheus is told of this moment."""
        waiting, busy = self.load()
        for gauge, value in ((self._metrics.waiting, waiting), (self._metrics.busy, busy), (self._metrics.instances, self.instances)):
            gauge.labels(self.name, self.version).set(value)

    # ---- Inference ----

    def arrange(self, given: Mapping[str, Array]) -> List[Array]:
        """The inputs in the model's order. InvalidError: names, types or shapes that are not the model's."""
        names = ", ".join(repr(info.name) for info in self.inputs)
        for name in given:
            if name not in self._by_name:
                raise InvalidError(f"model {self.name!r} has no input {name!r}; its inputs are {names}")
        values = []
        for info in self.inputs:
            if info.name not in given:
                raise InvalidError(f"input {info.name!r} is missing; the inputs of model {self.name!r} are {names}")
            value = given[info.name]
            if datatype_of(value.dtype) != info.datatype:
                raise InvalidError(f"input {info.name!r} is {info.datatype}, not {datatype_of(value.dtype)}")
            if len(value.shape) != len(info.shape) or any(n not in (-1, got) for n, got in zip(info.shape, value.shape)):
                raise InvalidError(f"input {info.name!r} has the shape {describe(value.shape)}; model {self.name!r} takes "
                                   f"{describe(info.shape)}" + (", where -1 is any length" if -1 in info.shape else ""))
            values.append(value)
        return values

    def count_rows(self, values: Sequence[Array]) -> int:
        """InvalidError: inputs disagree, or there are too many."""
        if not self.rows:
            return 1
        rows = len(values[0])
        for info, value in zip(self.inputs, values):
            if len(value) != rows:
                raise InvalidError(f"input {info.name!r} has {len(value)} rows, but input {self.inputs[0].name!r} has {rows}")
        if not 1 <= rows <= self.rows:
            raise InvalidError(f"a request for model {self.name!r} has from 1 to {self.rows} rows (--batch), not {rows}")
        return rows

    async def infer(self, given: Mapping[str, Array], timeout: float) -> Dict[str, Array]:
        """The outputs by name. ServeError of the kind that it is; LateError after `timeout` seconds."""
        began = time.perf_counter_ns()
        try:
            values = self.arrange(given)
            job, results = await self._run(values, self.count_rows(values), timeout)
        except ServeError as error:
            self.statistics.failed(error.code, time.perf_counter_ns() - began)
            raise
        except asyncio.CancelledError:
            self.statistics.failed("CANCELLED", time.perf_counter_ns() - began)
            raise
        self.statistics.answered(job, time.perf_counter_ns() - began)
        return {info.name: result for info, result in zip(self.outputs, results)}

    async def _run(self, values: List[Array], rows: int, timeout: float) -> Tuple[Job, List[Array]]:
        loop = asyncio.get_running_loop()
        future: asyncio.Future[List[Array]] = loop.create_future()

        def settle(results: Optional[List[Array]], failure: Optional[Exception]) -> None:
            if future.done():
                return
            if failure is not None:
                future.set_exception(failure)
            else:
                future.set_result(results or [])

        def done(results: Optional[List[Array]], failure: Optional[Exception]) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended, and with it whoever waited
                loop.call_soon_threadsafe(settle, results, failure)
        job = Job(values, rows, done)
        self._queue.submit(job)
        try:
            return job, await asyncio.wait_for(future, timeout)
        except asyncio.TimeoutError:
            self._abandon(job)
            raise LateError(f"model {self.name!r} has no results after {timeout:g} seconds") from None
        except asyncio.CancelledError:
            self._abandon(job)
            raise

    def _abandon(self, job: Job) -> None:
        if self._queue.abandon(job):
            asyncio.get_running_loop().call_later(_AGAIN, self._abandon, job)

    # ---- Its end ----

    def close(self) -> None:
        """Takes nothing any more, and finishes what it has."""
        self._queue.close()

    async def drained(self) -> None:
        """Until all is finished and the memory given back."""
        while not self._queue.drained.is_set():
            await asyncio.sleep(0.01)


def _quantization(runner: Runner, side: str) -> List[Tuple[float, int]]:
    """(scale, zero point) of each tensor, (0, 0) for none."""
    interpreter = runner.interpreter
    details = interpreter.get_input_details() if side == "input" else interpreter.get_output_details()
    return [detail["quantization"] for detail in details]
