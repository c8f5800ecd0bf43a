# SPDX-License-Identifier: Apache-2.0
"""Packages of others that batches and engines need, and that the package oclite itself does not."""
from __future__ import annotations

import importlib
from typing import Any


def extra(module: str, group: str = "batch", user: str = "oclite batch") -> Any:
    """ImportError says how the module is installed: with a group of pyproject.toml's optional dependencies."""
    try:
        return importlib.import_module(module)
    except ImportError as missing:
        raise ImportError(f"{user} needs {module.split('.')[0]}: pip install 'oclite[{group}]' ({missing})") from missing
