"""Differences from LiteRT that are meant: (operator, what the remark says, why)."""
import re

EXCEPTIONS = [
    ("ATAN2|STABLEHLO_SHIFT_LEFT", "refused.*: (inputs of different shapes|shapes of the inputs)",
     "LiteRT reads past the end of the smaller input"),
    ("STABLEHLO_GATHER", "refused.*: a slice of", "LiteRT reads past the end of the input"),
    ("SLICE", "accepted.*output_shape_vector", "of an output that becomes empty LiteRT compares the shape before"),
    ("STRIDED_SLICE", "refused.*: index .* is outside a dimension", "LiteRT reads past the end of the input"),
    ("RESIZE_BILINEAR", "refused.*: align_corners and half_pixel_centers", "LiteRT does not look at a mode that it refuses else"),
    ("PRELU", "refused.*: input 1 has type .*, expected INT16", "LiteRT reads slopes of any type as INT8"),
    ("MATRIX_SET_DIAG", "refused.*: diagonals of shape", "LiteRT does not look at the shape of the diagonals"),
]


def reason(op, remark):
    """Why this difference is meant, or None."""
    return next((why for ops, says, why in EXCEPTIONS if re.fullmatch(ops, op) and re.search(says, remark)), None)
