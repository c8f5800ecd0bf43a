"""Whether oclite's answers are LiteRT's: the tolerances, and the verdict on one case."""
import base64
import json
import os
import re

import numpy as np
from flatbuffers import flexbuffers

# Results that only move, select or compare values are the same to the bit.
EXACT = set("""ABS BATCH_TO_SPACE_ND BITCAST BROADCAST_TO CEIL CONCATENATION DENSIFY DEPTH_TO_SPACE DILATE DYNAMIC_UPDATE_SLICE
    EXPAND_DIMS FILL FLOOR GATHER GATHER_ND HASHTABLE_LOOKUP IMAG MATRIX_DIAG MATRIX_SET_DIAG MAXIMUM MAX_POOL_2D MINIMUM
    MIRROR_PAD NEG ONE_HOT PACK PAD PADV2 REAL REDUCE_MAX REDUCE_MIN RELU RELU6 RELU_0_TO_1 RELU_N1_TO_1 RESHAPE
    REVERSE_SEQUENCE REVERSE_V2 ROUND SELECT SELECT_V2 SIGN SLICE SPACE_TO_BATCH_ND SPACE_TO_DEPTH SPARSE_TO_DENSE SPLIT
    SPLIT_V SQUEEZE STABLEHLO_GATHER STABLEHLO_MAXIMUM STABLEHLO_MINIMUM STABLEHLO_PAD STRIDED_SLICE TILE TOPK_V2 TRANSPOSE
    UNIQUE UNPACK UNSORTED_SEGMENT_MAX UNSORTED_SEGMENT_MIN WHERE ZEROS_LIKE""".split())
# Sums and approximated functions.
SUMS = set("""AVERAGE_POOL_2D BATCH_MATMUL BIDIRECTIONAL_SEQUENCE_LSTM BIDIRECTIONAL_SEQUENCE_RNN CONV_2D CONV_3D
    CONV_3D_TRANSPOSE CUMSUM DEPTHWISE_CONV_2D EMBEDDING_LOOKUP_SPARSE FULLY_CONNECTED GELU L2_NORMALIZATION L2_POOL_2D
    LOCAL_RESPONSE_NORMALIZATION LOGISTIC LOG_SOFTMAX LSTM MEAN POW REDUCE_PROD RESIZE_BILINEAR RFFT2D RNN SOFTMAX SUM SVDF
    TANH TRANSPOSE_CONV UNIDIRECTIONAL_SEQUENCE_LSTM UNIDIRECTIONAL_SEQUENCE_RNN AudioSpectrogram Mfcc""".split())


def tolerance(op, loose, dtype):
    """(of the largest absolute value of the output and of its terms, of the element's own)"""
    if op in EXACT:
        return 0.0, 0.0
    if loose:
        return 2e-3, 2e-3
    if dtype == np.float16:
        return (5e-3, 2e-3) if op in SUMS else (1e-7, 1.5e-3)
    return (5e-6, 1e-5) if op in SUMS else (1e-6, 5e-6)


def close(got, want, share, relative, terms=0.0):
    """Which elements of got are within tolerance of want; a NaN matches a NaN, an infinity itself."""
    if want.dtype.kind == "c":
        return close(got.real, want.real, share, relative) & close(got.imag, want.imag, share, relative)
    if want.dtype.kind != "f":
        return got == want
    with np.errstate(invalid="ignore"):  # signalling NaNs
        g, w = got.astype(np.float64), want.astype(np.float64)
    finite = np.isfinite(w)
    allowed = share * np.max(np.abs(w[finite]), initial=terms) + relative * np.abs(np.where(finite, w, 0))
    with np.errstate(invalid="ignore"):
        return (np.isnan(g) & np.isnan(w)) | (g == w) | (np.isfinite(g) & finite & (np.abs(g - w) <= allowed))


def read(folder, stem):
    """(array or None, its shape)"""
    if os.path.exists(f"{folder}/{stem}.npy"):
        value = np.load(f"{folder}/{stem}.npy")
        return value, list(value.shape)
    if not os.path.exists(f"{folder}/{stem}.json"):
        return None, None
    with open(f"{folder}/{stem}.json", encoding="utf-8") as file:
        value = json.load(file)
    shape, data = (value["shape"], value["data"]) if isinstance(value, dict) else ([len(value)], value)
    return np.array([base64.b64decode(item) for item in data] + [None], object)[:-1].reshape(shape), shape


