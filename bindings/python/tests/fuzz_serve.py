#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Clients of oclite serve that send what nobody should, beside some that do what is right.

  fuzz_serve.py LIBRARIES SHARED SOURCE [--seconds N] [--seed S]

Whatever is sent, there is an answer with an error that says what was wrong, or the connection ends; the server goes on, gives its
memory back, and those who do what is right get what is right: each of their requests once, which is counted on both sides.
Some clients are killed in the middle. At the end a table tells what was sent how often, and what the answers were.
"""
import argparse
import collections
import json
import os
import random
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

from python_case import np
from serve_case import ServeCase, Server, doubled, grpc, receive, tensor, tritonclient, wait_until

GOOD = {"id": "a", "inputs": [tensor("x", "FP32", [1, 2], [1, 2])], "outputs": [{"name": "y_0", "parameters": {"binary_data": False}}], "parameters": {"timeout": 1000000}}
ODD = (None, True, False, 0, -1, 1, 2, 3, 2**31, 2**63, 2**64, -2**63, 1.5, 1e308, "", "x", "y_0", "FP32", "BYTES", "INT8", "BOOL", "\0", "é" * 300, [], [[]], [1, 2], [[1, 2]], {},
       {"a": 1}, [None], ["a", 1], [[1], [2, 3]], "9" * 400)
FIELDS = ("id", "inputs", "outputs", "parameters", "name", "datatype", "shape", "data", "binary_data_size", "binary_data", "timeout", "classification", "shared_memory_region",
          "sequence_id", "binary_data_output")
MODELS = ("kept", "doubled", "counting", "typed", "none", "", "%00", "..%2f..", "kept%2f", "ü", "a" * 5000)
PATHS = ("/", "/v2", "/v2/health/live", "/v2/health/ready", "/metrics", "/v2/models/stats", "/page/models.json", "/page/page.js", "/v2/repository/index",
         "/v2/repository/models/typed/load", "/v2/repository/models/typed/unload", "/v2/systemsharedmemory/status", "/v2/trace/setting", "//", "/v2/models//infer", "*", "http://a/v2")
PATIENCE = 0.5  # seconds for an answer: what is half a request has none
FAILED = ("the server failed", "Traceback", "Task exception was never retrieved", "Exception ignored", "never awaited")
KILLED = """
import sys, tritonclient.http as http, tritonclient.grpc as rpc, numpy as np
kind = rpc if sys.argv[2] == "grpc" else http
client = kind.InferenceServerClient(sys.argv[1])
inputs = [kind.InferInput(name, [1], "INT32").set_data_from_numpy(np.array([i], np.int32)) for name, i in (("begin", 0), ("end", 2**31 - 1))]
print("begins", flush=True)
client.infer("counting", inputs)
"""


class Fuzzer:
    """One that sends what a seed says."""

    def __init__(self, server, seed, counts):
        self.random = random.Random(seed)
        self.server, self.counts = server, counts
        self.actions = [getattr(self, name) for name in dir(self) if name.startswith("send_")]

    def chance(self, part):
        return self.random.random() < part

    def step(self):
        action = self.random.choice(self.actions)
        try:
            outcome = action()
        except (ConnectionError, socket.timeout, BrokenPipeError) as error:
            outcome = "timed out" if isinstance(error, socket.timeout) else "closed"
        self.counts[action.__name__[5:], str(outcome)] += 1

    # ---- What is sent ----

    def mutate(self, data):
        """Bytes that are nearly these."""
        data = bytearray(data)
        for _ in range(self.random.choice((1, 1, 2, 8))):
            at = self.random.randrange(len(data) + 1)
            how = self.random.randrange(6)
            if how == 0 and data:
                data[at % len(data)] ^= 1 << self.random.randrange(8)
            elif how == 1:
                data[at:at] = self.random.randbytes(self.random.choice((1, 4, 100)))
            elif how == 2:
                del data[at:at + self.random.choice((1, 4, 100))]
            elif how == 3:
                data[at:at] = data[at // 2:at]
            elif how == 4:
                data[at:at] = self.random.choice((b"\r\n", b"\r\n\r\n", b"\0", b"NaN", b"-", b"[" * 300, b"{", b'"', b"\xff", b"1e999", b"Content-Length: 4\r\n"))
            else:
                del data[at:]
        return bytes(data)

    def odd(self, value, depth=0):
        """Nearly this value of JSON."""
        if self.chance(0.03 if depth else 0.01):
            return self.random.choice(ODD)
        if isinstance(value, dict):
            made = {key: self.odd(item, depth + 1) for key, item in value.items() if not self.chance(0.03)}
            if self.chance(0.1):
                made[self.random.choice(FIELDS)] = self.random.choice(ODD)
            return made
        if isinstance(value, list):
            return [self.odd(item, depth + 1) for item in value for _ in range(self.random.choice((1,) * 40 + (0, 2)))]
        return value

    def request(self, body, headers=(), model=None):
        model = model or (self.random.choice(MODELS) if self.chance(0.2) else "doubled")
        version = self.random.choice(("",) * 20 + ("/versions/1", "/versions/2", "/versions/-1"))
        lines = [f"POST /v2/models/{model}{version}/infer HTTP/1.1", f"Host: {self.server.address}", f"Content-Length: {len(body)}", "Connection: close", *headers]
        return "\r\n".join(lines).encode("utf-8") + b"\r\n\r\n" + body

    def send(self, data):
        """The status of the answer, which is JSON if it is an error."""
        status, headers, body = self.server.send(data, PATIENCE)
        if status >= 400 and body:
            error = json.loads(body)["error"]
            if status == 500 and "the model failed" not in error:
                raise AssertionError((status, error, data[:2000]))
        if status == 200 and "json" in headers.get("content-type", ""):
            json.loads(body)
        return status

    def send_json(self):
        return self.send(self.request(json.dumps(self.odd(GOOD)).encode()))

    def send_bytes(self):
        return self.send(self.mutate(self.request(json.dumps(GOOD).encode(), model="doubled")))

    def send_binary(self):
        size = self.random.choice((8, 8, 8, 0, 4, 12, -1, 2**40))
        said = self.odd({"inputs": [{"name": "x", "datatype": self.random.choice(("FP32", "FP32", "BYTES", "BOOL", "INT64")), "shape": [1, 2],
                                     "parameters": {"binary_data_size": size}}]})
        head = json.dumps(said).encode()
        length = self.random.choice((len(head), len(head), len(head), 0, len(head) - 1, len(head) + 9, -1, "x"))
        data = self.random.randbytes(self.random.choice((8, 8, 8, 0, 7, 9, 1000)))
        return self.send(self.request(head + data, [f"Inference-Header-Content-Length: {length}"], "doubled"))

    def send_strings(self):
        parts = b"".join(struct.pack("<I", self.random.choice((0, 1, 3, 2**31, 2**32 - 1))) + b"abc"[:self.random.randrange(4)] for _ in range(3))
        said = json.dumps({"inputs": [{"name": "x_str", "datatype": "BYTES", "shape": [1, 3], "parameters": {"binary_data_size": len(parts)}}]}).encode()
        return self.send(self.request(said + parts, [f"Inference-Header-Content-Length: {len(said)}"], "kept"))

    def send_garbage(self):
        return self.send(self.random.randbytes(self.random.choice((1, 100, 10000))) + b"\r\n\r\n")

    def send_lengths(self):
        """Which contradict each other, or what follows."""
        body = json.dumps(GOOD).encode()
        lines = self.random.sample((f"Content-Length: {len(body)}", "Content-Length: 4", "Content-Length: -1", f"Content-Length: {10**18}", "Transfer-Encoding: chunked",
                                    "Transfer-Encoding: gzip", "Content-Encoding: gzip", "Content-Encoding: br", "Expect: 100-continue"), 2)
        data = "\r\n".join(["POST /v2/models/doubled/infer HTTP/1.1", f"Host: {self.server.address}", "Connection: close", *lines]).encode() + b"\r\n\r\n" + body
        with self.server.connect(PATIENCE) as connection:
            connection.sendall(data)
            return receive(connection)[0]

    def send_addresses(self):
        method = self.random.choice(("GET", "GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "CONNECT", "BREW"))
        path = self.random.choice(PATHS) if self.chance(0.6) else f"/v2/models/{self.random.choice(MODELS)}/{self.random.choice(('ready', 'config', 'stats', 'infer', 'versions/1', ''))}"
        data = f"{method} {path} HTTP/1.{self.random.randrange(3)}\r\nHost: {self.server.address}\r\nConnection: close\r\n\r\n".encode()
        if method != "HEAD":
            return self.send(data)
        with self.server.connect(PATIENCE) as connection:
            connection.sendall(data)
            return int(connection.recv(1 << 16).split()[1])

    def send_half(self):
        """And hangs up."""
        data = self.request(json.dumps(GOOD).encode(), model="doubled")
        with self.server.connect() as connection:
            connection.sendall(data[:self.random.randrange(len(data))])
            if self.chance(0.5):  # with a reset
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        return "hung up"

    def send_and_leave(self):
        """A request that takes long, whose answer nobody waits for."""
        body = json.dumps({"inputs": [tensor("begin", "INT32", [1], [0]), tensor("end", "INT32", [1], [2**31 - 1])]}).encode()
        with self.server.connect() as connection:
            connection.sendall(self.request(body, model="counting"))
            time.sleep(self.random.random() * 0.02)
        return "hung up"

    def send_much(self):
        """More than a request may have, as much of it as the server takes."""
        with self.server.connect() as connection:
            connection.sendall(f"POST /v2/models/doubled/infer HTTP/1.1\r\nHost: {self.server.address}\r\nContent-Length: {2**30}\r\n\r\n".encode())
            for _ in range(8):
                connection.sendall(bytes(1 << 16))
            return receive(connection)[0]

    def send_grpc(self):
        from tritonclient.grpc import service_pb2 as messages
        message = messages.ModelInferRequest(model_name=self.random.choice(("doubled", "kept", "none")))
        made = message.inputs.add(name="x", datatype=self.random.choice(("FP32", "BYTES", "")), shape=[1, self.random.choice((2, 2, 3, -1, 2**40))])
        if self.chance(0.5):
            message.raw_input_contents.append(self.random.randbytes(self.random.choice((8, 8, 0, 5))))
        if self.chance(0.5):
            made.contents.fp32_contents.extend((1, 2))
        data = message.SerializeToString()
        data = self.mutate(data) if self.chance(0.6) else data
        method = self.random.choice(("ModelInfer", "ModelInfer", "ModelInfer", "ModelConfig", "RepositoryIndex", "ModelStatistics", "TraceSetting", "None"))
        with grpc.insecure_channel(self.server.grpc_address) as channel:
            try:
                channel.unary_unary(f"/inference.GRPCInferenceService/{method}")(data, timeout=10)
            except grpc.RpcError as error:
                if error.code() in (grpc.StatusCode.UNKNOWN, grpc.StatusCode.INTERNAL):
                    raise AssertionError((method, data, error)) from None
                return error.code().name
        return "OK"

    def send_kill(self):
        """A client that is killed while its request runs."""
        if self.chance(0.9):
            return "not now"
        kind = self.random.choice(("http", "grpc"))
        address = self.server.address if kind == "http" else self.server.grpc_address
        with subprocess.Popen([sys.executable, "-c", KILLED, address, kind], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as client:
            client.stdout.readline()
            time.sleep(self.random.random() * 0.05)
            client.send_signal(signal.SIGKILL)
        return "killed"


class Honest(threading.Thread):
    """A client that does what is right and has to get what is right."""

    def __init__(self, server, kind, stop):
        super().__init__()
        self.server, self.kind, self.stop, self.done, self.wrong = server, kind, stop, 0, None

    def run(self):
        address = self.server.address if self.kind is tritonclient.http else self.server.grpc_address
        try:
            with self.kind.InferenceServerClient(address) as client:
                while not self.stop.is_set():
                    values = np.full((1, 2), self.done, np.float32)
                    x = self.kind.InferInput("x", [1, 2], "FP32").set_data_from_numpy(values)
                    result = client.infer("honest", [x]).as_numpy("y_0")
                    self.done += 1
                    if not np.array_equal(result, 2 * values):
                        raise AssertionError((values, result))
                    time.sleep(0.002)
        except Exception as error:  # pylint: disable=broad-except
            self.wrong = error


def memory_of(process):
    with open(f"/proc/{process.pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def check_end(server, honest, failures):
    """What has to be so when all have gone."""
    failures += [f"a client that does what is right: {client.wrong!r}" for client in honest if client.wrong]
    wait_until(lambda: not any(row.get("busy") or row.get("waiting") for row in server.get("/page/models.json")["models"]), what="the end of what nobody waits for")
    (told,) = server.get("/v2/models/honest/stats")["model_stats"]
    asked, answered = sum(client.done for client in honest), told["inference_stats"]["success"]["count"]
    if not asked == answered == told["inference_count"] or told["inference_stats"]["fail"]["count"]:
        failures.append(f"{asked} requests were right, {answered} answered, {told['inference_count']} computed")
    files = len(os.listdir(f"/proc/{server.process.pid}/fd"))
    if files > 200:
        failures.append(f"the server has {files} open files")
    if server.stop() != 0:
        failures.append("the server has not ended as it should")


def run(seconds, seed, folder):
    models = ServeCase.make(folder)
    doubled(os.path.join(folder, "honest.tflite"))
    server = Server(*models, os.path.join(folder, "honest.tflite"), "--max-request-mb", 1, "--timeout", 5, "--queue", 16, "--delay-ms", 1)
    counts, failures, stop = collections.Counter(), [], threading.Event()
    honest = [Honest(server, kind, stop) for kind in (tritonclient.http, tritonclient.grpc)]
    for client in honest:
        client.start()
    before, end, rounds = memory_of(server.process), time.monotonic() + seconds, 0
    while time.monotonic() < end and not failures and server.process.poll() is None:
        try:
            Fuzzer(server, seed + rounds, counts).step()
        except Exception as error:  # pylint: disable=broad-except
            failures.append(f"seed {seed + rounds}: {error!r}")
        rounds += 1
        if rounds == 300:
            before = memory_of(server.process)  # everything has been used once
    stop.set()
    for client in honest:
        client.join()
    if server.process.poll() is not None:
        failures.append(f"seed {seed + rounds - 1}: the server has ended with {server.process.returncode}")
        said = server.said()
    else:
        after, said = memory_of(server.process), server.said()
        check_end(server, honest, failures)
        if after > before + 100:
            failures.append(f"the server has {after:.0f} MiB, and had {before:.0f}")
        print(f"{rounds} rounds; {before:.0f} MiB before, {after:.0f} after; {sum(client.done for client in honest)} requests that were right")
    failures += [f"the server says: {said[max(said.find(word) - 300, 0):][:1500]}" for word in FAILED if word in said]
    return counts, failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(sys.argv[4:])
    with tempfile.TemporaryDirectory(prefix="oclite-serve-fuzz-") as folder:
        counts, failures = run(options.seconds, options.seed, folder)
    for action in sorted({action for action, _ in counts}):
        told = ", ".join(f"{count} {outcome}" for (name, outcome), count in sorted(counts.items(), key=lambda item: -item[1]) if name == action)
        print(f"{action:12} {told}")
    print("\n".join(failures))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
