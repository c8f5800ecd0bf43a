// SPDX-License-Identifier: Apache-2.0
// Prints an interpreter, for people.
#ifndef TENSORFLOW_LITE_OPTIONAL_DEBUG_TOOLS_H_
#define TENSORFLOW_LITE_OPTIONAL_DEBUG_TOOLS_H_

#include <stdint.h>

#include <cstdio>
#include <string>
#include <vector>

#include "tensorflow/lite/interpreter.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tflite {
namespace internal {

inline const char* AllocationName(TfLiteAllocationType type) {
    static const char* const names[] = {
        "kTfLiteMemNone", "kTfLiteMmapRo",       "kTfLiteArenaRw", "kTfLiteArenaRwPersistent",
        "kTfLiteDynamic", "kTfLitePersistentRo", "kTfLiteCustom",  "kTfLiteVariantObject",
        "kTfLiteNonCpu"};
    const auto index = static_cast<size_t>(type);
    return index < sizeof names / sizeof names[0] ? names[index] : "(invalid)";
}

// "[1,2,3]"
inline std::string ListText(const int* values, size_t count) {
    std::string text = "[";
    for (size_t i = 0; i < count; i++) text += (i > 0 ? "," : "") + std::to_string(values[i]);
    return text + "]";
}
inline std::string ListText(const std::vector<int>& values) {
    return ListText(values.data(), values.size());
}
inline std::string ListText(const TfLiteIntArray* values) {
    return values ? ListText(values->data, static_cast<size_t>(values->size)) : "[]";
}

inline void PrintTensors(const Subgraph& graph, int name_width, int type_width, int allocation_width) {
    std::printf("%-5s %-*s %-*s %-*s %-15s %s\n", "ID", name_width, "Name", type_width, "Type",
                allocation_width, "AllocType", "Size (bytes)", "Shape");
    for (size_t i = 0; i < graph.tensors_size(); i++) {
        const TfLiteTensor* tensor = graph.tensor(static_cast<int>(i));
        std::printf("%-5zu %-*.*s %-*s %-*s %-15zu %s\n", i, name_width, name_width,
                    tensor->name ? tensor->name : "(nil)", type_width, TfLiteTypeGetName(tensor->type),
                    allocation_width, AllocationName(tensor->allocation_type), tensor->bytes,
                    ListText(tensor->dims).c_str());
    }
}

inline void PrintNodes(const Subgraph& graph) {
    for (size_t i = 0; i < graph.nodes_size(); i++) {
        const auto* found = graph.node_and_registration(static_cast<int>(i));
        if (found == nullptr) continue;
        const auto& [node, registration] = *found;
        if (registration.custom_name != nullptr) {
            std::printf("Node %zu: custom operator %s\n", i, registration.custom_name);
        } else {
            std::printf("Node %zu: operator %d %s\n", i, static_cast<int>(registration.builtin_code),
                        EnumNameBuiltinOperator(static_cast<BuiltinOperator>(registration.builtin_code)));
        }
        std::printf("  %d Input Tensors: %s\n", node.inputs->size, ListText(node.inputs).c_str());
        std::printf("  %d Output Tensors: %s\n", node.outputs->size, ListText(node.outputs).c_str());
        if (node.temporaries != nullptr && node.temporaries->size > 0) {
            std::printf("  %d Temporary Tensors: %s\n", node.temporaries->size,
                        ListText(node.temporaries).c_str());
        }
    }
    std::printf("Execution plan: %s\n", ListText(graph.execution_plan()).c_str());
}

} // namespace internal

// Prints all tensors and nodes of an interpreter to stdout. The arguments are widths of the table's columns.
inline void PrintInterpreterState(const Interpreter* interpreter, int32_t tensor_name_display_length = 25,
                                  int32_t tensor_type_display_length = 15,
                                  int32_t alloc_type_display_length = 18) {
    const size_t count = interpreter->subgraphs_size();
    std::printf("Interpreter has %zu subgraphs.\n", count);
    for (size_t i = 0; i < count; i++) {
        const Subgraph& graph = *interpreter->subgraph(static_cast<int>(i));
        std::printf("\n-----------Subgraph-%zu %s has %zu tensors and %zu nodes------------\n", i,
                    graph.GetName().c_str(), graph.tensors_size(), graph.nodes_size());
        std::printf("%zu Inputs: %s\n", graph.inputs().size(), internal::ListText(graph.inputs()).c_str());
        std::printf("%zu Outputs: %s\n", graph.outputs().size(), internal::ListText(graph.outputs()).c_str());
        internal::PrintTensors(graph, tensor_name_display_length, tensor_type_display_length,
                               alloc_type_display_length);
        internal::PrintNodes(graph);
    }
}

} // namespace tflite

#endif
