#!/usr/bin/env python3
"""Runs a command with one OpenCL driver in sight: on_driver.py intel|rusticl [--intel FOLDER] COMMAND...

rusticl is Mesa's, on the CPU (Debian's package mesa-opencl-icd). FOLDER has the libraries of Intel's CPU runtime (the package
intel-opencl-rt of PyPI and what it needs, unpacked). The command's own exit status, or 77 (skipped) where the driver is not here.
"""
import os
import subprocess
import sys
import tempfile

RUSTICL = "/etc/OpenCL/vendors/rusticl.icd"
MISSING = {"rusticl": f"no {RUSTICL} (Debian's mesa-opencl-icd)", "intel": "no libintelocl.so where --intel says (./check unpacks it)"}


def library(driver, intel):
    """What the .icd file of the driver says; None where the driver is not here."""
    if driver == "rusticl" and os.path.exists(RUSTICL):
        with open(RUSTICL, encoding="utf-8") as file:
            return file.read().strip()
    path = os.path.join(intel, "libintelocl.so")
    return path if driver == "intel" and intel and os.path.exists(path) else None


def main():
    driver, *command = sys.argv[1:]
    intel = ""
    if command[0] == "--intel":
        intel, command = command[1], command[2:]
    found = library(driver, intel)
    if found is None:
        print(f"skipped: {MISSING[driver]}")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, driver + ".icd"), "w", encoding="utf-8") as file:
            file.write(found + "\n")
        environment = dict(os.environ, OCL_ICD_VENDORS=folder, RUSTICL_ENABLE="llvmpipe")
        if driver == "intel":
            environment["LD_LIBRARY_PATH"] = ":".join(filter(None, [intel, os.environ.get("LD_LIBRARY_PATH")]))
        return subprocess.run(command, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
