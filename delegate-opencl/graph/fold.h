// SPDX-License-Identifier: Apache-2.0
// Knows contents of tensors on the host: parameters that are not constant, such as sizes, axes, permutations
// and paddings that other nodes compute or programs give.
//
// Operators need the contents of their parameters on the host (the letters p, P, S, V and N of LiteClOp). The
// host knows them in three cases: they are constants; or they follow from shapes and other known numbers,
// through the few operators that are folded here; or they are inputs of the partition, which are read when it
// runs. The host never knows what a kernel of the same partition computes. So nodes that compute parameters
// and cannot be folded are left to the host.
#ifndef DELEGATE_OPENCL_GRAPH_FOLD_H_
#define DELEGATE_OPENCL_GRAPH_FOLD_H_

#include "delegate-opencl/graph/graph.h"

enum { LITE_CL_MAX_KNOWN = 64 }; // elements; larger tensors are hardly parameters

// Is the tensor of a type and size whose contents can be known on the host?
bool lite_cl_fold_fits(const LiteClTensor* tensor);

// Can the node be folded: are its outputs known when its inputs are? (Those of SHAPE and RANK are known when
// the shapes are.)
bool lite_cl_fold_can(const LiteClNode* node);
// Can the node be folded when the graph runs?
bool lite_cl_fold_readable(const LiteClNode* node);

// Computes the contents of the outputs, whose shapes are set, if the inputs are known.
TfLiteStatus lite_cl_fold(LiteClGraph* graph, const LiteClNode* node, const LiteReporter* reporter);

// Models may keep weights as FLOAT16 constants, or sparse. If the node dequantizes or expands such a
// constant, its output becomes a constant too, which kernels can pack.
TfLiteStatus lite_cl_fold_weights(LiteClGraph* graph, const LiteClNode* node, const LiteReporter* reporter);
// Will the output be a constant in every partition? It will when the node dequantizes one.
bool lite_cl_fold_widens(const LiteClNode* node);

// Makes inputs of the graph constants where a node outside it dequantizes a constant into them. The graph is
// a part of `whole` (NULL: unknown); `inputs` are the indices of its input tensors.
TfLiteStatus lite_cl_fold_inputs(LiteClGraph* graph, const LiteClGraph* whole, const TfLiteIntArray* inputs,
                                 const LiteReporter* reporter);

// Expands sparse constants that nodes take (LiteClOp.sparse).
TfLiteStatus lite_cl_fold_sparse(LiteClGraph* graph, const LiteReporter* reporter);

// Copies `data` as the known contents of the tensor.
TfLiteStatus lite_cl_fold_keep(LiteClGraph* graph, LiteClTensor* tensor, const void* data,
                               const LiteReporter* reporter);

// Marks the tensors whose contents have to be known: parameters, and what they are folded from.
void lite_cl_fold_ask(const LiteClGraph* graph);

// Has the host computed the node's output, so that no kernel need compute it?
bool lite_cl_is_folded(const LiteClNode* node);

#endif
