#!/usr/bin/env python3
"""Runs an example: test_examples.py WHAT NAME PROGRAM SOURCE SHARED LIBRARIES

WHAT is
  own     the program in C on the project's own models and files; some also on OpenCL
  cpu     the same without OpenCL
  python  the same in Python, which has to tell and to draw the same; exit status 77 without NumPy or Pillow
  shared  both on models of others, in SHARED/models and SHARED/images; exit status 77 where they are not
SOURCE is the checkout, LIBRARIES the folder of the built libraries.
"""
import contextlib
import io
import os
import runpy
import subprocess
import sys
import tempfile
import traceback
from unittest import mock

SKIPPED = 77
BEST = {"label_image": "triangle", "detect_objects": "square, ", "segment_image": "background", "classify_audio": "rising", "classify_text": "timer"}
OWN = {"label_image": [("shapes_label.tflite", "triangle.jpg"), ("shapes_label.tflite", "scene.png", "--top", "2"),
                       ("shapes_label.tflite", "triangle.jpg", "--mean", "100", "--std", "90.5"), ("digits.tflite", "scene.png", "--labels", "DIGITS"),
                       ("digits_int8.tflite", "scene.png", "--labels", "DIGITS", "--mean", "0", "--std", "255")],
       "detect_objects": [("shapes_detect.tflite", "scene.png"), ("shapes_detect.tflite", "triangle.jpg", "--threshold", "0.9")],
       "segment_image": [("shapes_segment.tflite", "scene.png"), ("shapes_segment.tflite", "triangle.jpg")],
       "classify_audio": [("sounds.tflite", "rising.wav"), ("sounds.tflite", "rising.wav", "--top", "1")],
       "classify_text": [("requests.tflite", "Set a timer for ten minutes, please!"), ("requests.tflite", "play some jazz in the kitchen"),
                         ("requests.tflite", "Will it rain tomorrow?"), ("requests.tflite", "it is too dark upstairs"), ("requests.tflite", "???")]}
ON_OPENCL = ("label_image", "detect_objects")  # a driver compiles for seconds
LABELS, BIRDS = "imagenet_labels.txt", ("mobilenet_v1_0.25_224.tflite", "mobilenet_v2_1.0_224_quant.tflite", "tf2_mobilenet_v2_1.0_224_ptq.tflite")
SHARED = {"label_image": [(model, picture + kind, "--labels", LABELS, best) for kind in (".bmp", ".png", ".jpg") for model in BIRDS
                          for picture, best in (("bird", "chickadee"), ("cat", "Egyptian cat"), ("grace_hopper", "military uniform"))
                          if kind == ".bmp" or (model == BIRDS[2] and picture == "cat")] + [(BIRDS[2], "cat.bmp", "Egyptian cat")],
          "detect_objects": [("ssd_mobilenet_v1.tflite", "cat.bmp", "--labels", "coco_labels.txt", "cat, ")],
          "segment_image": [("deeplabv3_257_mv_gpu.tflite", "dog_segmentation_256.bmp", "--labels", "pascal_voc_segmentation_labels.txt", "dog")],
          "classify_audio": [("yamnet.tflite", "sound.wav", "Sine wave")]}


