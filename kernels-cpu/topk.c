// SPDX-License-Identifier: Apache-2.0
// TOPK_V2: the k largest elements of each row, in descending order, and where they were; the first one among
// equals.
#include "kernels-cpu/topk.h"

#include "kernels-cpu/sizing.h"
#include "kernels-cpu/types.h"

// Is a better than b, elements of one row?
#define DEFINE_BETTER(SUFFIX)                                                                                \
    static bool better_##SUFFIX(const void* row, int32_t a, int32_t b) {                                     \
        const stored_##SUFFIX *x = (const stored_##SUFFIX*)row + a, *y = (const stored_##SUFFIX*)row + b;    \
        return *x > *y || (!(*x < *y) && a < b);                                                             \
    }

DEFINE_BETTER(f32)
DEFINE_BETTER(i8)
DEFINE_BETTER(u8)
DEFINE_BETTER(i16)
DEFINE_BETTER(i32)
DEFINE_BETTER(i64)

typedef bool (*Better)(const void* row, int32_t a, int32_t b);

static Better find_better(TfLiteType type) {
#define CASE(SUFFIX)                                                                                         \
    case type_##SUFFIX:                                                                                      \
        return better_##SUFFIX;
    switch ((int)type) {
        CASE(f32)
        CASE(i8)
        CASE(u8)
        CASE(i16)
        CASE(i32)
        CASE(i64)
    default:
        return NULL;
    }
}

// Lets heap[at] sink in a heap whose top is the worst of the elements kept.
static void sift_down(const void* row, Better better, int32_t* heap, int32_t count, int32_t at) {
    for (;;) {
        int32_t worst = at;
        for (int32_t child = 2 * at + 1; child <= 2 * at + 2 && child < count; child++) {
            if (better(row, heap[worst], heap[child])) worst = child;
        }
        if (worst == at) return;
        const int32_t held = heap[at];
        heap[at] = heap[worst];
        heap[worst] = held;
        at = worst;
    }
}

void lite_topk_select(const void* row, TfLiteType type, int32_t count, int32_t k, int32_t* chosen) {
    const Better better = find_better(type);
    if (k == 0) return;
    for (int32_t i = 0; i < k; i++) chosen[i] = i;
    for (int32_t i = k / 2; i >= 0; i--) sift_down(row, better, chosen, k, i);
    for (int32_t i = k; i < count; i++) {
        if (!better(row, i, chosen[0])) continue;
        chosen[0] = i;
        sift_down(row, better, chosen, k, 0);
    }
    for (int32_t last = k - 1; last > 0; last--) {
        const int32_t held = chosen[0];
        chosen[0] = chosen[last];
        chosen[last] = held;
        sift_down(row, better, chosen, last, 0);
    }
}

bool lite_topk_supports(TfLiteType type) {
    return find_better(type) != NULL;
}

static TfLiteStatus resize_outputs(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, k, output;
    LITE_TRY(lite_input(context, node, "TOPK_V2", 0, &input));
    LITE_TRY(lite_input(context, node, "TOPK_V2", 1, &k));
    if (k.count != 1 || k.data == NULL) return lite_fail(context, "TOPK_V2: k is not one number");
    const int64_t wanted = lite_int_at(&k, 0);
    LiteShape shape = input.shape;
    if (wanted < 0 || wanted > shape.dims[shape.rank - 1]) {
        return lite_fail(context, "TOPK_V2: %lld of %d elements", (long long)wanted,
                         shape.dims[shape.rank - 1]);
    }
    shape.dims[shape.rank - 1] = (int32_t)wanted;
    for (int i = 0; i < 2; i++) {
        LITE_TRY(lite_output(context, node, "TOPK_V2", i, &output));
        LITE_TRY(lite_resize(context, output.tensor, &shape));
    }
    return kTfLiteOk;
}

static TfLiteStatus topk_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, k, values, indices;
    LITE_TRY(lite_check_counts(context, node, "TOPK_V2", 2, 2, 2));
    LITE_TRY(lite_input(context, node, "TOPK_V2", 0, &input));
    LITE_TRY(lite_input(context, node, "TOPK_V2", 1, &k));
    LITE_TRY(lite_output(context, node, "TOPK_V2", 0, &values));
    LITE_TRY(lite_output(context, node, "TOPK_V2", 1, &indices));
    if (!lite_topk_supports(input.type)) {
        return lite_fail(context, "TOPK_V2: input of type %s is not supported",
                         TfLiteTypeGetName(input.type));
    }
    LITE_TRY(lite_check_same_type(context, "TOPK_V2", &input, &values));
    LITE_TRY(lite_check_types(context, "TOPK_V2", "k", &k, LITE_TYPE_BIT(Int32) | LITE_TYPE_BIT(Int16)));
    LITE_TRY(lite_check_types(context, "TOPK_V2", "indices", &indices,
                              LITE_TYPE_BIT(Int32) | LITE_TYPE_BIT(Int16)));
    if (input.shape.rank < 1) return lite_fail(context, "TOPK_V2: the input is a scalar");
    if (k.constant) return resize_outputs(context, node);
    lite_set_dynamic(values.tensor);
    lite_set_dynamic(indices.tensor);
    return kTfLiteOk;
}

// The elements of one row that `chosen` names.
static void store_row(const char* row, const int32_t* chosen, int32_t k, LiteView* values, LiteView* indices,
                      int64_t at) {
    const size_t size = lite_type_size(values->type);
    for (int32_t i = 0; i < k; i++) {
        const char* from = row + (size_t)chosen[i] * size;
        char* to = (char*)values->data + (size_t)(at + i) * size;
        for (size_t byte = 0; byte < size; byte++) to[byte] = from[byte];
        if (indices->type == kTfLiteInt16) {
            ((int16_t*)indices->data)[at + i] = (int16_t)chosen[i];
        } else {
            ((int32_t*)indices->data)[at + i] = chosen[i];
        }
    }
}

static TfLiteStatus topk_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, values, indices;
    LITE_TRY(lite_output(context, node, "TOPK_V2", 0, &values));
    if (values.dynamic) LITE_TRY(resize_outputs(context, node));
    LITE_TRY(lite_input(context, node, "TOPK_V2", 0, &input));
    LITE_TRY(lite_output(context, node, "TOPK_V2", 0, &values));
    LITE_TRY(lite_output(context, node, "TOPK_V2", 1, &indices));
    const int32_t length = input.shape.dims[input.shape.rank - 1];
    const int32_t k = values.shape.dims[values.shape.rank - 1];
    if (values.count == 0) return kTfLiteOk;
    LiteArena arena = {0};
    int32_t* chosen = lite_arena_alloc(&arena, (size_t)k, sizeof(int32_t));
    if (chosen == NULL) return lite_fail(context, "TOPK_V2: out of memory");
    const size_t size = lite_type_size(input.type);
    for (int64_t i = 0; i < input.count / length; i++) {
        const char* row = (const char*)input.data + (size_t)(i * length) * size;
        lite_topk_select(row, input.type, length, k, chosen);
        store_row(row, chosen, k, &values, &indices, i * k);
    }
    lite_arena_free(&arena);
    return kTfLiteOk;
}

const LiteKernel lite_kernel_TOPK_V2 = {.prepare = topk_prepare, .invoke = topk_invoke};
