#!/usr/bin/env python3
"""Whether placement by cost is never slower than the CPU alone, and than all that the device can run.

placement.py [--oclite PROGRAM] [--rounds N] [--runs N] [--threads N] [--device DEVICE] [--json OUT] MODEL...

Three ways take turns, each as a process of its own that makes a warm-up and --runs inferences: partition=none, all and cost of the
OpenCL delegate. A figure is the least over the rounds of the medians, in milliseconds. Before that each model is prepared once
for the folder of programs and measured times, which is a new one: `first` is how long that took by cost, with the programs
compiled already. The last column is cost over the better of the others: below 1 where a mixture wins.
"""
import argparse
import json
import math
import os
import statistics
import sys
import tempfile
import time

import compare

WAYS = ("none", "all", "cost")


def command(arguments, way, folder, runs):
    return [arguments.oclite, "bench", "--json", "-", "--threads", str(arguments.threads), "--runs", str(runs), "--warmup", "1",
            "--delegate", f"opencl:device={arguments.device},partition={way},cache_dir={folder}"]


def time_of(arguments, model, way, folder, runs):
    result, why = compare.bench(command(arguments, way, folder, runs), model, arguments.threads)
    if result is None:
        raise RuntimeError(f"{model}, {way}: {why}")
    return result


def measure(arguments, model, folder):
    """Way -> milliseconds, and how long the first preparation by cost took, in seconds."""
    time_of(arguments, model, "all", folder, 1)
    start = time.monotonic()
    time_of(arguments, model, "cost", folder, 1)
    first = time.monotonic() - start
    times = {way: [] for way in WAYS}
    for _ in range(arguments.rounds):
        for way in WAYS:
            times[way].append(time_of(arguments, model, way, folder, arguments.runs)["median_ms"])
    return {way: min(values) for way, values in times.items()}, first


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--oclite", default="build/release/tools/oclite")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--runs", type=int, default=30)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", default="any")
    parser.add_argument("--json")
    parser.add_argument("models", nargs="+")
    arguments = parser.parse_args()
    rows, failed = [], False
    print("| model | CPU alone | all on the device | by cost | first, s | by cost / the better |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for model in arguments.models:
            name = os.path.splitext(os.path.basename(model))[0]
            try:
                times, first = measure(arguments, model, folder)
            except RuntimeError as error:
                failed = True
                print(f"| {name} | {error} | | | | |")
                continue
            ratio = times["cost"] / min(times["none"], times["all"])
            rows.append({"model": name, "first_s": first, "ratio": ratio, **times})
            print(f"| {name} | {times['none']:.3f} | {times['all']:.3f} | {times['cost']:.3f} | {first:.2f} | {ratio:.2f} |", flush=True)
    if rows:
        mean = math.exp(statistics.mean(math.log(row["ratio"]) for row in rows))
        print(f"\nGeometric mean {mean:.3f}, worst {max(row['ratio'] for row in rows):.2f} of {len(rows)} models")
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
