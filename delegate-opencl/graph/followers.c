// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/graph/followers.h"

#include "delegate-opencl/graph/fold.h"

static bool reads(const LiteClNode* node, const LiteClTensor* tensor) {
    for (int i = 0; i < node->input_count; i++) {
        if (node->inputs[i] == tensor) return true;
    }
    return false;
}

void lite_cl_followers_find(const LiteClGraph* graph, int n, LiteClFollowers* followers) {
    *followers = (LiteClFollowers){0};
    int last_reader = n; // of what those so far give
    const LiteClNode* before = &graph->nodes[n];
    for (int next = n + 1; next < graph->node_count && followers->count < LITE_CL_FOLLOWERS; next++) {
        const LiteClNode* node = &graph->nodes[next];
        if (lite_cl_is_folded(node)) continue;
        // What has a place already is a tensor of the partition's boundary.
        const LiteClTensor* output = before->outputs[0];
        if (before->output_count != 1 || output->storage >= 0) return;
        if (output->last_reader > last_reader) last_reader = output->last_reader;
        const int i = followers->count++;
        followers->nodes[i] = node;
        followers->places[i] = next;
        followers->closed[i] = last_reader <= next;
        before = node;
    }
}

int lite_cl_only_reader(const LiteClGraph* graph, int n) {
    LiteClFollowers followers;
    lite_cl_followers_find(graph, n, &followers);
    const bool is_one =
        followers.count > 0 && followers.closed[0] && reads(followers.nodes[0], graph->nodes[n].outputs[0]);
    return is_one ? followers.places[0] : -1;
}
