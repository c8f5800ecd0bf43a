// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/partition/host_nodes.h"

#include <string.h>

#include "core/base/memory.h"
#include "tensorflow/lite/c/c_api_opaque.h"

// Memory of a tensor that the host has left without.
typedef struct Block {
    struct Block* next;
    int tensor;
    void* memory;
} Block;

typedef struct LiteClHostNode {
    int index;
    TfLiteNode node; // the host's, but for its temporaries
    TfLiteStatus (*prepare)(TfLiteContext* context, TfLiteNode* node);
    TfLiteStatus (*invoke)(TfLiteContext* context, TfLiteNode* node);
    Block* blocks;           // of its outputs and temporaries
    TfLiteIntArray** shapes; // of its outputs, when it ran last
    int output_count;        // hosts free a node's lists before they free our kernel
} LiteClHostNode;

static TfLiteStatus out_of_memory(TfLiteContext* context) {
    return lite_fail((TfLiteOpaqueContext*)context, "OpenCL: out of memory");
}

TfLiteStatus lite_cl_host_nodes_read(LiteClHostNodes* nodes, TfLiteContext* context,
                                     const TfLiteDelegateParams* params, const LiteReporter* reporter) {
    const TfLiteIntArray* indices = params->nodes_to_replace;
    nodes->outputs = params->output_tensors;
    nodes->nodes = lite_calloc((size_t)indices->size + 1, sizeof *nodes->nodes);
    if (nodes->nodes == NULL) return lite_report(reporter, "OpenCL: out of memory");
    for (int i = 0; i < indices->size; i++) {
        TfLiteNode* node;
        TfLiteRegistration* registration;
        LITE_TRY(context->GetNodeAndRegistration(context, indices->data[i], &node, &registration));
        LiteClHostNode* noted = &nodes->nodes[nodes->count++];
        *noted = (LiteClHostNode){.index = indices->data[i],
                                  .node = *node,
                                  .prepare = registration->prepare,
                                  .invoke = registration->invoke,
                                  .output_count = node->outputs->size};
        // Kernels free and replace it: the host's own is not theirs here.
        noted->node.temporaries = TfLiteIntArrayCreate(0);
        noted->shapes = lite_calloc((size_t)node->outputs->size + 1, sizeof *noted->shapes);
        if (noted->node.temporaries == NULL || noted->shapes == NULL)
            return lite_report(reporter, "OpenCL: out of memory");
    }
    return kTfLiteOk;
}

static void free_blocks(LiteClHostNode* node) {
    while (node->blocks != NULL) {
        Block* block = node->blocks;
        node->blocks = block->next;
        lite_free(block->memory);
        lite_free(block);
    }
}

void lite_cl_host_nodes_free(LiteClHostNodes* nodes) {
    for (int n = 0; n < nodes->count; n++) {
        LiteClHostNode* node = &nodes->nodes[n];
        free_blocks(node);
        TfLiteIntArrayFree(node->node.temporaries);
        for (int i = 0; node->shapes != NULL && i < node->output_count; i++)
            TfLiteIntArrayFree(node->shapes[i]);
        lite_free(node->shapes);
    }
    lite_free(nodes->nodes);
    *nodes = (LiteClHostNodes){0};
}

static bool is_output(const LiteClHostNodes* nodes, int tensor) {
    for (int i = 0; i < nodes->outputs->size; i++) {
        if (nodes->outputs->data[i] == tensor) return true;
    }
    return false;
}

// Gives a tensor memory that the host's planner would give it, if it had the node in its plan.
static TfLiteStatus place(const LiteClHostNodes* nodes, TfLiteContext* context, LiteClHostNode* node,
                          int index) {
    enum { ALIGNMENT = 64, READ_BEYOND = 64 };
    if (index < 0 || is_output(nodes, index)) return kTfLiteOk;
    TfLiteTensor* tensor = &context->tensors[index];
    if (tensor->allocation_type != kTfLiteArenaRw && tensor->allocation_type != kTfLiteArenaRwPersistent)
        return kTfLiteOk;
    Block* block = lite_calloc(1, sizeof *block);
    if (block == NULL) return out_of_memory(context);
    const size_t bytes = tensor->bytes + READ_BEYOND;
    *block = (Block){node->blocks, index, lite_aligned_alloc(ALIGNMENT, bytes)};
    node->blocks = block;
    if (block->memory == NULL) return out_of_memory(context);
    memset(block->memory, 0, bytes);
    return kTfLiteOk;
}

static TfLiteStatus prepare_node(const LiteClHostNodes* nodes, TfLiteContext* context, LiteClHostNode* node) {
    if (node->invoke == NULL) {
        return lite_fail((TfLiteOpaqueContext*)context,
                         "OpenCL: node %d has no kernel of the host's that could compute it", node->index);
    }
    free_blocks(node);
    const TfLiteStatus status = node->prepare != NULL ? node->prepare(context, &node->node) : kTfLiteOk;
    // RESHAPE says so of an output that it makes dynamic.
    if (status != kTfLiteOutputShapeNotKnown) LITE_TRY(status);
    const TfLiteIntArray* const lists[] = {node->node.outputs, node->node.temporaries};
    for (int l = 0; l < 2; l++) {
        for (int i = 0; lists[l] != NULL && i < lists[l]->size; i++)
            LITE_TRY(place(nodes, context, node, lists[l]->data[i]));
    }
    return kTfLiteOk;
}

