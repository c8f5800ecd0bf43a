#!/usr/bin/env python3
"""Runs a command with one OpenCL driver in sight, two or all of them: on_driver.py intel|layered|rusticl|two|all [--intel FOLDER]
COMMAND...

rusticl is Mesa's, on the CPU (Debian's package mesa-opencl-icd). FOLDER has the libraries of Intel's CPU runtime (the package
intel-opencl-rt of PyPI and what it needs, unpacked). layered: the same through the machine's own loader, as the one in FOLDER knows no
layers. two: two devices, PoCL's and Intel's, or where FOLDER has none two of PoCL's. all: these, PoCL and whatever else is installed, in one process. The command's own exit status, or 77 (skipped) where a driver
is not here.
"""
import os
import shutil
import subprocess
import sys
import tempfile

VENDORS = "/etc/OpenCL/vendors"
RUSTICL = f"{VENDORS}/rusticl.icd"
POCL = f"{VENDORS}/pocl.icd"
MISSING = {"rusticl": f"no {RUSTICL} (Debian's mesa-opencl-icd)", "intel": "no libintelocl.so where --intel says (./check unpacks it)",
           "pocl": f"no {POCL} (Debian's pocl-opencl-icd)"}


def library(driver, intel):
    """What the .icd file of the driver says; None where the driver is not here."""
    path = {"rusticl": RUSTICL, "pocl": POCL}.get(driver)
    if path is None:
        path = os.path.join(intel, "libintelocl.so")
        return path if intel and os.path.exists(path) else None
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        return file.read().strip()


def write_icd(folder, name, text):
    with open(os.path.join(folder, name + ".icd"), "w", encoding="utf-8") as file:
        file.write(text + "\n")


def link_libraries(intel, folder):
    """Intel's folder without the loader that is in it."""
    os.mkdir(folder)
    for name in os.listdir(intel):
        if not name.startswith("libOpenCL"):
            os.symlink(os.path.abspath(os.path.join(intel, name)), os.path.join(folder, name))
    return folder


def main():
    driver, *command = sys.argv[1:]
    intel = ""
    if command[0] == "--intel":
        intel, command = command[1], command[2:]
    wanted = {"all": ["pocl", "rusticl", "intel"], "layered": ["intel"], "two": ["pocl", "intel"]}.get(driver, [driver])
    found = {name: library(name, intel) for name in wanted}
    if driver == "two" and found["intel"] is None:
        del found["intel"]
        wanted = ["pocl"]
    for name in wanted:
        if found[name] is None:
            print(f"skipped: {MISSING[name]}")
            return 77
    with tempfile.TemporaryDirectory() as folder:
        vendors = os.path.join(folder, "vendors")
        os.mkdir(vendors)
        environment = dict(os.environ, OCL_ICD_VENDORS=vendors, RUSTICL_ENABLE="llvmpipe")
        if driver == "all":
            for name in os.listdir(VENDORS):
                shutil.copy(os.path.join(VENDORS, name), vendors)
        if driver == "two" and "intel" not in found:
            environment["POCL_DEVICES"] = "pthread basic"
        if driver in ("all", "layered") or (driver == "two" and "intel" in found):
            intel = link_libraries(intel, os.path.join(folder, "libraries"))
            found["intel"] = os.path.join(intel, "libintelocl.so")
        for name, text in found.items():
            write_icd(vendors, name, text)
        if "intel" in found:
            environment["LD_LIBRARY_PATH"] = ":".join(filter(None, [intel, os.environ.get("LD_LIBRARY_PATH")]))
        return subprocess.run(command, env=environment, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
