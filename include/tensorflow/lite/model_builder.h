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
#include <utility>

#include "oclite/oclite.h"
#include "tensorflow/lite/allocation.h"
#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/core/api/error_reporter.h"
#include "tensorflow/lite/core/api/verifier.h"
#include "tensorflow/lite/schema/schema_generated.h"
#include "tensorflow/lite/stderr_reporter.h"

namespace tflite {
namespace impl {

class InterpreterBuilder;

// A model in memory. It never changes. Any number of interpreters, on any threads, may share it. It may be
// destroyed before them unless it was built from an Allocation, which it owns.
//
// The functions that build a model return nullptr, after a message, when the file is no well-formed model. An
// error reporter of nullptr means the default one. The interpreters use the same error reporter, which must
// outlive all of them.
class FlatBufferModel {
  public:
    using Ptr = std::unique_ptr<FlatBufferModel>;

    static ErrorReporter* GetDefaultErrorReporter() { return DefaultErrorReporter(); }

    // Opens a file, which is mapped into memory.
    static std::unique_ptr<FlatBufferModel>
    BuildFromFile(const char* filename, ErrorReporter* error_reporter = DefaultErrorReporter()) {
        ErrorReporter* reporter = OrDefault(error_reporter);
        return Wrap(TfLiteModelCreateFromFileWithErrorReporter(filename, Report, reporter), nullptr,
                    reporter);
    }

    // The same for an open file. The descriptor stays the caller's, who may close it afterwards.
    static std::unique_ptr<FlatBufferModel>
    BuildFromFileDescriptor(int fd, ErrorReporter* error_reporter = DefaultErrorReporter()) {
        ErrorReporter* reporter = OrDefault(error_reporter);
        return BuildFromAllocation(std::make_unique<MMAPAllocation>(fd, reporter), reporter);
    }

    // Opens bytes in memory, which must not change until the model and its interpreters are deleted.
    static std::unique_ptr<FlatBufferModel>
    BuildFromBuffer(const char* caller_owned_buffer, size_t buffer_size,
                    ErrorReporter* error_reporter = DefaultErrorReporter()) {
        ErrorReporter* reporter = OrDefault(error_reporter);
        return Wrap(TfLiteModelCreateWithErrorReporter(caller_owned_buffer, buffer_size, Report, reporter),
                    nullptr, reporter);
    }

    // Opens the bytes of an allocation, which the model takes over. The model must outlive its interpreters.
    static std::unique_ptr<FlatBufferModel>
    BuildFromAllocation(std::unique_ptr<Allocation> allocation,
                        ErrorReporter* error_reporter = DefaultErrorReporter()) {
        ErrorReporter* reporter = OrDefault(error_reporter);
        if (allocation == nullptr || !allocation->valid()) {
            TF_LITE_REPORT_ERROR(reporter, "The model allocation is null/empty");
            return nullptr;
        }
        TfLiteModel* model =
            TfLiteModelCreateWithErrorReporter(allocation->base(), allocation->bytes(), Report, reporter);
        return Wrap(model, std::move(allocation), reporter);
    }

    // The same, after `extra_verifier` has accepted the bytes, unless it is nullptr. (All models are
    // verified, with and without these functions.)
    static std::unique_ptr<FlatBufferModel>
    VerifyAndBuildFromFile(const char* filename, TfLiteVerifier* extra_verifier = nullptr,
                           ErrorReporter* error_reporter = DefaultErrorReporter()) {
        return Verified(BuildFromFile(filename, error_reporter), extra_verifier);
    }
    static std::unique_ptr<FlatBufferModel>
    VerifyAndBuildFromFileDescriptor(int fd, TfLiteVerifier* extra_verifier = nullptr,
                                     ErrorReporter* error_reporter = DefaultErrorReporter()) {
        return Verified(BuildFromFileDescriptor(fd, error_reporter), extra_verifier);
    }
    static std::unique_ptr<FlatBufferModel>
    VerifyAndBuildFromBuffer(const char* caller_owned_buffer, size_t buffer_size,
                             TfLiteVerifier* extra_verifier = nullptr,
                             ErrorReporter* error_reporter = DefaultErrorReporter()) {
        return Verified(BuildFromBuffer(caller_owned_buffer, buffer_size, error_reporter), extra_verifier);
    }
    static std::unique_ptr<FlatBufferModel>
    VerifyAndBuildFromAllocation(std::unique_ptr<Allocation> allocation,
                                 TfLiteVerifier* extra_verifier = nullptr,
                                 ErrorReporter* error_reporter = DefaultErrorReporter()) {
        return Verified(BuildFromAllocation(std::move(allocation), error_reporter), extra_verifier);
    }

