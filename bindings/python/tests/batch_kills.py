#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kills oclite batch at random moments, again and again: batch_kills.py LIBRARIES SHARED SOURCE [--seconds N] [--seed N]

Each batch is started until it has come to its end, and killed (kill -9) at some moment of all starts but the last ones. Then each input must
have exactly one result, that of a batch that nothing has stopped. Prints figures; exit status 1 for a difference.
"""
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

OPTIONS = {name: sys.argv.pop(sys.argv.index(name) + 1) for name in ("--seconds", "--seed") if name in sys.argv}
sys.argv = [argument for argument in sys.argv if argument not in OPTIONS]

import batch_case  # noqa: E402
import python_case as case  # noqa: E402
from python_case import np  # noqa: E402


def make_inputs(folder):
    """Files of several kinds, some of them wrong."""
    generator = np.random.default_rng(0)
    values = generator.random((4000, 8, 8, 1), np.float32)
    np.save(os.path.join(folder, "a.npy"), values[:2500])
    batch_case.pyarrow.parquet.write_table(batch_case.pyarrow.table({"x": list(values[2500:3500].reshape(1000, 64))}),
                                           os.path.join(folder, "b.parquet"), row_group_size=300)
    lines = [",".join(f"p{i}" for i in range(64)), *(",".join(f"{float(v)!r}" for v in row) for row in values[3500:].reshape(500, 64))]
    lines[100] = "wrong"
    with open(os.path.join(folder, "c.csv"), "w", encoding="ascii") as file:
        file.write("\n".join(lines))
    for i in range(60):
        batch_case.PIL.Image.fromarray(generator.integers(0, 256, (50, 40), np.uint8)).save(os.path.join(folder, f"d{i:02}.png"))
    with open(os.path.join(folder, "d30.png"), "r+b") as file:
        file.truncate(300)


def run(inputs, out, arguments, seconds):
    """Whether the batch has come to its end before it was killed."""
    with subprocess.Popen([*batch_case.command(case.own("digits"), inputs, "--out", out, "--quiet"), *arguments],
                          env=batch_case.environment(), stderr=subprocess.PIPE, text=True) as process:
        try:
            _, errors = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            return False
        if process.returncode != 0:
            sys.exit(f"exit status {process.returncode}: {errors}")
        return True


def differences(folder, is_json, want):
    rows = batch_case.read_json(folder) if is_json else batch_case.read(folder)
    numbers = [row["row"] for row in rows]
    if numbers != list(range(len(want))):
        return f"rows {numbers[:5]} ... {numbers[-5:]}, {len(numbers)} of {len(want)}"
    wrong = [row["row"] for row, right in zip(rows, want) if row != right]
    left = [name for name in os.listdir(folder) if name.startswith("_tmp")]
    return f"rows {wrong[:5]} are others" if wrong else f"{left} are left" if left else ""


def main():
    seconds, seed = float(OPTIONS.get("--seconds", 300)), int(OPTIONS.get("--seed", time.time_ns() % 10**6))
    generator, batches, kills, starts, with_parts = random.Random(seed), 0, 0, 0, 0
    print(f"seed {seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        inputs, whole = os.path.join(folder, "in"), os.path.join(folder, "whole")
        os.mkdir(inputs)
        make_inputs(inputs)
        began = time.monotonic()
        run(inputs, whole, [], None)
        usual = time.monotonic() - began
        want = batch_case.read(whole)
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            out = os.path.join(folder, f"out{batches}")
            form = generator.choice(("parquet", "jsonl"))
            is_over, attempts = False, 0
            while not is_over:
                arguments = ["--format", form, "--rows-per-file", str(generator.choice((7, 50, 300, 1000))), "--workers", str(generator.choice((1, 2, 3)))]
                attempts += 1
                is_over = run(inputs, out, arguments, generator.uniform(0, 1.2 * usual) if attempts < 30 else None)
                starts += 1
                kills += not is_over
                with_parts += not is_over and os.path.isdir(out) and any(name.startswith("part-") for name in os.listdir(out))
            found = differences(out, form == "jsonl", want)
            if found:
                print(f"batch {batches}: {found}")
                return 1
            shutil.rmtree(out)
            batches += 1
    print(f"{batches} batches of {len(want)} rows, {starts} starts, {kills} kills, {with_parts} of them with some results written: each row once, "
          "as if nothing had happened")
    return 0


if __name__ == "__main__":
    sys.exit(main())
