#!/usr/bin/env python3
"""Tests that structure.py finds what it promises to find, on small trees with one fault each."""
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import structure  # noqa: E402

LICENCE = "// SPDX-License-Identifier: Apache-2.0\n"
# An orderly tree of one operator.
ORDERLY = {
    "core/ops.def": "OP(POOL, Pool, 1, 1, 1, 1)\n",
    "core/elementwise.def": "",
    "core/base/memory.h": LICENCE + "void* lite_alloc(int size);\n",
    "core/base/memory.c": LICENCE + '#include "core/base/memory.h"\n\nvoid* lite_alloc(int size) {\n    return 0;\n}\n',
    "kernels-cpu/support/kernel.h": LICENCE + '#include "core/base/memory.h"\n\nint lite_kernel_rank(int tensor);\n',
    "kernels-cpu/support/kernel.c": LICENCE + '#include "kernels-cpu/support/kernel.h"\n\n'
                                              "int lite_kernel_rank(int tensor) {\n    return tensor;\n}\n",
    "kernels-cpu/pool.c": LICENCE + '#include "kernels-cpu/support/kernel.h"\n\nconst LiteKernel lite_kernel_POOL = {0};\n',
    "delegate-opencl/ops/pool.c": LICENCE + "const LiteClOp lite_cl_op_POOL = {0};\n",
}


