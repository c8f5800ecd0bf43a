#!/usr/bin/env python3
"""The delegate where there is no OpenCL: stock_refusals.py DELEGATE.so EXAMPLES_DIR [litert|tensorflow]

load_delegate raises ValueError with the reason, and the host goes on without the delegate. Each check is a process of its own. Exit status 77
(skipped) without the package.
"""
import os
import shutil
import subprocess
import sys
import tempfile

import stock
from stock import check

OPENCL, ABSENT = b"libOpenCL.so.1\0", b"libAbsent.so.1\0"
GOES_ON = """
import sys
sys.path.insert(0, sys.argv[1])
import numpy, stock
session = stock.Session(sys.argv[4], sys.argv[2], sys.argv[3], device=False)
for _ in range(2):
    try:
        session.delegate()
        sys.exit("a delegate was made")
    except ValueError as error:
        print(error)
stock.invoke(session.interpreter(session.model("digits")), numpy.zeros((1, 8, 8, 1), numpy.float32))
print("goes on")
"""


def refuses(session, library, says, **environment):
    result = subprocess.run([sys.executable, "-c", GOES_ON, stock.HERE, library, session.examples, session.host.name], capture_output=True,
                            text=True, errors="replace", env=dict(os.environ, **environment), check=False)
    assert result.returncode == 0 and "goes on" in result.stdout, f"exit status {result.returncode}: {result.stderr[-300:]}"
    assert result.stdout.count(says) == 2, f"it says {result.stdout}"


@check
def a_machine_without_the_loader(session):
    with open(session.library, "rb") as file:
        data = file.read()
    assert data.count(OPENCL) == 1
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "delegate.so")
        with open(path, "wb") as file:
            file.write(data.replace(OPENCL, ABSENT))
        refuses(session, path, "libAbsent.so.1: cannot open shared object file")


@check
def a_loader_that_is_none(session):
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "libOpenCL.so.1"), "wb") as file:
            file.write(b"this is not a library" * 100)
        refuses(session, session.library, "libOpenCL.so.1: invalid ELF header", LD_LIBRARY_PATH=folder)


@check
def a_loader_without_functions(session):
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(session.library, os.path.join(folder, "libOpenCL.so.1"))  # some library
        refuses(session, session.library, "libOpenCL.so.1 has no clGetPlatformIDs", LD_LIBRARY_PATH=folder)


@check
def a_machine_without_drivers(session):
    with tempfile.TemporaryDirectory() as folder:
        refuses(session, session.library, "OpenCL: no platform: libOpenCL.so.1 is here, but no driver; packages with drivers are "
                "pocl-opencl-icd (any CPU), intel-opencl-icd", OCL_ICD_VENDORS=folder, OCL_ICD_FILENAMES="")


@check
def a_driver_that_is_none(session):
    with tempfile.TemporaryDirectory() as folder:
        for name in ("libpocl_broken.so", "vendor.icd"):
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(f"{folder}/libpocl_broken.so\n")
        refuses(session, session.library, "OpenCL: no platform: libOpenCL.so.1 is here, but no driver; packages with drivers are "
                "pocl-opencl-icd (any CPU), intel-opencl-icd", OCL_ICD_VENDORS=folder, OCL_ICD_FILENAMES="")


if __name__ == "__main__":
    sys.exit(stock.main(__doc__, device=False))
