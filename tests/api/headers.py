#!/usr/bin/env python3
"""Compiles each public header on its own, and twice, as C99, C11 and C++17 with all warnings as errors.

headers.py --cc COMMAND --cxx COMMAND --include FOLDER... [--source FILE...] Headers with namespaces are compiled as
C++ only. The source files, which use the headers, are compiled in the same ways.
"""
import argparse
import os
import subprocess
import sys

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wundef", "-Werror", "-fsyntax-only"]
C_WARNINGS = ["-Wstrict-prototypes", "-Wmissing-prototypes"]


def headers(folders):
    for folder in folders:
        for parent, _, names in sorted(os.walk(folder)):
            for name in sorted(names):
                path = os.path.join(parent, name)
                if name.endswith(".h"):
                    with open(path, encoding="utf-8") as source:
                        yield os.path.relpath(path, folder), "namespace " in source.read()


def program(header):
    return f'#include "{header}"\n#include "{header}"\nint main(void) {{ return 0; }}\n'


def compiles(command, standard, text, folders):
    language = "c++" if "++" in standard else "c"
    warnings = WARNINGS if language == "c++" else WARNINGS + C_WARNINGS
    arguments = [command, f"-std={standard}", "-x", language, *warnings, *[f"-I{f}" for f in folders], "-"]
    result = subprocess.run(arguments, input=text, capture_output=True, text=True, check=False)
    return result.returncode == 0, result.stderr


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cc", required=True)
    parser.add_argument("--cxx", required=True)
    parser.add_argument("--include", nargs="+", required=True)
    parser.add_argument("--source", nargs="*", default=[])
    arguments = parser.parse_args()
    texts = [(header, cxx_only, program(header)) for header, cxx_only in headers(arguments.include)]
    texts += [(path, False, open(path, encoding="utf-8").read()) for path in arguments.source]
    count = failures = 0
    for name, cxx_only, text in texts:
        standards = [("c++17", arguments.cxx)] if cxx_only else [
            ("c99", arguments.cc), ("c11", arguments.cc), ("c++17", arguments.cxx)]
        for standard, command in standards:
            good, message = compiles(command, standard, text, arguments.include)
            count += 1
            if not good:
                failures += 1
                print(f"{name} as {standard}:\n{message}")
    print(f"{count} compilations, {failures} failures")
    return 1 if failures or not count else 0


if __name__ == "__main__":
    sys.exit(main())
