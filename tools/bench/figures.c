// SPDX-License-Identifier: Apache-2.0
#include "tools/bench/figures.h"

static const struct {
    const char* name;
    double percent; // below 0: not a percentile
} kFigures[kBenchFigures] = {
    {"min", -1}, {"p5", 5},   {"median", 50}, {"mean", -1},      {"p90", 90},
    {"p95", 95}, {"p99", 99}, {"max", -1},    {"deviation", -1},
};

const char* bench_figure_name(int index) {
    return kFigures[index].name;
}

double bench_figure(Bench* bench, int index) {
    const ToolMoments* moments = &bench->runs.moments;
    const double others[kBenchFigures] = {
        [0] = moments->min, [3] = moments->mean, [7] = moments->max, [8] = tool_moments_deviation(moments)};
    const double percent = kFigures[index].percent;
    return (percent < 0 ? others[index] : tool_series_percentile(&bench->runs, percent)) * 1e-3;
}

double bench_first_us(const Bench* bench) {
    return bench->warmup.moments.count > 0 ? bench->warmup.moments.first : bench->runs.moments.first;
}
