// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/partition.h"

#include <string.h>

#include "core/base/async.h"
#include "delegate-opencl/async.h"
#include "delegate-opencl/binding.h"
#include "delegate-opencl/budget.h"
#include "delegate-opencl/chain.h"
#include "delegate-opencl/delegate.h"
#include "delegate-opencl/fold.h"
#include "delegate-opencl/precision.h"
#include "delegate-opencl/profile.h"

static TfLiteOpaqueContext* opaque(TfLiteContext* context) {
    return (TfLiteOpaqueContext*)context;
}

static void release(TfLiteContext* context, void* data) {
    (void)context;
    LiteClPartition* partition = data;
    if (partition == NULL) return;
    if (partition->plan.bindings != NULL) lite_cl_bindings_leave(partition->plan.bindings, partition);
    lite_cl_async_destroy(partition->async);
    lite_cl_plan_free(&partition->plan);
    lite_cl_profile_free(partition->profile);
    lite_cl_graph_free(&partition->graph);
    lite_cl_device_release(partition->device);
    lite_free(partition);
}

// Those of the given tensors that the nodes touch and that are no constants.
static TfLiteStatus find_boundary(LiteClPartition* partition, const TfLiteIntArray* indices,
                                  LiteClTensor*** tensors, int* count, const LiteReporter* reporter) {
    *tensors = lite_arena_alloc(&partition->graph.arena, (size_t)indices->size, sizeof(**tensors));
    if (*tensors == NULL) return lite_report(reporter, "OpenCL: out of memory");
    for (int i = 0; i < indices->size; i++) {
        LiteClTensor* tensor = lite_cl_graph_tensor(&partition->graph, indices->data[i]);
        if (tensor != NULL && tensor->data == NULL) (*tensors)[(*count)++] = tensor;
    }
    return kTfLiteOk;
}

static TfLiteStatus ask_for_parameters(LiteClPartition* partition, const LiteReporter* reporter) {
    LiteArena* arena = &partition->graph.arena;
    lite_cl_fold_ask(&partition->graph);
    partition->built = lite_arena_alloc(arena, (size_t)partition->input_count, sizeof *partition->built);
    if (partition->built == NULL) return lite_report(reporter, "OpenCL: out of memory");
    for (int i = 0; i < partition->input_count; i++) {
        if (!partition->inputs[i]->asked) continue;
        partition->built[i].contents = lite_arena_alloc(arena, LITE_CL_MOST_KNOWN, sizeof(int64_t));
        if (partition->built[i].contents == NULL) return lite_report(reporter, "OpenCL: out of memory");
    }
    return kTfLiteOk;
}

static void find_kept(LiteClPartition* partition) {
    for (int n = 0; n < partition->graph.node_count; n++) {
        const LiteClNode* node = &partition->graph.nodes[n];
        for (int i = 0; i < node->input_count; i++) {
            if (!lite_cl_keeps_input(node, i) || node->inputs[i]->data != NULL) continue;
            partition->keeps = node->inputs[i]->kept = true;
        }
    }
}

static void choose_precisions(LiteClPartition* partition, const LiteClOptions* options) {
    const LiteClGraph* graph = &partition->graph;
    for (int n = 0; n < graph->node_count; n++) {
        LiteClNode* node = &graph->nodes[n];
        const LiteClSelected selected = {graph->number, node->index, node->name};
        const LiteClPrecision precision = lite_cl_options_precision(options, &selected);
        node->narrow = precision == kLiteClFloat16;
        node->automatic = precision == kLiteClAuto;
        partition->automatic = partition->automatic || node->automatic;
    }
    partition->error_budget = options->error_budget;
}

