// SPDX-License-Identifier: Apache-2.0
// Shapes and contents of inputs, and the bytes of outputs.
#ifndef TOOLS_BENCH_VALUES_H_
#define TOOLS_BENCH_VALUES_H_

#include "tools/bench/bench.h"

// Set the shapes of the inputs and, after tensors are allocated, their contents.
ToolStatus bench_shape_inputs(Bench* bench, ToolMessage* message);
ToolStatus bench_fill_inputs(Bench* bench, ToolMessage* message);
// Writes the bytes of all outputs, one after the other.
ToolStatus bench_save_outputs(const Bench* bench, ToolMessage* message);

#endif
