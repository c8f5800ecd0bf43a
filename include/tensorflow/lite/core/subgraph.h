// SPDX-License-Identifier: Apache-2.0
// A graph of an interpreter: the main one, the body of a loop, or a signature. Its Interpreter owns it.
//
// Programs that build graphs by themselves add tensors and nodes to it. What is wrong is an error with a
// message; include/oclite/graph.h says what is, and what becomes of a graph that was ready to be invoked.
#ifndef TENSORFLOW_LITE_CORE_SUBGRAPH_H_
#define TENSORFLOW_LITE_CORE_SUBGRAPH_H_

#include <stddef.h>
#include <stdint.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "oclite/graph.h"
#include "oclite/oclite.h"
#include "tensorflow/lite/allocation.h"
#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/c_api_opaque.h"
#include "tensorflow/lite/c/common.h"
#include "tensorflow/lite/core/api/error_reporter.h"

namespace tflite {

class Subgraph {
  public:
    using Subgraphs = std::vector<std::unique_ptr<Subgraph>>;
    static constexpr int kInvalidSubgraphIndex = -1;
    // The room for tensors that there is at least, and that operators find in prepare and invoke.
    static constexpr int kTensorsReservedCapacity = 128;
    static constexpr int kTensorsCapacityHeadroom = 16;

    // Interpreter calls it. `index` is the index of a subgraph of the interpreter, `subgraphs` all of them.
    Subgraph(TfLiteInterpreter* interpreter, int index, Subgraphs* subgraphs = nullptr)
        : interpreter_(interpreter), context_(oclite_interpreter_context(interpreter, index)), index_(index),
          subgraphs_(subgraphs) {
        static TfLiteContext nothing{}; // of an interpreter for which there was no memory
        if (context_ == nullptr) context_ = &nothing;
        const char* name = oclite_interpreter_subgraph_name(interpreter, index);
        name_ = name == nullptr ? "" : name;
        ReadLists();
        for (size_t i = 0; i < context_->tensors_size; i++) {
            if (context_->tensors[i].is_variable) variables_.push_back(static_cast<int>(i));
        }
    }
    // As the reference's tests make graphs: it belongs to no interpreter, so that all that needs one fails.
    Subgraph(ErrorReporter*, TfLiteExternalContext**, Subgraphs* subgraphs, std::nullptr_t, std::nullptr_t,
             std::nullptr_t, int subgraph_index = kInvalidSubgraphIndex)
        : Subgraph(nullptr, subgraph_index, subgraphs) {}
    Subgraph(const Subgraph&) = delete;
    Subgraph& operator=(const Subgraph&) = delete;

    const std::string& GetName() const { return name_; }
    void SetName(const char* name) {
        if (oclite_graph_set_name(interpreter_, index_, name) == kTfLiteOk) name_ = name ? name : "";
    }
    TfLiteContext* context() { return context_; }
    const TfLiteContext* context() const { return context_; }
    int GetSubgraphIndex() const { return index_; }
    bool IsPrimarySubgraph() const { return index_ == 0; }
    // All graphs of the interpreter.
    Subgraphs* GetSubgraphs() const { return subgraphs_; }

    // Indices of tensors in this graph.
    const std::vector<int>& inputs() const { return inputs_; }
    const std::vector<int>& outputs() const { return outputs_; }
    const std::vector<int>& variables() const { return variables_; }
    size_t tensors_size() const { return context_->tensors_size; }
    TfLiteTensor* tensors() { return context_->tensors; }
    // Returns nullptr when there is no tensor of this index. Tensors that are added move the others.
    TfLiteTensor* tensor(int index) { return Find(index); }
    const TfLiteTensor* tensor(int index) const { return Find(index); }

    // The number of nodes: those of the model, then those by which delegates have replaced some of them.
    size_t nodes_size() const {
        return static_cast<size_t>(oclite_interpreter_node_count(interpreter_, index_));
    }
    // Returns the indices of the nodes that run, in their order. The result is valid until the next call.
    const std::vector<int>& execution_plan() const {
        const int* nodes = nullptr;
        int count = 0;
        plan_.clear();
        if (oclite_interpreter_plan(interpreter_, index_, &nodes, &count) == kTfLiteOk) {
            plan_.assign(nodes, nodes + count);
        }
        return plan_;
    }
    // Returns copies of the node and of the operator that runs it; nullptr when there is no node of this
    // index. Each call makes the copies anew.
    const std::pair<TfLiteNode, TfLiteRegistration>* node_and_registration(int index) const {
        OcliteNode node;
        if (oclite_interpreter_node(interpreter_, index_, index, &node) != kTfLiteOk) return nullptr;
        auto& copy = nodes_[index];
        copy = {*node.node, *node.registration};
        return &copy;
    }

