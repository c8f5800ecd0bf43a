#!/usr/bin/env python3
"""The self-test keeps bad drivers away from the host: test_drivers.py OCLITE MODELS PROGRAM LAYER ICD

PROGRAM is oclite_opencl_selftest, LAYER the library of tests/support/bad_driver.c, which makes bad drivers of the machine's, and
ICD that of bad_icd.c, which cannot even be listed. The host is oclite run: it lives, its results are right, and what is bad is left to the CPU with the reason.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tools"))
from tool_case import read_npy, write_npy  # noqa: E402

OCLITE = MODELS = PROGRAM = LAYER = ICD = None
SKIPPED = 77
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PIPES = {"a crash": "kill -SEGV $$", "nothing": "true", "an exit": "exit 3",
         "numbers of others": "echo begin device; echo right ADD", "what was not begun": "echo right device",
         "an end too early": "echo end", "zeros": "head -c 100000 /dev/zero", "no end of a line": "yes | tr -d '\\n'",
         "many lines": "yes begin device", "too much": "echo begin device; echo right device; echo right device",
         "a word": "echo begin device; echo fine device", "a long detail": "echo begin device; echo wrong device $(head -c 200 /dev/zero | tr '\\0' x)",
         "control characters": "echo begin device; printf 'wrong device \\033[2J\\n'"}


class Host(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.cache = self.path("cache")
        self.program = self.path("program")
        self.write_program(f'exec {PROGRAM} "$@"')

    def path(self, name):
        return os.path.join(self.folder, name)

    def write_program(self, script):
        """What the delegate starts: notes each start, but of those that compile."""
        with open(self.program, "w", encoding="utf-8") as out:
            out.write(f'#!/bin/sh\ncase "$*" in *--compile) ;; *) echo "$@" >> {self.path("started")};; esac\n{script}\n')
        os.chmod(self.program, 0o755)

    def started(self):
        """How many children have tried a device or operators since the last call; drivers of the machine are listed in others."""
        path = self.path("started")
        if not os.path.exists(path):
            return 0
        with open(path, encoding="utf-8") as file:
            count = sum("--driver" not in line for line in file)
        os.remove(path)
        return count

    def environment(self, bad, layered):
        variables = dict(os.environ, OCLITE_BAD_DRIVER=bad, OCLITE_OPENCL_SELFTEST_PROGRAM=self.program, OCLITE_OPENCL_SELFTEST="on",
                         HOME=self.folder, XDG_CACHE_HOME=self.path("xdg"))
        if layered:
            variables["OPENCL_LAYERS"] = LAYER
        return variables

    def run_oclite(self, *arguments, bad="none:", layered=True, cwd=None, **variables):
        environment = self.environment(bad, layered) | variables
        return subprocess.run([OCLITE, *arguments], capture_output=True, text=True, timeout=120, env=environment, cwd=cwd, check=False)

    def left(self, bad="none:", option="", layered=True, model="digits.tflite", **variables):
        """Runs a model, whose results have to be the CPU's: {node: reason} of those that were left."""
        delegate = f"opencl:cache_dir={self.cache},report={self.path('report')}{option}"
        model = os.path.join(MODELS, model)
        write_npy(self.path("in.npy"), (1, 8, 8, 1), [(i * 37 % 64) / 4 for i in range(64)])
        for out, more in ("cpu", []), ("device", ["--delegate", delegate]):
            result = self.run_oclite("run", model, "--out", self.path(out), "--in", self.path("in.npy"), *more, bad=bad, layered=layered,
                                     **variables)
            self.assertEqual(result.returncode, 0, result.stderr)
        self.compare()
        with open(self.path("report"), encoding="utf-8") as file:
            report = json.load(file)
        self.errors = result.stderr
        return {node["op"]: node["reason"] for node in report["nodes"] if not node["taken"]}

    def compare(self):
        (_, cpu), (_, device) = (read_npy(self.path(f"{side}/out0.npy")) for side in ("cpu", "device"))
        self.assertEqual(len(cpu), len(device))
        for x, y in zip(cpu, device):
            self.assertAlmostEqual(x, y, places=4)


