// SPDX-License-Identifier: Apache-2.0
// The #define lines that a kernel's source is compiled with.
#ifndef DELEGATE_OPENCL_OPS_COMMON_PRELUDE_H_
#define DELEGATE_OPENCL_OPS_COMMON_PRELUDE_H_

#include "core/base/status.h"

// Room for a prelude.
enum { LITE_CL_PRELUDE = 4096 };

// A prelude in the making.
typedef struct LiteClPrelude {
    int length;
    char text[LITE_CL_PRELUDE];
} LiteClPrelude;

// Appends "#define " and the text.
void lite_cl_define(LiteClPrelude* prelude, const char* format, ...) LITE_PRINTF(2, 3);

// Appends the lines of another one.
void lite_cl_prelude_append(LiteClPrelude* prelude, const LiteClPrelude* other);

// Defines how kernels use elements of a type; `prefix` tells several types apart.
//   TYPE            in memory
//   VALUE           computed with; also T, and U: unsigned, at least as wide and at least 32 bits
//   LOAD(p, i)      element i as a VALUE
//   STORE(p, i, v)  not of packed types
//   REAL            1 for floating point types, else 0; for integers also LOW and HIGH
void lite_cl_define_type(LiteClPrelude* prelude, const char* prefix, TfLiteType type);

// For kernels that compute with vectors of float, which memory holds as float or float16. Defines TYPE, and
// how vectors are read and written: VREAD(p), VWRITE(v, p), and of FLOAT16 PART(n, v, p),
// which stores n elements, 4 or 8.
void lite_cl_define_vectors(LiteClPrelude* prelude, TfLiteType type);

// The same for floats where all vectors lie at multiples of their size, which GPUs then read at once.
void lite_cl_define_aligned_vectors(LiteClPrelude* prelude);

// Defines TYPE as an integer of the element's size, for kernels that only move elements.
void lite_cl_define_element(LiteClPrelude* prelude, TfLiteType type);

#endif
