// SPDX-License-Identifier: Apache-2.0
// Which nodes OpenCL can run, and why not the others.
#ifndef DELEGATE_OPENCL_GRAPH_SUPPORT_H_
#define DELEGATE_OPENCL_GRAPH_SUPPORT_H_

#include "delegate-opencl/graph/op.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/c/builtin_op_data.h"

// Decides whether OpenCL can run the node: checks operator, counts, types, parameters and shapes. If it can,
// its outputs get the shapes that it will give them. While it awaits a parameter their shapes stay as they
// are.
bool lite_cl_node_check(const LiteClNode* node, LiteClReason* reason);

// Is input `index` a parameter: one whose contents are needed on the host?
bool lite_cl_is_parameter(const LiteClNode* node, int index);
// Does the node have a parameter whose contents are not known yet, but will be?
bool lite_cl_awaits(const LiteClNode* node);

// The type that T stands for in the operator's signature.
TfLiteType lite_cl_element_type(const LiteClNode* node);

// May input `index` be a sparse constant? When the node is lowered the constant has been expanded.
bool lite_cl_expands_input(const LiteClNode* node, int index);

// May the node write input `index` as well?
bool lite_cl_keeps_input(const LiteClNode* node, int index);

// Is input `index` a T or w of the operator's signature?
bool lite_cl_input_is_element(const LiteClNode* node, int index);

// Input `index`, NULL when absent.
const LiteClTensor* lite_cl_input(const LiteClNode* node, int index);

// Does it have a type that parameters of integers may have: INT8, INT16, INT32 or INT64?
bool lite_cl_is_integer(const LiteClTensor* tensor);

// Reads a constant vector of such integers, of at most LITE_MAX_RANK * 2 values. Returns false with a reason
// for anything else.
typedef struct LiteClInts {
    int count;
    int64_t values[LITE_MAX_RANK * 2];
} LiteClInts;
bool lite_cl_constant_ints(const LiteClNode* node, int index, LiteClInts* ints, LiteClReason* reason);

// Element `index` of a constant of such a type.
int64_t lite_cl_int_at(const LiteClTensor* tensor, int index);

// The range of a fused activation; false with a reason when the activation is no range (TANH, SIGN_BIT,
// SIGMOID).
bool lite_cl_activation(TfLiteFusedActivation activation, float* low, float* high, LiteClReason* reason);

#endif
