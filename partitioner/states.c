// SPDX-License-Identifier: Apache-2.0
// Open addressing; a hash of eight bytes at a time.
#include "partitioner/states.h"

#include <string.h>

#include "core/base/memory.h"

static bool grow(void** memory, size_t* capacity, size_t needed, size_t size) {
    if (needed <= *capacity) return true;
    lite_free(*memory); // the contents are of no use
    *capacity = 0;
    *memory = lite_calloc(needed, size);
    if (*memory == NULL) return false;
    *capacity = needed;
    return true;
}

bool lite_states_begin(LiteStates* states, size_t most, size_t width) {
    states->count = 0;
    states->width = width;
    size_t table_size = 16;
    while (table_size < 2 * most) table_size *= 2;
    void* list = states->list;
    void* bytes = states->bytes;
    void* table = states->table;
    size_t table_capacity = states->table_size;
    bool has_memory = grow(&list, &states->capacity, most, sizeof(LiteState));
    // One more, which is written before it is known to be equal to another.
    has_memory = grow(&bytes, &states->byte_capacity, (most + 1) * width, 1) && has_memory;
    has_memory = grow(&table, &table_capacity, table_size, sizeof(int)) && has_memory;
    states->list = list;
    states->bytes = bytes;
    states->table = table;
    states->table_size = has_memory ? table_size : 0;
    if (has_memory) memset(states->table, 0, table_size * sizeof(int));
    return has_memory;
}

void lite_states_free(LiteStates* states) {
    lite_free(states->list);
    lite_free(states->bytes);
    lite_free(states->table);
    lite_free(states->costs);
}

static uint32_t hash_of(const unsigned char* bytes, size_t width) {
    uint64_t hash = width;
    for (size_t i = 0; i < width; i += 8) {
        uint64_t word;
        memcpy(&word, bytes + i, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 29;
    }
    return (uint32_t)(hash >> 16);
}

void lite_states_add(LiteStates* states, LiteState state) {
    const unsigned char* bytes = lite_states_next(states);
    state.hash = hash_of(bytes, states->width);
    const size_t mask = states->table_size - 1;
    size_t at = state.hash & mask;
    for (; states->table[at] != 0; at = (at + 1) & mask) {
        LiteState* other = &states->list[states->table[at] - 1];
        if (other->hash != state.hash ||
            memcmp(lite_states_bytes(states, states->table[at] - 1), bytes, states->width) != 0) {
            continue;
        }
        if (state.cost_ns < other->cost_ns) *other = state;
        return;
    }
    states->list[states->count] = state;
    states->table[at] = ++states->count;
}

// The value that is `rank`-th in ascending order, from 0 on. The values change places.
static int64_t select_value(int64_t* values, int count, int rank) {
    int low = 0, high = count - 1;
    while (low < high) {
        const int64_t pivot = values[low + (high - low) / 2];
        int i = low, j = high;
        while (i <= j) {
            while (values[i] < pivot) i++;
            while (values[j] > pivot) j--;
            if (i > j) break;
            const int64_t value = values[i];
            values[i++] = values[j];
            values[j--] = value;
        }
        if (rank <= j) {
            high = j;
        } else if (rank >= i) {
            low = i;
        } else {
            break;
        }
    }
    return values[rank];
}

bool lite_states_keep(LiteStates* states, int most) {
    if (states->count <= most) return true;
    void* costs = states->costs;
    const bool has_memory = grow(&costs, &states->cost_capacity, (size_t)states->count, sizeof(int64_t));
    states->costs = costs;
    if (!has_memory) return false;
    for (int i = 0; i < states->count; i++) states->costs[i] = states->list[i].cost_ns;
    const int64_t dearest = select_value(states->costs, states->count, most - 1);
    int equal = most; // how many of the dearest cost are kept
    for (int i = 0; i < states->count; i++) equal -= states->list[i].cost_ns < dearest;
    int kept = 0;
    for (int i = 0; i < states->count; i++) {
        const int64_t cost = states->list[i].cost_ns;
        if (cost > dearest || (cost == dearest && equal-- <= 0)) continue;
        if (kept != i) {
            states->list[kept] = states->list[i];
            memcpy(lite_states_bytes(states, kept), lite_states_bytes(states, i), states->width);
        }
        kept++;
    }
    states->count = kept;
    return true;
}
