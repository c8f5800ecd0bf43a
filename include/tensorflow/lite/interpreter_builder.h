// SPDX-License-Identifier: Apache-2.0
// Creates interpreters:
//
//     tflite::ops::builtin::BuiltinOpResolver resolver;
//     std::unique_ptr<tflite::Interpreter> interpreter;
//     if (tflite::InterpreterBuilder(*model, resolver)(&interpreter) != kTfLiteOk) return 1;
#ifndef TENSORFLOW_LITE_INTERPRETER_BUILDER_H_
#define TENSORFLOW_LITE_INTERPRETER_BUILDER_H_

#include <cstdarg>
#include <memory>
#include <utility>
#include <vector>

#include "oclite/oclite.h"
#include "tensorflow/lite/allocation.h"
#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/c_api_experimental.h"
#include "tensorflow/lite/core/api/error_reporter.h"
#include "tensorflow/lite/core/api/op_resolver.h"
#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/interpreter_options.h"
#include "tensorflow/lite/model_builder.h"
#include "tensorflow/lite/mutable_op_resolver.h"
#include "tensorflow/lite/stderr_reporter.h"

namespace tflite {
namespace impl {

// The model and the resolver must live until the last interpreter has been built. Interpreters have only the
// operators of the resolver.
class InterpreterBuilder {
  public:
    // Interpreters use the model's error reporter.
    InterpreterBuilder(const FlatBufferModel& model, const OpResolver& op_resolver,
                       const InterpreterOptions* options_experimental = nullptr)
        : InterpreterBuilder(nullptr, op_resolver, model.error_reporter(), options_experimental) {
        model_ = model.model_;
    }

    // `model` is the root table of a FlatBuffer, whose bytes must not change until the interpreters are
    // deleted (FlatBufferModel::BuildFromModel). `allocation`, if any, is where these bytes are.
    InterpreterBuilder(const Model* model, const OpResolver& op_resolver,
                       ErrorReporter* error_reporter = DefaultErrorReporter(),
                       const InterpreterOptions* options_experimental = nullptr,
                       const Allocation* allocation = nullptr)
        : op_resolver_(op_resolver),
          error_reporter_(error_reporter ? error_reporter : DefaultErrorReporter()),
          options_(options_experimental ? *options_experimental : InterpreterOptions()) {
        if (model == nullptr) return;
        own_model_.reset(Open(model, allocation));
        model_ = own_model_.get();
    }

    InterpreterBuilder(const InterpreterBuilder&) = delete;
    InterpreterBuilder& operator=(const InterpreterBuilder&) = delete;

    // Sets the number of CPU threads that an inference may use. -1, the default, leaves the choice to the
    // library.
    TfLiteStatus SetNumThreads(int num_threads) {
        if (num_threads < -1) {
            TF_LITE_REPORT_ERROR(error_reporter_, "num_threads is %d, it should be -1 or more", num_threads);
            return kTfLiteError;
        }
        num_threads_ = num_threads;
        return kTfLiteOk;
    }

    // Adds a delegate. Delegates are applied in the order of the calls. They must outlive the interpreters.
    void AddDelegate(TfLiteDelegate* delegate) {
        if (delegate == nullptr) {
            TF_LITE_REPORT_ERROR(error_reporter_, "Null delegate.");
        } else {
            delegates_.push_back(delegate);
        }
    }
    void AddDelegate(TfLiteOpaqueDelegateStruct* opaque_delegate) {
        AddDelegate(reinterpret_cast<TfLiteDelegate*>(opaque_delegate));
    }

