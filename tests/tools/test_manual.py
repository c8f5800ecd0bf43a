#!/usr/bin/env python3
"""Tests of what is said about the commands: help, manual pages, completion: test_manual.py OCLITE MODELS"""
import os
import re
import shutil
import subprocess
import unittest

import tool_case

HEADER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../include/oclite/opencl.h")

# Words as the shell has them when the user presses the tabulator.
COMPLETE_BASH = """source "$1"; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _oclite; printf '%s\\n' "${COMPREPLY[@]}"
"""


class Case(tool_case.Case):
    def commands(self):
        """The names that the help lists."""
        return re.findall(r"^  ([a-z]+)  ", self.expect(0, "--help"), re.M)

    def options(self, command):
        return re.findall(r"^  --(\w+)", self.expect(0, command, "--help"), re.M)

    def aliases(self, command):
        """Second names of more than a letter."""
        return re.findall(r"\(Also\s+--(\w+)\.\)", self.expect(0, command, "--help"))

    def completion(self, shell):
        path = self.path(shell)
        with open(path, "w", encoding="utf-8") as script:
            script.write(self.expect(0, "completion", shell))
        return path


class Manual(Case):
    def test_every_option_is_in_its_page(self):
        self.assertIn("run", self.commands())
        for command in self.commands():
            page = self.expect(0, "man", command)
            self.assertTrue(page.startswith(f".TH oclite-{command} 1"))
            for option in self.options(command):
                self.assertIn(f"\n.B \\-\\-{option}", page, command)
            self.assertNotIn("\n'", page)

    @unittest.skipUnless(shutil.which("groff"), "there is no groff")
    def test_pages_are_well_formed(self):
        for command in ["", *self.commands()]:
            page = self.expect(0, "man", *command.split())
            result = subprocess.run(["groff", "-man", "-ww", "-Tutf8", "-P-cbou"], input=page, capture_output=True, text=True)
            self.assertEqual(result.stderr, "", command)
            self.assertIn("EXIT STATUS", result.stdout)

    def test_flags_without_effect(self):
        """They are named once, and need no lines of their own."""
        text = self.expect(0, "bench", "--help")
        self.assertNotIn("use_nnapi", self.options("bench"))
        self.assertRegex(text, r"Accepted without effect, a line says why:(\s+--\w+)*\s+--use_nnapi\s")
        self.assertIn("\n.B \\-\\-use_nnapi\n", self.expect(0, "man", "bench"))

    def test_pages_as_files(self):
        self.expect(0, "man", "--out", self.out)
        self.assertEqual(sorted(os.listdir(self.out)),
                         sorted(["oclite.1", *(f"oclite-{command}.1" for command in self.commands())]))
        with open(os.path.join(self.out, "oclite-run.1"), encoding="utf-8") as page:
            self.assertEqual(page.read(), self.expect(0, "man", "run"))
        self.expect(1, "man", "--out", self.path("no/such"))
        self.expect(1, "man", "run", "--out", self.path("no/such"))
        self.expect(2, "man", "fly")

    def test_examples_are_commands(self):
        """What help shows as an example is parsed: it fails for its files, not for its options."""
        for command in self.commands():
            head, _, examples = self.expect(0, command, "--help").partition("\nExamples:\n")
            for line in examples.splitlines():
                words = re.split(r"[|><]", line)[0].split()
                if words[0] != "oclite" or "MODEL" in words or command == "completion":
                    continue
                if "--selftest" in words or "--report" in words:  # which compile every kernel there is, for minutes
                    words += ["--device", "nothing"]
                result = subprocess.run([tool_case.OCLITE, *words[1:]], capture_output=True, text=True, cwd=self.folder,
                                        timeout=600)
                self.assertNotEqual(result.returncode, 2, line + ": " + result.stderr)


