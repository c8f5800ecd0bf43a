#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Listings that are wrong are found, whatever they are written in: test_listings.py"""
import os
import shutil
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "api"))
try:
    import listing
except ImportError as error:
    print(f"skipped: {error}; scripts/site/requirements.txt")
    sys.exit(77)

import runners  # noqa: E402


def first(text):
    found, faults = listing.listings("page.md", text)
    return found[0], faults


class Marks(unittest.TestCase):
    def test_languages(self):
        found, faults = listing.listings("page.md", "```c\nint a;\n```\n\n    $ echo\n\n- x\n\n  ```sh\n  ls\n  ```\n")
        self.assertEqual([(one.language, one.line) for one in found], [("c", 2), ("console", 5), ("sh", 10)])
        self.assertEqual(faults, [])

    def test_unknown(self):
        for text in ("```\nint a;\n```\n", "```pyhton\nimport os\n```\n"):
            self.assertIn("expected one of", first(text)[1][0])

    def test_before(self):
        one, _ = first("<!-- before\nx = 1\n-->\n```python\nprint(x)\n```\n")
        self.assertEqual((one.before, one.line), ("x = 1", 5))
        one, _ = first("<!-- before\nx = 1\n-->\nProse.\n\n```python\nprint(x)\n```\n")
        self.assertEqual(one.before, "")

    def test_not_run(self):
        one, faults = first("<!-- not run: because -->\n```sh\nrm x\n```\n")
        self.assertEqual((one.reason, faults), ("because", []))
        self.assertIn("needs a reason", first("<!-- not run: -->\n```sh\nrm x\n```\n")[1][0])
        self.assertIsNone(first("<!-- text -->\n\n    a -> b\n")[0].language)


class Runs(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def python(self, *codes):
        python = runners.Python(self.folder.name, dict(os.environ))
        self.addCleanup(python.close)
        return [python.run(listing.Listing("page.md", 7, "python", code)) for code in codes]

    def shell(self, text):
        return runners.Shell(self.folder.name, dict(os.environ)).run(first(text)[0])

    def test_python(self):
        right, wrong, dead = self.python("x = 1", "\nassert x == 2", "import os; os._exit(3)")
        self.assertEqual(right, "")
        self.assertIn('"page.md", line 8', wrong)
        self.assertIn("status 3", dead)

    def test_commands(self):
        self.assertEqual(self.shell("```sh\ncd .\nexport A=1\n```\n"), "")
        self.assertEqual(self.shell("```sh\n[ $A = 1 ]\n```\n"), "")
        self.assertIn("exit status 1", self.shell("```sh\nfalse\ntrue\n```\n"))
        self.assertIn("exit status 1", self.shell("<!-- before\nfalse\n-->\n```sh\ntrue\n```\n"))

    def test_console(self):
        command = "```console\n$ printf 'a 1\\nb 2.5 c\\nd\\n'\n"
        for shown in ("a 7\nb 0.1 c\nd\n", "a 1\n...\n", "...\nb 2 ...\nd\n"):
            self.assertEqual(self.shell(command + shown + "```\n"), "", shown)
        for shown, word in (("a 1\nb 2.5 e\nd\n", "does not print"), ("a 1\nd\n", "does not print"), ("a 1\nb 2 c\n", "prints more"),
                            ("...\nd\nb 1 c\n", "does not print")):
            self.assertIn(word, self.shell(command + shown + "```\n"), shown)

    @unittest.skipUnless(shutil.which("javac") and shutil.which("java"), "there is no JDK")
    def test_java(self):
        program = "class Two {\n    public static void main(String[] a) {\n        if (a.length == 0) throw new RuntimeException(\"%s\");\n    }\n}\n"
        java = runners.Java(self.folder.name, dict(os.environ), "none.jar")
        self.assertIn("that is why", java.run(listing.Listing("page.md", 7, "java", program % "that is why")))
        self.assertIn("Two.java:8", java.run(listing.Listing("page.md", 7, "java", "class Two {\n static void main( }")))

    def test_not_run(self):
        for text in ("```sh\nif\n```\n", "```python\ndef f(\n```\n"):
            self.assertTrue(runners.syntax(first(text)[0]), text)


if __name__ == "__main__":
    unittest.main()
