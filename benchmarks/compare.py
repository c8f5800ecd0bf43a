#!/usr/bin/env python3
"""Compares inference times: oclite on the CPU and on OpenCL with LiteRT, ONNX Runtime and OpenVINO.

compare.py [--oclite PROGRAM] [--python PYTHON] [--who NAMES] [--rounds N] [--runs N] [--threads 1,2] [--busy] [--start] [--cold]
           [--json OUT] [--image OUT.svg] MODEL...

PYTHON is an interpreter that has some of ai-edge-litert, onnxruntime and openvino; peer_bench.py says how each is set. ONNX
Runtime takes the .onnx beside a model, where there is one. --who names competitors: cpu,opencl,litert,onnxruntime,openvino.

The competitors take turns: in each round each of them is started once and makes a warm-up and --runs inferences. A figure is the
median over the rounds of the medians, the least of all in brackets. The last column is how many times faster than the fastest
peer oclite is on the CPU, by the medians; its geometric mean over the models stands below. PoCL gets POCL_AFFINITY=1, and one
core per thread.

--busy keeps one processor busy all the time, with a process of its own.
--start adds what it takes from the file to the first result, in milliseconds, oclite and the peers.
--cold adds the cold start on OpenCL: loading, preparing and the first inference, once per model and number of threads, with
empty caches of PoCL's and of the delegate's own (POCL_CACHE_DIR, XDG_CACHE_HOME), as at a user's first time: with the trial of
the driver, which later starts do without. It is to stay under 5 s.
--image draws the last column.
"""
import argparse
import html
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
PEER_BENCH = os.path.join(HERE, "peer_bench.py")
TITLES = {"cpu": "oclite CPU", "opencl": "oclite OpenCL", "litert": "LiteRT", "onnxruntime": "ONNX Runtime", "openvino": "OpenVINO"}
OURS = ("cpu", "opencl")
COLD_LIMIT_S = 5


def find_peers(python):
    """Which of the peers this interpreter has."""
    if not python:
        return []
    result = subprocess.run([python, PEER_BENCH, "--list"], capture_output=True, text=True)
    return json.loads(result.stdout) if result.returncode == 0 else []


def competitors(arguments, threads):
    """Name -> command, without the model."""
    common = ["--threads", str(threads), "--runs", str(arguments.runs), "--warmup", str(arguments.warmup)]
    ours = [arguments.oclite, "bench", "--json", "-", *common]
    found = {"cpu": ours, "opencl": [*ours, "--delegate", "opencl:partition=all"]}
    for peer in arguments.peers:
        found[peer] = [arguments.python, PEER_BENCH, peer, *common]
    wanted = arguments.who.split(",") if arguments.who else list(found)
    return {name: command for name, command in found.items() if name in wanted}


def bench(command, model, threads, **variables):
    """What one process prints, or None and why not."""
    environment = dict(os.environ, POCL_AFFINITY="1", POCL_MAX_PTHREAD_COUNT=str(threads), **variables)
    result = subprocess.run([*command, model], capture_output=True, text=True, env=environment)
    if result.returncode != 0:
        return None, (result.stderr.strip().split("\n") or [""])[-1]
    figures = json.loads(result.stdout.strip().split("\n")[-1])
    if "device_failure" in figures:
        return None, "the device failed, these would be the processor's times: " + figures["device_failure"].split("\n")[0]
    return figures, None


def cold_start(arguments, model, threads):
    """Seconds from opening the model to the end of the first inference, None where it cannot run."""
    command = [arguments.oclite, "bench", "--json", "-", "--threads", str(threads), "--runs", "1", "--warmup", "0",
               "--delegate", "opencl:partition=all"]
    with tempfile.TemporaryDirectory() as cache:
        found, why = bench(command, model, threads, POCL_CACHE_DIR=cache, XDG_CACHE_HOME=cache)
    if found is None:
        print(f"  cold start: {why}", file=sys.stderr)
        return None
    return (found["load_ms"] + found["first_ms"]) / 1000


def compare(arguments, model, threads):
    """Name -> median, least and start in milliseconds, for the competitors that could run the model."""
    running = competitors(arguments, threads)
    found = {name: [] for name in running}
    for _ in range(arguments.rounds):
        for name in list(running):
            figures, why = bench(running[name], model, threads)
            if figures is None:
                print(f"  {TITLES[name]}: {why}", file=sys.stderr)
                del running[name]
            else:
                found[name].append(figures)
    return {name: {"median_ms": statistics.median(f["median_ms"] for f in found[name]),
                   "min_ms": min(f["min_ms"] for f in found[name]),
                   "start_ms": min(f["load_ms"] + f["first_ms"] for f in found[name])} for name in running}


def lead(times, figure="median_ms"):
    """Time of the fastest peer over that of oclite on the CPU; None where either is missing."""
    peers = [t[figure] for name, t in times.items() if name not in OURS]
    return min(peers) / times["cpu"][figure] if peers and "cpu" in times and times["cpu"][figure] > 0 else None


