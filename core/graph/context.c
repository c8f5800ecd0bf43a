// SPDX-License-Identifier: Apache-2.0
// The callbacks of TfLiteContext. Some are for delegates only, while their Prepare function runs; they fail
// for kernels.
#include "core/graph/context.h"

#include <string.h>

#include "core/base/async.h"
#include "core/base/shape.h"
#include "core/base/telemetry.h"
#include "core/base/trial.h"
#include "core/graph/delegate_kernel.h"
#include "core/graph/graph.h"
#include "core/graph/overlap.h"
#include "core/graph/state.h"
#include "core/graph/subgraph.h"
#include "core/graph/subsets.h"
#include "core/graph/tensor.h"

static LiteSubgraph* subgraph_of(const TfLiteContext* context) {
    return context->impl_;
}

static void report_error(TfLiteContext* context, const char* format, ...) {
    const LiteReporter* reporter = &subgraph_of(context)->interpreter->reporter;
    if (reporter->report == NULL) return;
    va_list args;
    va_start(args, format);
    reporter->report(reporter->user_data, format, args);
    va_end(args);
}

// Has the tensor memory for these dimensions, and for the type that its kernel may just have given it?
static bool is_sized(const TfLiteTensor* tensor, const TfLiteIntArray* dims) {
    if (tensor->data.raw == NULL || tensor->dims == NULL || !TfLiteIntArrayEqual(tensor->dims, dims))
        return false;
    int64_t count;
    size_t bytes;
    return !lite_tensor_has_fixed_size(tensor->type) ||
           (lite_shape_count(dims->data, dims->size, &count) &&
            lite_tensor_bytes(tensor->type, count, &bytes) && bytes == tensor->bytes);
}

static TfLiteStatus resize_tensor(TfLiteContext* context, TfLiteTensor* tensor, TfLiteIntArray* new_size) {
    if (is_sized(tensor, new_size)) {
        // Callers go on using new_size: the tensor takes it although nothing changes.
        if (tensor->dims != new_size) TfLiteIntArrayFree(tensor->dims);
        tensor->dims = new_size;
        return kTfLiteOk;
    }
    if (tensor->dims == new_size) {
        new_size = TfLiteIntArrayCopy(new_size);
        if (new_size == NULL) return lite_subgraph_fail(subgraph_of(context), "out of memory");
    }
    return lite_tensor_resize(subgraph_of(context), tensor, new_size);
}

static TfLiteStatus resize_tensor_explicit(TfLiteContext* context, TfLiteTensor* tensor, int rank,
                                           const int* shape) {
    TfLiteIntArray* dims = lite_ints_copy(shape, rank);
    if (dims == NULL) return lite_subgraph_fail(subgraph_of(context), "out of memory");
    return resize_tensor(context, tensor, dims);
}

static TfLiteStatus add_tensors(TfLiteContext* context, int count, int* first) {
    return lite_subgraph_add_tensors(subgraph_of(context), count, first);
}

static TfLiteTensor* get_tensor(const TfLiteContext* context, int index) {
    return lite_subgraph_tensor(subgraph_of(context), index);
}

static TfLiteExternalContext* get_external_context(TfLiteContext* context, TfLiteExternalContextType type) {
    if ((int)type == kLiteTelemetryContext) {
        return (TfLiteExternalContext*)(void*)subgraph_of(context)->interpreter->telemetry;
    }
    if ((int)type == kLiteAsyncContext) {
        static TfLiteExternalContext present; // an address is all that is asked for
        return &present;
    }
    if ((int)type == kLiteCancelContext) {
        LiteCancellation* cancellation = &subgraph_of(context)->interpreter->cancellation;
        return lite_cancellation_is_possible(cancellation) ? &cancellation->hook.base : NULL;
    }
    if ((int)type == kLiteTrialContext) {
        return (TfLiteExternalContext*)(void*)subgraph_of(context)->interpreter->trial;
    }
    if (LITE_HAS_OVERLAP && (int)type == kLiteOverlapContext) {
        return (TfLiteExternalContext*)(uintptr_t)lite_overlap_offered();
    }
    if ((unsigned)type >= kTfLiteMaxExternalContexts) return NULL;
    return subgraph_of(context)->interpreter->external[type];
}

