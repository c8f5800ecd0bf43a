// SPDX-License-Identifier: Apache-2.0
#include "tools/profile.h"

#include <stdio.h>
#include <stdlib.h>

#include "oclite/oclite.h"

static void count_call(void* user_data, int subgraph, int node, uint64_t begin_ns, uint64_t end_ns) {
    ToolProfile* profile = user_data;
    if (subgraph != 0 || node < 0 || node >= profile->node_count) return;
    profile->nanoseconds[node] += end_ns - begin_ns;
    ++profile->calls[node];
}

ToolStatus tool_profile_start(ToolProfile* profile, TfLiteInterpreter* interpreter, ToolMessage* message) {
    const size_t nodes = (size_t)oclite_interpreter_node_count(interpreter, 0);
    *profile = (ToolProfile){
        .node_count = (int)nodes,
        .nanoseconds = calloc(nodes + 1, sizeof(*profile->nanoseconds)),
        .calls = calloc(nodes + 1, sizeof(*profile->calls)),
    };
    if (!profile->nanoseconds || !profile->calls) return tool_fail(message, kToolFile, "out of memory");
    oclite_interpreter_set_profile(interpreter, count_call, profile);
    return kToolOk;
}

void tool_profile_free(ToolProfile* profile) {
    free(profile->nanoseconds);
    free(profile->calls);
    *profile = (ToolProfile){0};
}

typedef struct Row {
    uint64_t nanoseconds;
    int node;
} Row;

static int slowest_first(const void* left, const void* right) {
    const Row* a = left;
    const Row* b = right;
    if (a->nanoseconds != b->nanoseconds) return a->nanoseconds > b->nanoseconds ? -1 : 1;
    return a->node < b->node ? -1 : 1;
}

ToolStatus tool_profile_print(const ToolProfile* profile, const TfLiteInterpreter* interpreter,
                              ToolMessage* message) {
    Row* rows = calloc((size_t)profile->node_count + 1, sizeof(Row));
    if (!rows) return tool_fail(message, kToolFile, "out of memory");
    int count = 0;
    double total = 0;
    for (int n = 0; n < profile->node_count; ++n) {
        if (profile->calls[n]) rows[count++] = (Row){.nanoseconds = profile->nanoseconds[n], .node = n};
        total += (double)profile->nanoseconds[n];
    }
    qsort(rows, (size_t)count, sizeof(Row), slowest_first);
    for (int i = 0; i < count; ++i) {
        OcliteNode node;
        if (oclite_interpreter_node(interpreter, 0, rows[i].node, &node) != kTfLiteOk) continue;
        const double nanoseconds = (double)rows[i].nanoseconds;
        printf("%10.4f ms %5.1f %%  #%d ", nanoseconds / profile->calls[rows[i].node] * 1e-6,
               total > 0 ? nanoseconds / total * 100 : 0, rows[i].node);
        tool_print_name(node.op);
        printf("\n");
    }
    free(rows);
    return kToolOk;
}
