// SPDX-License-Identifier: Apache-2.0
#include "core/graph/made_up.h"

#include <string.h>

#include "core/base/shape.h"
#include "core/graph/graph.h"
#include "core/graph/subgraph.h"

// Steps of 1/32 between -1 and 1: neither NaN nor denormal, exact also with 8 bits of precision.
static float wave(size_t element) {
    enum { kHalf = 32, kPeak = 2 * kHalf };
    const int at = (int)(element % ((size_t)2 * kPeak));
    const int height = at < kPeak ? at : 2 * kPeak - at;
    return (float)(height - kHalf) / kHalf;
}

// The upper half of a FLOAT32 is a BFLOAT16.
static uint16_t bfloat16_wave(size_t element) {
    const float value = wave(element);
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (uint16_t)(bits >> 16);
}

// Of normal numbers that a FLOAT16 holds.
static uint16_t float16_wave(size_t element) {
    const float value = wave(element);
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t sign = bits >> 16 & 0x8000, other = bits & 0x7fffffff;
    return (uint16_t)(other == 0 ? 0 : sign | ((other >> 13) - ((127 - 15) << 10)));
}

#define FILL(Type, value)                                                                                    \
    do {                                                                                                     \
        Type* elements = tensor->data.data;                                                                  \
        for (size_t i = 0; i < tensor->bytes / sizeof *elements; i++) elements[i] = (value);                 \
    } while (0)

static bool is_quantized(const TfLiteTensor* tensor) {
    return tensor->quantization.type != kTfLiteNoQuantization || tensor->params.scale != 0;
}

// In the middle of their range signed numbers are 0.
static void fill_numbers(TfLiteTensor* tensor) {
    const bool quantized = is_quantized(tensor);
    switch (tensor->type) {
    case kTfLiteFloat32:
    case kTfLiteComplex64:
        FILL(float, wave(i));
        return;
    case kTfLiteFloat64:
    case kTfLiteComplex128:
        FILL(double, (double)wave(i));
        return;
    case kTfLiteFloat16:
        FILL(uint16_t, float16_wave(i));
        return;
    case kTfLiteBFloat16:
        FILL(uint16_t, bfloat16_wave(i));
        return;
    case kTfLiteUInt16:
        FILL(uint16_t, quantized ? 0x8000 : 0);
        return;
    case kTfLiteUInt8:
        memset(tensor->data.data, quantized ? 0x80 : 0, tensor->bytes);
        return;
    case kTfLiteUInt4:
        memset(tensor->data.data, quantized ? 0x88 : 0, tensor->bytes);
        return;
    default:
        memset(tensor->data.data, 0, tensor->bytes);
    }
}

// The number of strings, and where each begins and the last ends: all at the end of this.
static TfLiteStatus fill_strings(LiteSubgraph* subgraph, TfLiteTensor* tensor) {
    enum { kMost = 1 << 20 };
    int64_t count;
    if (!lite_shape_count(tensor->dims->data, tensor->dims->size, &count) || count > kMost)
        return lite_subgraph_fail(subgraph, "tensor '%s' has too many strings to be made up", tensor->name);
    const size_t bytes = ((size_t)count + 2) * sizeof(int32_t);
    LITE_TRY(TfLiteTensorRealloc(bytes, tensor));
    int32_t* table = tensor->data.i32;
    table[0] = (int32_t)count;
    for (int64_t i = 0; i <= count; i++) table[1 + i] = (int32_t)bytes;
    return kTfLiteOk;
}

TfLiteStatus lite_make_up_inputs(LiteSubgraph* subgraph) {
    const LiteModelInts inputs = lite_subgraph_inputs(subgraph);
    for (int i = 0; i < inputs.count; i++) {
        TfLiteTensor* tensor = lite_subgraph_tensor(subgraph, inputs.data[i]);
        if (tensor == NULL || tensor->dims == NULL || tensor->allocation_type == kTfLiteMmapRo) continue;
        if (tensor->type == kTfLiteString) {
            LITE_TRY(fill_strings(subgraph, tensor));
        } else if (tensor->data.raw != NULL) {
            fill_numbers(tensor);
        }
    }
    return kTfLiteOk;
}
