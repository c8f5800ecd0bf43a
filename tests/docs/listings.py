#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles and runs the listings of the documents: listings.py SOURCE BUILD --cc COMMAND --cxx COMMAND

Parts of C, C++ and Java are compiled, whole programs compiled and run, Python and commands run (in a console: what they print is compared with what is
shown, but for numbers and names of devices), each document in a copy of the tree, with the build installed. What cannot be run says why by a
mark (listing.py); how many these are is printed. `--list` shows them.
"""
import argparse
import concurrent.futures
import glob
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(os.path.dirname(HERE), "api"), os.path.join(os.path.dirname(os.path.dirname(HERE)), "scripts")]
try:
    from listing import listings
except ImportError as error:
    print(f"skipped: {error}; scripts/site/requirements.txt")
    sys.exit(77)

import documents  # noqa: E402
import runners  # noqa: E402

NO_CODE = {"CHANGELOG.md"}


def copy_tree(source, folder):
    """The files of the tree, but for tests and what was built."""
    names = subprocess.run(["git", "-C", source, "ls-files", "-z", "-co", "--exclude-standard", "--", ".", ":!tests", ":!benchmarks"],
                           capture_output=True, text=True, check=True).stdout
    kept = "\0".join(name for name in names.split("\0") if name and os.path.exists(os.path.join(source, name)))
    subprocess.run(["cp", "-r", "--parents", "--target-directory", folder, *kept.split("\0")], cwd=source, check=True)


def environment(root, build, source):
    prefix = os.path.join(root, "home/oclite")
    subprocess.run(["cmake", "--install", build, "--prefix", prefix], check=True, stdout=subprocess.DEVNULL)
    lib = os.path.dirname(glob.glob(os.path.join(prefix, "**/liboclite.so"), recursive=True)[0])
    path = [os.path.join(prefix, "bin"), os.path.dirname(sys.executable), os.environ["PATH"]]
    # As readers have it, and not as other tests want it.
    variables = {key: value for key, value in os.environ.items() if key != "OCLITE_OPENCL_PARTITION"}
    return {**variables, "HOME": os.path.join(root, "home"), "PATH": ":".join(path), "LD_LIBRARY_PATH": lib,
            "PKG_CONFIG_PATH": os.path.join(lib, "pkgconfig"), "OCLITE_LIBRARY_DIR": lib,
            "PYTHONPATH": os.path.join(source, "bindings/python"), "PYTHONDONTWRITEBYTECODE": "1"}


def link_models(source, folder):
    """The project's own models by their bare names, and no others: readers and every machine have these."""
    for path in glob.glob(os.path.join(source, "examples/models/*.tflite")):
        os.symlink(path, os.path.join(folder, os.path.basename(path)))


def run_document(path, found, folder, env, commands):
    """(listing, fault) of each that is run."""
    compilers, python, shell = runners.Compilers(folder, env, commands), runners.Python(folder, env), runners.Shell(folder, env)
    by_language = {"c": compilers, "cpp": compilers, "opencl": python, "python": python, "sh": shell, "console": shell,
                   "java": runners.Java(folder, env, os.path.join(folder, "build/dev/oclite.jar"))}
    result = []
    for listing in found:
        try:
            fault = runners.syntax(listing) if listing.reason else by_language[listing.language].run(listing)
        except subprocess.TimeoutExpired:
            fault = f"it has not ended within {runners.LIMIT_S} s"
        result.append((listing, fault))
    python.close()
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source")
    parser.add_argument("build")
    parser.add_argument("--cc", required=True)
    parser.add_argument("--cxx", required=True)
    parser.add_argument("--list", action="store_true", help="show the listings that are not run")
    parser.add_argument("--documents", nargs="*", help="only these")
    args = parser.parse_args()
    args.source, args.build = os.path.abspath(args.source), os.path.abspath(args.build)
    paths = args.documents or [path for path in documents.pages() if path not in NO_CODE]
    found = {path: listings(path, documents.read(path)) for path in paths}
    faults = [fault for _, wrong in found.values() for fault in wrong]
    if not os.path.exists(os.path.join(args.build, "oclite.jar")):
        for listing in [one for those, _ in found.values() for one in those if one.language == "java"]:
            listing.reason = listing.reason or "the build has no Java binding"
    with tempfile.TemporaryDirectory() as root:
        os.makedirs(os.path.join(root, "home"))
        env = environment(root, args.build, args.source)
        first = os.path.join(root, "tree")
        os.makedirs(first)
        copy_tree(args.source, first)
        link_models(args.source, first)

        def run(path):
            folder = os.path.join(root, path.replace("/", "_"))
            subprocess.run(["cp", "-r", first, folder], check=True)
            os.makedirs(os.path.join(folder, "build"))
            os.symlink(args.build, os.path.join(folder, "build/dev"))
            return run_document(path, [one for one in found[path][0] if one.language], folder, env, {"c": args.cc, "cpp": args.cxx})

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            results = [result for done in pool.map(run, paths) for result in done]
    faults += [f"{listing.place}: {fault.rstrip()}" for listing, fault in results if fault]
    left = [listing for listing, _ in results if listing.reason]
    print("\n".join(faults + ([f"{one.place}: not run: {one.reason}" for one in left] if args.list else [])))
    print(f"{len(results) - len(left)} listings run or compiled, {len(left)} not run ({len({one.reason for one in left})} reasons), {len(faults)} faults")
    return 1 if faults or len(results) == len(left) else 0


if __name__ == "__main__":
    sys.exit(main())
