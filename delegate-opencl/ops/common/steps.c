// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/common/steps.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static void append(LiteClSteps* steps, const char* format, ...) LITE_PRINTF(2, 3);
static void append(LiteClSteps* steps, const char* format, ...) {
    va_list args;
    va_start(args, format);
    const int length =
        vsnprintf(steps->text + steps->length, sizeof steps->text - (size_t)steps->length, format, args);
    va_end(args);
    // Steps whose text is cut off are dropped, see has_room.
    const int room = LITE_CL_STEP_TEXT - 1 - steps->length;
    steps->length += length < room ? length : room;
}

static bool has_room(const LiteClSteps* steps) {
    enum { OTHERS = 1024 }; // definitions of the type and of tiles
    return steps->length < LITE_CL_STEP_TEXT - 1 &&
           steps->formulas.length + steps->length < LITE_CL_PRELUDE - OTHERS;
}

bool lite_cl_steps_option(LiteClSteps* steps, float value, char name[LITE_CL_STEP_NAME]) {
    if (steps->option_count == LITE_CL_STEP_OPTIONS) return false;
    snprintf(name, LITE_CL_STEP_NAME, "OPTION(%d)", steps->option_count);
    steps->options[steps->option_count++] = value;
    return true;
}

static bool append_option(LiteClSteps* steps, float value) {
    char name[LITE_CL_STEP_NAME];
    if (!lite_cl_steps_option(steps, value, name)) return false;
    append(steps, ", %s", name);
    return true;
}

static bool name_of(LiteClSteps* steps, const LiteClNode* node, int i, const LiteClStepNamer* namer,
                    char name[LITE_CL_STEP_NAME]) {
    for (int k = 0; k < steps->count; k++) {
        if (node->inputs[i] != steps->nodes[k]->outputs[0]) continue;
        snprintf(name, LITE_CL_STEP_NAME, "t%d", k);
        return true;
    }
    return namer->name(namer->state, node->inputs[i], &node->outputs[0]->shape, steps, name);
}

// FORMULA<k>'s arguments: elements of the inputs, then options.
static bool append_arguments(LiteClSteps* steps, const LiteClNode* node, const LiteClFormula* formula,
                             const LiteClStepNamer* namer) {
    for (int i = 0; i < node->input_count; i++) {
        char name[LITE_CL_STEP_NAME];
        if (!name_of(steps, node, i, namer, name)) return false;
        append(steps, i > 0 ? ", %s" : "%s", name);
    }
    for (int i = 0; i < formula->option_count; i++) {
        if (!append_option(steps, formula->options[i])) return false;
    }
    return true;
}

// FORMULA<k>'s parameters, as the formula's text calls them.
static void define_formula(LiteClSteps* steps, const LiteClNode* node, const LiteClFormula* formula) {
    char names[256];
    int length = snprintf(names, sizeof names, "%s", formula->parameters);
    for (int i = 0; length == 0 && i < node->input_count + formula->option_count; i++) {
        const bool is_input = i < node->input_count;
        const int at = (int)strlen(names);
        snprintf(names + at, sizeof names - (size_t)at, "%s%c%d", i > 0 ? ", " : "", is_input ? 'x' : 'o',
                 is_input ? i : i - node->input_count);
    }
    lite_cl_define(&steps->formulas, "FORMULA%d(%s) (%s)", steps->count, names, formula->text);
}

static void note(LiteClSteps* steps, const LiteClNode* node) {
    steps->ends[steps->count] = steps->length;
    steps->nodes[steps->count++] = steps->last = node;
}

bool lite_cl_steps_add(LiteClSteps* steps, const LiteClNode* node, const LiteClStepNamer* namer,
                       bool* is_own) {
    LiteClFormula formula = {.parameters = ""};
    if (steps->count == LITE_CL_STEPS || node->op->formula == NULL || !node->op->formula(node, &formula) ||
        formula.row != NULL)
        return false;
    const int k = steps->count;
    define_formula(steps, node, &formula);
    append(steps, " const float %c%d = FORMULA%d(", formula.limited ? 'u' : 't', k, k);
    if (!append_arguments(steps, node, &formula, namer)) return false;
    append(steps, ");");
    if (formula.limited) {
        append(steps, " const float t%d = CLAMP(u%d", k, k);
        if (!append_option(steps, formula.low) || !append_option(steps, formula.high)) return false;
        append(steps, ");");
    }
    *is_own = *is_own || formula.is_own;
    note(steps, node);
    return has_room(steps);
}

bool lite_cl_steps_add_row(LiteClSteps* steps, const LiteClNode* node, const LiteClStepNamer* namer,
                           char input[LITE_CL_STEP_NAME]) {
    if (steps->count == LITE_CL_STEPS || !name_of(steps, node, 0, namer, input)) return false;
    note(steps, node);
    return true;
}

void lite_cl_steps_define(LiteClPrelude* prelude, const LiteClSteps* steps) {
    lite_cl_prelude_append(prelude, &steps->formulas);
    lite_cl_define(prelude, "STEPS%s", steps->text);
    lite_cl_define(prelude, "RESULT t%d", steps->count - 1);
}
