#!/usr/bin/env python3
"""Tests of oclite warm, and of the folder that it fills: found again, whole among processes that race, harmless when damaged.

test_warm.py OCLITE MODELS   (MUTATIONS: how many damaged folders, 12 by default)
Needs nothing but Python's own library; without an OpenCL device it is skipped.
"""
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import unittest

import tool_case

PROCESSES = 16
MUTATIONS = int(os.environ.get("MUTATIONS", "12"))


def read(path):
    with open(path, "rb") as file:
        return file.read()


def allow_no_bytes():
    """Files cannot grow, as on a full disk."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


class Warm(tool_case.Case):
    def setUp(self):
        super().setUp()
        self.model = os.path.join(tool_case.MODELS, "digits.tflite")
        self.cache = os.path.join(self.folder, "cache")
        self.delegate = f"opencl:cache_dir={self.cache}"

    def warm(self):
        out = self.expect(0, "warm", self.model, "--delegate", self.delegate)
        found = re.fullmatch(r"\S*: (\d+) programs, (\d+) compiled in [0-9.]+ s; now prepared in \d+ ms\n", out)
        self.assertIsNotNone(found, out)
        return int(found[1]), int(found[2])

    def command(self, out):
        return [tool_case.OCLITE, "run", self.model, "--delegate", self.delegate, "--out", os.path.join(self.folder, out)]

    def result(self, out):
        return read(os.path.join(self.folder, out, "out0.npy"))

    def programs(self):
        return sorted(os.path.join(self.cache, name) for name in os.listdir(self.cache) if ".clbin" in name)

    def run_once(self, out, **keywords):
        subprocess.run(self.command(out), check=True, timeout=300, **keywords)
        return self.result(out)

    def test_second_start_compiles_nothing(self):
        programs, compiled = self.warm()
        self.assertGreater(programs, 0)
        self.assertEqual(compiled, programs)
        self.assertEqual(len(self.programs()), programs)
        self.assertEqual(self.warm(), (programs, 0))

    def test_a_compiler_prints_nothing(self):
        """PoCL's says how many warnings there are, where it compiles for the first time."""
        for model in sorted(os.listdir(tool_case.MODELS)):
            if not model.startswith("digits") or not model.endswith(".tflite"):
                continue
            environment = dict(os.environ, POCL_CACHE_DIR=os.path.join(self.folder, "compiled", model))
            os.makedirs(environment["POCL_CACHE_DIR"])
            command = [tool_case.OCLITE, "run", os.path.join(tool_case.MODELS, model), "--delegate", "opencl:cache_dir=off,partition=all", "--out",
                       os.path.join(self.folder, "out")]
            result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=True)
            self.assertEqual(result.stderr, "", model)

    def test_users_folder_is_the_usual_one(self):
        before = {name: os.environ.pop(name, None) for name in ("XDG_CACHE_HOME", "OCLITE_OPENCL_CACHE")}
        os.environ["XDG_CACHE_HOME"] = self.folder
        try:
            self.expect(0, "warm", self.model)
            self.assertIn(" 0 compiled", self.expect(0, "warm", self.model))
        finally:
            os.environ.pop("XDG_CACHE_HOME")
            os.environ.update({name: value for name, value in before.items() if value is not None})

    def test_folder_that_keeps_nothing_is_an_error(self):
        status, _, error = tool_case.oclite("warm", self.model, "--delegate", "opencl:cache_dir=off")
        self.assertEqual(status, 1)
        self.assertIn("programs could not be kept", error)

    def test_processes_may_race(self):
        driver = os.path.join(self.folder, "driver")  # PoCL's folder, empty too
        os.mkdir(driver)
        environment = {**os.environ, "POCL_CACHE_DIR": driver}
        runs = [subprocess.Popen(self.command(f"run{i}"), env=environment) for i in range(PROCESSES)]
        self.assertEqual([run.wait(timeout=280) for run in runs], [0] * PROCESSES)
        self.assertEqual(len({self.result(f"run{i}") for i in range(PROCESSES)}), 1)
        self.assertTrue(all(name.endswith(".clbin") for name in self.programs()), self.programs())
        self.assertEqual(self.warm()[1], 0)

    def test_damaged_files_change_nothing(self):
        self.warm()
        right = self.run_once("right")
        whole = {name: read(name) for name in self.programs()}
        chance = random.Random(1)
        for number in range(MUTATIONS):
            for name, contents in whole.items():
                damaged = bytearray(contents)
                for _ in range(chance.choice((0, 1, 9))):
                    damaged[chance.randrange(len(damaged))] ^= chance.randrange(1, 256)
                if chance.random() < 0.3:
                    del damaged[chance.randrange(len(damaged)):]
                with open(name, "wb") as file:
                    file.write(damaged)
            self.assertEqual(self.run_once("damaged"), right, number)
        self.assertEqual(self.warm()[1], 0)  # all were written anew

    def test_full_disk_changes_nothing(self):
        right = self.run_once("right")
        shutil.rmtree(self.cache)
        run = subprocess.run([tool_case.OCLITE, "warm", self.model, "--delegate", self.delegate], preexec_fn=allow_no_bytes,
                             capture_output=True, text=True, timeout=300)
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn("OpenCL: ", run.stderr)
        self.assertEqual(self.programs(), [])
        self.assertEqual(self.run_once("after"), right)


if __name__ == "__main__":
    if len(sys.argv) > 2 and subprocess.run([sys.argv[1], "info", os.path.join(sys.argv[2], "digits.tflite"), "--delegate", "opencl"],
                                            capture_output=True).returncode != 0:
        print("no OpenCL device")
        sys.exit(77)
    tool_case.main(__doc__)
