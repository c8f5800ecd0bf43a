// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/partition/prepare.h"

#include <string.h>

#include "delegate-opencl/graph/fold.h"
#include "delegate-opencl/graph/report.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/graph/types.h"
#include "delegate-opencl/partition/build.h"
#include "delegate-opencl/partition/fits.h"

static TfLiteOpaqueContext* opaque(TfLiteContext* context) {
    return (TfLiteOpaqueContext*)context;
}

static bool is_late(const LiteClNode* node) {
    for (int i = 0; i < node->input_count; i++) {
        if (node->inputs[i] != NULL && node->inputs[i]->late) return true;
    }
    return lite_cl_awaits(node);
}

// Infers the types and shapes of all tensors, and parameters, from those of the inputs. *complete: all
// parameters were known.
static TfLiteStatus infer_shapes(LiteClPartition* partition, bool* complete, const LiteReporter* reporter) {
    *complete = true;
    for (int n = 0; n < partition->graph.node_count; n++) {
        const LiteClNode* node = &partition->graph.nodes[n];
        LiteClReason reason;
        const bool late = is_late(node);
        lite_cl_give_types(node);
        for (int i = 0; i < node->output_count; i++) {
            node->outputs[i]->data = NULL;
            node->outputs[i]->late = late;
        }
        *complete = *complete && !late;
        if (late) continue;
        if (!lite_cl_node_check(node, &reason) || !lite_cl_node_fits(partition->device, node, &reason)) {
            return lite_report(reporter, "OpenCL: node %d (%s): %s", node->index, node->name, reason.text);
        }
        LITE_TRY(lite_cl_fold_weights(&partition->graph, node, reporter));
        if (node->outputs[0]->foresight.asked) LITE_TRY(lite_cl_fold(&partition->graph, node, reporter));
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
    for (int i = 0; i < partition->boundary.output_count; i++) {
        const LiteClTensor* output = partition->boundary.outputs[i];
        TfLiteOpaqueTensor* host = TfLiteOpaqueContextGetOpaqueTensor(opaque(context), output->index);
        lite_cl_set_host_type(host, output->type);
        if (output->late) {
            TfLiteOpaqueTensorSetAllocationTypeToDynamic(host);
        } else {
            LITE_TRY(resize_output(context, host, &output->shape));
        }
    }
    return kTfLiteOk;
}

// In invoke. Outputs whose shape was known in prepare already have it.
static TfLiteStatus resize_dynamic_outputs(const LiteClPartition* partition, TfLiteContext* context) {
    for (int i = 0; i < partition->boundary.output_count; i++) {
        const LiteClTensor* output = partition->boundary.outputs[i];
        TfLiteOpaqueTensor* host = TfLiteOpaqueContextGetOpaqueTensor(opaque(context), output->index);
        if (TfLiteOpaqueTensorGetAllocationType(host) != kTfLiteDynamic || has_shape(host, &output->shape))
            continue;
        LITE_TRY(resize_output(context, host, &output->shape));
    }
    return kTfLiteOk;
}

// The contents of an input that have to be known; NULL when they are not known now. Before an inference only
// contents are known that the host has computed in prepare and will not compute again.
static const void* contents_now(const LiteClTensor* tensor, const TfLiteOpaqueContext* context,
                                bool running) {
    const TfLiteOpaqueTensor* host = TfLiteOpaqueContextGetOpaqueTensor(context, tensor->index);
    const TfLiteAllocationType allocation = TfLiteOpaqueTensorGetAllocationType(host);
    const bool known = running || allocation == kTfLitePersistentRo || allocation == kTfLiteMmapRo;
    if (!tensor->foresight.asked || tensor->odd != NULL || !known || !lite_cl_fold_fits(tensor) ||
        TfLiteOpaqueTensorByteSize(host) != lite_cl_tensor_bytes(tensor))
        return NULL;
    // A tensor without elements may have no memory.
    return lite_cl_tensor_bytes(tensor) > 0 ? TfLiteOpaqueTensorData(host) : "";
}

static bool is_current(const LiteClPartition* partition, const TfLiteOpaqueContext* context, bool running) {
    if (!partition->ready) return false;
    for (int i = 0; i < partition->boundary.input_count; i++) {
        const LiteClBuilt* built = &partition->built[i];
        LiteClTensor now = *partition->boundary.inputs[i];
        lite_cl_tensor_update(&now, context);
        if (now.type != partition->boundary.inputs[i]->type || !lite_shape_equal(&now.shape, &built->shape))
            return false;
        if (!now.foresight.asked) continue;
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
    for (int i = 0; i < partition->boundary.input_count; i++) {
        LiteClTensor* input = partition->boundary.inputs[i];
        lite_cl_tensor_update(input, context);
        const void* contents = contents_now(input, context, running);
        // What is not known in invoke will never be; the node that needs it says so.
        input->foresight.readable = input->foresight.asked && !running;
        if (contents != NULL) LITE_TRY(lite_cl_fold_keep(&partition->graph, input, contents, reporter));
    }
    return kTfLiteOk;
}

static void remember_inputs(LiteClPartition* partition) {
    for (int i = 0; i < partition->boundary.input_count; i++) {
        const LiteClTensor* input = partition->boundary.inputs[i];
        LiteClBuilt* built = &partition->built[i];
        built->shape = input->shape;
        built->bytes = input->data != NULL ? input->bytes : 0;
        if (input->data != NULL) memcpy(built->contents, input->data, input->bytes);
    }
    partition->ready = true;
}

// While parameters are not known the plan stays unbuilt; that is no failure.
static TfLiteStatus rebuild(LiteClPartition* partition, TfLiteContext* context, bool running,
                            const LiteReporter* reporter) {
    if (LITE_CL_HAS_COSTS && partition->ready) lite_cl_drift_stop(&partition->drift);
    partition->ready = false;
    LITE_TRY(update_inputs(partition, opaque(context), running, reporter));
    bool complete;
    LITE_TRY(infer_shapes(partition, &complete, reporter));
    if (!complete) return kTfLiteOk;
    LITE_TRY(lite_cl_partition_build(partition, false, reporter));
    remember_inputs(partition);
    return kTfLiteOk;
}

static TfLiteStatus update(LiteClPartition* partition, TfLiteContext* context, bool running) {
    if (lite_cl_partition_is_quarantined(partition)) return kTfLiteDelegateError;
    if (is_current(partition, opaque(context), running)) return kTfLiteOk;
    const LiteReporter reporter = lite_cl_context_reporter(context);
    LiteClWitness witness;
    lite_cl_witness_init(&witness, &reporter);
    const TfLiteStatus status = rebuild(partition, context, running, &witness.reporter);
    if (status != kTfLiteOk)
        lite_cl_health_fail(&partition->shared->health, kOcliteOpenclPartlyFailed, witness.first);
    return status;
}

TfLiteStatus lite_cl_partition_prepare(LiteClPartition* partition, TfLiteContext* context) {
    LITE_TRY(update(partition, context, false));
    partition->late = !partition->ready;
    return resize_outputs(partition, context);
}

TfLiteStatus lite_cl_partition_prepare_late(LiteClPartition* partition, TfLiteContext* context) {
    if (!partition->late) return kTfLiteOk;
    LITE_TRY(update(partition, context, true));
    return resize_dynamic_outputs(partition, context);
}
