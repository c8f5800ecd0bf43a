#!/usr/bin/env python3
"""Compares inference times: oclite on the CPU, oclite on OpenCL, LiteRT, with one thread and with two.

compare.py [--oclite PROGRAM] [--litert-python PYTHON] [--rounds N] [--runs N] [--threads 1,2] [--cold] [--json OUT] MODEL...

The competitors take turns: in each round each of them is started once and makes a warm-up and --runs inferences; what is
shown is the median over the rounds of the medians, and how many times faster than LiteRT that is. PYTHON is an
interpreter that has ai-edge-litert and numpy; without it there is no LiteRT column. PoCL gets POCL_AFFINITY=1, and one
core per thread.

--cold adds the cold start on OpenCL: loading, preparing and the first inference, once per model and number of threads, with
a cache of compiled programs that is empty (POCL_CACHE_DIR; the delegate has none of its own). It is to stay under 30 s.
"""
import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

COLD_LIMIT_S = 30


def competitors(arguments, threads):
    """Name -> command, without the model."""
    common = ["--threads", str(threads), "--runs", str(arguments.runs), "--warmup", str(arguments.warmup)]
    ours = [arguments.oclite, "bench", "--json", "-", *common]
    found = {
        "oclite CPU": ours,
        "oclite OpenCL": [*ours, "--delegate", "opencl"],
    }
    if arguments.litert_python:
        found["LiteRT"] = [arguments.litert_python, os.path.join(HERE, "litert_bench.py"), *common]
    return found


def bench(command, model, threads, **variables):
    """What one process prints, or None and why not."""
    environment = dict(os.environ, POCL_AFFINITY="1", POCL_MAX_PTHREAD_COUNT=str(threads), **variables)
    result = subprocess.run([*command, model], capture_output=True, text=True, env=environment)
    if result.returncode != 0:
        return None, (result.stderr.strip().split("\n") or [""])[-1]
    return json.loads(result.stdout.strip().split("\n")[-1]), None


def cold_start(arguments, model, threads):
    """Seconds from opening the model to the end of the first inference, None where it cannot run."""
    command = [arguments.oclite, "bench", "--json", "-", "--threads", str(threads), "--runs", "1", "--warmup", "0",
               "--delegate", "opencl"]
    with tempfile.TemporaryDirectory() as cache:
        found, why = bench(command, model, threads, POCL_CACHE_DIR=cache)
    if found is None:
        print(f"  cold start: {why}", file=sys.stderr)
        return None
    return (found["load_ms"] + found["first_ms"]) / 1000


def compare(arguments, model, threads):
    """Name -> median milliseconds, for the competitors that could run the model."""
    running = competitors(arguments, threads)
    times = {name: [] for name in running}
    for _ in range(arguments.rounds):
        for name in list(running):
            found, why = bench(running[name], model, threads)
            if found is None:
                print(f"  {name}: {why}", file=sys.stderr)
                del running[name]
            else:
                times[name].append(found["median_ms"])
    return {name: statistics.median(times[name]) for name in running}


def cell(times, name):
    if name not in times:
        return "-".rjust(20)
    ratio = f"{times['LiteRT'] / times[name]:.2f}x" if "LiteRT" in times and times[name] > 0 else ""
    return f"{times[name]:10.3f} ms {ratio:>6}"


def cold_cell(seconds):
    if seconds is None:
        return "-".rjust(20)
    return f"{seconds:10.1f} s  {'< ' if seconds < COLD_LIMIT_S else '>='} {COLD_LIMIT_S} s"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--oclite", default="oclite")
    parser.add_argument("--litert-python", default="")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--warmup", type=int, default=5)
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--cold", action="store_true", help="also measure cold starts")
    parser.add_argument("--json", help="also write the figures to this file")
    parser.add_argument("models", nargs="+", metavar="MODEL")
    arguments = parser.parse_args()

    names = list(competitors(arguments, 1))
    heads = names + (["cold OpenCL start"] if arguments.cold else [])
    print(f"{'model':40} threads" + "".join(name.rjust(21) for name in heads), flush=True)
    rows = []
    for model in arguments.models:
        for threads in map(int, arguments.threads.split(",")):
            times = compare(arguments, model, threads)
            row = {"model": os.path.basename(model), "threads": threads, "median_ms": times}
            cells = [cell(times, n) for n in names]
            if arguments.cold:
                row["cold_s"] = cold_start(arguments, model, threads)
                cells.append(cold_cell(row["cold_s"]))
            rows.append(row)
            print(f"{os.path.basename(model)[:40]:40} {threads:7}" + "".join(" " + c for c in cells), flush=True)
    if arguments.json:
        with open(arguments.json, "w", encoding="ascii") as out:
            json.dump(rows, out, indent=1)


if __name__ == "__main__":
    main()
