#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Says what is on a picture: label_image.py MODEL PICTURE

For models that give a score for each class, float or quantized (MobileNet, EfficientNet ...). How to normalize the
picture and what the classes are called come from the model's metadata, or from options. Needs Pillow.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))
import example_common as common


def run(interpreter, options):
    picture = common.read_picture(options.input)
    names = common.read_classes(interpreter, options, 0)
    common.set_picture(interpreter, options, picture)
    interpreter.invoke()
    common.print_classes(names, common.get_output(interpreter, 0), options.top)


if __name__ == "__main__":
    common.main(run, common.parser(__doc__, "PICTURE", "labels", "mean", "std", "top"))
