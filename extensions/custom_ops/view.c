// SPDX-License-Identifier: Apache-2.0
#include "extensions/custom_ops/view.h"

#include <stdio.h>
#include <string.h>

static TfLiteStatus fill(TfLiteOpaqueContext* context, const char* op, const char* what, int index,
                         TfLiteOpaqueTensor* tensor, LiteCustomView* view) {
    if (tensor == NULL) return lite_extension_fail(context, "%s: no %s %d", op, what, index);
    const TfLiteAllocationType allocation = TfLiteOpaqueTensorGetAllocationType(tensor);
    *view = (LiteCustomView){.tensor = tensor,
                             .data = TfLiteOpaqueTensorData(tensor),
                             .type = TfLiteOpaqueTensorType(tensor),
                             .rank = TfLiteOpaqueTensorNumDims(tensor),
                             .count = 1,
                             .is_constant = allocation == kTfLiteMmapRo || allocation == kTfLitePersistentRo};
    if (view->rank < 0 || view->rank > kLiteCustomRank) {
        return lite_extension_fail(context, "%s: %s %d has %d dimensions, at most %d are possible", op, what,
                                   index, view->rank, kLiteCustomRank);
    }
    for (int i = 0; i < view->rank; i++) {
        view->dims[i] = TfLiteOpaqueTensorDim(tensor, i);
        if (view->dims[i] < 0 ||
            (view->dims[i] > 0 && view->count > INT64_MAX / (int64_t)sizeof(double) / view->dims[i])) {
            return lite_extension_fail(context, "%s: %s %d is too large", op, what, index);
        }
        view->count *= view->dims[i];
    }
    return kTfLiteOk;
}

TfLiteStatus lite_custom_input(TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node, const char* op,
                               int index, LiteCustomView* view) {
    // Inputs are const in the API; the view of one is only read.
    const TfLiteOpaqueTensor* tensor =
        index < TfLiteOpaqueNodeNumberOfInputs(node) ? TfLiteOpaqueNodeGetInput(context, node, index) : NULL;
    return fill(context, op, "input", index, (TfLiteOpaqueTensor*)tensor, view);
}

TfLiteStatus lite_custom_output(TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node, const char* op,
                                int index, LiteCustomView* view) {
    TfLiteOpaqueTensor* tensor = index < TfLiteOpaqueNodeNumberOfOutputs(node)
                                     ? TfLiteOpaqueNodeGetOutput(context, node, index)
                                     : NULL;
    return fill(context, op, "output", index, tensor, view);
}

TfLiteStatus lite_custom_check_counts(TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node,
                                      const char* op, int min_inputs, int max_inputs, int outputs) {
    const int inputs = TfLiteOpaqueNodeNumberOfInputs(node), given = TfLiteOpaqueNodeNumberOfOutputs(node);
    if (inputs >= min_inputs && inputs <= max_inputs && given == outputs) return kTfLiteOk;
    return lite_extension_fail(context, "%s: %d inputs and %d outputs, expected %d and %d", op, inputs, given,
                               min_inputs, outputs);
}

TfLiteStatus lite_custom_check_types(TfLiteOpaqueContext* context, const char* op, const char* what,
                                     const LiteCustomView* view, uint32_t types) {
    if (view->type < 32 && (types >> view->type & 1u) != 0) return kTfLiteOk;
    char expected[128] = "";
    for (int type = 0; type < 32; type++) {
        if ((types >> type & 1u) == 0) continue;
        const size_t used = strlen(expected);
        snprintf(expected + used, sizeof(expected) - used, "%s%s", used > 0 ? " or " : "",
                 TfLiteTypeGetName((TfLiteType)type));
    }
    return lite_extension_fail(context, "%s: %s of type %s, expected %s", op, what,
                               TfLiteTypeGetName(view->type), expected);
}

TfLiteStatus lite_custom_check_rank(TfLiteOpaqueContext* context, const char* op, const char* what,
                                    const LiteCustomView* view, int rank) {
    if (view->rank == rank) return kTfLiteOk;
    return lite_extension_fail(context, "%s: NumDimensions(%s) != %d (%d != %d)", op, what, rank, view->rank,
                               rank);
}

