// SPDX-License-Identifier: Apache-2.0
// The interpreter of the C++ API:
//
//     auto model = tflite::FlatBufferModel::BuildFromFile("model.tflite");
//     tflite::ops::builtin::BuiltinOpResolver resolver;
//     std::unique_ptr<tflite::Interpreter> interpreter;
//     if (model == nullptr) return 1;
//     if (tflite::InterpreterBuilder(*model, resolver)(&interpreter) != kTfLiteOk) return 1;
//     if (interpreter->AllocateTensors() != kTfLiteOk) return 1;
//     interpreter->typed_input_tensor<float>(0)[0] = 1;
//     if (interpreter->Invoke() != kTfLiteOk) return 1;
//     const float result = interpreter->typed_output_tensor<float>(0)[0];
//
// Or a program builds the graph by itself:
//
//     tflite::Interpreter interpreter;
//     interpreter.AddTensors(2);
//     interpreter.SetInputs({0});
//     interpreter.SetOutputs({1});
//     interpreter.SetTensorParametersReadWrite(0, kTfLiteFloat32, "x", {3}, TfLiteQuantization());
//     interpreter.SetTensorParametersReadWrite(1, kTfLiteFloat32, "y", {3}, TfLiteQuantization());
//     interpreter.AddNodeWithParameters({0}, {1}, nullptr, 0, nullptr, tflite::ops::builtin::Register_NEG());
//     if (interpreter.AllocateTensors() != kTfLiteOk || interpreter.Invoke() != kTfLiteOk) return 1;
//
// The C++ API consists of these headers. They call the C API, and a program links nothing else. They need
// C++17, but no exceptions and no run-time type information. An index or name that does not exist gives
// nullptr, -1 or kTfLiteError. An interpreter is used by one thread at a time, except for Cancel.
#ifndef TENSORFLOW_LITE_INTERPRETER_H_
#define TENSORFLOW_LITE_INTERPRETER_H_

#include <stddef.h>
#include <stdint.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "oclite/oclite.h"
#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/c_api_experimental.h"
#include "tensorflow/lite/c/common.h" // IWYU pragma: export
#include "tensorflow/lite/core/api/error_reporter.h"
#include "tensorflow/lite/core/subgraph.h"
#include "tensorflow/lite/internal/main_graph.h"
#include "tensorflow/lite/internal/signature_def.h"
#include "tensorflow/lite/interpreter_options.h"
#include "tensorflow/lite/kernels/builtin_op_kernels.h" // IWYU pragma: export: programs declare them themselves
#include "tensorflow/lite/signature_runner.h"
#include "tensorflow/lite/stderr_reporter.h"
#include "tensorflow/lite/type_to_tflitetype.h"

namespace tflite {

// Classes of the reference's tests, which look inside.
class InterpreterTest;
class SingleOpModel;

namespace impl {

// InterpreterBuilder creates it from a model (interpreter_builder.h).
class Interpreter : public internal::MainGraph<Interpreter> {
  public:
    using Ptr = std::unique_ptr<Interpreter>;
    static constexpr int kTensorsReservedCapacity = Subgraph::kTensorsReservedCapacity;
    static constexpr int kTensorsCapacityHeadroom = Subgraph::kTensorsCapacityHeadroom;

    // An interpreter without tensors and nodes. An error reporter of nullptr means the default one.
    explicit Interpreter(ErrorReporter* error_reporter = DefaultErrorReporter())
        : Interpreter(internal::CreateEmpty(OrDefault(error_reporter)), OrDefault(error_reporter)) {}

    Interpreter(const Interpreter&) = delete;
    Interpreter& operator=(const Interpreter&) = delete;

    // ---- Building: what the main graph can do (internal/main_graph.h), and ----

    // Adds empty graphs behind the main one, for operators of control flow.
    void AddSubgraphs(int subgraphs_to_add, int* first_new_subgraph_index = nullptr) {
        int first = 0;
        if (oclite_interpreter_add_subgraphs(handle(), subgraphs_to_add, &first) != kTfLiteOk) return;
        if (first_new_subgraph_index != nullptr) *first_new_subgraph_index = first;
        AddNewSubgraphs();
    }
    // The nodes of the main graph that run, in their order.
    TfLiteStatus SetExecutionPlan(const std::vector<int>& new_plan) {
        return primary_subgraph().SetExecutionPlan(new_plan);
    }

