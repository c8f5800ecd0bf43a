// SPDX-License-Identifier: Apache-2.0
// The figures of the timed inferences, by index.
#ifndef TOOLS_BENCH_FIGURES_H_
#define TOOLS_BENCH_FIGURES_H_

#include "tools/bench/bench.h"

enum { kBenchFigures = 9 };

const char* bench_figure_name(int index);     // "median"
double bench_figure(Bench* bench, int index); // in milliseconds

// Returns the time in microseconds of the first inference, which is a warm-up if there was one.
double bench_first_us(const Bench* bench);

#endif
