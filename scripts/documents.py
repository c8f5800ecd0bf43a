# SPDX-License-Identifier: Apache-2.0
"""The documents of the tree: the pages of the site, and where listings are looked for."""
import glob
import os

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PAGES = ("README.md", "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/*.md", "bindings/*/README.md", "examples/README.md")


def pages():
    """The paths of all pages, from the root of the tree."""
    return [path for pattern in PAGES for path in sorted(glob.glob(pattern, root_dir=ROOT))]


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()