def names(folder):
    """The answers in a folder, in order."""
    return sorted(os.path.splitext(f)[0] for f in os.listdir(folder) if "out" in f)


def shorten(array):
    text = np.array2string(array.reshape(-1)[:6], max_line_width=200)
    return text if array.size <= 6 else text[:-1] + " ...]"


def judge_output(op, case, got, wanted):
    """("equal" or "within", "") or ("difference", why) of one output against the answers of LiteRT's kernels."""
    same = [w for w in wanted if w.shape == got.shape and w.dtype == got.dtype]
    if not same:
        return "difference", f"{got.dtype}{list(got.shape)} instead of {wanted[0].dtype}{list(wanted[0].shape)}"
    if case.shape_only or got.size == 0:
        return "equal", ""
    if any(np.all(close(got, w, 0, 0)) for w in same):
        return "equal", ""
    share, relative = tolerance(op, case.loose, got.dtype)
    fine = np.zeros(got.shape, bool)
    for w in same:
        fine |= close(got, w, share, relative, case.terms)
    if got.dtype.kind in "iu" and got.dtype.itemsize <= 2:
        # Where LiteRT's own kernels are one step apart, so may these be.
        low, high = np.minimum.reduce(same).astype(np.int64), np.maximum.reduce(same).astype(np.int64)
        if np.max(high - low) == 1:
            fine |= (got >= low - 1) & (got <= high + 1)
    if np.all(fine):
        return "within", ""
    at = np.unravel_index(int(np.argmin(fine)), got.shape) if got.ndim else ()
    return "difference", (f"{int(np.sum(~fine))} of {got.size} {got.dtype}{list(got.shape)}, first at {list(map(int, at))}: {got[at]!r}, "
                          f"LiteRT {' / '.join(repr(w[at]) for w in same)}")


def without_leftovers(folder, stem, values, options):
    """LiteRT's detections of a later run with zeros behind the last one, where it keeps those of an earlier run."""
    run, _, output = stem.rpartition("out")
    if not run or output == "3":
        return values
    count = int(read(folder, f"{run}out3")[0][0])
    filled = count * (1 if options.get("use_regular_nms") else options["max_classes_per_detection"])
    return np.where(np.arange(values.shape[1]).reshape(1, -1, *[1] * (values.ndim - 2)) < filled, values, 0).astype(values.dtype)


# Functions of FLOAT16 that LiteRT rounds at each step, or not, by what the CPU has; EXP never goes below 2^-15, and NaN
# becomes a number. These are the functions' values, rounded once.
HALVES = {"EXP": np.exp, "LOG": np.log, "HARD_SWISH": lambda x: x * np.clip(x + 3, 0, 6) / 6}


def function_of_half(op, case, stem):
    run = int(re.match(r"(?:run(\d+)_)?out", stem)[1] or 0)
    x = case.graphs[0].nodes[0].inputs[0]
    x = x.data if x.data is not None else case.runs[run][0]
    with np.errstate(all="ignore"):
        return HALVES[op](np.asarray(x).astype(np.float64)).astype(np.float16)


def answer_of_litert(op, case, folder, stem):
    value, _ = read(folder, stem)
    if op in HALVES and value.dtype == np.float16:
        return function_of_half(op, case, stem)
    if op == "TFLite_Detection_PostProcess":
        return without_leftovers(folder, stem, value, flexbuffers.Loads(case.graphs[0].nodes[0].options))
    return value


def judge_answers(op, case, own, folders):
    """The verdict on a case that both ran: the worst of its outputs."""
    worst = "equal"
    for stem in names(folders[0]):
        got, _ = read(own, stem)
        if got is None:
            return "difference", f"{stem} is missing"
        wanted = [answer_of_litert(op, case, f, stem) for f in folders]
        verdict, why = judge_output(op, case, got, wanted)
        if verdict == "difference":
            return verdict, f"{stem}: {why}"
        worst = "within" if verdict == "within" else worst
    return worst, ""
