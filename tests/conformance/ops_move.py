"""Generators of the operators that move values: shapes, slices, gathers, pads and the like."""
import numpy as np

from cases import KINDS
from random_source import MOVABLE, generates, one

WIDE = (*MOVABLE, "f16", "f64", "u32", "u64", "u16", "c64")


def moved(r, kinds, shape, p=0.0, others=True, **more):
    """An input of one of these types (now and then of another), and an output tensor of that type and quantization."""
    kind = r.kind(kinds) if others else r.pick(kinds)
    q = r.quant(kind) if r.chance(0.7) else {}
    x = r.either(kind, shape, p, **q, **more)
    return x, r.out(kind, **q)


def factors(r, count):
    """A shape of this many elements."""
    shape = []
    while count > 1 and len(shape) < 4 and r.chance(0.8):
        d = r.pick([k for k in range(1, count + 1) if count % k == 0])
        shape.append(d)
        count //= d
    return [*shape, count] if count != 1 or r.chance(0.5) else shape


@generates("RESHAPE")
def reshape(r, op):
    shape = r.shape(0, 5)
    x, out = moved(r, WIDE, shape)
    count = int(np.prod(shape))
    target = factors(r, count)
    if count and target and r.chance(0.4):
        target[r.int(0, len(target) - 1)] = -1
    if r.chance(0.3):
        return one(op, [x], [out], ("Reshape", {"new_shape": target}))
    options = ("Reshape", {"new_shape": r.pick([target, [1]])}) if r.chance(0.5) else None
    return one(op, [x, r.side("i32", target)], [out], options)


@generates("EXPAND_DIMS")
def expand_dims(r, op):
    x, out = moved(r, WIDE, r.shape(0, 5)[:7])
    axis = r.int(-len(x.shape) - 1, len(x.shape))
    return one(op, [x, r.side(r.pick(["i32", "i64"]), axis if r.chance(0.5) else [axis])], [out])


@generates("SQUEEZE")
def squeeze(r, op):
    shape = [1 if r.chance(0.5) else d for d in r.shape(0, 6)]
    x, out = moved(r, WIDE, shape)
    ones = [i for i, d in enumerate(shape) if d == 1]
    dims = [i - (len(shape) if r.chance(0.4) else 0) for i in ones if r.chance(0.6)]
    r.no_change = True
    return one(op, [x], [out], ("Squeeze", {"squeeze_dims": dims}))


@generates("SHAPE", "RANK")
def shape_of(r, op):
    kind = r.pick(["i32", "i64"]) if op == "SHAPE" else "i32"
    x, _ = moved(r, WIDE, r.shape(0, 6))
    declared = "i32" if op == "SHAPE" and r.chance(0.1) else kind  # the parameters decide
    return one(op, [x], [r.out(declared)], ("Shape", {"out_type": KINDS[kind][0]}) if op == "SHAPE" else None)


@generates("TRANSPOSE")
def transpose(r, op):
    x, out = moved(r, WIDE, r.shape(1, 6, most=5))  # LiteRT does not write a scalar's output
    order = r.rng.permutation(len(x.shape)).astype(int)
    if r.chance(0.2):
        order = np.where(r.rng.random(order.shape) < 0.3, order - len(x.shape), order)
    return one(op, [x, r.side("i32", order)], [out])


@generates("CONCATENATION")
def concatenation(r, op):
    shape = r.shape(1, 5)
    axis = r.axis(len(shape))
    kind = r.kind(["f32", "i8", "u8", "i16", "i32", "i64", "bool"])
    q = r.quant(kind)
    inputs = []
    for _ in range(r.int(1, 6)):
        part = list(shape)
        part[axis] = r.dim(5)
        own = r.quant(kind) if kind == "u8" and r.chance(0.5) else q
        inputs.append(r.either(kind, part, 0.25, **own))
    if all(t.feed is None for t in inputs):
        inputs[0].feed, inputs[0].data = inputs[0].data, None
    activation = r.pick([0, 0, 1, 3]) if kind == "f32" and r.chance(0.1) else 0
    return one(op, inputs, [r.out(kind, **q)], ("Concatenation", {"axis": axis, "activation": activation}))


