#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the documentation as a site: site.sh [FOLDER] writes it into FOLDER, build/site without. Any warning is an error, and so is a link
# to a page or a heading that is not there. Exit status 77: something that it needs is missing, and a line says what.
#
#   OCLITE_SITE_PYTHON   a Python that has Sphinx with MyST, furo and Breathe; without it a virtual environment is made for them
#   OCLITE_SITE_SOURCE   the address of the tree on a Git host, to which links to sources lead; without it the site shows them itself
set -euo pipefail
folder=$(realpath -m "${1:-build/site}")
cd "$(dirname "$0")/.."
work=$folder.work
python=${OCLITE_SITE_PYTHON:-build/venv/bin/python}

command -v doxygen >/dev/null || { echo "doxygen is missing: scripts/packages.sh check, or the package of that name" >&2; exit 77; }
if ! "$python" -c 'import breathe, furo, myst_parser, sphinx, numpy' 2>/dev/null; then
    [ -z "${OCLITE_SITE_PYTHON:-}" ] || { echo "$python lacks Sphinx, MyST, furo, Breathe or NumPy: scripts/site/requirements.txt" >&2; exit 77; }
    python3 -m venv build/venv
    build/venv/bin/pip install -q -r scripts/site/requirements.txt numpy
fi

rm -rf "$folder" "$work"
mkdir -p "$work"
{ cat scripts/site/Doxyfile; echo "OUTPUT_DIRECTORY = $work"; } >"$work/Doxyfile"
doxygen "$work/Doxyfile"
python3 scripts/site/stage.py "$work/xml" "$work/pages"
OCLITE_SITE_XML=$work/xml PYTHONDONTWRITEBYTECODE=1 "$python" -m sphinx -q -W --keep-going -b html -c scripts/site -d "$work/doctrees" \
    "$work/pages" "$folder"
python3 scripts/site/links.py "$folder"
rm -rf "$work"
