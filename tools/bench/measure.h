// SPDX-License-Identifier: Apache-2.0
// The timed inferences. Only the inference itself lies between the two readings of the clock.
#ifndef TOOLS_BENCH_MEASURE_H_
#define TOOLS_BENCH_MEASURE_H_

#include "tools/bench/bench.h"

// Runs the warm-up and the timed inferences.
ToolStatus bench_measure(Bench* bench, ToolMessage* message);

#endif