@generates("PACK")
def pack(r, op):
    kind = r.kind(["f32", "i8", "u8", "i16", "i32", "i64", "u32"])
    q, shape, count = r.quant(kind), r.shape(0, 5)[:7], r.int(1, 5)
    inputs = [r.fed(kind, shape, **q) if k == 0 else r.either(kind, shape, 0.2, **q) for k in range(count)]
    return one(op, inputs, [r.out(kind, **q)], ("Pack", {"count": count, "axis": r.int(-len(shape) - 1, len(shape))}))


@generates("UNPACK")
def unpack(r, op):
    shape = r.shape(1, 5, empty=0)
    x, out = moved(r, ("f32", "i8", "u8", "i16", "i32", "bool"), shape)
    axis = r.axis(len(shape))
    r.no_change = True
    outputs = [r.out(out.kind, scale=out.scale, zero=out.zero) for _ in range(shape[axis])]
    return one(op, [x], outputs, ("Unpack", {"num": shape[axis], "axis": axis}))


@generates("SPLIT")
def split(r, op):
    shape, count = r.shape(1, 5), r.int(1, 4)
    axis = r.axis(len(shape))
    shape[axis] *= count
    x, out = moved(r, ("f32", "i8", "u8", "i16", "i32"), shape)
    outputs = [r.out(out.kind, scale=out.scale, zero=out.zero) for _ in range(count)]
    return one(op, [r.side("i32", axis), x], outputs, ("Split", {"num_splits": count}))


@generates("SPLIT_V")
def split_v(r, op):
    shape, sizes = r.shape(1, 5), [r.int(0, 4) for _ in range(r.int(1, 4))]
    axis = r.axis(len(shape))
    shape[axis] = sum(sizes)
    x, out = moved(r, ("f32", "i8", "u8", "i16", "i32", "i64"), shape)
    if r.chance(0.3):
        sizes[r.int(0, len(sizes) - 1)] = -1
    outputs = [r.out(out.kind, scale=out.scale, zero=out.zero) for _ in sizes]
    return one(op, [x, r.side(r.pick(["i32", "i64"]), sizes), r.side("i32", axis)], outputs, ("SplitV", {"num_splits": len(sizes)}))


@generates("TILE")
def tile(r, op):
    x, out = moved(r, ("f32", "i8", "u8", "i16", "i32", "i64", "bool"), r.shape(1, 5, most=4))
    counts = [r.pick([1, 1, 2, 3, 0 if r.chance(0.1) else 1]) for _ in x.shape]
    return one(op, [x, r.side(r.pick(["i32", "i64"]), counts)], [out])


@generates("BROADCAST_TO")
def broadcast_to(r, op):
    shape = r.shape(0, 6, most=5)
    x, out = moved(r, WIDE, r.broadcast(shape))
    return one(op, [x, r.side(r.pick(["i32", "i64"]), shape)], [out])


@generates("BROADCAST_ARGS")
def broadcast_args(r, op):
    shape, kind = r.shape(0, 5), r.pick(["i32", "i64"])
    return one(op, [r.side(kind, r.broadcast(shape), 0.3), r.fed(kind, [len(shape)], shape)], [r.out(kind)])


@generates("SLICE")
def slice_(r, op):
    x, out = moved(r, (*MOVABLE, "u32", "c64"), r.shape(1, 5))
    begin = [r.int(0, d) for d in x.shape]
    size = [-1 if r.chance(0.3) else r.int(0, d - b) for d, b in zip(x.shape, begin)]
    kind = r.pick(["i32", "i64"])
    return one(op, [x, r.side(kind, begin), r.side(kind, size)], [out])


