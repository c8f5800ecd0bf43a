// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/device/notes.h"

#include <string.h>

#include "core/base/memory.h"
#include "delegate-opencl/device/program_cache.h"

typedef struct LiteClNote {
    struct LiteClNote* next;
    size_t size;
    char* key;
    unsigned char* bytes;
} LiteClNote;

static void free_note(LiteClNote* note) {
    lite_free(note->key);
    lite_free(note->bytes);
    lite_free(note);
}

static LiteClNote** find_link(LiteClDevice* device, const char* key) {
    LiteClNote** link = &device->notes;
    while (*link != NULL && strcmp((*link)->key, key) != 0) link = &(*link)->next;
    return link;
}

static bool find(LiteClDevice* device, const char* key, void* bytes, size_t size) {
    lite_lock(&device->mutex);
    const LiteClNote* note = *find_link(device, key);
    const bool fits = note != NULL && note->size == size;
    if (fits) memcpy(bytes, note->bytes, size);
    lite_unlock(&device->mutex);
    return fits;
}

static void keep(LiteClDevice* device, const char* key, const void* bytes, size_t size) {
    LiteClNote* note = lite_calloc(1, sizeof *note);
    if (note == NULL) return;
    *note = (LiteClNote){NULL, size, lite_strdup(key), lite_malloc(size + 1)};
    if (note->key == NULL || note->bytes == NULL) {
        free_note(note);
        return;
    }
    memcpy(note->bytes, bytes, size);
    lite_lock(&device->mutex);
    LiteClNote** link = find_link(device, key);
    LiteClNote* old = *link;
    note->next = old != NULL ? old->next : NULL;
    *link = note;
    lite_unlock(&device->mutex);
    if (old != NULL) free_note(old);
}

// The name of its file; NULL where there is no folder, or no memory.
static char* file_key(const LiteClDevice* device, const char* key) {
    const char* const parts[] = {"note of ", key};
    return device->cache_folder >= 0 ? lite_cl_cache_key(device, "", parts, 2) : NULL;
}

bool lite_cl_note_find(LiteClDevice* device, const char* key, void* bytes, size_t size) {
    if (find(device, key, bytes, size)) return true;
    char* name = file_key(device, key);
    const bool is_kept = name != NULL && lite_cl_cache_read(device, name, bytes, size);
    lite_free(name);
    if (is_kept) keep(device, key, bytes, size);
    return is_kept;
}

void lite_cl_note_keep(LiteClDevice* device, const char* key, const void* bytes, size_t size, bool lasting) {
    char* name = lasting ? file_key(device, key) : NULL;
    if (name != NULL) lite_cl_cache_write(device, name, bytes, size);
    lite_free(name);
    keep(device, key, bytes, size);
}

void lite_cl_note_drop(LiteClDevice* device, const char* key) {
    static const unsigned char nothing = 0;
    char* name = file_key(device, key);
    if (name != NULL) lite_cl_cache_write(device, name, &nothing, sizeof nothing);
    lite_free(name);
    lite_lock(&device->mutex);
    LiteClNote** link = find_link(device, key);
    LiteClNote* old = *link;
    if (old != NULL) *link = old->next;
    lite_unlock(&device->mutex);
    if (old != NULL) free_note(old);
}

void lite_cl_notes_release(LiteClDevice* device) {
    while (device->notes != NULL) {
        LiteClNote* note = device->notes;
        device->notes = note->next;
        free_note(note);
    }
}
