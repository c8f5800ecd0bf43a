// SPDX-License-Identifier: Apache-2.0
// Finding nodes: chains of operators, and what lies between tensors.
#include <string.h>

#include "core/edit/edit.h"
#include "core/edit/error.h"
#include "core/edit/node.h"

enum { kNobody = -1, kSeveral = -2 };

// Chains
// ----------------------------------------------------------------------------------------------------------

typedef struct Chains {
    const LiteModelSubgraph* from;
    int* readers; // by tensor: the only node that reads it, kNobody, or kSeveral when others need it too
    bool* taken;  // by node
} Chains;

static void find_readers(const OcliteEdit* edit, int subgraph, Chains* c) {
    const LiteModelSubgraph* from = c->from;
    for (int t = 0; t < from->tensor_count; t++) c->readers[t] = kNobody;
    for (int i = 0; i < from->operator_count; i++) {
        const LiteModelInts inputs = from->operators[i].inputs;
        for (int j = 0; j < inputs.count; j++) {
            if (inputs.data[j] < 0) continue;
            int* reader = &c->readers[inputs.data[j]];
            *reader = *reader == kNobody || *reader == i ? i : kSeveral;
        }
    }
    for (int i = 0; i < from->outputs.count; i++) c->readers[from->outputs.data[i]] = kSeveral;
    for (int i = 0; i < lite_model_signature_count(edit->model); i++) {
        const LiteModelSignature* signature = lite_model_signature(edit->model, i);
        if (signature->subgraph != subgraph) continue;
        for (int j = 0; j < signature->output_count; j++) c->readers[signature->outputs[j].tensor] = kSeveral;
    }
}

// The only node that reads what `node` makes, or kNobody.
static int next_in_chain(const Chains* c, int node) {
    const LiteModelInts outputs = c->from->operators[node].outputs;
    int next = kNobody;
    for (int i = 0; i < outputs.count; i++) {
        const int reader = c->readers[outputs.data[i]];
        if (reader == kNobody) continue;
        if (reader == kSeveral || (next != kNobody && next != reader)) return kNobody;
        next = reader;
    }
    return next;
}

static bool match_chain(const Chains* c, int node, const char* const* ops, int op_count, int* chain) {
    for (int i = 0; i < op_count; i++) {
        if (node == kNobody || c->taken[node]) return false;
        if (strcmp(lite_edit_name(&c->from->operators[node]), ops[i]) != 0) return false;
        chain[i] = node;
        if (i + 1 < op_count) node = next_in_chain(c, node);
    }
    return true;
}

static TfLiteStatus check_chain(const char* const* ops, int op_count) {
    if (op_count < 1) return lite_edit_fail("a chain needs an operator");
    LITE_TRY(lite_edit_need(ops, "ops"));
    for (int i = 0; i < op_count; i++) {
        if (ops[i] == NULL) return lite_edit_fail("operator %d of the chain is NULL", i);
    }
    return kTfLiteOk;
}

int oclite_edit_find_chains(const OcliteEdit* edit, int subgraph, const char* const* ops, int op_count,
                            int* nodes, int most) {
    lite_edit_begin();
    Chains c = {.from = lite_edit_subgraph(edit, subgraph)};
    LiteArena arena = {NULL};
    int found = 0;
    if (c.from == NULL || check_chain(ops, op_count) != kTfLiteOk ||
        lite_edit_need_array(nodes, most, "nodes") != kTfLiteOk)
        return -1;
    c.readers = lite_arena_alloc(&arena, (size_t)c.from->tensor_count, sizeof(int));
    c.taken = lite_arena_alloc(&arena, (size_t)c.from->operator_count, sizeof(bool));
    int* chain = lite_arena_alloc(&arena, (size_t)op_count, sizeof(int));
    if (c.readers == NULL || c.taken == NULL || chain == NULL) {
        lite_arena_free(&arena);
        lite_edit_fail("out of memory");
        return -1;
    }
    find_readers(edit, subgraph, &c);
    for (int i = 0; i < c.from->operator_count; i++) {
        if (!match_chain(&c, i, ops, op_count, chain)) continue;
        for (int j = 0; j < op_count; j++) c.taken[chain[j]] = true;
        if (found < most)
            memcpy(nodes + (size_t)found * (size_t)op_count, chain, (size_t)op_count * sizeof(int));
        found++;
    }
    lite_arena_free(&arena);
    return found;
}

