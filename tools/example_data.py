# SPDX-License-Identifier: Apache-2.0
"""What make_example_models.py trains on: pictures, sounds and sentences, all of them made here."""
from dataclasses import dataclass

import numpy as np

SHAPES = ("circle", "square", "triangle")
SOUNDS = ("silence", "tone", "rising", "falling", "noise")
REQUESTS = ("weather", "music", "timer", "lights")


@dataclass
class Shape:
    kind: int
    box: tuple  # top, left, bottom, right in pixels


@dataclass
class Scene:
    picture: np.ndarray  # uint8, rows, columns, red green blue
    mask: np.ndarray  # for each pixel 0, or 1 + the kind of shape
    shapes: list


def background(source, size, grain):
    """A slope of two colours with grain."""
    y, x = np.mgrid[0:size, 0:size] / size
    angle = source.uniform(0, 2 * np.pi)
    slope = (np.cos(angle) * x + np.sin(angle) * y)[..., None]
    colours = source.uniform(30, 225, (2, 3))
    return colours[0] + (colours[1] - colours[0]) * slope * 0.5 + source.normal(0, grain, (size, size, 1))


def inside(kind, top, left, extent, size):
    """Which pixels belong to a shape in a square box."""
    y, x = np.mgrid[0:size, 0:size] + 0.5
    y, x = (y - top) / extent, (x - left) / extent
    box = (y >= 0) & (y < 1) & (x >= 0) & (x < 1)
    if kind == 0:
        return (x - 0.5) ** 2 + (y - 0.5) ** 2 < 0.25
    return box if kind == 1 else box & (np.abs(x - 0.5) < y / 2)


def colour_unlike(source, picture, where):
    """One that is seen on what lies there."""
    there = picture[where].mean(0)
    while True:
        colour = source.uniform(10, 245, 3)
        if np.abs(colour - there).max() > 90:
            return colour


def draw_scene(source, size, count, extents, kinds=None, grain=4):
    """`count` shapes that do not touch, with edges of a length in `extents`; grain is the spread of noise."""
    picture, mask, shapes = background(source, size, grain), np.zeros((size, size), np.int32), []
    taken = np.zeros((size, size), bool)
    for i in range(1000):
        if len(shapes) == count:
            break
        extent = int(source.integers(extents[0], extents[1] + 1))
        top, left = (int(source.integers(0, size - extent + 1)) for _ in range(2))
        if taken[top:top + extent, left:left + extent].any():
            continue
        kind = kinds[len(shapes)] if kinds is not None else int(source.integers(len(SHAPES)))
        where = inside(kind, top, left, extent, size)
        picture[where] = colour_unlike(source, picture, where) + source.normal(0, grain, (int(where.sum()), 1))
        mask[where] = kind + 1
        taken[max(top - 2, 0):top + extent + 2, max(left - 2, 0):left + extent + 2] = True
        shapes.append(Shape(kind, (top, left, top + extent, left + extent)))
    return Scene(np.clip(picture, 0, 255).astype(np.uint8), mask, shapes)


def make_sound(source, kind, count, rate):
    """In -1..1, with a little noise."""
    seconds = np.arange(count) / rate
    low, high = source.uniform(200, 600), source.uniform(1200, 2400)
    begin, end = {"tone": (low, low), "rising": (low, high), "falling": (high, low)}.get(SOUNDS[kind], (0, 0))
    if SOUNDS[kind] == "tone" and source.random() < 0.5:
        begin = end = high
    pitch = begin + (end - begin) * seconds / seconds[-1]
    sound = np.sin(2 * np.pi * np.cumsum(pitch) / rate + source.uniform(0, 2 * np.pi)) * (begin > 0)
    if SOUNDS[kind] == "noise":
        sound = np.clip(source.normal(0, 0.4, count), -1, 1)
    return np.clip(sound * source.uniform(0.2, 0.9) + source.normal(0, 0.01, count), -1, 1)


# Each sentence takes one of each list in parentheses.
SENTENCES = {
    "weather": ("(what is|what's|tell me|how is) the (weather|forecast|temperature) (like||) (today|tomorrow|outside|this weekend|in the morning)",
                "(will|is) it (rain|snow|be sunny|be cold|raining|getting warm) (today|tomorrow|later|tonight)",
                "do i need (an umbrella|a coat|sunglasses|warm clothes) (today|tomorrow|outside|)"),
    "music": ("(play|start|put on) (some|a little|) (music|jazz|rock|piano|my playlist|the radio) (please||in the kitchen|loudly)",
              "(stop|pause|skip) (the|this) (song|music|track|album)",
              "(turn|make) the (volume|music|sound|song) (up|down|louder)"),
    "timer": ("(set|start) (a timer|an alarm|a countdown) (for|of) (five|ten|twenty|two) (minutes|hours|seconds)",
              "(wake me|remind me|call me) (up|) (in|at) (five|ten|seven|eight) (minutes|hours|o'clock)",
              "(cancel|stop|how long is) (the|my) (timer|alarm|countdown)"),
    "lights": ("(turn|switch) (on|off) the (light|lights|lamp) (in the kitchen|in the hall|upstairs|please|)",
               "(make|dim) (the|all) (light|lights|lamps) (brighter|darker|red|blue|warmer|)",
               "(it is too|why is it so) (dark|bright) (in here|in the kitchen|upstairs|)"),
}


def make_requests(source, count):
    """Sentences, and the numbers of their subjects."""
    texts, numbers = [], []
    for i in range(count):
        number = i % len(REQUESTS)
        pattern = SENTENCES[REQUESTS[number]][int(source.integers(3))]
        parts = pattern.replace(")", "(").split("(")
        words = [part if j % 2 == 0 else source.choice(part.split("|")) for j, part in enumerate(parts)]
        texts.append(" ".join("".join(words).split()))
        numbers.append(number)
    return texts, np.array(numbers)
