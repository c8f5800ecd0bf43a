// SPDX-License-Identifier: Apache-2.0
// SLICE and STRIDED_SLICE: a rectangular part of the input.
#include <stdio.h>
#include <string.h>

#include "core/semantics/slice.h"
#include "kernels-cpu/support/move_tensor.h"
#include "kernels-cpu/support/size.h"

// Copies the part, or with `places` tells what it is.
static TfLiteStatus copy_part(TfLiteOpaqueContext* context, const char* op, LitePlaces* places,
                              const LitePart* part, const LiteView* input, LiteView* output) {
    int64_t from[LITE_MAX_RANK], offset = 0, stride = output->count;
    LiteMove copy = {0};
    if (output->count > 0 && !lite_part_is_inside(part)) { // the reference reads what lies there
        if (places != NULL) return kTfLiteOk;
        if (output->type == kTfLiteString) return lite_fail(context, "%s: strings outside of the input", op);
        memset(output->data, 0, output->bytes);
    }
    lite_move_strides(&part->seen, from);
    for (int i = 0; i < part->rank && output->count > 0; i++) {
        // Whoever made the part has set each of its `rank` lengths: the analyzer does not see that.
        stride /= part->length[i]; // NOLINT(clang-analyzer-core.uninitialized.Assign)
        if (part->inside[i] == 0) return kTfLiteOk;
        lite_move_add(&copy, part->inside[i], from[i] * part->step[i], stride);
        offset += part->begin[i] * from[i];
    }
    return lite_move_or_place(context, op, places, &copy, input, offset, output, 0);
}

// Reads one number per dimension, as `what` of SLICE and STRIDED_SLICE are.
static TfLiteStatus read_vector(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                const char* what, int index, int64_t values[LITE_MAX_RANK], int* count) {
    LiteView view;
    LITE_TRY(lite_kernel_input(context, node, op, index, &view));
    if (view.shape.rank != 1) {
        return lite_fail(context, "%s: %s has %d dimensions, expected 1", op, what, view.shape.rank);
    }
    return lite_ints_read(context, op, what, &view, LITE_MAX_RANK, values, count);
}

// Puts the operator's name in front of messages.
typedef struct Caller {
    TfLiteOpaqueContext* context;
    const char* op;
} Caller;

static void report_for(void* user_data, const char* format, va_list args) {
    const Caller* caller = user_data;
    char message[200];
    vsnprintf(message, sizeof message, format, args);
    (void)lite_fail(caller->context, "%s: %s", caller->op, message);
}

static TfLiteStatus slice_part(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LitePart* part) {
    LiteView input;
    int64_t begin[LITE_MAX_RANK], size[LITE_MAX_RANK];
    int begins, sizes;
    LITE_TRY(lite_kernel_input(context, node, "SLICE", 0, &input));
    LITE_TRY(read_vector(context, node, "SLICE", "begin", 1, begin, &begins));
    LITE_TRY(read_vector(context, node, "SLICE", "size", 2, size, &sizes));
    const int rank = input.shape.rank;
    if (begins != rank || sizes != rank) {
        return lite_fail(context, "SLICE: %d begins and %d sizes for %d dimensions", begins, sizes, rank);
    }
    Caller caller = {context, "SLICE"};
    const LiteReporter reporter = {report_for, &caller};
    return lite_slice_part(&input.shape, begin, size, part, &reporter);
}

static TfLiteStatus slice_rule(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LiteShape* shape) {
    LitePart part;
    LITE_TRY(slice_part(context, node, &part));
    for (int i = 0; i < part.rank; i++) LITE_TRY(lite_size_append(context, "SLICE", shape, part.length[i]));
    return kTfLiteOk;
}

// What the two operators differ in.
typedef struct SliceForm {
    const char* op;
    TfLiteStatus (*find_part)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LitePart* part);
    LiteShapeRule rule;
} SliceForm;

static TfLiteStatus move_part(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const SliceForm* form,
                              LitePlaces* places) {
    LiteView input, output;
    LitePart part;
    LITE_TRY(form->find_part(context, node, &part));
    LITE_TRY(lite_kernel_input(context, node, form->op, 0, &input));
    LITE_TRY(lite_size_output_view(context, node, form->op, form->rule, &output));
    return copy_part(context, form->op, places, &part, &input, &output);
}

static bool find_places(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const SliceForm* form,
                        LitePlaces* places) {
    LiteView output;
    return lite_kernel_output(context, node, form->op, 0, &output) == kTfLiteOk && !output.dynamic &&
           move_part(context, node, form, places) == kTfLiteOk;
}

static const SliceForm slice_form = {"SLICE", slice_part, slice_rule};

static TfLiteStatus slice_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    return move_part(context, node, &slice_form, NULL);
}

