// SPDX-License-Identifier: Apache-2.0
// The library's operators, made from core/ops.def: one TfLiteOperator per builtin operator and version, one
// per custom operator.
#include <pthread.h>
#include <string.h>

#include "core/base/operator.h"
#include "kernels-cpu/support/prepare.h"

// FLAG_<0 or 1> picks what a line of ops.def contributes, by its `cpu` column.
#define DECLARE_0(NAME, code, name)
#define DECLARE_1(NAME, code, name)                                                                          \
    extern const LiteKernel lite_kernel_##NAME;                                                              \
    static TfLiteStatus prepare_##NAME(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {               \
        return lite_kernel_prepare(&lite_kernel_##NAME, code, name, context, node);                          \
    }
#define KERNEL_0(NAME) NULL, NULL
#define KERNEL_1(NAME) &lite_kernel_##NAME, prepare_##NAME

#define OP(NAME, EnumName, first_version, last_version, cpu, cl)                                             \
    DECLARE_##cpu(NAME, kTfLiteBuiltin##EnumName, NULL)
#define CUSTOM_OP(NAME, cpu, cl) DECLARE_##cpu(NAME, kTfLiteBuiltinCustom, #NAME)
#include "core/ops.def"

// What ops.def says, as data. Customs have one version.
typedef struct Entry {
    const char* name;
    int first_version;
    int last_version;
    const LiteKernel* kernel;
    TfLiteStatus (*prepare)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node);
} Entry;

static const Entry builtins[] = {
#define OP(NAME, EnumName, first_version, last_version, cpu, cl)                                             \
    [kTfLiteBuiltin##EnumName] = {#NAME, first_version, last_version, KERNEL_##cpu(NAME)},
#include "core/ops.def"
};

static const Entry customs[] = {
#define CUSTOM_OP(NAME, cpu, cl) {#NAME, 1, 1, KERNEL_##cpu(NAME)},
#include "core/ops.def"
};

enum {
    kBuiltinCount = sizeof(builtins) / sizeof(builtins[0]),
    kCustomCount = sizeof(customs) / sizeof(customs[0]),
    kOperatorCount = 0
#define OP(NAME, EnumName, first_version, last_version, cpu, cl)                                             \
    +((last_version) - (first_version) + 1) * (cpu)
#define CUSTOM_OP(NAME, cpu, cl) +(cpu)
#include "core/ops.def"
};

// A kernel's function pointers are not constant expressions, so the operators are filled in on first use.
static pthread_once_t filled = PTHREAD_ONCE_INIT;
static TfLiteOperator operators[kOperatorCount + 1];
static const TfLiteOperator* builtin_operators[kBuiltinCount]; // of the first version, or NULL
static const TfLiteOperator* custom_operators[kCustomCount];

// Appends the operators of an entry, one per version, and returns the first.
static const TfLiteOperator* fill_entry(const Entry* entry, TfLiteBuiltinOperator code, int* count) {
    if (entry->kernel == NULL) return NULL;
    const TfLiteOperator* first = &operators[*count];
    for (int version = entry->first_version; version <= entry->last_version; version++) {
        TfLiteOperator* op = &operators[(*count)++];
        op->builtin_code = code;
        op->custom_name = code == kTfLiteBuiltinCustom ? lite_custom_operator_name(entry->name) : NULL;
        op->version = version;
        op->init = entry->kernel->init;
        op->free = entry->kernel->free;
        op->prepare = entry->prepare;
        op->invoke = entry->kernel->invoke;
        op->lines = entry->kernel->lines;
        op->fold = entry->kernel->fold;
    }
    return first;
}

static void fill_operators(void) {
    int count = 0;
    for (int i = 0; i < kBuiltinCount; i++) {
        builtin_operators[i] = fill_entry(&builtins[i], (TfLiteBuiltinOperator)i, &count);
    }
    for (int i = 0; i < kCustomCount; i++) {
        custom_operators[i] = fill_entry(&customs[i], kTfLiteBuiltinCustom, &count);
    }
}

bool lite_registry_versions(int builtin_code, int* first, int* last) {
    if (builtin_code < 0 || builtin_code >= kBuiltinCount) return false;
    const Entry* entry = &builtins[builtin_code];
    if (entry->kernel == NULL) return false;
    *first = entry->first_version;
    *last = entry->last_version;
    return true;
}

// Operators that were left out still have their versions.
bool lite_registry_is_whole(void) {
    for (int i = 0; i < kBuiltinCount; i++) {
        if (builtins[i].first_version > 0 && builtins[i].kernel == NULL) return false;
    }
    return true;
}

const TfLiteOperator* lite_registry_find_builtin(int builtin_code, int version) {
    int first, last;
    if (!lite_registry_versions(builtin_code, &first, &last)) return NULL;
    if (version < first || version > last) return NULL;
    pthread_once(&filled, fill_operators);
    return &builtin_operators[builtin_code][version - first];
}

const TfLiteOperator* lite_registry_find_custom(const char* custom_name, int version) {
    if (custom_name == NULL) return NULL;
    pthread_once(&filled, fill_operators);
    for (int i = 0; i < kCustomCount; i++) {
        if (strcmp(lite_custom_operator_name(customs[i].name), custom_name) != 0) continue;
        const bool known = version >= customs[i].first_version && version <= customs[i].last_version;
        return known ? custom_operators[i] : NULL;
    }
    return NULL;
}
