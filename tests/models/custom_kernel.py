#!/usr/bin/env python3
"""Users' own kernels in LiteRT from PyPI: custom_kernel.py DELEGATE EXAMPLE_DIR

Runs examples/custom_kernel/run.py, and a copy whose kernel writes behind its output under Oclgrind, which has to name it.
"""
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile

OCLGRIND = "/usr/lib/oclgrind/liboclgrind-rt-icd.so"


def run(folder, library, **environment):
    result = subprocess.run([sys.executable, os.path.join(folder, "run.py"), library], capture_output=True, text=True,
                            env=dict(os.environ, **environment), check=False)
    print(result.stdout, result.stderr)
    return result


def finds_the_wrong_write(library, example):
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copytree(example, os.path.join(folder, "copy"))
        path = os.path.join(copy, "frame_norm.cl")
        with open(path, encoding="utf-8") as file:
            source = file.read()
        assert "normed[row + i] = " in source
        with open(path, "w", encoding="utf-8") as file:
            file.write(source.replace("normed[row + i] = ", "normed[row + i + 1] = "))
        said = run(copy, library, OCL_ICD_VENDORS=OCLGRIND).stderr
        return "Invalid write" in said and "frame_norm.cl" in said


def main():
    if any(importlib.util.find_spec(name) is None for name in ("ai_edge_litert", "flatbuffers", "numpy")):
        print("skipped: this Python has no ai_edge_litert")
        return 77
    library, example = sys.argv[1:]
    result = run(example, library)
    if "no OpenCL" in result.stderr:
        return 77
    if result.returncode != 0:
        return 1
    if os.path.exists(OCLGRIND):
        return 0 if finds_the_wrong_write(library, example) else 1
    print("no Oclgrind: the kernel that writes out of bounds is left out")
    return 0


if __name__ == "__main__":
    sys.exit(main())
