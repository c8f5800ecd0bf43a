// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/partition/lists.h"

#include <stdio.h>

#include "core/base/nearest.h"
#include "delegate-opencl/ops/registry.h"

// What is looked for in the graphs of a model.
typedef struct Search {
    const LiteClEntry* entry;
    char word[64];
    bool found;
    int last;         // the largest number of a node
    char nearest[64]; // a name that may have been meant, "" without one
} Search;

static void look_at(Search* search, int node, const char* op) {
    if (node > search->last) search->last = node;
    // Nodes that another delegate has taken are not in the plan any more.
    if (search->entry->is_number) {
        search->found = search->found || search->entry->node <= search->last;
        return;
    }
    search->found = search->found || lite_cl_selection_names(search->entry, &(LiteClSelected){0, node, op});
    const char* best = search->nearest[0] != '\0' ? search->nearest : NULL;
    const char* before = best;
    lite_nearest(search->word, op, &best);
    if (best != before) snprintf(search->nearest, sizeof search->nearest, "%s", best);
}

static void look_at_context(Search* search, TfLiteContext* context) {
    TfLiteIntArray* plan = NULL;
    if (context->GetExecutionPlan(context, &plan) != kTfLiteOk || plan == NULL) return;
    TfLiteIntArray* nodes = TfLiteIntArrayCopy(plan); // which is valid until somebody asks for another
    for (int i = 0; nodes != NULL && i < nodes->size; i++) {
        TfLiteNode* node = NULL;
        TfLiteRegistration* registration = NULL;
        LiteClLookup lookup;
        if (context->GetNodeAndRegistration(context, nodes->data[i], &node, &registration) != kTfLiteOk)
            continue;
        lite_cl_op_find(registration->builtin_code, registration->custom_name, registration->version,
                        &lookup);
        look_at(search, nodes->data[i], lookup.name);
    }
    TfLiteIntArrayFree(nodes);
}

static void say_nothing(TfLiteContext* context, const char* format, ...) {
    (void)context, (void)format;
}

// Looks at all graphs of the model but for the first one, which is being delegated. false: the host does not
// show them.
static bool look_elsewhere(Search* search, TfLiteContext* context) {
    if (context->AcquireSubgraphContext == NULL || context->ReleaseSubgraphContext == NULL) return false;
    // That a graph is not there is no error here, and how many there are hosts do not tell.
    void (*const report)(TfLiteContext*, const char*, ...) = context->ReportError;
    context->ReportError = say_nothing;
    for (int g = 1; !search->found; g++) {
        TfLiteContext* other = NULL;
        if (context->AcquireSubgraphContext(context, g, &other) != kTfLiteOk || other == NULL) break;
        if (other != context) look_at_context(search, other);
        (void)context->ReleaseSubgraphContext(context, g);
    }
    context->ReportError = report;
    return true;
}

static TfLiteStatus check_entry(const char* key, const LiteClEntry* entry, TfLiteContext* context,
                                const LiteClGraph* graph, const LiteReporter* reporter) {
    Search search = {.entry = entry, .last = -1};
    if (!entry->is_number && lite_cl_selection_is_builtin(entry, NULL)) return kTfLiteOk;
    if (entry->is_number && entry->graph > graph->number) return kTfLiteOk; // may come
    snprintf(search.word, sizeof search.word, "%.*s", entry->length, entry->text);
    for (int n = 0; n < graph->node_count; n++) look_at(&search, graph->nodes[n].index, graph->nodes[n].name);
    const bool is_elsewhere = entry->graph < 0 || !entry->is_number;
    if (search.found || (is_elsewhere && (!look_elsewhere(&search, context) || search.found)))
        return kTfLiteOk;
    if (entry->is_number)
        return lite_report(reporter, "OpenCL: option %s: there is no node %.*s, the last one of the %s is %d",
                           key, entry->length, entry->text, is_elsewhere ? "model" : "graph", search.last);
    const bool near = search.nearest[0] != '\0';
    return lite_report(reporter, "OpenCL: option %s: the model has no operator \"%.*s\"%s%s%s", key,
                       entry->length, entry->text, near ? "; did you mean " : "", search.nearest,
                       near ? "?" : "");
}

static TfLiteStatus check_list(const char* key, const char* list, TfLiteContext* context,
                               const LiteClGraph* graph, const LiteReporter* reporter) {
    LiteClEntry entry;
    while (lite_cl_selection_next(&list, &entry))
        LITE_TRY(check_entry(key, &entry, context, graph, reporter));
    return kTfLiteOk;
}

TfLiteStatus lite_cl_lists_check(LiteClShared* shared, TfLiteContext* context, const LiteClGraph* graph,
                                 const LiteReporter* reporter) {
    const LiteClOptions* o = &shared->options;
    if (atomic_load(&shared->lists_checked)) return kTfLiteOk;
    LITE_TRY(check_list("allow", o->allow, context, graph, reporter));
    LITE_TRY(check_list("deny", o->deny, context, graph, reporter));
    LITE_TRY(check_list("precision_float32", o->precision_float32, context, graph, reporter));
    LITE_TRY(check_list("precision_float16", o->precision_float16, context, graph, reporter));
    atomic_store(&shared->lists_checked, true);
    return kTfLiteOk;
}
