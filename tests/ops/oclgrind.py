#!/usr/bin/env python3
"""Runs the recorded operator cases on the simulator Oclgrind: oclgrind.py TEST_OPS CASES_DIR [CLASS...]

Oclgrind (Debian's package `oclgrind`) is an OpenCL platform that interprets kernels and watches them: accesses outside of
buffers, values read before they are written, races between work-items, and wrong calls of the API. Fails for anything that
it reports, and for wrong results. CLASS is what test_ops passes the device off as (gpu, 4, 8, 16; all by default), for the
kernels depend on it. Exit status 77 without Oclgrind.

Its limits. Kernels run some hundred times slower than on PoCL: only small shapes make sense. It takes OpenCL C 1.2. Kernels
are not optimised here, because Oclgrind 21.10 widens the comparison of two vectors, which LLVM makes of `x > y ? 1 : 0`, to
255 instead of 1 (tests/ops/oclgrind_widening.cl shows it), does not know an instruction that the optimiser makes (freeze) in
its check for uninitialised values, and lacks rotations. What it knows of uninitialised values outlives a buffer whose address
is used again, so each case has a process of its own. And it crashes where a vector is made of shorter vectors.
"""
import concurrent.futures
import os
import subprocess
import sys
import tempfile

PLATFORM = "/usr/lib/oclgrind/liboclgrind-rt-icd.so"
MOST_TEXT = 3000
CLASSES = ["gpu", "4", "8", "16"]
WATCH = {"OCLGRIND_DATA_RACES": "1", "OCLGRIND_CHECK_API": "1", "OCLGRIND_UNINITIALIZED": "1",
         "OCLGRIND_BUILD_OPTIONS": "-cl-opt-disable"}


def run(program, case, kind):
    """What there is to say of a case, "" if all is well. Oclgrind writes to standard error, where of the tests only summaries are."""
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.abspath(case), os.path.join(folder, os.path.basename(case)))
        result = subprocess.run([program, folder, kind], env=dict(os.environ, OCL_ICD_VENDORS=PLATFORM, **WATCH),
                                capture_output=True, text=True, check=False)
    reports = [line for line in result.stderr.split("\n") if line.strip() and not line.startswith("[")]
    if result.returncode == 0 and not reports and "Oclgrind" in result.stdout:
        return ""
    said = "\n".join(reports)
    return f"{os.path.basename(case)}: status {result.returncode}\n{result.stdout[:MOST_TEXT]}\n{said[:MOST_TEXT]}"


def main():
    if not os.path.exists(PLATFORM):
        print("skipped: no Oclgrind (Debian's package oclgrind)")
        return 77
    program, folder, kinds = sys.argv[1], sys.argv[2], sys.argv[3:] or CLASSES
    cases = [os.path.join(folder, name) for name in sorted(os.listdir(folder))]
    fine = True
    for kind in kinds:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            faults = [text for text in pool.map(lambda case, kind=kind: run(program, case, kind), cases) if text]
        print("\n".join(faults + [f"{kind}: {len(cases)} cases, {len(faults)} with reports"]), flush=True)
        fine = fine and cases and not faults
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