static TfLiteTensor* output(const TfLiteContext* context, const LiteClHostNode* node, int i) {
    const int index = node->node.outputs->data[i];
    return index >= 0 ? &context->tensors[index] : NULL;
}

static bool has_dynamic_output(const TfLiteContext* context, const LiteClHostNode* node) {
    for (int i = 0; i < node->output_count; i++) {
        const TfLiteTensor* tensor = output(context, node, i);
        if (tensor != NULL && tensor->allocation_type == kTfLiteDynamic) return true;
    }
    return false;
}

// The nodes behind one whose outputs are dynamic wait for its shapes.
TfLiteStatus lite_cl_host_nodes_prepare(LiteClHostNodes* nodes, TfLiteContext* context) {
    nodes->prepared = 0;
    for (bool late = false; nodes->prepared < nodes->count && !late; nodes->prepared++) {
        LiteClHostNode* node = &nodes->nodes[nodes->prepared];
        LITE_TRY(prepare_node(nodes, context, node));
        late = has_dynamic_output(context, node);
    }
    for (int n = nodes->prepared; n < nodes->count; n++) {
        for (int i = 0; i < nodes->nodes[n].output_count; i++) {
            TfLiteTensor* tensor = output(context, &nodes->nodes[n], i);
            if (tensor != NULL && is_output(nodes, nodes->nodes[n].node.outputs->data[i]))
                TfLiteOpaqueTensorSetAllocationTypeToDynamic((TfLiteOpaqueTensor*)tensor);
        }
    }
    return kTfLiteOk;
}

// The host has given an output memory already, which the kernel's prepare takes from it.
typedef struct Given {
    char* memory;
    size_t bytes;
} Given;

static TfLiteStatus prepare_keeping(LiteClHostNodes* nodes, TfLiteContext* context, Given* given) {
    for (int i = 0; i < nodes->outputs->size; i++) {
        const TfLiteTensor* tensor = &context->tensors[nodes->outputs->data[i]];
        given[i] = (Given){tensor->data.raw, tensor->bytes};
    }
    LITE_TRY(lite_cl_host_nodes_prepare(nodes, context));
    for (int i = 0; i < nodes->outputs->size; i++) {
        TfLiteTensor* tensor = &context->tensors[nodes->outputs->data[i]];
        if (tensor->allocation_type != kTfLiteArenaRw) continue;
        if (tensor->bytes != given[i].bytes) {
            nodes->prepared = 0;
            return lite_fail(
                (TfLiteOpaqueContext*)context,
                "OpenCL: tensor %d has %zu bytes by the host's kernels, %zu when it was prepared",
                nodes->outputs->data[i], tensor->bytes, given[i].bytes);
        }
        tensor->data.raw = given[i].memory;
    }
    return kTfLiteOk;
}

static TfLiteStatus prepare_now(LiteClHostNodes* nodes, TfLiteContext* context) {
    Given* given = lite_calloc((size_t)nodes->outputs->size + 1, sizeof *given);
    if (given == NULL) return out_of_memory(context);
    const TfLiteStatus status = prepare_keeping(nodes, context, given);
    lite_free(given);
    return status;
}

// Have outputs that are dynamic other shapes than the last time?
static bool is_resized(const TfLiteContext* context, const LiteClHostNode* node) {
    bool resized = false;
    for (int i = 0; i < node->output_count; i++) {
        const TfLiteTensor* tensor = output(context, node, i);
        if (tensor == NULL || tensor->allocation_type != kTfLiteDynamic) continue;
        if (node->shapes[i] != NULL && TfLiteIntArrayEqual(node->shapes[i], tensor->dims)) continue;
        TfLiteIntArrayFree(node->shapes[i]);
        node->shapes[i] = TfLiteIntArrayCopy(tensor->dims);
        resized = true;
    }
    return resized;
}

static TfLiteStatus run(LiteClHostNodes* nodes, TfLiteContext* context, int n) {
    LiteClHostNode* node = &nodes->nodes[n];
    if (n >= nodes->prepared) {
        LITE_TRY(prepare_node(nodes, context, node));
        nodes->prepared = n + 1;
    }
    // The host plans its memory without knowing of this.
    for (const Block* block = node->blocks; block != NULL; block = block->next)
        context->tensors[block->tensor].data.raw = block->memory;
    LITE_TRY(node->invoke(context, &node->node));
    if (is_resized(context, node)) nodes->prepared = n + 1;
    return kTfLiteOk;
}

TfLiteStatus lite_cl_host_nodes_invoke(LiteClHostNodes* nodes, TfLiteContext* context) {
    if (nodes->prepared == 0) LITE_TRY(prepare_now(nodes, context));
    for (int n = 0; n < nodes->count; n++) LITE_TRY(run(nodes, context, n));
    return kTfLiteOk;
}
