# SPDX-License-Identifier: Apache-2.0
"""What the examples in Python share: options, pictures, and what a model's metadata say about its tensors."""
import argparse
import sys

import numpy as np

import oclite

USUAL = 127.5  # mean and deviation that bring 0..255 to -1..1


class Problem(Exception):
    """Ends an example with one line on the standard error."""


def main(run, parser):
    """Runs an example: run(interpreter, options) prints and returns nothing."""
    parser.add_argument("--threads", type=int, default=2, metavar="COUNT")
    parser.add_argument("--delegate", metavar="opencl[:OPTION=VALUE,...]", help="run on OpenCL")
    options = parser.parse_args()
    try:
        delegates = [make_delegate(options.delegate)] if options.delegate else []
        with oclite.Interpreter(options.model, experimental_delegates=delegates, num_threads=options.threads) as interpreter:
            interpreter.allocate_tensors()
            run(interpreter, options)
    except (Problem, OSError, ValueError, RuntimeError) as error:
        sys.exit(str(error))


def parser(description, what, *names):
    """The command line of an example, with those of the options below that it names."""
    known = {"labels": dict(metavar="FILE", help="names of classes, one in a line, instead of the model's own"),
             "vocabulary": dict(metavar="FILE", help="a word and its number in each line, instead of the model's own"),
             "mean": dict(type=float, help="of the normalization, instead of the model's own"),
             "std": dict(type=float, help="of the normalization, instead of the model's own"),
             "threshold": dict(type=float, help="least score of what is told"),
             "top": dict(type=int, default=5, metavar="COUNT", help="how many classes are told"),
             "out": dict(metavar="RESULT.png", help="the picture that is written")}
    made = argparse.ArgumentParser(description=description)
    made.add_argument("model")
    made.add_argument("input", metavar=what)
    for name in names:
        made.add_argument("--" + name, **known[name])
    return made


def make_delegate(text):
    name, _, rest = text.partition(":")
    if name != "opencl":
        raise Problem(f"--delegate: there is no delegate '{text}', only opencl, or opencl:device=gpu,...")
    return oclite.delegate(**dict(option.split("=", 1) for option in rest.split(",") if option))


# ---- Tensors as real numbers ----

def about(interpreter, side, index):
    """What the metadata say of an input or output (oclite.TensorMetadata); None where they say nothing."""
    graphs = interpreter.get_metadata().subgraphs
    tensors = getattr(graphs[0], side) if graphs else ()
    return tensors[index] if index < len(tensors) else None


def set_input(interpreter, index, values):
    """Copies real numbers into an input, quantized if the tensor is."""
    detail = interpreter.get_input_details()[index]
    scale, zero = detail["quantization"]
    if values.size != np.prod(detail["shape"]):
        raise Problem(f"input {index} takes {np.prod(detail['shape'])} values, not {values.size}")
    if detail["dtype"] in (np.uint8, np.int8):
        kind = np.iinfo(detail["dtype"])
        scaled = np.asarray(values, np.float32) / np.float32(scale)
        stored = np.trunc(scaled + np.copysign(np.float32(0.5), scaled)) + np.float32(zero)
        values = np.clip(stored, kind.min, kind.max)
    elif detail["dtype"] == np.int32 and not (np.abs(values) < 2**31).all():
        raise Problem(f"input {index} takes integers of 32 bits, not {np.abs(values).max():g}")
    elif detail["dtype"] not in (np.float32, np.int32):
        raise Problem(f"input {index} is of type {np.dtype(detail['dtype']).name}, which this example does not fill")
    interpreter.set_tensor(detail["index"], values.astype(detail["dtype"]).reshape(detail["shape"]))


def get_output(interpreter, index):
    detail = interpreter.get_output_details()[index]
    values = interpreter.get_tensor(detail["index"])
    if detail["dtype"] not in (np.float32, np.uint8, np.int8):
        raise Problem(f"output {index} is of type {np.dtype(detail['dtype']).name}, which this example does not read")
    scale, zero = detail["quantization"]
    return values if detail["dtype"] == np.float32 else (values.astype(np.float32) - np.float32(zero)) * np.float32(scale)


