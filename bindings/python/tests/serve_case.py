# SPDX-License-Identifier: Apache-2.0
"""What the tests of oclite serve share: small models, a server on free ports, and HTTP in single bytes."""
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

from python_case import LIBRARIES, SOURCE, np, skip

sys.path.insert(0, os.path.join(SOURCE, "tests", "tools"))
from tflite_writer import Graph, write  # noqa: E402

try:
    import aiohttp
    import grpc
    import orjson
    import prometheus_client  # noqa: F401
    import tritonclient.grpc
    import tritonclient.http
except ImportError as missing:
    skip(f"this Python has not all of scale.txt ({missing})")

KINDS = {"f4": "FP32", "f8": "FP64", "f2": "FP16", "i1": "INT8", "u1": "UINT8", "i2": "INT16", "u2": "UINT16", "i4": "INT32", "u4": "UINT32",
         "i8": "INT64", "u8": "UINT64", "bool": "BOOL", "str": "BYTES"}  # of KEPT, by tflite_writer's names
READY = re.compile(r"serving .* on https?://127\.0\.0\.1:(\d+)(?:, gRPC on 127\.0\.0\.1:(\d+))?")


def kept(path, kinds=tuple(KINDS), size=3):
    """A model that gives back each of its inputs: rows of three, x_f4 as y_f4 and so on."""
    graph = Graph()
    shape = graph.tensor("shape", [2], "i4", np.array([-1, size], np.int32).tobytes())
    graph.inputs = [graph.tensor(f"x_{kind}", [1, size], kind) for kind in kinds]
    graph.outputs = [graph.node("RESHAPE", [x, shape], f"y_{kind}", [1, size], kind) for kind, x in zip(kinds, graph.inputs)]
    write(path, [graph])


def doubled(path, times=1):
    """x + x, or x + x + x + ..., of rows of two."""
    graph = Graph()
    x = y = graph.tensor("x", [1, 2])
    for i in range(times):
        y = graph.node("ADD", [y, x], f"y_{i}", [1, 2])
    graph.inputs, graph.outputs = [x], [y]
    write(path, [graph])


def gathered(path):
    """The squares of 0 to 3 at the given places."""
    graph = Graph()
    places = graph.tensor("places", [1, 2], "i4")
    squares = graph.tensor("squares", [4], "f4", np.array([0, 1, 4, 9], np.float32).tobytes())
    graph.inputs, graph.outputs = [places], [graph.node("GATHER", [squares, places], "y", [1, 2])]
    write(path, [graph])


def counting(path):
    """Counts from `begin` to `end`: a request takes as long as it likes."""
    main, condition, body = Graph("main"), Graph("condition"), Graph("body")
    for graph in (main, condition, body):
        graph.inputs = [graph.tensor("begin", [1], "i4"), graph.tensor("end", [1], "i4")]
    zero, one = (body.tensor(name, [1], "i4", number.to_bytes(4, "little")) for name, number in (("zero", 0), ("one", 1)))
    condition.outputs = [condition.node("LESS", [0, 1], "less", [1], "bool")]
    body.outputs = [body.node("ADD", [0, one], "next", [1], "i4"), body.node("ADD", [1, zero], "same", [1], "i4")]
    main.outputs = [main.tensor("counted", [1], "i4"), main.tensor("same_end", [1], "i4")]
    main.nodes = [("WHILE", main.inputs, main.outputs, {0: 1, 1: 2})]
    write(path, [main, condition, body])


