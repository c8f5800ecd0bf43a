// SPDX-License-Identifier: Apache-2.0
// LiteRT in a Python process (litert.py), which runs the models that it is asked to.
#ifndef TOOLS_DIFF_LITERT_H_
#define TOOLS_DIFF_LITERT_H_

#include "tools/common/status.h"
#include "tools/common/tensor_io.h"

typedef struct DiffLitert DiffLitert;

// Starts `python` (NULL: $OCLITE_PYTHON, else python3) and waits until it reports that it has LiteRT.
// `folder` is for files between the two processes; it must outlive the process. Returns NULL, with a message,
// on failure.
DiffLitert* diff_litert_start(const char* python, const char* folder, ToolMessage* message);
// Ends the process. Accepts NULL.
void diff_litert_stop(DiffLitert* litert);

// "ai_edge_litert 2.3.0"
const char* diff_litert_name(const DiffLitert* litert);

// An open model has a number. `resolver` is "auto", "reference" or "builtin".
ToolStatus diff_litert_open(DiffLitert* litert, const char* model, const char* resolver, int threads,
                            int* number, ToolMessage* message);
// Inputs take the shapes of their values. An output that Python cannot return has the type kTfLiteNoType.
ToolStatus diff_litert_invoke(DiffLitert* litert, int number, const ToolInput* inputs, int input_count,
                              ToolInput* outputs, int output_count, ToolMessage* message);
void diff_litert_close(DiffLitert* litert, int number);

#endif