class BadDrivers(Host):
    def check(self, bad, op, reason):
        self.assertEqual(self.left(bad).keys(), {op})
        first = self.started()
        self.assertGreater(first, 1)
        left = self.left(bad)
        self.assertEqual(left.keys(), {op})
        self.assertRegex(left[op], f"^{op}: {reason}; see oclite devices$")
        self.assertEqual(self.started(), 0, "the second process has the first one's verdicts")
        self.assertEqual(self.errors, "")

    def test_a_good_one_is_tried_once(self):
        self.assertEqual(self.left(), {})
        self.assertEqual(self.started(), 2)  # the device, then the operators
        self.assertEqual(self.left(), {})
        self.assertEqual(self.started(), 0)
        self.assertEqual(self.left(option=",selftest=force"), {})
        self.assertEqual(self.started(), 2)

    def test_crash_in_build(self):
        self.check("build:softmax(ITEM", "SOFTMAX", r"crashes this driver in its self-test \(signal 11\)")

    def test_failing_build(self):
        self.check("compile:softmax(ITEM", "SOFTMAX", r"fails on this driver in its self-test \(OpenCL: building softmax.*\)")

    def test_times_of_the_processor_are_told_from_the_devices(self):
        for bad, failure in ("none:", None), ("compile:softmax", r"^OpenCL: building softmax.cl: CL_BUILD_PROGRAM_FAILURE"):
            result = self.run_oclite("bench", os.path.join(MODELS, "digits.tflite"), "--json", "-", "--runs", "1", "--delegate",
                                     f"opencl:selftest=off,series=0,partition=all,cache_dir={self.cache}", bad=bad)
            self.assertEqual(result.returncode, 0, result.stderr)
            figures = json.loads(result.stdout.strip().split("\n")[-1])
            if failure is None:
                self.assertNotIn("device_failure", figures)
            else:
                self.assertRegex(figures["device_failure"], failure)

    def test_crash_in_kernel(self):
        self.check("kernel:pool", "MAX_POOL_2D", r"crashes this driver in its self-test \(signal 11\)")

    def test_hang_in_build(self):
        self.check("stall:softmax(ITEM", "SOFTMAX", r"hangs this driver in its self-test \(after 10 s\)")

    def test_hang(self):
        self.check("hang:softmax", "SOFTMAX", r"hangs this driver in its self-test \(after 10 s\)")

    def test_wrong_numbers(self):
        self.check("wrong:softmax", "SOFTMAX", r"wrong on this driver in its self-test \(max error .*\)")

    def test_a_device_that_cannot_be_opened(self):
        for count in 1, 0:
            result = self.run_oclite("run", os.path.join(MODELS, "digits.tflite"), "--out", self.path("out"), "--delegate", f"opencl:cache_dir={self.cache}", bad="context:")
            self.assertEqual(result.returncode, 1, result.stderr)
            self.assertIn("it crashes in its self-test (signal 11), and is not used; selftest=force tries again", result.stderr)
            self.assertEqual(self.started(), count)

    def test_off_tries_nothing(self):
        self.assertEqual(self.left(option=",selftest=off"), {})
        self.assertEqual(self.started(), 0)

    def test_known_drivers_are_not_tried(self):
        self.left(layered=False)
        devices = json.loads(self.run_oclite("devices", "--json", "-", "--no-measure", layered=False).stdout)["opencl_device"]
        if not all(d["driver"].startswith("3.1") and "PoCL 3.1" in d["platform_version"] for d in devices):
            self.skipTest("the driver here is not PoCL 3.1")
        self.assertEqual(self.started(), 0)
        self.left(layered=False, option=",selftest=force")
        self.assertEqual(self.started(), 2)


