// SPDX-License-Identifier: Apache-2.0
// Runs the model of the guide to custom operators: y = atan(x + offset), whose operator Atan no library has.
//
//   custom_atan [MODEL]            (default: examples/models/atan.tflite)
#include <stdio.h>

#include "examples/custom_atan/atan_operator.h"
#include "tensorflow/lite/c/c_api.h"

#define COUNT 5

static void print_message(void* user_data, const char* format, va_list args) {
    (void)user_data;
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

static TfLiteStatus run(TfLiteInterpreter* interpreter, const float x[COUNT], float y[COUNT]) {
    const size_t bytes = COUNT * sizeof(float);
    TF_LITE_ENSURE_STATUS(TfLiteInterpreterAllocateTensors(interpreter));
    TfLiteTensor* input = TfLiteInterpreterGetInputTensor(interpreter, 0);
    TF_LITE_ENSURE_STATUS(TfLiteTensorCopyFromBuffer(input, x, bytes));
    TF_LITE_ENSURE_STATUS(TfLiteInterpreterInvoke(interpreter));
    return TfLiteTensorCopyToBuffer(TfLiteInterpreterGetOutputTensor(interpreter, 0), y, bytes);
}

int main(int argc, char** argv) {
    static const float x[COUNT] = {-8.0f, 0.5f, 2.0f, 2.2f, 201.0f};
    float y[COUNT];
    const char* path = argc > 1 ? argv[1] : "examples/models/atan.tflite";

    TfLiteModel* model = TfLiteModelCreateFromFileWithErrorReporter(path, print_message, NULL);
    TfLiteOperator* atan_op = atan_operator_create();
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsSetErrorReporter(options, print_message, NULL);
    TfLiteInterpreterOptionsAddOperator(options, atan_op);

    // A NULL from any earlier call leads to NULL or an error here, so that one check is enough.
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
    const TfLiteStatus status = run(interpreter, x, y);
    if (status != kTfLiteOk)
        fprintf(stderr, "custom_atan: %s cannot be run with %d floats, the guide's model can\n", path, COUNT);
    for (int i = 0; status == kTfLiteOk && i < COUNT; i++) printf("atan(%g + 1) = %.7f\n", x[i], y[i]);

    TfLiteInterpreterDelete(interpreter);
    TfLiteInterpreterOptionsDelete(options);
    TfLiteOperatorDelete(atan_op); // after the interpreter
    TfLiteModelDelete(model);
    return status == kTfLiteOk ? 0 : 1;
}
