#!/usr/bin/env python3
"""Where results of constants live, in LiteRT and in oclite: allocations.py LIBOCLITE PROBE [--cases N]

An operator whose inputs are constants may be computed once, by the allocation; its output is then a constant
(kTfLitePersistentRo), which kernels downstream rely on in prepare. Random cases of each operator of FOLDED run with all
inputs constant, and as they are; the allocation type of each output has to be LiteRT's, but for those of KEPT. PROBE is allocation_probe.c. Exit status
77 without LiteRT.
"""
import argparse
import collections
import ctypes
import os
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
try:
    from ai_edge_litert.interpreter import Interpreter, OpResolverType, load_delegate
    from make import GENERATORS
except ImportError as missing:
    print(f"skipped: {missing} (pip install ai-edge-litert flatbuffers numpy)")
    sys.exit(77)
from random_source import Random

FOLDED = ["BROADCAST_ARGS", "CONCATENATION", "GATHER", "MUL", "RANGE", "RANK", "REDUCE_PROD", "RESHAPE", "SHAPE", "STRIDED_SLICE",
          "TILE"]
# Computed once, too, by LiteRT in the first inference. Here it is a constant, which interpreters share where it is large: weights that
# are stored as FLOAT16 are packed once, not in each inference.
KEPT = ["DEQUANTIZE"]
NEVER = ["ADD", "CAST", "TRANSPOSE", "REDUCE_ANY", "CUMSUM"]
NAMES = ["none", "model", "arena", "arena, persistent", "dynamic", "computed constant", "program", "object", "not CPU"]
LATER = ("RESHAPE", "dynamic", "arena")  # LiteRT makes the output dynamic in the inference only
FAILED = "refused"
SECONDS = 20


class Host:
    """Allocates a model, and tells the types of tensors."""

    def __init__(self, library, probe):
        self.library, self.probe, self.path = ctypes.CDLL(library), ctypes.CDLL(probe), probe
        for function in ("TfLiteModelCreate", "TfLiteInterpreterCreate", "TfLiteInterpreterGetTensor"):
            getattr(self.library, function).restype = ctypes.c_void_p

    def litert(self, model, tensors):
        interpreter = Interpreter(model_content=model, num_threads=1, experimental_op_resolver_type=OpResolverType.BUILTIN_REF,
                                  experimental_delegates=[load_delegate(self.path)])
        interpreter.allocate_tensors()
        return [self.probe.allocation_of(t) for t in tensors]

    def own(self, model, tensors):
        lib, pointer = self.library, ctypes.c_void_p
        loaded = lib.TfLiteModelCreate(model, ctypes.c_size_t(len(model)))
        interpreter = lib.TfLiteInterpreterCreate(pointer(loaded), None)
        if not interpreter or lib.TfLiteInterpreterAllocateTensors(pointer(interpreter)):
            raise ValueError
        return [lib.TfLiteOpaqueTensorGetAllocationType(pointer(lib.TfLiteInterpreterGetTensor(pointer(interpreter), t)))
                for t in tensors]


def answer(function, *arguments):
    """What the function tells, in a process of its own: LiteRT ends some."""
    with tempfile.TemporaryFile("w+") as file:
        child = os.fork()
        if child == 0:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            try:
                text = ", ".join(NAMES[number] for number in function(*arguments))
            except (ValueError, RuntimeError):
                text = FAILED
            file.write(text)
            file.flush()
            os._exit(0)
        os.waitpid(child, 0)
        file.seek(0)
        return file.read() or FAILED


def cases(op, count):
    """(model, outputs, are all inputs constants) of cases of one node."""
    for number in range(count):
        for constant in (True, False):
            case = GENERATORS[op](Random(7, op, number), op)
            graph = case.graphs[0]
            if len(case.graphs) > 1 or len(graph.nodes) > 1:
                continue
            for t in graph.tensors():
                if constant and t.feed is not None:
                    t.data, t.feed = t.feed, None
            graph.inputs = graph.fed()
            indices = {id(t): i for i, t in enumerate(graph.tensors())}
            yield case.model(), [indices[id(t)] for t in graph.nodes[0].outputs], constant


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("probe")
    parser.add_argument("--cases", type=int, default=15)
    args = parser.parse_args()
    host, faults = Host(args.library, args.probe), 0
    for op in FOLDED + KEPT + NEVER:
        seen = collections.Counter()
        for model, outputs, constant in cases(op, args.cases):
            want, got = answer(host.litert, model, outputs), answer(host.own, model, outputs)
            if FAILED in (want, got):
                continue
            seen[f"{'constants' if constant else 'inputs'}: {want}"] += 1
            earlier = op in KEPT and want == NAMES[3] and got in (NAMES[1], NAMES[5])
            if got != want and not earlier and (op, got, want) != LATER:
                print(f"{op}: {got}, LiteRT: {want}")
                faults += 1
        computed = any(NAMES[5] in key for key in seen)
        if not seen or computed != (op in FOLDED):
            print(f"{op}: nothing is compared, or the list is wrong: {dict(seen)}")
            faults += 1
        print(op, dict(seen))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
