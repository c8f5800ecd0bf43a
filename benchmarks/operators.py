#!/usr/bin/env python3
"""Times every CPU operator alone, in oclite and in LiteRT: operators.py --library LIBOCLITE [--ops REGEX] [--labels REGEX]

For each operator there are models of one node with large tensors (operator_models*.py). Both runtimes run in this process, on the
same inputs, and take turns; LiteRT as it comes, that is with XNNPACK where that takes the operator. Printed are the smallest
and the median time of each (with one thread, of its processor), and how many times faster oclite is by the smallest; the slowest
come first. Needs ai-edge-litert, flatbuffers and numpy; exit status 77 without them.

  --threads 1,2  numbers of threads
  --labels REGEX only models whose label (types, shapes) has this
  --small        tensors of about a thousand elements, where the shapes are not the operator's own; a few of the microseconds
                 are Python's
  --seconds S    about how long each model is timed
  --worst N      print only the N worst
  --check        compare results instead of times: those of one thread with LiteRT's, those of more with those of one
  --json OUT     also write the figures to this file
"""
import argparse
import ctypes
import json
import re
import statistics
import sys
import time

try:
    import numpy as np
    from ai_edge_litert.interpreter import Interpreter, OpResolverType

    from operator_models import judge_output, models, names, use_small_shapes
except ImportError as missing:
    print(f"skipped: {missing} (pip install ai-edge-litert flatbuffers numpy)")
    sys.exit(77)

FEWEST, MOST = 5, 60  # invocations of each


class Refused(Exception):
    pass


class Oclite:
    """A model in oclite's C library."""
    library = None

    @classmethod
    def load(cls, path):
        cls.library = ctypes.CDLL(path)
        for name in ("ModelCreate", "InterpreterOptionsCreate", "InterpreterCreate", "InterpreterGetInputTensor",
                     "InterpreterGetOutputTensor"):
            getattr(cls.library, f"TfLite{name}").restype = ctypes.c_void_p
        cls.library.TfLiteTensorByteSize.restype = ctypes.c_size_t

    def __init__(self, model, threads):
        self.model = model  # used in place
        self.handle = ctypes.c_void_p(self.call("ModelCreate", model, ctypes.c_size_t(len(model))))
        options = ctypes.c_void_p(self.call("InterpreterOptionsCreate"))
        self.call("InterpreterOptionsSetNumThreads", options, threads)
        self.interpreter = ctypes.c_void_p(self.call("InterpreterCreate", self.handle, options))
        self.call("InterpreterOptionsDelete", options)
        if not self.interpreter or self.call("InterpreterAllocateTensors", self.interpreter) != 0:
            raise Refused("oclite refuses the model")

    def call(self, name, *values):
        return getattr(self.library, f"TfLite{name}")(*values)

    def feed(self, arrays):
        for i, array in enumerate(arrays):
            tensor = ctypes.c_void_p(self.call("InterpreterGetInputTensor", self.interpreter, i))
            if array.dtype == object:
                strings = (ctypes.c_char_p * array.size)(*array.reshape(-1))
                lengths = (ctypes.c_int * array.size)(*map(len, array.reshape(-1)))
                status = self.call("OpaqueTensorWriteStrings", tensor, strings, array.size, lengths)
            else:
                array = np.ascontiguousarray(array)
                pointer = array.ctypes.data_as(ctypes.c_void_p)
                status = self.call("TensorCopyFromBuffer", tensor, pointer, ctypes.c_size_t(array.nbytes))
            if status != 0:
                raise Refused("oclite refuses the inputs")

    def invoke(self):
        if self.call("InterpreterInvoke", self.interpreter) != 0:
            raise Refused("oclite refuses the run")

    def outputs(self):
        for i in range(self.call("InterpreterGetOutputTensorCount", self.interpreter)):
            tensor = ctypes.c_void_p(self.call("InterpreterGetOutputTensor", self.interpreter, i))
            data = ctypes.create_string_buffer(self.call("TensorByteSize", tensor))
            self.call("TensorCopyToBuffer", tensor, data, ctypes.c_size_t(len(data)))
            yield data.raw

    def close(self):
        self.call("InterpreterDelete", self.interpreter)
        self.call("ModelDelete", self.handle)


class Litert:
    def __init__(self, model, threads, resolver=OpResolverType.AUTO):
        try:
            self.interpreter = Interpreter(model_content=model, num_threads=threads, experimental_op_resolver_type=resolver)
            self.interpreter.allocate_tensors()
        except (ValueError, RuntimeError) as error:
            raise Refused(f"LiteRT refuses the model: {error}") from None

    def feed(self, arrays):
        for detail, array in zip(self.interpreter.get_input_details(), arrays):
            self.interpreter.set_tensor(detail["index"], array)

    def invoke(self):
        try:
            self.interpreter.invoke()
        except (ValueError, RuntimeError) as error:
            raise Refused(f"LiteRT refuses the run: {error}") from None

    def shapes(self):
        return [[int(d) for d in detail["shape"]] for detail in self.interpreter.get_output_details()]


def with_shapes(case):
    """The model's bytes, with the shapes of the outputs, which the case leaves to the kernels and XNNPACK wants to know."""
    plain = Litert(case.model(), 1, OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES)
    plain.feed(case.runs[0])
    plain.invoke()
    for tensor, shape in zip(case.graphs[0].outputs, plain.shapes()):
        tensor.shape = shape
    return case.model()


