// SPDX-License-Identifier: Apache-2.0
// Calls of an operator's methods. There are three forms: a TfLiteOperator's methods, with or without user
// data, and the functions of a TfLiteRegistration. The latter are called where its TfLiteOperator, if any,
// lacks a method.
#include "core/graph/node.h"

#include <string.h>

#include "core/base/lines.h"
#include "core/base/no_ints.h"
#include "core/graph/graph.h"
#include "core/graph/subgraph.h"
#include "core/graph/tensor.h"

const char* lite_node_name(const LiteNode* node) {
    if (node->methods->registration.custom_name != NULL) return node->methods->registration.custom_name;
    return lite_operator_name(node->methods->registration.builtin_code);
}

// The lists lie behind the node: most have one to three tensors, and an allocation of its own takes more.
static TfLiteIntArray* put_list(unsigned char** to, LiteModelInts list) {
    TfLiteIntArray* array = (TfLiteIntArray*)(void*)*to;
    array->size = list.count;
    if (list.count > 0) memcpy(array->data, list.data, (size_t)list.count * sizeof *list.data);
    *to += TfLiteIntArrayGetSizeInBytes(list.count);
    return array;
}

LiteNode* lite_node_create(size_t size, LiteModelInts inputs, LiteModelInts outputs,
                           LiteModelInts intermediates) {
    const size_t lists = TfLiteIntArrayGetSizeInBytes(inputs.count) +
                         TfLiteIntArrayGetSizeInBytes(outputs.count) +
                         TfLiteIntArrayGetSizeInBytes(intermediates.count);
    unsigned char* memory = lite_calloc(1, size + lists);
    if (memory == NULL) return NULL;
    LiteNode* node = (LiteNode*)(void*)memory;
    memory += size;
    node->node.inputs = put_list(&memory, inputs);
    node->node.outputs = put_list(&memory, outputs);
    node->node.intermediates = put_list(&memory, intermediates);
    node->node.temporaries = lite_no_ints();
    return node;
}

bool lite_node_own_temporaries(LiteNode* node) {
    node->node.temporaries = TfLiteIntArrayCreate(0);
    return node->node.temporaries != NULL;
}

void lite_node_fill_methods(LiteMethods* methods, const TfLiteRegistration* registration) {
    methods->registration = *registration;
    methods->is_operator = registration->registration_external != NULL;
    if (methods->is_operator) methods->op = *registration->registration_external;
    methods->op.builtin_code = (TfLiteBuiltinOperator)registration->builtin_code;
    methods->op.custom_name = registration->custom_name;
    methods->op.version = registration->version;
    if (!methods->is_operator) methods->op.fold = lite_registry_fold(registration);
    methods->registration.registration_external = &methods->op;
}

// What init receives. A program that adds a node may give its init any bytes. Builtin operators of the opaque
// API get no buffer, since their parameters are parsed already. Functions of a TfLiteRegistration have always
// got the parameters, and kernels of delegates theirs, without a length.
static const char* init_buffer(const LiteNode* node, size_t* length) {
    *length = 0;
    if (node->source == NULL) return node->node.builtin_data;
    if (node->is_built && node->source->custom_options != NULL) {
        *length = node->source->custom_options_size;
        return node->source->custom_options;
    }
    if (node->is_built && !node->methods->is_operator) return node->node.builtin_data;
    if (node->source->builtin_code != kTfLiteBuiltinCustom) {
        return node->methods->is_operator ? NULL : node->node.builtin_data;
    }
    *length = (size_t)node->node.custom_initial_data_size;
    return node->node.custom_initial_data;
}

void lite_node_init(LiteSubgraph* subgraph, LiteNode* node) {
    TfLiteContext* c = &subgraph->context;
    TfLiteOpaqueContext* context = lite_subgraph_context(subgraph);
    const TfLiteOperator* op = &node->methods->op;
    size_t length;
    const char* buffer = init_buffer(node, &length);
    node->initialised = true;
    if (op->init_with_data != NULL) {
        node->node.user_data = op->init_with_data(op->user_data, context, buffer, length);
    } else if (op->init != NULL) {
        node->node.user_data = op->init(context, buffer, length);
    } else if (node->methods->registration.init != NULL) {
        node->node.user_data = node->methods->registration.init(c, buffer, length);
    } else {
        node->initialised = false;
    }
}

