// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/common/chain.h"

#include "delegate-opencl/graph/fold.h"
#include <stdio.h>
#include <string.h>

#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/prelude.h"
#include "kernels-cl/args/formula.h"

enum {
    MAX_NODES = 8,
    MAX_INPUTS = 4, // as many as LiteClFormulaArgs has
    MAX_OPTIONS = 16,
    MAX_STEPS = LITE_CL_PRELUDE / 2, // characters
};

// In kernels-cl/formula.cl the result of the chain's node k is called t<k>, the element of input i x<i>.
typedef struct Chain {
    int count;
    bool has_own; // a formula of the program's
    const LiteClNode* last;
    LiteClTensor* inputs[MAX_INPUTS];
    int input_count;
    int option_count;
    LiteClFormulaArgs args;
    LiteClPrelude prelude; // FORMULA0(…) …
    int steps_length;
    char steps[MAX_STEPS]; // "const float t0 = FORMULA0(x0, a.options[0]); …"
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

static void append(Chain* chain, const char* format, ...) LITE_PRINTF(2, 3);
static void append(Chain* chain, const char* format, ...) {
    va_list args;
    va_start(args, format);
    char* to = chain->steps + chain->steps_length;
    const int length = vsnprintf(to, sizeof chain->steps - (size_t)chain->steps_length, format, args);
    va_end(args);
    // A chain whose text is cut off is dropped, see has_room.
    const int room = MAX_STEPS - 1 - chain->steps_length;
    chain->steps_length += length < room ? length : room;
}

static bool has_room(const Chain* chain) {
    return chain->steps_length < MAX_STEPS - 1 &&
           chain->prelude.length + chain->steps_length < LITE_CL_PRELUDE - 512; // for the type's definitions
}

// FORMULA<k>'s arguments: elements of the inputs, then options.
static bool append_arguments(Chain* chain, const LiteClNode* node, const LiteClFormula* formula) {
    const LiteShape* output = &node->outputs[0]->shape;
    const LiteClTensor* before = chain->count > 0 ? chain->last->outputs[0] : NULL;
    for (int i = 0; i < node->input_count; i++) {
        if (i > 0) append(chain, ", ");
        if (before != NULL && node->inputs[i] == before) {
            append(chain, "t%d", chain->count - 1);
            continue;
        }
        const int place = input_place(chain, node->inputs[i], output);
        if (place < 0) return false;
        append(chain, "x%d", place);
    }
    for (int i = 0; i < formula->option_count; i++) {
        append(chain, ", a.options[%d]", chain->option_count);
        chain->args.options[chain->option_count++] = formula->options[i];
    }
    return true;
}

// FORMULA<k>'s parameters, as the formula's text calls them.
static void define_formula(Chain* chain, const LiteClNode* node, const LiteClFormula* formula) {
    char names[256];
    int length = snprintf(names, sizeof names, "%s", formula->parameters);
    for (int i = 0; length == 0 && i < node->input_count + formula->option_count; i++) {
        const bool is_input = i < node->input_count;
        const int at = (int)strlen(names);
        snprintf(names + at, sizeof names - (size_t)at, "%s%c%d", i > 0 ? ", " : "", is_input ? 'x' : 'o',
                 is_input ? i : i - node->input_count);
    }
    lite_cl_define(&chain->prelude, "FORMULA%d(%s) (%s)", chain->count, names, formula->text);
}

// Adds the node to the chain. False where it cannot be added; then the chain is of no use.
static bool add_node(Chain* chain, const LiteClNode* node) {
    LiteClFormula formula = {.parameters = ""};
    if (chain->count == MAX_NODES || node->op->formula == NULL || !node->op->formula(node, &formula))
        return false;
    const LiteShape* output = &node->outputs[0]->shape;
    if (chain->count > 0 && !lite_shape_equal(&chain->last->outputs[0]->shape, output)) return false;
    const int limits = formula.limited ? 2 : 0;
    if (chain->option_count + formula.option_count + limits > MAX_OPTIONS) return false;
    define_formula(chain, node, &formula);
    append(chain, " const float %c%d = FORMULA%d(", formula.limited ? 'u' : 't', chain->count, chain->count);
    if (!append_arguments(chain, node, &formula)) return false;
    append(chain, ");");
    if (formula.limited) {
        const int at = chain->option_count;
        append(chain, " const float t%d = CLAMP(u%d, a.options[%d], a.options[%d]);", chain->count,
               chain->count, at, at + 1);
        chain->args.options[at] = formula.low;
        chain->args.options[at + 1] = formula.high;
        chain->option_count += 2;
    }
    chain->has_own = chain->has_own || formula.is_own;
    chain->last = node;
    chain->count++;
    return has_room(chain);
}

static TfLiteStatus launch(LiteClPlan* plan, Chain* chain) {
    const LiteClTensor* output = chain->last->outputs[0];
    chain->args.count = (int)lite_shape_elements(&output->shape);
    chain->args.chunk = lite_cl_tune(plan->device->class)->chunk;
    lite_cl_define_type(&chain->prelude, "", output->type);
    lite_cl_define(&chain->prelude, "INPUTS %d", chain->input_count);
    lite_cl_define(&chain->prelude, "STEPS%s", chain->steps);
    lite_cl_define(&chain->prelude, "RESULT t%d", chain->count - 1);
    LiteClLaunch launch = {
        .family = &lite_cl_source_formula,
        .kernel = "compute_formula",
        .prelude = chain->prelude.text,
        .args = &chain->args,
        .args_size = sizeof chain->args,
        .items = {lite_cl_chunks(chain->args.count, chain->args.chunk), 1, 1},
    };
    for (int i = 0; i < chain->input_count; i++)
        launch.buffers[launch.buffer_count++] = lite_cl_plan_tensor(plan, chain->inputs[i]);
    launch.buffers[launch.buffer_count++] = lite_cl_plan_tensor(plan, chain->last->outputs[0]);
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
    *chained = chain.has_own && chain.count > 1;
    if (!*chained) return kTfLiteOk;
    *n = end;
    return launch(plan, &chain);
}
