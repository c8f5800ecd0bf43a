// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/common/row_steps.h"

#include <stdio.h>
#include <string.h>

#include "delegate-opencl/device/tune.h"
#include "delegate-opencl/graph/followers.h"
#include "delegate-opencl/ops/common/group.h"
#include "delegate-opencl/ops/common/launch.h"
#include "delegate-opencl/ops/common/steps.h"
#include "delegate-opencl/ops/common/tensor.h"
#include "kernels-cl/args/row_steps.h"

enum { MAX_INPUTS = 4 }; // as many as row_steps.cl takes

// How often a tensor has elements: for each element of a row, for each row, along a row, or once.
typedef enum Kind { kNone, kWide, kNarrow, kAlong, kOne } Kind;

typedef struct Rows {
    LiteShape shape; // of what is wide
    LiteClSteps steps;
    bool is_narrow[LITE_CL_STEPS]; // the result of a step
    LiteClTensor* inputs[MAX_INPUTS];
    Kind kinds[MAX_INPUTS];
    int input_count;
    // How a step joins its rows: of what, and as what; NULL: it does not.
    const char* row[LITE_CL_STEPS];
    bool is_mean[LITE_CL_STEPS];
    char joined[LITE_CL_STEPS][LITE_CL_STEP_NAME];
} Rows;

static int width_of(const LiteShape* shape) {
    return shape->rank > 0 ? shape->dims[shape->rank - 1] : 1;
}

// A shape as part of rows of shape `whole`, of which broadcasting aligns the last dimensions.
static Kind kind_of(const LiteShape* shape, const LiteShape* whole) {
    if (lite_shape_equal(shape, whole)) return kWide;
    LiteShape narrow = *whole;
    narrow.dims[narrow.rank - 1] = 1;
    if (lite_shape_equal(shape, &narrow)) return kNarrow;
    if (shape->rank > whole->rank) return kNone;
    const int64_t elements = lite_shape_elements(shape);
    if (elements == 1) return kOne;
    return elements == width_of(whole) && width_of(shape) == width_of(whole) ? kAlong : kNone;
}

static bool name_input(void* state, const LiteClTensor* input, const LiteShape* output, LiteClSteps* steps,
                       char name[LITE_CL_STEP_NAME]) {
    Rows* rows = state;
    (void)output;
    if (input == NULL || input->variable || input->type != kTfLiteFloat32) return false;
    const Kind kind = kind_of(&input->shape, &rows->shape);
    if (kind == kNone) return false;
    if (input->data != NULL && lite_shape_elements(&input->shape) == 1 &&
        lite_cl_steps_option(steps, lite_cl_constant_float(input, 0), name))
        return true;
    int i = 0;
    while (i < rows->input_count && rows->inputs[i] != input) i++;
    if (i == MAX_INPUTS) return false;
    rows->inputs[i] = (LiteClTensor*)(uintptr_t)input;
    rows->kinds[i] = kind;
    if (i == rows->input_count) rows->input_count++;
    snprintf(name, LITE_CL_STEP_NAME, "x%d", i);
    return true;
}

// Adds the node. False where it cannot be added; then the rows are of no use.
static bool add_node(Rows* rows, const LiteClNode* node) {
    const LiteClStepNamer namer = {name_input, rows};
    const LiteClTensor* output = node->outputs[0];
    LiteClFormula formula = {.parameters = ""};
    bool is_own = false;
    const int k = rows->steps.count;
    if (k == LITE_CL_STEPS || node->output_count != 1 || output->type != kTfLiteFloat32 || output->variable ||
        node->op->formula == NULL)
        return false;
    const Kind kind = kind_of(&output->shape, &rows->shape);
    if (!node->op->formula(node, &formula) || (kind != kWide && kind != kNarrow)) return false;
    rows->is_narrow[k] = kind == kNarrow;
    rows->row[k] = formula.row;
    rows->is_mean[k] = formula.is_mean;
    if (formula.row == NULL) return lite_cl_steps_add(&rows->steps, node, &namer, &is_own) && !is_own;
    return kind == kNarrow && lite_shape_equal(&node->inputs[0]->shape, &rows->shape) &&
           lite_cl_steps_add_row(&rows->steps, node, &namer, rows->joined[k]);
}

