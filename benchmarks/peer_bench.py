#!/usr/bin/env python3
"""Times a model in another runtime: peer_bench.py litert|onnxruntime|openvino MODEL [--threads N] [--runs N] [--warmup N]

peer_bench.py --list prints which of them this Python has. Prints the figures that `oclite bench --json -` prints, for inputs of
the same kind (tools/common/random_input.h). Settings, the same for all: so many threads, and float32 computed as float32.

litert       PyPI ai-edge-litert, with what it does by itself (XNNPACK)
onnxruntime  PyPI onnxruntime on its CPU provider, with MODEL's .onnx beside it (tf2onnx makes one)
openvino     PyPI openvino on its CPU plug-in, which reads .tflite; hints: latency, float32
"""
import argparse
import importlib.util
import json
import os
import resource
import statistics
import sys
import time

MODULES = {"litert": "ai_edge_litert", "onnxruntime": "onnxruntime", "openvino": "openvino"}


def random_input(rng, shape, dtype):
    import numpy as np
    if dtype == np.float32:
        return rng.random(shape, dtype=np.float32) - np.float32(0.5)
    ranges = {"int8": (-127, 127), "uint8": (0, 254), "int32": (0, 99), "int64": (0, 99)}
    if np.dtype(dtype).name in ranges:
        low, high = ranges[np.dtype(dtype).name]
        return rng.integers(low, high + 1, shape, dtype=dtype)
    return np.zeros(shape, dtype)


def open_litert(path, threads, rng):
    from ai_edge_litert.interpreter import Interpreter
    interpreter = Interpreter(model_path=path, num_threads=threads)
    interpreter.allocate_tensors()
    for detail in interpreter.get_input_details():
        interpreter.set_tensor(detail["index"], random_input(rng, tuple(detail["shape"]), detail["dtype"]))
    return interpreter.invoke


def onnx_path(path):
    return os.path.splitext(path)[0] + ".onnx"


def open_onnxruntime(path, threads, rng):
    import onnxruntime
    types = {"tensor(float)": "float32", "tensor(int8)": "int8", "tensor(uint8)": "uint8", "tensor(int32)": "int32",
             "tensor(int64)": "int64"}
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(onnx_path(path), options, providers=["CPUExecutionProvider"])
    feed = {i.name: random_input(rng, [n if isinstance(n, int) else 1 for n in i.shape], types[i.type])
            for i in session.get_inputs()}
    return lambda: session.run(None, feed)


def open_openvino(path, threads, rng):
    import openvino
    settings = {"INFERENCE_NUM_THREADS": threads, "PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "f32"}
    model = openvino.Core().compile_model(path, "CPU", settings)
    request = model.create_infer_request()
    feed = {i: random_input(rng, list(i.shape), i.element_type.to_dtype()) for i in model.inputs}
    request.infer(feed) # afterwards the inputs are in place
    return request.infer


OPENERS = {"litert": open_litert, "onnxruntime": open_onnxruntime, "openvino": open_openvino}


def main():
    if sys.argv[1:] == ["--list"]:
        print(json.dumps([peer for peer, module in MODULES.items() if importlib.util.find_spec(module)]))
        return
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("peer", choices=list(OPENERS))
    parser.add_argument("model")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--runs", type=int, default=50)
    parser.add_argument("--warmup", type=int, default=5)
    arguments = parser.parse_args()
    import numpy as np
    start = time.perf_counter()
    run = OPENERS[arguments.peer](arguments.model, arguments.threads, np.random.default_rng(0))
    load = time.perf_counter() - start
    times = []
    for _ in range(arguments.warmup + arguments.runs):
        start = time.perf_counter()
        run()
        times.append((time.perf_counter() - start) * 1e3)
    measured = times[arguments.warmup:]
    print(json.dumps({
        "runs": arguments.runs, "threads": arguments.threads, "load_ms": load * 1e3, "first_ms": times[0],
        "min_ms": min(measured), "median_ms": statistics.median(measured), "max_ms": max(measured),
        "peak_kib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}))


if __name__ == "__main__":
    main()
