#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random calls of the package: whatever is called with whatever, there is an answer or an error of the right kind.

  test_fuzz.py LIBRARIES SHARED SOURCE [--seconds N] [--seed S] [--rounds N] [--delegate] [--table]

Models are those at hand and damaged ones. Each round has a seed of its own, which is printed before what goes wrong; a
round that ends the process is the last one in the file named by OCLITE_FUZZ_LOG. --seed S --rounds 1 repeats one. At the end
each public function must have answered once, where there was time for it. With the libraries of the preset asan the address
sanitizer looks on: LD_PRELOAD="$(gcc -print-file-name=libasan.so) $(gcc -print-file-name=libubsan.so)" PYTHONMALLOC=malloc
ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1.
"""
import argparse
import asyncio
import atexit
import contextlib
import copy
import faulthandler
import gc
import os
import pickle
import shutil
import signal
import sys
import tempfile
import threading
import time
import traceback
import warnings

from fuzz_counts import Counts
from fuzz_values import DTYPES, ODD, PATHS, Values, few
from python_case import LIBRARIES, np, oclite

# What a call may raise: errors of arguments, of the library, of the machine; and what this program raises itself.
ALLOWED = (ValueError, TypeError, RuntimeError, OSError, MemoryError, BufferError, asyncio.CancelledError)
LIMIT = 64 << 20  # bytes of tensors
TICK = 2  # seconds: a damaged model may run for ever, so that inferences are cancelled
HANGS = 150  # ticks of one round
FOLDER = tempfile.mkdtemp(prefix="oclite-fuzz-")
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)
OPENCL = os.path.join(LIBRARIES, "liboclite_opencl.so")
KERNEL = "/* oclite\n  operator: %s\n  input: x float32\n  output: y like x\n  option: limit float = 1\n  elementwise: y = limit * tanh(x) */"


class Escape(BaseException):
    """Of an operator: neither Exception nor known."""


class Silent(Exception):
    """Which cannot say what it is."""

    def __str__(self):
        raise KeyError("no words")


ERRORS = (KeyError("random"), Escape("random"), Silent(), RecursionError("random"), UnicodeDecodeError("utf-8", b"a", 0, 1, "random"))


class Operators(Values):
    """Operators of the program's, which do what they should not."""

    def __init__(self, seed):
        super().__init__(seed)
        self.held = []  # views, and what else should go late

    def answer(self, call):
        how = self.random.integers(9)
        if how == 0:
            raise self.pick(ERRORS)
        if how == 1:
            self.held.append(self.pick((call.outputs, call.inputs, call)))
        elif how == 2:
            call.set_output(self.odd(0), self.array(None))
        elif how == 3:
            call.options  # pylint: disable=pointless-statement
            self.within()
        for i, output in enumerate(call.outputs):
            if output is None:
                shape = self.shape((4,))
                call.set_output(i, self.strings(shape) if self.chance(0.3) else np.ones(shape, self.pick((np.float32, *DTYPES[:11]))))
            else:
                output[...] = 1 if output.dtype.kind != "V" else 0

    def within(self):
        """What an operator calls."""

    def shapes(self, _inputs, _options):
        if self.chance(0.1):
            raise self.pick(ERRORS)
        return self.odd([self.pick((self.size(), self.size(), None)) for _ in range(self.random.integers(1, 3))])

    def operators(self):
        made = [oclite.Operator(name, self.answer, shapes=self.pick((None, self.shapes)), version=1) for name in ("Atan", "Roll", "AtanOffset")]
        if self.chance(0.1):
            made.append(oclite.Kernel(KERNEL % "Atan"))
        if self.chance(0.1):
            folder = os.path.join(LIBRARIES, "extensions")
            made.append(oclite.load_operators(*self.pick([(f"{folder}/liboclite_tftext.so", "oclite_tftext_add_operators"),
                                                          (f"{folder}/liboclite_custom_ops.so",)])))
        return made


