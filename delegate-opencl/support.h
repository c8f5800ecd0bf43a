// SPDX-License-Identifier: Apache-2.0
// Which nodes OpenCL can run, and why not the others.
#ifndef DELEGATE_OPENCL_SUPPORT_H_
#define DELEGATE_OPENCL_SUPPORT_H_

#include <stdbool.h>

#include "delegate-opencl/graph.h"
#include "delegate-opencl/plan.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/c/builtin_op_data.h"

// A refusal in words, for the user.
typedef struct LiteClReason {
    char text[200];
} LiteClReason;

// Writes the reason and returns false, which the macro lets analyzers see.
bool lite_cl_refuse(LiteClReason* reason, const char* format, ...) LITE_PRINTF(2, 3);
#define lite_cl_refuse(...) (lite_cl_refuse(__VA_ARGS__) && false)

// A reporter that writes to the reason, for what is shared with others.
LiteReporter lite_cl_reason_reporter(LiteClReason* reason);

// Sets of element types, as bits.
#define LITE_CL_TYPE(Name) (1u << kTfLite##Name)
#define LITE_CL_FLOATS (LITE_CL_TYPE(Float32) | LITE_CL_TYPE(Float16))
#define LITE_CL_BYTES (LITE_CL_TYPE(Int8) | LITE_CL_TYPE(UInt8))
#define LITE_CL_INTS (LITE_CL_BYTES | LITE_CL_TYPE(Int16) | LITE_CL_TYPE(Int32) | LITE_CL_TYPE(Int64))
// All whose elements are whole bytes, but COMPLEX128, which few operators take: for those that only move
// them.
#define LITE_CL_ANY                                                                                          \
    (LITE_CL_FLOATS | LITE_CL_INTS | LITE_CL_TYPE(BFloat16) | LITE_CL_TYPE(Float64) | LITE_CL_TYPE(UInt16) | \
     LITE_CL_TYPE(UInt32) | LITE_CL_TYPE(UInt64) | LITE_CL_TYPE(Bool) | LITE_CL_TYPE(Complex64))

enum { LITE_CL_MANY = INT32_MAX };

// A set of inputs, as bits: `count` of them from `first` on.
#define LITE_CL_INPUTS(first, count) (((UINT64_C(1) << (count)) - 1) << (first))

// One element of an operator's result as a formula of floats, for chain.h.
enum { LITE_CL_FORMULA = 1024, LITE_CL_FORMULA_OPTIONS = 16 };
typedef struct LiteClFormula {
    const char* parameters; // "a, b": names of the inputs' elements, then of the options, in the text; "":
                            // "x0, x1, …, o0, …"
    char text[LITE_CL_FORMULA];
    int option_count;
    float options[LITE_CL_FORMULA_OPTIONS];
    bool limited; // the result is clamped
    float low, high;
    bool is_own; // of the program's own
} LiteClFormula;

