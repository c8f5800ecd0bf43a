// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/device/kept.h"

#include <stdalign.h>
#include <stddef.h>
#include <string.h>

#include "core/base/memory.h"
#include "delegate-opencl/device/open.h"

typedef struct Kept {
    struct Kept* next;
    alignas(max_align_t) char object[];
} Kept;

static Kept* all_kept; // on purpose; leak checkers find it here
static LiteLock kept_mutex = LITE_LOCK_INITIALIZER;

void lite_cl_device_keep(LiteClDevice* device, const void* object, size_t bytes) {
    (void)lite_cl_device_retain(device);
    Kept* kept = lite_calloc(1, sizeof *kept + bytes);
    if (kept == NULL) return; // out of memory: it leaks
    memcpy(kept->object, object, bytes);
    lite_lock(&kept_mutex);
    kept->next = all_kept;
    all_kept = kept;
    lite_unlock(&kept_mutex);
}
