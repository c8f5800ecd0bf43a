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
    ("REDUCE_WINDOW", r"refused.*: \d+ (window dimensions|strides|dilations) for an input", "LiteRT reads past the end of the parameters"),
    ("FAKE_QUANT", "refused.*: (input|output) has type", "LiteRT reads and writes any type as FLOAT32"),
    ("DENSIFY", "refused.*sparsity: traversal_order", "LiteRT does not look at whether a sparsity fits its tensor"),
    (".*", r"refused.*: (output has type \w+, expected|element types \w+ and \w+ differ)",
     "of an output of another type than the model declares LiteRT changes the declaration, or writes past its memory"),
    (".*", r"accepted; LiteRT: quantized_dimension must be in range \[0, 1\)",
     "converters have given vectors the quantized dimension of another tensor"),
    (".*", "accepted; LiteRT: Invalid data-type for array", "NumPy lacks the output's type"),
    ("REVERSE_SEQUENCE", "refused.*: length .* of a sequence of", "LiteRT does not look at lengths; it reads past the end of the input"),
    ("EMBEDDING_LOOKUP_SPARSE", "refused.*: index .* outside", "LiteRT writes past the end of the output"),
    ("CONCATENATION|MIRROR_PAD", r"refused.*: has \d (inputs|outputs), expected", "LiteRT does not count them"),
    ("FAKE_QUANT", "refused.*: (.* bits, expected 2 to 16|range from)", "LiteRT does not look at what TensorFlow refuses"),
    (".*POOL_2D", "refused.*: the filter is .*, expected at least 1", "LiteRT divides by it"),
    ("EXPAND_DIMS", "refused.*: axis .* is out of range", "LiteRT takes the lowest 32 bits of an axis"),
    ("FILL", "refused.*: dimension .* would be", "LiteRT takes the lowest 32 bits of a dimension"),
    (".*LSTM", "refused.*: the cell state has scale", "LiteRT leaves TANH out for a scale beyond 2^-9"),
    (".*", "refused.*padding is .*, which is not known", "LiteRT takes it for one that leaves nothing of an image"),
    (".*", r"refused.*: zero_point\[\d+\] is .*, not in", "LiteRT does not look at whether a zero point is in the range of its type"),
    (".*", "refused.*( scale 0|the quantization scale of .* is 0| (has|have) no scale for each of)", "LiteRT divides by a scale that is not there"),
    (".*", r"refused.*: (input \d+|the input) has 9 dimensions, at most 8", "no more than 8 dimensions are supported"),
    ("TRANSPOSE_CONV", "refused.*: the bias has zero point", "LiteRT does not look at the zero point of a bias"),
    ("MATRIX_SET_DIAG", "refused.*: diagonals of shape", "LiteRT does not look at the shape of the diagonals"),
]


def reason(op, remark):
    """Why this difference is meant, or None."""
    return next((why for ops, says, why in EXCEPTIONS if re.fullmatch(ops, op) and re.search(says, remark)), None)
