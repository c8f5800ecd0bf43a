#!/usr/bin/env python3
"""Compares the symbols that a shared library exports with a list.

exports.py LIBRARY LIST. Programs rely on these names: one that disappears breaks them, one that appears is a promise.
"""
import subprocess
import sys


def exported(library):
    out = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True).stdout
    return {line.split()[-1].split("@")[0] for line in out.splitlines() if line.strip()}


def main():
    library, list_file = sys.argv[1:3]
    with open(list_file, encoding="utf-8") as source:
        listed = {line.strip() for line in source if line.strip() and not line.startswith("#")}
    found = exported(library)
    for name in sorted(listed - found):
        print(f"missing: {name}")
    for name in sorted(found - listed):
        print(f"not in the list: {name}")
    print(f"{len(found)} symbols")
    return 0 if found == listed else 1


if __name__ == "__main__":
    sys.exit(main())
