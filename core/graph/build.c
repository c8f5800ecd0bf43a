// SPDX-License-Identifier: Apache-2.0
// Subgraphs that the program builds by itself, or changes: their tensors, inputs and outputs, and their plan.
#include "core/graph/build.h"

#include <string.h>

#include "core/graph/allocate.h"
#include "core/graph/create.h"
#include "core/graph/graph.h"
#include "core/graph/state.h"
#include "core/graph/subgraph.h"
#include "core/graph/tensor.h"

TfLiteStatus lite_build_check_changeable(LiteSubgraph* subgraph, const char* what) {
    LITE_TRY(lite_interpreter_check_idle(subgraph->interpreter));
    if (subgraph->running || subgraph->interpreter->depth > 0) {
        return lite_subgraph_fail(subgraph, "%s: subgraph %d is in use", what, subgraph->index);
    }
    if (subgraph->applied_count == 0) return kTfLiteOk;
    return lite_subgraph_fail(subgraph,
                              "%s is disallowed when graph is immutable: a delegate is applied to it.", what);
}

TfLiteStatus lite_build_settle(LiteSubgraph* subgraph) {
    if (subgraph->index == 0) subgraph->interpreter->placeholder.key = NULL; // names may be others now
    if (!subgraph->ready) return kTfLiteOk;
    LITE_TRY(lite_subgraph_enter(subgraph));
    const TfLiteStatus status = lite_allocate(subgraph);
    lite_subgraph_leave(subgraph);
    return status;
}

// What the graph says of itself apart from the model, so that it can be changed.
static LiteModelSubgraph* own(LiteSubgraph* subgraph) {
    if (subgraph->source != &subgraph->own) {
        subgraph->own = *subgraph->source;
        subgraph->source = &subgraph->own;
    }
    return &subgraph->own;
}

TfLiteStatus lite_build_subgraphs(LiteInterpreter* interpreter, int count, int* first) {
    LITE_TRY(lite_interpreter_check_idle(interpreter));
    const int base = interpreter->subgraph_count;
    if (interpreter->depth > 0 || count < 0 || count > INT32_MAX - base) {
        return lite_report(&interpreter->reporter, "cannot add %d subgraphs to %d%s", count, base,
                           interpreter->depth > 0 ? ": the interpreter is in use" : "");
    }
    LiteSubgraph** subgraphs =
        lite_realloc(interpreter->subgraphs, ((size_t)base + (size_t)count) * sizeof *subgraphs);
    if (subgraphs == NULL)
        return lite_report(&interpreter->reporter, "out of memory for %d subgraphs", count);
    interpreter->subgraphs = subgraphs;
    for (int i = 0; i < count; i++) {
        subgraphs[base + i] = lite_subgraph_create(interpreter, base + i, NULL);
        if (subgraphs[base + i] != NULL) {
            interpreter->subgraph_count++;
            continue;
        }
        while (interpreter->subgraph_count > base) {
            lite_subgraph_destroy(subgraphs[--interpreter->subgraph_count]);
        }
        return kTfLiteError;
    }
    if (first != NULL) *first = base;
    return kTfLiteOk;
}

TfLiteStatus lite_build_set_name(LiteSubgraph* subgraph, const char* name) {
    LITE_TRY(lite_build_check_changeable(subgraph, "SetName"));
    if (name == NULL) name = "";
    char* copy = lite_arena_alloc(&subgraph->arena, strlen(name) + 1, 1);
    if (copy == NULL) return lite_subgraph_fail(subgraph, "out of memory");
    strcpy(copy, name); // NOLINT(clang-analyzer-security.insecureAPI.strcpy): there is room for it
    own(subgraph)->name = copy;
    return kTfLiteOk;
}

TfLiteStatus lite_build_tensors(LiteSubgraph* subgraph, int count, int* first) {
    LITE_TRY(lite_interpreter_check_idle(subgraph->interpreter));
    int base;
    LITE_TRY(lite_subgraph_add_tensors(subgraph, count, &base));
    for (int i = 0; i < count; i++) {
        TfLiteTensor* tensor = &subgraph->context.tensors[base + i];
        tensor->dims = TfLiteIntArrayCreate(0);
        subgraph->slots[base + i].is_built = true;
        if (tensor->dims == NULL) return lite_subgraph_fail(subgraph, "out of memory for %d tensors", count);
    }
    if (first != NULL) *first = base;
    return kTfLiteOk;
}

