#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Inferences a second, and latencies, of oclite serve and of a plain loop of LiteRT behind the same HTTP framework.

serve.py LIBRARIES MODEL... [--litert-python PYTHON] [--clients 16] [--seconds 5] [--rounds 5] [--svg FILE] [--loads 0.2,0.4,0.6,0.8,0.9,0.95]

LIBRARIES is a build's folder; this Python has what bindings/python/tests/scale.txt names, and ai-edge-litert, or another Python of the same version has
that. All servers of a model
are started once and take turns: `rounds` times each, `seconds` at a time, the others idle. What is told is the median of the rounds.

litert N      one Interpreter of N threads on a thread of its own behind aiohttp, which takes and gives an array's bytes, one after another
oclite        oclite serve as it is: an instance of one thread for each processor; binary tensors of the protocol
oclite 5 ms   the same with --delay-ms 5 --batch 8: requests run together

With --svg requests come at random (Poisson) at parts of what `oclite` answered a second, and the picture has half of the latencies (p50) and 99
of a hundred (p99) of the first model, from when a request was due.
"""
import argparse
import asyncio
import html
import json
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import time

import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COLOURS = ("#b0413e", "#d98c5f", "#2f6fd0", "#3a9a6b")


# ---- The peer ----

def serve_litert(path, threads):
    """A server whose loop is set_tensor, invoke, get_tensor. Prints its port."""
    from concurrent.futures import ThreadPoolExecutor

    from ai_edge_litert.interpreter import Interpreter
    from aiohttp import web
    interpreter = Interpreter(path, num_threads=threads)
    interpreter.allocate_tensors()
    (given,), output = interpreter.get_input_details(), interpreter.get_output_details()[0]
    thread = ThreadPoolExecutor(1)

    def infer(body):
        interpreter.set_tensor(given["index"], np.frombuffer(body, given["dtype"]).reshape(given["shape"]))
        interpreter.invoke()
        return interpreter.get_tensor(output["index"]).tobytes()

    async def answer(request):
        body = await request.read()
        return web.Response(body=await asyncio.get_running_loop().run_in_executor(thread, infer, body))

    async def run():
        loop = asyncio.get_running_loop()
        server = await loop.create_server(web.Server(answer, access_log=None, read_bufsize=1 << 18), "127.0.0.1", 0)
        print(f"on http://127.0.0.1:{server.sockets[0].getsockname()[1]}", flush=True)
        await server.serve_forever()
    asyncio.run(run())


# ---- Servers ----

class Served:
    """A server's process, and the bytes of a request to it."""

    def __init__(self, name, command, libraries, packages=()):
        self.name = name
        environment = {**os.environ, "OCLITE_LIBRARY_DIR": os.path.abspath(libraries),
                       "PYTHONPATH": os.pathsep.join((os.path.join(ROOT, "bindings", "python"), *packages))}
        self.process = subprocess.Popen([sys.executable, *command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environment)
        found = re.search(r"http://127\.0\.0\.1:(\d+)", self.process.stdout.readline())
        if not found:
            sys.exit(f"{name} does not start: {' '.join(command)}")
        self.port, self.request = int(found[1]), b""

    def set_request(self, path, body, *headers):
        lines = (f"POST {path} HTTP/1.1", "Host: localhost", f"Content-Length: {len(body)}", *headers)
        self.request = "\r\n".join(lines).encode() + b"\r\n\r\n" + body

    def cpu_seconds(self):
        """That it has computed so far."""
        with open(f"/proc/{self.process.pid}/stat", encoding="ascii") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


def packages_of(python):
    """The folder of another Python's packages."""
    done = subprocess.run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], stdout=subprocess.PIPE, text=True, check=True)
    return done.stdout.strip()