static TfLiteStatus read_partition(LiteClPartition* partition, TfLiteContext* context,
                                   const TfLiteDelegateParams* params, const LiteReporter* reporter) {
    const LiteClOptions* options = lite_cl_delegate_options(params->delegate);
    const LiteClGraph* whole = lite_cl_delegate_graph(params->delegate, context);
    LITE_TRY(lite_cl_graph_read(&partition->graph, context, params->nodes_to_replace, &options->customs,
                                reporter));
    partition->graph.number = whole != NULL ? whole->number : 0;
    LITE_TRY(lite_cl_fold_sparse(&partition->graph, reporter));
    LITE_TRY(lite_cl_fold_inputs(&partition->graph, whole, params->input_tensors, reporter));
    find_kept(partition);
    choose_precisions(partition, options);
    LITE_TRY(find_boundary(partition, params->input_tensors, &partition->inputs, &partition->input_count,
                           reporter));
    LITE_TRY(find_boundary(partition, params->output_tensors, &partition->outputs, &partition->output_count,
                           reporter));
    LITE_TRY(ask_for_parameters(partition, reporter));
    partition->plan.watchdog_ms = options->watchdog_ms;
    if (options->profiling) {
        partition->profile =
            lite_cl_profile_create(lite_cl_delegate_profiler(params->delegate), &partition->graph);
        if (partition->profile == NULL) return lite_report(reporter, "OpenCL: out of memory");
    }
    partition->plan.profile = partition->profile;
    partition->plan.memory = lite_cl_delegate_memory(params->delegate);
    partition->plan.hints = options->hints;
    // A measurement that does not end could not be given up.
    partition->plan.tuning = options->tuning != 0 && options->watchdog_ms == 0;
    return lite_cl_plan_init(&partition->plan, partition->device, options->external.queue, reporter);
}

static void* init(TfLiteContext* context, const char* buffer, size_t length) {
    (void)length;
    const TfLiteDelegateParams* params = (const TfLiteDelegateParams*)buffer;
    const LiteReporter reporter = lite_cl_context_reporter(context);
    LiteClPartition* partition = lite_calloc(1, sizeof *partition);
    if (partition == NULL) return NULL;
    partition->device = lite_cl_device_retain(lite_cl_delegate_device(params->delegate));
    partition->delegate = params->delegate;
    partition->health = lite_cl_delegate_health(params->delegate);
    partition->context = context;
    LiteClWitness witness;
    lite_cl_witness_init(&witness, &reporter);
    if (read_partition(partition, context, params, &witness.reporter) != kTfLiteOk) {
        lite_cl_health_fail(partition->health, kOcliteOpenclPartlyFailed, witness.first);
        release(context, partition);
        return NULL;
    }
    const TfLiteTelemetryGpuDelegateSettings settings = {(size_t)params->nodes_to_replace->size,
                                                         kLiteTelemetryOpencl};
    lite_telemetry_report_settings(lite_telemetry_profiler(context), "GpuDelegateKernel::Prepare",
                                   kLiteTelemetryGpu, &settings);
    partition->plan.bindings = lite_cl_delegate_bindings(params->delegate);
    lite_cl_bindings_enter(partition->plan.bindings, partition);
    return partition;
}

static bool is_late(const LiteClNode* node) {
    for (int i = 0; i < node->input_count; i++) {
        if (node->inputs[i] != NULL && node->inputs[i]->late) return true;
    }
    return lite_cl_awaits(node);
}

// Shapes of all tensors, and parameters, from those of the inputs.
static TfLiteStatus infer_shapes(LiteClPartition* partition, const LiteReporter* reporter) {
    partition->late = false;
    for (int n = 0; n < partition->graph.node_count; n++) {
        const LiteClNode* node = &partition->graph.nodes[n];
        LiteClReason reason;
        const bool late = is_late(node);
        for (int i = 0; i < node->output_count; i++) {
            node->outputs[i]->data = NULL;
            node->outputs[i]->late = late;
        }
        partition->late = partition->late || late;
        if (late) continue;
        if (!lite_cl_node_check(node, &reason)) {
            return lite_report(reporter, "OpenCL: node %d (%s): %s", node->index, node->name, reason.text);
        }
        LITE_TRY(lite_cl_fold_weights(&partition->graph, node, reporter));
        if (node->outputs[0]->asked) LITE_TRY(lite_cl_fold(&partition->graph, node, reporter));
    }
    return kTfLiteOk;
}

static TfLiteStatus resize_output(TfLiteContext* context, TfLiteOpaqueTensor* host, const LiteShape* shape) {
    TfLiteIntArray* dims = TfLiteIntArrayCreate(shape->rank);
    if (dims == NULL) return lite_fail(opaque(context), "OpenCL: out of memory");
    for (int d = 0; d < shape->rank; d++) dims->data[d] = shape->dims[d];
    return TfLiteOpaqueContextResizeTensor(opaque(context), host, dims);
}

static bool has_shape(const TfLiteOpaqueTensor* host, const LiteShape* shape) {
    if (TfLiteOpaqueTensorNumDims(host) != shape->rank) return false;
    for (int d = 0; d < shape->rank; d++) {
        if (TfLiteOpaqueTensorDim(host, d) != shape->dims[d]) return false;
    }
    return lite_shape_elements(shape) == 0 || TfLiteOpaqueTensorData(host) != NULL;
}

