// SPDX-License-Identifier: Apache-2.0
// Whether kernels can work on the host's own memory, without copies.
#ifndef DELEGATE_OPENCL_DEVICE_MEMORY_H_
#define DELEGATE_OPENCL_DEVICE_MEMORY_H_

#include "delegate-opencl/device/device.h"

// Sets `unified_memory` and `import_alignment` of a device with a context. A driver may say that memory is
// unified and copy what is made on the host's memory all the same: a GPU is measured, for some milliseconds.
// What fails counts as copied.
void lite_cl_device_measure_memory(LiteClDevice* device, cl_device_type type);

// Kernels can work on these bytes of the host where they are.
bool lite_cl_device_imports(const LiteClDevice* device, const void* host, size_t bytes);

// Flags of a buffer that is filled from the host's memory, or read into it.
cl_mem_flags lite_cl_device_exchange_flags(const LiteClDevice* device);

#endif
