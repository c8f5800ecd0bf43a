# SPDX-License-Identifier: Apache-2.0
"""oclite batch: many inputs in files through a model, and results in files (docs/BATCH.md)."""
from __future__ import annotations

from typing import List


def main(arguments: List[str]) -> int:
    """Runs the command, and returns its exit status."""
    from oclite.batch._command import run
    return run(arguments)
