#!/usr/bin/env python3
"""The delegate beside other libraries in one process: stock_beside.py DELEGATE.so EXAMPLES_DIR FAKE_LLVM.so

NumPy, OpenCV (whose T-API opens OpenCL, too), TensorFlow (whose wheel exports an LLVM) and LiteRT, in several orders, each in a process
of its own; what this Python has not is left out, and said so. Each compiles a kernel, with all drivers of this machine in view, on "any"
device or on each of those that OCLITE_TEST_DEVICES lists, with commas, while all of them are open.
LD_DEBUG tells whether PoCL, Mesa's and Intel's drivers were bound to themselves first (RTLD_DEEPBIND), which they must be where somebody
exports an LLVM, and nowhere else. Nothing of the delegate, OpenCL or PoCL may be visible to others.
Exit status 77 (skipped) without LiteRT or an OpenCL device.
"""
import glob
import importlib.util
import os
import re
import subprocess
import sys
import tempfile

import stock

# (modules in the order in which they are loaded; whether the drivers have to be bound to themselves)
ORDERS = [(("litert",), False), (("fake_llvm", "litert"), True), (("litert", "fake_llvm", "litert"), False),
          (("numpy", "cv2", "litert"), None), (("litert", "cv2"), False), (("litert", "cv2", "litert"), False),
          (("cv2_import", "tensorflow", "cv2", "litert"), True), (("litert", "tensorflow_import", "cv2", "tensorflow"), False)]
HIDDEN = ("tflite_plugin_create_delegate", "oclite_opencl_delegate_create", "TfLiteOpaqueTensorType", "clGetPlatformIDs", "POclGetPlatformIDs")
LLVM = "LLVMContextCreate"
DEVICES = os.environ.get("OCLITE_TEST_DEVICES", "any").split(",")
SHOWS = {"cv2": "clGetPlatformIDs", "fake_llvm": LLVM, "tensorflow": LLVM, "tensorflow_import": LLVM}  # to the whole process


# ---- in the child


def run_model(package, library, examples):
    """An operator that no host has, so that the delegate must have computed it; PoCL compiles its kernel."""
    session = stock.Session(package, library, examples)
    numpy = importlib.import_module("numpy")
    x = numpy.linspace(-9, 201, 1000, dtype=numpy.float32)
    interpreters = {device: session.interpreter(session.model("atan"), session.delegate(device=device)) for device in DEVICES}
    for device in (*DEVICES, *reversed(DEVICES)):
        got = stock.invoke(interpreters[device], x)[0]
        if not numpy.allclose(got, numpy.arctan(x + numpy.float32(0.99999905)), atol=1e-6):
            sys.exit(f"{package} on {device}: atan is {got}")


def use_opencv():
    cv2, numpy = importlib.import_module("cv2"), importlib.import_module("numpy")
    image = numpy.random.default_rng(0).random((64, 48), numpy.float32)
    print("OpenCV has OpenCL:", cv2.ocl.haveOpenCL())
    cv2.ocl.setUseOpenCL(True)
    got = cv2.GaussianBlur(cv2.UMat(image), (5, 5), 1.5).get()
    cv2.ocl.setUseOpenCL(False)
    if not numpy.allclose(got, cv2.GaussianBlur(image, (5, 5), 1.5), atol=1e-5):
        sys.exit("OpenCV: wrong")


def child(library, examples, fake, order):
    ctypes = importlib.import_module("ctypes")
    process = ctypes.CDLL(None)
    before = {name for name in (*HIDDEN, LLVM) if hasattr(process, name)}
    for name in order:
        if name == "fake_llvm":
            ctypes.CDLL(fake, ctypes.RTLD_GLOBAL)
        elif name.endswith("_import") or name == "numpy":
            importlib.import_module(name.removesuffix("_import"))
        elif name == "cv2":
            use_opencv()
        else:
            run_model(name, library, examples)
    leaked = {name for name in (*HIDDEN, LLVM) if hasattr(ctypes.CDLL(None), name)} - before - {SHOWS.get(name) for name in order}
    if leaked:
        sys.exit(f"visible to the whole process: {', '.join(sorted(leaked))}")
    return 0


# ---- in the parent


def has(name):
    package = {"litert": "ai_edge_litert"}.get(name, name.removesuffix("_import"))
    return name == "fake_llvm" or importlib.util.find_spec(package) is not None


def bound_to_themselves(text):
    """{driver with an LLVM: does LD_DEBUG=scopes show that it looks into the libraries that it needs first, so that LLVM is found there?}
    Intel's has its LLVM within itself, and says itself (DT_SYMBOLIC) that it is to be bound so."""
    bound = {}
    for found in re.finditer(r"object=\S*/(lib(?:pocl|MesaOpenCL|RusticlOpenCL|intelocl)|pipe_\w+)\.so\S* .*((?:\n.*scope \d+: .*)+)", text):
        scopes = found[2].strip().splitlines()
        within = "libintelocl.so" if found[1] == "libintelocl" else "libLLVM"
        if "scope 0:" in scopes[0] and within in found[2]:
            bound[found[1]] = within in scopes[0]
    return bound


def run_order(arguments, order, bound):
    """What is wrong, None, or "" when it is left out."""
    missing = sorted({name for name in order if not has(name)})
    if missing:
        print(f"{', '.join(order)}: left out, this Python has no {', '.join(missing)}")
        return ""
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, LD_DEBUG="scopes", LD_DEBUG_OUTPUT=f"{folder}/scopes", TF_CPP_MIN_LOG_LEVEL="3",
                           POCL_CACHE_DIR=folder, RUSTICL_ENABLE="llvmpipe")
        result = subprocess.run([sys.executable, __file__, *arguments, *order], capture_output=True, text=True, errors="replace",
                                env=environment, check=False)
        if result.returncode == 77:
            stock.skip(result.stdout.strip().removeprefix("skipped: "))
        text = ""
        for path in glob.glob(f"{folder}/scopes.*"):
            with open(path, encoding="utf-8", errors="replace") as file:
                text += file.read()
    if result.returncode != 0:
        return f"exit status {result.returncode}: {result.stdout[-300:]} {result.stderr[-600:]}"
    found = bound_to_themselves(text)
    said = "; ".join(f"{driver} is bound {'to itself first' if itself else 'as usual'}" for driver, itself in sorted(found.items()))
    print(f"{', '.join(order)}: {said or 'no driver with an LLVM here'} {result.stdout.strip()}")
    if bound is not None and any(itself != (bound or driver == "libintelocl") for driver, itself in found.items()):
        return f"{said}, expected otherwise"
    return None


def main():
    arguments, order = sys.argv[1:4], sys.argv[4:]
    if order:
        return child(*arguments, order)
    if not has("litert"):
        stock.skip("this Python has no ai_edge_litert")
    faults = 0
    for order, bound in ORDERS:
        fault = run_order(arguments, order, bound)
        if fault:
            print(f"WRONG {', '.join(order)}: {fault}")
            faults += 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
