// SPDX-License-Identifier: Apache-2.0
// Pseudo-random contents for the inputs of a model, the same in every run of the program.
#ifndef TOOLS_RANDOM_INPUT_H_
#define TOOLS_RANDOM_INPUT_H_

#include <stdbool.h>
#include <stdint.h>

#include "tensorflow/lite/c/c_api.h"
#include "tools/status.h"

// Both ends are possible values; of floats only the lower one.
typedef struct ToolRange {
    double low;
    double high;
} ToolRange;

// What the reference's benchmark tool takes for a type: floats from -0.5 to 0.5, 0 to 99 for integers of 32
// bits and more, -127 to 127 and 0 to 254 for those of 8 bits, 0 for those of 16; all values of smaller ones.
ToolRange tool_random_range(TfLiteType type);

// Fills an allocated tensor, strings with a sentence; resources and variants stay as they are. `state` is
// that of the generator, at first any number. Values beyond what the type holds are its nearest.
ToolStatus tool_random_fill(TfLiteTensor* tensor, ToolRange range, uint64_t* state, ToolMessage* message);

#endif
