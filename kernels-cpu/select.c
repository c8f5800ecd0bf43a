// SPDX-License-Identifier: Apache-2.0
// SELECT and SELECT_V2 take each element from one of two tensors, by a condition.
#include <string.h>

#include "kernels-cpu/support/elementwise.h"

// Masks instead of branches, which random conditions make slow; a loop for each way to read the values, so
// that all of them become vectors.
#define CHOOSE(STORED, YES, NO)                                                                              \
    for (int64_t i = 0; i < count; i++) {                                                                    \
        const STORED mask = (STORED)(0 - (STORED)(condition[i] != 0));                                       \
        out[i] = (STORED)(((YES)&mask) | ((NO) & (STORED)~mask));                                            \
    }
#define LOOP(NAME, STORED)                                                                                   \
    static void NAME(const LiteRow* row) {                                                                   \
        const uint8_t* condition = row->in[0];                                                               \
        const STORED *yes = row->in[1], *no = row->in[2];                                                    \
        STORED* restrict out = row->out;                                                                     \
        const int64_t count = row->count;                                                                    \
        if (row->step[0] == 0) {                                                                             \
            const STORED* chosen = condition[0] != 0 ? yes : no;                                             \
            const int step = row->step[condition[0] != 0 ? 1 : 2];                                           \
            if (step != 0) memcpy(out, chosen, (size_t)count * sizeof(STORED));                              \
            for (int64_t i = 0; i < count && step == 0; i++) out[i] = *chosen;                               \
        } else if (row->step[1] != 0 && row->step[2] != 0) {                                                 \
            CHOOSE(STORED, yes[i], no[i])                                                                    \
        } else if (row->step[1] != 0) {                                                                      \
            const STORED other = *no;                                                                        \
            CHOOSE(STORED, yes[i], other)                                                                    \
        } else if (row->step[2] != 0) {                                                                      \
            const STORED one = *yes;                                                                         \
            CHOOSE(STORED, one, no[i])                                                                       \
        } else {                                                                                             \
            const STORED one = *yes, other = *no;                                                            \
            CHOOSE(STORED, one, other)                                                                       \
        }                                                                                                    \
    }
LOOP(select_1, uint8_t)
LOOP(select_2, uint16_t)
LOOP(select_4, uint32_t)
LOOP(select_8, uint64_t)

static LiteRowFunction find_loop(TfLiteType type) {
    switch (lite_type_size(type)) {
    case 1:
        return select_1;
    case 2:
        return select_2;
    case 4:
        return select_4;
    case 8:
        return select_8;
    default:
        return NULL;
    }
}

static TfLiteStatus check_types(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* name,
                                LiteView inputs[3], LiteView* output) {
    LITE_TRY(lite_kernel_check_counts(context, node, name, 3, 3, 1));
    LITE_TRY(lite_kernel_views(context, node, name, inputs, 3, output));
    if (inputs[0].type != kTfLiteBool) {
        const char* type = TfLiteTypeGetName(inputs[0].type);
        return lite_fail(context,
                         "%s: the condition has type %s, expected BOOL: input_condition->type != kTfLiteBool "
                         "(%s != BOOL)",
                         name, type, type);
    }
    if (inputs[2].type != inputs[1].type) {
        const char *x = TfLiteTypeGetName(inputs[1].type), *y = TfLiteTypeGetName(inputs[2].type);
        return lite_fail(context,
                         "%s: input 2 has type %s, expected %s: input_x->type != input_y->type (%s != %s)",
                         name, y, x, x, y);
    }
    LITE_TRY(lite_check_type(context, name, "output", output, inputs[1].type));
    return find_loop(inputs[1].type) != NULL ? kTfLiteOk
                                             : lite_check_fail_type(context, name, inputs[1].type);
}

// One element in all: the reference takes inputs of any shapes then, and leaves the output's as it is.
static bool keeps_shape(const LiteView inputs[3], const LiteView* output) {
    return inputs[0].count == 1 && inputs[1].count == 1 && inputs[2].count == 1 && output->count == 1;
}

static TfLiteStatus select_elements(TfLiteOpaqueContext* context, const char* name, LiteView inputs[3],
                                    const LiteView* output) {
    for (int k = 0; k < 3; k++) {
        if (inputs[k].count == 1) inputs[k].shape.rank = 0; // which broadcasts to whatever the output has
    }
    return lite_elementwise_run(context, name, find_loop(output->type), NULL, 1, output, inputs, 3);
}

// A condition of SELECT that has one dimension chooses whole slices of the values: it goes with their first
// dimension.
static void align_condition(LiteView inputs[3]) {
    LiteShape* shape = &inputs[0].shape;
    if (shape->rank != 1) return;
    for (int i = 1; i < inputs[1].shape.rank; i++) shape->dims[i] = 1;
    shape->rank = inputs[1].shape.rank;
}

static TfLiteStatus select_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView inputs[3], output;
    LITE_TRY(check_types(context, node, "SELECT", inputs, &output));
    if (keeps_shape(inputs, &output)) return lite_kernel_resize(context, output.tensor, &output.shape);
    const LiteShape *condition = &inputs[0].shape, *values = &inputs[1].shape;
    if (!lite_shape_equal(values, &inputs[2].shape)) {
        return lite_fail(context, "SELECT: values of different shapes are not supported: %s and %s",
                         lite_shape_text(values).text, lite_shape_text(&inputs[2].shape).text);
    }
    const bool slices = condition->rank == 1 && values->rank > 0 && condition->dims[0] == values->dims[0];
    if (condition->rank != 0 && !slices && !lite_shape_equal(condition, values)) {
        return lite_fail(context, "SELECT: the condition's shape %s does not fit the values' %s",
                         lite_shape_text(condition).text, lite_shape_text(values).text);
    }
    return lite_kernel_resize(context, output.tensor, values);
}

static TfLiteStatus select_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView inputs[3], output;
    LITE_TRY(lite_kernel_views(context, node, "SELECT", inputs, 3, &output));
    align_condition(inputs);
    return select_elements(context, "SELECT", inputs, &output);
}

static TfLiteStatus select_v2_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView inputs[3], output;
    LITE_TRY(check_types(context, node, "SELECT_V2", inputs, &output));
    if (keeps_shape(inputs, &output)) return lite_kernel_resize(context, output.tensor, &output.shape);
    LiteShape values, shape;
    if (!lite_shape_broadcast(&inputs[1].shape, &inputs[2].shape, &values) ||
        !lite_shape_broadcast(&inputs[0].shape, &values, &shape)) {
        return lite_elementwise_fail_broadcast(context, "SELECT_V2", inputs, 3);
    }
    return lite_kernel_resize(context, output.tensor, &shape);
}

static TfLiteStatus select_v2_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView inputs[3], output;
    LITE_TRY(lite_kernel_views(context, node, "SELECT_V2", inputs, 3, &output));
    return select_elements(context, "SELECT_V2", inputs, &output);
}

const LiteKernel lite_kernel_SELECT = {.prepare = select_prepare, .invoke = select_invoke};
const LiteKernel lite_kernel_SELECT_V2 = {.prepare = select_v2_prepare, .invoke = select_v2_invoke};
