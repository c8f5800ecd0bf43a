#!/usr/bin/env python3
"""Whole graphs in a stock host: stock_graphs.py DELEGATE.so EXAMPLES_DIR [litert|tensorflow]

One partition and several, control flow, variables, shapes that change or follow from contents, and operators that the host
has not. The host's own kernels say what is right; what they have not, NumPy. Exit status 77 (skipped) without the package or an OpenCL device.
"""
import json
import os
import sys
import tempfile

import stock
from stock import check, invoke

try:
    import numpy as np
    import stock_models as models
except ImportError as missing:
    stock.skip(f"{missing} (pip install flatbuffers numpy)")

RNG = np.random.default_rng(1)


def floats(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def delegate_nodes(interpreter):
    return sum(node["op_name"] in ("DELEGATE", "OpenCL") for node in interpreter._get_ops_details())


def same(session, model, runs, delegate):
    """One interpreter with the delegate, one without, the same runs; the former."""
    with_it, without = session.interpreter(model, delegate), session.interpreter(model)
    for number, inputs in enumerate(runs):
        for got, want in zip(invoke(with_it, *inputs), invoke(without, *inputs), strict=True):
            assert got.dtype == want.dtype and got.shape == want.shape, f"run {number}: {got.shape}, on the CPU {want.shape}"
            assert np.allclose(got, want, rtol=1e-5, atol=1e-6), f"run {number}:\n{got}\non the CPU\n{want}"
    return with_it


def taken(session, delegate):
    return {node.op for node in session.explain(delegate) if node.taken}


@check
def a_whole_graph_is_one_partition(session):
    delegate = session.delegate()
    interpreter = same(session, models.chain(), [[floats(4, 6)], [floats(4, 6)]], delegate)
    assert delegate_nodes(interpreter) == 1, delegate_nodes(interpreter)
    assert taken(session, delegate) == {"ADD", "SOFTMAX", "MUL", "TANH"}, session.explain(delegate)


@check
def constants_may_be_listed_as_inputs_and_computed_from_constants(session):
    delegate = session.delegate()
    same(session, models.listed(), [[floats(3, 6)], [floats(3, 6)], [floats(5, 6)], [floats(3, 6)]], delegate)
    assert "FULLY_CONNECTED" in taken(session, delegate), session.explain(delegate)
    same(session, models.listed(), [[floats(3, 6)], [floats(5, 6)]], session.delegate(deny="MUL"))


@check
def a_denied_operator_makes_two_partitions(session):
    delegate = session.delegate(deny="SOFTMAX")
    interpreter = same(session, models.chain(), [[floats(4, 6)], [floats(4, 6)]], delegate)
    assert delegate_nodes(interpreter) == 2, delegate_nodes(interpreter)
    assert taken(session, delegate) == {"ADD", "MUL", "TANH"}, session.explain(delegate)


@check
def only_the_largest_partition_is_kept(session):
    for options in ({"max_partitions": "1"}, {"min_nodes": "2"}):
        delegate = session.delegate(deny="SOFTMAX", **options)
        interpreter = same(session, models.chain(), [[floats(4, 6)]], delegate)
        assert delegate_nodes(interpreter) == 1 and taken(session, delegate) == {"MUL", "TANH"}, session.explain(delegate)


@check
def two_delegates_share_a_graph(session):
    first, second = session.delegate(allow="SOFTMAX"), session.delegate()
    with_both = session.interpreter(models.chain(), first, second)
    x = floats(4, 6)
    assert np.allclose(invoke(with_both, x), invoke(session.interpreter(models.chain()), x), rtol=1e-5)
    assert taken(session, first) == {"SOFTMAX"} and taken(session, second) >= {"ADD", "MUL", "TANH"}, session.explain(second)


@check
def the_default_delegate_gets_the_rest(session):
    x = floats(4, 6)
    mixed = session.interpreter(models.chain(), session.delegate(deny="SOFTMAX"), resolver="auto")
    assert np.allclose(invoke(mixed, x), invoke(session.interpreter(models.chain()), x), rtol=1e-5)


@check
def branches_are_delegated(session):
    delegate = session.delegate()
    same(session, models.choice(), [[np.array(p), floats(3, 5)] for p in (True, False, True)], delegate)
    assert {node.op for node in session.explain(delegate) if node.taken and node.graph > 0} >= {"ADD", "MUL"}, session.explain(delegate)


@check
def bodies_of_loops_are_delegated(session):
    delegate = session.delegate()
    same(session, models.loop(), [[np.array(i, np.int32), floats(2, 7)] for i in (0, 9, 10, 3)], delegate)
    assert {node.op for node in session.explain(delegate) if node.taken and node.graph > 0} >= {"MUL"}, session.explain(delegate)


@check
def loops_follow_a_resize(session):
    same(session, models.loop(), [[np.array(0, np.int32), floats(*shape)] for shape in ((2, 7), (5, 7), (1, 7), (2, 7))], session.delegate())


@check
def variables_keep_their_values(session):
    same(session, models.counter(), [[floats(4)] for _ in range(4)], session.delegate())


@check
def shapes_follow_a_resize(session):
    shapes = ((4, 6), (1, 6), (9, 2), (4, 6), (300, 5))
    for options in ({}, {"deny": "SOFTMAX"}, {"deny": "ADD+TANH"}):
        same(session, models.chain(), [[floats(*shape)] for shape in shapes], session.delegate(**options))


@check
def an_input_without_elements_is_taken(session):
    same(session, models.chain(), [[floats(4, 6)], [floats(0, 6)], [floats(2, 6)]], session.delegate())


@check
def shapes_follow_an_input_that_holds_them(session):
    runs = [[floats(*x), np.array(s, np.int32)] for x, s in (((2, 6), (3, 4)), ((2, 6), (12, 1)), ((2, 10), (5, 4)), ((2, 10), (1, 20)))]
    same(session, models.reshape_to_input(), runs, session.delegate())


@check
def shapes_follow_contents_that_the_host_finds(session):
    few = np.zeros((4, 6), np.float32)
    few[2, 3] = 1
    same(session, models.selection(), [[floats(4, 6)], [few], [floats(4, 6)], [0 * few]], session.delegate())


@check
def quantized_results_have_the_same_bits(session):
    data = session.model("digits_int8")
    with_it, without = session.interpreter(data, session.delegate(), resolver="ref"), session.interpreter(data, resolver="ref")
    detail = without.get_input_details()[0]
    for _ in range(3):
        x = RNG.integers(-128, 128, detail["shape"]).astype(detail["dtype"]) if detail["dtype"] == np.int8 else RNG.random(
            detail["shape"], np.float32)
        got, want = invoke(with_it, x)[0], invoke(without, x)[0]
        assert np.array_equal(got, want), f"{got}\non the CPU\n{want}"


@check
def an_operator_that_the_host_has_not_is_run(session):
    interpreter = session.interpreter(session.model("atan"), session.delegate())
    for count in (5, 3, 1000):
        x = np.linspace(-9, 201, count, dtype=np.float32)
        got = invoke(interpreter, x)[0]
        assert np.allclose(got, np.arctan(x + np.float32(0.99999905)), atol=1e-6), got


@check
def operators_of_files_are_run(session):
    files = f"{session.examples}/custom_kernel/soft_clip.cl:{session.examples}/custom_kernel/frame_norm.cl"
    interpreter = session.interpreter(models.custom("SoftClip", {"limit": 3.0}), session.delegate(custom_ops=files))
    for shape in ((2, 3, 4), (1, 2, 50)):
        x = 4 * floats(*shape)
        assert np.allclose(invoke(interpreter, x)[0], np.tanh(3 * np.tanh(x / 3)), atol=1e-5)


def says_why(session, model, delegate, *words):
    """The host's error about an operator that it does not have brings the delegate's reason."""
    try:
        invoke(session.interpreter(model, delegate), floats(2, 3, 4))
    except (ValueError, RuntimeError) as error:
        assert all(word in str(error) for word in words), error
        return
    raise AssertionError("no error")


@check
def a_name_in_another_case_is_told(session):
    says_why(session, session.model("atan").replace(b"Atan\0", b"aTan\0"), session.delegate(),
             "aTan, which the host does not have", "there is Atan in Atan.cl: names are case-sensitive")
    files = f"{session.examples}/custom_kernel/soft_clip.cl"
    says_why(session, models.custom("softclip", {"limit": 3.0}), session.delegate(custom_ops=files),
             "softclip, which the host does not have", "there is SoftClip in soft_clip.cl: names are case-sensitive")


@check
def a_type_that_is_not_declared_is_told(session):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "needs.cl")
        with open(path, "w", encoding="ascii") as file:
            file.write("/* oclite\noperator: SoftClip\ninput: x int32\noutput: y like x\nkernel: f(x, y)\nwork: 1 */\n"
                       "__kernel void f(__global const int* x, __global int* y) { y[0] = x[0]; }\n")
        says_why(session, models.custom("SoftClip", {"limit": 3.0}), session.delegate(custom_ops=path),
                 "x is FLOAT32, which it is not declared to be: in needs.cl it is INT32")


