// SPDX-License-Identifier: Apache-2.0
// What a TfLiteOperator is made of. A builtin kernel is a TfLiteOperator as a user's is: the registry of the
// library holds constant ones, TfLiteOperatorCreate makes them on the heap.
#ifndef CORE_BASE_OPERATOR_H_
#define CORE_BASE_OPERATOR_H_

#include <stdbool.h>
#include <stdint.h>

#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/c/common.h"

struct TfLiteAsyncKernel;
struct LiteLines;

// Which outputs of an operator are computed in prepare when all of its inputs are constants: they are
// constants from then on (kTfLitePersistentRo). Only an operator with one output, and without temporaries,
// has one.
typedef enum LiteFold {
    kLiteFoldNever,
    kLiteFoldSizes,     // integers, of so few elements that they may be sizes
    kLiteFoldFew,       // few elements of any type
    kLiteFoldConstants, // all
    kLiteFoldShapes,    // all, whatever the inputs hold: their shapes are enough
} LiteFold;

// For each method at most one of the two forms is set: the plain one, or the one that receives `user_data`
// first.
struct TfLiteOperator {
    TfLiteBuiltinOperator builtin_code;
    const char* custom_name; // not owned, as upstream; NULL for builtins
    int version;
    void* user_data;
    void* (*init)(TfLiteOpaqueContext* context, const char* buffer, size_t length);
    void (*free)(TfLiteOpaqueContext* context, void* data);
    TfLiteStatus (*prepare)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node);
    TfLiteStatus (*invoke)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node);
    struct TfLiteAsyncKernel* (*async_kernel)(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node);
    void* (*init_with_data)(void* user_data, TfLiteOpaqueContext* context, const char* buffer, size_t length);
    void (*free_with_data)(void* user_data, TfLiteOpaqueContext* context, void* data);
    TfLiteStatus (*prepare_with_data)(void* user_data, TfLiteOpaqueContext* context, TfLiteOpaqueNode* node);
    TfLiteStatus (*invoke_with_data)(void* user_data, TfLiteOpaqueContext* context, TfLiteOpaqueNode* node);
    struct TfLiteAsyncKernel* (*async_kernel_with_data)(void* user_data, TfLiteOpaqueContext* context,
                                                        TfLiteOpaqueNode* node);
    uint64_t inplace_operator;
    const struct LiteLines* lines; // core/base/lines.h; NULL: none
    LiteFold fold;
};

// The library's own operators (kernels-cpu/registry.c, from core/ops.def). NULL when there is none: unknown
// code, no CPU kernel, or a version outside the range. The result lives as long as the library.
const TfLiteOperator* lite_registry_find_builtin(int builtin_code, int version);
const TfLiteOperator* lite_registry_find_custom(const char* custom_name, int version);

// The same operators in the form of TfLiteRegistration, with functions of its own: 0 .. count - 1, by code
// and version, then the custom ones. NULL outside this range.
int lite_registry_count(void);
const TfLiteRegistration* lite_registry_registration(int index);
// What the operator folds whose functions the registration has; kLiteFoldNever where one is not the
// library's.
LiteFold lite_registry_fold(const TfLiteRegistration* registration);

// The range of versions accepted for a builtin code; false when there is no kernel at all.
bool lite_registry_versions(int builtin_code, int* first, int* last);

// false where the library was built for selected operators: others of the format are not there.
bool lite_registry_is_whole(void);

// The schema's name of a builtin operator ("CONV_2D"); "UNKNOWN" for codes outside the format. Never NULL.
const char* lite_operator_name(int builtin_code);

// The name in models of a custom operator of core/ops.def, where names have no points.
const char* lite_custom_operator_name(const char* listed);

#endif
