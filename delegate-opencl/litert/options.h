// SPDX-License-Identifier: Apache-2.0
// The options of a delegate in LiteRT's CompiledModel: of the model's GPU options those that it has, and what
// the environment variable OCLITE_OPENCL_OPTIONS says ("key=value,key=value"), which counts before them.
#ifndef DELEGATE_OPENCL_LITERT_OPTIONS_H_
#define DELEGATE_OPENCL_LITERT_OPTIONS_H_

#include <stdbool.h>

#include "core/base/status.h"

// As tflite_plugin_create_delegate takes them; of several pairs with one key the last counts.
typedef struct LitertPairs {
    const char** keys;
    const char** values;
    int count;
    char* model_text; // what keys and values point into
    char* variable_text;
} LitertPairs;

// `model_options`: the payload "gpu_options", lines of `key = value`; NULL: the program has given none.
// `alone`: nothing but this device is to compute the model. What the pairs have so far is released by
// litert_pairs_free, also when this fails.
TfLiteStatus litert_pairs_read(LitertPairs* pairs, const char* model_options, bool alone,
                               const LiteReporter* reporter);
void litert_pairs_free(LitertPairs* pairs);

#endif
