// SPDX-License-Identifier: Apache-2.0
// A node that only copies, one piece to one piece, needs not do so where the two tensors can have the same
// memory: the output of RESHAPE or SPLIT inside the input, the inputs of CONCATENATION inside the output.
// Both are written once, by one node; so as long as either is alive it holds what it should.
// The output of an elementwise node may take the memory of an input which nobody reads after that node.
#include "core/graph/alias.h"

#include "core/base/cpu_path.h"
#include "core/base/lines.h"
#include "core/graph/graph.h"
#include "core/graph/subgraph.h"

enum {
    // A tensor that lives in another's memory keeps all of that alive. So small ones may always do that.
    kSmallBytes = 256 * 1024,
    // Of larger ones those that are at least a so manieth part of the other.
    kShare = 4,
};

typedef struct Finding {
    LiteSubgraph* subgraph;
    int first, end; // steps
    bool (*in_arena)(const LiteSubgraph* subgraph, size_t tensor, int first, int end);
} Finding;

int lite_alias_root(const LiteSubgraph* subgraph, int tensor, size_t* offset) {
    *offset = 0;
    for (; subgraph->slots[tensor].within >= 0; tensor = subgraph->slots[tensor].within) {
        *offset += subgraph->slots[tensor].offset;
    }
    return tensor;
}

// Whether the memory of a tensor is the arena's, only one node ever writes it, and no delegate knows where it
// is: a device may take the memory of each of its tensors for its own.
static bool is_own(const Finding* f, int tensor) {
    const TfLiteTensor* of_index = lite_subgraph_tensor(f->subgraph, tensor);
    if (of_index == NULL || of_index->delegate != NULL) return false;
    const LiteSlot* slot = &f->subgraph->slots[tensor];
    if (slot->rewritten || slot->is_delegated) return false;
    return f->in_arena(f->subgraph, (size_t)tensor, f->first, f->end);
}

static bool is_worth(const LiteSubgraph* subgraph, const LitePlace* place) {
    const size_t part = lite_subgraph_tensor(subgraph, place->tensor)->bytes;
    const size_t whole = lite_subgraph_tensor(subgraph, place->within)->bytes;
    return whole <= kSmallBytes || part >= whole / kShare;
}

// Whether nobody reads what is in the memory of tensor `root` after the node of this step, and the node reads
// it only where `offset` is.
static bool ends_here(const Finding* f, int step, int root, size_t offset) {
    const LiteSubgraph* subgraph = f->subgraph;
    if (subgraph->slots[root].usage != step) return false;
    const TfLiteIntArray* inputs = subgraph->nodes[subgraph->plan->data[step]]->node.inputs;
    for (int i = 0; i < inputs->size; i++) {
        size_t at;
        if (inputs->data[i] < 0 || lite_alias_root(subgraph, inputs->data[i], &at) != root) continue;
        if (at != offset) return false;
    }
    return true;
}

// Whether the tensor is now where the place says.
static bool take_place(const Finding* f, int step, const LitePlace* place) {
    LiteSubgraph* subgraph = f->subgraph;
    if (!is_own(f, place->tensor) || !is_own(f, place->within) || !is_worth(subgraph, place)) return false;
    const TfLiteTensor* part = lite_subgraph_tensor(subgraph, place->tensor);
    const TfLiteTensor* whole = lite_subgraph_tensor(subgraph, place->within);
    if (place->offset % kTensorAlignment != 0 || place->offset > whole->bytes ||
        part->bytes > whole->bytes - place->offset) {
        return false;
    }
    size_t at, base;
    const int root = lite_alias_root(subgraph, place->tensor, &at);
    const int goal = lite_alias_root(subgraph, place->within, &base);
    if (root == goal) return at == base + place->offset;
    // What the tensor is a part of may move with it when it is no larger.
    if (at != 0 || lite_subgraph_tensor(subgraph, root)->bytes != part->bytes) return false;
    if (place->is_over && (root != place->tensor || !ends_here(f, step, goal, base))) return false;
    subgraph->slots[root].within = goal;
    subgraph->slots[root].offset = base + place->offset;
    if (subgraph->slots[goal].usage < subgraph->slots[root].usage) {
        subgraph->slots[goal].usage = subgraph->slots[root].usage;
    }
    return true;
}

static void find_of_step(const Finding* f, int step) {
    LiteNode* node = f->subgraph->nodes[f->subgraph->plan->data[step]];
    lite_alias_forget(node);
    // Those that run with others read and write elsewhere.
    if (node->folded || node->left_to > 0 || node->epilogue != NULL || node->joined_input > 0 ||
        node->node.delegate != NULL || node->methods->op.lines == NULL ||
        node->methods->op.lines->find_places == NULL) {
        return;
    }
    TfLiteOpaqueContext* context = lite_subgraph_context(f->subgraph);
    LitePlaces places = {0};
    int taken = 0;
    if (node->methods->op.lines->find_places(context, (TfLiteOpaqueNode*)&node->node, &places)) {
        for (int i = 0; i < places.count; i++) taken += take_place(f, step, &places.data[i]);
    }
    if (taken > 0 && taken == places.count && !places.is_partly) node->places = lite_malloc(sizeof places);
    if (node->places != NULL) {
        *node->places = places;
    } else {
        lite_places_clear(&places);
    }
}

void lite_alias_find(LiteSubgraph* subgraph, int first, int end,
                     bool (*in_arena)(const LiteSubgraph* subgraph, size_t tensor, int first, int end)) {
    const Finding f = {.subgraph = subgraph, .first = first, .end = end, .in_arena = in_arena};
    for (size_t i = 0; i < subgraph->context.tensors_size; i++) {
        LiteSlot* slot = &subgraph->slots[i];
        if (slot->first_write < 0 || slot->first_write >= first) slot->within = -1;
        slot->usage = slot->last_use;
    }
    // On the path for comparisons each node is on its own, and who reads all tensors may write them, too.
    if (lite_cpu_path() == kLiteCpuReference || subgraph->interpreter->preserve_all_tensors) {
        for (int step = first; step < end; step++)
            lite_alias_forget(subgraph->nodes[subgraph->plan->data[step]]);
        return;
    }
    for (int step = first; step < end; step++) find_of_step(&f, step);
}

bool lite_alias_is_done(const LiteSubgraph* subgraph, const LiteNode* node) {
    const LitePlaces* places = node->places;
    // A program or kernel may have put a tensor elsewhere since.
    for (int i = 0; i < places->count; i++) {
        const LitePlace* place = &places->data[i];
        const TfLiteTensor* tensors = subgraph->context.tensors;
        if (tensors[place->tensor].data.raw != tensors[place->within].data.raw + place->offset) return false;
    }
    return places->count > 0;
}

void lite_alias_forget(LiteNode* node) {
    lite_places_destroy(node->places);
    node->places = NULL;
}
