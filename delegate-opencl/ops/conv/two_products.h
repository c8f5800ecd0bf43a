// SPDX-License-Identifier: Apache-2.0
// Two small products, one behind the other, in one launch (kernels-cl/two_products.cl), such as make the gate
// of a squeeze-and-excite block.
#ifndef DELEGATE_OPENCL_OPS_CONV_TWO_PRODUCTS_H_
#define DELEGATE_OPENCL_OPS_CONV_TWO_PRODUCTS_H_

#include "delegate-opencl/graph/followers.h"
#include "delegate-opencl/plan/plan.h"

// Lowers a CONV_2D or FULLY_CONNECTED with the next one and the elementwise nodes behind either. *joined:
// with how many followers; 0: they are better, or have to be, lowered by themselves.
TfLiteStatus lite_cl_join_products(LiteClPlan* plan, const LiteClNode* node, const LiteClFollowers* followers,
                                   int* joined);
// The same behind a node that gives the means of all dimensions of its input but the first and the last.
TfLiteStatus lite_cl_join_mean_products(LiteClPlan* plan, const LiteClNode* mean,
                                        const LiteClFollowers* followers, int* joined);

#endif
