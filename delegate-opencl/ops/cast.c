// SPDX-License-Identifier: Apache-2.0
// CAST: elements of one type as those of another.
#include "kernels-cl/args/cast.h"
#include "core/semantics/quant.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/convert.h"
#include "delegate-opencl/ops/common/tensor.h"

static bool is_real(TfLiteType type) {
    return lite_cl_is_float(type) || type == kTfLiteComplex64;
}

#define PACKED_TYPES (LITE_TYPE(Int4) | LITE_TYPE(UInt4) | LITE_TYPE(Int2))
#define CAST_TYPES                                                                                           \
    (LITE_TYPES_INTEGER | LITE_TYPES_FLOAT | LITE_TYPE(Bool) | LITE_TYPE(UInt16) | LITE_TYPE(UInt32) |       \
     LITE_TYPE(BFloat16) | LITE_TYPE(Complex64))

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    *output = node->inputs[0]->shape;
    const TfLiteType from = node->inputs[0]->type, to = node->outputs[0]->type;
    if ((PACKED_TYPES >> from & 1u) != 0 && to != kTfLiteFloat32)
        return lite_cl_refuse(reason, "no kernel from %s to %s", TfLiteTypeGetName(from),
                              TfLiteTypeGetName(to));
    return (CAST_TYPES >> to & 1u) != 0 ||
           lite_cl_refuse(reason, "no kernel to type %s", TfLiteTypeGetName(to));
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    const TfLiteType from = node->inputs[0]->type, to = node->outputs[0]->type;
    LiteClCastArgs args = {0};
    if (from == kTfLiteComplex64 && to == from) { // kernels see the real part of a complex number only
        return lite_cl_cast_storage(plan, lite_shape_elements(&node->inputs[0]->shape), kTfLiteInt64,
                                    lite_cl_plan_tensor(plan, node->inputs[0]), kTfLiteInt64,
                                    lite_cl_plan_tensor(plan, node->outputs[0]));
    }
    return lite_cl_convert(plan, node,
                           to == kTfLiteBool               ? "TRUTH"
                           : is_real(from) && !is_real(to) ? "SATURATED"
                                                           : "PLAIN",
                           NULL, &args);
}

const LiteClOp lite_cl_op_CAST = {.min_inputs = 1,
                                  .max_inputs = 1,
                                  .outputs = ".",
                                  .types = CAST_TYPES | PACKED_TYPES,
                                  .infer = infer,
                                  .lower = lower};
