#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mypy --strict on the package, and its files and functions as long as the tree's may be."""
import ast
import glob
import os
import unittest

from python_case import SOURCE, main

PACKAGE = os.path.join(SOURCE, "bindings", "python", "oclite")
MAX_FILE_LINES = 350
MAX_FUNCTION_LINES = 60


class Types(unittest.TestCase):
    def test_mypy(self):
        try:
            from mypy import api
        except ImportError as missing:
            self.skipTest(f"this Python has no mypy ({missing})")
        said, errors, status = api.run(["--strict", "--no-incremental", "--python-version", "3.10", PACKAGE])
        self.assertEqual((status, errors), (0, ""), said)


class Lengths(unittest.TestCase):
    def test_lengths_and_documentation(self):
        for path in glob.glob(f"{PACKAGE}/*.py"):
            with open(path, encoding="utf-8") as file:
                text = file.read()
            name = os.path.basename(path)
            self.assertLessEqual(text.count("\n"), MAX_FILE_LINES, name)
            self.assertTrue(text.startswith("# SPDX-License-Identifier: Apache-2.0\n"), name)
            tree = ast.parse(text, feature_version=(3, 9))
            self.assertTrue(ast.get_docstring(tree), name)
            for node in ast.walk(tree):
                if isinstance(node, ast.FunctionDef):
                    self.assertLessEqual(node.end_lineno - node.lineno, MAX_FUNCTION_LINES, f"{name}: {node.name}")


if __name__ == "__main__":
    main()
