// SPDX-License-Identifier: Apache-2.0
// The shortest program in C++: minimal_cxx MODEL prints a model, runs it with inputs of zeros, and prints it
// again.
#include <cstdio>
#include <cstring>
#include <memory>

#include "tensorflow/lite/core/interpreter_builder.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/model_builder.h"
#include "tensorflow/lite/optional_debug_tools.h"

#define CHECK(condition)                                                                                     \
    if (!(condition)) {                                                                                      \
        std::fprintf(stderr, "%s:%d: %s failed\n", __FILE__, __LINE__, #condition);                          \
        return 1;                                                                                            \
    }

int main(int argc, char** argv) {
    const auto model =
        tflite::FlatBufferModel::BuildFromFile(argc > 1 ? argv[1] : "examples/models/digits.tflite");
    CHECK(model != nullptr);

    tflite::ops::builtin::BuiltinOpResolver resolver;
    tflite::InterpreterBuilder builder(*model, resolver);
    std::unique_ptr<tflite::Interpreter> interpreter;
    builder(&interpreter);
    CHECK(interpreter != nullptr);

    CHECK(interpreter->AllocateTensors() == kTfLiteOk);
    std::printf("=== Before Invoke ===\n");
    tflite::PrintInterpreterState(interpreter.get());

    for (size_t i = 0; i < interpreter->inputs().size(); i++) {
        TfLiteTensor* input = interpreter->input_tensor(i);
        if (input->data.raw != nullptr) std::memset(input->data.raw, 0, input->bytes);
    }
    CHECK(interpreter->Invoke() == kTfLiteOk);
    std::printf("\n=== After Invoke ===\n");
    tflite::PrintInterpreterState(interpreter.get());
    return 0;
}
