// SPDX-License-Identifier: Apache-2.0
// Answers what programs ask a delegate: its device, its health, what it has decided, how long its kernels
// take.
#include <stddef.h>

#include "core/base/memory.h"
#include "delegate-opencl/device/left_out.h"
#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/inspect.h"
#include "delegate-opencl/ops/registry.h"
#include "delegate-opencl/partition/shared.h"
#include "delegate-opencl/selftest/program.h"

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

void oclite_opencl_delegate_set_progress(TfLiteDelegate* delegate,
                                         void (*progress)(void* user_data,
                                                          const OcliteOpenclProgress* progress),
                                         void* user_data) {
    if (delegate != NULL) lite_cl_shared_of(delegate)->listener = (LiteClListener){progress, user_data};
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

static void tell_verdicts(const LiteClSelftest* selftest,
                          void (*callback)(void* user_data, const OcliteOpenclTrial* trial),
                          void* user_data) {
    int count = 0;
    LiteClVerdict* rows = lite_cl_verdicts_copy(selftest->verdicts, &count);
    for (int i = 0; i < count && callback != NULL; i++) {
        const LiteClTrial trial = rows[i].trial;
        const OcliteOpenclTrial told = {.op = rows[i].name,
                                        .outcome = lite_cl_trial_words[trial],
                                        .detail = rows[i].detail,
                                        .left = lite_cl_trial_is_bad(trial) || trial == kLiteClTrialUntried};
        callback(user_data, &told);
    }
    lite_free(rows);
}

TfLiteStatus lite_cl_delegate_selftest(const TfLiteDelegate* delegate, bool all,
                                       void (*callback)(void* user_data, const OcliteOpenclTrial* trial),
                                       void* user_data, const LiteReporter* reporter) {
    enum { MOST = LITE_CL_MOST_VERDICTS };
    if (delegate == NULL) return lite_report(reporter, "OpenCL: the delegate is NULL");
    LiteClShared* shared = lite_cl_shared_of(delegate);
    LiteClSelftest* selftest = &shared->selftest;
    if (!LITE_CL_HAS_SELFTEST || selftest->verdicts == NULL)
        return lite_report(reporter, "OpenCL: %s",
                           selftest->trusted != NULL ? selftest->trusted : "no device");
    const char* names[MOST];
    int count = 0;
    while (all && count < MOST && (names[count] = lite_cl_op_name_at(count)) != NULL) count++;
    LITE_TRY(lite_cl_selftest_try(selftest, shared->device, names, count, true, reporter));
    tell_verdicts(selftest, callback, user_data);
    return kTfLiteOk;
}

const char* oclite_opencl_left_out(int index, const char** why) {
    const LiteClLeftOut* one = lite_cl_left_out_at(index);
    if (why != NULL) *why = one != NULL ? one->why : "";
    return one != NULL ? one->library : NULL;
}

void oclite_opencl_delegate_placements(const TfLiteDelegate* base,
                                       void (*callback)(void* user_data,
                                                        const OcliteOpenclPlacement* placement),
                                       void* user_data) {
    if (base == NULL || callback == NULL) return;
    lite_cl_decisions_tell_placements(&lite_cl_shared_of(base)->decisions, callback, user_data);
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
