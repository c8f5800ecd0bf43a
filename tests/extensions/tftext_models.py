#!/usr/bin/env python3
"""Runs the models that tokenize, as upstream made them: tftext_models.py OCLITE MODELS_DIR [RUN_OPTION...]

Expected values follow from the definition: what lies between white space. Exit status 77 (skipped) without the models.
"""
import base64
import json
import os
import struct
import subprocess
import sys
import tempfile

TEXTS = [["this is a test"], ["a\u3000b\u00a0\tc", "", "one"]]


def tokens_of(text):
    return text.split()  # Python's idea of white space is Unicode's and U+001C to U+001F


def splits_of(rows):
    places = [0]
    for row in rows:
        places.append(places[-1] + len(row))
    return places


def read_int64(path):
    """The elements of an .npy file of a vector of int64."""
    with open(path, "rb") as file:
        data = file.read()
    begin = 10 + struct.unpack("<H", data[8:10])[0]
    assert b"<i8" in data[:begin], data[:begin]
    return list(struct.unpack(f"<{(len(data) - begin) // 8}q", data[begin:]))


def run(tool, options, model, shape, texts):
    """Shape and strings of output 0, and the other outputs."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "in0.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump([base64.b64encode(text.encode()).decode() for text in texts], file)
        subprocess.run([tool, "run", model, "--out", folder, "--resize", "0=" + "x".join(map(str, shape)), "--in", path, *options],
                       check=True)
        with open(os.path.join(folder, "out0.json"), encoding="utf-8") as file:
            result = json.load(file)
        values = [base64.b64decode(value).decode() for value in result["data"]]
        others = [read_int64(os.path.join(folder, f"out{i}.npy")) for i in range(1, len(shape) + 1)
                  if os.path.exists(os.path.join(folder, f"out{i}.npy"))]
        return result["shape"], values, others


def expected(kind, shape, rows):
    flat = [token for row in rows for token in row]
    if kind == "to_tensor":
        width = max(map(len, rows))
        return shape + [width], [token for row in rows for token in row + [""] * (width - len(row))], []
    outer = [[row * shape[1] for row in range(shape[0] + 1)]] if len(shape) == 2 else []
    return [len(flat)], flat, outer + [splits_of(rows)]


def main():
    tool, folder, *options = sys.argv[1:]
    failed = 0
    for kind, rank in (("to_tensor", 1), ("to_ragged_1d_input", 1), ("to_ragged_2d_input", 2)):
        model = os.path.join(folder, f"whitespace_tokenizer_{kind}.tflite")
        if not os.path.exists(model):
            print(f"skipped: {model} is not there")
            return 77
        for texts in TEXTS:
            shape = [1] * (rank - 1) + [len(texts)]
            got, want = run(tool, options, model, shape, texts), expected(kind, shape, [tokens_of(text) for text in texts])
            print(f"{kind} {shape}: {'as expected' if got == want else f'{got}, expected {want}'}")
            failed += got != want
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
