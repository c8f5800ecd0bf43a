// SPDX-License-Identifier: Apache-2.0
// UNIQUE lists the different elements of a vector in their order, and for each element says which of them it
// is.
#include <math.h>
#include <string.h>

#include "core/base/cancel.h"
#include "kernels-cpu/support/ranking.h"
#include "kernels-cpu/support/size.h"

enum {
    kFirstSlots = 256, // of a table that is empty
    kGrowth = 4,       // of a full one
};

static TfLiteStatus unique_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const TfLiteUniqueParams* params = TfLiteOpaqueNodeGetBuiltinData(node);
    if (params == NULL) return lite_fail(context, "UNIQUE: no parameters");
    LiteView input, values, indices;
    LITE_TRY(lite_kernel_check_counts(context, node, "UNIQUE", 1, 1, 2));
    LITE_TRY(lite_kernel_input(context, node, "UNIQUE", 0, &input));
    LITE_TRY(lite_kernel_output(context, node, "UNIQUE", 0, &values));
    LITE_TRY(lite_kernel_output(context, node, "UNIQUE", 1, &indices));
    if (!lite_ranking_supports(input.type)) {
        return lite_fail(context, "UNIQUE: input of type %s is not supported", TfLiteTypeGetName(input.type));
    }
    LITE_TRY(lite_check_same_type(context, "UNIQUE", &input, &values));
    LITE_TRY(lite_check_types(context, "UNIQUE", "indices", &indices, LITE_TYPE(Int32) | LITE_TYPE(Int64)));
    // As in the reference: everything but INT64 means INT32.
    const TfLiteType wanted = params->index_out_type == kTfLiteInt64 ? kTfLiteInt64 : kTfLiteInt32;
    if (indices.type != wanted) {
        return lite_fail(context, "UNIQUE: indices of type %s, parameters say %s",
                         TfLiteTypeGetName(indices.type), TfLiteTypeGetName(wanted));
    }
    if (input.shape.rank != 1) {
        return lite_fail(context, "UNIQUE: input has %d dimensions, expected 1", input.shape.rank);
    }
    lite_kernel_set_dynamic(values.tensor);
    return lite_kernel_resize(context, indices.tensor, &input.shape);
}

// What stands for an element in comparisons: its bits, the same for 0 and -0.
static inline uint64_t key_at(const LiteView* view, int64_t at, size_t size, bool is_float) {
    uint64_t bits = 0;
    memcpy(&bits, (const char*)view->data + (size_t)at * size, size);
    return is_float && ((const float*)view->data)[at] == 0.0f ? 0 : bits;
}

static inline uint64_t hash(uint64_t key) {
    const uint64_t bits = key * UINT64_C(0x9E3779B97F4A7C15);
    return (bits ^ bits >> 32) * UINT64_C(0x9E3779B97F4A7C15) >> 16;
}

// A hash table: where a value comes first, -1 for none, and the value's number. A power of 2 of them, at
// least twice as many as there are values in it, so few where these are few.
typedef struct Slot {
    int32_t place, number;
} Slot;

typedef struct Table {
    LiteArena arena;
    Slot* slots;
    uint64_t count;
    uint64_t used;
} Table;

// The slot of a key, or a free one for it; NULL when cancelled.
static inline Slot* find_slot(const Table* table, const LiteView* input, uint64_t key, size_t size,
                              bool is_float) {
    const uint64_t mask = table->count - 1;
    uint64_t at = hash(key) & mask;
    while (table->slots[at].place >= 0 && key_at(input, table->slots[at].place, size, is_float) != key) {
        at = (at + 1) & mask;
        if (lite_cancelled_at((int64_t)at)) return NULL;
    }
    return &table->slots[at];
}

