#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Random calls of the package: whatever is called with whatever, there is an answer or an error of the right kind.

  test_fuzz.py LIBRARIES SHARED SOURCE [--seconds N] [--seed S] [--rounds N] [--delegate]

Models are those at hand and damaged ones. Each round has a seed of its own, which is printed before what goes wrong; a
round that ends the process is the last one in the file named by OCLITE_FUZZ_LOG. --seed S --rounds 1 repeats one.
"""
import argparse
import contextlib
import faulthandler
import gc
import glob
import os
import sys
import threading
import time
import traceback
import warnings

from python_case import OWN, SHARED, np, oclite

# What a call may raise: errors of arguments, of the library, of the machine.
ALLOWED = (ValueError, TypeError, RuntimeError, OSError, MemoryError)
LIMIT = 64 << 20  # bytes of tensors
CANCEL_AFTER = 2  # seconds: a damaged model may run for ever
ODD = [None, -1, 0, 1, 2, 7, 10**9, 2**31, -2**31, 2**63, 10**30, 1.5, float("nan"), "", "x", "0", b"", b"x", True, [], [0], {}, object(),
       "a\0b", "\ud800", (), np.int64(1), np.float32(1), np.zeros(3), np.array(5), np.array(["a", "b"])]
DTYPES = (np.float32, np.float64, np.int8, np.uint8, np.int16, np.int32, np.int64, np.bool_, np.complex64, "S3", "U2", object)


class Fuzzer:
    def __init__(self, seed, gpu):
        self.random, self.gpu = np.random.default_rng(seed), gpu
        self.interpreter = self.runner = None
        self.held = []  # views

    def pick(self, values):
        return values[self.random.integers(len(values))]

    def chance(self, part):
        return self.random.random() < part

    def odd(self, usual):
        """Mostly the usual."""
        return self.pick(ODD) if self.chance(0.15) else usual

    def shape(self, usual=()):
        if self.chance(0.5):
            return tuple(int(length) for length in usual)
        return tuple(self.random.integers(0, 6, self.random.integers(0, 5)).tolist())

    def array(self, detail):
        if detail is None or self.chance(0.2):
            return self.odd(np.zeros(self.shape(), self.pick(DTYPES)))
        dtype = detail["dtype"] if self.chance(0.8) else self.pick(DTYPES)
        shape = self.shape(detail["shape"]) if self.chance(0.3) else tuple(detail["shape"])
        value = self.random.integers(-3, 100, shape)
        return value.astype(dtype)[..., ::self.pick((1, 1, -1))] if shape else value.astype(dtype)

    def content(self):
        with open(self.pick(MODELS), "rb") as file:
            data = bytearray(file.read())
        if self.chance(0.5):
            for _ in range(self.random.integers(1, 8)):
                data[self.random.integers(len(data))] = self.pick((0, 1, 2, 127, 255, int(self.random.integers(256))))
        return bytes(data[:self.random.integers(len(data))] if self.chance(0.05) else data)

    def operators(self):
        def answer(call):
            how = self.random.integers(6)
            if how == 0:
                raise KeyError("random")
            if how == 1:
                self.held.append(call.outputs)
            elif how == 2:
                call.set_output(self.odd(0), self.array(None))
            else:
                for output in call.outputs:
                    if output is not None:
                        output[...] = 1
        shapes = (None, lambda inputs, options: [self.odd(self.shape()) for _ in range(self.random.integers(1, 3))])
        return [oclite.Operator(name, answer, shapes=self.pick(shapes)) for name in ("Atan", "Roll", "AtanOffset")]

    def create(self):
        self.runner = None
        keywords = {"memory_limit": LIMIT, "enable_cancellation": True}
        if self.chance(0.5):
            keywords["operators"] = self.operators()
        if self.gpu is not None and self.chance(0.7):
            keywords["experimental_delegates"] = [self.gpu]
        for name in ("num_threads", "experimental_preserve_all_tensors", "experimental_delegates", "operators"):
            if self.chance(0.05):
                keywords[name] = self.pick(ODD)
        if keywords.get("num_threads") not in (None, 1, 2):
            keywords["num_threads"] = self.pick((0, -1, "x", 1.5, 3))
        if self.chance(0.1):
            self.interpreter = oclite.Interpreter(self.odd(self.pick(MODELS)), **keywords)
        else:
            self.interpreter = oclite.Interpreter(model_content=self.odd(self.content()), **keywords)

    def tensor_index(self):
        details = self.interpreter.get_input_details()
        if details and self.chance(0.7):
            detail = self.pick(details)
            return detail["index"], detail
        return self.odd(int(self.random.integers(-1, 20))), None

    def call(self):
        made = self.interpreter
        what = self.random.integers(16)
        index, detail = self.tensor_index()
        if what == 0:
            made.allocate_tensors()
        elif what <= 3:
            made.set_tensor(index, self.array(detail))
        elif what == 4:
            made.get_tensor(index, self.odd(0))
        elif what == 5:
            self.held.append(made.tensor(index)())
        elif what == 6:
            self.held.clear()
        elif what == 7:
            made.resize_tensor_input(index, self.odd(self.shape(detail["shape"] if detail else ())), self.odd(False))
        elif what <= 10:
            made.invoke()
        elif what == 11:
            made.get_tensor_details(self.odd(0))
            made._get_ops_details()
        elif what == 12:
            made.reset_all_variables()
        elif what == 13:
            self.runner = made.get_signature_runner(self.odd(self.pick([None, *made.get_signature_list()])))
        elif what == 14 and self.runner is not None:
            details = self.runner.get_input_details()
            self.runner(**{self.pick((name, name, "x")): self.array(detail) for name, detail in details.items()})
        elif what == 15 and self.chance(0.2):
            made.close()

    def round(self):
        for _ in range(int(self.random.integers(1, 3))):
            self.attempt(self.create)
            for _ in range(int(self.random.integers(3, 40))):
                if self.interpreter is None:
                    break
                self.attempt(self.call)
        for view in self.held:
            if isinstance(view, np.ndarray) and view.size:
                view.sum() if view.dtype.kind in "fiu" else view.tobytes()  # pylint: disable=expression-not-assigned
        self.held.clear()

    def attempt(self, function):
        with contextlib.suppress(*ALLOWED):
            function()


def watch(fuzzer, stop):
    """Cancels an inference that does not end."""
    while not stop.wait(CANCEL_AFTER):
        with contextlib.suppress(*ALLOWED, AttributeError):
            fuzzer[0].interpreter.cancel()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--rounds", type=int, default=10**9)
    parser.add_argument("--delegate", action="store_true", help="most interpreters have one: slow where drivers compile")
    args = parser.parse_args(sys.argv[4:])
    gpu = oclite.delegate(partition="all", selftest="off") if args.delegate else None
    faulthandler.enable()
    warnings.simplefilter("ignore")
    current, stop, log = [None], threading.Event(), os.environ.get("OCLITE_FUZZ_LOG")
    threading.Thread(target=watch, args=(current, stop), daemon=True).start()
    end, seed = time.monotonic() + args.seconds, args.seed
    while time.monotonic() < end and seed < args.seed + args.rounds:
        if log:
            with open(log, "w", encoding="ascii") as file:
                print(seed, file=file)
        current[0] = Fuzzer(seed, gpu)
        try:
            current[0].round()
        except BaseException:
            print(f"seed {seed}:", flush=True)
            traceback.print_exc()
            return 1
        seed += 1
    stop.set()
    gc.collect()
    print(f"{seed - args.seed} rounds")
    return 0


MODELS = sorted(glob.glob(f"{OWN}/*.tflite") + [path for path in glob.glob(f"{SHARED}/models/ops/*.tflite")
                                                if os.path.getsize(path) < 100000])

if __name__ == "__main__":
    sys.exit(main())
