# SPDX-License-Identifier: Apache-2.0
"""The protocol over HTTP/1.1."""
from __future__ import annotations

import asyncio
import logging
import re
import urllib.parse
from typing import TYPE_CHECKING, Any, Awaitable, Callable, Dict, List, Optional, Tuple

import orjson
from aiohttp import web

from oclite.serve._errors import (
    ForbiddenError, InvalidError, MethodError, ServeError, SlowError, UnknownError, UnsupportedError)
from oclite.serve._page import POLICY, page_file, page_model, page_models
from oclite.serve._requests import parse_json, parse_request, write_answer

if TYPE_CHECKING:
    from oclite.serve._service import Memory, Service

LOG = logging.getLogger("oclite.serve")
LENGTH = "Inference-Header-Content-Length"
_READ = 1 << 18  # bytes that a connection reads ahead
_SMALL = 1 << 16  # bytes of a request that is not for inference
_SAFE = {"Server": "oclite", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer", "Cache-Control": "no-store"}
_LOOPBACK = re.compile(r"(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?", re.IGNORECASE)
Answer = Any  # web.Response
Match = Tuple[str, ...]
Handler = Callable[[Any, Match], Awaitable[Answer]]


def is_loopback(address: str) -> bool:
    """Whether only this machine reaches it."""
    return _LOOPBACK.fullmatch(f"[{address}]" if ":" in address else address) is not None


def _json(value: Any, status: int = 200, headers: Optional[Dict[str, str]] = None) -> Answer:
    return web.Response(body=orjson.dumps(value), status=status, content_type="application/json", headers={**_SAFE, **(headers or {})})


def _error(error: ServeError) -> Answer:
    headers = {"WWW-Authenticate": "Bearer"} if error.status == 401 else {"Retry-After": "1"} if error.status == 503 else {}
    answer = _json({"error": str(error)}, error.status, headers)
    return answer


class _Connection(web.RequestHandler):
    """One connection, whose errors are JSON as all others."""

    def handle_error(self, request: Any, status: int = 500, exc: Optional[BaseException] = None, message: Optional[str] = None) -> Answer:
        if request.writer.output_size > 0:
            raise ConnectionError("the answer has begun already")
        if isinstance(exc, ConnectionError):  # nobody is there to hear anything
            text = "the connection is closed"
        elif status >= 500:
            LOG.error("a request has failed", exc_info=exc)
            text = "the server failed"
        else:
            text = "this is no request of HTTP: " + " ".join((message or str(exc) or "").split())[:300]
        answer = _json({"error": text}, status)
        answer.force_close()
        return answer


class _Server(web.Server):
    """Makes connections, up to a number."""

    def __init__(self, most: int, handler: Callable[[Any], Awaitable[Answer]], **keywords: Any) -> None:
        super().__init__(handler, handler_cancellation=True)
        self._most, self._keywords = most, keywords

    def connection_made(self, handler: Any, transport: Any) -> None:
        super().connection_made(handler, transport)
        if len(self.connections) > self._most:
            LOG.warning("a connection is closed: there are %d, and no more may be (--max-connections)", self._most)
            transport.close()

    def __call__(self) -> Any:
        return _Connection(self, loop=asyncio.get_running_loop(), **self._keywords)


class HttpFront:
    """Addresses, and what answers at each."""

    def __init__(self, service: Service) -> None:
        self._service = service
        model = r"/v2/models/([^/]+)(?:/versions/([^/]+))?"
        table: List[Tuple[str, str, Handler]] = [
            ("POST", model + "/infer", self._infer),
            ("GET", r"/v2/health/live", self._live), ("GET", r"/v2/health/ready", self._ready),
            ("GET", r"/v2/?", self._server), ("GET", model, self._model), ("GET", model + "/ready", self._model_ready),
            ("GET", model + "/config", self._config), ("GET", model + "/stats", self._stats), ("GET", r"/v2/models/stats()()", self._stats),
            ("POST", r"/v2/repository/index", self._index),
            ("POST", r"/v2/repository/models/([^/]+)/load", self._load), ("POST", r"/v2/repository/models/([^/]+)/unload", self._unload),
            ("GET", r"/metrics", self._metrics),
            ("GET", r"/page/models.json", self._page_models), ("GET", r"/page/model/([^/]+)/([^/]+).json", self._page_model),
            ("GET", r"(/|/page/[a-z.]+)", self._page_file),
        ]
        # The more special address first: models/stats is no model.
        table.sort(key=lambda row: "[^/]" in row[1])
        self._table = [(method, re.compile(pattern), handler) for method, pattern, handler in table]

    def server(self) -> Any:
        """What an event loop's create_server() takes."""
        options = self._service.options
        return _Server(options.max_connections, self.answer, access_log=None, read_bufsize=_READ, keepalive_timeout=75, lingering_time=2)

    async def answer(self, request: Any) -> Answer:
        """Errors of every kind become answers."""
        try:
            answer = await self._dispatch(request)
        except ServeError as error:
            self._service.count_error("http", error.code)
            answer = _error(error)
            if not request.content.is_eof():  # what is left of the body is not worth reading
                answer.force_close()
        if self._service.is_draining:
            answer.force_close()
        if answer.body and len(answer.body) > _SMALL:
            await self._deliver(request, answer)
        if self._service.options.is_verbose:
            LOG.info("%s %s %s: %d", request.remote, request.method, request.path_qs[:200], answer.status)
        return answer

    async def _deliver(self, request: Any, answer: Answer) -> None:
        """Sends what is large, to a client that has to take it in time."""
        async def send() -> None:
            await answer.prepare(request)
            await answer.write_eof()
        try:
            await asyncio.wait_for(send(), self._service.options.timeout)
        except asyncio.TimeoutError:
            LOG.warning("%s does not read its answer", request.remote)
            if request.transport is not None:
                request.transport.abort()
            raise ConnectionResetError("the client does not read") from None

    async def _dispatch(self, request: Any) -> Answer:
        path = request.rel_url.raw_path
        self._check_origin(request)
        allowed = []
        for method, pattern, handler in self._table:
            match = pattern.fullmatch(path)
            if match is None:
                continue
            if request.method in (method, "HEAD" if method == "GET" else method):
                if handler not in (self._live, self._ready, self._page_file):
                    self._service.check_token(request.headers.get("Authorization", ""))
                return await handler(request, tuple(urllib.parse.unquote(group or "") for group in match.groups()))
            allowed.append(method)
        if allowed:
            raise MethodError(f"{path[:200]} takes {' and '.join(allowed)}, not {request.method}")
        if re.match(r"/v2/(systemsharedmemory|cudasharedmemory)\b", path):
            raise UnsupportedError("shared memory is not supported: send tensors with the request")
        if re.match(r"/v2/(logging|.*trace/setting)\b", path):
            raise UnsupportedError("settings of logs and traces are not supported")
        raise UnknownError(f"there is nothing at {path[:200]}; /v2/models/NAME/infer is for inference, docs/SERVE.md has the others")

    def _check_origin(self, request: Any) -> None:
        """A page of another site may send requests from a browser on this machine, which this server would take for the user's."""
        host, origin = request.headers.get("Host", ""), request.headers.get("Origin")
        if origin is not None and urllib.parse.urlsplit(origin).netloc.lower() != host.lower():
            raise ForbiddenError(f"the page of {origin[:200]} may not use this server")
        options = self._service.options
        if host and not options.token and is_loopback(options.host) and not _LOOPBACK.fullmatch(host):
            raise ForbiddenError(f"this server is for this machine, and is not called {host[:200]!r}")

    async def _read(self, request: Any, memory: Memory, most: int) -> bytearray:
        """The body. SlowError, LargeError, BusyError, InvalidError."""
        service, body = self._service, bytearray()
        if (request.content_length or 0) > most:
            raise InvalidError(f"a request to this address has at most {most} bytes, not {request.content_length}")
        if request.headers.get("Expect", "").lower() == "100-continue":
            await request.writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
            request.writer.output_size = 0

        async def fill() -> None:
            async for chunk in request.content.iter_any():
                memory.grow(len(body) + len(chunk))
                body.extend(chunk)
        try:
            await asyncio.wait_for(fill(), service.options.timeout)
        except asyncio.TimeoutError:
            raise SlowError(f"the body has not come within {service.options.timeout:g} seconds: {len(body)} bytes of it are here") from None
        except web.RequestPayloadError as error:
            raise InvalidError(f"the body cannot be read: {' '.join(str(error).split())[:200]}") from None
        return body

    async def _read_json(self, request: Any) -> Dict[str, Any]:
        """Of a request that is not for inference."""
        with self._service.memory(request.content_length or 0) as memory:
            body = await self._read(request, memory, _SMALL)
        return parse_json(memoryview(body), _SMALL) if body else {}

    # ---- The protocol ----

    async def _infer(self, request: Any, match: Match) -> Answer:
        service = self._service
        with service.active():
            name, version = match
            service.repository.find(name, version)  # before a body for nobody is read
            with service.memory(request.content_length or 0) as memory:
                body = await self._read(request, memory, service.options.max_request)
                given = parse_request(memoryview(body), request.headers.get(LENGTH), service.options.max_json)
                model, wanted, results = await service.infer(name, version, given)
                head, parts = write_answer(model, given, wanted, results)
            if not parts:
                answer = web.Response(body=head, content_type="application/json", headers=_SAFE)
            else:
                answer = web.Response(body=b"".join((head, *parts)), content_type="application/octet-stream",
                                      headers={LENGTH: str(len(head)), **_SAFE})
            if "Accept-Encoding" in request.headers and answer.body and len(answer.body) > _SMALL:
                answer.enable_compression()
            return answer

    async def _live(self, _request: Any, _match: Match) -> Answer:
        return web.Response(headers=_SAFE)

    async def _ready(self, _request: Any, _match: Match) -> Answer:
        return web.Response(status=200 if self._service.is_ready() else 503, headers=_SAFE)

    async def _server(self, _request: Any, _match: Match) -> Answer:
        return _json(self._service.described())

    async def _model(self, _request: Any, match: Match) -> Answer:
        return _json(self._service.model_described(*match))

    async def _model_ready(self, _request: Any, match: Match) -> Answer:
        return web.Response(status=200 if self._service.is_model_ready(*match) else 503, headers=_SAFE)

    async def _config(self, _request: Any, match: Match) -> Answer:
        return _json(self._service.repository.find(*match).config())

    async def _stats(self, _request: Any, match: Match) -> Answer:
        return _json(self._service.repository.counted(*match))

    async def _index(self, request: Any, _match: Match) -> Answer:
        is_ready = (await self._read_json(request)).get("ready", False)
        if not isinstance(is_ready, bool):
            raise InvalidError(f"ready is true or false, not {is_ready!r}")
        return _json(self._service.index(is_ready))

    async def _load(self, request: Any, match: Match) -> Answer:
        parameters = (await self._read_json(request)).get("parameters") or {}
        if not isinstance(parameters, dict):
            raise InvalidError(f"parameters is an object of JSON, not {type(parameters).__name__}")
        await self._service.load(match[0], parameters)
        return web.Response(headers=_SAFE)

    async def _unload(self, request: Any, match: Match) -> Answer:
        await self._read_json(request)
        await self._service.unload(match[0])
        return web.Response(headers=_SAFE)

    # ---- Beside it ----

    async def _metrics(self, _request: Any, _match: Match) -> Answer:
        return web.Response(body=self._service.metrics_text(), headers={"Content-Type": "text/plain; version=0.0.4; charset=utf-8", **_SAFE})

    async def _page_models(self, _request: Any, _match: Match) -> Answer:
        return _json(page_models(self._service))

    async def _page_model(self, _request: Any, match: Match) -> Answer:
        return _json(page_model(self._service, *match))

    async def _page_file(self, _request: Any, match: Match) -> Answer:
        body, kind = page_file(match[0])
        return web.Response(body=body, content_type=kind, charset="utf-8", headers={**_SAFE, "Content-Security-Policy": POLICY})
