// SPDX-License-Identifier: Apache-2.0
// CUMSUM: running sums along an axis.
#include "kernels-cpu/sizing.h"
#include "kernels-cpu/types.h"

static TfLiteStatus cumsum_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, axis, output;
    LITE_TRY(lite_check_counts(context, node, "CUMSUM", 2, 2, 1));
    LITE_TRY(lite_input(context, node, "CUMSUM", 0, &input));
    LITE_TRY(lite_input(context, node, "CUMSUM", 1, &axis));
    LITE_TRY(lite_output(context, node, "CUMSUM", 0, &output));
    LITE_TRY(lite_check_types(context, "CUMSUM", "input", &input,
                              LITE_TYPE_BIT(Float32) | LITE_TYPE_BIT(Int32) | LITE_TYPE_BIT(Int64)));
    LITE_TRY(lite_check_types(context, "CUMSUM", "axis", &axis, LITE_TYPE_BIT(Int32)));
    LITE_TRY(lite_check_same_type(context, "CUMSUM", &input, &output));
    if (TfLiteOpaqueNodeGetBuiltinData(node) == NULL) return lite_fail(context, "CUMSUM: no parameters");
    if (axis.count != 1) return lite_fail(context, "CUMSUM: %lld axes, expected 1", (long long)axis.count);
    return lite_resize(context, output.tensor, &input.shape);
}

// One block of `length` rows of `inner` elements, from row `first` in direction `step` (1 or -1).
typedef struct Block {
    int64_t length;
    int64_t inner;
    int64_t first;
    int64_t step;
    bool exclusive;
} Block;

#define DEFINE_SUMS(SUFFIX, SUM_TYPE)                                                                        \
    static void sums_##SUFFIX(const Block* b, const void* input, void* output) {                             \
        for (int64_t i = 0; i < b->inner; i++) {                                                             \
            SUM_TYPE sum = 0;                                                                                \
            for (int64_t k = 0, row = b->first; k < b->length; k++, row += b->step) {                        \
                const SUM_TYPE value = (SUM_TYPE)((const stored_##SUFFIX*)input)[row * b->inner + i];        \
                const SUM_TYPE before = sum;                                                                 \
                sum += value;                                                                                \
                ((stored_##SUFFIX*)output)[row * b->inner + i] =                                             \
                    (value_##SUFFIX)(b->exclusive ? before : sum);                                           \
            }                                                                                                \
        }                                                                                                    \
    }

DEFINE_SUMS(f32, float)
DEFINE_SUMS(i32, uint32_t)
DEFINE_SUMS(i64, uint64_t)

static TfLiteStatus cumsum_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const TfLiteCumsumParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    LiteView input, axis_view, output;
    int64_t value;
    int axis;
    LITE_TRY(lite_input(context, node, "CUMSUM", 0, &input));
    LITE_TRY(lite_input(context, node, "CUMSUM", 1, &axis_view));
    LITE_TRY(lite_output(context, node, "CUMSUM", 0, &output));
    LITE_TRY(lite_read_int(context, "CUMSUM", "axis", &axis_view, &value));
    LITE_TRY(lite_resolve_axis(context, "CUMSUM", value, input.shape.rank, &axis));
    if (input.count == 0) return kTfLiteOk;
    Block block = {.length = input.shape.dims[axis], .inner = 1, .step = 1, .exclusive = params->exclusive};
    for (int i = axis + 1; i < input.shape.rank; i++) block.inner *= input.shape.dims[i];
    if (params->reverse) {
        block.first = block.length - 1;
        block.step = -1;
    }
    const int64_t size = block.length * block.inner, bytes = (int64_t)lite_type_size(input.type);
    for (int64_t i = 0; i < input.count; i += size) {
        const char* from = (const char*)input.data + i * bytes;
        char* to = (char*)output.data + i * bytes;
        if (input.type == kTfLiteFloat32) {
            sums_f32(&block, from, to);
        } else if (input.type == kTfLiteInt32) {
            sums_i32(&block, from, to);
        } else {
            sums_i64(&block, from, to);
        }
    }
    return kTfLiteOk;
}

const LiteKernel lite_kernel_CUMSUM = {.prepare = cumsum_prepare, .invoke = cumsum_invoke};
