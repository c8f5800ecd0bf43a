// SPDX-License-Identifier: Apache-2.0
// What the tests of the C++ API share.
#ifndef TESTS_API_CXX_H_
#define TESTS_API_CXX_H_

#include <cstdarg>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/kernels/register.h"
#include "tensorflow/lite/model.h"
#include "tests/api/cmocka_setup.h"
#include "tests/api/cxx_models.h"

// Collects messages.
class RecordingReporter : public tflite::ErrorReporter {
  public:
    int Report(const char* format, va_list args) override {
        char text[1024];
        const int length = std::vsnprintf(text, sizeof text, format, args);
        messages += text;
        messages += "\n";
        return length;
    }
    bool Has(const char* text) const { return messages.find(text) != std::string::npos; }

    std::string messages;
};

// A model with its bytes and its reporter.
struct TestModel {
    explicit TestModel(CxxModel given) : bytes(given) {
        model = tflite::FlatBufferModel::BuildFromBuffer(reinterpret_cast<const char*>(bytes.bytes),
                                                         bytes.size, &reporter);
        assert_true(model != nullptr);
    }
    TestModel(const TestModel&) = delete;
    TestModel& operator=(const TestModel&) = delete;
    ~TestModel() {
        model.reset();
        cxx_model_free(bytes);
    }

    std::unique_ptr<tflite::Interpreter> Build(const tflite::OpResolver& resolver,
                                               const tflite::InterpreterOptions* options = nullptr) {
        std::unique_ptr<tflite::Interpreter> interpreter;
        const TfLiteStatus status = tflite::InterpreterBuilder(*model, resolver, options)(&interpreter);
        assert_int_equal(status, interpreter ? kTfLiteOk : kTfLiteError);
        return interpreter;
    }
    // With the library's operators.
    std::unique_ptr<tflite::Interpreter> Build() { return Build(tflite::ops::builtin::BuiltinOpResolver()); }

    CxxModel bytes;
    RecordingReporter reporter;
    std::unique_ptr<tflite::FlatBufferModel> model;
};

// Sets input 0, runs, and returns output 0.
inline std::vector<float> Run(tflite::Interpreter* interpreter, const std::vector<float>& input) {
    float* x = interpreter->typed_input_tensor<float>(0);
    assert_true(x != nullptr);
    assert_int_equal(interpreter->input_tensor(0)->bytes, input.size() * sizeof(float));
    for (size_t i = 0; i < input.size(); i++) x[i] = input[i];
    assert_int_equal(interpreter->Invoke(), kTfLiteOk);
    const float* y = interpreter->typed_output_tensor<float>(0);
    return std::vector<float>(y, y + interpreter->output_tensor(0)->bytes / sizeof(float));
}

inline void ExpectRun(tflite::Interpreter* interpreter, const std::vector<float>& input,
                      const std::vector<float>& output) {
    assert_true(Run(interpreter, input) == output);
}

#endif
