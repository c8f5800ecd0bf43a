# SPDX-License-Identifier: Apache-2.0
"""What the tests of oclite batch share: inputs, runs in this process and in others, and what single inferences give."""
import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest

import python_case as case
from python_case import np, oclite

try:
    import PIL.Image  # noqa: F401
    import pyarrow.parquet
    import tqdm  # noqa: F401

    from oclite import batch
except ImportError as missing:
    case.skip(f"this Python lacks what batches need ({missing}); bindings/python/tests/scale.txt")

Errors = io.StringIO  # what the command's standard error is
RISING = os.path.join(case.OWN, "rising.wav")


def infer(model, rows):
    """The outputs of single inferences, a list of arrays for each row; rows are the values of inputs without a dimension in front."""
    with oclite.Interpreter(model) as interpreter:
        interpreter.allocate_tensors()
        found = []
        for row in rows:
            for detail, value in zip(interpreter.get_input_details(), row if isinstance(row, tuple) else (row,)):
                interpreter.set_tensor(detail["index"], value.reshape(detail["shape"]))
            interpreter.invoke()
            found.append([interpreter.get_tensor(detail["index"]) for detail in interpreter.get_output_details()])
    return found


def read(folder):
    """The rows of results in Parquet files, in the order of the files' names."""
    names = sorted(name for name in os.listdir(folder) if name.startswith("part-"))
    return [row for name in names for row in pyarrow.parquet.read_table(os.path.join(folder, name)).to_pylist()]


def read_json(folder):
    names, rows = sorted(name for name in os.listdir(folder) if name.startswith("part-")), []
    for name in names:
        with open(os.path.join(folder, name), encoding="utf-8") as file:
            rows += [json.loads(line) for line in file]
    return rows


def command(*arguments):
    """To run in another process."""
    return [sys.executable, "-m", "oclite", "batch", *map(str, arguments)]


def environment():
    return {**os.environ, "PYTHONPATH": os.path.dirname(case.HERE)}


class BatchCase(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = holder.name

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def run_batch(self, *arguments, out="out", status=0):
        """Runs the command here; returns the folder of results, and what is on the standard output and error."""
        said, errors = io.StringIO(), Errors()
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(errors):
            try:
                ended = batch.main([*map(str, arguments), "--out", self.path(out)])
            except SystemExit as end:
                ended = end.code
        self.assertEqual(ended, status, errors.getvalue())
        return self.path(out), said.getvalue(), errors.getvalue()

    def run_elsewhere(self, *arguments, out="out", **options):
        """The same in another process, which is returned when it has ended."""
        return subprocess.run([*command(*arguments), "--out", self.path(out)], capture_output=True, text=True, env=environment(),
                              timeout=120, check=False, **options)

    def refused(self, words, *arguments, status=1, out="out"):
        """The command ends with words on the standard error."""
        errors = self.run_batch(*arguments, status=status, out=out)[2]
        self.assertRegex(errors, words)
        self.assertNotIn("Traceback", errors)

    def digits(self, rows, name="digits.npy"):
        """Pictures of 8 by 8 in a file, for the model digits; the array."""
        values = np.random.default_rng(rows).random((rows, 8, 8, 1), np.float32)
        np.save(self.path(name), values)
        return values

    def assert_digits(self, rows, values, numbers=None):
        """Results of the model digits, for these values, each of which is there once."""
        want = infer(case.own("digits"), values)
        self.assertEqual([row["row"] for row in rows], list(numbers or range(len(values))))
        np.testing.assert_array_equal(np.array([row["output_0"] for row in rows], np.float32), np.concatenate([row[0] for row in want]))
