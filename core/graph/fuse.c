// SPDX-License-Identifier: Apache-2.0
// Steps of the plan that run as one (core/base/epilogue.h): elementwise nodes that follow each other, and the
// node before them, the head, where it can compute them on each part of its output; or, without a head,
// elementwise nodes and such that reduce rows (core/base/row_blocks.h). The last of them runs all; the others
// are left out when the plan runs, and what only they read has no memory.
#include "core/graph/fuse.h"

#include <string.h>

#include "core/base/cpu_path.h"
#include "core/base/epilogue.h"
#include "core/base/lines.h"
#include "core/base/memory.h"
#include "core/base/row_blocks.h"
#include "core/base/types.h"
#include "core/graph/buffer_handle.h"
#include "core/graph/graph.h"
#include "core/graph/subgraph.h"

typedef struct Fusion {
    LiteSubgraph* subgraph;
    int first;                        // step: of the head, or of the first of the others
    int head;                         // the tensor that the head computes; -1: there is none
    int results[LITE_EPILOGUE_STEPS]; // tensors
    const TfLiteIntArray* dims;       // of all of them but those with one element for each row
    LiteEpilogue epilogue;
} Fusion;

static LiteNode* node_of(const LiteSubgraph* subgraph, int step) {
    return subgraph->nodes[subgraph->plan->data[step]];
}

// What the step computes: one FLOAT32 tensor in the arena that no other step writes. Else -1.
static int find_result(const LiteSubgraph* subgraph, int step) {
    const LiteNode* node = node_of(subgraph, step);
    if (node->folded || node->node.delegate != NULL || node->node.outputs->size != 1) return -1;
    const int index = node->node.outputs->data[0];
    const TfLiteTensor* tensor = lite_subgraph_tensor(subgraph, index);
    if (tensor == NULL || tensor->type != kTfLiteFloat32 || tensor->bytes == 0 || tensor->dims == NULL)
        return -1;
    if (tensor->allocation_type != kTfLiteArenaRw || tensor->is_variable || tensor->delegate != NULL)
        return -1;
    const LiteSlot* slot = &subgraph->slots[index];
    const bool is_own = slot->first_write == step && !slot->is_input && !slot->read_first && !slot->rewritten;
    return is_own && tensor->dims->size <= LITE_MAX_RANK ? index : -1;
}

static LiteShape shape_of(const TfLiteIntArray* dims) {
    LiteShape shape = {.rank = dims->size};
    memcpy(shape.dims, dims->data, (size_t)dims->size * sizeof *shape.dims);
    return shape;
}

// A FLOAT32 tensor that has its contents before the fused steps begin.
static bool is_there(const Fusion* f, int index) {
    const TfLiteTensor* tensor = lite_subgraph_tensor(f->subgraph, index);
    if (tensor == NULL || tensor->type != kTfLiteFloat32 || tensor->dims == NULL || tensor->is_variable ||
        tensor->sparsity != NULL || tensor->bytes == 0 || tensor->dims->size > LITE_MAX_RANK) {
        return false;
    }
    const LiteSlot* slot = &f->subgraph->slots[index];
    switch (tensor->allocation_type) {
    case kTfLiteMmapRo:
    case kTfLitePersistentRo:
        return true;
    case kTfLiteArenaRw:
    case kTfLiteCustom:
        return slot->is_input || (slot->first_write >= 0 && slot->first_write < f->first && !slot->rewritten);
    default:
        return false;
    }
}

static const TfLiteIntArray* dims_of(const Fusion* f, int index) {
    return lite_subgraph_tensor(f->subgraph, index)->dims;
}

// Whether a tensor of these dimensions has one element for each row of the others: their last dimension is 1,
// or left out.
static bool is_per_row(const TfLiteIntArray* dims, const TfLiteIntArray* whole) {
    const int rows = whole->size - 1; // dimensions
    if (rows < 0 || (dims->size != rows && (dims->size != rows + 1 || dims->data[rows] != 1))) return false;
    return memcmp(dims->data, whole->data, (size_t)rows * sizeof *dims->data) == 0;
}

// What the result of a step is to others of the group: of one shape or, where it has one element for each
// row, broadcast along them.
static bool meets(const Fusion* f, const TfLiteIntArray* source, const TfLiteIntArray* result) {
    if (TfLiteIntArrayEqual(source, result)) return true;
    return TfLiteIntArrayEqual(result, f->dims) && source->size == f->dims->size;
}

// An operand of the step whose result has these dimensions.
static bool find_operand(const Fusion* f, int index, const TfLiteIntArray* dims,
                         LiteEpilogueOperand* operand) {
    operand->tensor = index;
    operand->source = kLiteEpilogueTensor;
    if (index >= 0 && index == f->head) operand->source = kLiteEpilogueHead;
    for (int s = 0; s < f->epilogue.step_count; s++) {
        if (index == f->results[s]) operand->source = s;
    }
    if (operand->source != kLiteEpilogueTensor) return meets(f, dims_of(f, index), dims);
    if (index < 0 || !is_there(f, index)) return false;
    const LiteShape result = shape_of(dims), shape = shape_of(dims_of(f, index));
    return lite_epilogue_broadcast(&result, &shape, operand);
}

