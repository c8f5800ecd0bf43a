#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ray: oclite batch --engine ray and oclite.ray.Predictor on a cluster of two nodes of this machine, parts of which die."""
import contextlib
import functools
import glob
import io
import os
import sys
import tempfile
import threading
import unittest
from unittest import mock

from python_case import main, np, oclite, own, skip

import ray_case

try:
    import pyarrow.parquet
    import ray
    import ray.data
except ImportError as missing:
    skip(f"this Python has no Ray, or no pyarrow ({missing})")

import oclite.ray  # noqa: E402
from oclite.batch import _command, _ray  # noqa: E402
from oclite.batch._engine import Chunk, EngineOptions, Loaded, Row, Task, make_engine  # noqa: E402

CLUSTER = ray_case.TwoNodes()
SECONDS = 0.3  # between the moment at which a process does nothing any more and that of its death
IMAGES = np.random.default_rng(0).integers(0, 256, (640, 64, 64, 3), np.uint8)


def setUpModule():
    CLUSTER.__enter__()
    unittest.addModuleCleanup(CLUSTER.__exit__, None, None, None)
    ray.init(CLUSTER.address, log_to_driver=False, logging_level="CRITICAL")
    unittest.addModuleCleanup(ray.shutdown)


def batch(out, engine, folder):
    """Rows of what the command writes, in the order of its files."""
    np.save(os.path.join(folder, "images.npy"), IMAGES)
    arguments = [own("shapes_label"), os.path.join(folder, "images.npy"), "--out", os.path.join(folder, out), "--engine", engine, "--quiet"]
    with contextlib.redirect_stdout(io.StringIO()):
        status = _command.run(arguments)
    paths = sorted(glob.glob(os.path.join(folder, out, "*.parquet")))
    return status, [row for path in paths for row in pyarrow.parquet.read_table(path).to_pylist()]


class Numbers:
    """A loader of rows that are their own numbers; of one chunk it ends the process."""

    def __init__(self, deadly):
        self._deadly = deadly

    def load(self, chunk):
        if chunk.payload[0] == self._deadly:
            os._exit(3)
        values = np.zeros((len(chunk.payload), 8, 8, 1), np.float32)
        values[:] = np.reshape(np.float32(chunk.payload), (-1, 1, 1, 1))
        return Loaded([None] * len(values), {NAME: values})


with oclite.Predictor(own("digits")) as _digits:
    (NAME,) = _digits.get_input_details()


def numbered(count, length):
    for first in range(0, count, length):
        numbers = range(first, first + length)
        yield Chunk([Row(number, "", number) for number in numbers], "numbers", list(numbers))


def engine(name, **options):
    given = {"workers": 2, "readers": 2, "threads": 1, "address": None, **options}
    return make_engine(name, EngineOptions(**given))


class Deaths:
    """Methods in place of _Run's: a chunk is given to a process that does nothing any more, on the nodes of `second`, in this
    order; `death` is what becomes of the process or of its node a little later."""

    def __init__(self, second, death):
        self._methods = _ray._Run.__init__, _ray._Run._give, _ray._Run._again
        self._second = list(second)
        self._death = death
        self._processes = {}
        self._threads = []
        self.stopped = []
        self.lost = 0

    def init(self, run, *arguments):
        self._methods[0](run, *arguments)
        ray.get(list(run._calls))  # both begin together
        second = CLUSTER.workers("ray::_Actor", True)
        for place in run._places:
            pid = ray.get(place.actor.__ray_call__.remote(lambda _: os.getpid()))
            self._processes[place] = pid, pid in second

    def give(self, run, place, todo):
        pid, is_second = self._processes.get(place, (None, None))
        if self._second and is_second == self._second[0]:
            ray_case.stop(pid)
            self.stopped.append(pid)
            del self._second[0]
            self._threads.append(threading.Timer(SECONDS * len(self.stopped), self._death, [pid, is_second]))
            self._threads[-1].start()
        self._methods[1](run, place, todo)

    def again(self, run, todo, error):
        self.lost += 1
        self._methods[2](run, todo, error)

    def __enter__(self):
        self._stack = contextlib.ExitStack()
        for name in ("__init__", "_give", "_again"):
            method = getattr(self, name.strip("_"))
            self._stack.enter_context(mock.patch.object(_ray._Run, name, functools.partialmethod(self._call, method)))
        return self

    @staticmethod
    def _call(run, method, *arguments):
        return method(run, *arguments)

    def __exit__(self, *_):
        self._stack.close()
        for thread in self._threads:
            thread.join()


