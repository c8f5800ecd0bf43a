# SPDX-License-Identifier: Apache-2.0
"""The command line of oclite serve."""
from __future__ import annotations

import argparse
import os
from dataclasses import dataclass
from typing import Callable, List, Optional, Tuple

TOKEN_VARIABLE = "OCLITE_SERVE_TOKEN"
_DESCRIPTION = """Serves TensorFlow Lite models by the Open Inference Protocol (KServe v2), over HTTP and gRPC, with a page at /
and metrics for Prometheus at /metrics. docs/SERVE.md tells the rest."""
_MODEL_HELP = """a .tflite file, a model's folder (with VERSION/model.tflite in it), or a folder of such folders; NAME=PATH gives
a file or a model's folder another name"""


@dataclass(frozen=True)
class Options:
    """What the server is told. Sizes are bytes, times seconds."""
    models: Tuple[str, ...]
    host: str
    port: int
    grpc_port: Optional[int]
    instances: int
    threads: int
    delegates: Tuple[str, ...]
    operators: Tuple[str, ...]
    batch: int
    delay: Optional[float]
    versions: int
    poll: float
    max_request: int
    max_json: int
    max_memory: int
    max_connections: int
    queue: int
    timeout: float
    drain: float
    tls: Optional[Tuple[str, str]]  # certificate, key
    token: str  # "" for none
    is_open_repository: bool  # clients may load and unload
    is_verbose: bool


def _number(kind: Callable[[str], float], least: float, most: float) -> Callable[[str], float]:
    def convert(text: str) -> float:
        try:
            value = kind(text)
        except ValueError:
            value = least - 1
        if not least <= value <= most:
            raise argparse.ArgumentTypeError(f"{text!r} is no number from {least:g} to {most:g}")
        return value
    return convert


_COUNT, _SECONDS, _MEGABYTES = _number(int, 1, 2**20), _number(float, 0, 86400), _number(float, 0.001, 2047)


def _port(text: str) -> Optional[float]:
    return None if text == "none" else _number(int, 0, 65535)(text)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="oclite serve", description=_DESCRIPTION)
    add = parser.add_argument
    add("models", nargs="+", metavar="MODEL", help=_MODEL_HELP)
    add("--host", default="127.0.0.1", metavar="ADDRESS", help="on which address; 0.0.0.0 for all (127.0.0.1)")
    add("--port", type=_number(int, 0, 65535), default=8000, metavar="N", help="of HTTP; 0 for a free one (8000)")
    add("--grpc-port", type=_port, default=8001, metavar="N", help="of gRPC; 0 for a free one, none for no gRPC (8001)")
    group = parser.add_argument_group("how models run")
    add = group.add_argument
    add("--instances", type=_COUNT, metavar="N", help="of each model, on each device (one for each processor; 1 with --delegate)")
    add("--threads", type=_COUNT, metavar="N", help="of an instance on the CPU, while fewer requests run than there are processors (all)")
    add("--delegate", action="append", default=[], metavar="opencl[:OPTION=VALUE,...]",
        help="run on OpenCL; several times for several devices")
    add("--operators", action="append", default=[], metavar="LIBRARY[:FUNCTION]", help="custom operators (oclite/operators.h)")
    add("--batch", type=_COUNT, default=16, metavar="N", help="most rows of a request, and of requests that run together (16)")
    add("--delay-ms", type=_number(float, 0, 60000), metavar="D",
        help="requests run together: those that wait, and those that come within D milliseconds of the first (each runs alone)")
    add("--versions", type=_COUNT, default=1, metavar="N", help="so many of the latest versions of a model are served (1)")
    add("--poll", type=_SECONDS, default=2, metavar="S", help="look for new versions every S seconds; 0: never (2)")
    add("--no-control", action="store_true", help="clients may not load and unload models")
    group = parser.add_argument_group("limits")
    add = group.add_argument
    add("--max-request-mb", type=_MEGABYTES, default=64, metavar="N", help="of a request (64)")
    add("--max-json-mb", type=_MEGABYTES, default=8, metavar="N", help="of a request's JSON, without binary data (8)")
    add("--max-memory-mb", type=_number(float, 0.001, 2**20), default=1024, metavar="N", help="of all requests at a time (1024)")
    add("--max-connections", type=_COUNT, default=1000, metavar="N", help="of HTTP, and requests of gRPC, at a time (1000)")
    add("--queue", type=_COUNT, default=256, metavar="N", help="so many requests wait for a version of a model (256)")
    add("--timeout", type=_number(float, 0.001, 86400), default=60, metavar="S", help="seconds that a request may take to come, and to be answered (60)")
    add("--drain", type=_SECONDS, default=30, metavar="S", help="seconds for what runs, at SIGTERM (30)")
    group = parser.add_argument_group("security")
    add = group.add_argument
    add("--tls-cert", metavar="FILE", help="certificate chain, PEM")
    add("--tls-key", metavar="FILE", help="its key, PEM")
    add("--token-file", metavar="FILE", help=f"a token that each request has to bring (Authorization: Bearer ...); or the variable {TOKEN_VARIABLE}")
    parser.add_argument("--verbose", action="store_true", help="tell of each request")
    return parser


def _read_token(path: Optional[str]) -> str:
    """ValueError where there is a token, but an empty one: a server that was meant to be closed is not left open."""
    if path is None and TOKEN_VARIABLE not in os.environ:
        return ""
    if path is None:
        token = os.environ[TOKEN_VARIABLE].strip()
    else:
        with open(path, encoding="utf-8") as file:
            token = file.read().strip()
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise ValueError(f"{path or TOKEN_VARIABLE}: a token is one word of ASCII characters")
    return token


def parse(arguments: List[str]) -> Options:
    """Ends the program for wrong usage, as argparse does. OSError, ValueError: a token that cannot be read."""
    parser = _parser()
    given = parser.parse_args(arguments)
    if bool(given.tls_cert) != bool(given.tls_key):
        parser.error("--tls-cert and --tls-key belong together")
    processors = len(os.sched_getaffinity(0))
    instances = given.instances or (1 if given.delegate else processors)
    return Options(
        models=tuple(given.models), host=given.host, port=given.port, grpc_port=given.grpc_port, instances=instances, threads=given.threads or processors,
        delegates=tuple(given.delegate), operators=tuple(given.operators), batch=given.batch, delay=None if given.delay_ms is None else given.delay_ms / 1000,
        versions=given.versions, poll=given.poll, max_request=int(given.max_request_mb * 2**20), max_json=int(given.max_json_mb * 2**20),
        max_memory=int(given.max_memory_mb * 2**20), max_connections=given.max_connections, queue=given.queue, timeout=given.timeout,
        drain=given.drain, tls=(given.tls_cert, given.tls_key) if given.tls_cert else None, token=_read_token(given.token_file),
        is_open_repository=not given.no_control, is_verbose=given.verbose)