static bool find_operands(const Fusion* f, const LiteNode* node, const TfLiteIntArray* dims,
                          LiteEpilogueStep* to) {
    const TfLiteIntArray* inputs = node->node.inputs;
    for (int k = 0; k < to->operand_count; k++) {
        const int place = to->swapped ? to->operand_count - 1 - k : k;
        if (!find_operand(f, inputs->data[k], dims, &to->operands[place])) return false;
    }
    return true;
}

// Adds the node of the step, whose result has the shape of the others, or one element for each row of them.
static bool add_step(Fusion* f, int step) {
    LiteNode* node = node_of(f->subgraph, step);
    const int result = find_result(f->subgraph, step);
    if (f->epilogue.step_count == LITE_EPILOGUE_STEPS || result < 0 || node->op.lines == NULL ||
        node->op.lines->describe == NULL) {
        return false;
    }
    LiteEpilogueStep* to = &f->epilogue.steps[f->epilogue.step_count];
    *to = (LiteEpilogueStep){0};
    if (!node->op.lines->describe(lite_subgraph_context(f->subgraph), (TfLiteOpaqueNode*)&node->node, to))
        return false;
    const TfLiteIntArray *dims = dims_of(f, result), *whole = dims;
    if (to->reduce != NULL) whole = dims_of(f, node->node.inputs->data[0]); // what operands meet
    if (f->dims == NULL) f->dims = whole;
    to->per_row = !TfLiteIntArrayEqual(dims, f->dims);
    if (to->per_row && !is_per_row(dims, f->dims)) return false;
    if (to->reduce != NULL && !TfLiteIntArrayEqual(whole, f->dims)) return false;
    if (f->head >= 0 && (to->per_row || to->reduce != NULL)) return false; // it computes parts of rows
    if (!find_operands(f, node, whole, to)) return false;
    f->results[f->epilogue.step_count++] = result;
    return true;
}

// What the head computes has no memory of its own: only steps up to this one may read it.
static bool is_closed(const Fusion* f, int step) {
    return f->head < 0 || f->subgraph->slots[f->head].last_use <= step;
}

// Results that are read behind step `last` are kept in their tensors.
static void keep_results(Fusion* f, int last) {
    for (int s = 0; s < f->epilogue.step_count; s++) {
        const bool is_inner = s + 1 < f->epilogue.step_count;
        const bool is_read = f->subgraph->slots[f->results[s]].last_use > last;
        f->epilogue.steps[s].kept = is_inner && is_read ? f->results[s] : -1;
    }
}

// Whether the steps that were added can run, of which `last` is the last one.
static bool plan_steps(Fusion* f, int last) {
    LiteEpilogue* e = &f->epilogue;
    if (!is_closed(f, last)) return false;
    e->by_rows = false;
    for (int s = 0; s < e->step_count; s++) {
        if (e->steps[s].per_row || e->steps[s].reduce != NULL) e->by_rows = true;
    }
    keep_results(f, last);
    e->channels = f->dims->size > 0 ? f->dims->data[f->dims->size - 1] : 1;
    int64_t count = 1;
    for (int d = 0; d < f->dims->size; d++) count *= f->dims->data[d];
    e->rows = count / e->channels;
    return e->by_rows ? lite_row_blocks_plan(e) : lite_epilogue_plan(e);
}

// Adds as many steps from `step` on as can run. Returns how many.
static int add_steps(Fusion* f, int step, int end) {
    int added = 0;
    while (step + added < end && add_step(f, step + added)) added++;
    while (added > 0 && !plan_steps(f, step + added - 1)) f->epilogue.step_count = --added;
    return added;
}

// The node of the last step runs the steps from f->first on.
static TfLiteStatus keep(LiteSubgraph* subgraph, const Fusion* f, int last, LiteEpilogue** kept) {
    LiteNode* runner = node_of(subgraph, last);
    runner->epilogue = lite_malloc(sizeof *runner->epilogue);
    if (runner->epilogue == NULL) return lite_subgraph_fail(subgraph, "out of memory");
    *runner->epilogue = f->epilogue;
    runner->fused = last - f->first;
    *kept = runner->epilogue;
    return kTfLiteOk;
}

static void leave_out(LiteSubgraph* subgraph, const Fusion* f, int last) {
    const int steps = f->epilogue.step_count;
    for (int s = f->first; s < last; s++) {
        LiteNode* node = node_of(subgraph, s);
        const int of_epilogue = s - (last + 1 - steps); // negative: the head
        node->left_to = last - s;
        node->is_kept = of_epilogue >= 0 && f->epilogue.steps[of_epilogue].kept >= 0;
    }
}

