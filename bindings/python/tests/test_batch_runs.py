#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""oclite batch: sounds; formats; what goes on behind a kill, a full disk and a signal; what is refused."""
import contextlib
import fcntl
import io
import json
import os
import pickle
import pty
import resource
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time
import unittest
from unittest import mock

import batch_case
import python_case as case
from batch_case import RISING, BatchCase, infer, read, read_json
from python_case import np

import pyarrow
import pyarrow.parquet

from oclite.batch import _engine, _formats, _options, _plan, _sources, _tables
from oclite.batch._target import Target


class Sounds(BatchCase):
    @classmethod
    def setUpClass(cls):
        try:
            import soundfile
            import soxr
        except (ImportError, OSError) as missing:
            raise unittest.SkipTest(f"no soundfile or soxr ({missing})") from None
        cls.soundfile, cls.soxr = soundfile, soxr
        cls.samples = soundfile.read(RISING, dtype="float32")[0]  # 8000 a second, as the model takes

    def frames(self, samples, hop=4000):
        count = max(1, 1 + -((4000 - len(samples)) // hop))
        padded = np.pad(samples, (0, max(0, (count - 1) * hop + 4000 - len(samples))))
        return [padded[at * hop:at * hop + 4000] for at in range(count)]

    def test_frames(self):
        """A file's frames are rows; the last one is filled up, channels become their mean."""
        long = np.tile(self.samples, 3)[:10001]
        self.soundfile.write(self.path("a.flac"), long, 8000)
        self.soundfile.write(self.path("b.wav"), np.stack([long, np.zeros_like(long)], 1), 8000)
        self.soundfile.write(self.path("c.wav"), long[:100], 8000)
        for hop in (4000, 1500):
            rows = read(self.run_batch(case.own("sounds"), self.folder, "--hop", hop, out=f"../{os.path.basename(self.folder)}.{hop}")[0])
            self.addCleanup(shutil.rmtree, f"{self.folder}.{hop}")
            stored = np.round(long * 32768) / np.float32(32768)  # 16 bits a sample
            want = [*self.frames(stored, hop), *self.frames(stored / np.float32(2), hop), *self.frames(stored[:100], hop)]
            self.assertEqual([row["position"] for row in rows], [*range(len(self.frames(long, hop)))] * 2 + [0])
            np.testing.assert_allclose(np.array([row["output_0"] for row in rows], np.float32),
                                       np.concatenate([found[0] for found in infer(case.own("sounds"), np.float32(want))]), atol=2e-4)

    def test_another_rate(self):
        """Each frame is what it would be if all of the file were resampled at once."""
        from oclite.batch._sounds import Sounds as Loader
        source = np.random.default_rng(2).normal(0, 0.2, 150000).astype(np.float32)
        for rate in (16000, 44100, 6000):
            self.soundfile.write(self.path("a.wav"), source, rate, subtype="FLOAT")
            target = Target("x", (4000,), np.dtype(np.float32), 0.0, 0, False)
            loader = Loader(target, 8000, 1, 4000, 2500, (), ())
            count = loader.count(self.path("a.wav"))
            rows = [_engine.Row(i, self.path("a.wav"), i) for i in range(count)]
            loaded = loader.load(_engine.Chunk(rows, "sound", None))
            self.assertEqual(loaded.errors, [None] * count)
            want = self.frames(self.soxr.resample(source, rate, 8000), 2500)
            self.assertEqual(len(want), count)
            np.testing.assert_allclose(loaded.inputs["x"], want, atol=1e-4)

    def test_wrong_ones(self):
        with open(self.path("a.wav"), "wb") as file:
            file.write(b"RIFF")
        with open(RISING, "rb") as file:
            content = file.read()
        with open(self.path("b.wav"), "wb") as file:
            file.write(content[:len(content) // 2])
        self.soundfile.write(self.path("c.wav"), np.zeros(0, np.float32), 8000)
        shutil.copy(RISING, self.path("d.wav"))
        rows = read(self.run_batch(case.own("sounds"), self.folder)[0])
        by_name = {os.path.basename(row["source"]): row for row in rows}
        self.assertRegex(by_name["a.wav"]["error"], "no sound that can be read")
        self.assertRegex(by_name["c.wav"]["error"], "without samples")
        self.assertIsNone(by_name["d.wav"]["error"])
        self.refused("does not say how many samples", case.shared("keyword_scrambled"), self.path("d.wav"), out="none")
        self.refused("takes no sounds", case.own("digits"), self.path("d.wav"), "--sample-rate", 8000, out="none")


class Formats(BatchCase):
    def test_the_same_in_all(self):
        self.digits(30)
        np.save(self.path("bad.npy"), np.zeros((2, 3), np.float32))
        files = [self.path("digits.npy"), self.path("bad.npy")]
        table = read(self.run_batch(case.own("digits"), *files, "--rows-per-file", 13, out="parquet")[0])
        lines = read_json(self.run_batch(case.own("digits"), *files, "--rows-per-file", 9, "--format", "jsonl", out="jsonl")[0])
        self.assertEqual(table, lines)
        out = self.run_batch(case.own("digits"), *files, "--rows-per-file", 20, "--format", "npy", out="npy")[0]
        parts = sorted(name for name in os.listdir(out) if name.startswith("part-"))
        self.assertEqual(parts, ["part-000000000000-000000000020", "part-000000000020-000000000031"])
        arrays, rows = [], []
        for name in parts:
            arrays.append(np.load(os.path.join(out, name, "output_0.npy")))
            with open(os.path.join(out, name, "rows.jsonl"), encoding="utf-8") as file:
                rows += [json.loads(line) for line in file]
        want = np.array([row["output_0"] or [np.nan] * 10 for row in table], np.float32)
        np.testing.assert_array_equal(np.concatenate(arrays), want)
        self.assertEqual(rows, [{name: row[name] for name in ("row", "source", "position", "error")} for row in table])
        with open(os.path.join(out, "_SUCCESS"), encoding="ascii") as file:
            self.assertEqual(json.load(file), {"rows": 31})

    def test_several_outputs(self):
        """Which are wanted, with shapes of several dimensions and of none, also of rows that are no numbers of JSON."""
        model = case.own("shapes_detect")
        scene = os.path.join(case.OWN, "scene.png")
        [row] = read_json(self.run_batch(model, scene, "--format", "jsonl", "--outputs", "boxes,count", out="a")[0])
        self.assertEqual(list(row), ["row", "source", "position", "error", "boxes", "count"])
        [other] = read(self.run_batch(model, scene, out="b")[0])
        self.assertEqual((np.array(other["boxes"]).reshape(other["boxes.shape"]).tolist(), other["count"]), (row["boxes"], row["count"]))
        self.refused("has no output 'x', but 'boxes', ", model, scene, "--outputs", "x", out="c")

    def written(self, form, outputs, given, name):
        path = self.path(name)
        form(outputs).write(path, given)
        return path

    def test_values(self):
        """NaN and infinities, texts, rows of several shapes, and types that a format does not have."""
        rows = [_engine.Row(i, f"/\udcff{i}", 0) for i in range(3)]
        floats = Target("row", (-1,), np.dtype(np.float32), 0.0, 0, False)
        texts = Target("t", (), np.dtype(object), 0.0, 0, True)
        given = _formats.Rows(rows, [None, "why", None], {"row": [np.float32([np.nan, np.inf, -np.inf, 1]), np.float32([])],
                                                         "t": [np.array(b"a\xff", object), np.array(b"b\0", object)]})
        with open(self.written(_formats.JsonLines, [floats, texts], given, "a.jsonl"), encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        self.assertEqual([(line["source"], line["output:row"], line["t"]) for line in lines],
                         [("/\\xff0", ["NaN", "Infinity", "-Infinity", 1.0], "a\\xff"), ("/\\xff1", None, None), ("/\\xff2", [], "b\0")])
        table = pyarrow.parquet.read_table(self.written(_formats.Parquet, [floats, texts], given, "a.parquet")).to_pylist()
        self.assertEqual([row["t"] for row in table], [b"a\xff", None, b"b\0"])
        self.assertEqual([len(row["output:row"] or ()) for row in table], [4, 0, 0])
        with self.assertRaisesRegex(ValueError, "several shapes"):
            self.written(_formats.Npy, [floats], given, "a")
        with self.assertRaisesRegex(ValueError, "texts, which .npy files do not"):
            _formats.Npy([texts])
        for form in (_formats.Parquet, _formats.JsonLines):
            with self.assertRaisesRegex(ValueError, "complex64"):
                form([Target("c", (1,), np.dtype(np.complex64), 0.0, 0, False)])
        self.assertEqual(_formats.file_names([Target(name, (), np.dtype(np.int8), 0.0, 0, False) for name in ("a/b", "a:b", "")]),
                         ["a_b.npy", "a_b_.npy", "output.npy"])

    def test_texts_of_tables(self):
        texts = Target("x", (), np.dtype(object), 0.0, 0, True)
        loader = _tables.Tables((texts,), {}, None)
        for name, column in (("a.parquet", ["a b", "c"]), ("b.csv", ["a b", "c"])):
            path = self.path(name)
            if name.endswith("csv"):
                with open(path, "w", encoding="ascii") as file:
                    file.write("x\na b\nc\n")
            else:
                pyarrow.parquet.write_table(pyarrow.table({"x": column}), path)
            [part] = loader.slices(path, 0, 2, 8)
            chunk = pickle.loads(pickle.dumps(_engine.Chunk([_engine.Row(i, path, i) for i in range(2)], "table", part)))
            found = loader.load(chunk).inputs["x"].tolist()
            self.assertEqual([text if isinstance(text, str) else text.decode() for text in found], column)


class GoingOn(BatchCase):
    ROWS = 1500
    OPTIONS = ("--rows-per-file", 20, "--quiet")

    def inputs(self):
        """Files of all kinds, and among their rows one that is wrong."""
        values = self.digits(self.ROWS)
        pyarrow.parquet.write_table(pyarrow.table({"x": list(values[:500].reshape(500, 64))}), self.path("a.parquet"))
        lines = [",".join(f"p{i}" for i in range(64)), *(",".join(f"{float(v)!r}" for v in row) for row in values[:300].reshape(300, 64))]
        lines[77] = "wrong"
        with open(self.path("b.csv"), "w", encoding="ascii") as file:
            file.write("\n".join(lines))
        return [self.path(name) for name in ("digits.npy", "a.parquet", "b.csv")]

    def whole(self, files):
        """The rows of a batch that nothing has stopped."""
        return read(self.run_batch(case.own("digits"), *files, out="whole")[0])

    def begin(self, files, parts):
        """A process that has written so many parts, and goes on."""
        process = subprocess.Popen([*batch_case.command(case.own("digits"), *files, *self.OPTIONS), "--out", self.path("out")],
                                   env=batch_case.environment(), stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stderr.close)
        until = time.monotonic() + 60
        while time.monotonic() < until and process.poll() is None:
            if os.path.isdir(self.path("out")) and sum(name.startswith("part-") for name in os.listdir(self.path("out"))) >= parts:
                return process
            time.sleep(0.001)
        process.kill()
        return self.fail(f"it has not written {parts} parts, and ended with {process.wait()}: {process.stderr.read()}")

    def test_kill(self):
        """Each input has exactly one result, the same as if nothing had happened; what was done is not done again."""
        files = self.inputs()
        process = self.begin(files, 3)
        process.send_signal(signal.SIGKILL)
        process.wait()
        before = {name: os.stat(self.path("out", name)).st_mtime_ns for name in os.listdir(self.path("out")) if name.startswith("part-")}
        self.assertFalse(os.path.exists(self.path("out", "_SUCCESS")))
        rows = len(read(self.path("out")))
        self.assertLess(rows, self.ROWS + 800)
        with open(self.path("out", "_tmp-part-of-what-was-killed"), "wb") as file:
            file.write(b"half")
        _, said, errors = self.run_batch(case.own("digits"), *files, "--rows-per-file", 500)
        self.assertRegex(said, f"2300 rows are in .*, {rows} of them before")
        self.assertEqual(read(self.path("out")), self.whole(files))
        self.assertRegex(errors, "1 of [0-9]+ rows have an error")
        after = {name: os.stat(self.path("out", name)).st_mtime_ns for name in before}
        self.assertEqual(after, before)
        self.assertEqual([name for name in os.listdir(self.path("out")) if name.startswith("_tmp")], [])
        _, said, errors = self.run_batch(case.own("digits"), *files)
        self.assertEqual((said, errors), (f"2300 rows are in {self.path('out')}/, 2300 of them before\n", ""))

    def test_signal(self):
        """Who asks it to end gets what is done, and a word."""
        files = self.inputs()
        process = self.begin(files, 2)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(60), 130)
        self.assertRegex(process.stderr.read(), "stopped. The same command goes on")
        self.run_batch(case.own("digits"), *files, *self.OPTIONS)
        self.assertEqual(read(self.path("out")), self.whole(files))

    def test_gaps(self):
        """Parts that somebody has removed are made again, and nothing else."""
        files = self.inputs()
        self.run_batch(case.own("digits"), *files, "--rows-per-file", 100)
        parts = sorted(name for name in os.listdir(self.path("out")) if name.startswith("part-"))
        for name in (parts[0], parts[7], parts[8], parts[-3], parts[-1]):
            os.unlink(self.path("out", name))
        _, said, _ = self.run_batch(case.own("digits"), *files, "--rows-per-file", 70)
        self.assertIn("1800 of them before", said)
        self.assertEqual(read(self.path("out")), self.whole(files))

    def test_full_disk(self):
        """A file that cannot be written is an error, leaves nothing behind, and the same command goes on when there is room."""
        files = self.inputs()
        limit = 30000

        def narrow():
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
        for form in ("parquet", "npy", "jsonl"):
            arguments = (case.own("digits"), *files, "--rows-per-file", 1000, "--format", form)
            ended = self.run_elsewhere(*arguments, out=form, preexec_fn=narrow)
            self.assertEqual(ended.returncode, 1, ended.stderr)
            self.assertRegex(ended.stderr, "^oclite batch: .*/part-0.* cannot be written: .*([Ff]ile too large|errno 27)")
            self.assertNotIn("Traceback", ended.stderr)
            left = [name for name in os.listdir(self.path(form)) if not name.startswith("_") or name.startswith("_tmp")]
            self.assertEqual(left, [])
            self.run_batch(*arguments, out=form)
        self.assertEqual(read(self.path("parquet")), self.whole(files))
        self.assertEqual(read_json(self.path("jsonl")), self.whole(files))

    def test_other_batches(self):
        """What is not the same batch is refused, with what differs."""
        values = self.digits(20, "a.npy")
        self.run_batch(case.own("digits"), self.path("a.npy"))
        self.refused("the model was", case.own("digits_int8"), self.path("a.npy"))
        self.refused("--format was \"parquet\", and is \"npy\"", case.own("digits"), self.path("a.npy"), "--format", "npy")
        self.digits(3, "b.npy")
        self.refused("1 of its inputs are new, such as .*b.npy", case.own("digits"), self.path("a.npy"), self.path("b.npy"))
        self.refused("1 of its inputs are new", case.own("digits"), self.path("b.npy"))
        np.save(self.path("a.npy"), values[:10])
        self.refused("1 of its inputs have changed, such as .*a.npy", case.own("digits"), self.path("a.npy"))
        os.unlink(self.path("out", "_manifest.json"))
        self.refused("files of something else, such as part-", case.own("digits"), self.path("a.npy"))

    def test_damaged_folders(self):
        self.digits(20)
        arguments = (case.own("digits"), self.path("digits.npy"))
        self.run_batch(*arguments)
        shutil.copy(self.path("out", "part-000000000000-000000000020.parquet"), self.path("out", "part-000000000010-000000000020.parquet"))
        self.refused("no part of a batch of 20 rows", *arguments)
        for name, text in (("_inputs.jsonl", '{"path": 1}\n'), ("_manifest.json", "[1]"), ("_manifest.json", "{")):
            with open(self.path("out", name), "w", encoding="ascii") as file:
                file.write(text)
            self.refused(name, *arguments)

    def test_two_at_once(self):
        self.digits(20)
        os.mkdir(self.path("out"))
        with open(self.path("out", "_lock"), "w", encoding="ascii") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            lock.write("4711\n")
            lock.flush()
            self.refused("another batch writes there .process 4711.", case.own("digits"), self.path("digits.npy"))
        self.run_batch(case.own("digits"), self.path("digits.npy"))

    def test_rows_of_an_inference(self):
        """Several, of large models of bytes, and what the options say."""
        def batch(name, size, *options):
            path = self.path(f"{name}.tflite")
            shutil.copy(case.own(name), path)
            os.truncate(path, max(os.path.getsize(path), size))
            with contextlib.closing(_plan.Plan(_options.parse([path, "x.npy", "--out", "x", *options]))) as plan:
                return plan.batch
        large = _plan.LARGE_MODEL
        self.assertEqual([batch("digits_int8", large), batch("digits_int8", 0), batch("digits", large)], [_plan.LARGE_BATCH, 1, 1])
        self.assertEqual([batch("digits_int8", large, "--batch", "2"), batch("digits", 0, "--batch", "3")], [2, 3])

    def test_the_last_chunks(self):
        """They are small, so that all workers end at about the same time, and whole batches."""
        sources = [_sources.Source(f"{i}.png", 0, 0, "picture", 1, None) for i in range(301)]
        chunks = list(_sources.Feeder(sources, {"picture": None}, {"picture": 16}, 4).chunks([(0, 100), (101, 301)]))
        self.assertEqual([row.number for chunk in chunks for row in chunk.rows], [*range(100), *range(101, 301)])
        sizes = [len(chunk.rows) for chunk in chunks]
        self.assertEqual(sizes[:7], [16] * 6 + [4])  # and no chunk is of two ranges
        self.assertEqual([size % 4 for size in sizes], [0] * len(sizes))
        for i, size in enumerate(sizes):
            self.assertLess(size, sum(sizes[i:]) / 8 + 4)

    def test_files_that_change(self):
        """A table that has become shorter since its rows were counted."""
        values = self.digits(30).reshape(30, 64)
        path = self.path("a.parquet")
        for write in (pyarrow.parquet.write_table, lambda table, where: pyarrow.csv.write_csv(pyarrow.table(
                {f"p{i}": values[:len(table), i] for i in range(64)}), where)):
            write(pyarrow.table({"x": list(values)}), path)
            loader = _tables.Tables((Target("x", (8, 8, 1), np.dtype(np.float32), 0.0, 0, False),), {}, None)
            source = _sources.Source(path, 0, 0, "table", loader.count(path), None)
            write(pyarrow.table({"x": list(values[:10])}), path)
            feeder = _sources.Feeder([source], {"table": loader}, {"table": 4})
            chunks = list(feeder.chunks([(2, 30)]))
            self.assertEqual([row.number for chunk in chunks for row in chunk.rows], list(range(2, 30)))
            errors = [error for chunk in chunks if chunk.kind == "broken" for error in chunk.payload]
            self.assertEqual(errors, ["the file has fewer rows than when it was counted"] * 20)
            path = self.path("a.csv")


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Refusals(BatchCase):
    def test_usage(self):
        for words, *arguments in (("required: MODEL, INPUT", ), ("INPUT", "m"), ("invalid choice: 'x'", "m", "i", "--format", "x"),
                                  ("'0' is no number from 1 on", "m", "i", "--batch", "0"), ("'x' is no number", "m", "i", "--workers", "x"),
                                  ("is not NAME=COLUMN", "m", "i", "--input", "x"), ("is there twice", "m", "i", "--input", "x=a", "--input=x=b"),
                                  ("no size such as", "m", "i", "--size", "7"), ("no list such as", "m", "i", "--mean", "1,nan"),
                                  ("no delegate 'gpu'", "m", "i", "--delegate", "gpu"), ("'x' is not KEY=VALUE", "m", "i", "--delegate", "opencl:x"),
                                  ("min_nodes: 'x' is no number", "m", "i", "--delegate", "opencl:min_nodes=x"),
                                  ("unrecognized arguments: --nonsense", "m", "i", "--nonsense"), ("--engine ray", "m", "i", "--address", "a")):
            self.refused(words, *arguments, status=2)

    def test_models_and_inputs(self):
        self.digits(2)
        model, inputs = case.own("digits"), self.path("digits.npy")
        self.refused("absent.tflite", self.path("absent.tflite"), inputs)
        self.refused("not a valid Flatbuffer", inputs, inputs)
        self.refused("there is no such file", model, self.path("absent.npy"))
        self.refused("there is no such file", model, self.path("*.jpg"))
        os.mkdir(self.path("empty"))
        self.refused("there are no pictures", model, self.path("empty"))
        self.refused("tells no picture", model, case.own("digits"))
        self.refused("takes no pictures: its input .* is \\[16\\]", case.own("requests"), os.path.join(case.OWN, "scene.png"))
        self.refused("no input 'x', but 'keras_tensor_7'", model, inputs, "--input", "x=a")
        self.refused("signature_key", model, inputs, "--signature", "x")
        self.refused("mean has|--mean has 2 values", case.own("shapes_segment"), os.path.join(case.OWN, "scene.png"), "--mean", "1,2")
        self.refused("cannot be normalized", case.own("shapes_segment"), os.path.join(case.OWN, "scene.png"), "--std", "0")
        self.refused("--size has the width 7", case.own("shapes_segment"), os.path.join(case.OWN, "scene.png"), "--size", "7x96")
        self.refused("no option 'devise'; did you mean 'device'", model, inputs, "--delegate", "opencl:devise=gpu", out="none")
        with open(self.path("file"), "w", encoding="ascii"):
            pass
        self.refused("file", model, inputs, out="file")
        os.mkdir(self.path("other"))
        shutil.copy(inputs, self.path("other"))
        self.refused("files of something else, such as digits.npy", model, inputs, out="other")

    def test_missing_packages(self):
        self.digits(2)
        with mock.patch.dict(sys.modules, {"tqdm": None}):  # for what is shown on a terminal
            with mock.patch.object(batch_case, "Errors", Terminal):
                self.refused("^oclite batch needs tqdm: pip install 'oclite\\[batch\\]'", case.own("digits"), self.path("digits.npy"))
            self.run_batch(case.own("digits"), self.path("digits.npy"))
        with mock.patch.dict(sys.modules, {"pyarrow": None}):
            self.refused("^oclite batch needs pyarrow: pip install 'oclite\\[batch\\]'", case.own("digits"), self.path("digits.npy"), out="other")
        with mock.patch.dict(sys.modules, {"PIL.Image": None}):
            self.refused("needs PIL: pip install", case.own("shapes_label"), os.path.join(case.OWN, "scene.png"))

    def test_delegate(self):
        case.delegate()  # or the test is skipped
        values = self.digits(40)
        rows = read(self.run_batch(case.own("digits"), self.path("digits.npy"), "--workers", 2, "--batch", 8, "--delegate",
                                   "opencl:partition=all,selftest=off,cache_dir=off,min_nodes=1")[0])
        np.testing.assert_allclose([row["output_0"] for row in rows], np.concatenate([row[0] for row in infer(case.own("digits"), values)]), atol=1e-5)

    def test_progress(self):
        """On a terminal a bar with the rate; elsewhere none."""
        self.digits(200)
        terminal, side = pty.openpty()
        fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        ended = subprocess.run([*batch_case.command(case.own("digits"), self.path("digits.npy")), "--out", self.path("out")],
                               env=batch_case.environment(), stdout=subprocess.PIPE, stderr=side, text=True, timeout=60, check=True)
        os.close(side)
        shown = b""
        while b"200/200" not in shown:
            shown += os.read(terminal, 4096)
        os.close(terminal)
        self.assertRegex(shown.decode(), r"100%.*200/200 \[.*rows/s")
        self.assertEqual(ended.stdout, f"200 rows are in {self.path('out')}/\n")
        self.assertEqual(self.run_elsewhere(case.own("digits"), self.path("digits.npy"), "--quiet", out="other").stderr, "")


if __name__ == "__main__":
    case.main()