@check
def a_kernel_that_does_not_fit_is_told(session):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "wrong.cl")
        with open(path, "w", encoding="ascii") as file:
            file.write("/* oclite\noperator: SoftClip\ninput: x float32\noutput: y like x\nkernel: f(x, y)\nwork: 1 */\n"
                       "__kernel void f(__global const int* x, __global float* y) { y[0] = x[0]; }\n")
        try:
            session.delegate(custom_ops=path)
        except ValueError as error:
            assert "wrong.cl:7: operator SoftClip, kernel f: argument 1 of 2 (x) is __global const int*" in str(error), error
            return
        raise AssertionError("no error")


@check
def an_operator_that_nobody_has_is_an_error_of_the_host(session):
    try:
        invoke(session.interpreter(models.custom("NobodyHasIt", {}), session.delegate()), floats(2, 3, 4))
    except (ValueError, RuntimeError) as error:
        assert "NobodyHasIt" in str(error), error
        return
    raise AssertionError("no error")


@check
def options_that_are_wrong_are_named(session):
    for key, value, says in (("devize", "any", "devize"), ("precision", "float99", "float99"), ("device", "no such maker", "no such maker"),
                             ("custom_ops", __file__ + "/a.cl", "/a.cl"), ("deny", "SOFTMAXX", "did you mean SOFTMAX?"),
                             ("denny", "ADD", "did you mean deny?"), ("min_nodes", True, "is not a count")):
        try:
            session.delegate(**{key: value})
        except ValueError as error:
            assert says in str(error), error
            continue
        raise AssertionError(f"{key}={value} is accepted")


