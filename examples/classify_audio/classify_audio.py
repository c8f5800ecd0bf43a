#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Says what is to be heard in a WAV file: classify_audio.py MODEL SOUND.wav

For models that take samples and give a score for each class (YAMNet ...). A file longer than the model's input is cut
into pieces, whose scores are averaged; the last piece ends in silence.
"""
import os
import sys
import wave

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))
import example_common as common


def read_sound(path):
    """Samples from -1 to 1, several channels as their mean, and how many of them a second has."""
    try:
        with wave.open(path, "rb") as sound:
            channels, width, rate, count = sound.getparams()[:4]
            data = sound.readframes(count)
    except (wave.Error, EOFError) as error:
        raise common.Problem(f"{path} is no WAV file that can be read: {error}") from None
    if width != 2:
        raise common.Problem(f"{path}: samples of {8 * width} bits; 16 can be read")
    if len(data) != 2 * channels * count or count == 0:
        raise common.Problem(f"{path}: the WAV file ends early, or there are no samples in it")
    samples = np.frombuffer(data, "<i2").reshape(-1, channels).astype(np.float32)
    return samples.sum(1) / np.float32(32768 * channels), rate


def check_rate(interpreter, options, rate):
    """The model's metadata tell how many samples a second has."""
    said = common.about(interpreter, "inputs", 0)
    if said is not None and said.sample_rate not in (0, rate):
        raise common.Problem(f"{options.input} has {rate} samples a second, and the model takes {said.sample_rate}")


def scores_of(interpreter, piece):
    common.set_input(interpreter, 0, piece)
    interpreter.invoke()
    return common.get_output(interpreter, 0)


def run(interpreter, options):
    samples, rate = read_sound(options.input)
    check_rate(interpreter, options, rate)
    names = common.read_classes(interpreter, options, 0)
    length = int(np.prod(interpreter.get_input_details()[0]["shape"]))
    pieces = np.pad(samples, (0, -len(samples) % length)).reshape(-1, length)
    scores = [scores_of(interpreter, piece) for piece in pieces]
    common.print_classes(names, sum(scores[1:], scores[0]) / np.float32(len(scores)), options.top)


if __name__ == "__main__":
    common.main(run, common.parser(__doc__, "SOUND.wav", "labels", "top"))
