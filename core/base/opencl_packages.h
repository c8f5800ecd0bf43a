// SPDX-License-Identifier: Apache-2.0
// Where users get OpenCL from, for messages on machines that have none.
#ifndef CORE_BASE_OPENCL_PACKAGES_H_
#define CORE_BASE_OPENCL_PACKAGES_H_

#include <stddef.h>

#define LITE_OPENCL_LOADER                                                                                   \
    "the package ocl-icd-libopencl1 (Debian, Ubuntu) or ocl-icd (Fedora) has it, and a driver's package "    \
    "brings it along"
#define LITE_OPENCL_DRIVERS                                                                                  \
    "packages with drivers are pocl-opencl-icd (any CPU), intel-opencl-icd and mesa-opencl-icd (GPUs; "      \
    "Mesa's shows them with RUSTICL_ENABLE in the environment) on Debian and Ubuntu, pocl and "              \
    "mesa-libOpenCL on Fedora; NVIDIA's driver has its own; clinfo -l lists the platforms and devices that " \
    "OpenCL finds"

#define LITE_DRM_FOLDER "/sys/class/drm"
enum { LITE_OPENCL_HARDWARE = 256 };

// Writes which package is for the graphics hardware that a folder like LITE_DRM_FOLDER lists, behind "; "; ""
// where there is none, or none that is known. Returns `text`.
const char* lite_opencl_hardware(const char* folder, char text[LITE_OPENCL_HARDWARE]);

// Writes what a platform of that name, which shows no device, needs to show some, behind "; "; "" where that
// is not known. Returns `text`.
const char* lite_opencl_enabling(const char* platform, char text[LITE_OPENCL_HARDWARE]);

#endif
