#!/usr/bin/env python3
"""How good placement by cost is in stock LiteRT, whose kernels nobody can measure: placement_stock.py DELEGATE MODEL...

Needs ai-edge-litert and numpy. DELEGATE is liboclite_opencl.so. Each model runs in three interpreters that take turns: LiteRT's CPU alone,
partition=all and partition=cost; a figure is the median in milliseconds. `learned` is partition=cost in a second process, which finds in the
folder of measured times what partitions of the first one have shown of the device. Of models that LiteRT cannot run nothing is said.
"""
import argparse
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
import time

WAYS = ("none", "all", "cost")
TOGETHER, TURN = 1.5, 0.006  # seconds


def fill(interpreter, numpy):
    generator = numpy.random.default_rng(1)
    for detail in interpreter.get_input_details():
        shape, dtype = detail["shape"], detail["dtype"]
        values = generator.uniform(-1, 1, shape) if dtype == numpy.float32 else numpy.zeros(shape)
        interpreter.set_tensor(detail["index"], values.astype(dtype))


def measure(delegate, model, folder, threads):
    """In a process of its own, which prints the three medians."""
    import numpy
    from ai_edge_litert.interpreter import Interpreter, load_delegate
    interpreters = []
    for way in WAYS:
        delegates = [] if way == "none" else [load_delegate(delegate, {"partition": way, "device": "any", "cache_dir": folder})]
        interpreters.append(Interpreter(model, num_threads=threads, experimental_delegates=delegates))
        interpreters[-1].allocate_tensors()
        fill(interpreters[-1], numpy)
        interpreters[-1].invoke()
    times = [[] for _ in WAYS]
    end = time.perf_counter() + TOGETHER
    while time.perf_counter() < end:
        for interpreter, taken in zip(interpreters, times):
            interpreter.invoke()  # finds the caches as another way has left them
            begin = last = time.perf_counter()
            while last - begin < TURN:
                interpreter.invoke()
                now = time.perf_counter()
                taken.append(now - last)
                last = now
    print(json.dumps([statistics.median(taken) * 1e3 for taken in times]))
    sys.stdout.flush()
    os._exit(0)  # what the host does at its end is none of ours


def run(arguments, model, folder):
    command = [sys.executable, __file__, "--threads", str(arguments.threads), "--one", folder, arguments.delegate, model]
    done = subprocess.run(command, capture_output=True, text=True, env=dict(os.environ, POCL_AFFINITY="1"), check=False)
    if done.returncode != 0:
        raise RuntimeError((done.stderr.strip().split("\n") or [""])[-1])
    return dict(zip(WAYS, json.loads(done.stdout.strip().split("\n")[-1])))


def sum_up(name, ratios):
    mean = math.exp(statistics.mean(math.log(ratio) for ratio in ratios))
    print(f"{name} / the better: geometric mean {mean:.3f}, worst {max(ratios):.2f}, {sum(ratio <= 1.05 for ratio in ratios)} of {len(ratios)} at most 5 % behind")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--one", metavar="FOLDER", help=argparse.SUPPRESS)
    parser.add_argument("delegate")
    parser.add_argument("models", nargs="+")
    arguments = parser.parse_args()
    if arguments.one:
        measure(arguments.delegate, arguments.models[0], arguments.one, arguments.threads)
    first, second = [], []
    print("| model | LiteRT's CPU | all on the device | by cost | learned | by cost / the better | learned / the better |\n|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for model in arguments.models:
            name = os.path.splitext(os.path.basename(model))[0]
            try:
                once, again = (run(arguments, model, folder) for _ in range(2))
            except RuntimeError as error:
                print(f"| {name} | {str(error)[:60]} | | | | | |")
                continue
            first.append(once["cost"] / min(once["none"], once["all"]))
            second.append(again["cost"] / min(again["none"], again["all"]))
            print(f"| {name} | {once['none']:.3f} | {once['all']:.3f} | {once['cost']:.3f} | {again['cost']:.3f} | {first[-1]:.2f} | {second[-1]:.2f} |", flush=True)
    print()
    sum_up("By cost", first)
    sum_up("Learned", second)


if __name__ == "__main__":
    main()
