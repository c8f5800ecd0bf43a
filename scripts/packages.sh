#!/usr/bin/env bash
# Installs the Debian packages that the given purposes need and that are missing: packages.sh PURPOSE...
# Purposes: build (libraries, tools, demo), run (an OpenCL device: PoCL), check (tests and lint), debian (packages of this tree).
# As root, or through sudo; otherwise says what to install and fails.
set -euo pipefail

build=(gcc g++ cmake ninja-build pkg-config python3 opencl-c-headers ocl-icd-libopencl1 ocl-icd-opencl-dev
       libdnnl-dev libcjson-dev)
run=(pocl-opencl-icd)
check=(git libcmocka-dev libflatbuffers-dev flatbuffers-compiler clang clang-format clang-tidy cppcheck
       libclang-rt-14-dev libclblast1 python3-venv binutils oclgrind mesa-opencl-icd groff graphviz chromium ccache golang-go
       openjdk-17-jdk-headless junit5 libjpeg-dev libpng-dev doxygen
       openssl)
debian=(debhelper dh-python lintian mmdebstrap)

wanted=()
for purpose in "$@"; do
    declare -n list="$purpose"
    wanted+=("${list[@]}")
done

missing=()
for package in "${wanted[@]}"; do
    state=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "Missing packages. As root, run: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi
echo "Installing: ${missing[*]}"
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