class Engine(unittest.TestCase):
    def test_a_chunk_that_kills(self):
        """Its rows get an error, and the others their results."""
        task = Task(own("digits"), {}, {"numbers": Numbers(20)}, ["output_0"])
        safe = Task(own("digits"), {}, {"numbers": Numbers(None)}, ["output_0"])
        with mock.patch.object(_ray, "DEATHS", 1):
            got = list(engine("ray").run(task, numbered(60, 5)))
        want = list(engine("local").run(safe, numbered(60, 5)))
        self.assertEqual([results.rows for results in got], [results.rows for results in want])
        for mine, theirs in zip(got, want):
            if mine.rows[0].number == 20:
                self.assertRegex(mine.errors[0], "^2 workers have died while they had it, the last one because: ")
                self.assertEqual((len(set(mine.errors)), len(mine.errors), mine.outputs), (1, 5, {}))
            else:
                self.assertEqual(mine.errors, [None] * 5)
                np.testing.assert_array_equal(mine.outputs["output_0"], theirs.outputs["output_0"])

    def test_a_worker_that_hangs(self):
        """The other one computes what it has, and what is after that."""
        task = Task(own("digits"), {}, {"numbers": Numbers(None)}, ["output_0"])
        with mock.patch.object(_ray, "SLOW", (4.0, 0.2)), Deaths([False], lambda *_: None) as hanging:
            got = list(engine("ray").run(task, numbered(100, 5)))
        ray_case.kill(*hanging.stopped)
        want = list(engine("local").run(task, numbered(100, 5)))
        self.assertEqual([results.rows for results in got], [results.rows for results in want])
        for mine, theirs in zip(got, want):
            np.testing.assert_array_equal(mine.outputs["output_0"], theirs.outputs["output_0"])

    def test_a_task_that_is_wrong(self):
        task = Task(own("digits"), {"delegate": "no such device"}, {"numbers": Numbers(None)}, ["output_0"])
        with self.assertRaisesRegex(ValueError, "no such device"):
            list(engine("ray", workers=1).run(task, numbered(10, 5)))

    def test_resources(self):
        """Workers are where the resources are."""
        task = Task(own("digits"), {}, {"numbers": Numbers(None)}, ["output_0"])
        (_,) = engine("ray", workers=None, resources={"device": 0.5}).run(task, numbered(5, 5))
        with mock.patch.object(_ray.RayEngine, "_connected", contextlib.nullcontext), self.assertWarnsRegex(
                RuntimeWarning, "no node of the cluster has CPU=1, absent=2: one is waited for"):
            self.assertEqual(engine("ray", resources={"absent": 2})._fitting(), 1)
        for wrong in ("device", "device=x", "=1", "device=0", "CPU=4"):
            with self.subTest(wrong), self.assertRaises(SystemExit), contextlib.redirect_stderr(io.StringIO()) as said:
                _command.run(["model", "input", "--out", "o", "--engine", "ray", "--resources", wrong])
            self.assertIn("is not NAME=AMOUNT, such as GPU=1", said.getvalue())

    def test_no_rows_and_no_more(self):
        task = Task(own("digits"), {}, {"numbers": Numbers(None)}, ["output_0"])
        self.assertEqual(list(engine("ray", workers=1).run(task, iter(()))), [])
        taken = []

        def chunks():
            for chunk in numbered(10**6, 5):
                taken.append(chunk)
                yield chunk
        results = engine("ray", workers=1).run(task, chunks())
        next(results)
        results.close()
        self.assertLessEqual(len(taken), 2 * _ray.AHEAD)


