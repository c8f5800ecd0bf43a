// SPDX-License-Identifier: Apache-2.0
// What nodes of the convolution operators do alike: their tensors, types, quantization, and oneDNN's part in
// them.
#ifndef KERNELS_CPU_CONV_CONV_NODE_H_
#define KERNELS_CPU_CONV_CONV_NODE_H_

#include "kernels-cpu/conv/conv_border.h"
#include "kernels-cpu/conv/conv_quant.h"
#include "kernels-cpu/gemm/hybrid.h"
#include "kernels-cpu/onednn/onednn.h"

// The tensors of a node. Without a bias, has_bias is false and the bias has no data.
typedef struct LiteConvViews {
    LiteView input;
    LiteView filter;
    LiteView bias;
    LiteView output;
    bool has_bias;
} LiteConvViews;

// Fetches the tensors; the filter is input 1. `bias` is -1 where there is none.
TfLiteStatus lite_conv_views(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op, int input,
                             int bias, LiteConvViews* views);

// Types of filters that an operator takes with inputs of FLOAT32, and of INT8 or INT16. kTfLiteNoType ends
// each list. UINT8 inputs go with UINT8 filters.
typedef struct LiteConvTypes {
    const char* filter; // its name in messages
    TfLiteType with_float[5];
    TfLiteType with_int[3];
} LiteConvTypes;
TfLiteStatus lite_conv_check_types(TfLiteOpaqueContext* context, const char* op, const LiteConvTypes* types,
                                   const LiteConvViews* views);

// The state of a node that does not depend on the way in which our own kernels compute it.
typedef struct LiteConvNode {
    LiteOnednn onednn;
    LiteConvQuant quant; // integers
    LiteHybrid hybrid;
    LiteConvBorder border;        // of the input; the next prepare ends it
    bool is_hybrid;               // FLOAT32 input with a quantized filter
    const LiteEpilogue* epilogue; // FLOAT32; NULL: none since the last prepare
} LiteConvNode;

// `conv` is zero-initialised.
void lite_conv_node_init(LiteConvNode* conv);
void lite_conv_node_free(LiteConvNode* conv);

// Sets is_hybrid, and checks the quantization of integers.
TfLiteStatus lite_conv_node_prepare(TfLiteOpaqueContext* context, const char* op, LiteConvNode* conv,
                                    const LiteConvViews* views, TfLiteFusedActivation activation,
                                    int32_t channels);

// The problem for lite_onednn_prepare. Filters are [output channels, rows, columns, input channels]; the
// caller sets what is different.
LiteOnednnProblem lite_conv_node_problem(const LiteConvViews* views, const LiteConvShape* shape,
                                         TfLiteFusedActivation activation);
TfLiteStatus lite_conv_node_run_onednn(TfLiteOpaqueContext* context, const char* op, const LiteConvNode* conv,
                                       const LiteConvViews* views);

// Sets the node's temporaries: `scratch` and, for hybrid nodes, the quantized input.
TfLiteStatus lite_conv_node_temporaries(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node, const char* op,
                                        LiteConvNode* conv, const LiteView* input, int scratch);

// Quantizes the input of a hybrid node.
void lite_conv_node_quantize(TfLiteOpaqueContext* context, const LiteConvNode* conv, const LiteView* input,
                             bool asymmetric, LiteHybridInput* quantized);

#endif
