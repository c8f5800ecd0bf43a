// SPDX-License-Identifier: Apache-2.0
#include "core/base/resource.h"

#include <string.h>

#include "core/base/memory.h"

LiteResource* lite_resource_find(const LiteResources* resources, LiteResourceKind kind, int32_t id) {
    LiteResource* resource = resources->first;
    while (resource != NULL && (resource->kind != kind || resource->id != id)) resource = resource->next;
    return resource;
}

static LiteResource* add(LiteResources* resources, LiteResourceKind kind, int32_t id) {
    LiteResource* resource = lite_calloc(1, sizeof *resource);
    if (resource == NULL) return NULL;
    resource->kind = kind;
    resource->id = id;
    resource->next = resources->first;
    resources->first = resource;
    return resource;
}

LiteResource* lite_resource_get(LiteResources* resources, LiteResourceKind kind, int32_t id) {
    LiteResource* resource = lite_resource_find(resources, kind, id);
    return resource ? resource : add(resources, kind, id);
}

LiteResource* lite_resource_get_named(LiteResources* resources, LiteResourceKind kind, const char* container,
                                      const char* name) {
    // Container and name, with a character between them that neither can hold.
    const size_t container_bytes = strlen(container) + 1;
    const size_t bytes = container_bytes + strlen(name) + 1;
    for (LiteResource* r = resources->first; r != NULL; r = r->next) {
        if (r->kind != kind || r->name == NULL || strcmp(r->name, container) != 0) continue;
        if (strcmp(r->name + container_bytes, name) == 0) return r;
    }
    char* key = lite_malloc(bytes);
    LiteResource* resource = key ? add(resources, kind, resources->next_id) : NULL;
    if (resource == NULL) {
        lite_free(key);
        return NULL;
    }
    resources->next_id++;
    memcpy(key, container, container_bytes);
    memcpy(key + container_bytes, name, bytes - container_bytes);
    resource->name = key;
    return resource;
}

void lite_resources_destroy(LiteResources* resources) {
    LiteResource* resource = resources->first;
    while (resource != NULL) {
        LiteResource* next = resource->next;
        if (resource->destroy != NULL) resource->destroy(resource->object);
        lite_free(resource->name);
        lite_free(resource);
        resource = next;
    }
    *resources = (LiteResources){0};
}
