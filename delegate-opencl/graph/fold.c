// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/graph/fold.h"

#include <string.h>

#include "core/base/types.h"
#include "core/semantics/half.h"
#include "core/semantics/slice.h"
#include "core/semantics/sparse.h"
#include "delegate-opencl/graph/support.h"

// A few integers in the order of memory.
typedef struct Numbers {
    int count;
    int64_t values[LITE_CL_MAX_KNOWN];
} Numbers;

static bool is_integer(const LiteClTensor* tensor) {
    return tensor != NULL && (tensor->type == kTfLiteInt32 || tensor->type == kTfLiteInt64);
}

bool lite_cl_fold_fits(const LiteClTensor* tensor) {
    int64_t count;
    return (lite_cl_is_integer(tensor) || tensor->type == kTfLiteFloat32) &&
           lite_shape_count(tensor->shape.dims, tensor->shape.rank, &count) && count <= LITE_CL_MAX_KNOWN;
}

// The numbers of input `index`; false when they are not known.
static bool read(const LiteClNode* node, int index, Numbers* numbers) {
    const LiteClTensor* tensor = lite_cl_input(node, index);
    if (!is_integer(tensor) || tensor->data == NULL || !lite_cl_fold_fits(tensor)) return false;
    numbers->count = (int)lite_shape_elements(&tensor->shape);
    for (int i = 0; i < numbers->count; i++) numbers->values[i] = lite_cl_int_at(tensor, i);
    return true;
}

// A rule computes the numbers of output 0; it returns false when they are not known.
typedef bool (*Rule)(const LiteClNode* node, Numbers* result);

static bool shape_rule(const LiteClNode* node, Numbers* result) {
    const LiteShape* shape = &node->inputs[0]->shape;
    result->count = shape->rank;
    for (int d = 0; d < shape->rank; d++) result->values[d] = shape->dims[d];
    return true;
}

static bool rank_rule(const LiteClNode* node, Numbers* result) {
    *result = (Numbers){1, {node->inputs[0]->shape.rank}};
    return true;
}

// CAST, RESHAPE, SQUEEZE, EXPAND_DIMS: the numbers stay as they are.
static bool same_rule(const LiteClNode* node, Numbers* result) {
    return read(node, 0, result);
}

// CONCATENATION and PACK, along the first dimension.
static bool join_rule(const LiteClNode* node, Numbers* result) {
    const bool packs = strcmp(node->name, "PACK") == 0;
    const int axis = packs ? ((const TfLitePackParams*)node->params)->axis
                           : ((const TfLiteConcatenationParams*)node->params)->axis;
    const int rank = node->outputs[0]->shape.rank;
    if (axis != 0 && axis != -rank) return false;
    if (!packs && ((const TfLiteConcatenationParams*)node->params)->activation != kTfLiteActNone)
        return false;
    result->count = 0;
    for (int i = 0; i < node->input_count; i++) {
        Numbers part;
        if (!read(node, i, &part) || result->count + part.count > LITE_CL_MAX_KNOWN) return false;
        for (int k = 0; k < part.count; k++) result->values[result->count++] = part.values[k];
    }
    return true;
}

static bool part_rule(const LiteClNode* node, Numbers* result) {
    static const LiteReporter silent = {0};
    const LiteShape* shape = &node->inputs[0]->shape;
    Numbers in = {0}, of[3] = {{0}};
    LitePart part;
    if (shape->rank != 1 || !read(node, 0, &in)) return false;
    for (int i = 1; i < node->input_count; i++) {
        if (!read(node, i, &of[i - 1])) return false;
    }
    if (node->input_count == 3) {
        if (of[0].count != 1 || of[1].count != 1) return false;
        if (lite_slice_part(shape, of[0].values, of[1].values, &part, &silent) != kTfLiteOk) return false;
    } else {
        const LiteStrides strides = {of[0].count, of[0].values, of[1].values, of[2].values, node->params};
        if (of[0].count > LITE_MAX_RANK || of[1].count != of[0].count || of[2].count != of[0].count ||
            lite_strided_part(shape, &strides, &part, &silent) != kTfLiteOk || !lite_part_is_inside(&part))
            return false;
    }
    // New dimensions have one element. The numbers lie along the dimension that has all of them.
    int from = 0;
    for (int d = 0; d < part.rank; d++) {
        if (part.seen.dims[d] == in.count && (in.count != 1 || part.length[d] != 1)) from = d;
    }
    result->count = part.rank > 0 ? (int)part.length[from] : 0;
    for (int i = 0; i < result->count; i++)
        result->values[i] = in.values[part.begin[from] + i * part.step[from]];
    return true;
}

