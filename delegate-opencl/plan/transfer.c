// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/plan/transfer.h"

#include <string.h>

#include "core/base/memory.h"
#include "delegate-opencl/device/memory.h"
#include "delegate-opencl/plan/binding.h"
#include "delegate-opencl/plan/finish.h"

static bool is_boundary(const LiteClStorage* storage) {
    return storage->kind == kLiteClInput || storage->kind == kLiteClOutput;
}

// The host's memory of an input or output. The host may have moved it, but must not have resized it.
static TfLiteStatus find_tensor(const LiteClRun* run, const LiteClStorage* storage, void** host) {
    const TfLiteOpaqueTensor* tensor = TfLiteOpaqueContextGetOpaqueTensor(run->context, storage->tensor);
    *host = tensor != NULL ? TfLiteOpaqueTensorData(tensor) : NULL;
    if (*host == NULL) return lite_report(run->reporter, "OpenCL: tensor %d has no data", storage->tensor);
    const size_t bytes = TfLiteOpaqueTensorByteSize(tensor);
    if (bytes == storage->bytes) return kTfLiteOk;
    return lite_report(run->reporter, "OpenCL: tensor %d has %zu bytes, %zu when it was prepared",
                       storage->tensor, bytes, storage->bytes);
}

TfLiteStatus lite_cl_transfer_stage(const LiteClRun* run, LiteClStorage* storage, size_t bytes) {
    enum { ALIGNMENT = 64 };
    const size_t imports = run->plan->device->import_alignment;
    const size_t alignment = imports > ALIGNMENT ? imports : ALIGNMENT;
    if (storage->staging == NULL) storage->staging = lite_aligned_alloc(alignment, bytes);
    return storage->staging != NULL ? kTfLiteOk : lite_report(run->reporter, "OpenCL: out of memory");
}

// Where the queue reads or writes an input or output: the host's memory, or the plan's in its place, which
// gets the input's contents.
static TfLiteStatus find_host(const LiteClRun* run, LiteClStorage* storage, void** host) {
    LITE_TRY(find_tensor(run, storage, host));
    if (run->plan->watchdog_ms == 0) return kTfLiteOk;
    LITE_TRY(lite_cl_transfer_stage(run, storage, storage->bytes));
    if (storage->kind != kLiteClOutput) memcpy(storage->staging, *host, storage->bytes);
    *host = storage->staging;
    return kTfLiteOk;
}

// Lets kernels work on the program's memory where the tensor is bound.
static TfLiteStatus use_bound(const LiteClRun* run, int index) {
    LiteClStorage* storage = &run->plan->storages[index];
    cl_mem memory = NULL;
    if (run->plan->bindings != NULL && is_boundary(storage)) {
        LITE_TRY(lite_cl_bindings_find(run->plan->bindings, run->context, storage->tensor, storage->bytes,
                                       &memory, run->reporter));
    }
    storage->bound = memory != NULL;
    return storage->bound ? lite_cl_plan_bind(run->plan, index, memory, run->reporter) : kTfLiteOk;
}

// Gives the memory to the device.
static TfLiteStatus unmap(const LiteClRun* run, LiteClStorage* storage) {
    void* mapped = storage->mapped;
    if (mapped == NULL) return kTfLiteOk;
    storage->mapped = NULL;
    return lite_cl_check(
        run->reporter, "clEnqueueUnmapMemObject",
        run->cl->clEnqueueUnmapMemObject(run->queue, storage->memory, mapped, 0, NULL, NULL));
}

// Lets the host touch it, at once or when the queue has come so far.
static TfLiteStatus map(const LiteClRun* run, LiteClStorage* storage, cl_bool blocks, cl_map_flags flags) {
    cl_int error;
    void* mapped = run->cl->clEnqueueMapBuffer(run->queue, storage->memory, blocks, flags, 0, storage->bytes,
                                               0, NULL, NULL, &error);
    LITE_TRY(lite_cl_check(run->reporter, "clEnqueueMapBuffer", error));
    if (mapped == NULL)
        return lite_report(run->reporter, "OpenCL: clEnqueueMapBuffer: it returned no memory");
    storage->mapped = mapped;
    return kTfLiteOk;
}

// In place of what the storage had.
static TfLiteStatus make_buffer(const LiteClRun* run, int index, cl_mem_flags flags, void* host) {
    LiteClStorage* storage = &run->plan->storages[index];
    if (storage->memory != NULL) run->cl->clReleaseMemObject(storage->memory);
    storage->host = NULL;
    cl_int error;
    storage->memory =
        run->cl->clCreateBuffer(run->plan->device->context, flags, storage->bytes, host, &error);
    LITE_TRY(lite_cl_check(
        run->reporter,
        host != NULL ? "clCreateBuffer on host memory" : "clCreateBuffer of an input or output", error));
    storage->host = host;
    lite_cl_plan_count(run->plan);
    return lite_cl_plan_bind(run->plan, index, storage->memory, run->reporter);
}

// Gives the region to the device; makes a new buffer when the host's memory has moved.
static TfLiteStatus share(const LiteClRun* run, int index, void* host) {
    LiteClStorage* storage = &run->plan->storages[index];
    LITE_TRY(unmap(run, storage));
    if (storage->host == host) return kTfLiteOk;
    return make_buffer(run, index, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, host);
}

