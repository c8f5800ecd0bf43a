#!/usr/bin/env python3
"""The lines of core/elementwise.def, for tests: LINES[operator] is a Line. Run as a program it checks them."""
import collections
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
COLUMNS = {"UNARY": "plain quantized cost real integer", "UNARY_FORM": "operator plain real",
           "BINARY": "plain quantized traits cost real integer", "BINARY_LIKE": "formula plain traits cost",
           "BITWISE": "plain traits integer", "COMPARE": "plain quantized result"}
REAL = ("f32", "f64", "f16", "bf16")
INTEGER = ("i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "bool")
KINDS = ("f32", "f64", "f16", "bf16", *INTEGER, "c64", "str")  # in this order
QUANTIZED = ("i8", "u8", "i16")
Line = collections.namedtuple("Line", "kind name plain quantized on_opencl traits columns")


def arguments(text):
    """The arguments of a macro, split at its own commas; `text` begins behind the opening bracket."""
    depth, parts = 0, [""]
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if depth < 0:
            break
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [" ".join(part.split()) for part in parts]


def types(text, sets):
    """(kinds, kinds on OpenCL) of a set."""
    def names(part):
        found = set()
        for word in re.findall(r"\w+", part):
            found |= names(sets[word]) if word in sets else {word.lower()} & set(KINDS)
        return found
    for word, value in sets.items():
        text = re.sub(rf"\b{word}\b", value, text)
    every, device = names(text), names(re.sub(r"CPU_ONLY\([^)]*\)", "", text))
    return tuple(k for k in KINDS if k in every), tuple(k for k in KINDS if k in device)


def parse(text):
    text = re.sub(r"//.*", "", text)
    sets = dict(re.findall(r"^#define (BITS|WIDE) (.*)$", text, re.M))
    for match in re.finditer(r"^([A-Z_]+)\(", text, re.M):
        kind, (name, *values) = match.group(1), arguments(text[match.end():])
        columns = dict(zip(COLUMNS[kind].split(), values, strict=True))
        plain, device = types(columns["plain"], sets)
        quantized = types(columns.get("quantized", ""), sets)[0]
        traits = tuple(t for t in re.findall(r"\w+", columns.get("traits", "")) if t != "NONE")
        yield Line(kind, name, plain, quantized, tuple(k for k in KINDS if k in device or k in quantized), traits, columns)


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


LINES = {line.name: line for line in parse(read("core/elementwise.def"))}


def named(*kinds):
    """Names of the format's operators of these kinds of lines."""
    builtin = re.findall(r"^OP\((\w+),.*, 1, [01]\)$", read("core/ops.def"), re.M)
    return [name for name, line in LINES.items() if line.kind in kinds and name in builtin]


def faults():
    """What is wrong with the lines."""
    known = re.findall(r"^(?:OP|CUSTOM_OP)\((\w+),", read("core/ops.def"), re.M)
    for name, line in LINES.items():
        if line.kind != "UNARY_FORM" and name not in known:
            yield f"{name}: there is no such operator in core/ops.def"
        formula = LINES[line.columns["formula"]].columns if line.kind == "BINARY_LIKE" else line.columns
        for column, kinds in (("real", REAL), ("integer", INTEGER)):
            # Types of CPU_ONLY may have loops of their own.
            needed = any(k in kinds for k in line.plain if k in line.on_opencl)
            if needed and formula.get(column, formula.get("result", "NONE")) == "NONE":
                yield f"{name}: its types need a formula in the column {column.upper()}"
        if not set(line.quantized) <= set(QUANTIZED):
            yield f"{name}: only I8, U8 and I16 can be quantized"


def main():
    found = list(faults())
    print("\n".join(found + [f"elementwise.def: {len(LINES)} lines, {len(found)} faults"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
