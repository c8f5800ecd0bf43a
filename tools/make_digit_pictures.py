#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the demo's pictures of digits: make_digit_pictures.py OUT_DIR

Writes digit_3.pgm and digit_7.pgm as the digits model sees digits: 32 x 32 points, inked or not, of which each grey value 0..16 counts
4 x 4. Needs NumPy.
"""
import os
import sys

import numpy as np

POINTS, BLOCK, PEN = 32, 4, 2.4  # the pen's radius, in points
# What a hand would draw: lines from (x, y) to (x, y), x to the right and y down.
STROKES = {
    3: [[(8, 5), (14, 2.5), (20, 4), (21.5, 8), (18, 12.5), (13, 15), (19, 17.5), (23, 22), (20, 27.5), (14, 29.5), (8, 27.5)]],
    7: [[(6, 5), (15, 3.5), (25, 3), (20.5, 13), (16, 22), (14, 29)], [(10, 16), (24, 14.5)]],
}


def distance(x, y, begin, end):
    """From each point to the line between two."""
    begin, end = np.array(begin), np.array(end)
    along = end - begin
    share = np.clip(((x - begin[0]) * along[0] + (y - begin[1]) * along[1]) / (along @ along), 0, 1)
    return np.hypot(x - begin[0] - share * along[0], y - begin[1] - share * along[1])


def draw(strokes):
    y, x = np.mgrid[:POINTS, :POINTS] + 0.5
    ink = np.min([distance(x, y, *line) for stroke in strokes for line in zip(stroke, stroke[1:])], axis=0) <= PEN
    return ink.reshape(POINTS // BLOCK, BLOCK, POINTS // BLOCK, BLOCK).sum(axis=(1, 3))


def write_pgm(path, image):
    rows = "\n".join(" ".join(f"{value:2d}" for value in row) for row in image)
    with open(path, "w", encoding="ascii") as file:
        file.write(f"P2\n{image.shape[1]} {image.shape[0]}\n{BLOCK * BLOCK}\n{rows}\n")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for digit, strokes in STROKES.items():
        write_pgm(os.path.join(sys.argv[1], f"digit_{digit}.pgm"), draw(strokes))
