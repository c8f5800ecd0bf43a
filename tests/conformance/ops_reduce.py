"""Generators of reductions, of searches along an axis, and of operators on segments."""
import numpy as np

from random_source import QUANTIZED, generates, one

REDUCTIONS = {"MEAN": "f32 i8 u8 i16 i32 i64", "SUM": "f32 i8 u8 i16 i32 i64", "REDUCE_PROD": "f32 i8 i16 i32 i64",
              "REDUCE_MAX": "f32 i8 u8 i16 i32 i64", "REDUCE_MIN": "f32 i8 u8 i16 i32 i64", "REDUCE_ANY": "bool", "REDUCE_ALL": "bool"}


@generates(*REDUCTIONS)
def reduction(r, op):
    kind = r.kind(REDUCTIONS[op].split())
    # Of nothing the reference kernels write no sum in a quantized type.
    quantized = op in ("MEAN", "SUM") and kind in QUANTIZED
    shape = r.shape(0 if r.chance(0.05) else 1, 5, most=7, empty=0 if quantized else 0.02)
    axes = r.subset(len(shape)) if r.chance(0.8) else [r.axis(len(shape)) for _ in range(r.int(1, 3))]
    axes = [a - len(shape) if a >= 0 and r.chance(0.3) else a for a in r.rng.permutation(axes).astype(int).tolist()]
    if op == "MEAN" and len(shape) == 4 and r.chance(0.2):
        axes = [1, 2]
    # With axes that are not constant the reference kernels use a multiplier that was never set.
    constant = 1.0 if quantized else 0.7
    axis = r.side("i32", axes[0] if len(axes) == 1 and r.chance(0.3) else axes, constant)
    q = r.quant(kind)
    out = r.quant(kind) if q and r.chance(0.6) and op in ("MEAN", "SUM", "REDUCE_PROD") else q
    if op == "REDUCE_PROD" and r.chance(0.2):
        q = out = {}
    if op == "SUM" and r.chance(0.05):
        out = {}  # no scale
    values = {"special": 0.2} if op in ("REDUCE_MAX", "REDUCE_MIN") else {}
    if op == "REDUCE_PROD" and kind == "f32":  # whether a product overflows on its way depends on the order
        values = {"low": -1.5, "high": 1.5}
    return one(op, [r.fed(kind, shape, **values, **q), axis], [r.out(kind, **out)], ("Reducer", {"keep_dims": r.chance(0.5)}))


@generates("ARG_MAX", "ARG_MIN")
def arg(r, op):
    kind = r.kind(["f32", "f32", "i8", "u8", "i32", "bool"])
    shape = r.shape(1, 5, most=9, empty=0.01)
    out = r.pick(["i32", "i64"])
    axis = r.axis(len(shape))
    x = r.fed(kind, shape)
    # In longer rows of neighbours LiteRT searches in vectors, and what NaN does depends on its place in one.
    short = shape[axis] < 4 or np.prod(shape[axis % len(shape) + 1:]) > 1
    if kind == "f32" and x.feed.size and r.chance(0.3) and short:
        r.sprinkle(x.feed, r.float(0, 0.9), (np.nan, np.nan, np.inf, -np.inf, 0.0, -0.0))
    options = ("ArgMax" if op == "ARG_MAX" else "ArgMin", {"output_type": 2 if out == "i32" else 4})
    return one(op, [x, r.side(r.pick(["i32", "i64"]), axis if r.chance(0.5) else [axis])],
               [r.out("i32" if r.chance(0.1) else out)], options)  # the parameters decide


@generates("CUMSUM")
def cumsum(r, op):
    shape = r.shape(1, 5)
    kind = r.kind(["f32", "i32", "i64"])
    options = {"exclusive": r.chance(0.5), "reverse": r.chance(0.5)}
    return one(op, [r.fed(kind, shape, special=0.05), r.side("i32", r.axis(len(shape)))], [r.out(kind)], ("Cumsum", options))


@generates("TOPK_V2")
def topk(r, op):
    kind, indices = r.kind(["f32", "i8", "u8", "i16", "i32", "i64"]), r.pick(["i32", "i32", "i16"])
    shape = r.shape(1, 5, most=9, empty=0)
    k = r.int(0, shape[-1]) if r.chance(0.95) else r.pick([shape[-1] + 1, -1, -7])
    q = r.quant(kind)
    k_kind = "i32" if indices == "i32" else r.pick(["i32", "i16"])
    return one(op, [r.fed(kind, shape, special=0.2, **q), r.side(k_kind, k)], [r.out(kind, **q), r.out(indices)])


@generates("UNIQUE")
def unique(r, op):
    kind, index = r.pick(["f32", "i8", "u8", "i16", "i32", "i64"]), r.pick([("i32", 2), ("i64", 4)])
    count = r.int(0, 20) if r.chance(0.8) else r.int(300, 3000)
    different = 6 if count < 300 or kind in ("i8", "u8") else 3000
    values = r.rng.integers(0, different, count) if kind != "f32" or r.chance(0.7) else r.numbers("f32", [count])
    return one(op, [r.fed(kind, [count], values)], [r.out(kind), r.out(index[0])], ("Unique", {"index_type": index[1]}))


