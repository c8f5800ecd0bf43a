#!/usr/bin/env python3
"""Checks the structure that docs/ARCHITECTURE.md promises: who may include or import what, circles, names of families, lengths, first lines, i++, and
that the version is everywhere the one of CMakeLists.txt.

structure.py [ROOT]. Prints each violation as FILE:LINE: message; exit status 1 when there is any.
"""
import ast
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from families import check_families  # noqa: E402
from source_graph import SourceGraph, module_of  # noqa: E402

BASE = ["include", "core/base"]
SEMANTICS = BASE + ["core/semantics"]
# Layers of a folder, the lowest first: each may include what is below it. "" stands for the files of the folder itself.
KERNELS = ["support", "micro", "loops", "quantized", "gemm", "onednn", "conv", "recurrent", ""]
DELEGATE = ["device", "selftest", "graph", "plan", "ops/common", "ops/conv", "ops/fully_connected", "ops/recurrent", "ops", "custom", "options", "cost", "partition", "async", "", "helper"]


def layers(folder, names, below):
    paths = [f"{folder}/{name}".rstrip("/") for name in names]
    return {path: below + paths[:i + 1] for i, path in enumerate(paths)}


# Folder -> the folders whose headers it may include. "include" stands for the public headers. A folder of the list answers
# for the folders in it that are not in the list themselves.
MAY_INCLUDE = {
    "include": ["include"],
    "core/base": BASE + ["core/ops.def", "core/cpu_paths.def"],  # the latter CMake writes
    "core/semantics": SEMANTICS + ["core/elementwise.def"],
    "core/opaque": BASE + ["core/opaque"],
    "core/model": BASE + ["core/model"],
    "core/edit": BASE + ["core/model", "core/edit"],
    "core/graph": BASE + ["core/model", "core/graph", "partitioner"],
    "core/api": BASE + ["core/opaque", "core/model", "core/graph", "core/api"],
    "partitioner": BASE + ["partitioner"],
    **layers("kernels-cpu", KERNELS, SEMANTICS + ["core/ops.def", "core/elementwise.def", "core/cpu_paths.def"]),
    "kernels-cl": ["kernels-cl"],
    **layers("delegate-opencl", DELEGATE, SEMANTICS + ["partitioner", "kernels-cl/args", "kernels-cl/sources.h", "core/ops.def", "core/elementwise.def"]),
    "delegate-opencl/litert": BASE + ["delegate-opencl/litert"],
    "tools/common": ["include", "core/base/nearest.h", "core/base/opencl_packages.h", "examples/custom_atan", "tools/common"],
    "tools": ["include", "core/base/nearest.h", "tools", "tools/common"],
    "examples": ["include", "examples"],
    "extensions": ["include", "extensions"],
    "bindings/java/jni": ["include", "bindings/java/jni"],
    "bindings/java/examples": ["include", "examples"],
}
# The Java binding: which packages each folder may import. The classes need nothing but Java itself.
MAY_IMPORT = {
    "bindings/java/src/": ("java.",),
    "bindings/java/examples/": ("java.", "javax.imageio.", "org.oclite."),
    "bindings/java/tests/": ("java.", "org.junit.jupiter.", "org.oclite."),
}
MAX_JAVA_COLUMNS = 120
# The modules of the Python package, the lowest first: each may import what is below it.
PACKAGE = "bindings/python/oclite"
MODULES = ["_structs", "_library", "_files", "_errors", "_native", "_tensor", "_flexbuffers", "_custom", "_kernel", "_options", "_delegate",
           "_metadata", "_report", "_signature", "_arguments", "_model", "_interpreter", "predictor", "__init__",
           "batch._extras", "ray", "beam", "batch._engine", "batch._target", "batch._pictures", "batch._arrays", "batch._sounds", "batch._tables",
           "batch._sources", "batch._local", "batch._ray", "batch._formats", "batch._results", "batch._options", "batch._plan", "batch._command",
           "batch.__init__",
           "serve._errors", "serve._tensors", "serve._options", "serve._runner", "serve._queue", "serve._statistics", "serve._model",
           "serve._repository", "serve._requests", "serve._service", "serve._page", "serve._messages", "serve._grpc", "serve._http",
           "serve._server", "serve.__init__", "__main__"]
