// SPDX-License-Identifier: Apache-2.0
#include "tools/common/element.h"

#include <stdint.h>
#include <string.h>

#include "tools/common/npy.h"

// Returns the bits of integers of which several share a byte, the first in the lowest bits; 0 for other
// types.
static int packed_bits(TfLiteType type) {
    switch (type) {
    case kTfLiteInt4:
    case kTfLiteUInt4:
        return 4;
    case kTfLiteInt2:
        return 2;
    default:
        return 0;
    }
}

TfLiteType tool_element_file_type(TfLiteType type) {
    switch (type) {
    case kTfLiteInt4:
    case kTfLiteInt2:
        return kTfLiteInt8;
    case kTfLiteUInt4:
    case kTfLiteFloat8E4M3FN:
    case kTfLiteFloat8E5M2:
        return kTfLiteUInt8;
    case kTfLiteBFloat16:
        return kTfLiteFloat32;
    default:
        return tool_npy_element_size(type) ? type : kTfLiteNoType;
    }
}

size_t tool_element_tensor_bytes(TfLiteType type, size_t count) {
    const size_t bits = (size_t)packed_bits(type);
    if (bits) return count / (8 / bits) + (count % (8 / bits) != 0);
    if (type == kTfLiteBFloat16) return count * 2;
    return count * tool_npy_element_size(tool_element_file_type(type));
}

static uint16_t bfloat16_of_float(const uint8_t* file) {
    uint32_t bits;
    memcpy(&bits, file, sizeof(bits));
    const bool is_nan = (bits & 0x7fffffffu) > 0x7f800000u;
    // A NaN could be rounded to infinity; the quiet bit keeps it a NaN.
    if (is_nan) return (uint16_t)(bits >> 16 | 0x40u);
    return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

void tool_element_to_tensor(TfLiteType type, size_t count, const void* file, void* tensor) {
    const uint8_t* in = file;
    uint8_t* out = tensor;
    const size_t bits = (size_t)packed_bits(type);
    if (bits) {
        memset(out, 0, tool_element_tensor_bytes(type, count));
        for (size_t i = 0; i < count; i++) {
            const unsigned value = in[i] & ((1u << bits) - 1);
            out[i * bits / 8] |= (uint8_t)(value << i * bits % 8);
        }
    } else if (type == kTfLiteBFloat16) {
        for (size_t i = 0; i < count; i++) {
            const uint16_t value = bfloat16_of_float(in + i * sizeof(float));
            memcpy(out + i * sizeof(value), &value, sizeof(value));
        }
    } else if (type == kTfLiteBool) {
        for (size_t i = 0; i < count; i++) out[i] = in[i] != 0;
    } else if (count) {
        memcpy(out, in, tool_element_tensor_bytes(type, count));
    }
}

void tool_element_to_file(TfLiteType type, size_t count, const void* tensor, void* file) {
    const uint8_t* in = tensor;
    uint8_t* out = file;
    const size_t bits = (size_t)packed_bits(type);
    if (bits) {
        const unsigned sign = type == kTfLiteUInt4 ? 0 : 1u << (bits - 1);
        for (size_t i = 0; i < count; i++) {
            const unsigned value = (unsigned)in[i * bits / 8] >> i * bits % 8 & ((1u << bits) - 1);
            out[i] = (uint8_t)((value ^ sign) - sign);
        }
    } else if (type == kTfLiteBFloat16) {
        for (size_t i = 0; i < count; i++) {
            uint16_t high;
            memcpy(&high, in + i * sizeof(high), sizeof(high));
            const uint32_t value = (uint32_t)high << 16;
            memcpy(out + i * sizeof(value), &value, sizeof(value));
        }
    } else if (count) {
        memcpy(out, in, tool_element_tensor_bytes(type, count));
    }
}
