# SPDX-License-Identifier: Apache-2.0
"""Pictures: read and scaled by Pillow, normalized as the model's metadata or options say."""
from __future__ import annotations

import functools
import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, Optional, Tuple, Union

import numpy as np

from oclite.batch._engine import Chunk, Loaded, Row, load_each
from oclite.batch._extras import extra
from oclite.batch._target import Target

if TYPE_CHECKING:
    from oclite._metadata import TensorMetadata
    from oclite._tensor import Array

USUAL = 127.5  # mean and deviation that bring 0..255 to -1..1
MODES = {1: "L", 3: "RGB", 4: "RGBA"}
FITS = ("stretch", "crop", "pad")
_ORIENTATION = 0x0112  # of Exif: 1 where the picture is upright
FILTERS = ("nearest", "box", "bilinear", "hamming", "bicubic", "lanczos")


def is_picture(suffix: str) -> bool:
    """Whether files with such an end of their names are pictures that Pillow reads."""
    image = extra("PIL.Image")
    for prepare in (image.preinit, image.init):  # the latter knows all kinds, and takes its time
        prepare()
        if image.EXTENSION.get(suffix) in image.OPEN:
            return True
    return False


@dataclass(frozen=True)
class Pictures:
    """Fills an input with pictures, one a row."""
    target: Target
    height: int
    width: int
    channels: int
    are_planes: bool  # channels before rows and columns
    mean: Optional[Tuple[float, ...]]  # None: pixels are stored as they are
    std: Tuple[float, ...]
    fit: str = "stretch"
    resample: str = "bilinear"

    def count(self, path: str) -> int:
        """Rows in a file: whether it is a picture is found out when it is its turn."""
        del path
        return 1

    def load(self, chunk: Chunk) -> Loaded:
        return load_each(chunk.rows, self._load)

    def _load(self, _: int, row: Row) -> Dict[str, Array]:
        return {self.target.name: self.decode(row.source)}

    def decode(self, picture: Union[str, bytes]) -> Array:
        """A file, or its contents, as the input has it. ValueError: it is no picture that can be read."""
        image = extra("PIL.Image")
        try:
            with image.open(io.BytesIO(picture) if isinstance(picture, bytes) else picture) as opened:
                pixels = self._pixels(opened)
        except Exception as error:  # pylint: disable=broad-except  # damaged files make Pillow's readers raise anything
            raise ValueError(f"no picture that can be read: {error or type(error).__name__}") from None
        if self.are_planes:
            pixels = pixels.transpose(2, 0, 1)
        return self._normalized(pixels)

    def _pixels(self, opened: Any) -> Array:
        """Rows, columns, channels; as it is held upright."""
        ops, resample = extra("PIL.ImageOps"), getattr(extra("PIL.Image").Resampling, self.resample.upper())
        if opened.mode[0] in "IF":
            raise ValueError(f"its pixels have more than 8 bits (mode {opened.mode})")
        picture = ops.exif_transpose(opened) if opened.getexif().get(_ORIENTATION, 1) != 1 else opened
        if picture.mode != MODES[self.channels]:
            if picture.mode == "P" and "transparency" in picture.info:
                picture = picture.convert("RGBA")
            picture = picture.convert(MODES[self.channels])
        size = self.width, self.height
        if picture.size != size:
            if self.fit == "stretch":
                picture = picture.resize(size, resample)
            else:
                picture = (ops.fit if self.fit == "crop" else ops.pad)(picture, size, resample)
        return np.asarray(picture).reshape(self.height, self.width, self.channels)

    def _normalized(self, pixels: Array) -> Array:
        """What the table says of each pixel, by what is quicker than to look there."""
        table = self.table
        if self.mean is not None and table.dtype == np.float32:
            lines = pixels.reshape(self.channels if self.are_planes else self.height, -1)
            mean, std = (self._along(np.array(given, np.float32)) for given in (self.mean, self.std))
            values: Array = np.subtract(lines, mean, dtype=np.float32)
            values /= std
            return values.reshape(pixels.shape)
        if len(table) > 1:
            axis = 0 if self.are_planes else 2
            return np.stack([np.take(table[i], pixels.take(i, axis)) for i in range(self.channels)], axis)
        if table.itemsize == 1 and pixels.size % 2 == 0:
            pairs: Array = np.take(self.pairs, pixels.reshape(-1).view(np.uint16))
            return pairs.view(table.dtype).reshape(pixels.shape)
        return np.take(table[0], pixels)

    @functools.cached_property
    def pairs(self) -> Array:
        """What two bytes that follow each other become, of a table of bytes for all channels."""
        both = np.arange(1 << 16, dtype=np.uint16).view(np.uint8)
        pairs: Array = self.table[0][both].view(np.uint16)
        return pairs

    def _along(self, numbers: Array) -> Array:
        """Numbers of all channels, or of each, as they lie along the lines that are normalized."""
        if len(numbers) == 1:
            return numbers
        return numbers[:, None] if self.are_planes else np.tile(numbers, self.width)

    @functools.cached_property
    def table(self) -> Array:
        """What the input gets for each value of a pixel: one row for all channels, or one for each."""
        values = np.arange(256)
        if self.mean is None:
            kind = self.target.dtype
            return (values - 128 if kind == np.int8 else values).astype(kind)[None]
        mean, std = (np.array(given, np.float32)[:, None] for given in (self.mean, self.std))
        return self.target.store((values.astype(np.float32) - mean) / std)