class Runner:
    def __init__(self, name, program, source, shared, libraries, folder):
        self.name, self.program, self.folder, self.shared = name, os.path.abspath(program), folder, shared
        self.models = os.path.join(source, "examples", "models")
        self.script = os.path.join(source, "examples", name, name + ".py")
        os.environ["OCLITE_LIBRARY_DIR"] = libraries
        sys.path.insert(0, os.path.join(source, "bindings", "python"))
        with open(os.path.join(folder, "DIGITS"), "w", encoding="ascii") as out:
            out.write("".join(f"{digit}\n" for digit in range(10)))
        self.faults = 0

    def find(self, word):
        """Where a word of the command line is a file, its path."""
        places = (self.folder, self.models, os.path.join(self.shared, "models"), os.path.join(self.shared, "images"))
        return next((path for path in (os.path.join(place, word) for place in places) if os.path.isfile(path)), word)

    def run(self, words, is_python=False):
        draws = self.name in ("detect_objects", "segment_image")
        out = ["--out", self.out(is_python)] if draws else []
        arguments = [*map(self.find, words), *out]
        if is_python:
            return run_here(self.script, arguments)
        return subprocess.run([self.program, *arguments], capture_output=True, text=True, check=False)

    def out(self, is_python):
        return os.path.join(self.folder, f"{'python' if is_python else 'c'}.png")

    def fault(self, words, why):
        print(f"{self.name} {' '.join(words)}: {why}")
        self.faults += 1

    def succeed(self, words, best=None, is_python=False):
        """What it prints, which names `best` in its first line, or in any of detected or segmented areas."""
        result = self.run(words, is_python)
        lines = result.stdout.splitlines()
        if result.returncode != 0 or result.stderr:
            self.fault(words, f"exit status {result.returncode}: {result.stderr}")
        where = lines if self.name in ("detect_objects", "segment_image") else lines[:1]
        if best is not None and not any(best in line for line in where):
            self.fault(words, f"{best} is not in {lines}")
        return result.stdout

    def agree(self, words, best=None):
        """Both languages tell the same, and draw the same pixels."""
        told = self.succeed(words, best)
        other = self.succeed(words, best, is_python=True)
        if told != other:
            self.fault(words, f"C tells\n{told}and Python\n{other}")
        if os.path.exists(self.out(True)) and pixels(self.out(True)) != pixels(self.out(False)):
            self.fault(words, "C and Python draw other pixels")

    def fail(self, words, *says):
        """Both fail in one line that says why; what the library says goes before it."""
        for is_python in (False, True) if self.is_python() else (False,):
            result = self.run(words, is_python)
            missing = [word for word in says if word not in result.stderr]
            if result.returncode not in (1, 2) or missing or "Traceback" in result.stderr:
                self.fault(words, f"exit status {result.returncode}, {missing} is not in {result.stderr!r}")

    def is_python(self):
        return sys.argv[1] == "python"


def run_here(script, arguments):
    """What a process would do, which would have to load NumPy and Pillow each time."""
    out, err, status = io.StringIO(), io.StringIO(), 0
    with mock.patch.object(sys, "argv", [script, *arguments]), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            runpy.run_path(script, run_name="__main__")
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 1
            if isinstance(end.code, str):
                print(end.code, file=err)
        except Exception:  # pylint: disable=broad-except
            status = 3
            traceback.print_exc(file=err)
    return subprocess.CompletedProcess(script, status, out.getvalue(), err.getvalue())


def pixels(path):
    from PIL import Image
    with Image.open(path) as picture:
        return picture.size, picture.convert("RGB").tobytes()


DOCUMENTED = {"detect_objects": "detected.png", "segment_image": "segmented.png"}


def check_documented(runner, source):
    """The documents show what the example draws of scene.png."""
    picture = os.path.join(source, "docs", "images", DOCUMENTED[runner.name])
    words = OWN[runner.name][0]
    runner.succeed(words)
    (size, drawn), (other_size, shown) = pixels(runner.out(False)), pixels(picture)
    # Instruction sets round differently, so that an edge may lie a pixel further.
    if size != other_size or sum(a != b for a, b in zip(drawn, shown)) > len(drawn) // 100:
        runner.fault(words, f"it draws something else than {picture}: make it anew with --out")


def check_own(runner):
    for number, words in enumerate(OWN[runner.name]):
        best = BEST[runner.name] if number == 0 else None
        if runner.is_python():
            runner.agree(words, best)
        else:
            runner.succeed(words, best)
    check_errors(runner)


def write(path, content):
    with open(path, "wb") as out:
        out.write(content)
    return path


