# SPDX-License-Identifier: Apache-2.0
"""The page at /: its files, and what it is told of models."""
from __future__ import annotations

import functools
import os
from typing import TYPE_CHECKING, Any, Dict, List, Optional, Tuple

from oclite.serve._errors import UnknownError

if TYPE_CHECKING:
    from oclite._metadata import TensorMetadata
    from oclite.serve._model import ServedModel
    from oclite.serve._service import Service

POLICY = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; base-uri 'none'; "
          "form-action 'none'; frame-ancestors 'none'")
_FILES = {"/": ("page.html", "text/html"), "/page/page.js": ("page.js", "text/javascript"), "/page/page.css": ("page.css", "text/css"),
          "/page/page.svg": ("page.svg", "image/svg+xml")}
_USUAL = 127.5  # mean and deviation that bring 0..255 to -1..1


@functools.lru_cache(maxsize=None)
def page_file(address: str) -> Tuple[bytes, str]:
    """What is at an address, and its type. UnknownError."""
    if address not in _FILES:
        raise UnknownError(f"the page has no file {address[:200]!r}")
    name, kind = _FILES[address]
    with open(os.path.join(os.path.dirname(__file__), name), "rb") as source:
        return source.read(), kind


def page_models(service: Service) -> Dict[str, Any]:
    """The table: each version that is loaded with its load and its latencies, and those that are not."""
    rows: List[Dict[str, Any]] = []
    for model in service.repository.served():
        waiting, busy = model.load()
        rows.append({"name": model.name, "version": model.version, "state": "READY", "waiting": waiting, "busy": busy,
                     "instances": model.instances, "picture": picture(model) is not None, **model.statistics.summary()})
    rows += [row for row in service.index(False) if row["state"] != "READY"]
    return {"models": rows, "draining": service.is_draining}


def _said(model: ServedModel, side: str) -> Optional[TensorMetadata]:
    graphs = model.metadata.subgraphs if model.metadata else ()
    tensors = getattr(graphs[0], side) if graphs else ()
    return tensors[0] if tensors else None


def picture(model: ServedModel) -> Optional[Dict[str, Any]]:
    """How a picture becomes the only input; None where it is none."""
    if len(model.inputs) != 1 or model.inputs[0].datatype not in ("FP32", "UINT8", "INT8"):
        return None
    shape, said = model.inputs[0].shape, _said(model, "inputs")
    if len(shape) != 4 or shape[0] not in (1, -1) or shape[3] not in (1, 3) or not all(1 < n <= 2048 for n in shape[1:3]):
        return None
    scale, zero = model.quantization["input"][0]
    return {"height": shape[1], "width": shape[2], "channels": shape[3], "scale": scale, "zero": zero,
            "mean": list(said.mean) if said and said.mean else [_USUAL], "std": list(said.std) if said and said.std else [_USUAL]}


def _labels(model: ServedModel) -> List[str]:
    said = _said(model, "outputs")
    files = [found for found in (said.files if said else ()) if found.type.endswith("LABELS") and found.data]
    return (files[0].data or b"").decode("utf-8", "replace").splitlines() if files else []


def page_model(service: Service, name: str, version: str) -> Dict[str, Any]:
    """All of one version. UnknownError."""
    found = service.repository.find(name, version)
    told = found.metadata
    return {**found.described([found.version]), "picture": picture(found), "labels": _labels(found),
            "quantization": found.quantization["output"],
            "about": {key: getattr(told, key) for key in ("name", "description", "author", "license")} if told else {}}
