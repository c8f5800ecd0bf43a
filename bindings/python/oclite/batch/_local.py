# SPDX-License-Identifier: Apache-2.0
"""The engine of this process: threads that load, and threads that compute, each with an interpreter of one model.

Pillow, soundfile, pyarrow, NumPy and the runtime all let other threads of Python go on while they work.
"""
from __future__ import annotations

import os
import queue
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Deque, Generator, Iterator

from oclite._model import Model

if TYPE_CHECKING:
    from oclite.batch._engine import Chunk, EngineOptions, Loaded, Results, Task, Worker


class LocalEngine:
    """See Engine."""

    def __init__(self, workers: int, readers: int) -> None:
        self._workers = workers
        self._readers = readers

    def run(self, task: Task, chunks: Iterator[Chunk]) -> Generator[Results, None, None]:
        idle: queue.SimpleQueue[Worker] = queue.SimpleQueue()
        loading, computing = ThreadPoolExecutor(self._readers), ThreadPoolExecutor(self._workers)
        model = Model(task.model)

        def compute(chunk: Chunk, loaded: Loaded) -> Results:
            worker = idle.get()
            try:
                return worker.predict(chunk, loaded)
            finally:
                idle.put(worker)

        def load(chunk: Chunk) -> Future[Results]:
            return computing.submit(compute, chunk, task.load(chunk))
        try:
            for worker in computing.map(lambda _: task.open(model), range(self._workers)):
                idle.put(worker)
            waiting: Deque[Future[Future[Results]]] = deque()
            for chunk in chunks:
                waiting.append(loading.submit(load, chunk))
                if len(waiting) >= self._readers + 2 * self._workers:
                    yield waiting.popleft().result().result()
            while waiting:
                yield waiting.popleft().result().result()
        finally:
            loading.shutdown(cancel_futures=True)  # first, since it gives work to the other
            computing.shutdown(cancel_futures=True)


def make_engine(options: EngineOptions) -> LocalEngine:
    """As many workers as keep the processors busy, unless the options say how many."""
    processors = len(os.sched_getaffinity(0))
    return LocalEngine(options.workers or max(processors // options.threads, 1), options.readers or processors)
