#!/usr/bin/env python3
"""Writes layout.def, values.def and functions.def from the recorded facts of the TensorFlow Lite API.

make_tables.py REFERENCE_FOLDER (with layout.json and api.json)   writes the tables
make_tables.py --check REFERENCE_FOLDER                           fails when they differ from those that are checked in

The tables say what programs compiled against TensorFlow Lite rely on, and change only with that API.
"""
import json
import os
import sys

HEAD = "// SPDX-License-Identifier: Apache-2.0\n// Written by make_tables.py: {}\n"
SKIPPED = 77  # as CTest has it


def rows(items, width=2):
    for i in range(0, len(items), width):
        yield "    " + " ".join(items[i:i + width]) + "\n"


def layout(api, structs):
    yield HEAD.format("public structs: size and alignment on x86-64 Linux, members, offsets of members.")
    for fact in api["structs"]:
        name, facts = fact["name"], structs[fact["name"]]
        members = " ".join(f"{member};" for member in fact["fields"])
        yield f"STRUCT({fact['kind']}, {name}, {facts['size']}, {facts['align']}, {members})\n"
        # The type of a member without a name for it cannot be compared.
        nested = {member.split()[-1] for member in fact["fields"] if member.startswith(("struct {", "union {"))}
        yield from rows([f"{'NESTED' if field in nested else 'FIELD'}({name}, {field}, {offset})"
                         for field, offset in facts["offsets"].items()])
    yield "\n// Names of types, and what they stand for.\n"
    for fact in api["types"]:
        yield f"TYPE({fact['name']}, {fact['is'].removeprefix('opaque ')})\n"


def values(api):
    yield HEAD.format("values of public enumerations, anonymous ones included.")
    for enum in api["enums"]:
        items = [f"VALUE({name}, {str(value).replace('UL', 'u')})" for name, value in enum["values"].items()]
        yield from (line.strip() + "\n" for line in rows(items))


def functions(api):
    yield HEAD.format("public functions: result, name, parameters; above them the header that declares them.")
    header = None
    for fact in api["functions"]:
        if fact["header"] != header:
            header = fact["header"]
            yield f"\n// {header}\n"
        yield f"FUNCTION({fact['returns']}, {fact['name']}, {', '.join(fact['args']) or 'void'})\n"


def main():
    check = sys.argv[1] == "--check"
    home, folder = os.path.dirname(os.path.abspath(__file__)), sys.argv[-1]
    if check and not os.path.exists(os.path.join(folder, "api.json")):
        print(f"skipped: {folder} is not there")
        return SKIPPED
    api, structs = (json.load(open(os.path.join(folder, name), encoding="utf-8")) for name in ("api.json", "layout.json"))
    differ = 0
    for name, lines in (("layout.def", layout(api, structs)), ("values.def", values(api)),
                        ("functions.def", functions(api))):
        path, text = os.path.join(home, name), "".join(lines)
        if not check:
            with open(path, "w", encoding="utf-8") as out:
                out.write(text)
        elif open(path, encoding="utf-8").read() != text:
            print(f"{name} is not what {folder} says: run make_tables.py {folder}")
            differ = 1
    print(f"{len(api['functions'])} functions, {len(api['structs'])} structs, {len(api['enums'])} enumerations, "
          f"{len(api['types'])} types")
    return differ


if __name__ == "__main__":
    sys.exit(main())
