// SPDX-License-Identifier: Apache-2.0
// Figures and outputs in Protocol Buffers: tflite.tools.benchmark.BenchmarkResult and tensorflow.Example.
#ifndef TOOLS_BENCH_RESULT_MESSAGE_H_
#define TOOLS_BENCH_RESULT_MESSAGE_H_

#include "tools/bench/bench.h"

// Figures, and outputs, in Protocol Buffers, to the paths of the settings.
ToolStatus bench_write_result(Bench* bench, ToolMessage* message);
ToolStatus bench_write_example(const Bench* bench, ToolMessage* message);

#endif
