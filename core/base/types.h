// SPDX-License-Identifier: Apache-2.0
// Sets of element types, as bits: LITE_TYPE(Float32) | LITE_TYPE(Int8).
#ifndef CORE_BASE_TYPES_H_
#define CORE_BASE_TYPES_H_

#include <stdbool.h>

#include "tensorflow/lite/c/c_api_types.h"

#define LITE_TYPE(Name) (1u << kTfLite##Name)

#define LITE_TYPES_FLOAT (LITE_TYPE(Float32) | LITE_TYPE(Float16))
#define LITE_TYPES_HALF (LITE_TYPE(Float16) | LITE_TYPE(BFloat16))
#define LITE_TYPES_BYTE (LITE_TYPE(Int8) | LITE_TYPE(UInt8))
#define LITE_TYPES_INTEGER (LITE_TYPES_BYTE | LITE_TYPE(Int16) | LITE_TYPE(Int32) | LITE_TYPE(Int64))
// Every type whose elements are whole bytes.
#define LITE_TYPES_FIXED                                                                                     \
    (LITE_TYPES_INTEGER | LITE_TYPES_HALF | LITE_TYPE(Float32) | LITE_TYPE(Float64) | LITE_TYPE(UInt16) |    \
     LITE_TYPE(UInt32) | LITE_TYPE(UInt64) | LITE_TYPE(Bool) | LITE_TYPE(Complex64) | LITE_TYPE(Complex128))

// A bit for each TfLiteType that a library of selected operators (cmake/selected.cmake) has loops for.
// Kernels never see a tensor of another: lite_kernel_input and lite_kernel_output refuse it.
#ifndef LITE_SELECTED_TYPES
#define LITE_SELECTED_TYPES (~0u)
#endif
#define LITE_HAS_TYPE(type) ((LITE_SELECTED_TYPES >> (type)&1u) != 0)

static inline bool lite_types_contain(unsigned types, TfLiteType type) {
    return (unsigned)type < 32 && (types >> type & 1u) != 0;
}

#endif
