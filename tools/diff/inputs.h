// SPDX-License-Identifier: Apache-2.0
// What both sides are given.
#ifndef TOOLS_DIFF_INPUTS_H_
#define TOOLS_DIFF_INPUTS_H_

#include <stdint.h>

#include "tools/command.h"
#include "tools/tensor_io.h"

// Reads the files, checks them against the inputs of `interpreter` and gives these their shapes, then
// allocates its tensors. `inputs` has one element for each input of the model; those without a file stay {0}.
// `said` is what the library has to say about it.
ToolStatus diff_inputs_prepare(TfLiteInterpreter* interpreter, const ToolList* files, const ToolList* shapes,
                               ToolInput* inputs, const ToolMessage* said, ToolMessage* message);

// Fills the inputs without a file with random values, anew for each inference; `state` is the generator's.
ToolStatus diff_inputs_fill(TfLiteInterpreter* interpreter, int file_count, uint64_t* state,
                            ToolInput* inputs, ToolMessage* message);

#endif
