# SPDX-License-Identifier: Apache-2.0
"""The engine of a Ray cluster: actors that load and compute chunks, on whatever nodes they are.

An actor is never restarted, and its calls never repeated, by Ray: that would wait for resources that are gone while other
actors have nothing to do. What an actor had when it died goes to the others, and another actor is asked for. A chunk that
takes much longer than others is also given to another actor. Of a chunk that was computed twice one result counts, by its
number. benchmarks/scale_simulation.py runs this code with events in place of a cluster.
"""
from __future__ import annotations

import contextlib
import heapq
import os
import statistics
import threading
import time
import warnings
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Deque, Dict, Iterator, List, Mapping, NamedTuple, Optional, Set

import numpy as np

from oclite._model import Model
from oclite.batch._engine import Results, said
from oclite.batch._extras import extra

if TYPE_CHECKING:
    from oclite.batch._engine import Chunk, EngineOptions, Task

CALLS = 2  # of an actor at once: one loads while the other computes
AHEAD = 8  # chunks for each actor that may be under way or wait for one before them
DEATHS = 2  # of actors that had a chunk, after which the next one is the chunk's end
BARREN = 4  # deaths for each place with no chunk computed in between, until the batch is given up; more than of one chunk
SLOW = 2.0, 1.0  # a chunk is late after so many times what others took, and seconds
HANGS = 60.0  # seconds, after which an actor is replaced that has a chunk which another one has computed since


class _Actor:
    """On a node: a worker."""

    def start(self, task: Task, content: bytes) -> None:
        """Not __init__(), so that what is wrong with the task is a call's error, and no actor's death."""
        self._task = task
        self._worker = task.open(Model(model_content=content))
        self._lock = threading.Lock()

    def compute(self, chunk: Chunk) -> Results:
        loaded = self._task.load(chunk)
        with self._lock:
            return self._worker.predict(chunk, loaded)


@dataclass(frozen=True, order=True)
class _Todo:
    """A chunk that waits for an actor, or is with one. The first one is the next whose result is wanted."""
    number: int
    deaths: int = field(compare=False)  # of actors that had it
    chunk: Chunk = field(compare=False)


class _Place:
    """Where an actor is, and what it has to do."""

    def __init__(self, actor: Any) -> None:
        self.actor = actor
        self.is_ready = False
        self.running: List[_Todo] = []

    def takes(self) -> bool:
        """What an actor has died of may be the chunk: it gets an actor of its own, so that others do not suffer."""
        return self.is_ready and len(self.running) < CALLS and not any(todo.deaths for todo in self.running)


class _Call(NamedTuple):
    """Of an actor's method."""
    place: _Place
    todo: Optional[_Todo]  # None: it starts the actor
    since: float


