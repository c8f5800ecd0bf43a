// SPDX-License-Identifier: Apache-2.0
// Files of the reference in Protocol Buffers: the profile, and what the interpreter consists of.
#ifndef TOOLS_BENCH_PROFILE_MESSAGE_H_
#define TOOLS_BENCH_PROFILE_MESSAGE_H_

#include <stdio.h>

#include "tools/bench/bench.h"

// tflite.profiling.BenchmarkProfilingData
ToolStatus bench_put_profile(const Bench* bench, FILE* out, ToolMessage* message);

#endif
