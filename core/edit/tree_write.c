// SPDX-License-Identifier: Apache-2.0
// The file has, in this order: tables, each after its vtable; strings and vectors; what is outside.
#include "core/edit/tree_write.h"

#include <stdlib.h>
#include <string.h>

#include "core/edit/tree_internal.h"

static const size_t kMaxReached = INT32_MAX; // by offsets

// A string, vector or outside part that is still to be written, and where its offset is.
typedef struct Target {
    size_t slot;
    const LiteTreeNode* node;
} Target;

typedef struct Writer {
    const LiteReporter* reporter;
    uint8_t* data;
    size_t size;
    size_t capacity;
    Target* targets;
    size_t target_count;
    size_t target_capacity;
} Writer;

static TfLiteStatus reserve(Writer* w, size_t size) {
    if (size <= w->capacity) return kTfLiteOk;
    const size_t capacity = size + size / 2 + 256;
    uint8_t* data = lite_realloc(w->data, capacity);
    if (data == NULL) return lite_report(w->reporter, "out of memory for a model of %zu bytes", size);
    w->data = data;
    w->capacity = capacity;
    return kTfLiteOk;
}

// Appends zeros until `offset` bytes further is a multiple of `alignment`; then `size` bytes, zeros when
// `data` is NULL, which begin at *at.
static TfLiteStatus append(Writer* w, const void* data, size_t size, size_t alignment, size_t offset,
                           size_t* at) {
    size_t begin = w->size;
    while (alignment > 1 && (begin + offset) % alignment != 0) begin++;
    if (size > SIZE_MAX / 4 - begin) return lite_report(w->reporter, "%zu bytes are too many", size);
    LITE_TRY(reserve(w, begin + size));
    memset(w->data + w->size, 0, begin - w->size);
    if (data == NULL && size > 0) memset(w->data + begin, 0, size);
    if (data != NULL && size > 0) memcpy(w->data + begin, data, size);
    w->size = begin + size;
    *at = begin;
    return kTfLiteOk;
}

static void put(Writer* w, size_t at, uint64_t bits, size_t width) {
    memcpy(w->data + at, &bits, width);
}

// Lets the offset stored at `slot` lead to `target`.
static void link_to(Writer* w, size_t slot, size_t target) {
    put(w, slot, target - slot, 4);
}

static TfLiteStatus write_table(Writer* w, const LiteTreeTable* table, size_t* at);

// Lets the offset stored at `slot` lead to `table`.
static TfLiteStatus link_table(Writer* w, LiteTreeTable* table, size_t slot) {
    if (table->slots == NULL) {
        table->slots = lite_tree_alloc(table->tree, (size_t)table->parents, sizeof(*table->slots));
        if (table->slots == NULL) return lite_report(w->reporter, "out of memory");
    }
    table->slots[table->slot_count++] = slot;
    if (table->slot_count < table->parents) return kTfLiteOk;
    size_t at;
    LITE_TRY(write_table(w, table, &at));
    for (int i = 0; i < table->slot_count; i++) link_to(w, table->slots[i], at);
    return kTfLiteOk;
}

static TfLiteStatus write_tables(Writer* w, const LiteTreeNode* node, size_t slot) {
    size_t at;
    LITE_TRY(append(w, NULL, 4 + 4 * node->count, 4, 0, &at));
    put(w, at, node->count, 4);
    link_to(w, slot, at);
    for (size_t i = 0; i < node->count; i++) LITE_TRY(link_table(w, node->tables[i], at + 4 + 4 * i));
    return kTfLiteOk;
}

static TfLiteStatus keep_target(Writer* w, const LiteTreeNode* node, size_t slot) {
    if (w->target_count == w->target_capacity) {
        const size_t capacity = 2 * w->target_capacity + 64;
        Target* targets = lite_realloc(w->targets, capacity * sizeof(*targets));
        if (targets == NULL) return lite_report(w->reporter, "out of memory");
        w->targets = targets;
        w->target_capacity = capacity;
    }
    w->targets[w->target_count++] = (Target){slot, node};
    return kTfLiteOk;
}

// What the field stored at `slot` leads to.
static TfLiteStatus write_target(Writer* w, const LiteTreeNode* node, size_t slot) {
    switch (node->kind) {
    case kLiteTreeTable:
        return link_table(w, node->tables[0], slot);
    case kLiteTreeTables:
        return write_tables(w, node, slot);
    case kLiteTreeString:
    case kLiteTreeVector:
    case kLiteTreeOutside:
        return keep_target(w, node, slot);
    default:
        return kTfLiteOk;
    }
}

static size_t width_of(const LiteTreeNode* node) {
    return node->kind == kLiteTreeScalar ? node->width : node->kind == kLiteTreeOutside ? 8 : 4;
}