def best_litert(model, threads, arrays):
    """LiteRT with XNNPACK, or without it where that takes the operator and then fails."""
    for resolver in (OpResolverType.AUTO, OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES):
        litert = Litert(model, threads, resolver)
        litert.feed(arrays)
        try:
            litert.invoke()
            break
        except Refused:
            continue
    return litert


def take_turns(competitors, seconds, clock):
    """Per competitor, the sorted milliseconds of its invocations."""
    taken = [[] for _ in competitors]
    for competitor in competitors:
        competitor.invoke()
    end = time.perf_counter() + seconds
    while len(taken[0]) < FEWEST or (time.perf_counter() < end and len(taken[0]) < MOST):
        for competitor, milliseconds in zip(competitors, taken):
            start = clock()
            competitor.invoke()
            milliseconds.append((clock() - start) * 1e3)
    return [sorted(milliseconds) for milliseconds in taken]


def measure(case, threads, seconds):
    """{threads: the row's figures}"""
    model = with_shapes(case)
    figures = {}
    for count in threads:
        own = Oclite(model, count)
        try:
            own.feed(case.runs[0])
            clock = time.thread_time if count == 1 else time.perf_counter
            ours, theirs = take_turns([own, best_litert(model, count, case.runs[0])], seconds, clock)
        finally:
            own.close()
        figures[count] = {"ours": ours[0], "ours_median": statistics.median(ours), "theirs": theirs[0],
                          "theirs_median": statistics.median(theirs), "ratio": theirs[0] / ours[0]}
    return figures


def differences(case, threads):
    """What is wrong with the outputs of one thread, or of more."""
    model = with_shapes(case)
    answers = {}
    for count in sorted({1, *threads}):
        own = Oclite(model, count)
        own.feed(case.runs[0])
        own.invoke()
        answers[count] = list(own.outputs())
        own.close()
        if answers[count] != answers[1]:
            yield f"other results with {count} threads"
    wanted = []
    for resolver in (OpResolverType.BUILTIN_REF, OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES):
        litert = Litert(model, 1, resolver)
        litert.feed(case.runs[0])
        litert.invoke()
        wanted.append([litert.interpreter.get_tensor(d["index"]) for d in litert.interpreter.get_output_details()])
    for i, data in enumerate(answers[1]):
        arrays = [outputs[i] for outputs in wanted]
        if arrays[0].dtype == object or arrays[0].dtype.kind == "S":
            continue
        got = np.frombuffer(data, arrays[0].dtype).reshape(arrays[0].shape)
        verdict, why = judge_output(case.op, case, got, arrays)
        if verdict == "difference":
            yield f"output {i}: {why}"


def chosen(arguments):
    """The models that are asked for, with their names."""
    for name in names():
        for label, case in models(name) if re.search(arguments.ops, name) else ():
            if re.search(arguments.labels, label):
                yield f"{name} {label}", case


def check(arguments, threads):
    wrong = 0
    for name, case in chosen(arguments):
        try:
            for what in differences(case, threads):
                print(f"{name}: {what}", flush=True)
                wrong += 1
        except Refused as why:
            print(f"{name}: {why}", file=sys.stderr, flush=True)
    print(f"{wrong} differences")
    return 1 if wrong else 0


def print_table(rows, threads, worst):
    rows.sort(key=lambda row: min(figures["ratio"] for figures in row["figures"].values()))
    print(f"{'operator':42}" + "".join(f" | {f'{n} thread(s): oclite ms, LiteRT ms, ratio':>45}" for n in threads))
    for row in rows[:worst]:
        print(f"{row['name'][:42]:42}", end="")
        for n in threads:
            f = row["figures"][n]
            print(f" | {f['ours']:8.3f} ({f['ours_median']:8.3f}) {f['theirs']:8.3f} ({f['theirs_median']:8.3f}) {f['ratio']:6.2f}", end="")
        print()
    for n in threads:
        ratios = [row["figures"][n]["ratio"] for row in rows]
        slower = sum(ratio < 1 for ratio in ratios)
        if ratios:
            print(f"{n} thread(s): {len(ratios)} models, geometric mean {statistics.geometric_mean(ratios):.2f}x, {slower} slower than LiteRT")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--library", required=True)
    parser.add_argument("--ops", default="")
    parser.add_argument("--labels", default="")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--seconds", type=float, default=0.2)
    parser.add_argument("--worst", type=int)
    parser.add_argument("--json")
    parser.add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    Oclite.load(arguments.library)
    if arguments.small:
        use_small_shapes()
    threads = [int(n) for n in arguments.threads.split(",")]
    if arguments.check:
        return check(arguments, threads)
    rows = []
    for name, case in chosen(arguments):
        try:
            rows.append({"name": name, "figures": measure(case, threads, arguments.seconds)})
            print(name, file=sys.stderr, flush=True)
        except Refused as why:
            print(f"{name}: {why}", file=sys.stderr, flush=True)
    print_table(rows, threads, arguments.worst)
    if arguments.json:
        with open(arguments.json, "w", encoding="ascii") as out:
            json.dump(rows, out, indent=1)
    return 0


if __name__ == "__main__":
    sys.exit(main())
