#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes docs/images/serve.png anew: the page of oclite serve in headless Chromium, with models that are at work.

serve_image.py LIBRARIES   (a build's folder; needs Chromium, and a Python with what bindings/python/tests/scale.txt names)
"""
import os
import re
import signal
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tests", "tools"))
import chromium
import numpy as np
import tritonclient.http

MODELS = os.path.join(ROOT, "examples", "models")
NAMES = ("shapes_label", "shapes_segment", "digits_int8")


def ask(address, name, stop, pause):
    """A client that asks for ever, with zeros."""
    with tritonclient.http.InferenceServerClient(address) as client:
        (given,) = client.get_model_metadata(name)["inputs"]
        kind = np.dtype({"FP32": "f4", "UINT8": "u1", "INT8": "i1"}[given["datatype"]])
        shape = [abs(length) for length in given["shape"]]
        x = tritonclient.http.InferInput(given["name"], shape, given["datatype"]).set_data_from_numpy(np.zeros(shape, kind))
        while not stop.is_set():
            client.infer(name, [x])
            time.sleep(pause)


def shoot(address):
    stop = threading.Event()
    clients = [threading.Thread(target=ask, args=(address, name, stop, pause)) for name, pause in zip(NAMES, (0.01, 0.03, 0.02))]
    browser = chromium.Browser(chromium.find())
    for client in clients:
        client.start()
    try:
        browser.set_screen(1100, 640)
        browser.open(f"http://{address}/")
        time.sleep(1)
        browser.evaluate("document.getElementById('model').value = 'shapes_label/1'")
        browser.choose_file("#file", os.path.join(MODELS, "triangle.jpg"))
        time.sleep(4)
        return browser.screenshot()
    finally:
        browser.close()
        stop.set()
        for client in clients:
            client.join()


def main(libraries):
    command = [sys.executable, "-m", "oclite", "serve", "--port", "0", "--grpc-port", "none", *(os.path.join(MODELS, f"{name}.tflite") for name in NAMES)]
    environment = {**os.environ, "OCLITE_LIBRARY_DIR": os.path.abspath(libraries), "PYTHONPATH": os.path.join(ROOT, "bindings", "python")}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as server:
        try:
            picture = shoot(re.search(r"http://(\S+)", server.stdout.readline())[1])
        finally:
            server.send_signal(signal.SIGTERM)
    with open(os.path.join(ROOT, "docs", "images", "serve.png"), "wb") as out:
        out.write(picture)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