static bool gather_rule(const LiteClNode* node, Numbers* result) {
    const TfLiteGatherParams* params = node->params;
    Numbers in, at;
    if (node->inputs[0]->shape.rank != 1 || (params->axis != 0 && params->axis != -1) ||
        params->batch_dims != 0 || !read(node, 0, &in) || !read(node, 1, &at))
        return false;
    result->count = at.count;
    for (int i = 0; i < at.count; i++) {
        if (at.values[i] < 0 || at.values[i] >= in.count) return false;
        result->values[i] = in.values[at.values[i]];
    }
    return true;
}

// Integers wrap around.
static int64_t combine(const char* op, int64_t a, int64_t b) {
    if (strcmp(op, "ADD") == 0 || strcmp(op, "SUM") == 0) return (int64_t)((uint64_t)a + (uint64_t)b);
    if (strcmp(op, "SUB") == 0) return (int64_t)((uint64_t)a - (uint64_t)b);
    if (strcmp(op, "MUL") == 0 || strcmp(op, "REDUCE_PROD") == 0) return (int64_t)((uint64_t)a * (uint64_t)b);
    if (strcmp(op, "MAXIMUM") == 0 || strcmp(op, "REDUCE_MAX") == 0) return a > b ? a : b;
    return a < b ? a : b; // MINIMUM, REDUCE_MIN
}

// Of ADD, SUB and MUL; the parameters begin with the activation.
static bool has_activation(const LiteClNode* node) {
    return node->params != NULL && *(const TfLiteFusedActivation*)node->params != kTfLiteActNone;
}

static bool binary_rule(const LiteClNode* node, Numbers* result) {
    Numbers a, b;
    if (has_activation(node) || !read(node, 0, &a) || !read(node, 1, &b)) return false;
    if (a.count != b.count && a.count != 1 && b.count != 1) return false;
    result->count = a.count == 1 ? b.count : a.count;
    for (int i = 0; i < result->count; i++) {
        result->values[i] =
            combine(node->name, a.values[a.count == 1 ? 0 : i], b.values[b.count == 1 ? 0 : i]);
    }
    return true;
}

// FLOOR_DIV.
static bool divide_rule(const LiteClNode* node, Numbers* result) {
    Numbers a, b;
    if (!read(node, 0, &a) || !read(node, 1, &b) || (b.count != 1 && b.count != a.count)) return false;
    result->count = a.count;
    for (int i = 0; i < a.count; i++) {
        const int64_t x = a.values[i], divisor = b.values[b.count == 1 ? 0 : i];
        if (divisor <= 0) return false;
        result->values[i] = x / divisor - (x % divisor < 0 ? 1 : 0);
    }
    return true;
}

// All numbers to one.
static bool reduce_rule(const LiteClNode* node, Numbers* result) {
    Numbers in;
    if (!read(node, 0, &in) || in.count < 1 || lite_shape_elements(&node->outputs[0]->shape) != 1)
        return false;
    *result = (Numbers){1, {in.values[0]}};
    for (int i = 1; i < in.count; i++)
        result->values[0] = combine(node->name, result->values[0], in.values[i]);
    return true;
}

static bool fill_rule(const LiteClNode* node, Numbers* result) {
    const int64_t count = lite_shape_elements(&node->outputs[0]->shape);
    Numbers value;
    if (!read(node, 1, &value) || value.count != 1 || count > LITE_CL_MAX_KNOWN) return false;
    result->count = (int)count;
    for (int i = 0; i < result->count; i++) result->values[i] = value.values[0];
    return true;
}

