// SPDX-License-Identifier: Apache-2.0
// A model of one input and one output, run on a path of the CPU.
#ifndef TESTS_SUPPORT_PATH_RUN_H_
#define TESTS_SUPPORT_PATH_RUN_H_

#include <stddef.h>
#include <stdint.h>

#include "core/base/cpu_path.h"
#include "tensorflow/lite/c/c_api.h"

typedef struct PathRun {
    LiteCpuPath path;
    int threads;
    int batches; // another number than the model's: resized after a first run; 0: the model's
    void (*fill)(TfLiteTensor* input, const void* state);
    const void* state;
} PathRun;

// The output of the second of two runs, in memory to be freed. Fails the test where anything fails; the
// path stays chosen.
uint8_t* path_run(const TfLiteModel* model, const PathRun* run, size_t* bytes);

#endif // TESTS_SUPPORT_PATH_RUN_H_
