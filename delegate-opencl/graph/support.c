// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/graph/support.h"

#include <string.h>

#include "core/semantics/quant.h"

const LiteClTensor* lite_cl_input(const LiteClNode* node, int index) {
    return index < node->input_count ? node->inputs[index] : NULL;
}

// Kernels have 32-bit integers, which element counts and offsets must fit. So must the products of some
// dimensions of a tensor without elements.
static bool check_count(const LiteShape* shape, const char* role, int index, LiteClReason* reason) {
    LiteShape filled = *shape;
    for (int i = 0; i < filled.rank; i++) {
        if (filled.dims[i] == 0) filled.dims[i] = 1;
    }
    int64_t count;
    if (lite_shape_count(filled.dims, filled.rank, &count) && count <= INT32_MAX / 4) return true;
    return lite_cl_refuse(reason, "%s %d has a negative dimension or more than 2^29 elements", role, index);
}

static char letter_of(const char* letters, int index) {
    if (letters == NULL) return 'T';
    while (index > 0 && letters[1] != '\0') {
        index--;
        letters++;
    }
    return *letters;
}

bool lite_cl_keeps_input(const LiteClNode* node, int index) {
    return node->inputs[index] != NULL && letter_of(node->op->inputs, index) == 'v';
}

bool lite_cl_expands_input(const LiteClNode* node, int index) {
    return node->op != NULL && index < 64 && (node->op->sparse >> index & 1u) != 0;
}

bool lite_cl_input_is_element(const LiteClNode* node, int index) {
    const char letter = letter_of(node->op->inputs, index);
    return letter == 'T' || letter == 'w';
}

// The letters that stand for certain types. Those of parameters are listed on their own.
#define INDICES (LITE_TYPE(Int32) | LITE_TYPE(Int64))
#define WEIGHTS (LITE_TYPE(Float32) | LITE_TYPE(Int16) | LITE_TYPES_BYTE | LITE_TYPE(Int4) | LITE_TYPE(Int2))
static const struct {
    char letter;
    bool parameter;
    unsigned types;
    const char* name;
} letters[] = {
    {'f', false, LITE_TYPE(Float32), "FLOAT32"},
    {'b', false, LITE_TYPE(Bool), "BOOL"},
    {'i', false, LITE_TYPE(Int32), "INT32"},
    {'p', true, LITE_TYPE(Int32), "INT32"},
    {'I', false, INDICES, "INT32 or INT64"},
    {'P', true, INDICES, "INT32 or INT64"},
    {'s', false, LITE_TYPE(Int16) | LITE_TYPE(Int32), "INT16 or INT32"},
    {'S', true, LITE_TYPE(Int16) | LITE_TYPE(Int32), "INT16 or INT32"},
    {'n', false, LITE_TYPE(Int16) | INDICES, "INT16, INT32 or INT64"},
    {'N', true, LITE_TYPE(Int8) | LITE_TYPE(Int16) | INDICES, "INT8, INT16, INT32 or INT64"},
    {'w', false, WEIGHTS, "FLOAT32, INT16, INT8, UINT8, INT4 or INT2"},
    {'.', false, LITE_CL_ANY, "of whole bytes"},
};
enum { LETTER_COUNT = sizeof letters / sizeof letters[0] };

// The row of a letter; -1 for letters that stand for the element type (T, V) and for v, which the operator
// checks.
static int find_letter(char letter) {
    for (int l = 0; l < LETTER_COUNT; l++) {
        if (letters[l].letter == letter) return l;
    }
    return -1;
}

// The types that a letter stands for, and their name.
static unsigned types_of(const LiteClNode* node, char letter, const char** name) {
    const TfLiteType element = lite_cl_element_type(node);
    const int l = find_letter(letter == 'v' ? '.' : letter);
    *name = l >= 0 ? letters[l].name : TfLiteTypeGetName(element);
    if (l < 0) return 1u << element;
    return letters[l].types | (letter == 'w' && node->as_float16 ? LITE_TYPE(Float16) : 0u);
}

