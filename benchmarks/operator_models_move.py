"""Models of operators that move, cut, repeat or place elements: operator_models.py gives them out."""
import itertools

import numpy as np

from operator_tensors import MATRIX, PICTURE, moved, quant, times
from random_source import one  # of tests/conformance


@times("TRANSPOSE")
def transpose(r, op):
    orders = {"2d": (MATRIX, [1, 0]), "to planes": (PICTURE, [0, 3, 1, 2]), "from planes": (PICTURE, [0, 2, 3, 1]),
              "heads": ([8, 128, 16, 64], [0, 2, 1, 3]), "reversed": (PICTURE, [3, 2, 1, 0]), "3 channels": ([512, 512, 3], [2, 0, 1])}
    for kind, (label, (shape, order)) in itertools.product(("f32", "i8", "i16", "i64"), orders.items()):
        x, out = moved(r, kind, shape)
        yield f"{kind} {label}", one(op, [x, r.const("i32", [len(order)], order)], [out])


@times("CONCATENATION", "PACK")
def concatenation(r, op):
    name = "Concatenation" if op == "CONCATENATION" else "Pack"
    for kind, axis in itertools.product(("f32", "i8", "u8", "i32"), (0, 1, 3)):
        parts = [moved(r, kind, [4, 64, 64, 16] if op == "CONCATENATION" else [64, 64, 64])[0] for _ in range(4)]
        options = {"axis": axis} if op == "CONCATENATION" else {"axis": axis, "count": 4}
        yield f"{kind} axis {axis}", one(op, parts, [r.out(kind, **quant(kind))], (name, options))
    if op == "CONCATENATION":
        parts = [r.fed("u8", [4, 64, 64, 16], **quant("u8", 0.01 * (k + 1))) for k in range(4)]
        yield "u8 rescaled", one(op, parts, [r.out("u8", **quant("u8"))], (name, {"axis": 3}))


