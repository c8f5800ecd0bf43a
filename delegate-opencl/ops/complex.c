// SPDX-License-Identifier: Apache-2.0
// REAL, IMAG and COMPLEX_ABS: parts and absolute values of complex numbers.
#include "kernels-cl/args/complex.h"
#include "core/semantics/move.h"
#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/move.h"

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    const TfLiteType part = lite_cl_element_type(node) == kTfLiteComplex64 ? kTfLiteFloat32 : kTfLiteFloat64;
    *output = node->inputs[0]->shape;
    return node->outputs[0]->type == part || lite_cl_refuse(reason, "the output is no part of the input");
}

// `variant` is the part's place in the number.
static TfLiteStatus part_lower(LiteClPlan* plan, const LiteClNode* node) {
    LiteMove move = {0};
    lite_move_add(&move, lite_shape_elements(&node->outputs[0]->shape), 2, 1);
    return lite_cl_move_tensor(plan, &move, node->inputs[0], node->op->variant, node->outputs[0], 0);
}

static TfLiteStatus abs_lower(LiteClPlan* plan, const LiteClNode* node) {
    const LiteClComplexArgs args = {.count = (int)lite_shape_elements(&node->outputs[0]->shape),
                                    .chunk = lite_cl_tune(plan->device->class)->chunk};
    const LiteClLaunch launch = {.family = &lite_cl_source_complex,
                                 .kernel = "complex_abs",
                                 .prelude = "",
                                 .args = &args,
                                 .args_size = sizeof args,
                                 .items = {lite_cl_chunks(args.count, args.chunk), 1, 1}};
    return lite_cl_launch_unary(plan, node, &launch);
}

#define COMPLEX_OP(NAME, part, element_types, lowering)                                                      \
    const LiteClOp lite_cl_op_##NAME = {.min_inputs = 1,                                                     \
                                        .max_inputs = 1,                                                     \
                                        .outputs = ".",                                                      \
                                        .types = (element_types),                                            \
                                        .variant = (part),                                                   \
                                        .infer = infer,                                                      \
                                        .lower = (lowering)};
COMPLEX_OP(REAL, 0, LITE_TYPE(Complex64) | LITE_TYPE(Complex128), part_lower)
COMPLEX_OP(IMAG, 1, LITE_TYPE(Complex64) | LITE_TYPE(Complex128), part_lower)
COMPLEX_OP(COMPLEX_ABS, 0, LITE_TYPE(Complex64), abs_lower)
