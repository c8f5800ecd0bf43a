// SPDX-License-Identifier: Apache-2.0
#include "tools/diff/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/diff/alone.h"
#include "tools/diff/stored.h"

typedef struct Search {
    DiffWork* work;
    int* nodes; // of the present group
    int count;
    bool saw_random;
    DiffFinding unproven; // the first that could not be computed alone; without nodes: none
    DiffFinding largest;  // with the largest error of its own
    bool has_largest;
} Search;

static bool same_contents(const DiffError* error) {
    return error->verdict == kDiffSame;
}

static bool is_in(const Search* search, int node) {
    for (int i = 0; i < search->count; i++) {
        if (search->nodes[i] == node) return true;
    }
    return false;
}

// Returns the worst tensor that the group writes; NULL when none of them differs too much.
static DiffRow* worst_row(const Search* search) {
    const DiffWork* work = search->work;
    DiffRow* worst = NULL;
    for (int r = 0; r < work->row_count; r++) {
        DiffRow* row = &work->rows[r];
        const int writer = work->graph.writer[row->tensor];
        if (writer < 0 || !is_in(search, writer) || !diff_is_beyond(&row->error)) continue;
        if (worst == NULL || diff_is_worse(&row->error, &worst->error)) worst = row;
    }
    return worst;
}

// Returns whether both sides gave the group equal inputs, to the bit. Constants are equal, and so are the
// model's inputs.
static bool has_same_inputs(const Search* search) {
    const DiffGraph* graph = &search->work->graph;
    for (int n = 0; n < search->count; n++) {
        const OcliteNode node = diff_graph_node(graph, search->nodes[n]);
        for (int i = 0; i < node.input_count; i++) {
            const int writer = node.inputs[i] >= 0 ? graph->writer[node.inputs[i]] : -1;
            if (writer < 0 || is_in(search, writer)) continue;
            const DiffRow* row = diff_find_row(search->work, node.inputs[i]);
            if (row == NULL || !same_contents(&row->error)) return false;
        }
    }
    return true;
}

static bool is_any(const Search* search, bool (*is)(const DiffGraph* graph, int node)) {
    for (int n = 0; n < search->count; n++) {
        if (is(&search->work->graph, search->nodes[n])) return true;
    }
    return false;
}

// Moves the nodes of the search to the finding.
static ToolStatus set_finding(const Search* search, DiffCause cause, const DiffRow* row, DiffFinding* finding,
                              ToolMessage* message) {
    const size_t bytes = (size_t)search->count * sizeof(*finding->nodes);
    free(finding->nodes);
    *finding = (DiffFinding){.cause = cause,
                             .nodes = malloc(bytes + 1),
                             .node_count = search->count,
                             .tensor = row->tensor,
                             .error = row->error};
    if (finding->nodes == NULL) return tool_out_of_memory(message);
    memcpy(finding->nodes, search->nodes, bytes);
    return kToolOk;
}

// Narrows the group down to one of its nodes if that node also differs without the others.
static void refine(DiffWork* work) {
    DiffFinding* group = &work->finding;
    ToolMessage ignored = {{0}};
    if (group->node_count < 2) return;
    group->cause = kDiffFused;
    if (diff_alone_learn(work, group->nodes, group->node_count, &ignored) != kToolOk) return;
    for (int n = 0; n < group->node_count; n++) {
        DiffFinding one = {.cause = kDiffNode, .nodes = &group->nodes[n], .node_count = 1};
        if (!diff_alone_check(work, &one) || !diff_is_beyond(&one.own)) continue;
        group->cause = kDiffNode;
        group->nodes[0] = group->nodes[n];
        group->node_count = 1;
        group->own = one.own;
        group->own_tensor = one.own_tensor;
        group->is_alone = true;
        return;
    }
}

static ToolStatus note_unproven(Search* search, DiffRow* row, const ToolMessage* why, ToolMessage* message) {
    row->note = *why;
    if (search->unproven.nodes != NULL) return kToolOk;
    const ToolStatus status = set_finding(search, kDiffUnproven, row, &search->unproven, message);
    search->unproven.note = *why;
    return status;
}

// Finds out whether the group is the cause. It is then in the work's finding.
static ToolStatus look_at_group(Search* search, bool* found, ToolMessage* message) {
    DiffWork* work = search->work;
    DiffRow* row = worst_row(search);
    if (row == NULL) return kToolOk;
    if (is_any(search, diff_graph_is_random)) {
        row->note = (ToolMessage){"random numbers"};
        search->saw_random = true;
        return kToolOk;
    }
    const bool same_inputs = has_same_inputs(search);
    // Only the whole model knows a state before a later inference.
    if (!same_inputs && work->run > 0 && is_any(search, diff_graph_is_stateful)) {
        return note_unproven(search, row, &(ToolMessage){"it has a state"}, message);
    }
    DiffFinding finding = {0};
    ToolStatus status = set_finding(search, kDiffNode, row, &finding, message);
    if (status == kToolOk) {
        const bool computed = diff_alone_check(work, &finding);
        *found = same_inputs || (computed && diff_is_beyond(&finding.own));
        if (!*found && !computed) status = note_unproven(search, row, &finding.note, message);
        if (!*found && computed &&
            (!search->has_largest || diff_is_worse(&finding.own, &search->largest.own))) {
            DiffFinding before = search->largest;
            search->largest = finding;
            search->has_largest = true;
            finding = before;
        }
    }
    if (*found) {
        work->finding = finding;
        refine(work);
    } else {
        free(finding.nodes);
    }
    return status;
}

static void conclude(Search* search) {
    DiffFinding* finding = &search->work->finding;
    if (search->unproven.nodes != NULL) {
        *finding = search->unproven;
        search->unproven.nodes = NULL;
    } else if (search->saw_random) {
        finding->cause = kDiffRandom;
    } else if (search->has_largest) {
        *finding = search->largest;
        finding->cause = kDiffSum;
        search->largest.nodes = NULL;
    }
}

static bool is_last(const DiffGraph* graph, int node) {
    for (int n = node + 1; n < graph->node_count; n++) {
        if (graph->group[n] == graph->group[node]) return false;
    }
    return true;
}

static ToolStatus search_nodes(DiffWork* work, ToolMessage* message) {
    Search search = {.work = work, .nodes = calloc((size_t)work->graph.node_count + 1, sizeof(int))};
    if (search.nodes == NULL) return tool_out_of_memory(message);
    ToolStatus status = kToolOk;
    bool found = false;
    for (int n = 0; n < work->graph.node_count && status == kToolOk && !found; n++) {
        if (!is_last(&work->graph, n)) continue;
        search.count = diff_graph_group(&work->graph, work->graph.group[n], search.nodes);
        status = look_at_group(&search, &found, message);
    }
    if (status == kToolOk && !found) conclude(&search);
    free(search.nodes);
    free(search.unproven.nodes);
    free(search.largest.nodes);
    return status;
}

ToolStatus diff_search(DiffWork* work, ToolMessage* message) {
    bool rows = false;
    bool outputs = false;
    for (int r = 0; r < work->row_count; r++) rows = rows || diff_is_beyond(&work->rows[r].error);
    for (int o = 0; o < work->output_count; o++) outputs = outputs || diff_is_beyond(&work->outputs[o]);
    if (rows) return search_nodes(work, message);
    return outputs ? diff_search_stored(work, message) : kToolOk;
}
