// SPDX-License-Identifier: Apache-2.0
// The opaque types are the public structs of common.h under other names: the conversions, in one place.
#ifndef CORE_OPAQUE_OPAQUE_H_
#define CORE_OPAQUE_OPAQUE_H_

#include "tensorflow/lite/c/c_api_opaque.h"
#include "tensorflow/lite/c/common.h"

static inline TfLiteTensor* as_tensor(TfLiteOpaqueTensor* tensor) {
    return (TfLiteTensor*)tensor;
}

static inline const TfLiteTensor* as_const_tensor(const TfLiteOpaqueTensor* tensor) {
    return (const TfLiteTensor*)tensor;
}

static inline TfLiteNode* as_node(TfLiteOpaqueNode* node) {
    return (TfLiteNode*)node;
}

static inline const TfLiteNode* as_const_node(const TfLiteOpaqueNode* node) {
    return (const TfLiteNode*)node;
}

static inline TfLiteContext* as_context(TfLiteOpaqueContext* context) {
    return (TfLiteContext*)context;
}

static inline const TfLiteContext* as_const_context(const TfLiteOpaqueContext* context) {
    return (const TfLiteContext*)context;
}

#endif