static void set_external_context(TfLiteContext* context, TfLiteExternalContextType type,
                                 TfLiteExternalContext* external) {
    if ((unsigned)type < kTfLiteMaxExternalContexts)
        subgraph_of(context)->interpreter->external[type] = external;
}

static TfLiteStatus get_model_metadata(const TfLiteContext* context, const char* name, const char** data,
                                       size_t* bytes) {
    const LiteModel* model = subgraph_of(context)->interpreter->model;
    for (int i = 0; i < lite_model_metadata_count(model); i++) {
        const LiteModelMetadata* metadata = lite_model_metadata(model, i);
        if (strcmp(metadata->name, name) != 0) continue;
        *data = metadata->data;
        *bytes = metadata->bytes;
        return kTfLiteOk;
    }
    return kTfLiteError; // callers ask for what may be absent: no message
}

// What only delegates may call.

static TfLiteStatus check_delegate_context(LiteSubgraph* subgraph) {
    if (subgraph->delegate_contexts > 0) return kTfLiteOk;
    return lite_subgraph_fail(subgraph, "The function is forbidden if not calling in delegate.");
}

static TfLiteStatus get_execution_plan(TfLiteContext* context, TfLiteIntArray** plan) {
    LiteSubgraph* subgraph = subgraph_of(context);
    LITE_TRY(check_delegate_context(subgraph));
    if (plan == NULL) return kTfLiteError;
    // A copy: the plan changes while the delegate replaces nodes.
    TfLiteIntArray* copy = TfLiteIntArrayCopy(subgraph->plan);
    if (copy == NULL) return lite_subgraph_fail(subgraph, "out of memory");
    TfLiteIntArrayFree(subgraph->plan_view);
    subgraph->plan_view = copy;
    *plan = copy;
    return kTfLiteOk;
}

static TfLiteStatus get_node_and_registration(TfLiteContext* context, int index, TfLiteNode** node,
                                              TfLiteRegistration** registration) {
    LiteSubgraph* subgraph = subgraph_of(context);
    LITE_TRY(check_delegate_context(subgraph));
    if (index < 0 || index >= subgraph->node_count) {
        return lite_subgraph_fail(subgraph, "there is no node %d", index);
    }
    if (node == NULL || registration == NULL) return kTfLiteError;
    *node = &subgraph->nodes[index]->node;
    *registration = &subgraph->nodes[index]->methods->registration;
    return kTfLiteOk;
}

static TfLiteStatus replace_node_subsets(TfLiteContext* context, TfLiteRegistration registration,
                                         const TfLiteIntArray* nodes, TfLiteDelegate* delegate) {
    LiteSubgraph* subgraph = subgraph_of(context);
    LITE_TRY(check_delegate_context(subgraph));
    if (!subgraph->replaceable) {
        return lite_subgraph_fail(subgraph,
                                  "nodes of subgraph %d can be replaced when the delegate is applied to it",
                                  subgraph->index);
    }
    return lite_delegate_replace(subgraph, &registration, nodes, delegate);
}

static void free_preview(LiteSubgraph* subgraph) {
    for (int i = 0; i < subgraph->preview_count; i++) {
        TfLiteIntArrayFree(subgraph->preview[i].nodes_to_replace);
        TfLiteIntArrayFree(subgraph->preview[i].input_tensors);
        TfLiteIntArrayFree(subgraph->preview[i].output_tensors);
    }
    lite_free(subgraph->preview);
    subgraph->preview = NULL;
    subgraph->preview_count = 0;
}