def check_errors(runner):
    """Files that are missing, cut off, or of another kind; and another model's labels."""
    model, given = OWN[runner.name][0]
    one = write(os.path.join(runner.folder, "one.txt"), b"one\n")
    none = os.path.join(runner.folder, "none")
    runner.fail((none, given), "none")
    runner.fail((write(os.path.join(runner.folder, "cut.tflite"), b"TFL3" * 100), given), "not a valid Flatbuffer")
    runner.fail((model, given, "--labels", none), "none")
    runner.fail((model, given, "--labels", one), "there are 1 names")
    runner.fail((model, given, "--wings", "2"), "--wings")
    runner.fail((model, given, "--delegate", "abacus"), "no delegate 'abacus'")
    runner.fail((model, given, "--delegate", "opencl:device=abacus"), "abacus")
    runner.fail((model,))
    if runner.name == "classify_text":
        runner.fail(("sounds.tflite", "text"), "no tokenizer")
        runner.fail((model, given, "--vocabulary", one), "no number for <UNKNOWN>")
        runner.fail((model, given, "--vocabulary", write(os.path.join(runner.folder, "large.txt"), b"<PAD> 2147483647\n<UNKNOWN> 1\n")), "integers of 32 bits")
        runner.fail((model, given, "--vocabulary", write(os.path.join(runner.folder, "far.txt"), b"<PAD> 9999\n<UNKNOWN> 1\n")), "9999")
        return
    runner.fail((model, none), "none")
    with open(runner.find(given), "rb") as source:
        content = source.read()
    for size in (0, 3, 20, 60, len(content) // 2, len(content) - 40):
        runner.fail((model, write(os.path.join(runner.folder, "cut" + os.path.splitext(given)[1]), content[:size])), "cut.")
    if runner.name == "classify_audio":
        other = bytearray(content)
        other[24:28] = (16000).to_bytes(4, "little")
        runner.fail((model, write(os.path.join(runner.folder, "fast.wav"), other)), "16000 samples a second, and the model takes 8000")
        runner.fail((model, "scene.png"), "no WAV file")
    else:
        runner.fail(("atan.tflite", given, "--labels", one))
        runner.fail((model, "rising.wav"), "no picture")
        runner.fail((model, given, "--std", "x"), "--std")
        runner.fail((model, given, "--std", "0"), "cannot be normalized by mean 127.5 and std 0")


def check_opencl(runner):
    """On the device the answers are the same."""
    words = OWN[runner.name][0]
    result = runner.run((*words, "--delegate", "opencl:partition=all"))
    if result.returncode == 1 and "no OpenCL delegate" in result.stderr:
        print("without OpenCL:", result.stderr.strip())
    elif result.returncode != 0 or BEST[runner.name] not in result.stdout:
        runner.fault(words, f"on OpenCL: {result.stdout} {result.stderr}")


def write_pictures(shared, folder):
    """The same pictures in other formats."""
    from PIL import Image
    with Image.open(os.path.join(shared, "images", "cat.bmp")) as picture:
        for kind in ("jpg", "png"):
            picture.save(os.path.join(folder, "cat." + kind))


def write_sound(folder):
    """A second and a half of a pure tone."""
    import math
    import wave
    with wave.open(os.path.join(folder, "sound.wav"), "wb") as out:
        out.setparams((1, 2, 16000, 0, "NONE", ""))
        samples = (int(20000 * math.sin(i * 2 * math.pi * 440 / 16000)) for i in range(24000))
        out.writeframes(b"".join(sample.to_bytes(2, "little", signed=True) for sample in samples))


def check_shared(runner):
    for *words, best in SHARED[runner.name]:
        runner.agree(words, best)


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def main():
    what, name, program, source, shared, libraries = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        if what in ("python", "shared"):
            try:
                import numpy  # noqa: F401
                import PIL  # noqa: F401
            except ImportError as missing:
                skip(f"this Python lacks something ({missing})")
        if what == "shared" and not os.path.exists(os.path.join(shared, "models", SHARED[name][0][0])):
            skip(f"no {SHARED[name][0][0]} in {shared}/models")
        runner = Runner(name, program, source, shared, libraries, folder)
        if what == "shared":
            write_pictures(shared, folder)
            write_sound(folder)
            check_shared(runner)
        else:
            check_own(runner)
            if what == "python" and name in DOCUMENTED:
                check_documented(runner, source)
            if what == "own" and name in ON_OPENCL:
                check_opencl(runner)
    return 1 if runner.faults else 0


if __name__ == "__main__":
    sys.exit(main() if len(sys.argv) == 7 else __doc__)
