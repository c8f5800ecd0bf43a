// SPDX-License-Identifier: Apache-2.0
// Elements of a type to and from the four types that conversions go through.
#ifndef KERNELS_CPU_LOOPS_CAST_LOOPS_H_
#define KERNELS_CPU_LOOPS_CAST_LOOPS_H_

#include <stdbool.h>
#include <stdint.h>

#include "tensorflow/lite/c/c_api_types.h"

enum { kLitePiece = 256 };

// The smallest that holds all values of a type: with AVX2 there are no vectors of conversions of 64 bits.
typedef enum LiteMiddle { kLiteMiddleI32, kLiteMiddleI64, kLiteMiddleF32, kLiteMiddleF64 } LiteMiddle;

typedef struct LiteConversion {
    TfLiteType type;
    LiteMiddle middle;
    void (*load)(const void* from, void* to, int count);      // to the middle type; NULL: it is that
    void (*to_floats)(const void* from, void* to, int count); // NULL: by way of the middle type
    void (*store[kLiteMiddleF64 + 1])(const void* from, void* to, int count);
} LiteConversion;

// (VALUE)x for all x of the type REAL; limits that it rounds are rounded up, hence the comparisons.
#define LITE_SATURATE(x, REAL, VALUE, LOW, HIGH)                                                             \
    ((x) != (x) || (x) >= (REAL)(HIGH) ? (VALUE)(HIGH) : (x) <= (REAL)(LOW) ? (VALUE)(LOW) : (VALUE)(x))

// NULL for types that are not converted.
const LiteConversion* lite_conversion(TfLiteType type);

#endif