static TfLiteStatus resize_outputs(const LiteClPartition* partition, TfLiteContext* context) {
    for (int i = 0; i < partition->output_count; i++) {
        const LiteClTensor* output = partition->outputs[i];
        TfLiteOpaqueTensor* host = TfLiteOpaqueContextGetOpaqueTensor(opaque(context), output->index);
        if (output->late) {
            TfLiteOpaqueTensorSetAllocationTypeToDynamic(host);
        } else {
            LITE_TRY(resize_output(context, host, &output->shape));
        }
    }
    return kTfLiteOk;
}

// In invoke. Outputs whose shape prepare knew have it.
static TfLiteStatus resize_dynamic_outputs(const LiteClPartition* partition, TfLiteContext* context) {
    for (int i = 0; i < partition->output_count; i++) {
        const LiteClTensor* output = partition->outputs[i];
        TfLiteOpaqueTensor* host = TfLiteOpaqueContextGetOpaqueTensor(opaque(context), output->index);
        if (TfLiteOpaqueTensorGetAllocationType(host) != kTfLiteDynamic || has_shape(host, &output->shape))
            continue;
        LITE_TRY(resize_output(context, host, &output->shape));
    }
    return kTfLiteOk;
}

static TfLiteStatus place_boundary(LiteClPartition* partition, LiteClStorageKind kind, LiteClTensor** tensors,
                                   int count) {
    LiteClPlan* plan = &partition->plan;
    for (int i = 0; i < count; i++) {
        const bool keeps = tensors[i]->kept && kind == kLiteClInput;
        tensors[i]->storage =
            lite_cl_plan_add_storage(plan, keeps ? kLiteClVariable : kind, lite_cl_tensor_bytes(tensors[i]));
        if (tensors[i]->storage < 0) return kTfLiteError;
        plan->storages[tensors[i]->storage].tensor = tensors[i]->index;
    }
    return kTfLiteOk;
}

// The next node, if it may be lowered together with node n; else -1. Its other inputs are then float32.
static int find_join(LiteClPartition* partition, int n, TfLiteStatus* status) {
    const LiteClNode* nodes = partition->graph.nodes;
    const int next = nodes[n].op->join != NULL ? lite_cl_only_reader(&partition->graph, n) : -1;
    if (next < 0 || !partition->narrow) return next;
    if (nodes[next].narrow) return -1;
    *status = lite_cl_precision_bring(&partition->plan, &nodes[next]);
    return next;
}

// Node *n, and perhaps further ones with it: then *n is the last of them.
static TfLiteStatus lower_next(LiteClPartition* partition, int* n) {
    LiteClPlan* plan = &partition->plan;
    LiteClNode* node = &partition->graph.nodes[*n];
    bool joined = false;
    if (partition->narrow && node->narrow) return lite_cl_precision_lower(plan, node);
    if (partition->narrow) {
        LITE_TRY(lite_cl_precision_bring(plan, node));
    } else {
        LITE_TRY(lite_cl_chain_lower(plan, &partition->graph, n, &joined));
        if (joined) return kTfLiteOk;
    }
    TfLiteStatus status = kTfLiteOk;
    const int next = find_join(partition, *n, &status);
    LITE_TRY(status);
    if (next >= 0) LITE_TRY(node->op->join(plan, node, &partition->graph.nodes[next], &joined));
    if (joined) *n = next;
    return joined ? kTfLiteOk : node->op->lower(plan, node);
}

static TfLiteStatus lower(LiteClPartition* partition, int* n) {
    const int first = partition->plan.step_count;
    const LiteClNode* node = &partition->graph.nodes[*n];
    LITE_TRY(lower_next(partition, n));
    lite_cl_plan_attribute(&partition->plan, first, node, &partition->graph.nodes[*n]);
    return kTfLiteOk;
}

static bool is_narrow(const LiteClPartition* partition) {
    for (int n = 0; n < partition->graph.node_count && !partition->exact; n++) {
        if (partition->graph.nodes[n].narrow) return true;
    }
    return false;
}

static TfLiteStatus build_plan(LiteClPartition* partition, const LiteReporter* reporter) {
    LiteClPlan* plan = &partition->plan;
    partition->narrow = is_narrow(partition);
    lite_cl_plan_begin(plan, reporter);
    for (int t = 0; t < partition->graph.tensor_count; t++) partition->graph.tensors[t].storage = -1;
    LITE_TRY(place_boundary(partition, kLiteClInput, partition->inputs, partition->input_count));
    LITE_TRY(place_boundary(partition, kLiteClOutput, partition->outputs, partition->output_count));
    lite_cl_precision_begin(&partition->graph);
    for (int n = 0; n < partition->graph.node_count; n++) {
        if (!lite_cl_is_folded(&partition->graph.nodes[n])) LITE_TRY(lower(partition, &n));
    }
    return lite_cl_plan_finish(plan);
}

