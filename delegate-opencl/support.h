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

// One operator of OpenCL: `const LiteClOp lite_cl_op_NAME` in ops/<family>.c, listed by core/ops.def.
typedef struct LiteClOp {
    size_t params_size; // bytes of builtin parameters that are used; 0: needs none
    int min_inputs;
    int max_inputs;
    int float_inputs;        // so many leading inputs are float32; the operator checks the others
    const char* definitions; // #define lines of its kernel's prelude, NULL: none of its own
    // Can this node run with these shapes? Fills in the shape of its one output. Called with checked counts,
    // types and parameters.
    bool (*infer)(const LiteClNode* node, LiteShape* output, LiteClReason* reason);
    // Adds the node's launches to the plan. Called when infer agreed and the output has its shape.
    TfLiteStatus (*lower)(LiteClPlan* plan, const LiteClNode* node);
} LiteClOp;

// For params_size: everything up to and including `field`. Hosts of other versions may have shorter structs.
#define LITE_CL_PARAMS_UP_TO(type, field) (offsetof(type, field) + sizeof(((type*)0)->field))

typedef struct LiteClLookup {
    const LiteClOp* op;
    const char* name;    // of a builtin operator
    const char* refusal; // why there is no op
} LiteClLookup;

// Looks up an operator by the fields of its registration.
void lite_cl_op_find(int builtin_code, const char* custom_name, int version, LiteClLookup* lookup);

// Everything that decides whether OpenCL can run the node: operator, counts, types, parameters, shapes.
bool lite_cl_node_check(const LiteClNode* node, LiteShape* output, LiteClReason* reason);

// Input `index`, NULL when absent.
const LiteClTensor* lite_cl_input(const LiteClNode* node, int index);

// Contents of a constant int32 or int64 vector input; false with a reason for anything else. At most
// LITE_MAX_RANK * 2 values.
typedef struct LiteClInts {
    int count;
    int64_t values[LITE_MAX_RANK * 2];
} LiteClInts;
bool lite_cl_constant_ints(const LiteClNode* node, int index, LiteClInts* ints, LiteClReason* reason);

// The range of a fused activation; false with a reason when it is not a range (TANH, SIGN_BIT, SIGMOID).
bool lite_cl_activation(TfLiteFusedActivation activation, float* low, float* high, LiteClReason* reason);

#endif
