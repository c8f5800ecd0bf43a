"""Generators of detection, random numbers, sound, and what is left of StableHLO."""
import numpy as np
from flatbuffers import flexbuffers

from cases import Tensor
from random_source import generates, one


def flex(values):
    return bytes(flexbuffers.Dumps(values))


def boxes(r, count):
    corner, size = r.rng.uniform(0, 1, (count, 2)), r.rng.uniform(-0.1 if r.chance(0.1) else 0.05, 0.6, (count, 2))
    return np.concatenate([corner, corner + size], 1)


@generates("NON_MAX_SUPPRESSION_V4", "NON_MAX_SUPPRESSION_V5")
def non_max_suppression(r, op):
    count = r.int(1, 14)
    scores = r.numbers("f32", [count], low=0, high=1, special=0.1)
    inputs = [r.fed("f32", [count, 4], boxes(r, count)), r.fed("f32", [count], scores), r.side("i32", r.int(0, count + 2)),
              r.side("f32", r.float(0.1, 0.9)), r.side("f32", r.pick([0.0, 0.2, 0.5]))]
    if op == "NON_MAX_SUPPRESSION_V4":
        return one(op, inputs, [r.out("i32"), r.out("i32")])
    return one(op, [*inputs, r.side("f32", r.pick([0.0, 0.0, 0.5, 0.1]))], [r.out("i32"), r.out("f32"), r.out("i32")])


@generates("TFLite_Detection_PostProcess")
def detection(r, op):
    count, classes = r.int(2, 12), r.int(1, 4)
    background = r.int(0, 1)
    values = {"max_detections": r.int(1, 6), "max_classes_per_detection": r.int(1, classes), "num_classes": classes,
              "nms_score_threshold": r.pick([0.0, 0.2, 0.5]), "nms_iou_threshold": r.float(0.2, 0.8), "y_scale": 10.0, "x_scale": 10.0,
              "h_scale": 5.0, "w_scale": 5.0, "use_regular_nms": r.chance(0.5), "detections_per_class": r.int(1, 5)}
    corners = boxes(r, count)
    anchors = np.concatenate([(corners[:, :2] + corners[:, 2:]) / 2, np.abs(corners[:, 2:] - corners[:, :2]) + 0.05], 1)
    if r.chance(0.2):  # boxes without extent
        anchors[:, 2:] *= r.rng.integers(0, 2, (count, 2))
    if r.chance(0.1):
        del values[r.pick(["detections_per_class", "use_regular_nms", "nms_score_threshold"])]
    kind = r.pick(["f32", "f32", "u8"])
    q = [{}, {}, {}] if kind == "f32" else [{"scale": 0.02, "zero": 128}, {"scale": 1 / 256, "zero": 0}, {"scale": 1 / 200, "zero": 20}]
    if kind == "u8":
        anchors = np.clip(np.round(anchors * 200) + 20, 30, 255)
    # LiteRT leaves the order of equal scores to std::partial_sort.
    scores = r.rng.choice(256, count * (classes + background), replace=False).reshape(1, count, -1)
    inputs = [r.fed(kind, [1, count, 4], low=-2, high=2, **q[0]),
              r.fed(kind, scores.shape, scores if kind == "u8" else scores / 256, **q[1]),
              r.const(kind, [count, 4], anchors, **q[2])]
    r.no_change = True
    return one(op, inputs, [r.out("f32") for _ in range(4)], flex(values))


@generates("RANDOM_UNIFORM", "RANDOM_STANDARD_NORMAL")
def random_numbers(r, op):
    seeds = {"seed": r.int(0, 2 ** 40), "seed2": r.int(0, 2 ** 40)}
    if r.chance(0.3):
        seeds[r.pick(sorted(seeds))] = 0
    seeds["seed"] = seeds["seed"] or int(not seeds["seed2"])  # both 0: other numbers each time
    return one(op, [r.side("i32", r.shape(1, 4))], [r.out("f32")], ("Random", seeds))


@generates("MULTINOMIAL")
def multinomial(r, op):
    shape = [r.int(1, 4), r.int(1, 6)]
    return one(op, [r.fed("f32", shape), r.side("i32", r.int(0, 9))], [r.out(r.pick(["i64", "i32"]))],
               ("Random", {"seed": r.int(1, 1000), "seed2": r.int(0, 1000)}))


@generates("STABLEHLO_RNG_BIT_GENERATOR")
def bit_generator(r, op):
    algorithm = r.int(0, 2)
    words = 2 if algorithm == 2 or r.chance(0.5) else 3
    out = Tensor(r.pick(["i32", "u32", "i64", "u64"]), r.shape(1, 3))
    state = r.fed("u64", [words], r.rng.integers(0, 2 ** 63, words).astype(np.uint64))
    return one(op, [state], [Tensor("u64", [words]), out], ("StablehloRngBitGenerator", {"algorithm": algorithm}))


