// SPDX-License-Identifier: Apache-2.0
// Elements of a type to and from the two types that conversions go through.
#ifndef KERNELS_CPU_LOOPS_CAST_LOOPS_H_
#define KERNELS_CPU_LOOPS_CAST_LOOPS_H_

#include <stdbool.h>
#include <stdint.h>

#include "tensorflow/lite/c/c_api_types.h"

enum { kLitePiece = 256 };

typedef union LitePiece {
    double real[kLitePiece];
    int64_t integer[kLitePiece];
} LitePiece;

typedef struct LiteConversion {
    TfLiteType type;
    bool integer; // what `load` fills in
    void (*load)(const void* from, LitePiece* piece, int count);
    void (*store_real)(const LitePiece* piece, void* to, int count);
    void (*store_integer)(const LitePiece* piece, void* to, int count);
} LiteConversion;

// (T)x for all x; limits of 64-bit types are rounded up as doubles, hence the comparisons.
#define LITE_SATURATE(x, VALUE, LOW, HIGH)                                                                   \
    ((x) != (x) || (x) >= (double)(HIGH) ? (VALUE)(HIGH) : (x) <= (double)(LOW) ? (VALUE)(LOW) : (VALUE)(x))

// NULL for types that are not converted.
const LiteConversion* lite_conversion(TfLiteType type);

#endif
