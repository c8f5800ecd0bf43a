// SPDX-License-Identifier: Apache-2.0
// Elements of quantized weights, packed types included.
#ifndef KERNELS_CPU_GEMM_WEIGHTS_H_
#define KERNELS_CPU_GEMM_WEIGHTS_H_

#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/c/c_api_types.h"

// Element `i` of INT8, UINT8, INT16, INT4 (two to a byte) or INT2 (four to a byte), low bits first.
static inline int32_t lite_weight(TfLiteType type, const void* data, size_t i) {
    const uint8_t* bytes = data;
    switch (type) {
    case kTfLiteInt8:
        return (int8_t)bytes[i];
    case kTfLiteUInt8:
        return bytes[i];
    case kTfLiteInt16:
        return ((const int16_t*)data)[i];
    case kTfLiteInt4:
        return (((bytes[i / 2] >> (i % 2 * 4)) & 15) ^ 8) - 8;
    case kTfLiteInt2:
        return (((bytes[i / 4] >> (i % 4 * 2)) & 3) ^ 2) - 2;
    default:
        return 0;
    }
}

#endif
