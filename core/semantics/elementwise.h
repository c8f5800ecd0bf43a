// SPDX-License-Identifier: Apache-2.0
// The lines of core/elementwise.def as numbers, for CPU and OpenCL alike.
#ifndef CORE_SEMANTICS_ELEMENTWISE_H_
#define CORE_SEMANTICS_ELEMENTWISE_H_

#include "core/base/types.h"
#include "core/semantics/unary_quantized.h"

typedef enum LiteUnary {
#define UNARY(NAME, PLAIN, QUANTIZED, COST, REAL, INTEGER) kLiteUnary##NAME,
#define UNARY_FORM(NAME, OPERATOR, PLAIN, REAL) kLiteUnary##NAME,
#include "core/elementwise.def"
    kLiteUnaryCount,
} LiteUnary;

typedef enum LiteBinary {
#define BINARY(NAME, PLAIN, QUANTIZED, TRAITS, COST, REAL, INTEGER) kLiteBinary##NAME,
#define BINARY_LIKE(NAME, FORMULA, PLAIN, TRAITS, COST) kLiteBinary##NAME,
#include "core/elementwise.def"
    kLiteBinaryCount,
} LiteBinary;

// What binary operators have beside a formula.
typedef enum LiteTrait {
    kLiteTraitACTIVATION = 1,    // the parameters begin with a fused activation,
    kLiteTraitPOT_SCALES = 2,    // and go on with pot_scale_int16
    kLiteTraitSAME_SHAPE = 4,    // the inputs are not broadcast
    kLiteTraitSWAPPED = 8,       // the formula's `a` is input 1
    kLiteTraitDIVIDES = 16,      // 0 in input 1 is an error, of integers,
    kLiteTraitDIVIDES_REAL = 32, // and of floating point types
    kLiteTraitNARROWS = 64,      // quantized INT16 may have an output of 8 bits
    kLiteTraitASYMMETRIC = 128,  // quantized INT16 may have a zero point
    kLiteTraitSUMS = 256,        // results are about as large as the inputs
    kLiteTraitANY_SIGN = 512,    // signed and unsigned elements have the same results
} LiteTrait;

// LITE_OR(EXCEPTION_##NAME, standard): `standard`, unless there is `#define EXCEPTION_ADD , other`.
#define LITE_OR(...) LITE_OR_SECOND(__VA_ARGS__, 0)
#define LITE_OR_SECOND(FIRST, SECOND, ...) SECOND

// The formula of a line for real numbers, as math.h computes it: for tables, as the reference's.
LiteFunction lite_unary_function(LiteUnary op);

#endif
