// SPDX-License-Identifier: Apache-2.0
// Memory at addresses that kernels may find in a buffer (shared virtual memory, of OpenCL 2.0), where the
// device offers it. Series (plan/series.h) work on it.
#ifndef DELEGATE_OPENCL_DEVICE_SHARED_H_
#define DELEGATE_OPENCL_DEVICE_SHARED_H_

#include "delegate-opencl/device/device.h"

// Does the device, whose `cl` and limits are set, offer it, and link programs?
bool lite_cl_device_offers_series(const LiteClDevice* device, cl_device_type type);

// How many work-groups of a series can run at once: one for each unit of the device and each processor that
// the process has.
int lite_cl_device_workers(const LiteClDevice* device);

// A buffer of so many undefined bytes, at least 1. *address: where it is, NULL when that is not known; the
// memory there is released by lite_cl_shared_release, not with the buffer.
cl_mem lite_cl_shared_create(const LiteClDevice* device, cl_mem_flags flags, size_t bytes, void** address,
                             cl_int* error);

// The buffer of memory from lite_cl_shared_alloc.
cl_mem lite_cl_shared_buffer(const LiteClDevice* device, cl_mem_flags flags, size_t bytes, void* address,
                             cl_int* error);

// Releases a buffer that nothing uses any more, and its memory.
void lite_cl_shared_release(const LiteClDevice* device, cl_mem buffer, void* address);

// Memory without a buffer, which kernels and the host use in turns; NULL: there is none.
void* lite_cl_shared_alloc(const LiteClDevice* device, size_t bytes);
void lite_cl_shared_free(const LiteClDevice* device, void* address);

#endif
