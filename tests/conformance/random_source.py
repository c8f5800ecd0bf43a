"""Seeded choices for the generators, and the registry of generators: GENERATORS[operator](r, operator) -> Case."""
import zlib

import numpy as np

from cases import KINDS, Case, Graph, Node, Tensor

GENERATORS = {}
QUANTIZED = ("i8", "u8", "i16")
ODD = (0.0, -0.0, np.inf, -np.inf, np.nan, 1e-40, -1e-40)
MOVABLE = ("f32", "f32", "i8", "u8", "i16", "i32", "i64", "bool")


def generates(*names):
    """Registers a generator for these operators."""
    def register(function):
        GENERATORS.update({name: function for name in names})
        return function
    return register


class Random:
    def __init__(self, seed, op, number):
        self.rng = np.random.default_rng([seed, zlib.crc32(op.encode()), number])
        self.no_change = False  # set by generators whose inputs' shapes must be those in the model

    def chance(self, p):
        return self.rng.random() < p

    def pick(self, options):
        return options[int(self.rng.integers(len(options)))]

    def kind(self, usual, others=("f16", "f16", "i8", "u8", "i16", "i32", "i64", "bool", "u16", "u32", "u64", "f64", "c64", "c128")):
        """A type of those that the operator takes, now and then one that it may not take."""
        return self.pick(others if self.chance(0.07) else usual)

    def int(self, low, high):
        return int(self.rng.integers(low, high + 1))

    def float(self, low, high):
        return float(self.rng.uniform(low, high))

    def dim(self, most=6, empty=0.02):
        """A small dimension, now and then one that crosses the width of a vector."""
        if self.chance(empty):
            return 0
        return self.int(1, most) if self.chance(0.85) else self.int(1, 3 * most + 3)

    def wide(self, most=8):
        """A dimension of 1 or more, now and then one that takes several vectors or tiles."""
        return self.int(1, 9 * most) if self.chance(0.12) else self.dim(most, 0)

    def shape(self, low=0, high=5, most=6, elements=4000, empty=0.02):
        """Of `low` to `high` dimensions; where there may be five, there are more now and then."""
        if low < 2 <= high and self.chance(0.08):
            return [self.pick([self.int(1, 70), self.int(1, 300)])]
        if high >= 5 and self.chance(0.05):
            return [self.dim(3, 0) for _ in range(self.int(high + 1, 8))]
        shape = [self.dim(most, empty / max(high, 1)) for _ in range(self.int(low, high))]
        while np.prod(shape, dtype=np.int64) > elements:
            largest = int(np.argmax(shape))
            shape[largest] = (shape[largest] + 1) // 2
        return shape

    def broadcast(self, shape):
        """A shape that broadcasts to `shape`."""
        part = shape[self.int(0, len(shape)) if self.chance(0.5) else 0:]
        return [1 if self.chance(0.25) else d for d in part]

    def axis(self, rank):
        return self.int(-rank, rank - 1) if rank else self.pick([0, -1])

    def subset(self, rank, p=0.5):
        return [i for i in range(rank) if self.chance(p)]

    def numbers(self, kind, shape, low=-4.0, high=4.0, special=0.0):
        """Values of a type: floats in [low, high], all bits of 8- and 16-bit integers, wider ones small."""
        return np.asarray(self._numbers(kind, tuple(shape), low, high, special))

    def _numbers(self, kind, shape, low, high, special):
        dtype = KINDS[kind][1]
        if kind == "str":
            words = [b"", b"a", b"bb", b"some longer text", b"\x00\xff", "é".encode()]
            return np.array([self.pick(words) for _ in range(int(np.prod(shape)))] + [None], object)[:-1].reshape(shape)
        if kind in ("c64", "c128"):
            return (self.rng.uniform(low, high, shape) + 1j * self.rng.uniform(low, high, shape)).astype(dtype)
        if dtype in (np.float32, np.float16, np.float64):
            return self._floats(dtype, shape, low, high, special, kind == "bf16")
        if kind == "bool":
            return self.rng.integers(0, 2, shape).astype(dtype)
        if kind in ("i4", "i2"):
            return self.rng.integers(*((-8, 8) if kind == "i4" else (-2, 2)), shape).astype(dtype)
        info = np.iinfo(dtype)
        if info.bits <= 16:
            return self.rng.integers(info.min, info.max + 1, shape).astype(dtype)
        most = 2 ** 30 if self.chance(0.1) else 60
        return self.rng.integers(max(info.min, -most), most, shape).astype(dtype)

    def _floats(self, dtype, shape, low, high, special, brain):
        values = np.asarray(self.rng.uniform(low, high, shape), dtype)
        if self.chance(0.15):
            values = np.asarray(np.round(values * 2) / 2, dtype)
        if special and values.size and self.chance(special):
            # Large numbers alone: where two cancel, the order of a sum decides.
            several = self.chance(0.3)
            self.sprinkle(values, self.float(0, 0.4) if several else 0, ODD if several else [*ODD, 1e30, -1e30])
        if brain:
            values = (values.view(np.uint32) & 0xFFFF0000).view(np.float32)
        return values

    def sprinkle(self, values, share, odd):
        """Odd numbers at one place, and at this share of all."""
        places = self.rng.random(values.size) < share
        places[self.int(0, values.size - 1)] = True
        with np.errstate(over="ignore"):
            values.flat[places] = self.rng.choice(np.array(odd), int(places.sum())).astype(values.dtype)

    def fed(self, kind, shape, values=None, **more):
        numbers = {k: more.pop(k) for k in ("low", "high", "special") if k in more}
        array = self.numbers(kind, shape, **numbers) if values is None else np.asarray(values, KINDS[kind][1])
        return Tensor(kind, array.shape, feed=array, **more)

    def const(self, kind, shape, values=None, **more):
        t = self.fed(kind, shape, values, **more)
        t.data, t.feed = t.feed, None
        return t

    def side(self, kind, values, p=0.7, **more):
        """A side input with given contents: most often a constant, else fed."""
        values = np.asarray(values, KINDS[kind][1])
        return (self.const if self.chance(p) else self.fed)(kind, values.shape, values, **more)

    def either(self, kind, shape, p=0.3, **more):
        """An input with random contents, a constant with probability p."""
        return (self.const if self.chance(p) else self.fed)(kind, shape, **more)

    def quant(self, kind, low=0.002, high=0.2):
        """Quantization of an activation of this type, nothing for the others."""
        if kind not in QUANTIZED:
            return {}
        scale = float(np.float32(np.exp(self.rng.uniform(np.log(low), np.log(high)))))
        info = np.iinfo(KINDS[kind][1])
        zero = 0 if kind == "i16" else self.pick([int(self.rng.integers(info.min, info.max + 1)), (info.min + info.max + 1) // 2,
                                                   info.min])
        return {"scale": scale / (16 if kind == "i16" else 1), "zero": zero}

    def activation(self, more=()):
        """A fused activation, now and then one that is none for most operators."""
        return self.pick([4, 5, 6, -1]) if self.chance(0.03) else self.pick([0, 0, 0, 1, 2, 3, *more])

    def out(self, kind, **more):
        """An output; its shape is the kernel's to find."""
        return Tensor(kind, [], **more)


def one(op, inputs, outputs, options=None, **more):
    """A case of a single operator."""
    intermediates = more.pop("intermediates", ())
    return Case(op, [Graph([Node(op, inputs, outputs, options, intermediates)])], **more)
