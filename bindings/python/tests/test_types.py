#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mypy --strict on the package, and what its modules say of themselves."""
import ast
import glob
import os
import unittest

from python_case import LIBRARIES, SOURCE, main, oclite

PACKAGE = os.path.join(SOURCE, "bindings", "python", "oclite")


class Types(unittest.TestCase):
    def test_mypy(self):
        try:
            from mypy import api
        except ImportError as missing:
            self.skipTest(f"this Python has no mypy ({missing})")
        cache = os.path.join(LIBRARIES, "mypy-cache")
        said, errors, status = api.run(["--strict", "--cache-dir", cache, "--python-version", "3.10",
                                            "--config-file", os.path.join(SOURCE, "pyproject.toml"), PACKAGE])
        self.assertEqual((status, errors), (0, ""), said)


class Sources(unittest.TestCase):
    def test_versions_and_documentation(self):
        """Python 3.9 reads each module, and each says what it is, as does what is public."""
        for path in glob.glob(f"{PACKAGE}/**/*.py", recursive=True):
            with open(path, encoding="utf-8") as file:
                tree = ast.parse(file.read(), feature_version=(3, 9))
            self.assertTrue(ast.get_docstring(tree), path)
            for node in ast.walk(tree):
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    self.assertTrue(ast.get_docstring(node) or "_structs" in path or "NamedTuple" in ast.dump(node), node.name)
        for name in oclite.__all__:
            self.assertTrue(getattr(oclite, name).__doc__, name)


if __name__ == "__main__":
    main()