PUBLIC = ("tensorflow/", "tflite/", "oclite/", "third_party/")
# Circles are looked for among all files of these folders at once.
LADDERS = ("core/", "partitioner/", "kernels-cpu/", "delegate-opencl/", "tools/", "extensions/", "bindings/java/")
# (user, used): steps that do not count.
NATURAL = {
    # Two tables of one micro kernel: VNNI's hands over to AMX's, which differs from it in one function.
    ("kernels-cpu/micro/micro_avx512vnni", "kernels-cpu/micro/micro_avx512amx"),
    # Where oneDNN is not built, onednn_none.c stands in the place of onednn.c.
    ("kernels-cpu/onednn/onednn", "kernels-cpu/onednn/onednn_none"),
    # The list of commands has the one that prints manual pages of all commands.
    ("tools/command_list", "tools/manual"),
}
# Headers that list what one file each defines, or stand in place of a folder that is not known there.
LISTS = {"bindings/java/jni/methods.h", "core/base/operator.h", "extensions/custom_ops/list.h", "extensions/tftext/text.h", "kernels-cpu/micro/levels.h", "kernels-cpu/onednn/onednn.h", "tools/commands.h"}
# Tables, which are as long as the format or the public API is.
TABLES = {"include/tensorflow/lite/c/builtin_op_data.h", "include/tensorflow/lite/c/common.h", "core/ops.def"}
# Tests that are written as the published guide writes, in its dialect.
GUIDE = "tests/api/guide_"
MAX_FILE_LINES = 500
MAX_FUNCTION_LINES = 60
# Kernels whose work-items keep a whole tile in registers, which a function would have to be handed: (file, most lines).
LONG_KERNELS = {"kernels-cl/conv.cl": 98, "kernels-cl/conv_direct.cl": 75, "kernels-cl/depthwise_conv.cl": 81}
SOURCES = (".c", ".h", ".cl", ".cc", ".def", ".inc")
# Where else than in CMakeLists.txt the version is (file, its first match). The second part of a package's name is that of the libraries.
VERSION = r"^project\(oclite VERSION (([0-9]+)[0-9.]*)"
VERSIONS = (("include/oclite/oclite.h", r'^#define OCLITE_VERSION_STRING "(.*)"'), ("CHANGELOG.md", r"^## (\S+)"),
            ("debian/changelog", r"^oclite \((.*?)\)"))
LIBRARY_PACKAGE = r"^Package: liboclite([0-9]+)$"


ABSENT = r"""["'=/]/(nowhere|nonexistent|no/such|missing|absent)\b"""


def tracked(root):
    out = subprocess.run(["git", "-C", root, "ls-files", "-co", "--exclude-standard"], capture_output=True, text=True)
    return sorted(f for f in out.stdout.split("\n") if f and os.path.exists(os.path.join(root, f)))


def folder_of(path):
    return next((f for f in sorted(MAY_INCLUDE, key=len, reverse=True) if path.startswith(f + "/")), None)


def may_include(folder, target):
    home = "include" if target.startswith(PUBLIC) else target
    owner = folder_of(home)
    return any(home == a or (home.startswith(a + "/") and (a == owner or a not in MAY_INCLUDE)) for a in MAY_INCLUDE[folder])


def check_includes(path, lines, folder):
    for number, line in enumerate(lines, 1):
        match = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
        if match and not may_include(folder, match.group(1)):
            yield path, number, f'{folder} may not include "{match.group(1)}"'


def check_functions(path, lines):
    """A function begins in the first column, perhaps with arguments on further lines, and ends with a brace there."""
    head = start = None
    most = LONG_KERNELS.get(path, MAX_FUNCTION_LINES)
    for number, line in enumerate(lines, 1):
        if start is None:
            if re.match(r"[A-Za-z_]", line):
                is_function = "(" in line and not re.match(r"(typedef|struct|enum|union|extern \"C\"|namespace)\b", line)
                head = number if is_function else None
            if head is not None and line.endswith("{"):
                start = head
            if line.endswith((";", "{")):
                head = None
        elif line.startswith("}"):
            if number - start + 1 > most:
                yield path, start, f"function of {number - start + 1} lines, at most {most}"
            start = None


def check_dialect(path, lines):
    """Counters go up with i++ (CONTRIBUTING.md)."""
    for number, line in enumerate(lines, 1):
        if re.search(r";\s*(\+\+|--)\w+\)|^\s*(\+\+|--)[\w>.\[\]-]+;", line) and '"' not in line:
            yield path, number, "counts with ++i where the tree has i++"


def check_absent_paths(root, path):
    """A name that nothing has on this machine may be somebody's folder on another one: tests make their own."""
    with open(os.path.join(root, path), encoding="utf-8") as source:
        for number, line in enumerate(source, 1):
            if re.search(ABSENT, line):
                yield path, number, "counts on a path of the machine that is not there (tests/support/absent.h)"


