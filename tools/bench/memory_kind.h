// SPDX-License-Identifier: Apache-2.0
// Names of TensorFlow Lite's kinds of memory.
#ifndef TOOLS_BENCH_MEMORY_KIND_H_
#define TOOLS_BENCH_MEMORY_KIND_H_

#include "tensorflow/lite/c/common.h"

const char* bench_memory_kind(TfLiteAllocationType type); // "kTfLiteArenaRw"

#endif