def open_servers(path, libraries, packages=()):
    """Of one model: LiteRT's, which are given an array's bytes, and ours."""
    sys.path.insert(0, os.path.join(ROOT, "bindings", "python"))
    os.environ["OCLITE_LIBRARY_DIR"] = os.path.abspath(libraries)
    import oclite
    with oclite.Interpreter(path) as interpreter:
        (given,) = interpreter.get_input_details()
    name = os.path.splitext(os.path.basename(path))[0]
    kind = np.dtype(given["dtype"])
    rng = np.random.default_rng(0)
    values = rng.random(given["shape"], np.float32) if kind.kind == "f" else rng.integers(0, 100, given["shape"], kind)
    cores = len(os.sched_getaffinity(0))
    servers = [Served(f"litert {n}", [__file__, "--litert", path, str(n)], libraries, packages) for n in sorted({1, cores})]
    for server in servers:
        server.set_request("/", values.tobytes())
    ours = ["-m", "oclite", "serve", path, "--port", "0", "--grpc-port", "none"]
    for title, options in (("oclite", []), ("oclite 5 ms", ["--delay-ms", "5", "--batch", "8"])):
        server = Served(title, ours + options, libraries)
        told = json.loads(asyncio.run(ask_once(server.port, f"/v2/models/{name}")))["inputs"][0]
        head = json.dumps({"inputs": [{"name": told["name"], "datatype": told["datatype"], "shape": list(values.shape),
                                       "parameters": {"binary_data_size": values.nbytes}}], "parameters": {"binary_data_output": True}}).encode()
        server.set_request(f"/v2/models/{name}/infer", head + values.tobytes(), f"Inference-Header-Content-Length: {len(head)}")
        servers.append(server)
    return servers


# ---- Clients ----

async def read_answer(reader):
    head = await reader.readuntil(b"\r\n\r\n")
    length = int(re.search(rb"\r\ncontent-length: (\d+)", head, re.I)[1])
    body = await reader.readexactly(length)
    if b" 200 " not in head[:20]:
        raise RuntimeError((head[:300], body[:300]))
    return body


async def ask_once(port, path):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
    body = await read_answer(reader)
    writer.close()
    return body


async def closed_loop(server, clients, seconds):
    """Each client asks again when it has its answer. Requests a second."""
    end, done = time.perf_counter() + seconds, 0

    async def client():
        nonlocal done
        reader, writer = await asyncio.open_connection("127.0.0.1", server.port, limit=1 << 20)
        while time.perf_counter() < end:
            writer.write(server.request)
            await read_answer(reader)
            done += 1
        writer.close()
    began = time.perf_counter()
    await asyncio.gather(*(client() for _ in range(clients)))
    return done / (time.perf_counter() - began)


async def open_loop(server, rate, seconds, rng):
    """Requests come when they are due, whether others have answers or not. Latencies in milliseconds."""
    idle, latencies, tasks = [], [], []

    async def request(due):
        connection = idle.pop() if idle else await asyncio.open_connection("127.0.0.1", server.port, limit=1 << 20)
        connection[1].write(server.request)
        await read_answer(connection[0])
        latencies.append((time.perf_counter() - due) * 1000)
        idle.append(connection)
    due = time.perf_counter()
    end = due + seconds
    while due < end:
        due += rng.expovariate(rate)
        await asyncio.sleep(max(due - time.perf_counter(), 0))
        tasks.append(asyncio.ensure_future(request(due)))
    await asyncio.gather(*tasks)
    for _, writer in idle:
        writer.close()
    return sorted(latencies)


# ---- Results ----

def measure(servers, options):
    """Server's name -> medians of requests a second, and of milliseconds of the processor for each."""
    found = {server.name: [] for server in servers}
    for server in servers:
        asyncio.run(closed_loop(server, options.clients, 1))  # everything has been used once
    for _ in range(options.rounds):
        for server in servers:
            before, began = server.cpu_seconds(), time.perf_counter()
            rate = asyncio.run(closed_loop(server, options.clients, options.seconds))
            count = rate * (time.perf_counter() - began)
            found[server.name].append((rate, (server.cpu_seconds() - before) * 1000 / count))
    return {name: tuple(statistics.median(column) for column in zip(*values)) for name, values in found.items()}


def at(latencies, part):
    return latencies[min(int(len(latencies) * part), len(latencies) - 1)]


def measure_loads(servers, most, options):
    """(server's name, requests a second) -> medians of p50 and p99 of the rounds."""
    found = {}
    for i in range(options.rounds):
        for load in options.loads:
            for server in servers:
                latencies = asyncio.run(open_loop(server, load * most, options.seconds, random.Random(i)))
                found.setdefault((server.name, load * most), []).append((at(latencies, .5), at(latencies, .99)))
    return {key: tuple(statistics.median(column) for column in zip(*values)) for key, values in found.items()}


