# SPDX-License-Identifier: Apache-2.0
"""python -m oclite ...: the program `oclite`, with its arguments."""
from __future__ import annotations

import os
import sys

from oclite._files import tool


def main() -> int:
    try:
        path = tool()
        os.execv(path, ["oclite", *sys.argv[1:]])
    except OSError as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