// One operator of OpenCL: `const LiteClOp lite_cl_op_NAME` in ops/<family>.c, listed by core/ops.def.
//
// `inputs` and `outputs` say which types the tensors have, a letter each; the last letter is that of all
// further tensors too:
//   T  the operator's element type: one of `types`, the same for all
//   f  FLOAT32        b  BOOL
//   i  INT32          I  INT32 or INT64
//   s  INT16 or INT32 n  INT16, INT32 or INT64
//   w  weights: FLOAT32, INT16 or smaller integers, of which the operator checks which goes with T
//   .  any type: the operator checks it
//   p, P, S, V  as i, I, s and T, and a parameter: its contents are needed on the host (fold.h)
//   N  a parameter of INT8, INT16, INT32 or INT64
//   v  the same, of an input that the operator may write as well: a variable
typedef struct LiteClOp {
    size_t params_size; // bytes of builtin parameters that are used; 0: needs none
    size_t body; // where among them a subgraph's number is that the operator applies to numbers; 0: nowhere
    size_t bias_type;      // where behind them a bias's type is declared, 0: nowhere; hosts have it that know
    int bias_type_version; // this version of the operator
    bool optional_params;  // the node may be without
    int min_inputs;
    int max_inputs;
    int max_outputs;         // 0: one; else 1 to so many, which the operator checks
    const char* inputs;      // NULL: "T"
    const char* outputs;     // NULL: "T"
    uint64_t sparse;         // LITE_CL_INPUTS whose constants may be sparse
    unsigned types;          // 0: FLOAT32
    bool doubles;            // computes in double precision, which not every device has
    bool half;               // FLOAT32 may also be stored as FLOAT16, see precision.h
    bool wide;               // its results are often beyond FLOAT16, and never stored so
    bool keeps_wide;         // … when one of its inputs is such a result
    int variant;             // for families whose operators share functions
    const char* definitions; // #define lines of its kernel's prelude, NULL: none of its own
    // Refuses what no shapes and parameters could mend; NULL: nothing. Called as infer is, but also when
    // these are not known yet.
    bool (*check)(const LiteClNode* node, LiteClReason* reason);
    // Can this node run with these shapes? Fills in the shapes of its outputs. Called with checked counts,
    // types and parameters.
    bool (*infer)(const LiteClNode* node, LiteShape* outputs, LiteClReason* reason);
    // Adds the node's launches to the plan. Called when infer agreed and the outputs have their shapes.
    TfLiteStatus (*lower)(LiteClPlan* plan, const LiteClNode* node);
    // Lowers the node together with the next one, which alone reads its output; *joined stays false where
    // they are better, or only, lowered one by one. NULL: always. Not called for FLOAT16.
    TfLiteStatus (*join)(LiteClPlan* plan, const LiteClNode* node, const LiteClNode* next, bool* joined);
    // The node as a formula, whose inputs are of the output's shape or of one element; false where it is
    // none. NULL: it never is.
    bool (*formula)(const LiteClNode* node, LiteClFormula* formula);
} LiteClOp;

// For params_size: everything up to and including `field`. Hosts of other versions may have shorter structs.
#define LITE_CL_PARAMS_UP_TO(type, field) (offsetof(type, field) + sizeof(((type*)0)->field))

typedef struct LiteClLookup {
    const LiteClOp* op;
    const char* name;    // of a builtin operator
    const char* refusal; // why there is no op
} LiteClLookup;

// The form of a builtin operator by its name; NULL without one.
const LiteClOp* lite_cl_op_named(const char* name);

// Looks up an operator by the fields of its registration.
void lite_cl_op_find(int builtin_code, const char* custom_name, int version, LiteClLookup* lookup);

// Everything that decides whether OpenCL can run the node: operator, counts, types, parameters, shapes. When
// it can, its outputs have got the shapes that it will give them; while it awaits a parameter, they keep what
// they have.
bool lite_cl_node_check(const LiteClNode* node, LiteClReason* reason);

// Is input `index` a parameter: one whose contents are needed on the host?
bool lite_cl_is_parameter(const LiteClNode* node, int index);
// Does the node have a parameter whose contents are not known yet, but will be?
bool lite_cl_awaits(const LiteClNode* node);

// The type that stands for T in the operator's signature.
TfLiteType lite_cl_element_type(const LiteClNode* node);

// May input `index` be a sparse constant? The node sees its dense form when it is lowered.
bool lite_cl_expands_input(const LiteClNode* node, int index);

// May the node write input `index` as well?
bool lite_cl_keeps_input(const LiteClNode* node, int index);

// Is input `index` a T or w of the operator's signature?
bool lite_cl_input_is_element(const LiteClNode* node, int index);

// Input `index`, NULL when absent.
const LiteClTensor* lite_cl_input(const LiteClNode* node, int index);

// Is it of one of the types that a parameter of integers may have: INT8, INT16, INT32 or INT64?
bool lite_cl_is_integer(const LiteClTensor* tensor);

// Contents of a constant vector of such integers; false with a reason for anything else. At most
// LITE_MAX_RANK * 2 values.
typedef struct LiteClInts {
    int count;
    int64_t values[LITE_MAX_RANK * 2];
} LiteClInts;
bool lite_cl_constant_ints(const LiteClNode* node, int index, LiteClInts* ints, LiteClReason* reason);

// Element `index` of a constant of such a type.
int64_t lite_cl_int_at(const LiteClTensor* tensor, int index);

// The range of a fused activation; false with a reason when it is not a range (TANH, SIGN_BIT, SIGMOID).
bool lite_cl_activation(TfLiteFusedActivation activation, float* low, float* high, LiteClReason* reason);

#endif
