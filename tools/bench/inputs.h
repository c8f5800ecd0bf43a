// SPDX-License-Identifier: Apache-2.0
// What the options --input_layer... say about the inputs.
#ifndef TOOLS_BENCH_INPUTS_H_
#define TOOLS_BENCH_INPUTS_H_

#include <stdbool.h>

#include "tools/common/npy.h"
#include "tools/common/random_input.h"

typedef struct BenchLayer {
    char* name;
    bool has_shape;
    ToolShape shape;
    bool has_range;
    ToolRange range;
    char* file; // NULL: random values
} BenchLayer;

// One layer for each input of the model, in its order.
typedef struct BenchInputs {
    BenchLayer* layers;
    int count;
} BenchInputs;

// Parses the options' texts (NULL: not given). Without `names` the layers have the names of the model's
// `count` inputs, `known`. Release the result with bench_inputs_free, also after an error.
ToolStatus bench_inputs_parse(const char* names, const char* shapes, const char* ranges, const char* files,
                              const char* const* known, int count, BenchInputs* inputs, ToolMessage* message);
void bench_inputs_free(BenchInputs* inputs); // accepts {0}

#endif
