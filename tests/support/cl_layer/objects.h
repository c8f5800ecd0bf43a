// SPDX-License-Identifier: Apache-2.0
// What the layer remembers of buffers and kernels.
#ifndef TESTS_SUPPORT_CL_LAYER_OBJECTS_H_
#define TESTS_SUPPORT_CL_LAYER_OBJECTS_H_

#include <stdbool.h>
#include <stddef.h>

enum { OBJECT_MAX_ARGUMENTS = 64 };

typedef struct Object {
    struct Object* next;
    const void* handle;
    size_t bytes; // of a buffer's own memory
    struct {
        size_t value; // bytes among the parameters
        size_t local; // bytes of local memory
        bool large_constant;
    } arguments[OBJECT_MAX_ARGUMENTS]; // of a kernel
} Object;

// Objects are only added, found and removed one at a time: the caller holds the lock while it uses one.
void objects_lock(void);
void objects_unlock(void);
// NULL: out of memory.
Object* objects_add(const void* handle);
// NULL: not known.
Object* objects_find(const void* handle);
void objects_remove(const void* handle);
// Bytes of all buffers.
size_t objects_bytes(void);

#endif
