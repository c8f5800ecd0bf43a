// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/device/memory.h"

#include <string.h>

#include "core/base/memory.h"
#include "core/base/system.h"

// What is measured: a copy of so many bytes takes some hundred microseconds, far more than three commands.
enum { kBytes = 4 << 20, kPage = 4096, kCacheLine = 64, kRounds = 6 };

typedef struct Measurement {
    const LiteCl* cl;
    cl_context context;
    cl_command_queue queue;
    char* host; // kBytes and a page, on a page
} Measurement;

static bool write_buffer(const Measurement* m, cl_mem memory, uint64_t* ns) {
    const uint64_t begin = lite_clock_ns();
    const cl_int error =
        m->cl->clEnqueueWriteBuffer(m->queue, memory, CL_TRUE, 0, kBytes, m->host, 0, NULL, NULL);
    *ns = lite_clock_ns() - begin;
    return error == CL_SUCCESS;
}

// Gives the memory to the host and back to the device, which reads a little of it.
static bool pass_on(const Measurement* m, cl_mem memory, const char* host, size_t bytes, uint64_t* ns) {
    cl_int error, first;
    const uint64_t begin = lite_clock_ns();
    void* mapped = m->cl->clEnqueueMapBuffer(m->queue, memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes,
                                             0, NULL, NULL, &error);
    if (error != CL_SUCCESS) return false;
    const bool is_direct = mapped == host;
    error = m->cl->clEnqueueUnmapMemObject(m->queue, memory, mapped, 0, NULL, NULL);
    if (error != CL_SUCCESS) return false;
    error = m->cl->clEnqueueReadBuffer(m->queue, memory, CL_TRUE, 0, sizeof first, &first, 0, NULL, NULL);
    *ns = lite_clock_ns() - begin;
    return error == CL_SUCCESS && is_direct;
}

// Is memory that begins `offset` bytes behind a page passed on in less than half of the time of a copy? A
// driver that copies needs at least one each time, however busy the machine is.
static bool is_passed_on(const Measurement* m, cl_mem own, size_t offset, size_t bytes) {
    cl_int error;
    char* host = m->host + offset;
    cl_mem memory =
        m->cl->clCreateBuffer(m->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, host, &error);
    if (error != CL_SUCCESS) return false;
    uint64_t copied_ns = UINT64_MAX, passed_ns = UINT64_MAX, ns;
    bool is_direct = false;
    for (int round = 0; round < kRounds && !is_direct; round++) {
        if (!write_buffer(m, own, &ns)) break;
        if (ns < copied_ns) copied_ns = ns;
        if (!pass_on(m, memory, host, bytes, &ns)) break;
        if (ns < passed_ns) passed_ns = ns;
        is_direct = round > 0 && passed_ns < copied_ns / 2; // the first time pages are not there yet
    }
    (void)m->cl->clFinish(m->queue);
    m->cl->clReleaseMemObject(memory);
    return is_direct;
}

// The least alignment with which memory is passed on: any, that of cache lines, or that of pages.
static size_t measure(const Measurement* m) {
    cl_int error;
    cl_mem own = m->cl->clCreateBuffer(m->context, CL_MEM_READ_WRITE, kBytes, NULL, &error);
    if (error != CL_SUCCESS) return 0;
    size_t alignment = 0;
    if (is_passed_on(m, own, sizeof(float), kBytes - sizeof(float))) {
        alignment = sizeof(float);
    } else if (is_passed_on(m, own, kCacheLine, kBytes - kCacheLine)) {
        alignment = kCacheLine;
    } else if (is_passed_on(m, own, 0, kBytes)) {
        alignment = kPage;
    }
    m->cl->clReleaseMemObject(own);
    return alignment;
}

static size_t measure_device(const LiteClDevice* device) {
    Measurement m = {.cl = device->cl, .context = device->context};
    if (device->max_allocation < kBytes) return 0;
    m.host = lite_aligned_alloc(kPage, kBytes + kPage);
    if (m.host == NULL) return 0;
    memset(m.host, 0, kBytes + kPage);
    cl_int error;
    size_t alignment = 0;
    m.queue = m.cl->clCreateCommandQueue(m.context, device->id, 0, &error);
    if (error == CL_SUCCESS) {
        alignment = measure(&m);
        (void)m.cl->clFinish(m.queue);
        m.cl->clReleaseCommandQueue(m.queue);
    }
    lite_free(m.host);
    return alignment;
}

void lite_cl_device_measure_memory(LiteClDevice* device, cl_device_type type) {
    cl_bool unified = CL_FALSE;
    if (device->cl->clGetDeviceInfo(device->id, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof unified, &unified,
                                    NULL) != CL_SUCCESS) {
        unified = CL_FALSE;
    }
    device->unified_memory = unified != CL_FALSE;
    device->import_alignment = 0;
    if (!device->unified_memory) return;
    // The host's CPU has no other memory.
    device->import_alignment = (type & CL_DEVICE_TYPE_CPU) != 0 ? 1 : measure_device(device);
}

bool lite_cl_device_imports(const LiteClDevice* device, const void* host, size_t bytes) {
    const size_t alignment = device->import_alignment;
    if (alignment == 0 || (uintptr_t)host % alignment != 0) return false;
    return alignment < kCacheLine || bytes % kCacheLine == 0; // no part of a line that the host writes, too
}

cl_mem_flags lite_cl_device_exchange_flags(const LiteClDevice* device) {
    return CL_MEM_READ_WRITE | (device->unified_memory ? CL_MEM_ALLOC_HOST_PTR : 0);
}