static TfLiteStatus preview_partitioning(TfLiteContext* context, const TfLiteIntArray* nodes,
                                         TfLiteDelegateParams** params, int* count) {
    LiteSubgraph* subgraph = subgraph_of(context);
    LITE_TRY(check_delegate_context(subgraph));
    free_preview(subgraph);
    if (params == NULL || count == NULL) return lite_subgraph_fail(subgraph, "nowhere to put the partitions");
    *params = NULL;
    *count = 0;
    if (nodes == NULL || nodes->size == 0) return kTfLiteOk;
    LiteSubset* subsets;
    int subset_count;
    LITE_TRY(lite_subsets_create(subgraph, nodes, &subsets, &subset_count));
    subgraph->preview = lite_calloc((size_t)subset_count, sizeof *subgraph->preview);
    if (subgraph->preview == NULL) {
        lite_subsets_destroy(subsets, subset_count);
        return lite_subgraph_fail(subgraph, "out of memory");
    }
    for (int i = 0; i < subset_count; i++) {
        if (!subsets[i].delegated) continue;
        subgraph->preview[subgraph->preview_count++] =
            (TfLiteDelegateParams){NULL, subsets[i].nodes, subsets[i].inputs, subsets[i].outputs};
        subsets[i] = (LiteSubset){0};
    }
    lite_subsets_destroy(subsets, subset_count);
    *params = subgraph->preview;
    *count = subgraph->preview_count;
    return kTfLiteOk;
}

static TfLiteStatus acquire_subgraph(TfLiteContext* context, int index, TfLiteContext** acquired) {
    LiteSubgraph* subgraph = subgraph_of(context);
    LITE_TRY(check_delegate_context(subgraph));
    LiteSubgraph* other = lite_interpreter_subgraph(subgraph->interpreter, index);
    // By the context's function, which a delegate that only asks may have replaced, as in the reference.
    if (other == NULL) return lite_fail((TfLiteOpaqueContext*)context, "there is no subgraph %d", index);
    if (acquired == NULL) return kTfLiteError;
    other->delegate_contexts++;
    *acquired = &other->context;
    return kTfLiteOk;
}

static TfLiteStatus release_subgraph(TfLiteContext* context, int index) {
    LiteSubgraph* subgraph = subgraph_of(context);
    LITE_TRY(check_delegate_context(subgraph));
    LiteSubgraph* other = lite_interpreter_subgraph(subgraph->interpreter, index);
    if (other == NULL) return lite_subgraph_fail(subgraph, "there is no subgraph %d", index);
    // As in the reference one release too many is not an error. It must not lock a delegate out of its own
    // graph.
    if (other->delegate_contexts > (other == subgraph ? 1 : 0)) other->delegate_contexts--;
    return kTfLiteOk;
}

void lite_context_fill(LiteSubgraph* subgraph) {
    // What only microcontroller runtimes offer stays NULL, which is how kernels recognise them:
    // AllocatePersistentBuffer, AllocateBufferForEval, scratch buffers, GetEvalTensor.
    subgraph->context = (TfLiteContext){
        .impl_ = subgraph,
        .recommended_num_threads = subgraph->interpreter->num_threads,
        .ReportError = report_error,
        .ResizeTensor = resize_tensor,
        .ResizeTensorExplicit = resize_tensor_explicit,
        .AddTensors = add_tensors,
        .GetTensor = get_tensor,
        .GetExternalContext = get_external_context,
        .SetExternalContext = set_external_context,
        .GetModelMetadata = get_model_metadata,
        .GetExecutionPlan = get_execution_plan,
        .GetNodeAndRegistration = get_node_and_registration,
        .ReplaceNodeSubsetsWithDelegateKernels = replace_node_subsets,
        .PreviewDelegatePartitioning = preview_partitioning,
        .AcquireSubgraphContext = acquire_subgraph,
        .ReleaseSubgraphContext = release_subgraph,
    };
}

void lite_context_release(LiteSubgraph* subgraph) {
    free_preview(subgraph);
    TfLiteIntArrayFree(subgraph->plan_view);
    subgraph->plan_view = NULL;
}
