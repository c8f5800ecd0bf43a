// SPDX-License-Identifier: Apache-2.0
// SOFTMAX along the last dimension.
#include <math.h>
#include <string.h>

#include "core/base/epilogue.h"
#include "core/base/parallel.h"
#include "core/semantics/half.h"
#include "kernels-cpu/loops/softmax_fixed_loops.h"
#include "kernels-cpu/loops/softmax_loops.h"
#include "kernels-cpu/support/kernel.h"
#include "kernels-cpu/support/selected.h"

static const char op[] = "SOFTMAX";

// Of quantized inputs.
typedef union SoftmaxTables {
    LiteSoftmaxFixed fixed; // 8 bits
    LiteSoftmaxTable16 table16;
} SoftmaxTables;

typedef struct SoftmaxData {
    SoftmaxTables* tables; // once it was quantized; they are large
} SoftmaxData;

typedef struct SoftmaxJob {
    const SoftmaxTables* tables;
    float beta;
    int64_t depth;
    const void* input;
    void* output;
    int64_t out_size; // bytes of an element
    // One of these.
    LiteSoftmaxRows real_rows;
    LiteSoftmaxFixedRows fixed_rows;
    LiteSoftmax16Rows rows_16;
    void (*row)(const struct SoftmaxJob* job, int64_t row);
} SoftmaxJob;

static void* softmax_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    (void)context, (void)buffer, (void)length;
    return lite_calloc(1, sizeof(SoftmaxData));
}

static void softmax_free(TfLiteOpaqueContext* context, void* data) {
    (void)context;
    if (data != NULL) lite_free(((SoftmaxData*)data)->tables);
    lite_free(data);
}

static TfLiteStatus prepare_quantized(TfLiteOpaqueContext* context, SoftmaxData* data, float beta,
                                      const LiteView* input, const LiteView* output) {
    const bool is_16 = input->type == kTfLiteInt16;
    const bool same = input->type == output->type;
    const int32_t zero_point = input->type == kTfLiteInt8 ? -128 : 0;
    if (same && !lite_softmax_output(output->type, output->scale, output->zero_point)) {
        return lite_fail(context, "%s: the %s output has scale %g and zero point %d, expected 1/%d and %d",
                         op, TfLiteTypeGetName(output->type), (double)output->scale, output->zero_point,
                         is_16 ? 32768 : 256, zero_point);
    }
    if (data->tables == NULL) data->tables = lite_calloc(1, sizeof *data->tables);
    if (data->tables == NULL) return lite_fail(context, "%s: out of memory", op);
    if (!is_16) {
        if (lite_softmax_fixed_init(beta, input->scale, &data->tables->fixed)) return kTfLiteOk;
        return lite_fail(context, "%s: beta %g times input scale %g is not a usable scale", op, (double)beta,
                         (double)input->scale);
    }
    if (input->zero_point == 0 && lite_softmax_table16(beta, input->scale, &data->tables->table16))
        return kTfLiteOk;
    return lite_fail(context, "%s: INT16 input needs zero point 0 and a scale", op);
}

static TfLiteStatus check_types(TfLiteOpaqueContext* context, TfLiteType input, TfLiteType output) {
    const bool is_8 = input == kTfLiteUInt8 || input == kTfLiteInt8;
    const bool known = is_8 || input == kTfLiteInt16 || input == kTfLiteFloat32 || input == kTfLiteFloat16;
    if (known && (output == input || (is_8 && output == kTfLiteInt16))) return kTfLiteOk;
    return lite_fail(
        context,
        "%s: %s input and %s output are not supported: Only float32, uint8_t, Int8_t, Int16_t are "
        "supported currently, got %s.",
        op, TfLiteTypeGetName(input), TfLiteTypeGetName(output), TfLiteTypeGetName(input));
}

