// SPDX-License-Identifier: Apache-2.0
#include "tests/support/halves_clock.h"

#include <string.h>

#include "delegate-opencl/device/device.h"
#include "delegate-opencl/device/extension.h"
#include "delegate-opencl/partition/timing.h"
#include "delegate-opencl/plan/run.h"

HalvesClock halves_clock;

// The linker's names.
TfLiteStatus __real_lite_cl_time_inferences(LiteClPartition* partition, const TfLiteOpaqueContext* context,
                                            uint64_t* ns, const LiteReporter* reporter);
TfLiteStatus __wrap_lite_cl_time_inferences(LiteClPartition* partition, const TfLiteOpaqueContext* context,
                                            uint64_t* ns, const LiteReporter* reporter);
bool __real_lite_cl_device_has(const LiteClDevice* device, const char* extension);
bool __wrap_lite_cl_device_has(const LiteClDevice* device, const char* extension);

bool __wrap_lite_cl_device_has(const LiteClDevice* device, const char* extension) {
    // A device that is being opened would compile programs with such values.
    const bool is_open = device->references > 0;
    return (halves_clock.offers && is_open && strcmp(extension, "cl_khr_fp16") == 0) ||
           __real_lite_cl_device_has(device, extension);
}

TfLiteStatus __wrap_lite_cl_time_inferences(LiteClPartition* partition, const TfLiteOpaqueContext* context,
                                            uint64_t* ns, const LiteReporter* reporter) {
    halves_clock.asked++;
    if (halves_clock.is_real) return __real_lite_cl_time_inferences(partition, context, ns, reporter);
    int halves = 0;
    for (int n = 0; n < partition->graph.node_count; n++) halves += partition->graph.nodes[n].has_float16;
    LITE_TRY(lite_cl_plan_run(&partition->plan, context, reporter));
    const uint64_t time = (uint64_t)(halves_clock.is_slow ? 1000 + 500 * halves : 2000 - 100 * halves);
    if (time < *ns) *ns = time;
    return kTfLiteOk;
}
