# SPDX-License-Identifier: Apache-2.0
"""Requests of one model that wait, and the threads that run them: alone, or as many together as come in time."""
from __future__ import annotations

import logging
import threading
import time
from collections import deque
from typing import TYPE_CHECKING, Any, Callable, Deque, List, Optional, Sequence, Tuple, Union

import numpy as np

from oclite.serve._errors import BusyError, ServeError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from oclite.serve._runner import Runner, Times

    Array = NDArray[Any]

LOG = logging.getLogger("oclite.serve")


class Job:
    """A request: what goes in, and who hears what comes out. `done` is called on the thread that ran it, once."""

    def __init__(self, values: List[Array], rows: int, done: Callable[[Optional[List[Array]], Optional[Exception]], None]) -> None:
        self.values = values
        self.rows = rows
        self.shapes = [(value.shape[1:], value.dtype) for value in values]
        self.done = done
        self.is_abandoned = False
        self.arrived = time.perf_counter_ns()
        self.waited = 0  # nanoseconds
        self.times: Optional[Times] = None  # of the run it was part of


class Worker(threading.Thread):
    """A runner and its thread, which ends when the queue is closed and empty."""

    def __init__(self, queue: Queue, runner: Runner) -> None:
        super().__init__(name="oclite-serve-instance", daemon=True)
        self._queue = queue
        self.runner = runner
        self.jobs: List[Job] = []  # that it runs now

    def run(self) -> None:
        while True:
            jobs = self._queue.take(self)
            if not jobs:
                break
            self._run_jobs(jobs)
        self.runner.close()
        self._queue.ended(self)

    def _run_jobs(self, jobs: List[Job]) -> None:
        """Together; one after another where that fails, since it may be the fault of one of them."""
        if len(jobs) > 1 and self._run_together(jobs):
            return
        for job in jobs:
            if not job.is_abandoned:
                self._queue.begins(self, [job])
                self._run_alone(job)

    def _run_together(self, jobs: List[Job]) -> bool:
        rows = sum(job.rows for job in jobs)
        results = self._run(jobs, [np.concatenate(parts) for parts in zip(*(job.values for job in jobs))], rows)
        if isinstance(results, Exception) or any(result.ndim == 0 or len(result) != rows for result in results):
            return False
        self._queue.ends(self)
        first = 0
        for job in jobs:
            job.done([result[first:first + job.rows] for result in results], None)
            first += job.rows
        return True

    def _run_alone(self, job: Job) -> None:
        results = self._run([job], job.values, job.rows)
        self._queue.ends(self)
        if isinstance(results, Exception):
            job.done(None, results)
        else:
            job.done(results, None)

    def _run(self, jobs: List[Job], values: List[Array], rows: int) -> Union[List[Array], Exception]:
        began = time.perf_counter_ns()
        try:
            results, times = self.runner.run(values)
        except (ValueError, TypeError, RuntimeError, MemoryError) as error:
            return ServeError(f"the model failed: {error}")
        except Exception as error:  # pylint: disable=broad-except
            LOG.exception("an inference has failed")
            return ServeError(f"the server failed: {type(error).__name__}")
        for job in jobs:
            job.waited, job.times = began - job.arrived, times
        self._queue.ran(rows, times)
        return results


class Queue:
    """At most `limit` jobs wait. One worker at a time gathers jobs, so that those that come while others compute are joined
    by the next one: up to `most` rows, for `delay` seconds after the first has come. Without a delay each job runs alone.
    `ran` hears of each run, its rows and its times."""

    def __init__(self, runners: Sequence[Runner], limit: int, most: int, delay: Optional[float],
                 ran: Callable[[int, Times], None]) -> None:
        self._limit, self._most, self._delay, self.ran = limit, most, delay, ran
        self._waiting: Deque[Job] = deque()
        self._changed = threading.Condition()
        self._gathering = threading.Lock()
        self._is_closed = False
        self.drained = threading.Event()
        self._workers = [Worker(self, runner) for runner in runners]
        self._alive = set(self._workers)
        for worker in self._workers:
            worker.start()

    def load(self) -> Tuple[int, int]:
        """How many jobs wait, and how many instances compute."""
        with self._changed:
            return len(self._waiting), sum(bool(worker.jobs) for worker in self._workers)

    def submit(self, job: Job) -> None:
        with self._changed:
            if self._is_closed:
                raise BusyError("this version of the model is being unloaded: send the request again")
            if len(self._waiting) >= self._limit:
                raise BusyError(f"{len(self._waiting)} requests wait for this model, and no more may (--queue): send the request later")
            self._waiting.append(job)
            self._changed.notify()

    def abandon(self, job: Job) -> bool:
        """Nobody wants the answer any more. Whether it still runs: whoever waits for an end calls again, since a run that
        has not begun yet is not ended. A run that others share goes on."""
        with self._changed:
            job.is_abandoned = True
            if job in self._waiting:
                self._waiting.remove(job)
                return False
            worker = next((worker for worker in self._workers if job in worker.jobs), None)
            if worker is None:
                return False
            if all(other.is_abandoned for other in worker.jobs):
                worker.runner.cancel()
            return True

    def close(self) -> None:
        """What waits and runs is finished; afterwards `drained` is set."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    # ---- For workers ----

    def take(self, worker: Worker) -> List[Job]:
        """The jobs of the next run; none when there will be no more."""
        with self._gathering, self._changed:
            while True:
                while not self._waiting:
                    if self._is_closed:
                        return []
                    self._changed.wait()
                worker.jobs = jobs = [self._waiting.popleft()]
                if self._delay is not None:
                    self._gather(jobs, self._delay)
                worker.jobs = jobs = [job for job in jobs if not job.is_abandoned]
                if jobs:
                    return jobs

    def _gather(self, jobs: List[Job], delay: float) -> None:
        end = jobs[0].arrived / 1e9 + delay
        rows = jobs[0].rows
        while True:
            for job in list(self._waiting):
                if rows + job.rows <= self._most and job.shapes == jobs[0].shapes:
                    self._waiting.remove(job)
                    jobs.append(job)
                    rows += job.rows
            left = end - time.perf_counter_ns() / 1e9
            if rows >= self._most or left <= 0 or self._is_closed:
                return
            self._changed.wait(left)

    def begins(self, worker: Worker, jobs: List[Job]) -> None:
        with self._changed:
            worker.jobs = jobs

    def ends(self, worker: Worker) -> None:
        with self._changed:
            worker.jobs = []

    def ended(self, worker: Worker) -> None:
        with self._changed:
            self._alive.discard(worker)
            if not self._alive:
                self.drained.set()
