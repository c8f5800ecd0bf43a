# SPDX-License-Identifier: Apache-2.0
"""What a model says about itself (oclite/metadata.h)."""
from __future__ import annotations

import ctypes as c
from dataclasses import dataclass
from typing import Any, Dict, Optional, Tuple

from oclite._errors import REPORT
from oclite._library import text
from oclite._native import Native


@dataclass(frozen=True)
class PackedFile:
    """A file that belongs to a model, such as labels."""
    name: str
    description: str
    type: str  # DESCRIPTIONS, TENSOR_AXIS_LABELS, TENSOR_VALUE_LABELS, TENSOR_AXIS_SCORE_CALIBRATION, VOCABULARY ... or ""
    locale: str
    data: Optional[bytes]  # None: see absent
    absent: str  # why there is no data: "is not packed into the model"


@dataclass(frozen=True)
class TokenizerMetadata:
    """How text becomes numbers."""
    kind: str  # regex, bert, sentencepiece
    delimiters: str  # of regex: an expression for what lies between words
    files: Tuple[PackedFile, ...]


@dataclass(frozen=True)
class TensorMetadata:
    """An input or output. Texts are "", numbers 0 and tuples empty when the model does not say."""
    name: str
    description: str
    content: str  # feature, image, bounding boxes, audio
    color_space: str  # RGB, GRAYSCALE
    width: int
    height: int
    box_type: str  # BOUNDARIES, UPPER_LEFT, CENTER
    coordinate_type: str  # RATIO, PIXEL
    sample_rate: int
    channels: int
    mean: Tuple[float, ...]  # an input's values are normalized as (x - mean) / std; one for all channels, or one for each
    std: Tuple[float, ...]
    min: Tuple[float, ...]
    max: Tuple[float, ...]
    score_threshold: Optional[float]
    tokenizer: Optional[TokenizerMetadata]
    files: Tuple[PackedFile, ...]


@dataclass(frozen=True)
class SubgraphMetadata:
    """What is said of a subgraph, its inputs and its outputs."""
    name: str
    description: str
    inputs: Tuple[TensorMetadata, ...]
    outputs: Tuple[TensorMetadata, ...]
    tokenizer: Optional[TokenizerMetadata]
    files: Tuple[PackedFile, ...]


@dataclass(frozen=True)
class Metadata:
    """All of it; the first subgraph is the main one. packed has every file in the model."""
    name: str
    description: str
    version: str
    author: str
    license: str
    min_parser_version: str
    subgraphs: Tuple[SubgraphMetadata, ...]
    files: Tuple[PackedFile, ...]
    packed: Tuple[PackedFile, ...]


def _texts(given: Any, *names: str) -> Any:
    return {name: text(getattr(given, name)) for name in names}


def _files(given: Any, count: int) -> Tuple[PackedFile, ...]:
    return tuple(PackedFile(data=c.string_at(given[i].data, given[i].size) if given[i].data else None,
                            **_texts(given[i], "name", "description", "type", "locale", "absent")) for i in range(count))


def _tokenizer(given: Any) -> Optional[TokenizerMetadata]:
    if not given.kind:
        return None
    return TokenizerMetadata(text(given.kind), text(given.delimiters), _files(given.files, given.file_count))


def _floats(given: Any) -> Tuple[float, ...]:
    return tuple(given.values[:given.count]) if given.count else ()


def _tensor(given: Any) -> TensorMetadata:
    numbers: Dict[str, Any] = {name: getattr(given, name) for name in ("width", "height", "sample_rate", "channels")}
    floats: Dict[str, Any] = {name: _floats(getattr(given, name)) for name in ("mean", "std", "min", "max")}
    return TensorMetadata(
        score_threshold=given.score_threshold if given.has_score_threshold else None, tokenizer=_tokenizer(given.tokenizer),
        files=_files(given.files, given.file_count), **numbers, **floats,
        **_texts(given, "name", "description", "content", "color_space", "box_type", "coordinate_type"))


def _subgraph(given: Any) -> SubgraphMetadata:
    return SubgraphMetadata(text(given.name), text(given.description),
                            tuple(_tensor(given.inputs[i]) for i in range(given.input_count)),
                            tuple(_tensor(given.outputs[i]) for i in range(given.output_count)),
                            _tokenizer(given.tokenizer), _files(given.files, given.file_count))


def read_metadata(native: Native) -> Metadata:
    """ValueError: they are damaged."""
    pointer = native.library.oclite_metadata_create(native.model, REPORT, native.messages.number)
    if not pointer:
        native.fail(ValueError, "the model's metadata cannot be read")
    try:
        given = pointer[0]
        return Metadata(subgraphs=tuple(_subgraph(given.subgraphs[i]) for i in range(given.subgraph_count)),
                        files=_files(given.files, given.file_count), packed=_files(given.packed, given.packed_count),
                        **_texts(given, "name", "description", "version", "author", "license", "min_parser_version"))
    finally:
        native.library.oclite_metadata_delete(pointer)
