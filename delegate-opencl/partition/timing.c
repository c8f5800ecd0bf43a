// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/partition/timing.h"

#include "core/base/system.h"
#include "delegate-opencl/plan/run.h"

// Long inferences are not repeated more often than chance wants it.
enum { LEAST = 3, MOST = 50, ENOUGH_NS = 20000000 };

TfLiteStatus lite_cl_time_inferences(LiteClPartition* partition, const TfLiteOpaqueContext* context,
                                     uint64_t* ns, const LiteReporter* reporter) {
    LITE_TRY(lite_cl_plan_run(&partition->plan, context, reporter));
    uint64_t spent = 0;
    for (int i = 0; i < LEAST || (i < MOST && spent < ENOUGH_NS); i++) {
        const uint64_t begin = lite_clock_ns();
        LITE_TRY(lite_cl_plan_run(&partition->plan, context, reporter));
        const uint64_t time = lite_clock_ns() - begin;
        if (time < *ns) *ns = time;
        spent += time;
    }
    return kTfLiteOk;
}