TfLiteStatus lite_build_check_indices(LiteSubgraph* subgraph, const char* label, const int* tensors,
                                      int count, int lowest) {
    const int tensor_count = lite_subgraph_tensor_count(subgraph);
    if (count < 0 || (count > 0 && tensors == NULL)) {
        subgraph->is_inconsistent = true;
        return lite_subgraph_fail(subgraph, "%s: %d indices of tensors%s", label, count,
                                  tensors == NULL ? " at NULL" : "");
    }
    for (int i = 0; i < count; i++) {
        if (tensors[i] >= lowest && tensors[i] < tensor_count) continue;
        subgraph->is_inconsistent = true;
        return lite_subgraph_fail(subgraph, "Invalid tensor index %d in %s. The subgraph has %d tensors",
                                  tensors[i], label, tensor_count);
    }
    return kTfLiteOk;
}

static void mark_inputs(LiteSubgraph* subgraph) {
    const LiteModelInts inputs = subgraph->source->inputs;
    for (size_t i = 0; i < subgraph->context.tensors_size; i++) subgraph->slots[i].is_input = false;
    for (int i = 0; i < inputs.count; i++) {
        if (inputs.data[i] >= 0) subgraph->slots[inputs.data[i]].is_input = true;
    }
}

TfLiteStatus lite_build_set_list(LiteSubgraph* subgraph, LiteBuildList list, const int* tensors, int count) {
    static const char* const labels[] = {"inputs", "outputs", "variables"};
    static const char* const functions[] = {"SetInputs", "SetOutputs", "SetVariables"};
    LITE_TRY(lite_build_check_changeable(subgraph, functions[list]));
    LITE_TRY(lite_build_check_indices(subgraph, labels[list], tensors, count,
                                      list == kLiteBuildVariables ? 0 : kTfLiteOptionalTensor));
    int32_t* copy = lite_arena_alloc(&subgraph->arena, (size_t)count, sizeof *copy);
    if (copy == NULL) return lite_subgraph_fail(subgraph, "out of memory");
    if (count > 0) memcpy(copy, tensors, (size_t)count * sizeof *copy);
    const LiteModelInts ints = {count, copy};
    if (list == kLiteBuildInputs) own(subgraph)->inputs = ints;
    if (list == kLiteBuildOutputs) own(subgraph)->outputs = ints;
    if (list == kLiteBuildVariables) subgraph->variables = ints;
    if (list == kLiteBuildInputs) mark_inputs(subgraph);
    return lite_build_settle(subgraph);
}

TfLiteStatus lite_build_set_plan(LiteSubgraph* subgraph, const int* nodes, int count) {
    LITE_TRY(lite_build_check_changeable(subgraph, "SetExecutionPlan"));
    if (count < 0 || (count > 0 && nodes == NULL)) {
        return lite_subgraph_fail(subgraph, "execution plan: %d nodes%s", count,
                                  nodes == NULL ? " at NULL" : "");
    }
    for (int i = 0; i < count; i++) {
        if (nodes[i] >= 0 && nodes[i] < subgraph->node_count) continue;
        return lite_subgraph_fail(subgraph, "execution plan: there is no node %d: the subgraph has %d",
                                  nodes[i], subgraph->node_count);
    }
    TfLiteIntArray* plan = lite_ints_copy(nodes, count);
    if (plan == NULL) return lite_subgraph_fail(subgraph, "out of memory");
    TfLiteIntArrayFree(subgraph->plan);
    subgraph->plan = plan;
    return lite_build_settle(subgraph);
}

TfLiteStatus lite_build_release_dynamic_tensors(LiteInterpreter* interpreter, bool release) {
    LITE_TRY(lite_interpreter_check_idle(interpreter));
    if (interpreter->depth > 0) return lite_report(&interpreter->reporter, "the interpreter is in use");
    interpreter->release_dynamic = release;
    return kTfLiteOk;
}

TfLiteStatus lite_build_preserve_all_tensors(LiteInterpreter* interpreter, bool preserve) {
    LITE_TRY(lite_interpreter_check_idle(interpreter));
    if (interpreter->depth > 0) return lite_report(&interpreter->reporter, "the interpreter is in use");
    if (interpreter->preserve_all_tensors == preserve) return kTfLiteOk;
    interpreter->preserve_all_tensors = preserve;
    for (int i = 0; i < interpreter->subgraph_count; i++)
        LITE_TRY(lite_build_settle(interpreter->subgraphs[i]));
    return kTfLiteOk;
}