    // Builds an interpreter. On failure, also of a delegate, *interpreter is nullptr. AllocateTensors reports
    // a custom operator that the resolver does not have: until then a delegate may take it.
    TfLiteStatus operator()(std::unique_ptr<Interpreter>* interpreter) {
        if (interpreter == nullptr) {
            TF_LITE_REPORT_ERROR(error_reporter_, "Null output pointer passed to InterpreterBuilder.");
            return kTfLiteError;
        }
        interpreter->reset();
        if (model_ == nullptr) {
            // What is wrong with a model that is there was reported when it was opened.
            TF_LITE_REPORT_ERROR(error_reporter_, "Null pointer passed in as model.");
            return kTfLiteError;
        }
        std::unique_ptr<TfLiteInterpreterOptions, OptionsDeleter> options(MakeOptions());
        TfLiteInterpreter* built = TfLiteInterpreterCreateWithSelectedOps(model_, options.get());
        if (built == nullptr) return kTfLiteError;
        std::unique_ptr<Interpreter> result(new Interpreter(built, error_reporter_));
        oclite_interpreter_set_release_dynamic_tensors(built, options_.GetEnsureDynamicTensorsAreReleased());
        for (TfLiteDelegate* delegate : delegates_) {
            const TfLiteStatus status = result->ModifyGraphWithDelegate(delegate);
            if (status != kTfLiteOk) return status;
        }
        result->lazy_delegate_providers_ = op_resolver_.GetDelegateCreators();
        *interpreter = std::move(result);
        return kTfLiteOk;
    }

    // Calls SetNumThreads, and builds an interpreter.
    TfLiteStatus operator()(std::unique_ptr<Interpreter>* interpreter, int num_threads) {
        const TfLiteStatus status = SetNumThreads(num_threads);
        if (status == kTfLiteOk) return (*this)(interpreter);
        if (interpreter != nullptr) interpreter->reset();
        return status;
    }

  private:
    struct OptionsDeleter {
        void operator()(TfLiteInterpreterOptions* options) const { TfLiteInterpreterOptionsDelete(options); }
    };

    struct ModelDeleter {
        void operator()(TfLiteModel* model) const { TfLiteModelDelete(model); }
    };

    // With an allocation contents outside of the FlatBuffer are found too, in models beyond 2 GiB.
    TfLiteModel* Open(const Model* model, const Allocation* allocation) {
        if (allocation != nullptr && allocation->valid()) {
            std::unique_ptr<TfLiteModel, ModelDeleter> whole(TfLiteModelCreateWithErrorReporter(
                allocation->base(), allocation->bytes(), Report, error_reporter_));
            if (whole == nullptr || oclite_model_root(whole.get()) == model) return whole.release();
        }
        return oclite_model_create_from_root(model, Report, error_reporter_);
    }

    TfLiteInterpreterOptions* MakeOptions() {
        TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
        TfLiteInterpreterOptionsSetNumThreads(options, num_threads_);
        TfLiteInterpreterOptionsSetErrorReporter(options, Report, error_reporter_);
        TfLiteInterpreterOptionsSetOpResolver(options, FindBuiltin, FindCustom,
                                              const_cast<OpResolver*>(&op_resolver_));
        // Interpreter itself checks whether the program has enabled it.
        TfLiteInterpreterOptionsEnableCancellation(options, true);
        oclite_interpreter_options_set_preserve_all_tensors(options, options_.GetPreserveAllTensors());
        op_resolver_.AddCustomOpsTo(options);
        return options;
    }

    static void Report(void* reporter, const char* format, va_list args) {
        static_cast<ErrorReporter*>(reporter)->Report(format, args);
    }
    static const TfLiteRegistration* FindBuiltin(void* resolver, TfLiteBuiltinOperator op, int version) {
        return static_cast<const OpResolver*>(resolver)->FindOp(static_cast<BuiltinOperator>(op), version);
    }
    static const TfLiteRegistration* FindCustom(void* resolver, const char* name, int version) {
        return static_cast<const OpResolver*>(resolver)->FindOp(name, version);
    }

    std::unique_ptr<TfLiteModel, ModelDeleter> own_model_;
    const TfLiteModel* model_ = nullptr;
    const OpResolver& op_resolver_;
    ErrorReporter* error_reporter_;
    InterpreterOptions options_;
    int num_threads_ = -1;
    std::vector<TfLiteDelegate*> delegates_;
};

} // namespace impl

using InterpreterBuilder = impl::InterpreterBuilder;

} // namespace tflite

#endif
