// SPDX-License-Identifier: Apache-2.0
// How often something can be done in a second.
#ifndef TOOLS_TIMING_H_
#define TOOLS_TIMING_H_

#include "tools/status.h"

// Seconds of a clock that is never set.
double tool_now(void);

// What two readings of the clock, one after the other, are apart: the median of many, seconds.
double tool_clock_cost(void);

// Does something `rounds` times.
typedef ToolStatus (*ToolRounds)(void* data, long rounds);

// Rounds per second: the median of five calls of `run` with as many rounds as take some 20 ms, of fewer calls
// where a round is so long that they would take half a second. What is called first is not counted.
// 0 where even a billion rounds take no time: then nothing is done.
ToolStatus tool_rate(ToolRounds run, void* data, double* rate);

#endif
