#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Makes the Debian packages of this tree as it is, with what is not committed, in build/debian, and has lintian look at them:
# debian_packages.sh [FOLDER]. The tree itself stays as it is. ccache compiles where it is installed. With OCLITE_NO_INSTALL set
# no package of Debian is installed for that.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(realpath -m "${1:-build/debian}")
version=$(dpkg-parsechangelog -S Version)
[ -n "${OCLITE_NO_INSTALL:-}" ] || scripts/packages.sh build debian

rm -rf "$folder"
mkdir -p "$folder/oclite-$version"
git ls-files -z -co --exclude-standard | while IFS= read -r -d '' file; do
    [ ! -e "$file" ] || printf '%s\0' "$file" # one that is deleted, and not yet committed so, is still listed
done | tar --null -T - -cf - | tar -xf - -C "$folder/oclite-$version"

cd "$folder/oclite-$version"
# Packages are built with a home that is empty.
! command -v ccache >/dev/null || export CCACHE_DIR="${CCACHE_DIR:-$(ccache -k cache_dir)}"
dpkg-buildpackage -us -uc -b
lintian --allow-root --fail-on error,warning ../*.changes
ls -l ../*.deb