def cell(times, name, start):
    if name not in times:
        return "-".rjust(25 if start else 19)
    t = times[name]
    text = f"{t['median_ms']:9.3f} [{t['min_ms']:7.3f}]"
    return text + (f" {t['start_ms']:5.0f}" if start else "")


def ratio_cell(ratio):
    return "-".rjust(6) if ratio is None else f"{ratio:5.2f}x"


def cold_cell(seconds):
    if seconds is None:
        return "-".rjust(20)
    return f"{seconds:10.1f} s  {'< ' if seconds < COLD_LIMIT_S else '>='} {COLD_LIMIT_S} s"


def means(rows):
    """Threads -> geometric mean of the leads."""
    leads = {}
    for row in rows:
        if row["lead"] is not None:
            leads.setdefault(row["threads"], []).append(math.log(row["lead"]))
    return {threads: math.exp(statistics.fmean(logs)) for threads, logs in leads.items()}


def draw(rows, path):
    """A bar for each model and number of threads, and a line where oclite is as fast as the fastest peer."""
    rows = [row for row in rows if row["lead"] is not None]
    scale, left, line = 240, 260, 20
    width = left + int(scale * max([2.0] + [row["lead"] for row in rows])) + 60
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{line * (len(rows) + 2)}" '
             'font-family="sans-serif" font-size="12">', '<rect width="100%" height="100%" fill="white"/>',
             f'<text x="8" y="14">time of the fastest peer / time of oclite, CPU</text>']
    for i, row in enumerate(rows):
        y, bar = line * (i + 1), scale * row["lead"]
        name = html.escape(f"{row['model'].removesuffix('.tflite')}, {row['threads']} thread" + "s" * (row["threads"] > 1))
        color = "#3a7d44" if row["lead"] >= 1 else "#b5553c"
        parts += [f'<text x="{left - 8}" y="{y + 14}" text-anchor="end">{name}</text>',
                  f'<rect x="{left}" y="{y + 3}" width="{bar:.1f}" height="{line - 6}" fill="{color}"/>',
                  f'<text x="{left + bar + 4:.1f}" y="{y + 14}">{row["lead"]:.2f}</text>']
    parts += [f'<line x1="{left + scale}" x2="{left + scale}" y1="{line}" y2="{line * (len(rows) + 1)}" stroke="black"/>', "</svg>"]
    with open(path, "w", encoding="utf-8") as out:
        out.write("\n".join(parts) + "\n")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--oclite", default="oclite")
    parser.add_argument("--python", default="")
    parser.add_argument("--who", default="")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--warmup", type=int, default=5)
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--busy", action="store_true", help="with a process that keeps one processor busy")
    parser.add_argument("--start", action="store_true", help="also show times from file to first result")
    parser.add_argument("--cold", action="store_true", help="also measure cold starts")
    parser.add_argument("--json", help="also write the figures to this file")
    parser.add_argument("--image", help="also draw them to this file")
    parser.add_argument("models", nargs="+", metavar="MODEL")
    arguments = parser.parse_args()
    arguments.peers = find_peers(arguments.python)
    return arguments


def measure(arguments):
    names = list(competitors(arguments, 1))
    width = 25 if arguments.start else 19
    heads = [TITLES[name].rjust(width) for name in names] + ["   lead"] + ["   cold OpenCL start"] * arguments.cold
    print(f"{'milliseconds: median [least]' + (' start' if arguments.start else ''):40} threads" + " ".join(heads), flush=True)
    rows = []
    for model in arguments.models:
        for threads in map(int, arguments.threads.split(",")):
            times = compare(arguments, model, threads)
            row = {"model": os.path.basename(model), "threads": threads, "times": times, "lead": lead(times)}
            cells = [cell(times, n, arguments.start) for n in names] + [ratio_cell(row["lead"])]
            if arguments.cold:
                row["cold_s"] = cold_start(arguments, model, threads)
                cells.append(cold_cell(row["cold_s"]))
            rows.append(row)
            print(f"{os.path.basename(model)[:40]:40} {threads:7}" + " ".join(cells), flush=True)
    return rows


def main():
    arguments = parse()
    neighbour = subprocess.Popen([sys.executable, "-c", "while True: pass"]) if arguments.busy else None
    try:
        rows = measure(arguments)
    finally:
        if neighbour is not None:
            neighbour.kill()
            neighbour.wait()
    for threads, mean in means(rows).items():
        print(f"geometric mean of the lead, {threads} thread{'s' * (threads > 1)}: {mean:.2f}")
    if arguments.json:
        with open(arguments.json, "w", encoding="ascii") as out:
            json.dump(rows, out, indent=1)
    if arguments.image:
        draw(rows, arguments.image)


if __name__ == "__main__":
    main()
