// SPDX-License-Identifier: Apache-2.0
// Runs a model of one input and one output on a path of the CPU.
#ifndef TESTS_SUPPORT_PATH_RUN_H_
#define TESTS_SUPPORT_PATH_RUN_H_

#include <stddef.h>
#include <stdint.h>

#include "core/base/cpu_path.h"
#include "tensorflow/lite/c/c_api.h"

typedef struct PathRun {
    LiteCpuPath path;
    int threads;
    int batches; // resized to so many after a first run; 0: not resized
    void (*fill)(TfLiteTensor* input, const void* state);
    const void* state;
} PathRun;

// Returns the output of the second of two runs, which the caller frees. Fails the test when anything fails.
// The path remains selected.
uint8_t* path_run(const TfLiteModel* model, const PathRun* run, size_t* bytes);

#endif // TESTS_SUPPORT_PATH_RUN_H_
