#!/usr/bin/env python3
"""Clusters of 1 to 1,000 workers that fail and lag, simulated: the engine's own scheduler (oclite.batch._ray) in a clock of its own.

scale_simulation.py [--constants FILE] [--model NAME] [--seed N] [--write]

Chunks of 64 rows go through the scheduler as on a cluster, but what would be Ray is a list of events: a worker takes --constants' seconds
to begin and for a row, the program's own side takes its seconds for each call, one after another. With faults a worker dies
once an hour, and ends what it had; one chunk in 100 takes 10 times as long; one in 10,000 never ends. There are 50 chunks for
each worker. --write puts the table into docs/SCALE.md and draws docs/images/scale.svg.
"""
import argparse
import heapq
import itertools
import json
import math
import os
import random
import re
import sys
from types import SimpleNamespace
from typing import NamedTuple
from unittest import mock

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "bindings", "python"))

from oclite.batch import _ray  # noqa: E402
from oclite.batch._engine import Chunk, Results  # noqa: E402

CONSTANTS = os.path.join(ROOT, "benchmarks", "scale.json")
DOCUMENT = os.path.join(ROOT, "docs", "SCALE.md")
PICTURE = os.path.join(ROOT, "docs", "images", "scale.svg")
CAPTION = "Rows in a second over workers, without faults and with them, beside the ideal"
WORKERS = (1, 10, 100, 1000)
ROWS = 64  # of a chunk
CHUNKS = 50  # for each worker
NEVER = math.inf


class ActorError(Exception):
    """In place of ray.exceptions.RayActorError."""


class Faults(SimpleNamespace):
    """life: seconds that a worker lives on average; slow, hang: probabilities for a chunk; factor: of what is slow."""


NONE = Faults(life=NEVER, slow=0.0, factor=1.0, hang=0.0)
USUAL = Faults(life=3600.0, slow=0.01, factor=10.0, hang=0.0001)


class Actor:
    """A worker. It computes one chunk after another, until it dies."""

    def __init__(self, ray):
        self._ray = ray
        self._free = 0.0  # when it has nothing more to do
        life = ray.faults.life
        self.dies = ray.now + (ray.random.expovariate(1 / life) if life != NEVER else NEVER)
        self.is_killed = False
        self.start = SimpleNamespace(remote=self._start)
        self.compute = SimpleNamespace(remote=self._compute)

    def _call(self, seconds, result):
        ray = self._ray
        ray.now += ray.call
        self._free = max(self._free, ray.now) + seconds
        if self._free < self.dies:
            return ray.add(self, self._free, result)
        return ray.add(self, max(self.dies, ray.now), ActorError("it died"))

    def _start(self, *_):
        return self._call(self._ray.start, None)

    def _compute(self, chunk):
        ray = self._ray
        seconds = len(chunk.rows) * ray.row
        chance = ray.random.random()
        if chance < ray.faults.hang:
            seconds = NEVER
        elif chance < ray.faults.hang + ray.faults.slow:
            seconds *= ray.faults.factor
        ray.computed += len(chunk.rows)
        return self._call(seconds, Results(chunk.rows, [None] * len(chunk.rows), {}))


class Ray:
    """What the scheduler uses of Ray, and its clock."""

    exceptions = SimpleNamespace(RayTaskError=KeyError, RayError=ActorError, RayActorError=ActorError)

    def __init__(self, constants, faults, seed):
        """constants: row, start, call: seconds for a row, until a worker is there, and of the program for a call."""
        self.row, self.start, self.call = constants["row"], constants["start"], constants["call"]
        self.faults = faults
        self.random = random.Random(seed)
        self.now = 0.0
        self.computed = 0  # rows, those that were computed more than once with each time
        self._events = []
        self._results, self._owners = {}, {}
        self._ready = {}  # in their order
        self._number = 0

    def monotonic(self):
        return self.now

    def put(self, value):
        return value

    def remote(self, _):
        return SimpleNamespace(options=lambda **_: SimpleNamespace(remote=lambda: Actor(self)))

    def add(self, actor, at, result):
        self._number += 1
        self._results[self._number], self._owners[self._number] = result, actor
        if at != NEVER:
            heapq.heappush(self._events, (at, self._number, actor))
        return self._number

    def _pass(self):
        """What has happened until now."""
        while self._events and self._events[0][0] <= self.now:
            _, number, actor = heapq.heappop(self._events)
            if not actor.is_killed:
                self._ready[number] = None

    def wait(self, refs, timeout, num_returns=1):
        until = self.now + timeout
        while True:
            self._pass()
            if self._ready:
                return list(itertools.islice(self._ready, num_returns)), None
            if not self._events or self._events[0][0] > until:
                if not refs:
                    raise RuntimeError("nothing is waited for")
                self.now = until
                return [], None
            self.now = self._events[0][0]

    def get(self, ref):
        self.now += self.call
        del self._ready[ref]
        del self._owners[ref]
        result = self._results.pop(ref)
        if isinstance(result, ActorError):
            raise result
        return result

    def kill(self, actor):
        actor.is_killed = True
        for number in [number for number in self._ready if self._owners[number] is actor]:
            del self._ready[number]


def chunks(count, rows):
    for number in range(count):
        yield Chunk(range(number * rows, (number + 1) * rows), "", None)


class Outcome(NamedTuple):
    """Of a simulated batch."""
    seconds: float
    computed: float  # rows computed, also in vain, over those wanted
    errors: int  # rows whose workers have died too often


