#!/usr/bin/env python3
"""Programs from PyPI that load libtensorflowlite_c.so run on ours: test_pypi.py PREFIX

pyopen-wakeword and pymicro-wakeword bring the reference's library along: their results with it and with ours are compared.
edgefirst-tflite is a compiled binding (Rust) with a profiler and the XNNPACK delegate, whose options have 32 bytes there.
Each is skipped where it is not installed.
"""
import json
import os
import subprocess
import sys

import client

# A second of noise, a second of a rising tone, a second of noise: what matters is that both libraries hear the same.
AUDIO = """
import json, sys
import numpy as np
rng = np.random.default_rng(1)
audio = rng.normal(size=3 * 16000) * 3000
seconds = np.arange(16000) / 16000
audio[16000:32000] += 8000 * np.sin(2 * np.pi * (300 + 400 * seconds) * seconds)
audio = audio.astype(np.int16).tobytes()
library = sys.argv[1] or None
"""
OPEN = AUDIO + """
from pyopen_wakeword import Model, OpenWakeWord, OpenWakeWordFeatures
features = OpenWakeWordFeatures.from_builtin(libtensorflowlite_c_path=library)
words = [OpenWakeWord.from_builtin(model, libtensorflowlite_c_path=library) for model in Model]
chunks = [audio[i:i + 2560] for i in range(0, len(audio), 2560)]
embeddings = [e for chunk in chunks for e in features.process_streaming(chunk)]
print(json.dumps([p for e in embeddings for word in words for p in word.process_streaming(e)]))
"""
MICRO = AUDIO + """
from pymicro_wakeword import MicroWakeWord, MicroWakeWordFeatures, Model
words = [MicroWakeWord.from_builtin(model, libtensorflowlite_c_path=library) for model in Model]
features = list(MicroWakeWordFeatures().process_streaming(audio))
print(json.dumps([word.process_streaming_prob(f) for f in features for word in words]))
"""
EDGE = """
import json, os, sys
import numpy as np, pyopen_wakeword
from edgefirst_tflite import Interpreter, Profiler, xnnpack_delegate
profiler = Profiler()
path = os.path.join(os.path.dirname(pyopen_wakeword.__file__), "models", "okay_nabu.tflite")
library = sys.argv[1] or os.path.join(os.path.dirname(pyopen_wakeword.__file__), "lib", "libtensorflowlite_c.so")
interpreter = Interpreter(model_path=path, library_path=library, num_threads=2, profiler=profiler)
delegated = Interpreter(model_path=path, library_path=library, experimental_delegates=[xnnpack_delegate(2, library_path=library)])
shape = interpreter.get_input_details()[0]["shape"]
for made in (interpreter, delegated):
    made.set_tensor(0, np.random.default_rng(2).normal(size=shape).astype(np.float32))
    made.invoke()
events = profiler.events() if callable(profiler.events) else profiler.events
assert len(events) > 0 and all(event.op_name for event in events), events
assert [event.op_idx for event in events] == sorted(event.op_idx for event in events)
print(json.dumps([*interpreter.get_output_tensor(0).flatten().tolist(), *delegated.get_output_tensor(0).flatten().tolist()]))
"""


def installed(*modules):
    check = subprocess.run([sys.executable, "-c", "import " + ", ".join(modules)], capture_output=True, check=False)
    return check.returncode == 0


def run(program, library):
    result = subprocess.run([sys.executable, "-c", program, library], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"with {library or 'its own library'}: exit status {result.returncode}\n{result.stdout}{result.stderr}")
    return json.loads(result.stdout.strip().split("\n")[-1])


def main():
    ours = client.library(sys.argv[1])
    programs = (
        # Float models: sums are rounded in another order.
        ("pyopen-wakeword", OPEN, ("pyopen_wakeword",), 1e-5),
        # 8-bit models with a memory: the reference's library runs them by XNNPACK, which rounds otherwise than the reference
        # kernels, whose results ours are exactly; what a model remembers drifts by some steps of 1/256.
        ("pymicro-wakeword", MICRO, ("pymicro_wakeword",), 8 / 256),
        ("edgefirst-tflite", EDGE, ("edgefirst_tflite", "pyopen_wakeword"), 1e-5),
    )
    ran = 0
    for name, program, modules, tolerance in programs:
        if not installed(*modules):
            print(f"{name}: skipped, not installed (pip install {name})")
            continue
        found, expected = run(program, ours), run(program, "")
        assert len(found) == len(expected) > 0, (name, len(found), len(expected))
        worst = max(abs(a - b) for a, b in zip(found, expected))
        print(f"{name}: {len(found)} results, largest difference {worst:.2g}, largest result {max(expected):.2g}")
        assert worst <= tolerance, (name, worst)
        ran += 1
    return 0 if ran else client.SKIPPED


if __name__ == "__main__":
    sys.exit(main())
