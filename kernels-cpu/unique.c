// SPDX-License-Identifier: Apache-2.0
// UNIQUE lists the different elements of a vector in their order, and for each element says which of them it
// is.
#include <string.h>

#include "core/base/cancel.h"
#include "kernels-cpu/support/ranking.h"
#include "kernels-cpu/support/size.h"

static TfLiteStatus unique_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const TfLiteUniqueParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params == NULL) return lite_fail(context, "UNIQUE: no parameters");
    LiteView input, values, indices;
    LITE_TRY(lite_kernel_check_counts(context, node, "UNIQUE", 1, 1, 2));
    LITE_TRY(lite_kernel_input(context, node, "UNIQUE", 0, &input));
    LITE_TRY(lite_kernel_output(context, node, "UNIQUE", 0, &values));
    LITE_TRY(lite_kernel_output(context, node, "UNIQUE", 1, &indices));
    if (!lite_ranking_supports(input.type)) {
        return lite_fail(context, "UNIQUE: input of type %s is not supported", TfLiteTypeGetName(input.type));
    }
    LITE_TRY(lite_check_same_type(context, "UNIQUE", &input, &values));
    LITE_TRY(lite_check_types(context, "UNIQUE", "indices", &indices, LITE_TYPE(Int32) | LITE_TYPE(Int64)));
    // As in the reference: everything but INT64 means INT32.
    const TfLiteType wanted = params->index_out_type == kTfLiteInt64 ? kTfLiteInt64 : kTfLiteInt32;
    if (indices.type != wanted) {
        return lite_fail(context, "UNIQUE: indices of type %s, parameters say %s",
                         TfLiteTypeGetName(indices.type), TfLiteTypeGetName(wanted));
    }
    if (input.shape.rank != 1) {
        return lite_fail(context, "UNIQUE: input has %d dimensions, expected 1", input.shape.rank);
    }
    lite_kernel_set_dynamic(values.tensor);
    return lite_kernel_resize(context, indices.tensor, &input.shape);
}

static bool same_value(const LiteView* view, int64_t a, int64_t b) {
    if (view->type == kTfLiteFloat32) return ((const float*)view->data)[a] == ((const float*)view->data)[b];
    const size_t size = lite_type_size(view->type);
    return memcmp((const char*)view->data + (size_t)a * size, (const char*)view->data + (size_t)b * size,
                  size) == 0;
}

// The same for the same values, of which 0 and -0 are.
static uint64_t hash(const LiteView* view, int64_t at) {
    const size_t size = lite_type_size(view->type);
    uint64_t bits = 0;
    memcpy(&bits, (const char*)view->data + (size_t)at * size, size);
    if (view->type == kTfLiteFloat32 && ((const float*)view->data)[at] == 0.0f) bits = 0;
    bits *= UINT64_C(0x9E3779B97F4A7C15);
    return (bits ^ bits >> 32) * UINT64_C(0x9E3779B97F4A7C15) >> 16;
}

// first[i]: where the value of element i comes first. `slots` is a hash table of these places, a power of 2
// of them and more than there are elements.
static void find_first(const LiteView* input, int32_t* slots, uint64_t slot_count, int32_t* first) {
    for (uint64_t i = 0; i < slot_count; i++) slots[i] = -1;
    for (int32_t i = 0; i < input->count && !lite_cancelled_at(i); i++) {
        first[i] = i;
        if (!same_value(input, i, i)) continue; // NaN
        uint64_t slot = hash(input, i) & (slot_count - 1);
        while (slots[slot] >= 0 && !same_value(input, slots[slot], i)) {
            slot = (slot + 1) & (slot_count - 1);
            if (lite_cancelled_at((int64_t)slot)) return;
        }
        if (slots[slot] < 0) slots[slot] = i;
        first[i] = slots[slot];
    }
}

// Numbers the first ones in order, and gives each element the number of its first one.
static int32_t number_values(const LiteView* indices, const int32_t* first, int32_t* numbers) {
    int32_t different = 0;
    for (int64_t i = 0; i < indices->count && !lite_cancelled_at(i); i++) {
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
    LITE_TRY(lite_kernel_input(context, node, "UNIQUE", 0, &input));
    LITE_TRY(lite_kernel_output(context, node, "UNIQUE", 0, &values));
    LITE_TRY(lite_kernel_output(context, node, "UNIQUE", 1, &indices));
    LiteArena arena = {0};
    TfLiteStatus status = kTfLiteOk;
    const size_t count = (size_t)input.count;
    size_t slot_count = 2;
    while (slot_count < 2 * count) slot_count *= 2;
    int32_t* slots = lite_arena_alloc(&arena, slot_count, sizeof(int32_t));
    int32_t* first = lite_arena_alloc(&arena, count, sizeof(int32_t));
    int32_t* numbers = lite_arena_alloc(&arena, count, sizeof(int32_t));
    if (slots == NULL || first == NULL || numbers == NULL || input.count > INT32_MAX) {
        status = lite_fail(context, "UNIQUE: out of memory");
        goto done;
    }
    find_first(&input, slots, slot_count, first);
    if (lite_cancelled()) goto done;
    const int32_t different = number_values(&indices, first, numbers);
    if (lite_cancelled()) goto done;
    status = lite_kernel_resize(context, values.tensor, &(LiteShape){.rank = 1, .dims = {different}});
    if (status == kTfLiteOk) status = lite_kernel_output(context, node, "UNIQUE", 0, &values);
    if (status != kTfLiteOk) goto done;
    const size_t size = lite_type_size(input.type);
    for (size_t i = 0; i < count && !lite_cancelled_at((int64_t)i); i++) {
        if (first[i] != (int32_t)i) continue;
        memcpy((char*)values.data + (size_t)numbers[i] * size, (const char*)input.data + i * size, size);
    }
done:
    lite_arena_free(&arena);
    return status;
}

const LiteKernel lite_kernel_UNIQUE = {.prepare = unique_prepare, .invoke = unique_invoke};
