#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds objects in a picture, and writes a copy of it with a box around each: detect_objects.py MODEL PICTURE

For models that end in the operator TFLite_Detection_PostProcess (SSD MobileNet, EfficientDet ...), whose outputs are
boxes, classes, scores and their number. Needs Pillow.
"""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))
import example_common as common

BOXES, CLASSES, SCORES, COUNT = range(4)
USUAL_THRESHOLD, THICKNESS = 0.5, 3


def least_score(interpreter, options):
    """Which scores count: those that the option or the model's metadata ask for."""
    said = common.about(interpreter, "outputs", SCORES)
    if options.threshold is not None:
        return options.threshold
    return USUAL_THRESHOLD if said is None or said.score_threshold is None else said.score_threshold


def outputs_of(interpreter, options):
    """Boxes, classes and scores of what was found."""
    if len(interpreter.get_output_details()) != 4:
        raise common.Problem(f"{options.model} has {len(interpreter.get_output_details())} outputs, and not boxes, classes, scores and their number")
    boxes, classes, scores, count = (common.get_output(interpreter, i) for i in range(4))
    if boxes.size != 4 * scores.size or classes.size != scores.size or count.size != 1 or not 0 <= count.flat[0] <= scores.size:
        raise common.Problem(f"{options.model} has outputs of {boxes.size}, {classes.size}, {scores.size} and {count.size} values; boxes, "
                             "classes, scores and their number are expected")
    found = int(count.flat[0])
    return boxes.reshape(-1, 4)[:found], classes.ravel()[:found], scores.ravel()[:found]


def draw_frame(picture, top, left, bottom, right, colour):
    """The edge of a box, inside of it."""
    inner = picture[top + THICKNESS:bottom - THICKNESS, left + THICKNESS:right - THICKNESS].copy()
    picture[top:bottom, left:right] = colour
    picture[top + THICKNESS:bottom - THICKNESS, left + THICKNESS:right - THICKNESS] = inner


def show(picture, box, kind, score, names):
    """A box is top, left, bottom and right, as parts of the picture."""
    height, width = picture.shape[:2]
    if not 0 <= kind < len(names):
        raise common.Problem(f"the model found class {kind:g}, and there are {len(names)} names of classes")
    sizes = np.array([height, width, height, width], np.float32)
    top, left, bottom, right = (np.clip(np.nan_to_num(box), 0, 1) * sizes + np.float32(0.5)).astype(int).tolist()
    print(f"{score:.4f} {names[int(kind)]}, {left},{top} to {right},{bottom}")
    draw_frame(picture, top, left, bottom, right, common.colour_of(int(kind) + 1))


def run(interpreter, options):
    picture = common.read_picture(options.input)
    names = common.read_classes(interpreter, options, CLASSES)
    common.set_picture(interpreter, options, picture)
    interpreter.invoke()
    least = least_score(interpreter, options)
    for box, kind, score in zip(*outputs_of(interpreter, options)):
        if score >= least:
            show(picture, box, kind, score, names)
    if options.out:
        common.write_picture(options.out, picture)


if __name__ == "__main__":
    common.main(run, common.parser(__doc__, "PICTURE", "out", "threshold", "labels", "mean", "std"))