class Completion(Case):
    def complete(self, *words):
        result = subprocess.run(["bash", "-c", COMPLETE_BASH, "bash", self.completion("bash"), "oclite", *words],
                                capture_output=True, text=True, cwd=self.folder, check=True)
        self.assertEqual(result.stderr, "")
        return result.stdout.split()

    def test_bash(self):
        self.assertEqual(self.complete("ru"), ["run"])
        self.assertEqual(sorted(self.complete("")), sorted(["--help", "--version", *self.commands()]))
        for command in self.commands():
            self.assertEqual(sorted(self.complete(command, "--")),
                             sorted(["--help", *(f"--{option}" for option in self.options(command) + self.aliases(command))]))
        self.assertIn("--profile", self.complete("bench", "--pro"))
        self.input([1], [1], "picture.npy")
        self.assertEqual(self.complete("run", "--in", "pic"), ["picture.npy"])
        self.assertEqual(self.complete("run", "--threads", ""), [])

    def test_values_in_bash(self):
        self.assertEqual(self.complete("run", "--cpu", "avx512"), ["avx512", "avx512vnni", "avx512amx"])
        self.assertEqual(self.complete("run", "--delegate", ""), ["none", "opencl", "opencl:"])
        self.assertIn("litert:reference", self.complete("diff", "--b", ""))
        # bash makes words of ':' and '='
        delegate = ("run", "--delegate", "opencl", ":")
        self.assertEqual(self.complete(*delegate), [key + "=" for key in self.keys()])
        self.assertEqual(self.complete(*delegate, "prec"), ["precision=", "precision_float32=", "precision_float16="])
        self.assertEqual(self.complete(*delegate, "precision", "=", "float"), ["float32", "float16"])
        self.assertEqual(self.complete(*delegate, "device", "=", "cpu,prof"), ["cpu,profiling="])
        self.assertEqual(self.complete(*delegate, "device", "=", "cpu,profiling", "="), ["0", "1"])
        self.assertEqual(self.complete("run", "--delegate", "=", "opencl", ":", "dev"), ["device="])
        os.mkdir(self.path("kernels"))
        self.assertEqual(self.complete(*delegate, "cache_dir", "=", "ker"), ["kernels"])

    def keys(self):
        return re.findall(r"^  (\w+)=", self.expect(0, "run", "--help").partition("\nKeys of opencl:")[2], re.M)

    def test_keys_are_those_of_the_delegate(self):
        """What help says of them is all, and known."""
        with open(HEADER, encoding="utf-8") as file:
            fields = re.findall(r"^ {4}\w[\w *]*[ *](\w+);", file.read().partition("OcliteOpenclDelegateOptions {")[2].partition("}")[0], re.M)
        without_text = {"size", "operators", "operator_count", "context", "device_id", "queue"}
        self.assertEqual(sorted(self.keys()), sorted(set(fields) - without_text))
        for key in self.keys():
            self.assertNotIn("unknown", tool_case.oclite("run", self.model, "--delegate", f"opencl:{key}={self.path('absent')}/x")[2])

    def test_benchmark_model(self):
        script = COMPLETE_BASH.replace("; _oclite;", "; _oclite_benchmark_model;")
        result = subprocess.run(["bash", "-c", script, "bash", self.completion("bash"), "benchmark_model", "--grap"],
                                capture_output=True, text=True, cwd=self.folder, check=True)
        self.assertEqual(result.stdout.split(), ["--graph"])

    def test_other_shells(self):
        for shell in ("zsh", "fish"):
            script = self.completion(shell)
            with open(script, encoding="utf-8") as text:
                content = text.read()
            for command in self.commands():
                self.assertIn(command, content)
                for option in self.options(command):
                    self.assertIn(option, content)
            if shutil.which(shell):
                result = subprocess.run([shell, "-n", script], capture_output=True, text=True)
                self.assertEqual((result.returncode, result.stderr), (0, ""), shell)
        self.expect(2, "completion", "ksh")
        self.expect(2, "completion")


class Options(Case):
    def test_spellings(self):
        for spelling in (["--memory_limit", "1K"], ["--memory-limit", "1K"], ["--memory-limit=1K"], ["--memory_limit=1K"]):
            self.expect(0, "run", self.model, "--out", self.out, *spelling)
        self.expect(0, "run", "--out", self.out, "--num_threads=1", "--", self.model)
        self.assertIn("unknown option '--memory-limi=1K' (--memory_limit?), see oclite run --help",
                      self.expect(2, "run", self.model, "--memory-limi=1K"))
        self.assertIn("unknown option '--wings', see", self.expect(2, "run", self.model, "--wings"))
        self.assertIn("unknown command 'runs' (run?), see", self.expect(2, "runs"))
        self.expect(2, "run", self.model, "--out", self.out, "--run=1")
        self.expect(2, "run", "--", "--out", self.out)

    def test_no_room_for_the_output(self):
        with open("/dev/full", "w", encoding="ascii") as full:
            result = subprocess.run([tool_case.OCLITE, "--help"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr, "oclite: the output could not be written\n")


if __name__ == "__main__":
    tool_case.main(__doc__)