// Between tensors
// --------------------------------------------------------------------------------------------------

typedef struct Between {
    const LiteModelSubgraph* from;
    int* makers;  // by tensor: the node, or kNobody
    bool* given;  // by tensor: one of those that nodes begin with
    bool* wanted; // by node
    int* left;    // nodes whose inputs are to be followed
    int left_count;
} Between;

// A tensor that is needed: the node that makes it is wanted. Fails for an input that is not given.
static TfLiteStatus follow(Between* b, int tensor) {
    const LiteModelTensor* t = &b->from->tensors[tensor];
    if (b->given[tensor]) return kTfLiteOk;
    const int maker = b->makers[tensor];
    if (maker == kNobody) {
        for (int i = 0; i < b->from->inputs.count; i++) {
            if (b->from->inputs.data[i] != tensor) continue;
            return lite_edit_fail(
                "tensor %d (%.200s), an input of the model, is needed too, but not among those "
                "to begin with",
                tensor, t->name);
        }
        return kTfLiteOk; // a constant or a variable
    }
    if (!b->wanted[maker]) b->left[b->left_count++] = maker;
    b->wanted[maker] = true;
    return kTfLiteOk;
}

static TfLiteStatus mark_between(Between* b, const int* from, int from_count, const int* to, int to_count) {
    const int tensors = b->from->tensor_count;
    for (int t = 0; t < tensors; t++) b->makers[t] = kNobody;
    for (int i = 0; i < b->from->operator_count; i++) {
        const LiteModelInts outputs = b->from->operators[i].outputs;
        for (int j = 0; j < outputs.count; j++) b->makers[outputs.data[j]] = i;
    }
    for (int64_t i = 0; i < (int64_t)from_count + to_count; i++) {
        const int tensor = i < from_count ? from[i] : to[i - from_count];
        if (tensor < 0 || tensor >= tensors) {
            return lite_edit_fail("there is no tensor %d: the subgraph has %d", tensor, tensors);
        }
        if (i < from_count)
            b->given[tensor] = true;
        else
            LITE_TRY(follow(b, tensor));
    }
    while (b->left_count > 0) {
        const LiteModelInts inputs = b->from->operators[b->left[--b->left_count]].inputs;
        for (int i = 0; i < inputs.count; i++) {
            if (inputs.data[i] >= 0) LITE_TRY(follow(b, inputs.data[i]));
        }
    }
    return kTfLiteOk;
}

int oclite_edit_find_between(const OcliteEdit* edit, int subgraph, const int* from, int from_count,
                             const int* to, int to_count, int* nodes, int most) {
    lite_edit_begin();
    Between b = {.from = lite_edit_subgraph(edit, subgraph)};
    LiteArena arena = {NULL};
    int found = -1;
    if (b.from == NULL || lite_edit_need_array(from, from_count, "from") != kTfLiteOk ||
        lite_edit_need_array(to, to_count, "to") != kTfLiteOk ||
        lite_edit_need_array(nodes, most, "nodes") != kTfLiteOk)
        return -1;
    b.makers = lite_arena_alloc(&arena, (size_t)b.from->tensor_count, sizeof(int));
    b.given = lite_arena_alloc(&arena, (size_t)b.from->tensor_count, sizeof(bool));
    b.wanted = lite_arena_alloc(&arena, (size_t)b.from->operator_count, sizeof(bool));
    b.left = lite_arena_alloc(&arena, (size_t)b.from->operator_count, sizeof(int));
    if (b.makers == NULL || b.given == NULL || b.wanted == NULL || b.left == NULL) {
        lite_edit_fail("out of memory");
    } else if (mark_between(&b, from, from_count, to, to_count) == kTfLiteOk) {
        found = 0;
        for (int i = 0; i < b.from->operator_count; i++) {
            if (b.wanted[i] && found++ < most) nodes[found - 1] = i;
        }
    }
    lite_arena_free(&arena);
    return found;
}
