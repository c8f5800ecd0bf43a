// SPDX-License-Identifier: Apache-2.0
// Roll moves elements along axes; those that leave at the end come back at the beginning.
#include <stdlib.h>
#include <string.h>

#include "extensions/custom_ops/list.h"
#include "extensions/custom_ops/view.h"

static const char op[] = "Roll";

enum { kInput, kShift, kAxis, kInputs };

static TfLiteStatus prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    static const uint32_t types = 1u << kTfLiteFloat32 | 1u << kTfLiteInt32 | 1u << kTfLiteInt64 |
                                  1u << kTfLiteInt8 | 1u << kTfLiteInt16 | 1u << kTfLiteUInt8 |
                                  1u << kTfLiteBool | 1u << kTfLiteString;
    static const uint32_t integers = 1u << kTfLiteInt32 | 1u << kTfLiteInt64;
    LiteCustomView input, shift, axis, output;
    LITE_EXTENSION_TRY(lite_custom_check_counts(context, node, op, kInputs, kInputs, 1));
    LITE_EXTENSION_TRY(lite_custom_input(context, node, op, kInput, &input));
    LITE_EXTENSION_TRY(lite_custom_input(context, node, op, kShift, &shift));
    LITE_EXTENSION_TRY(lite_custom_input(context, node, op, kAxis, &axis));
    LITE_EXTENSION_TRY(lite_custom_output(context, node, op, 0, &output));
    LITE_EXTENSION_TRY(lite_custom_check_types(context, op, "input", &input, types));
    LITE_EXTENSION_TRY(lite_custom_check_types(context, op, "output", &output, 1u << input.type));
    LITE_EXTENSION_TRY(lite_custom_check_types(context, op, "shift", &shift, integers));
    LITE_EXTENSION_TRY(lite_custom_check_types(context, op, "axis", &axis, integers));
    if (shift.rank > 1 || axis.rank > 1) {
        return lite_extension_fail(context, "%s: shift %s and axis %s are not scalars or vectors", op,
                                   lite_custom_shape_text(&shift).text, lite_custom_shape_text(&axis).text);
    }
    if (shift.count != axis.count) {
        return lite_extension_fail(context, "%s: NumElements(shift) != NumElements(axis) (%lld != %lld)", op,
                                   (long long)shift.count, (long long)axis.count);
    }
    if (input.type == kTfLiteString) {
        TfLiteOpaqueTensorSetAllocationTypeToDynamic(output.tensor); // as large as the strings are
        return kTfLiteOk;
    }
    return lite_custom_resize_like(context, op, &output, &input);
}

typedef struct Roll {
    int last; // the last axis that moves; -1: none
    int64_t dims[kLiteCustomRank];
    int64_t shifts[kLiteCustomRank]; // in [0, dims)
    size_t strides[kLiteCustomRank]; // bytes
    size_t bytes;                    // of all
} Roll;

static TfLiteStatus read_shifts(TfLiteOpaqueContext* context, const TfLiteOpaqueNode* node,
                                const LiteCustomView* input, Roll* roll) {
    LiteCustomView shift, axis;
    LITE_EXTENSION_TRY(lite_custom_input(context, node, op, kShift, &shift));
    LITE_EXTENSION_TRY(lite_custom_input(context, node, op, kAxis, &axis));
    for (int64_t i = 0; i < axis.count; i++) {
        const int64_t given = lite_custom_integer(&axis, i);
        if (given < -input->rank || given >= input->rank) {
            return lite_extension_fail(context, "%s: axis %lld of an input of %d dimensions", op,
                                       (long long)given, input->rank);
        }
        const int64_t at = given < 0 ? given + input->rank : given;
        if (input->dims[at] == 0) continue;
        const int64_t sum = roll->shifts[at] + lite_custom_integer(&shift, i) % input->dims[at];
        roll->shifts[at] = (sum % input->dims[at] + input->dims[at]) % input->dims[at];
    }
    return kTfLiteOk;
}

