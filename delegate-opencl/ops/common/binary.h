// SPDX-License-Identifier: Apache-2.0
// What operators of two tensors share: each is a line of core/elementwise.def, as kernels-cl/binary.cl
// computes it.
#ifndef DELEGATE_OPENCL_OPS_COMMON_BINARY_H_
#define DELEGATE_OPENCL_OPS_COMMON_BINARY_H_

#include "core/semantics/elementwise.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/plan/plan.h"

// The lines; an operator has its own as LiteClOp.variant.
typedef enum LiteClLine {
#define BINARY(NAME, PLAIN, QUANTIZED, TRAITS, COST, REAL, INTEGER) kLiteClLine##NAME,
#define BINARY_LIKE(NAME, FORMULA, PLAIN, TRAITS, COST) kLiteClLine##NAME,
#define BITWISE(NAME, PLAIN, TRAITS, INTEGER) kLiteClLine##NAME,
#define COMPARE(NAME, PLAIN, QUANTIZED, RESULT) kLiteClLine##NAME,
#include "core/elementwise.def"
    kLiteClLineCount,
} LiteClLine;

// The formula of a line for elements of `type`; NULL: there is none.
const char* lite_cl_binary_formula(LiteClLine line, TfLiteType type);

// Methods of the operators.
bool lite_cl_binary_infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason);
TfLiteStatus lite_cl_binary_lower(LiteClPlan* plan, const LiteClNode* node);
bool lite_cl_binary_as_formula(const LiteClNode* node, LiteClFormula* formula);

#define LITE_CL_BINARY_PARAMS(TRAITS)                                                                        \
    ((TRAITS)&kLiteTraitPOT_SCALES   ? LITE_CL_PARAMS_UP_TO(TfLiteAddParams, pot_scale_int16)                \
     : (TRAITS)&kLiteTraitACTIVATION ? LITE_CL_PARAMS_UP_TO(TfLiteMulParams, activation)                     \
                                     : 0)

// lite_cl_op_NAME of a line. OUTPUTS: see LiteClOp. JOIN_NAME may be an exception: how it is joined.
#define LITE_CL_BINARY_OP(NAME, TYPES, TRAITS, OUTPUTS, INFER)                                               \
    const LiteClOp lite_cl_op_##NAME = {.params_size = LITE_CL_BINARY_PARAMS(TRAITS),                        \
                                        .min_inputs = 2,                                                     \
                                        .max_inputs = 2,                                                     \
                                        .outputs = (OUTPUTS),                                                \
                                        .types = (TYPES),                                                    \
                                        .float16 = true,                                                     \
                                        .keeps_wide = ((TRAITS)&kLiteTraitSUMS) != 0,                        \
                                        .variant = kLiteClLine##NAME,                                        \
                                        .infer = (INFER),                                                    \
                                        .lower = lite_cl_binary_lower,                                       \
                                        .join = LITE_OR(JOIN_##NAME, NULL),                                  \
                                        .formula = lite_cl_binary_as_formula};

#endif
