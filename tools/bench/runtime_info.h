// SPDX-License-Identifier: Apache-2.0
// What an interpreter consists of, in Protocol Buffers: tflite.profiling.ModelRuntimeDetails.
#ifndef TOOLS_BENCH_RUNTIME_INFO_H_
#define TOOLS_BENCH_RUNTIME_INFO_H_

#include "tools/bench/bench.h"

// What the interpreter consists of, in Protocol Buffers.
ToolStatus bench_write_runtime_info(const Bench* bench, ToolMessage* message);

#endif
