// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/cost/drift.h"

#include "core/base/memory.h"
#include "delegate-opencl/device/notes.h"

// The shortest of so many runs is no accident. Less than a fifth, and some microseconds, is none either.
enum { ENOUGH_RUNS = 16, PART = 5, SLACK_NS = 20000 };

static const LiteClNode* find_node(const LiteClGraph* graph, int index) {
    for (int n = 0; n < graph->node_count; n++) {
        if (graph->nodes[n].index == index) return &graph->nodes[n];
    }
    return NULL;
}

void lite_cl_drift_begin(LiteClDrift* drift, const LiteClGraph* whole, const LiteClGraph* partition) {
    if (whole == NULL || whole->times_key == NULL) return;
    drift->key = lite_strdup(whole->times_key);
    drift->expected = whole->partition_time;
    // Both have the order of execution, so what is looked for comes next, as a rule.
    int at = 0;
    for (int n = 0; n < partition->node_count; n++) {
        const int index = partition->nodes[n].index;
        while (at < whole->node_count && whole->nodes[at].index != index) at++;
        const LiteClNode* node = at < whole->node_count ? &whole->nodes[at] : find_node(whole, index);
        if (node == NULL) continue;
        at = (int)(node - whole->nodes);
        drift->expected += whole->device_times[at] > 0 ? whole->device_times[at] : 0;
    }
}

void lite_cl_drift_end(LiteClDrift* drift, LiteClDevice* device) {
    const bool is_slower = drift->least > drift->expected + drift->expected / PART + SLACK_NS;
    if (drift->key != NULL && drift->runs >= ENOUGH_RUNS && is_slower) lite_cl_note_drop(device, drift->key);
    lite_free(drift->key);
    *drift = (LiteClDrift){0};
}
