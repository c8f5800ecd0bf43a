# SPDX-License-Identifier: Apache-2.0
"""The engine of this process: threads that load, and threads that compute, each with an interpreter of one model.

Pillow, soundfile, pyarrow, NumPy and the runtime all let other threads of Python go on while they work.
"""
from __future__ import annotations

import os
import queue
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Deque, Generator, Iterator, List

from oclite._model import Model
from oclite.batch._engine import Worker

if TYPE_CHECKING:
    from oclite.batch._engine import Chunk, EngineOptions, Loaded, Results, Task


class LocalEngine:
    """See Engine."""

    def __init__(self, options: EngineOptions) -> None:
        """As many workers as keep the processors busy, unless the options say how many."""
        processors = len(os.sched_getaffinity(0))
        self._workers = options.workers or max(processors // options.threads, 1)
        self._readers = options.readers or processors
        self._model = options.model
        self._first = options.first

    def _open(self, task: Task, computing: ThreadPoolExecutor) -> List[Future[Worker]]:
        model = self._model or Model(task.model)
        if self._first is None:
            return [computing.submit(task.open, model) for _ in range(self._workers)]
        first: Future[Worker] = Future()
        first.set_result(Worker(task, self._first))
        return [first, *(computing.submit(task.open, model) for _ in range(1, self._workers))]

    def run(self, task: Task, chunks: Iterator[Chunk]) -> Generator[Results, None, None]:
        idle: queue.SimpleQueue[Future[Worker]] = queue.SimpleQueue()
        loading, computing = ThreadPoolExecutor(self._readers), ThreadPoolExecutor(self._workers)

        def compute(chunk: Chunk, loaded: Loaded) -> Results:
            worker = idle.get()
            try:
                return worker.result().predict(chunk, loaded)  # begun after all workers have been
            finally:
                idle.put(worker)

        def load(chunk: Chunk) -> Future[Results]:
            return computing.submit(compute, chunk, task.load(chunk))
        try:
            for worker in self._open(task, computing):
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


make_engine = LocalEngine
"""See oclite.batch._engine.make_engine."""
