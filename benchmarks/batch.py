#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares `oclite batch` with a plain loop over LiteRT: batch.py [--litert-python PYTHON] [--libraries FOLDER] [--rows N] [--rounds N]
[--threads N] [--kinds pictures,npy] [--options "..."] MODEL...

The loop opens each picture by Pillow, scales and normalizes it, and lets LiteRT compute with as many threads as there are processors; for
.npy it takes the rows as they are. It saves all outputs as one array. `oclite batch` runs as users run it, with Parquet files as results, and
--options are further ones of its own. Both are whole processes, from their start to their end, which take turns: in each round each runs
once. A figure is the median over the rounds, rows in a second; the ratio is the median of the rounds' ratios, with the least and the largest.

Pictures are JPEG files of 640 by 480 that are made for this.
"""
import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
from PIL import Image

HERE = os.path.dirname(os.path.abspath(__file__))

LOOP = """
import os, sys
import numpy as np
from ai_edge_litert.interpreter import Interpreter
model, kind, threads, source, out = sys.argv[1:]
interpreter = Interpreter(model, num_threads=int(threads))
interpreter.allocate_tensors()
given, result = interpreter.get_input_details()[0], interpreter.get_output_details()[0]

def pictures():
    from PIL import Image
    height, width = given["shape"][1:3]
    for name in sorted(os.listdir(source)):
        with Image.open(os.path.join(source, name)) as picture:
            pixels = np.asarray(picture.convert("RGB").resize((width, height), Image.Resampling.BILINEAR))
        if given["dtype"] == np.float32:
            yield (pixels - np.float32(127.5)) / np.float32(127.5)
        else:
            yield (pixels.astype(np.int16) - 128).astype(np.int8) if given["dtype"] == np.int8 else pixels

outputs = []
for values in pictures() if kind == "pictures" else np.load(source, mmap_mode="r"):
    interpreter.set_tensor(given["index"], values[None])
    interpreter.invoke()
    outputs.append(interpreter.get_tensor(result["index"]))
np.save(out, np.concatenate(outputs))
"""


def make_pictures(folder, rows):
    os.mkdir(folder)
    for i in range(rows):
        coarse = np.random.default_rng(i).integers(0, 256, (30, 40, 3), np.uint8)
        Image.fromarray(coarse).resize((640, 480), Image.Resampling.BICUBIC).save(os.path.join(folder, f"{i:06}.jpg"), quality=90)


def make_npy(path, model, rows):
    import oclite
    with oclite.Interpreter(model) as interpreter:
        given = interpreter.get_input_details()[0]
    kind, shape = np.dtype(given["dtype"]), (rows, *given["shape"][1:])
    generator = np.random.default_rng(0)
    values = generator.random(shape, np.float32) if kind.kind == "f" else generator.integers(np.iinfo(kind).min, np.iinfo(kind).max, shape, kind, True)
    np.save(path, values)


def seconds(command):
    began = time.perf_counter()
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        sys.exit(f"{' '.join(command[:6])} ...: {ended.stderr}")
    return time.perf_counter() - began


def compare(arguments, model, kind, source):
    """Rows in a second, of the loop and of oclite batch, for each round."""
    rates = []
    for _ in range(arguments.rounds + 1):
        with tempfile.TemporaryDirectory() as folder:
            out = os.path.join(folder, "out")
            loop = [arguments.litert_python, "-c", LOOP, model, kind, str(arguments.threads), source, f"{out}.npy"]
            batch = [sys.executable, "-m", "oclite", "batch", model, source, "--out", out, "--quiet", *arguments.options.split()]
            rates.append([arguments.rows / seconds(command) for command in (loop, batch)])
    return rates[1:]  # the first one finds files that were not in memory


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--litert-python", default=sys.executable)
    parser.add_argument("--libraries", default=os.environ.get("OCLITE_LIBRARY_DIR", ""), help="the folder of oclite's libraries")
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=len(os.sched_getaffinity(0)), help="of LiteRT")
    parser.add_argument("--kinds", default="pictures,npy")
    parser.add_argument("--options", default="", help="of oclite batch")
    parser.add_argument("models", nargs="+", metavar="MODEL")
    arguments = parser.parse_args()
    package = os.path.join(os.path.dirname(HERE), "bindings", "python")
    os.environ.update(PYTHONPATH=package, **({"OCLITE_LIBRARY_DIR": arguments.libraries} if arguments.libraries else {}))
    sys.path.insert(0, package)
    print(f"{arguments.rows} rows, {arguments.rounds} rounds, rows in a second")
    print(f"{'model':32} {'input':10} {'LiteRT loop':>12} {'oclite batch':>12} {'ratio':>6}")
    with tempfile.TemporaryDirectory() as folder:
        make_pictures(os.path.join(folder, "pictures"), arguments.rows)
        for model in arguments.models:
            for kind in arguments.kinds.split(","):
                source = os.path.join(folder, "pictures" if kind == "pictures" else "rows.npy")
                if kind == "npy":
                    make_npy(source, model, arguments.rows)
                rates = compare(arguments, os.path.abspath(model), kind, source)
                ratios = [batch / loop for loop, batch in rates]
                loop, batch = (statistics.median(rate[i] for rate in rates) for i in (0, 1))
                print(f"{os.path.basename(model)[:32]:32} {kind:10} {loop:12.1f} {batch:12.1f} {statistics.median(ratios):5.2f}x "
                      f"[{min(ratios):.2f} to {max(ratios):.2f}]", flush=True)


if __name__ == "__main__":
    main()
