# SPDX-License-Identifier: Apache-2.0
"""oclite serve MODEL...: a server of the Open Inference Protocol. docs/SERVE.md tells how it is used."""
from __future__ import annotations

import sys
from typing import List


def main(arguments: List[str]) -> int:
    """Runs the command; returns the exit status."""
    from oclite.serve import _options
    try:
        options = _options.parse(arguments)
        try:
            from oclite.serve import _server
        except ImportError as error:
            print(f"oclite serve needs more packages ({error}): pip install 'oclite[serve]'", file=sys.stderr)
            return 1
        return _server.run(options)
    except (OSError, ValueError, RuntimeError) as error:
        print(f"oclite serve: {error}", file=sys.stderr)
        return 1