    // ---- Tensors, by their indices in the main graph ----

    const std::vector<int>& inputs() const { return primary_subgraph().inputs(); }
    const std::vector<int>& outputs() const { return primary_subgraph().outputs(); }
    const std::vector<int>& variables() const { return primary_subgraph().variables(); }
    size_t tensors_size() const { return primary_subgraph().tensors_size(); }

    TfLiteTensor* tensor(int tensor_index) { return primary_subgraph().tensor(tensor_index); }
    const TfLiteTensor* tensor(int tensor_index) const { return primary_subgraph().tensor(tensor_index); }

    // Return the elements of a tensor; nullptr when they have another type, or have no memory yet.
    template <class T> T* typed_tensor(int tensor_index) { return Typed<T>(tensor(tensor_index)); }
    template <class T> const T* typed_tensor(int tensor_index) const {
        return Typed<T>(tensor(tensor_index));
    }

    // The same for inputs and outputs, which have indices of their own, from 0 on.
    const char* GetInputName(int index) const { return NameOf(input_tensor(static_cast<size_t>(index))); }
    TfLiteTensor* input_tensor(size_t index) { return tensor(At(inputs(), index)); }
    const TfLiteTensor* input_tensor(size_t index) const { return tensor(At(inputs(), index)); }
    template <class T> T* typed_input_tensor(int index) {
        return Typed<T>(input_tensor(static_cast<size_t>(index)));
    }
    template <class T> const T* typed_input_tensor(int index) const {
        return Typed<T>(input_tensor(static_cast<size_t>(index)));
    }
    const char* GetOutputName(int index) const { return NameOf(output_tensor(static_cast<size_t>(index))); }
    TfLiteTensor* output_tensor(size_t index) { return tensor(At(outputs(), index)); }
    const TfLiteTensor* output_tensor(size_t index) const { return tensor(At(outputs(), index)); }
    template <class T> T* typed_output_tensor(int index) {
        return Typed<T>(output_tensor(static_cast<size_t>(index)));
    }
    template <class T> const T* typed_output_tensor(int index) const {
        return Typed<T>(output_tensor(static_cast<size_t>(index)));
    }

    // ---- Running ----

    // Change the shape of an input. Call AllocateTensors afterwards. Strict: only dimensions that the model
    // leaves open may change. `tensor_index` is an element of inputs().
    TfLiteStatus ResizeInputTensor(int tensor_index, const std::vector<int>& dims) {
        return primary_subgraph().ResizeInputTensor(tensor_index, dims);
    }
    TfLiteStatus ResizeInputTensorStrict(int tensor_index, const std::vector<int>& dims) {
        return primary_subgraph().ResizeInputTensorStrict(tensor_index, dims);
    }

    // Call it before the first inference and after each resize. Outputs may move.
    TfLiteStatus AllocateTensors() {
        if (ApplyLazyDelegateProviders() == kTfLiteError) return kTfLiteError;
        return TfLiteInterpreterAllocateTensors(handle());
    }
    // Gives back the memory that tensors share. Call AllocateTensors before the next inference.
    TfLiteStatus ReleaseNonPersistentMemory() { return primary_subgraph().ReleaseNonPersistentMemory(); }
    TfLiteStatus Invoke() {
        TfLiteSetAllowBufferHandleOutput(handle(), allow_buffer_handle_output_);
        return TfLiteInterpreterInvoke(handle());
    }

    // Changes options of an interpreter that is there. Those without effect are named in
    // interpreter_options.h.
    TfLiteStatus ApplyOptions(InterpreterOptions* options) {
        if (options == nullptr) return kTfLiteOk;
        const bool release = options->GetEnsureDynamicTensorsAreReleased();
        if (oclite_interpreter_set_release_dynamic_tensors(handle(), release) != kTfLiteOk)
            return kTfLiteError;
        return oclite_interpreter_set_preserve_all_tensors(handle(), options->GetPreserveAllTensors());
    }