// The storage has device memory, also when it stood for the host's memory in the last run.
static TfLiteStatus own(const LiteClRun* run, int index) {
    LiteClStorage* storage = &run->plan->storages[index];
    LITE_TRY(unmap(run, storage));
    if (storage->memory != NULL && storage->host == NULL) return kTfLiteOk;
    return make_buffer(run, index, lite_cl_device_exchange_flags(run->plan->device), NULL);
}

// Mapping may wait for the device, which a time limit forbids.
static bool is_copied_mapped(const LiteClRun* run, const LiteClStorage* storage) {
    return run->plan->device->unified_memory && run->plan->watchdog_ms == 0 && is_boundary(storage);
}

static TfLiteStatus write_mapped(const LiteClRun* run, LiteClStorage* storage, const void* host) {
    LITE_TRY(map(run, storage, CL_TRUE, CL_MAP_WRITE));
    memcpy(storage->mapped, host, storage->bytes);
    return unmap(run, storage);
}

TfLiteStatus lite_cl_transfer_in(const LiteClRun* run, int index) {
    LiteClStorage* storage = &run->plan->storages[index];
    if ((!is_boundary(storage) && storage->kind != kLiteClVariable) || storage->bytes == 0) return kTfLiteOk;
    LITE_TRY(use_bound(run, index));
    if (storage->bound) return kTfLiteOk;
    void* host;
    LITE_TRY(find_host(run, storage, &host));
    if (storage->lent && storage->memory != NULL) {
        LITE_TRY(lite_cl_plan_bind(run->plan, index, storage->memory, run->reporter));
    }
    if (is_boundary(storage) && lite_cl_device_imports(run->plan->device, host, storage->bytes))
        return share(run, index, host);
    LITE_TRY(own(run, index));
    if (storage->kind == kLiteClOutput) return kTfLiteOk;
    if (is_copied_mapped(run, storage)) return write_mapped(run, storage, host);
    return lite_cl_check(run->reporter, "clEnqueueWriteBuffer",
                         run->cl->clEnqueueWriteBuffer(run->queue, storage->memory, CL_FALSE, 0,
                                                       storage->bytes, host, 0, NULL, NULL));
}

static TfLiteStatus read_back(const LiteClRun* run, const LiteClStorage* storage, void* to) {
    return lite_cl_check(run->reporter, "clEnqueueReadBuffer",
                         run->cl->clEnqueueReadBuffer(run->queue, storage->memory, CL_FALSE, 0,
                                                      storage->bytes, to, 0, NULL, NULL));
}

TfLiteStatus lite_cl_transfer_out(const LiteClRun* run, int index) {
    LiteClStorage* storage = &run->plan->storages[index];
    if (storage->bytes == 0 || storage->bound) return kTfLiteOk;
    if (storage->kind == kLiteClVariable) return read_back(run, storage, storage->result);
    if (!is_boundary(storage)) return kTfLiteOk;
    const bool is_input = storage->kind == kLiteClInput;
    if (storage->host != NULL) return map(run, storage, CL_FALSE, is_input ? CL_MAP_WRITE : CL_MAP_READ);
    if (is_input) return kTfLiteOk;
    if (is_copied_mapped(run, storage)) return map(run, storage, CL_FALSE, CL_MAP_READ);
    void* host = storage->staging;
    if (host == NULL) LITE_TRY(find_tensor(run, storage, &host));
    return read_back(run, storage, host);
}

static TfLiteStatus copy_outputs(const LiteClRun* run) {
    for (int i = 0; i < run->plan->storage_count; i++) {
        const LiteClStorage* storage = &run->plan->storages[i];
        if (storage->kind != kLiteClOutput || storage->bytes == 0 || storage->bound) continue;
        const void* from = storage->mapped != NULL ? storage->mapped : storage->staging;
        if (from == NULL) continue;
        void* host;
        LITE_TRY(find_tensor(run, storage, &host));
        if (host != from) memcpy(host, from, storage->bytes);
    }
    return kTfLiteOk;
}

// The host's memory does not have the contents of bound tensors.
static void mark_bound(const LiteClRun* run) {
    for (int i = 0; i < run->plan->storage_count; i++) {
        const LiteClStorage* storage = &run->plan->storages[i];
        if (!storage->bound) continue;
        ((TfLiteTensor*)TfLiteOpaqueContextGetOpaqueTensor(run->context, storage->tensor))->data_is_stale =
            true;
    }
}

TfLiteStatus lite_cl_transfer_end(const LiteClRun* run) {
    LITE_TRY(copy_outputs(run));
    for (int i = 0; i < run->plan->storage_count; i++) {
        const LiteClStorage* storage = &run->plan->storages[i];
        if (storage->kind != kLiteClVariable || storage->bytes == 0) continue;
        const TfLiteOpaqueTensor* tensor = TfLiteOpaqueContextGetOpaqueTensor(run->context, storage->tensor);
        memcpy(TfLiteOpaqueTensorData(tensor), storage->result, storage->bytes);
    }
    mark_bound(run);
    return kTfLiteOk;
}
