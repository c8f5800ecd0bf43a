#!/usr/bin/env python3
"""Makes the recorded operator cases: make_cases.py OUT_DIR

Each case is a folder: model.tflite (one operator, or two that may be computed together), in<i>.npy, and the answers of LiteRT:
out<i>.npy by its reference kernels, opt<i>.npy by its default kernels where they differ (an element may match either);
case.json has the operator and per output the tolerance {"abs", "rel"}. Models are built from the table below. Answers are
computed here only for custom operators that LiteRT lacks, in plain loops. Needs ai-edge-litert and numpy (PyPI); what it wrote is checked in.
"""
import os
import sys

import numpy as np
from flatbuffers import flexbuffers
from ai_edge_litert import schema_py_generated as schema

sys.path.append(os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "conformance"))
from case_numbers import numbers
from case_writer import T, const, function, integers, random, record
from custom_answers import max_pool_argmax, max_unpool, resample, transposed_with_bias
from elementwise_lines import LINES, named


def conv(r):
    S, V = schema.Padding.SAME, schema.Padding.VALID
    act = schema.ActivationFunctionType
    for name, shape, k, out, pad, stride, dil, a in (
            ("f32_3x3", (1, 9, 11, 5), 3, 7, S, 1, 1, act.NONE), ("f32_s2", (2, 8, 9, 3), 3, 16, S, 2, 1, act.RELU6),
            ("f32_1x1", (1, 5, 7, 19), 1, 33, V, 1, 1, act.NONE), ("f32_dil", (1, 12, 10, 4), 3, 6, V, 1, 2, act.RELU)):
        ho, wo = ((-(-shape[1] // stride), -(-shape[2] // stride)) if pad == S else
                  tuple(-(-(n - (k - 1) * dil) // stride) for n in shape[1:3]))
        o = dict(kind="Conv2DOptions", padding=pad, strideW=stride, strideH=stride, dilationWFactor=dil,
                 dilationHFactor=dil, fusedActivationFunction=a)
        r(name, "CONV_2D", [T("f32", shape), const("f32", (out, k, k, shape[3])), const("f32", (out,))],
          [T("f32", (shape[0], ho, wo, out))], o)
    o = dict(kind="Conv2DOptions", padding=S, strideW=1, strideH=1, dilationWFactor=1, dilationHFactor=1, version=3)
    scales = np.linspace(0.005, 0.02, 6)
    r("i8_channel", "CONV_2D", [T("i8", (1, 6, 7, 5), scale=0.03, zero=-4), const("i8", (6, 3, 3, 5), scales),
                                const("i32", (6,), scales * 0.03)], [T("i8", (1, 6, 7, 6), scale=0.2, zero=3)], o)
    u = dict(o, version=1)
    r("u8", "CONV_2D", [T("u8", (1, 6, 7, 5), scale=0.03, zero=100),
                        T("u8", (6, 3, 3, 5), random("u8", (6, 3, 3, 5)), 0.01, 120),
                        const("i32", (6,), 0.0003)], [T("u8", (1, 6, 7, 6), scale=0.3, zero=128)], u)


def depthwise(r):
    S = schema.Padding.SAME
    for name, shape, k, mult, stride in (("f32_3x3", (1, 9, 8, 20), 3, 1, 1), ("f32_mult2", (1, 7, 6, 5), 3, 2, 1),
                                         ("f32_s2_5x5", (2, 9, 11, 8), 5, 1, 2)):
        o = dict(kind="DepthwiseConv2DOptions", padding=S, strideW=stride, strideH=stride, depthMultiplier=mult,
                 dilationWFactor=1, dilationHFactor=1, fusedActivationFunction=schema.ActivationFunctionType.RELU6)
        c = shape[3] * mult
        r(name, "DEPTHWISE_CONV_2D", [T("f32", shape), const("f32", (1, k, k, c)), const("f32", (c,))],
          [T("f32", (shape[0], -(-shape[1] // stride), -(-shape[2] // stride), c))], o)
    scales = np.linspace(0.005, 0.02, 8)
    o = dict(kind="DepthwiseConv2DOptions", padding=S, strideW=1, strideH=1, depthMultiplier=1, dilationWFactor=1,
             dilationHFactor=1, version=3)
    r("i8", "DEPTHWISE_CONV_2D", [T("i8", (1, 6, 7, 8), scale=0.03, zero=5), const("i8", (1, 3, 3, 8), scales, axis=3),
                                  const("i32", (8,), scales * 0.03)], [T("i8", (1, 6, 7, 8), scale=0.1, zero=-7)], o)


def dense(r):
    f = dict(kind="FullyConnectedOptions")
    r("f32", "FULLY_CONNECTED", [T("f32", (3, 37)), const("f32", (19, 37)), const("f32", (19,))], [T("f32", (3, 19))], f)
    r("i8", "FULLY_CONNECTED", [T("i8", (2, 40), scale=0.02, zero=3), const("i8", (17, 40), 0.01), const("i32", (17,), 0.0002)],
      [T("i8", (2, 17), scale=0.2, zero=-1)], dict(f, version=4))
    for kind, q in (("f32", {}), ("i8", dict(scale=0.05, zero=4)), ("u8", dict(scale=0.05, zero=110))):
        out = {"f32": {}, "i8": dict(scale=1 / 256, zero=-128), "u8": dict(scale=1 / 256, zero=0)}[kind]
        r(kind, "SOFTMAX", [T(kind, (3, 21), **q)], [T(kind, (3, 21), **out)], dict(kind="SoftmaxOptions", beta=1.0, version=2))
        p = dict(kind="Pool2DOptions", padding=schema.Padding.SAME, strideW=2, strideH=2, filterWidth=3, filterHeight=3,
                 version=2)
        for op in ("AVERAGE_POOL_2D", "MAX_POOL_2D"):
            r(kind, op, [T(kind, (1, 7, 9, 13), **q)], [T(kind, (1, 4, 5, 13), **q)], p)


# Of the lines of core/elementwise.def: where operators are defined, and those that have parameters.
DOMAINS = {"LOG": (0.01, 9), "SQRT": (0.01, 9), "RSQRT": (0.01, 9), "POW": (0.1, 4)}
PARAMETERS = {"GELU", "LEAKY_RELU"}


def lines(r):
    """Operators of two tensors that are a line of core/elementwise.def, without parameters."""
    for op in named("BINARY", "COMPARE"):
        line = LINES[op]
        if "f32" not in line.plain or "ACTIVATION" in line.traits:
            continue
        low, high = DOMAINS.get(op, (-2, 2))
        b = (2, 3, 7) if "SAME_SHAPE" in line.traits else (3, 1)
        r("f32", op, [T("f32", (2, 3, 7)), T("f32", b)], [T("bool" if line.kind == "COMPARE" else "f32", (2, 3, 7))], low=low, high=high)


def binary(r):
    for op, kind in (("ADD", "AddOptions"), ("SUB", "SubOptions"), ("MUL", "MulOptions"), ("DIV", "DivOptions")):
        low = 0.5 if op == "DIV" else -1.0
        for name, a, b, o in (("same", (2, 3, 5, 7), (2, 3, 5, 7), (2, 3, 5, 7)), ("channel", (2, 3, 5, 7), (7,), (2, 3, 5, 7)),
                              ("outer", (1, 3, 1, 4), (2, 1, 5, 1), (2, 3, 5, 4)), ("scalar", (33,), (), (33,))):
            r("f32_" + name, op, [T("f32", a), T("f32", b)], [T("f32", o)], dict(kind=kind), low=low, high=2.0)
        if op != "DIV":
            r("i8", op, [T("i8", (3, 17), scale=0.02, zero=3), T("i8", (3, 17), scale=0.05, zero=-9)],
              [T("i8", (3, 17), scale=0.04, zero=7)], dict(kind=kind, version=2))
            r("u8", op, [T("u8", (3, 17), scale=0.02, zero=130), T("u8", (3, 17), scale=0.05, zero=99)],
              [T("u8", (3, 17), scale=0.04, zero=120)], dict(kind=kind))
        r("i32", op, [T("i32", (4, 9)), const("i32", (4, 9))], [T("i32", (4, 9))], dict(kind=kind))


def unary(r):
    for op in named("UNARY"):
        if "f32" in LINES[op].plain and op not in PARAMETERS:
            low, high = DOMAINS.get(op, (-8, 8))
            r("f32", op, [T("f32", (3, 41))], [T("f32", (3, 41))], low=low, high=high)
    r("i8", "LOGISTIC", [T("i8", (3, 41), scale=0.06, zero=4)], [T("i8", (3, 41), scale=1 / 256, zero=-128)], dict(
        kind="LogisticOptions", version=2) if hasattr(schema, "LogisticOptionsT") else None)
    r("f32_i8", "QUANTIZE", [T("f32", (3, 41))], [T("i8", (3, 41), scale=0.011, zero=3)], dict(kind="QuantizeOptions"), -2, 2)
    r("i8_u8", "QUANTIZE", [T("i8", (3, 41), scale=0.02, zero=3)], [T("u8", (3, 41), scale=0.02, zero=131)],
      dict(kind="QuantizeOptions", version=2))
    r("i8", "DEQUANTIZE", [T("i8", (3, 41), scale=0.02, zero=3)], [T("f32", (3, 41))], dict(kind="DequantizeOptions", version=2))


def move(r):
    r("f32", "RESHAPE", [T("f32", (2, 12)), T("i32", (3,), [4, -1, 2])], [T("f32", (4, 3, 2))], dict(kind="ReshapeOptions"))
    r("f32", "SQUEEZE", [T("f32", (1, 5, 1, 3))], [T("f32", (5, 3))], dict(kind="SqueezeOptions", squeezeDims=[0, 2]))
    r("f32", "PAD", [T("f32", (1, 4, 5, 3)), T("i32", (4, 2), [0, 0, 1, 2, 0, 3, 0, 0])], [T("f32", (1, 7, 8, 3))],
      dict(kind="PadOptions"))
    for axis in (1, 3):
        shapes = [[1, 4, 5, 6], [1, 4, 5, 6]]
        shapes[1][axis] = 2
        out = [1, 4, 5, 6]
        out[axis] += 2
        r(f"f32_axis{axis}", "CONCATENATION", [T("f32", s) for s in shapes], [T("f32", out)],
          dict(kind="ConcatenationOptions", axis=axis))
    r("f32", "SPLIT", [T("i32", (), 1), T("f32", (3, 8))], [T("f32", (3, 4)), T("f32", (3, 4))],
      dict(kind="SplitOptions", numSplits=2))
    r("f32", "STRIDED_SLICE", [T("f32", (5, 7, 3)), T("i32", (3,), [1, -1, 0]), T("i32", (3,), [5, 0, 3]),
                               T("i32", (3,), [2, -2, 1])], [T("f32", (2, 3, 3))], dict(kind="StridedSliceOptions"))
    r("f32", "GATHER", [T("f32", (6, 5)), T("i32", (4,), [3, 0, 5, 3])], [T("f32", (4, 5))], dict(kind="GatherOptions"))
    r("f32", "TRANSPOSE", [T("f32", (2, 3, 4, 5)), T("i32", (4,), [0, 2, 3, 1])], [T("f32", (2, 4, 5, 3))],
      dict(kind="TransposeOptions"))
    r("f32", "BROADCAST_TO", [T("f32", (3, 1)), T("i32", (3,), [2, 3, 4])], [T("f32", (2, 3, 4))],
      dict(kind="BroadcastToOptions", version=2))
    r("f32", "RFFT2D", [T("f32", (2, 4, 16)), T("i32", (2,), [4, 16])], [T("c64", (2, 4, 9))], dict(kind="Rfft2dOptions"))
    for op in ("MEAN", "SUM", "REDUCE_MAX"):
        r("f32", op, [T("f32", (2, 5, 6, 7)), T("i32", (2,), [1, 2])], [T("f32", (2, 1, 1, 7))],
          dict(kind="ReducerOptions", keepDims=True))
    r("i8", "MEAN", [T("i8", (1, 5, 6, 7), scale=0.03, zero=3), T("i32", (2,), [1, 2])],
      [T("i8", (1, 1, 1, 7), scale=0.02, zero=-5)], dict(kind="ReducerOptions", keepDims=True, version=2))
    for name, corners, half in (("f32", False, False), ("f32_corners", True, False), ("f32_half", False, True)):
        r(name, "RESIZE_BILINEAR", [T("f32", (1, 5, 4, 9)), T("i32", (2,), [9, 11])], [T("f32", (1, 9, 11, 9))],
          dict(kind="ResizeBilinearOptions", alignCorners=corners, halfPixelCenters=half, version=3))
    r("i8", "RESIZE_BILINEAR", [T("i8", (1, 5, 4, 9), scale=0.1, zero=2), T("i32", (2,), [9, 11])],
      [T("i8", (1, 9, 11, 9), scale=0.1, zero=2)], dict(kind="ResizeBilinearOptions", version=2))


def lstm_cell(kind, depth, cells, outputs, cifg=False, peephole=False, norm=False):
    """Weights of a cell, in the order of the operators, and its layer normalization; hybrid with kind "i8"."""
    def weights(*shape):
        return const(kind, shape, 0.004) if kind == "i8" else T("f32", shape, random("f32", shape, -0.5, 0.5))

    def gates(make, names="ifco"):
        return [None if cifg and name == "i" else make() for name in names]
    cell = gates(lambda: weights(cells, depth)) + gates(lambda: weights(cells, outputs))
    cell += gates(lambda: weights(cells), "ifo") if peephole else [None] * 3
    cell += gates(lambda: const("f32", (cells,)))
    cell += [weights(outputs, cells), const("f32", (outputs,))] if cells != outputs else [None, None]
    return cell, gates(lambda: T("f32", (cells,), random("f32", (cells,), 0.2, 1.0))) if norm else [None] * 4


def lstm_integer(depth, cells, norm=False):
    """Weights of a cell in integers without projection, and its intermediates."""
    cell = [const("i8", (cells, depth), 0.006) for _ in range(4)] + [const("i8", (cells, cells), 0.006) for _ in range(4)]
    cell += [T("i16", (cells,), integers(-9000, 9000, cells), 3e-5) for _ in range(3)]
    cell += [const("i32", (cells,), 1e-4) for _ in range(4)] + [None, None]
    norms = [T("i16", (cells,), integers(9000, 32767, cells), 4e-5) if norm else None for _ in range(4)]
    return cell, norms, [T("i16", (0,), scale=0.0005) for _ in range(4)] + [T("i8", (0,), scale=0.008, zero=3)]


def recurrent(r):
    tanh = schema.ActivationFunctionType.TANH
    lstm = dict(kind="LSTMOptions", fusedActivationFunction=tanh, version=4)
    sequence = dict(kind="UnidirectionalSequenceLSTMOptions", fusedActivationFunction=tanh, version=4)
    batches, steps, depth = 2, 3, 7

    def states(cells, outputs, kinds=("f32", "f32"), scales=(None, None)):
        return [T(k, (batches, n), scale=s, variable=True) for k, n, s in zip(kinds, (outputs, cells), scales)]
    for name, kind, outputs, extra, o in (
            ("f32_all", "f32", 5, dict(peephole=True, norm=True), dict(cellClip=0.5, projClip=0.4)),
            ("f32_cifg", "f32", 9, dict(cifg=True), {}), ("hybrid", "i8", 9, dict(peephole=True), {}),
            ("hybrid_asymmetric", "i8", 5, {}, dict(asymmetricQuantizeInputs=True))):
        cell, norms = lstm_cell(kind, depth, 9, outputs, **extra)
        r(name, "LSTM", [T("f32", (batches, depth))] + cell + states(9, outputs) + norms, [T("f32", (batches, outputs))],
          dict(lstm, **o))
        for major, shape in ((True, (steps, batches)), (False, (batches, steps))):
            r(name + ("_time" if major else "_batch"), "UNIDIRECTIONAL_SEQUENCE_LSTM",
              [T("f32", shape + (depth,))] + cell + states(9, outputs) + norms, [T("f32", shape + (outputs,))],
              dict(sequence, timeMajor=major, **o))
    for name, norm in (("i8", False), ("i8_norm", True)):
        cell, norms, intermediates = lstm_integer(depth, 9, norm)
        r(name, "UNIDIRECTIONAL_SEQUENCE_LSTM", [T("i8", (steps, batches, depth), scale=0.02, zero=-5)] + cell + states(
            9, 9, ("i8", "i16"), (0.0078, 2.0 ** -11)) + norms, [T("i8", (steps, batches, 9), scale=0.0078)],
          dict(sequence, timeMajor=True, intermediates=intermediates))
    forward, backward = (lstm_cell("f32", depth, 9, 9)[0] for _ in range(2))
    r("f32_merge", "BIDIRECTIONAL_SEQUENCE_LSTM", [T("f32", (steps, batches, depth))] + forward + backward + states(
        9, 9) + states(9, 9) + [None] * 9, [T("f32", (steps, batches, 18))],
      dict(kind="BidirectionalSequenceLSTMOptions", fusedActivationFunction=tanh, mergeOutputs=True, timeMajor=True, version=3))
    for kind in ("f32", "i8"):
        def cell(units):
            return [const(kind, (units, depth), 0.004), const(kind, (units, units), 0.004), const("f32", (units,)),
                    T("f32", (batches, units), variable=True)]
        name = "f32" if kind == "f32" else "hybrid"
        r(name, "RNN", [T("f32", (batches, depth))] + cell(6), [T("f32", (batches, 6))],
          dict(kind="RNNOptions", fusedActivationFunction=tanh, version=3))
        r(name, "UNIDIRECTIONAL_SEQUENCE_RNN", [T("f32", (batches, steps, depth))] + cell(6),
          [T("f32", (batches, steps, 6))], dict(kind="SequenceRNNOptions", fusedActivationFunction=tanh, version=3))
        r(name, "BIDIRECTIONAL_SEQUENCE_RNN", [T("f32", (batches, steps, depth))] + cell(6) + cell(4) + [None] * 3,
          [T("f32", (batches, steps, 6)), T("f32", (batches, steps, 4))],
          dict(kind="BidirectionalSequenceRNNOptions", fusedActivationFunction=tanh, version=3))


def volumes(r):
    S, V = schema.Padding.SAME, schema.Padding.VALID
    act = schema.ActivationFunctionType
    for name, pad, stride, dil, a in (("f32", S, (1, 1, 1), (1, 1, 1), act.NONE), ("f32_s123", S, (1, 2, 3), (1, 1, 1), act.RELU),
                                      ("f32_dil", V, (1, 1, 1), (2, 1, 2), act.NONE)):
        steps = dict(kind="Conv3DOptions", padding=pad, fusedActivationFunction=a)
        steps.update(zip(("strideD", "strideH", "strideW"), stride))
        steps.update(zip(("dilationDFactor", "dilationHFactor", "dilationWFactor"), dil))
        r(name, "CONV_3D", [T("f32", (2, 5, 6, 7, 3)), const("f32", (3, 2, 3, 3, 5)), const("f32", (5,))],
          [T("f32", (1,) * 5)], steps)
    for name, pad, out, k, stride, dil in (
            ("f32_s2", S, (4, 5, 6), (2, 2, 3), (2, 2, 2), (1, 1, 1)), ("f32_dil", V, (9, 8, 7), (2, 2, 3), (2, 2, 1), (2, 1, 1)),
            ("f32_gaps", V, (7, 4, 4), (1, 2, 2), (5, 3, 3), (1, 1, 1))):
        grid = tuple(-(-n // s) if pad == S else (n - (f - 1) * d - 1 + s) // s for n, f, s, d in zip(out, k, stride, dil))
        steps = dict(kind="Conv3DOptions", padding=pad)
        steps.update(zip(("strideD", "strideH", "strideW"), stride))
        steps.update(zip(("dilationDFactor", "dilationHFactor", "dilationWFactor"), dil))
        r(name, "CONV_3D_TRANSPOSE", [T("i32", (5,), (1,) + out + (4,)), const("f32", k + (4, 3)), T("f32", (1,) + grid + (3,)),
                                      const("f32", (4,))], [T("f32", (1,) * 5)], steps)


def stablehlo(r):
    for kind, function in (("f32", 1), ("i8", 4)):
        r(kind, "REDUCE_WINDOW", [T(kind, (5, 7, 4)), T(kind, ()), T("i64", (3,), (2, 3, 1)), T("i64", (3,), (2, 1, 1)),
                                  T("i64", (3,), (1, 2, 1))], [T(kind, (1, 1, 1))],
          dict(kind="ReduceWindowOptions", reduceFunction=function))
    for kind, body in (("f32", "STABLEHLO_ADD"), ("i32", "STABLEHLO_MAXIMUM")):
        r(kind, "STABLEHLO_REDUCE_WINDOW", [T(kind, (4, 5)), T(kind, ())], [T(kind, (1, 1))],
          dict(kind="StablehloReduceWindowOptions", windowDimensions=[2, 3], windowStrides=[1, 2], baseDilations=[2, 1],
               windowDilations=[1, 2], padding=[1, 0, -1, 2], bodySubgraphIndex=1, body=body))
        r(kind, "STABLEHLO_SCATTER", [T(kind, (6, 5)), T("i64", (4, 1), [[0], [3], [5], [3]]), T(kind, (4, 2, 3))],
          [T(kind, (6, 5))], dict(kind="StablehloScatterOptions", updateWindowDims=[1, 2], insertedWindowDims=[],
                                  scatterDimsToOperandDims=[0], indexVectorDim=1, updateComputationSubgraphIndex=1, body=body))
        r(kind, "STABLEHLO_GATHER", [T(kind, (4, 6, 3)), T("i32", (5, 2))], [T(kind, (1, 1, 1))],
          dict(kind="StablehloGatherOptions", offsetDims=[0, 2], collapsedSliceDims=[0], startIndexMap=[1, 0],
               indexVectorDim=1, sliceSizes=[1, 2, 3]))
        r(kind, "STABLEHLO_PAD", [T(kind, (3, 4)), T(kind, ())], [T(kind, (1, 1))],
          dict(kind="StablehloPadOptions", edgePaddingLow=[-1, 2], edgePaddingHigh=[2, -3], interiorPadding=[1, 2]))
    for name, algorithm, kind, state in (("philox", 1, "i32", 2), ("philox3", 1, "i64", 3), ("threefry", 2, "u64", 2)):
        r(name, "STABLEHLO_RNG_BIT_GENERATOR", [T("u64", (state,))], [T("u64", (state,)), T(kind, (3, 5))],
          dict(kind="StablehloRngBitGeneratorOptions", algorithm=algorithm))


def selection(r):
    """Boxes, and random numbers with seeds."""
    inputs = [T("f32", (12, 4)), T("f32", (12,)), T("i32", (), 9), T("f32", (), 0.3), T("f32", (), -0.5)]
    r("f32", "NON_MAX_SUPPRESSION_V4", inputs, [T("i32", (9,)), T("i32", ())], dict(kind="NonMaxSuppressionV4Options"))
    r("f32_soft", "NON_MAX_SUPPRESSION_V5", inputs + [T("f32", (), 0.4)], [T("i32", (9,)), T("f32", (9,)), T("i32", ())],
      dict(kind="NonMaxSuppressionV5Options"))
    seeds = dict(kind="RandomOptions", seed=-12, seed2=1 << 40)
    for op in ("RANDOM_UNIFORM", "RANDOM_STANDARD_NORMAL"):
        r("f32", op, [T("i32", (2,), [5, 7])], [T("f32", (5, 7))], seeds)
    r("i64", "MULTINOMIAL", [T("f32", (3, 8)), T("i32", (), 11)], [T("i64", (3, 11))], seeds)


def lookups(r):
    """Rows by number and by key, hashes, and detections."""
    table = T("i8", (6, 5), random("i8", (6, 5)), np.linspace(0.01, 0.06, 6))
    r("i8_rows", "EMBEDDING_LOOKUP", [T("i32", (4,), [5, 0, 3, 3]), table], [T("f32", (4, 5))])
    indices = [[0, 0], [0, 2], [2, 1], [2, 3], [2, 0]]
    for name, combiner in (("mean", 1), ("sqrtn", 2)):
        r("f32_" + name, "EMBEDDING_LOOKUP_SPARSE",
          [T("i32", (5,), [4, 1, 0, 4, 2]), T("i32", (5, 2), indices), T("i32", (2,), [4, 4]), T("f32", (5,)),
           const("f32", (6, 9))], [T("f32", (4, 9))], dict(kind="EmbeddingLookupSparseOptions", combiner=combiner), 0.5, 2.0)
    r("f32", "HASHTABLE_LOOKUP", [T("i32", (4,), [7, -3, 8, 40]), T("i32", (4,), [-3, 2, 7, 40]), T("f32", (4, 3, 2))],
      [T("f32", (4, 3, 2)), T("u8", (4,))])
    for name, kind, items, out in (("dense", 2, (7, 3), (12,)), ("sparse", 1, (5, 40), (3,))):
        r("i32_" + name, "LSH_PROJECTION", [const("f32", (3, 4)), T("i32", items), T("f32", items[:1])], [T("i32", out)],
          dict(kind="LSHProjectionOptions", type=kind))
    values = {"max_detections": 4, "num_classes": 3, "nms_score_threshold": 0.1,
              "nms_iou_threshold": 0.4, "y_scale": 10.0, "x_scale": 10.0, "h_scale": 5.0, "w_scale": 5.0,
              "detections_per_class": 3}

    def anchors(rng):
        return np.concatenate([rng.uniform(0, 1, (20, 2)), np.full((20, 2), 0.4)], 1)
    for name, regular, per_box in (("fast", False, 2), ("regular", True, 1)):  # as many as there is room for
        options = bytes(flexbuffers.Dumps(dict(values, use_regular_nms=regular, max_classes_per_detection=per_box)))
        r("f32_" + name, "TFLite_Detection_PostProcess",
          [T("f32", (1, 20, 4)), T("f32", (1, 20, 4)), T("f32", (20, 4), anchors)],
          [T("f32", (1, 4 * per_box, 4)), T("f32", (1, 4 * per_box)), T("f32", (1, 4 * per_box)), T("f32", (1,))],
          {"custom": options}, 0.0, 1.0)


def custom(r):
    """Operators of MediaPipe, whose options are the bytes of a struct of integers, and of TensorFlow Addons."""
    same, valid = 1, 2
    for name, shape, filter, stride, pad, out, before in (
            ("same", (1, 5, 7, 3), (2, 3), (2, 2), same, (1, 3, 4, 3), (0, 1)),
            ("valid", (2, 6, 5, 20), (3, 2), (1, 2), valid, (2, 4, 2, 20), (0, 0))):
        options = np.array([pad, stride[1], stride[0], filter[1], filter[0], 0], np.int32).tobytes()
        r("f32_" + name, "MaxPoolingWithArgmax2D", [T("f32", shape)], [T("f32", out), T("f32", out)], {"custom": options},
          computed=lambda x: max_pool_argmax(x, out, filter, stride, before))
    for name, shape, filter, stride, before in (("side_by_side", (2, 3, 4, 5), (2, 2), (2, 2), (0, 0)),
                                                ("overlapping", (1, 4, 3, 3), (3, 3), (1, 2), (0, 0)),
                                                ("apart", (1, 3, 3, 2), (1, 2), (3, 4), (2, 2))):
        options = np.array([same, stride[1], stride[0], filter[1], filter[0], 0], np.int32).tobytes()
        out = (shape[0], shape[1] * filter[0], shape[2] * filter[1], shape[3])
        r("f32_" + name, "MaxUnpooling2D", [T("f32", shape), T("f32", shape)], [T("f32", out)], {"custom": options},
          -1.5, filter[0] * filter[1] + 0.5, lambda x, places: max_unpool(x, places, out, filter, stride, before))
    for name, shape, filter, stride, pad, out, before in (
            ("same", (1, 4, 5, 3), (3, 4), (2, 3), same, (1, 8, 14, 6), (0, 1)),
            ("valid", (2, 3, 4, 9), (2, 2), (2, 1), valid, (2, 6, 5, 4), (0, 0))):
        options = np.array([pad, stride[1], stride[0]], np.int32).tobytes()
        r("f32_" + name, "Convolution2DTransposeBias",
          [T("f32", shape), const("f32", (out[3], *filter, shape[3])), const("f32", (out[3],))], [T("f32", out)],
          {"custom": options}, computed=lambda x, weights, bias: transposed_with_bias(x, weights, bias, out, stride, before))
    r("f32", "Atan", [T("f32", (3, 7))], [T("f32", (3, 7))], {"custom": b""}, computed=lambda x: [np.arctan(x)])
    r("f32", "Resampler", [T("f32", (2, 5, 6, 3)), T("f32", (2, 4, 3, 2))], [T("f32", (2, 4, 3, 3))], {"custom": b""},
      -2.0, 7.0, resample)


def along_axes(r):
    """Choices, and what goes along an axis."""
    r("f32", "SELECT_V2", [T("bool", (3, 1)), T("f32", (3, 4)), T("f32", (4,))], [T("f32", (3, 4))])
    r("f32", "L2_NORMALIZATION", [T("f32", (3, 17))], [T("f32", (3, 17))], dict(kind="L2NormOptions"))
    r("f32", "LOCAL_RESPONSE_NORMALIZATION", [T("f32", (1, 2, 3, 9))], [T("f32", (1, 2, 3, 9))],
      dict(kind="LocalResponseNormalizationOptions", radius=2, bias=1.0, alpha=0.5, beta=0.75))
    r("f32", "BUCKETIZE", [T("f32", (3, 7))], [T("i32", (3, 7))], dict(kind="BucketizeOptions", boundaries=[-0.5, 0.0, 0.3]))
    r("f32", "CUMSUM", [T("f32", (3, 5, 2)), T("i32", (), 1)], [T("f32", (3, 5, 2))], dict(kind="CumsumOptions", exclusive=True))
    r("f32", "ARG_MAX", [T("f32", (3, 5, 2)), T("i32", (), 1)], [T("i32", (3, 2))], dict(kind="ArgMaxOptions", outputType=2))
    r("f32", "SVDF", [T("f32", (2, 5)), const("f32", (8, 5)), const("f32", (8, 3)), const("f32", (4,)), T("f32", (2, 24), variable=True)],
      [T("f32", (2, 4))], dict(kind="SVDFOptions", rank=2))


def hybrid(r):
    """Floats that are quantized for weights of 8 and 4 bits."""
    f = dict(kind="FullyConnectedOptions", version=9)
    for name, kind, scale, asymmetric in (("tensor", "i8", 0.01, False), ("channel_asymmetric", "i8", np.linspace(0.005, 0.02, 19), True),
                                          ("i4", "i4", 0.1, False)):
        weights = T(kind, (19, 37), integers(-7, 8, (19, 37)), scale) if kind == "i4" else const(kind, (19, 37), scale)
        r("hybrid_" + name, "FULLY_CONNECTED", [T("f32", (3, 37)), weights, const("f32", (19,))], [T("f32", (3, 19))],
          dict(f, asymmetricQuantizeInputs=asymmetric))
    # The reference kernel takes the scales for others, XNNPACK rounds them to 8 bits.
    scales = T("f16", (7, 2), np.arange(1, 15) / 128)
    whole = (np.arange(192).reshape(3, 64) * 85 + np.array([[0], [42], [64]])) % 256 - 128  # quantized as they are
    whole[:, :2] = -128, 127
    r("hybrid_i4_blocks", "FULLY_CONNECTED", [T("f32", (3, 64), feed=whole), T("i4", (7, 64), integers(-8, 8, (7, 64)), block=(scales, 32)),
                                              const("f32", (7,))], [T("f32", (3, 7))], dict(f, version=12))
    c = dict(kind="Conv2DOptions", padding=schema.Padding.SAME, strideW=1, strideH=1, dilationWFactor=1, dilationHFactor=1, version=2)
    for name, scale in (("tensor", 0.01), ("channel", np.linspace(0.005, 0.02, 6))):
        r("hybrid_" + name, "CONV_2D", [T("f32", (2, 6, 7, 5)), const("i8", (6, 3, 3, 5), scale), const("f32", (6,))],
          [T("f32", (2, 6, 7, 6))], c)
    d = dict(c, kind="DepthwiseConv2DOptions", depthMultiplier=2, version=6)
    r("hybrid", "DEPTHWISE_CONV_2D", [T("f32", (2, 6, 7, 5)), const("i8", (1, 3, 3, 10), np.linspace(0.005, 0.02, 10), axis=3),
                                      const("f32", (10,))], [T("f32", (2, 6, 7, 10))], d)
    b = dict(kind="BatchMatMulOptions", version=4)
    r("hybrid", "BATCH_MATMUL", [T("f32", (2, 3, 20)), const("i8", (1, 20, 9), 0.01)], [T("f32", (2, 3, 9))],
      dict(b, asymmetricQuantizeInputs=True))


def products(r):
    """Products of integers in every width, and of weights that come in."""
    b = dict(kind="BatchMatMulOptions", version=4)
    r("i8", "BATCH_MATMUL", [T("i8", (2, 3, 20), scale=0.02, zero=3), T("i8", (1, 9, 20), scale=0.01, zero=-5)],
      [T("i8", (2, 3, 9), scale=0.3, zero=7)], dict(b, adjY=True))
    r("i8_i32", "BATCH_MATMUL", [T("i8", (3, 20), scale=0.02), T("i8", (20, 9), scale=0.01)], [T("i32", (3, 9))], b)
    for name, x, y in (("f32", (2, 7, 20), (2, 20, 9)), ("f32_rows", (2, 40, 20), (20, 19))):
        r(name, "BATCH_MATMUL", [T("f32", x), T("f32", y)], [T("f32", (2, x[1], y[-1]))], b)
    r("i16", "BATCH_MATMUL", [T("i16", (2, 20, 3), scale=0.0001), T("i16", (2, 20, 9), scale=0.0002)],
      [T("i16", (2, 3, 9), scale=0.001)], dict(b, adjX=True))
    f = dict(kind="FullyConnectedOptions", version=4)
    r("u8_i16", "FULLY_CONNECTED", [T("u8", (2, 40), scale=0.02, zero=120), T("u8", (17, 40), random("u8", (17, 40)), 0.01, 130),
                                    const("i32", (17,), 0.0002)], [T("i16", (2, 17), scale=0.001)], f)
    r("f32_weights_come_in", "FULLY_CONNECTED", [T("f32", (3, 37)), T("f32", (19, 37)), T("f32", (19,))], [T("f32", (3, 19))], f)


def indexed(r):
    """What takes places or sizes, and the remaining kernels of kernels-cl."""
    r("f32", "GATHER_ND", [T("f32", (3, 4, 5)), T("i32", (2, 3, 2), feed=[[2, 3], [0, 0], [1, 2], [2, 0], [0, 3], [1, 1]])],
      [T("f32", (2, 3, 5))], dict(kind="GatherNdOptions"))
    r("f32", "SCATTER_ND", [T("i32", (4, 1), feed=[2, 0, 2, 5]), T("f32", (4, 3)), T("i32", (2,), [6, 3])], [T("f32", (6, 3))],
      dict(kind="ScatterNdOptions"))
    places = T("i32", (3, 2), feed=[[0, 1], [1, 0], [2, 3]])
    r("f32", "SPARSE_TO_DENSE", [places, T("i32", (2,), [3, 4]), T("f32", (3,)), T("f32", (), 0.5)], [T("f32", (3, 4))],
      dict(kind="SparseToDenseOptions", validateIndices=True))
    r("f32", "SEGMENT_SUM", [T("f32", (5, 3)), T("i32", (5,), [0, 0, 1, 2, 2])], [T("f32", (3, 3))], dict(kind="SegmentSumOptions"))
    r("f32", "UNSORTED_SEGMENT_MAX", [T("f32", (5, 3)), T("i32", (5,), feed=[1, 3, 1, -1, 0]), T("i32", (), 4)], [T("f32", (4, 3))],
      dict(kind="UnsortedSegmentMaxOptions"))
    r("f32", "TOPK_V2", [T("f32", (3, 7)), T("i32", (), 4)], [T("f32", (3, 4)), T("i32", (3, 4))], dict(kind="TopKV2Options"))
    r("i32", "ONE_HOT", [T("i32", (2, 3), feed=[0, 3, -1, 2, 4, 1]), T("i32", (), 4), T("f32", (), 2.5), T("f32", (), -1)],
      [T("f32", (2, 4, 3))], dict(kind="OneHotOptions", axis=1))
    r("f32", "DYNAMIC_UPDATE_SLICE", [T("f32", (4, 6)), T("f32", (2, 3)), T("i32", (2,), feed=[3, 1])], [T("f32", (4, 6))],
      dict(kind="DynamicUpdateSliceOptions") if hasattr(schema, "DynamicUpdateSliceOptionsT") else None)
    r("f32", "REVERSE_SEQUENCE", [T("f32", (3, 5, 2)), T("i32", (3,), feed=[2, 5, 0])], [T("f32", (3, 5, 2))],
      dict(kind="ReverseSequenceOptions", seqDim=1, batchDim=0))
    r("f32", "RANGE", [T("f32", (), feed=1), T("f32", (), feed=-3), T("f32", (), feed=-0.75)], [T("f32", (6,))], dict(kind="RangeOptions"))
    r("i32", "BROADCAST_ARGS", [T("i32", (3,), feed=[4, 1, 3]), T("i32", (2,), feed=[5, 1])], [T("i32", (3,))])
    r("f32", "MIRROR_PAD", [T("f32", (2, 3, 4)), T("i32", (3, 2), [0, 0, 2, 1, 1, 3])], [T("f32", (2, 6, 8))],
      dict(kind="MirrorPadOptions", mode=0))
    r("f32_half", "RESIZE_NEAREST_NEIGHBOR", [T("f32", (1, 5, 4, 9)), T("i32", (2,), [9, 11])], [T("f32", (1, 9, 11, 9))],
      dict(kind="ResizeNearestNeighborOptions", halfPixelCenters=True, version=3))
    r("c64", "COMPLEX_ABS", [T("c64", (3, 7))], [T("f32", (3, 7))],
      dict(kind="ComplexAbsOptions") if hasattr(schema, "ComplexAbsOptionsT") else None)
    r("i8_channel", "DEQUANTIZE", [T("i8", (3, 4, 5), scale=[0.1, 0.02, 0.5, 0.3], axis=1)], [T("f32", (3, 4, 5))],
      dict(kind="DequantizeOptions", version=5))
    cells = (2, 3), (2, 6), (2, 9), (2, 24)
    basic = dict(kind="LSTMOptions", kernelType=1, fusedActivationFunction=schema.ActivationFunctionType.TANH, version=2)
    r("f32_basic", "LSTM", [T("f32", cells[0]), T("f32", cells[1]), const("f32", (24, 9)), const("f32", (24,)), T("f32", cells[1])],
      [T("f32", cells[1]), T("f32", cells[1]), T("f32", cells[2]), T("f32", cells[3])],
      basic)
    byte, word = (lambda n: T("u8", (2, n), scale=1 / 128, zero=128)), (lambda n: T("i16", (2, n), scale=1 / 2048))
    r("u8_basic", "LSTM", [byte(8), byte(8), T("u8", (32, 16), random("u8", (32, 16)), 0.01, 117), const("i32", (32,), 0.01 / 128), word(8)],
      [byte(8), word(8), byte(16), word(32)], basic)


def joined(r):
    shape, options = (4, 6, 5, 20), dict(kind="Conv2DOptions", padding=0, strideW=1, strideH=1, fusedActivationFunction=1)
    depthwise_options = dict(kind="DepthwiseConv2DOptions", padding=0, strideW=2, strideH=2, depthMultiplier=1)
    dense, layer = dict(kind="FullyConnectedOptions"), lambda *dims: [const("f32", dims), const("f32", dims[:1])]
    for name, then in (("depthwise", ("DEPTHWISE_CONV_2D", [const("f32", (1, 3, 3, 20)), const("f32", (20,))], T("f32", (4, 3, 3, 20)), depthwise_options)),
                       ("add", ("ADD", [const("f32", shape)], T("f32", shape), dict(kind="AddOptions")))):
        r("f32_" + name, "CONV_2D", [T("f32", (4, 6, 5, 8)), *layer(20, 1, 1, 8)], [T("f32", shape)], dict(options, then=then))
    rows, gated = T("f32", (5, 9, 21)), T("f32", (3, 5, 4, 19))
    r("f32_gate", "MUL", [T("f32", (3, 1, 1, 19)), gated], [gated], dict(kind="MulOptions", then=("CONV_2D", layer(20, 1, 1, 19), T("f32", (3, 5, 4, 20)), options)))
    r("f32_products", "FULLY_CONNECTED", [T("f32", (3, 19)), *layer(70, 19)], [T("f32", (3, 70))],
      dict(dense, fusedActivationFunction=1, then=("FULLY_CONNECTED", layer(20, 70), T("f32", (3, 20)), dense)))
    r("f32_rows", "MUL", [rows, const("f32", (21,))], [rows],
      dict(kind="MulOptions", then=("MEAN", [T("i32", (1,), [2])], T("f32", (5, 9, 1)), dict(kind="ReducerOptions", keepDims=True))))


def tables(r):
    """Functions of quantized numbers, and transposed convolutions in the types that came with them."""
    fine = dict(scale=1 / 32768)
    for op, options, out in (("LOGISTIC", None, fine), ("TANH", None, fine), ("EXP", dict(kind="ExpOptions"), dict(scale=0.001)),
                             ("GELU", dict(kind="GeluOptions"), dict(scale=0.0005)),
                             ("LEAKY_RELU", dict(kind="LeakyReluOptions", alpha=0.2), dict(scale=0.0004)),
                             ("RELU", None, dict(scale=0.0002)), ("ABS", dict(kind="AbsOptions"), dict(scale=0.0002))):
        r("i16", op, [T("i16", (3, 41), scale=0.0001)], [T("i16", (3, 41), **out)],
          dict(options or {}, version=2 if op in ("EXP", "GELU", "LEAKY_RELU") else 3))
    for op, kind, low in (("SQRT", "i8", -128), ("RSQRT", "i8", -128), ("HARD_SWISH", "i8", 3), ("HARD_SWISH", "u8", 120)):
        r(kind + "_table", op, [T(kind, (3, 41), scale=0.05, zero=low)], [T(kind, (3, 41), scale=0.04, zero=low)],
          dict(version=1 if op == "HARD_SWISH" else 2))
    for name, kind, q, bias in (("i16", "i16", dict(scale=0.001), const("i64", (4,), 0.00001)), ("hybrid", "f32", {}, const("f32", (4,)))):
        r(name, "TRANSPOSE_CONV", [T("i32", (4,), [2, 6, 8, 4]), const("i8", (4, 3, 3, 5), 0.01), T(kind, (2, 3, 4, 5), **q), bias],
          [T(kind, (2, 6, 8, 4), **q)], dict(kind="TransposeConvOptions", padding=schema.Padding.SAME, strideH=2, strideW=2, version=3))
    # Sums of 32 bits are scaled more finely than those of 64.
    r("i16_declared", "TRANSPOSE_CONV", [T("i32", (4,), [2, 6, 8, 4]), const("i8", (4, 3, 3, 5), 0.01), T("i16", (2, 3, 4, 5), scale=1 / 32768)],
      [T("i16", (2, 6, 8, 4), scale=1 / 11000)], dict(kind="TransposeConvOptions", padding=schema.Padding.SAME, strideH=2, strideW=2,
                                                    quantizedBiasType=schema.TensorType.INT32, version=5))


def narrow(r):
    """Indices, paddings and tables of small types, and inputs that are rescaled."""
    for op, options in (("GATHER", dict(kind="GatherOptions", version=8)), ("GATHER_ND", dict(kind="GatherNdOptions", version=6))):
        places = [[3], [0], [5]] if op == "GATHER_ND" else [3, 0, 5]
        r("f32_i16", op, [T("f32", (6, 5)), T("i16", np.shape(places), places)], [T("f32", (3, 5))], options)
    for op, kind, extra in (("PAD", "i8", []), ("PADV2", "i16", [T("f32", (1,), [7])])):
        options = dict(kind=("PadOptions", "PadV2Options")[len(extra)], version=6)
        r("f32_" + kind, op, [T("f32", (3, 4)), T(kind, (2, 2), [[1, 0], [2, 1]])] + extra, [T("f32", (4, 7))], options)
    r("f32_i16", "TOPK_V2", [T("f32", (3, 9)), T("i16", (), 4)], [T("f32", (3, 4)), T("i16", (3, 4))],
      dict(kind="TopKV2Options", version=3))
    table = T("i4", (6, 10), integers(-8, 8, (6, 10)), np.linspace(0.01, 0.06, 6))
    r("i4_rows", "EMBEDDING_LOOKUP", [T("i32", (4,), [5, 0, 3, 3]), table], [T("f32", (4, 10))], dict(version=4))
    parts = [T("u8", (3, 4), scale=0.02, zero=100), T("u8", (3, 7), scale=0.05, zero=128), T("u8", (3, 2), scale=0.013, zero=7)]
    r("u8_rescaled", "CONCATENATION", parts, [T("u8", (3, 13), scale=0.02, zero=100)], dict(kind="ConcatenationOptions", axis=1))


def declared(r):
    """Results of another type than the model declares, which the operator sets."""
    shape = (3, 7)
    byte = dict(kind="AddOptions", version=2)
    r("i8_declared_f32", "ADD", [T("i8", shape, scale=0.03, zero=-4), T("i8", shape, scale=0.02, zero=5)], [T("f32", shape, scale=0.05, zero=3)],
      dict(byte, then=("ADD", [const("i8", shape, 0.01)], T("f32", shape, scale=0.06, zero=-1), dict(kind="AddOptions"))))
    r("f32_declared_i8", "SUB", [T("f32", shape), T("f32", shape)], [T("i8", shape, scale=0.05, zero=3)], dict(kind="SubOptions"))
    r("f32_declared_i64", "LESS", [T("f32", shape), T("f32", shape)], [T("i64", shape)])
    r("i8_declared_bool", "DEQUANTIZE", [T("i8", shape, scale=0.03, zero=-4)], [T("bool", shape)], dict(kind="DequantizeOptions", version=2))
    r("i16_declared_f32", "SPLIT", [T("i32", (), 1), T("i16", (4, 6))], [T("f32", (4, 3)), T("u8", (4, 3))],
      dict(kind="SplitOptions", numSplits=2, version=4))


def main(folder):
    def recorder(name, op, inputs, outputs, options=None, low=-1.0, high=1.0, computed=None):
        record(folder, name, op, inputs, outputs, options, low, high, computed)

    for family in (conv, depthwise, dense, binary, lines, unary, move, recurrent, volumes, stablehlo, selection, custom, lookups,
                   along_axes, hybrid, products, indexed, joined, tables, narrow, declared, numbers):
        family(recorder)
    print(len(os.listdir(folder)), "cases")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
