// SPDX-License-Identifier: Apache-2.0
// CUMSUM computes running sums along an axis.
#include "core/base/parallel.h"
#include "kernels-cpu/support/size.h"
#include "kernels-cpu/support/types.h"

static TfLiteStatus cumsum_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, axis, output;
    LITE_TRY(lite_kernel_check_counts(context, node, "CUMSUM", 2, 2, 1));
    LITE_TRY(lite_kernel_input(context, node, "CUMSUM", 0, &input));
    LITE_TRY(lite_kernel_input(context, node, "CUMSUM", 1, &axis));
    LITE_TRY(lite_kernel_output(context, node, "CUMSUM", 0, &output));
    LITE_TRY(lite_check_types(context, "CUMSUM", "input", &input,
                              LITE_TYPE(Float32) | LITE_TYPE(Int32) | LITE_TYPE(Int64)));
    LITE_TRY(lite_check_types(context, "CUMSUM", "axis", &axis, LITE_TYPE(Int32)));
    LITE_TRY(lite_check_same_type(context, "CUMSUM", &input, &output));
    if (TfLiteOpaqueNodeGetBuiltinData(node) == NULL) return lite_fail(context, "CUMSUM: no parameters");
    if (axis.count != 1) return lite_fail(context, "CUMSUM: %lld axes, expected 1", (long long)axis.count);
    return lite_kernel_resize(context, output.tensor, &input.shape);
}

enum {
    kColumns = 256,     // sums of a task
    kGrain = 16 * 1024, // elements worth a thread
};

// Blocks of `length` rows of `inner` elements, from row `first` in direction `step` (1 or -1).
typedef struct Sums {
    const LiteView* input;
    const LiteView* output;
    int64_t length;
    int64_t inner;
    int64_t first;
    int64_t step;
    bool exclusive;
    int64_t chunks; // of the rows
} Sums;

// `columns` sums, which begin at an element of row 0.
#define DEFINE_SUMS(SUFFIX, SUM_TYPE)                                                                        \
    static void sums_##SUFFIX(const Sums* s, int64_t start, int64_t columns) {                               \
        const stored_##SUFFIX* in = (const stored_##SUFFIX*)s->input->data + start;                          \
        stored_##SUFFIX* out = (stored_##SUFFIX*)s->output->data + start;                                    \
        if (columns == 1) { /* in a register */                                                              \
            SUM_TYPE sum = 0;                                                                                \
            for (int64_t k = 0, at = s->first * s->inner; k < s->length; k++, at += s->step * s->inner) {    \
                const SUM_TYPE before = sum;                                                                 \
                sum += (SUM_TYPE)in[at];                                                                     \
                out[at] = (value_##SUFFIX)(s->exclusive ? before : sum);                                     \
            }                                                                                                \
            return;                                                                                          \
        }                                                                                                    \
        SUM_TYPE sums[kColumns];                                                                             \
        for (int64_t i = 0; i < columns; i++) sums[i] = 0;                                                   \
        for (int64_t k = 0, at = s->first * s->inner; k < s->length; k++, at += s->step * s->inner) {        \
            for (int64_t i = 0; i < columns; i++) {                                                          \
                const SUM_TYPE before = sums[i], after = before + (SUM_TYPE)in[at + i];                      \
                out[at + i] = (value_##SUFFIX)(s->exclusive ? before : after);                               \
                sums[i] = after;                                                                             \
            }                                                                                                \
        }                                                                                                    \
    }

DEFINE_SUMS(f32, float)
DEFINE_SUMS(i32, uint32_t)
DEFINE_SUMS(i64, uint64_t)

// Tasks [begin, end): each is a chunk of the columns of a block.
static void run_sums(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    const Sums* s = argument;
    for (int64_t task = begin; task < end; task++) {
        const int64_t column = task % s->chunks * kColumns, left = s->inner - column;
        const int64_t start = task / s->chunks * s->length * s->inner + column;
        const int64_t columns = left < kColumns ? left : kColumns;
        if (s->input->type == kTfLiteFloat32) {
            sums_f32(s, start, columns);
        } else if (s->input->type == kTfLiteInt32) {
            sums_i32(s, start, columns);
        } else {
            sums_i64(s, start, columns);
        }
    }
}

static TfLiteStatus cumsum_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const TfLiteCumsumParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    LiteView input, axis_view, output;
    int64_t value;
    int axis;
    LITE_TRY(lite_kernel_input(context, node, "CUMSUM", 0, &input));
    LITE_TRY(lite_kernel_input(context, node, "CUMSUM", 1, &axis_view));
    LITE_TRY(lite_kernel_output(context, node, "CUMSUM", 0, &output));
    LITE_TRY(lite_ints_read_one(context, "CUMSUM", "axis", &axis_view, &value));
    LITE_TRY(lite_ints_axis(context, "CUMSUM", value, input.shape.rank, &axis));
    int64_t outer, inner;
    LITE_TRY(lite_size_product(context, "CUMSUM", &input.shape, 0, axis, &outer));
    LITE_TRY(lite_size_product(context, "CUMSUM", &input.shape, axis + 1, input.shape.rank, &inner));
    if (input.count == 0) return kTfLiteOk;
    Sums sums = {.input = &input,
                 .output = &output,
                 .length = input.shape.dims[axis],
                 .inner = inner,
                 .step = 1,
                 .exclusive = params->exclusive};
    if (params->reverse) {
        sums.first = sums.length - 1;
        sums.step = -1;
    }
    sums.chunks = (sums.inner + kColumns - 1) / kColumns;
    const int64_t tasks = outer * sums.chunks;
    lite_parallel_for(lite_kernel_num_threads(context), tasks, 1 + kGrain * tasks / input.count, run_sums,
                      &sums);
    return kTfLiteOk;
}

const LiteKernel lite_kernel_CUMSUM = {.prepare = cumsum_prepare, .invoke = cumsum_invoke};
