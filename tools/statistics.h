// SPDX-License-Identifier: Apache-2.0
// What a series of measurements says.
#ifndef TOOLS_STATISTICS_H_
#define TOOLS_STATISTICS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What can be said without keeping the values. Starts as {0}.
typedef struct ToolMoments {
    int64_t count;
    double first;
    double last;
    double min;
    double max;
    double sum;
    double mean;
    double squares; // of the differences from the mean, summed
} ToolMoments;

void tool_moments_add(ToolMoments* moments, double value);
// Of the values as the whole population; 0 for none.
double tool_moments_variance(const ToolMoments* moments);
double tool_moments_deviation(const ToolMoments* moments);

// The same, and values for percentiles: all of them up to TOOL_SERIES_KEPT, of longer series every second,
// every fourth, ... Starts as {0}.
enum { TOOL_SERIES_KEPT = 1 << 20 };
typedef struct ToolSeries {
    ToolMoments moments;
    double* kept;
    size_t kept_count;
    size_t capacity;
    int64_t stride; // of the kept ones; 0 counts as 1
    bool is_sorted;
} ToolSeries;

// False when out of memory; the moments then have the value, but percentiles have not.
bool tool_series_add(ToolSeries* series, double value);
void tool_series_free(ToolSeries* series); // accepts {0}

// The value that `percent` of 100 values are smaller than, by rank; 0 for an empty series. Nothing may be
// added after the first call.
double tool_series_percentile(ToolSeries* series, double percent);

#endif