def check_file(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as source:
        lines = source.read().split("\n")
    if "SPDX-License-Identifier" not in lines[0] and not path.endswith((".def", ".inc")):
        yield path, 1, "first line is not the SPDX licence line"
    if len(lines) - 1 > MAX_FILE_LINES and path not in TABLES:
        yield path, 1, f"{len(lines) - 1} lines, at most {MAX_FILE_LINES}"
    folder = folder_of(path)
    if folder:
        yield from check_includes(path, lines, folder)
    if path.endswith((".c", ".h", ".cc", ".cl")):
        yield from check_functions(path, lines)
    if path.endswith((".c", ".h", ".cl")) and not path.startswith(GUIDE):
        yield from check_dialect(path, lines)


def check_function_lengths(path, tree):
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.end_lineno - node.lineno >= MAX_FUNCTION_LINES:
            yield path, node.lineno, f"function of {node.end_lineno - node.lineno + 1} lines, at most {MAX_FUNCTION_LINES}"


def check_module(path, text):
    """A module of the Python package: what it imports when it runs (for types alone it may import anything)."""
    lines, tree = text.split("\n"), ast.parse(text)
    name = os.path.splitext(os.path.relpath(path, PACKAGE))[0].replace("/", ".")
    if "SPDX-License-Identifier" not in lines[0]:
        yield path, 1, "first line is not the SPDX licence line"
    if len(lines) - 1 > MAX_FILE_LINES:
        yield path, 1, f"{len(lines) - 1} lines, at most {MAX_FILE_LINES}"
    yield from check_function_lengths(path, tree)
    if name not in MODULES:
        yield path, 1, "is not among the MODULES of tests/structure.py"
        return
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module.split(".")[0] == "oclite":
            used = [node.module.partition(".")[2]] if "." in node.module else [alias.name for alias in node.names]
            for module in used:
                if module not in MODULES[:MODULES.index(name)]:
                    yield path, node.lineno, f"may not import {module}, which is not below it"


def check_java(path, lines):
    """A class of the Java binding, of its tests, or an example."""
    if "SPDX-License-Identifier" not in lines[0]:
        yield path, 1, "first line is not the SPDX licence line"
    if len(lines) - 1 > MAX_FILE_LINES:
        yield path, 1, f"{len(lines) - 1} lines, at most {MAX_FILE_LINES}"
    known = next((packages for folder, packages in MAY_IMPORT.items() if path.startswith(folder)), ())
    for number, line in enumerate(lines, 1):
        if len(line) > MAX_JAVA_COLUMNS or "\t" in line or line != line.rstrip():
            yield path, number, f"more than {MAX_JAVA_COLUMNS} columns, a tab, or blanks at the end"
        match = re.match(r"import (?:static )?([\w.]+)", line)
        if match and not match.group(1).startswith(known):
            yield path, number, f"may not import {match.group(1)}"


def check_ladders(root, paths):
    graph = SourceGraph(root, [p for p in paths if p.endswith((".c", ".h")) and p.startswith(LADDERS)])
    for circle in graph.circles(ignored=NATURAL):
        for module in circle:
            for other in circle:
                if other in graph.uses[module]:
                    names = ", ".join(sorted(graph.uses[module][other])[:3])
                    yield module, 1, f"is in a circle of {len(circle)} files: it uses {other} ({names})"
    for path, name, header in graph.declared_elsewhere():
        if header in LISTS:
            continue
        yield path, 1, f"defines {name}, which {header} declares: {module_of(path)}.h should"


def check_versions(root, paths):
    def first(path, pattern):
        """The line of the first match, and the match; 1 and None where there is none."""
        with open(os.path.join(root, path), encoding="utf-8") as file:
            return next(((number, found) for number, line in enumerate(file, 1) if (found := re.search(pattern, line))), (1, None))

    if "CMakeLists.txt" not in paths:
        return
    version = first("CMakeLists.txt", VERSION)[1]
    if version is None:
        yield "CMakeLists.txt", 1, "has no line project(oclite VERSION …"
        return
    wanted = [(path, pattern, version[1]) for path, pattern in VERSIONS] + [("debian/control", LIBRARY_PACKAGE, version[2])]
    for path, pattern, right in wanted:
        number, found = first(path, pattern) if path in paths else (1, None)
        if found is None or found[1] != right:
            yield path, number, f"has {found[1] if found else 'nothing'} where CMakeLists.txt has the version {right}"


def check(root):
    paths = tracked(root)
    for path in paths:
        if path.endswith(SOURCES):
            yield from check_file(root, path)
        if path.startswith(("tests/", "bindings/python/tests/", "bindings/java/tests/")) and path.endswith((".c", ".cc", ".h", ".py", ".go", ".java")):
            yield from check_absent_paths(root, path)
        if path.endswith(".java"):
            with open(os.path.join(root, path), encoding="utf-8") as source:
                yield from check_java(path, source.read().split("\n"))
        if path.startswith(PACKAGE + "/") and path.endswith(".py"):
            with open(os.path.join(root, path), encoding="utf-8") as source:
                yield from check_module(path, source.read())
    yield from check_versions(root, paths)
    yield from check_ladders(root, paths)
    yield from check_families(root, paths)


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    found = list(check(root))
    for path, number, message in found:
        print(f"{path}:{number}: {message}")
    print(f"structure: {len(found)} violations")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
