// SPDX-License-Identifier: Apache-2.0
// Steps of the plan that run as one (core/base/epilogue.h): elementwise nodes that follow each other, and the
// node before them, the head, where it can compute them on each part of its output; or, without a head,
// elementwise nodes and such that work on rows (core/base/row_blocks.h), alone or between two products. The
// last of them runs all; the others are left out when the plan runs, and what only they read has no memory.
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
#include "core/graph/node.h"
#include "core/graph/subgraph.h"

typedef struct Fusion {
    LiteSubgraph* subgraph;
    int first;                        // step: of the head, or of the first of the others
    int members[LITE_EPILOGUE_STEPS]; // steps of the others
    int head;                         // the tensor that the head, or the source, computes; -1: there is none
    bool between;                     // products
    int results[LITE_EPILOGUE_STEPS]; // tensors
    const TfLiteIntArray* dims;       // of all of them but those with one element for each row
    // What the epilogue points to.
    LiteEpilogueStep steps[LITE_EPILOGUE_STEPS];
    LiteEpilogueOperand operands[LITE_EPILOGUE_STEPS][LITE_MAX_OPERANDS];
    LiteRowProducts products;
    LiteEpilogue epilogue;
} Fusion;

static void begin(Fusion* f, LiteSubgraph* subgraph, int first, int head) {
    *f = (Fusion){.subgraph = subgraph, .first = first, .head = head};
    f->epilogue.steps = f->steps;
}

static LiteNode* node_of(const LiteSubgraph* subgraph, int step) {
    return subgraph->nodes[subgraph->plan->data[step]];
}

