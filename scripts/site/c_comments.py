#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Doxygen's filter for the public headers: c_comments.py HEADER prints it as Doxygen and Breathe want it.

The headers have plain comments. Those above a declaration become `///`, those behind one `///<`. The first one of a file is about
the file. A comment over several functions without a blank line between them stands before each. What Breathe would list twice, or take
for a function, goes: titles (`// ---- Models ----`), the second name in `typedef struct A { ... } A;`, a first mention of a struct that
another header of the folder describes, and macros in the place of functions. An enum without a name, to which no link would lead, is a
constant.
"""
import glob
import os
import re
import sys

FUNCTION = re.compile(r"(?:TFL_CAPI_EXPORT|OCLITE_EXPORT) ")
TITLE = re.compile(r"\s*// ----.*----$")
BEHIND = re.compile(r'^((?:[^"/]|"(?:\\.|[^"\\])*"|/(?!/))*\S\s*)// (.*)$')


def comments(lines):
    """The lines with Doxygen's marks."""
    comment, above, behind, first = [], False, False, True  # comment: what stands above the block that this line is in
    for line in lines:
        is_comment = line.lstrip().startswith("//")
        if line.startswith("// SPDX") or TITLE.match(line):
            line = ""
        elif is_comment and behind and not line.startswith("//"):
            line = re.sub(r"^(\s*)//", r"\1///<", line)  # goes on with the one behind the line before
        elif is_comment:
            line = re.sub(r"^(\s*)//", r"\1///", line)
            if first:
                yield "/// @file"
            first = False
            comment = [*comment, line] if above else [line]
        elif match := BEHIND.match(line):
            line = f"{match[1]}///< {match[2]}"
        elif FUNCTION.match(line) and not above:
            yield from comment
        behind = "///<" in line
        above = is_comment and not behind
        comment = comment if line.strip() else []
        yield line


def described(folder):
    """The structs whose members a header of the folder tells."""
    for path in glob.glob(os.path.join(folder, "*.h")):
        with open(path, encoding="utf-8") as file:
            yield from re.findall(r"struct (\w+) \{", file.read())


def convert(text, structs):
    text = "\n".join(comments(text.split("\n")))
    text = re.sub(r"^typedef (struct|enum|union) (\w+) (\{.*?^\}) \2;", r"\1 \2 \3;", text, flags=re.S | re.M)
    text = re.sub(r"^typedef struct (\w+) \1;", lambda match: "" if match[1] in structs else match[0], text, flags=re.M)
    text = re.sub(r"^enum \{\s*(\w+) = ([^,}]+?),?\s*\};", r"const int \1 = \2;", text, flags=re.M)
    return re.sub(r"^#define (?:TfLite\w+|\w+_)\((?:.*\\\n)*.*$", "", text, flags=re.M)


def main():
    path = sys.argv[1]
    with open(path, encoding="utf-8") as file:
        sys.stdout.write(convert(file.read(), set(described(os.path.dirname(path)))))


if __name__ == "__main__":
    main()
