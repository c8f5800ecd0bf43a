#!/usr/bin/env python3
"""Runs a command on a device that is imitated: on_profile.py [--states] LAYER PROFILE COMMAND...

LAYER is the library of tests/support/cl_layer, PROFILE a name of its profiles.def. The command's own exit status, or 1 where it asked
the device for what that refuses, which is printed (what passes a limit has to be left to the CPU before the driver is asked), or
copied tensors of a device that shares the host's memory (--states: more of them than it did not, as states of recurrent operators are
copied). 77 (skipped) where the OpenCL loader has no layers.
"""
import collections
import ctypes.util
import os
import subprocess
import sys
import tempfile


def has_layers():
    """Does the loader know the variable that names layers?"""
    found = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True, check=False).stdout
    paths = [line.split("=> ")[1] for line in found.splitlines() if line.strip().startswith("libOpenCL.so.1 ")]
    for path in paths or filter(None, [ctypes.util.find_library("OpenCL")]):
        try:
            with open(path, "rb") as file:
                return b"OPENCL_LAYERS" in file.read()
        except OSError:
            continue
    return False


def main():
    states = sys.argv[1] == "--states"
    layer, profile, *command = sys.argv[2 if states else 1:]
    if not has_layers():
        print("skipped: the OpenCL loader knows no layers (ocl-icd does from 2.3.1 on)")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "log")
        # PoCL 3.1 turns loops over a work-group's items into vectors, and where there are barriers, as in cells of LSTM, what
        # comes out reads and writes beyond buffers. Oclgrind, which looks at each access of the same kernels, finds nothing.
        environment = dict(os.environ, OPENCL_LAYERS=layer, OCLITE_TEST_PROFILE=profile, OCLITE_TEST_LAYER_LOG=log,
                           POCL_WORK_GROUP_METHOD="loops")
        status = subprocess.run(command, env=environment, check=False).returncode
        if status == 77:
            return 77
        if not os.path.exists(log):
            print("the layer was not loaded")
            return 1
        with open(log, encoding="utf-8") as file:
            lines = file.read().splitlines()
    refused = collections.Counter(line for line in lines if line.startswith("refused"))
    for line, count in sorted(refused.items()):
        print(f"{count} x {line}")
    counts, sizes = collections.Counter(), collections.Counter()
    for line in lines:
        if line.startswith("copied: "):
            for part in line[len("copied: "):].split(", "):
                count, what, size, _ = part.split()
                counts[what] += int(count)
                sizes[what] += int(size)
    # Where memory is shared, all that is copied are words that say whether an index was right, states, and what is not aligned.
    copies = "shares memory" in lines and sizes["reads"] + sizes["writes"] > sizes["maps"] / (1 if states else 8)
    if copies:
        print("tensors were copied, although the device shares the host's memory")
    copied = ", ".join(f"{n} {what} of {sizes[what]} bytes" for what, n in counts.items())
    print(f"{profile}: {sum(refused.values())} refusals; {copied}")
    return 1 if refused or copies else status


if __name__ == "__main__":
    sys.exit(main())
