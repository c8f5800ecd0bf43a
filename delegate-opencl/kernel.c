// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/kernel.h"

#include "core/base/async.h"
#include "core/base/cancel.h"
#include "core/base/overlap.h"
#include "core/base/system.h"
#include "core/base/telemetry.h"
#include "delegate-opencl/async/async.h"
#include "delegate-opencl/graph/report.h"
#include "delegate-opencl/partition/account.h"
#include "delegate-opencl/partition/budget.h"
#include "delegate-opencl/partition/halves.h"
#include "delegate-opencl/partition/prepare.h"
#include "delegate-opencl/plan/run.h"

static TfLiteOpaqueContext* opaque(TfLiteContext* context) {
    return (TfLiteOpaqueContext*)context;
}

static void* init(TfLiteContext* context, const char* buffer, size_t length) {
    (void)length;
    const TfLiteDelegateParams* params = (const TfLiteDelegateParams*)buffer;
    LiteClPartition* partition = lite_cl_partition_create(context, params);
    if (partition == NULL) return NULL;
    const LiteReporter reporter = lite_cl_context_reporter(context);
    lite_cl_halves_check_offer(partition, &reporter);
    const TfLiteTelemetryGpuDelegateSettings settings = {(size_t)params->nodes_to_replace->size,
                                                         kLiteTelemetryOpencl};
    lite_telemetry_report_settings(lite_telemetry_profiler(context), "GpuDelegateKernel::Prepare",
                                   kLiteTelemetryGpu, &settings);
    return partition;
}

static void destroy(TfLiteContext* context, void* data) {
    (void)context;
    LiteClPartition* partition = data;
    if (partition == NULL) return;
    lite_cl_async_destroy(partition->async);
    lite_cl_partition_destroy(partition);
}

// The status after a failure. kTfLiteDelegateError tells hosts that the delegate has failed, and not the
// model; they then compute the nodes themselves. With bound tensors they would not leave the results in the
// program's buffers, so there the inference fails, with the status `bound`.
static TfLiteStatus failing_status(const LiteClPartition* partition, TfLiteContext* context,
                                   TfLiteStatus bound) {
    if (!lite_cl_bindings_any(partition->plan.bindings, &partition->boundary, opaque(context)))
        return kTfLiteDelegateError;
    (void)lite_fail(opaque(context), "OpenCL: tensors are bound to buffers of the program: until they are "
                                     "unbound the host does not compute in the device's place");
    return bound;
}

// In a process whose driver is lost the host's own kernels compute. They are called here in hosts that would
// not take the nodes back. `bound`: the status when results are wanted in buffers of the program.
static TfLiteStatus leave_to_host(LiteClPartition* partition, TfLiteContext* context, TfLiteStatus bound,
                                  TfLiteStatus (*compute)(LiteClHostNodes* nodes, TfLiteContext* context)) {
    if (!partition->told) (void)lite_fail(opaque(context), "%s", lite_cl_forked_text);
    partition->told = true;
    const TfLiteStatus status = failing_status(partition, context, bound);
    const bool computes = partition->host_nodes.count > 0 && status == kTfLiteDelegateError;
    return computes ? compute(&partition->host_nodes, context) : status;
}

static TfLiteStatus end(TfLiteContext* context, TfLiteNode* node);

// Nothing has to happen between two runs, and each begins and ends as a whole.
static bool may_go_on(const LiteClPartition* partition, const TfLiteContext* context) {
    return LITE_CL_HAS_COSTS && partition->graph.overlaps && partition->ready && !partition->late &&
           !partition->writes_variables && partition->plan.watchdog_ms == 0 &&
           partition->budget.state == kLiteClUnmeasurable && lite_cancel_hook(context) == NULL;
}

static void offer_to_go_on(LiteClPartition* partition, TfLiteContext* context, TfLiteNode* node) {
    const LiteOverlapService* service = lite_overlap_service(context);
    partition->goes_on = service != NULL && may_go_on(partition, context);
    if (LITE_CL_HAS_COSTS && partition->goes_on) service->offer(context, node, end);
}

static TfLiteStatus prepare(TfLiteContext* context, TfLiteNode* node) {
    LiteClPartition* partition = node->user_data;
    if (partition == NULL) return kTfLiteDelegateError; // init has reported
    if (lite_cl_is_forked())
        return leave_to_host(partition, context, kTfLiteApplicationError, lite_cl_host_nodes_prepare);
    // States are reset whenever their operators are prepared.
    if (partition->plan.has_state) {
        partition->ready = false;
        lite_cl_plan_forget_states(&partition->plan);
    }
    if (lite_cl_partition_prepare(partition, context) != kTfLiteOk)
        return failing_status(partition, context, kTfLiteApplicationError);
    offer_to_go_on(partition, context, node);
    return kTfLiteOk;
}

