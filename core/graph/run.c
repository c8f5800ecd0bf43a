// SPDX-License-Identifier: Apache-2.0
// Running the plan.
#include "core/graph/run.h"

#include "core/base/epilogue.h"
#include "core/base/row_blocks.h"
#include "core/base/system.h"
#include "core/base/types.h"
#include "core/graph/alias.h"
#include "core/graph/allocate.h"
#include "core/graph/buffer_handle.h"
#include "core/graph/delegate.h"
#include "core/graph/delegate_form.h"
#include "core/graph/fuse.h"
#include "core/graph/graph.h"
#include "core/graph/memory_limit.h"
#include "core/graph/node.h"
#include "core/graph/overlap.h"
#include "core/graph/prepare.h"
#include "core/graph/state.h"
#include "core/graph/subgraph.h"
#include "core/graph/telemetry.h"

// RESHAPE may name a tensor as its second input only for that tensor's shape.
static bool may_lack_data(const LiteSubgraph* subgraph, const LiteNode* node, int input) {
    if (node->methods->registration.builtin_code != kTfLiteBuiltinReshape || input != 1) return false;
    const TfLiteIntArray* dims = subgraph->context.tensors[node->node.inputs->data[input]].dims;
    return dims != NULL && dims->size != 1;
}

static TfLiteStatus check_inputs(LiteSubgraph* subgraph, LiteNode* node) {
    const TfLiteIntArray* inputs = node->node.inputs;
    for (int i = 0; i < inputs->size; i++) {
        if (inputs->data[i] < 0 || i + 1 == node->joined_input) continue;
        TfLiteTensor* tensor = &subgraph->context.tensors[inputs->data[i]];
        if (tensor->data_is_stale && tensor->delegate != NULL && tensor->delegate != node->node.delegate) {
            LITE_TRY(lite_subgraph_make_readable(subgraph, inputs->data[i]));
        }
        const bool absent = tensor->data.raw == NULL && tensor->bytes > 0;
        if (absent && tensor->allocation_type != kTfLiteNonCpu && !may_lack_data(subgraph, node, i)) {
            return lite_subgraph_fail(subgraph, "Input tensor %d lacks data", inputs->data[i]);
        }
    }
    return kTfLiteOk;
}

// Checks that every tensor that the node reads or writes in host memory has memory, except for an input that
// it computes itself, with nodes that it joins. Kernels rely on it.
static TfLiteStatus check_tensors(LiteSubgraph* subgraph, LiteNode* node) {
    LITE_TRY(check_inputs(subgraph, node));
    for (LiteNode* reads = node->joined; reads != NULL; reads = reads->joined) {
        LITE_TRY(check_inputs(subgraph, reads));
    }
    const TfLiteIntArray* outputs = node->node.outputs;
    for (int i = 0; i < outputs->size; i++) {
        if (outputs->data[i] < 0) continue;
        const TfLiteTensor* tensor = &subgraph->context.tensors[outputs->data[i]];
        const bool placed =
            tensor->allocation_type == kTfLiteArenaRw || tensor->allocation_type == kTfLiteArenaRwPersistent;
        if (placed && tensor->data.raw == NULL && tensor->bytes > 0) {
            return lite_subgraph_fail(subgraph, "Output tensor %d has no memory", outputs->data[i]);
        }
    }
    return kTfLiteOk;
}

// Such a kernel reports its operators to the telemetry profiler itself. Reported here they would be counted
// twice.
static bool profiles_itself(const LiteNode* node) {
    const TfLiteDelegate* delegate = node->node.delegate;
    return delegate != NULL && (lite_delegate_flags(delegate) & kTfLiteDelegateFlagsPerOperatorProfiling);
}

static TfLiteStatus call_node(LiteSubgraph* subgraph, LiteNode* node) {
    if (node->folded || (node->places != NULL && lite_alias_is_done(subgraph, node))) return kTfLiteOk;
    if (!LITE_HAS_TYPE(kTfLiteFloat32) || node->epilogue == NULL) return lite_node_invoke(subgraph, node);
    const int threads = subgraph->context.recommended_num_threads;
    if (node->epilogue->products != NULL)
        return lite_row_products_run(lite_subgraph_context(subgraph), node->epilogue, threads);
    if (node->epilogue->by_rows) {
        lite_row_blocks_run(node->epilogue, threads);
    } else {
        lite_epilogue_run_all(node->epilogue, threads);
    }
    return kTfLiteOk;
}

