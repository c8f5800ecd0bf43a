#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Says what a text is about: classify_text.py MODEL TEXT

For models that take the numbers of words and give a score for each class. The model's metadata name what lies between
words, as a regular expression, and the vocabulary, which has a word and its number in each line.
"""
import os
import re
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "common"))
import example_common as common

USUAL_DELIMITERS = "[^a-z0-9']+"


def read_vocabulary(options, said):
    """word -> number; from the option, else from the file that the model's tokenizer names."""
    if options.vocabulary:
        lines = common.read_lines(options.vocabulary)
    elif said is not None and said.tokenizer and said.tokenizer.kind == "regex" and said.tokenizer.files:
        lines = common.lines_of(said.tokenizer.files[0])
    else:
        raise common.Problem(f"{options.model} has no tokenizer with a vocabulary in its metadata: give one with --vocabulary FILE")
    pairs = [line.split(" ") for line in lines]
    return {pair[0]: int(pair[1]) for pair in pairs if len(pair) == 2}


def number_words(text, delimiters, vocabulary, count):
    """The numbers of the words, after that of <START> if there is one; the rest are those of <PAD>."""
    if "<UNKNOWN>" not in vocabulary or "<PAD>" not in vocabulary:
        raise common.Problem("the vocabulary has no number for <UNKNOWN>, or for <PAD>")
    words = [word for word in re.split(delimiters, text.lower()) if word]
    numbers = [vocabulary["<START>"]] if "<START>" in vocabulary else []
    numbers += [vocabulary.get(word, vocabulary["<UNKNOWN>"]) for word in words]
    return np.array((numbers + [vocabulary["<PAD>"]] * count)[:count], np.float32)


def run(interpreter, options):
    said = common.about(interpreter, "inputs", 0)
    vocabulary = read_vocabulary(options, said)
    names = common.read_classes(interpreter, options, 0)
    length = int(np.prod(interpreter.get_input_details()[0]["shape"]))
    delimiters = said.tokenizer.delimiters if said is not None and said.tokenizer else USUAL_DELIMITERS
    common.set_input(interpreter, 0, number_words(options.input, delimiters, vocabulary, length))
    interpreter.invoke()
    common.print_classes(names, common.get_output(interpreter, 0), options.top)


if __name__ == "__main__":
    common.main(run, common.parser(__doc__, "TEXT", "vocabulary", "labels", "top"))
