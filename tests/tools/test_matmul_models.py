#!/usr/bin/env python3
"""Tests that the models of oclite devices are those that tools/common/make_matmul_models.py writes.

test_matmul_models.py TOOLS   (the folder of the script and its models). Skipped without flatbuffers and numpy.
"""
import os
import subprocess
import sys
import tempfile


def main():
    try:
        import flatbuffers  # noqa: F401
        import numpy  # noqa: F401
    except ImportError as error:
        print(f"skipped: {error}")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, os.path.join(sys.argv[1], "make_matmul_models.py"), folder], check=True)
        names = sorted(os.listdir(folder))
        for name in names:
            with open(os.path.join(folder, name), "rb") as made, open(os.path.join(sys.argv[1], name), "rb") as kept:
                if made.read() != kept.read():
                    print(f"{name} is not what make_matmul_models.py writes")
                    return 1
    print(", ".join(names))
    return 0 if names else 1


if __name__ == "__main__":
    sys.exit(main())
