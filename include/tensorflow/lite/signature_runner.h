// SPDX-License-Identifier: Apache-2.0
// Runs one signature of a model: a graph whose inputs and outputs have names.
//
//     tflite::SignatureRunner* runner = interpreter->GetSignatureRunner("serving_default");
//     if (runner == nullptr || runner->AllocateTensors() != kTfLiteOk) return 1;
//     runner->input_tensor("x")->data.f[0] = 1;
//     if (runner->Invoke() != kTfLiteOk) return 1;
//     const float y = runner->output_tensor("y")->data.f[0];
#ifndef TENSORFLOW_LITE_SIGNATURE_RUNNER_H_
#define TENSORFLOW_LITE_SIGNATURE_RUNNER_H_

#include <stddef.h>
#include <stdint.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/c_api_experimental.h"
#include "tensorflow/lite/c/common.h"
#include "tensorflow/lite/core/subgraph.h"

namespace tflite {
namespace impl {

class Interpreter;

// An interpreter returns it and owns it. A name that does not exist gives nullptr or kTfLiteError.
class SignatureRunner {
  public:
    SignatureRunner(const SignatureRunner&) = delete;
    SignatureRunner& operator=(const SignatureRunner&) = delete;

    const std::string& signature_key() const { return key_; }
    size_t input_size() const { return input_names_.size(); }
    size_t output_size() const { return output_names_.size(); }
    const std::vector<const char*>& input_names() const { return input_names_; }
    const std::vector<const char*>& output_names() const { return output_names_; }

    TfLiteTensor* input_tensor(const char* input_name) {
        return TfLiteSignatureRunnerGetInputTensor(runner_.get(), input_name);
    }
    const TfLiteTensor* output_tensor(const char* output_name) const {
        return TfLiteSignatureRunnerGetOutputTensor(runner_.get(), output_name);
    }

    // Change the shape of an input. Call AllocateTensors afterwards. Strict: only dimensions that the model
    // leaves open may change.
    TfLiteStatus ResizeInputTensor(const char* input_name, const std::vector<int>& dims) {
        const int tensor = IndexOf(input_tensor(input_name));
        return tensor < 0 ? kTfLiteError : subgraph_->ResizeInputTensor(tensor, dims);
    }
    TfLiteStatus ResizeInputTensorStrict(const char* input_name, const std::vector<int>& dims) {
        return TfLiteSignatureRunnerResizeInputTensor(runner_.get(), input_name, dims.data(),
                                                      static_cast<int32_t>(dims.size()));
    }

    TfLiteStatus AllocateTensors() { return TfLiteSignatureRunnerAllocateTensors(runner_.get()); }

    TfLiteStatus Invoke() {
        TfLiteSetAllowBufferHandleOutput(interpreter_, allow_buffer_handle_output_);
        return TfLiteSignatureRunnerInvoke(runner_.get());
    }

    // Ends an Invoke that runs on another thread. Returns kTfLiteError unless the interpreter's
    // EnableCancellation was called.
    TfLiteStatus Cancel() {
        return *cancellation_ ? TfLiteSignatureRunnerCancel(runner_.get()) : kTfLiteError;
    }

    // Place an input or output in the program's memory. Call AllocateTensors afterwards.
    TfLiteStatus SetCustomAllocationForInputTensor(const char* input_name,
                                                   const TfLiteCustomAllocation& allocation,
                                                   int64_t flags = kTfLiteCustomAllocationFlagsNone) {
        const int tensor = IndexOf(input_tensor(input_name));
        return tensor < 0 ? kTfLiteError : subgraph_->SetCustomAllocationForTensor(tensor, allocation, flags);
    }
    TfLiteStatus SetCustomAllocationForOutputTensor(const char* output_name,
                                                    const TfLiteCustomAllocation& allocation,
                                                    int64_t flags = kTfLiteCustomAllocationFlagsNone) {
        const int tensor = IndexOf(output_tensor(output_name));
        return tensor < 0 ? kTfLiteError : subgraph_->SetCustomAllocationForTensor(tensor, allocation, flags);
    }

    // With `true`, outputs of this runner may stay in the buffers of delegates.
    void SetAllowBufferHandleOutput(bool allow_buffer_handle_output) {
        allow_buffer_handle_output_ = allow_buffer_handle_output;
    }

  private:
    friend class Interpreter;
    struct Deleter {
        void operator()(TfLiteSignatureRunner* runner) const { TfLiteSignatureRunnerDelete(runner); }
    };

    SignatureRunner(std::string key, TfLiteInterpreter* interpreter, TfLiteSignatureRunner* runner,
                    Subgraph* subgraph, const bool* cancellation)
        : key_(std::move(key)), interpreter_(interpreter), runner_(runner), subgraph_(subgraph),
          cancellation_(cancellation) {
        const size_t inputs = TfLiteSignatureRunnerGetInputCount(runner);
        for (size_t i = 0; i < inputs; i++) {
            input_names_.push_back(TfLiteSignatureRunnerGetInputName(runner, static_cast<int32_t>(i)));
        }
        const size_t outputs = TfLiteSignatureRunnerGetOutputCount(runner);
        for (size_t i = 0; i < outputs; i++) {
            output_names_.push_back(TfLiteSignatureRunnerGetOutputName(runner, static_cast<int32_t>(i)));
        }
    }

    // Returns -1 for nullptr. Other tensors belong to the subgraph.
    int IndexOf(const TfLiteTensor* tensor) const {
        return tensor ? static_cast<int>(tensor - subgraph_->context()->tensors) : -1;
    }

    std::string key_;
    TfLiteInterpreter* interpreter_;
    std::unique_ptr<TfLiteSignatureRunner, Deleter> runner_;
    Subgraph* subgraph_;
    const bool* cancellation_; // the interpreter's
    std::vector<const char*> input_names_;
    std::vector<const char*> output_names_;
    bool allow_buffer_handle_output_ = false;
};

} // namespace impl

using SignatureRunner = impl::SignatureRunner;

} // namespace tflite

#endif
