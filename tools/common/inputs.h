// SPDX-License-Identifier: Apache-2.0
// Says which files were given for which inputs of a model, when one of them does not fit.
#ifndef TOOLS_COMMON_INPUTS_H_
#define TOOLS_COMMON_INPUTS_H_

#include "tensorflow/lite/c/c_api.h"
#include "tools/common/tensor_io.h"

enum { TOOL_INPUTS_TEXT = 400 };

// Writes the inputs as the model has them: `0 "x" FLOAT32 (1x8x8x1), 1 ...`; of many only the first ones. To
// be called before any input is resized.
void tool_inputs_describe(const TfLiteInterpreter* interpreter, char text[TOOL_INPUTS_TEXT]);

// Adds to a message that a file does not fit what each of the `count` files holds, as far as it was read, and
// what the inputs are. Returns `status`.
ToolStatus tool_inputs_explain(const ToolInput* inputs, int count, const char* described, ToolStatus status,
                               ToolMessage* message);

#endif
