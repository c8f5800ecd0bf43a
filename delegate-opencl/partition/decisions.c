// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/partition/decisions.h"

#include <stdint.h>

#include "delegate-opencl/device/notes.h"
#include "delegate-opencl/options/options.h"

// What was decided about one node.
typedef struct LiteClDecision {
    int node;
    bool owns_op; // a custom operator's name; others are constants
    const char* op;
    bool taken;
    bool float16; // stores float16 now
    char* reason; // NULL: it is taken
    LiteClNodeTimes times;
} LiteClDecision;

// About a graph.
typedef struct LiteClDecided {
    const void* context; // identifies it
    int node_count;
    LiteClDecision* nodes; // in the order of its plan
    OcliteOpenclPlacement placement;
    int place_count;
    int* places; // by the node's index: 1 + its place in `nodes`, or 0
    LiteClBasis basis;
    int revisions; // how often the basis was outdated
} LiteClDecided;

static void forget(LiteClDecided* graph) {
    for (int n = 0; n < graph->node_count; n++) {
        if (graph->nodes[n].owns_op) lite_free((void*)(uintptr_t)graph->nodes[n].op);
        lite_free(graph->nodes[n].reason);
    }
    lite_free(graph->nodes);
    lite_free(graph->places);
    if (LITE_CL_HAS_COSTS) lite_cl_basis_free(&graph->basis);
    *graph =
        (LiteClDecided){.context = graph->context, .placement = {.graph = -1}, .revisions = graph->revisions};
}