@generates("STRIDED_SLICE")
def strided_slice(r, op):
    x, out = moved(r, (*MOVABLE, "u32", "f64"), r.shape(1, 5))
    count = r.int(1, len(x.shape)) if r.chance(0.3) else len(x.shape)
    strides = [r.pick([1, 1, 2, 3, -1, -2]) for _ in range(count)]
    begin = [r.int(-d - 2, d + 1) for d in x.shape[:count]]
    end = [r.int(-d - 2, d + 2) for d in x.shape[:count]]
    # LiteRT takes an element even of a dimension without any.
    shrink = sum(1 << i for i in range(count) if r.chance(0.1) and 0 not in x.shape)
    masks = {f"{name}_mask": sum(1 << i for i in range(count) if r.chance(p)) for name, p in (("begin", 0.3), ("end", 0.3))}
    for i in range(count):
        if shrink >> i & 1:
            strides[i], begin[i] = 1, r.int(0, max(x.shape[i] - 1, 0))
            end[i] = begin[i] + 1
    offset = count == len(x.shape) and r.chance(0.05)
    if offset:  # LiteRT neither clamps these ends nor heeds masks
        begin = [r.int(0, max(d - 1, 0)) for d in x.shape[:count]]
        end = [r.int(0, d - b) if s > 0 else -r.int(0, b + 1) for d, b, s in zip(x.shape, begin, strides)]
        masks = {}
    masks.update(shrink_axis_mask=shrink, ellipsis_mask=1 << r.int(0, count - 1) if not offset and r.chance(0.15) else 0,
                 new_axis_mask=sum(1 << i for i in range(count + 2) if r.chance(0.4)) if not offset and r.chance(0.2) else 0, offset=offset)
    return one(op, [x, *(r.side("i32", v) for v in (begin, end, strides))], [out], ("StridedSlice", masks))


@generates("PAD", "PADV2")
def pad(r, op):
    x, out = moved(r, ("f32", "i8", "u8", "i16", "i32", "i64"), r.shape(1, 5, most=5))
    pads = r.side(r.pick(["i32", "i32", "i64", "i8", "i16"]), [[r.int(0, 2), r.int(0, 2)] for _ in x.shape])
    inputs = [x, pads]
    if op == "PADV2":
        inputs.append(r.either(x.kind, [] if r.chance(0.5) else [1], 0.6, scale=x.scale, zero=x.zero))
    return one(op, inputs, [out])


@generates("MIRROR_PAD")
def mirror_pad(r, op):
    x, out = moved(r, ("f32", "i8", "u8", "i16", "i32", "i64"), r.shape(1, 5, most=5, empty=0))
    mode = r.int(0, 1)
    most = [d - 1 + mode for d in x.shape]
    pads = [[r.int(0, m), r.int(0, m)] for m in most]
    return one(op, [x, r.side(r.pick(["i32", "i64"]), pads)], [out], ("MirrorPad", {"mode": mode}))


@generates("GATHER")
def gather(r, op):
    x, out = moved(r, (*MOVABLE, "f16"), r.shape(1, 4, empty=0), 0.2)
    axis = r.axis(len(x.shape))
    batch = r.int(0, axis % len(x.shape)) if r.chance(0.3) else 0
    shape = x.shape[:batch] + r.shape(0, 2)
    indices = r.rng.integers(0, x.shape[axis], shape)
    options = {"axis": axis, "batch_dims": batch if not batch or r.chance(0.7) else batch - len(shape)}
    kind = r.pick(["i32", "i64", "i16"])
    source = r.side(kind, indices, 0.3 if x.feed is not None else 0.0)
    return one(op, [x, source], [out], ("Gather", options))


@generates("GATHER_ND")
def gather_nd(r, op):
    x, out = moved(r, (*MOVABLE, "f16"), r.shape(1, 5, empty=0))
    shape = r.shape(0, 3, most=4)
    depth = r.int(max(1, len(x.shape) + len(shape) - 8), len(x.shape))  # so that the output has at most 8 dimensions
    indices = np.stack([r.rng.integers(0, d, shape) for d in x.shape[:depth]], -1)
    return one(op, [x, r.side(r.pick(["i32", "i64", "i16"]), indices, 0.3)], [out])


