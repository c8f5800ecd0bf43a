// SPDX-License-Identifier: Apache-2.0
// Parameters that are not constant: sizes, axes, permutations, paddings that nodes compute or programs give.
//
// Operators need the contents of their parameters on the host (the letters p, P and V of LiteClOp). They are
// known there when they are constants, when they follow from shapes and other known numbers through the few
// operators that are folded here, or when they are inputs of the partition: those are read when it runs. What
// a kernel of the same partition computes is never known, so nodes that compute parameters and are not folded
// are left to the host.
#ifndef DELEGATE_OPENCL_FOLD_H_
#define DELEGATE_OPENCL_FOLD_H_

#include "delegate-opencl/graph.h"

enum { LITE_CL_MOST_KNOWN = 64 }; // elements; more numbers are hardly parameters

// Could the contents be known on the host if they are in its memory?
bool lite_cl_fold_fits(const LiteClTensor* tensor);

// Are the node's outputs known when its inputs are? (Of SHAPE and RANK: when their shapes are.)
bool lite_cl_fold_can(const LiteClNode* node);
// Could they be known when the graph runs?
bool lite_cl_fold_readable(const LiteClNode* node);

// Computes the contents of the outputs, whose shapes are set, as far as the inputs are known.
TfLiteStatus lite_cl_fold(LiteClGraph* graph, const LiteClNode* node, const LiteReporter* reporter);

// If the node dequantizes a constant of FLOAT16, or makes a sparse one dense, as models keep weights, then
// its output is a constant too, which kernels can pack.
TfLiteStatus lite_cl_fold_weights(LiteClGraph* graph, const LiteClNode* node, const LiteReporter* reporter);
// Will it be one in every partition? So it is of what is dequantized.
bool lite_cl_fold_widens(const LiteClNode* node);

// Makes inputs of the graph, a part of `whole` (NULL: unknown), constants where a node elsewhere dequantizes
// them so; `inputs` are the indices of their tensors.
TfLiteStatus lite_cl_fold_inputs(LiteClGraph* graph, const LiteClGraph* whole, const TfLiteIntArray* inputs,
                                 const LiteReporter* reporter);

// Gives sparse constants their dense form where nodes take such (LiteClOp.sparse).
TfLiteStatus lite_cl_fold_sparse(LiteClGraph* graph, const LiteReporter* reporter);

// Makes a copy of `data` what is known of the tensor.
TfLiteStatus lite_cl_fold_keep(LiteClGraph* graph, LiteClTensor* tensor, const void* data,
                               const LiteReporter* reporter);

// Which tensors of the graph have to be known: parameters, and what they are folded from.
void lite_cl_fold_ask(const LiteClGraph* graph);

#endif
