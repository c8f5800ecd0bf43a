// SPDX-License-Identifier: Apache-2.0
// The shortest program: minimal MODEL runs a model with float inputs of zeros and prints its first output.
#include <stdio.h>

#include "tensorflow/lite/c/c_api.h"

static int fail(const char* what) {
    fprintf(stderr, "minimal: %s\n", what);
    return 1;
}

int main(int argc, char** argv) {
    TfLiteModel* model = TfLiteModelCreateFromFile(argc > 1 ? argv[1] : "examples/models/digits.tflite");
    if (model == NULL) return fail("cannot read the model, by default examples/models/digits.tflite");
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, NULL);
    if (TfLiteInterpreterAllocateTensors(interpreter) != kTfLiteOk) return fail("cannot prepare the model");

    TfLiteTensor* input = TfLiteInterpreterGetInputTensor(interpreter, 0);
    float* x = TfLiteTensorData(input);
    for (size_t i = 0; i < TfLiteTensorByteSize(input) / sizeof(float); i++) x[i] = 0.0f;

    if (TfLiteInterpreterInvoke(interpreter) != kTfLiteOk) return fail("cannot run the model");
    const TfLiteTensor* output = TfLiteInterpreterGetOutputTensor(interpreter, 0);
    const float* y = TfLiteTensorData(output);
    for (size_t i = 0; i < TfLiteTensorByteSize(output) / sizeof(float); i++) printf("%g\n", y[i]);

    TfLiteInterpreterDelete(interpreter);
    TfLiteModelDelete(model);
    return 0;
}