class Lists(Host):
    def setUp(self):
        super().setUp()
        self.vendors = self.path("vendors")
        os.mkdir(self.vendors)
        here = os.environ.get("OCL_ICD_VENDORS", "/etc/OpenCL/vendors")
        if not os.path.isdir(here):
            self.skipTest(f"the drivers here are no folder: {here}")
        for name in os.listdir(here):
            shutil.copy(os.path.join(here, name), self.vendors)
        self.write_icd(ICD)

    def check(self, bad):
        model = os.path.join(MODELS, "digits.tflite")
        wanted = f"{ICD}: "
        for first in True, False:
            result = self.run_oclite("run", model, "--out", self.path("out"), "--delegate", f"opencl:verbose=1,cache_dir={self.cache}",
                                     layered=False, OCL_ICD_VENDORS=self.vendors, OCLITE_BAD_ICD=bad)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("7 of 7 nodes", result.stderr)
            self.assertEqual(wanted in result.stderr, bad != "", result.stderr)
            with open(self.path("started"), "a+", encoding="utf-8") as file:
                file.seek(0)
                self.assertEqual(f"--driver {ICD} driver" in file.read(), first)
            self.started()
        self.assertEqual([name for name in os.listdir(tempfile.gettempdir()) if name.startswith("oclite-vendors-")], [])

    def test_a_crash_while_it_is_opened(self):
        self.check("open")

    def test_a_crash_while_it_is_listed(self):
        self.check("list")

    def test_a_hang_while_it_is_listed(self):
        self.check("hang")

    def test_one_that_is_only_empty(self):
        self.check("")

    def test_tools_that_list_devices_themselves(self):
        for bad in "open", "list":
            result = self.run_oclite("info", os.path.join(MODELS, "digits.tflite"), "--all-devices", layered=False,
                                     OCL_ICD_VENDORS=self.vendors, OCLITE_BAD_ICD=bad)
            self.assertEqual(result.returncode, 0, result.stderr)

    def write_icd(self, library):
        with open(os.path.join(self.vendors, "bad.icd"), "w", encoding="utf-8") as file:
            file.write(library + "\n")

    def test_one_whose_library_is_missing(self):
        model, absent = os.path.join(MODELS, "digits.tflite"), self.path("absent.so")
        said = f"; a driver that is listed cannot be opened: {absent}: cannot open shared object file"
        self.write_icd(absent)
        for device, code in ("any", 0), ("abacus", 2):
            result = self.run_oclite("run", model, "--out", self.path("out"), "--delegate", f"opencl:device={device}", layered=False,
                                     OCL_ICD_VENDORS=self.vendors)
            self.assertEqual(result.returncode, code, result.stderr)
            self.assertEqual(said in result.stderr, code != 0, result.stderr)
        for name in os.listdir(self.vendors):
            if name != "bad.icd":
                os.remove(os.path.join(self.vendors, name))
        result = self.run_oclite("devices", "--no-measure", layered=False, OCL_ICD_VENDORS=self.vendors)
        self.assertIn("no platform: libOpenCL.so.1 is here, but no driver", result.stdout)
        self.assertIn(said, result.stdout)

    def test_rusticl_that_waits_to_be_told(self):
        if "rusticl.icd" not in os.listdir(self.vendors):
            self.skipTest("no rusticl here (Debian's mesa-opencl-icd)")
        said = "; Mesa's rusticl shows no device without RUSTICL_ENABLE in the environment"
        os.remove(os.path.join(self.vendors, "bad.icd"))
        result = self.run_oclite("devices", "--no-measure", "--device", "rusticl", layered=False, OCL_ICD_VENDORS=self.vendors, RUSTICL_ENABLE="")
        self.assertIn("none of the", result.stderr)
        self.assertIn(said, result.stderr)
        for name in os.listdir(self.vendors):
            if name != "rusticl.icd":
                os.remove(os.path.join(self.vendors, name))
        result = self.run_oclite("devices", "--no-measure", layered=False, OCL_ICD_VENDORS=self.vendors, RUSTICL_ENABLE="")
        self.assertIn("no platform has a device", result.stdout)
        self.assertIn(said, result.stdout)

    def test_it_is_asked_again_when_its_file_changes(self):
        copy = self.path("driver.so")
        shutil.copy(ICD, copy)
        self.write_icd(copy)
        for count in 1, 0, 1:
            if count == 1:
                os.utime(copy, (count + os.stat(copy).st_mtime,) * 2)
            result = self.run_oclite("run", os.path.join(MODELS, "digits.tflite"), "--out", self.path("out"), "--delegate",
                                     f"opencl:cache_dir={self.cache}", layered=False, OCL_ICD_VENDORS=self.vendors, OCLITE_BAD_ICD="list")
            self.assertEqual(result.returncode, 0, result.stderr)
            with open(self.path("started"), "a+", encoding="utf-8") as file:
                file.seek(0)
                self.assertEqual(file.read().count(copy), count)
            self.started()


