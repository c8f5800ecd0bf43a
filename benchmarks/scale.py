#!/usr/bin/env python3
"""What one machine gives, and what Ray costs: the constants of docs/SCALE.md and of scale_simulation.py.

scale.py [--libraries FOLDER] [--device DEVICE]... [--seconds S] [--rounds N] [--no-ray] [--json FILE] [--write] MODEL...

For each model: the seconds of a worker for a row where each processor has a worker of one thread (`oclite batch` does that), and those of one
worker with a device. Then oclite batch with two workers, --engine local and --engine ray by turns, on two numbers of rows of the
first model: what the second number takes longer is the time of rows, the rest that of beginning. Ray runs on 127.0.0.1, without its dashboard. --write puts the tables into
docs/SCALE.md and the constants into benchmarks/scale.json, from which scale_simulation.py --write makes the rest.
"""
import argparse
import contextlib
import json
import os
import statistics
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
for folder in (os.path.join(ROOT, "bindings", "python"), os.path.join(ROOT, "bindings", "python", "tests")):
    sys.path.insert(0, folder)
ROWS = 16  # of one call
WORKERS = 2  # of the comparison with Ray


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--libraries", default=os.environ.get("OCLITE_LIBRARY_DIR", os.path.join(ROOT, "build", "release")))
    parser.add_argument("--device", action="append", default=[])
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--no-ray", action="store_true")
    parser.add_argument("--json")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("models", nargs="+")
    return parser.parse_args()


def values_for(predict, rows):
    """Random rows for the inputs of a model."""
    import numpy as np
    random = np.random.default_rng(0)
    values = {}
    for name, detail in predict.get_input_details().items():
        dtype, shape = np.dtype(detail["dtype"]), tuple(detail["shape"].tolist())
        shape = (rows, *shape[1:]) if shape and shape[0] == 1 else (rows, *shape)
        values[name] = random.random(shape).astype(dtype) if dtype.kind == "f" else random.integers(0, 100, shape).astype(dtype)
    return values


