// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/cost/transfer.h"

#include <string.h>

#include "core/base/memory.h"
#include "core/base/system.h"
#include "delegate-opencl/device/memory.h"
#include "delegate-opencl/device/notes.h"
#include "delegate-opencl/device/queue.h"

// A small transfer is nearly all latency, and partitions enqueue several before they wait; a large one takes
// some hundred microseconds. The least of some rounds counts.
enum { SMALL = 4096, LARGE = 4 << 20, SMALL_COUNT = 8, ROUNDS = 5 };
static const double least_rate = 0.01, most_rate = 10000, most_latency = 1e8; // others are no measurements

typedef struct Way {
    const LiteClDevice* device;
    cl_command_queue queue;
    cl_mem memory;
    char* host; // LARGE
} Way;

static const char note[] = "transfers";

// Through a mapping, as plan/transfer.c does it where the device has the host's memory.
static cl_int copy_mapped(const Way* way, size_t bytes, bool to_host) {
    const LiteCl* cl = way->device->cl;
    cl_int error;
    void* mapped =
        cl->clEnqueueMapBuffer(way->queue, way->memory, CL_TRUE, to_host ? CL_MAP_READ : CL_MAP_WRITE, 0,
                               bytes, 0, NULL, NULL, &error);
    if (error != CL_SUCCESS || mapped == NULL) return error != CL_SUCCESS ? error : CL_OUT_OF_RESOURCES;
    memcpy(to_host ? way->host : mapped, to_host ? mapped : way->host, bytes);
    return cl->clEnqueueUnmapMemObject(way->queue, way->memory, mapped, 0, NULL, NULL);
}

static cl_int copy(const Way* way, size_t bytes, bool to_host) {
    const LiteCl* cl = way->device->cl;
    if (way->device->unified_memory) return copy_mapped(way, bytes, to_host);
    return to_host ? cl->clEnqueueReadBuffer(way->queue, way->memory, CL_FALSE, 0, bytes, way->host, 0, NULL,
                                             NULL)
                   : cl->clEnqueueWriteBuffer(way->queue, way->memory, CL_FALSE, 0, bytes, way->host, 0, NULL,
                                              NULL);
}

// Nanoseconds for each of `count`; -1 after a failure.
static double time_copies(const Way* way, size_t bytes, int count, bool to_host) {
    double least = -1;
    for (int round = 0; round < ROUNDS; round++) {
        const uint64_t begin = lite_clock_ns();
        cl_int error = CL_SUCCESS;
        for (int i = 0; i < count && error == CL_SUCCESS; i++) error = copy(way, bytes, to_host);
        // Also after a failure: no command may be left that touches the memory.
        const cl_int end = way->device->cl->clFinish(way->queue);
        if (error != CL_SUCCESS || end != CL_SUCCESS) return -1;
        const double ns = (double)(lite_clock_ns() - begin) / count;
        if (least < 0 || ns < least) least = ns;
    }
    return least;
}

static bool is_sound(const LiteClTransfer* transfer) {
    return transfer->rate >= least_rate && transfer->rate <= most_rate && transfer->latency >= 0 &&
           transfer->latency <= most_latency;
}

static bool measure_way(const Way* way, bool to_host, LiteClTransfer* transfer) {
    const double small = time_copies(way, SMALL, SMALL_COUNT, to_host);
    const double large = small < 0 ? -1 : time_copies(way, LARGE, 1, to_host);
    if (large <= 0) return false;
    // A clock that has jumped leaves the whole to the bytes.
    const double moving = large > small ? large - small : large;
    *transfer = (LiteClTransfer){.rate = (LARGE - SMALL) / moving, .latency = small};
    return is_sound(transfer);
}

static bool measure(const LiteClDevice* device, LiteClTransfer both[2]) {
    static const LiteClQueueHints none;
    const LiteReporter quiet = {0};
    cl_int error;
    Way way = {.device = device, .host = lite_aligned_alloc(64, LARGE)};
    if (way.host == NULL) return false;
    memset(way.host, 0, LARGE);
    if (lite_cl_queue_create(device, 0, &none, &way.queue, &quiet) != kTfLiteOk) {
        lite_free(way.host);
        return false;
    }
    way.memory = device->cl->clCreateBuffer(device->context, lite_cl_device_exchange_flags(device), LARGE,
                                            NULL, &error);
    const bool ok =
        error == CL_SUCCESS && measure_way(&way, false, &both[0]) && measure_way(&way, true, &both[1]);
    if (error == CL_SUCCESS) device->cl->clReleaseMemObject(way.memory);
    device->cl->clReleaseCommandQueue(way.queue);
    lite_free(way.host);
    return ok;
}

void lite_cl_transfer_measure(LiteClDevice* device, LiteClRates* rates) {
    LiteClTransfer both[2];
    if (rates->to_device.rate == 0 || device->max_allocation < LARGE) return;
    if (!lite_cl_note_find(device, note, both, sizeof both) || !is_sound(&both[0]) || !is_sound(&both[1])) {
        if (!measure(device, both)) return;
        lite_cl_note_keep(device, note, both, sizeof both, true);
    }
    rates->to_device = both[0];
    rates->to_host = both[1];
}