@generates("SCATTER_ND")
def scatter_nd(r, op):
    shape, kind = r.shape(1, 4, empty=0), r.kind(["f32", "i8", "u8", "i32", "i64", "bool"])
    depth = r.int(1, len(shape))
    outer = r.shape(1, 2, most=4)
    indices = np.stack([r.rng.integers(0, d, outer) for d in shape[:depth]], -1)
    return one(op, [r.side("i32", indices, 0.3), r.fed(kind, outer + shape[depth:]), r.side("i32", shape)], [r.out(kind)])


@generates("SPARSE_TO_DENSE")
def sparse_to_dense(r, op):
    shape = r.shape(1, 4, empty=0)
    kind, index = r.kind(["f32", "i32", "i64", "i8", "u8"]), r.pick(["i32", "i64"])
    count = r.int(1, 5)
    flat = np.sort(r.rng.choice(int(np.prod(shape)), min(count, int(np.prod(shape))), replace=False))
    indices = np.stack(np.unravel_index(flat, shape), -1)
    if len(shape) == 1 and r.chance(0.5):
        indices = indices[:, 0]
    values = r.fed(kind, [] if r.chance(0.3) else [len(flat)])
    return one(op, [r.side(index, indices, 0.4), r.side(index, shape), values, r.either(kind, [])], [r.out(kind)],
               ("SparseToDense", {"validate_indices": r.chance(0.5)}))


@generates("REVERSE_V2")
def reverse(r, op):
    x, out = moved(r, MOVABLE, r.shape(1, 5))
    axes = r.subset(len(x.shape), 0.4)
    if r.chance(0.7):  # axes in a row
        first = r.int(0, len(x.shape) - 1)
        axes = list(range(first, r.int(first, len(x.shape) - 1) + 1))
    return one(op, [x, r.side("i32", [a - (len(x.shape) if r.chance(0.3) else 0) for a in axes])], [out])


@generates("REVERSE_SEQUENCE")
def reverse_sequence(r, op):
    x, out = moved(r, ("f32", "u8", "i16", "i32", "i64"), r.shape(2, 5))
    batch, seq = r.rng.permutation(len(x.shape))[:2]
    lengths = r.rng.integers(0, x.shape[seq] + 1, x.shape[batch])
    lengths = r.side(r.pick(["i32", "i64"]), lengths, 0.4)
    return one(op, [x, lengths], [out], ("ReverseSequence", {"seq_dim": seq, "batch_dim": batch}))


@generates("SPACE_TO_DEPTH", "DEPTH_TO_SPACE")
def space_depth(r, op):
    block = r.int(1, 3)
    n, h, w, c = r.int(1, 2), r.int(1, 4), r.int(1, 4), r.int(1, 5)
    shape = [n, h * block, w * block, c] if op == "SPACE_TO_DEPTH" else [n, h, w, c * block * block]
    x, out = moved(r, ("f32", "i8", "u8", "i32", "i64"), shape)
    return one(op, [x], [out], ("SpaceToDepth" if op == "SPACE_TO_DEPTH" else "DepthToSpace", {"block_size": block}))


@generates("SPACE_TO_BATCH_ND", "BATCH_TO_SPACE_ND")
def space_batch(r, op):
    rank = r.pick([3, 4, 4])
    block = [r.int(1, 3) for _ in range(rank - 2)]
    area = int(np.prod(block))
    inner = [r.int(1, 4) for _ in block]
    if op == "SPACE_TO_BATCH_ND":
        pads = [[r.int(0, b), 0] for b in block]
        sizes = [i * b for i, b in zip(inner, block)]
        pads = [[p if p < s else 0, 0] for (p, _), s in zip(pads, sizes)]
        spatial = [s - p for (p, _), s in zip(pads, sizes)]
        shape = [r.int(1, 2), *spatial, r.int(1, 4)]
    else:
        pads = [[r.int(0, min(2, i * b - 1)), 0] for i, b in zip(inner, block)]
        shape = [r.int(1, 2) * area, *inner, r.int(1, 4)]
    if r.chance(0.3):
        pads = [[b, a] for a, b in pads]
    x, out = moved(r, ("f32", "i8", "u8", "i16", "i32", "i64"), shape)
    return one(op, [x, r.side("i32", block), r.side("i32", pads)], [out])


