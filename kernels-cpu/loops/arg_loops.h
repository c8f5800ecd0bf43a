// SPDX-License-Identifier: Apache-2.0
// Searches for the largest or smallest element, the first one among equals; NaN is passed over, and among
// nothing else it is the first element.
#ifndef KERNELS_CPU_LOOPS_ARG_LOOPS_H_
#define KERNELS_CPU_LOOPS_ARG_LOOPS_H_

#include <stdbool.h>
#include <stdint.h>

#include "tensorflow/lite/c/c_api_types.h"

enum { kLiteArgColumns = 256 };

typedef struct LiteArgLoops {
    // Where it is among `count` >= 1 elements.
    int64_t (*along)(const void* data, int64_t count);
    // The same for each of `columns` <= kLiteArgColumns columns of `count` rows that are `stride` elements
    // apart.
    void (*across)(const void* data, int64_t count, int64_t stride, int64_t columns, int32_t* found);
} LiteArgLoops;

// false when there are none for the type.
bool lite_arg_loops(TfLiteType type, bool maximum, LiteArgLoops* loops);

#endif