static void free_user_data(LiteSubgraph* subgraph, LiteNode* node) {
    TfLiteOpaqueContext* context = lite_subgraph_context(subgraph);
    void* data = node->node.user_data;
    if (!node->initialised || data == TfLiteKernelInitFailed()) return;
    node->initialised = false;
    const TfLiteOperator* op = &node->methods->op;
    if (op->free_with_data != NULL) {
        op->free_with_data(op->user_data, context, data);
    } else if (op->free != NULL) {
        op->free(context, data);
    } else if (node->methods->registration.free != NULL && data != NULL) {
        node->methods->registration.free(&subgraph->context, data);
    }
}

void lite_node_destroy(LiteSubgraph* subgraph, LiteNode* node) {
    if (node == NULL) return;
    free_user_data(subgraph, node);
    TfLiteIntArrayFree(node->node.temporaries);
    const LiteDelegateKernel* kernel = node->kernel;
    if (kernel != NULL && kernel->opaque_params) {
        TfLiteIntArrayFree(kernel->params.opaque.nodes_to_replace);
        TfLiteIntArrayFree(kernel->params.opaque.input_tensors);
        TfLiteIntArrayFree(kernel->params.opaque.output_tensors);
    } else if (kernel != NULL) {
        TfLiteIntArrayFree(kernel->params.plain.nodes_to_replace);
        TfLiteIntArrayFree(kernel->params.plain.input_tensors);
        TfLiteIntArrayFree(kernel->params.plain.output_tensors);
    }
    if (node->is_built) lite_free(node->node.builtin_data);
    lite_free(node->epilogue);
    lite_places_destroy(node->places);
    lite_free(node);
}

const TfLiteIntArray* lite_node_replaced(const LiteNode* node) {
    const LiteDelegateKernel* kernel = node->kernel;
    return kernel->opaque_params ? kernel->params.opaque.nodes_to_replace
                                 : kernel->params.plain.nodes_to_replace;
}

void lite_node_note_plan(LiteSubgraph* subgraph) {
    for (int i = 0; i < subgraph->node_count; i++) {
        subgraph->nodes[i]->in_plan = false;
        subgraph->nodes[i]->runner = -1;
    }
    for (int step = 0; step < subgraph->plan->size; step++) {
        subgraph->nodes[subgraph->plan->data[step]]->in_plan = true;
    }
    for (int i = 0; i < subgraph->node_count; i++) {
        if (subgraph->nodes[i]->source != NULL) continue;
        const TfLiteIntArray* replaced = lite_node_replaced(subgraph->nodes[i]);
        for (int k = 0; k < replaced->size; k++) subgraph->nodes[replaced->data[k]]->runner = i;
    }
}

static bool can_prepare(const LiteNode* node) {
    if (node->methods->op.prepare != NULL || node->methods->op.prepare_with_data != NULL) return true;
    return !node->methods->is_operator || node->methods->registration.prepare != NULL;
}

// An operator needs no prepare where the model has fixed sizes for all outputs: they keep these sizes.
static bool needs_no_prepare(const LiteSubgraph* subgraph, const LiteNode* node) {
    const LiteModelInts outputs = node->source->outputs;
    for (int i = 0; i < outputs.count; i++) {
        if (outputs.data[i] < 0) continue;
        const LiteModelTensor* output = &subgraph->source->tensors[outputs.data[i]];
        if (!lite_tensor_has_fixed_size(output->type)) return false;
        for (int d = 0; d < output->shape_signature.count; d++) {
            if (output->shape_signature.data[d] < 0) return false;
        }
    }
    return true;
}

// A program may have freed a tensor without giving it new dimensions.
static TfLiteStatus check_dims(LiteSubgraph* subgraph, const char* name, const char* role,
                               const TfLiteIntArray* tensors) {
    for (int i = 0; i < tensors->size; i++) {
        const TfLiteTensor* tensor = lite_subgraph_tensor(subgraph, tensors->data[i]);
        if (tensor == NULL || tensor->dims != NULL) continue;
        return lite_subgraph_fail(subgraph, "%s: %s %d (tensor %d) has no dimensions: it was freed", name,
                                  role, i, tensors->data[i]);
    }
    return kTfLiteOk;
}

