// SPDX-License-Identifier: Apache-2.0
// The profile, in the form that --op_profiling_output_mode names.
#ifndef TOOLS_BENCH_PROFILE_OUTPUT_H_
#define TOOLS_BENCH_PROFILE_OUTPUT_H_

#include "tools/bench/bench.h"

// The profile in the form that --op_profiling_output_mode names.
ToolStatus bench_write_profile(const Bench* bench, ToolMessage* message);

#endif
