#!/usr/bin/env python3
"""Runs examples/label_image on a known picture: label_image.py PROGRAM FOLDER, with models/ and images/ in FOLDER.

The first line that it prints must name what is on the picture. Exit status 77 when the files are not there.
"""
import os
import subprocess
import sys

MODELS = ["mobilenet_v1_0.25_224.tflite", "mobilenet_v2_1.0_224_quant.tflite", "tf2_mobilenet_v2_1.0_224_ptq.tflite"]
EXPECTED = "military uniform"


def main():
    program, folder = sys.argv[1:]
    picture = os.path.join(folder, "images", "grace_hopper.bmp")
    labels = os.path.join(folder, "images", "imagenet_labels.txt")
    models = [path for path in (os.path.join(folder, "models", name) for name in MODELS) if os.path.exists(path)]
    if not models or not os.path.exists(picture) or not os.path.exists(labels):
        print(f"skipped: no models or pictures in {folder}")
        return 77
    failures = 0
    for model in models:
        result = subprocess.run([program, model, picture, labels], capture_output=True, text=True, check=False)
        lines = result.stdout.splitlines()
        good = result.returncode == 0 and len(lines) == 6 and EXPECTED in lines[1]
        failures += not good
        print(f"{os.path.basename(model)}: {lines[1] if len(lines) > 1 else result.stderr}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
