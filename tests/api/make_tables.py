#!/usr/bin/env python3
"""Writes layout.def and values.def from the recorded facts of the TensorFlow Lite API.

make_tables.py REFERENCE_FOLDER (with layout.json and api.json). The tables are checked in: they say what binaries
compiled against TensorFlow Lite rely on, and change only with that API.
"""
import json
import os
import sys

SKIP = {"TfLiteTelemetrySettings"}  # its header is not offered
HEAD = "// SPDX-License-Identifier: Apache-2.0\n// Written by make_tables.py: {}\n"


def public(header):
    return "/async/" not in header and "telemetry" not in header


def layout(folder):
    structs = json.load(open(os.path.join(folder, "layout.json"), encoding="utf-8"))
    yield HEAD.format("size and alignment of public structs on x86-64 Linux, offsets of their fields.")
    for name, facts in structs.items():
        if name in SKIP:
            continue
        yield f"STRUCT({name}, {facts['size']}, {facts['align']})\n"
        fields = [f"FIELD({name}, {field}, {offset})" for field, offset in facts["offsets"].items()]
        for i in range(0, len(fields), 2):
            yield "    " + " ".join(fields[i:i + 2]) + "\n"


def values(folder):
    api = json.load(open(os.path.join(folder, "api.json"), encoding="utf-8"))
    yield HEAD.format("values of public enumerations.")
    for enum in api["enums"]:
        if not public(enum["header"]):
            continue
        items = [f"VALUE({name}, {str(value).replace('UL', 'u')})" for name, value in enum["values"].items()]
        for i in range(0, len(items), 2):
            yield " ".join(items[i:i + 2]) + "\n"


def main():
    home = os.path.dirname(os.path.abspath(__file__))
    for name, lines in (("layout.def", layout(sys.argv[1])), ("values.def", values(sys.argv[1]))):
        with open(os.path.join(home, name), "w", encoding="utf-8") as out:
            out.writelines(lines)


if __name__ == "__main__":
    main()
