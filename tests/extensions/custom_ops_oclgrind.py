#!/usr/bin/env python3
"""Runs the .cl files of custom_ops on the simulator Oclgrind: custom_ops_oclgrind.py KERNELS PROGRAM...

PROGRAM is a test that takes the folder KERNELS. Fails for all that Oclgrind reports (tests/ops/oclgrind.py). Exit status 77 without it.
"""
import os
import subprocess
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "ops"))
from oclgrind import PLATFORM, WATCH  # noqa: E402


def main():
    kernels, programs = sys.argv[1], sys.argv[2:]
    if not os.path.exists(PLATFORM):
        print("skipped: no Oclgrind (Debian's package oclgrind)")
        return 77
    # One delegate serves all cases, and what Oclgrind knows of uninitialised values outlives a buffer.
    watch = {name: value for name, value in WATCH.items() if name != "OCLGRIND_UNINITIALIZED"}
    faults = 0
    for program in programs:
        result = subprocess.run([program, kernels], env=dict(os.environ, OCL_ICD_VENDORS=PLATFORM, **watch), capture_output=True, text=True)
        reports = [line for line in result.stderr.split("\n") if line.strip() and not line.startswith("[")]
        print(f"{os.path.basename(program)}: status {result.returncode}, {len(reports)} lines of reports")
        print("\n".join(reports[:40]))
        faults += result.returncode != 0 or len(reports) > 0 or "on OpenCL" not in result.stdout
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
