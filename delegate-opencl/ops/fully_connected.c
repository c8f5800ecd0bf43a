// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/quant.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/tensor.h"
#include "delegate-opencl/ops/conv/gemm.h"
#include "delegate-opencl/ops/conv/hybrid.h"
#include "delegate-opencl/ops/conv/params.h"
#include "delegate-opencl/ops/conv/quantization.h"
#include "delegate-opencl/ops/conv/tail.h"
#include "delegate-opencl/ops/conv/two_products.h"
#include "delegate-opencl/ops/fully_connected/blockwise.h"
#include "delegate-opencl/ops/fully_connected/shuffled.h"

static bool check_types(const LiteClNode* node, LiteClReason* reason) {
    const TfLiteType input = node->inputs[0]->type, weights = node->inputs[1]->type;
    const TfLiteType output = node->outputs[0]->type;
    const unsigned packed = LITE_TYPE(Int4) | LITE_TYPE(Int2), words = LITE_TYPE(Int16);
    if (!lite_cl_check_weight_type(node, 0, LITE_TYPES_BYTE | packed,
                                   LITE_TYPE(Int8) | packed | (input == kTfLiteInt16 ? words : 0u), reason)) {
        return false;
    }
    const bool widens = lite_cl_is_byte(input) && output == kTfLiteInt16 && lite_cl_is_byte(weights);
    return output == input || widens ||
           lite_cl_refuse(reason, "no kernel for an output of type %s", TfLiteTypeGetName(output));
}

static bool has_blocks(const LiteClNode* node) {
    return node->inputs[1]->blocks.size != 0;
}

static bool is_shuffled(const LiteClNode* node) {
    const TfLiteFullyConnectedParams* params = node->params;
    return params->weights_format != kTfLiteFullyConnectedWeightsFormatDefault;
}

// What the forms of weights ask for.
static bool check_form(const LiteClNode* node, int units, LiteClReason* reason) {
    if (has_blocks(node)) return lite_cl_blockwise_check(node, reason);
    return (!is_shuffled(node) || lite_cl_shuffled_check(node, reason)) &&
           lite_cl_check_conv_quantization(node->inputs[0], node->inputs[1], lite_cl_input(node, 2),
                                           node->outputs[0], units, reason);
}

static bool infer(const LiteClNode* node, LiteShape* outputs, LiteClReason* reason) {
    const TfLiteFullyConnectedParams* params = node->params;
    const LiteShape* input = &node->inputs[0]->shape;
    const LiteClTensor* filter = node->inputs[1];
    if (node->output_count != (is_shuffled(node) ? 2 : 1))
        return lite_cl_refuse(reason, "%d outputs", node->output_count);
    if (!check_types(node, reason)) return false;
    if (filter->shape.rank != 2)
        return lite_cl_refuse(reason, "weights of %d dimensions", filter->shape.rank);
    const int units = filter->shape.dims[0], depth = filter->shape.dims[1];
    const int64_t elements = lite_shape_elements(input);
    if (units < 1 || depth < 1 || elements % depth != 0) {
        return lite_cl_refuse(reason, "%lld elements by weights of %d x %d", (long long)elements, units,
                              depth);
    }
    float low, high;
    if (!lite_cl_activation(params->activation, &low, &high, reason)) return false;
    if (!lite_cl_check_bias(node, 2, units, reason) || !check_form(node, units, reason)) return false;
    if (params->keep_num_dims) {
        if (input->rank < 1 || input->dims[input->rank - 1] != depth) {
            return lite_cl_refuse(reason, "the last dimension is not the weights' %d", depth);
        }
        outputs[0] = *input;
        outputs[0].dims[input->rank - 1] = units;
    } else {
        outputs[0] = (LiteShape){2, {(int32_t)(elements / depth), units}};
    }
    if (is_shuffled(node)) outputs[1] = node->outputs[1]->shape; // as the model has it
    return true;
}

static LiteClGemm make_gemm(const LiteClNode* node) {
    const TfLiteFullyConnectedParams* params = node->params;
    const int32_t* filter = node->inputs[1]->shape.dims;
    const int rows = (int)(lite_shape_elements(&node->inputs[0]->shape) / filter[1]);
    LiteClGemm gemm = {.groups = 1,
                       .filter = node->inputs[1],
                       .bias = lite_cl_input(node, 2),
                       .activation = params->activation,
                       .args = lite_cl_gemm_matmul_args(rows, filter[1], filter[0]),
                       .asymmetric = params->asymmetric_quantize_inputs,
                       .once = true};
    if (lite_cl_is_hybrid(node->inputs[0], node->inputs[1])) {
        // Each row has a scale, as an image has.
        gemm.args.images = rows;
        gemm.args.in_w = gemm.args.out_w = 1;
    }
    return gemm;
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    const TfLiteFullyConnectedParams* params = node->params;
    if (has_blocks(node)) return lite_cl_blockwise_lower(plan, node, params->activation);
    if (is_shuffled(node)) return lite_cl_shuffled_lower(plan, node, params->activation);
    const LiteClGemm gemm = make_gemm(node);
    return lite_cl_gemm_lower(plan, node, &gemm);
}

static TfLiteStatus join(LiteClPlan* plan, const LiteClNode* node, const LiteClFollowers* followers,
                         int* joined) {
    if (has_blocks(node) || is_shuffled(node)) return kTfLiteOk;
    if (LITE_CL_HAS_GATES) LITE_TRY(lite_cl_join_products(plan, node, followers, joined));
    if (*joined > 0) return kTfLiteOk;
    const LiteClGemm gemm = make_gemm(node);
    return lite_cl_gemm_join(plan, node, &gemm, followers, joined);
}

const LiteClOp lite_cl_op_FULLY_CONNECTED = {
    .rounds = kLiteClRoundsFilter,
    .params_size = LITE_CL_PARAMS_UP_TO(TfLiteFullyConnectedParams, asymmetric_quantize_inputs),
    .bias_type = offsetof(TfLiteFullyConnectedParams, quantized_bias_type),
    .bias_type_version = 11,
    .min_inputs = 2,
    .max_inputs = 3,
    .max_outputs = 2,
    .inputs = "Tw.",
    .outputs = ".",
    .sparse = LITE_CL_INPUTS(1, 1),
    .types = LITE_TYPE(Float32) | LITE_TYPES_BYTE | LITE_TYPE(Int16),
    .float16 = true,
    .infer = infer,
    .lower = lower,
    .join = join,
};
