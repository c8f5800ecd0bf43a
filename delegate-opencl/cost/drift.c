// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/cost/drift.h"

#include "core/base/memory.h"
#include "delegate-opencl/cost/learned.h"
#include "delegate-opencl/device/notes.h"

static const LiteClNode* find_node(const LiteClGraph* graph, int index) {
    for (int n = 0; n < graph->node_count; n++) {
        if (graph->nodes[n].index == index) return &graph->nodes[n];
    }
    return NULL;
}

void lite_cl_drift_begin(LiteClDrift* drift, const LiteClGraph* whole, const LiteClGraph* partition) {
    if (whole == NULL || whole->device_times == NULL) return;
    drift->watches = true;
    drift->key = whole->times_key != NULL ? lite_strdup(whole->times_key) : NULL;
    drift->expected = drift->beside = whole->partition_time;
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

// What is left out of tensors whose sizes are not known yet would make the others slow.
static bool has_late(const LiteClGraph* graph) {
    for (int t = 0; t < graph->tensor_count; t++) {
        if (graph->tensors[t].late) return true;
    }
    return false;
}

static void learn(const LiteClDrift* drift, LiteClDevice* device, const LiteClGraph* partition) {
    LiteClSide side = {.rates = lite_cl_rates_of_device(device)};
    lite_cl_learned_find(device, LITE_CL_LEARNED_DEVICE, &side);
    lite_cl_learn_sum(&side, partition, drift->least - drift->beside);
    lite_cl_learned_keep(device, LITE_CL_LEARNED_DEVICE, &side);
}

void lite_cl_drift_end(LiteClDrift* drift, LiteClDevice* device, const LiteClGraph* partition) {
    const bool is_enough = drift->runs >= LITE_CL_DRIFT_RUNS;
    if (is_enough && drift->key == NULL && !has_late(partition)) learn(drift, device, partition);
    if (drift->key != NULL && lite_cl_is_slower(drift->least, drift->runs, drift->expected))
        lite_cl_note_drop(device, drift->key);
    lite_free(drift->key);
    *drift = (LiteClDrift){0};
}
