# SPDX-License-Identifier: Apache-2.0
"""What the server does, whichever protocol asks."""
from __future__ import annotations

import asyncio
import contextlib
import hmac
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Tuple

from oclite._files import version
from oclite.serve._errors import BusyError, ForbiddenError, LargeError, TokenError, UnknownError, UnsupportedError
from oclite.serve._requests import choose

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from oclite.serve._model import ServedModel
    from oclite.serve._options import Options
    from oclite.serve._repository import Repository
    from oclite.serve._requests import InferRequest
    from oclite.serve._statistics import Metrics

    Array = NDArray[Any]

EXTENSIONS = ["binary_tensor_data", "model_configuration", "model_repository", "model_repository(unload_dependents)", "statistics"]


class Memory:
    """Bytes that a request has."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self.size = 0

    def grow(self, size: int) -> None:
        """To so many at least."""
        service, most = self._service, self._service.options.max_memory
        service.check_size(size)
        more = max(size - self.size, 0)
        if service.used + more > most:
            raise BusyError(f"requests have {service.used} bytes of memory, and no more than {most} (--max-memory-mb): send the request later")
        service.used += more
        self.size += more


class Service:
    """All methods are the event loop's."""

    def __init__(self, options: Options, repository: Repository, metrics: Metrics) -> None:
        self.options, self.repository, self.metrics = options, repository, metrics
        self.is_draining = False
        self.used = 0  # bytes of requests that are read or served
        self._active = 0

    # ---- Who may ----

    def check_token(self, header: str) -> None:
        """TokenError: there has to be one, and the header Authorization has another or none."""
        token = self.options.token
        if token and not hmac.compare_digest(header.encode("utf-8", "surrogateescape"), f"Bearer {token}".encode()):
            raise TokenError("this server wants a token: Authorization: Bearer ..." if not header else "Authorization has not this server's token")

    def check_control(self) -> None:
        """ForbiddenError: clients may not load and unload."""
        if not self.options.is_open_repository:
            raise ForbiddenError("this server was started with --no-control: its models are not loaded and unloaded by clients")

    # ---- How much ----

    def check_size(self, size: int) -> None:
        if size > self.options.max_request:
            raise LargeError(f"the request has {size} bytes, at most {self.options.max_request} (--max-request-mb)")

    @contextlib.contextmanager
    def memory(self, size: int) -> Iterator[Memory]:
        """Of a request, as long as it is served. BusyError: all together have too much."""
        memory = Memory(self)
        try:
            memory.grow(size)
            yield memory
        finally:
            self.used -= memory.size

    @contextlib.contextmanager
    def active(self) -> Iterator[None]:
        """A request, which is waited for at the end; BusyError: it is too late for one."""
        if self.is_draining:
            raise BusyError("the server ends: send the request to another one")
        self._active += 1
        try:
            yield
        finally:
            self._active -= 1

    async def drain(self) -> None:
        """Refuses inference from now on, and waits for what there is."""
        self.is_draining = True
        while self._active:
            await asyncio.sleep(0.02)

    # ---- What ----

    def is_ready(self) -> bool:
        return not self.is_draining and self.repository.is_ready()

    def described(self) -> Dict[str, Any]:
        """The protocol's server metadata."""
        return {"name": "oclite", "version": version(), "extensions": EXTENSIONS}

    def model_described(self, name: str, wanted: str) -> Dict[str, Any]:
        return self.repository.find(name, wanted).described(self.repository.versions(name))

    def is_model_ready(self, name: str, wanted: str) -> bool:
        try:
            self.repository.find(name, wanted)
        except UnknownError:
            return False
        return not self.is_draining

    def index(self, is_ready: bool) -> List[Dict[str, str]]:
        rows = self.repository.index()
        return [row for row in rows if row["state"] == "READY"] if is_ready else rows

    async def load(self, name: str, parameters: Mapping[str, Any]) -> None:
        self.check_control()
        if parameters:
            raise UnsupportedError(f"a model is loaded as it is in its folder: the parameter {next(iter(parameters))!r} is not supported")
        await asyncio.shield(self.repository.load(name))  # which whoever asked for it does not end by leaving

    async def unload(self, name: str) -> None:
        self.check_control()
        await asyncio.shield(self.repository.unload(name))

    async def infer(self, name: str, wanted: str, request: InferRequest) -> Tuple[ServedModel, List[Tuple[int, bool]], Dict[str, Array]]:
        """The model, which outputs are wanted, and all of them."""
        model = self.repository.find(name, wanted)
        outputs = choose(model, request)
        return model, outputs, await model.infer(request.inputs, min(request.timeout, self.options.timeout))

    def count_error(self, protocol: str, code: str) -> None:
        self.metrics.errors.labels(protocol, code.lower()).inc()

    def metrics_text(self) -> bytes:
        for model in self.repository.served():
            model.measure()
        return self.metrics.text()