static const struct {
    const char* name;
    Rule rule;
} rules[] = {
    {"SHAPE", shape_rule},        {"RANK", rank_rule},          {"CAST", same_rule},
    {"RESHAPE", same_rule},       {"SQUEEZE", same_rule},       {"EXPAND_DIMS", same_rule},
    {"PACK", join_rule},          {"CONCATENATION", join_rule}, {"SLICE", part_rule},
    {"STRIDED_SLICE", part_rule}, {"GATHER", gather_rule},      {"ADD", binary_rule},
    {"SUB", binary_rule},         {"MUL", binary_rule},         {"MAXIMUM", binary_rule},
    {"MINIMUM", binary_rule},     {"FLOOR_DIV", divide_rule},   {"SUM", reduce_rule},
    {"REDUCE_PROD", reduce_rule}, {"REDUCE_MAX", reduce_rule},  {"REDUCE_MIN", reduce_rule},
    {"FILL", fill_rule},
};
enum { RULE_COUNT = sizeof rules / sizeof rules[0] };

static Rule find_rule(const LiteClNode* node) {
    for (int i = 0; i < RULE_COUNT; i++) {
        if (strcmp(rules[i].name, node->name) == 0) return rules[i].rule;
    }
    return NULL;
}

static bool from_shapes(const LiteClNode* node) {
    const Rule rule = find_rule(node);
    return rule == shape_rule || rule == rank_rule;
}

bool lite_cl_fold_can(const LiteClNode* node) {
    return find_rule(node) != NULL && node->output_count == 1 && is_integer(node->outputs[0]) &&
           (from_shapes(node) || is_integer(node->inputs[0]));
}

bool lite_cl_fold_readable(const LiteClNode* node) {
    if (!lite_cl_fold_can(node) || !lite_cl_fold_fits(node->outputs[0])) return false;
    for (int i = 0; i < node->input_count && !from_shapes(node); i++) {
        const LiteClTensor* input = node->inputs[i];
        if (input != NULL && input->data == NULL && !input->foresight.readable) return false;
    }
    return true;
}

TfLiteStatus lite_cl_fold_keep(LiteClGraph* graph, LiteClTensor* tensor, const void* data,
                               const LiteReporter* reporter) {
    if (tensor->contents == NULL)
        tensor->contents = lite_arena_alloc(&graph->arena, LITE_CL_MAX_KNOWN, sizeof(int64_t));
    if (tensor->contents == NULL) return lite_report(reporter, "OpenCL: out of memory");
    tensor->bytes = (size_t)lite_shape_elements(&tensor->shape) * lite_type_size(tensor->type);
    memcpy(tensor->contents, data, tensor->bytes);
    tensor->data = tensor->contents;
    return kTfLiteOk;
}

TfLiteStatus lite_cl_fold(LiteClGraph* graph, const LiteClNode* node, const LiteReporter* reporter) {
    Numbers result = {0};
    if (!lite_cl_fold_can(node)) return kTfLiteOk;
    LiteClTensor* output = node->outputs[0];
    if (!lite_cl_fold_fits(output) || !find_rule(node)(node, &result) ||
        result.count != lite_shape_elements(&output->shape))
        return kTfLiteOk;
    int32_t narrow[LITE_CL_MAX_KNOWN];
    for (int i = 0; i < result.count; i++) narrow[i] = (int32_t)result.values[i];
    const void* data = output->type == kTfLiteInt64 ? (const void*)result.values : narrow;
    return lite_cl_fold_keep(graph, output, data, reporter);
}

static bool fill_floats(void* argument, void* memory) {
    const LiteClTensor* source = argument;
    const size_t count = (size_t)lite_shape_elements(&source->shape);
    float* to = memory;
    for (size_t i = 0; i < count; i++) {
        uint16_t half; // the model's bytes may be unaligned
        memcpy(&half, (const char*)source->data + i * sizeof half, sizeof half);
        to[i] = lite_f16_to_f32(half);
    }
    return true;
}

// The floats that a constant of FLOAT16 stands for.
static TfLiteStatus widen(LiteClGraph* graph, LiteClTensor* source, LiteClTensor* tensor,
                          const LiteReporter* reporter) {
    const size_t bytes = (size_t)lite_shape_elements(&source->shape) * sizeof(float);
    if (tensor->weights == NULL) {
        const int64_t key[] = {(int64_t)(uintptr_t)source->data};
        const LiteSharedContents contents = {
            .key = key, .key_count = 1, .bytes = bytes, .fill = fill_floats, .argument = source};
        tensor->weights = lite_shared_get(graph->widened, &contents);
        if (tensor->weights == NULL) return lite_report(reporter, "OpenCL: out of memory");
    }
    tensor->data = lite_shared_memory(tensor->weights);
    tensor->bytes = bytes;
    return kTfLiteOk;
}

