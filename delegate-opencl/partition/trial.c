// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/partition/trial.h"

#include "core/base/system.h"
#include "core/base/trial.h"

// A driver may compile in the first inference.
static const LiteTrialLimits host_limits = {.budget_ns = 100000000, .first_ns = 2000000000};
static const LiteTrialLimits device_limits = {.budget_ns = 100000000, .first_ns = 60000000000};

bool lite_cl_trial_offered(TfLiteContext* context) {
    return lite_trial_service(context) != NULL;
}

static bool is_outdated(TfLiteContext* context, TfLiteDelegate* delegate, const LiteGraphUse* use) {
    LiteClShared* shared = lite_cl_shared_of(delegate);
    return lite_cl_decisions_are_outdated(&shared->decisions, shared->device, context, use);
}

void lite_cl_trial_watch(TfLiteContext* context) {
    const LiteTrialService* service = lite_trial_service(context);
    if (service != NULL) service->watch(context, is_outdated);
}

TfLiteStatus lite_cl_trial_host(TfLiteContext* context, LiteClGraphTrial* trial) {
    const LiteTrialService* service = lite_trial_service(context);
    LiteClMeasured* measured = trial->measured;
    LiteTrialTimes times = {0};
    const uint64_t begin = lite_clock_ns();
    if (service == NULL) return kTfLiteError;
    const TfLiteStatus status = service->run(context, NULL, &host_limits, &times);
    if (status == kTfLiteOk && times.graphs[times.own].is_covered) {
        const LiteTrialGraph* own = &times.graphs[times.own];
        for (int n = 0; n < own->node_count && n < measured->node_count; n++)
            measured->host[n] = own->node_ns[n];
        measured->run[kLiteClHost] = times.quartile_ns;
    }
    service->free(&times);
    trial->left_ns -= (int64_t)(lite_clock_ns() - begin);
    return status;
}

TfLiteStatus lite_cl_trial_device(const LiteClShared* shared, TfLiteContext* context,
                                  LiteClGraphTrial* trial) {
    const LiteTrialService* service = lite_trial_service(context);
    LiteTrialTimes times = {0};
    if (service == NULL || shared->create_child == NULL) return kTfLiteError;
    const uint64_t begin = lite_clock_ns();
    const int compiled = atomic_load(&shared->device->programs_compiled);
    trial->way = kLiteClAll;
    trial->times = true;
    TfLiteDelegate* child = shared->create_child(shared, trial);
    if (child == NULL) return kTfLiteError;
    const TfLiteStatus status = service->run(context, child, &device_limits, &times);
    if (status == kTfLiteOk) trial->measured->run[kLiteClAll] = times.quartile_ns;
    const int64_t running = (times.runs + 1) * times.invoke_ns;
    service->free(&times);
    shared->delete_child(child);
    const int64_t whole = (int64_t)(lite_clock_ns() - begin);
    const bool compiles = atomic_load(&shared->device->programs_compiled) != compiled;
    trial->left_ns -= compiles || whole < running ? running : whole;
    return status;
}
