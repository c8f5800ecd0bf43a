// SPDX-License-Identifier: Apache-2.0
// Pseudo-random contents for the inputs of a model, the same in every run of the program.
#ifndef TOOLS_COMMON_RANDOM_INPUT_H_
#define TOOLS_COMMON_RANDOM_INPUT_H_

#include <stdbool.h>
#include <stdint.h>

#include "tensorflow/lite/c/c_api.h"
#include "tools/common/status.h"

// A range of values. Integers may take both ends, floats only the lower one.
typedef struct ToolRange {
    double low;
    double high;
} ToolRange;

// Returns the range that the reference's benchmark tool uses for a type: -0.5 to 0.5 for floats, 0 to 99 for
// integers of 32 bits and more, -127 to 127 and 0 to 254 for those of 8 bits, 0 for those of 16 bits, and all
// values of smaller types.
ToolRange tool_random_range(TfLiteType type);

// Fills an allocated tensor. Strings become a sentence; resources and variants remain unchanged. `state` is
// the generator's, at first any number. Values outside of the type's range become the nearest in it.
ToolStatus tool_random_fill(TfLiteTensor* tensor, ToolRange range, uint64_t* state, ToolMessage* message);

#endif
