// SPDX-License-Identifier: Apache-2.0
// Arithmetic on two tensors, with broadcasting: the BINARY lines of core/elementwise.def.
#include "delegate-opencl/ops/common/binary.h"
#include "delegate-opencl/ops/conv/gate.h"
#include "delegate-opencl/ops/conv/product.h"

// The slope of a negative element; broadcasts towards the input only.
static bool infer_prelu(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    if (!lite_cl_binary_infer(node, output, reason)) return false;
    if (!lite_shape_equal(output, &node->inputs[0]->shape)) {
        return lite_cl_refuse(reason, "the slopes do not broadcast to the input's shape");
    }
    return true;
}

#define INFER_PRELU , infer_prelu
#define JOIN_MUL , LITE_CL_HAS_GATES ? lite_cl_join_gated : NULL

#define CPU_ONLY(TYPES) 0
#define BINARY(NAME, PLAIN, QUANTIZED, TRAITS, COST, REAL, INTEGER)                                          \
    LITE_CL_BINARY_OP(NAME, (PLAIN) | (QUANTIZED), TRAITS, (TRAITS)&kLiteTraitNARROWS ? "." : "T",           \
                      LITE_OR(INFER_##NAME, lite_cl_binary_infer))
#define BINARY_LIKE(NAME, FORMULA, PLAIN, TRAITS, COST)                                                      \
    LITE_CL_BINARY_OP(NAME, PLAIN, TRAITS, "T", lite_cl_binary_infer)
#include "core/elementwise.def"
