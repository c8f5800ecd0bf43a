// SPDX-License-Identifier: Apache-2.0
// The largest elements of a row, for operators that rank.
#ifndef KERNELS_CPU_SUPPORT_RANKING_H_
#define KERNELS_CPU_SUPPORT_RANKING_H_

#include <stdbool.h>
#include <stdint.h>

#include "tensorflow/lite/c/c_api_types.h"

// FLOAT32, INT8, UINT8, INT16, INT32 and INT64.
bool lite_ranking_supports(TfLiteType type);

// Writes the indices of the `k` largest of `count` elements to `chosen`, largest first. Among equal elements
// the first one comes first, NaN behind all numbers. 0 <= k <= count; the type is supported.
void lite_ranking_select(const void* row, TfLiteType type, int32_t count, int32_t k, int32_t* chosen);

#endif
