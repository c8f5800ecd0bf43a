// SPDX-License-Identifier: Apache-2.0
#include "tests/support/cl_layer/objects.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

enum { SLOTS = 1024 };
static Object* slots[SLOTS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void objects_lock(void) {
    pthread_mutex_lock(&mutex);
}

void objects_unlock(void) {
    pthread_mutex_unlock(&mutex);
}

static Object** link_of(const void* handle) {
    Object** link = &slots[((uintptr_t)handle >> 4) % SLOTS];
    while (*link != NULL && (*link)->handle != handle) link = &(*link)->next;
    return link;
}

Object* objects_find(const void* handle) {
    return *link_of(handle);
}

void objects_remove(const void* handle) {
    Object** link = link_of(handle);
    Object* object = *link;
    if (object == NULL) return;
    *link = object->next;
    free(object);
}

Object* objects_add(const void* handle) {
    objects_remove(handle); // a driver may use an address again
    Object** link = link_of(handle);
    Object* object = calloc(1, sizeof *object);
    if (object == NULL) return NULL;
    object->handle = handle;
    *link = object;
    return object;
}

size_t objects_bytes(void) {
    size_t total = 0;
    for (int s = 0; s < SLOTS; s++) {
        for (const Object* object = slots[s]; object != NULL; object = object->next) total += object->bytes;
    }
    return total;
}
