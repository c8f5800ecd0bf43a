#!/usr/bin/env python3
"""Every command on files that are no models, and on broken ones: test_hostile.py OCLITE MODELS

Each ends with a status and, when it is not 0, with one line; no signal, no time without end, and nothing is left behind.
"""
import os
import random
import re
import subprocess
import unittest

import tool_case

# How each command that takes a model is called, OUT being what it writes.
FORMS = {
    "run": ["MODEL", "--out", "OUT/"],
    "info": ["MODEL"],
    "bench": ["MODEL", "--warmup_runs=0", "--num_runs=1", "--min_secs=0", "--warmup_min_secs=0"],
    "diff": ["MODEL", "--out", "OUT/"],
    "view": ["MODEL", "--out", "OUT.html"],
    "fuse": ["MODEL", "--ops", "ADD,Atan", "--name", "Fused", "--out", "OUT.tflite"],
    "select": ["MODEL", "--out", "OUT/"],
    "warm": ["MODEL", "--delegate", "opencl:cache_dir=OUT"],
}
LIMIT = ["--memory_limit", "64M"]
FLIPS = 12


def mutations(data, seed):
    """The file cut off at several places, and with bytes changed."""
    source = random.Random(seed)
    for length in (0, 3, 8, len(data) // 3, len(data) - 1):
        yield data[:length]
    for _ in range(FLIPS):
        changed = bytearray(data)
        for _ in range(source.randint(1, 6)):
            changed[source.randrange(min(len(data), 4096))] = source.choice([0, 1, 0x7f, 0x80, 0xff, source.randrange(256)])
        yield bytes(changed)


class Hostile(tool_case.Case):
    def commands(self):
        return re.findall(r"^  ([a-z]+)  ", self.expect(0, "--help"), re.M)

    def run_form(self, command, model):
        """Runs it in an empty folder, where nothing may be left when it fails."""
        folder = self.path("work")
        os.makedirs(folder, exist_ok=True)
        form = [part.replace("MODEL", model).replace("OUT", os.path.join(folder, "out")) for part in FORMS[command]]
        has_limit = "--memory_limit" in self.expect(0, command, "--help")
        result = subprocess.run([tool_case.OCLITE, command, *form, *(LIMIT if has_limit else [])], capture_output=True, cwd=folder,
                                timeout=60)
        said = result.stderr.decode(errors="replace")
        self.assertIn(result.returncode, (0, 1, 2, 10, 11, 12) if command in ("run", "warm") else (0, 1, 2), (command, model, said))
        if result.returncode != 0:
            self.assertEqual(said.count("\n"), 1, (command, said))
            left = [os.path.join(top, name) for top, _, names in os.walk(folder) for name in names]
            self.assertEqual([name for name in left if "partial" in name], [], (command, said))
            if command in ("fuse", "select", "view"):
                self.assertEqual(left, [], (command, said))
        subprocess.run(["rm", "-rf", folder], check=True)
        return result.returncode, said

    def test_every_command_with_a_model_is_here(self):
        for command in self.commands():
            if re.search(r"^oclite .*MODEL", self.expect(0, command, "--help")):
                self.assertIn(command, FORMS)

    def test_no_models(self):
        text = self.path("text")
        with open(text, "w", encoding="ascii") as out:
            out.write("This is not a model.\n" * 100)
        for command in FORMS:
            if command not in self.commands():
                continue
            for model in (self.path("absent"), self.folder, text, "/dev/null", self.input([3], [1, 2, 3])):
                rc, said = self.run_form(command, model)
                self.assertIn(rc, (1, 10), (command, model, said))
                self.assertIn(model, said, command)

    def test_broken_models(self):
        for name in ("atan.tflite", "digits_int8.tflite"):
            with open(os.path.join(tool_case.MODELS, name), "rb") as source:
                data = source.read()
            for number, content in enumerate(mutations(data, name)):
                broken = self.path("broken.tflite")
                with open(broken, "wb") as out:
                    out.write(content)
                for command in FORMS:
                    if command in self.commands():
                        with self.subTest(command=command, model=name, number=number):
                            self.run_form(command, broken)


if __name__ == "__main__":
    tool_case.main(__doc__)
