// SPDX-License-Identifier: Apache-2.0
// UNIQUE: the different elements of a vector in the order in which they come, and for each element which of
// them it is.
#include <string.h>

#include "kernels-cpu/sizing.h"
#include "kernels-cpu/topk.h"

static TfLiteStatus unique_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, values, indices;
    LITE_TRY(lite_check_counts(context, node, "UNIQUE", 1, 1, 2));
    LITE_TRY(lite_input(context, node, "UNIQUE", 0, &input));
    LITE_TRY(lite_output(context, node, "UNIQUE", 0, &values));
    LITE_TRY(lite_output(context, node, "UNIQUE", 1, &indices));
    if (!lite_topk_supports(input.type)) {
        return lite_fail(context, "UNIQUE: input of type %s is not supported", TfLiteTypeGetName(input.type));
    }
    LITE_TRY(lite_check_same_type(context, "UNIQUE", &input, &values));
    LITE_TRY(lite_check_types(context, "UNIQUE", "indices", &indices,
                              LITE_TYPE_BIT(Int32) | LITE_TYPE_BIT(Int64)));
    if (input.shape.rank != 1) {
        return lite_fail(context, "UNIQUE: input has %d dimensions, expected 1", input.shape.rank);
    }
    lite_set_dynamic(values.tensor);
    return lite_resize(context, indices.tensor, &input.shape);
}

static bool same_value(const LiteView* view, int32_t a, int32_t b) {
    if (view->type == kTfLiteFloat32) return ((const float*)view->data)[a] == ((const float*)view->data)[b];
    const size_t size = lite_type_size(view->type);
    return memcmp((const char*)view->data + (size_t)a * size, (const char*)view->data + (size_t)b * size,
                  size) == 0;
}

// first[i]: where the value of element i comes first. Sorted by value, then place, equal ones are neighbours.
static void find_first(const LiteView* input, int32_t* order, int32_t* first) {
    const int32_t count = (int32_t)input->count;
    lite_topk_select(input->data, input->type, count, count, order);
    for (int32_t i = 0; i < count; i++) {
        const bool again = i > 0 && same_value(input, order[i - 1], order[i]);
        first[order[i]] = again ? first[order[i - 1]] : order[i];
    }
}

// Numbers the first ones in order, and gives each element the number of its first one.
static int32_t number_values(const LiteView* indices, const int32_t* first, int32_t* numbers) {
    int32_t different = 0;
    for (int64_t i = 0; i < indices->count; i++) {
        if (first[i] == i) numbers[i] = different++;
        const int32_t number = numbers[first[i]];
        if (indices->type == kTfLiteInt64) {
            ((int64_t*)indices->data)[i] = number;
        } else {
            ((int32_t*)indices->data)[i] = number;
        }
    }
    return different;
}

static TfLiteStatus unique_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, values, indices;
    LITE_TRY(lite_input(context, node, "UNIQUE", 0, &input));
    LITE_TRY(lite_output(context, node, "UNIQUE", 0, &values));
    LITE_TRY(lite_output(context, node, "UNIQUE", 1, &indices));
    LiteArena arena = {0};
    TfLiteStatus status = kTfLiteOk;
    const size_t count = (size_t)input.count;
    int32_t* order = lite_arena_alloc(&arena, count, sizeof(int32_t));
    int32_t* first = lite_arena_alloc(&arena, count, sizeof(int32_t));
    int32_t* numbers = lite_arena_alloc(&arena, count, sizeof(int32_t));
    if (order == NULL || first == NULL || numbers == NULL || input.count > INT32_MAX) {
        status = lite_fail(context, "UNIQUE: out of memory");
        goto done;
    }
    if (count > 0) find_first(&input, order, first);
    const int32_t different = number_values(&indices, first, numbers);
    status = lite_resize(context, values.tensor, &(LiteShape){.rank = 1, .dims = {different}});
    if (status == kTfLiteOk) status = lite_output(context, node, "UNIQUE", 0, &values);
    if (status != kTfLiteOk) goto done;
    const size_t size = lite_type_size(input.type);
    for (size_t i = 0; i < count; i++) {
        if (first[i] != (int32_t)i) continue;
        memcpy((char*)values.data + (size_t)numbers[i] * size, (const char*)input.data + i * size, size);
    }
done:
    lite_arena_free(&arena);
    return status;
}

const LiteKernel lite_kernel_UNIQUE = {.prepare = unique_prepare, .invoke = unique_invoke};
