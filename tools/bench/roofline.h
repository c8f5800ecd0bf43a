// SPDX-License-Identifier: Apache-2.0
// What nodes do in their time, beside what the processor and the device reach at most.
#ifndef TOOLS_BENCH_ROOFLINE_H_
#define TOOLS_BENCH_ROOFLINE_H_

#include "tools/bench/bench.h"

// The least time for so much work is the longest of three: operations at the peak's rate, bytes at its
// bandwidth, and on a device a launch. Which it is, is the roof; the share is that time to the real one.
typedef struct BenchRate {
    double milliseconds; // of an inference
    double operations;   // -1: not known
    double bytes;
    double gflops; // in a second; -1: not known
    double gigabytes;
    double share;     // percent; -1: not known, or no peaks were measured
    const char* roof; // "compute", "memory", "launch", "" when the share is not known
} BenchRate;

// On the CPU a convolution may be computed by the node behind it, and does not run by itself: which one the
// i-th row of the profile's nodes has computed as well, -1 for none.
int bench_joined_node(const Bench* bench, int row);

// Of the i-th row of the profile's nodes. A delegate's node has the time that the host sees.
BenchRate bench_rate_node(const Bench* bench, int row);

// Kernels of the same nodes are behind one another: where those of others begin.
int bench_next_operator(const ToolProfile* profile, int first);
// Of all kernels from `first` on that are of the same nodes, as the device has timed them. What nodes that
// are computed at once give to each other is no traffic.
BenchRate bench_rate_operator(const Bench* bench, int first);

// Measures what the processor reaches with the interpreter's threads, and the device.
ToolStatus bench_measure_peaks(Bench* bench, ToolMessage* message);

// The table, for people.
void bench_report_rates(const Bench* bench);

#endif
