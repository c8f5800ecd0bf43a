// SPDX-License-Identifier: Apache-2.0
// In what precision products of floats keep the constants that they are packed from. An interpreter has one
// choice; kernels ask for it when they prepare a node.
#ifndef CORE_BASE_PRECISION_H_
#define CORE_BASE_PRECISION_H_

typedef enum LitePrecision {
    kLitePrecisionFloat32,
    kLitePrecisionBfloat16,
    kLitePrecisionFloat16,
    kLitePrecisions // how many there are
} LitePrecision;

// The name that programs use; NULL when there is no such precision.
const char* lite_precision_name(LitePrecision precision);

// The precision of that name; kLitePrecisions when there is none.
LitePrecision lite_precision_find(const char* name);

#endif
