// SPDX-License-Identifier: Apache-2.0
// The options of oclite bench: the flags of the reference, then ours.
#ifndef TOOLS_BENCH_FLAGS_H_
#define TOOLS_BENCH_FLAGS_H_

#include "tools/bench/bench.h"

extern const ToolOption bench_options[]; // ends with a NULL name
extern const BenchSettings bench_defaults;

#endif
