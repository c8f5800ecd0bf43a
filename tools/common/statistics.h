// SPDX-License-Identifier: Apache-2.0
// Statistics of a series of measurements.
#ifndef TOOLS_COMMON_STATISTICS_H_
#define TOOLS_COMMON_STATISTICS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Statistics that need no stored values. Starts as {0}.
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
// Return the variance and the deviation of the values as the whole population; 0 for none.
double tool_moments_variance(const ToolMoments* moments);
double tool_moments_deviation(const ToolMoments* moments);

// The same, with values for percentiles: all of them up to TOOL_SERIES_KEPT; of longer series every second
// one, every fourth one and so on. Starts as {0}.
enum { TOOL_SERIES_KEPT = 1 << 20 };
typedef struct ToolSeries {
    ToolMoments moments;
    double* kept;
    size_t kept_count;
    size_t capacity;
    int64_t stride; // of the kept ones; 0 counts as 1
    bool is_sorted;
} ToolSeries;

// Returns false when memory runs out: the moments then include the value, the percentiles do not.
bool tool_series_add(ToolSeries* series, double value);
void tool_series_free(ToolSeries* series); // accepts {0}

// Returns the percentile by rank, or 0 for an empty series. Add nothing after the first call.
double tool_series_percentile(ToolSeries* series, double percent);

#endif
