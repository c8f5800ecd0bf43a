#!/usr/bin/env python3
"""Delegates that come and go in a stock host: stock_lifetime.py DELEGATE.so EXAMPLES_DIR [litert|tensorflow]

Several interpreters with one delegate, threads, all orders of deletion, unloading, and the end of the process. Exit status 77 (skipped)
without the package or an OpenCL device.
"""
import ctypes
import gc
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from _ctypes import dlclose

import stock
from stock import check, invoke

try:
    import numpy as np
    import stock_models as models
    from stock_values import floats, near, run_threads
except ImportError as missing:
    stock.skip(f"{missing} (pip install flatbuffers numpy)")

MOST_GROWTH = 4 << 20  # bytes, which 50 leaks of 80 KiB are


@check
def interpreters_share_a_delegate(session):
    delegate = session.delegate(deny="SOFTMAX")
    sharing = [session.interpreter(models.chain(), delegate), session.interpreter(models.loop(), delegate),
               session.interpreter(models.chain(), delegate)]
    alone = [session.interpreter(model) for model in (models.chain(), models.loop(), models.chain())]
    for number in range(4):
        inputs = ([floats(4 + number, 6, seed=number)], [np.array(number, np.int32), floats(2, 7, seed=number)],
                  [floats(9 - number, 6, seed=-number % 7)])
        for one, other, values in zip(sharing, alone, inputs):
            assert all(map(near, invoke(one, *values), invoke(other, *values))), number


@check
def threads_have_interpreters_of_their_own(session):
    shared = session.delegate(deny="SOFTMAX")
    wants = [invoke(session.interpreter(models.chain()), floats(4 + n, 6, seed=n))[0] for n in range(8)]

    def work(number):
        delegate = shared if number % 2 else session.delegate()
        interpreter = session.interpreter(models.chain(), delegate)
        for _ in range(20):
            got = invoke(interpreter, floats(4 + number, 6, seed=number))[0]
            assert near(got, wants[number]), got

    run_threads(work, 8)


@check
def threads_make_and_delete_delegates(session):
    want = invoke(session.interpreter(models.chain()), floats(4, 6))[0]

    def work(_):
        for _ in range(10):
            assert near(invoke(session.interpreter(models.chain(), session.delegate()), floats(4, 6))[0], want)

    run_threads(work, 4)


@check
def all_orders_of_deletion_are_fine(session):
    want = invoke(session.interpreter(models.chain()), floats(4, 6))[0]
    names = ("delegate", "first", "second", "other")
    for order in itertools.permutations(names):
        made = {"delegate": session.delegate()}
        made["first"] = session.interpreter(models.chain(), made["delegate"])
        made["second"] = session.interpreter(models.loop(), made["delegate"])
        made["other"] = session.interpreter(models.chain(), session.delegate(deny="TANH"))
        for name in ("first", "other"):
            assert near(invoke(made[name], floats(4, 6))[0], want), name
        for name in order:
            del made[name]
            gc.collect()
            if "first" in made:  # what is left goes on, the delegate's variable gone or not
                assert near(invoke(made["first"], floats(4, 6))[0], want), order


@check
def an_interpreter_that_never_ran_is_deleted(session):
    for allocate in (False, True):
        interpreter = session.interpreter(models.chain(), session.delegate())
        if allocate:
            interpreter.allocate_tensors()
        del interpreter
        gc.collect()


def resident():
    with open("/proc/self/statm", encoding="utf-8") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def resources():
    return len(os.listdir("/proc/self/fd")), len(os.listdir("/proc/self/task"))


@check
def fifty_delegates_leave_nothing_behind(session):
    data = session.model("digits")
    x = np.zeros((1, 8, 8, 1), np.float32)

    def once():
        invoke(session.interpreter(data, session.delegate()), x)

    for _ in range(15):  # drivers grow in the first ones
        once()
    gc.collect()
    before, had = resident(), resources()
    for _ in range(50):
        once()
    gc.collect()
    growth, has = resident() - before, resources()
    assert growth < MOST_GROWTH, f"{growth} bytes more"
    assert has == had, f"open files and threads {has}, before {had}"


@check
def the_plugin_is_unloaded(session):
    """A copy of the library, whose file the process must not have mapped behind its last dlclose."""
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copy(session.library, os.path.join(folder, "copy.so"))
        for _ in range(10):
            library = ctypes.CDLL(copy)
            library.tflite_plugin_create_delegate.restype = ctypes.c_void_p
            delegate = library.tflite_plugin_create_delegate(None, None, ctypes.c_size_t(0), None)
            assert delegate is not None
            library.tflite_plugin_destroy_delegate(ctypes.c_void_p(delegate))
            dlclose(library._handle)
            with open("/proc/self/maps", encoding="utf-8") as file:
                assert not re.search(re.escape(copy), file.read()), "still there"


END = """
import atexit, sys
sys.path.insert(0, sys.argv[1])
import numpy as np, stock, stock_models
session = stock.Session(sys.argv[4], sys.argv[2], sys.argv[3])
delegate = session.delegate()
alive = [session.interpreter(stock_models.chain(), delegate), session.interpreter(stock_models.loop(), session.delegate())]
x = np.zeros((4, 6), np.float32)
stock.invoke(alive[0], x)
kind = sys.argv[5]
if kind == "atexit":
    atexit.register(lambda: print(stock.invoke(alive[0], x)[0].shape))
if kind == "cycle":
    alive.append(alive)
    delegate.alive = alive
if kind == "thread":
    import threading
    threading.Thread(target=lambda: [stock.invoke(alive[0], x) for _ in range(200)]).start()
if kind == "exception":
    raise SystemExit(0)
print("end")
"""


@check
def a_process_may_end_with_live_interpreters(session):
    for kind in ("nothing", "atexit", "cycle", "thread", "exception"):
        command = [sys.executable, "-c", END, stock.HERE, session.library, session.examples, session.host.name, kind]
        result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert result.returncode == 0, f"{kind}: exit status {result.returncode}: {result.stderr[-500:]}"


if __name__ == "__main__":
    sys.exit(stock.main(__doc__))
