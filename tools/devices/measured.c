// SPDX-License-Identifier: Apache-2.0
#include "tools/devices/measured.h"

#include <stdio.h>

void devices_add_rate(cJSON* measured, const char* key, double rate) {
    if (rate > 0) tool_facts_add_measured(measured, key, rate * 1e-9);
}

void devices_add_copies(cJSON* measured, const ToolPeak* peak) {
    char text[128];
    devices_add_rate(measured, "copy_gb_per_s", peak->bandwidth);
    devices_add_rate(measured, "copy_in_caches_gb_per_s", tool_peak_bandwidth(peak, 0));
    if (!tool_peak_is_busy(peak)) return;
    snprintf(text, sizeof(text), "the machine is busy, the same arithmetic ran at %.1f to %.1f GFLOP/s",
             peak->float32_least * 1e-9, peak->float32 * 1e-9);
    tool_facts_add_text(measured, "warning", text);
}
