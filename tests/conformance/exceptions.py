"""Differences from LiteRT that are meant: (operator, what "PATH: " and the remark say, why)."""
import re

# Operators that neither set their output's type nor look at it (docs/CONFORMANCE.md).
KEEPS_DECLARATION = ("BATCH_MATMUL|BIDIRECTIONAL_SEQUENCE_(LSTM|RNN)|BITCAST|CONCATENATION|CUMSUM|EMBEDDING_LOOKUP|LSH_PROJECTION|LSTM|MEAN|MUL|"
                     "MULTINOMIAL|RANDOM_(STANDARD_NORMAL|UNIFORM)|REDUCE_.*|RESHAPE|RNN|SEGMENT_SUM|SOFTMAX|SQUEEZE|"
                     "STABLEHLO_(ADD|AND|GATHER|MAXIMUM|MINIMUM|MULTIPLY|OR|RNG_BIT_GENERATOR|SCATTER)|SUM|SVDF|TOPK_V2|"
                     "UNIDIRECTIONAL_SEQUENCE_(LSTM|RNN)|UNSORTED_SEGMENT_.*")
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
    ("DENSIFY", "refused.*sparsity: (traversal_order|dense_size)", "LiteRT does not look at whether a sparsity fits its tensor"),
    (KEEPS_DECLARATION, r"refused.*: (output has type \w+, expected|output of type \w+ is not supported|element types \w+ and \w+ differ)",
     "LiteRT writes its type into the memory of the declared one"),
    (".*", r"accepted; LiteRT: quantized_dimension must be in range \[0, 1\)",
     "converters have given vectors the quantized dimension of another tensor"),
    (".*", "accepted; LiteRT: Invalid data-type for array", "NumPy lacks the output's type"),
    ("REVERSE_SEQUENCE", "refused.*: length .* of a sequence of", "LiteRT does not look at lengths; it reads past the end of the input"),
    ("EMBEDDING_LOOKUP_SPARSE", "refused.*: index .* outside", "LiteRT writes past the end of the output"),
    ("CONCATENATION|MIRROR_PAD", r"refused.*: has \d (inputs|outputs), expected", "LiteRT does not count them"),
    ("FAKE_QUANT", "refused.*: (.* bits, expected 2 to 16|range from)", "LiteRT does not look at what TensorFlow refuses"),
    (".*POOL_2D", "refused.*: the filter is .*, expected at least 1", "LiteRT divides by it"),
    ("EXPAND_DIMS", "refused.*: axis .* is out of range", "LiteRT takes the lowest 32 bits of an axis"),
    ("FILL|BROADCAST_TO", "refused.*: dimension .* would be", "LiteRT takes the lowest 32 bits of a dimension"),
    (".*LSTM", "refused.*: the cell state has scale", "LiteRT leaves TANH out for a scale beyond 2^-9"),
    (".*", "refused.*padding is .*, which is not known", "LiteRT takes it for one that leaves nothing of an image"),
    (".*", r"refused.*: zero_point\[\d+\] is .*, not in", "LiteRT does not look at whether a zero point is in the range of its type"),
    (".*", "refused.*( scale 0|the quantization scale of .* is 0| (has|have) no scale for each of)", "LiteRT divides by a scale that is not there"),
    (".*", r"refused.*: (more than 8 dimensions|(input \d+|the input) has 9 dimensions, at most 8)", "no more than 8 dimensions are supported"),
    ("TRANSPOSE_CONV", "refused.*: the bias has zero point", "LiteRT does not look at the zero point of a bias"),
    ("SPACE_TO_BATCH_ND", "refused.*: block .* with margins", "LiteRT reads before the beginning of the input"),
    ("STABLEHLO_GATHER", "refused.*: (index .* is for dimension|entry .* of collapsed_slice_dims)",
     "LiteRT reads past the end of the shape, or counts a dimension twice"),
    ("TRANSPOSE", "refused.*: dimension .* comes twice", "LiteRT does not look at whether a permutation is one"),
    ("SOFTMAX", "refused.*: (.* is not a usable scale|INT16 input needs)", "LiteRT does not look at beta"),
    ("REDUCE_WINDOW", "refused.*: (the window dilation|the initial value is empty|the strides are not constant)",
     "LiteRT divides by it, or reads past the end of the parameters"),
    ("DILATE", "refused.*: the padding value is empty", "LiteRT reads past its end"),
    ("SOFTMAX", r"refused.*: \w+ input and \w+ output are not supported", "LiteRT reads or writes them as INT16"),
    ("RNN", r"refused.*: (.*expected \d+ of type FLOAT32|the output is \w+, expected)", "LiteRT looks at the type of the weights alone"),
    ("EMBEDDING_LOOKUP", "refused.*: the .* blocks of each of .* have no constant", "LiteRT reads past the end of the scales"),
    ("SPLIT_V", "refused.*: axis has 0 elements", "LiteRT reads past the end of the axis"),
    ("UNIQUE|EMBEDDING_LOOKUP_SPARSE", "refused.*(idx_out_type|combiner) is .*, which is not known", "LiteRT takes it for another one"),
    ("TFLite_Detection_PostProcess", "refused.*: boxes, scores and anchors do not fit", "LiteRT reads anchors as rows of 4 numbers"),
    ("BATCH_TO_SPACE_ND|SPACE_TO_BATCH_ND|SPLIT|SPLIT_V|TRANSPOSE|ONE_HOT|LSH_PROJECTION|NON_MAX_SUPPRESSION_V[45]", r"refused.*: [a-z ]+ of type \w+ is not supported",
     "LiteRT reads and writes parameters of any type as INT32 or FLOAT32"),
    ("BATCH_MATMUL", r"refused.*: \w+ times \w+ giving \w+ is not supported", "LiteRT does not look at the output's type"),
    ("BIDIRECTIONAL_SEQUENCE_(RNN|LSTM)|LSTM", r"refused.*(expected \d+ of type FLOAT32|do not go together|weights \w+;|are \w+, expected|output 0 is|weights have)",
     "LiteRT looks at the type and the size of the first weights alone"),
    ("EMBEDDING_LOOKUP(_SPARSE)?", r"refused.*(a table of type \w+ cannot become|table are \w+, expected)",
     "LiteRT does not look at the type of the table"),
    ("CONV_2D", r"refused.*: INT16 input, \w+ filter .* do not go together", "LiteRT reads any filter of INT16 inputs as INT8"),
    ("BITCAST", "refused.*to INT[24] is not supported", "LiteRT writes a byte for each element, past the end of the output"),
    ("(DEPTHWISE_|TRANSPOSE_)?CONV_2D|FULLY_CONNECTED", r"^onednn: .*: np\.float32\(\S+\), LiteRT np\.float32\(nan\)",
     "of a sum that is NaN the activations of oneDNN make the lower limit"),
    ("IF|WHILE", r"refused.*: tensor \d+ is of type \w+ on one side and", "LiteRT copies the bytes of a subgraph's result, whatever its type is"),
    (".*", "accepted; LiteRT: .*overflow", "of tensors without elements LiteRT multiplies the other dimensions in 32 bits"),
    ("CUMSUM", "refused.*multiply to more than 32 bits", "later versions of LiteRT refuse it, too"),
    ("MIRROR_PAD", "accepted; LiteRT: .*MirrorPad paddings must be", "LiteRT refuses a dimension without elements that is not padded"),
    ("STABLEHLO_GATHER|STABLEHLO_SCATTER", r"refused.*: (vectors of \d+ indices for|dimension \d+ of the updates is)",
     "LiteRT does not compare shapes where there is nothing to move"),
    ("ADD|SUB|MUL|DIV", r"np\.float32\(-?inf\), LiteRT np\.float32\(-?3\.4028235e\+38\)",
     "sums and products that overflow end at the largest float where XNNPACK does not take the operator"),
    ("MATRIX_SET_DIAG", "refused.*: diagonals of shape", "LiteRT does not look at the shape of the diagonals"),
]


def reason(op, remark):
    """Why this difference is meant, or None."""
    return next((why for ops, says, why in EXCEPTIONS if re.fullmatch(ops, op) and re.search(says, remark)), None)
