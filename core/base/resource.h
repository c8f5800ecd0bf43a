// SPDX-License-Identifier: Apache-2.0
// State that outlives an inference and that all subgraphs of an interpreter share: variables, tables, and
// which initialisers have run. A resource tensor holds the number of one of these.
#ifndef CORE_BASE_RESOURCE_H_
#define CORE_BASE_RESOURCE_H_

#include <stdint.h>

typedef enum LiteResourceKind {
    kLiteResourceVariable,
    kLiteResourceTable,
    kLiteResourceInitializer,
} LiteResourceKind;

typedef struct LiteResource LiteResource;

struct LiteResource {
    LiteResource* next;
    LiteResourceKind kind;
    int32_t id;
    char* name; // container and name, or NULL
    void* object;
    void (*destroy)(void* object); // NULL when there is nothing to destroy
};

typedef struct LiteResources {
    LiteResource* first;
    int32_t next_id;
} LiteResources;

// NULL when there is none.
LiteResource* lite_resource_find(const LiteResources* resources, LiteResourceKind kind, int32_t id);

// Finds or makes one. Made ones have no object. NULL: out of memory.
LiteResource* lite_resource_get(LiteResources* resources, LiteResourceKind kind, int32_t id);
LiteResource* lite_resource_get_named(LiteResources* resources, LiteResourceKind kind, const char* container,
                                      const char* name);

void lite_resources_destroy(LiteResources* resources);

#endif
