// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/common/group.h"

#include "delegate-opencl/device/program.h"
#include "delegate-opencl/device/tune.h"

size_t lite_cl_largest_group(const LiteClDevice* device) {
    const LiteClLimits* limits = &device->limits;
    size_t group = (size_t)lite_cl_tune(device->class)->group;
    if (group > limits->group) group = limits->group;
    if (group > limits->items[0]) group = limits->items[0];
    return lite_cl_power_below(group);
}

void lite_cl_define_group(const LiteClDevice* device, LiteClPrelude* prelude) {
    lite_cl_define(prelude, "GROUP %zu", lite_cl_largest_group(device));
}

void lite_cl_define_row_group(const LiteClDevice* device, int group, LiteClPrelude* prelude) {
    lite_cl_define(prelude, "GROUP %d", group);
    if (LITE_CL_HAS_LOCAL_TILES && !device->subgroups) lite_cl_define(prelude, "JOINS_LOCALLY");
}

// Can the kernel, compiled with this prelude, run in groups of so many items?
static TfLiteStatus try_group(const LiteClPlan* plan, const LiteClSource* family, const char* name,
                              const LiteClPrelude* prelude, size_t group, bool* fits) {
    LiteClDevice* device = plan->device;
    const LiteClProgramKey key = {.family = family, .prelude = prelude->text};
    cl_kernel kernel;
    LITE_TRY(lite_cl_kernel_create(device, &key, name, plan->reporter, &kernel));
    const LiteClKernelLimits found = lite_cl_kernel_limits(&device->limits, device->cl, device->id, kernel);
    *fits = group <= found.group && found.has_local <= device->local_memory;
    device->cl->clReleaseKernel(kernel);
    return kTfLiteOk;
}

TfLiteStatus lite_cl_choose_group(const LiteClPlan* plan, const LiteClSource* family, const char* kernel,
                                  LiteClPrelude* prelude, size_t* group) {
    const int length = prelude->length;
    bool fits = false;
    *group = lite_cl_largest_group(plan->device);
    for (;;) {
        lite_cl_define(prelude, "GROUP %zu", *group);
        LITE_TRY(try_group(plan, family, kernel, prelude, *group, &fits));
        if (fits || *group == 1) return kTfLiteOk; // with one item, the launch says what does not fit
        *group /= 2;
        prelude->length = length;
    }
}