class Fuzzer(Operators):
    def __init__(self, seed, gpu):
        super().__init__(seed)
        self.gpu = gpu
        self.interpreter = self.runner = self.delegate = None
        self.is_part = False  # of another one, on a thread or within an operator
        self.calls = [getattr(self, name) for name in dir(self) if name.startswith("call_")]
        # What a program calls most.
        self.calls += 3 * [self.call_set, self.call_invoke, self.call_get] + 2 * [self.call_allocate, self.call_runner, self.call_view, self.call_run]

    def attempt(self, function):
        with contextlib.suppress(*ALLOWED, Escape):
            function()

    def within(self):
        if not self.is_part and self.interpreter is not None:
            self.attempt(self.part().call)

    def part(self):
        """Another one for the same interpreter."""
        made = Fuzzer([int(self.random.integers(2**31))], self.gpu)
        made.interpreter, made.runner, made.delegate, made.held, made.is_part = self.interpreter, self.runner, self.delegate, self.held, True
        return made

    # ---- Making ----

    def create(self):
        self.runner = None
        keywords = {"memory_limit": LIMIT, "enable_cancellation": True}
        if self.chance(0.5):
            keywords["operators"] = self.operators()
        if self.gpu and self.chance(0.7):
            if self.delegate is None or self.chance(0.3):
                self.delegate = oclite.delegate(**self.options())
            keywords["experimental_delegates"] = [self.delegate] * int(self.random.integers(1, 3))
        for name in ("num_threads", "experimental_preserve_all_tensors", "experimental_delegates", "operators",
                     "experimental_op_resolver_type"):
            if self.chance(0.05):
                keywords[name] = self.pick(ODD)
        if isinstance(keywords.get("num_threads"), int):  # the library starts as many as it is told to
            keywords["num_threads"] = self.pick((0, -1, 3))
        if self.chance(0.1):
            self.interpreter = oclite.Interpreter(self.odd(self.pick(PATHS)), **keywords)
        else:
            self.interpreter = oclite.Interpreter(model_content=self.odd(self.content(), 0.05), **keywords)

    def options(self):
        """Of a delegate: most of the time ones that can be."""
        given = {"cache_dir": self.pick(("off", "off", FOLDER)), "selftest": "off", "partition": "all"}
        usual = {"device": ("any", 0, "cpu"), "precision": ("float32", "float16", "auto"), "error_budget": (0.01, 1.0),
                 "precision_float32": ("SOFTMAX", [0, 1]), "precision_float16": ("CONV_2D", [0]), "allow": ("CONV_2D+ADD", [0, 1, 2]),
                 "deny": (["SOFTMAX", 3], 0), "partition": ("cost", "greedy", "all", "none"), "overlap": ("on", "off", "cost"),
                 "max_partitions": (0, 1, 3), "min_nodes": (0, 1, 4), "profiling": (True, np.True_), "watchdog_ms": (1, 1000),
                 "report": (os.path.join(FOLDER, "report.json"),), "gemm": ("own", "auto"), "winograd": ("off", "4x4"), "priority": ("high", "low"),
                 "operators": (oclite.Kernel(KERNEL % "Roll"),), "tuning": (False, 0), "verbose": (False,), "throttle": ("low",)}
        for name, values in usual.items():
            if self.chance(0.15):
                given[name] = self.odd(self.pick(values), 0.05)
        return given

    # ---- Calls ----

    def tensor(self):
        """An index and, mostly, the details to it."""
        details = self.interpreter.get_input_details()
        if details and self.chance(0.7):
            detail = self.pick(details)
            return detail["index"], detail
        return self.odd(int(self.random.integers(-1, 20))), None

    def call_allocate(self):
        self.interpreter.allocate_tensors()

    def call_set(self):
        index, detail = self.tensor()
        self.interpreter.set_tensor(index, self.array(detail))

    def call_get(self):
        self.interpreter.get_tensor(self.tensor()[0], self.odd(0))
        for detail in self.interpreter.get_output_details():
            self.interpreter.get_tensor(detail["index"])

    def call_view(self):
        view = self.interpreter.tensor(self.tensor()[0])
        self.held.append(self.pick((view, view(), view().reshape(-1)[:1])))

    def call_dlpack(self):
        if hasattr(np, "from_dlpack"):
            self.held.append(np.from_dlpack(self.interpreter.tensor(self.tensor()[0])()))

    def call_use_views(self):
        """Whatever has become of the interpreter."""
        for view in list(self.held):
            if callable(view):
                view = view()
            if isinstance(view, np.ndarray) and view.size:
                view.tobytes()
                if view.flags.writeable and view.dtype.kind in "iufc":
                    view[...] = 2
                self.attempt(lambda view=view: view.setflags(write=True))
        self.held.clear()

    def call_resize(self):
        index, detail = self.tensor()
        self.interpreter.resize_tensor_input(index, self.size(detail["shape"] if detail else ()), self.odd(False))

    def call_invoke(self):
        self.interpreter.invoke()

    def call_invoke_async(self):
        async def work():
            task = asyncio.ensure_future(self.interpreter.invoke_async())
            await asyncio.sleep(0)
            self.attempt(self.call_get)
            if self.chance(0.3):
                task.cancel()
            await task
        asyncio.run(work())

    def call_cancel(self):
        self.interpreter.cancel()

    def call_details(self):
        made = self.interpreter
        made.get_tensor_details(self.odd(0, 0.3))
        made.num_subgraphs()
        made.get_signature_list()
        made._get_full_signature_list()
        made._get_ops_details()
        made._get_op_details(self.odd(0, 0.5))
        made._get_tensor_details(self.odd(0, 0.5), self.odd(0))
        made._native_handle()
        made._safe_to_run()
        made.experimental_compress_quantization_zero_points  # pylint: disable=pointless-statement

    def call_run(self):
        """As programs do, so that what comes next finds contents."""
        self.interpreter.allocate_tensors()
        for detail in self.interpreter.get_input_details():
            self.interpreter.set_tensor(detail["index"], self.usual(detail))
        self.interpreter.invoke()
        self.call_get()

    def call_reset(self):
        self.interpreter.reset_all_variables()

    def call_make_runner(self):
        self.runner = self.interpreter.get_signature_runner(self.odd(self.pick([None, *self.interpreter.get_signature_list()])))

    def call_runner(self):
        if self.runner is None:
            self.call_make_runner()
        details = self.runner.get_input_details()
        self.runner.get_output_details()
        if self.chance(0.3):
            self.runner.allocate()
        self.runner(**{self.odd(name, 0.02) if self.chance(0.02) else name: self.array(detail) for name, detail in details.items()})

    def call_predictor(self):
        """A model as a function of rows, of files that are whole: it has no limit of memory."""
        made = oclite.Predictor(self.odd(self.pick(PATHS), 0.1), batch=self.odd(self.pick((1, 3)), 0.1),
                                signature=self.odd(None, 0.1), delegate=self.odd(None, 0.1), operators=self.odd((), 0.05))
        details = made.get_input_details()
        made.get_output_details()
        for values in (self.usual, self.array):
            self.attempt(lambda values=values: made(self.odd({name: few(values(detail)) for name, detail in details.items()}, 0.1)))
        if self.chance(0.5):
            made.close()

    def call_classes(self):
        self.attempt(lambda: oclite.SignatureRunner(self.odd(self.interpreter), self.odd("serving_default")))
        self.attempt(lambda: oclite.Operator(self.odd("X"), self.odd(len), shapes=self.odd(None), version=self.odd(1)))
        self.attempt(lambda: oclite.Kernel(self.odd(KERNEL % "X", 0.3), self.odd("file.cl")).name)
        self.attempt(lambda: oclite.Kernel.from_file(self.odd(os.path.join(FOLDER, "none.cl"))))
        self.attempt(lambda: oclite.load_operators(self.odd("libm.so.6"), self.odd("none")))
        self.attempt(lambda: oclite.OperatorLibrary(self.odd("x"), None))
        for kind in (oclite.Interpreter, oclite.Delegate, oclite.Kernel, oclite.SignatureRunner):
            self.attempt(lambda kind=kind: kind.__new__(kind))
        self.attempt(lambda: self.pick((copy.copy, copy.deepcopy, pickle.dumps))(self.interpreter))

    def call_delegates(self):
        wrong = {self.pick(("device", "precision", "deny", "min_nodes", "xyz", "custom_ops", "report", "error_budget")): self.pick(ODD)}
        self.attempt(lambda: oclite.delegate(**{"cache_dir": "off", "selftest": "off", "device": "none such", **wrong}))
        self.attempt(lambda: oclite.load_delegate(self.odd(OPENCL), self.odd({"device": "none such", "deny": self.pick(ODD)}, 0.3)))
        made = self.odd(self.delegate, 0.3)
        self.attempt(lambda: str(oclite.report(made)))
        if self.chance(0.1):
            self.delegate = None
        if self.chance(0.01) and self.delegate is not None:
            self.delegate.__del__()

    def call_files(self):
        for function in (oclite.version, oclite.get_include, oclite.get_library_dir, oclite.get_prefix, oclite.accelerator_path):
            function()

    def call_metadata(self):
        repr(self.interpreter.get_metadata())

    def call_close(self):
        if self.chance(0.2):
            with self.interpreter:
                self.attempt(self.part().call)

    def call_drop(self):
        self.held.clear()
        gc.collect(0)

    def call_threads(self):
        if self.is_part or self.chance(0.7):
            return
        parts, wrong = [self.part() for _ in range(int(self.random.integers(2, 4)))], []

        def work(part):
            try:
                for _ in range(8):
                    part.attempt(part.call)
            except BaseException as error:  # pylint: disable=broad-except
                wrong.append(error)
        threads = [threading.Thread(target=work, args=(part,)) for part in parts]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        if wrong:
            raise AssertionError("on a thread") from wrong[0]

    def call_fork(self):
        """The child goes on for a few calls."""
        if self.is_part or self.chance(0.95):
            return
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            for _ in range(5):
                self.attempt(self.part().call)
            os._exit(0)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        assert status == 0, f"the child has ended by {status}"

    def call(self):
        self.pick(self.calls)()

    def round(self):
        for _ in range(int(self.random.integers(1, 3))):
            self.attempt(self.create)
            if self.interpreter is not None and self.chance(0.7):
                self.attempt(self.call_run)
            for _ in range(int(self.random.integers(3, 40))):
                if self.interpreter is None:
                    break
                self.attempt(self.call)
        self.attempt(self.call_use_views)
        self.held.clear()


