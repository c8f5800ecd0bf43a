# SPDX-License-Identifier: Apache-2.0
"""What the tests of the package share: where things are, and how a test program runs.

A test program is called with the folder of the libraries, that of real models, and the project's own:

  test_X.py LIBRARIES SHARED SOURCE [NAME ...]

The package is used where it lies, with the libraries of the build. Exit status 77: skipped.
"""
import gc
import os
import sys
import unittest

SKIPPED = 77  # as CTest has it
HERE = os.path.dirname(os.path.abspath(__file__))


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


if len(sys.argv) < 4:
    sys.exit(__doc__)
LIBRARIES, SHARED, SOURCE = (os.path.abspath(path) for path in sys.argv[1:4])
OWN = os.path.join(SOURCE, "examples", "models")
os.environ["OCLITE_LIBRARY_DIR"] = LIBRARIES
sys.path[:0] = [os.path.dirname(HERE), os.path.join(SOURCE, "tests", "models"),
                os.path.join(SOURCE, "tests", "conformance")]

try:
    import numpy as np
except ImportError as missing:
    skip(f"this Python has no NumPy ({missing})")

import oclite  # noqa: E402


def main():
    """Runs the calling program's tests. Skips stand in the output; where nothing else ran, the program was skipped."""
    program = unittest.main(argv=[sys.argv[0], *sys.argv[4:]], exit=False, verbosity=2)
    result = program.result
    if not result.wasSuccessful():
        sys.exit(1)
    sys.exit(SKIPPED if result.testsRun == 0 or len(result.skipped) == result.testsRun else 0)


def litert():
    """The module of the reference's Interpreter."""
    try:
        from ai_edge_litert import interpreter
    except ImportError as missing:
        raise unittest.SkipTest(f"this Python has no LiteRT ({missing})") from None
    return interpreter


def own(name):
    return os.path.join(OWN, f"{name}.tflite")


def shared(name):
    path = os.path.join(SHARED, "models", f"{name}.tflite")
    if not os.path.exists(path):
        raise unittest.SkipTest(f"no {path}")
    return path


def delegate(**options):
    """A delegate of whatever device there is, which runs what it can."""
    try:
        return oclite.delegate(**{"partition": "all", "selftest": "off", "cache_dir": "off", **options})
    except ValueError as error:
        if "no such device" in str(error) or "OpenCL: no" in str(error) or "libOpenCL" in str(error):
            raise unittest.SkipTest(f"no OpenCL device ({error})") from None
        raise


def run(interpreter, *values):
    """Copies of the outputs for these inputs, whose shapes the inputs get."""
    details = interpreter.get_input_details()
    for detail, value in zip(details, values):
        if tuple(detail["shape"]) != np.shape(value):
            interpreter.resize_tensor_input(detail["index"], np.shape(value))
    interpreter.allocate_tensors()
    for detail, value in zip(details, values):
        interpreter.set_tensor(detail["index"], value)
    interpreter.invoke()
    return [interpreter.get_tensor(detail["index"]) for detail in interpreter.get_output_details()]


def resident_bytes():
    """Memory of this process."""
    gc.collect()
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def model_of(operators, tensors, inputs, outputs, buffers=()):
    """The bytes of a model, see tests/conformance/model_writer.py."""
    try:
        import model_writer
    except ImportError as missing:
        raise unittest.SkipTest(f"no FlatBuffers ({missing})") from None
    codes, nodes = [], []
    for name, node_inputs, node_outputs, options in operators:
        codes.append({"deprecated_builtin_code": 32, "builtin_code": 32, "custom_code": name, "version": 1})
        nodes.append({"opcode_index": len(codes) - 1, "inputs": node_inputs, "outputs": node_outputs,
                      "custom_options": options})
    graph = {"tensors": tensors, "inputs": inputs, "outputs": outputs, "operators": nodes}
    return model_writer.write({"version": 3, "operator_codes": codes, "subgraphs": [graph],
                               "buffers": [{}, *({"data": data} for data in buffers)]})
