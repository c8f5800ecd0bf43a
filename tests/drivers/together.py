#!/usr/bin/env python3
"""All drivers on one machine, and a bad one among them: together.py OCLITE MODELS BAD_ICD

For on_driver.py all: PoCL, Mesa's and Intel's are listed, and a model runs on each of them, with the CPU's results. BAD_ICD is the library
of tests/support/bad_icd.c, a driver that crashes or hangs when it is opened or listed: it is left out, and takes none of the others away.
"""
import os
import re
import subprocess
import sys
import tempfile

sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tools"))
from tool_case import read_npy, write_npy  # noqa: E402

DRIVERS = {"Portable Computing Language": "pocl", "rusticl": "rusticl", "Intel(R) OpenCL": "Intel(R) OpenCL"}


def run(tool, environment, *arguments):
    return subprocess.run([tool, *arguments], capture_output=True, text=True, timeout=300, env=environment, check=False)


def check(tool, model, folder, environment, bad):
    """What is wrong, with a driver that is bad in this way ("": none is)."""
    said = run(tool, environment, "devices", "--no-measure")
    if said.returncode != 0:
        yield f"devices: exit status {said.returncode}: {said.stderr.strip()}"
    for platform in DRIVERS:
        if not re.search(rf"^ *platform +{re.escape(platform)}", said.stdout, re.M):
            yield f"{platform} is not listed: {said.stdout}"
    if (environment["BAD_ICD"] in said.stdout) != (bad != ""):
        yield f"the bad driver is {'not ' if bad else ''}told of: {said.stdout}"
    write_npy(f"{folder}/in.npy", (1, 8, 8, 1), [(i * 37 % 64) / 4 for i in range(64)])
    answers = {}
    for device in ("", *DRIVERS.values()):
        more = ["--delegate", f"opencl:verbose=1,device={device}"] if device else []
        done = run(tool, environment, "run", model, "--out", f"{folder}/out", "--in", f"{folder}/in.npy", *more)
        if done.returncode != 0:
            yield f"{device}: exit status {done.returncode}: {done.stderr.strip()}"
            continue
        answers[device] = read_npy(f"{folder}/out/out0.npy")[1]
        if device and "7 of 7 nodes on the device" not in done.stderr:
            yield f"{device}: {done.stderr}"
    for device, answer in answers.items():
        if any(abs(a - b) > 1e-4 for a, b in zip(answer, answers[""])):
            yield f"{device}: {answer}, the CPU says {answers['']}"


def main():
    tool, models, icd = map(os.path.abspath, sys.argv[1:])
    vendors = os.environ["OCL_ICD_VENDORS"]
    faults = 0
    for bad in ("", "open", "list", "hang"):
        with tempfile.TemporaryDirectory() as folder:
            if bad:
                with open(os.path.join(vendors, "000-bad.icd"), "w", encoding="utf-8") as file:
                    file.write(icd + "\n")
            environment = dict(os.environ, OCLITE_BAD_ICD=bad, BAD_ICD=icd, OCLITE_OPENCL_SELFTEST="on", XDG_CACHE_HOME=folder)
            wrong = list(check(tool, os.path.join(models, "digits.tflite"), folder, environment, bad))
            print(f"beside {f'a driver that is bad ({bad})' if bad else 'each other'}: {len(wrong)} faults", *wrong, sep="\n", flush=True)
            faults += len(wrong)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
