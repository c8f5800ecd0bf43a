"""What the models of benchmarks/operator_models*.py share: shapes of about a million elements, quantizations, and the table of
generators.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tests", "conformance"))
from random_source import QUANTIZED

PICTURE = [4, 64, 64, 64]
MATRIX = [1024, 1024]
BROADCASTS = {"same": PICTURE, "row": PICTURE[-1:], "scalar": [], "side": [*PICTURE[:3], 1]}
SMALL_PICTURE, SMALL_MATRIX = [1, 8, 8, 16], [32, 32]
MODELS = {}


def times(*names):
    """Registers a generator of (label, case) for these operators."""
    def register(function):
        MODELS.update({name: function for name in names})
        return function
    return register


def use_small_shapes():
    """From now on tensors of about a thousand elements, in the models whose shapes follow PICTURE or MATRIX."""
    PICTURE[:], MATRIX[:] = SMALL_PICTURE, SMALL_MATRIX
    BROADCASTS.update(row=PICTURE[-1:], side=[*PICTURE[:3], 1])


def quant(kind, scale=0.02):
    """A quantization for activations of this type."""
    zero = {"i8": 3, "u8": 120, "i16": 0}
    return {"scale": scale / (128 if kind == "i16" else 1), "zero": zero[kind]} if kind in zero else {}


def moved(r, kind, shape):
    q = quant(kind)
    return r.fed(kind, shape, **q), r.out(kind, **q)


assert set(QUANTIZED) == {"i8", "u8", "i16"}  # what quant() knows
