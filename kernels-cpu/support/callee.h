// SPDX-License-Identifier: Apache-2.0
// Calls of other subgraphs, for operators of control flow: arguments and results are copied.
#ifndef KERNELS_CPU_SUPPORT_CALLEE_H_
#define KERNELS_CPU_SUPPORT_CALLEE_H_

#include "kernels-cpu/support/kernel.h"

// A subgraph that a node runs.
typedef struct LiteCallee {
    TfLiteOpaqueContext* context;
    const int* inputs;
    int input_count;
    const int* outputs;
    int output_count;
} LiteCallee;

// Tensors passed between graphs: `indices` in `context`.
typedef struct LiteTensors {
    TfLiteOpaqueContext* context;
    const int* indices;
    int count;
    const LiteCallee* loop; // they were passed before: what is an input and at the same place an output of
                            // this one is not copied again; NULL: all are
} LiteTensors;

// Finds subgraph `index`, which must have so many inputs and outputs.
TfLiteStatus lite_callee_find(TfLiteOpaqueContext* context, const char* op, int index, int inputs,
                              int outputs, LiteCallee* callee);

LiteTensors lite_callee_inputs(const LiteCallee* callee);
LiteTensors lite_callee_outputs(const LiteCallee* callee);
// The node's inputs from `first` on, and its outputs.
LiteTensors lite_callee_node_inputs(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, int first);
LiteTensors lite_callee_node_outputs(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node);

// Tensor `i` of them; NULL when it is absent.
TfLiteTensor* lite_callee_tensor(LiteTensors tensors, int i);

// Each tensor of `from` and its partner in `to` are there and of one type, or an error. But a subgraph may
// list -1 for an input that it does not use: nothing is passed to it, here and below.
TfLiteStatus lite_callee_check_pairs(TfLiteOpaqueContext* context, const char* op, LiteTensors from,
                                     LiteTensors to);

// Copies contents, of one type. Dynamic targets take the size of the source.
TfLiteStatus lite_callee_copy(const char* op, LiteTensors from, LiteTensors to);

// Gives the callee's inputs the types and shapes of `from` and prepares it. Unless the shapes are known then,
// types of its outputs may still be others than when it has run.
TfLiteStatus lite_callee_shape(const char* op, const LiteCallee* callee, LiteTensors from,
                               bool* shapes_known);

// Runs the callee with these arguments.
TfLiteStatus lite_callee_call(const char* op, const LiteCallee* callee, LiteTensors arguments);

// The node's outputs get the shapes of the callee's or, if these are not `known` yet, are sized in invoke.
TfLiteStatus lite_callee_size_outputs(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node,
                                      const LiteCallee* callee, bool known);

#endif