    // The same for all nodes. The result is valid until the next call.
    const std::vector<std::pair<TfLiteNode, TfLiteRegistration>>& nodes_and_registration() const {
        all_nodes_.resize(nodes_size());
        for (size_t i = 0; i < all_nodes_.size(); i++) {
            OcliteNode node;
            if (oclite_interpreter_node(interpreter_, index_, static_cast<int>(i), &node) != kTfLiteOk)
                continue;
            all_nodes_[i] = {*node.node, *node.registration};
        }
        return all_nodes_;
    }
    bool HasDelegates() const { return CountDelegateNodes() > 0; }
    bool IsFullyDelegated() const {
        const size_t nodes = execution_plan().size();
        return nodes > 0 && CountDelegateNodes() == nodes;
    }
    // Whether the size of a tensor is known only in an inference.
    bool HasDynamicTensors() const {
        for (size_t i = 0; i < context_->tensors_size; i++) {
            if (context_->tensors[i].allocation_type == kTfLiteDynamic) return true;
        }
        return false;
    }

    // ---- Building ----

    TfLiteStatus AddTensors(int tensors_to_add, int* first_new_tensor_index = nullptr) {
        return oclite_graph_add_tensors(interpreter_, index_, tensors_to_add, first_new_tensor_index);
    }
    TfLiteStatus SetInputs(const std::vector<int>& inputs) {
        return Reread(
            oclite_graph_set_inputs(interpreter_, index_, inputs.data(), static_cast<int>(inputs.size())));
    }
    TfLiteStatus SetOutputs(const std::vector<int>& outputs) {
        return Reread(
            oclite_graph_set_outputs(interpreter_, index_, outputs.data(), static_cast<int>(outputs.size())));
    }
    TfLiteStatus SetVariables(const std::vector<int>& variables) {
        const TfLiteStatus status = oclite_graph_set_variables(interpreter_, index_, variables.data(),
                                                               static_cast<int>(variables.size()));
        if (status == kTfLiteOk) variables_ = variables;
        return status;
    }

    // Describe a constant, whose elements are at `buffer`, or a tensor that gets memory from the interpreter.
    // Name, buffer and allocation must live as long as the interpreter, which takes over the quantization.
    // Sparse constants come with models only.
    TfLiteStatus SetTensorParametersReadOnly(int tensor_index, TfLiteType type, const char* name,
                                             const std::vector<int>& dims, TfLiteQuantization quantization,
                                             const char* buffer, size_t bytes,
                                             const Allocation* allocation = nullptr,
                                             TfLiteSparsity* sparsity = nullptr) {
        return SetTensorParametersReadOnly(tensor_index, type, name, dims.size(), dims.data(), quantization,
                                           buffer, bytes, allocation, sparsity);
    }
    TfLiteStatus SetTensorParametersReadOnly(int tensor_index, TfLiteType type, const char* name,
                                             size_t ndims, const int* dims, TfLiteQuantization quantization,
                                             const char* buffer, size_t bytes,
                                             const Allocation* allocation = nullptr,
                                             TfLiteSparsity* sparsity = nullptr) {
        if (sparsity != nullptr) {
            TfLiteSparsityFree(sparsity);
            TfLiteQuantizationFree(&quantization);
            context_->ReportError(context_, "tensor %d: sparse constants come with models only",
                                  tensor_index);
            return kTfLiteError;
        }
        const OcliteNewTensor description = Describe(type, name, ndims, dims, quantization);
        const TfLiteStatus status =
            oclite_graph_set_constant(interpreter_, index_, tensor_index, &description, buffer, bytes);
        if (status == kTfLiteOk) tensor(tensor_index)->allocation = allocation;
        return status;
    }
    TfLiteStatus SetTensorParametersReadWrite(int tensor_index, TfLiteType type, const char* name,
                                              const std::vector<int>& dims, TfLiteQuantization quantization,
                                              bool is_variable = false,
                                              const std::vector<int>& dims_signature = {}) {
        return SetTensorParametersReadWrite(tensor_index, type, name, dims.size(), dims.data(), quantization,
                                            is_variable, dims_signature.size(), dims_signature.data());
    }
    TfLiteStatus SetTensorParametersReadWrite(int tensor_index, TfLiteType type, const char* name,
                                              size_t ndims, const int* dims, TfLiteQuantization quantization,
                                              bool is_variable = false, size_t ndims_signature = 0,
                                              const int* dims_signature = nullptr) {
        OcliteNewTensor description = Describe(type, name, ndims, dims, quantization);
        description.is_variable = is_variable;
        description.dims_signature = dims_signature;
        description.signature_rank = static_cast<int>(ndims_signature);
        return oclite_graph_set_tensor(interpreter_, index_, tensor_index, &description);
    }