class Structure(unittest.TestCase):
    def violations(self, changes):
        """What is found in the orderly tree with some files changed, added, or (None) left out."""
        with tempfile.TemporaryDirectory() as root:
            subprocess.run(["git", "init", "-q", root], check=True)
            for path, text in {**ORDERLY, **changes}.items():
                if text is not None:
                    os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
                    with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                        file.write(text)
            return [f"{path}:{number}: {message}" for path, number, message in structure.check(root)]

    def expect(self, changes, path, words):
        found = self.violations(changes)
        self.assertTrue(any(line.startswith(path) and words in line for line in found), found or "nothing was found")

    def test_an_orderly_tree(self):
        self.assertEqual(self.violations({}), [])

    def test_includes_across_layers(self):
        self.expect({"core/base/up.c": LICENCE + '#include "core/graph/graph.h"\n'}, "core/base/up.c:2", "may not include")
        self.expect({"tools/run/run.c": LICENCE + '#include "core/base/memory.h"\n'}, "tools/run/run.c:2", "may not include")

    def test_includes_across_layers_of_a_folder(self):
        self.expect({"kernels-cpu/support/up.c": LICENCE + '#include "kernels-cpu/gemm/gemm.h"\n'}, "kernels-cpu/support/up.c:2",
                    "may not include")

    def test_circles_of_headers(self):
        self.expect({"core/base/a.h": LICENCE + '#include "core/base/b.h"\n', "core/base/b.h": LICENCE + '#include "core/base/a.h"\n'},
                    "core/base/a:", "circle of 2")

    def test_circles_of_calls(self):
        one, two = "int lite_one_go(void)", "int lite_two_go(void)"
        self.expect({"core/base/both.h": LICENCE + f"{one};\n{two};\n",
                     "core/base/one.c": LICENCE + f'#include "core/base/both.h"\n\n{one} {{\n    return lite_two_go();\n}}\n',
                     "core/base/two.c": LICENCE + f'#include "core/base/both.h"\n\n{two} {{\n    return lite_one_go();\n}}\n'},
                    "core/base/one:", "circle of 2")

    def test_headers_of_others(self):
        self.expect({"core/base/memory.h": LICENCE + "void* lite_alloc(int size);\nint lite_time(void);\n",
                     "core/base/time.c": LICENCE + '#include "core/base/memory.h"\n\nint lite_time(void) {\n    return 0;\n}\n'},
                    "core/base/time.c:", "which core/base/memory.h declares")

    def test_names_of_families(self):
        self.expect({"delegate-opencl/ops/pool.c": None,
                     "delegate-opencl/ops/window.c": LICENCE + "const LiteClOp lite_cl_op_POOL = {0};\n"},
                    "delegate-opencl/ops/window.c:", "two names")
        self.expect({"kernels-cpu/pool.c": None}, "core/ops.def:1", "no file of kernels-cpu defines POOL")

    def test_what_operators_share(self):
        self.expect({"kernels-cpu/helper.c": LICENCE + "int lite_helper_go(void) {\n    return 0;\n}\n"}, "kernels-cpu/helper.c:",
                    "defines no operator")

    def test_paths_of_the_machine(self):
        self.expect({"tests/unit/test_x.c": LICENCE + 'int main(void) { return open("' + chr(47) + 'nowhere/x"); }\n'}, "tests/unit/test_x.c:2",
                    "not there")

    def test_lengths(self):
        self.expect({"core/base/long.c": LICENCE + "//\n" * structure.MAX_FILE_LINES}, "core/base/long.c:1", "lines, at most")
        body = "    x++;\n" * structure.MAX_FUNCTION_LINES
        self.expect({"core/base/long.c": LICENCE + f"static void go(int x) {{\n{body}}}\n"}, "core/base/long.c:2", "function of")

    def test_lengths_of_functions_with_long_heads(self):
        body = "    x++;\n" * structure.MAX_FUNCTION_LINES
        head = "static void go(int a,\n               int b,\n               int x) {\n"
        self.expect({"core/base/long.c": LICENCE + f"{head}{body}}}\n"}, "core/base/long.c:2", "function of")
        self.expect({"core/base/long.h": LICENCE + f"static inline {head[7:]}{body}}}\n"}, "core/base/long.h:2", "function of")

    def test_layers_of_the_delegate(self):
        self.expect({"delegate-opencl/graph/up.c": LICENCE + '#include "delegate-opencl/plan/plan.h"\n'},
                    "delegate-opencl/graph/up.c:2", "may not include")

    def test_operators_of_macros_and_lines(self):
        macro = "#define KERNEL(NAME) const LiteKernel lite_kernel_##NAME = {0};\nKERNEL(POOL)\n"
        self.assertEqual(self.violations({"kernels-cpu/pool.c": LICENCE + macro}), [])
        lines = {"core/ops.def": "OP(POOL, Pool, 1, 1, 1, 1)\nOP(EXP, Exp, 1, 1, 1, 1)\n", "core/elementwise.def": "UNARY(EXP, F32)\n"}
        define = '#define UNARY(NAME, PLAIN) const {} {}##NAME = {{0}};\n#include "core/elementwise.def"\n'
        cpu = LICENCE + define.format("LiteKernel", "lite_kernel_")
        opencl = LICENCE + define.format("LiteClOp", "lite_cl_op_")
        self.assertEqual(self.violations({**lines, "kernels-cpu/unary.c": cpu, "delegate-opencl/ops/unary.c": opencl}), [])
        self.expect({**lines, "kernels-cpu/unary.c": cpu, "delegate-opencl/ops/table.c": opencl}, "delegate-opencl/ops/table.c:",
                    "two names")

    def test_the_dialect(self):
        self.expect({"core/base/count.c": LICENCE + "static void go(void) {\n    for (int i = 0; i < 3; ++i) {\n    }\n}\n"},
                    "core/base/count.c:3", "i++")

    def test_first_lines(self):
        self.expect({"core/base/bare.c": "int x;\n"}, "core/base/bare.c:1", "SPDX")

    def test_classes_of_the_java_binding(self):
        path = "bindings/java/src/org/oclite/Tensor.java"
        self.expect({path: "class Tensor {\n}\n"}, f"{path}:1", "SPDX")
        self.expect({path: LICENCE + "import org.junit.jupiter.api.Test;\n"}, f"{path}:2", "may not import org.junit.jupiter.api.Test")
        self.expect({path: LICENCE + "//" + "x" * 120 + "\n"}, f"{path}:2", "120 columns")
        self.expect({"bindings/java/jni/tensor.c": LICENCE + '#include "core/base/memory.h"\n'}, "bindings/java/jni/tensor.c:2",
                    "may not include")

    def test_modules_of_the_package(self):
        licence, package = "# SPDX-License-Identifier: Apache-2.0\n", structure.PACKAGE
        self.assertEqual(self.violations({f"{package}/_native.py": licence + "from oclite import _structs as s\n"}), [])
        for line in ("from oclite._tensor import read\n", "from oclite import _structs, _tensor\n"):
            self.expect({f"{package}/_native.py": licence + line}, f"{package}/_native.py:2", "may not import _tensor")
        self.expect({f"{package}/_native.py": "import os\n"}, f"{package}/_native.py:1", "SPDX")
        self.expect({f"{package}/_new.py": licence}, f"{package}/_new.py:1", "MODULES")
        self.expect({f"{package}/batch/_native.py": licence}, f"{package}/batch/_native.py:1", "MODULES")
        line = "from oclite.batch._command import run\n"
        self.expect({f"{package}/batch/_engine.py": licence + line}, f"{package}/batch/_engine.py:2", "may not import batch._command")
        body = "    x = 0\n" * structure.MAX_FUNCTION_LINES
        self.expect({f"{package}/_native.py": f"{licence}def go():\n{body}"}, f"{package}/_native.py:2", "function of")

    def test_versions(self):
        right = {"CMakeLists.txt": "project(oclite VERSION 1.2.3 LANGUAGES C)\n", "CHANGELOG.md": "# Changelog\n\n## 1.2.3 (unreleased)\n",
                 "include/oclite/oclite.h": LICENCE + '#define OCLITE_VERSION_STRING "1.2.3"\n',
                 "debian/changelog": "oclite (1.2.3) unstable; urgency=medium\n", "debian/control": "Source: oclite\n\nPackage: liboclite1\n"}
        self.assertEqual(self.violations(right), [])
        for path, wrong, words in (("CMakeLists.txt", "project(oclite)\n", "VERSION"), ("CHANGELOG.md", None, "nothing"),
                                   ("include/oclite/oclite.h", LICENCE + '#define OCLITE_VERSION_STRING "1.2.4"\n', "1.2.4"),
                                   ("debian/changelog", "oclite (1.2.3-1) unstable; urgency=medium\n", "1.2.3-1"),
                                   ("debian/control", "Source: oclite\n\nPackage: liboclite0\n", "has 0")):
            self.expect({**right, path: wrong}, f"{path}:", words)


if __name__ == "__main__":
    unittest.main()
