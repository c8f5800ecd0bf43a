// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/support.h"

#include <stdio.h>
#include <string.h>

#include "core/base/quant.h"

// The table of operators, from core/ops.def: entries without an OpenCL form have a NULL op.
#define OP(NAME, EnumName, first_version, last_version, cpu, cl) extern const LiteClOp lite_cl_op_##NAME;
#define CUSTOM_OP(NAME, cpu, cl) extern const LiteClOp lite_cl_op_##NAME;
#include "core/ops.def"

#define OP_IF_0(NAME) NULL
#define OP_IF_1(NAME) &lite_cl_op_##NAME

typedef struct BuiltinOp {
    const char* name;
    int first_version;
    int last_version;
    const LiteClOp* op;
} BuiltinOp;

static const BuiltinOp builtin_ops[] = {
#define OP(NAME, EnumName, first_version, last_version, cpu, cl)                                             \
    [kTfLiteBuiltin##EnumName] = {#NAME, first_version, last_version, OP_IF_##cl(NAME)},
#include "core/ops.def"
};
enum { BUILTIN_OP_COUNT = sizeof builtin_ops / sizeof builtin_ops[0] };

static const struct {
    const char* name;
    const LiteClOp* op;
} custom_ops[] = {
#define CUSTOM_OP(NAME, cpu, cl) {#NAME, OP_IF_##cl(NAME)},
#include "core/ops.def"
};
enum { CUSTOM_OP_COUNT = sizeof custom_ops / sizeof custom_ops[0] };

bool(lite_cl_refuse)(LiteClReason* reason, const char* format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(reason->text, sizeof reason->text, format, args);
    va_end(args);
    return false;
}

static void find_custom(const char* name, LiteClLookup* lookup) {
    lookup->name = name != NULL ? name : "CUSTOM";
    lookup->refusal = "custom operator without an OpenCL form";
    for (int i = 0; i < CUSTOM_OP_COUNT && name != NULL; i++) {
        if (strcmp(custom_ops[i].name, name) == 0) lookup->op = custom_ops[i].op;
    }
}

void lite_cl_op_find(int builtin_code, const char* custom_name, int version, LiteClLookup* lookup) {
    *lookup = (LiteClLookup){.name = "UNKNOWN", .refusal = "operator without an OpenCL form"};
    if (builtin_code == kTfLiteBuiltinCustom) {
        find_custom(custom_name, lookup);
        return;
    }
    if (builtin_code < 0 || builtin_code >= BUILTIN_OP_COUNT || builtin_ops[builtin_code].name == NULL)
        return;
    const BuiltinOp* entry = &builtin_ops[builtin_code];
    lookup->name = entry->name;
    if (version < entry->first_version || version > entry->last_version) {
        lookup->refusal = "unknown version of the operator";
        return;
    }
    lookup->op = entry->op;
}

const LiteClTensor* lite_cl_input(const LiteClNode* node, int index) {
    return index < node->input_count ? node->inputs[index] : NULL;
}

// Element counts and byte offsets have to fit the kernels' 32-bit integers.
static bool check_tensor(const LiteClTensor* tensor, const char* role, int index, bool is_float,
                         LiteClReason* reason) {
    if (tensor->odd != NULL) return lite_cl_refuse(reason, "%s %d %s", role, index, tensor->odd);
    int64_t count;
    if (!lite_shape_count(tensor->shape.dims, tensor->shape.rank, &count) || count > INT32_MAX / 4) {
        return lite_cl_refuse(reason, "%s %d has a negative dimension or more than 2^29 elements", role,
                              index);
    }
    if (is_float && tensor->type != kTfLiteFloat32) {
        return lite_cl_refuse(reason, "%s %d is %s, not FLOAT32", role, index,
                              TfLiteTypeGetName(tensor->type));
    }
    if (is_float && tensor->data != NULL && tensor->bytes != (size_t)count * sizeof(float)) {
        return lite_cl_refuse(reason, "%s %d has %zu bytes, its shape needs %lld", role, index, tensor->bytes,
                              (long long)count * (long long)sizeof(float));
    }
    return true;
}

static bool check_node(const LiteClNode* node, LiteClReason* reason) {
    const LiteClOp* op = node->op;
    if (op == NULL) return lite_cl_refuse(reason, "%s", node->refusal);
    if (node->input_count < op->min_inputs || node->input_count > op->max_inputs || node->output_count != 1) {
        return lite_cl_refuse(reason, "%d inputs and %d outputs", node->input_count, node->output_count);
    }
    if (op->params_size > 0 && node->params == NULL) return lite_cl_refuse(reason, "no parameters");
    for (int i = 0; i < node->input_count; i++) {
        if (node->inputs[i] == NULL) {
            if (i < op->min_inputs) return lite_cl_refuse(reason, "input %d is absent", i);
            continue;
        }
        if (!check_tensor(node->inputs[i], "input", i, i < op->float_inputs, reason)) return false;
    }
    const LiteClTensor* output = node->outputs[0];
    if (output == NULL) return lite_cl_refuse(reason, "output 0 is absent");
    if (output->odd != NULL) return lite_cl_refuse(reason, "output 0 %s", output->odd);
    if (output->type != kTfLiteFloat32) {
        return lite_cl_refuse(reason, "output 0 is %s, not FLOAT32", TfLiteTypeGetName(output->type));
    }
    if (output->data != NULL) return lite_cl_refuse(reason, "output 0 is a constant");
    return true;
}

bool lite_cl_node_check(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    if (!check_node(node, reason)) return false;
    *output = (LiteShape){0};
    if (!node->op->infer(node, output, reason)) return false;
    int64_t count;
    if (!lite_shape_count(output->dims, output->rank, &count) || count > INT32_MAX / 4) {
        return lite_cl_refuse(reason, "the output would have more than 2^29 elements");
    }
    return true;
}

bool lite_cl_constant_ints(const LiteClNode* node, int index, LiteClInts* ints, LiteClReason* reason) {
    const LiteClTensor* tensor = lite_cl_input(node, index);
    if (tensor == NULL) return lite_cl_refuse(reason, "input %d is absent", index);
    if (tensor->data == NULL) return lite_cl_refuse(reason, "input %d is not constant", index);
    int64_t count;
    const size_t size = lite_type_size(tensor->type);
    if (tensor->type != kTfLiteInt32 && tensor->type != kTfLiteInt64) {
        return lite_cl_refuse(reason, "input %d is %s", index, TfLiteTypeGetName(tensor->type));
    }
    if (!lite_shape_count(tensor->shape.dims, tensor->shape.rank, &count) || count > LITE_MAX_RANK * 2 ||
        tensor->bytes != (size_t)count * size) {
        return lite_cl_refuse(reason, "input %d has more than %d elements", index, LITE_MAX_RANK * 2);
    }
    ints->count = (int)count;
    for (int i = 0; i < ints->count; i++) {
        // The model's bytes may be unaligned.
        int32_t narrow;
        if (tensor->type == kTfLiteInt64) {
            memcpy(&ints->values[i], (const char*)tensor->data + (size_t)i * size, size);
        } else {
            memcpy(&narrow, (const char*)tensor->data + (size_t)i * size, size);
            ints->values[i] = narrow;
        }
    }
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