static void set_strides(const LiteCustomView* input, size_t element, Roll* roll) {
    roll->bytes = element;
    roll->last = -1;
    memcpy(roll->dims, input->dims, sizeof(roll->dims));
    for (int i = input->rank - 1; i >= 0; i--) {
        roll->strides[i] = roll->bytes;
        roll->bytes *= (size_t)input->dims[i];
        if (roll->last < 0 && roll->shifts[i] != 0) roll->last = i;
    }
}

// Moves the elements of `axis` and those inside of it.
static void roll_axis(const Roll* roll, int axis, const char* from, char* to) {
    const size_t stride = roll->strides[axis], shift = (size_t)roll->shifts[axis],
                 dim = (size_t)roll->dims[axis];
    if (axis == roll->last) {
        memcpy(to + shift * stride, from, (dim - shift) * stride);
        memcpy(to, from + (dim - shift) * stride, shift * stride);
        return;
    }
    for (size_t i = 0; i < dim; i++) {
        roll_axis(roll, axis + 1, from + i * stride, to + (i + shift) % dim * stride);
    }
}

static void roll_all(const Roll* roll, const void* from, void* to) {
    if (roll->bytes == 0) return;
    if (roll->last < 0) {
        memcpy(to, from, roll->bytes);
    } else {
        roll_axis(roll, 0, from, to);
    }
}

// Rolls the numbers of the strings, and then writes those strings.
static TfLiteStatus list_strings(TfLiteOpaqueContext* context, const LiteCustomView* input, const Roll* roll,
                                 int32_t* numbers, LiteExtensionStrings* list) {
    int32_t* rolled = numbers + list->count;
    for (int i = 0; i < list->count; i++) numbers[i] = i;
    roll_all(roll, numbers, rolled);
    for (int i = 0; i < list->count; i++) {
        LITE_EXTENSION_TRY(
            lite_extension_string(context, op, input->tensor, rolled[i], &list->texts[i], &list->lengths[i]));
    }
    return kTfLiteOk;
}

static TfLiteStatus roll_strings(TfLiteOpaqueContext* context, const LiteCustomView* input,
                                 LiteCustomView* output, Roll* roll) {
    int count;
    LITE_EXTENSION_TRY(lite_extension_string_count(context, op, input->tensor, &count));
    LITE_EXTENSION_TRY(lite_custom_resize_like(context, op, output, input));
    set_strides(input, sizeof(int32_t), roll);
    LiteExtensionStrings list = {0};
    TfLiteStatus status = lite_extension_strings_create(context, op, count, &list);
    int32_t* numbers = calloc((size_t)count * 2 + 1, sizeof(*numbers));
    if (status == kTfLiteOk) {
        status = numbers != NULL ? list_strings(context, input, roll, numbers, &list)
                                 : lite_extension_fail(context, "%s: out of memory", op);
    }
    if (status == kTfLiteOk) status = lite_extension_strings_write(context, op, &list, output->tensor);
    free(numbers);
    lite_extension_strings_free(&list);
    return status;
}

static TfLiteStatus invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteCustomView input, output;
    Roll roll = {0};
    LITE_EXTENSION_TRY(lite_custom_input(context, node, op, kInput, &input));
    LITE_EXTENSION_TRY(lite_custom_output(context, node, op, 0, &output));
    LITE_EXTENSION_TRY(read_shifts(context, node, &input, &roll));
    if (input.type == kTfLiteString) return roll_strings(context, &input, &output, &roll);
    if (input.count == 0) return kTfLiteOk;
    set_strides(&input, TfLiteOpaqueTensorByteSize(input.tensor) / (size_t)input.count, &roll);
    roll_all(&roll, input.data, output.data);
    return kTfLiteOk;
}

const LiteExtensionOperator lite_custom_roll = {.name = op, .prepare = prepare, .invoke = invoke};
