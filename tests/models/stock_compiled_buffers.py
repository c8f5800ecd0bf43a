#!/usr/bin/env python3
"""What is copied when LiteRT's CompiledModel runs on the device: stock_compiled_buffers.py DELEGATE.so LAYER.so

The layer (tests/support/cl_layer) imitates a GPU with memory of its own, and one that shares the host's, and counts: on the first an inference brings
in its inputs once and out its outputs once, and on the second kernels work in LiteRT's buffers. Exit status 77 (skipped) without LiteRT, a device
or an OpenCL loader that has layers.
"""
import os
import re
import subprocess
import sys
import tempfile

import stock
import stock_compiled
from stock_compiled import Compiled, np

sys.path.insert(0, os.path.join(os.path.dirname(stock.HERE), "drivers"))
from on_profile import has_layers  # noqa: E402

COUNT = 16384  # floats
BYTES = 4 * COUNT
TIMES = 5


def infer(library, times):
    """In a process whose OpenCL loader has the layer: tanh(3 * softmax(x + 1))"""
    import stock_models as models
    made = stock_compiled.host(library)
    kept = stock.need_device(stock.host(), library)
    compiled = Compiled(made, models.chain((COUNT,)), stock_compiled.environment(made))
    values = np.linspace(-1, 1, COUNT, dtype=np.float32)
    for _ in range(times):
        got = compiled.run({compiled.inputs[0]["index"]: values})[compiled.outputs[0]["index"]]
    shares = np.exp(values - 1)
    assert np.allclose(got, np.tanh(3 * shares / shares.sum()), rtol=1e-4), got
    assert compiled.model.is_fully_accelerated()
    del kept


def copied(library, layer, profile, times):
    """Bytes of each kind that the process above has moved; those that were only lent are no maps."""
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "log")
        environment = dict(os.environ, OPENCL_LAYERS=layer, OCLITE_TEST_PROFILE=profile, OCLITE_TEST_LAYER_LOG=log)
        result = subprocess.run([sys.executable, __file__, library, layer, str(times)], env=environment, capture_output=True,
                                text=True, errors="replace", check=False)
        if result.returncode == 77:
            stock.skip(result.stdout)
        if result.returncode != 0:
            sys.exit(f"{profile}: exit status {result.returncode}\n{result.stdout}{result.stderr[-2000:]}")
        with open(log, encoding="utf-8") as file:
            text = file.read()
    if "refused" in text:
        sys.exit(f"{profile}: {text}")
    sizes = {name: int(size) for name, size in re.findall(r"\d+ (\w+) (\d+) bytes", text)}
    return dict(sizes, maps=sizes["maps"] - sizes["lent"])


def main():
    if len(sys.argv) == 4:
        return infer(sys.argv[1], int(sys.argv[3]))
    if len(sys.argv) != 3:
        print(__doc__)
        return 2
    library, layer = map(os.path.abspath, sys.argv[1:])
    stock_compiled.host(library)
    if not has_layers():
        stock.skip("the OpenCL loader knows no layers (ocl-icd does from 2.3.1 on)")
    wrong = 0
    for profile, want in (("nvidia", {"reads": BYTES, "writes": BYTES}), ("mali-g610", {"lent": 2 * BYTES})):
        once, often = (copied(library, layer, profile, times) for times in (1, 1 + TIMES))
        # What a process moves once, for itself, may be more in one of them.
        each = {name: moved for name in often if (moved := int((often[name] - once[name]) / TIMES)) != 0}
        print(f"{'ok' if each == want else 'WRONG'} {profile}: an inference moves {each}, and should {want}")
        wrong += each != want
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