LiteCustomText lite_custom_shape_text(const LiteCustomView* view) {
    LiteCustomText text = {"["};
    for (int i = 0; i < view->rank; i++) {
        const size_t used = strlen(text.text);
        snprintf(text.text + used, sizeof(text.text) - used, "%s%lld", i > 0 ? "," : "",
                 (long long)view->dims[i]);
    }
    strncat(text.text, "]", sizeof(text.text) - strlen(text.text) - 1);
    return text;
}

TfLiteStatus lite_custom_check_same_shape(TfLiteOpaqueContext* context, const char* op, const char* a_name,
                                          const LiteCustomView* a, const char* b_name,
                                          const LiteCustomView* b) {
    if (a->rank == b->rank && memcmp(a->dims, b->dims, (size_t)a->rank * sizeof(a->dims[0])) == 0) {
        return kTfLiteOk;
    }
    return lite_extension_fail(context, "%s: %s is %s, %s %s", op, a_name, lite_custom_shape_text(a).text,
                               b_name, lite_custom_shape_text(b).text);
}

TfLiteStatus lite_custom_resize_like(TfLiteOpaqueContext* context, const char* op, LiteCustomView* output,
                                     const LiteCustomView* like) {
    return lite_extension_set_shape(context, op, output->tensor, like->rank, like->dims);
}

static TfLiteStatus apply(TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node, const char* op,
                          LiteCustomShapeRule rule, const LiteCustomView* output) {
    LiteCustomShape shape = {0};
    LITE_EXTENSION_TRY(rule(context, node, &shape));
    return lite_extension_set_shape(context, op, output->tensor, shape.rank, shape.dims);
}

TfLiteStatus lite_custom_size_output(TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node,
                                     const char* op, int read_input, LiteCustomShapeRule rule) {
    LiteCustomView input, output;
    LITE_EXTENSION_TRY(lite_custom_input(context, node, op, read_input, &input));
    LITE_EXTENSION_TRY(lite_custom_output(context, node, op, 0, &output));
    if (input.is_constant && input.data == NULL && input.count > 0)
        return lite_extension_fail(context, "%s: input %d has no contents", op, read_input);
    if (input.is_constant) return apply(context, node, op, rule, &output);
    TfLiteOpaqueTensorSetAllocationTypeToDynamic(output.tensor);
    return kTfLiteOk;
}

TfLiteStatus lite_custom_sized_output(TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node,
                                      const char* op, int read_input, LiteCustomShapeRule rule,
                                      LiteCustomView* output) {
    LiteCustomView input;
    LITE_EXTENSION_TRY(lite_custom_input(context, node, op, read_input, &input));
    LITE_EXTENSION_TRY(lite_custom_output(context, node, op, 0, output));
    if (input.is_constant) return kTfLiteOk;
    LITE_EXTENSION_TRY(apply(context, node, op, rule, output));
    return lite_custom_output(context, node, op, 0, output);
}

TfLiteStatus lite_custom_read_shape(TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node,
                                    const char* op, int index, LiteCustomShape* shape) {
    LiteCustomView sizes = {0};
    LITE_EXTENSION_TRY(lite_custom_input(context, node, op, index, &sizes));
    if (sizes.count > kLiteCustomRank) {
        return lite_extension_fail(context, "%s: a shape of %lld dimensions, at most %d are possible", op,
                                   (long long)sizes.count, kLiteCustomRank);
    }
    shape->rank = (int)sizes.count;
    for (int i = 0; i < shape->rank; i++) shape->dims[i] = lite_custom_integer(&sizes, i);
    return kTfLiteOk;
}

int64_t lite_custom_integer(const LiteCustomView* view, int64_t index) {
    if (view->type == kTfLiteInt8) return ((const int8_t*)view->data)[index];
    if (view->type == kTfLiteInt32) return ((const int32_t*)view->data)[index];
    return ((const int64_t*)view->data)[index];
}
