// SPDX-License-Identifier: Apache-2.0
// The graph that is run: the main one of an interpreter, or that of a signature.
#ifndef TOOLS_BENCH_RUNNER_H_
#define TOOLS_BENCH_RUNNER_H_

#include "tensorflow/lite/c/c_api.h"
#include "tools/common/npy.h"

typedef struct BenchRunner {
    TfLiteInterpreter* interpreter;
    TfLiteSignatureRunner* signature; // NULL: the main graph
    int subgraph;
    const int* inputs; // tensors of the subgraph
    const int* outputs;
    int input_count;
    int output_count;
} BenchRunner;

// A `key` of NULL or "" selects the main graph, unless the model has a signature for another. Release with
// bench_runner_close, before the interpreter.
ToolStatus bench_runner_open(BenchRunner* runner, TfLiteInterpreter* interpreter, const char* key,
                             ToolMessage* message);
void bench_runner_close(BenchRunner* runner); // accepts {0}

// Return tensors of the interpreter; NULL for an input or output that is absent.
TfLiteTensor* bench_runner_input(const BenchRunner* runner, int index);
const TfLiteTensor* bench_runner_output(const BenchRunner* runner, int index);

TfLiteStatus bench_runner_resize(const BenchRunner* runner, int index, const ToolShape* shape);
TfLiteStatus bench_runner_allocate(const BenchRunner* runner);
TfLiteStatus bench_runner_invoke(const BenchRunner* runner);

#endif