static void note_run(LiteClPartition* partition, TfLiteContext* context) {
    if (partition->profile != NULL)
        lite_cl_profile_report(partition->profile, lite_telemetry_profiler(context));
    if (partition->has_run) return;
    partition->has_run = true;
    lite_cl_account_update(partition->shared);
}

static TfLiteStatus run(LiteClPartition* partition, TfLiteContext* context, const LiteReporter* reporter) {
    if (LITE_CL_HAS_COSTS && partition->goes_on && may_go_on(partition, context)) {
        LITE_TRY(lite_cl_plan_start(&partition->plan, opaque(context), reporter));
        partition->has_begun = true;
        return kTfLiteOk;
    }
    LITE_TRY(lite_cl_partition_prepare_late(partition, context));
    if (!partition->ready) return lite_report(reporter, "OpenCL: invoked without having been prepared");
    LITE_TRY(lite_cl_halves_check_time(partition, opaque(context), reporter));
    LITE_TRY(lite_cl_budget_before(partition, opaque(context), reporter));
    const bool watches = LITE_CL_HAS_COSTS && partition->drift.watches;
    const uint64_t begin = watches ? lite_clock_ns() : 0;
    for (bool again = true; again;) {
        LITE_TRY(lite_cl_plan_run(&partition->plan, opaque(context), reporter));
        LITE_TRY(lite_cl_budget_after(partition, opaque(context), &again, reporter));
    }
    if (watches) lite_cl_drift_note(&partition->drift, (int64_t)(lite_clock_ns() - begin));
    note_run(partition, context);
    return kTfLiteOk;
}

static TfLiteStatus complete(LiteClPartition* partition, TfLiteContext* context,
                             const LiteReporter* reporter) {
    LITE_TRY(lite_cl_plan_complete(&partition->plan, opaque(context), reporter));
    note_run(partition, context);
    return kTfLiteOk;
}

// Does a part of an inference, and what is due when it fails.
static TfLiteStatus attempt(LiteClPartition* partition, TfLiteContext* context,
                            TfLiteStatus (*part)(LiteClPartition* partition, TfLiteContext* context,
                                                 const LiteReporter* reporter)) {
    const LiteReporter reporter = lite_cl_context_reporter(context);
    LiteClWitness witness;
    lite_cl_witness_init(&witness, &reporter);
    const TfLiteStatus status = part(partition, context, &witness.reporter);
    // Other failures come from the model or the host.
    if (status == kTfLiteDelegateError) {
        lite_cl_health_fail(&partition->shared->health, kOcliteOpenclQuarantined, witness.first);
    }
    if (status == kTfLiteOk || status == kTfLiteCancelled) return status;
    return failing_status(partition, context, kTfLiteError);
}

static TfLiteStatus invoke(TfLiteContext* context, TfLiteNode* node) {
    if (node->user_data == NULL) {
        (void)lite_fail(opaque(context), "OpenCL: invoked without having been prepared");
        return kTfLiteDelegateError;
    }
    LiteClPartition* partition = node->user_data;
    if (lite_cl_is_forked())
        return leave_to_host(partition, context, kTfLiteError, lite_cl_host_nodes_invoke);
    if (lite_cl_partition_is_quarantined(partition)) return failing_status(partition, context, kTfLiteError);
    return attempt(partition, context, run);
}

// Where invoke did all there was to do nothing is left.
static TfLiteStatus end(TfLiteContext* context, TfLiteNode* node) {
    LiteClPartition* partition = node->user_data;
    if (!partition->has_begun) return kTfLiteOk;
    partition->has_begun = false;
    return attempt(partition, context, complete);
}

static TfLiteAsyncKernel* async_kernel(TfLiteContext* context, TfLiteNode* node) {
    LiteClPartition* partition = node->user_data;
    if (partition == NULL || !lite_async_understood(context)) return NULL;
    // The next execution's variables would overtake an execution that is still going on.
    if (partition->writes_variables) return NULL;
    if (partition->async == NULL) {
        const LiteReporter reporter = lite_cl_context_reporter(context);
        partition->async = lite_cl_async_create(partition, &reporter);
    }
    return partition->async != NULL ? lite_cl_async_kernel(partition->async) : NULL;
}

TfLiteRegistration lite_cl_kernel_registration(void) {
    return (TfLiteRegistration){
        .init = init,
        .free = destroy,
        .prepare = prepare,
        .invoke = invoke,
        .builtin_code = kTfLiteBuiltinDelegate,
        .custom_name = "OpenCL",
        .version = 1,
        .async_kernel = async_kernel,
    };
}
