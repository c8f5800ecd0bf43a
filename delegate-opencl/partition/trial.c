// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/partition/trial.h"

#include "core/base/system.h"
#include "core/base/trial.h"

// A driver may compile in the first inference.
static const LiteTrialLimits host_limits = {.budget_ns = 100000000, .first_ns = 2000000000};
static const LiteTrialLimits device_limits = {.budget_ns = 100000000, .first_ns = 60000000000};

// Of two measurements the shorter one was disturbed less.
static int64_t shorter(int64_t known, int64_t now) {
    return known < 0 || (now >= 0 && now < known) ? now : known;
}

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

static void spend(LiteClGraphTrial* trial, int64_t ns) {
    trial->left_ns -= ns;
    trial->expected_ns = ns;
}

TfLiteStatus lite_cl_trial_host(TfLiteContext* context, LiteClGraphTrial* trial) {
    const LiteTrialService* service = lite_trial_service(context);
    LiteClMeasured* measured = trial->measured;
    LiteTrialTimes times = {0};
    const uint64_t begin = lite_clock_ns();
    if (service == NULL) return kTfLiteError;
    LiteTrialLimits limits = host_limits;
    limits.undisturbed = !trial->times;
    const TfLiteStatus status = service->run(context, NULL, &limits, &times);
    if (status == kTfLiteOk && times.graphs[times.own].is_covered) {
        const LiteTrialGraph* own = &times.graphs[times.own];
        for (int n = 0; n < own->node_count && n < measured->node_count && trial->times; n++)
            measured->host[n] = shorter(measured->host[n], own->node_ns[n]);
        measured->host_run = shorter(measured->host_run, times.quartile_ns);
    }
    service->free(&times);
    spend(trial, (int64_t)(lite_clock_ns() - begin));
    return status;
}

TfLiteStatus lite_cl_trial_device(const LiteClShared* shared, TfLiteContext* context, LiteClGraphTrial* trial,
                                  int64_t* run) {
    const LiteTrialService* service = lite_trial_service(context);
    LiteTrialTimes times = {0};
    const uint64_t begin = lite_clock_ns();
    if (service == NULL || shared->create_child == NULL || trial->expected_ns > trial->left_ns)
        return kTfLiteError;
    TfLiteDelegate* child = shared->create_child(shared, trial);
    if (child == NULL) return kTfLiteError;
    LiteTrialLimits limits = device_limits;
    limits.undisturbed = !trial->times;
    const TfLiteStatus status = service->run(context, child, &limits, &times);
    if (status == kTfLiteOk) *run = shorter(*run, times.quartile_ns);
    const int64_t inferences = (times.runs + 1) * times.invoke_ns;
    spend(trial, trial->times ? inferences : (int64_t)(lite_clock_ns() - begin));
    service->free(&times);
    shared->delete_child(child);
    return status;
}
