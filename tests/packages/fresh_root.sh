#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs packages in a Debian 12 that has nothing else, by apt, uses them, purges them, and looks whether anything is left:
# fresh_root.sh PACKAGES CACHE. PACKAGES is the folder of the .deb files. CACHE keeps the empty Debian and what apt has
# downloaded for the next time. With Debian's archive in reach, and as root (else exit status 77); nothing of the machine itself is changed.
set -euo pipefail
packages=$(realpath "$1") cache=$(realpath -m "$2")
script=$(realpath "$0")
source=$(realpath "$(dirname "$script")/../..")
fail() { echo "fresh_root.sh: $*" >&2; exit 1; }
skip() { echo "fresh_root.sh: skipped: $*"; exit 77; }

# In a process and mount namespace of its own: what is mounted and started here ends with it.
if [ "${3:-}" != inside ]; then
    [ "$(id -u)" -eq 0 ] || skip "needs root, for another root folder"
    compgen -G "$packages/*.deb" >/dev/null || skip "no packages in $packages"
    mkdir -p "$cache/archives"
    if [ ! -d "$cache/root" ]; then
        rm -rf "$cache/root.part"
        mmdebstrap --quiet --variant=minbase bookworm "$cache/root.part" || fail "no Debian 12 from Debian's archive: see above"
        mv "$cache/root.part" "$cache/root"
    fi
    exec unshare --mount --pid --fork "$script" "$packages" "$cache" inside
fi

root=$cache/merged
rm -rf "$cache/upper" "$cache/work"
mkdir -p "$cache/upper" "$cache/work" "$root"
mount -t overlay overlay -o "lowerdir=$cache/root,upperdir=$cache/upper,workdir=$cache/work" "$root"
trap 'rm -rf "$cache/upper" "$cache/work"' EXIT
mkdir -p "$root/packages" "$root/tests" "$root/source/examples"
mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys" # PoCL looks there for processors and memory
mount --rbind /dev "$root/dev"
mount --bind "$packages" "$root/packages"
mount --bind "$source/debian/tests" "$root/tests"
mount --bind "$source/examples" "$root/source/examples"
mount --bind "$cache/archives" "$root/var/cache/apt/archives"
cp /etc/resolv.conf "$root/etc/resolv.conf"
echo 'APT::Keep-Downloaded-Packages "true";' >"$root/etc/apt/apt.conf.d/keep"
echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/unsafe" # what a power failure would leave is nobody's concern

# Users' caches (compiled programs, verdicts of the self-test) are no package's, and stay.
in_root() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
install() { in_root apt-get -qq install -y "$@" >/dev/null; }
files_of() { for name in "$@"; do (cd "$packages" && ls "$name"_*.deb | sed 's|^|/packages/|'); done; }
# Everything that somebody could find but for apt's and dpkg's own notes.
everything() {
    in_root find / -xdev '(' -path /proc -o -path /sys -o -path /dev -o -path /tmp -o -path /packages -o -path /tests -o -path /source -o -path /var/cache -o \
        -path /var/log -o -path /var/lib/apt -o -path /var/lib/dpkg ')' -prune -o -print | sort
}
# The first example in Python of the README, with all on the device that there is.
python_example() {
    in_root OCLITE_OPENCL_PARTITION=all sh -c 'cd /source && exec python3 -c "$0"' "$(awk '/^```python$/ { inside = 1; next } inside && /^```$/ { exit } inside' "$source/README.md")"
}

names=()
for file in "$packages"/*.deb; do
    name=$(dpkg-deb -f "$file" Package)
    [[ $name = *-dbgsym ]] || names+=("$name")
done
model=/usr/share/doc/liboclite-dev/examples/models/digits.tflite

in_root apt-get -qq update -o APT::Update::Error-Mode=any || fail "Debian's archive is out of reach: see above"
echo "== the program alone, without what is recommended"
alone=(liboclite0 liboclite-opencl0 oclite-tools)
install --no-install-recommends $(files_of "${alone[@]}")
in_root dpkg -l | awk '/pocl|llvm|numpy/ { exit 1 }' || fail "PoCL or NumPy is there although nobody asked for it"
in_root oclite devices --no-measure
# What is there already would not bring what it recommends.
in_root apt-get -qq autoremove --purge -y "${alone[@]}" >/dev/null
echo "== the Python package alone, without any OpenCL"
alone=(liboclite0 python3-oclite)
install --no-install-recommends $(files_of "${alone[@]}")
[ -z "$(in_root find / -xdev -name 'libOpenCL*')" ] || fail "OpenCL is there although nobody asked for it"
python_example | grep -B 1 'it is a zero' || fail "the README's example in Python fails without OpenCL"
in_root apt-get -qq purge -y "${alone[@]}" >/dev/null
echo "== all packages"
install $(files_of "${names[@]}")
in_root OCLITE_OPENCL_PARTITION=all oclite info "$model" --delegate opencl | grep '7 of 7 nodes run on' || fail "PoCL does not run the model"
python_example | grep '7 of 7 nodes on the device' || fail "the README's example in Python does not run on PoCL"
install --no-install-recommends build-essential cmake pkgconf
in_root /tests/installed
echo "== purged"
in_root apt-get -qq purge -y "${names[@]}" >/dev/null
everything >"$cache/before"
if grep oclite "$cache/before"; then fail "the files above are left"; fi
# The packages again, in a system that has the others: whatever differs afterwards is theirs.
install $(files_of "${names[@]}")
in_root oclite info "$model" >/dev/null
in_root python3 -c 'import oclite; print(oclite.version())'
in_root apt-get -qq purge -y "${names[@]}" >/dev/null
everything >"$cache/after"
diff "$cache/before" "$cache/after" || fail "files differ after the packages have come and gone"
echo "nothing is left"