def rows_per_second(predictors, seconds):
    """Of all predictors together, each on a thread of its own."""
    values, counts = values_for(predictors[0], ROWS), [0] * len(predictors)
    for predict in predictors:
        predict(values)
    begin, end = time.monotonic(), time.monotonic() + seconds

    def work(number):
        while time.monotonic() < end:
            predictors[number](values)
            counts[number] += ROWS
    threads = [threading.Thread(target=work, args=[number]) for number in range(len(predictors))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(counts) / (time.monotonic() - begin)


def measure_model(path, arguments):
    import oclite
    processors, model, found = len(os.sched_getaffinity(0)), oclite.Model(path), {}
    rates = []
    for _ in range(arguments.rounds):
        predictors = [oclite.Predictor(model, batch=1) for _ in range(processors)]
        rates.append(rows_per_second(predictors, arguments.seconds / arguments.rounds))
    found["cpu"] = {"row_s": processors / statistics.median(rates), "workers": processors}
    for device in arguments.device:
        with oclite.Predictor(model, delegate=device, batch=ROWS) as predict:
            rates = [rows_per_second([predict], arguments.seconds / arguments.rounds) for _ in range(arguments.rounds)]
        found[device] = {"row_s": 1 / statistics.median(rates), "workers": 1}
    return found


def batch_seconds(path, values, engine, folder, number):
    """Of one command, as a whole. The driver is connected to a cluster already, which an engine without one leaves alone."""
    from oclite.batch import main
    begin = time.monotonic()
    status = main([path, values, "--out", os.path.join(folder, f"{engine}{number}"), "--engine", engine, "--workers", str(WORKERS), "--quiet"])
    if status != 0:
        raise SystemExit(f"oclite batch --engine {engine} ended with status {status}")
    return time.monotonic() - begin


def compare(path, row, arguments, folder):
    """{engine: (seconds for beginning, seconds of a worker for a row)}, as the medians of rounds."""
    import numpy as np
    import oclite
    few = max(int(arguments.seconds / row * WORKERS / 4), 64)
    files = {}
    with oclite.Predictor(path) as predict:
        for rows in (few, 4 * few):
            files[rows] = os.path.join(folder, f"{rows}.npy")
            (value,) = values_for(predict, min(rows, 256)).values()
            np.save(files[rows], np.resize(value, (rows, *value.shape[1:])))
    found = {"local": [], "ray": []}
    for number in range(arguments.rounds):
        for engine, measured in found.items():
            short, long = (batch_seconds(path, files[rows], engine, folder, f"-{rows}-{number}") for rows in files)
            slope = (long - short) / (3 * few)
            measured.append((short - few * slope, slope * WORKERS))
    return {engine: [statistics.median(column) for column in zip(*measured)] for engine, measured in found.items()}


class Nothing:
    """A loader of rows that are all errors: what is left of a chunk is the way to a worker and back."""

    def load(self, chunk):
        from oclite.batch._engine import Loaded
        return Loaded(["nothing"] * len(chunk.rows), {})


def calls(path, chunks):
    """(seconds until the first result, seconds of this program's for a call)."""
    from oclite.batch._engine import Chunk, EngineOptions, Row, Task, make_engine
    engine = make_engine("ray", EngineOptions(workers=WORKERS, readers=1, threads=1, address=None))
    rows = [Row(number, "", number) for number in range(64)]
    results = engine.run(Task(path, {}, {"nothing": Nothing()}, []), (Chunk(rows, "nothing", None) for _ in range(chunks)))
    begin = time.monotonic()
    next(results)
    start, used = time.monotonic() - begin, time.process_time()
    count = sum(1 for _ in results)
    return start, (time.process_time() - used) / (2 * count)  # compute.remote() and get() for each


def measure_ray(path, row, arguments):
    import ray_case
    with ray_case.TwoNodes() as cluster, tempfile.TemporaryDirectory() as folder:
        import ray
        ray.init(cluster.address, log_to_driver=False, logging_level="ERROR")
        try:
            start, call = calls(path, 2000)
            compared = compare(path, row, arguments, folder)
        finally:
            ray.shutdown()
    return {"start_s": start, "call_s": call, "local_begin_s": compared["local"][0], "local_row_s": compared["local"][1],
            "ray_begin_s": compared["ray"][0], "ray_row_s": compared["ray"][1],
            "overhead": compared["ray"][1] / compared["local"][1] - 1}


def model_table(measured):
    lines = ["| model | where | ms for a row | rows in a second, of the machine | worker hours for a million rows |", "|---|---|---|---|---|"]
    for model, places in measured["models"].items():
        for place, found in places.items():
            where = f"{found['workers']} processors, a worker each" if place == "cpu" else f"OpenCL, {place}"
            lines.append(f"| {model} | {where} | {1000 * found['row_s']:.2f} | {found['workers'] / found['row_s']:,.1f} | "
                         f"{found['row_s'] / 3.6e-3:.2f} |")
    return "\n".join([f"On {measured['machine']}:", "", *lines])


def ray_table(measured):
    ray = measured["ray"]
    return "\n".join([
        f"{measured['compared']}, two workers on two nodes of one machine ({measured['machine']}):", "",
        "| | `--engine local` | `--engine ray` |", "|---|---|---|",
        f"| ms of a worker for a row | {1000 * ray['local_row_s']:.2f} | {1000 * ray['ray_row_s']:.2f} ({100 * ray['overhead']:+.1f} %) |",
        f"| seconds for beginning and ending, on a cluster that is there | {ray['local_begin_s']:.1f} | {ray['ray_begin_s']:.1f} |",
        f"| seconds until a worker is there | | {ray['start_s']:.1f} |",
        f"| µs of the program's own for a call, two for a chunk | | {1e6 * ray['call_s']:.0f} |"])


def machine():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        names = [line.partition(":")[2].strip() for line in file if line.startswith("model name")]
    load = os.getloadavg()[0]
    return (f"{len(os.sched_getaffinity(0))} processors of {names[0] if names else 'an unknown kind'}"
            + (f", beside other programs (load {load:.1f})" if load > 0.5 else ""))


def write(measured, with_ray):
    import scale_simulation
    with open(scale_simulation.CONSTANTS, "w", encoding="utf-8") as file:
        json.dump(measured, file, indent=1)
        file.write("\n")
    with open(scale_simulation.DOCUMENT, encoding="utf-8") as file:
        document = scale_simulation.fill(file.read(), "models", model_table(measured))
    if with_ray:
        document = scale_simulation.fill(document, "ray", ray_table(measured))
    with open(scale_simulation.DOCUMENT, "w", encoding="utf-8") as file:
        file.write(document)


def main():
    arguments = parse()
    os.environ["OCLITE_LIBRARY_DIR"] = os.path.abspath(arguments.libraries)
    if not arguments.no_ray:
        with contextlib.suppress(ImportError):
            import ray_case  # before anything imports Ray
            del ray_case
    measured = {"machine": machine(), "models": {}}
    for path in arguments.models:
        measured["models"][os.path.splitext(os.path.basename(path))[0]] = measure_model(path, arguments)
    print(model_table(measured))
    if not arguments.no_ray:
        measured["compared"], places = next(iter(measured["models"].items()))
        measured["ray"] = measure_ray(arguments.models[0], places["cpu"]["row_s"], arguments)
        print("\n" + ray_table(measured))
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as file:
            json.dump(measured, file, indent=1)
    if arguments.write:
        write(measured, not arguments.no_ray)


if __name__ == "__main__":
    main()
