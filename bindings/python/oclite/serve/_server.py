# SPDX-License-Identifier: Apache-2.0
"""The process: it opens ports, looks for new models, and ends when it is told to."""
from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import ssl
import sys
from typing import TYPE_CHECKING, Any, List, Optional

from oclite.serve._grpc import open_server
from oclite.serve._http import HttpFront, is_loopback
from oclite.serve._repository import Repository
from oclite.serve._runner import load_operators_of, make_delegate
from oclite.serve._service import Service
from oclite.serve._statistics import Metrics

if TYPE_CHECKING:
    from oclite.serve._options import Options

LOG = logging.getLogger("oclite.serve")
_SWITCH = 0.001  # seconds after which a thread of Python makes way: instances and the event loop wait for each other


def run(options: Options) -> int:
    """Serves until SIGTERM or SIGINT; a second one ends it at once. Returns the exit status."""
    logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stderr)
    logging.captureWarnings(True)
    logging.getLogger("aiohttp.server").setLevel(logging.CRITICAL)  # what clients do wrong, they are told
    sys.setswitchinterval(_SWITCH)
    return asyncio.run(_run(options))


def _tls(options: Options) -> Optional[ssl.SSLContext]:
    if options.tls is None:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    try:
        context.load_cert_chain(*options.tls)
    except (OSError, ssl.SSLError) as error:
        raise ValueError(f"--tls-cert {options.tls[0]}, --tls-key {options.tls[1]}: {error}") from None
    return context


def _join(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


async def _run(options: Options) -> int:
    loop, metrics = asyncio.get_running_loop(), Metrics()
    repository = Repository(options, metrics)
    context = _tls(options)
    for text in options.delegates:
        make_delegate(text)  # what is wrong with it is no model's fault
    for text in options.operators:
        load_operators_of(text)
    await repository.poll(is_first=True)
    if not repository.served():
        raise ValueError("no model can be loaded")
    service = Service(options, repository, metrics)
    ending = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, _end, ending, options)
    front = HttpFront(service).server()
    http = await loop.create_server(front, options.host, options.port, ssl=context, backlog=1024)
    port = http.sockets[0].getsockname()[1]
    told = f"http{'s' if context else ''}://{_join(options.host, port)}"
    rpc: Any = None
    if options.grpc_port is not None:
        rpc, rpc_port = await open_server(service, _join(options.host, options.grpc_port))
        told += f", gRPC on {_join(options.host, rpc_port)}"
    if not options.token and not is_loopback(options.host):
        LOG.warning("everybody who reaches %s may use this server: --token-file asks for a token", options.host)
    print(f"serving {', '.join(sorted({model.name for model in repository.served()}))} on {told}", flush=True)
    poller = asyncio.ensure_future(_poll(repository, options.poll))
    await ending.wait()
    poller.cancel()
    http.close()
    await _finish(service, front, rpc)
    return 0


def _end(ending: asyncio.Event, options: Options) -> None:
    if ending.is_set():
        LOG.warning("ended at once")
        sys.stderr.flush()
        signal.raise_signal(signal.SIGKILL)
    LOG.info("ending: what runs is finished, for at most %g seconds", options.drain)
    ending.set()


async def _poll(repository: Repository, seconds: float) -> None:
    while seconds > 0:
        await asyncio.sleep(seconds)
        try:
            await repository.poll()
        except Exception:  # pylint: disable=broad-except
            LOG.exception("looking for new models has failed")


async def _finish(service: Service, front: Any, rpc: Any) -> None:
    """New requests are refused, and those that are here get their answers, as long as there is time."""
    drain, loop = service.options.drain, asyncio.get_running_loop()
    end = loop.time() + drain
    waiting: List[Any] = [service.drain()]
    if rpc is not None:
        waiting.append(rpc.stop(drain))
    done, late = await asyncio.wait([asyncio.ensure_future(task) for task in waiting], timeout=drain)
    if late:
        LOG.warning("the time for what runs is over")
    front.pre_shutdown()
    await front.shutdown(max(end - loop.time(), 1))  # answers that are on their way
    closing = asyncio.ensure_future(service.repository.close())
    with contextlib.suppress(asyncio.TimeoutError):
        await asyncio.wait_for(closing, 1 if late else drain)
    for task in done:
        task.result()
