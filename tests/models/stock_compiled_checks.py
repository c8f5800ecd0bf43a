#!/usr/bin/env python3
"""The device in LiteRT's CompiledModel: stock_compiled_checks.py DELEGATE.so EXAMPLES_DIR [litert]

Environments and models that come and go in all orders, threads, options, shapes and control flow, mistakes, a machine without OpenCL. Exit
status 77 (skipped) without the package, or an OpenCL device.
"""
import gc
import itertools
import os
import subprocess
import sys
import tempfile

import stock
import stock_compiled
from stock import check, invoke
from stock_compiled import Compiled, Options, errors

try:
    import numpy as np
    import stock_models as models
    from stock_values import floats, near, run_threads
except ImportError as missing:
    stock.skip(f"{missing} (pip install flatbuffers numpy)")


def host(session):
    return stock_compiled.host(session.library)


def interpreted(session, model, *values, **options):
    return invoke(session.interpreter(model, session.delegate(**options)), *values)


def run(compiled, *values):
    """Outputs, of inputs in the order of the model's."""
    got = compiled.run({detail["index"]: value for detail, value in zip(compiled.inputs, values)})
    return [got[detail["index"]] for detail in compiled.outputs]


def image(seed=1):
    return floats(1, 8, 8, 1, seed=seed)


@check
def an_environment_lasts_as_long_as_it_is_needed(session):
    made, model = host(session), session.model("digits")
    want = interpreted(session, model, image())
    for order in itertools.permutations(("environment", "first", "second")):
        held = {"environment": stock_compiled.environment(made)}
        held["first"], held["second"] = (Compiled(made, model, held["environment"]) for _ in range(2))
        for name in order:
            if name == "environment":
                held[name].close()
            del held[name]
            gc.collect()
            for compiled in (held[other] for other in ("first", "second") if other in held):
                assert near(run(compiled, image())[0], want[0]), order


@check
def environments_are_made_twice(session):
    made, model = host(session), session.model("digits")
    want = interpreted(session, model, image())
    first, second = stock_compiled.environment(made), stock_compiled.environment(made)
    compiled = [Compiled(made, model, first), Compiled(made, model, second)]
    assert all(near(run(one, image())[0], want[0]) for one in compiled)
    first.close()
    del first, compiled[0]
    gc.collect()
    assert near(run(compiled[0], image())[0], want[0])
    assert near(run(Compiled(made, model, second), image())[0], want[0])


@check
def threads_have_models_of_their_own(session):
    made, model, shared = host(session), session.model("digits"), stock_compiled.environment(host(session))
    wants = [interpreted(session, model, image(seed))[0] for seed in range(4)]

    def work(number):
        compiled = Compiled(made, model, shared if number % 2 else stock_compiled.environment(made))
        for _ in range(20):
            assert near(run(compiled, image(number))[0], wants[number])

    run_threads(work, 4)


@check
def buffers_change_between_inferences(session):
    made, model = host(session), session.model("digits")
    compiled = Compiled(made, model, stock_compiled.environment(made))
    sets = [compiled.buffers()]
    compiled.made = None
    sets.append(compiled.buffers())
    for number in range(6):
        compiled.made = sets[number % 2]
        assert near(run(compiled, image(number))[0], interpreted(session, model, image(number))[0]), number


@check
def shapes_change(session):
    made = host(session)
    compiled = Compiled(made, models.chain(), stock_compiled.environment(made))
    for rows in (4, 9, 2):
        compiled.model.resize_input_tensor(0, [rows, 6], strict=False)
        compiled.outputs, compiled.made = list(compiled.model.get_output_tensor_details(compiled.key).values()), None
        got, values = run(compiled, floats(rows, 6))[0], floats(rows, 6)
        assert near(got, interpreted(session, models.chain(), values)[0]), rows


@check
def control_flow_runs(session):
    made = host(session)
    within = stock_compiled.environment(made)
    for model, values in ((models.loop(), (np.array(3, np.int32), floats(2, 7))), (models.choice(), (np.array(True), floats(3, 5)))):
        with Options() as told:
            compiled = Compiled(made, model, within)
            assert all(map(near, run(compiled, *values), interpreted(session, model, *values)))
            del compiled
            assert told.report()["nodes_taken"] > 0


@check
def options_are_those_of_the_variable_and_of_the_model(session):
    made, model = host(session), session.model("digits")
    within, both = stock_compiled.environment(made), made.Hardware.GPU | made.Hardware.CPU
    want = interpreted(session, model, image())
    for given, left in (({"deny": "SOFTMAX"}, ["SOFTMAX"]), ({"partition": "none"}, None), ({"precision": "float16"}, [])):
        with Options(**given) as told:
            compiled = Compiled(made, model, within, options=made.Options(both, gpu_options=made.GpuOptions(
                enforce_f32=True, constant_tensor_sharing=True, infinite_float_capping=True, hint_waiting_for_completion=True)))
            assert np.allclose(run(compiled, image())[0], want[0], atol=1e-2)
            del compiled
            nodes = told.report()["nodes"]
            assert [node["op"] for node in nodes if not node["taken"]] == (left if left is not None else [node["op"] for node in nodes])
            # The variable counts before what the model says: float32.
            assert any(node.get("float16") for node in nodes) == ("precision" in given), nodes


