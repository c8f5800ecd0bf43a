// SPDX-License-Identifier: Apache-2.0
// The largest elements of a row, for operators that rank.
#ifndef KERNELS_CPU_TOPK_H_
#define KERNELS_CPU_TOPK_H_

#include <stdbool.h>
#include <stdint.h>

#include "tensorflow/lite/c/c_api_types.h"

// FLOAT32, INT8, UINT8, INT16, INT32 and INT64.
bool lite_topk_supports(TfLiteType type);

// The numbers of the `k` largest of `count` elements, largest first, the first one among equals first.
// 0 <= k <= count; a type that is supported.
void lite_topk_select(const void* row, TfLiteType type, int32_t count, int32_t k, int32_t* chosen);

#endif
