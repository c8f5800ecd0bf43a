// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/cost/known.h"

#include <string.h>

#include "core/base/xxh64.h"
#include "delegate-opencl/device/notes.h"
#include "delegate-opencl/graph/op.h"

enum { MOST_JOINED = 8 }; // nodes that run as one
#define MOST_NS INT64_C(1000000000000)

// ---- Signatures ----

static uint64_t add(uint64_t hash, const void* data, size_t size) {
    return lite_xxh64(data, size, hash);
}

// Which output of the nodes from `first` on the tensor is; -1: none.
static int64_t find_inner(const LiteClGraph* graph, int first, int node, const LiteClTensor* tensor) {
    int64_t number = 0;
    for (int n = first; n < node; n++) {
        for (int i = 0; i < graph->nodes[n].output_count; i++, number++) {
            if (graph->nodes[n].outputs[i] == tensor) return number;
        }
    }
    return -1;
}

static uint64_t add_tensors(uint64_t hash, const LiteClGraph* graph, int first, int node, bool outputs) {
    const LiteClNode* n = &graph->nodes[node];
    LiteClTensor* const* tensors = outputs ? n->outputs : n->inputs;
    const int count = outputs ? n->output_count : n->input_count;
    hash = add(hash, &count, sizeof count);
    for (int i = 0; i < count; i++) {
        const LiteClTensor* tensor = tensors[i];
        int64_t facts[5] = {-1};
        if (tensor != NULL) {
            facts[0] = find_inner(graph, first, node, tensor);
            facts[1] = tensor->type;
            facts[2] = tensor->data != NULL;
            facts[3] = tensor->late;
            facts[4] = tensor->shape.rank;
        }
        hash = add(hash, facts, sizeof facts);
        if (tensor != NULL) hash = add(hash, tensor->shape.dims, (size_t)facts[4] * sizeof(int32_t));
    }
    return hash;
}

// Of the nodes before it, from `first` on, and of this one.
static uint64_t add_node(uint64_t hash, const LiteClGraph* graph, int first, int node) {
    const LiteClNode* n = &graph->nodes[node];
    if (n->name != NULL) hash = add(hash, n->name, strlen(n->name));
    hash = add(hash, &n->code, sizeof n->code);
    if (n->op != NULL && n->params != NULL) hash = add(hash, n->params, n->op->params_size);
    return add_tensors(add_tensors(hash, graph, first, node, false), graph, first, node, true);
}

// ---- The table ----

static uint64_t signature_of(uint64_t hash) {
    return hash != 0 ? hash : 1;
}

static int find_way(const LiteClKnownRow* set, uint64_t signature) {
    int way = 0;
    while (way < LITE_CL_KNOWN_WAYS && set[way].signature != signature) way++;
    return way;
}

// The mean of what was seen and what is new. The newest comes first, the oldest leaves.
static void enter(LiteClKnown* known, uint64_t signature, int64_t ns) {
    LiteClKnownRow* set = known->rows[signature % LITE_CL_KNOWN_SETS];
    int way = find_way(set, signature);
    LiteClKnownRow row = {signature, ns < MOST_NS ? ns : MOST_NS};
    if (way < LITE_CL_KNOWN_WAYS)
        row.ns = (set[way].ns + row.ns) / 2;
    else
        way--;
    memmove(set + 1, set, (size_t)way * sizeof *set);
    set[0] = row;
}

void lite_cl_known_find(LiteClDevice* device, const char* key, LiteClKnown* known) {
    bool fine = lite_cl_note_find(device, key, known, sizeof *known);
    const LiteClKnownRow* rows = &known->rows[0][0];
    for (size_t r = 0; r < LITE_CL_KNOWN_SETS * LITE_CL_KNOWN_WAYS && fine; r++)
        fine = rows[r].ns >= 0 && rows[r].ns <= MOST_NS;
    if (!fine) memset(known, 0, sizeof *known);
}

void lite_cl_known_keep(LiteClDevice* device, const char* key, const LiteClKnown* known) {
    lite_cl_note_keep(device, key, known, sizeof *known, true);
}

// ---- Graphs ----

static int64_t time_of(const LiteClGraph* graph, int node, const int64_t* times, int time_count) {
    const int index = graph->nodes[node].index;
    return index < time_count ? times[index] : -1;
}

void lite_cl_known_add(LiteClKnown* known, const LiteClGraph* graph, const int64_t* times, int time_count,
                       uint64_t seed) {
    for (int n = 0, end; n < graph->node_count; n = end) {
        const int64_t ns = time_of(graph, n, times, time_count);
        uint64_t hash = add_node(seed, graph, n, n);
        for (end = n + 1; end < graph->node_count && ns > 0 && time_of(graph, end, times, time_count) == 0;
             end++) {
            if (end - n < MOST_JOINED) hash = add_node(hash, graph, n, end);
        }
        if (ns >= 0 && end - n <= MOST_JOINED) enter(known, signature_of(hash), ns);
    }
}

// How many nodes from `first` on are known together, and what they take. 0: not even that one is.
static int find_longest(const LiteClKnown* known, const LiteClGraph* graph, uint64_t seed, int first,
                        int64_t* ns) {
    uint64_t hash = seed;
    int longest = 0;
    for (int n = first; n < graph->node_count && n - first < MOST_JOINED; n++) {
        hash = add_node(hash, graph, first, n);
        const uint64_t signature = signature_of(hash);
        const LiteClKnownRow* set = known->rows[signature % LITE_CL_KNOWN_SETS];
        const int way = find_way(set, signature);
        if (way == LITE_CL_KNOWN_WAYS) continue;
        longest = n - first + 1;
        *ns = set[way].ns;
    }
    return longest;
}

void lite_cl_known_look_up(const LiteClKnown* known, const LiteClGraph* graph, uint64_t seed, int64_t* times,
                           int32_t* leads) {
    for (int n = 0; n < graph->node_count;) {
        const int first = n, count = find_longest(known, graph, seed, first, &times[first]);
        leads[first] = -1;
        if (count == 0) times[first] = -1;
        for (n++; n < first + count; n++) {
            times[n] = 0;
            leads[n] = first;
        }
    }
}
