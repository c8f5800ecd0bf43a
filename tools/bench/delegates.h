// SPDX-License-Identifier: Apache-2.0
// The delegates that the flags ask for.
#ifndef TOOLS_BENCH_DELEGATES_H_
#define TOOLS_BENCH_DELEGATES_H_

#include "tools/bench/bench.h"

// Returns the OpenCL delegate; NULL when there is none.
const TfLiteDelegate* bench_opencl(const Bench* bench);

// Applies the delegates that the settings ask for, in the order of the command line.
ToolStatus bench_apply_delegates(Bench* bench, ToolMessage* message);
// Counts the nodes of the OpenCL delegate by the precision that they have now.
BenchPrecision bench_precision(const Bench* bench);
void bench_delete_delegates(Bench* bench); // after the interpreter

#endif
