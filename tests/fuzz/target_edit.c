// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclite/edit.h"
#include "tests/fuzz/target.h"

enum { kMaxSteps = 24 };

bool (*fuzz_edit_verify)(const uint8_t* data, size_t size) = fuzz_load;

static void end(const char* what) {
    fprintf(stderr, "%s: %s\n", what, oclite_edit_last_error());
    abort();
}

// What was written is a model, and what failed says why.
static void check(const OcliteEdit* edit, bool done, const char* what) {
    size_t size = 0;
    if (!done) {
        if (oclite_edit_last_error()[0] == '\0') end(what);
        return;
    }
    const void* data = oclite_edit_data(edit, &size);
    if (!fuzz_edit_verify(data, size)) end(what);
}

static void read_parameter(void* user_data, const char* name, const char* value) {
    *(size_t*)user_data += strlen(name) + strlen(value);
}

static void extract(const OcliteEdit* edit, int subgraph, int node, int nodes) {
    const int group[] = {node, (node + 1) % nodes};
    OcliteEdit* one = oclite_edit_extract(edit, subgraph, group, 1);
    check(one, one != NULL, "extract one");
    oclite_edit_delete(one);
    OcliteEdit* two = nodes < 2 ? NULL : oclite_edit_extract(edit, subgraph, group, 2);
    if (nodes >= 2) check(two, two != NULL, "extract two");
    oclite_edit_delete(two);
}

// Further nodes of a subgraph become one, on and on.
static void replace(OcliteEdit* edit, int subgraph, int from) {
    const OcliteEditOperator op = {"Fused", 1, "options", 7};
    OcliteEditSubgraph graph;
    for (int step = 0; step < 3; step++) {
        if (oclite_edit_subgraph(edit, subgraph, &graph) != kTfLiteOk) end("subgraph");
        if (graph.node_count < 2) return;
        const int first = (from + step) % (graph.node_count - 1);
        const int nodes[] = {first, first + 1};
        check(edit, oclite_edit_replace(edit, subgraph, nodes, 2, 1, &op) == kTfLiteOk, "replace");
    }
}

static void set_outputs(OcliteEdit* edit, int subgraph) {
    OcliteEditSubgraph graph;
    int tensors[8];
    if (oclite_edit_subgraph(edit, subgraph, &graph) != kTfLiteOk) end("subgraph");
    const int count = graph.tensor_count < 8 ? graph.tensor_count : 8;
    for (int i = 0; i < count; i++) tensors[i] = graph.tensor_count - 1 - i;
    check(edit, oclite_edit_set_outputs(edit, subgraph, tensors, count) == kTfLiteOk, "outputs");
}

bool fuzz_edit(const uint8_t* data, size_t size) {
    OcliteEdit* edit = oclite_edit_create(data, size);
    size_t same_size, told = 0;
    if (edit == NULL) {
        if (oclite_edit_last_error()[0] == '\0') end("open");
        return false;
    }
    const void* same = oclite_edit_data(edit, &same_size);
    if (same_size != size || memcmp(same, data, size) != 0) end("the file is another");
    const int subgraphs = oclite_edit_subgraph_count(edit);
    for (int s = 0; s < subgraphs && s < 3; s++) {
        OcliteEditSubgraph graph;
        if (oclite_edit_subgraph(edit, s, &graph) != kTfLiteOk) end("subgraph");
        const int step = graph.node_count / kMaxSteps + 1;
        for (int node = 0; node < graph.node_count; node += step) {
            if (oclite_edit_parameters(edit, s, node, read_parameter, &told) != kTfLiteOk) end("parameters");
            extract(edit, s, node, graph.node_count);
        }
    }
    for (int s = 0; s < subgraphs && s < 3; s++) {
        replace(edit, s, (int)(size % 7));
        set_outputs(edit, s);
    }
    oclite_edit_delete(edit);
    return true;
}
