// SPDX-License-Identifier: Apache-2.0
// The operators as TfLiteRegistration, by the functions of the C++ headers kernels/custom_ops_register.h and
// kernels/perception/perception_ops.h. C defines a function of C++ by its name in the linker: namespaces and
// names with their lengths, and no parameters.
#include "extensions/custom_ops/list.h"

#define CXX_NAME(LENGTH_AND_NAME) "_ZN6tflite3ops6custom" LENGTH_AND_NAME "Ev"

// The functions of an operator have the opaque types in their signatures, and may not be called through
// pointers of another type: hence a set of functions for each.
#define DEFINE_REGISTRATION(op)                                                                              \
    static void* init_##op(TfLiteContext* context, const char* buffer, size_t length) {                      \
        if (lite_custom_##op.init == NULL) return NULL;                                                      \
        return lite_custom_##op.init((TfLiteOpaqueContext*)context, buffer, length);                         \
    }                                                                                                        \
    static void free_##op(TfLiteContext* context, void* data) {                                              \
        if (lite_custom_##op.free != NULL) lite_custom_##op.free((TfLiteOpaqueContext*)context, data);       \
    }                                                                                                        \
    static TfLiteStatus prepare_##op(TfLiteContext* context, TfLiteNode* node) {                             \
        return lite_custom_##op.prepare((TfLiteOpaqueContext*)context, (TfLiteOpaqueNode*)node);             \
    }                                                                                                        \
    static TfLiteStatus invoke_##op(TfLiteContext* context, TfLiteNode* node) {                              \
        return lite_custom_##op.invoke((TfLiteOpaqueContext*)context, (TfLiteOpaqueNode*)node);              \
    }                                                                                                        \
    static TfLiteRegistration registration_##op = {.init = init_##op,                                        \
                                                   .free = free_##op,                                        \
                                                   .prepare = prepare_##op,                                  \
                                                   .invoke = invoke_##op,                                    \
                                                   .builtin_code = kTfLiteBuiltinCustom,                     \
                                                   .version = 1};

#define DEFINE_FUNCTION(function, op, LENGTH_AND_NAME)                                                       \
    TFL_CAPI_EXPORT TfLiteRegistration* function(void) __asm__(CXX_NAME(LENGTH_AND_NAME));                   \
    TfLiteRegistration* function(void) {                                                                     \
        return &registration_##op;                                                                           \
    }

#define DEFINE(op, LENGTH_AND_NAME)                                                                          \
    DEFINE_REGISTRATION(op)                                                                                  \
    DEFINE_FUNCTION(lite_custom_register_##op, op, LENGTH_AND_NAME)

DEFINE(atan2, "14Register_ATAN2")
DEFINE(average_pool_3d, "20Register_AVG_POOL_3D")
DEFINE(irfft2d, "16Register_IRFFT2D")
DEFINE(max_pool_3d, "20Register_MAX_POOL_3D")
DEFINE(multinomial, "20Register_MULTINOMIAL")
DEFINE(random_standard_normal, "31Register_RANDOM_STANDARD_NORMAL")
DEFINE(random_uniform, "23Register_RANDOM_UNIFORM")
DEFINE(random_uniform_int, "27Register_RANDOM_UNIFORM_INT")
DEFINE(roll, "13Register_ROLL")
DEFINE(sign, "13Register_SIGN")
DEFINE(table, "14Register_TABLE")
DEFINE(gru, "36Register_UNIDIRECTIONAL_SEQUENCE_GRU")
DEFINE(dense_image_warp, "22RegisterDenseImageWarp")
DEFINE(max_pool_with_argmax, "25RegisterMaxPoolWithArgmax")

// Their names in the lists of operators that programs are built with.
DEFINE_FUNCTION(lite_custom_register_warp, dense_image_warp, "25Register_DENSE_IMAGE_WARP")
DEFINE_FUNCTION(lite_custom_register_argmax, max_pool_with_argmax, "29Register_MAX_POOL_WITH_ARGMAX")
