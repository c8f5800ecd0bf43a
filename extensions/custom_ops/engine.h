// SPDX-License-Identifier: Apache-2.0
// The reference draws with the default engine and the distributions of the C++ library that it is built with.
// These are the numbers of GNU's, whose engine is x -> 16807 x mod 2^31 - 1, beginning with 1.
#ifndef EXTENSIONS_CUSTOM_OPS_ENGINE_H_
#define EXTENSIONS_CUSTOM_OPS_ENGINE_H_

#include "extensions/common/operator.h"

typedef struct LiteCustomEngine {
    uint32_t state;
} LiteCustomEngine;

// Numbers in [0, 1), of one draw and of two.
float lite_custom_engine_float(LiteCustomEngine* engine);
double lite_custom_engine_double(LiteCustomEngine* engine);
// In [low, high], each as probable.
int64_t lite_custom_engine_integer(LiteCustomEngine* engine, int64_t low, int64_t high);

// The state of a node, made by its init: each interpreter draws the same numbers.
void* lite_custom_engine_init(TfLiteOpaqueContext* context, const char* buffer, size_t length);
void lite_custom_engine_free(TfLiteOpaqueContext* context, void* data);

#endif
