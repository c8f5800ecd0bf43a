// SPDX-License-Identifier: Apache-2.0
// What programs may ask about a graph: its nodes, and where its tensors live.
#ifndef CORE_GRAPH_INSPECT_H_
#define CORE_GRAPH_INSPECT_H_

#include "core/graph/types.h"
#include "oclite/oclite.h"

typedef struct LiteNodeInfo {
    const char* op;      // "CONV_2D", a custom operator's name, or that of a delegate kernel
    int builtin_code;    // kTfLiteBuiltinDelegate for delegate kernels
    int version;         // 0 for delegate kernels
    bool in_plan;        // it runs, by itself
    bool resolved;       // false: a custom operator that nobody registered
    int delegate_node;   // node of the delegate kernel that runs it, -1: none
    int replaced_count;  // of a delegate kernel: how many nodes it runs
    const int* replaced; // and which
    const TfLiteNode* node;
    const TfLiteRegistration* registration;
} LiteNodeInfo;

// false when there is no such node.
bool lite_subgraph_node_info(const LiteSubgraph* subgraph, int node, LiteNodeInfo* info);

// Bytes of the arenas and of the buffers of inputs and variables.
size_t lite_subgraph_memory(const LiteSubgraph* subgraph);
// Where a tensor is, and when it is in use; false when there is no such tensor.
bool lite_subgraph_tensor_memory(const LiteSubgraph* subgraph, int tensor, OcliteTensorMemory* result);
// 0 when there is no such arena.
size_t lite_subgraph_arena_bytes(const LiteSubgraph* subgraph, int arena);

#endif