def watch(current, stop):
    """Cancels an inference that does not end, and ends a process that hangs."""
    seen, ticks = None, 0
    while not stop.wait(TICK):
        fuzzer = current[0]
        ticks = ticks + 1 if fuzzer is seen else 0
        seen = fuzzer
        with contextlib.suppress(*ALLOWED, AttributeError):
            fuzzer.interpreter.cancel()
        if ticks > HANGS:
            print("hangs:", flush=True)
            faulthandler.dump_traceback(all_threads=True)
            os._exit(1)


def run(args, current):
    """The number of rounds; None where one has failed."""
    log, end, seed = os.environ.get("OCLITE_FUZZ_LOG"), time.monotonic() + args.seconds, args.seed
    while time.monotonic() < end and seed < args.seed + args.rounds:
        if log:
            with open(log, "w", encoding="ascii") as file:
                print(seed, file=file)
        current[0] = Fuzzer(seed, args.delegate)
        try:
            current[0].round()
        except BaseException:
            print(f"seed {seed}:", flush=True)
            traceback.print_exc()
            return None
        seed += 1
    return seed - args.seed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=10**9)
    parser.add_argument("--delegate", action="store_true", help="most interpreters have one: slow where drivers compile")
    parser.add_argument("--table", action="store_true", help="prints how often each function has answered, and its errors")
    args = parser.parse_args(sys.argv[4:])
    faulthandler.enable()
    warnings.simplefilter("ignore")
    counts, current, stop = Counts(oclite), [None], threading.Event()
    threading.Thread(target=watch, args=(current, stop), daemon=True).start()
    rounds = run(args, current)
    stop.set()
    gc.collect()
    if rounds is None:
        return 1
    if args.table:
        print(counts)
    print(f"{rounds} rounds, {counts.total()} calls")
    return counts.check(rounds, args.delegate)


if __name__ == "__main__":
    sys.exit(main())
