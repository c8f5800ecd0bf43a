// SPDX-License-Identifier: Apache-2.0
// HASHTABLE_LOOKUP finds values by their keys, which ascend. Its second output says which keys were found.
#include <limits.h>
#include <string.h>

#include "core/base/cancel.h"
#include "kernels-cpu/support/size.h"
#include "kernels-cpu/support/strings.h"

static const char op[] = "HASHTABLE_LOOKUP";

typedef struct Views {
    LiteView wanted;
    LiteView keys;
    LiteView values;
    LiteView output;
    LiteView found;
} Views;

static TfLiteStatus get_views(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, Views* v) {
    LITE_TRY(lite_kernel_input(context, node, op, 0, &v->wanted));
    LITE_TRY(lite_kernel_input(context, node, op, 1, &v->keys));
    LITE_TRY(lite_kernel_input(context, node, op, 2, &v->values));
    LITE_TRY(lite_kernel_output(context, node, op, 0, &v->output));
    return lite_kernel_output(context, node, op, 1, &v->found);
}

static TfLiteStatus prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LITE_TRY(lite_kernel_check_counts(context, node, op, 3, 3, 2));
    Views v;
    LITE_TRY(get_views(context, node, &v));
    LITE_TRY(lite_check_types(context, op, "wanted keys", &v.wanted, LITE_TYPE(Int32)));
    LITE_TRY(lite_check_types(context, op, "keys", &v.keys, LITE_TYPE(Int32)));
    LITE_TRY(lite_check_types(context, op, "values", &v.values, LITE_TYPES_FIXED | LITE_TYPE(String)));
    LITE_TRY(lite_check_types(context, op, "second output", &v.found, LITE_TYPE(UInt8)));
    LITE_TRY(lite_check_same_type(context, op, &v.values, &v.output));
    const int rank = v.values.shape.rank;
    if (v.wanted.shape.rank != 1 || v.keys.shape.rank != 1 || rank < 1 ||
        (v.values.type == kTfLiteString && rank != 1)) {
        return lite_fail(context, "%s: wanted keys, keys and values have %d, %d and %d dimensions", op,
                         v.wanted.shape.rank, v.keys.shape.rank, rank);
    }
    if (v.keys.shape.dims[0] != v.values.shape.dims[0]) {
        return lite_fail(context, "%s: %d keys for %d values", op, v.keys.shape.dims[0],
                         v.values.shape.dims[0]);
    }
    LITE_TRY(lite_kernel_resize(context, v.found.tensor, &v.wanted.shape));
    LiteShape out = v.values.shape;
    out.dims[0] = v.wanted.shape.dims[0];
    return lite_kernel_resize(context, v.output.tensor, &out);
}

// Binary search as bsearch() does it: so it is known what it finds where keys are not in order, too.
static int64_t find(const int32_t* keys, int64_t count, int32_t wanted) {
    int64_t begin = 0;
    int64_t end = count;
    while (begin < end) {
        const int64_t middle = (begin + end) / 2;
        if (wanted == keys[middle]) return middle;
        if (wanted < keys[middle]) {
            end = middle;
        } else {
            begin = middle + 1;
        }
    }
    return -1;
}

static TfLiteStatus write_strings(TfLiteOpaqueContext* context, const Views* v) {
    LITE_TRY(lite_strings_check(context, op, &v->values));
    if (v->wanted.count > INT_MAX) return lite_fail(context, "%s: too many keys", op);
    LiteArena arena = {0};
    const char** texts = lite_arena_alloc(&arena, (size_t)v->wanted.count, sizeof(*texts));
    int* lengths = lite_arena_alloc(&arena, (size_t)v->wanted.count, sizeof(*lengths));
    TfLiteStatus status = kTfLiteError;
    if (texts == NULL || lengths == NULL) goto done;
    for (int64_t i = 0; i < v->wanted.count; i++) {
        const int64_t at = find(v->keys.data, v->keys.count, ((const int32_t*)v->wanted.data)[i]);
        size_t length = 0;
        texts[i] = at < 0 ? "" : lite_strings_get(&v->values, at, &length);
        lengths[i] = (int)length;
        ((uint8_t*)v->found.data)[i] = at >= 0;
    }
    status = TfLiteOpaqueTensorWriteStrings(v->output.tensor, texts, (int)v->wanted.count, lengths);
done:
    lite_arena_free(&arena);
    return status == kTfLiteOk ? kTfLiteOk : lite_fail(context, "%s: out of memory", op);
}

static TfLiteStatus invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    Views v;
    LITE_TRY(get_views(context, node, &v));
    if (v.keys.count == 0) return lite_fail(context, "%s: the table is empty", op);
    if (v.values.type == kTfLiteString) return write_strings(context, &v);
    const size_t row = (size_t)(v.values.count / v.keys.count) * lite_type_size(v.values.type);
    for (int64_t i = 0; i < v.wanted.count && !lite_cancelled_at(i); i++) {
        const int64_t at = find(v.keys.data, v.keys.count, ((const int32_t*)v.wanted.data)[i]);
        ((uint8_t*)v.found.data)[i] = at >= 0;
        char* to = (char*)v.output.data + (size_t)i * row;
        if (row == 0) continue;
        if (at < 0) {
            memset(to, 0, row);
        } else {
            memcpy(to, (const char*)v.values.data + (size_t)at * row, row);
        }
    }
    return kTfLiteOk;
}

const LiteKernel lite_kernel_HASHTABLE_LOOKUP = {.prepare = prepare, .invoke = invoke};