def _channels_of(shape: Tuple[int, ...]) -> Optional[Tuple[bool, int, int, int]]:
    if len(shape) == 3 and shape[2] in MODES:
        return False, shape[0], shape[1], shape[2]
    if len(shape) == 3 and shape[0] in MODES:
        return True, shape[1], shape[2], shape[0]
    return None


def _numbers(what: str, given: Optional[Tuple[float, ...]], own: Tuple[float, ...], channels: int, usual: float) -> Tuple[float, ...]:
    numbers = given if given is not None else own or (usual,)
    if len(numbers) not in (1, channels):
        raise ValueError(f"{'--' + what if given is not None else what + ' of the metadata'} has {len(numbers)} values, "
                         f"for {channels} channels")
    if not np.isfinite(numbers).all() or (what == "std" and 0 in numbers):
        raise ValueError(f"{what} {', '.join(f'{number:g}' for number in numbers)}: values cannot be normalized by it")
    return numbers


def pictures(target: Target, about: Optional[TensorMetadata], *, size: Optional[Tuple[int, int]], mean: Optional[Tuple[float, ...]],
             std: Optional[Tuple[float, ...]], fit: str, resample: str) -> Pictures:
    """A loader for this input. ValueError: it takes no pictures, or options do not fit it."""
    found = _channels_of(target.shape)
    if found is None or target.is_text:
        raise ValueError(f"the model takes no pictures: its input {target.name!r} is {list(target.shape)} for each row, and not "
                         "rows, columns and 1, 3 or 4 channels")
    are_planes, height, width, channels = found
    width, height = size or (width, height)
    for axis, (wanted, own) in {"width": (width, found[2]), "height": (height, found[1])}.items():
        if wanted == -1:
            raise ValueError(f"the model takes pictures of any {axis}: --size WIDTHxHEIGHT says which they get")
        if own not in (-1, wanted):
            raise ValueError(f"--size has the {axis} {wanted}, and the model takes {own}")
    own_mean, own_std = (about.mean, about.std) if about else ((), ())
    is_stored = target.dtype.kind in "iu" and not (mean or std or own_mean or own_std)
    usual = (USUAL, USUAL) if target.scale or target.dtype.kind == "f" else (0.0, 1.0)
    made = Pictures(target, height, width, channels, are_planes,
                    None if is_stored else _numbers("mean", mean, own_mean, channels, usual[0]),
                    _numbers("std", std, own_std, channels, usual[1]), fit, resample)
    _ = made.table  # which an input of integers may not hold
    return made
