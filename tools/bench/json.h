// SPDX-License-Identifier: Apache-2.0
// All figures as JSON.
#ifndef TOOLS_BENCH_JSON_H_
#define TOOLS_BENCH_JSON_H_

#include "tools/bench/bench.h"

// Writes them to the file of --json.
ToolStatus bench_write_json(Bench* bench, ToolMessage* message);

#endif
