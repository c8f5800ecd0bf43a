// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/partition/halves.h"

#include "delegate-opencl/device/device.h"
#include "delegate-opencl/device/extension.h"
#include "delegate-opencl/partition/build.h"
#include "delegate-opencl/partition/timing.h"
#include "delegate-opencl/plan/binding.h"

static void set_wants(LiteClNode* const* nodes, int count, bool wants) {
    for (int i = 0; i < count; i++) nodes[i]->wants_float16 = wants;
}

// In turns, so that what else goes on in the machine meets both.
static TfLiteStatus take_turns(LiteClPartition* partition, const TfLiteOpaqueContext* context,
                               LiteClNode* const* nodes, int count, LiteClHalvesTimes* times,
                               const LiteReporter* reporter) {
    enum { ROUNDS = 2 };
    *times = (LiteClHalvesTimes){UINT64_MAX, UINT64_MAX};
    for (int turn = 0; turn < 2 * ROUNDS; turn++) {
        const bool wants = turn % 2 == 1;
        set_wants(nodes, count, wants);
        LITE_TRY(lite_cl_partition_build(partition, false, reporter));
        LITE_TRY(lite_cl_time_inferences(partition, context, wants ? &times->with_ns : &times->without_ns,
                                         reporter));
    }
    return kTfLiteOk;
}

TfLiteStatus lite_cl_halves_compare(LiteClPartition* partition, const TfLiteOpaqueContext* context,
                                    LiteClNode* const* nodes, int count, LiteClHalvesTimes* times,
                                    const LiteReporter* reporter) {
    const TfLiteStatus status = take_turns(partition, context, nodes, count, times, reporter);
    set_wants(nodes, count, true);
    return status;
}

bool lite_cl_is_repeatable(const LiteClPartition* partition, const TfLiteOpaqueContext* context) {
    return !partition->writes_variables && !partition->plan.has_state && partition->async == NULL &&
           !lite_cl_bindings_any(partition->plan.bindings, &partition->boundary, context);
}

// Those whose precision the program has chosen. NULL: out of memory.
static LiteClNode** find_halves(const LiteClPartition* partition, int* count) {
    LiteClNode** nodes = lite_calloc((size_t)partition->graph.node_count + 1, sizeof *nodes);
    for (int n = 0; nodes != NULL && n < partition->graph.node_count; n++) {
        LiteClNode* node = &partition->graph.nodes[n];
        if (node->precision == kLiteClFloat16 && node->has_float16) nodes[(*count)++] = node;
    }
    return nodes;
}

static bool wants_halves(const LiteClPartition* partition) {
    for (int n = 0; n < partition->graph.node_count; n++) {
        if (partition->graph.nodes[n].precision == kLiteClFloat16) return true;
    }
    return false;
}

static bool is_offered(const LiteClPartition* partition) {
    return lite_cl_device_has(partition->device, "cl_khr_fp16");
}

void lite_cl_halves_check_offer(const LiteClPartition* partition, const LiteReporter* reporter) {
    LiteClShared* shared = partition->shared;
    if (shared->trial != NULL || is_offered(partition) || !wants_halves(partition) ||
        atomic_exchange(&shared->halves_checked, true))
        return;
    (void)lite_report(reporter,
                      "OpenCL: warning: float16 is asked for, and %s does not offer it (cl_khr_fp16): values "
                      "are stored as halves and computed as floats, which saves memory and may take longer; "
                      "precision=auto measures it",
                      partition->device->description);
}

static TfLiteStatus measure(LiteClPartition* partition, const TfLiteOpaqueContext* context,
                            LiteClNode* const* nodes, int count, const LiteReporter* reporter) {
    LiteClHalvesTimes times;
    const TfLiteStatus status = lite_cl_halves_compare(partition, context, nodes, count, &times, reporter);
    const TfLiteStatus built = lite_cl_partition_build(partition, false, reporter);
    lite_cl_plan_drop_unused(&partition->plan);
    LITE_TRY(status);
    LITE_TRY(built);
    if (times.with_ns <= times.without_ns) return kTfLiteOk;
    (void)lite_report(
        reporter,
        "OpenCL: warning: float16 is asked for, and is slower on %s: %d nodes take %.3f ms, and "
        "%.3f as float32; precision=auto takes what is faster",
        partition->device->description, count, (double)times.with_ns * 1e-6, (double)times.without_ns * 1e-6);
    return kTfLiteOk;
}

TfLiteStatus lite_cl_halves_check_time(LiteClPartition* partition, const TfLiteOpaqueContext* context,
                                       const LiteReporter* reporter) {
    LiteClShared* shared = partition->shared;
    if (atomic_load(&shared->halves_checked) || shared->trial != NULL || !wants_halves(partition) ||
        !is_offered(partition) || !lite_cl_is_repeatable(partition, context) ||
        atomic_exchange(&shared->halves_checked, true))
        return kTfLiteOk;
    int count = 0;
    LiteClNode** nodes = find_halves(partition, &count);
    if (nodes == NULL) return lite_report(reporter, "OpenCL: out of memory");
    const TfLiteStatus status = count > 0 ? measure(partition, context, nodes, count, reporter) : kTfLiteOk;
    lite_free(nodes);
    return status;
}