TfLiteStatus lite_cl_partition_build(LiteClPartition* partition, const LiteReporter* reporter) {
    const bool was_ready = partition->ready;
    partition->ready = false;
    LITE_TRY(build_plan(partition, reporter));
    lite_cl_delegate_note_precisions(partition->delegate, &partition->graph);
    partition->ready = was_ready;
    return kTfLiteOk;
}

// The contents of an input that are asked for, NULL when they are not known now: before an inference only
// what the host has computed in prepare and does not compute again is.
static const void* contents_now(const LiteClTensor* tensor, const TfLiteOpaqueContext* context,
                                bool running) {
    const TfLiteOpaqueTensor* host = TfLiteOpaqueContextGetOpaqueTensor(context, tensor->index);
    const TfLiteAllocationType allocation = TfLiteOpaqueTensorGetAllocationType(host);
    const bool known = running || allocation == kTfLitePersistentRo || allocation == kTfLiteMmapRo;
    if (!tensor->asked || tensor->odd != NULL || !known || !lite_cl_fold_fits(tensor) ||
        TfLiteOpaqueTensorByteSize(host) != lite_cl_tensor_bytes(tensor))
        return NULL;
    // Without elements there need be no memory.
    return lite_cl_tensor_bytes(tensor) > 0 ? TfLiteOpaqueTensorData(host) : "";
}

static bool is_current(const LiteClPartition* partition, const TfLiteOpaqueContext* context, bool running) {
    if (!partition->ready) return false;
    for (int i = 0; i < partition->input_count; i++) {
        const LiteClBuilt* built = &partition->built[i];
        LiteClTensor now = *partition->inputs[i];
        lite_cl_tensor_update(&now, context);
        if (!lite_shape_equal(&now.shape, &built->shape)) return false;
        if (!now.asked) continue;
        const void* contents = contents_now(&now, context, running);
        const size_t bytes = contents != NULL ? lite_cl_tensor_bytes(&now) : 0;
        if (bytes != built->bytes) return false;
        if (contents != NULL && memcmp(contents, built->contents, bytes) != 0) return false;
    }
    return true;
}

bool lite_cl_partition_is_current(const LiteClPartition* partition, const TfLiteOpaqueContext* context) {
    return is_current(partition, context, false);
}

static TfLiteStatus update_inputs(LiteClPartition* partition, const TfLiteOpaqueContext* context,
                                  bool running, const LiteReporter* reporter) {
    for (int i = 0; i < partition->input_count; i++) {
        LiteClTensor* input = partition->inputs[i];
        lite_cl_tensor_update(input, context);
        const void* contents = contents_now(input, context, running);
        // What is not known in invoke never will be: the node that asks for it says so.
        input->readable = input->asked && !running;
        if (contents != NULL) LITE_TRY(lite_cl_fold_keep(&partition->graph, input, contents, reporter));
    }
    return kTfLiteOk;
}

static void remember_inputs(LiteClPartition* partition) {
    for (int i = 0; i < partition->input_count; i++) {
        const LiteClTensor* input = partition->inputs[i];
        LiteClBuilt* built = &partition->built[i];
        built->shape = input->shape;
        built->bytes = input->data != NULL ? input->bytes : 0;
        if (input->data != NULL) memcpy(built->contents, input->data, input->bytes);
    }
    partition->ready = true;
}

static TfLiteStatus rebuild(LiteClPartition* partition, TfLiteContext* context, bool running,
                            const LiteReporter* reporter) {
    partition->ready = false;
    LITE_TRY(update_inputs(partition, opaque(context), running, reporter));
    LITE_TRY(infer_shapes(partition, reporter));
    if (partition->late) return kTfLiteOk;
    LITE_TRY(lite_cl_partition_build(partition, reporter));
    remember_inputs(partition);
    return kTfLiteOk;
}

// The host has been told why, or can ask.
static bool is_quarantined(const LiteClPartition* partition) {
    return lite_cl_health_status(partition->health) == kOcliteOpenclQuarantined;
}