static TfLiteStatus invoke_node(LiteSubgraph* subgraph, LiteNode* node, int index) {
    const LiteInterpreter* interpreter = subgraph->interpreter;
    const bool is_reported = interpreter->telemetry != NULL && !profiles_itself(node);
    if (interpreter->profile == NULL && !is_reported) return call_node(subgraph, node);
    const uint32_t event = is_reported ? lite_telemetry_begin_node(subgraph, node, index) : 0;
    const uint64_t begin = lite_clock_ns();
    const TfLiteStatus status = call_node(subgraph, node);
    const uint64_t end = lite_clock_ns();
    if (interpreter->profile != NULL) {
        interpreter->profile(interpreter->profile_data, subgraph->index, index, begin, end);
    }
    if (is_reported) lite_telemetry_end_node(subgraph, event);
    return status;
}

// As in the reference the status tells who cancelled: a call from a thread, or the program's function.
static TfLiteStatus cancelled_status(LiteSubgraph* subgraph) {
    LiteCancellation* cancellation = &subgraph->interpreter->cancellation;
    if (!cancellation->told) lite_subgraph_fail(subgraph, "Client requested cancel during Invoke()");
    cancellation->told = true;
    return cancellation->enabled && atomic_load(&cancellation->asked) ? kTfLiteCancelled : kTfLiteError;
}

static TfLiteStatus check_cancelled(LiteSubgraph* subgraph) {
    return lite_cancellation_check(&subgraph->interpreter->cancellation) ? cancelled_status(subgraph)
                                                                         : kTfLiteOk;
}

// The status of a step whose node has returned `status`.
static TfLiteStatus end_step(LiteSubgraph* subgraph, int step, const LiteNode* node, TfLiteStatus status) {
    if (lite_cancellation_has_stopped(&subgraph->interpreter->cancellation))
        return cancelled_status(subgraph);
    if (status == kTfLiteOk || status == kTfLiteCancelled) return status;
    if (status == kTfLiteDelegateError) subgraph->failed_step = step;
    // As in the reference a kernel's other statuses count as errors.
    return lite_subgraph_fail(subgraph, "Node number %d (%s) failed to invoke.",
                              subgraph->plan->data[step - node->left_to], lite_node_name(node));
}

// Dynamic tensors in between give their memory back after the last step that uses them, if the program wants
// that, and get it again before the node that writes them.
static bool is_released_early(const LiteSubgraph* subgraph, int index) {
    const TfLiteTensor* tensor = lite_subgraph_tensor(subgraph, index);
    return tensor != NULL && !subgraph->slots[index].is_input && tensor->allocation_type == kTfLiteDynamic &&
           tensor->type != kTfLiteResource && tensor->type != kTfLiteVariant && tensor->delegate == NULL;
}

static void release_dynamic(LiteSubgraph* subgraph, const TfLiteIntArray* tensors, int step) {
    if (!subgraph->interpreter->release_dynamic) return;
    for (int i = 0; i < tensors->size; i++) {
        const int index = tensors->data[i];
        if (!is_released_early(subgraph, index) || subgraph->slots[index].last_use > step) continue;
        TfLiteTensor* tensor = lite_subgraph_tensor(subgraph, index);
        TfLiteTensorDataFree(tensor);
        lite_memory_charge(subgraph, tensor, 0, &subgraph->slots[index].dynamic_bytes, 0);
    }
}

static TfLiteStatus restore_dynamic(LiteSubgraph* subgraph, const TfLiteIntArray* outputs) {
    if (!subgraph->interpreter->release_dynamic) return kTfLiteOk;
    for (int i = 0; i < outputs->size; i++) {
        TfLiteTensor* tensor = lite_subgraph_tensor(subgraph, outputs->data[i]);
        if (!is_released_early(subgraph, outputs->data[i]) || tensor->data.raw != NULL) continue;
        if (TfLiteTensorRealloc(tensor->bytes, tensor) == kTfLiteOk) continue;
        return lite_subgraph_fail(subgraph, "out of memory for %zu bytes of tensor %d", tensor->bytes,
                                  outputs->data[i]);
    }
    return kTfLiteOk;
}

// *runs becomes the node that computes.
static TfLiteStatus run_fused(LiteSubgraph* subgraph, int step, LiteNode** runs) {
    int head;
    LITE_TRY(lite_fuse_begin(subgraph, step, &head));
    if (head < 0) return invoke_node(subgraph, *runs, subgraph->plan->data[step]);
    *runs = subgraph->nodes[head];
    TfLiteStatus status = check_tensors(subgraph, *runs);
    if (status == kTfLiteOk) status = invoke_node(subgraph, *runs, head);
    lite_fuse_end(subgraph, head);
    return status;
}

