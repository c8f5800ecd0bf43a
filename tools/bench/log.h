// SPDX-License-Identifier: Apache-2.0
// The command line, in the words of the reference.
#ifndef TOOLS_BENCH_LOG_H_
#define TOOLS_BENCH_LOG_H_

#include "tools/bench/bench.h"

// Prints the flags that were given, and their values.
void bench_log_settings(const Bench* bench);
// Prints one line for each given flag that has no effect, and why.
void bench_log_idle(const Bench* bench);

#endif
