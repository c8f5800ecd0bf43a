// SPDX-License-Identifier: Apache-2.0
#include "core/base/shape.h"

#include <stdio.h>
#include <string.h>

bool lite_size_mul(size_t a, size_t b, size_t* product) {
    if (b != 0 && a > SIZE_MAX / b) return false;
    *product = a * b;
    return true;
}

int64_t lite_shape_elements(const LiteShape* shape) {
    int64_t product = 1;
    for (int i = 0; i < shape->rank; i++) {
        if (shape->dims[i] == 0) return 0;
        if (__builtin_mul_overflow(product, (int64_t)shape->dims[i], &product)) product = INT64_MAX;
    }
    return product;
}

LiteShapeText lite_shape_text(const LiteShape* shape) {
    LiteShapeText out = {"["};
    size_t length = 1;
    for (int i = 0; i < shape->rank; i++) {
        length += (size_t)snprintf(out.text + length, sizeof(out.text) - length, i == 0 ? "%d" : ", %d",
                                   shape->dims[i]);
    }
    out.text[length] = ']';
    return out;
}

bool lite_shape_equal(const LiteShape* a, const LiteShape* b) {
    return a->rank == b->rank && memcmp(a->dims, b->dims, (size_t)a->rank * sizeof a->dims[0]) == 0;
}

size_t lite_type_size(TfLiteType type) {
    switch (type) {
    case kTfLiteBool:
    case kTfLiteInt8:
    case kTfLiteUInt8:
    case kTfLiteFloat8E4M3FN:
    case kTfLiteFloat8E5M2:
        return 1;
    case kTfLiteInt16:
    case kTfLiteUInt16:
    case kTfLiteFloat16:
    case kTfLiteBFloat16:
        return 2;
    case kTfLiteFloat32:
    case kTfLiteInt32:
    case kTfLiteUInt32:
        return 4;
    case kTfLiteFloat64:
    case kTfLiteInt64:
    case kTfLiteUInt64:
    case kTfLiteComplex64:
        return 8;
    case kTfLiteComplex128:
        return 16;
    case kTfLiteNoType:
    case kTfLiteString:
    case kTfLiteResource:
    case kTfLiteVariant:
    case kTfLiteInt4:
    case kTfLiteUInt4:
    case kTfLiteInt2:
        break;
    }
    return 0;
}

bool lite_tensor_bytes(TfLiteType type, int64_t count, size_t* bytes) {
    if (count < 0 || (uint64_t)count > SIZE_MAX) return false;
    const size_t n = (size_t)count;
    switch (type) {
    case kTfLiteInt4:
    case kTfLiteUInt4:
        *bytes = n / 2 + n % 2;
        return true;
    case kTfLiteInt2:
        *bytes = n / 4 + (n % 4 != 0);
        return true;
    default: {
        const size_t size = lite_type_size(type);
        return size != 0 && lite_size_mul(n, size, bytes);
    }
    }
}

bool lite_type_limits(TfLiteType type, int32_t* low, int32_t* high) {
    switch (type) {
    case kTfLiteInt4:
        *low = -8, *high = 7;
        return true;
    case kTfLiteInt8:
        *low = INT8_MIN, *high = INT8_MAX;
        return true;
    case kTfLiteUInt8:
        *low = 0, *high = UINT8_MAX;
        return true;
    case kTfLiteInt16:
        *low = INT16_MIN, *high = INT16_MAX;
        return true;
    case kTfLiteUInt16:
        *low = 0, *high = UINT16_MAX;
        return true;
    case kTfLiteInt32:
        *low = INT32_MIN, *high = INT32_MAX;
        return true;
    default:
        return false;
    }
}

bool lite_shape_broadcast(const LiteShape* a, const LiteShape* b, LiteShape* out) {
    const int rank = a->rank > b->rank ? a->rank : b->rank;
    out->rank = rank;
    for (int i = 1; i <= rank; i++) {
        const int32_t x = i <= a->rank ? a->dims[a->rank - i] : 1;
        const int32_t y = i <= b->rank ? b->dims[b->rank - i] : 1;
        if (x != y && x != 1 && y != 1) return false;
        out->dims[rank - i] = x == 1 ? y : x;
    }
    return true;
}

int lite_axis(int axis, int rank) {
    if (axis < -rank || axis >= rank) return -1;
    return axis < 0 ? axis + rank : axis;
}

LiteAxisPadding lite_axis_padding(TfLitePadding padding, int32_t in, int32_t filter, int32_t stride,
                                  int32_t dilation) {
    LiteAxisPadding window = {0, 0, 0};
    if (stride <= 0) return window;
    const int64_t effective = ((int64_t)filter - 1) * dilation + 1;
    int64_t out = 0;
    if (padding == kTfLitePaddingSame) {
        out = ((int64_t)in + stride - 1) / stride;
    } else if (padding == kTfLitePaddingValid) {
        out = ((int64_t)in - effective + stride) / stride;
    }
    if (out <= 0 || out > INT32_MAX) return window;
    window.out = (int32_t)out;
    const int64_t total = (out - 1) * stride + effective - in;
    if (total > 0 && total <= INT32_MAX) {
        window.before = (int32_t)(total / 2);
        window.offset = (int32_t)(total % 2);
    }
    return window;
}
