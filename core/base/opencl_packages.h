// SPDX-License-Identifier: Apache-2.0
// Where users get OpenCL from, for messages on machines that have none.
#ifndef CORE_BASE_OPENCL_PACKAGES_H_
#define CORE_BASE_OPENCL_PACKAGES_H_

#define LITE_OPENCL_LOADER                                                                                   \
    "the package ocl-icd-libopencl1 (Debian, Ubuntu) or ocl-icd (Fedora) has it, and a driver's package "    \
    "brings it along"
#define LITE_OPENCL_DRIVERS                                                                                  \
    "packages with drivers are pocl-opencl-icd (any CPU), intel-opencl-icd and mesa-opencl-icd (GPUs) on "   \
    "Debian and Ubuntu, pocl and mesa-libOpenCL on Fedora; NVIDIA's driver has its own"

#endif
