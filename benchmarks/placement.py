#!/usr/bin/env python3
"""Whether placement by cost is never slower than the CPU alone, and than all that the device can run.

placement.py [--program PROGRAM] [--rounds N] [--threads N] [--device DEVICE] [--json OUT] MODEL...

benchmark_placement runs the three ways by turns in one process, for 2 s; a figure is the median in milliseconds. Where cost is more than 3 %
behind or ahead, there are --rounds such runs, and the table has the one in the middle: two interpreters that do the same can be 5 % apart for
as long as a process lives, by where their memory lies. The folder of programs and measured times is a new one; `first` is how long
the first preparation by cost took, in seconds, with the programs compiled already. The last column is cost over the better of the others: below 1
where a mixture wins. random_networks.py makes 200 more models.
"""
import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile

WAYS = ("none", "all", "cost")


def run(arguments, model, folder):
    environment = dict(os.environ, POCL_AFFINITY="1")
    result = subprocess.run([arguments.program, model, str(arguments.threads), f"device={arguments.device},cache_dir={folder}"],
                            capture_output=True, text=True, env=environment, check=False)
    if result.returncode != 0:
        raise RuntimeError((result.stderr.strip().split("\n") or [""])[-1])
    return json.loads(result.stdout)


def behind(times):
    return times["cost"] / min(times["none"], times["all"])


def measure(arguments, model, folder):
    runs = [run(arguments, model, folder)]
    if abs(behind(runs[0]) - 1) > 0.03:
        runs += [run(arguments, model, folder) for _ in range(1, arguments.rounds)]
    return {**sorted(runs, key=behind)[len(runs) // 2], "first_s": runs[0]["first_s"]}


def sum_up(rows):
    mean = math.exp(statistics.mean(math.log(row["ratio"]) for row in rows))
    within, ahead = sum(row["ratio"] <= 1.05 for row in rows), sum(row["ratio"] < 0.95 for row in rows)
    left = {way: math.exp(statistics.mean(math.log(row["cost"] / row[way]) for row in rows)) for way in WAYS[:2]}
    print(f"\nBy cost / the better: geometric mean {mean:.3f}, worst {max(row['ratio'] for row in rows):.2f}; {within} of {len(rows)} models at "
          f"most 5 % behind, {ahead} more than 5 % ahead. By cost / CPU alone: {left['none']:.3f}; by cost / all on the device: {left['all']:.3f}.")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default="build/release/benchmarks/benchmark_placement")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--device", default="any")
    parser.add_argument("--json")
    parser.add_argument("models", nargs="+")
    arguments = parser.parse_args()
    rows, failed = [], False
    print("| model | CPU alone | all on the device | by cost | nodes there | first, s | by cost / the better |\n|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for model in arguments.models:
            name = os.path.splitext(os.path.basename(model))[0]
            try:
                row = measure(arguments, model, folder)
            except RuntimeError as error:
                failed = True
                print(f"| {name} | {error} | | | | | |")
                continue
            rows.append({"model": name, "ratio": behind(row), **row})
            print(f"| {name} | {row['none']:.3f} | {row['all']:.3f} | {row['cost']:.3f} | {row['taken']} of {row['nodes']} | {row['first_s']:.2f} "
                  f"| {behind(row):.2f} |", flush=True)
    if rows:
        sum_up(rows)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(rows, file, indent=1)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
