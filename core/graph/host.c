// SPDX-License-Identifier: Apache-2.0
// What kernels of control flow may do with other subgraphs.
#include "core/graph/host.h"

#include "core/graph/allocate.h"
#include "core/graph/fold.h"
#include "core/graph/graph.h"
#include "core/graph/invoke.h"
#include "core/graph/node.h"
#include "core/graph/state.h"
#include "core/graph/subgraph.h"

static TfLiteOpaqueContext* host_subgraph(LiteHost* host, int index) {
    LiteSubgraph* subgraph = lite_interpreter_subgraph((LiteInterpreter*)host, index);
    return subgraph ? lite_subgraph_context(subgraph) : NULL;
}

static TfLiteStatus host_resize_input(TfLiteOpaqueContext* context, int tensor, TfLiteType type,
                                      const TfLiteIntArray* dims) {
    LiteSubgraph* subgraph = lite_subgraph_of(context);
    const TfLiteTensor* input = lite_subgraph_tensor(subgraph, tensor);
    if (input != NULL && input->type != type) LITE_TRY(lite_subgraph_retype_input(subgraph, tensor, type));
    return lite_subgraph_resize_input(subgraph, tensor, dims->data, dims->size);
}

static TfLiteStatus host_invoke(TfLiteOpaqueContext* context) {
    return lite_subgraph_invoke(lite_subgraph_of(context));
}

static TfLiteStatus host_allocate(TfLiteOpaqueContext* context, bool* shapes_known) {
    LiteSubgraph* subgraph = lite_subgraph_of(context);
    // Callers resize the inputs before every call. If no size changed there is nothing to do, even with
    // strings.
    if (!subgraph->ready) LITE_TRY(lite_subgraph_allocate(subgraph));
    const int last = subgraph->prepared - 1;
    const bool waits =
        last >= 0 && lite_node_has_dynamic_output(subgraph, subgraph->nodes[subgraph->plan->data[last]]);
    *shapes_known = subgraph->prepared == subgraph->plan->size && !waits;
    return kTfLiteOk;
}

static bool host_operators(LiteHost* host, int index, int* count, int* first_code) {
    const LiteSubgraph* subgraph = lite_interpreter_subgraph((LiteInterpreter*)host, index);
    if (subgraph == NULL) return false;
    *count = lite_subgraph_operator_count(subgraph);
    if (*count > 0) *first_code = (int)subgraph->nodes[0]->source->builtin_code;
    return true;
}

static LiteShared* host_shared(TfLiteOpaqueContext* context, const TfLiteOpaqueTensor* opaque) {
    const LiteSubgraph* subgraph = lite_subgraph_of(context);
    return lite_fold_shared(subgraph,
                            lite_subgraph_tensor_index(subgraph, (const TfLiteTensor*)(const void*)opaque));
}

void lite_host_fill(LiteHost* host) {
    host->subgraph = host_subgraph;
    host->resize_input = host_resize_input;
    host->invoke = host_invoke;
    host->allocate = host_allocate;
    host->operators = host_operators;
    host->shared = host_shared;
}
