// SPDX-License-Identifier: Apache-2.0
// selected_cc MODEL: runs a model with selected operators once, by the C++ API. Prints the first byte of the
// output.
#include <cstdio>
#include <cstring>
#include <memory>

#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/interpreter_builder.h"
#include "tensorflow/lite/model_builder.h"
#include "tensorflow/lite/mutable_op_resolver.h"

void RegisterSelectedOps(::tflite::MutableOpResolver* resolver);

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    const auto model = tflite::FlatBufferModel::BuildFromFile(argv[1]);
    if (!model) return 1;
    tflite::MutableOpResolver resolver;
    RegisterSelectedOps(&resolver);
    std::unique_ptr<tflite::Interpreter> interpreter;
    if (tflite::InterpreterBuilder(*model, resolver)(&interpreter) != kTfLiteOk) return 1;
    if (interpreter->AllocateTensors() != kTfLiteOk) return 1;
    TfLiteTensor* input = interpreter->tensor(interpreter->inputs()[0]);
    std::memset(input->data.raw, 0, input->bytes);
    if (interpreter->Invoke() != kTfLiteOk) return 1;
    const TfLiteTensor* output = interpreter->tensor(interpreter->outputs()[0]);
    std::printf("%d\n", output->data.raw[0]);
    return 0;
}
