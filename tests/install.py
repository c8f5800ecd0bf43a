#!/usr/bin/env python3
"""Installs a build into an empty folder and uses it as a program would: install.py SOURCE BUILD

The README's examples, in C and C++, are compiled through pkg-config and through the CMake package, and run against the
installed libraries; so is an example that is installed. What headers tell to read is there.
"""
import os
import re
import subprocess
import sys
import tempfile

PROJECT = """cmake_minimum_required(VERSION 3.21)
project(app C CXX)
set(CMAKE_CXX_STANDARD 17)
find_package(oclite REQUIRED)
add_executable(app app.c)
target_link_libraries(app oclite::oclite oclite::oclite_opencl oclite::oclite_edit oclite::oclite_tftext oclite::oclite_custom_ops)
add_executable(app_cxx app_cxx.cc)
target_link_libraries(app_cxx oclite::oclite oclite::oclite_opencl)
"""


def run(command, **options):
    result = subprocess.run(command, capture_output=True, text=True, **options)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit status {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


# What is needed to build is in the README: these are its own lines.
SAID = ['export PKG_CONFIG_PATH="$HOME/oclite/lib/pkgconfig"', "cc app.c -o app $(pkg-config --cflags --libs oclite oclite_opencl)",
        'LD_LIBRARY_PATH="$HOME/oclite/lib" ./app']


def check_documents(prefix):
    """Paths of documents and examples in the installed headers, and links in the documents, are those of files that are installed."""
    doc = os.path.join(prefix, "share/doc/oclite")
    for top, _, names in os.walk(os.path.join(prefix, "include")):
        for name in names:
            with open(os.path.join(top, name), encoding="utf-8") as file:
                for path in re.findall(r"\b((?:docs|examples)/[\w/.]*\w)", file.read()):
                    if not os.path.exists(os.path.join(doc, path)):
                        sys.exit(f"{name} tells of {path}, which is not installed")


def check_selftest(files):
    """The program that tries drivers is where the installed delegate starts it from."""
    program = next((f for f in files if f.endswith("libexec/oclite/oclite_opencl_selftest")), None)
    tool = next((f for f in files if f.endswith("bin/oclite")), None)
    if program is None:
        sys.exit("oclite_opencl_selftest is not installed")
    if "CONV_2D" not in run([program, "--list"]).split():
        sys.exit("the self-test has no case of CONV_2D")
    if tool:
        variables = dict(os.environ, LD_LIBRARY_PATH="", OCLITE_OPENCL_SELFTEST="force", XDG_CACHE_HOME=os.path.dirname(program))
        devices = run([tool, "devices", "--no-measure"], env=variables)
        if "oclite_opencl_selftest is not there" in devices:
            sys.exit(f"the delegate does not find {program}:\n{devices}")


def check_accelerator(files):
    """What LiteRT opens finds the delegate's library where both are installed."""
    accelerator = next((f for f in files if f.endswith("/oclite/litert/libLiteRtGpuAccelerator.so")), None)
    if accelerator is None:
        sys.exit("libLiteRtGpuAccelerator.so is not installed in oclite/litert")
    run([sys.executable, "-c", f"import ctypes; ctypes.CDLL({accelerator!r}).LiteRtAcceleratorImpl"], env=dict(os.environ, LD_LIBRARY_PATH=""))


def follow_readme(text, folder, prefix, source):
    """Builds and runs the first example as the README says, where HOME/oclite is the installation."""
    for line in SAID:
        if f"    {line}\n" not in text:
            sys.exit(f"the README does not say {line!r}")
    if not os.path.exists(os.path.join(prefix, "lib/pkgconfig")):
        return  # another folder of libraries was chosen
    os.symlink(prefix, os.path.join(folder, "oclite"))
    environment = {key: value for key, value in os.environ.items() if key not in ("LD_LIBRARY_PATH", "PKG_CONFIG_PATH")}
    script = "set -e\ncd " + folder + "\n" + "\n".join(SAID).replace("./app", f"sh -c 'cd {source} && {folder}/app'")
    if "it is a zero" not in run(["sh", "-c", script], env=dict(environment, HOME=folder)):
        sys.exit("the README's commands give something else")
    example = os.path.join(prefix, "share/doc/oclite/examples")
    script = f"set -e\ncd {folder}\n{SAID[0]}\n" + SAID[1].replace("app.c -o app", f"{example}/minimal.c -o minimal")
    run(["sh", "-c", script], env=dict(environment, HOME=folder))


def main():
    source, build = sys.argv[1:]
    with open(os.path.join(source, "README.md"), encoding="utf-8") as readme:
        text = readme.read()
    with tempfile.TemporaryDirectory() as folder:
        prefix = os.path.join(folder, "prefix")
        run(["cmake", "--install", build, "--prefix", prefix])
        files = [os.path.join(top, name) for top, _, names in os.walk(prefix) for name in names]
        libraries = os.path.dirname(next(f for f in files if f.endswith("liboclite.so")))
        if not os.path.exists(os.path.join(libraries, "libtensorflowlite_c.so")):
            sys.exit("libtensorflowlite_c.so is not installed")
        for kernel in ("Roll", "MaxPool3D", "DenseImageWarp"):
            if not any(f.endswith(f"share/oclite/custom_ops/{kernel}.cl") for f in files):
                sys.exit(f"{kernel}.cl is not installed")
        check_selftest(files)
        check_accelerator(files)
        check_documents(prefix)
        benchmark = next((f for f in files if f.endswith("bin/benchmark_model")), None)
        if benchmark:  # where the tool is built
            run([benchmark, f"--graph={os.path.join(source, 'examples/models/digits.tflite')}", "--dry_run=true"],
                env=dict(os.environ, LD_LIBRARY_PATH=""))
        for language, name in (("c", "app.c"), ("cpp", "app_cxx.cc")):
            write(os.path.join(folder, name), re.search(rf"```{language}\n(.*?)```", text, re.S).group(1))
        write(os.path.join(folder, "CMakeLists.txt"), PROJECT)
        environment = dict(os.environ, PKG_CONFIG_PATH=os.path.join(libraries, "pkgconfig"), LD_LIBRARY_PATH=libraries)
        follow_readme(text, folder, prefix, source)
        flags = run(["pkg-config", "--cflags", "--libs", "oclite", "oclite_opencl", "oclite_edit", "oclite_tftext", "oclite_custom_ops"], env=environment).split()
        run(["cc", "-std=c11", "app.c", "-o", "app", *flags], cwd=folder, env=environment)
        run(["c++", "-std=c++17", "app_cxx.cc", "-o", "app_cxx", *flags], cwd=folder, env=environment)
        run(["cmake", "-G", "Ninja", "-S", folder, "-B", os.path.join(folder, "b"), f"-DCMAKE_PREFIX_PATH={prefix}"])
        run(["cmake", "--build", os.path.join(folder, "b")])
        for program in ("app", "app_cxx", "b/app", "b/app_cxx"):
            output = run([os.path.join(folder, program)], cwd=source, env=environment)
            print(output.strip().split("\n")[-1])
            if "it is a zero with probability" not in output:
                sys.exit(f"unexpected output: {output}")
            lost = subprocess.run([os.path.join(folder, program)], cwd=folder, env=environment, capture_output=True, text=True, check=False)
            if lost.returncode == 0 or "digits.tflite" not in lost.stderr:
                sys.exit(f"{program} in a wrong folder: exit status {lost.returncode}, {lost.stderr!r}")


if __name__ == "__main__":
    main()
