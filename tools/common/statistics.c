// SPDX-License-Identifier: Apache-2.0
#include "tools/common/statistics.h"

#include <math.h>
#include <stdlib.h>

// Welford's recurrence: sums of squares of times lose the digits that the deviation needs.
void tool_moments_add(ToolMoments* moments, double value) {
    if (moments->count == 0) {
        moments->first = moments->min = moments->max = value;
    }
    moments->count++;
    moments->last = value;
    moments->sum += value;
    if (value < moments->min) moments->min = value;
    if (value > moments->max) moments->max = value;
    const double difference = value - moments->mean;
    moments->mean += difference / (double)moments->count;
    moments->squares += difference * (value - moments->mean);
}

double tool_moments_variance(const ToolMoments* moments) {
    return moments->count > 0 ? moments->squares / (double)moments->count : 0;
}

double tool_moments_deviation(const ToolMoments* moments) {
    return sqrt(tool_moments_variance(moments));
}

static bool make_room(ToolSeries* series) {
    if (series->kept_count < series->capacity) return true;
    if (series->capacity == TOOL_SERIES_KEPT) {
        series->kept_count /= 2;
        for (size_t i = 0; i < series->kept_count; i++) series->kept[i] = series->kept[2 * i];
        series->stride *= 2;
        return true;
    }
    const size_t capacity = series->capacity ? series->capacity * 2 : 1024;
    double* kept = realloc(series->kept, capacity * sizeof(double));
    if (kept == NULL) return false;
    series->kept = kept;
    series->capacity = capacity;
    return true;
}

bool tool_series_add(ToolSeries* series, double value) {
    if (series->stride == 0) series->stride = 1;
    const int64_t index = series->moments.count;
    tool_moments_add(&series->moments, value);
    if (index % series->stride != 0) return true;
    if (!make_room(series)) return false;
    if (index % series->stride == 0) series->kept[series->kept_count++] = value;
    return true;
}

void tool_series_free(ToolSeries* series) {
    free(series->kept);
    *series = (ToolSeries){0};
}

static int compare(const void* left, const void* right) {
    const double a = *(const double*)left;
    const double b = *(const double*)right;
    return (a > b) - (a < b);
}

double tool_series_percentile(ToolSeries* series, double percent) {
    if (series->kept_count == 0) return 0;
    if (!series->is_sorted) qsort(series->kept, series->kept_count, sizeof(double), compare);
    series->is_sorted = true;
    const double rank = (double)series->kept_count * percent / 100;
    const size_t index = rank > 0 ? (size_t)rank : 0;
    return series->kept[index < series->kept_count ? index : series->kept_count - 1];
}