// Does the last dimension matter? Otherwise all elements are one run.
static bool has_rows(const Rows* rows) {
    for (int k = 0; k < rows->steps.count; k++) {
        if (rows->is_narrow[k]) return true;
    }
    for (int i = 0; i < rows->input_count; i++) {
        if (rows->kinds[i] == kNarrow || rows->kinds[i] == kAlong) return true;
    }
    return false;
}

static void append(LiteClPrelude* text, const char* format, ...) LITE_PRINTF(2, 3);
static void append(LiteClPrelude* text, const char* format, ...) {
    va_list args;
    va_start(args, format);
    const size_t room = sizeof text->text - (size_t)text->length;
    const int length = vsnprintf(text->text + text->length, room, format, args);
    va_end(args);
    text->length += length < (int)room ? length : (int)room - 1;
}

// WIDE0, what each element has of the inputs, and WIDE<k + 1>, that and the steps up to k; the ROW.
static bool define_steps(const Rows* rows, LiteClPrelude* prelude) {
    const LiteClSteps* steps = &rows->steps;
    LiteClPrelude row = {0}, wide = {0};
    for (int i = 0; i < rows->input_count; i++) {
        const Kind kind = rows->kinds[i];
        append(kind == kWide || kind == kAlong ? &wide : &row, " const float x%d = in%d[%s];", i, i,
               kind == kWide     ? "base + e"
               : kind == kAlong  ? "e"
               : kind == kNarrow ? "row"
                                 : "0");
    }
    lite_cl_define(prelude, "WIDE0%s", wide.text);
    for (int k = 0, begin = 0; k < steps->count; begin = steps->ends[k++]) {
        const int length = steps->ends[k] - begin;
        if (rows->row[k] != NULL) {
            append(&row, " %s(s%d, WIDE%d, %s) const float t%d = s%d%s;", rows->row[k], k, k, rows->joined[k],
                   k, k, rows->is_mean[k] ? " / (float)width" : "");
        } else if (rows->is_narrow[k]) {
            append(&row, "%.*s", length, steps->text + begin);
        }
        if (rows->row[k] == NULL && !rows->is_narrow[k])
            lite_cl_define(prelude, "WIDE%d WIDE%d %.*s", k + 1, k, length, steps->text + begin);
        else
            lite_cl_define(prelude, "WIDE%d WIDE%d", k + 1, k);
    }
    const int last = steps->count - 1;
    lite_cl_define(prelude, "ROW%s", row.text);
    lite_cl_define(prelude, "WIDE WIDE%d", steps->count);
    lite_cl_define(prelude, "RESULT t%d", last);
    if (rows->is_narrow[last]) lite_cl_define(prelude, "NARROW");
    lite_cl_define(prelude, "INPUTS %d", rows->input_count);
    lite_cl_prelude_append(prelude, &steps->formulas);
    return row.length < LITE_CL_PRELUDE - 1 && prelude->length < LITE_CL_PRELUDE - 1;
}

// Items that go through a row together: on a GPU some, of which one alone would wait for memory most of the
// time. Short rows leave some of them idle, which still takes less time than launches of their own.
static int group_of(const LiteClPlan* plan, const Rows* rows) {
    enum { SHORT = 32 };
    const int width = width_of(&rows->shape);
    return has_rows(rows) ? lite_cl_tune_group(plan->device, kLiteClSoftmaxRow, width > SHORT ? width : SHORT)
                          : (int)lite_cl_largest_group(plan->device);
}