    // Builds a model from the root table of a FlatBuffer, as GetModel(), of this class or of the official
    // library, returns it. The buffer must not change until the model and its interpreters are deleted.
    // Nothing tells where it ends: oclite_model_create_from_root says what that means for bytes that nobody
    // has verified.
    static std::unique_ptr<FlatBufferModel>
    BuildFromModel(const Model* caller_owned_model, ErrorReporter* error_reporter = DefaultErrorReporter()) {
        ErrorReporter* reporter = OrDefault(error_reporter);
        auto result =
            Wrap(oclite_model_create_from_root(caller_owned_model, Report, reporter), nullptr, reporter);
        if (result == nullptr) return nullptr;
        result->root_ = caller_owned_model;
        result->allocation_ = nullptr;
        return result;
    }

    ~FlatBufferModel() { TfLiteModelDelete(model_); }
    FlatBufferModel(const FlatBufferModel&) = delete;
    FlatBufferModel& operator=(const FlatBufferModel&) = delete;

    bool initialized() const { return model_ != nullptr; }
    // The root table. With the file that flatc makes from the schema, programs read the tables from there.
    const Model* GetModel() const { return root_; }
    const Model* operator->() const { return root_; }
    ErrorReporter* error_reporter() const { return error_reporter_; }
    // The model's bytes; nullptr for a model that was built from a root table.
    const Allocation* allocation() const { return allocation_.get(); }
    // No other models can be built.
    bool CheckModelIdentifier() const { return true; }

    // Returns the buffers that are stored with the model, by their names.
    std::map<std::string, std::string> ReadAllMetadata() const { return ReadMetadata(model_); }
    static std::map<std::string, std::string> ReadAllMetadata(const Model* model) {
        const std::unique_ptr<TfLiteModel, void (*)(TfLiteModel*)> read(
            oclite_model_create_from_root(model, nullptr, nullptr), TfLiteModelDelete);
        return ReadMetadata(read.get());
    }

    // Returns the first release of the reference runtime that has all operators of the model, as stated in
    // the model; "" when the model does not state it.
    std::string GetMinimumRuntime() const {
        const std::string version = ReadAllMetadata()["min_runtime_version"];
        return version.substr(0, version.find('\0'));
    }

  private:
    friend class InterpreterBuilder;

    FlatBufferModel(TfLiteModel* model, std::unique_ptr<Allocation> allocation, ErrorReporter* error_reporter)
        : allocation_(std::move(allocation)), model_(model),
          root_(static_cast<const Model*>(oclite_model_root(model))), error_reporter_(error_reporter) {
        if (allocation_ != nullptr) return;
        size_t size = 0;
        const void* data = oclite_model_data(model, &size);
        allocation_ = std::make_unique<MemoryAllocation>(data, size, error_reporter);
    }

    static ErrorReporter* OrDefault(ErrorReporter* reporter) {
        return reporter ? reporter : DefaultErrorReporter();
    }

    static void Report(void* reporter, const char* format, va_list args) {
        static_cast<ErrorReporter*>(reporter)->Report(format, args);
    }

    static std::unique_ptr<FlatBufferModel> Wrap(TfLiteModel* model, std::unique_ptr<Allocation> allocation,
                                                 ErrorReporter* reporter) {
        return std::unique_ptr<FlatBufferModel>(
            model ? new FlatBufferModel(model, std::move(allocation), reporter) : nullptr);
    }

    static std::unique_ptr<FlatBufferModel> Verified(std::unique_ptr<FlatBufferModel> model,
                                                     TfLiteVerifier* verifier) {
        if (model == nullptr || verifier == nullptr) return model;
        const Allocation& bytes = *model->allocation_;
        const bool fits = bytes.bytes() <= INT_MAX; // what the verifier's interface can express
        if (!fits) TF_LITE_REPORT_ERROR(model->error_reporter_, "the model is too large for the verifier");
        const auto* data = static_cast<const char*>(bytes.base());
        if (!fits || !verifier->Verify(data, static_cast<int>(bytes.bytes()), model->error_reporter_)) {
            return nullptr;
        }
        return model;
    }

    static std::map<std::string, std::string> ReadMetadata(const TfLiteModel* model) {
        std::map<std::string, std::string> result;
        for (int i = 0; i < oclite_model_metadata_count(model); i++) {
            const char* name = nullptr;
            const void* data = nullptr;
            size_t size = 0;
            if (oclite_model_metadata(model, i, &name, &data, &size) != kTfLiteOk) continue;
            result[name] = std::string(static_cast<const char*>(data), size);
        }
        return result;
    }

    std::unique_ptr<Allocation> allocation_;
    TfLiteModel* model_;
    const Model* root_;
    ErrorReporter* error_reporter_;
};

} // namespace impl

using FlatBufferModel = impl::FlatBufferModel;

} // namespace tflite

#endif