static bool is_element(char letter) {
    return letter == 'T' || letter == 'V';
}

bool lite_cl_is_parameter(const LiteClNode* node, int index) {
    const char letter = letter_of(node->op->inputs, index);
    const int l = find_letter(letter);
    return (letter == 'V' || (l >= 0 && letters[l].parameter)) && node->inputs[index] != NULL;
}

bool lite_cl_awaits(const LiteClNode* node) {
    for (int i = 0; i < node->input_count; i++) {
        const LiteClTensor* input = node->inputs[i];
        if (lite_cl_is_parameter(node, i) && input->data == NULL && input->foresight.readable) return true;
    }
    return false;
}

TfLiteType lite_cl_element_type(const LiteClNode* node) {
    for (int i = 0; i < node->input_count; i++) {
        if (node->inputs[i] != NULL && is_element(letter_of(node->op->inputs, i)))
            return node->inputs[i]->type;
    }
    return node->output_count > 0 && node->outputs[0] != NULL ? node->outputs[0]->type : kTfLiteNoType;
}

// Is it a sparse constant that will be expanded?
static bool is_expandable(const LiteClNode* node, const LiteClTensor* tensor, int index) {
    return tensor->sparsity != NULL && lite_cl_expands_input(node, index) &&
           lite_types_contain(LITE_TYPES_FLOAT | LITE_TYPE(Int8), tensor->type);
}

static bool check_input(const LiteClNode* node, int index, LiteClReason* reason) {
    const LiteClTensor* tensor = node->inputs[index];
    const char letter = letter_of(node->op->inputs, index);
    const bool expandable = tensor->odd != NULL && is_expandable(node, tensor, index);
    if (tensor->odd != NULL && !expandable) return lite_cl_refuse(reason, "input %d %s", index, tensor->odd);
    if (tensor->variable && letter != 'v') return lite_cl_refuse(reason, "input %d is a variable", index);
    const char* name;
    if (!lite_types_contain(types_of(node, letter, &name), tensor->type)) {
        return lite_cl_refuse(reason, "input %d is %s, not %s", index, TfLiteTypeGetName(tensor->type), name);
    }
    if (!check_count(&tensor->shape, "input", index, reason)) return false;
    const size_t bytes = lite_cl_tensor_bytes(tensor);
    if (tensor->data == NULL || expandable || tensor->bytes == (tensor->as_float16 ? 2 * bytes : bytes))
        return true;
    return lite_cl_refuse(reason, "input %d has %zu bytes, its shape needs %zu", index, tensor->bytes, bytes);
}

static bool check_inputs(const LiteClNode* node, LiteClReason* reason) {
    const LiteClOp* op = node->op;
    for (int i = 0; i < node->input_count; i++) {
        if (node->inputs[i] == NULL) {
            if (i < op->min_inputs) return lite_cl_refuse(reason, "input %d is absent", i);
            continue;
        }
        if (!check_input(node, i, reason)) return false;
    }
    return true;
}

static bool check_outputs(const LiteClNode* node, LiteClReason* reason) {
    for (int i = 0; i < node->output_count; i++) {
        const LiteClTensor* output = node->outputs[i];
        if (output == NULL) return lite_cl_refuse(reason, "output %d is absent", i);
        const char letter = letter_of(node->op->outputs, i);
        const char* name;
        if (output->odd != NULL) return lite_cl_refuse(reason, "output %d %s", i, output->odd);
        if (output->variable) return lite_cl_refuse(reason, "output %d is a variable", i);
        if (output->data != NULL) return lite_cl_refuse(reason, "output %d is a constant", i);
        if (!lite_types_contain(types_of(node, letter, &name), output->type)) {
            return lite_cl_refuse(reason, "output %d is %s, not %s", i, TfLiteTypeGetName(output->type),
                                  name);
        }
    }
    return true;
}

