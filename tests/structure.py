#!/usr/bin/env python3
"""Checks the structure that docs/ARCHITECTURE.md promises: who may include what, lengths of files and functions, first lines.

structure.py [ROOT]. Prints each violation as FILE:LINE: message; exit status 1 when there is any.
"""
import os
import re
import subprocess
import sys

# Folder -> the folders whose headers it may include. "include" stands for the public headers.
MAY_INCLUDE = {
    "include": ["include"],
    "core/base": ["include", "core/base", "core/ops.def", "core/cpu_paths.def"],  # the latter CMake writes
    "core/model": ["include", "core/base", "core/model"],
    "core/edit": ["include", "core/base", "core/model", "core/edit"],
    "core/graph": ["include", "core/base", "core/model", "core/graph", "partitioner"],
    "core/api": ["include", "core/base", "core/model", "core/graph", "core/api"],
    "partitioner": ["core/base", "partitioner"],
    "kernels-cpu": ["include", "core/base", "core/ops.def", "core/elementwise.def", "core/cpu_paths.def", "kernels-cpu"],
    "kernels-cl": ["kernels-cl"],
    "delegate-opencl": ["include", "core/base", "partitioner", "kernels-cl/args.h", "core/ops.def",
                        "core/elementwise.def", "delegate-opencl"],
    "tools": ["include", "examples/custom_atan", "tools"],
    "examples": ["include", "examples"],
    "extensions": ["include", "extensions"],
    "bindings": ["include", "bindings"],
}
PUBLIC = ("tensorflow/", "tflite/", "oclite/", "third_party/")
# The operator tables of the public API are as long as the format is.
LONG_FILES = {"include/tensorflow/lite/c/builtin_op_data.h", "include/tensorflow/lite/c/common.h", "core/ops.def"}
MAX_FILE_LINES = 600
MAX_FUNCTION_LINES = 70
SOURCES = (".c", ".h", ".cl", ".cc", ".def", ".inc")


def tracked(root):
    out = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True)
    return sorted(f for f in out.stdout.split("\n") if f and os.path.exists(os.path.join(root, f)))


def folder_of(path):
    return next((f for f in sorted(MAY_INCLUDE, key=len, reverse=True) if path.startswith(f + "/")), None)


def check_includes(path, lines, folder):
    for number, line in enumerate(lines, 1):
        match = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
        if not match:
            continue
        target = match.group(1)
        home = "include" if target.startswith(PUBLIC) else target
        if not any(home == a or home.startswith(a + "/") for a in MAY_INCLUDE[folder]):
            yield number, f'{folder} may not include "{target}"'


def check_functions(lines):
    start = None
    for number, line in enumerate(lines, 1):
        if start is None and re.match(r"[A-Za-z_].*\)\s*(const\s*)?\{$|[A-Za-z_].*\{$", line):
            header = line if "(" in line else ""
            if header and not re.match(r"(typedef|struct|enum|union|extern \"C\"|namespace)\b", line):
                start = number
        elif start is None and re.match(r"\s+.*\)\s*\{$", line) and number >= 2 and re.match(
                r"[A-Za-z_].*\(.*[^;{]$", lines[number - 2]):
            start = number - 1
        elif line.startswith("}") and start is not None:
            if number - start + 1 > MAX_FUNCTION_LINES:
                yield start, f"function of {number - start + 1} lines, at most {MAX_FUNCTION_LINES}"
            start = None


def check(root):
    for path in tracked(root):
        if not path.endswith(SOURCES):
            continue
        with open(os.path.join(root, path), encoding="utf-8") as source:
            lines = source.read().split("\n")
        if "SPDX-License-Identifier" not in lines[0] and not path.endswith((".def", ".inc")):
            yield path, 1, "first line is not the SPDX licence line"
        if len(lines) - 1 > MAX_FILE_LINES and path not in LONG_FILES:
            yield path, 1, f"{len(lines) - 1} lines, at most {MAX_FILE_LINES}"
        folder = folder_of(path)
        if folder:
            yield from ((path, n, m) for n, m in check_includes(path, lines, folder))
        if path.endswith((".c", ".cc", ".cl")):
            yield from ((path, n, m) for n, m in check_functions(lines))


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    found = list(check(root))
    for path, number, message in found:
        print(f"{path}:{number}: {message}")
    print(f"structure: {len(found)} violations")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