@check
def the_device_alone_takes_all(session):
    """Where nobody names a partition mode; LiteRT 2.2 does not tell who is alone."""
    made, model = host(session), session.model("digits")
    within, mode = stock_compiled.environment(made), os.environ.pop("OCLITE_OPENCL_PARTITION", None)
    try:
        if not made.version.startswith("2.2."):
            compiled = Compiled(made, model, within, made.Hardware.GPU)
            assert compiled.model.is_fully_accelerated()
            assert near(run(compiled, image())[0], interpreted(session, model, image(), partition="all")[0])
        with Options(deny="SOFTMAX", partition="all"):
            said, error = errors(lambda: Compiled(made, model, within, made.Hardware.GPU))
            assert error is not None and ("not accelerated" in str(error) or made.version.startswith("2.2.")), (said, error)
    finally:
        if mode is not None:
            os.environ["OCLITE_OPENCL_PARTITION"] = mode


@check
def operators_that_fail_on_the_host_are_taken(session):
    """CompiledModel has a MaxUnpooling2D that only fails; the interpreter has none. On neither is it faster on the device."""
    made, values, places = host(session), floats(1, 2, 2, 1), np.array([0, 1, 2, 3], np.float32).reshape(1, 2, 2, 1)
    with Options(partition="cost") as told:
        compiled = Compiled(made, models.unpooling(), stock_compiled.environment(made))
        got = run(compiled, values, places)[0]
        del compiled
        assert told.report()["nodes_taken"] == 1
    want = np.zeros((4, 4), np.float32)
    want[[0, 0, 3, 3], [0, 3, 0, 3]] = values.reshape(-1)
    assert near(got.reshape(4, 4), want), got


@check
def mistakes_are_errors(session):
    made, model = host(session), session.model("digits")
    within = stock_compiled.environment(made)
    for given, says in (({"devise": "any"}, 'option "devise": there is none of that name; did you mean device?'),
                        ({"deny": "9999"}, "option deny: there is no node 9999"), ({"device": "quux"}, "quux"),
                        ({"cache_dir": session.library}, session.library)):
        with Options(**given):
            said, error = errors(lambda: Compiled(made, model, within))
            assert error is not None and says in said, f"{given}: {error}, {said[-600:]}"
    os.environ[stock_compiled.VARIABLE] = "verbose"
    try:
        said, error = errors(lambda: Compiled(made, model, within))
        assert error is not None and 'OCLITE_OPENCL_OPTIONS: "verbose" has no value' in said, said[-600:]
    finally:
        del os.environ[stock_compiled.VARIABLE]
    for length in (0, 7, 1000, len(model) - 100):
        said, error = errors(lambda: Compiled(made, model[:length], within))  # pylint: disable=cell-var-from-loop
        assert error is not None, length
    assert near(run(Compiled(made, model, within), image())[0], interpreted(session, model, image())[0])


WITHOUT = """
import sys
sys.path.insert(0, sys.argv[1])
import stock_compiled
from stock_compiled import Compiled
made = stock_compiled.host(sys.argv[2])
within = stock_compiled.environment(made)
with open(sys.argv[3], "rb") as file:
    model = file.read()
for hardware in (made.Hardware.GPU | made.Hardware.CPU, made.Hardware.GPU):
    try:
        Compiled(made, model, within, hardware)
        sys.exit("a model was made")
    except RuntimeError as error:
        print("refused")
compiled = Compiled(made, model, within, made.Hardware.CPU)
compiled.run({detail["index"]: stock_compiled.np.zeros(detail["shape"], detail["dtype"]) for detail in compiled.inputs})
print("goes on")
"""


@check
def without_opencl_there_is_an_error(session):
    model = os.path.join(session.examples, "models", "digits.tflite")
    with tempfile.TemporaryDirectory() as folder:
        result = subprocess.run([sys.executable, "-c", WITHOUT, stock.HERE, session.library, model], capture_output=True, text=True,
                                env=dict(os.environ, OCL_ICD_VENDORS=folder, OCL_ICD_FILENAMES=""), errors="replace", check=False)
    assert result.returncode == 0 and result.stdout.split("\n")[:3] == ["refused", "refused", "goes on"], result.stdout + result.stderr[-600:]
    assert result.stderr.count("ERROR: [oclite] OpenCL: no platform: libOpenCL.so.1 is here, but no driver") == 2, result.stderr[-900:]


if __name__ == "__main__":
    sys.exit(stock.main(__doc__))
