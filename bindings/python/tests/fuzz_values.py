# SPDX-License-Identifier: Apache-2.0
"""Random values for test_fuzz.py: usual ones, and what no program should pass but some do."""
import glob
import math
import os
import unittest

from python_case import OWN, SHARED, model_of, np

DTYPES = (np.float32, np.float64, np.float16, np.int8, np.uint8, np.int16, np.int32, np.int64, np.uint64, np.bool_, np.complex64, "S3",
          "U2", object, "M8[s]", "V4", ">f4", ">i4", ">U2", [("a", "f4")])


class Odd:
    """Whose every question is answered by an exception."""

    def _fails(self, *_, **__):
        raise ValueError("an odd object")
    __index__ = __float__ = __array__ = __fspath__ = __len__ = __iter__ = __bool__ = __eq__ = __repr__ = _fails
    __hash__ = object.__hash__


class Array(np.ndarray):
    """A subclass of the program's."""


ODD = [None, -1, 0, 1, 2, 7, 10**9, 2**31, -2**31, 2**63, 2**64, 10**30, 1.5, 1e300, float("nan"), float("inf"), "", "x", "0", b"", b"x", True,
       1j, [], [0], [[1], [1, 2]], {}, {"x": 1}, set(), object(), Odd(), "a\0b", b"a\0b", "\ud800", (), range(3), np.int64(1), np.uint64(2**63),
       np.float32(1), np.bool_(True), np.str_("x"), np.zeros(3), np.array(5), np.array(None), np.array(["a", "b"]), np.array([np.nan, 1]),
       np.array("2020-01-01", "M8[D]"), np.array([2**63], np.uint64), bytearray(b"abc"), memoryview(b"abcd"), np.zeros((0, 3)), int, len,
       np.broadcast_to(np.float32(1), (2**33,)), np.ma.masked_all(3), np.zeros((1,) * 32)]
MOST = 1 << 18  # elements of an array
STRINGS = [b"", b"a", b"\0", b"x" * 300, "", "text", "\u20ac", "\ud800", "\udc80", 5, None, np.str_("n"), bytearray(b"b")]


def _contents():
    """The bytes of models at hand, and of some with an operator of the program's for tensors of each type."""
    paths = glob.glob(f"{OWN}/*.tflite") + [path for path in glob.glob(f"{SHARED}/models/ops/*.tflite") if os.path.getsize(path) < 100000]
    contents = []
    for path in sorted(paths):
        with open(path, "rb") as file:
            contents.append(file.read())
    try:
        for kind in range(23):
            x, y, z = ({"shape": shape, "type": kind, "buffer": 0, "name": name} for name, shape in (("x", [4]), ("y", [2, 2]), ("z", [1])))
            contents.append(model_of([("Atan", [0], [1], None), ("Roll", [1, 0], [2], b"\1\2")], [x, y, z], [0], [1, 2]))
    except unittest.SkipTest as missing:
        print(missing)
    return sorted(paths), contents


PATHS, CONTENTS = _contents()


def bounded(shape):
    """A tensor's shape for an array of this program's; a short one in place of one that damage has made huge, which would fill the memory."""
    lengths = tuple(int(length) for length in shape)
    return lengths if math.prod(lengths) <= MOST else (3,)


def few(value):
    """A billion rows are computed as asked, for hours, and all their results kept."""
    return value[:3] if isinstance(value, np.ndarray) and value.size > MOST else value


class Values:
    """Picks values by a generator of random numbers."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)

    def pick(self, values):
        return values[self.random.integers(len(values))]

    def chance(self, part):
        return self.random.random() < part

    def odd(self, usual, part=0.15):
        """Mostly the usual."""
        return self.pick(ODD) if self.chance(part) else usual

    def shape(self, usual=()):
        if self.chance(0.5):
            return tuple(int(length) for length in usual)
        return tuple(self.random.integers(0, 6, self.random.integers(0, 5)).tolist())

    def size(self, usual=()):
        """A shape, or what may stand for one."""
        shape = self.shape(usual)
        how = self.random.integers(8)
        if how == 0:
            return self.pick(ODD)
        if how == 1:
            return np.array(shape, self.pick((np.int32, np.int64, np.float32, ">i4", object)))
        if how == 2:
            return [self.odd(length, 0.3) for length in shape]
        return shape

    def strings(self, shape):
        made = np.empty(shape, object)
        flat = made.reshape(-1)
        for i in range(flat.size):
            flat[i] = self.pick(STRINGS[:6] if self.chance(0.8) else STRINGS)
        return made

    def array(self, detail):
        """For the tensor of these details: mostly of its type, often of its shape, and in memory as arrays may be."""
        if detail is None or self.chance(0.1):
            return self.odd(self._zeros(self.shape(), self.pick(DTYPES)), 0.5)
        shape = self.shape(bounded(detail["shape"])) if self.chance(0.3) else bounded(detail["shape"])
        if detail["dtype"] is np.bytes_ and self.chance(0.8):
            return self.strings(shape)
        value = self.random.integers(-3, 100, shape)
        with np.errstate(all="ignore"):
            value = self._cast(value, detail["dtype"] if self.chance(0.8) else self.pick(DTYPES))
        return self._laid_out(value)

    @staticmethod
    def _zeros(shape, dtype):
        return np.zeros(shape, dtype)

    def usual(self, detail):
        """What the tensor takes."""
        shape = bounded(detail["shape"])
        if detail["dtype"] is np.bytes_:
            made = np.full(shape, b"", object)
            made[...] = self.pick(STRINGS[:6])
            return made
        return self._cast(self.random.integers(0, 3, shape), detail["dtype"])

    def _cast(self, value, dtype):
        try:
            return value.astype(dtype)
        except (TypeError, ValueError):
            return self._zeros(value.shape, dtype)

    def _laid_out(self, value):
        """The same array in one of the ways of memory, or something that becomes one."""
        how = self.random.integers(14)
        if how == 0 and value.ndim:
            return value[..., ::-1]
        if how == 1:
            return np.asfortranarray(value)
        if how == 2 and value.dtype.kind in "iufcU":
            return value.astype(value.dtype.newbyteorder(">"))
        if how == 3:
            value.flags.writeable = False
        elif how == 4 and value.size:
            return np.broadcast_to(value.reshape(-1)[0], value.shape)
        elif how == 5:
            return value.tolist()
        elif how == 6 and value.ndim:
            return np.repeat(value, 2, axis=0)[::2]
        elif how == 7:
            return value.view(Array)
        elif how == 8:
            return np.ma.array(value)
        elif how == 9:
            return value.astype(object)
        return value

    def content(self):
        """A model's bytes, half of the time damaged."""
        data = bytearray(self.pick(CONTENTS))
        if self.chance(0.5):
            for _ in range(self.random.integers(1, 8)):
                data[self.random.integers(len(data))] = self.pick((0, 1, 2, 127, 255, int(self.random.integers(256))))
            if self.chance(0.1):
                data = data[:self.random.integers(len(data))]
        return self.pick((bytes, bytes, bytearray, memoryview, lambda it: np.frombuffer(bytes(it), np.uint8)))(data)
