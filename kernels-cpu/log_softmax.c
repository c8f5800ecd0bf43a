// SPDX-License-Identifier: Apache-2.0
// LOG_SOFTMAX along the last dimension.
#include "core/base/parallel.h"
#include "kernels-cpu/loops/softmax_fixed_loops.h"
#include "kernels-cpu/loops/softmax_loops.h"
#include "kernels-cpu/support/kernel.h"

static const char op[] = "LOG_SOFTMAX";

typedef struct LogSoftmaxJob {
    const LiteSoftmaxFixed* fixed;
    int64_t depth;
    const void* input;
    void* output;
    LiteSoftmaxFixedRows fixed_rows; // NULL: real_rows has them
    LiteSoftmaxRows real_rows;
} LogSoftmaxJob;

static void* log_softmax_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context, (void)buffer, (void)length;
    return lite_calloc(1, sizeof(LiteSoftmaxFixed));
}

static void log_softmax_free(TfLiteOpaqueContext* context, void* data) {
    (void)context;
    lite_free(data);
}

static TfLiteStatus prepare_quantized(TfLiteOpaqueContext* context, LiteSoftmaxFixed* fixed,
                                      const LiteView* input, const LiteView* output) {
    const int32_t zero_point = input->type == kTfLiteInt8 ? 127 : 255;
    if (output->scale != 1.0f / 16 || output->zero_point != zero_point) {
        return lite_fail(context, "%s: the output has scale %g and zero point %d, expected 1/16 and %d", op,
                         (double)output->scale, output->zero_point, zero_point);
    }
    if (lite_softmax_fixed_init(1.0, input->scale, fixed)) return kTfLiteOk;
    return lite_fail(context, "%s: the input has scale %g", op, (double)input->scale);
}

static TfLiteStatus log_softmax_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteSoftmaxFixed* fixed = TfLiteOpaqueNodeGetUserData(node);
    if (fixed == NULL) return lite_fail(context, "%s: out of memory", op);
    LITE_TRY(lite_kernel_check_counts(context, node, op, 1, 1, 1));
    LiteView input, output;
    LITE_TRY(lite_kernel_input(context, node, op, 0, &input));
    LITE_TRY(lite_kernel_output(context, node, op, 0, &output));
    const bool quantized = input.type == kTfLiteUInt8 || input.type == kTfLiteInt8;
    if (input.type != output.type || (!quantized && input.type != kTfLiteFloat32)) {
        return lite_fail(context, "%s: %s input and %s output are not supported", op,
                         TfLiteTypeGetName(input.type), TfLiteTypeGetName(output.type));
    }
    if (input.shape.rank < 1) return lite_fail(context, "%s: the input is a scalar", op);
    if (quantized) LITE_TRY(prepare_quantized(context, fixed, &input, &output));
    return lite_kernel_resize(context, output.tensor, &input.shape);
}

static void run_rows(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    const LogSoftmaxJob* job = argument;
    const int64_t first = begin * job->depth, rows = end - begin;
    if (job->fixed_rows == NULL) {
        job->real_rows((const float*)job->input + first, rows, job->depth, 1.0f, (float*)job->output + first);
    } else {
        job->fixed_rows(job->fixed, (const uint8_t*)job->input + first, rows, job->depth,
                        (uint8_t*)job->output + first);
    }
}

static TfLiteStatus log_softmax_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_kernel_input(context, node, op, 0, &input));
    LITE_TRY(lite_kernel_output(context, node, op, 0, &output));
    if (input.count == 0) return kTfLiteOk;
    LogSoftmaxJob job = {.fixed = TfLiteOpaqueNodeGetUserData(node),
                         .depth = input.shape.dims[input.shape.rank - 1],
                         .input = input.data,
                         .output = output.data,
                         .real_rows = lite_softmax_rows(true)};
    if (input.type != kTfLiteFloat32) job.fixed_rows = lite_softmax_fixed_rows(input.type, input.type, true);
    lite_parallel_for(lite_kernel_num_threads(context), input.count / job.depth, 4096 / job.depth + 1,
                      run_rows, &job);
    return kTfLiteOk;
}

const LiteKernel lite_kernel_LOG_SOFTMAX = {.init = log_softmax_init,
                                            .free = log_softmax_free,
                                            .prepare = log_softmax_prepare,
                                            .invoke = log_softmax_invoke};