static inline bool grow(Table* table, const LiteView* input, size_t size, bool is_float) {
    const Table old = *table;
    table->count = old.count > 0 ? old.count * kGrowth : kFirstSlots;
    table->slots = lite_arena_alloc(&table->arena, table->count, sizeof(Slot));
    if (table->slots == NULL) return false;
    for (uint64_t i = 0; i < table->count; i++) table->slots[i].place = -1;
    for (uint64_t i = 0; i < old.count; i++) {
        const Slot slot = old.slots[i];
        if (slot.place < 0) continue;
        const uint64_t key = key_at(input, slot.place, size, is_float);
        Slot* moved = find_slot(table, input, key, size, is_float);
        if (moved == NULL) break;
        *moved = slot;
    }
    return true;
}

// Gives each element the number of its value, in the order in which these come. Returns how many there are,
// or -1 without memory.
static inline int64_t number_elements(Table* table, const LiteView* input, const LiteView* indices,
                                      size_t size, bool is_float) {
    int32_t different = 0;
    for (int64_t i = 0; i < input->count && !lite_cancelled_at(i); i++) {
        int32_t number = different;
        const bool is_nan = is_float && isnan(((const float*)input->data)[i]); // like no other
        if (2 * table->used >= table->count && !grow(table, input, size, is_float)) return -1;
        if (!is_nan) {
            Slot* slot = find_slot(table, input, key_at(input, i, size, is_float), size, is_float);
            if (slot == NULL) break;
            if (slot->place < 0) {
                *slot = (Slot){(int32_t)i, number};
                table->used++;
            }
            number = slot->number;
        }
        if (number == different) different++;
        if (indices->type == kTfLiteInt64) {
            ((int64_t*)indices->data)[i] = number;
        } else {
            ((int32_t*)indices->data)[i] = number;
        }
    }
    return different;
}

// The same, with a loop for each size.
static int64_t number_values(Table* table, const LiteView* input, const LiteView* indices) {
    if (input->type == kTfLiteFloat32) return number_elements(table, input, indices, sizeof(float), true);
    switch (lite_type_size(input->type)) {
    case 1:
        return number_elements(table, input, indices, 1, false);
    case 2:
        return number_elements(table, input, indices, 2, false);
    case 4:
        return number_elements(table, input, indices, 4, false);
    default:
        return number_elements(table, input, indices, 8, false);
    }
}

// The first element with each number.
static void copy_values(const LiteView* input, const LiteView* indices, const LiteView* values) {
    const size_t size = lite_type_size(input->type);
    const bool is_wide = indices->type == kTfLiteInt64;
    int64_t next = 0;
    for (int64_t i = 0; next < values->count && i < input->count && !lite_cancelled_at(i); i++) {
        const int64_t number =
            is_wide ? ((const int64_t*)indices->data)[i] : ((const int32_t*)indices->data)[i];
        if (number != next) continue;
        memcpy((char*)values->data + (size_t)next++ * size, (const char*)input->data + (size_t)i * size,
               size);
    }
}

static TfLiteStatus unique_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    LiteView input, values, indices;
    LITE_TRY(lite_kernel_input(context, node, "UNIQUE", 0, &input));
    LITE_TRY(lite_kernel_output(context, node, "UNIQUE", 0, &values));
    LITE_TRY(lite_kernel_output(context, node, "UNIQUE", 1, &indices));
    Table table = {0};
    const int64_t different = input.count > INT32_MAX ? -1 : number_values(&table, &input, &indices);
    lite_arena_free(&table.arena);
    if (different < 0) return lite_fail(context, "UNIQUE: out of memory");
    if (lite_cancelled()) return kTfLiteOk;
    LITE_TRY(
        lite_kernel_resize(context, values.tensor, &(LiteShape){.rank = 1, .dims = {(int32_t)different}}));
    LITE_TRY(lite_kernel_output(context, node, "UNIQUE", 0, &values));
    copy_values(&input, &indices, &values);
    return kTfLiteOk;
}

const LiteKernel lite_kernel_UNIQUE = {.prepare = unique_prepare, .invoke = unique_invoke};
