#!/usr/bin/env python3
"""Checks the documentation, and writes the part that is made from the code.

check_docs.py           relative links in all .md files lead somewhere; docs/OPERATORS.md is what core/ops.def says;
                        every function of the public headers has a comment before it
check_docs.py --write   writes docs/OPERATORS.md anew
"""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OPERATORS = "docs/OPERATORS.md"


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def operators():
    """The text of docs/OPERATORS.md, from core/ops.def."""
    rows, count = [], [0, 0, 0]
    for kind, args in re.findall(r"^(OP|CUSTOM_OP)\((.*)\)$", read("core/ops.def"), re.M):
        field = [a.strip() for a in args.split(",")]
        name, versions, cpu, cl = (field[0], f"{field[2]} to {field[3]}", field[4], field[5]) if kind == "OP" else (
            field[0] + " (custom)", "1", field[1], field[2])
        count = [count[0] + 1, count[1] + (cpu == "1"), count[2] + (cl == "1")]
        if "1" in (cpu, cl):
            rows.append(f"| {name} | {versions} | {'yes' if cpu == '1' else ''} | {'yes' if cl == '1' else ''} |")
    return (f"# Operators\n\nMade from `core/ops.def` by `scripts/check_docs.py --write`. {count[1]} operators have a CPU "
            f"kernel, {count[2]} an OpenCL form. A model with another builtin operator is refused with a message that "
            "names it; other custom operators are the program's to register.\n\n"
            "| operator | versions | CPU | OpenCL |\n|---|---|---|---|\n" + "\n".join(rows) + "\n")


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
        with open(os.path.join(ROOT, OPERATORS), "w", encoding="utf-8") as file:
            file.write(operators())
        return 0
    files = subprocess.run(["git", "-C", ROOT, "ls-files", "-co", "--exclude-standard"], capture_output=True,
                           text=True).stdout.split()
    files = [f for f in files if os.path.exists(os.path.join(ROOT, f))]
    found = list(broken_links(f for f in files if f.endswith(".md")))
    found += undocumented(f for f in files if f.startswith("include/") and f.endswith(".h"))
    if read(OPERATORS) != operators():
        found.append(f"{OPERATORS}: differs from core/ops.def; run scripts/check_docs.py --write")
    print("\n".join(found + [f"docs: {len(found)} faults"]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
