# SPDX-License-Identifier: Apache-2.0
"""Models in folders: which versions there are, which are served, and what becomes of them when files change."""
from __future__ import annotations

import asyncio
import logging
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Dict, List, NamedTuple, Optional, Set, Tuple

from oclite.serve._errors import InvalidError, UnknownError
from oclite.serve._model import ServedModel

if TYPE_CHECKING:
    from oclite.serve._options import Options
    from oclite.serve._statistics import Metrics

LOG = logging.getLogger("oclite.serve")
FILE = "model.tflite"

Stamp = Tuple[int, int, int]  # of a file: what changes when it is another one


class Source(NamedTuple):
    """Where the versions of a model are: the file of each, by its number."""
    name: str
    path: str

    def files(self) -> Dict[int, str]:
        if not os.path.isdir(self.path):
            return {1: self.path} if os.path.exists(self.path) else {}
        found = {}
        for entry in os.listdir(self.path):
            path = os.path.join(self.path, entry, FILE)
            if entry.isascii() and entry.isdigit() and str(int(entry)) == entry and os.path.isfile(path):
                found[int(entry)] = path
        return found


@dataclass
class _Entry:
    """What is known of a model."""
    source: Source
    served: Dict[int, ServedModel] = field(default_factory=dict)
    stamps: Dict[int, Stamp] = field(default_factory=dict)  # of what is served, and of what cannot be
    failures: Dict[int, str] = field(default_factory=dict)
    seen: Dict[int, Stamp] = field(default_factory=dict)  # the last time


def _stamp(path: str) -> Optional[Stamp]:
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


def _sources(root: str) -> List[Source]:
    """The models of a folder of models."""
    sources = [Source(entry, os.path.join(root, entry)) for entry in sorted(os.listdir(root))]
    return [source for source in sources if os.path.isdir(source.path) and source.files()]


def _read(path: str) -> bytes:
    """A copy: a file that somebody shortens or overwrites changes nothing for those who run it."""
    with open(path, "rb") as file:
        return file.read()