# ---- Pictures ----

def read_picture(path):
    """Rows, columns, red green blue; uint8."""
    from PIL import Image
    try:
        with Image.open(path) as picture:
            return np.array(picture.convert("RGB"))
    except (OSError, SyntaxError) as error:
        raise Problem(f"{path} is no picture that can be read: {error}") from None


def write_picture(path, picture):
    from PIL import Image
    Image.fromarray(picture).save(path, "PNG")


def between(length, wanted):
    """For each wanted place the two neighbours, and how far it is from the first."""
    place = np.arange(wanted, dtype=np.float32) * np.float32(length) / np.float32(wanted)
    first = place.astype(np.int64)
    return first, np.minimum(first + 1, length - 1), place - first.astype(np.float32)


def scale_picture(picture, height, width, channels):
    """In another size, interpolated bilinearly."""
    (top, bottom, down), (left, right, across) = between(picture.shape[0], height), between(picture.shape[1], width)
    down, across, picture = down[:, None, None], across[None, :, None], picture.astype(np.float32)
    above = picture[top][:, left] * (1 - across) + picture[top][:, right] * across
    below = picture[bottom][:, left] * (1 - across) + picture[bottom][:, right] * across
    scaled = above * (1 - down) + below * down
    return scaled if channels == 3 else ((scaled[..., 0] + scaled[..., 1] + scaled[..., 2]) / np.float32(3))[..., None]


def choose(what, option, own, channels):
    """One number for all channels, or one for each: the option's, the model's, or the usual one."""
    if option is None and own and len(own) not in (1, channels):
        raise Problem(f"the model's metadata have {len(own)} values for {what}, for {channels} channels")
    return np.array([option] if option is not None else own or [USUAL], np.float32)


def set_picture(interpreter, options, picture):
    """Scales a picture to the size of input 0, normalizes it as the options or the model say, and copies it there."""
    shape, said = interpreter.get_input_details()[0]["shape"], about(interpreter, "inputs", 0)
    if len(shape) != 4 or shape[0] != 1 or shape[3] not in (1, 3):
        raise Problem(f"{options.model}: the model's input is no picture")
    mean = choose("mean", options.mean, said and said.mean, shape[3])
    std = choose("std", options.std, said and said.std, shape[3])
    if not (np.isfinite(mean).all() and np.isfinite(std).all() and std.all()):
        raise Problem(f"values cannot be normalized by mean {mean[0]:g} and std {std[0]:g}")
    set_input(interpreter, 0, (scale_picture(picture, *shape[1:]) - mean) / std)


def colour_of(number):
    """As the pictures of the PASCAL VOC data set have it: neighbours differ much."""
    return [sum(((number >> (3 * bit + c)) & 1) << (7 - bit) for bit in range(8)) for c in range(3)]


# ---- Classes ----

def lines_of(file):
    """Of a file that is packed into the model."""
    if file.data is None:
        raise Problem(f"the model's file {file.name} {file.absent}")
    return file.data.decode("utf-8", "replace").splitlines()


def read_lines(path):
    with open(path, encoding="utf-8", errors="replace") as source:
        return source.read().splitlines()


def read_classes(interpreter, options, index):
    """The names of an output's classes: from --labels, else from the file that the metadata name for the output."""
    if options.labels:
        return read_lines(options.labels)
    said = about(interpreter, "outputs", index)
    for file in said.files if said else ():
        if file.type in ("TENSOR_AXIS_LABELS", "TENSOR_VALUE_LABELS"):
            return lines_of(file)
    raise Problem(f"{options.model} has no names of classes in its metadata: give them with --labels FILE")


def print_classes(names, scores, top):
    scores = scores.ravel()
    if len(names) != scores.size:
        raise Problem(f"there are {len(names)} names of classes, and the model tells {scores.size} scores")
    for best in np.argsort(-scores, kind="stable")[:top]:
        print(f"{scores[best]:.4f} {names[best]}")
