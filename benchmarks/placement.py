#!/usr/bin/env python3
"""Whether placement by cost is never slower than the CPU alone, and than all that the device can run.

placement.py [--oclite PROGRAM] [--rounds N] [--runs N] [--threads N] [--device DEVICE] [--json OUT] MODEL...

Three ways take turns, each as a process of its own that makes a warm-up and --runs inferences, or as many as fit into 0.15 s:
partition=none, all and cost of the OpenCL delegate. A figure is the least over the rounds of the medians, in milliseconds; where the ways
are within a tenth of each other, or cost is behind, all three get as many rounds again. Before that each model is prepared once for
the folder of programs and measured times, which is a new one: `first` is how long that took by cost, with the programs compiled
already. The last column is cost over the better of the others: below 1 where a mixture wins. random_networks.py makes 200 more models.
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
ROUND_MS = 150


def command(arguments, way, folder, runs):
    return [arguments.oclite, "bench", "--json", "-", "--threads", str(arguments.threads), "--runs", str(runs), "--warmup", "1",
            "--delegate", f"opencl:device={arguments.device},partition={way},cache_dir={folder}"]


def time_of(arguments, model, way, folder, runs):
    result, why = compare.bench(command(arguments, way, folder, runs), model, arguments.threads)
    if result is None:
        raise RuntimeError(f"{model}, {way}: {why}")
    return result


def take_turns(arguments, model, folder, runs, least):
    for _ in range(arguments.rounds):
        for way in WAYS:
            least[way] = min(least[way], time_of(arguments, model, way, folder, runs)["median_ms"])
    return least


def behind(times):
    return times["cost"] / min(times["none"], times["all"])


def measure(arguments, model, folder):
    """Way -> milliseconds, and how long the first preparation by cost took, in seconds."""
    time_of(arguments, model, "all", folder, 1)
    start = time.monotonic()
    longest = time_of(arguments, model, "cost", folder, 1)["median_ms"]
    first = time.monotonic() - start
    runs = max(arguments.runs, min(3000, int(ROUND_MS / longest)))
    times = take_turns(arguments, model, folder, runs, dict.fromkeys(WAYS, math.inf))
    if behind(times) > 1.02 or 0.9 < times["none"] / times["all"] < 1.1:
        times = take_turns(arguments, model, folder, runs, times)
    return times, first


def sum_up(rows):
    mean = math.exp(statistics.mean(math.log(row["ratio"]) for row in rows))
    within, ahead = sum(row["ratio"] <= 1.05 for row in rows), sum(row["ratio"] < 0.95 for row in rows)
    left = {way: math.exp(statistics.mean(math.log(row["cost"] / row[way]) for row in rows)) for way in WAYS[:2]}
    print(f"\nBy cost / the better: geometric mean {mean:.3f}, worst {max(row['ratio'] for row in rows):.2f}; {within} of {len(rows)} models at "
          f"most 5 % behind, {ahead} more than 5 % ahead. By cost / CPU alone: {left['none']:.3f}; by cost / all on the device: {left['all']:.3f}.")


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
            rows.append({"model": name, "first_s": first, "ratio": behind(times), **times})
            print(f"| {name} | {times['none']:.3f} | {times['all']:.3f} | {times['cost']:.3f} | {first:.2f} | {behind(times):.2f} |", flush=True)
    if rows:
        sum_up(rows)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