class DyingPredictor(oclite.ray.Predictor):
    """Ends its process at one row, once."""

    def __init__(self, mark, **arguments):
        super().__init__(**arguments)
        self._mark = mark

    def __call__(self, columns):
        if 100 in columns["id"] and not os.path.exists(self._mark):
            with open(self._mark, "w", encoding="utf-8"):
                os._exit(3)
        return super().__call__(columns)


class Data(unittest.TestCase):
    def test_a_pipeline_whose_worker_dies(self):
        with oclite.Predictor(own("shapes_label")) as predict:
            (name,) = predict.get_input_details()
            want = predict({name: IMAGES[:200]})["output_0"]
        with open(own("shapes_label"), "rb") as file:
            arguments = {"model": file.read(), "inputs": {name: "image"}, "outputs": {"output_0": "scores"}}
        images = ray.data.from_items([{"id": i, "image": IMAGES[i]} for i in range(200)], override_num_blocks=8)
        with tempfile.TemporaryDirectory() as folder:
            mark = os.path.join(folder, "mark")
            scored = images.map_batches(DyingPredictor, fn_constructor_kwargs={"mark": mark, **arguments}, batch_size=16,
                                        compute=ray.data.ActorPoolStrategy(size=1), num_cpus=1)
            rows = sorted(scored.take_all(), key=lambda row: row["id"])
            self.assertTrue(os.path.exists(mark))
        self.assertEqual([row["id"] for row in rows], list(range(200)))
        self.assertEqual(set(rows[0]), {"id", "scores"})
        np.testing.assert_array_equal(np.stack([row["scores"] for row in rows]), want)

    def test_columns(self):
        with oclite.Predictor(own("shapes_label")) as predict:
            (name,) = predict.get_input_details()
            want = predict({name: IMAGES[:3]})["output_0"]
        got = oclite.ray.Predictor(own("shapes_label"))({name: IMAGES[:3], "path": np.array(["a", "b", "c"])})
        self.assertEqual(list(got), ["path", "output_0"])
        np.testing.assert_array_equal(got["output_0"], want)
        with self.assertRaisesRegex(ValueError, "inputs: the model has no input 'image', but 'keras_tensor"):
            oclite.ray.Predictor(own("shapes_label"), inputs={"image": "x"})
        with self.assertRaisesRegex(ValueError, "outputs: the model has no output 'scores', but 'output_0'"):
            oclite.ray.Predictor(own("shapes_label"), outputs={"scores": "x"})
        with self.assertRaisesRegex(ValueError, "the batch has no column 'image', but 'id'"):
            oclite.ray.Predictor(own("shapes_label"), inputs={name: "image"})({"id": np.arange(3)})
        with self.assertRaisesRegex(ValueError, "the batch has a column 'output_0', as the output 'output_0'"):
            oclite.ray.Predictor(own("shapes_label"))({name: IMAGES[:3], "output_0": np.arange(3)})


class Nodes(unittest.TestCase):
    def test_a_worker_and_a_node_die(self):
        """What is under way there is computed elsewhere: each row is there once, with the result of one machine."""
        def death(pid, is_second):
            if is_second:
                CLUSTER.kill_second()
            else:
                ray_case.kill(pid)
        with tempfile.TemporaryDirectory() as folder:
            want = batch("local", "local", folder)
            with Deaths([False, True], death) as deaths:
                got = batch("ray", "ray", folder)
        self.assertEqual(got, want)
        self.assertEqual((got[0], len(got[1]), len(deaths.stopped)), (0, len(IMAGES), 2))
        self.assertGreaterEqual(deaths.lost, 2)


class Missing(unittest.TestCase):
    def test_without_ray(self):
        with mock.patch.dict(sys.modules, {"ray": None, "oclite.ray": None}):
            del sys.modules["oclite.ray"]
            with self.assertRaisesRegex(ImportError, r"oclite.ray needs ray: pip install 'oclite\[ray\]'"):
                import oclite.ray  # pylint: disable=reimported,redefined-outer-name
            with self.assertRaisesRegex(ImportError, r"pip install 'oclite\[ray\]'"):
                engine("ray")


if __name__ == "__main__":
    main()
