// SPDX-License-Identifier: Apache-2.0
// LOG_SOFTMAX along the last dimension.
#include "core/base/parallel.h"
#include "core/base/softmax_fixed.h"
#include "kernels-cpu/kernel.h"
#include "kernels-cpu/softmax.h"

static const char op[] = "LOG_SOFTMAX";

typedef struct LogSoftmaxData {
    LiteSoftmaxScale scale;
    LiteSoftmaxTable table;
    LiteMultiplier reverse; // from the exponential's argument to a difference of inputs
} LogSoftmaxData;

typedef struct LogSoftmaxJob {
    const LogSoftmaxData* data;
    TfLiteType type;
    int64_t depth;
    const void* input;
    void* output;
    LiteSoftmaxRows real_rows;
} LogSoftmaxJob;

static void* log_softmax_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context, (void)buffer, (void)length;
    return lite_calloc(1, sizeof(LogSoftmaxData));
}

static void log_softmax_free(TfLiteOpaqueContext* context, void* data) {
    (void)context;
    lite_free(data);
}

static TfLiteStatus prepare_quantized(TfLiteOpaqueContext* context, LogSoftmaxData* data,
                                      const LiteView* input, const LiteView* output) {
    const int32_t zero_point = input->type == kTfLiteInt8 ? 127 : 255;
    if (output->scale != 1.0f / 16 || output->zero_point != zero_point) {
        return lite_fail(context, "%s: the output has scale %g and zero point %d, expected 1/16 and %d", op,
                         (double)output->scale, output->zero_point, zero_point);
    }
    if (!lite_softmax_scale(1.0, input->scale, &data->scale)) {
        return lite_fail(context, "%s: the input has scale %g", op, (double)input->scale);
    }
    lite_softmax_table(&data->scale, &data->table);
    data->reverse = lite_log_softmax_reverse(&data->scale);
    return kTfLiteOk;
}

static TfLiteStatus log_softmax_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LogSoftmaxData* data = TfLiteOpaqueNodeGetUserData(node);
    if (data == NULL) return lite_fail(context, "%s: out of memory", op);
    LITE_TRY(lite_check_counts(context, node, op, 1, 1, 1));
    LiteView input, output;
    LITE_TRY(lite_input(context, node, op, 0, &input));
    LITE_TRY(lite_output(context, node, op, 0, &output));
    const bool quantized = input.type == kTfLiteUInt8 || input.type == kTfLiteInt8;
    if (input.type != output.type || (!quantized && input.type != kTfLiteFloat32)) {
        return lite_fail(context, "%s: %s input and %s output are not supported", op,
                         TfLiteTypeGetName(input.type), TfLiteTypeGetName(output.type));
    }
    if (input.shape.rank < 1) return lite_fail(context, "%s: the input is a scalar", op);
    if (quantized) LITE_TRY(prepare_quantized(context, data, &input, &output));
    return lite_resize(context, output.tensor, &input.shape);
}

LITE_SUM_OF_EXPS(sum_of_exps_u8, uint8_t)
LITE_SUM_OF_EXPS(sum_of_exps_i8, int8_t)

#define ROW_FIXED(NAME, TYPE, SUM, LOW, HIGH)                                                                \
    static inline TYPE NAME##_result(const LogSoftmaxData* data, int i, int32_t none, int32_t log_sum) {     \
        if (-i <= none) return LOW;                                                                          \
        const int32_t scaled = lite_wrapping_add(data->table.scaled[i], -log_sum);                           \
        return (TYPE)lite_clamp_i32(lite_rounding_shift_right(scaled, 22) + (HIGH), LOW, HIGH);              \
    }                                                                                                        \
    static void NAME(const LogSoftmaxData* data, const TYPE* in, int64_t depth, TYPE* out) {                 \
        TYPE max;                                                                                            \
        const int32_t log_sum = lite_log(SUM(in, depth, &data->table, &max));                                \
        const int32_t lowest = lite_multiply(lite_wrapping_add(log_sum, INT32_MIN), data->reverse);          \
        const int32_t none = data->scale.diff_min - 1 > lowest ? data->scale.diff_min - 1 : lowest;          \
        if (depth < 256) {                                                                                   \
            for (int64_t i = 0; i < depth; i++) out[i] = NAME##_result(data, max - in[i], none, log_sum);    \
            return;                                                                                          \
        }                                                                                                    \
        TYPE results[256];                                                                                   \
        for (int i = 0; i < 256; i++) results[i] = NAME##_result(data, i, none, log_sum);                    \
        for (int64_t i = 0; i < depth; i++) out[i] = results[max - in[i]];                                   \
    }
ROW_FIXED(row_u8, uint8_t, sum_of_exps_u8, 0, UINT8_MAX)
ROW_FIXED(row_i8, int8_t, sum_of_exps_i8, INT8_MIN, INT8_MAX)

static void run_rows(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    const LogSoftmaxJob* job = argument;
    const int64_t first = begin * job->depth;
    if (job->type == kTfLiteFloat32) {
        job->real_rows((const float*)job->input + first, end - begin, job->depth, 1.0f,
                       (float*)job->output + first);
        return;
    }
    for (int64_t row = begin; row < end; row++) {
        const int64_t at = row * job->depth;
        if (job->type == kTfLiteUInt8) {
            row_u8(job->data, (const uint8_t*)job->input + at, job->depth, (uint8_t*)job->output + at);
        } else {
            row_i8(job->data, (const int8_t*)job->input + at, job->depth, (int8_t*)job->output + at);
        }
    }
}

static TfLiteStatus log_softmax_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_input(context, node, op, 0, &input));
    LITE_TRY(lite_output(context, node, op, 0, &output));
    if (input.count == 0) return kTfLiteOk;
    LogSoftmaxJob job = {.data = TfLiteOpaqueNodeGetUserData(node),
                         .type = input.type,
                         .depth = input.shape.dims[input.shape.rank - 1],
                         .input = input.data,
                         .output = output.data,
                         .real_rows = lite_softmax_rows(true)};
    lite_parallel_for(lite_num_threads(context), input.count / job.depth, 4096 / job.depth + 1, run_rows,
                      &job);
    return kTfLiteOk;
}

const LiteKernel lite_kernel_LOG_SOFTMAX = {.init = log_softmax_init,
                                            .free = log_softmax_free,
                                            .prepare = log_softmax_prepare,
                                            .invoke = log_softmax_invoke};
