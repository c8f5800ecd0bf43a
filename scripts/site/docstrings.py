# SPDX-License-Identifier: Apache-2.0
"""A Sphinx extension: docstrings of the Python package, which are plain text, become reStructuredText.

Indented paragraphs are code. Lines `name: what it is` (or `name, other: ...`) are a list, the lines behind one of them belong to it.
"""
import re

ITEM = re.compile(r"[A-Za-z_]\w*(?:, \w+)*(?: \([^)]*\))?(?:: |, [a-z]\w* \()")


def paragraph(lines):
    if all(line.startswith("    ") for line in lines):
        return ["::", "", *lines]
    plain = [re.sub(r"([*`|\\]|(?<=\w)_\b)", r"\\\1", line.strip()) for line in lines]
    if not ITEM.match(plain[0]) or plain[0].endswith(":"):
        return plain
    return [f"* {line}" if ITEM.match(line) and not lines[n].startswith(" ") else f"  {line}" for n, line in enumerate(plain)]


def convert(app, what, name, obj, options, lines):
    result, paragraphs = [], re.split(r"\n\s*\n", "\n".join(lines).strip("\n"))
    for text in paragraphs:
        result += [*paragraph(text.split("\n")), ""]
    lines[:] = result


def setup(app):
    app.connect("autodoc-process-docstring", convert)
    return {"parallel_read_safe": True}