def simulate(workers, count, constants, faults, seed, rows=ROWS):
    """The outcome of `count` chunks. RuntimeError: a row is missing, there twice, or not in its place."""
    ray, task, wanted, errors = Ray(constants, faults, seed), SimpleNamespace(model=os.devnull), 0, 0
    with mock.patch.object(_ray, "time", ray):
        for results in _ray._Run(ray, task, workers, {}).results(chunks(count, rows)):
            if results.rows != range(wanted, wanted + rows) or len(results.errors) != rows:
                raise RuntimeError(f"after row {wanted - 1} come {results.rows}")
            wanted += rows
            errors += rows - results.errors.count(None)
    if wanted != count * rows:
        raise RuntimeError(f"{wanted} results for {count * rows} rows")
    return Outcome(ray.now, ray.computed / wanted, errors)


def closed_form(workers, count, constants, rows=ROWS):
    """Seconds without faults, where calls take no time."""
    return constants["start"] + math.ceil(count / workers) * rows * constants["row"]


def measure(constants, seed, numbers=WORKERS):
    """For each number of workers: rows in a second without faults and with them, and what was computed for them."""
    table = []
    for workers in numbers:
        count = CHUNKS * workers
        line = {"workers": workers, "rows": count * ROWS, "ideal": workers / constants["row"]}
        for name, faults in (("calm", NONE), ("faults", USUAL)):
            outcome = simulate(workers, count, constants, faults, seed)
            line[name], line[name + "_computed"] = count * ROWS / outcome.seconds, outcome.computed
        table.append(line)
    return table


def table_text(model, constants, table):
    lines = [f"Of {model}, {1000 * constants['row']:.1f} ms for a row, {constants['start']:.1f} s until a worker is there, "
             f"{1e6 * constants['call']:.0f} µs of the program's own for a call:", "",
             "| workers | rows | in a second | of the ideal | with faults | of the ideal | computed again |", "|---|---|---|---|---|---|---|"]
    return "\n".join([*lines, *map(table_line, table)])


def table_line(line):
    return (f"| {line['workers']:,} | {line['rows']:,} | {line['calm']:,.0f} | {line['calm'] / line['ideal']:.1%} | "
            f"{line['faults']:,.0f} | {line['faults'] / line['ideal']:.1%} | {line['faults_computed'] - 1:.2%} |")


def draw(model, table):
    """Rows in a second over workers, both logarithmic, as SVG."""
    width, height, left, top, bottom = 560, 340, 70, 46, 44
    low, high = math.log10(min(line["faults"] for line in table)), math.log10(max(line["ideal"] for line in table))

    def place(line, name):
        x = left + (width - left - 24) * math.log10(line["workers"]) / 3
        y = top + (height - top - bottom) * (1 - (math.log10(line[name]) - low) / (high - low))
        return f"{x:.1f},{y:.1f}"
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
             'font-family="sans-serif" font-size="12">', f'<rect width="{width}" height="{height}" fill="#fff"/>',
             f'<text x="{left}" y="20">Rows of {model} in a second, simulated</text>']
    for step in range(math.ceil(low), math.floor(high) + 1):
        y = top + (height - top - bottom) * (1 - (step - low) / (high - low))
        parts.append(f'<path d="M{left} {y:.1f}H{width - 24}" stroke="#ddd"/><text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{10 ** step:,}</text>')
    for line in table:
        x = place(line, "ideal").split(",")[0]
        parts.append(f'<text x="{x}" y="{height - 22}" text-anchor="middle">{line["workers"]:,}</text>')
    parts.append(f'<text x="{(left + width) / 2}" y="{height - 6}" text-anchor="middle">workers</text>')
    for row, (name, title, style) in enumerate((("ideal", "workers over seconds for a row", 'stroke="#999" stroke-dasharray="4 3"'),
                                                ("calm", "without faults", 'stroke="#1668b8"'),
                                                ("faults", "with faults", 'stroke="#c2410c"'))):
        points = " ".join(place(line, name) for line in table)
        parts.append(f'<polyline points="{points}" fill="none" stroke-width="2" {style}/>')
        parts.append(f'<path d="M{left + 20} {top + 12 + 18 * row}h26" stroke-width="2" {style}/>'
                     f'<text x="{left + 54}" y="{top + 16 + 18 * row}">{title}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def fill(document, name, text):
    """The document with a text between its marks <!-- NAME --> and <!-- end of NAME -->."""
    pattern = re.compile(f"(<!-- {name} -->\n).*?(<!-- end of {name} -->)", re.S)
    if len(pattern.findall(document)) != 1:
        raise ValueError(f"{DOCUMENT} has no place for {name}")
    return pattern.sub(lambda found: f"{found[1]}\n{text}\n\n{found[2]}", document)


def constants_of(path, model):
    """(name, constants) of benchmarks/scale.py's measurements; of the first model, unless one is named."""
    with open(path, encoding="utf-8") as file:
        measured = json.load(file)
    model = model or next(iter(measured["models"]))
    return model, {"row": measured["models"][model]["cpu"]["row_s"], "start": measured["ray"]["start_s"], "call": measured["ray"]["call_s"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--constants", default=CONSTANTS)
    parser.add_argument("--model")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    model, constants = constants_of(arguments.constants, arguments.model)
    table = measure(constants, arguments.seed)
    text = table_text(model, constants, table)
    print(text)
    if arguments.write:
        with open(PICTURE, "w", encoding="utf-8") as file:
            file.write(draw(model, table))
        with open(DOCUMENT, encoding="utf-8") as file:
            document = fill(file.read(), "simulation", f"{text}\n\n![{CAPTION}](images/scale.svg)")
        with open(DOCUMENT, "w", encoding="utf-8") as file:
            file.write(document)


if __name__ == "__main__":
    main()