@times("SPLIT", "SPLIT_V", "UNPACK")
def split(r, op):
    for kind, axis in itertools.product(("f32", "i8", "i32"), (0, 1, 3)):
        x, _ = moved(r, kind, PICTURE)
        outputs = [r.out(kind, **quant(kind)) for _ in range(4 if op != "UNPACK" else PICTURE[axis])]
        where_ = r.const("i32", [], axis)
        sizes = r.const("i32", [4], [PICTURE[axis] // 4] * 4)
        yield f"{kind} axis {axis}", {
            "SPLIT": lambda: one(op, [where_, x], outputs, ("Split", {"num_splits": 4})),
            "SPLIT_V": lambda: one(op, [x, sizes, where_], outputs, ("SplitV", {"num_splits": 4})),
            "UNPACK": lambda: one(op, [x], outputs, ("Unpack", {"num": PICTURE[axis], "axis": axis}))}[op]()


@times("TILE", "BROADCAST_TO")
def tile(r, op):
    shapes = {"outer": ([1, 64, 64, 64], [4, 1, 1, 1]), "inner": ([4, 64, 64, 1], [1, 1, 1, 64]), "middle": ([4, 64, 1, 64], [1, 1, 64, 1])}
    for kind, (label, (shape, counts)) in itertools.product(("f32", "i8", "i32", "i64"), shapes.items()):
        x, out = moved(r, kind, shape)
        yield f"{kind} {label}", one(op, [x, r.const("i32", [4], counts if op == "TILE" else PICTURE)], [out])


@times("SLICE", "STRIDED_SLICE")
def slice_(r, op):
    steps = {"block": ([0, 8, 8, 0], [4, 56, 56, 64], [1] * 4), "channels": ([0] * 4, [4, 64, 64, 32], [1] * 4)}
    if op == "STRIDED_SLICE":
        steps.update({"every second": ([0] * 4, PICTURE, [1, 2, 2, 1]), "channels by 2": ([0] * 4, PICTURE, [1, 1, 1, 2]),
                      "backwards": ([-1] * 4, [-100] * 4, [-1] * 4)})
    for kind, (label, (begin, end, step)) in itertools.product(("f32", "i8", "i32", "i64"), steps.items()):
        x, out = moved(r, kind, PICTURE)
        vectors = (begin, np.subtract(end, begin)) if op == "SLICE" else (begin, end, step)
        yield f"{kind} {label}", one(op, [x, *(r.const("i32", [4], v) for v in vectors)], [out],
                                     ("StridedSlice", {}) if op == "STRIDED_SLICE" else None)


@times("PAD", "PADV2", "MIRROR_PAD")
def pad(r, op):
    pads = {"picture": [[0, 0], [2, 2], [2, 2], [0, 0]], "channels": [[0, 0], [0, 0], [0, 0], [3, 5]]}
    for kind, (label, pairs) in itertools.product(("f32", "i8", "i32", "i64"), pads.items()):
        x, out = moved(r, kind, PICTURE)
        more = [r.const(kind, [], 1, **quant(kind))] if op == "PADV2" else []
        yield f"{kind} {label}", one(op, [x, r.const("i32", [4, 2], pairs), *more], [out], ("MirrorPad", {"mode": 0}) if op == "MIRROR_PAD" else None)


@times("GATHER")
def gather(r, op):
    for kind, (label, axis, count) in itertools.product(("f32", "i8", "i32"), (("rows", 0, 1024), ("columns", 1, 1024))):
        x, out = moved(r, kind, MATRIX)
        yield f"{kind} {label}", one(op, [x, r.fed("i32", [count], r.rng.integers(0, 1024, count))], [out], ("Gather", {"axis": axis}))
    yield "f32 elements", one(op, [r.fed("f32", [1 << 20]), r.fed("i32", [1 << 20], r.rng.integers(0, 1 << 20, 1 << 20))], [r.out("f32")],
                              ("Gather", {"axis": 0}))


@times("GATHER_ND")
def gather_nd(r, op):
    for kind, (label, depth, count) in itertools.product(("f32", "i8", "i32"), (("elements", 2, 1 << 19), ("rows", 1, 1024))):
        x, out = moved(r, kind, MATRIX)
        yield f"{kind} {label}", one(op, [x, r.fed("i32", [count, depth], r.rng.integers(0, 1024, [count, depth]))], [out])


@times("SCATTER_ND")
def scatter_nd(r, op):
    for kind, (label, depth, count) in itertools.product(("f32", "i32", "i8"), (("elements", 2, 1 << 19), ("rows", 1, 1024))):
        indices = r.fed("i32", [count, depth], r.rng.integers(0, 1024, [count, depth]))
        yield f"{kind} {label}", one(op, [indices, r.fed(kind, [count] + [1024] * (2 - depth)), r.const("i32", [2], MATRIX)], [r.out(kind)])


@times("SPARSE_TO_DENSE")
def sparse_to_dense(r, op):
    flat = np.sort(r.rng.choice(np.prod(MATRIX), np.prod(MATRIX) // 16, replace=False))
    indices = np.stack(np.unravel_index(flat, MATRIX), -1)
    for kind in ("f32", "i8"):
        yield kind, one(op, [r.fed("i32", indices.shape, indices), r.const("i32", [2], MATRIX), r.fed(kind, [len(flat)]), r.const(kind, [], 0)],
                        [r.out(kind)], ("SparseToDense", {}))


@times("REVERSE_V2")
def reverse(r, op):
    for kind, axis in itertools.product(("f32", "i8", "i32", "i64"), (0, 2, 3)):
        x, out = moved(r, kind, PICTURE)
        yield f"{kind} axis {axis}", one(op, [x, r.const("i32", [1], [axis])], [out])


@times("REVERSE_SEQUENCE")
def reverse_sequence(r, op):
    for kind in ("f32", "u8", "i32"):
        x, out = moved(r, kind, [64, 128, 128])
        yield kind, one(op, [x, r.fed("i32", [64], r.rng.integers(0, 129, 64))], [out], ("ReverseSequence", {"seq_dim": 1, "batch_dim": 0}))


@times("SPACE_TO_DEPTH", "DEPTH_TO_SPACE")
def space_depth(r, op):
    for kind, channels in itertools.product(("f32", "i8", "i32"), (4, 64)):
        x, out = moved(r, kind, [1 << 20 >> 12 if channels == 64 else 16, 64, 64, channels] if channels == 4 else PICTURE)
        yield f"{kind} {channels} channels", one(op, [x], [out], ("SpaceToDepth" if op == "SPACE_TO_DEPTH" else "DepthToSpace", {"block_size": 2}))


@times("SPACE_TO_BATCH_ND", "BATCH_TO_SPACE_ND")
def space_batch(r, op):
    for kind in ("f32", "i8", "i32"):
        x, out = moved(r, kind, PICTURE)
        yield kind, one(op, [x, r.const("i32", [2], [2, 2]), r.const("i32", [2, 2], [[0, 0], [0, 0]])], [out])


@times("ONE_HOT")
def one_hot(r, op):
    for kind, axis in itertools.product(("f32", "i8", "i32"), (-1, 0)):
        yield f"{kind} axis {axis}", one(op, [r.fed("i32", [8192], r.rng.integers(0, 128, 8192)), r.const("i32", [], 128),
                                              r.const(kind, [], 1), r.const(kind, [], 0)], [r.out(kind)], ("OneHot", {"axis": axis}))


@times("FILL")
def fill(r, op):
    for kind in ("f32", "i8", "i64", "bool"):
        yield kind, one(op, [r.const("i32", [4], PICTURE), r.fed(kind, [], 1, **quant(kind))], [r.out(kind, **quant(kind))])


@times("RANGE")
def range_(r, op):
    for kind in ("f32", "i32", "i64"):
        yield kind, one(op, [r.fed(kind, [], 0), r.fed(kind, [], 1 << 20), r.fed(kind, [], 1)], [r.out(kind)])


@times("MATRIX_DIAG", "MATRIX_SET_DIAG")
def matrix_diag(r, op):
    for kind in ("f32", "i8", "i64"):
        shape = [16, 256] if op == "MATRIX_DIAG" else [16, 256, 256]
        more = [r.fed(kind, [16, 256], **quant(kind))] if op == "MATRIX_SET_DIAG" else []
        x, out = moved(r, kind, shape)
        yield kind, one(op, [x, *more], [out])


@times("DYNAMIC_UPDATE_SLICE")
def dynamic_update_slice(r, op):
    for kind in ("f32", "i8"):
        x, out = moved(r, kind, PICTURE)
        yield kind, one(op, [x, r.fed(kind, [4, 32, 32, 64], **quant(kind)), r.fed("i32", [4], [0, 8, 8, 0])], [out])


@times("RESHAPE", "EXPAND_DIMS", "SQUEEZE", "BITCAST")
def reshape(r, op):
    for kind in ("f32", "i8"):
        x, out = moved(r, kind, [1, *PICTURE])
        shape = {"RESHAPE": r.const("i32", [2], MATRIX), "EXPAND_DIMS": r.const("i32", [], 0)}
        if op == "BITCAST":
            out = r.out({"f32": "i32", "i8": "u8"}[kind])
        yield kind, one(op, [x, *([shape[op]] if op in shape else [])], [out], {"SQUEEZE": ("Squeeze", {"squeeze_dims": [0]})}.get(op))


@times("DILATE")
def dilate(r, op):
    for kind in ("f32", "i8"):
        x, out = moved(r, kind, [4, 64, 64, 16])
        yield kind, one(op, [x, r.const("i32", [4], [1, 2, 2, 1]), r.const(kind, [], 0, **quant(kind))], [out])


@times("STABLEHLO_PAD")
def stablehlo_pad(r, op):
    for kind in ("f32", "i8"):
        x, out = moved(r, kind, PICTURE)
        values = {"low": [0, 2, 2, 0], "high": [0, 2, 2, 0], "interior": [0] * 4}
        yield kind, one(op, [x, r.const(kind, [], 1, **quant(kind))], [out], ("StablehloPad", values))
