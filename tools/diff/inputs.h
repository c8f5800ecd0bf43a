// SPDX-License-Identifier: Apache-2.0
// The inputs of both sides.
#ifndef TOOLS_DIFF_INPUTS_H_
#define TOOLS_DIFF_INPUTS_H_

#include <stdint.h>

#include "tools/common/command.h"
#include "tools/common/tensor_io.h"

// Reads the files, checks them against the inputs of `interpreter`, gives these their shapes, and allocates
// the tensors. `inputs` has one element for each input of the model; those without a file stay {0}. `said`
// receives the messages of the library.
ToolStatus diff_inputs_prepare(TfLiteInterpreter* interpreter, const ToolList* files, const ToolList* shapes,
                               ToolInput* inputs, const ToolMessage* said, ToolMessage* message);

// Fills the inputs without a file with new random values for each inference. `state` is the generator's.
ToolStatus diff_inputs_fill(TfLiteInterpreter* interpreter, int file_count, uint64_t* state,
                            ToolInput* inputs, ToolMessage* message);

#endif
