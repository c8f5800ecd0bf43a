// SPDX-License-Identifier: Apache-2.0
// Nodes that multiply each pixel, or row, by itself.
#ifndef DELEGATE_OPENCL_OPS_CONV_POINTWISE_H_
#define DELEGATE_OPENCL_OPS_CONV_POINTWISE_H_

#include "delegate-opencl/ops/conv/product.h"

// A CONV_2D whose outputs see the one pixel of their place, or a FULLY_CONNECTED, as a product of as many
// rows; the node owns the constants. False where it is none, or none of floats by constants.
bool lite_cl_as_product(const LiteClNode* node, LiteClGemm* product);

#endif
