# SPDX-License-Identifier: Apache-2.0
"""Where the package keeps what programs in C need."""
from __future__ import annotations

import os

from oclite import _library


def get_library_dir() -> str:
    """The folder with liboclite.so and liboclite_opencl.so, which other hosts load by their paths."""
    return _library.library_dir()


def accelerator_path() -> str:
    """The folder with libLiteRtGpuAccelerator.so, by which LiteRT's CompiledModel finds the OpenCL device:

        environment = Environment.create(runtime_path=oclite.accelerator_path())
        model = CompiledModel.from_file("model.tflite", environment=environment,
                                        hardware_accel=HardwareAccelerator.GPU | HardwareAccelerator.CPU)

    for ai-edge-litert 2.2 and 2.3. OSError: the library is not there.
    """
    folder = os.path.join(_library.library_dir(), "oclite", "litert")
    path = os.path.join(folder, "libLiteRtGpuAccelerator.so")
    if not os.path.exists(path):
        raise OSError(f"oclite: there is no {path}; the variable {_library.VARIABLE} names the folder of the libraries")
    return folder


def get_include() -> str:
    """The folder of the C headers, for a compiler's -I."""
    return os.path.join(_library.PACKAGE, "include")


def get_prefix() -> str:
    """The folder that an installation by CMake has, for CMAKE_PREFIX_PATH: bin, include, lib, share."""
    return _library.PACKAGE


def version() -> str:
    """The library's version."""
    return _library.text(_library.runtime().oclite_version())


def tool() -> str:
    """The program `oclite`: in the package, or beside the libraries of a build tree."""
    places = [os.path.join(_library.PACKAGE, "bin", "oclite"), os.path.join(_library.library_dir(), "tools", "oclite"),
              os.path.join(os.path.dirname(_library.library_dir()), "bin", "oclite")]
    if os.environ.get(_library.VARIABLE):
        places = places[1:]
    for place in places:
        if os.access(place, os.X_OK):
            return place
    raise OSError(f"oclite: the program is not at {' nor at '.join(places)}")