bool lite_cl_fold_widens(const LiteClNode* node) {
    return LITE_HAS_TYPE(kTfLiteFloat16) && strcmp(node->name, "DEQUANTIZE") == 0 &&
           node->inputs[0]->type == kTfLiteFloat16 && node->inputs[0]->data != NULL &&
           node->outputs[0]->type == kTfLiteFloat32;
}

TfLiteStatus lite_cl_fold_weights(LiteClGraph* graph, const LiteClNode* node, const LiteReporter* reporter) {
    LiteClTensor* input = node->inputs[0];
    LiteClTensor* output = node->outputs[0];
    if (strcmp(node->name, "DENSIFY") == 0) { // of what lite_cl_fold_sparse has made
        output->data = input->data;
        output->bytes = input->bytes;
    }
    return lite_cl_fold_widens(node) ? widen(graph, input, output, reporter) : kTfLiteOk;
}

static const LiteClNode* find_producer(const LiteClGraph* graph, int index) {
    const LiteClTensor* tensor = lite_cl_graph_tensor(graph, index);
    return tensor != NULL && tensor->producer >= 0 ? &graph->nodes[tensor->producer] : NULL;
}

TfLiteStatus lite_cl_fold_inputs(LiteClGraph* graph, const LiteClGraph* whole, const TfLiteIntArray* inputs,
                                 const LiteReporter* reporter) {
    for (int i = 0; LITE_HAS_TYPE(kTfLiteFloat16) && whole != NULL && i < inputs->size; i++) {
        LiteClTensor* tensor = lite_cl_graph_tensor(graph, inputs->data[i]);
        if (tensor == NULL || tensor->type != kTfLiteFloat32 || tensor->data != NULL) continue;
        const LiteClNode* node = find_producer(whole, tensor->index);
        LiteClReason reason;
        if (node == NULL || !lite_cl_node_check(node, &reason) || !lite_cl_fold_widens(node)) continue;
        tensor->shape = node->outputs[0]->shape;
        LITE_TRY(widen(graph, node->inputs[0], tensor, reporter));
    }
    return kTfLiteOk;
}

static TfLiteStatus make_dense(LiteClGraph* graph, const char* op, LiteClTensor* tensor,
                               const LiteReporter* reporter) {
    const size_t element = lite_type_size(tensor->type);
    const size_t count = (size_t)lite_shape_elements(&tensor->shape);
    void* dense = lite_arena_alloc(&graph->arena, count + 1, element);
    if (dense == NULL) return lite_report(reporter, "OpenCL: out of memory for sparse weights");
    LITE_TRY(lite_sparse_expand(reporter, op, tensor->sparsity, &tensor->shape, element, tensor->data,
                                tensor->bytes, dense));
    tensor->data = dense;
    tensor->bytes = count * element;
    tensor->odd = NULL;
    return kTfLiteOk;
}

TfLiteStatus lite_cl_fold_sparse(LiteClGraph* graph, const LiteReporter* reporter) {
    for (int n = 0; n < graph->node_count; n++) {
        const LiteClNode* node = &graph->nodes[n];
        for (int i = 0; i < node->input_count; i++) {
            LiteClTensor* input = node->inputs[i];
            if (input == NULL || input->sparsity == NULL || input->odd == NULL) continue;
            if (lite_cl_expands_input(node, i)) LITE_TRY(make_dense(graph, node->name, input, reporter));
        }
    }
    return kTfLiteOk;
}

void lite_cl_fold_ask(const LiteClGraph* graph) {
    for (int n = graph->node_count - 1; n >= 0; n--) {
        const LiteClNode* node = &graph->nodes[n];
        const bool folded = lite_cl_fold_can(node) && !from_shapes(node) && node->outputs[0]->foresight.asked;
        for (int i = 0; i < node->input_count; i++) {
            LiteClTensor* input = node->inputs[i];
            if (input == NULL || input->data != NULL) continue;
            if (folded || lite_cl_is_parameter(node, i))
                input->foresight.asked = input->foresight.readable = true;
        }
    }
}

bool lite_cl_is_folded(const LiteClNode* node) {
    return node->outputs[0]->data != NULL && node->outputs[0]->storage < 0;
}
