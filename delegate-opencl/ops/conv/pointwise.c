// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/conv/pointwise.h"

#include <string.h>

#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/conv/gemm.h"

// [columns][depth] of the weights; false: the node is another.
static bool read_convolution(const LiteClNode* node, LiteClGemm* product) {
    const int32_t *in = node->inputs[0]->shape.dims, *filter = node->inputs[1]->shape.dims;
    const int32_t* out = node->outputs[0]->shape.dims;
    product->activation = ((const TfLiteConvParams*)node->params)->activation;
    product->args.group_out = filter[0];
    product->args.group_in = filter[3];
    return filter[1] == 1 && filter[2] == 1 && filter[3] == in[3] && in[1] == out[1] && in[2] == out[2];
}

static bool read_product(const LiteClNode* node, LiteClGemm* product) {
    const TfLiteFullyConnectedParams* params = node->params;
    product->activation = params->activation;
    product->args.group_out = node->inputs[1]->shape.dims[0];
    product->args.group_in = node->inputs[1]->shape.dims[1];
    return params->weights_format == kTfLiteFullyConnectedWeightsFormatDefault;
}

bool lite_cl_as_product(const LiteClNode* node, LiteClGemm* product) {
    const bool is_convolution = strcmp(node->name, "CONV_2D") == 0;
    if (!is_convolution && strcmp(node->name, "FULLY_CONNECTED") != 0) return false;
    *product =
        (LiteClGemm){.groups = 1, .filter = node->inputs[1], .bias = lite_cl_input(node, 2), .owner = node};
    // Weights of other types would be those of bytes, or scaled ones.
    if (node->inputs[0]->type != kTfLiteFloat32 || product->filter->type != kTfLiteFloat32 ||
        lite_cl_gemm_is_direct(node, product) ||
        !(is_convolution ? read_convolution : read_product)(node, product))
        return false;
    const int depth = product->args.group_in;
    if (depth < 1) return false;
    const int64_t rows = lite_shape_elements(&node->inputs[0]->shape) / depth;
    product->args = lite_cl_gemm_matmul_args((int)rows, depth, product->args.group_out);
    return true;
}
