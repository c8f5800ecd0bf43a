// SPDX-License-Identifier: Apache-2.0
// One graph of an interpreter: tensors, nodes, the plan in which nodes run, and memory.
//
// Life of a tensor's memory:
//   constants          in the model (kTfLiteMmapRo)
//   graph inputs       buffers of their own, which keep address and contents until they are resized
//   variables          (kTfLiteArenaRwPersistent) buffers of their own, zero after each allocation
//   dynamic tensors    (kTfLiteDynamic) on the heap, sized by a kernel's invoke; strings too
//   all others         in arenas, sharing memory with tensors that are not alive at the same time; read what
//                      is not a graph output only from kernels
// Functions that fail report through the interpreter's reporter.
#ifndef CORE_GRAPH_SUBGRAPH_H_
#define CORE_GRAPH_SUBGRAPH_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/model/model.h"
#include "oclite/oclite.h"
#include "tensorflow/lite/c/common.h"

typedef struct LiteSubgraph LiteSubgraph;

// The subgraph behind a context that one of our interpreters handed to a kernel or delegate, and back.
LiteSubgraph* lite_subgraph_of(const TfLiteOpaqueContext* context);
TfLiteOpaqueContext* lite_subgraph_context(LiteSubgraph* subgraph);
const LiteModel* lite_subgraph_model(const LiteSubgraph* subgraph);

const char* lite_subgraph_name(const LiteSubgraph* subgraph);
LiteModelInts lite_subgraph_inputs(const LiteSubgraph* subgraph); // tensor indices
LiteModelInts lite_subgraph_outputs(const LiteSubgraph* subgraph);
LiteModelInts lite_subgraph_variables(const LiteSubgraph* subgraph);

int lite_subgraph_tensor_count(const LiteSubgraph* subgraph);
// NULL when there is no such tensor. The address holds until kernels have added a great many temporaries.
TfLiteTensor* lite_subgraph_tensor(const LiteSubgraph* subgraph, int index);
// The index of a tensor of this subgraph, -1 for other pointers.
int lite_subgraph_tensor_index(const LiteSubgraph* subgraph, const TfLiteTensor* tensor);

// Resizes a graph input. Unless its dimensions stay the same the graph must be allocated again before the
// next invoke.
TfLiteStatus lite_subgraph_resize_input(LiteSubgraph* subgraph, int tensor, const int* dims, int rank);
// The same, but only dimensions that the model's signature leaves open (-1) may change.
TfLiteStatus lite_subgraph_resize_input_strict(LiteSubgraph* subgraph, int tensor, const int* dims, int rank);

// Prepares all nodes and gives all tensors memory. Does nothing when nothing changed since the last time
// (with dynamic inputs, as strings are, it always prepares). Sets variables to zero when it does something.
// A delegate kernel that fails to prepare is undone, with a message, and the CPU takes its nodes.
TfLiteStatus lite_subgraph_allocate(LiteSubgraph* subgraph);

// Runs the plan. kTfLiteCancelled after lite_interpreter_cancel, else a failure is kTfLiteError whatever the
// kernel gave. A delegate kernel that gives kTfLiteDelegateError is undone, with a message, and the inference
// is run again on the CPU from its start, with the variables' contents of then. With the option
// delegate_fallback any failure in the presence of delegates removes them all; the status is
// kTfLiteDelegateError where the second try succeeds.
TfLiteStatus lite_subgraph_invoke(LiteSubgraph* subgraph);

// Sets the variables to zero; those in the caller's memory are left alone. An error, when the others are
// done, for one that has no memory yet.
TfLiteStatus lite_subgraph_reset_variables(LiteSubgraph* subgraph);

// Lets a tensor live in the caller's memory until the interpreter is destroyed: from now on when that is
// large enough for the tensor's present size, else from the next allocation on. `flags`:
// TfLiteCustomAllocationFlags.
TfLiteStatus lite_subgraph_set_custom_allocation(LiteSubgraph* subgraph, int tensor,
                                                 const TfLiteCustomAllocation* allocation, int64_t flags);

// Copies a tensor's contents from its delegate's buffer, where that is newer.
TfLiteStatus lite_subgraph_make_readable(LiteSubgraph* subgraph, int tensor);
TfLiteStatus lite_subgraph_set_buffer_handle(LiteSubgraph* subgraph, int tensor, TfLiteBufferHandle handle,
                                             TfLiteDelegate* delegate);

// Delegates applied to the interpreter later or again are not applied to this subgraph.
void lite_subgraph_skip_delegation(LiteSubgraph* subgraph);

// Nodes: 0 .. model's operator count - 1 are the model's, further ones are delegate kernels.
int lite_subgraph_node_count(const LiteSubgraph* subgraph);

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

// Node indices in the order of execution.
LiteModelInts lite_subgraph_plan(const LiteSubgraph* subgraph);

// Bytes of the arenas and of the buffers of inputs and variables.
size_t lite_subgraph_memory(const LiteSubgraph* subgraph);
// Where a tensor is, and when it is in use; false when there is no such tensor.
bool lite_subgraph_tensor_memory(const LiteSubgraph* subgraph, int tensor, OcliteTensorMemory* result);
// 0 when there is no such arena.
size_t lite_subgraph_arena_bytes(const LiteSubgraph* subgraph, int arena);

#endif
