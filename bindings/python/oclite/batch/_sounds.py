# SPDX-License-Identifier: Apache-2.0
"""Sounds: read by soundfile, resampled by soxr, and cut into frames that are as long as the model's input."""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Dict, Optional, Tuple

import numpy as np

from oclite.batch._engine import Chunk, Loaded, Row, load_each
from oclite.batch._extras import extra
from oclite.batch._target import Target

if TYPE_CHECKING:
    from oclite._metadata import TensorMetadata
    from oclite._tensor import Array

SUFFIXES = (".wav", ".flac", ".ogg", ".aiff", ".aif")
MARGIN = 4096  # samples beside a frame, more than the resampler's filter is long


@dataclass(frozen=True)
class Sounds:
    """Fills an input with samples from -1 to 1. The frames of a file are its rows; the last one is filled up with silence.

    Each frame is read and resampled by itself, with what is beside it, so that it is the same whichever were read before.
    """
    target: Target
    rate: int
    channels: int
    window: Optional[int]  # samples of each channel; None: a row is all of a file
    hop: int  # from frame to frame
    mean: Tuple[float, ...]
    std: Tuple[float, ...]

    def count(self, path: str) -> int:
        """Frames of a file. ValueError, OSError: it cannot be read, or does not fit."""
        with self._open(path) as sound:
            self._check(sound)
            if sound.samplerate != self.rate:
                extra("soxr")
            length: int = -(-sound.frames * self.rate // sound.samplerate)
        if self.window is None or length <= self.window:
            return 1
        return 1 - (self.window - length) // self.hop

    def load(self, chunk: Chunk) -> Loaded:
        return load_each(chunk.rows, self._load)

    @staticmethod
    def _open(path: str) -> Any:
        soundfile = extra("soundfile")
        try:
            return soundfile.SoundFile(path)
        except soundfile.SoundFileError as error:
            raise ValueError(f"no sound that can be read: {error}") from None

    def _check(self, sound: Any) -> None:
        if sound.frames < 1:
            raise ValueError("a sound without samples")
        if sound.channels != self.channels and 1 not in (sound.channels, self.channels):
            raise ValueError(f"a sound of {sound.channels} channels, where the model takes {self.channels}")

    def _load(self, _: int, row: Row) -> Dict[str, Array]:
        with self._open(row.source) as sound:
            self._check(sound)
            samples = self._frame(sound, row.position)
        if self.channels == 1 != samples.shape[1]:
            samples = samples.mean(1, keepdims=True, dtype=np.float32)
        elif samples.shape[1] == 1 != self.channels:
            samples = samples.repeat(self.channels, 1)
        if self.mean or self.std:
            samples = (samples - np.array(self.mean or [0], np.float32)) / np.array(self.std or [1], np.float32)
        if self.target.dtype.kind in "iu" and not self.target.scale:
            samples = np.clip(np.rint(samples * 32768), -32768, 32767)
        shape = self.target.shape
        if len(shape) > 1 and shape[-1] != self.channels and self.channels > 1:
            samples = samples.T  # a row for each channel
        return {self.target.name: self.target.fit(np.ascontiguousarray(samples).reshape(-1))}

    def _frame(self, sound: Any, number: int) -> Array:
        """Samples of each channel at the model's rate; float32."""
        factor = math.gcd(sound.samplerate, self.rate)
        ours, theirs = self.rate // factor, sound.samplerate // factor  # so many samples of ours last as long as theirs
        if self.window is None:
            return self._read(sound, 0, sound.frames, ours, theirs)
        begin = number * self.hop
        margin = 0 if ours == theirs else math.ceil(MARGIN / min(ours, theirs))
        first = max(begin // ours - margin, 0)
        last = -(-(begin + self.window) // ours) + margin
        samples = self._read(sound, first * theirs, last * theirs, ours, theirs)[begin - first * ours:][:self.window]
        return np.pad(samples, ((0, self.window - len(samples)), (0, 0)))

    def _read(self, sound: Any, begin: int, end: int, ours: int, theirs: int) -> Array:
        sound.seek(min(begin, sound.frames))
        samples: Array = sound.read(end - begin, dtype="float32", always_2d=True)
        if len(samples) < min(end, sound.frames) - begin:
            raise ValueError(f"the file ends early: it says that it has {sound.frames} samples")
        if ours != theirs and len(samples):
            samples = extra("soxr").resample(samples, theirs, ours)
        return samples


def sounds(target: Target, about: Optional[TensorMetadata], *, rate: Optional[int], hop: Optional[int]) -> Sounds:
    """A loader for this input. ValueError: it takes no sounds, or options are missing."""
    extra("soundfile")
    rate = rate or (about.sample_rate if about else 0)
    channels = max(about.channels if about else 1, 1)
    if target.is_text or len(target.shape) > 2 or sum(length == -1 for length in target.shape) > 1:
        raise ValueError(f"the model takes no sounds: its input {target.name!r} is {list(target.shape)} for each row")
    if not rate:
        raise ValueError("the model does not say how many samples a second has: --sample-rate")
    window = None if -1 in target.shape else math.prod(target.shape) // channels
    if window is not None and (window == 0 or window * channels != math.prod(target.shape)):
        raise ValueError(f"the model takes no sounds of {channels} channels: its input {target.name!r} is {list(target.shape)}")
    own_mean, own_std = (about.mean, about.std) if about else ((), ())
    return Sounds(target, rate, channels, window, hop or window or 1, own_mean, own_std)