static TfLiteStatus write_table(Writer* w, const LiteTreeTable* table, size_t* at) {
    int count = 0;
    for (int id = 0; id < table->field_count; id++) {
        if (table->fields[id].kind != kLiteTreeAbsent) count = id + 1;
    }
    const size_t vtable_size = 4 + 2 * (size_t)count;
    size_t vtable, slot;
    LITE_TRY(append(w, NULL, vtable_size, 2, 0, &vtable));
    LITE_TRY(append(w, NULL, 4, 4, 0, at));
    put(w, *at, *at - vtable, 4);
    for (int id = 0; id < count; id++) {
        const LiteTreeNode* node = &table->fields[id];
        if (node->kind == kLiteTreeAbsent) continue;
        const size_t width = width_of(node);
        LITE_TRY(append(w, node->kind == kLiteTreeScalar ? &node->bits : NULL, width, width, 0, &slot));
        put(w, vtable + 4 + 2 * (size_t)id, slot - *at, 2);
    }
    put(w, vtable, vtable_size, 2);
    put(w, vtable + 2, w->size - *at, 2);
    for (int id = 0; id < count; id++) {
        const size_t offset = lite_flat_load_u16(w->data + vtable + 4 + 2 * (size_t)id);
        LITE_TRY(write_target(w, &table->fields[id], *at + offset));
    }
    return kTfLiteOk;
}

// What is outside comes last. The rest is in the order in which it lies in memory, so that what is the same
// comes side by side.
static int compare_targets(const void* a, const void* b) {
    const Target* s = a;
    const Target* t = b;
    const LiteTreeNode* x = s->node;
    const LiteTreeNode* y = t->node;
    const bool x_outside = x->kind == kLiteTreeOutside, y_outside = y->kind == kLiteTreeOutside;
    if (x_outside != y_outside) return x_outside ? 1 : -1;
    if (x->data != y->data) return (uintptr_t)x->data < (uintptr_t)y->data ? -1 : 1;
    if (x->count != y->count) return x->count < y->count ? -1 : 1;
    if (x->width != y->width) return x->width < y->width ? -1 : 1;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    if (x->alignment != y->alignment) return x->alignment < y->alignment ? 1 : -1; // the greater one first
    return s->slot < t->slot ? -1 : s->slot > t->slot;
}

static bool is_same(const LiteTreeNode* x, const LiteTreeNode* y) {
    return x->kind == y->kind && x->data == y->data && x->count == y->count && x->width == y->width;
}

static TfLiteStatus write_vector(Writer* w, const LiteTreeNode* node, size_t* at) {
    if (node->kind == kLiteTreeOutside) return append(w, node->data, node->count, 16, 0, at);
    size_t unused;
    LITE_TRY(append(w, NULL, 4, node->alignment < 4 ? 4 : node->alignment, 4, at));
    put(w, *at, node->count, 4);
    LITE_TRY(append(w, node->data, node->count * node->width, 1, 0, &unused));
    if (node->kind == kLiteTreeString) LITE_TRY(append(w, NULL, 1, 1, 0, &unused));
    if (w->size <= kMaxReached) return kTfLiteOk;
    return lite_report(w->reporter, "the model has more than 2 GiB that are not outside of its tables");
}

static TfLiteStatus write_targets(Writer* w) {
    if (w->target_count > 0) qsort(w->targets, w->target_count, sizeof(*w->targets), compare_targets);
    size_t at = 0;
    for (size_t i = 0; i < w->target_count; i++) {
        const LiteTreeNode* node = w->targets[i].node;
        const bool repeated = i > 0 && is_same(node, w->targets[i - 1].node);
        if (!repeated) LITE_TRY(write_vector(w, node, &at));
        if (node->kind == kLiteTreeOutside)
            put(w, w->targets[i].slot, at, 8);
        else
            link_to(w, w->targets[i].slot, at);
    }
    return kTfLiteOk;
}

static TfLiteStatus write_file(Writer* w, const LiteTree* tree, const char* identifier) {
    if (tree->out_of_memory) return lite_report(w->reporter, "out of memory");
    if (tree->unknown != NULL) {
        return lite_report(w->reporter, "%s: has something that this version does not know, and would lose",
                           tree->unknown);
    }
    size_t at;
    LITE_TRY(append(w, NULL, 4, 1, 0, &at));
    LITE_TRY(append(w, identifier, 4, 1, 0, &at));
    LITE_TRY(write_table(w, tree->root, &at));
    link_to(w, 0, at);
    return write_targets(w);
}

TfLiteStatus lite_tree_finish(LiteTree* tree, const char* identifier, const LiteReporter* reporter,
                              uint8_t** data, size_t* size) {
    Writer w = {.reporter = reporter};
    const TfLiteStatus status = write_file(&w, tree, identifier);
    lite_free(w.targets);
    if (status != kTfLiteOk) {
        lite_free(w.data);
        return status;
    }
    *data = w.data;
    *size = w.size;
    return kTfLiteOk;
}
