// SPDX-License-Identifier: Apache-2.0
#include "tools/common/peak.h"

#include <math.h>

// Undisturbed measurements differ by a few percent.
static const double kBusy = 0.8;

double tool_peak_bandwidth(const ToolPeak* peak, double bytes) {
    double best = peak->bandwidth;
    for (int i = peak->copy_count - 1; i >= 0; i--) {
        best = fmax(best, peak->copies[i].rate);
        if (peak->copies[i].bytes <= bytes) break;
    }
    return best;
}

size_t tool_peak_copy_bytes(size_t most, int index) {
    return most >> (2 * (kToolPeakCopies - 1 - index));
}

void tool_peak_add_copy(ToolPeak* peak, double bytes, double rate) {
    peak->copies[peak->copy_count++] = (ToolPeakCopy){bytes, rate};
    peak->bandwidth = rate;
}

void tool_peak_add_float32(ToolPeak* peak, double rate) {
    peak->float32_least = peak->float32 > 0 ? fmin(peak->float32_least, rate) : rate;
    peak->float32 = fmax(peak->float32, rate);
}

bool tool_peak_is_busy(const ToolPeak* peak) {
    return peak->float32_least < kBusy * peak->float32;
}
