// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/graph/read.h"

#include <string.h>

#include "core/base/async.h"
#include "core/base/operator.h"
#include "delegate-opencl/graph/quantization.h"
#include "tensorflow/lite/builtin_ops.h"

static TfLiteStatus out_of_memory(const LiteReporter* reporter) {
    return lite_report(reporter, "OpenCL: out of memory");
}

// The graph while it is read.
typedef struct Reading {
    LiteClGraph* graph;
    TfLiteContext* context;
    const LiteClFinder* finder;
    const LiteReporter* reporter;
} Reading;

// Copies `size` bytes, which may be absent (NULL).
static TfLiteStatus copy_bytes(Reading* r, const void* bytes, size_t size, const void** copy) {
    if (size == 0 || bytes == NULL) return kTfLiteOk;
    void* own = lite_arena_alloc(&r->graph->arena, 1, size);
    if (own == NULL) return out_of_memory(r->reporter);
    memcpy(own, bytes, size);
    *copy = own;
    return kTfLiteOk;
}

static TfLiteStatus enter_tensor(Reading* r, int index, LiteClTensor** entered) {
    const int before = r->graph->tensor_count;
    *entered = lite_cl_graph_enter(r->graph, index);
    if (r->graph->tensor_count == before) return kTfLiteOk;
    const TfLiteOpaqueContext* context = (const TfLiteOpaqueContext*)r->context;
    lite_cl_tensor_update(*entered, context);
    const TfLiteTensor* host = (const TfLiteTensor*)TfLiteOpaqueContextGetOpaqueTensor(context, index);
    if (host == NULL || host->quantization.type != kTfLiteAffineQuantization ||
        host->quantization.params == NULL)
        return kTfLiteOk;
    (*entered)->affine = lite_cl_quantization_copy(host->quantization.params);
    return (*entered)->affine != NULL ? kTfLiteOk : out_of_memory(r->reporter);
}

static TfLiteStatus read_tensors(Reading* r, const TfLiteIntArray* indices, int* count, LiteClTensor*** out) {
    const int n = indices != NULL ? indices->size : 0;
    LiteClTensor** tensors = lite_arena_alloc(&r->graph->arena, (size_t)n, sizeof(*tensors));
    if (tensors == NULL) return out_of_memory(r->reporter);
    for (int i = 0; i < n; i++) {
        const int index = indices->data[i];
        if (index < 0 || (size_t)index >= r->context->tensors_size) continue;
        LITE_TRY(enter_tensor(r, index, &tensors[i]));
    }
    *count = n;
    *out = tensors;
    return kTfLiteOk;
}

// Hosts put an operator without a prepare in the place of one that they do not have. What an opaque one is
// made of only our runtime shows.
static bool is_unresolved(const Reading* r, const TfLiteRegistration* registration) {
    const TfLiteOperator* op = registration->registration_external;
    if (op == NULL) return registration->prepare == NULL && registration->init == NULL;
    return lite_async_understood(r->context) && op->prepare == NULL && op->prepare_with_data == NULL &&
           op->init == NULL && op->init_with_data == NULL && registration->prepare == NULL;
}

static TfLiteStatus read_name(Reading* r, const TfLiteRegistration* registration, LiteClNode* node) {
    LiteClLookup lookup;
    r->finder->find(r->finder->user_data, registration->builtin_code, registration->custom_name,
                    registration->version, &lookup);
    node->code = registration->builtin_code;
    node->op = lookup.op;
    node->refusal = lookup.refusal;
    node->name = lookup.name;
    const bool is_custom =
        registration->builtin_code == kTfLiteBuiltinCustom && registration->custom_name != NULL;
    if (!is_custom) return kTfLiteOk;
    const size_t size = strlen(registration->custom_name) + 1;
    char* name = lite_arena_alloc(&r->graph->arena, size, 1);
    if (name == NULL) return out_of_memory(r->reporter);
    memcpy(name, registration->custom_name, size);
    node->name = name;
    node->unresolved = is_unresolved(r, registration);
    return kTfLiteOk;
}

static int read_operators(TfLiteContext* subgraph) {
    TfLiteIntArray* plan = NULL;
    TfLiteNode* node = NULL;
    TfLiteRegistration* registration = NULL;
    if (subgraph->GetExecutionPlan(subgraph, &plan) != kTfLiteOk || plan->size > 1) return LITE_CL_BODY_OTHER;
    if (plan->size == 0) return LITE_CL_BODY_EMPTY;
    if (subgraph->GetNodeAndRegistration(subgraph, plan->data[0], &node, &registration) != kTfLiteOk)
        return LITE_CL_BODY_OTHER;
    return registration->builtin_code;
}

static int read_body(TfLiteContext* context, int index) {
    TfLiteContext* subgraph = NULL;
    if (context->AcquireSubgraphContext == NULL || context->ReleaseSubgraphContext == NULL || index < 0 ||
        context->AcquireSubgraphContext(context, index, &subgraph) != kTfLiteOk)
        return LITE_CL_BODY_OTHER;
    const int code = read_operators(subgraph);
    (void)context->ReleaseSubgraphContext(context, index);
    return code;
}

