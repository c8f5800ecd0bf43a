// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/support/ints.h"

#include <string.h>

#include "kernels-cpu/support/check.h"

// Contents may lie at any address in a model file.
#define READ_AS(TYPE)                                                                                        \
    {                                                                                                        \
        TYPE value;                                                                                          \
        memcpy(&value, (const char*)view->data + index * (int64_t)sizeof value, sizeof value);               \
        return value;                                                                                        \
    }

int64_t lite_ints_at(const LiteView* view, int64_t index) {
    switch (view->type) {
    case kTfLiteInt8:
        READ_AS(int8_t)
    case kTfLiteBool:
        return ((const uint8_t*)view->data)[index] != 0;
    case kTfLiteInt16:
        READ_AS(int16_t)
    case kTfLiteInt64:
        READ_AS(int64_t)
    default:
        READ_AS(int32_t)
    }
}

#define COPY_AS(TYPE)                                                                                        \
    for (int64_t i = 0; i < count; i++) {                                                                    \
        TYPE value;                                                                                          \
        memcpy(&value, (const char*)view->data + i * (int64_t)sizeof value, sizeof value);                   \
        to[i] = value;                                                                                       \
    }                                                                                                        \
    return;

void lite_ints_widen(const LiteView* view, int64_t* to) {
    const int64_t count = view->count;
    switch (view->type) {
    case kTfLiteInt16:
        COPY_AS(int16_t)
    case kTfLiteInt32:
        COPY_AS(int32_t)
    case kTfLiteInt64:
        COPY_AS(int64_t)
    default:
        for (int64_t i = 0; i < count; i++) to[i] = lite_ints_at(view, i);
    }
}

TfLiteStatus lite_ints_read(TfLiteOpaqueContext* context, const char* op, const char* what,
                            const LiteView* view, int capacity, int64_t* values, int* count) {
    LITE_TRY(lite_check_types(context, op, what, view, LITE_TYPE(Int32) | LITE_TYPE(Int64)));
    if (view->count > capacity) {
        return lite_fail(context, "%s: %s has %lld elements, at most %d are supported", op, what,
                         (long long)view->count, capacity);
    }
    if (view->count > 0 && view->data == NULL) return lite_fail(context, "%s: %s has no data", op, what);
    *count = (int)view->count;
    for (int i = 0; i < *count; i++) values[i] = lite_ints_at(view, i);
    return kTfLiteOk;
}

TfLiteStatus lite_ints_read_one(TfLiteOpaqueContext* context, const char* op, const char* what,
                                const LiteView* view, int64_t* value) {
    if (view->count != 1) {
        return lite_fail(context, "%s: %s has %lld elements, expected 1", op, what, (long long)view->count);
    }
    int count;
    return lite_ints_read(context, op, what, view, 1, value, &count);
}

TfLiteStatus lite_ints_axis(TfLiteOpaqueContext* context, const char* op, int64_t axis, int rank,
                            int* resolved) {
    if (axis < -rank || axis >= rank) {
        return lite_fail(context, "%s: axis %lld is out of range for %d dimensions: Invalid axis value.", op,
                         (long long)axis, rank);
    }
    *resolved = (int)(axis < 0 ? axis + rank : axis);
    return kTfLiteOk;
}