// With the node of `step` as head. *next is the step behind those that were fused, else as it was.
static TfLiteStatus fuse_head(LiteSubgraph* subgraph, int step, int end, int* next) {
    LiteNode* head = node_of(subgraph, step);
    if (head->op.lines == NULL || head->op.lines->take == NULL) return kTfLiteOk;
    Fusion f = {.subgraph = subgraph, .first = step, .head = find_result(subgraph, step)};
    if (f.head < 0) return kTfLiteOk;
    f.dims = lite_subgraph_tensor(subgraph, f.head)->dims;
    const int added = add_steps(&f, step + 1, end), last = step + added;
    if (added == 0) return kTfLiteOk;
    LiteEpilogue* kept;
    LITE_TRY(keep(subgraph, &f, last, &kept));
    if (!head->op.lines->take((TfLiteOpaqueNode*)&head->node, kept)) {
        lite_fuse_forget(node_of(subgraph, last));
        return kTfLiteOk;
    }
    kept->has_head = true;
    leave_out(subgraph, &f, last);
    *next = last + 1;
    return kTfLiteOk;
}

static TfLiteStatus fuse_chain(LiteSubgraph* subgraph, int step, int end, int* next) {
    Fusion f = {.subgraph = subgraph, .first = step, .head = -1};
    const int added = add_steps(&f, step, end), last = step + added - 1;
    if (added < 2) return kTfLiteOk;
    LiteEpilogue* kept;
    LITE_TRY(keep(subgraph, &f, last, &kept));
    leave_out(subgraph, &f, last);
    *next = last + 1;
    return kTfLiteOk;
}

// On paths that are for comparisons each node is on its own.
static bool is_compared(void) {
    const LiteCpuPath path = lite_cpu_path();
    return path == kLiteCpuReference || path == kLiteCpuOneDnn;
}

TfLiteStatus lite_fuse_steps(LiteSubgraph* subgraph, int first, int end) {
    if (!LITE_HAS_TYPE(kTfLiteFloat32) || is_compared() || subgraph->interpreter->preserve_all_tensors)
        return kTfLiteOk;
    for (int step = first, next; step + 1 < end; step = next > step ? next : step + 1) {
        next = step;
        LITE_TRY(fuse_head(subgraph, step, end, &next));
        if (next == step) LITE_TRY(fuse_chain(subgraph, step, end, &next));
    }
    return kTfLiteOk;
}

void lite_fuse_forget(LiteNode* node) {
    lite_free(node->epilogue);
    node->epilogue = NULL;
    node->fused = 0;
}

// What the steps read and keep is where it is in this run.
static TfLiteStatus find_data(LiteSubgraph* subgraph, LiteEpilogue* epilogue) {
    for (int s = 0; s < epilogue->step_count; s++) {
        LiteEpilogueStep* step = &epilogue->steps[s];
        if (step->kept >= 0) step->out = lite_subgraph_tensor(subgraph, step->kept)->data.f;
        if (step->kept >= 0 && step->out == NULL)
            return lite_subgraph_fail(subgraph, "Output tensor %d has no memory", step->kept);
        for (int k = 0; k < step->operand_count; k++) {
            LiteEpilogueOperand* operand = &step->operands[k];
            if (operand->source != kLiteEpilogueTensor) continue;
            const TfLiteTensor* tensor = lite_subgraph_tensor(subgraph, operand->tensor);
            if (tensor->data_is_stale && tensor->delegate != NULL)
                LITE_TRY(lite_subgraph_make_readable(subgraph, operand->tensor));
            operand->data = tensor->data.f;
            if (operand->data == NULL)
                return lite_subgraph_fail(subgraph, "Input tensor %d lacks data", operand->tensor);
        }
    }
    return kTfLiteOk;
}

static TfLiteTensor* result_of(const LiteSubgraph* subgraph, const LiteNode* node) {
    return lite_subgraph_tensor(subgraph, node->node.outputs->data[0]);
}

TfLiteStatus lite_fuse_begin(LiteSubgraph* subgraph, int step, int* head) {
    const LiteNode* node = node_of(subgraph, step);
    LiteEpilogue* epilogue = node->epilogue;
    const TfLiteTensor* result = result_of(subgraph, node);
    *head = epilogue->has_head ? subgraph->plan->data[step - node->fused] : -1;
    LITE_TRY(find_data(subgraph, epilogue));
    epilogue->out = result->data.f;
    if (epilogue->out == NULL)
        return lite_subgraph_fail(subgraph, "Output tensor %d has no memory", node->node.outputs->data[0]);
    if (*head >= 0) result_of(subgraph, subgraph->nodes[*head])->data.raw = result->data.raw;
    return kTfLiteOk;
}

void lite_fuse_end(LiteSubgraph* subgraph, int head) {
    if (head >= 0) result_of(subgraph, subgraph->nodes[head])->data.raw = NULL;
}