// Our runtime fills in the declaration in all versions, because it looks at it in all.
static TfLiteType read_bias_type(const Reading* r, const TfLiteNode* host, int version, const LiteClOp* op) {
    TfLiteType type = kTfLiteNoType;
    if (op->bias_type > 0 && host->builtin_data != NULL &&
        (version >= op->bias_type_version || lite_async_understood(r->context)))
        memcpy(&type, (const char*)host->builtin_data + op->bias_type, sizeof type);
    return type;
}

static TfLiteStatus read_options(Reading* r, const TfLiteNode* host, const TfLiteRegistration* registration,
                                 LiteClNode* node) {
    const bool custom = registration->builtin_code == kTfLiteBuiltinCustom;
    if (node->op == NULL) return kTfLiteOk;
    LITE_TRY(copy_bytes(r, host->builtin_data, node->op->params_size, &node->params));
    node->bias_type = read_bias_type(r, host, registration->version, node->op);
    if (node->op->body > 0 && node->params != NULL) {
        int subgraph;
        memcpy(&subgraph, (const char*)node->params + node->op->body, sizeof subgraph);
        node->body = read_body(r->context, subgraph);
    }
    if (!custom || host->custom_initial_data == NULL || host->custom_initial_data_size < 0) return kTfLiteOk;
    node->custom_size = (size_t)host->custom_initial_data_size;
    return copy_bytes(r, host->custom_initial_data, node->custom_size, &node->custom_options);
}

static TfLiteStatus read_node(Reading* r, int index, LiteClNode* node) {
    TfLiteNode* host = NULL;
    TfLiteRegistration* registration = NULL;
    LITE_TRY(r->context->GetNodeAndRegistration(r->context, index, &host, &registration));
    node->index = index;
    LITE_TRY(read_name(r, registration, node));
    LITE_TRY(read_tensors(r, host->inputs, &node->input_count, &node->inputs));
    LITE_TRY(read_tensors(r, host->outputs, &node->output_count, &node->outputs));
    LITE_TRY(read_tensors(r, host->intermediates, &node->intermediate_count, &node->intermediates));
    node->shapes = lite_arena_alloc(&r->graph->arena, (size_t)node->output_count, sizeof *node->shapes);
    if (node->shapes == NULL) return out_of_memory(r->reporter);
    return read_options(r, host, registration, node);
}

// Counts the tensors that the nodes touch; the count may be too high.
static TfLiteStatus count_tensors(const Reading* r, const TfLiteIntArray* nodes, size_t* count) {
    *count = 0;
    for (int i = 0; i < nodes->size; i++) {
        TfLiteNode* host = NULL;
        TfLiteRegistration* registration = NULL;
        LITE_TRY(r->context->GetNodeAndRegistration(r->context, nodes->data[i], &host, &registration));
        const TfLiteIntArray* lists[] = {host->inputs, host->outputs, host->intermediates};
        for (int l = 0; l < 3; l++) *count += lists[l] != NULL ? (size_t)lists[l]->size : 0;
    }
    if (*count > r->context->tensors_size) *count = r->context->tensors_size;
    return kTfLiteOk;
}

static void note_uses(const LiteClGraph* graph, int n) {
    const LiteClNode* node = &graph->nodes[n];
    for (int i = 0; i < node->input_count; i++) {
        if (node->inputs[i] != NULL) node->inputs[i]->last_reader = n;
    }
    for (int i = 0; i < node->output_count; i++) {
        if (node->outputs[i] != NULL) node->outputs[i]->producer = n;
    }
}

static TfLiteStatus read_graph(Reading* r, const TfLiteIntArray* nodes) {
    LiteClGraph* graph = r->graph;
    size_t tensor_count;
    LITE_TRY(count_tensors(r, nodes, &tensor_count));
    graph->nodes = lite_arena_alloc(&graph->arena, (size_t)nodes->size, sizeof *graph->nodes);
    if (!lite_cl_graph_begin(graph, tensor_count) || graph->nodes == NULL) return out_of_memory(r->reporter);
    for (int i = 0; i < nodes->size; i++) {
        LITE_TRY(read_node(r, nodes->data[i], &graph->nodes[i]));
        note_uses(graph, i);
        graph->node_count++;
    }
    return kTfLiteOk;
}

TfLiteStatus lite_cl_graph_read(LiteClGraph* graph, TfLiteContext* context, const TfLiteIntArray* nodes,
                                const LiteClFinder* finder, const LiteReporter* reporter) {
    Reading r = {.graph = graph, .context = context, .finder = finder, .reporter = reporter};
    // The host's plan is valid until somebody asks for a plan again, and a broken model may name the
    // graph itself as a body.
    TfLiteIntArray* own_nodes = TfLiteIntArrayCopy(nodes);
    const TfLiteStatus status = own_nodes != NULL ? read_graph(&r, own_nodes) : out_of_memory(reporter);
    TfLiteIntArrayFree(own_nodes);
    return status;
}
