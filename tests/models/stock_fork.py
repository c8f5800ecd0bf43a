#!/usr/bin/env python3
"""fork() in a stock host, by multiprocessing: stock_fork.py DELEGATE.so EXAMPLES_DIR [litert|tensorflow]

What the parent made before the fork goes on in the child, on the CPU, and so does what the child makes. Where the parent has
not used OpenCL, the child has the device. Exit status 77 (skipped) without the package or an OpenCL device.
"""
import gc
import multiprocessing
import sys
import traceback

import stock
from stock import check, invoke

try:
    import numpy as np
    import stock_models as models
    from stock_values import floats
except ImportError as missing:
    stock.skip(f"{missing} (pip install flatbuffers numpy)")

SECONDS = 120


def near(got, want):
    return all(one.shape == other.shape and np.allclose(one, other, rtol=1e-5, atol=1e-6) for one, other in zip(got, want))


def guarded(work, queue, arguments):
    try:
        work(*arguments)
        queue.put("")
    except BaseException:
        queue.put(traceback.format_exc())


def in_child(method, work, *arguments):
    context = multiprocessing.get_context(method)
    queue = context.SimpleQueue()
    child = context.Process(target=guarded, args=(work, queue, arguments))
    child.start()
    child.join(SECONDS)
    if child.is_alive():
        child.kill()
        assert False, f"{method}: the child hangs"
    assert child.exitcode == 0, f"{method}: exit status {child.exitcode}"
    wrong = queue.get()
    assert not wrong, wrong


def taken(session, delegate):
    return sum(node.taken for node in session.explain(delegate))


def use_opencl(package, library, examples):
    session = stock.Session(package, library, examples)
    delegate = session.delegate()
    x = floats(4, 6)
    assert near(invoke(session.interpreter(models.chain(), delegate), x), invoke(session.interpreter(models.chain()), x))
    assert taken(session, delegate) == 4 and not stock.failure(session.library, delegate)


@check
def children_alone_have_the_device(session):
    """The first check of all: the parent has no delegate yet."""
    for method in ("fork", "fork", "spawn"):
        in_child(method, use_opencl, session.host.name, session.library, session.examples)


CASES = (("chain", lambda: [floats(4, 6)]), ("chain", lambda: [floats(9, 6)]), ("loop", lambda: [np.array(3, np.int32), floats(2, 7)]),
         ("choice", lambda: [np.array(True), floats(3, 5)]))


def go_on(session, delegate, interpreter, inputs, want):
    assert near(invoke(interpreter, *inputs), want), "the parent's interpreter"
    assert near(invoke(interpreter, *inputs), want), "again"
    if len(inputs) == 1:
        more = floats(7, 6)
        assert near(invoke(interpreter, more), invoke(session.interpreter(models.chain()), more)), "resized"
        assert near(invoke(interpreter, *inputs), want), "as before"
    for made in (delegate, session.delegate()):
        other = session.interpreter(models.chain(), made)
        assert near(invoke(other, floats(4, 6)), invoke(session.interpreter(models.chain()), floats(4, 6))), "new"
        assert "fork" in stock.failure(session.library, made)
        del other
    assert all("fork" in node.reason and not node.taken for node in session.explain(made))
    del interpreter, delegate, made
    gc.collect()


@check
def what_the_parent_made_goes_on(session):
    for name, make in CASES:
        for deny in ("", "SOFTMAX"):
            inputs = make()
            want = invoke(session.interpreter(getattr(models, name)()), *inputs)
            delegate = session.delegate(deny=deny)
            interpreter = session.interpreter(getattr(models, name)(), delegate)
            assert near(invoke(interpreter, *inputs), want)
            assert taken(session, delegate)
            in_child("fork", go_on, session, delegate, interpreter, inputs, want)
            assert near(invoke(interpreter, *inputs), want) and not stock.failure(session.library, delegate)


def run_model(interpreter, x, want):
    assert near(invoke(interpreter, x), want)


@check
def whole_models_go_on(session):
    for name in ("digits", "digits_int8"):
        data = session.model(name)
        detail = session.interpreter(data).get_input_details()[0]
        x = (np.random.default_rng(1).random(detail["shape"]) * 16).astype(detail["dtype"])
        want = invoke(session.interpreter(data), x)
        for ran in (True, False):
            interpreter = session.interpreter(data, session.delegate())
            interpreter.allocate_tensors()
            if ran:
                assert near(invoke(interpreter, x), want)
            in_child("fork", run_model, interpreter, x, want)


def nothing():
    pass


@check
def children_that_only_end(session):
    alive = session.interpreter(models.chain(), session.delegate())
    invoke(alive, floats(4, 6))
    in_child("fork", nothing)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(abs, [-1, 2]) == [1, 2]


@check
def spawned_children_have_the_device(session):
    invoke(session.interpreter(models.chain(), session.delegate()), floats(4, 6))
    in_child("spawn", use_opencl, session.host.name, session.library, session.examples)


if __name__ == "__main__":
    sys.exit(stock.main(__doc__, device=False))
