#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of the documents with the jar that was built: examples.py SOURCE BUILD SHARED

In a folder of its own, in which build/release is the build. Exit status 77 (skipped) where the examples are not built.
"""
import os
import subprocess
import sys
import tempfile

COMPILE = "javac -cp build/release/oclite.jar -d build/release/examples-java bindings/java/examples/Atan.java"
RUN = "java -cp build/release/oclite.jar:build/release/examples-java Atan"
LABEL = "java -cp build/release/oclite.jar bindings/java/examples/LabelImage.java MODEL.tflite IMAGE.bmp LABELS.txt"
SAID = {"bindings/java/README.md": [COMPILE, RUN, RUN + " build/release/libatan_library.so", LABEL], "docs/INSTALL.md": [COMPILE, RUN],
        "docs/OWN_OPERATORS.md": [COMPILE, RUN, RUN + " build/release/libatan_library.so"], "README.md": [COMPILE, RUN]}
# What TensorFlow has trained the model for.
ATAN = {-8.0: -1.4288993, 0.5: 0.98279375, 2.0: 1.2490457, 2.2: 1.2679114, 201.0: 1.5658458}
SKIPPED = 77


def run(command, folder):
    result = subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"{command}: exit status {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def check_atan(output):
    lines = dict(line.split(" = ") for line in output.strip().split("\n"))
    for x, y in ATAN.items():
        if abs(float(lines[f"atan({x} + 1)"]) - y) > 1e-6:
            sys.exit(f"atan({x} + 1) is {y}:\n{output}")
    print(output.strip())


def check_libraries(folder):
    """The jar's libraries leave nothing behind, and a folder that has none is told."""
    temporary = os.path.join(folder, "temporary")
    os.mkdir(temporary)
    check_atan(run(RUN.replace("java ", f"umask 0; java -Djava.io.tmpdir={temporary} ", 1), folder))
    if os.listdir(temporary):
        sys.exit(f"left in the folder for temporary files: {os.listdir(temporary)}")
    command = RUN.replace("java ", f"java -Dorg.oclite.library.path={temporary} ", 1)
    result = subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, text=True, check=False)
    if result.returncode == 0 or f"there is no {temporary}/liboclite_jni.so" not in result.stderr:
        sys.exit(f"a folder without libraries: exit status {result.returncode}\n{result.stderr}")


def check_labels(folder, shared):
    model, image, labels = (os.path.join(shared, name) for name in ("models/mobilenet_v1_0.25_224.tflite", "images/grace_hopper.bmp",
                                                                    "images/imagenet_labels.txt"))
    if not all(map(os.path.exists, (model, image, labels))):
        print("LabelImage: skipped, there are no models beside the checkout")
        return
    output = run(LABEL.replace("MODEL.tflite", model).replace("IMAGE.bmp", image).replace("LABELS.txt", labels), folder)
    if not any(word in output.split("\n")[0] for word in ("suit", "military uniform")):
        sys.exit(f"LabelImage: the picture is none of {output}")
    print(output.strip())


def main():
    source, build, shared = (os.path.abspath(path) for path in sys.argv[1:])
    for document, commands in SAID.items():
        with open(os.path.join(source, document), encoding="utf-8") as file:
            lines = file.read().split("\n")
        for command in commands:
            if f"    {command}" not in lines:
                sys.exit(f"{document} does not say {command!r}")
    if not os.path.exists(os.path.join(build, "libatan_library.so")):
        print("skipped: the examples are not built")
        return SKIPPED
    with tempfile.TemporaryDirectory() as folder:
        os.makedirs(os.path.join(folder, "build", "release"))
        for name in ("bindings", "examples"):
            os.symlink(os.path.join(source, name), os.path.join(folder, name))
        for name in ("oclite.jar", "libatan_library.so"):
            os.symlink(os.path.join(build, name), os.path.join(folder, "build", "release", name))
        run(COMPILE, folder)
        check_atan(run(RUN, folder))
        check_atan(run(RUN + " build/release/libatan_library.so", folder))
        check_libraries(folder)
        check_labels(folder, shared)
    return 0


if __name__ == "__main__":
    sys.exit(main())
