#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Looks at what is in the Debian packages, and uses them where they are unpacked: packages.py SOURCE FOLDER [--made]

FOLDER has the packages (--made), or they are made there from the objects of the preset dev, which ccache has: with its flags in place of
Debian's, without symbols for debuggers and without the package's own test.
"""
import glob
import importlib.util
import os
import re
import shutil
import subprocess
import sys

TOOLS = ("dpkg-buildpackage", "dh", "dh_python3", "lintian")
# Where a package may have files, and where no other package's are: this library's names, or folders of them.
PLACES = [r"usr/lib/[\w-]+/liboclite(_\w+)?\.so(\.[\d.]+)?$", r"usr/lib/[\w-]+/liboclite\d+/", r"usr/lib/[\w-]+/(cmake|pkgconfig)/oclite[\w.]*",
          r"usr/include/oclite/", r"usr/bin/oclite$", r"usr/libexec/oclite/", r"usr/share/oclite/", r"usr/share/man/man1/oclite[\w-]*\.1\.gz$",
          r"usr/share/(bash-completion/completions/oclite|zsh/vendor-completions/_oclite|fish/vendor_completions.d/oclite.fish)$",
          r"usr/lib/python3/dist-packages/oclite(-[\d.]+\.dist-info)?/"]
# What each needs beside the C library: neither more, so that a program on the CPU brings no OpenCL, nor less.
NEEDS = {"liboclite0": set(), "liboclite-opencl0": {"ocl-icd-libopencl1"}, "oclite-common": set(),
         "liboclite-dev": {"liboclite0", "liboclite-opencl0"}, "oclite-tools": {"liboclite0", "liboclite-opencl0", "libcjson1"},
         "python3-oclite": {"liboclite0", "python3", "python3-numpy"}}


def run(command, **options):
    result = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit status {result.returncode}\n{result.stdout[-5000:]}{result.stderr[-5000:]}")
    return result.stdout


def make(source, folder, version):
    # What ccache looks for has to be what it was asked for in dev: cmake/ccache.cmake, and no LC_ALL, which the package sets for Ninja.
    compiler = "'-DCMAKE_C_COMPILER_LAUNCHER=env;-u;LC_ALL;ccache'" if shutil.which("ccache") else ""
    variables = dict(os.environ, DEB_BUILD_OPTIONS="nocheck noautodbgsym parallel=2", DEB_CFLAGS_SET="", DEB_CXXFLAGS_SET="", DEB_CPPFLAGS_SET="",
                     OCLITE_CMAKE_ARGUMENTS=f"{compiler} -DCMAKE_BUILD_TYPE=RelWithDebInfo -DOCLITE_WERROR=ON", OCLITE_NO_INSTALL="1",
                     DPKG_DEB_COMPRESSOR_LEVEL="0",
                     CCACHE_BASEDIR=os.path.join(folder, f"oclite-{version}"), CCACHE_NOHASHDIR="1")
    said = run([os.path.join(source, "scripts/debian_packages.sh"), folder], env=variables)
    print("\n".join(line for line in said.split("\n") if re.match(r"[EWI]: |-rw", line)))


def check_contents(package, name, seen):
    for line in run(["dpkg-deb", "-c", package]).splitlines():
        mode, owner, path = line.split()[0], line.split()[1], line.split()[5].removeprefix("./")
        if owner != "root/root" or "w" in mode[4:] and mode[0] != "l":
            sys.exit(f"{name}: {line}")
        if mode[0] == "d":
            continue
        if not path.startswith(f"usr/share/doc/{name}/") and not any(re.match(place, path) for place in PLACES):
            sys.exit(f"{name}: {path} is in a folder that others use")
        if path in seen:
            sys.exit(f"{name}: {path} is also in {seen[path]}")
        seen[path] = name
    for file in ("copyright", "changelog.gz"):
        if f"usr/share/doc/{name}/{file}" not in seen:
            sys.exit(f"{name}: no {file}")


def check_package(package, version, seen):
    name, said = run(["dpkg-deb", "-f", package, "Package"]).strip(), run(["dpkg-deb", "-f", package, "Version"]).strip()
    if said != version:
        sys.exit(f"{name}: version {said} where CMakeLists.txt has {version}")
    depends = {re.match(r"[\w.+-]+", part)[0] for part in re.split(r",\s*", run(["dpkg-deb", "-f", package, "Depends"]).strip()) if part}
    if depends - {"libc6"} != NEEDS.get(name):
        sys.exit(f"{name}: needs {depends}, expected {NEEDS.get(name)} and perhaps libc6")
    if subprocess.run(["dpkg-deb", "-I", package, "conffiles"], capture_output=True, check=False).returncode == 0:
        sys.exit(f"{name}: has configuration files, which stay when it is removed")
    check_contents(package, name, seen)
    return name


def main():
    source, folder = (os.path.abspath(argument) for argument in sys.argv[1:3])
    missing = [tool for tool in TOOLS if not shutil.which(tool)]
    if importlib.util.find_spec("numpy") is None:
        missing.append("NumPy")
    if missing:
        print(f"skipped: there is no {', '.join(missing)} (scripts/packages.sh debian; NumPy for {sys.executable})")
        sys.exit(77)
    with open(os.path.join(source, "CMakeLists.txt"), encoding="utf-8") as file:
        version = re.search(r"project\(oclite VERSION ([0-9.]+)", file.read())[1]
    seen, root = {}, os.path.join(folder, "root")
    if "--made" not in sys.argv:
        make(source, folder, version)
    packages = sorted(package for package in glob.glob(os.path.join(folder, "*.deb")) if "-dbgsym_" not in package)
    if {check_package(package, version, seen) for package in packages} != set(NEEDS):
        sys.exit(f"packages are missing: {packages}")
    for package in packages:
        run(["dpkg-deb", "-x", package, root])
    print(run([sys.executable, os.path.join(source, "debian/tests/installed"), root]), end="")
    shutil.rmtree(root)


if __name__ == "__main__":
    main()
