// SPDX-License-Identifier: Apache-2.0
#include "tools/common/random_input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tensorflow/lite/c/c_api_opaque.h"
#include "tools/common/element.h"
#include "tools/common/tensor_io.h"

static const char kSentence[] = "the quick brown fox jumps over the lazy dog";

ToolRange tool_random_range(TfLiteType type) {
    switch (type) {
    case kTfLiteInt32:
    case kTfLiteUInt32:
    case kTfLiteInt64:
    case kTfLiteUInt64:
        return (ToolRange){0, 99};
    case kTfLiteUInt8:
        return (ToolRange){0, 254};
    case kTfLiteInt8:
        return (ToolRange){-127, 127};
    case kTfLiteInt16:
    case kTfLiteUInt16:
        return (ToolRange){0, 0};
    case kTfLiteBool:
        return (ToolRange){0, 1};
    case kTfLiteInt4:
        return (ToolRange){-8, 7};
    case kTfLiteUInt4:
        return (ToolRange){0, 15};
    case kTfLiteInt2:
        return (ToolRange){-2, 1};
    default:
        return (ToolRange){-0.5, 0.5};
    }
}

// Returns the next number of SplitMix64, in [0, 1). Any state is a good one.
static double next_random(uint64_t* state) {
    uint64_t bits = *state += 0x9e3779b97f4a7c15u;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebu;
    return (double)((bits ^ bits >> 31) >> 11) * 0x1p-53;
}

// Returns the nearest float16 towards zero.
static uint16_t half_of(double value) {
    const uint16_t sign = signbit(value) ? 0x8000 : 0;
    const double magnitude = fmin(fabs(value), 65504);
    if (magnitude < 0x1p-14) return (uint16_t)(sign | (unsigned)(magnitude * 0x1p24));
    int exponent = 0;
    const double fraction = frexp(magnitude, &exponent); // in [0.5, 1)
    return (uint16_t)(sign | (unsigned)(exponent + 14) << 10 | (unsigned)((fraction * 2 - 1) * 1024));
}

// Returns a value of an integer type, in the bits of a 64-bit integer.
static uint64_t integer_of(double value, double lowest, double highest) {
    const double held = fmin(fmax(value, lowest), highest);
    return held < 0 ? (uint64_t)(int64_t)held : (uint64_t)held;
}

#define PUT(type, value)                                                                                     \
    do {                                                                                                     \
        const type element = (type)(value);                                                                  \
        memcpy(out + i * sizeof(type), &element, sizeof(type));                                              \
    } while (0)

// Sets the i-th element of a type that files have (tool_element_file_type); complex elements count as two.
static void put(TfLiteType type, size_t i, double value, unsigned char* out) {
    switch (type) {
    case kTfLiteFloat32:
    case kTfLiteComplex64:
        PUT(float, value);
        break;
    case kTfLiteFloat64:
    case kTfLiteComplex128:
        PUT(double, value);
        break;
    case kTfLiteFloat16:
        PUT(uint16_t, half_of(value));
        break;
    case kTfLiteInt8:
        PUT(int8_t, integer_of(value, INT8_MIN, INT8_MAX));
        break;
    case kTfLiteUInt8:
        PUT(uint8_t, integer_of(value, 0, UINT8_MAX));
        break;
    case kTfLiteInt16:
        PUT(int16_t, integer_of(value, INT16_MIN, INT16_MAX));
        break;
    case kTfLiteUInt16:
        PUT(uint16_t, integer_of(value, 0, UINT16_MAX));
        break;
    case kTfLiteInt32:
        PUT(int32_t, integer_of(value, INT32_MIN, INT32_MAX));
        break;
    case kTfLiteUInt32:
        PUT(uint32_t, integer_of(value, 0, UINT32_MAX));
        break;
    case kTfLiteInt64:
        PUT(int64_t, integer_of(value, -0x1p62, 0x1p62));
        break;
    case kTfLiteUInt64:
        PUT(uint64_t, integer_of(value, 0, 0x1p63));
        break;
    default:
        out[i] = value != 0; // bool
    }
}

static bool is_real(TfLiteType type) {
    return type == kTfLiteFloat32 || type == kTfLiteFloat64 || type == kTfLiteFloat16 ||
           type == kTfLiteBFloat16 || type == kTfLiteComplex64 || type == kTfLiteComplex128;
}

static ToolStatus fill_strings(TfLiteTensor* tensor, size_t count, ToolMessage* message) {
    const char** items = calloc(count + 1, sizeof(*items));
    int* lengths = calloc(count + 1, sizeof(*lengths));
    TfLiteStatus written = kTfLiteError;
    if (items != NULL && lengths != NULL) {
        for (size_t i = 0; i < count; i++) {
            items[i] = kSentence;
            lengths[i] = (int)sizeof(kSentence) - 1;
        }
        written = TfLiteOpaqueTensorWriteStrings((TfLiteOpaqueTensor*)tensor, items, (int)count, lengths);
    }
    free(items);
    free(lengths);
    if (written == kTfLiteOk) return kToolOk;
    return tool_fail(message, kToolInvoke, "the input tensor %s does not take %zu strings",
                     TfLiteTensorName(tensor), count);
}

ToolStatus tool_random_fill(TfLiteTensor* tensor, ToolRange range, uint64_t* state, ToolMessage* message) {
    if (tool_tensor_is_constant(tensor)) return kToolOk;
    const TfLiteType type = TfLiteTensorType(tensor);
    const TfLiteType file_type = tool_element_file_type(type);
    const ToolShape shape = tool_tensor_shape(tensor);
    size_t count = 0;
    if (!tool_shape_count(&shape, &count)) count = 0;
    if (type == kTfLiteString && count <= 1u << 24) return fill_strings(tensor, count, message);
    unsigned char* data = TfLiteTensorData(tensor);
    if (data == NULL || file_type == kTfLiteNoType || count == 0) return kToolOk;
    const size_t bytes = count * tool_npy_element_size(file_type);
    unsigned char* elements = file_type == type ? data : malloc(bytes);
    if (elements == NULL) return tool_fail(message, kToolInvoke, "out of memory");
    const bool is_complex = type == kTfLiteComplex64 || type == kTfLiteComplex128;
    const double width = range.high - range.low;
    for (size_t i = 0; i < count * (is_complex ? 2 : 1); i++) {
        const double random = next_random(state);
        put(file_type, i,
            is_real(type) ? range.low + width * random : floor(range.low + (width + 1) * random), elements);
    }
    if (elements != data) {
        tool_element_to_tensor(type, count, elements, data);
        free(elements);
    }
    return kToolOk;
}
