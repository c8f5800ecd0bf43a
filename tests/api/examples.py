#!/usr/bin/env python3
"""The example programs in a wrong folder and with wrong files: examples.py MODELS PROGRAM...

Each ends with a status other than 0 and says on the standard error what is wrong. MODELS is the folder of the project's models. The
demonstration knows its pictures.
"""
import os
import re
import subprocess
import sys
import tempfile

SKIPPED = 77  # a program without a device


def run(program, *arguments, folder):
    return subprocess.run([program, *arguments], cwd=folder, capture_output=True, text=True, check=False)


def fails(program, *arguments, folder, says=()):
    """The number of faults."""
    result = run(program, *arguments, folder=folder)
    if result.returncode == SKIPPED:
        print(f"skipped: {result.stdout.strip()}")
        return 0
    missing = [word for word in says if word not in result.stderr]
    if result.returncode > 0 and result.stderr.strip() and not missing:
        return 0
    print(f"{program} {arguments}: exit status {result.returncode}, {missing} is not in {result.stderr!r}")
    return 1


def knows(demo, models, digit):
    """The number of faults: on the CPU, and on the device where there is one."""
    result = run(demo, "--models", models, "--picture", os.path.join(models, f"digit_{digit}.pgm"), folder=".")
    classes = re.findall(r"(OpenCL|CPU) +class (\d)", result.stdout)
    if result.returncode == 0 and classes and all(found == str(digit) for _, found in classes):
        return 0
    print(f"{demo}: the picture of a {digit} is {classes}, exit status {result.returncode}\n{result.stdout}{result.stderr}")
    return 1


def main():
    models, programs = os.path.abspath(sys.argv[1]), {os.path.basename(path): path for path in sys.argv[2:]}
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        broken = os.path.join(folder, "broken.tflite")
        with open(broken, "wb") as file:
            file.write(b"TFL3" * 100)
        other = {"custom_atan": "digits.tflite", "fused_atan": "digits.tflite", "minimal": "atan.tflite"}
        for name, path in programs.items():
            if name == "demo":
                faults += fails(path, folder=folder)
                faults += fails(path, "--models", models, "--picture", broken, folder=folder)
                faults += sum(knows(path, models, digit) for digit in (3, 7))
            else:
                faults += fails(path, folder=folder)  # the model is not there
                faults += fails(path, broken, folder=folder)
            if name in other:
                faults += fails(path, os.path.join(models, other[name]), folder=folder)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
