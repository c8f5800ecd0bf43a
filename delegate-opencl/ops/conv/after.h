// SPDX-License-Identifier: Apache-2.0
// Nodes whose work a convolution of floats does where it stores its output.
#ifndef DELEGATE_OPENCL_OPS_CONV_AFTER_H_
#define DELEGATE_OPENCL_OPS_CONV_AFTER_H_

#include "delegate-opencl/graph/graph.h"
#include "kernels-cl/args/conv.h"

// Is `next`, which alone reads the convolution's output, such a node: HARD_SWISH, or MUL by a constant of one
// element? Then it becomes `after`.
bool lite_cl_find_after(const LiteClNode* node, const LiteClNode* next, LiteClAfter* after);

#endif
