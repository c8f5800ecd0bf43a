#!/usr/bin/env python3
"""Cases of the operator suite on the OpenCL delegate with precision=float16: half.py OCLITE OPCASES_DIR [FILTER]

A float32 answer may differ from LiteRT's (of its reference kernels or of its default ones) by what half loses: 1 % of the largest
magnitude among the answers and inputs.
Cases of operators whose result jumps, and of numbers that half does not hold, are left out. Exit status 77 (skipped)
without the suite, numpy or an OpenCL device.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

# A step, a branch or a number of its own near every input that is rounded.
JUMPS = {"CEIL", "FLOOR", "ROUND", "SIGN", "FLOOR_DIV", "FLOOR_MOD", "ARG_MAX", "ARG_MIN", "TOPK_V2", "RSQRT", "LOG", "DIV",
         "POW", "ATAN2", "Atan", "QUANTIZE", "FAKE_QUANT", "GRAPH", "FILE", "BUCKETIZE", "EXP", "REDUCE_PROD", "CUMSUM",
         "BATCH_MATMUL", "L2_NORMALIZATION", "UNIQUE", "WHERE", "SELECT", "SELECT_V2"}
LARGEST = 1000.0


def answers(folder, count, prefix="out"):
    import numpy as np
    return [np.load(os.path.join(folder, f"{prefix}{i}.npy")) for i in range(count)]


def usable(case, folder):
    """The case's magnitude, None when it is none of ours."""
    import numpy as np
    if case["expect"] != "ok" or case["check"] != "values" or case["runs"] != 1 or case["op"] in JUMPS:
        return None
    if any(output["type"] != "float32" for output in case["outputs"]) or not case["types"] or case["types"][0] != "f32":
        return None
    if not all(os.path.exists(os.path.join(folder, f"in{i}.npy")) for i in range(case["n_in"])):
        return None
    arrays = answers(folder, case["n_out"]) + answers(folder, case["n_in"], "in")
    floats = [a.astype(np.float64) for a in arrays if a.dtype == np.float32 and a.size]
    if not floats or any(not np.all(np.isfinite(a)) for a in floats):
        return None
    magnitude = max(np.max(np.abs(a)) for a in floats)
    return magnitude if magnitude <= LARGEST else None


def collect(cases, pattern):
    for name in sorted(os.listdir(cases)):
        folder = os.path.join(cases, name)
        path = os.path.join(folder, "case.json")
        if re.search(pattern, name) and os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                case = json.load(file)
            magnitude = usable(case, folder)
            if magnitude is not None:
                yield name, folder, case, magnitude


def run(tool, chosen, root):
    entries = []
    for name, folder, case, _ in chosen:
        os.mkdir(os.path.join(root, name))
        entries.append({"name": name, "model": os.path.join(folder, "model.tflite"), "out": os.path.join(root, name),
                        "runs": [{"resize": case["resize"][0],
                                  "in": [os.path.join(folder, f"in{i}.npy") for i in range(case["n_in"])]}]})
    batch = os.path.join(root, "list.json")
    with open(batch, "w", encoding="utf-8") as file:
        json.dump({"cases": entries}, file)
    subprocess.run([tool, "run", "--delegate", "opencl:precision=float16", "--batch", batch], check=False)


def difference(name, folder, case, magnitude, root):
    """What is wrong with the answers, and whether half was used at all."""
    import numpy as np
    status = os.path.join(root, name, "status.json")
    if not os.path.exists(status):
        return "no answer", False
    with open(status, encoding="utf-8") as file:
        code = json.load(file)["rc"]
    if code != 0:
        return f"exit status {code}", False
    rounded = False
    default = "opt" if os.path.exists(os.path.join(folder, "opt0.npy")) else "out"
    for got, want, also in zip(answers(os.path.join(root, name), case["n_out"]), answers(folder, case["n_out"]),
                               answers(folder, case["n_out"], default)):
        if got.shape != want.shape:
            return f"shape {got.shape} in place of {want.shape}", True
        wide = got.astype(np.float64)
        error = np.max(np.minimum(np.abs(wide - want), np.abs(wide - also)), initial=0.0)
        if not error <= 0.01 * magnitude:
            return f"off by {error:.4g}, magnitude {magnitude:.4g}", True
        rounded = rounded or error > 1e-5 * magnitude
    return None, rounded


def main():
    tool, suite = sys.argv[1:3]
    cases = os.path.join(suite, "cases")
    try:
        import numpy  # noqa: F401
    except ImportError:
        print("skipped: no numpy in this Python")
        return 77
    if not os.path.isdir(cases):
        print(f"skipped: no operator cases at {suite}")
        return 77
    chosen = list(collect(cases, sys.argv[3] if len(sys.argv) > 3 else ""))
    with tempfile.TemporaryDirectory() as root:
        run(tool, chosen, root)
        faults, rounded = [], 0
        for name, folder, case, magnitude in chosen:
            fault, used = difference(name, folder, case, magnitude, root)
            rounded += used
            if fault:
                faults.append(f"{name}: {fault}")
    print("\n".join(faults))
    print(f"{len(chosen)} cases, {rounded} of them rounded as half is, {len(faults)} faults")
    # Nothing rounded: the option does nothing.
    return 1 if faults or not rounded else 0


if __name__ == "__main__":
    sys.exit(main())
