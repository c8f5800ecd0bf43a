// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/device/shared.h"

#include "core/base/memory.h"
#include "core/base/parallel.h"
#include "core/base/system.h"

// Of OpenCL 2.0.
enum { kSvmCapabilities = 0x1053, kSvmFineGrainBuffer = 1 << 1, kMemSvmFineGrainBuffer = 1 << 10 };

bool lite_cl_device_offers_series(const LiteClDevice* device, cl_device_type type) {
    const LiteCl* cl = device->cl;
    if ((type & CL_DEVICE_TYPE_CPU) == 0 || device->class == kLiteClGpu || device->limits.version < 200 ||
        device->limits.address_bits != 64)
        return false;
    if (cl->clSVMAlloc == NULL || cl->clSVMFree == NULL || cl->clSetKernelArgSVMPointer == NULL ||
        cl->clCompileProgram == NULL || cl->clLinkProgram == NULL)
        return false;
    cl_bitfield offered = 0;
    return cl->clGetDeviceInfo(device->id, kSvmCapabilities, sizeof offered, &offered, NULL) == CL_SUCCESS &&
           (offered & kSvmFineGrainBuffer) != 0;
}

int lite_cl_device_workers(const LiteClDevice* device) {
    if (!LITE_CL_HAS_SERIES) return 1;
    const int limit = lite_read_processor_limit("/sys/fs/cgroup/cpu.max"), has = lite_processor_count();
    const int most = limit < has ? limit : has;
    return device->units < most ? device->units : most;
}

void* lite_cl_shared_alloc(const LiteClDevice* device, size_t bytes) {
    if (!lite_cl_device_has_series(device)) return NULL;
    void* address = device->cl->clSVMAlloc(device->context, CL_MEM_READ_WRITE | kMemSvmFineGrainBuffer, bytes,
                                           (cl_uint)device->alignment);
    lite_prefer_large_pages(address, bytes);
    return address;
}

void lite_cl_shared_free(const LiteClDevice* device, void* address) {
    if (LITE_CL_HAS_SERIES && address != NULL) device->cl->clSVMFree(device->context, address);
}

cl_mem lite_cl_shared_buffer(const LiteClDevice* device, cl_mem_flags flags, size_t bytes, void* address,
                             cl_int* error) {
    return device->cl->clCreateBuffer(device->context, flags | CL_MEM_USE_HOST_PTR, bytes, address, error);
}

cl_mem lite_cl_shared_create(const LiteClDevice* device, cl_mem_flags flags, size_t bytes, void** address,
                             cl_int* error) {
    *address = lite_cl_shared_alloc(device, bytes);
    if (!LITE_CL_HAS_SERIES || *address == NULL)
        return device->cl->clCreateBuffer(device->context, flags, bytes, NULL, error);
    cl_mem buffer = lite_cl_shared_buffer(device, flags, bytes, *address, error);
    if (*error == CL_SUCCESS) return buffer;
    lite_cl_shared_free(device, *address);
    *address = NULL;
    return NULL;
}

void lite_cl_shared_release(const LiteClDevice* device, cl_mem buffer, void* address) {
    if (buffer != NULL) device->cl->clReleaseMemObject(buffer);
    lite_cl_shared_free(device, address);
}
