// SPDX-License-Identifier: Apache-2.0
// LiteRT in a Python process of its own (litert.py), which runs the models that it is asked to.
#ifndef TOOLS_DIFF_LITERT_H_
#define TOOLS_DIFF_LITERT_H_

#include "tools/status.h"
#include "tools/tensor_io.h"

typedef struct DiffLitert DiffLitert;

// Starts `python` (NULL: $OCLITE_PYTHON, else python3) and waits for its word that it has LiteRT. `folder` is
// for files that pass between the two; it outlives the process. NULL and a message without.
DiffLitert* diff_litert_start(const char* python, const char* folder, ToolMessage* message);
// Ends the process. Accepts NULL.
void diff_litert_stop(DiffLitert* litert);

// "ai_edge_litert 2.3.0"
const char* diff_litert_name(const DiffLitert* litert);

// A model that is open there has a number. `resolver` is "auto", "reference" or "builtin".
ToolStatus diff_litert_open(DiffLitert* litert, const char* model, const char* resolver, int threads,
                            int* number, ToolMessage* message);
// Inputs are resized as their values are. Of outputs that Python cannot show the value is of kTfLiteNoType.
ToolStatus diff_litert_invoke(DiffLitert* litert, int number, const ToolInput* inputs, int input_count,
                              ToolInput* outputs, int output_count, ToolMessage* message);
void diff_litert_close(DiffLitert* litert, int number);

#endif