// A node that runs by itself.
static TfLiteStatus run_node(LiteSubgraph* subgraph, LiteNode* node, int step) {
    LITE_TRY(check_tensors(subgraph, node));
    LITE_TRY(restore_dynamic(subgraph, node->node.outputs));
    LITE_TRY(invoke_node(subgraph, node, subgraph->plan->data[step]));
    if (LITE_HAS_OVERLAP) LITE_TRY(lite_overlap_began(subgraph, step));
    return lite_memory_charge_outputs(subgraph, node);
}

static TfLiteStatus end_kernel(LiteSubgraph* subgraph) {
    const LiteDelegateKernel* kernel = subgraph->going;
    if (kernel == NULL) return kTfLiteOk;
    return end_step(subgraph, subgraph->going_step, &kernel->node, lite_overlap_end(subgraph));
}

static TfLiteStatus run_step(LiteSubgraph* subgraph, int step) {
    // What a kernel works on is also not to move.
    const bool moves = step == subgraph->prepared;
    if (subgraph->going != NULL && (subgraph->going->ends_before <= step || moves))
        LITE_TRY(end_kernel(subgraph));
    if (step == subgraph->prepared) LITE_TRY(lite_prepare_segment(subgraph, step));
    LiteNode* node = subgraph->nodes[subgraph->plan->data[step]];
    LITE_TRY(check_cancelled(subgraph));
    if (node->left_to > 0) return kTfLiteOk;
    subgraph->resized = false;
    subgraph->interpreter->nested_prepares = 0;
    LiteNode* runs = node;
    const TfLiteStatus status = LITE_HAS_TYPE(kTfLiteFloat32) && node->epilogue != NULL
                                    ? run_fused(subgraph, step, &runs)
                                    : run_node(subgraph, node, step);
    // The steps after this one were prepared for other shapes. A node that fails may have resized, too.
    if (subgraph->resized && lite_node_has_dynamic_output(subgraph, node)) subgraph->prepared = step + 1;
    LITE_TRY(end_step(subgraph, step, runs, status));
    release_dynamic(subgraph, node->node.inputs, step);
    release_dynamic(subgraph, node->node.outputs, step);
    return kTfLiteOk;
}

// Whatever the status is, no kernel goes on afterwards.
static TfLiteStatus run_steps(LiteSubgraph* subgraph) {
    TfLiteStatus status = kTfLiteOk;
    const int steps = subgraph->plan->size;
    for (int step = 0; step < steps && status == kTfLiteOk; step++) status = run_step(subgraph, step);
    if (status == kTfLiteOk) return end_kernel(subgraph);
    (void)lite_overlap_end(subgraph);
    return status;
}

static TfLiteStatus run_plan(LiteSubgraph* subgraph) {
    subgraph->failed_step = -1;
    // A graph without nodes is asked too, or a loop over such graphs would never end.
    LITE_TRY(check_cancelled(subgraph));
    LITE_TRY(run_steps(subgraph));
    if (subgraph->interpreter->buffer_handle_output) return kTfLiteOk;
    const LiteModelInts outputs = subgraph->source->outputs;
    for (int i = 0; i < outputs.count; i++) {
        if (outputs.data[i] >= 0) LITE_TRY(lite_subgraph_make_readable(subgraph, outputs.data[i]));
    }
    return kTfLiteOk;
}

TfLiteStatus lite_subgraph_run(LiteSubgraph* subgraph) {
    unsigned char* variables;
    LITE_TRY(lite_delegate_save_variables(subgraph, &variables));
    TfLiteStatus status = lite_subgraph_enter(subgraph);
    if (status != kTfLiteOk) {
        lite_free(variables);
        return status;
    }
    status = run_plan(subgraph);
    // If the program has enabled the fallback, lite_subgraph_invoke takes care of failures.
    while (status != kTfLiteOk && !subgraph->interpreter->delegate_fallback &&
           lite_delegate_drop_failed(subgraph)) {
        status = lite_allocate(subgraph);
        lite_delegate_restore_variables(subgraph, variables);
        if (status == kTfLiteOk) status = run_plan(subgraph);
    }
    lite_free(variables);
    lite_subgraph_leave(subgraph);
    return status;
}