    // Sets the number of threads from the next inference on. 0 counts as 1; -1 leaves the choice to the
    // library.
    TfLiteStatus SetNumThreads(int num_threads) {
        if (num_threads < -1) {
            TF_LITE_REPORT_ERROR(error_reporter_, "num_threads is %d, it should be -1 or more", num_threads);
            return kTfLiteError;
        }
        oclite_interpreter_set_num_threads(handle(), num_threads);
        return kTfLiteOk;
    }

    // Tells delegates whether they may compute float32 in float16.
    void SetAllowFp16PrecisionForFp32(bool allow) {
        for (auto& graph : subgraphs_) graph->context()->allow_fp32_relax_to_fp16 = allow;
    }
    bool GetAllowFp16PrecisionForFp32() const {
        return subgraphs_.front()->context()->allow_fp32_relax_to_fp16;
    }

    // Cancel, called on another thread, makes the running Invoke return kTfLiteCancelled. It returns
    // kTfLiteError unless cancellation has been enabled.
    TfLiteStatus EnableCancellation() {
        cancellation_ = true;
        return kTfLiteOk;
    }
    TfLiteStatus Cancel() { return cancellation_ ? TfLiteInterpreterCancel(handle()) : kTfLiteError; }

    // The function is called before each node. When it returns true, Invoke returns kTfLiteError. nullptr
    // removes it.
    void SetCancellationFunction(void* data, bool (*check_cancelled_func)(void*)) {
        oclite_interpreter_set_cancellation(handle(), check_cancelled_func, data);
    }

    // Sets all variables to zero.
    TfLiteStatus ResetVariableTensors() { return TfLiteInterpreterResetVariableTensors(handle()); }

    // ---- Signatures ----

    std::vector<const std::string*> signature_keys() const {
        std::vector<const std::string*> keys;
        for (const auto& signature : signatures_) keys.push_back(&signature->signature_key);
        return keys;
    }

    // Returns a runner, which belongs to the interpreter. A key of nullptr means the first signature of
    // subgraph 0, or the whole model when it has no signature.
    SignatureRunner* GetSignatureRunner(const char* signature_key) {
        const Signature* signature = signature_key ? FindSignature(signature_key) : main_signature();
        const bool is_whole = !signature_key || std::string(signature_key) == kPlaceholderKey;
        const auto existing = runners_.find(signature);
        if (existing != runners_.end() && (signature || is_whole)) return existing->second.get();
        TfLiteSignatureRunner* runner = TfLiteInterpreterGetSignatureRunner(handle(), signature_key);
        if (runner == nullptr) return nullptr;
        Subgraph* graph = subgraph(signature ? GraphOf(*signature) : 0);
        auto& result = runners_[signature];
        result.reset(new SignatureRunner(signature ? signature->signature_key : kPlaceholderKey, handle(),
                                         runner, graph, &cancellation_));
        return result.get();
    }

    // Returns the graph that a signature runs; -1 when there is no such key.
    int GetSubgraphIndexFromSignature(const char* signature_key) const {
        const Signature* signature = FindSignature(signature_key);
        return signature ? GraphOf(*signature) : -1;
    }

    // Return the names of a signature's tensors and their indices in its graph; an empty map when there is no
    // such key.
    const std::map<std::string, uint32_t>& signature_inputs(const char* signature_key) const {
        const Signature* signature = FindSignature(signature_key);
        return signature ? signature->inputs : no_tensors_;
    }
    const std::map<std::string, uint32_t>& signature_outputs(const char* signature_key) const {
        const Signature* signature = FindSignature(signature_key);
        return signature ? signature->outputs : no_tensors_;
    }
    TfLiteTensor* input_tensor_by_signature(const char* signature_input_name, const char* signature_key) {
        return TensorOf(signature_key, signature_inputs(signature_key), signature_input_name);
    }
    const TfLiteTensor* output_tensor_by_signature(const char* signature_output_name,
                                                   const char* signature_key) const {
        return TensorOf(signature_key, signature_outputs(signature_key), signature_output_name);
    }

    // ---- Delegates and memory ----