class Folders(Host):
    def files(self):
        """Those with verdicts on the device."""
        every = [os.path.join(top, name) for top, _, names in os.walk(self.folder) for name in names if name.endswith(".selftest")]
        found = []
        for path in every:
            with open(path, encoding="latin-1") as file:
                found += [path] if "self-test 2 of oclite" in file.read() else []
        return found

    def test_verdicts_have_a_folder_of_their_own_without_cache_dir(self):
        for count in 2, 0:
            result = self.run_oclite("run", os.path.join(MODELS, "digits.tflite"), "--out", self.path("out"), "--delegate", "opencl")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(self.started(), count)
        self.assertEqual([os.path.dirname(f) for f in self.files()], [self.path("xdg/oclite")])

    def test_without_a_folder_each_process_tries(self):
        with open(self.path("xdg"), "w", encoding="utf-8"):
            pass
        for _ in range(2):
            result = self.run_oclite("run", os.path.join(MODELS, "digits.tflite"), "--out", self.path("out"), "--delegate", "opencl")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(self.started(), 2)

    def test_folders_that_cannot_be_written_to(self):
        model = os.path.join(MODELS, "digits.tflite")
        for option, variables in ((":cache_dir=/proc", {}), ("", {"XDG_CACHE_HOME": "/proc"}), ("", {"XDG_CACHE_HOME": "", "HOME": ""}),
                                  ("", {"XDG_CACHE_HOME": "relative", "HOME": "relative"})):
            for _ in range(2):
                result = self.run_oclite("run", model, "--out", self.path("out"), "--delegate", f"opencl{option}", cwd=self.folder, **variables)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(self.started(), 2)
        self.assertEqual(sorted(os.listdir(self.folder)), ["out", "program"])

    def test_processes_at_the_same_time(self):
        model = os.path.join(MODELS, "digits.tflite")
        command = [OCLITE, "run", model, "--out", self.path("out"), "--delegate", f"opencl:cache_dir={self.cache}"]
        environment = self.environment("wrong:softmax", True)
        hosts = [subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) for _ in range(4)]
        for host in hosts:
            self.assertEqual((host.communicate(timeout=120)[1], host.returncode), ("", 0))
        self.started()
        self.assertEqual(self.left("wrong:softmax").keys(), {"SOFTMAX"})
        self.assertEqual(self.started(), 0)
        self.assertEqual(len(self.files()), 1)

    def test_damaged_files_are_written_anew(self):
        self.left("wrong:softmax")
        self.started()
        file, = self.files()
        with open(file, "rb") as source:
            whole = source.read()
        for damaged in whole[:-1], whole[:40], b"", whole.replace(b"wrong", b"right"), whole + b"right ADD\n", os.urandom(300):
            with open(file, "wb") as out:
                out.write(damaged)
            self.assertEqual(self.left("wrong:softmax").keys(), {"SOFTMAX"})
            self.assertEqual(self.started(), 2)
            self.left("wrong:softmax")
            self.assertEqual(self.started(), 0)


class Cases(Host):
    def test_every_operator_has_one(self):
        with open(os.path.join(ROOT, "core/ops.def"), encoding="utf-8") as file:
            text = file.read()
        operators = set(re.findall(r"^(?:CUSTOM_)?OP\((\w+),.* 1\)$", text, re.M))  # 2: declared as users declare theirs
        listed = subprocess.run([PROGRAM, "--list"], capture_output=True, text=True, check=True).stdout.split()
        self.assertEqual(operators - set(listed), set())
        self.assertEqual(set(listed) - operators, set())

    def test_cases_are_taken_and_right(self):
        """Those of some families: oclite devices --selftest has them all."""
        names = ["ADD", "CONV_2D", "FULLY_CONNECTED", "GATHER", "MEAN", "SOFTMAX", "TRANSPOSE"]
        environment = dict(os.environ, OPENCL_LAYERS=LAYER, OCLITE_BAD_DRIVER="none:")
        environment.pop("OCLITE_OPENCL_PARTITION", None)  # users have none
        result = subprocess.run([PROGRAM, *names], capture_output=True, text=True, check=True, env=environment)
        self.assertEqual(result.stdout, "".join(f"begin {name}\nright {name}\n" for name in names) + "end\n")


