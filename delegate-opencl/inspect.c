// SPDX-License-Identifier: Apache-2.0
// Answers what programs ask a delegate: its device, its health, what it has decided, how long its kernels
// take.
#include <stddef.h>

#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/partition/shared.h"

size_t oclite_opencl_delegate_memory(const TfLiteDelegate* delegate) {
    return delegate != NULL ? atomic_load(&lite_cl_shared_of(delegate)->memory) : 0;
}

OcliteOpenclStatus oclite_opencl_delegate_status(const TfLiteDelegate* delegate) {
    return delegate != NULL ? lite_cl_health_status(&lite_cl_shared_of(delegate)->health)
                            : kOcliteOpenclWorking;
}

const char* oclite_opencl_delegate_failure(const TfLiteDelegate* delegate) {
    return delegate != NULL ? lite_cl_health_cause(&lite_cl_shared_of(delegate)->health) : "";
}

const char* oclite_opencl_delegate_warning(const TfLiteDelegate* delegate) {
    return delegate != NULL ? lite_cl_shared_of(delegate)->warning : "";
}

const char* oclite_opencl_delegate_device(const TfLiteDelegate* delegate) {
    return delegate != NULL ? lite_cl_shared_of(delegate)->device->description : "";
}

static void measure_tile(const LiteClDevice* device, bool bytes, int tile[2]) {
    const LiteClTile* large = lite_cl_tile(device->class, bytes, 1 << 12, 1 << 12);
    tile[0] = large->rows;
    tile[1] = large->vectors * lite_cl_tune(device->class)->vector;
}

TfLiteStatus oclite_opencl_delegate_properties(const TfLiteDelegate* delegate, OcliteOpenclDevice* result) {
    static const char* const names[] = {
        [kLiteClCpu16] = "cpu16", [kLiteClCpu8] = "cpu8", [kLiteClCpu4] = "cpu4", [kLiteClGpu] = "gpu"};
    if (delegate == NULL || result == NULL) return kTfLiteError;
    const LiteClDevice* device = lite_cl_shared_of(delegate)->device;
    *result = (OcliteOpenclDevice){.device_class = names[device->class],
                                   .vector = lite_cl_tune(device->class)->vector,
                                   .units = device->units,
                                   .shares_memory = device->import_alignment > 0,
                                   .exact_divide = device->exact_divide,
                                   .doubles = device->doubles,
                                   .byte_products = device->dots,
                                   .alignment = device->alignment,
                                   .max_allocation = device->max_allocation,
                                   .local_memory = device->local_memory};
    measure_tile(device, false, result->float_tile);
    measure_tile(device, true, result->byte_tile);
    return kTfLiteOk;
}

void* oclite_opencl_delegate_context(const TfLiteDelegate* delegate) {
    return delegate != NULL ? (void*)lite_cl_shared_of(delegate)->device->context : NULL;
}

void* oclite_opencl_delegate_device_id(const TfLiteDelegate* delegate) {
    return delegate != NULL ? (void*)lite_cl_shared_of(delegate)->device->id : NULL;
}

void oclite_opencl_delegate_explain(const TfLiteDelegate* base,
                                    void (*callback)(void* user_data, const OcliteOpenclNode* node),
                                    void* user_data) {
    if (base == NULL || callback == NULL) return;
    lite_cl_decisions_tell(&lite_cl_shared_of(base)->decisions, callback, user_data);
}

void oclite_opencl_delegate_profile(const TfLiteDelegate* delegate,
                                    void (*callback)(void* user_data, const OcliteOpenclKernel* kernel),
                                    void* user_data) {
    if (delegate == NULL || callback == NULL) return;
    lite_cl_profiler_tell(&lite_cl_shared_of(delegate)->profiler, callback, user_data);
}