class _Run:
    """One batch on a cluster."""

    def __init__(self, ray: Any, task: Task, places: int, resources: Mapping[str, float]) -> None:
        self._ray = ray
        with open(task.model, "rb") as file:
            self._arguments = ray.put(task), ray.put(file.read())
        others = {name: amount for name, amount in resources.items() if name not in ("CPU", "GPU")}
        self._kind = ray.remote(_Actor).options(
            num_cpus=resources.get("CPU", 0), num_gpus=resources.get("GPU", 0), resources=others, max_restarts=0, max_task_retries=0,
            max_concurrency=CALLS)
        self._todo: List[_Todo] = []  # a heap
        self._calls: Dict[Any, _Call] = {}  # by the references to what they will return
        self._done: Dict[int, Results] = {}
        self._taken = self._given = self._barren = 0
        self._seconds: Deque[float] = deque(maxlen=100)  # that chunks took
        self._looked = time.monotonic()  # for chunks that are late
        self._repeated: Set[int] = set()  # the numbers of those that have been
        self._places: Dict[_Place, None] = {}  # as sets are, in an order
        self._open: List[Dict[_Place, None]] = [{} for _ in range(CALLS)]  # those that take chunks, by how many they have
        for _ in range(places):
            self._create()

    def _create(self) -> None:
        place = _Place(self._kind.remote())
        self._places[place] = None
        self._calls[place.actor.start.remote(*self._arguments)] = _Call(place, None, 0)

    def _sort(self, place: _Place) -> None:
        """Keeps _open right when a place has another number of chunks."""
        for places in self._open:
            places.pop(place, None)
        if place in self._places and place.takes():
            self._open[len(place.running)][place] = None

    def _find(self, todo: _Todo) -> Optional[_Place]:
        """The place that has the least to do, of those that take the chunk and do not have it."""
        return next((place for places in self._open[:1 if todo.deaths else CALLS] for place in places if todo not in place.running), None)

    def results(self, chunks: Iterator[Chunk]) -> Iterator[Results]:
        try:
            while True:
                self._submit(chunks)
                while self._given in self._done:
                    results = self._done.pop(self._given)
                    self._repeated.discard(self._given)
                    self._given += 1
                    yield results
                    self._submit(chunks)
                if self._given == self._taken:
                    return
                self._wait()
                self._repeat()
        finally:
            for place in self._places:
                self._ray.kill(place.actor)

    def _submit(self, chunks: Iterator[Chunk]) -> None:
        """Gives the actors as much as they take."""
        while self._todo or self._take(chunks):
            place = self._find(self._todo[0])
            if place is None:
                return
            todo = heapq.heappop(self._todo)
            if self._is_wanted(todo):
                self._give(place, todo)

    def _take(self, chunks: Iterator[Chunk]) -> bool:
        """Takes a further chunk, unless enough are under way."""
        if self._taken - self._given >= AHEAD * len(self._places):
            return False
        for chunk in chunks:
            heapq.heappush(self._todo, _Todo(self._taken, 0, chunk))
            self._taken += 1
            return True
        return False

    def _give(self, place: _Place, todo: _Todo) -> None:
        place.running.append(todo)
        self._sort(place)
        self._calls[place.actor.compute.remote(todo.chunk)] = _Call(place, todo, time.monotonic())

    def _repeat(self) -> None:
        """Has chunks that are late computed again, and replaces actors that hang."""
        now = time.monotonic()
        if not self._seconds or now - self._looked < SLOW[1]:
            return
        self._looked = now
        latest = now - SLOW[0] * statistics.median(self._seconds) - SLOW[1]
        for call in list(self._calls.values()):
            if call.todo is None:
                continue
            if self._is_wanted(call.todo):
                if call.since < latest and call.todo.number not in self._repeated:
                    self._repeated.add(call.todo.number)
                    heapq.heappush(self._todo, call.todo)
            elif call.since < min(latest, now - HANGS) and call.place in self._places:
                self._replace(call.place, TimeoutError("it has not come back"))

    def _is_wanted(self, todo: _Todo) -> bool:
        return todo.number >= self._given and todo.number not in self._done

    def _wait(self) -> None:
        """Until a call has ended, in whatever way, or a little while has."""
        refs = list(self._calls)
        if self._ray.wait(refs, timeout=SLOW[1])[0]:
            ready, _ = self._ray.wait(refs, num_returns=len(refs), timeout=0)  # of many workers, some more by now
            for ref in ready:
                call = self._calls.pop(ref, None)
                if call is not None:  # else its actor has been lost, as another of these calls has shown
                    self._end(ref, call)

    def _end(self, ref: Any, call: _Call) -> None:
        if call.todo is None:
            call.place.is_ready = True
        else:
            call.place.running.remove(call.todo)
        self._sort(call.place)
        try:
            results = self._ray.get(ref)
        except self._ray.exceptions.RayTaskError as error:  # what _Actor raises: no worker can be made
            raise error.cause from None
        except self._ray.exceptions.RayError as error:
            self._lose(call, error)
            return
        if call.todo is not None:
            self._finish(call.todo, results)
            self._seconds.append(time.monotonic() - call.since)
            self._barren = 0

    def _finish(self, todo: _Todo, results: Results) -> None:
        if self._is_wanted(todo):
            # Copies: arrays of Ray's are in its object store, which would be kept full.
            outputs = {name: np.array(values) for name, values in results.outputs.items()}
            self._done[todo.number] = Results(todo.chunk.rows, results.errors, outputs)

    def _lose(self, call: _Call, error: Exception) -> None:
        """A call whose actor, node or result is gone."""
        if call.todo is not None:
            self._again(call.todo, error)
        if call.todo is None or isinstance(error, self._ray.exceptions.RayActorError):
            self._replace(call.place, error)

    def _again(self, todo: _Todo, error: Exception) -> None:
        """Another actor is to have the chunk, unless too many have died of it."""
        if not self._is_wanted(todo):
            return
        deaths = todo.deaths + 1
        if deaths <= DEATHS:
            heapq.heappush(self._todo, _Todo(todo.number, deaths, todo.chunk))
            return
        text = f"{deaths} workers have died while they had it, the last one because: {said(error)}"
        self._done[todo.number] = Results(todo.chunk.rows, [text] * len(todo.chunk.rows), {})

    def _replace(self, place: _Place, error: Exception) -> None:
        self._barren += 1
        if self._barren > BARREN * len(self._places):
            raise RuntimeError(f"workers die before they compute anything, the last one because: {said(error)}") from None
        del self._places[place]
        self._sort(place)
        for todo in place.running:
            self._again(todo, error)
        self._calls = {ref: call for ref, call in self._calls.items() if call.place is not place}
        self._ray.kill(place.actor)  # which may be beyond reach only
        self._create()


class RayEngine:
    """See Engine."""

    def __init__(self, ray: Any, address: Optional[str], workers: Optional[int], resources: Mapping[str, float]) -> None:
        self._ray = ray
        self._address = address
        self._workers = workers
        self._resources = resources

    def run(self, task: Task, chunks: Iterator[Chunk]) -> Iterator[Results]:
        with self._connected():
            run = _Run(self._ray, task, self._workers or self._fitting(), self._resources)
            yield from run.results(chunks)

    @contextlib.contextmanager
    def _connected(self) -> Iterator[None]:
        """Within a cluster: the one that the program is in, that of the address, or one of this machine alone."""
        if self._ray.is_initialized():
            yield
            return
        options: Dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
        if self._address is None and "RAY_ADDRESS" not in os.environ:
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
            options["include_dashboard"] = False
        self._ray.init(self._address, **options)
        try:
            yield
        finally:
            self._ray.shutdown()

    def _fitting(self) -> int:
        """Actors for which the cluster has resources now."""
        wanted = self._resources
        nodes = [node["Resources"] for node in self._ray.nodes() if node["Alive"]]
        count = int(sum(min(node.get(name, 0) // amount for name, amount in wanted.items()) for node in nodes))
        if not count:
            text = ", ".join(f"{name}={amount:g}" for name, amount in wanted.items())
            warnings.warn(f"no node of the cluster has {text}: one is waited for", RuntimeWarning, stacklevel=2)
        return max(count, 1)


def make_engine(options: EngineOptions) -> RayEngine:
    """As many actors as the cluster has processors and other resources for, unless the options say how many."""
    return RayEngine(extra("ray", "ray"), options.address, options.workers, {"CPU": options.threads, **options.resources})
