#!/usr/bin/env python3
"""Compiles the public headers with all warnings as errors, as C99, C11, C++17 and C++20.

headers.py --cc COMMAND --cxx COMMAND --include FOLDER... [--source FILE...] Each header is compiled on its own, and
twice; headers that do nothing but forward to another all together. Headers of the C++ API, which have namespaces, are
left out of C. All together are compiled by g++ and clang++ too, those that are there, and without exceptions and
run-time type information. The source files, which use the headers, are compiled in the same ways.
"""
import argparse
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wundef", "-Werror", "-fsyntax-only"]
C_WARNINGS = ["-Wstrict-prototypes", "-Wmissing-prototypes"]
CXX_WARNINGS = ["-Wnon-virtual-dtor"]


def headers(folders):
    """Name and text of each."""
    for folder in folders:
        for parent, _, names in sorted(os.walk(folder)):
            for name in sorted(names):
                path = os.path.join(parent, name)
                if name.endswith(".h"):
                    with open(path, encoding="utf-8") as source:
                        yield os.path.relpath(path, folder), source.read()


def cxx_only(name, texts):
    """Has the header, or one that it includes, a namespace?"""
    pending, seen = [name], set()
    while pending:
        header = pending.pop()
        if header in seen or header not in texts:
            continue
        seen.add(header)
        if re.search(r"^namespace ", texts[header], re.M):
            return True
        pending += re.findall(r'#include "([^"]+)"', texts[header])
    return False


def program(names):
    return "".join(f'#include "{name}"\n' for name in names) + "int main(void) { return 0; }\n"


def is_forwarder(text):
    return text.startswith("// Forwards to")


def programs(texts, alone):
    """(name, text, is C++ only) of what is to be compiled: each header alone, or all together."""
    groups = {"forwarders": [name for name, text in texts.items() if is_forwarder(text)]}
    others = [name for name, text in texts.items() if not is_forwarder(text)]
    groups.update({name: [name, name] for name in others} if alone else {"headers": others})
    for title, names in groups.items():
        for only in (False, True):
            chosen = [name for name in names if cxx_only(name, texts) == only]
            if chosen:
                yield title, program(chosen), only


def modes(arguments):
    """(command with options, is C++, compiles each header alone)"""
    for standard in ("c99", "c11"):
        yield [arguments.cc, f"-std={standard}", "-x", "c", *C_WARNINGS], False, True
    others = [c for c in ("g++", "clang++") if shutil.which(c) and shutil.which(c) != shutil.which(arguments.cxx)]
    for command in [arguments.cxx, *others]:
        yield [command, "-std=c++17", "-x", "c++", *CXX_WARNINGS], True, command == arguments.cxx
        yield [command, "-std=c++20", "-x", "c++", *CXX_WARNINGS, "-fno-exceptions", "-fno-rtti"], True, False


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cc", required=True)
    parser.add_argument("--cxx", required=True)
    parser.add_argument("--include", nargs="+", required=True)
    parser.add_argument("--source", nargs="*", default=[])
    arguments = parser.parse_args()
    texts = dict(headers(arguments.include))
    sources = []
    for path in arguments.source:
        with open(path, encoding="utf-8") as source:
            sources.append((path, source.read(), path.endswith(".cc")))
    folders = [f"-I{folder}" for folder in arguments.include]
    work = [(name, command, text) for command, is_cxx, alone in modes(arguments)
            for name, text, only in [*programs(texts, alone), *sources] if is_cxx or not only]

    def compile_one(item):
        name, command, text = item
        result = subprocess.run([*command, *WARNINGS, *folders, "-"], input=text, capture_output=True, text=True,
                                check=False)
        return f"{name}: {' '.join(command)}\n{result.stderr}" if result.returncode != 0 else None

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        failures = [message for message in pool.map(compile_one, work) if message is not None]
    print("".join(failures), end="")
    print(f"{len(work)} compilations, {len(failures)} failures")
    return 1 if failures or not work else 0


if __name__ == "__main__":
    sys.exit(main())