@generates("STABLEHLO_PAD")
def stablehlo_pad(r, op):
    kind, shape = r.pick(["f32", "i32", "i8", "i16", "i64", "bool"]), r.shape(1, 5, most=5)
    options = {"low": [r.int(-1, 2) for _ in shape], "high": [r.int(-1, 2) for _ in shape], "interior": [r.pick([0, 0, 1, 2]) for _ in shape]}
    return one(op, [r.fed(kind, shape), r.either(kind, [], 0.6)], [r.out(kind)], ("StablehloPad", options))


@generates("STABLEHLO_GATHER")
def stablehlo_gather(r, op):
    kind, shape = r.pick(["f32", "i32", "i8", "i64", "bool"]), r.shape(1, 4, empty=0)
    depth = r.int(1, len(shape))
    outer = r.shape(1, 2, most=4, empty=0)
    mapped = sorted(r.rng.permutation(len(shape))[:depth].tolist())
    indices = np.stack([r.rng.integers(-2 if r.chance(0.2) else 0, shape[d] + 1, outer) for d in mapped], -1)
    collapsed = [d for d in mapped if r.chance(0.6)]
    sizes = [1 if d in collapsed else r.int(1, n) for d, n in enumerate(shape)]
    kept = [n for d, n in enumerate(sizes) if d not in collapsed]
    behind = r.chance(0.6)
    # The rank of the output is what the model declares.
    out = Tensor(kind, outer + kept if behind else kept + outer)
    options = {"offset_dims": list(range(len(outer), len(outer) + len(kept)) if behind else range(len(kept))),
               "collapsed_dims": collapsed, "start_index_map": mapped, "index_vector_dim": len(outer), "slice_sizes": sizes}
    return one(op, [r.fed(kind, shape), r.side(r.pick(["i32", "i64"]), indices, 0.3)], [out], ("StablehloGather", options))


@generates("REDUCE_WINDOW")
def reduce_window(r, op):
    kind = r.pick(["f32", "i32", "i8", "i16", "i64", "bool"])
    shape = r.shape(1, 4, empty=0, most=6)
    function = r.int(1, 4) if kind != "bool" else r.int(5, 6)
    values = r.rng.integers(-3, 4, shape) if kind not in ("f32", "bool") else None
    window = [r.int(1, min(3, d)) for d in shape]
    sides = [window, [r.int(1, 2) for _ in shape], [r.pick([1, 1, 2]) for _ in shape]]
    start = {1: 0, 2: 1, 3: 9, 4: -9, 5: 1, 6: 0}[function]
    inputs = [r.fed(kind, shape, values), r.const(kind, [], start), *(r.side("i64", side, 0.95) for side in sides)]
    return one(op, inputs, [r.out(kind)], ("ReduceWindow", {"function": function}))


@generates("AudioSpectrogram")
def spectrogram(r, op):
    window = r.int(2, 40)
    values = {"window_size": window, "stride": r.int(1, 20), "magnitude_squared": r.chance(0.5)}
    return one(op, [r.fed("f32", [r.int(window, 90), r.int(1, 2)], low=-1, high=1, special=0.15)], [r.out("f32")], flex(values))


@generates("Mfcc")
def mfcc(r, op):
    values = {"upper_frequency_limit": r.float(2000, 4000), "lower_frequency_limit": r.float(20, 300),
              "filterbank_channel_count": r.int(5, 20), "dct_coefficient_count": r.int(1, 5)}
    x = r.fed("f32", [r.int(1, 2), r.int(1, 4), r.pick([65, 129, 257])], low=0, high=50)
    return one(op, [x, r.side("i32", [r.pick([8000, 16000])])], [r.out("f32")], flex(values))


@generates("NumericVerify")
def numeric_verify(r, op):
    kind = r.pick(["i8", "u8", "i16", "f16"])
    q = r.quant(kind)
    x = r.fed(kind, r.shape(1, 4), **q)
    real = x.feed.astype(np.float64) if kind == "f16" else (x.feed.astype(np.float64) - q["zero"]) * q["scale"]
    real = real + r.rng.uniform(-1, 1, real.shape) * q.get("scale", 0.1) * r.pick([0.0, 0.4, 0.6])
    values = {"tolerance": r.pick([0.0, 0.05, 0.5, 1.0, 5.0]), "log_if_failed": r.chance(0.5)}
    r.no_change = True  # the reference does not compare the two shapes
    return one(op, [x, r.fed("f32", real.shape, real)], [r.out("f32")], flex(values))


@generates("aeq_hadamard_rotation")
def hadamard_rotation(r, op):
    size = 2 ** r.int(0, 7)
    shape = [*r.shape(1, 2, 5, empty=0), size * r.int(1, 4) + (r.int(0, 3) if r.chance(0.2) else 0)]
    shape = shape[-3:] if len(shape) > 1 else [1, *shape]
    r.no_change = True  # the reference does not resize its output
    values = {"hadamard_size": size, "random_binary_vector": [1] * size}
    return one(op, [r.fed("f32", shape, special=0.1)], [Tensor("f32", shape)], flex(values))
