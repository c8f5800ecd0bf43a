# SPDX-License-Identifier: Apache-2.0
"""Packages of others that batches need, and that the package oclite itself does not."""
from __future__ import annotations

import importlib
from typing import Any


def extra(module: str) -> Any:
    """ImportError says how the module is installed."""
    try:
        return importlib.import_module(module)
    except ImportError as missing:
        raise ImportError(f"oclite batch needs {module.split('.')[0]}: pip install 'oclite[batch]' ({missing})") from missing