@check
def pythons_true_is_a_switch(session):
    for value in (True, False):
        session.delegate(profiling=value)


@check
def a_report_is_written(session):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "report.json")
        delegate = session.delegate(report=path, verbose=True, deny="SOFTMAX")
        interpreter = session.interpreter(session.model("digits"), delegate)
        invoke(interpreter, floats(*interpreter.get_input_details()[0]["shape"]))
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        taken = {node["op"]: node["taken"] for node in report["nodes"]}
        assert taken["CONV_2D"] and not taken["SOFTMAX"] and report["nodes_taken"] == 6, report
        assert [node["reason"] for node in report["nodes"] if not node["taken"]] == ["excluded by the options"]
        assert report["kernels"] and all(kernel["runs"] == 1 for kernel in report["kernels"]), report
        try:
            session.delegate(report=os.path.join(folder, "no", "report.json"))
        except ValueError as error:
            assert "option report" in str(error) and "No such file" in str(error), error
            return
        raise AssertionError("no error")


@check
def numbers_that_no_node_has_are_errors(session):
    same(session, models.loop(), [[np.array(i, np.int32), floats(2, 7)] for i in (0, 3)], session.delegate(deny="2"))  # of the body
    for model, number, last in ((session.model("digits"), 999, 6), (models.loop(), 3, 2)):
        try:
            session.interpreter(model, session.delegate(deny=str(number)))
        except (ValueError, RuntimeError) as error:
            assert f"option deny: there is no node {number}, the last one of the model is {last}" in str(error), error
            continue
        raise AssertionError("no error")


if __name__ == "__main__":
    sys.exit(stock.main(__doc__))