// The library's kernels trust in invoke the sizes that prepare gave. What several steps write changes in
// between; only operators of the program's own may do that, and only in graphs that it builds.
static TfLiteStatus check_shared(LiteSubgraph* subgraph, const LiteNode* node) {
    const TfLiteIntArray* lists[] = {node->node.inputs, node->node.outputs};
    for (int list = 0; list < 2; list++) {
        for (int i = 0; i < lists[list]->size; i++) {
            const int t = lists[list]->data[i];
            if (t < 0 || !subgraph->slots[t].rewritten) continue;
            return lite_subgraph_fail(
                subgraph,
                "%s: tensor %d is written by several nodes, which is for operators of the "
                "program's own only",
                lite_node_name(node), t);
        }
    }
    return kTfLiteOk;
}

static bool has_failed(const LiteNode* node) {
    return node->initialised && node->node.user_data == TfLiteKernelInitFailed();
}

// Where the subgraph's creation has not called the library's init (create.c), the first prepare does; without
// memory the next one again.
static void init_late(LiteSubgraph* subgraph, LiteNode* node) {
    if (node->methods->is_library && node->node.user_data == NULL) lite_node_init(subgraph, node);
}

// Finds faults of a node before its own prepare is called. A missing method is none yet: a delegate may take
// the node.
static TfLiteStatus check_node(LiteSubgraph* subgraph, const LiteNode* node) {
    const char* name = lite_node_name(node);
    if (!node->resolved) {
        lite_subgraph_fail(subgraph, "%s", node->methods->hint);
        return kTfLiteUnresolvedOps;
    }
    if (has_failed(node)) return lite_subgraph_fail(subgraph, "%s: the operator's init failed", name);
    if (node->source == NULL) return kTfLiteOk; // a delegate kernel may do without prepare
    LITE_TRY(check_dims(subgraph, name, "input", node->node.inputs));
    LITE_TRY(check_dims(subgraph, name, "output", node->node.outputs));
    if (node->is_library) LITE_TRY(check_shared(subgraph, node));
    const TfLiteIntArray* outputs = node->node.outputs;
    for (int i = 0; i < outputs->size; i++) {
        const int t = outputs->data[i];
        if (t >= 0 && subgraph->context.tensors[t].allocation_type == kTfLiteMmapRo) {
            return lite_subgraph_fail(subgraph, "%s: output %d (tensor %d) is a constant of the model", name,
                                      i, t);
        }
    }
    return kTfLiteOk;
}

// Memory that operators take for themselves is not counted, but no piece of it may be larger than the limit.
// Returns the limit on pieces that held before.
static size_t limit_pieces(const LiteSubgraph* subgraph) {
    const size_t limit = subgraph->interpreter->memory_limit;
    return lite_memory_set_largest(limit < SIZE_MAX - kTensorAlignment ? limit + kTensorAlignment : SIZE_MAX);
}

static TfLiteStatus call_prepare(LiteSubgraph* subgraph, LiteNode* node) {
    TfLiteOpaqueContext* context = lite_subgraph_context(subgraph);
    TfLiteOpaqueNode* opaque_node = (TfLiteOpaqueNode*)&node->node;
    const TfLiteOperator* op = &node->methods->op;
    if (op->prepare_with_data != NULL) return op->prepare_with_data(op->user_data, context, opaque_node);
    if (op->prepare != NULL) return op->prepare(context, opaque_node);
    if (node->methods->registration.prepare == NULL) return kTfLiteOk;
    return node->methods->registration.prepare(&subgraph->context, &node->node);
}

TfLiteStatus lite_node_prepare(LiteSubgraph* subgraph, LiteNode* node) {
    init_late(subgraph, node);
    LITE_TRY(check_node(subgraph, node));
    const size_t before = limit_pieces(subgraph);
    const TfLiteStatus status = call_prepare(subgraph, node);
    lite_memory_set_largest(before);
    return status;
}

TfLiteStatus lite_node_join(LiteSubgraph* subgraph, LiteNode* reader, int input, LiteNode* writer,
                            bool* joined) {
    const LiteLines* offers = writer->methods->op.lines;
    const LiteLines* joins = reader->methods->op.lines;
    *joined = false;
    if (offers == NULL || joins == NULL || joins->join == NULL) return kTfLiteOk;
    const size_t before = limit_pieces(subgraph);
    const TfLiteStatus status = joins->join(lite_subgraph_context(subgraph), (TfLiteOpaqueNode*)&reader->node,
                                            input, offers, (TfLiteOpaqueNode*)&writer->node, joined);
    lite_memory_set_largest(before);
    return status;
}