// The slot of a context, or the free one where it would be. Half of them are free.
static int* find_slot(const LiteClDecisions* decisions, const void* context) {
    const size_t last = 2 * (size_t)decisions->graph_capacity - 1;
    size_t at = (size_t)(((uintptr_t)context >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> 20) & last;
    while (decisions->slots[at] != 0 && decisions->graphs[decisions->slots[at] - 1].context != context)
        at = (at + 1) & last;
    return &decisions->slots[at];
}

static bool grow(LiteClDecisions* decisions) {
    const int capacity = decisions->graph_capacity > 0 ? 2 * decisions->graph_capacity : 4;
    int* slots = lite_calloc(2 * (size_t)capacity, sizeof *slots);
    LiteClDecided* graphs =
        slots != NULL ? lite_realloc(decisions->graphs, (size_t)capacity * sizeof *graphs) : NULL;
    if (graphs == NULL) {
        lite_free(slots);
        return false;
    }
    lite_free(decisions->slots);
    decisions->graphs = graphs;
    decisions->graph_capacity = capacity;
    decisions->slots = slots;
    for (int g = 0; g < decisions->graph_count; g++) *find_slot(decisions, graphs[g].context) = 1 + g;
    return true;
}

static int number_of(LiteClDecisions* decisions, const void* context) {
    if (decisions->graph_count == decisions->graph_capacity && !grow(decisions)) return -1;
    int* slot = find_slot(decisions, context);
    if (*slot == 0) {
        decisions->graphs[decisions->graph_count++] =
            (LiteClDecided){.context = context, .placement = {.graph = -1}};
        *slot = decisions->graph_count;
    }
    forget(&decisions->graphs[*slot - 1]);
    return *slot - 1;
}

int lite_cl_decisions_number(LiteClDecisions* decisions, const void* context) {
    lite_lock(&decisions->mutex);
    const int number = number_of(decisions, context);
    lite_unlock(&decisions->mutex);
    return number;
}

bool lite_cl_choice_init(LiteClChoice* choice, LiteClGraph* graph) {
    const size_t count = (size_t)graph->node_count;
    *choice = (LiteClChoice){lite_arena_alloc(&graph->arena, count, sizeof *choice->taken),
                             lite_arena_alloc(&graph->arena, count, sizeof *choice->reasons),
                             lite_arena_alloc(&graph->arena, count, sizeof *choice->times),
                             lite_arena_alloc(&graph->arena, 1, sizeof *choice->placement)};
    if (choice->taken == NULL || choice->reasons == NULL || choice->times == NULL ||
        choice->placement == NULL)
        return false;
    choice->placement->graph = -1;
    for (size_t n = 0; n < count; n++) choice->times[n] = (LiteClNodeTimes){.host = -1, .device = -1};
    return true;
}

static TfLiteStatus add(LiteClDecided* decided, const LiteClGraph* graph, const LiteClChoice* choice,
                        const LiteReporter* reporter) {
    for (int n = 0; n < graph->node_count; n++) {
        if (graph->nodes[n].index >= decided->place_count) decided->place_count = graph->nodes[n].index + 1;
    }
    decided->nodes = lite_calloc((size_t)graph->node_count + 1, sizeof *decided->nodes);
    decided->places = lite_calloc((size_t)decided->place_count + 1, sizeof *decided->places);
    if (decided->nodes == NULL || decided->places == NULL)
        return lite_report(reporter, "OpenCL: out of memory");
    decided->placement = *choice->placement;
    for (int n = 0; n < graph->node_count; n++) {
        LiteClDecision* decision = &decided->nodes[decided->node_count++];
        decided->places[graph->nodes[n].index] = decided->node_count;
        decision->node = graph->nodes[n].index;
        decision->taken = choice->taken[n];
        decision->times = choice->times[n];
        if (!decision->taken) decision->reason = lite_strdup(choice->reasons[n].text);
        decision->owns_op = graph->nodes[n].code == kTfLiteBuiltinCustom;
        decision->op = decision->owns_op ? lite_strdup(graph->nodes[n].name) : graph->nodes[n].name;
        if (decision->op == NULL || (decision->reason == NULL && !decision->taken))
            return lite_report(reporter, "OpenCL: out of memory");
    }
    return kTfLiteOk;
}

TfLiteStatus lite_cl_decisions_add(LiteClDecisions* decisions, const LiteClGraph* graph,
                                   const LiteClChoice* choice, const LiteReporter* reporter) {
    lite_lock(&decisions->mutex);
    LiteClDecided* decided = &decisions->graphs[graph->number];
    const TfLiteStatus status = add(decided, graph, choice, reporter);
    if (status != kTfLiteOk) forget(decided);
    lite_unlock(&decisions->mutex);
    return status;
}

void lite_cl_decisions_note_basis(LiteClDecisions* decisions, const LiteClGraph* graph,
                                  const LiteClExpected* expected) {
    lite_lock(&decisions->mutex);
    lite_cl_basis_note(&decisions->graphs[graph->number].basis, graph, expected);
    lite_unlock(&decisions->mutex);
}

bool lite_cl_decisions_are_outdated(LiteClDecisions* decisions, LiteClDevice* device, TfLiteContext* context,
                                    const LiteGraphUse* use) {
    lite_lock(&decisions->mutex);
    const int* slot = decisions->graph_capacity > 0 ? find_slot(decisions, context) : NULL;
    LiteClDecided* decided = slot != NULL && *slot > 0 ? &decisions->graphs[*slot - 1] : NULL;
    const LiteClBasisState state =
        decided == NULL ? kLiteClBasisHolds
                        : lite_cl_basis_check(&decided->basis, context, use, decided->revisions);
    if (state == kLiteClBasisSlow) lite_cl_note_drop(device, decided->basis.key);
    if (state != kLiteClBasisHolds) decided->revisions++;
    lite_unlock(&decisions->mutex);
    return state != kLiteClBasisHolds;
}

int lite_cl_decisions_revisions(LiteClDecisions* decisions, int number) {
    lite_lock(&decisions->mutex);
    const int revisions = decisions->graphs[number].revisions;
    lite_unlock(&decisions->mutex);
    return revisions;
}

void lite_cl_decisions_enter(LiteClDecisions* decisions, LiteClDelegation* delegation) {
    lite_lock(&decisions->mutex);
    delegation->next = decisions->delegations;
    decisions->delegations = delegation;
    lite_unlock(&decisions->mutex);
}

void lite_cl_decisions_leave(LiteClDecisions* decisions, const LiteClDelegation* delegation) {
    lite_lock(&decisions->mutex);
    LiteClDelegation** link = &decisions->delegations;
    while (*link != delegation) link = &(*link)->next;
    *link = delegation->next;
    lite_unlock(&decisions->mutex);
}

const LiteClGraph* lite_cl_decisions_graph(LiteClDecisions* decisions, const TfLiteContext* context) {
    lite_lock(&decisions->mutex);
    const LiteClDelegation* delegation = decisions->delegations;
    while (delegation != NULL && delegation->context != context) delegation = delegation->next;
    const LiteClGraph* graph = delegation != NULL ? delegation->graph : NULL;
    lite_unlock(&decisions->mutex);
    return graph;
}

void lite_cl_decisions_note_precisions(LiteClDecisions* decisions, const LiteClGraph* partition) {
    lite_lock(&decisions->mutex);
    // A partition may be of a graph that was not shown.
    const LiteClDecided* decided =
        partition->number < decisions->graph_count ? &decisions->graphs[partition->number] : NULL;
    for (int n = 0; n < partition->node_count && decided != NULL; n++) {
        const LiteClNode* node = &partition->nodes[n];
        const int place = node->index < decided->place_count ? decided->places[node->index] : 0;
        if (place > 0) decided->nodes[place - 1].float16 = node->has_float16;
    }
    lite_unlock(&decisions->mutex);
}

void lite_cl_decisions_tell(LiteClDecisions* decisions,
                            void (*callback)(void* user_data, const OcliteOpenclNode* node),
                            void* user_data) {
    lite_lock(&decisions->mutex);
    for (int g = 0; g < decisions->graph_count; g++) {
        for (int n = 0; n < decisions->graphs[g].node_count; n++) {
            const LiteClDecision* decision = &decisions->graphs[g].nodes[n];
            const OcliteOpenclNode node = {.graph = g,
                                           .node = decision->node,
                                           .op = decision->op,
                                           .taken = decision->taken,
                                           .reason = decision->reason != NULL ? decision->reason : "",
                                           .float16 = decision->float16,
                                           .host_ns = decision->times.host,
                                           .device_ns = decision->times.device,
                                           .host_measured = decision->times.host_measured,
                                           .device_measured = decision->times.device_measured};
            callback(user_data, &node);
        }
    }
    lite_unlock(&decisions->mutex);
}

void lite_cl_decisions_tell_placements(LiteClDecisions* decisions,
                                       void (*callback)(void* user_data,
                                                        const OcliteOpenclPlacement* placement),
                                       void* user_data) {
    lite_lock(&decisions->mutex);
    for (int g = 0; g < decisions->graph_count; g++) {
        if (decisions->graphs[g].placement.graph >= 0) callback(user_data, &decisions->graphs[g].placement);
    }
    lite_unlock(&decisions->mutex);
}

void lite_cl_decisions_init(LiteClDecisions* decisions) {
    *decisions = (LiteClDecisions){0};
    lite_lock_init(&decisions->mutex);
}

void lite_cl_decisions_destroy(LiteClDecisions* decisions) {
    for (int g = 0; g < decisions->graph_count; g++) forget(&decisions->graphs[g]);
    lite_free(decisions->graphs);
    lite_free(decisions->slots);
    lite_lock_destroy(&decisions->mutex);
}
