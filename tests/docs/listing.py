# SPDX-License-Identifier: Apache-2.0
"""The listings of a Markdown file, as its parser sees them, with the marks before them.

A mark is a comment (nobody sees it) directly before a listing:

    <!-- not run: REASON -->      it is compiled or run by nobody, and the reason says why
    <!-- text -->                 it is neither a program nor commands
    <!-- before                   lines in the listing's language that come before it: names that it uses, files that it
    ...                           needs
    -->
"""
import re
from dataclasses import dataclass
from typing import Optional

from markdown_it import MarkdownIt

LANGUAGES = {"c": "c", "cpp": "cpp", "python": "python", "opencl": "opencl", "java": "java", "sh": "sh", "bash": "sh", "console": "console"}
OTHERS = {"text", "json", "cmake", "yaml", "ini"}  # told by their names to be none of these
MARK = re.compile(r"<!--\s*(not run:|text|before)\s*(.*?)\s*-->\s*$", re.S)


@dataclass
class Listing:
    path: str
    line: int  # of its first line of code
    language: Optional[str]  # of LANGUAGES' values; None for text
    code: str
    before: str = ""
    reason: str = ""  # not to be run

    @property
    def place(self):
        return f"{self.path}:{self.line}"


def language_of(token):
    """(language, fault)"""
    if token.type == "code_block":  # by indentation: commands
        return "console" if re.search(r"^\$ ", token.content, re.M) else "sh", ""
    name = token.info.strip()
    if name in LANGUAGES or name in OTHERS:
        return LANGUAGES.get(name), ""
    return None, f"the listing's language is '{name}', expected one of {', '.join(sorted([*LANGUAGES, *OTHERS]))}"


def listings(path, text):
    """(listings, faults) of a document."""
    found, faults, marks = [], [], []
    for token in MarkdownIt("commonmark").parse(text):
        if token.type == "html_block":
            match = MARK.match(token.content)
            marks = [*marks, match] if match else []
        elif token.type in ("fence", "code_block"):
            language, fault = language_of(token)
            said = {match[1]: match[2] for match in marks}
            first = token.map[0] + (2 if token.type == "fence" else 1)
            if fault:
                faults.append(f"{path}:{first}: {fault}")
            if "not run:" in said and not said["not run:"]:
                faults.append(f"{path}:{first}: a listing that is not run needs a reason")
            found.append(Listing(path, first, None if "text" in said else language, token.content, said.get("before", ""),
                                 said.get("not run:", "")))
            marks = []
        else:
            marks = []
    return found, faults
