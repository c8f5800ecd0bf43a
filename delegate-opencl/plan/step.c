// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/plan/step.h"

#include <stdio.h>

#include "core/base/memory.h"

TfLiteStatus lite_cl_step_set_buffer(const LiteCl* cl, const LiteClStep* step, int index, cl_mem memory,
                                     const LiteReporter* reporter) {
    const int place = step->places[index];
    if (step->product != NULL) {
        step->product->buffers[place] = memory;
        return kTfLiteOk;
    }
    return lite_cl_check(reporter, step->name,
                         cl->clSetKernelArg(step->kernel, (cl_uint)place, sizeof(cl_mem), (void*)&memory));
}

TfLiteStatus lite_cl_step_set_value(const LiteCl* cl, const LiteClStep* step, int place, size_t bytes,
                                    const void* value, const LiteReporter* reporter) {
    const cl_int error = cl->clSetKernelArg(step->kernel, (cl_uint)place, bytes, value);
    if (error == CL_SUCCESS) return kTfLiteOk;
    char what[160];
    snprintf(what, sizeof what, "clSetKernelArg of %s of %zu bytes, argument %d of the kernel %s",
             value != NULL ? "a value" : "local memory", bytes, place + 1, step->name);
    return lite_cl_check(reporter, what, error);
}

TfLiteStatus lite_cl_step_enqueue(LiteClDevice* device, LiteClStep* step, cl_command_queue queue,
                                  const size_t* offset, const size_t global[3], cl_event* event,
                                  const LiteReporter* reporter) {
    if (LITE_CL_HAS_CLBLAST && step->product != NULL) {
        return lite_cl_check(
            reporter, step->name,
            lite_cl_product_enqueue(device, &step->product->product, step->product->buffers, queue, event));
    }
    const size_t* local = step->local[0] > 0 ? step->local : NULL;
    const LiteClTurn turn = lite_cl_launch_begin(device, step->kernel, step->is_launched[offset != NULL]);
    const cl_int error =
        device->cl->clEnqueueNDRangeKernel(queue, step->kernel, 3, offset, global, local, 0, NULL, event);
    lite_cl_turn_end(&turn);
    if (LITE_CL_HAS_TURNS) step->is_launched[offset != NULL] = error == CL_SUCCESS;
    return lite_cl_check(reporter, step->name, error);
}

void lite_cl_step_release(const LiteCl* cl, LiteClStep* step) {
    if (step->kernel != NULL) (void)cl->clReleaseKernel(step->kernel);
    lite_free(step->product);
    if (step->owns_arguments) lite_free(step->arguments);
}