// What the step computes: one FLOAT32 tensor in the arena that no other step writes. Else -1.
static int find_result(const LiteSubgraph* subgraph, int step) {
    const LiteNode* node = node_of(subgraph, step);
    if (node->left_to > 0 || node->epilogue != NULL) return -1;
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

// A FLOAT32 tensor whose contents, before step `step`, are there and stay; no step of the fused ones writes
// it.
static bool is_there(const LiteSubgraph* subgraph, int index, int step) {
    const TfLiteTensor* tensor = lite_subgraph_tensor(subgraph, index);
    if (tensor == NULL || tensor->type != kTfLiteFloat32 || tensor->dims == NULL || tensor->is_variable ||
        tensor->sparsity != NULL || tensor->bytes == 0 || tensor->dims->size > LITE_MAX_RANK) {
        return false;
    }
    const LiteSlot* slot = &subgraph->slots[index];
    switch (tensor->allocation_type) {
    case kTfLiteMmapRo:
    case kTfLitePersistentRo:
        return true;
    case kTfLiteArenaRw:
    case kTfLiteCustom:
        return slot->is_input || (slot->first_write >= 0 && slot->first_write < step && !slot->rewritten);
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

// An operand of step `step`, whose result has these dimensions.
static bool find_operand(const Fusion* f, int step, int index, const TfLiteIntArray* dims,
                         LiteEpilogueOperand* operand) {
    operand->tensor = index;
    operand->source = kLiteEpilogueTensor;
    if (index >= 0 && index == f->head) operand->source = kLiteEpilogueHead;
    for (int s = 0; s < f->epilogue.step_count; s++) {
        if (index == f->results[s]) operand->source = s;
    }
    if (operand->source != kLiteEpilogueTensor) return meets(f, dims_of(f, index), dims);
    if (index < 0 || !is_there(f->subgraph, index, step)) return false;
    const LiteShape result = shape_of(dims), shape = shape_of(dims_of(f, index));
    return lite_epilogue_broadcast(&result, &shape, operand);
}

static bool find_operands(const Fusion* f, int step, const TfLiteIntArray* dims, LiteEpilogueStep* to) {
    const TfLiteIntArray* inputs = node_of(f->subgraph, step)->node.inputs;
    for (int k = 0; k < to->operand_count; k++) {
        const int place = to->swapped ? to->operand_count - 1 - k : k;
        if (!find_operand(f, step, inputs->data[k], dims, &to->operands[place])) return false;
    }
    return true;
}

static bool works_on_rows(const LiteEpilogueStep* step) {
    return step->per_row || step->reduce != NULL || step->map != NULL;
}

// From now on steps have the dimensions of a view's result, which has the rows of its operand.
static bool follow_view(Fusion* f, const TfLiteIntArray* from, const TfLiteIntArray* to) {
    if (!f->between || !TfLiteIntArrayEqual(from, f->dims) || to->size == 0) return false;
    if (to->data[to->size - 1] != from->data[from->size - 1]) return false;
    f->dims = to;
    return true;
}

// Adds the node of the step, whose result has the shape of the others, or one element for each row of them.
static bool add_step(Fusion* f, int step) {
    LiteNode* node = node_of(f->subgraph, step);
    const int result = find_result(f->subgraph, step);
    if (f->epilogue.step_count == LITE_EPILOGUE_STEPS || result < 0 || node->methods->op.lines == NULL ||
        node->methods->op.lines->describe == NULL) {
        return false;
    }
    LiteEpilogueStep* to = &f->epilogue.steps[f->epilogue.step_count];
    *to = (LiteEpilogueStep){.operands = f->operands[f->epilogue.step_count]};
    if (!node->methods->op.lines->describe(lite_subgraph_context(f->subgraph), (TfLiteOpaqueNode*)&node->node,
                                           to))
        return false;
    const TfLiteIntArray *dims = dims_of(f, result), *whole = dims;
    if (to->function == NULL) whole = dims_of(f, node->node.inputs->data[0]); // what operands meet
    if (f->dims == NULL) f->dims = whole;
    if (to->function == NULL && !TfLiteIntArrayEqual(whole, f->dims)) return false;
    if (!find_operands(f, step, whole, to)) return false;
    if (to->is_view && !follow_view(f, whole, dims)) return false;
    to->per_row = !TfLiteIntArrayEqual(dims, f->dims);
    if (to->per_row && (to->map != NULL || !is_per_row(dims, f->dims))) return false;
    if (f->head >= 0 && !f->between && works_on_rows(to)) return false; // the head computes parts of rows
    f->members[f->epilogue.step_count] = step;
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
        const bool is_inner = f->between || s + 1 < f->epilogue.step_count;
        const bool is_read = f->subgraph->slots[f->results[s]].last_use > last;
        f->epilogue.steps[s].kept = is_inner && is_read ? f->results[s] : -1;
    }
}

// Whether the steps that were added can run, of which `last` is the last one.
static bool plan_steps(Fusion* f, int last) {
    LiteEpilogue* e = &f->epilogue;
    if (!is_closed(f, last)) return false;
    e->by_rows = false;
    for (int s = 0; s < e->step_count; s++) e->by_rows |= works_on_rows(&e->steps[s]);
    keep_results(f, last);
    e->channels = f->dims->size > 0 ? f->dims->data[f->dims->size - 1] : 1;
    int64_t count = 1;
    for (int d = 0; d < f->dims->size; d++) count *= f->dims->data[d];
    e->rows = count / e->channels;
    if (f->between) return lite_row_products_plan(e);
    return e->by_rows ? lite_row_blocks_plan(e) : lite_epilogue_plan(e);
}

// Adds as many steps from `step` on as can run. Returns how many.
static int add_steps(Fusion* f, int step, int end) {
    int added = 0;
    while (step + added < end && add_step(f, step + added)) added++;
    while (added > 0 && !plan_steps(f, step + added - 1)) f->epilogue.step_count = --added;
    return added;
}

// The epilogue with what it points to, in one piece.
static LiteEpilogue* copy_epilogue(const Fusion* f) {
    const int count = f->epilogue.step_count;
    int operands = 0;
    for (int s = 0; s < count; s++) operands += f->steps[s].operand_count;
    const size_t steps = (size_t)count * sizeof *f->steps;
    const size_t bytes = sizeof(LiteEpilogue) + (f->between ? sizeof f->products : 0) + steps +
                         (size_t)operands * sizeof **f->operands;
    LiteEpilogue* copy = lite_malloc(bytes);
    if (copy == NULL) return NULL;
    *copy = f->epilogue;
    void* free_from = copy + 1;
    if (f->between) {
        copy->products = free_from;
        *copy->products = f->products;
        free_from = copy->products + 1;
    }
    copy->steps = free_from;
    memcpy(copy->steps, f->steps, steps);
    LiteEpilogueOperand* operand = (LiteEpilogueOperand*)(void*)(copy->steps + count);
    for (int s = 0; s < count; s++) {
        LiteEpilogueStep* step = &copy->steps[s];
        memcpy(operand, step->operands, (size_t)step->operand_count * sizeof *operand);
        step->operands = operand;
        operand += step->operand_count;
    }
    return copy;
}

// The node of the last step runs the steps from f->first on.
static TfLiteStatus keep(LiteSubgraph* subgraph, const Fusion* f, int last, LiteEpilogue** kept) {
    LiteNode* runner = node_of(subgraph, last);
    runner->epilogue = copy_epilogue(f);
    if (runner->epilogue == NULL) return lite_subgraph_fail(subgraph, "out of memory");
    lite_epilogue_merge(runner->epilogue);
    runner->fused = last - f->first;
    *kept = runner->epilogue;
    return kTfLiteOk;
}

static void leave_out(LiteSubgraph* subgraph, const Fusion* f, int last) {
    node_of(subgraph, f->first)->left_to = last - f->first;
    for (int s = 0; s < f->epilogue.step_count && f->members[s] < last; s++) {
        LiteNode* node = node_of(subgraph, f->members[s]);
        node->left_to = last - f->members[s];
        node->is_kept = f->epilogue.steps[s].kept >= 0;
    }
}

// With the node of `step` as head. *next is the step behind those that were fused, else as it was.
static TfLiteStatus fuse_head(LiteSubgraph* subgraph, int step, int end, int* next) {
    LiteNode* head = node_of(subgraph, step);
    if (head->methods->op.lines == NULL || head->methods->op.lines->take == NULL) return kTfLiteOk;
    Fusion f;
    begin(&f, subgraph, step, find_result(subgraph, step));
    if (f.head < 0) return kTfLiteOk;
    f.dims = lite_subgraph_tensor(subgraph, f.head)->dims;
    const int added = add_steps(&f, step + 1, end), last = step + added;
    if (added == 0) return kTfLiteOk;
    f.epilogue.has_head = true;
    LiteEpilogue* kept;
    LITE_TRY(keep(subgraph, &f, last, &kept));
    if (!head->methods->op.lines->take((TfLiteOpaqueNode*)&head->node, kept)) {
        lite_fuse_forget(node_of(subgraph, last));
        return kTfLiteOk;
    }
    leave_out(subgraph, &f, last);
    *next = last + 1;
    return kTfLiteOk;
}

static TfLiteStatus fuse_chain(LiteSubgraph* subgraph, int step, int end, int* next) {
    Fusion f;
    begin(&f, subgraph, step, -1);
    const int added = add_steps(&f, step, end), last = step + added - 1;
    if (added < 2) return kTfLiteOk;
    LiteEpilogue* kept;
    LITE_TRY(keep(subgraph, &f, last, &kept));
    leave_out(subgraph, &f, last);
    *next = last + 1;
    return kTfLiteOk;
}

// Products, and what is between them. Other steps may lie between these: they read nothing of them.

static bool is_result(const Fusion* f, int index) {
    for (int s = 0; s < f->epilogue.step_count; s++) {
        if (index == f->results[s]) return true;
    }
    return index == f->head;
}

static bool reads_result(const Fusion* f, int step) {
    const TfLiteIntArray* inputs = node_of(f->subgraph, step)->node.inputs;
    for (int i = 0; i < inputs->size; i++) {
        if (is_result(f, inputs->data[i])) return true;
    }
    return false;
}

static int last_result(const Fusion* f) {
    return f->epilogue.step_count > 0 ? f->results[f->epilogue.step_count - 1] : f->head;
}

// Adds the steps behind the source as far as they can be added. Returns the next one that reads a result, or
// -1: there is none.
static int add_steps_between(Fusion* f, int end) {
    const LiteSlot* slots = f->subgraph->slots;
    for (int step = f->first + 1; step < end && step <= slots[last_result(f)].last_use; step++) {
        if (reads_result(f, step) && !add_step(f, step)) return step;
    }
    return -1;
}

// Asks the node of the step whether it is a product; with product->block it gets ready.
static TfLiteStatus ask_product(LiteSubgraph* subgraph, int step, LiteRowProduct* product) {
    const TfLiteStatus status = lite_node_product(subgraph, node_of(subgraph, step), product);
    if (status == kTfLiteOk) return kTfLiteOk;
    subgraph->failed_step = step;
    lite_subgraph_fail(subgraph, "Node number %d (%s) failed to prepare.", subgraph->plan->data[step],
                       lite_node_name(node_of(subgraph, step)));
    return status;
}

// Whether the product of the step can be the last one: its left operand is what the steps give, and the right
// one is there.
static TfLiteStatus find_sink(Fusion* f, int step, bool* found) {
    LiteEpilogue* e = &f->epilogue;
    *found = false;
    if (step < 0 || e->step_count == 0 || e->steps[e->step_count - 1].per_row ||
        find_result(f->subgraph, step) < 0) {
        return kTfLiteOk;
    }
    LITE_TRY(ask_product(f->subgraph, step, &e->products->sink));
    if (e->products->sink.multiply == NULL) return kTfLiteOk;
    const TfLiteIntArray* inputs = node_of(f->subgraph, step)->node.inputs;
    *found = inputs->data[0] == last_result(f) && !is_result(f, inputs->data[1]) &&
             is_there(f->subgraph, inputs->data[1], step);
    return kTfLiteOk;
}

// Both products get ready for blocks, and the second one makes memory for them.
static TfLiteStatus get_ready(Fusion* f, int sink) {
    LiteEpilogue* e = &f->epilogue;
    e->products->source.block = e->products->sink.block = e->block;
    const int threads = f->subgraph->context.recommended_num_threads;
    if (e->threads > threads) e->threads = threads < 1 ? 1 : threads;
    LITE_TRY(ask_product(f->subgraph, f->first, &e->products->source));
    LITE_TRY(ask_product(f->subgraph, sink, &e->products->sink));
    e->products->sink.lent = lite_row_products_memory(e) * (size_t)e->threads;
    return ask_product(f->subgraph, sink, &e->products->sink);
}

// With the node of `step` as the source.
static TfLiteStatus fuse_products(LiteSubgraph* subgraph, int step, int end) {
    Fusion f;
    begin(&f, subgraph, step, find_result(subgraph, step));
    f.between = true;
    f.epilogue.products = &f.products;
    if (f.head < 0) return kTfLiteOk;
    LITE_TRY(ask_product(subgraph, step, &f.products.source));
    if (f.products.source.multiply == NULL) return kTfLiteOk;
    const TfLiteIntArray* inputs = node_of(subgraph, step)->node.inputs;
    for (int k = 0; k < 2; k++) {
        if (!is_there(subgraph, inputs->data[k], step)) return kTfLiteOk;
    }
    f.dims = dims_of(&f, f.head);
    const int last = add_steps_between(&f, end);
    bool found;
    LITE_TRY(find_sink(&f, last, &found));
    if (!found || !plan_steps(&f, last)) return kTfLiteOk;
    LITE_TRY(get_ready(&f, last));
    LiteEpilogue* kept;
    LITE_TRY(keep(subgraph, &f, last, &kept));
    leave_out(subgraph, &f, last);
    return kTfLiteOk;
}

TfLiteStatus lite_fuse_steps(LiteSubgraph* subgraph, int first, int end) {
    if (!LITE_HAS_TYPE(kTfLiteFloat32) || lite_cpu_path_compares() ||
        subgraph->interpreter->preserve_all_tensors)
        return kTfLiteOk;
    for (int step = first, next; step + 1 < end; step = next > step ? next : step + 1) {
        next = step;
        LITE_TRY(fuse_products(subgraph, step, end));
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

// Where the tensor is in this run, which is read.
static TfLiteStatus find_input(LiteSubgraph* subgraph, int index, const float** data) {
    const TfLiteTensor* tensor = lite_subgraph_tensor(subgraph, index);
    if (tensor->data_is_stale && tensor->delegate != NULL)
        LITE_TRY(lite_subgraph_make_readable(subgraph, index));
    *data = tensor->data.f;
    if (*data == NULL) return lite_subgraph_fail(subgraph, "Input tensor %d lacks data", index);
    return kTfLiteOk;
}

// What the products read is there.
static TfLiteStatus find_factors(LiteSubgraph* subgraph, int source, int sink, LiteEpilogue* epilogue) {
    const TfLiteIntArray* inputs = node_of(subgraph, source)->node.inputs;
    const float* data;
    LITE_TRY(find_input(subgraph, inputs->data[0], &data));
    LITE_TRY(find_input(subgraph, inputs->data[1], &data));
    LITE_TRY(find_input(subgraph, node_of(subgraph, sink)->node.inputs->data[1], &data));
    epilogue->memory = lite_subgraph_tensor(subgraph, epilogue->products->sink.memory)->data.raw;
    return kTfLiteOk;
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
            LITE_TRY(find_input(subgraph, operand->tensor, &operand->data));
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
    if (epilogue->products != NULL) LITE_TRY(find_factors(subgraph, step - node->fused, step, epilogue));
    epilogue->out = result->data.f;
    if (epilogue->out == NULL)
        return lite_subgraph_fail(subgraph, "Output tensor %d has no memory", node->node.outputs->data[0]);
    if (*head >= 0) result_of(subgraph, subgraph->nodes[*head])->data.raw = result->data.raw;
    return kTfLiteOk;
}

void lite_fuse_end(LiteSubgraph* subgraph, int head) {
    if (head >= 0) result_of(subgraph, subgraph->nodes[head])->data.raw = NULL;
}
