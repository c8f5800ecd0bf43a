// SPDX-License-Identifier: Apache-2.0
// Elementwise nodes that follow each other, as the text of one function of an element. Programs get it by the
// prelude (lite_cl_steps_define); they define OPTION(i), option i of their arguments.
#ifndef DELEGATE_OPENCL_OPS_COMMON_STEPS_H_
#define DELEGATE_OPENCL_OPS_COMMON_STEPS_H_

#include "delegate-opencl/graph/op.h"
#include "delegate-opencl/ops/common/prelude.h"

enum {
    LITE_CL_STEPS = 16,
    LITE_CL_STEP_OPTIONS = 16,
    LITE_CL_STEP_NAME = 32,                  // characters
    LITE_CL_STEP_TEXT = LITE_CL_PRELUDE / 2, // characters
};

// The result of node k is called t<k>.
typedef struct LiteClSteps {
    int count;
    const LiteClNode* nodes[LITE_CL_STEPS];
    const LiteClNode* last;
    int option_count;
    float options[LITE_CL_STEP_OPTIONS];
    LiteClPrelude formulas; // FORMULA0(…) …
    int length;
    char text[LITE_CL_STEP_TEXT]; // "const float t0 = FORMULA0(x0, OPTION(0)); …"
    int ends[LITE_CL_STEPS];      // of each node's part of it
} LiteClSteps;

// How the text calls an element of an input that no step gives; `output` is the shape of the result. Returns
// false where there is no way. It may add options.
typedef struct LiteClStepNamer {
    bool (*name)(void* state, const LiteClTensor* input, const LiteShape* output, LiteClSteps* steps,
                 char name[LITE_CL_STEP_NAME]);
    void* state;
} LiteClStepNamer;

// Adds a node that has a formula. False where it has none, or where there is no room; then the steps are of
// no use. *is_own becomes true where the formula is one of the program's own.
bool lite_cl_steps_add(LiteClSteps* steps, const LiteClNode* node, const LiteClStepNamer* namer,
                       bool* is_own);

// Adds a node that joins rows: *input is how the text calls what it joins; the text is the caller's.
bool lite_cl_steps_add_row(LiteClSteps* steps, const LiteClNode* node, const LiteClStepNamer* namer,
                           char input[LITE_CL_STEP_NAME]);

// Adds an option and writes how the text calls it; false: there is no room.
bool lite_cl_steps_option(LiteClSteps* steps, float value, char name[LITE_CL_STEP_NAME]);

// Defines STEPS, declarations of floats, and RESULT, one of these.
void lite_cl_steps_define(LiteClPrelude* prelude, const LiteClSteps* steps);

#endif
