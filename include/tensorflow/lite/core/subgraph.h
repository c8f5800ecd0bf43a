// SPDX-License-Identifier: Apache-2.0
// A graph of an interpreter: the main one, the body of a loop, or a signature. Its Interpreter owns it.
#ifndef TENSORFLOW_LITE_CORE_SUBGRAPH_H_
#define TENSORFLOW_LITE_CORE_SUBGRAPH_H_

#include <stddef.h>
#include <stdint.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "oclite/oclite.h"
#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/common.h"

namespace tflite {

class Subgraph {
  public:
    // Interpreter calls it. `index` must be the index of a subgraph of the interpreter.
    Subgraph(TfLiteInterpreter* interpreter, int index)
        : interpreter_(interpreter), context_(oclite_interpreter_context(interpreter, index)), index_(index),
          name_(oclite_interpreter_subgraph_name(interpreter, index)) {
        const int* tensors = nullptr;
        int count = 0;
        if (oclite_interpreter_inputs(interpreter, index, &tensors, &count) == kTfLiteOk) {
            inputs_.assign(tensors, tensors + count);
        }
        if (oclite_interpreter_outputs(interpreter, index, &tensors, &count) == kTfLiteOk) {
            outputs_.assign(tensors, tensors + count);
        }
        for (size_t i = 0; i < context_->tensors_size; i++) {
            if (context_->tensors[i].is_variable) variables_.push_back(static_cast<int>(i));
        }
    }
    Subgraph(const Subgraph&) = delete;
    Subgraph& operator=(const Subgraph&) = delete;

    const std::string& GetName() const { return name_; }
    TfLiteContext* context() { return context_; }

    // Indices of tensors in this graph.
    const std::vector<int>& inputs() const { return inputs_; }
    const std::vector<int>& outputs() const { return outputs_; }
    const std::vector<int>& variables() const { return variables_; }
    size_t tensors_size() const { return context_->tensors_size; }
    // Returns nullptr when there is no tensor of this index. Only operators add tensors, which moves them.
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

    // Changes the shape of an input. Allocate the tensors again afterwards.
    TfLiteStatus ResizeInputTensor(int index, const std::vector<int>& dims) {
        return oclite_interpreter_resize_input(interpreter_, index_, index, dims.data(),
                                               static_cast<int>(dims.size()));
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
    TfLiteTensor* Find(int index) const {
        const bool exists = index >= 0 && static_cast<size_t>(index) < context_->tensors_size;
        return exists ? &context_->tensors[index] : nullptr;
    }

    TfLiteInterpreter* interpreter_;
    TfLiteContext* context_;
    int index_;
    std::string name_;
    std::vector<int> inputs_;
    std::vector<int> outputs_;
    std::vector<int> variables_;
    mutable std::vector<int> plan_;
    mutable std::map<int, std::pair<TfLiteNode, TfLiteRegistration>> nodes_;
};

} // namespace tflite

#endif
