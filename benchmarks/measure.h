// SPDX-License-Identifier: Apache-2.0
// For the programs that measure models on OpenCL.
#ifndef BENCHMARKS_MEASURE_H_
#define BENCHMARKS_MEASURE_H_

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "oclite/opencl.h"

// Seconds since some moment.
static inline double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// Ends the program where something that it needs has failed.
static inline void check(bool good, const char* what) {
    if (good) return;
    fprintf(stderr, "%s failed: %s\n", what, oclite_opencl_last_error());
    exit(1);
}

#endif
