// SPDX-License-Identifier: Apache-2.0
// Tensors whose bytes are, in one piece, a part of another tensor's: what RESHAPE and SPLIT make of their
// inputs, and CONCATENATION of its output. Or those that may be written over an input. core/graph/alias.c
// gives both the same memory.
#ifndef CORE_BASE_PLACES_H_
#define CORE_BASE_PLACES_H_

#include <stdbool.h>
#include <stddef.h>

typedef struct LitePlace {
    int tensor;
    int within;    // the tensor that it is a part of
    size_t offset; // in bytes
    bool is_over;  // an output that may take the place of an input of its size, if that is not read later:
                   // each element is written once, when those at its place are read
} LitePlace;

typedef struct LitePlaces {
    LitePlace* data; // of lite_malloc
    int count;
    int capacity;
    bool is_partly; // the node also does what no place tells of
} LitePlaces;

// false when out of memory: then the places are as before.
bool lite_places_add(LitePlaces* places, LitePlace place);
void lite_places_clear(LitePlaces* places);
void lite_places_destroy(LitePlaces* places); // of lite_malloc; accepts NULL

#endif
