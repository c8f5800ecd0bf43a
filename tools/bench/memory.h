// SPDX-License-Identifier: Apache-2.0
// The memory of the process, as Linux reports it.
#ifndef TOOLS_BENCH_MEMORY_H_
#define TOOLS_BENCH_MEMORY_H_

// Return the resident memory of the process in bytes: the peak so far, and the present size.
double bench_peak_resident(void);
double bench_resident(double* shared); // `shared`, unless NULL: the part that is of files or shared
// Checks the resident memory every `milliseconds`, on a thread of its own, until it is stopped.
typedef struct BenchMonitor BenchMonitor;
BenchMonitor* bench_monitor_start(int milliseconds); // NULL when there is no thread or no memory
double bench_monitor_stop(BenchMonitor* monitor);    // returns the most that was seen; accepts NULL

#endif
