// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/registry.h"

#include <string.h>

#include "tensorflow/lite/builtin_ops.h"

// The table of operators, from core/ops.def: entries without an OpenCL form have a NULL op.
#define OP(NAME, EnumName, first_version, last_version, cpu, cl) extern const LiteClOp lite_cl_op_##NAME;
#define CUSTOM_OP(NAME, cpu, cl) extern const LiteClOp lite_cl_op_##NAME;
#include "core/ops.def"

#define OP_IF_0(NAME) NULL
#define OP_IF_1(NAME) &lite_cl_op_##NAME
#define OP_IF_2(NAME) NULL // see custom.h

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

const LiteClOp* lite_cl_op_named(const char* name) {
    for (int i = 0; i < BUILTIN_OP_COUNT; i++) {
        if (builtin_ops[i].name != NULL && strcmp(builtin_ops[i].name, name) == 0) return builtin_ops[i].op;
    }
    return NULL;
}

const LiteClOp* lite_cl_op_listed(const char* name) {
    const LiteClOp* builtin = lite_cl_op_named(name);
    for (int i = 0; i < CUSTOM_OP_COUNT && builtin == NULL; i++) {
        if (strcmp(custom_ops[i].name, name) == 0) return custom_ops[i].op;
    }
    return builtin;
}

const char* lite_cl_op_name_at(int index) {
    for (int i = 0; i < BUILTIN_OP_COUNT; i++) {
        if (builtin_ops[i].op != NULL && index-- == 0) return builtin_ops[i].name;
    }
    for (int i = 0; i < CUSTOM_OP_COUNT; i++) {
        if (custom_ops[i].op != NULL && index-- == 0) return custom_ops[i].name;
    }
    return NULL;
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
