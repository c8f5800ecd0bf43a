// SPDX-License-Identifier: Apache-2.0
// A line for each node, for each operator on the device, and for each of its kernels.
#ifndef TOOLS_BENCH_CSV_H_
#define TOOLS_BENCH_CSV_H_

#include "tools/bench/bench.h"

// Writes them to the file of --csv.
ToolStatus bench_write_csv(const Bench* bench, ToolMessage* message);

#endif
