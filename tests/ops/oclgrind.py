#!/usr/bin/env python3
"""Runs the recorded operator cases on the simulator Oclgrind: oclgrind.py TEST_OPS CASES_DIR [CLASS...]

Oclgrind (Debian's package `oclgrind`) is an OpenCL platform that interprets kernels and watches them: accesses outside of
buffers, values read before they are written, races between work-items, and wrong calls of the API. Fails for anything that
it reports, and for wrong results. CLASS is what test_ops passes the device off as (gpu, 4, 8, 16; all by default), for the
kernels depend on it. Exit status 77 without Oclgrind.

Its limits. Kernels run some hundred times slower than on PoCL: only small shapes make sense. It takes OpenCL C 1.2. Its
check for uninitialised values does not know an instruction that LLVM's optimiser makes (freeze), so each class runs twice:
optimised for accesses and races, and plain for uninitialised values. What it knows of them outlives a buffer whose address
is used again, so each case has a process of its own then. A few programs it cannot run in one of the two ways.
"""
import os
import re
import subprocess
import sys
import tempfile

PLATFORM = "/usr/lib/oclgrind/liboclgrind-rt-icd.so"
MOST_TEXT = 20000
CLASSES = ["gpu", "4", "8", "16"]
WATCH = {"optimised": {"OCLGRIND_DATA_RACES": "1", "OCLGRIND_CHECK_API": "1"},
         "plain": {"OCLGRIND_UNINITIALIZED": "1", "OCLGRIND_BUILD_OPTIONS": "-cl-opt-disable"}}
# Cases that Oclgrind cannot run: optimised, a rotation becomes an instruction that it lacks; not optimised it crashes.
LEFT_OUT = {"optimised": re.compile("^LSH_PROJECTION"), "plain": re.compile("^(MULTINOMIAL|RANDOM_|STABLEHLO_RNG)")}


def run(program, cases, kind, watch):
    """(whether all is well, what to say). Oclgrind writes to standard error, where of the tests only summaries are."""
    environment = dict(os.environ, OCL_ICD_VENDORS=PLATFORM, **watch)
    result = subprocess.run([program, cases, kind], env=environment, capture_output=True, text=True, check=False)
    if "Oclgrind" not in result.stdout:
        return False, f"{program} did not say that its device is Oclgrind's\n{result.stdout}{result.stderr}"
    reports = [line for line in result.stderr.split("\n") if line.strip() and not line.startswith("[")]
    if result.returncode == 0 and not reports:
        return True, ""
    said = "\n".join(reports)
    return False, f"{kind}, {watch}: status {result.returncode}\n{result.stdout[-1000:]}\n{said[:MOST_TEXT]}"


def main():
    if not os.path.exists(PLATFORM):
        print("skipped: no Oclgrind (Debian's package oclgrind)")
        return 77
    program, cases, kinds = sys.argv[1], sys.argv[2], sys.argv[3:] or CLASSES
    fine = True
    with tempfile.TemporaryDirectory() as folder:
        for name in sorted(os.listdir(cases)):
            for way, left_out in LEFT_OUT.items():
                if not left_out.search(name):
                    group = os.path.join(folder, way, "all" if way == "optimised" else name)
                    os.makedirs(group, exist_ok=True)
                    os.symlink(os.path.abspath(os.path.join(cases, name)), os.path.join(group, name))
        for kind in kinds:
            for way, watch in WATCH.items():
                faults = []
                for group in sorted(os.listdir(os.path.join(folder, way))):
                    well, text = run(program, os.path.join(folder, way, group), kind, watch)
                    faults += [] if well else [text]
                fine = fine and not faults
                print("\n".join(faults) or f"{kind}, {way}: nothing reported", flush=True)
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
