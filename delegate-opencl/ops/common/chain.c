// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/common/chain.h"

#include <stdio.h>
#include <string.h>

#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/graph/followers.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/steps.h"
#include "kernels-cl/args/formula.h"

enum { MAX_INPUTS = 4 }; // as many as LiteClFormulaArgs has

// In kernels-cl/formula.cl the element of input i is called x<i>.
typedef struct Chain {
    bool has_own; // a formula of the program's
    LiteClTensor* inputs[MAX_INPUTS];
    int input_count;
    LiteClFormulaArgs args;
    LiteClSteps steps;
} Chain;

// The place of a tensor among the chain's inputs. -1 when there is no room, or when the tensor is broadcast
// other than from one element.
static int input_place(Chain* chain, LiteClTensor* tensor, const LiteShape* output) {
    if (tensor == NULL || tensor->variable) return -1;
    const bool is_whole = lite_shape_equal(&tensor->shape, output);
    if (!is_whole && lite_shape_elements(&tensor->shape) != 1) return -1;
    for (int i = 0; i < chain->input_count; i++) {
        if (chain->inputs[i] == tensor) return i;
    }
    if (chain->input_count == MAX_INPUTS) return -1;
    chain->args.steps[chain->input_count] = is_whole ? 1 : 0;
    chain->inputs[chain->input_count] = tensor;
    return chain->input_count++;
}

static bool name_input(void* state, const LiteClTensor* input, const LiteShape* output, LiteClSteps* steps,
                       char name[LITE_CL_STEP_NAME]) {
    (void)steps;
    const int place = input_place(state, (LiteClTensor*)(uintptr_t)input, output);
    if (place >= 0) snprintf(name, LITE_CL_STEP_NAME, "x%d", place);
    return place >= 0;
}

// Adds the node to the chain. False where it cannot be added; then the chain is of no use.
static bool add_node(Chain* chain, const LiteClNode* node) {
    const LiteClNode* last = chain->steps.last;
    if (last != NULL && !lite_shape_equal(&last->outputs[0]->shape, &node->outputs[0]->shape)) return false;
    const LiteClStepNamer namer = {name_input, chain};
    return lite_cl_steps_add(&chain->steps, node, &namer, &chain->has_own);
}

static TfLiteStatus launch(LiteClPlan* plan, Chain* chain) {
    LiteClTensor* to = chain->steps.last->outputs[0];
    const TfLiteType type = to->type;
    LiteClPrelude prelude = {0};
    chain->args.count = (int)lite_shape_elements(&to->shape);
    chain->args.chunk = lite_cl_tune(plan->device->class)->chunk;
    memcpy(chain->args.options, chain->steps.options, sizeof chain->args.options);
    lite_cl_define_type(&prelude, "", type);
    lite_cl_define(&prelude, "INPUTS %d", chain->input_count);
    lite_cl_steps_define(&prelude, &chain->steps);
    LiteClLaunch launch = {
        .family = &lite_cl_source_formula,
        .kernel = "compute_formula",
        .prelude = prelude.text,
        .args = &chain->args,
        .args_size = sizeof chain->args,
        .items = {lite_cl_chunks(chain->args.count, chain->args.chunk), 1, 1},
    };
    for (int i = 0; i < chain->input_count; i++)
        launch.buffers[launch.buffer_count++] = lite_cl_plan_tensor(plan, chain->inputs[i]);
    launch.buffers[launch.buffer_count++] = lite_cl_plan_tensor(plan, to);
    return lite_cl_plan_launch(plan, &launch);
}

TfLiteStatus lite_cl_chain_lower_one(LiteClPlan* plan, const LiteClNode* node) {
    Chain chain = {0};
    if (!add_node(&chain, node)) return lite_report(plan->reporter, "OpenCL: %s: no formula", node->name);
    return launch(plan, &chain);
}

TfLiteStatus lite_cl_chain_lower(LiteClPlan* plan, const LiteClGraph* graph, int* n, bool* chained) {
    Chain chain = {0}, longer = {0};
    int end = *n;
    for (int next = *n; next >= 0; next = lite_cl_only_reader(graph, next)) {
        const LiteClNode* node = &graph->nodes[next];
        if (node->outputs[0]->type != kTfLiteFloat32 || !add_node(&longer, node)) break;
        chain = longer;
        end = next;
    }
    *chained = chain.has_own && chain.steps.count > 1;
    if (!*chained) return kTfLiteOk;
    *n = end;
    return launch(plan, &chain);
}