    using TfLiteDelegatePtr = std::unique_ptr<TfLiteDelegate, void (*)(TfLiteDelegate*)>;

    // Applies a delegate, which must outlive the interpreter. Call AllocateTensors afterwards.
    // kTfLiteDelegateError: the delegate failed; all delegates are removed, and the CPU runs the model at
    // once. kTfLiteApplicationError: the delegate does not suit the model.
    TfLiteStatus ModifyGraphWithDelegate(TfLiteDelegate* delegate) {
        if (delegate == nullptr) {
            TF_LITE_REPORT_ERROR(error_reporter_, "Null delegate.");
            return kTfLiteDelegateError;
        }
        return TfLiteInterpreterModifyGraphWithDelegate(handle(), delegate);
    }
    TfLiteStatus ModifyGraphWithDelegate(TfLiteOpaqueDelegateStruct* delegate) {
        return ModifyGraphWithDelegate(reinterpret_cast<TfLiteDelegate*>(delegate));
    }

    // Applies a delegate that the interpreter takes over.
    template <typename Delegate, typename Deleter>
    TfLiteStatus ModifyGraphWithDelegate(std::unique_ptr<Delegate, Deleter> delegate) {
        using Pointer = typename std::unique_ptr<Delegate, Deleter>::pointer;
        Deleter deleter = std::move(delegate.get_deleter());
        // The interpreter keeps it on failure too, because the library may have called it.
        owned_delegates_.emplace_back(delegate.release(), [deleter](TfLiteDelegate* owned) mutable {
            deleter(static_cast<Pointer>(owned));
        });
        return ModifyGraphWithDelegate(owned_delegates_.back().get());
    }
    // TfLiteDelegate is a C struct: `delete` would not release what a delegate holds.
    TfLiteStatus ModifyGraphWithDelegate(std::unique_ptr<TfLiteDelegate> delegate) = delete;

    // The delegate's buffer that holds a tensor. EnsureTensorDataIsReadable copies the tensor from there.
    TfLiteStatus SetBufferHandle(int tensor_index, TfLiteBufferHandle buffer_handle,
                                 TfLiteDelegate* delegate) {
        return SetBufferHandle(tensor(tensor_index), buffer_handle, delegate);
    }
    TfLiteStatus SetBufferHandle(TfLiteTensor* tensor, TfLiteBufferHandle buffer_handle,
                                 TfLiteDelegate* delegate) {
        return TfLiteInterpreterSetBufferHandle(handle(), tensor, buffer_handle, delegate);
    }
    TfLiteStatus GetBufferHandle(int tensor_index, TfLiteBufferHandle* buffer_handle,
                                 TfLiteDelegate** delegate) {
        return TfLiteInterpreterGetBufferHandle(handle(), tensor_index, buffer_handle, delegate);
    }
    TfLiteStatus EnsureTensorDataIsReadable(int tensor_index) {
        return TfLiteInterpreterEnsureTensorDataIsReadable(handle(), tensor_index);
    }

    // With `true`, outputs may stay in the buffers of delegates at the end of Invoke.
    void SetAllowBufferHandleOutput(bool allow_buffer_handle_output) {
        allow_buffer_handle_output_ = allow_buffer_handle_output;
    }

    // Places a tensor in the program's memory, which must be aligned to 64 bytes unless `flags` says
    // otherwise, and must live as long as the interpreter. Call AllocateTensors afterwards.
    TfLiteStatus SetCustomAllocationForTensor(int tensor_index, const TfLiteCustomAllocation& allocation,
                                              int64_t flags = kTfLiteCustomAllocationFlagsNone) {
        return primary_subgraph().SetCustomAllocationForTensor(tensor_index, allocation, flags);
    }

    // Sets an object that operators get by GetExternalContext. It must outlive the interpreter.
    void SetExternalContext(TfLiteExternalContextType type, TfLiteExternalContext* external) {
        TfLiteContext* context = primary_subgraph().context();
        context->SetExternalContext(context, type, external);
    }

    // ---- Inside ----

