#!/usr/bin/env python3
"""Lets clang look at the OpenCL programs of the recorded operator cases: lint_kernels.py OCLITE FAKE_LIBRARY_DIR [CLANG]

A program is a prelude and a family of kernels-cl; which preludes there are only the delegate knows. So the cases run on a
library that has no device (tests/support/fake_opencl.c) and writes down the programs, for each class of devices. Exit status
1 when clang warns, a kernel misuses its arguments (kernel_arguments.py), a family has no program, or a kernel is run by no case.
"""
import concurrent.futures
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

import kernel_arguments

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CASES = os.path.join(ROOT, "tests/ops/cases")
CLASSES = ["gpu", "local", "4", "8", "16"]
# What the delegate is asked for, and the cases whose programs depend on it.
WAYS = {"opencl": "", "opencl:winograd=2x2": "CONV_2D__f32", "opencl:winograd=4x4": "CONV_2D__f32"}
# Of products by CLBlast, which the fake driver cannot run; tests/ops/clblast.py does.
# Series need shared virtual memory (tests/unit/delegate-opencl/test_opencl_series.c).
ELSEWHERE = {"epilogue", "series"}
# PoCL's compiler reads these declarations in place of its own (OWN_DECLARATIONS); but for subgroups, which it does not have.
OWN = ["-include", "opencl-c-base.h", "-D", "OWN_DECLARATIONS"]
CLANGS = ["-Xclang", "-finclude-default-header", "-Xclang", "-fdeclare-opencl-builtins"]
# Variables and parameters may be there for other variants of the prelude.
FLAGS = ["-x", "cl", "-cl-std=CL1.2", "-fsyntax-only", "-Wall", "-Wextra", "-Wshadow", "-Werror", "-Wno-unused-variable",
         "-Wno-unused-parameter", "-Wno-implicit-const-int-float-conversion"]


def write_programs(program, library, kind, way, folder):
    cases = [{"name": name, "model": f"{CASES}/{name}/model.tflite", "out": f"{folder}/out/{name}",
              "runs": [{"in": sorted(glob.glob(f"{CASES}/{name}/in*.npy"))}]} for name in sorted(os.listdir(CASES)) if name.startswith(WAYS[way])]
    with open(f"{folder}/list.json", "w", encoding="utf-8") as file:
        json.dump({"cases": cases}, file)
    environment = dict(os.environ, LD_LIBRARY_PATH=library, OCLITE_FAKE_DEVICE=kind, OCLITE_FAKE_SOURCES=f"{folder}/programs",
                       OCLITE_OPENCL_SELFTEST="off")
    # Results are no results here, so a case may fail; what counts is which programs were built.
    subprocess.run([program, "run", "--delegate", way, "--batch", f"{folder}/list.json"], env=environment,
                   capture_output=True, check=False)


def look_at(clang, path):
    with open(path, encoding="utf-8") as file:
        lines = file.readlines()
    families = {line.split('"')[1][:-3] for line in lines if line.startswith('#line 1 "') and line.endswith('.cl"\n')}
    declarations = CLANGS if any(line.startswith("#define GROUP ") for line in lines) else OWN
    result = subprocess.run([clang, *FLAGS, *declarations, "-Xclang", "-ast-dump=json", path], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        return families, {result.stderr}
    kernels_found = kernel_arguments.misused_arguments(json.loads(result.stdout))
    return families, {f"kernel {kernel}: an array in its arguments is indexed with what is not constant; copy the struct first" for kernel in kernels_found}


def is_declaration(path):
    """Is it an operator that declares itself as a formula?"""
    with open(path, encoding="utf-8") as file:
        return "/* oclite\n" in file.read()


def kernels(families):
    """The names of all kernels."""
    names = set()
    for family in families:
        with open(f"{ROOT}/kernels-cl/{family}.cl", encoding="utf-8") as file:
            names |= set(re.findall(r"^(?:KERNEL|__kernel void)\s+(\w+)\(", file.read(), re.M))
    return names


def small_structs():
    """Faults of kernels-cl/args: structs that are passed in registers in another way than ints are (kernels-cl/args/common.h)."""
    for path in sorted(glob.glob(f"{ROOT}/kernels-cl/args/*.h")):
        with open(path, encoding="utf-8") as file:
            text = re.sub(r"//.*", "", file.read())
        for name, body in re.findall(r"typedef struct (\w+Args) \{(.*?)\n\}", text, re.S):
            fields = [kind for kind, names in re.findall(r"(\w+)\s+([^;]+);", body) for _ in names.split(",")]
            is_small = len(fields) <= 4 and "[" not in body and set(fields) <= {"int", "float"}
            if is_small and any("int" not in fields[i:i + 2] for i in range(0, len(fields), 2)):
                yield f"{os.path.basename(path)}: {name} has eight bytes, or the last four, without an int"


def main():
    program, library, clang = [*sys.argv[1:3], *(sys.argv[3:] or ["clang"])]
    families = {os.path.basename(f)[:-3] for f in glob.glob(f"{ROOT}/kernels-cl/*.cl") if not is_declaration(f)}
    seen, faults, count = set(), set(), 0
    with tempfile.TemporaryDirectory() as folder:
        for name in ("programs", "out"):
            os.mkdir(f"{folder}/{name}")
        for kind in CLASSES:
            for way in WAYS:
                write_programs(program, library, kind, way, folder)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for found, texts in pool.map(lambda path: look_at(clang, path), sorted(glob.glob(f"{folder}/programs/*.cl"))):
                seen, count, faults = seen | found, count + 1, faults | texts
        ran = {os.path.basename(name)[:-len(".kernel")] for name in glob.glob(f"{folder}/programs/*.kernel")}
    faults |= {f"kernel {name}: no recorded case runs it" for name in kernels(families) - ran - ELSEWHERE}
    faults |= set(small_structs())
    faults |= {f"{family}.cl: no recorded case has a program of it" for family in families - seen - ELSEWHERE}
    print("\n".join(sorted(faults)))
    print(f"{count} programs of {len(families)} families: {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
