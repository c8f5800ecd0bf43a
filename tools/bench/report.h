// SPDX-License-Identifier: Apache-2.0
// What was measured, for people and for readers of the output of the reference.
#ifndef TOOLS_BENCH_REPORT_H_
#define TOOLS_BENCH_REPORT_H_

#include "tools/bench/bench.h"

// Prints what was measured, in the lines of the reference.
void bench_report_reference(const Bench* bench);
// Prints what was measured, in oclite's own form.
void bench_report(Bench* bench);

#endif
