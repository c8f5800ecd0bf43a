// SPDX-License-Identifier: Apache-2.0
#ifndef KERNELS_CL_ARGS_SERIES_H_
#define KERNELS_CL_ARGS_SERIES_H_

enum {
    LITE_CL_SERIES_OUTSIDE = 16, // addresses below it are numbers of buffers that are arguments
    LITE_CL_SERIES_BUFFERS = 12, // of a step, at most
    LITE_CL_SERIES_RANGES = 8,   // into which the items of a step are divided at most
    LITE_CL_SERIES_LINE = 16,    // counters from one that other cores change to the next: 64 bytes
};

typedef struct LiteClSeriesArgs {
    int steps;
    int ranges; // of each step
    int run;    // how many there were before, modulo 2^32
} LiteClSeriesArgs;

typedef struct LiteClSeriesStep {
    int kind;      // which function
    int items;     // in all
    int size[3];   // along the dimensions
    int arguments; // where its struct begins, in ints
    int addresses; // where those of its buffers begin
    int buffers;   // how many it has
} LiteClSeriesStep;

#endif
