// SPDX-License-Identifier: Apache-2.0
// The states of one position of the search: a list, and a table that finds equal ones.
#ifndef PARTITIONER_STATES_H_
#define PARTITIONER_STATES_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct LiteState {
    int64_t cost_ns;
    int top;       // the highest odd epoch that has a node, -1: none
    uint32_t from; // twice the number of the state that it came from, plus 1 for the device
    uint32_t hash;
} LiteState;

typedef struct LiteStates {
    int count;
    size_t width; // bytes of one state, a multiple of 8
    LiteState* list;
    unsigned char* bytes; // state i: bytes + i * width
    int* table;           // number of a state plus one; 0: free
    size_t capacity;      // of the list
    size_t byte_capacity;
    size_t table_size; // a power of two
    int64_t* costs;    // for lite_states_keep
    size_t cost_capacity;
} LiteStates;

// Makes it empty, with room for `most` states of `width` bytes. False: out of memory.
bool lite_states_begin(LiteStates* states, size_t most, size_t width);
void lite_states_free(LiteStates* states);

static inline unsigned char* lite_states_bytes(const LiteStates* states, int number) {
    return states->bytes + (size_t)number * states->width;
}

// Where the bytes of the next state are to be written before lite_states_add.
static inline unsigned char* lite_states_next(const LiteStates* states) {
    return lite_states_bytes(states, states->count);
}

// Adds the state with these bytes; of two with equal bytes the cheaper one stays, of equal costs the earlier.
void lite_states_add(LiteStates* states, LiteState state);

// Leaves the `most` cheapest, of equal costs the earlier. No state can be added afterwards. False: out of
// memory.
bool lite_states_keep(LiteStates* states, int most);

#endif