static TfLiteStatus update(LiteClPartition* partition, TfLiteContext* context, bool running) {
    if (is_quarantined(partition)) return kTfLiteDelegateError;
    if (is_current(partition, opaque(context), running)) return kTfLiteOk;
    const LiteReporter reporter = lite_cl_context_reporter(context);
    LiteClWitness witness;
    lite_cl_witness_init(&witness, &reporter);
    const TfLiteStatus status = rebuild(partition, context, running, &witness.reporter);
    if (status != kTfLiteOk) lite_cl_health_fail(partition->health, kOcliteOpenclPartlyFailed, witness.first);
    return status;
}

TfLiteStatus lite_cl_partition_prepare(LiteClPartition* partition, TfLiteContext* context) {
    LITE_TRY(update(partition, context, false));
    partition->prepared_late = partition->late;
    return resize_outputs(partition, context);
}

// Hosts tell a delegate's failure from the model's by the status. But they would not leave in the program's
// buffers what they compute themselves: with bound tensors it is the inference that fails, by the status
// `bound`.
static TfLiteStatus failing_status(const LiteClPartition* partition, TfLiteContext* context,
                                   TfLiteStatus bound) {
    if (!lite_cl_bindings_any(partition->plan.bindings, partition, opaque(context)))
        return kTfLiteDelegateError;
    (void)lite_fail(opaque(context), "OpenCL: tensors are bound to buffers of the program: until they are "
                                     "unbound the host does not compute in the device's place");
    return bound;
}

static TfLiteStatus prepare(TfLiteContext* context, TfLiteNode* node) {
    LiteClPartition* partition = node->user_data;
    if (partition == NULL) return kTfLiteDelegateError; // init has reported
    // States begin anew whenever their operators are prepared.
    if (partition->plan.has_state) {
        partition->ready = false;
        lite_cl_plan_forget_states(&partition->plan);
    }
    if (lite_cl_partition_prepare(partition, context) == kTfLiteOk) return kTfLiteOk;
    return failing_status(partition, context, kTfLiteApplicationError);
}

static TfLiteStatus run(LiteClPartition* partition, TfLiteContext* context, const LiteReporter* reporter) {
    if (partition->prepared_late) {
        LITE_TRY(update(partition, context, true));
        LITE_TRY(resize_dynamic_outputs(partition, context));
    }
    if (!partition->ready) return lite_report(reporter, "OpenCL: invoked without having been prepared");
    LITE_TRY(lite_cl_budget_before(partition, opaque(context), reporter));
    for (bool again = true; again;) {
        LITE_TRY(lite_cl_plan_run(&partition->plan, opaque(context), reporter));
        LITE_TRY(lite_cl_budget_behind(partition, opaque(context), &again, reporter));
    }
    if (partition->profile != NULL)
        lite_cl_profile_report(partition->profile, lite_telemetry_profiler(context));
    return kTfLiteOk;
}

static TfLiteStatus invoke(TfLiteContext* context, TfLiteNode* node) {
    const LiteReporter reporter = lite_cl_context_reporter(context);
    if (node->user_data == NULL) {
        (void)lite_report(&reporter, "OpenCL: invoked without having been prepared");
        return kTfLiteDelegateError;
    }
    LiteClPartition* partition = node->user_data;
    if (is_quarantined(partition)) return failing_status(partition, context, kTfLiteError);
    LiteClWitness witness;
    lite_cl_witness_init(&witness, &reporter);
    const TfLiteStatus status = run(partition, context, &witness.reporter);
    // Other failures are the model's or the host's.
    if (status == kTfLiteDelegateError) {
        lite_cl_health_fail(partition->health, kOcliteOpenclQuarantined, witness.first);
    }
    return status == kTfLiteOk ? kTfLiteOk : failing_status(partition, context, kTfLiteError);
}

static TfLiteAsyncKernel* async_kernel(TfLiteContext* context, TfLiteNode* node) {
    LiteClPartition* partition = node->user_data;
    if (partition == NULL || !lite_async_understood(context)) return NULL;
    // An execution that is still going on would be overtaken by the next one's variables.
    if (partition->keeps) return NULL;
    if (partition->async == NULL) {
        const LiteReporter reporter = lite_cl_context_reporter(context);
        partition->async = lite_cl_async_create(partition, &reporter);
    }
    return partition->async != NULL ? lite_cl_async_kernel(partition->async) : NULL;
}

TfLiteRegistration lite_cl_partition_registration(void) {
    return (TfLiteRegistration){
        .init = init,
        .free = release,
        .prepare = prepare,
        .invoke = invoke,
        .builtin_code = kTfLiteBuiltinDelegate,
        .custom_name = "OpenCL",
        .version = 1,
        .async_kernel = async_kernel,
    };
}
