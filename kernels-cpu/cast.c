// SPDX-License-Identifier: Apache-2.0
// CAST: elements change type. Through one of four types, in pieces that stay in the cache, so that n types
// need 5 n loops and not n * n.
//
// Floating point to integer truncates and saturates, NaN becomes the highest value; integers wrap; complex
// numbers lose or gain an imaginary part of 0.
#include <string.h>

#include "kernels-cpu/loops/cast_loops.h"
#include "kernels-cpu/support/elementwise.h"
#include "kernels-cpu/support/packed.h"

static TfLiteStatus cast_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_kernel_check_counts(context, node, "CAST", 1, 1, 1));
    LITE_TRY(lite_kernel_views(context, node, "CAST", &input, 1, &output));
    const bool unpack = lite_is_packed(input.type) && output.type == kTfLiteFloat32;
    const bool pack = lite_is_packed(output.type) && input.type == kTfLiteFloat32;
    const bool convert = lite_conversion(input.type) != NULL && lite_conversion(output.type) != NULL;
    if (!unpack && !pack && !convert) {
        return lite_fail(context, "CAST: from %s to %s is not supported", TfLiteTypeGetName(input.type),
                         TfLiteTypeGetName(output.type));
    }
    return lite_kernel_resize(context, output.tensor, &input.shape);
}

typedef struct CastParams {
    const LiteConversion* from;
    const LiteConversion* to;
    size_t from_size;
    size_t to_size;
} CastParams;

static void cast_row(const LiteRow* row) {
    const CastParams* params = row->params;
    const char* from = row->in[0];
    char* to = row->out;
    int64_t piece[kLitePiece]; // the middle types have at most 8 bytes
    for (int64_t done = 0; done < row->count; done += kLitePiece) {
        const int count = row->count - done < kLitePiece ? (int)(row->count - done) : kLitePiece;
        const void* begin = from + (size_t)done * params->from_size;
        if (params->to->type == kTfLiteFloat32 && params->from->to_floats != NULL) {
            params->from->to_floats(begin, to + (size_t)done * params->to_size, count);
            continue;
        }
        if (params->from->load != NULL) params->from->load(begin, piece, count);
        params->to->store[params->from->middle](params->from->load != NULL ? piece : begin,
                                                to + (size_t)done * params->to_size, count);
    }
}

static void cast_packed(const LiteView* input, const LiteView* output) {
    if (output->type == kTfLiteFloat32) {
        float* to = output->data;
        for (int64_t i = 0; i < output->count; i++) {
            to[i] = (float)lite_packed_get(input->data, input->type, i);
        }
        return;
    }
    const float* from = input->data;
    const int32_t low = lite_packed_low(output->type), high = lite_packed_high(output->type);
    for (int64_t i = 0; i < output->count; i++) {
        lite_packed_set(output->data, output->type, i, LITE_SATURATE(from[i], double, int32_t, low, high));
    }
}

static TfLiteStatus cast_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_kernel_views(context, node, "CAST", &input, 1, &output));
    if (output.count == 0) return kTfLiteOk;
    if (lite_is_packed(input.type) || lite_is_packed(output.type)) {
        cast_packed(&input, &output);
        return kTfLiteOk;
    }
    if (input.type == output.type) {
        memcpy(output.data, input.data, output.bytes);
        return kTfLiteOk;
    }
    const CastParams params = {lite_conversion(input.type), lite_conversion(output.type),
                               lite_type_size(input.type), lite_type_size(output.type)};
    return lite_elementwise_run(context, "CAST", cast_row, &params, 1, &output, &input, 1);
}

const LiteKernel lite_kernel_CAST = {.prepare = cast_prepare, .invoke = cast_invoke};