@generates("WHERE")
def where(r, op):
    kind = r.kind(["bool", "f32", "i32", "i64", "i8", "u8", "u32"])
    x = r.fed(kind, r.shape(1, 5))
    if kind != "bool":
        x.feed = np.where(r.rng.random(x.feed.shape) < 0.5, x.feed, 0).astype(x.feed.dtype)
    return one(op, [x], [r.out("i64")])


@generates("SEGMENT_SUM")
def segment_sum(r, op):
    shape = r.shape(1, 4, empty=0)
    steps = r.rng.integers(0, 2, shape[0])
    steps[0] = 0
    ids = np.cumsum(steps)
    if r.chance(0.1):
        ids = ids * 2
    kind = r.kind(["f32", "i32"])
    return one(op, [r.fed(kind, shape, special=0.1), r.side("i32", ids)], [r.out(kind)])


@generates("UNSORTED_SEGMENT_PROD", "UNSORTED_SEGMENT_MAX", "UNSORTED_SEGMENT_SUM", "UNSORTED_SEGMENT_MIN")
def unsorted_segment(r, op):
    kind = r.kind(["f32", "i32"])
    shape = r.shape(1, 4, empty=0)
    ids_rank = r.int(1, len(shape)) if r.chance(0.4) else 1
    count = r.int(1, 6)
    ids = r.rng.integers(-1 if r.chance(0.3) else 0, count, shape[:ids_rank])
    data = r.fed(kind, shape, low=-2, high=2, special=0.1)
    return one(op, [data, r.side("i32", ids), r.side("i32", count)], [r.out(kind)])


ALIKE = (("i8", "u8", "bool"), ("i16", "u16"), ("i32", "u32"), ("i64", "u64"))


@generates("EMBEDDING_LOOKUP")
def embedding_lookup(r, op):
    kind = r.kind(["f32", "i8", "u8", "i32", "i4", "blocks"])
    shape = r.shape(2, 4, empty=0)
    if kind == "blocks":
        scales, size = r.const("f16", [shape[0], r.int(1, 3)], low=0.01, high=0.1), r.pick([32, 4])
        shape = [shape[0], scales.shape[1] * size]
    ids = r.fed("i32", [r.int(0, 7)])
    ids.feed = r.rng.integers(0, shape[0], ids.shape).astype(np.int32)
    if kind == "blocks":
        return one(op, [ids, r.const(r.pick(["i4", "i2"]), shape, block=(scales, size))], [r.out(r.pick(["f32", "f16"]))])
    if kind in ("i8", "u8", "i4") and (kind == "i4" or r.chance(0.5)):
        scale = r.rng.uniform(0.01, 0.1, shape[0]) if kind != "u8" and r.chance(0.5) else 0.05
        return one(op, [ids, r.const(kind, shape, scale=scale, zero=0)], [r.out("f32")])
    q = r.quant(kind)
    if r.chance(0.1):  # the same bytes as another type
        kinds = [other for other in ALIKE if kind in other]
        return one(op, [ids, r.const(kind, shape)], [r.out(r.pick(kinds[0]) if kinds else kind)])
    return one(op, [ids, r.const(kind, shape, **q)], [r.out(kind, **q)])


@generates("EMBEDDING_LOOKUP_SPARSE")
def embedding_sparse(r, op):
    values = r.shape(2, 3, empty=0)
    count, rows = r.int(1, 8), r.int(1, 5)
    indices = np.stack([np.sort(r.rng.integers(0, rows, count)), np.arange(count)], 1)
    inputs = [r.fed("i32", [count], r.rng.integers(0, values[0], count)), r.fed("i32", [count, 2], indices),
              r.side("i32", [rows, count]), r.fed("f32", [count], low=0.1, high=2), r.either("f32", values)]
    return one(op, inputs, [r.out("f32")], ("EmbeddingLookupSparse", {"combiner": r.int(0, 2)}))


@generates("HASHTABLE_LOOKUP")
def hashtable_lookup(r, op):
    kind = r.kind(["f32", "i32", "u8", "str"])
    rows = r.int(1, 8)
    keys = np.sort(r.rng.choice(40, rows, replace=False))
    lookup = r.rng.choice(np.concatenate([keys, [3, 77]]), r.int(1, 7))
    shape = [rows, *r.shape(0, 2, empty=0)] if kind != "str" else [rows]
    return one(op, [r.fed("i32", lookup.shape, lookup), r.side("i32", keys), r.const(kind, shape)],
               [r.out(kind), r.out("u8")])


@generates("LSH_PROJECTION")
def lsh_projection(r, op):
    functions, bits = r.int(1, 4), r.int(1, 31)
    kind = r.pick(["f32", "i32", "i64", "u8"])
    rows = r.shape(1, 3, empty=0)
    inputs = [r.const("f32", [functions, bits]), r.fed(kind, rows)]
    if r.chance(0.6):
        inputs.append(r.fed("f32", [rows[0]], low=0.1))
    return one(op, inputs, [r.out("i32")], ("LSHProjection", {"type": r.int(1, 2)}))


@generates("SKIP_GRAM")
def skip_gram(r, op):
    words = [b"the", b"quick", b"brown", b"fox", b"a", b"bc"]
    text = b" ".join(r.pick(words) for _ in range(r.int(0, 7)))
    options = {"ngram_size": r.int(1, 4), "max_skip_size": r.int(0, 3), "include_all": r.chance(0.5)}
    return one(op, [r.fed("str", [1], np.array([text], object))], [r.out("str")], ("SkipGram", options))