class Programs(Host):
    def test_without_the_program_the_driver_is_trusted(self):
        os.remove(self.program)
        self.assertEqual(self.left(), {})
        info = self.run_oclite("info", os.path.join(MODELS, "digits.tflite"), "--delegate", "opencl")
        self.assertIn("the program oclite_opencl_selftest is not there", info.stdout)

    def test_programs_that_others_may_write_to(self):
        """Beside a copy of the library."""
        library = self.path("liboclite_opencl.so")
        shutil.copy(os.path.join(os.path.dirname(PROGRAM), "liboclite_opencl.so"), library)
        self.program = self.path("oclite_opencl_selftest")
        self.write_program(f'exec {PROGRAM} "$@"')
        script = ("import ctypes, sys\nlibrary = ctypes.CDLL(sys.argv[1])\n"
                  "create, warning = library.oclite_opencl_delegate_create_from_string, library.oclite_opencl_delegate_warning\n"
                  "create.restype, warning.argtypes, warning.restype = ctypes.c_void_p, [ctypes.c_void_p], ctypes.c_char_p\n"
                  "print(warning(create(sys.argv[2].encode())))\n")
        environment = self.environment("none:", True)
        del environment["OCLITE_OPENCL_SELFTEST_PROGRAM"]
        for mode, count in (0o757, 0), (0o777, 0), (0o755, 1):
            os.chmod(self.program, mode)
            said = subprocess.run([sys.executable, "-c", script, library, f"selftest=force,cache_dir={self.cache}"], capture_output=True, text=True,
                                  env=environment, check=False)
            if "runtime does not come first" in said.stderr:
                self.skipTest("a library with a sanitizer, which Python does not bring")
            self.assertEqual(said.returncode, 0, said.stderr)
            self.assertEqual("or others may write to it), so the driver is not tried" in said.stdout, count == 0, said.stdout)
            self.assertEqual(self.started(), count)

    def test_relative_paths_name_no_program(self):
        self.assertEqual(self.left(OCLITE_OPENCL_SELFTEST_PROGRAM_="x"), {})
        self.started()
        self.program = os.path.relpath(self.program)
        self.left(option=",selftest=force")
        self.assertEqual(self.started(), 0)

    def test_whatever_the_program_says(self):
        for name, script in PIPES.items():
            with self.subTest(name):
                self.write_program(script)
                result = self.run_oclite("run", os.path.join(MODELS, "digits.tflite"), "--out", self.path("out"), "--delegate", f"opencl:cache_dir={self.path(name)}")
                if name == "too much":  # the device was right, and what followed is not believed
                    self.assertEqual(result.returncode, 0)
                    continue
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertIn("it crashes in its self-test", result.stderr)


def main():
    global OCLITE, MODELS, PROGRAM, LAYER, ICD
    if len(sys.argv) < 6:
        sys.exit(__doc__)
    OCLITE, MODELS, PROGRAM, LAYER, ICD = map(os.path.abspath, sys.argv[1:6])
    environment = dict(os.environ, OPENCL_LAYERS=LAYER, OCLITE_BAD_DRIVER="none:")
    result = subprocess.run([OCLITE, "devices", "--no-measure"], capture_output=True, text=True, env=environment, check=False)
    if "Bad Drivers" not in result.stdout:
        print("skipped: no device, or a loader that knows no layers\n" + result.stdout)
        return SKIPPED
    return unittest.main(argv=[sys.argv[0], *sys.argv[6:]])


if __name__ == "__main__":
    sys.exit(main())
