// SPDX-License-Identifier: Apache-2.0
// Models for the C++ interpreter:
//
//     auto model = tflite::FlatBufferModel::BuildFromFile("model.tflite");
//     if (model == nullptr) return 1;
#ifndef TENSORFLOW_LITE_MODEL_BUILDER_H_
#define TENSORFLOW_LITE_MODEL_BUILDER_H_

#include <limits.h>
#include <stddef.h>

#include <cstdarg>
#include <map>
#include <memory>
#include <string>

#include "oclite/oclite.h"
#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/core/api/error_reporter.h"
#include "tensorflow/lite/core/api/verifier.h"
#include "tensorflow/lite/schema/schema_generated.h"
#include "tensorflow/lite/stderr_reporter.h"

namespace tflite {

// A model in memory. It never changes. Any number of interpreters, on any threads, may share it. It may be
// destroyed before them.
//
// The functions that build a model return nullptr, after a message, when the file is no well-formed model. An
// error reporter of nullptr means the default one. The interpreters use the same error reporter, which must
// outlive all of them.
class FlatBufferModel {
  public:
    // Opens a file, which is mapped into memory.
    static std::unique_ptr<FlatBufferModel>
    BuildFromFile(const char* filename, ErrorReporter* error_reporter = DefaultErrorReporter()) {
        ErrorReporter* reporter = OrDefault(error_reporter);
        return Wrap(TfLiteModelCreateFromFileWithErrorReporter(filename, Report, reporter), true, reporter);
    }

    // Opens bytes in memory, which must not change until the model and its interpreters are deleted.
    static std::unique_ptr<FlatBufferModel>
    BuildFromBuffer(const char* caller_owned_buffer, size_t buffer_size,
                    ErrorReporter* error_reporter = DefaultErrorReporter()) {
        ErrorReporter* reporter = OrDefault(error_reporter);
        return Wrap(TfLiteModelCreateWithErrorReporter(caller_owned_buffer, buffer_size, Report, reporter),
                    true, reporter);
    }

    // The same, after `extra_verifier` has accepted the bytes, unless it is nullptr. (All models are
    // verified, with and without these functions.)
    static std::unique_ptr<FlatBufferModel>
    VerifyAndBuildFromFile(const char* filename, TfLiteVerifier* extra_verifier = nullptr,
                           ErrorReporter* error_reporter = DefaultErrorReporter()) {
        return Verified(BuildFromFile(filename, error_reporter), extra_verifier);
    }
    static std::unique_ptr<FlatBufferModel>
    VerifyAndBuildFromBuffer(const char* caller_owned_buffer, size_t buffer_size,
                             TfLiteVerifier* extra_verifier = nullptr,
                             ErrorReporter* error_reporter = DefaultErrorReporter()) {
        return Verified(BuildFromBuffer(caller_owned_buffer, buffer_size, error_reporter), extra_verifier);
    }

    // Creates a second object for the model of another one, which must outlive it and whose GetModel()
    // returned `caller_owned_model`.
    static std::unique_ptr<FlatBufferModel>
    BuildFromModel(const Model* caller_owned_model, ErrorReporter* error_reporter = DefaultErrorReporter()) {
        // A Model is the model of the C API, which does not change.
        auto* model = const_cast<TfLiteModel*>(reinterpret_cast<const TfLiteModel*>(caller_owned_model));
        return Wrap(model, false, OrDefault(error_reporter));
    }

    ~FlatBufferModel() {
        if (owned_) TfLiteModelDelete(model_);
    }
    FlatBufferModel(const FlatBufferModel&) = delete;
    FlatBufferModel& operator=(const FlatBufferModel&) = delete;

    bool initialized() const { return model_ != nullptr; }
    const Model* GetModel() const { return reinterpret_cast<const Model*>(model_); }
    ErrorReporter* error_reporter() const { return error_reporter_; }

    // Returns the buffers that are stored with the model, by their names.
    std::map<std::string, std::string> ReadAllMetadata() const {
        std::map<std::string, std::string> result;
        for (int i = 0; i < oclite_model_metadata_count(model_); i++) {
            const char* name = nullptr;
            const void* data = nullptr;
            size_t size = 0;
            if (oclite_model_metadata(model_, i, &name, &data, &size) != kTfLiteOk) continue;
            result[name] = std::string(static_cast<const char*>(data), size);
        }
        return result;
    }

    // Returns the first release of the reference runtime that has all operators of the model, as stated in
    // the model; "" when the model does not state it.
    std::string GetMinimumRuntime() const {
        const std::string version = ReadAllMetadata()["min_runtime_version"];
        return version.substr(0, version.find('\0'));
    }

  private:
    FlatBufferModel(TfLiteModel* model, bool owned, ErrorReporter* error_reporter)
        : model_(model), owned_(owned), error_reporter_(error_reporter) {}

    static ErrorReporter* OrDefault(ErrorReporter* reporter) {
        return reporter ? reporter : DefaultErrorReporter();
    }

    static void Report(void* reporter, const char* format, va_list args) {
        static_cast<ErrorReporter*>(reporter)->Report(format, args);
    }

    static std::unique_ptr<FlatBufferModel> Wrap(TfLiteModel* model, bool owned, ErrorReporter* reporter) {
        return std::unique_ptr<FlatBufferModel>(model ? new FlatBufferModel(model, owned, reporter)
                                                      : nullptr);
    }

    static std::unique_ptr<FlatBufferModel> Verified(std::unique_ptr<FlatBufferModel> model,
                                                     TfLiteVerifier* verifier) {
        if (model == nullptr || verifier == nullptr) return model;
        size_t size = 0;
        const auto* data = static_cast<const char*>(oclite_model_data(model->model_, &size));
        const bool fits = size <= INT_MAX; // what the verifier's interface can express
        if (!fits) TF_LITE_REPORT_ERROR(model->error_reporter_, "the model is too large for the verifier");
        if (!fits || !verifier->Verify(data, static_cast<int>(size), model->error_reporter_)) return nullptr;
        return model;
    }

    TfLiteModel* model_;
    bool owned_;
    ErrorReporter* error_reporter_;
};

} // namespace tflite

#endif
