// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/device/tuned.h"

#include "core/base/memory.h"

typedef struct LiteClTuned {
    struct LiteClTuned* next;
    LiteClTuningKey key;
    LiteClVariant variant;
} LiteClTuned;

static bool same_key(const LiteClTuningKey* a, const LiteClTuningKey* b) {
    return a->type == b->type && a->rows == b->rows && a->columns == b->columns && a->depth == b->depth &&
           a->groups == b->groups && a->addend == b->addend && a->clblast == b->clblast &&
           a->direct == b->direct;
}

bool lite_cl_tuned_find(LiteClDevice* device, const LiteClTuningKey* key, LiteClVariant* variant) {
    lite_lock(&device->mutex);
    const LiteClTuned* tuned = device->tuned;
    while (tuned != NULL && !same_key(&tuned->key, key)) tuned = tuned->next;
    if (tuned != NULL) *variant = tuned->variant;
    lite_unlock(&device->mutex);
    return tuned != NULL;
}

void lite_cl_tuned_keep(LiteClDevice* device, const LiteClTuningKey* key, const LiteClVariant* variant) {
    LiteClTuned* tuned = lite_calloc(1, sizeof *tuned);
    if (tuned == NULL) return;
    lite_lock(&device->mutex);
    *tuned = (LiteClTuned){device->tuned, *key, *variant};
    device->tuned = tuned;
    lite_unlock(&device->mutex);
}

void lite_cl_tuned_release(LiteClDevice* device) {
    while (device->tuned != NULL) {
        LiteClTuned* tuned = device->tuned;
        device->tuned = tuned->next;
        lite_free(tuned);
    }
}