@generates("ONE_HOT")
def one_hot(r, op):
    shape, depth = r.shape(0, 3), r.int(0, 6)
    kind = r.kind(["f32", "i32", "i64", "i8", "u8", "bool"])
    indices = r.fed(r.pick(["i32", "i64"]), shape, r.rng.integers(-1, depth + 1, shape))
    on, off = (r.either(kind, [], 0.6) for _ in range(2))
    return one(op, [indices, r.side("i32", depth), on, off], [r.out(kind)],
               ("OneHot", {"axis": r.int(-1, len(shape))}))


@generates("FILL")
def fill(r, op):
    kind = r.kind(["f32", "i32", "i64", "bool", "i8", "i16", "str"])
    q = r.quant(kind) if kind in ("i8", "i16") else {}
    value = r.const(kind, [], **q) if kind == "str" else r.either(kind, [], 0.3, **q)
    dims = r.side(r.pick(["i32", "i64"]), r.shape(0, 5), 0.5 if value.feed is not None else 0)
    return one(op, [dims, value], [r.out(kind, **q)])


@generates("RANGE")
def range_(r, op):
    kind = r.pick(["f32", "i32", "i64"])
    delta = r.pick([1, 2, 3, -1, -2]) if kind != "f32" else r.pick([0.5, 1.0, -0.25, 0.1, -3.0])
    start = r.int(-5, 5)
    limit = start + delta * r.int(0, 9) + (0 if kind != "f32" else r.float(0, 0.3))
    return one(op, [r.fed(kind, [], start), r.side(kind, limit, 0.3), r.side(kind, delta, 0.3)], [r.out(kind)])


@generates("MATRIX_DIAG")
def matrix_diag(r, op):
    x, out = moved(r, ("f32", "i8", "u8", "i16", "i32", "i64"), r.shape(1, 4), others=False)
    return one(op, [x], [out])


@generates("MATRIX_SET_DIAG")
def matrix_set_diag(r, op):
    shape = r.shape(2, 5)
    x, out = moved(r, ("f32", "i8", "u8", "i16", "i32", "i64"), shape, others=False)
    diagonal = r.either(x.kind, [*shape[:-2], min(shape[-2:])], 0.2, scale=x.scale, zero=x.zero)
    return one(op, [x, diagonal], [out])


@generates("DYNAMIC_UPDATE_SLICE")
def dynamic_update_slice(r, op):
    x, out = moved(r, ("f32", "i8", "u8", "i16", "i32", "i64", "bool", "f16"), r.shape(1, 5))
    update = [r.int(0 if d == 0 or r.chance(0.03) else 1, d) for d in x.shape]
    start = [r.int(-2, d + 1) for d in x.shape]
    q = {"scale": x.scale, "zero": x.zero}
    return one(op, [x, r.either(x.kind, update, 0.2, **q), r.side(r.pick(["i32", "i64"]), start, 0.4)], [out])


@generates("BITCAST")
def bitcast(r, op):
    sizes = {"f32": 4, "i32": 4, "u32": 4, "i16": 2, "u16": 2, "i8": 1, "u8": 1, "f64": 8, "i64": 8, "u64": 8, "f16": 2}
    a, b = r.pick(sorted(sizes)), r.pick(sorted(sizes))
    shape = r.shape(0, 4)
    if sizes[b] > sizes[a]:
        shape = [*shape, sizes[b] // sizes[a]]
    return one(op, [r.fed(a, shape)], [r.out(b)])


@generates("DILATE")
def dilate(r, op):
    x, out = moved(r, ("f32", "i8", "u8", "i16", "i32", "i64", "f64", "u32"), r.shape(1, 4, most=5))
    value = r.either(x.kind, [], 0.6, scale=x.scale, zero=x.zero)
    return one(op, [x, r.side("i32", [r.int(1, 3) for _ in x.shape]), value], [out])