class Server:
    """A process of oclite serve."""

    def __init__(self, *arguments, environment=None, grpc_port="0"):
        command = [sys.executable, "-m", "oclite", "serve", "--port", "0", "--grpc-port", grpc_port, *map(str, arguments)]
        paths = os.path.join(SOURCE, "bindings", "python")
        self.log = tempfile.NamedTemporaryFile("w+", suffix=".log")
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.log, text=True, env={
            **os.environ, "OCLITE_LIBRARY_DIR": LIBRARIES, "PYTHONPATH": paths, **(environment or {})})
        self.line = self.process.stdout.readline()
        found = READY.match(self.line)
        if found is None:
            self.stop(signal.SIGKILL)
            raise AssertionError(f"the server does not start: {self.line}{self.said()}")
        self.port, self.grpc_port = int(found[1]), int(found[2] or 0)
        self.address, self.grpc_address = f"127.0.0.1:{self.port}", f"127.0.0.1:{self.grpc_port}"

    def said(self):
        with open(self.log.name, encoding="utf-8") as file:
            return file.read()

    def stop(self, number=signal.SIGTERM):
        """The exit status."""
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            return self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise AssertionError(f"the server does not end: {self.said()}") from None
        finally:
            self.process.stdout.close()
            self.log.close()

    # ---- HTTP, byte by byte ----

    def connect(self, timeout=20):
        return socket.create_connection(("127.0.0.1", self.port), timeout)

    def send(self, data, timeout=20):
        """Status, headers and body of the answer to these bytes."""
        with self.connect(timeout) as connection:
            connection.sendall(data)
            return receive(connection)

    def ask(self, method, path, body=b"", headers=None):
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
        lines = {"Host": self.address, "Connection": "close", "Content-Length": len(body), **(headers or {})}
        head = f"{method} {path} HTTP/1.1\r\n" + "".join(f"{key}: {value}\r\n" for key, value in lines.items() if value is not None)
        return self.send(head.encode("utf-8", "surrogateescape") + b"\r\n" + body)

    def get(self, path, **headers):
        """The JSON of an address."""
        status, _, body = self.ask("GET", path, headers=headers)
        if status != 200:
            raise AssertionError((status, body))
        return json.loads(body)


def receive(connection):
    data = b""
    while b"\r\n\r\n" not in data:
        more = connection.recv(1 << 16)
        if not more:
            raise ConnectionError(f"the server has closed the connection: {data!r}")
        data += more
    head, _, body = data.partition(b"\r\n\r\n")
    status, *lines = head.decode().split("\r\n")
    headers = dict((key.lower(), value) for key, _, value in (line.partition(": ") for line in lines))
    while len(body) < int(headers.get("content-length", 0)):
        more = connection.recv(1 << 16)
        if not more:
            break
        body += more
    return int(status.split()[1]), headers, body


def wait_until(condition, seconds=15, what="what is waited for"):
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"{what} does not come about")
        time.sleep(0.02)


class ServeCase(unittest.TestCase):
    """One server for the tests of a class. `options`: of the command line; make(folder) writes models and returns arguments."""

    options = ()

    @classmethod
    def make(cls, folder):
        kept(os.path.join(folder, "kept.tflite"))
        kept(os.path.join(folder, "typed.tflite"), [kind for kind in KINDS if kind != "f2"])
        doubled(os.path.join(folder, "doubled.tflite"))
        counting(os.path.join(folder, "counting.tflite"))
        return [os.path.join(folder, f"{name}.tflite") for name in ("kept", "typed", "doubled", "counting")]

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="oclite-serve-")
        cls.addClassCleanup(shutil.rmtree, cls.folder, ignore_errors=True)
        cls.server = Server(*cls.make(cls.folder), *cls.options)
        cls.addClassCleanup(cls.server.stop)

    def infer(self, model, body, headers=None, status=200):
        """The JSON of an answer, or its error, to a request of JSON."""
        got, _, answer = self.server.ask("POST", f"/v2/models/{model}/infer", body, headers)
        self.assertEqual(got, status, answer)
        return json.loads(answer) if status == 200 else json.loads(answer)["error"]


def tensor(name, datatype, shape, data):
    return {"name": name, "datatype": datatype, "shape": shape, "data": data}


__all__ = ["KINDS", "ServeCase", "Server", "aiohttp", "counting", "doubled", "gathered", "grpc", "kept", "orjson", "receive", "tensor", "tritonclient",
           "wait_until"]