static TfLiteStatus launch(LiteClPlan* plan, const Rows* rows, LiteClPrelude* prelude) {
    enum { ITEMS_PER_UNIT = 16 };
    const LiteClDevice* device = plan->device;
    const int group = device->class == kLiteClGpu ? group_of(plan, rows) : 0;
    LiteClRowStepsArgs args = {.elements = (int)lite_shape_elements(&rows->shape)};
    args.width = has_rows(rows) ? width_of(&rows->shape)
                                : lite_cl_tune(device->class)->chunk * (group > 0 ? group : 1);
    args.rows = (int)lite_cl_chunks(args.elements, args.width);
    const int share = group > 0 ? 1 : args.rows / ((int)device->units * ITEMS_PER_UNIT);
    args.rows_each = share > 0 ? share : 1;
    if (group > 0) lite_cl_define_row_group(device, group, prelude);
    memcpy(args.options, rows->steps.options, sizeof args.options);
    LiteClLaunch launch = {
        .family = &lite_cl_source_row_steps,
        .kernel = "row_steps",
        .prelude = prelude->text,
        .args = &args,
        .args_size = sizeof args,
        .version_3 = group > 0 && device->subgroups,
        .group = (size_t)group,
        .items = {lite_cl_chunks(args.rows, args.rows_each), 1, 1},
    };
    if (group > 0) {
        launch.items[1] = launch.items[0];
        launch.items[0] = (size_t)group;
    }
    for (int i = 0; i < rows->input_count; i++)
        launch.buffers[launch.buffer_count++] = lite_cl_plan_tensor(plan, rows->inputs[i]);
    launch.buffers[launch.buffer_count++] = lite_cl_plan_tensor(plan, rows->steps.last->outputs[0]);
    return lite_cl_plan_launch(plan, &launch);
}

// The longest rows from node n on that only they read. Returns the place of the last node; -1: there are
// none.
static int find_rows(const LiteClGraph* graph, int n, Rows* best) {
    const LiteClNode* node = &graph->nodes[n];
    LiteClFollowers followers;
    lite_cl_followers_find(graph, n, &followers);
    // A row that is joined first has the shape of the input.
    const LiteClTensor* widest = node->inputs[0];
    if (widest == NULL || followers.count == 0 || node->op->formula == NULL) return -1;
    if (lite_shape_elements(&node->outputs[0]->shape) > lite_shape_elements(&widest->shape))
        widest = node->outputs[0];
    Rows rows = {.shape = widest->shape};
    if (rows.shape.rank == 0 || width_of(&rows.shape) < 2 || !add_node(&rows, node)) return -1;
    int last = -1;
    for (int i = 0; i < followers.count && add_node(&rows, followers.nodes[i]); i++) {
        if (!followers.closed[i]) continue;
        *best = rows;
        last = followers.places[i];
    }
    return last;
}

// Few long rows would keep few units of the device busy, where single nodes share their elements. On a GPU a
// row needs a group.
static bool shares_rows(const LiteClPlan* plan, const Rows* rows) {
    if (plan->device->class == kLiteClGpu)
        return lite_cl_device_has_local_tiles(plan->device) && group_of(plan, rows) > 0 &&
               width_of(&rows->shape) <= 1 << 14;
    const int64_t width = width_of(&rows->shape), count = lite_shape_elements(&rows->shape) / width;
    return !has_rows(rows) || count >= (int64_t)plan->device->units ||
           width <= lite_cl_tune(plan->device->class)->chunk;
}

TfLiteStatus lite_cl_row_steps_lower(LiteClPlan* plan, const LiteClGraph* graph, int* n, bool* joined) {
    Rows rows;
    LiteClPrelude prelude = {0};
    if (lite_shape_elements(&graph->nodes[*n].outputs[0]->shape) == 0) return kTfLiteOk;
    const int last = find_rows(graph, *n, &rows);
    if (last < 0 || rows.input_count == 0 || !shares_rows(plan, &rows) || !define_steps(&rows, &prelude))
        return kTfLiteOk;
    *joined = true;
    *n = last;
    return launch(plan, &rows, &prelude);
}
