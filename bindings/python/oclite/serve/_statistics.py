# SPDX-License-Identifier: Apache-2.0
"""What is counted of a version of a model: for Triton's statistics extension, Prometheus, and the page."""
from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from typing import TYPE_CHECKING, Any, Deque, Dict, List, Set, Tuple

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest

if TYPE_CHECKING:
    from oclite.serve._queue import Job
    from oclite.serve._runner import Times

_SECONDS = (.0005, .001, .002, .005, .01, .02, .05, .1, .2, .5, 1, 2, 5, 10, 30)
_ROWS = (1, 2, 4, 8, 16, 32, 64, 128)
_RECENT = 1000  # requests whose latencies the page shows


class Metrics:
    """Everything that Prometheus gets."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        labels = ("model", "version")
        self.requests = Counter("oclite_requests", "Answered inference requests", (*labels, "outcome"), registry=registry)
        self.rows = Counter("oclite_rows", "Rows of inference requests that succeeded", labels, registry=registry)
        self.request_seconds = Histogram("oclite_request_seconds", "From a request's last byte to its results", labels, buckets=_SECONDS,
                                         registry=registry)
        self.queue_seconds = Histogram("oclite_queue_seconds", "How long requests have waited", labels, buckets=_SECONDS, registry=registry)
        self.run_seconds = Histogram("oclite_run_seconds", "Inferences", labels, buckets=_SECONDS, registry=registry)
        self.run_rows = Histogram("oclite_run_rows", "Rows of an inference", labels, buckets=_ROWS, registry=registry)
        self.waiting = Gauge("oclite_waiting_requests", "Requests that wait", labels, registry=registry)
        self.busy = Gauge("oclite_busy_instances", "Instances that compute", labels, registry=registry)
        self.instances = Gauge("oclite_instances", "Instances", labels, registry=registry)
        self.errors = Counter("oclite_errors", "Requests of any kind that were answered with an error", ("protocol", "code"), registry=registry)
        self._outcomes: Set[Tuple[str, ...]] = set()  # labels of requests
        ProcessCollector(registry=registry)

    def text(self) -> bytes:
        """The format of Prometheus."""
        return generate_latest(self._registry)

    def count(self, *labels: str) -> None:
        """A request of a model and a version, with its outcome."""
        self._outcomes.add(labels)
        self.requests.labels(*labels).inc()

    def forget(self, *labels: str) -> None:
        """A version that is gone."""
        for metric in (self.rows, self.request_seconds, self.queue_seconds, self.run_seconds, self.run_rows, self.waiting, self.busy,
                       self.instances):
            with contextlib.suppress(KeyError):  # nothing was told of it
                metric.remove(*labels)
        for outcome in [outcome for outcome in self._outcomes if outcome[:2] == labels]:
            self._outcomes.discard(outcome)
            self.requests.remove(*outcome)


class _Duration:
    def __init__(self) -> None:
        self.count = self.ns = 0

    def add(self, ns: int) -> None:
        self.count += 1
        self.ns += ns

    def told(self) -> Dict[str, int]:
        return {"count": self.count, "ns": self.ns}


_KINDS = ("success", "fail", "queue", "compute_input", "compute_infer", "compute_output", "cache_hit", "cache_miss")


class Statistics:
    """Of one version of a model. Any thread may tell of what has happened."""

    def __init__(self, metrics: Metrics, name: str, version: str) -> None:
        self._lock = threading.Lock()
        self._metrics, self._labels = metrics, (name, version)
        self._durations = {kind: _Duration() for kind in _KINDS}
        self._batches: Dict[int, List[_Duration]] = {}
        self._last = 0
        self._rows = self._runs = 0
        self._recent: Deque[float] = deque(maxlen=_RECENT)

    def ran(self, rows: int, times: Times) -> None:
        """An inference has succeeded."""
        with self._lock:
            self._runs += 1
            for duration, ns in zip(self._batches.setdefault(rows, [_Duration() for _ in times]), times):
                duration.add(ns)
        self._metrics.run_seconds.labels(*self._labels).observe(times.infer / 1e9)
        self._metrics.run_rows.labels(*self._labels).observe(rows)

    def answered(self, job: Job, total: int) -> None:
        """A request has its results, after so many nanoseconds."""
        with self._lock:
            durations = self._durations
            durations["success"].add(total)
            durations["queue"].add(job.waited)
            if job.times is not None:
                durations["compute_input"].add(job.times.input)
                durations["compute_infer"].add(job.times.infer)
                durations["compute_output"].add(job.times.output)
            self._rows += job.rows
            self._last = int(time.time() * 1000)
            self._recent.append(total / 1e9)
        self._metrics.count(*self._labels, "success")
        self._metrics.rows.labels(*self._labels).inc(job.rows)
        self._metrics.request_seconds.labels(*self._labels).observe(total / 1e9)
        self._metrics.queue_seconds.labels(*self._labels).observe(job.waited / 1e9)

    def failed(self, code: str, total: int) -> None:
        """A request for this version has an error."""
        with self._lock:
            self._durations["fail"].add(total)
        self._metrics.count(*self._labels, code.lower())

    def told(self) -> Dict[str, Any]:
        """As the statistics extension has it."""
        with self._lock:
            batches = [{"batch_size": rows, **{f"compute_{kind}": duration.told() for kind, duration in zip(("input", "infer", "output"), durations)}}
                       for rows, durations in sorted(self._batches.items())]
            return {"last_inference": self._last, "inference_count": self._rows, "execution_count": self._runs,
                    "inference_stats": {kind: duration.told() for kind, duration in self._durations.items()}, "batch_stats": batches}

    def summary(self) -> Dict[str, Any]:
        """For the page: numbers of requests, and latencies in milliseconds of the last ones."""
        with self._lock:
            recent = sorted(self._recent)
            done, failed = self._durations["success"].count, self._durations["fail"].count
        at = {name: round(recent[min(int(len(recent) * part), len(recent) - 1)] * 1000, 3) if recent else None
              for name, part in (("p50_ms", .5), ("p99_ms", .99))}
        return {"requests": done, "failed": failed, **at}
