// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/partition.h"

#include "core/base/async.h"
#include "delegate-opencl/async.h"
#include "delegate-opencl/delegate.h"
#include "delegate-opencl/support.h"

static TfLiteOpaqueContext* opaque(TfLiteContext* context) {
    return (TfLiteOpaqueContext*)context;
}

static void release(TfLiteContext* context, void* data) {
    (void)context;
    LiteClPartition* partition = data;
    if (partition == NULL) return;
    lite_cl_async_destroy(partition->async);
    lite_cl_plan_free(&partition->plan);
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

static TfLiteStatus read_partition(LiteClPartition* partition, TfLiteContext* context,
                                   const TfLiteDelegateParams* params, const LiteReporter* reporter) {
    LITE_TRY(lite_cl_graph_read(&partition->graph, context, params->nodes_to_replace, reporter));
    LITE_TRY(find_boundary(partition, params->input_tensors, &partition->inputs, &partition->input_count,
                           reporter));
    LITE_TRY(find_boundary(partition, params->output_tensors, &partition->outputs, &partition->output_count,
                           reporter));
    partition->prepared = lite_arena_alloc(&partition->graph.arena, (size_t)partition->input_count,
                                           sizeof *partition->prepared);
    if (partition->prepared == NULL) return lite_report(reporter, "OpenCL: out of memory");
    return lite_cl_plan_init(&partition->plan, partition->device, reporter);
}

static void* init(TfLiteContext* context, const char* buffer, size_t length) {
    (void)length;
    const TfLiteDelegateParams* params = (const TfLiteDelegateParams*)buffer;
    const LiteReporter reporter = lite_cl_context_reporter(context);
    LiteClPartition* partition = lite_calloc(1, sizeof *partition);
    if (partition == NULL) return NULL;
    partition->device = lite_cl_device_retain(lite_cl_delegate_device(params->delegate));
    if (read_partition(partition, context, params, &reporter) != kTfLiteOk) {
        release(context, partition);
        return NULL;
    }
    const TfLiteTelemetryGpuDelegateSettings settings = {(size_t)params->nodes_to_replace->size,
                                                         kLiteTelemetryOpencl};
    lite_telemetry_report_settings(lite_telemetry_profiler(context), "GpuDelegateKernel::Prepare",
                                   kLiteTelemetryGpu, &settings);
    return partition;
}

// Shapes of all tensors from those of the inputs.
static TfLiteStatus infer_shapes(LiteClPartition* partition, const LiteReporter* reporter) {
    for (int n = 0; n < partition->graph.node_count; n++) {
        const LiteClNode* node = &partition->graph.nodes[n];
        LiteClReason reason;
        if (!lite_cl_node_check(node, &reason)) {
            return lite_report(reporter, "OpenCL: node %d (%s): %s", node->index, node->name, reason.text);
        }
    }
    return kTfLiteOk;
}

static TfLiteStatus resize_outputs(const LiteClPartition* partition, TfLiteContext* context) {
    for (int i = 0; i < partition->output_count; i++) {
        const LiteClTensor* output = partition->outputs[i];
        TfLiteOpaqueTensor* host = TfLiteOpaqueContextGetOpaqueTensor(opaque(context), output->index);
        TfLiteIntArray* dims = TfLiteIntArrayCreate(output->shape.rank);
        if (dims == NULL) return lite_fail(opaque(context), "OpenCL: out of memory");
        for (int d = 0; d < output->shape.rank; d++) dims->data[d] = output->shape.dims[d];
        LITE_TRY(TfLiteOpaqueContextResizeTensor(opaque(context), host, dims));
    }
    return kTfLiteOk;
}

static TfLiteStatus place_boundary(LiteClPartition* partition, LiteClStorageKind kind, LiteClTensor** tensors,
                                   int count) {
    LiteClPlan* plan = &partition->plan;
    for (int i = 0; i < count; i++) {
        tensors[i]->storage = lite_cl_plan_add_storage(plan, kind, lite_cl_tensor_bytes(tensors[i]));
        if (tensors[i]->storage < 0) return kTfLiteError;
        plan->storages[tensors[i]->storage].tensor = tensors[i]->index;
    }
    return kTfLiteOk;
}

static TfLiteStatus build_plan(LiteClPartition* partition, const LiteReporter* reporter) {
    LiteClPlan* plan = &partition->plan;
    lite_cl_plan_begin(plan, reporter);
    for (int t = 0; t < partition->graph.tensor_count; t++) partition->graph.tensors[t].storage = -1;
    LITE_TRY(place_boundary(partition, kLiteClInput, partition->inputs, partition->input_count));
    LITE_TRY(place_boundary(partition, kLiteClOutput, partition->outputs, partition->output_count));
    for (int n = 0; n < partition->graph.node_count; n++) {
        const LiteClNode* node = &partition->graph.nodes[n];
        LITE_TRY(node->op->lower(plan, node));
    }
    return lite_cl_plan_finish(plan);
}

bool lite_cl_partition_is_current(const LiteClPartition* partition, const TfLiteOpaqueContext* context) {
    if (!partition->ready) return false;
    for (int i = 0; i < partition->input_count; i++) {
        LiteClTensor now = *partition->inputs[i];
        lite_cl_tensor_update(&now, context);
        if (!lite_shape_equal(&now.shape, &partition->prepared[i])) return false;
    }
    return true;
}

TfLiteStatus lite_cl_partition_prepare(LiteClPartition* partition, TfLiteContext* context) {
    const LiteReporter reporter = lite_cl_context_reporter(context);
    if (!lite_cl_partition_is_current(partition, opaque(context))) {
        partition->ready = false;
        for (int i = 0; i < partition->input_count; i++)
            lite_cl_tensor_update(partition->inputs[i], opaque(context));
        LITE_TRY(infer_shapes(partition, &reporter));
        LITE_TRY(build_plan(partition, &reporter));
        for (int i = 0; i < partition->input_count; i++) partition->prepared[i] = partition->inputs[i]->shape;
        partition->ready = true;
    }
    return resize_outputs(partition, context);
}

// Hosts tell a delegate's failure from the model's by the status.
static TfLiteStatus as_delegate_status(TfLiteStatus status) {
    return status == kTfLiteOk ? kTfLiteOk : kTfLiteDelegateError;
}

static TfLiteStatus prepare(TfLiteContext* context, TfLiteNode* node) {
    LiteClPartition* partition = node->user_data;
    if (partition == NULL) return kTfLiteDelegateError; // init has reported
    // States begin anew whenever their operators are prepared.
    if (partition->plan.has_state) partition->ready = false;
    return as_delegate_status(lite_cl_partition_prepare(partition, context));
}

static TfLiteStatus invoke(TfLiteContext* context, TfLiteNode* node) {
    LiteClPartition* partition = node->user_data;
    const LiteReporter reporter = lite_cl_context_reporter(context);
    if (partition == NULL || !partition->ready) {
        return as_delegate_status(lite_report(&reporter, "OpenCL: invoked without having been prepared"));
    }
    return as_delegate_status(lite_cl_plan_run(&partition->plan, opaque(context), &reporter));
}

static TfLiteAsyncKernel* async_kernel(TfLiteContext* context, TfLiteNode* node) {
    LiteClPartition* partition = node->user_data;
    if (partition == NULL || !lite_async_understood(context)) return NULL;
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
