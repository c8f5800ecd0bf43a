// SPDX-License-Identifier: Apache-2.0
#include "core/semantics/sparse.h"

#include <string.h>

#define MAX_LEVELS (2 * LITE_MAX_RANK)

// One level of the nested loops over stored elements. Level i walks dimension traversal[i]: one of the
// tensor's, or (from `rank` on) the inner part of the blocked one block_map names.
typedef struct Level {
    bool compressed;
    int32_t size;     // dense length
    int64_t stride;   // elements of the dense tensor per step
    int32_t segments; // of a compressed level
    const int32_t* segment;
    int32_t indices;
    const int32_t* index;
} Level;

typedef struct Expansion {
    Level levels[MAX_LEVELS];
    int count;
    size_t element;
    const char* values;
    size_t stored; // elements in values
    size_t next;   // stored element that comes next
    int64_t total; // elements of the dense tensor
    char* dense;
} Expansion;

static bool check_level(const TfLiteDimensionMetadata* metadata, Level* level) {
    level->compressed = metadata->format == kTfLiteDimSparseCSR;
    if (!level->compressed) return true;
    if (metadata->array_segments == NULL || metadata->array_indices == NULL) return false;
    level->segments = metadata->array_segments->size;
    level->segment = metadata->array_segments->data;
    level->indices = metadata->array_indices->size;
    level->index = metadata->array_indices->data;
    for (int i = 0; i < level->segments; i++) {
        const int32_t low = i > 0 ? level->segment[i - 1] : 0;
        if (level->segment[i] < low || level->segment[i] > level->indices) return false;
    }
    for (int i = 0; i < level->indices; i++) {
        if (level->index[i] < 0 || level->index[i] >= level->size) return false;
    }
    return true;
}

// Lengths and strides of the levels from the shape, the traversal order and the block map.
static bool plan_levels(const TfLiteSparsity* s, const LiteShape* shape, Expansion* e) {
    const int rank = shape->rank;
    const int blocks = s->block_map == NULL ? 0 : s->block_map->size;
    if (s->traversal_order == NULL || s->dim_metadata == NULL || blocks < 0 || rank + blocks > MAX_LEVELS ||
        s->dim_metadata_size != rank + blocks || s->traversal_order->size != rank + blocks) {
        return false;
    }
    int32_t block_size[LITE_MAX_RANK]; // of each dimension, 1 when it is not blocked
    int64_t stride[LITE_MAX_RANK];
    int64_t elements = 1;
    for (int d = rank - 1; d >= 0; d--) {
        block_size[d] = 1;
        stride[d] = elements;
        elements *= shape->dims[d];
    }
    bool seen[MAX_LEVELS] = {false};
    int level_of[MAX_LEVELS] = {0};
    for (int i = 0; i < rank + blocks; i++) {
        const int d = s->traversal_order->data[i];
        if (d < 0 || d >= rank + blocks || seen[d]) return false;
        seen[d] = true;
        level_of[d] = i;
    }
    for (int b = 0; b < blocks; b++) {
        const int d = s->block_map->data[b];
        const int32_t size = s->dim_metadata[level_of[rank + b]].dense_size;
        if (d < 0 || d >= rank || block_size[d] != 1 || size < 1 || shape->dims[d] % size != 0) return false;
        block_size[d] = size;
        e->levels[level_of[rank + b]].size = size;
        e->levels[level_of[rank + b]].stride = stride[d];
    }
    for (int d = 0; d < rank; d++) {
        e->levels[level_of[d]].size = shape->dims[d] / block_size[d];
        e->levels[level_of[d]].stride = stride[d] * block_size[d];
    }
    e->count = rank + blocks;
    for (int i = 0; i < e->count; i++) {
        if (!check_level(&s->dim_metadata[i], &e->levels[i])) return false;
    }
    return true;
}

// `position` numbers the elements of all levels above; `at` is the place in the dense tensor. Recursion goes
// at most MAX_LEVELS deep.
static bool expand(Expansion* e, int depth, int64_t position, int64_t at) {
    if (depth == e->count) {
        if (e->next >= e->stored || at < 0 || at >= e->total) return false;
        memcpy(e->dense + (size_t)at * e->element, e->values + e->next++ * e->element, e->element);
        return true;
    }
    const Level* level = &e->levels[depth];
    if (!level->compressed) {
        for (int32_t i = 0; i < level->size; i++) {
            if (!expand(e, depth + 1, position * level->size + i, at + i * level->stride)) return false;
        }
        return true;
    }
    if (position + 1 >= level->segments) return false;
    for (int32_t i = level->segment[position]; i < level->segment[position + 1]; i++) {
        if (!expand(e, depth + 1, i, at + level->index[i] * level->stride)) return false;
    }
    return true;
}

TfLiteStatus lite_sparse_expand(const LiteReporter* reporter, const char* op, const TfLiteSparsity* sparsity,
                                const LiteShape* shape, size_t element, const void* values,
                                size_t value_bytes, void* dense) {
    Expansion e = {.element = element, .values = values, .dense = dense};
    e.total = lite_shape_elements(shape);
    e.stored = value_bytes / element;
    memset(dense, 0, (size_t)e.total * element);
    if (!plan_levels(sparsity, shape, &e)) {
        return lite_report(reporter, "%s: the sparsity parameters do not fit the tensor's shape", op);
    }
    if (!expand(&e, 0, 0, 0)) {
        return lite_report(reporter, "%s: the sparse tensor has fewer values than its indices say", op);
    }
    return kTfLiteOk;
}
