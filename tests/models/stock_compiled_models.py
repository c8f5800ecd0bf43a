#!/usr/bin/env python3
"""Whole models in LiteRT's CompiledModel: stock_compiled_models.py DELEGATE.so FOLDER [MODEL ...]

The device that the accelerator brings gives the outputs, to the bit, that LiteRT's interpreter has with the delegate, and its report says
how many nodes it took and that kernels ran, also where the device is the only one: that runs a model which it takes whole, and
refuses others. What CompiledModel refuses has to be refused by its CPU alone as well. Without a MODEL all of the folder. Exit status 77
(skipped) without LiteRT, models or a device.
"""
import glob
import os
import sys

import compare
import stock
import stock_compiled
from compare import np

# Strings are nothing that its buffers hold; operators that no runtime from PyPI has, and a SQUEEZE of dimensions that are not 1.
NOT_RUN = compare.NOT_RUN | {"whitespace_tokenizer_to_tensor", "whitespace_tokenizer_to_ragged_1d_input", "whitespace_tokenizer_to_ragged_2d_input"}


def interpreted(data, library, whole):
    """Inputs and outputs by index, of the interpreter with the delegate."""
    interpreter = compare.Interpreter(model_content=data, num_threads=1, experimental_delegates=[
        stock.host().load_delegate(library, {"device": "any"})])
    interpreter.allocate_tensors()
    details = interpreter.get_input_details()
    values = {detail["index"]: value for detail, value in zip(details, compare.seeded(details, whole))}
    for index, value in values.items():
        interpreter.set_tensor(index, value)
    interpreter.invoke()
    return values, {detail["index"]: interpreter.get_tensor(detail["index"]) for detail in interpreter.get_output_details()}


def answers(data, library):
    try:
        return interpreted(data, library, 4)
    except RuntimeError:  # an index that is too large
        return interpreted(data, library, 0)


def same(got, want):
    return got.keys() == want.keys() and all(
        got[i].shape == want[i].shape and np.array_equal(got[i], want[i], equal_nan=want[i].dtype.kind == "f") for i in want)


def cpu_refuses(made, within, data, values):
    try:
        stock_compiled.Compiled(made, data, within, made.Hardware.CPU).run(values)
        return False
    except RuntimeError:
        return True


def run(made, within, data, values, hardware=None):
    """Outputs, the delegate's report, and whether LiteRT says that no node is left."""
    with stock_compiled.Options() as told:
        compiled = stock_compiled.Compiled(made, data, within, hardware)
        got = compiled.run(values)
        whole = compiled.model.is_fully_accelerated()
        del compiled
        return got, told.report(), whole


def check(made, within, data, library):
    """What is wrong, and what was found."""
    values, want = answers(data, library)
    try:
        got, report, whole = run(made, within, data, values)
    except RuntimeError as error:
        refused = cpu_refuses(made, within, data, values)
        return [] if refused else [str(error)], "refused by CompiledModel on its CPU, too"
    taken, asked, ran = report["nodes_taken"], report["nodes_asked"], sum(kernel["runs"] for kernel in report["kernels"])
    takes_all, wrong = taken == asked, []
    if not same(got, want):
        wrong.append("other outputs than the interpreter's")
    if taken == 0 or ran == 0 or takes_all != whole:
        wrong.append(f"nothing ran on the device, or LiteRT says the opposite ({whole})")
    found = f"{taken} of {asked} nodes on the device, {ran} kernels ran"
    try:
        alone, _, whole = run(made, within, data, values, made.Hardware.GPU)
        if not takes_all or not whole or not same(alone, want):
            wrong.append("the device alone gives other outputs, or runs what it has not taken")
    except RuntimeError as error:
        if takes_all:
            wrong.append(f"the device alone: {error}")
        found += ", refused for the device alone"
    return wrong, found


def main():
    if len(sys.argv) < 3:
        print(__doc__)
        return 2
    library, folder, *names = sys.argv[1:]
    made = stock_compiled.host(library)
    kept = stock.need_device(stock.host(), os.path.abspath(library))
    paths = [os.path.join(folder, f"{name}.tflite") for name in names] or sorted(
        glob.glob(os.path.join(folder, "**", "*.tflite"), recursive=True))
    if not paths or not os.path.exists(paths[0]):
        stock.skip(f"no models in {folder}")
    within, count = stock_compiled.environment(made), 0
    for path in paths:
        name = os.path.basename(path)[:-len(".tflite")]
        if name in NOT_RUN:
            continue
        with open(path, "rb") as file:
            wrong, found = check(made, within, compare.loadable(file.read()), library)
        print("; ".join([f"{'WRONG' if wrong else 'ok':5} {name}: {found}", *wrong]), flush=True)
        count += bool(wrong)
    print(f"LiteRT {made.version}: {count} wrong")
    del kept
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