def draw(path, title, points):
    """Latencies against load, logarithmic upwards; lines are p50, broken ones p99."""
    names = list(dict.fromkeys(name for name, _ in points))
    width, height, left, top, right, bottom = 720, 420, 60, 40, 150, 50
    rates = sorted({rate for _, rate in points})
    values = [value for pair in points.values() for value in pair]
    low, high = np.floor(np.log10(min(values))), np.ceil(np.log10(max(values)))

    def x(rate):
        return left + (width - left - right) * rate / rates[-1]

    def y(value):
        return height - bottom - (height - top - bottom) * (np.log10(value) - low) / (high - low)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">'
             f'<rect width="{width}" height="{height}" fill="#fff"/><text x="{left}" y="22" font-size="15">{html.escape(title)}</text>']
    for power in range(int(low), int(high) + 1):
        for step in range(1, 10 if power < high else 2):
            value = step * 10.0 ** power
            parts.append(f'<path d="M{left} {y(value):.1f}H{width - right}" stroke="{"#c8cdd5" if step == 1 else "#eceff3"}"/>')
            if step in (1, 2, 5):
                parts.append(f'<text x="{left - 6}" y="{y(value) + 4:.1f}" text-anchor="end">{value:g}</text>')
    for rate in rates:
        parts.append(f'<text x="{x(rate):.1f}" y="{height - bottom + 18}" text-anchor="middle">{rate:.0f}</text>')
    parts.append(f'<text x="{(left + width - right) / 2}" y="{height - 12}" text-anchor="middle">requests a second</text>'
                 f'<text x="14" y="{height / 2}" transform="rotate(-90 14 {height / 2})" text-anchor="middle">ms</text>')
    for i, (name, colour) in enumerate(zip(names, COLOURS)):
        for which, dash in ((0, ""), (1, ' stroke-dasharray="5 4"')):
            line = "L".join(f"{x(rate):.1f} {y(points[name, rate][which]):.1f}" for rate in rates if (name, rate) in points)
            parts.append(f'<path d="M{line}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')
        parts.append(f'<path d="M{width - right + 14} {top + 20 * i}h20" stroke="{colour}" stroke-width="2"/>'
                     f'<text x="{width - right + 40}" y="{top + 20 * i + 4}">{html.escape(name)}</text>')
    parts.append(f'<text x="{width - right + 14}" y="{top + 20 * len(names) + 8}">line p50, broken p99</text></svg>\n')
    with open(path, "w", encoding="utf-8") as out:
        out.write("\n".join(parts))


def main():
    if sys.argv[1:2] == ["--litert"]:
        serve_litert(sys.argv[2], int(sys.argv[3]))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("libraries")
    parser.add_argument("models", nargs="+")
    parser.add_argument("--litert-python")
    parser.add_argument("--clients", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--svg")
    parser.add_argument("--loads", type=lambda text: [float(part) for part in text.split(",")], default=[0.2, 0.4, 0.6, 0.8, 0.9, 0.95])
    options = parser.parse_args()
    packages = [packages_of(options.litert_python)] if options.litert_python else []
    for i, path in enumerate(options.models):
        servers = open_servers(path, options.libraries, packages)
        try:
            figures = measure(servers, options)
            best = max(rate for name, (rate, _) in figures.items() if name.startswith("litert"))
            print(os.path.basename(path))
            for name, (rate, cpu) in figures.items():
                print(f"  {name:12} {rate:8.1f} requests a second ({rate / best:.2f} of LiteRT's best), {cpu:8.3f} ms of the processor for each", flush=True)
            if options.svg and i == 0:
                points = measure_loads(servers, figures["oclite"][0], options)
                for (name, rate), (p50, p99) in sorted(points.items()):
                    print(f"  {name:12} {rate:8.1f} a second: p50 {p50:8.2f} ms, p99 {p99:8.2f} ms")
                draw(options.svg, f"{os.path.basename(path)}: latency against load", points)
        finally:
            for server in servers:
                server.stop()


if __name__ == "__main__":
    main()
