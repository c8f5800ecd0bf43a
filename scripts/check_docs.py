#!/usr/bin/env python3
"""Checks the documentation, and writes the part that is made from the code.

check_docs.py           relative links in all .md files lead somewhere; docs/OPERATORS.md is what core/ops.def says, and the end
                        of docs/COMPATIBILITY.md what docs/compatibility.txt says of the functions in tests/api/functions.def;
                        docs/images/layers.svg shows the includes as they are; every function of the public headers has a
                        comment before it
check_docs.py --write   writes docs/OPERATORS.md, the end of docs/COMPATIBILITY.md and docs/images/layers.svg anew
"""
import fnmatch
import os
import re
import subprocess
import sys

import layers_image

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OPERATORS = "docs/OPERATORS.md"
COMPATIBILITY = "docs/COMPATIBILITY.md"
LAYERS = "docs/images/layers.svg"
MADE = "<!-- made by scripts/check_docs.py -->\n"


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def operators():
    """The text of docs/OPERATORS.md, from core/ops.def."""
    rows, count = [], [0, 0, 0]
    for kind, args in re.findall(r"^(OP|CUSTOM_OP)\((.*)\)$", read("core/ops.def"), re.M):
        field = [a.strip() for a in args.split(",")]
        name, versions, cpu, cl = (field[0], f"{field[2]} to {field[3]}", field[4], field[5]) if kind == "OP" else (
            re.sub("^aeq_", "aeq.", field[0]) + " (custom)", "1", field[1], field[2])
        count = [count[0] + 1, count[1] + (cpu == "1"), count[2] + (cl != "0")]
        if cl != "0" or cpu == "1":
            rows.append(f"| {name} | {versions} | {'yes' if cpu == '1' else ''} | {'yes' if cl != '0' else ''} |")
    return (f"# Operators\n\nMade from `core/ops.def` by `scripts/check_docs.py --write`. {count[1]} operators have a CPU "
            f"kernel, {count[2]} an OpenCL form. A model with another builtin operator is refused with a message that "
            "names it; other custom operators are the program's to register, those of TensorFlow Text with the library "
            "of `oclite/tftext.h`, and those of the LiteRT tree that are not builtin (Roll, MaxPool3D, RandomUniform …) with "
            "that of `oclite/custom_ops.h`.\n\n"
            "| operator | versions | CPU | OpenCL |\n|---|---|---|---|\n" + "\n".join(rows) + "\n")


def notes():
    """(pattern, note) for each name in docs/compatibility.txt."""
    text = re.sub(r"^#.*\n", "", read("docs/compatibility.txt"), flags=re.M)
    for names, note in re.findall(r"^(\w[\w* ]*): (.*(?:\n[ ]+.*)*)", text, re.M):
        yield from ((name, re.sub(r"\s+", " ", note)) for name in names.split())


def compatibility():
    """The text of docs/COMPATIBILITY.md: its own up to the mark, then each public function under its header."""
    known = list(notes())
    parts = [read(COMPATIBILITY).split(MADE)[0] + MADE]
    for header, body in re.findall(r"^// (\S+\.h)\n((?:FUNCTION.*\n)+)", read("tests/api/functions.def"), re.M):
        rows, same = {}, []  # names by note
        for name in re.findall(r"^FUNCTION\([^,]*, (\w+),", body, re.M):
            found = " ".join(note for pattern, note in known if fnmatch.fnmatchcase(name, pattern))
            (rows.setdefault(found, []) if found else same).append(f"`{name}`")
        parts.append(f"\n### {header}\n\n")
        table = "".join(f"| {', '.join(names)} | {note} |\n" for note, names in rows.items())
        parts.append(f"| function | difference |\n|---|---|\n{table}\n" if rows else "")
        parts.append(f"As in the reference: {', '.join(same)}.\n" if same else "")
    return "".join(parts)


def unused_notes():
    names = re.findall(r"^FUNCTION\([^,]*, (\w+),", read("tests/api/functions.def"), re.M)
    for pattern, _ in notes():
        if not fnmatch.filter(names, pattern):
            yield f"docs/compatibility.txt: there is no function {pattern}"


def broken_links(files):
    for path in files:
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", read(path)):
            if not re.match(r"[a-z]+:", target) and not os.path.exists(
                    os.path.join(ROOT, os.path.dirname(path), target)):
                yield f"{path}: link to {target} leads nowhere"


def undocumented(files):
    """Functions without a comment above them; one comment may stand over a block without blank lines."""
    for path in files:
        lines = read(path).split("\n")
        for n, line in enumerate(lines):
            match = re.match(r"(?:TFL_CAPI_EXPORT|OCLITE_EXPORT) .*?\b(\w+)\(", line)
            block = n
            while match and block > 0 and lines[block - 1].strip():
                block -= 1
            if match and not any(above.strip().startswith("//") for above in lines[block:n]):
                yield f"{path}:{n + 1}: {match.group(1)} has no comment"


def main():
    if sys.argv[1:] == ["--write"]:
        for path, text in ((OPERATORS, operators()), (COMPATIBILITY, compatibility()), (LAYERS, layers_image.draw())):
            with open(os.path.join(ROOT, path), "w", encoding="utf-8") as file:
                file.write(text)
        return 0
    files = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard"], capture_output=True,
                           text=True).stdout.split()
    files = [f for f in files if os.path.exists(os.path.join(ROOT, f))]
    found = list(broken_links(f for f in files if f.endswith(".md")))
    found += undocumented(f for f in files if f.startswith("include/") and f.endswith(".h"))
    if read(OPERATORS) != operators():
        found.append(f"{OPERATORS}: differs from core/ops.def; run scripts/check_docs.py --write")
    if read(COMPATIBILITY) != compatibility():
        found.append(f"{COMPATIBILITY}: differs from what it is made from; run scripts/check_docs.py --write")
    if read(LAYERS) != layers_image.draw():
        found.append(f"{LAYERS}: differs from the includes; run scripts/check_docs.py --write")
    found += unused_notes()
    print("\n".join(found + [f"docs: {len(found)} faults"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