static bool check_node(const LiteClNode* node, LiteClReason* reason) {
    const LiteClOp* op = node->op;
    if (op == NULL) return lite_cl_refuse(reason, "%s", node->refusal);
    const int max_outputs = op->max_outputs > 0 ? op->max_outputs : 1;
    if (node->input_count < op->min_inputs || node->input_count > op->max_inputs || node->output_count < 1 ||
        node->output_count > max_outputs) {
        return lite_cl_refuse(reason, "%d inputs and %d outputs", node->input_count, node->output_count);
    }
    if (op->params_size > 0 && node->params == NULL && !op->optional_params)
        return lite_cl_refuse(reason, "no parameters");
    const TfLiteType type = lite_cl_element_type(node);
    const unsigned types = op->types != 0 ? op->types : LITE_TYPE(Float32);
    if (!lite_types_contain(types, type) && !(op->float16 && node->as_float16 && type == kTfLiteFloat16))
        return lite_cl_refuse(reason, "no kernel for elements of type %s", TfLiteTypeGetName(type));
    return check_inputs(node, reason) && check_outputs(node, reason) &&
           (op->check == NULL || op->check(node, reason));
}

bool lite_cl_node_check(const LiteClNode* node, LiteClReason* reason) {
    if (!check_node(node, reason)) return false;
    if (lite_cl_awaits(node)) return true;
    for (int i = 0; i < node->output_count; i++) node->shapes[i] = (LiteShape){0};
    if (!node->op->infer(node, node->shapes, reason)) return false;
    for (int i = 0; i < node->output_count; i++) {
        if (!check_count(&node->shapes[i], "output", i, reason)) return false;
    }
    // The nodes after this one see the shapes that it will give, not those in the model.
    for (int i = 0; i < node->output_count; i++) node->outputs[i]->shape = node->shapes[i];
    return true;
}

int64_t lite_cl_int_at(const LiteClTensor* tensor, int index) {
    const size_t size = lite_type_size(tensor->type);
    const char* at = (const char*)tensor->data + (size_t)index * size;
    // The model's bytes may be unaligned.
    int8_t byte;
    int16_t word;
    int32_t narrow;
    int64_t wide;
    switch (tensor->type) {
    case kTfLiteInt8:
        memcpy(&byte, at, sizeof byte);
        return byte;
    case kTfLiteInt16:
        memcpy(&word, at, sizeof word);
        return word;
    case kTfLiteInt64:
        memcpy(&wide, at, sizeof wide);
        return wide;
    default:
        memcpy(&narrow, at, sizeof narrow);
        return narrow;
    }
}

bool lite_cl_is_integer(const LiteClTensor* tensor) {
    return lite_types_contain(LITE_TYPE(Int8) | LITE_TYPE(Int16) | INDICES, tensor->type);
}

bool lite_cl_constant_ints(const LiteClNode* node, int index, LiteClInts* ints, LiteClReason* reason) {
    const LiteClTensor* tensor = lite_cl_input(node, index);
    if (tensor == NULL) return lite_cl_refuse(reason, "input %d is absent", index);
    if (tensor->data == NULL) return lite_cl_refuse(reason, "input %d is not constant", index);
    if (!lite_cl_is_integer(tensor))
        return lite_cl_refuse(reason, "input %d is %s", index, TfLiteTypeGetName(tensor->type));
    const int64_t count = lite_shape_elements(&tensor->shape);
    if (count > LITE_MAX_RANK * 2)
        return lite_cl_refuse(reason, "input %d has more than %d elements", index, LITE_MAX_RANK * 2);
    ints->count = (int)count;
    for (int i = 0; i < ints->count; i++) ints->values[i] = lite_cl_int_at(tensor, i);
    return true;
}

bool lite_cl_activation(TfLiteFusedActivation activation, float* low, float* high, LiteClReason* reason) {
    if (activation != kTfLiteActNone && activation != kTfLiteActRelu && activation != kTfLiteActRelu6 &&
        activation != kTfLiteActReluN1To1) {
        return lite_cl_refuse(reason, "fused activation %d", (int)activation);
    }
    lite_activation_range_f32(activation, low, high);
    return true;
}