    // Adds a node, which takes over `builtin_data`, memory from malloc. `init_data` is for the registration's
    // init, and must live as long as the interpreter if the operator is a custom one.
    TfLiteStatus AddNodeWithParameters(const std::vector<int>& inputs, const std::vector<int>& outputs,
                                       const std::vector<int>& intermediates, const char* init_data,
                                       size_t init_data_size, void* builtin_data,
                                       const TfLiteRegistration* registration, int* node_index = nullptr) {
        OcliteNewNode node{};
        node.inputs = inputs.data();
        node.input_count = static_cast<int>(inputs.size());
        node.outputs = outputs.data();
        node.output_count = static_cast<int>(outputs.size());
        node.intermediates = intermediates.data();
        node.intermediate_count = static_cast<int>(intermediates.size());
        node.init_data = init_data;
        node.init_data_size = init_data_size;
        node.builtin_data = builtin_data;
        node.registration = registration;
        return oclite_graph_add_node(interpreter_, index_, &node, node_index);
    }
    // Takes the inputs that neither a node nor an output uses out of the list: -1 stands in their place.
    TfLiteStatus RemoveUnusedInputs() {
        std::vector<int> kept = inputs_;
        for (int& input : kept) {
            bool used = Contains(outputs_.data(), outputs_.size(), input);
            for (int index : execution_plan()) {
                OcliteNode node;
                if (oclite_interpreter_node(interpreter_, index_, index, &node) != kTfLiteOk) continue;
                used = used || Contains(node.inputs, static_cast<size_t>(node.input_count), input);
            }
            if (!used) input = kTfLiteOptionalTensor;
        }
        return SetInputs(kept);
    }
    TfLiteStatus SetExecutionPlan(const std::vector<int>& nodes) {
        return oclite_graph_set_plan(interpreter_, index_, nodes.data(), static_cast<int>(nodes.size()));
    }

    // ---- Other graphs of the interpreter, for delegates ----

    // Stores the context of a graph. Its functions for delegates stay those of a delegate's calls.
    TfLiteStatus AcquireSubgraphContext(int subgraph_index, TfLiteContext** acquired_context) {
        Subgraph* graph = Sibling(subgraph_index);
        if (graph == nullptr) return kTfLiteError;
        *acquired_context = graph->context();
        return kTfLiteOk;
    }
    TfLiteStatus ReleaseSubgraphContext(int subgraph_index) {
        return Sibling(subgraph_index) ? kTfLiteOk : kTfLiteError;
    }
    // No delegate is applied to such a graph by itself. Never the main one.
    TfLiteStatus MarkSubgraphAsDelegationSkippable(int subgraph_index) {
        Subgraph* graph = subgraph_index > 0 ? Sibling(subgraph_index) : nullptr;
        if (graph == nullptr) return kTfLiteError;
        graph->MarkAsDelegationSkippable();
        return kTfLiteOk;
    }
    void MarkAsDelegationSkippable() {
        is_delegation_skippable_ = true;
        if (interpreter_ == nullptr) return;
        TfLiteOpaqueContextMarkSubgraphAsDelegationSkippable(reinterpret_cast<TfLiteOpaqueContext*>(context_),
                                                             index_);
    }
    bool IsDelegationSkippable() const { return is_delegation_skippable_; }

    // ---- Running ----

    TfLiteStatus AllocateTensors() { return oclite_graph_allocate(interpreter_, index_); }
    TfLiteStatus Invoke() { return oclite_graph_invoke(interpreter_, index_); }
    // Gives back the memory that tensors share. Allocate the tensors again before the next inference.
    TfLiteStatus ReleaseNonPersistentMemory() { return oclite_graph_release_memory(interpreter_, index_); }
    TfLiteStatus ReleaseMemory() { return ReleaseNonPersistentMemory(); }

