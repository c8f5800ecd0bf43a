// SPDX-License-Identifier: Apache-2.0
// An operator that OpenCL can run: which nodes it takes, and how it lowers them to launches.
#ifndef DELEGATE_OPENCL_GRAPH_OP_H_
#define DELEGATE_OPENCL_GRAPH_OP_H_

#include "core/base/types.h"
#include "delegate-opencl/graph/graph.h"
#include "delegate-opencl/graph/reason.h"

struct LiteClDevice;    // device/device.h
struct LiteClFollowers; // graph/followers.h
struct LiteClPlan;      // plan/plan.h

// All types whose elements are whole bytes, for operators that only move elements. COMPLEX128 is left out,
// because few operators take it.
#define LITE_CL_ANY (LITE_TYPES_FIXED & ~LITE_TYPE(Complex128))

enum { LITE_CL_MANY = INT32_MAX };

// A set of inputs, as bits: `count` inputs from `first` on.
#define LITE_CL_INPUTS(first, count) (((UINT64_C(1) << (count)) - 1) << (first))

// One element of an operator's result as a formula of floats, for ops/common/steps.h.
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
    // How all elements of a row along the last dimension become one: row_steps.cl has these; NULL: they do
    // not.
    const char* row;
    bool is_mean; // divided by how many there are
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
//   v  any type, of an input that the operator may write as well: a variable

// How many elements a work-item goes over, at most, when it has the least work that launches give one.
typedef enum LiteClRounds {
    kLiteClRoundsFew,    // its own
    kLiteClRoundsFilter, // those of an output channel in input 1
    kLiteClRoundsRow,    // one dimension of input 0, or what becomes one element of the output
    kLiteClRoundsPlane,  // all of a channel in input 0
    kLiteClRoundsAll,    // of all inputs
    kLiteClRoundsMany,   // these again and again
} LiteClRounds;

typedef struct LiteClOp {
    size_t params_size;    // bytes of builtin parameters that are used; 0: needs none
    size_t body;           // offset among them of a subgraph's number, which the operator applies; 0: none
    size_t bias_type;      // offset after them of the declared type of the bias; 0: none
    int bias_type_version; // from which version of the operator on hosts know of the declaration
    bool optional_params;  // the node may be without
    int min_inputs;
    int max_inputs;
    int max_outputs;     // 0: one; else 1 to so many, which the operator checks
    const char* inputs;  // NULL: "T"
    const char* outputs; // NULL: "T"
    uint64_t sparse;     // LITE_CL_INPUTS whose constants may be sparse
    unsigned types;      // 0: FLOAT32
    bool doubles;        // computes in double precision, which not every device has
    LiteClRounds rounds;
    bool float16;            // FLOAT32 may also be stored as FLOAT16, see precision.h
    bool wide;               // its results are often larger than FLOAT16 allows, and are never stored as such
    bool keeps_wide;         // the same, if one of its inputs is such a result
    int variant;             // for families whose operators share functions
    const char* definitions; // #define lines of its kernel's prelude, NULL: none of its own
    // Refuses nodes that no shapes or parameters can make right; NULL: refuses nothing. Called like
    // infer, but also while shapes or parameters are not known yet.
    bool (*check)(const LiteClNode* node, LiteClReason* reason);
    // Can the node run with these shapes? Fills in the shapes of its outputs. Counts, types and
    // parameters have been checked.
    bool (*infer)(const LiteClNode* node, LiteShape* outputs, LiteClReason* reason);
    // Is what its kernels need within the device's limits, beside its tensors? Called when infer has agreed.
    // NULL: it is on every device.
    bool (*fits)(const struct LiteClDevice* device, const LiteClNode* node, LiteClReason* reason);
    // Adds the node's launches to the plan. Called when infer has agreed and the outputs have their
    // shapes.
    TfLiteStatus (*lower)(struct LiteClPlan* plan, const LiteClNode* node);
    // Lowers the node together with the first *joined of its followers, of which there are some. *joined
    // stays 0 where they have to be, or are better, lowered one by one. NULL: always. Not called for FLOAT16.
    TfLiteStatus (*join)(struct LiteClPlan* plan, const LiteClNode* node,
                         const struct LiteClFollowers* followers, int* joined);
    // Writes the node as a formula; its inputs have the output's shape or one element. Returns false
    // where the node is no formula. NULL: it never is.
    bool (*formula)(const LiteClNode* node, LiteClFormula* formula);
} LiteClOp;

// For params_size: the size up to and including `field`. Hosts of other versions may have shorter structs.
#define LITE_CL_PARAMS_UP_TO(type, field) (offsetof(type, field) + sizeof(((type*)0)->field))

typedef struct LiteClLookup {
    const LiteClOp* op;
    const char* name;    // of a builtin operator
    const char* refusal; // why there is no op
} LiteClLookup;

// Finds operators: among those of the library (ops/registry.h), or first among those of the program
// (custom/custom.h).
typedef struct LiteClFinder {
    // Looks up an operator by the fields of its registration.
    void (*find)(const void* user_data, int builtin_code, const char* custom_name, int version,
                 LiteClLookup* lookup);
    const void* user_data;
} LiteClFinder;

#endif
