// SPDX-License-Identifier: Apache-2.0
// The rates that nodes achieve, compared with what the processor and the device reach at most.
#ifndef TOOLS_BENCH_ROOFLINE_H_
#define TOOLS_BENCH_ROOFLINE_H_

#include "tools/bench/bench.h"

// The shortest possible time of a node is the largest of three: its operations at the peak rate, its bytes at
// the bandwidth of as many bytes (tool_peak_bandwidth), and on a device a launch. The largest one is the
// roof. The share is the shortest possible time divided by the measured one.
typedef struct BenchRate {
    double milliseconds; // of an inference
    double operations;   // -1: not known
    double bytes;
    double gflops; // in a second; -1: not known
    double gigabytes;
    double share;     // percent; -1: not known, or no peaks were measured
    const char* roof; // "compute", "memory", "launch", "" when the share is not known
} BenchRate;

// On the CPU the next node may compute a convolution, which then does not run by itself. Returns the node
// that row `row` of the profile has computed as well; -1 for none.
int bench_joined_node(const Bench* bench, int row);

// Returns the rate of a row of the profile. The time of a delegate's node is what the host measures.
BenchRate bench_rate_node(const Bench* bench, int row);

// Kernels of the same nodes follow each other. Returns the first kernel after those that have the nodes of
// `first`.
int bench_next_operator(const BenchProfile* profile, int first);
// Returns the rate of all kernels from `first` on that have the same nodes, as timed by the device. Tensors
// between nodes that are computed at once do not count as traffic.
BenchRate bench_rate_operator(const Bench* bench, int first);

// Measures the peak of the processor, with the interpreter's threads, and of the device.
ToolStatus bench_measure_peaks(Bench* bench, ToolMessage* message);

// Prints the table for people.
void bench_report_rates(const Bench* bench);

#endif
