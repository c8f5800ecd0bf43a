#!/usr/bin/env python3
"""Writes the .tflite schema as a FlatBuffers schema file, for the official compiler: make_schema.py FORMAT.json OUT.fbs NAMESPACE

FORMAT.json lists the format's enums, unions and tables with field ids, types and defaults.
"""
import json
import sys

# Named in a union of the format as deprecated, and still used.
EXTRA_TABLES = {"ReduceWindowOptions": [{"id": 0, "name": "reduce_function", "type": "ReduceWindowFunction"}]}
TYPES = {"int32": "int", "int8": "byte"}


def field(f):
    attributes = f.get("attr", "")
    text = f"  {f['name']}:{TYPES.get(f['type'], f['type'])}"
    if "default" in f:
        text += f" = {f['default']}"
    return text + (f" ({attributes})" if attributes else "") + ";"


def main():
    with open(sys.argv[1], encoding="utf-8") as source:
        schema = json.load(source)
    out = []
    for name, enum in schema["enums"].items():
        values = ", ".join(f"{k} = {v}" for k, v in enum["values"].items())
        out.append(f"enum {name} : {TYPES.get(enum['type'], enum['type'])} {{ {values} }}")
    for name, members in schema["unions"].items():
        out.append(f"union {name} {{ {', '.join(m.split()[0] for m in members if m != 'NONE')} }}")
    for name, fields in {**EXTRA_TABLES, **schema["tables"]}.items():
        # A union's type field comes with the union.
        rows = [field(f) for f in sorted(fields, key=lambda f: f["id"]) if "member of union" not in f["type"]]
        out.append(f"table {name} {{\n" + "\n".join(rows) + "\n}")
    out.append(f"root_type {schema['root_type']};")
    out.append(f'file_identifier "{schema["file_identifier"]}";')
    with open(sys.argv[2], "w", encoding="utf-8") as target:
        target.write(f"namespace {sys.argv[3]};\n" + "\n".join(out) + "\n")


if __name__ == "__main__":
    main()