static TfLiteStatus softmax_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    SoftmaxData* data = TfLiteOpaqueNodeGetUserData(node);
    const TfLiteSoftmaxParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (data == NULL || params == NULL) return lite_fail(context, "%s: has no parameters", op);
    LITE_TRY(lite_kernel_check_counts(context, node, op, 1, 1, 1));
    LiteView input, output;
    LITE_TRY(lite_kernel_input(context, node, op, 0, &input));
    LITE_TRY(lite_kernel_output(context, node, op, 0, &output));
    if (input.shape.rank < 1) return lite_fail(context, "%s: the input is a scalar", op);
    LITE_TRY(check_types(context, input.type, output.type));
    if (input.type != kTfLiteFloat32 && input.type != kTfLiteFloat16) {
        LITE_TRY(prepare_quantized(context, data, params->beta, &input, &output));
    }
    return lite_kernel_resize(context, output.tensor, &input.shape);
}

static void row_f16(const SoftmaxJob* job, int64_t row) {
    const uint16_t* in = (const uint16_t*)job->input + row * job->depth;
    uint16_t* out = (uint16_t*)job->output + row * job->depth;
    float max = -INFINITY;
    for (int64_t i = 0; i < job->depth; i++) max = fmaxf(max, lite_f16_to_f32(in[i]));
    float sum = 0.0f;
    for (int64_t i = 0; i < job->depth; i++) sum += expf((lite_f16_to_f32(in[i]) - max) * job->beta);
    for (int64_t i = 0; i < job->depth; i++) {
        out[i] = lite_f32_to_f16(expf((lite_f16_to_f32(in[i]) - max) * job->beta) / sum);
    }
}

static void run_rows(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    const SoftmaxJob* job = argument;
    const int64_t first = begin * job->depth, rows = end - begin;
    if (job->real_rows != NULL) {
        job->real_rows((const float*)job->input + first, rows, job->depth, job->beta,
                       (float*)job->output + first);
    } else if (job->rows_16 != NULL) {
        job->rows_16(&job->tables->table16, (const int16_t*)job->input + first, rows, job->depth,
                     (int16_t*)job->output + first);
    } else if (job->fixed_rows != NULL) {
        job->fixed_rows(&job->tables->fixed, (const uint8_t*)job->input + first, rows, job->depth,
                        (uint8_t*)job->output + first * job->out_size);
    } else {
        for (int64_t row = begin; row < end; row++) job->row(job, row);
    }
}

static TfLiteStatus softmax_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const TfLiteSoftmaxParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    LiteView input, output;
    LITE_TRY(lite_kernel_input(context, node, op, 0, &input));
    LITE_TRY(lite_kernel_output(context, node, op, 0, &output));
    if (input.count == 0) return kTfLiteOk;
    SoftmaxJob job = {.tables = ((const SoftmaxData*)TfLiteOpaqueNodeGetUserData(node))->tables,
                      .beta = params->beta,
                      .depth = input.shape.dims[input.shape.rank - 1],
                      .input = input.data,
                      .output = output.data,
                      .out_size = output.type == kTfLiteInt16 ? 2 : 1};
    switch (input.type) {
    case kTfLiteFloat32:
        job.real_rows = lite_softmax_rows(false);
        break;
    case kTfLiteFloat16:
        job.row = row_f16;
        break;
    case kTfLiteInt16:
        job.rows_16 = lite_softmax_16_rows();
        break;
    default:
        job.fixed_rows = lite_softmax_fixed_rows(input.type, output.type, false);
        break;
    }
    lite_parallel_for(lite_kernel_num_threads(context), input.count / job.depth, 4096 / job.depth + 1,
                      run_rows, &job);
    return kTfLiteOk;
}

static void map_rows(const void* params, const float* rows, int64_t count, int64_t channels, float* out) {
    const TfLiteSoftmaxParams* softmax = params;
    lite_softmax_rows(false)(rows, count, channels, softmax->beta, out);
}

static bool softmax_describe(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteEpilogueStep* step) {
    (void)context;
    step->map = map_rows;
    step->params = TfLiteOpaqueNodeGetBuiltinData(node);
    step->cost = 3;
    step->operand_count = 1;
    return true;
}

static const LiteLines softmax_lines = {.describe = softmax_describe};

const LiteKernel lite_kernel_SOFTMAX = {.init = softmax_init,
                                        .free = softmax_free,
                                        .prepare = softmax_prepare,
                                        .invoke = softmax_invoke,
                                        .lines = LITE_HAS_TYPE(kTfLiteFloat32) ? &softmax_lines : NULL};
