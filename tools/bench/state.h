// SPDX-License-Identifier: Apache-2.0
// What an interpreter consists of, for people.
#ifndef TOOLS_BENCH_STATE_H_
#define TOOLS_BENCH_STATE_H_

#include "tensorflow/lite/c/common.h"
#include "tools/bench/bench.h"

// Prints subgraphs, tensors and nodes.
void bench_print_state(const Bench* bench, const char* when); // "pre" or "post"

// The name of a kind of memory, "kTfLiteArenaRw".
const char* bench_memory_kind(TfLiteAllocationType type);

#endif
