"""Recorded cases of numbers where a rule has its edge: NaN, quotients next to an integer, boxes without extent, and types that are
declared otherwise."""
import numpy as np
from flatbuffers import flexbuffers

from case_writer import T, const, integers, random

NAN, INF = float("nan"), float("inf")
# Each column has numbers and NaN in another order; all of them in the last one.
COLUMNS = np.array([[NAN, 7, NAN, 1, NAN, -INF, NAN], [7, NAN, -INF, NAN, NAN, NAN, NAN], [NAN, 9, NAN, 3, INF, NAN, NAN],
                    [2, 7, NAN, 1, 5, -INF, NAN], [NAN, -0.0, 0.0, -0.0, 5, 1, NAN]])


def extremes(r):
    shape = COLUMNS.shape
    for op, kind in (("ARG_MAX", "ArgMaxOptions"), ("ARG_MIN", "ArgMinOptions")):
        r("nan_columns", op, [T("f32", shape, feed=COLUMNS), T("i32", (1,), [0])], [T("i32", shape[1:])], dict(kind=kind, outputType=2))
        rows = np.ascontiguousarray(COLUMNS[:3].T)  # longer ones are searched in vectors, in which NaN has other places
        r("nan_rows", op, [T("f32", rows.shape, feed=rows), T("i32", (1,), [1])], [T("i32", rows.shape[:1])], dict(kind=kind, outputType=2))
    for op in ("REDUCE_MAX", "REDUCE_MIN"):
        for name, axes in (("columns", [0]), ("whole", [0, 1])):
            for first, values in (("", COLUMNS), ("_number_first", COLUMNS[::-1, ::-1][:, 1:])):
                left = values.shape[1:] if name == "columns" else ()
                r(f"nan_{name}{first}", op, [T("f32", values.shape, feed=values), T("i32", (len(axes),), axes)], [T("f32", left)],
                  dict(kind="ReducerOptions"))
    r("nan", "TOPK_V2", [T("f32", shape, feed=COLUMNS), T("i32", (), 5)], [T("f32", (5, 5)), T("i32", (5, 5))],
      dict(kind="TopKV2Options"))


def quotients(r):
    # Results are small: tolerances follow the largest one.
    a = [1, 6, -9.9, 9.9, 0.3, 0.6, 5, -5, -0.0, 0.0, 1, -1, INF, -INF, NAN, 1, -1e-30, 0.7, -0.7]
    b = [0.1, 0.1, -3.3, -3.3, 0.1, 0.2, -2, -2, -5, -5, -INF, INF, 2, 2, 1, NAN, 1, 0.1, 0.1]
    for op, more_a, more_b in (("FLOOR_DIV", [-3, 3, -1e-30], [1e30, -1e30, 1e30]), ("FLOOR_MOD", [1e30, -1e-30], [3, 3])):
        count = (len(a + more_a),)
        r("f32_steps", op, [T("f32", count, feed=a + more_a), T("f32", count, feed=b + more_b)], [T("f32", count)], dict(version=2))


def boxes(r):
    anchors = np.array([[0, 0, 0, 1], [5, 5, 1, 0], [0, 0, 1, 1], [5, 5, 1, 1], [9, 9, 0, 0]])
    scores = np.array([[0.9, NAN], [0.3, 0.8], [NAN, 0.7], [0.6, 0.5], [0.4, 0.2]])
    values = {"max_detections": 5, "max_classes_per_detection": 1, "num_classes": 2, "nms_iou_threshold": 0.4, "y_scale": 10.0,
              "x_scale": 10.0, "h_scale": 5.0, "w_scale": 5.0}
    for name, regular in (("fast", False), ("regular", True)):
        options = bytes(flexbuffers.Dumps(dict(values, use_regular_nms=regular)))
        r("no_extent_" + name, "TFLite_Detection_PostProcess", [T("f32", (1, 5, 4), feed=np.zeros(20)), T("f32", (1, 5, 2), feed=scores),
                                                               T("f32", (5, 4), anchors)],
          [T("f32", (1, 5, 4)), T("f32", (1, 5)), T("f32", (1, 5)), T("f32", (1,))], {"custom": options})


def infinite(r):
    """Infinities come through products; where there is an activation, or could be, they end at the largest number."""
    a = np.linspace(-2, 2, 44).reshape(11, 4)
    a[5, 2], a[7, 1] = INF, -INF
    b = np.linspace(0.5, -0.7, 11 * 3).reshape(11, 3)
    r("infinite", "BATCH_MATMUL", [T("f32", (11, 4), feed=a), T("f32", (11, 3), b)], [T("f32", (4, 3))],
      dict(kind="BatchMatMulOptions", adjX=True))
    r("infinite", "FULLY_CONNECTED", [T("f32", (4, 11), feed=np.ascontiguousarray(a.T)), T("f32", (3, 11), b.T), None], [T("f32", (4, 3))],
      dict(kind="FullyConnectedOptions"))
    r("infinite", "CONV_2D", [T("f32", (1, 2, 2, 11), feed=np.ascontiguousarray(a.T)), T("f32", (3, 1, 1, 11), b.T), const("f32", (3,))],
      [T("f32", (1, 2, 2, 3))], dict(kind="Conv2DOptions", strideW=1, strideH=1, dilationWFactor=1, dilationHFactor=1))


def declared(r):
    """Tables that are read as another type, and a state that is declared as wider than what it holds."""
    scales = T("f16", (6, 2), np.arange(1, 13) / 128)
    rows = T("i32", (4,), [5, 0, 3, 3])
    r("i2_blocks", "EMBEDDING_LOOKUP", [rows, T("i2", (6, 8), integers(-2, 2, (6, 8)), block=(scales, 4))], [T("f32", (4, 8))],
      dict(version=4))
    r("u8_as_i8", "EMBEDDING_LOOKUP", [rows, T("u8", (6, 5), integers(0, 256, (6, 5)))], [T("i8", (4, 5))], dict(version=4))
    gate = lambda columns: const("i8", (6, columns), 0.005)
    bias = const("i32", (6,), 0.0001)
    inputs = [T("i8", (2, 3, 5), scale=0.01, zero=3), *(gate(5) for _ in range(4)), *(gate(6) for _ in range(4)), None, None, None,
              bias, bias, bias, bias, None, None, T("i16", (3, 6), scale=1 / 128, variable=True),
              T("i16", (3, 6), scale=1 / 2048, variable=True), None, None, None, None]
    inner = [T("i16", (), scale=1 / 4096) for _ in range(4)] + [T("i8", (), scale=1 / 128)]
    r("i16_state", "UNIDIRECTIONAL_SEQUENCE_LSTM", inputs, [T("i8", (2, 3, 6), scale=1 / 128)],
      dict(kind="UnidirectionalSequenceLSTMOptions", fusedActivationFunction=4, timeMajor=True, intermediates=inner, version=2))
    inputs = [T("i8", (2, 5), scale=0.02, zero=3), const("i8", (6, 5), 0.008), T("i16", (6, 4), random("i16", (6, 4)), 0.0005),
              const("i32", (6,), 0.0005 / 256), T("i32", (2, 24), scale=1 / 256, variable=True)]
    r("i32_state", "SVDF", inputs, [T("i8", (2, 6), scale=0.3, zero=-2)], dict(kind="SVDFOptions", rank=1, fusedActivationFunction=1, version=3))


def numbers(r):
    for family in (extremes, quotients, boxes, infinite, declared):
        family(r)
