#!/usr/bin/env python3
"""Products by CLBlast: clblast.py [--half] OCLITE OPCASES_DIR MODELS_DIR

Runs all recorded cases of the operators that CLBlast has a part in, and whole models, with gemm=clblast, and counts in the
delegate's reports what CLBlast has computed. Models are compared with those without it. The next process finds CLBlast's programs in
cache_dir, and one that finds damaged files is right. --half: with precision=float16, in which
answers may differ as in half.py. Exit status 77 (skipped) without CLBlast, an OpenCL device (--half: with cl_khr_fp16), the suite or
numpy.
"""
import collections
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time

import half

OPERATORS = ("FULLY_CONNECTED", "BATCH_MATMUL", "CONV_2D")
MODELS = ("mobilenet_v1_0.25_224", "deeplabv3_257_mv_gpu", "yamnet", "movie_review")


def products(report):
    """Operator -> names of CLBlast's functions in a report."""
    with open(report, encoding="utf-8") as file:
        return [(k["op"], k["kernel"]) for k in json.load(file)["kernels"] if k["kernel"].startswith("CLBlast")]


def run_cases(tool, suite, folder):
    """Each case in a process of its own, which writes a report of its own."""
    result, command = f"{folder}/result.json", f'exec {shlex.quote(tool)} run --delegate "opencl:gemm=clblast,report={folder}/$$.report" "$@"'
    subprocess.run([sys.executable, f"{suite}/judge.py", f"sh -c {shlex.quote(command)} sh", f"{suite}/cases", "--filter",
                    f"^({'|'.join(OPERATORS)})__", "--jobs", "2", "--json", result, "--failures", "0"],
                   stdout=subprocess.DEVNULL, check=False)
    with open(result, encoding="utf-8") as file:
        cases = json.load(file)["cases"]
    faults = [f"{case['verdict']} {name}: {case['remark']}" for name, case in sorted(cases.items()) if case["verdict"] != "pass"]
    used = collections.Counter()
    for name in os.listdir(folder):
        if name.endswith(".report"):
            used.update(set(products(f"{folder}/{name}")))
    for (op, function), count in sorted(used.items()):
        print(f"{function} in {count} cases of {op}")
    faults += [f"CLBlast has computed nothing for {op}" for op in OPERATORS if all(op not in o for o, _ in used)]
    print(f"{len(cases)} cases")
    return faults


