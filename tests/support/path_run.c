// SPDX-License-Identifier: Apache-2.0
#include "tests/support/path_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static TfLiteInterpreter* make_interpreter(const TfLiteModel* model, int threads) {
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsSetNumThreads(options, threads);
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
    TfLiteInterpreterOptionsDelete(options);
    assert_non_null(interpreter);
    assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
    return interpreter;
}

// To another number of batches, for which plans are made anew.
static void resize(TfLiteInterpreter* interpreter, int batches) {
    const TfLiteTensor* input = TfLiteInterpreterGetInputTensor(interpreter, 0);
    if (batches == 0 || batches == TfLiteTensorDim(input, 0)) return;
    int dims[8] = {batches};
    const int rank = TfLiteTensorNumDims(input);
    for (int d = 1; d < rank; d++) dims[d] = TfLiteTensorDim(input, d);
    assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterResizeInputTensor(interpreter, 0, dims, rank), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
}

uint8_t* path_run(const TfLiteModel* model, const PathRun* run, size_t* bytes) {
    assert_true(lite_cpu_path_choose(run->path));
    TfLiteInterpreter* interpreter = make_interpreter(model, run->threads);
    resize(interpreter, run->batches);
    run->fill(TfLiteInterpreterGetInputTensor(interpreter, 0), run->state);
    for (int i = 0; i < 2; i++) assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteOk);
    const TfLiteTensor* output = TfLiteInterpreterGetOutputTensor(interpreter, 0);
    *bytes = TfLiteTensorByteSize(output);
    uint8_t* copy = malloc(*bytes + 1);
    assert_non_null(copy);
    memcpy(copy, TfLiteTensorData(output), *bytes);
    TfLiteInterpreterDelete(interpreter);
    return copy;
}
