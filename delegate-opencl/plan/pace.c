// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/plan/pace.h"

#include <string.h>

#include "core/base/system.h"

enum {
    kAheadNs = 10000000, // as much work as may wait in the queue
    kManyGroups = 4096,  // a launch of which is divided before its time is known
    kFirstGroups = 64,   // of its first part
    kGrowth = 8,         // a part may be so many times as large as the one before
    kMeasured = 2,       // runs: in the first one some drivers compile
};

// Some programs go through dimension 0 by its size, or number their groups along it.
static bool divides_rows(const LiteClSource* family) {
    static const char* const names[] = {"get_global_size", "get_group_id", "get_num_groups"};
    for (const LiteClSourcePart* part = family->parts; part->name != NULL; part++) {
        for (int i = 0; i < 3; i++) {
            if (strstr(part->text, names[i]) != NULL) return false;
        }
    }
    return true;
}

// Groups along a dimension: what a launch can be divided into.
static size_t groups_along(const LiteClStep* step, int dimension) {
    return step->global[dimension] / (step->local[dimension] > 0 ? step->local[dimension] : 1);
}

// The dimension along which parts of a step can be launched; -1: nobody knows what a program of the user's
// own asks for.
static int find_division(const LiteClStep* step) {
    int divided = -1;
    for (int d = step->family == NULL ? 3 : divides_rows(step->family) ? 0 : 1; d < 3; d++) {
        if (divided < 0 || groups_along(step, d) > groups_along(step, divided)) divided = d;
    }
    return divided;
}

static TfLiteStatus enqueue(const LiteClPlan* plan, LiteClStep* step, size_t first, size_t groups,
                            cl_event* event, const LiteReporter* reporter) {
    size_t offset[3] = {0}, global[3];
    memcpy(global, step->global, sizeof global);
    if (step->divided >= 0) {
        const size_t local = step->local[step->divided] > 0 ? step->local[step->divided] : 1;
        offset[step->divided] = first * local;
        global[step->divided] = groups * local;
    }
    return lite_cl_step_enqueue(plan->device, step, plan->queue, first > 0 ? offset : NULL, global, event,
                                reporter);
}

static TfLiteStatus drain(LiteClPace* pace) {
    pace->queued_ns = 0;
    return pace->drain(pace->argument);
}

static TfLiteStatus check(const LiteClPace* pace) {
    return pace->hook->is_cancelled(pace->hook) ? kTfLiteCancelled : kTfLiteOk;
}

// Groups of the next part, after one of `groups` that took so long.
static size_t next_groups(size_t groups, uint64_t ns) {
    const double wanted = (double)groups * kAheadNs / (double)(ns + 1), most = (double)groups * kGrowth;
    return wanted < 1 ? 1 : (size_t)(wanted < most ? wanted : most);
}

// Groups of the first part, along a dimension with so many of them, while nothing is known.
static size_t first_groups(const LiteClStep* step, size_t all) {
    const double total =
        (double)groups_along(step, 0) * (double)groups_along(step, 1) * (double)groups_along(step, 2);
    if (total < kManyGroups) return all;
    const double groups = (double)all * kFirstGroups / total;
    return groups < 1 ? 1 : (size_t)groups;
}

// Runs a step and nothing else, in parts where it can be divided, and notes how long it takes in all.
static TfLiteStatus run_alone(LiteClPace* pace, const LiteClPlan* plan, LiteClStep* step, cl_event* event,
                              const LiteReporter* reporter) {
    const bool divisible = step->divided >= 0 && event == NULL;
    const size_t all = groups_along(step, step->divided < 0 ? 0 : step->divided);
    size_t groups = all;
    if (divisible) groups = step->part > 0 ? step->part : first_groups(step, all);
    uint64_t total = 0;
    for (size_t first = 0; first < all; first += groups, groups = divisible ? step->part : all) {
        LITE_TRY(check(pace));
        if (groups > all - first) groups = all - first;
        const uint64_t begin = lite_clock_ns();
        LITE_TRY(enqueue(plan, step, first, groups, event, reporter));
        LITE_TRY(drain(pace));
        const uint64_t ns = lite_clock_ns() - begin;
        total += ns;
        if (first + groups < all || first == 0) step->part = next_groups(groups, ns);
    }
    if (step->runs == 0 || total < step->ns) step->ns = total;
    if (step->runs < kMeasured) step->runs++;
    return kTfLiteOk;
}

TfLiteStatus lite_cl_pace_enqueue(LiteClPace* pace, const LiteClPlan* plan, cl_event* events,
                                  cl_uint* event_count, const LiteReporter* reporter) {
    for (int s = 0; s < plan->step_count; s++) {
        LiteClStep* step = &plan->steps[s];
        cl_event* event = events != NULL ? &events[*event_count] : NULL;
        if (step->runs == 0) step->divided = find_division(step);
        const bool alone = step->runs < kMeasured || step->ns > kAheadNs;
        LITE_TRY(check(pace));
        if (pace->queued_ns > 0 && (alone || pace->queued_ns + step->ns > kAheadNs)) LITE_TRY(drain(pace));
        if (alone) {
            LITE_TRY(run_alone(pace, plan, step, event, reporter));
        } else {
            const size_t all = groups_along(step, step->divided < 0 ? 0 : step->divided);
            LITE_TRY(enqueue(plan, step, 0, all, event, reporter));
            pace->queued_ns += step->ns;
        }
        if (events != NULL) (*event_count)++;
    }
    return kTfLiteOk;
}