def run_half(tool, suite, folder):
    """Cases of floats, each in a process of its own, for which CLBlast compiles: half of those of BATCH_MATMUL, and some of the others."""
    used = collections.Counter()
    # What half.py leaves out of the answers of BATCH_MATMUL are infinities, which its magnitudes are not meant for.
    half.JUMPS.discard("BATCH_MATMUL")
    chosen = list(half.collect(f"{suite}/cases", "^BATCH_MATMUL__f32"))[::2]
    chosen += list(half.collect(f"{suite}/cases", "^FULLY_CONNECTED__f32"))[::10]
    chosen += list(half.collect(f"{suite}/cases", "^CONV_2D__f32_tail1x1"))
    for name, case_folder, case, magnitude in chosen:
        out, report = f"{folder}/{name}", f"{folder}/{name}.report"
        inputs = [part for i in range(case["n_in"]) for part in ("--in", f"{case_folder}/in{i}.npy")]
        resizes = [part for i, shape in case["resize"][0].items() for part in ("--resize", f"{i}={'x'.join(map(str, shape))}")]
        done = subprocess.run([tool, "run", f"{case_folder}/model.tflite", "--out", out, *resizes, *inputs, "--delegate",
                               f"opencl:precision=float16,gemm=clblast,cache_dir={folder}/kept,report={report}"], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            yield f"{name}: exit status {done.returncode}: {done.stderr.strip()}"
            continue
        for got, want in zip(half.answers(out, case["n_out"]), half.answers(case_folder, case["n_out"])):
            error = abs(got.astype(float) - want).max(initial=0.0)
            if got.shape != want.shape or not error <= 0.01 * magnitude:
                yield f"{name}: off by {error:.4g}, magnitude {magnitude:.4g}"
        used.update(set(products(report)))
    for (op, function), count in sorted(used.items()):
        print(f"{function} in {count} cases of {op}")
    print(f"{len(chosen)} cases")
    wanted = {("FULLY_CONNECTED", "CLBlastHgemm"), ("CONV_2D", "CLBlastHgemm"), ("BATCH_MATMUL", "CLBlastHgemm"),
              ("BATCH_MATMUL", "CLBlastHgemmStridedBatched")}
    for op, function in sorted(wanted - used.keys()):
        yield f"{function} has computed nothing for {op}"


def run_model(tool, model, folder, option):
    import numpy as np
    report = f"{folder}/{option}.json"
    done = subprocess.run([tool, "run", model, "--out", folder, "--delegate", f"opencl:gemm={option},report={report}"],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{model}: {done.stderr.strip()}")
    return np.load(f"{folder}/out0.npy"), len(products(report))


def run_models(tool, models, folder):
    import numpy as np
    for name in MODELS:
        model = f"{models}/{name}.tflite"
        want, none = run_model(tool, model, folder, "own")
        got, count = run_model(tool, model, folder, "clblast")
        worst = float(np.max(np.abs(got - want), initial=0)) / max(float(np.max(np.abs(want), initial=0)), 1e-30)
        print(f"{name}: {count} products by CLBlast, {worst:.2g} of the largest output off")
        if none != 0:
            yield f"{name}: CLBlast with gemm=own"
        if count == 0:
            yield f"{name}: nothing by CLBlast"
        if not worst <= 1e-4:
            yield f"{name}: off by {worst}"


def kept(folder):
    """Name of each file of a cache -> its inode, another one when it is written anew (reading one sets its time), and its size."""
    files = {entry.name: entry.stat() for entry in os.scandir(folder) if entry.name.endswith(".clbin")}
    return {name: (info.st_ino, info.st_size) for name, info in files.items()}


def run_cached(tool, model, folder, options):
    """The first process keeps CLBlast's program beside ours; the second writes nothing anew; damaged ones are written anew."""
    import numpy as np
    cache, outputs, states = f"{folder}/cache", [], []

    def run():
        start = time.monotonic()
        done = subprocess.run([tool, "run", model, "--out", folder, "--delegate", f"opencl:{options}gemm=clblast,cache_dir={cache}"],
                              capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise RuntimeError(f"{model}: {done.stderr.strip()}")
        outputs.append(np.load(f"{folder}/out0.npy"))
        states.append(kept(cache))
        return time.monotonic() - start

    seconds = [run(), run()]
    print(f"with cache_dir: {seconds[0]:.1f} s, the next process {seconds[1]:.1f} s")
    theirs = {}
    for path in (f"{cache}/{name}" for name in states[0]):
        with open(path, "rb") as file:
            data = file.read()
        if b"\nof CLBlast\n" in data:  # in its key
            theirs[os.path.basename(path)] = data
    if not theirs:
        yield "no program of CLBlast in cache_dir"
    if states[1] != states[0]:
        yield "the second process has compiled"
    for name, data in theirs.items():
        with open(f"{cache}/{name}", "wb") as file:
            file.write(data[:-1000] + bytes([data[-1000] ^ 0x10]) + data[-999:])
    damaged = kept(cache)
    run()
    run()
    if any(states[2][name] == damaged[name] for name in theirs) or states[3] != states[2]:
        yield "damaged programs have not been written anew"
    if any(not np.array_equal(output, outputs[0]) for output in outputs):
        yield "another output with programs of cache_dir"


def run_without(tool, model, folder):
    """Where the library is not one: an error for those who have asked for it by name, nothing for others."""
    library = f"{folder}/libclblast.so.1"
    for kind in ("broken", "another"):
        if kind == "broken":
            with open(library, "w", encoding="utf-8") as file:
                file.write("no library\n")
        else:
            os.remove(library)
            subprocess.run(["cc", "-shared", "-x", "c", "-o", library, "/dev/null"], check=True)
        for option, fine in (("clblast", False), ("auto", True), ("auto,tuning=1,allow=RESHAPE", True), ("own", True)):
            done = subprocess.run([tool, "run", model, "--out", folder, "--delegate", f"opencl:gemm={option}"], capture_output=True,
                                  text=True, check=False, env={**os.environ, "LD_LIBRARY_PATH": f"{folder}:{os.environ.get('LD_LIBRARY_PATH', '')}"})
            told = "option gemm: clblast: " in done.stderr and "libclblast.so.1" in done.stderr
            if (done.returncode == 0) != fine or told == fine:
                yield f"{kind} library, gemm={option}: {done.returncode} {done.stderr.strip()}"
    os.remove(library)


def main():
    halves = sys.argv[1] == "--half"
    tool, suite, models = sys.argv[2 if halves else 1:]
    try:
        import numpy  # noqa: F401
    except ImportError:
        print("skipped: no numpy in this Python")
        return 77
    if not os.path.isdir(f"{suite}/cases") or not os.path.isdir(models):
        print(f"skipped: no {suite}/cases or no {models}")
        return 77
    probe = subprocess.run([tool, "devices", "--device", "any", "--no-measure", "--json", "-"], capture_output=True, text=True, check=False)
    if probe.returncode != 0 or (halves and "cl_khr_fp16" not in json.loads(probe.stdout)["opencl_device"][0]["extensions"]):
        print(f"skipped: {probe.stderr.strip() or 'the device has no cl_khr_fp16'}")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        try:
            # They let the driver compile, if it keeps that, which takes longer than a case may.
            run_model(tool, f"{models}/{MODELS[0]}.tflite", folder, "clblast")
            if not halves:
                run_model(tool, f"{suite}/cases/BATCH_MATMUL__f32_adj_x/model.tflite", folder, "clblast")
        except RuntimeError as error:
            if "libclblast.so.1, of the package" not in str(error):
                raise
            print(f"skipped: {error}")
            return 77
        model = f"{models}/{MODELS[0]}.tflite"
        faults = list(run_cached(tool, model, folder, "precision=float16," if halves else ""))
        faults += list(run_half(tool, suite, folder)) if halves else run_cases(tool, suite, folder) + list(
            run_models(tool, models, folder)) + list(run_without(tool, model, folder))
    print("\n".join(faults + [f"{len(faults)} faults"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