class Repository:
    """The models of the command line. All methods are the event loop's; files are read and models loaded on other threads."""

    def __init__(self, options: Options, metrics: Metrics) -> None:
        """ValueError, OSError: an argument is no model."""
        self._options, self._metrics = options, metrics
        self._roots: List[str] = []
        self._entries: Dict[str, _Entry] = {}
        self._held: Set[str] = set()  # that a client has unloaded
        self._leaving: Set[ServedModel] = set()
        self._tasks: Set[asyncio.Task[None]] = set()
        self._changing = asyncio.Lock()
        self._told: Set[str] = set()
        for argument in options.models:
            self._add(argument)
        self._needed = set(self._entries)  # before anybody is served

    # ---- Which models there are ----

    def _add(self, argument: str) -> None:
        name, equals, path = "", "", argument
        if not os.path.exists(path):
            name, equals, path = argument.partition("=")
        if not os.path.exists(path) or (equals and not name):
            raise ValueError(f"{argument}: there is no such file or folder")
        if os.path.isdir(path) and not Source("", path).files():
            if equals:
                raise ValueError(f"{argument}: a name is for a file, or for a folder with VERSION/{FILE}")
            self._roots.append(path)
            found = _sources(path)
            self._adopt(found)
            if not found:
                raise ValueError(f"{argument}: neither VERSION/{FILE} nor MODEL/VERSION/{FILE} is in this folder")
            return
        own = os.path.basename(os.path.abspath(path))
        self._name(Source(name or (own if os.path.isdir(path) else os.path.splitext(own)[0]), path))

    def _name(self, source: Source) -> None:
        if source.name in self._entries:
            other = self._entries[source.name].source.path
            raise ValueError(f"{source.path} and {other} are both model {source.name!r}; NAME=PATH gives one another name")
        self._entries[source.name] = _Entry(source)

    def _adopt(self, sources: List[Source]) -> None:
        for source in sources:
            if source.name not in self._entries or self._entries[source.name].source.path != source.path:
                try:
                    self._name(source)
                except ValueError as error:
                    self._warn(str(error))

    def _warn(self, text: str) -> None:
        """Once, however often it is looked."""
        if text not in self._told:
            self._told.add(text)
            LOG.warning("%s", text)

    async def _look_around(self) -> None:
        """Adds models that are new in the folders of models."""
        for root in self._roots:
            try:
                self._adopt(await asyncio.get_running_loop().run_in_executor(None, _sources, root))
            except OSError as error:
                self._warn(f"{root} cannot be read: {error}")

    def find(self, name: str, version: str) -> ServedModel:
        """The version that serves now; "" for the latest one. UnknownError."""
        entry = self._entries.get(name)
        if entry is None:
            names = ", ".join(map(repr, self._entries))
            raise UnknownError(f"there is no model {name[:200]!r}; there are {names}")
        if not entry.served:
            why = "; ".join(f"version {number}: {text}" for number, text in sorted(entry.failures.items()))
            raise UnknownError(f"model {name!r} is not loaded" + (f": {why}" if why else ""))
        if not version:
            return entry.served[max(entry.served)]
        for number, model in entry.served.items():
            if str(number) == version:
                return model
        raise UnknownError(f"model {name!r} has no version {version[:40]!r} that is loaded; it has {', '.join(self.versions(name))}")

    def versions(self, name: str) -> List[str]:
        return [str(number) for number in sorted(self._entries[name].served)]

    def served(self) -> List[ServedModel]:
        return [entry.served[number] for _, entry in sorted(self._entries.items()) for number in sorted(entry.served)]

    def is_ready(self) -> bool:
        """Each model that was there at the start, and that nobody has unloaded, has a version that serves."""
        return all(self._entries[name].served for name in self._needed - self._held)

    def index(self) -> List[Dict[str, str]]:
        """The repository extension's list."""
        rows = []
        for name, entry in sorted(self._entries.items()):
            states = {number: ("UNAVAILABLE", why) for number, why in entry.failures.items()}
            states.update({int(model.version): ("UNLOADING", "") for model in self._leaving if model.name == name})
            states.update({number: ("READY", "") for number in entry.served})
            rows += [{"name": name, "version": str(number), "state": state, "reason": why} for number, (state, why) in sorted(states.items())]
            if not states:
                rows.append({"name": name, "version": "", "state": "UNAVAILABLE", "reason": "unloaded" if name in self._held else ""})
        return rows

    # ---- Changes ----

    async def poll(self, is_first: bool = False) -> None:
        """Loads what is new, and lets go of what is old. A file counts when it is as it was the last time: nobody writes it
        any more."""
        async with self._changing:
            await self._look_around()
            for name, entry in list(self._entries.items()):
                if name not in self._held:
                    await self._update(entry, is_first)

    async def _update(self, entry: _Entry, is_asked: bool) -> None:
        loop = asyncio.get_running_loop()
        try:
            files = await loop.run_in_executor(None, entry.source.files)
        except OSError as error:
            self._warn(f"{entry.source.path} cannot be read: {error}")
            return
        if not files and entry.served:
            self._warn(f"{entry.source.path}: no version is there any more; the loaded one goes on")
            return
        kept: List[int] = []
        for number in sorted(files, reverse=True):
            if len(kept) == self._options.versions:
                break
            stamp = _stamp(files[number])
            is_settled = is_asked or entry.seen.get(number) == stamp
            if stamp is not None and stamp != entry.stamps.get(number) and is_settled:
                await self._load(entry, number, files[number], stamp)
            if stamp is not None:
                entry.seen[number] = stamp
            if number in entry.served:
                kept.append(number)
        for number in [number for number in entry.served if number not in kept and kept]:
            self._retire(entry.served.pop(number))
            entry.stamps.pop(number, None)
        entry.failures = {number: why for number, why in entry.failures.items() if number in files}

    async def _load(self, entry: _Entry, number: int, path: str, stamp: Stamp) -> None:
        """In the place of what has this number; that goes on where the new one cannot be loaded."""
        name, loop = entry.source.name, asyncio.get_running_loop()
        entry.stamps[number] = stamp
        try:
            content = await loop.run_in_executor(None, _read, path)
            model = await loop.run_in_executor(None, ServedModel, name, str(number), content, self._options, self._metrics)
        except (OSError, ValueError, RuntimeError, MemoryError) as error:
            entry.failures[number] = str(error) or type(error).__name__
            LOG.error("%s, version %d cannot be loaded: %s", name, number, error)
            return
        entry.failures.pop(number, None)
        before = entry.served.get(number)
        entry.served[number] = model
        LOG.info("%s, version %d is loaded", name, number)
        if before is not None:
            self._retire(before)

    def _retire(self, model: ServedModel) -> None:
        self._leaving.add(model)
        model.close()
        task = asyncio.get_running_loop().create_task(self._see_off(model))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _see_off(self, model: ServedModel) -> None:
        await model.drained()
        self._leaving.discard(model)
        if int(model.version) not in self._entries[model.name].served:
            self._metrics.forget(model.name, model.version)
        LOG.info("%s, version %s is unloaded", model.name, model.version)

    async def load(self, name: str) -> None:
        """The latest versions, also of a model that was unloaded, at once. UnknownError, InvalidError: why it is not there."""
        async with self._changing:
            await self._look_around()
            entry = self._entries.get(name)
            if entry is None:
                raise UnknownError(f"there is no model {name[:200]!r} in the folders of this server")
            self._held.discard(name)
            entry.stamps = {number: stamp for number, stamp in entry.stamps.items() if number in entry.served}  # try again
            await self._update(entry, True)
            if not entry.served:
                why = "; ".join(f"version {number}: {text}" for number, text in sorted(entry.failures.items()))
                raise InvalidError(f"model {name!r} cannot be loaded: {why or 'it has no version'}")

    async def unload(self, name: str) -> None:
        """Until somebody loads it again. UnknownError."""
        async with self._changing:
            entry = self._entries.get(name)
            if entry is None:
                raise UnknownError(f"there is no model {name[:200]!r}")
            self._held.add(name)
            for number in list(entry.served):
                self._retire(entry.served.pop(number))
            entry.stamps.clear()
            entry.failures.clear()

    async def close(self) -> None:
        """Finishes everything."""
        async with self._changing:
            for entry in self._entries.values():
                for number in list(entry.served):
                    self._retire(entry.served.pop(number))
        while self._tasks:
            await asyncio.wait(set(self._tasks))

    def counted(self, name: str, version: str) -> Dict[str, Any]:
        """The statistics extension's answer: of one version, of the loaded ones of a model, or of all."""
        if not name:
            models = self.served()
        elif version:
            models = [self.find(name, version)]
        else:
            self.find(name, "")
            models = list(self._entries[name].served.values())
        return {"model_stats": [model.counted() for model in models]}
