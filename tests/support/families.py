"""Families of operators: the file that defines an operator has the same name in kernels-cpu and in delegate-opencl/ops.

An operator X is defined by `const … lite_kernel_X =`, as it stands or by a macro that puts the name together. Such a macro is
called in the file, or it is one of the kinds of lines of core/elementwise.def, which the file includes.
"""
import os
import re

# What lists operators without defining one.
REGISTRIES = {"kernels-cpu/registry.c", "kernels-cpu/registration.c", "delegate-opencl/ops/registry.c"}
MACRO = re.compile(r"^#define (\w+)\((\w+)[^)]*\)((?:.*\\\n)*.*)", re.M)
LINE = re.compile(r"^([A-Z_0-9]+)\((\w+)[,)]", re.M)


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def defining_macros(text, prefix):
    """The macros of `text` that define PREFIX<first argument>, by themselves or through another one of them."""
    macros = {name: (first, body) for name, first, body in MACRO.findall(text)}
    found = set()
    while True:
        more = {name for name, (first, body) in macros.items()
                if re.search(rf"\bconst \w+ {prefix}##{first}\b", body) or
                any(re.search(rf"\b{other}\({first}\b", body) for other in found)}
        if more == found:
            return found
        found = more


def defined_operators(root, path, prefix, lines):
    """The operators that a file defines. `lines`: kind -> names in core/elementwise.def."""
    text = read(root, path)
    headers = [h for h in re.findall(r'^#include "([^"]+\.h)"', text, re.M) if h.startswith(os.path.dirname(path) + "/")]
    known = [read(root, h) for h in headers if os.path.exists(os.path.join(root, h))]
    macros = defining_macros("\n".join(known + [text]), prefix)  # the file's own macros replace those of headers
    names = set(re.findall(rf"^const \w+ {prefix}(\w+) =", text, re.M))
    names |= {name for macro, name in LINE.findall(text) if macro in macros}
    if '#include "core/elementwise.def"' in text:
        own = {name for name, _, _ in MACRO.findall(text)}
        names |= {name for macro in macros & own for name in lines.get(macro, ())}
    return names


def check_families(root, paths):
    lines = {}
    for kind, name in LINE.findall(read(root, "core/elementwise.def")):
        lines.setdefault(kind, []).append(name)
    homes = {}
    for folder, prefix in ("kernels-cpu", "lite_kernel_"), ("delegate-opencl/ops", "lite_cl_op_"):
        homes[folder] = {}
        for path in paths:
            if os.path.dirname(path) != folder or not path.endswith(".c") or path in REGISTRIES:
                continue
            names = defined_operators(root, path, prefix, lines)
            homes[folder].update({name: path for name in names})
            if not names:
                yield path, 1, "defines no operator: what operators share lies in a folder"
    for number, line in enumerate(read(root, "core/ops.def").split("\n"), 1):
        match = re.match(r"(?:OP|CUSTOM_OP)\((\w+),.*?(\d), (\d)\)$", line)
        if not match:
            continue
        name, has = match.group(1), {"kernels-cpu": match.group(2), "delegate-opencl/ops": match.group(3)}
        for folder, home in homes.items():
            if has[folder] == "1" and name not in home:
                yield "core/ops.def", number, f"no file of {folder} defines {name} where it can be seen"
        cpu, opencl = (home.get(name) for home in homes.values())
        if cpu and opencl and os.path.basename(cpu) != os.path.basename(opencl):
            yield opencl, 1, f"defines {name}, which {cpu} does: the family has two names"