    size_t nodes_size() const { return primary_subgraph().nodes_size(); }
    const std::vector<int>& execution_plan() const { return primary_subgraph().execution_plan(); }
    const std::pair<TfLiteNode, TfLiteRegistration>* node_and_registration(int node_index) const {
        return primary_subgraph().node_and_registration(node_index);
    }
    const std::pair<TfLiteNode, TfLiteRegistration>* node_and_registration(int subgraph_index,
                                                                           int node_index) const {
        const Subgraph* graph = subgraph(subgraph_index);
        return graph ? graph->node_and_registration(node_index) : nullptr;
    }
    // Returns the operator's own description of its work on a node; nullptr when it has none.
    const char* OpProfilingString(const TfLiteRegistration& op_reg, const TfLiteNode* node) const {
        return op_reg.profiling_string ? op_reg.profiling_string(subgraphs_.front()->context(), node)
                                       : nullptr;
    }

    size_t subgraphs_size() const { return subgraphs_.size(); }
    const Subgraph* subgraph(int index) const { return FindSubgraph(index); }
    Subgraph* subgraph(int index) { return FindSubgraph(index); }
    const Subgraph& primary_subgraph() const { return *subgraphs_.front(); }
    Subgraph& primary_subgraph() { return *subgraphs_.front(); }

    ErrorReporter* error_reporter() const { return error_reporter_; }

  private:
    friend class InterpreterBuilder;
    friend class tflite::InterpreterTest;
    friend class tflite::SingleOpModel;
    // The key of the runner of a model without signatures.
    static constexpr const char* kPlaceholderKey = "<placeholder signature>";

    using Signature = internal::SignatureDef;
    using TfLiteDelegateCreator = std::function<TfLiteDelegatePtr(TfLiteContext*)>;
    using TfLiteDelegateCreators = std::vector<TfLiteDelegateCreator>;
    struct Deleter {
        void operator()(TfLiteInterpreter* interpreter) const { TfLiteInterpreterDelete(interpreter); }
    };

    Interpreter(TfLiteInterpreter* interpreter, ErrorReporter* error_reporter)
        : interpreter_(interpreter), error_reporter_(error_reporter) {
        AddNewSubgraphs();
        context_ = subgraphs_.front()->context();
        for (int i = 0; i < TfLiteInterpreterGetSignatureCount(interpreter); i++) AddSignature(i);
    }

    static ErrorReporter* OrDefault(ErrorReporter* reporter) {
        return reporter ? reporter : DefaultErrorReporter();
    }

    // The main graph is there in any case, even when memory has run out.
    void AddNewSubgraphs() {
        const auto count = static_cast<size_t>(oclite_interpreter_subgraph_count(handle()));
        while (subgraphs_.size() < count || subgraphs_.empty()) {
            const int index = static_cast<int>(subgraphs_.size());
            subgraphs_.push_back(std::make_unique<Subgraph>(handle(), index, &subgraphs_));
        }
    }

    bool HasDelegates() const {
        for (const auto& graph : subgraphs_) {
            if (graph->HasDelegates()) return true;
        }
        return false;
    }
    bool IsFullyDelegated() const {
        for (const auto& graph : subgraphs_) {
            if (!graph->IsFullyDelegated()) return false;
        }
        return true;
    }

    // Applies the delegates of the resolver, once. The first status that is neither success nor that of a
    // delegate that does not suit the graph ends it.
    TfLiteStatus ApplyLazyDelegateProviders() {
        const TfLiteDelegateCreators creators = std::move(lazy_delegate_providers_);
        lazy_delegate_providers_.clear();
        for (const TfLiteDelegateCreator& create : creators) {
            TfLiteDelegatePtr delegate = create(context_);
            if (delegate == nullptr) continue;
            const TfLiteStatus status = ModifyGraphWithDelegate(std::move(delegate));
            if (status != kTfLiteOk && status != kTfLiteApplicationError) return status;
        }
        return kTfLiteOk;
    }

    // Names the tensors of graphs that the program has built. Runners know only the signatures of a model.
    void SetSignatureDef(std::vector<internal::SignatureDef> signature_defs) {
        runners_.clear();
        signatures_.clear();
        for (auto& signature : signature_defs) {
            signatures_.push_back(std::make_unique<Signature>(std::move(signature)));
        }
    }