static bool slice_places(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LitePlaces* places) {
    return find_places(context, node, &slice_form, places);
}

static const LiteLines slice_lines = {.find_places = slice_places};

static TfLiteStatus slice_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, begin, size, output;
    LITE_TRY(lite_kernel_check_counts(context, node, "SLICE", 3, 3, 1));
    LITE_TRY(lite_kernel_input(context, node, "SLICE", 0, &input));
    LITE_TRY(lite_kernel_output(context, node, "SLICE", 0, &output));
    LITE_TRY(
        lite_check_types(context, "SLICE", "input", &input,
                         (LITE_TYPES_FIXED & ~LITE_TYPE(Complex128)) | LITE_TYPE(String) | LITE_TYPE(Int4)));
    LITE_TRY(lite_check_same_type(context, "SLICE", &input, &output));
    LITE_TRY(lite_kernel_input(context, node, "SLICE", 1, &begin));
    LITE_TRY(lite_kernel_input(context, node, "SLICE", 2, &size));
    LITE_TRY(lite_check_same_type(context, "SLICE", &begin, &size));
    return lite_size_output(context, node, "SLICE", 1u << 1 | 1u << 2, slice_rule);
}

const LiteKernel lite_kernel_SLICE = {
    .prepare = slice_prepare, .invoke = slice_invoke, .lines = &slice_lines, .fold = kLiteFoldSizes};

static TfLiteStatus strided_part(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LitePart* part) {
    LiteView input;
    int64_t begin[LITE_MAX_RANK], end[LITE_MAX_RANK], stride[LITE_MAX_RANK];
    int ends, strides;
    LiteStrides s = {.begin = begin, .end = end, .stride = stride};
    s.params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (s.params == NULL) return lite_fail(context, "STRIDED_SLICE: no parameters");
    LITE_TRY(lite_kernel_input(context, node, "STRIDED_SLICE", 0, &input));
    LITE_TRY(read_vector(context, node, "STRIDED_SLICE", "begin", 1, begin, &s.count));
    LITE_TRY(read_vector(context, node, "STRIDED_SLICE", "end", 2, end, &ends));
    LITE_TRY(read_vector(context, node, "STRIDED_SLICE", "strides", 3, stride, &strides));
    if (ends != s.count || strides != s.count) {
        return lite_fail(context, "STRIDED_SLICE: %d begins, %d ends and %d strides", s.count, ends, strides);
    }
    Caller caller = {context, "STRIDED_SLICE"};
    const LiteReporter reporter = {report_for, &caller};
    return lite_strided_part(&input.shape, &s, part, &reporter);
}

static TfLiteStatus strided_slice_rule(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                       LiteShape* shape) {
    LitePart part;
    LITE_TRY(strided_part(context, node, &part));
    for (int i = 0; i < part.rank; i++) {
        if (!part.dropped[i]) LITE_TRY(lite_size_append(context, "STRIDED_SLICE", shape, part.length[i]));
    }
    return kTfLiteOk;
}

static const SliceForm strided_form = {"STRIDED_SLICE", strided_part, strided_slice_rule};

static TfLiteStatus strided_slice_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    return move_part(context, node, &strided_form, NULL);
}

static bool strided_slice_places(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, LitePlaces* places) {
    return find_places(context, node, &strided_form, places);
}

static const LiteLines strided_slice_lines = {.find_places = strided_slice_places};

static TfLiteStatus strided_slice_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, output;
    LITE_TRY(lite_kernel_check_counts(context, node, "STRIDED_SLICE", 4, 4, 1));
    LITE_TRY(lite_kernel_input(context, node, "STRIDED_SLICE", 0, &input));
    LITE_TRY(lite_kernel_output(context, node, "STRIDED_SLICE", 0, &output));
    LITE_TRY(lite_check_types(context, "STRIDED_SLICE", "input", &input,
                              (LITE_TYPES_FIXED & ~LITE_TYPE(Complex128)) | LITE_TYPE(String)));
    LITE_TRY(lite_check_same_type(context, "STRIDED_SLICE", &input, &output));
    static const char* const names[] = {"begin", "end", "strides"};
    for (int i = 0; i < 3; i++) {
        LiteView vector;
        LITE_TRY(lite_kernel_input(context, node, "STRIDED_SLICE", i + 1, &vector));
        LITE_TRY(lite_check_types(context, "STRIDED_SLICE", names[i], &vector, LITE_TYPE(Int32)));
    }
    return lite_size_output(context, node, "STRIDED_SLICE", 1u << 1 | 1u << 2 | 1u << 3, strided_slice_rule);
}

const LiteKernel lite_kernel_STRIDED_SLICE = {.prepare = strided_slice_prepare,
                                              .invoke = strided_slice_invoke,
                                              .lines = &strided_slice_lines,
                                              .fold = kLiteFoldConstants};
