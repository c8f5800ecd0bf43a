// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/partition/decisions.h"

// What was decided about one node.
typedef struct LiteClDecision {
    struct LiteClDecision* next;
    const void* context; // identifies the graph
    int graph;
    int node;
    char* op;
    bool taken;
    bool float16; // stores float16 now
    LiteClReason reason;
} LiteClDecision;

static void free_decision(LiteClDecision* decision) {
    lite_free(decision->op);
    lite_free(decision);
}

int lite_cl_decisions_number(LiteClDecisions* decisions, const void* context) {
    int graph = -1;
    pthread_mutex_lock(&decisions->mutex);
    for (LiteClDecision** link = &decisions->first; *link != NULL;) {
        LiteClDecision* decision = *link;
        if (decision->context == context) {
            graph = decision->graph;
            *link = decision->next;
            free_decision(decision);
        } else {
            link = &decision->next;
        }
    }
    if (graph < 0) graph = decisions->graph_count++;
    pthread_mutex_unlock(&decisions->mutex);
    return graph;
}

static TfLiteStatus add(LiteClDecisions* decisions, const void* context, const LiteClGraph* graph,
                        const LiteClReason* reasons, const bool* taken, const LiteReporter* reporter) {
    LiteClDecision** end = &decisions->first;
    while (*end != NULL) end = &(*end)->next;
    for (int n = 0; n < graph->node_count; n++) {
        LiteClDecision* decision = lite_calloc(1, sizeof *decision);
        if (decision == NULL) return lite_report(reporter, "OpenCL: out of memory");
        *decision =
            (LiteClDecision){.context = context, .graph = graph->number, .node = graph->nodes[n].index};
        decision->op = lite_strdup(graph->nodes[n].name);
        decision->taken = taken[n];
        if (!taken[n]) decision->reason = reasons[n];
        *end = decision;
        end = &decision->next;
        if (decision->op == NULL) return lite_report(reporter, "OpenCL: out of memory");
    }
    return kTfLiteOk;
}

TfLiteStatus lite_cl_decisions_add(LiteClDecisions* decisions, const void* context, const LiteClGraph* graph,
                                   const LiteClReason* reasons, const bool* taken,
                                   const LiteReporter* reporter) {
    pthread_mutex_lock(&decisions->mutex);
    const TfLiteStatus status = add(decisions, context, graph, reasons, taken, reporter);
    pthread_mutex_unlock(&decisions->mutex);
    return status;
}

void lite_cl_decisions_enter(LiteClDecisions* decisions, LiteClDelegation* delegation) {
    pthread_mutex_lock(&decisions->mutex);
    delegation->next = decisions->delegations;
    decisions->delegations = delegation;
    pthread_mutex_unlock(&decisions->mutex);
}

void lite_cl_decisions_leave(LiteClDecisions* decisions, const LiteClDelegation* delegation) {
    pthread_mutex_lock(&decisions->mutex);
    LiteClDelegation** link = &decisions->delegations;
    while (*link != delegation) link = &(*link)->next;
    *link = delegation->next;
    pthread_mutex_unlock(&decisions->mutex);
}

const LiteClGraph* lite_cl_decisions_graph(LiteClDecisions* decisions, const TfLiteContext* context) {
    pthread_mutex_lock(&decisions->mutex);
    const LiteClDelegation* delegation = decisions->delegations;
    while (delegation != NULL && delegation->context != context) delegation = delegation->next;
    const LiteClGraph* graph = delegation != NULL ? delegation->graph : NULL;
    pthread_mutex_unlock(&decisions->mutex);
    return graph;
}

// Decisions and nodes are both in the order of the graph's plan.
void lite_cl_decisions_note_precisions(LiteClDecisions* decisions, const LiteClGraph* partition) {
    pthread_mutex_lock(&decisions->mutex);
    int n = 0;
    for (LiteClDecision* decision = decisions->first; decision != NULL && n < partition->node_count;
         decision = decision->next) {
        if (decision->graph != partition->number || decision->node != partition->nodes[n].index) continue;
        decision->float16 = partition->nodes[n++].has_float16;
    }
    pthread_mutex_unlock(&decisions->mutex);
}

void lite_cl_decisions_tell(LiteClDecisions* decisions,
                            void (*callback)(void* user_data, const OcliteOpenclNode* node),
                            void* user_data) {
    pthread_mutex_lock(&decisions->mutex);
    for (const LiteClDecision* decision = decisions->first; decision != NULL; decision = decision->next) {
        const OcliteOpenclNode node = {.graph = decision->graph,
                                       .node = decision->node,
                                       .op = decision->op,
                                       .taken = decision->taken,
                                       .reason = decision->reason.text,
                                       .float16 = decision->float16};
        callback(user_data, &node);
    }
    pthread_mutex_unlock(&decisions->mutex);
}

void lite_cl_decisions_init(LiteClDecisions* decisions) {
    *decisions = (LiteClDecisions){0};
    pthread_mutex_init(&decisions->mutex, NULL);
}

void lite_cl_decisions_destroy(LiteClDecisions* decisions) {
    while (decisions->first != NULL) {
        LiteClDecision* decision = decisions->first;
        decisions->first = decision->next;
        free_decision(decision);
    }
    pthread_mutex_destroy(&decisions->mutex);
}