    void AddSignature(int index) {
        auto signature = std::make_unique<Signature>();
        signature->signature_key = TfLiteInterpreterGetSignatureKey(handle(), index);
        signature->subgraph_index =
            static_cast<uint32_t>(oclite_interpreter_signature_subgraph(handle(), index));
        const TfLiteTensor* tensors = subgraph(GraphOf(*signature))->context()->tensors;
        TfLiteSignatureRunner* runner =
            TfLiteInterpreterGetSignatureRunner(handle(), signature->signature_key.c_str());
        const size_t input_count = TfLiteSignatureRunnerGetInputCount(runner);
        for (size_t i = 0; i < input_count; i++) {
            const char* name = TfLiteSignatureRunnerGetInputName(runner, static_cast<int32_t>(i));
            signature->inputs[name] =
                static_cast<uint32_t>(TfLiteSignatureRunnerGetInputTensor(runner, name) - tensors);
        }
        const size_t output_count = TfLiteSignatureRunnerGetOutputCount(runner);
        for (size_t i = 0; i < output_count; i++) {
            const char* name = TfLiteSignatureRunnerGetOutputName(runner, static_cast<int32_t>(i));
            signature->outputs[name] =
                static_cast<uint32_t>(TfLiteSignatureRunnerGetOutputTensor(runner, name) - tensors);
        }
        TfLiteSignatureRunnerDelete(runner);
        signatures_.push_back(std::move(signature));
    }

    TfLiteInterpreter* handle() const { return interpreter_.get(); }

    const Signature* main_signature() const {
        for (const auto& signature : signatures_) {
            if (signature->subgraph_index == 0) return signature.get();
        }
        return nullptr;
    }
    const Signature* FindSignature(const char* key) const {
        for (const auto& signature : signatures_) {
            if (key != nullptr && signature->signature_key == key) return signature.get();
        }
        return nullptr;
    }
    static int GraphOf(const Signature& signature) { return static_cast<int>(signature.subgraph_index); }
    Subgraph* FindSubgraph(int index) const {
        const bool exists = index >= 0 && static_cast<size_t>(index) < subgraphs_.size();
        return exists ? subgraphs_[static_cast<size_t>(index)].get() : nullptr;
    }
    TfLiteTensor* TensorOf(const char* key, const std::map<std::string, uint32_t>& tensors,
                           const char* name) const {
        const auto found = name ? tensors.find(name) : tensors.end();
        if (found == tensors.end()) return nullptr;
        Subgraph* graph = FindSubgraph(GetSubgraphIndexFromSignature(key));
        return graph ? graph->tensor(static_cast<int>(found->second)) : nullptr;
    }

    static int At(const std::vector<int>& indices, size_t position) {
        return position < indices.size() ? indices[position] : -1;
    }
    static const char* NameOf(const TfLiteTensor* tensor) { return tensor ? tensor->name : nullptr; }
    template <class T, class Tensor> static T* Typed(Tensor* tensor) {
        const bool fits = tensor != nullptr && tensor->type == typeToTfLiteType<std::remove_cv_t<T>>();
        return fits ? reinterpret_cast<T*>(tensor->data.raw) : nullptr;
    }

    // The order of destruction: first the runners, then the interpreter, then the delegates.
    std::vector<std::unique_ptr<TfLiteDelegate, std::function<void(TfLiteDelegate*)>>> owned_delegates_;
    std::unique_ptr<TfLiteInterpreter, Deleter> interpreter_;
    ErrorReporter* error_reporter_;
    TfLiteContext* context_ = nullptr; // of the main graph
    Subgraph::Subgraphs subgraphs_;
    TfLiteDelegateCreators lazy_delegate_providers_;
    std::vector<std::unique_ptr<Signature>> signatures_;
    std::map<const Signature*, std::unique_ptr<SignatureRunner>> runners_; // nullptr: the whole model
    std::map<std::string, uint32_t> no_tensors_;
    bool cancellation_ = false;
    bool allow_buffer_handle_output_ = false;
};

} // namespace impl

using Interpreter = impl::Interpreter;

} // namespace tflite

#endif
