# SPDX-License-Identifier: Apache-2.0
"""oclite ..., python -m oclite ...: the program `oclite` with its arguments, and the commands that Python brings."""
from __future__ import annotations

import importlib
import os
import sys

from oclite._files import tool

COMMANDS = {"batch": "oclite.batch", "serve": "oclite.serve"}
"""Command -> the module whose main(arguments) runs it and returns the exit status."""


def main() -> int:
    try:
        if len(sys.argv) > 1 and sys.argv[1] in COMMANDS:
            command: int = importlib.import_module(COMMANDS[sys.argv[1]]).main(sys.argv[2:])
            return command
        os.execv(tool(), ["oclite", *sys.argv[1:]])
    except (OSError, ImportError) as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
