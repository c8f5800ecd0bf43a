// SPDX-License-Identifier: Apache-2.0
// The clock, and how often something can be done in a second.
#ifndef TOOLS_COMMON_TIMING_H_
#define TOOLS_COMMON_TIMING_H_

#include <stdint.h>

#include "tools/common/status.h"

// The time of a monotonic clock, in nanoseconds, microseconds and seconds.
uint64_t tool_now_ns(void);
double tool_now_us(void);
double tool_now(void);

// Returns the time in seconds between two successive readings of the clock: the median of many.
double tool_clock_cost(void);

// Does something `rounds` times, which may be 0.
typedef ToolStatus (*ToolRounds)(void* data, long rounds);

// Measures rounds per second: of the shortest of five calls of `run`, each with as many rounds as take about
// 20 ms; of three or four calls when five would take more than half a second. The first call is not counted.
// Calls without rounds, in between, take at most a twentieth of that time, or the rounds become more. The
// rate is 0 when even a billion rounds take no time: then nothing is done.
ToolStatus tool_rate(ToolRounds run, void* data, double* rate);

#endif