    // Changes the shape of an input. Allocate the tensors again afterwards.
    TfLiteStatus ResizeInputTensor(int index, const int* dims, int rank) {
        return oclite_interpreter_resize_input(interpreter_, index_, index, dims, rank);
    }
    TfLiteStatus ResizeInputTensor(int index, const std::vector<int>& dims) {
        return ResizeInputTensor(index, dims.data(), static_cast<int>(dims.size()));
    }
    // The same, but only dimensions that the model leaves open may change.
    TfLiteStatus ResizeInputTensorStrict(int index, const std::vector<int>& dims) {
        const TfLiteTensor* resized = Find(index);
        const TfLiteIntArray* known = resized ? TfLiteTensorGetDimsSignature(resized) : nullptr;
        if (known != nullptr && known->size != static_cast<int>(dims.size())) {
            context_->ReportError(context_, "tensor %d has %d dimensions, it cannot be resized to %d", index,
                                  known->size, static_cast<int>(dims.size()));
            return kTfLiteError;
        }
        for (int i = 0; known != nullptr && i < known->size; i++) {
            const int size = dims[static_cast<size_t>(i)];
            if (known->data[i] == -1 || known->data[i] == size) continue;
            context_->ReportError(context_,
                                  "Attempting to resize dimension %d of tensor %d with value %d to %d. "
                                  "ResizeInputTensorStrict only allows mutating unknown dimensions "
                                  "identified by -1.",
                                  i, index, known->data[i], size);
            return kTfLiteError;
        }
        return ResizeInputTensor(index, dims);
    }

    // Places a tensor in the program's memory.
    TfLiteStatus SetCustomAllocationForTensor(int index, const TfLiteCustomAllocation& allocation,
                                              int64_t flags = kTfLiteCustomAllocationFlagsNone) {
        return oclite_interpreter_set_custom_allocation(interpreter_, index_, index, &allocation, flags);
    }

  private:
    Subgraph* Sibling(int index) const {
        const bool exists =
            subgraphs_ != nullptr && index >= 0 && static_cast<size_t>(index) < subgraphs_->size();
        return exists ? (*subgraphs_)[static_cast<size_t>(index)].get() : nullptr;
    }
    static bool Contains(const int* list, size_t size, int value) {
        return std::find(list, list + size, value) != list + size;
    }
    // What the library has of inputs and outputs.
    void ReadLists() {
        const int* tensors = nullptr;
        int count = 0;
        if (oclite_interpreter_inputs(interpreter_, index_, &tensors, &count) == kTfLiteOk) {
            inputs_.assign(tensors, tensors + count);
        }
        if (oclite_interpreter_outputs(interpreter_, index_, &tensors, &count) == kTfLiteOk) {
            outputs_.assign(tensors, tensors + count);
        }
    }
    TfLiteStatus Reread(TfLiteStatus status) {
        ReadLists();
        return status;
    }
    static OcliteNewTensor Describe(TfLiteType type, const char* name, size_t rank, const int* dims,
                                    TfLiteQuantization quantization) {
        OcliteNewTensor description{};
        description.type = type;
        description.name = name;
        description.dims = dims;
        description.rank = static_cast<int>(rank);
        description.quantization = quantization;
        return description;
    }
    size_t CountDelegateNodes() const {
        size_t count = 0;
        for (int index : execution_plan()) {
            OcliteNode node;
            const bool found = oclite_interpreter_node(interpreter_, index_, index, &node) == kTfLiteOk;
            count += found && node.is_delegate;
        }
        return count;
    }
    TfLiteTensor* Find(int index) const {
        const bool exists = index >= 0 && static_cast<size_t>(index) < context_->tensors_size;
        return exists ? &context_->tensors[index] : nullptr;
    }

    TfLiteInterpreter* interpreter_;
    TfLiteContext* context_;
    int index_;
    Subgraphs* subgraphs_;
    bool is_delegation_skippable_ = false;
    std::string name_;
    std::vector<int> inputs_;
    std::vector<int> outputs_;
    std::vector<int> variables_;
    mutable std::vector<int> plan_;
    mutable std::map<int, std::pair<TfLiteNode, TfLiteRegistration>> nodes_;
    mutable std::vector<std::pair<TfLiteNode, TfLiteRegistration>> all_nodes_;
};

} // namespace tflite

#endif
