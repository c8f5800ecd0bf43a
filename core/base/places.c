// SPDX-License-Identifier: Apache-2.0
#include "core/base/places.h"

#include "core/base/memory.h"

bool lite_places_add(LitePlaces* places, LitePlace place) {
    if (places->count == places->capacity) {
        const int capacity = places->capacity * 2 + 1; // mostly one is all
        LitePlace* data = lite_realloc(places->data, (size_t)capacity * sizeof *data);
        if (data == NULL) return false;
        places->data = data;
        places->capacity = capacity;
    }
    places->data[places->count++] = place;
    return true;
}

void lite_places_clear(LitePlaces* places) {
    lite_free(places->data);
    *places = (LitePlaces){0};
}

void lite_places_destroy(LitePlaces* places) {
    if (places == NULL) return;
    lite_places_clear(places);
    lite_free(places);
}
