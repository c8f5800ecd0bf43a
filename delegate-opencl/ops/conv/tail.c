// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/conv/tail.h"

#include <stdio.h>
#include <string.h>

#include "delegate-opencl/ops/common/tensor.h"
#include "delegate-opencl/ops/conv/clblast.h"
#include "delegate-opencl/ops/conv/gemm.h"

static bool is_plain(const LiteClNode* mul) {
    const TfLiteMulParams* params = mul->params;
    return params == NULL || params->activation == kTfLiteActNone;
}

// HARD_SWISH, or MUL by a constant of one element: what all programs have.
static bool find_after(const LiteClTensor* output, const LiteClNode* next, LiteClAfter* after) {
    *after = (LiteClAfter){.hard_swish = strcmp(next->name, "HARD_SWISH") == 0, .factor = 1.0f};
    if (after->hard_swish) return true;
    if (strcmp(next->name, "MUL") != 0 || !is_plain(next)) return false;
    const LiteClTensor* factor = next->inputs[next->inputs[0] == output];
    if (factor == NULL || factor == output || factor->data == NULL ||
        lite_shape_elements(&factor->shape) != 1)
        return false;
    after->factor = lite_cl_constant_float(factor, 0);
    return true;
}

// The node's output is called v; constants are options.
static bool name_input(void* state, const LiteClTensor* input, const LiteShape* output, LiteClSteps* steps,
                       char name[LITE_CL_STEP_NAME]) {
    (void)output;
    if (input == state) {
        snprintf(name, LITE_CL_STEP_NAME, "v");
        return true;
    }
    const bool is_constant = input != NULL && input->data != NULL && input->type == kTfLiteFloat32 &&
                             lite_shape_elements(&input->shape) == 1;
    return is_constant && lite_cl_steps_option(steps, lite_cl_constant_float(input, 0), name) &&
           steps->option_count <= LITE_CL_AFTER_OPTIONS;
}

int lite_cl_tail_add(const LiteClTensor* output, const LiteClFollowers* followers, int from,
                     LiteClSteps* steps) {
    LiteClSteps longer = *steps;
    const LiteClStepNamer namer = {name_input, (void*)(uintptr_t)output};
    int count = 0;
    for (int i = from; i < followers->count; i++) {
        const LiteClTensor* result = followers->nodes[i]->outputs[0];
        bool is_own = false;
        if (result->type != kTfLiteFloat32 || !lite_shape_equal(&result->shape, &output->shape) ||
            !lite_cl_steps_add(&longer, followers->nodes[i], &namer, &is_own) ||
            longer.option_count > LITE_CL_AFTER_OPTIONS)
            break;
        if (!followers->closed[i]) continue;
        *steps = longer;
        count = i + 1 - from;
    }
    return count;
}

bool lite_cl_find_tail(const LiteClNode* node, const LiteClFollowers* followers, LiteClTail* tail) {
    const LiteClTensor* output = node->outputs[0];
    *tail = (LiteClTail){.after = {.factor = 1.0f}};
    if (node->inputs[0]->type != kTfLiteFloat32 || output->type != kTfLiteFloat32) return false;
    tail->count = lite_cl_tail_add(output, followers, 0, &tail->steps);
    if (tail->count == 0) return false;
    const LiteClNode* next = followers->nodes[0];
    if (tail->count == 1 && find_after(output, next, &tail->after)) tail->steps.count = 0;
    if (tail->steps.count > 0) memcpy(tail->after.options, tail->steps.options, sizeof tail->after.options);
    tail->output = followers->nodes[tail->count - 1]->outputs[0];
    return true;
}

// Does the first follower add two tensors of the same shape, one of them the node's output? Then it is the
// other one.
static LiteClTensor* find_addend(const LiteClNode* node, const LiteClFollowers* followers) {
    const LiteClTensor* output = node->outputs[0];
    if (followers->count == 0 || !followers->closed[0]) return NULL;
    const LiteClNode* add = followers->nodes[0];
    if (strcmp(add->name, "ADD") != 0 || output->type != kTfLiteFloat32) return NULL;
    if (add->inputs[0] != output && add->inputs[1] != output) return NULL;
    LiteClTensor* addend = add->inputs[add->inputs[0] == output];
    return addend != output && lite_shape_equal(&addend->shape, &output->shape) ? addend : NULL;
}

TfLiteStatus lite_cl_gemm_join(LiteClPlan* plan, const LiteClNode* node, const LiteClGemm* gemm,
                               const LiteClFollowers* followers, int* joined) {
    LiteClGemm whole = *gemm;
    LiteClTensor* input = LITE_CL_HAS_GATES && gemm->gate != NULL ? gemm->gated : node->inputs[0];
    whole.owner = node;
    if (lite_cl_gemm_is_direct(node, gemm)) return kTfLiteOk;
    whole.addend = find_addend(node, followers);
    if (whole.addend != NULL) {
        const LiteClNode* add = followers->nodes[0];
        const TfLiteAddParams* params = add->params;
        whole.sum_activation = params != NULL ? params->activation : kTfLiteActNone;
        *joined = 1;
        return lite_cl_gemm_launch(plan, &whole, input, add->outputs[0]);
    }
    // Their kernel would multiply itself.
    if (plan->gemm_by == kLiteClGemmByClblast &&
        lite_cl_clblast_suits(plan, gemm, node->inputs[0], node->outputs[0]))
        return kTfLiteOk;
    LiteClTail tail;
    if (!lite_cl_find_tail(node, followers, &tail)) return kTfLiteOk;
    whole.tail = &tail;
    *joined = tail.count;
    return lite_cl_gemm_launch(plan, &whole, input, tail.output);
}
