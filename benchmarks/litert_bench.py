#!/usr/bin/env python3
"""Times a model in LiteRT (PyPI ai-edge-litert): litert_bench.py MODEL [--threads N] [--runs N] [--warmup N]

Prints the figures that `oclite bench --json -` prints, for inputs of the same kind (tools/common/random_input.h).
"""
import argparse
import json
import statistics
import time

import numpy as np
from ai_edge_litert.interpreter import Interpreter


def random_input(rng, shape, dtype):
    if dtype == np.float32:
        return rng.random(shape, dtype=np.float32) - np.float32(0.5)
    ranges = {"int8": (-127, 127), "uint8": (0, 254), "int32": (0, 99), "int64": (0, 99)}
    if np.dtype(dtype).name in ranges:
        low, high = ranges[np.dtype(dtype).name]
        return rng.integers(low, high + 1, shape, dtype=dtype)
    return np.zeros(shape, dtype)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--warmup", type=int, default=5)
    arguments = parser.parse_args()
    start = time.perf_counter()
    interpreter = Interpreter(model_path=arguments.model, num_threads=arguments.threads)
    interpreter.allocate_tensors()
    rng = np.random.default_rng(0)
    for detail in interpreter.get_input_details():
        interpreter.set_tensor(detail["index"], random_input(rng, tuple(detail["shape"]), detail["dtype"]))
    load = time.perf_counter() - start
    times = []
    for _ in range(arguments.warmup + arguments.runs):
        start = time.perf_counter()
        interpreter.invoke()
        times.append((time.perf_counter() - start) * 1e3)
    measured = times[arguments.warmup:]
    print(json.dumps({
        "runs": arguments.runs, "threads": arguments.threads, "load_ms": load * 1e3, "first_ms": times[0],
        "min_ms": min(measured), "median_ms": statistics.median(measured), "max_ms": max(measured)}))


if __name__ == "__main__":
    main()
