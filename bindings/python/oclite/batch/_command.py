# SPDX-License-Identifier: Apache-2.0
"""oclite batch: from the command line to the results."""
from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import sys
import threading
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

from oclite.batch._engine import Engine, EngineOptions, make_engine, said
from oclite.batch._extras import extra
from oclite.batch._formats import FORMATS
from oclite.batch._options import parse
from oclite.batch._plan import Plan
from oclite.batch._results import SUCCESS, Folder, Writer
from oclite.batch._sources import Feeder, Range, Source, expand, list_sources, rest

PART_BYTES = 64 << 20  # values of results that are kept in memory until they are written
PART_SECONDS = 30.0  # after which they are, however few there are: so much a batch that is killed computes again
INTERRUPTED = 130  # exit status, as shells have it


class Count(NamedTuple):
    """What has become of the rows of this run."""
    rows: int
    errors: int
    first: str  # of the errors


def run(arguments: List[str]) -> int:
    """Runs the command, and returns its exit status."""
    options = parse(arguments)
    try:
        with _signals():
            return _batch(options)
    except KeyboardInterrupt:
        print("oclite batch: stopped. The same command goes on with what is left", file=sys.stderr)
        return INTERRUPTED
    except ImportError as error:  # which says whose it is
        print(said(error), file=sys.stderr)
        return 1
    except (ValueError, OSError, RuntimeError) as error:
        print(f"oclite batch: {said(error)}", file=sys.stderr)
        return 1


@contextlib.contextmanager
def _signals() -> Iterator[None]:
    """Who asks the process to end gets what is done written, as with Ctrl-C."""
    if threading.current_thread() is not threading.main_thread():
        yield  # which alone may say what signals do
        return

    def stop(*_: Any) -> None:
        raise KeyboardInterrupt
    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _batch(options: argparse.Namespace) -> int:
    is_shown = not options.quiet and sys.stderr.isatty()
    if is_shown:
        extra("tqdm")
    with contextlib.closing(Plan(options)) as plan:
        paths = expand(options.inputs, options.out)
        count, rows = _results(plan, paths, options, is_shown)
    return _tell(count, rows, options)


def _results(plan: Plan, paths: Sequence[str], options: argparse.Namespace, is_shown: bool) -> Tuple[Count, int]:
    """What has become of the rows of this run, and how many there are of all."""
    form = FORMATS[options.format](plan.outputs)
    engine = make_engine(options.engine, EngineOptions(options.workers, options.readers, options.threads, options.address,
                                                       options.resources, plan.model, plan.predictor))
    with contextlib.closing(Folder(options.out)) as folder:
        sources = _begin(folder, plan, paths, options.out)
        rows = sum(source.rows for source in sources)
        done = folder.done(form.suffix, rows)
        writer = Writer(folder, form, rows=options.rows_per_file, size=PART_BYTES, seconds=PART_SECONDS)
        count = _compute(engine, plan, sources, (rows, done), writer, is_shown)
        folder.write_text(SUCCESS, json.dumps({"rows": rows}) + "\n")
    return count, rows


def _begin(folder: Folder, plan: Plan, paths: Sequence[str], out: str) -> List[Source]:
    """Finds out what there is to be done. ValueError: the folder has results of something else."""
    manifest, before = plan.manifest(), folder.manifest()
    if before is None:
        sources = list_sources(paths, plan.kind, {})
        folder.begin(manifest, sources)
        return sources
    differs = _difference(before, manifest)
    earlier = folder.inputs()
    if not differs:
        sources = list_sources(paths, plan.kind, {(source.path, source.size, source.modified): source for source in earlier})
        differs = _other_inputs(earlier, sources)
    if differs:
        raise ValueError(f"--out {out}: the folder has results of another batch: {differs}. Take another folder, or remove this one")
    for kind in {source.kind for source in sources}:
        plan.kind(kind)
    return sources


def _difference(before: Dict[str, Any], now: Dict[str, Any]) -> str:
    """In which setting two manifests differ; "" for none."""
    sides = [{"the model": given.get("model", {}).get("sha256"), "the version of oclite": given.get("version"),
              **{f"--{name.replace('_', '-')}": value for name, value in given.get("options", {}).items()}} for given in (before, now)]
    for name in sides[1]:
        if sides[0].get(name) != sides[1][name]:
            return f"{name} was {json.dumps(sides[0].get(name))}, and is {json.dumps(sides[1][name])}"
    return ""


def _other_inputs(before: Sequence[Source], now: Sequence[Source]) -> str:
    """How lists of inputs differ; "" if they do not."""
    if list(before) == list(now):
        return ""
    was, is_now = ({source.path: source for source in side} for side in (before, now))
    for what, paths in (("are new", [path for path in is_now if path not in was]), ("are gone", [path for path in was if path not in is_now]),
                        ("have changed", [path for path in is_now if path in was and was[path] != is_now[path]])):
        if paths:
            return f"{len(paths)} of its inputs {what}, such as {paths[0]}"
    return "its inputs were given in another order"


def _compute(engine: Engine, plan: Plan, sources: Sequence[Source], todo: Tuple[int, Sequence[Range]], writer: Writer,
             is_shown: bool) -> Count:
    rows, done = todo
    sizes = {name: plan.chunk_rows(rows) for name in ("picture", "sound", "array", "table")}
    feeder = Feeder(sources, plan.kinds, sizes, plan.batch)
    ranges = rest(rows, done)
    left = sum(end - first for first, end in ranges)
    errors, first_error = 0, ""
    if not left:
        return Count(0, 0, "")
    with _bar(rows, left, is_shown) as bar, contextlib.closing(engine.run(plan.task(), feeder.chunks(ranges))) as computed:
        try:
            for results in computed:
                writer.add(results)
                for row, error in zip(results.rows, results.errors):
                    if error is not None:
                        errors += 1
                        first_error = first_error or f"{row.source}: {error}"
                if bar is not None:
                    bar.set_postfix({"errors": errors} if errors else {}, refresh=False)
                    bar.update(len(results.rows))
        finally:
            writer.flush()
    return Count(left, errors, first_error)


def _bar(rows: int, left: int, is_shown: bool) -> Any:
    """Of tqdm, which takes its time to be imported."""
    if not is_shown:
        return contextlib.nullcontext()
    return extra("tqdm").tqdm(total=rows, initial=rows - left, unit=" rows", dynamic_ncols=True)


def _tell(count: Count, rows: int, options: argparse.Namespace) -> int:
    """The end, and the exit status: 1 where there were rows, and none has a result."""
    failed = count.rows > 0 and count.errors == count.rows
    if count.errors:
        print(f"oclite batch: {count.errors} of {count.rows} rows have an error. The first: {count.first}", file=sys.stderr)
    if not options.quiet:
        before = f", {rows - count.rows} of them before" if count.rows < rows else ""
        print(f"{rows} rows are in {os.path.join(options.out, '')}{before}")
    return 1 if failed else 0
