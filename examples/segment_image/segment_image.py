#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds which class each pixel of a picture belongs to, and writes a copy in colours: segment_image.py MODEL PICTURE

For models that give scores of classes for pixels (DeepLab ...). Needs Pillow.
"""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))
import example_common as common


def find_areas(interpreter, options):
    """The class of each pixel of the model's output, and how many classes there are."""
    scores = common.get_output(interpreter, 0)
    if scores.ndim != 4 or scores.shape[0] != 1:
        raise common.Problem(f"{options.model}: its output is not scores of the classes of pixels")
    return scores[0].argmax(-1), scores.shape[3]


def print_shares(areas, classes, names):
    """How much of the picture each class covers."""
    if len(names) < classes:
        raise common.Problem(f"there are {len(names)} names of classes, and the model tells {classes} scores")
    for kind in range(classes):
        count = int((areas == kind).sum())
        if count > 0:
            print(f"{100.0 * count / areas.size:5.1f} % {names[kind]}")


def painted(areas, classes, picture):
    """Each pixel mixed with the colour of its class, but for the background, class 0."""
    rows = np.arange(picture.shape[0]) * areas.shape[0] // picture.shape[0]
    columns = np.arange(picture.shape[1]) * areas.shape[1] // picture.shape[1]
    kinds = areas[rows][:, columns]
    colours = np.array([common.colour_of(kind) for kind in range(classes)])
    mixed = (picture + colours[kinds]) // 2
    return np.where(kinds[..., None] > 0, mixed, picture).astype(np.uint8)


def run(interpreter, options):
    picture = common.read_picture(options.input)
    names = common.read_classes(interpreter, options, 0)
    common.set_picture(interpreter, options, picture)
    interpreter.invoke()
    areas, classes = find_areas(interpreter, options)
    print_shares(areas, classes, names)
    if options.out:
        common.write_picture(options.out, painted(areas, classes, picture))


if __name__ == "__main__":
    common.main(run, common.parser(__doc__, "PICTURE", "out", "labels", "mean", "std"))