TfLiteStatus lite_node_product(LiteSubgraph* subgraph, LiteNode* node, LiteRowProduct* product) {
    const LiteLines* lines = node->methods->op.lines;
    if (lines == NULL || lines->product == NULL) return kTfLiteOk;
    const size_t before = limit_pieces(subgraph);
    const TfLiteStatus status =
        lines->product(lite_subgraph_context(subgraph), (TfLiteOpaqueNode*)&node->node, product);
    lite_memory_set_largest(before);
    return status;
}

// A node of the model that nobody has taken runs: its operator has what that needs.
static TfLiteStatus check_methods(LiteSubgraph* subgraph, const LiteNode* node) {
    const TfLiteOperator* op = &node->methods->op;
    if (op->invoke == NULL && op->invoke_with_data == NULL && node->methods->registration.invoke == NULL) {
        return lite_subgraph_fail(subgraph,
                                  "%s: the operator has no Invoke method, so it cannot be evaluated",
                                  lite_node_name(node));
    }
    // What a program builds may lack prepare, as in the reference.
    if (node->source == NULL || node->is_built || can_prepare(node) || needs_no_prepare(subgraph, node))
        return kTfLiteOk;
    return lite_subgraph_fail(subgraph,
                              "%s: the operator has no Prepare method, and the model leaves the size of an "
                              "output open",
                              lite_node_name(node));
}

static TfLiteStatus call_invoke(LiteSubgraph* subgraph, LiteNode* node) {
    LITE_TRY(check_methods(subgraph, node));
    TfLiteOpaqueContext* context = lite_subgraph_context(subgraph);
    TfLiteOpaqueNode* opaque_node = (TfLiteOpaqueNode*)&node->node;
    const TfLiteOperator* op = &node->methods->op;
    if (op->invoke_with_data != NULL) return op->invoke_with_data(op->user_data, context, opaque_node);
    if (op->invoke != NULL) return op->invoke(context, opaque_node);
    if (node->methods->registration.invoke != NULL)
        return node->methods->registration.invoke(&subgraph->context, &node->node);
    return lite_subgraph_fail(subgraph, "%s: the operator has no Invoke method, so it cannot be evaluated",
                              lite_node_name(node));
}

TfLiteStatus lite_node_invoke(LiteSubgraph* subgraph, LiteNode* node) {
    const size_t before = limit_pieces(subgraph);
    const TfLiteStatus status = call_invoke(subgraph, node);
    lite_memory_set_largest(before);
    return status;
}

bool lite_node_has_dynamic_output(const LiteSubgraph* subgraph, const LiteNode* node) {
    for (int i = 0; i < node->node.outputs->size; i++) {
        const int t = node->node.outputs->data[i];
        if (t < 0) continue;
        const TfLiteTensor* tensor = &subgraph->context.tensors[t];
        // A handle's size says nothing about the shapes of what reads it.
        if (tensor->type == kTfLiteResource || tensor->type == kTfLiteVariant) continue;
        if (tensor->allocation_type == kTfLiteDynamic) return true;
    }
    return false;
}

static bool touches_handle(const LiteSubgraph* subgraph, const TfLiteIntArray* tensors) {
    for (int i = 0; i < tensors->size; i++) {
        const TfLiteTensor* tensor = lite_subgraph_tensor(subgraph, tensors->data[i]);
        if (tensor == NULL) continue;
        if (tensor->type == kTfLiteResource || tensor->type == kTfLiteVariant) return true;
    }
    return false;
}

bool lite_node_has_side_effects(const LiteSubgraph* subgraph, const LiteNode* node) {
    switch (node->methods->registration.builtin_code) {
    case kTfLiteBuiltinCallOnce:
    case kTfLiteBuiltinIf:
    case kTfLiteBuiltinWhile:
    case kTfLiteBuiltinStablehloCase:
    case kTfLiteBuiltinStablehloComposite:
        return true; // of nodes in the subgraphs they run
    default:
        return touches_handle(subgraph, node->node.inputs) || touches_handle(subgraph, node->node.outputs);
    }
}
