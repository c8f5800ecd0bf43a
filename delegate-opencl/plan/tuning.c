// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/plan/tuning.h"

#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"
#include "core/base/system.h"
#include "delegate-opencl/device/program_cache.h"
#include "delegate-opencl/plan/finish.h"
#include "delegate-opencl/plan/run.h"

enum { MAX_ROUNDS = 5, ROUND_NS = 1000000, ENOUGH_NS = 50000000 };

// A variant as files hold it: by its numbers, so that a library with another table of tiles does not mistake
// it.
typedef struct Kept {
    int32_t rows, vectors, panel, spread, clblast;
} Kept;

// Owned by the caller; NULL without a folder, or when out of memory.
static char* file_key(const LiteClDevice* device, const LiteClTuningKey* key) {
    char text[200];
    snprintf(text, sizeof text,
             "tuning of type %d, %d x %d x %d, %d groups, addend %d, CLBlast %d, direct %d", (int)key->type,
             key->rows, key->columns, key->depth, key->groups, key->addend, key->clblast, key->direct);
    const char* const parts[] = {text};
    return device->cache_folder >= 0 ? lite_cl_cache_key(device, "", parts, 1) : NULL;
}

// On CPUs each item is a group of its own. GPUs differ in how many items per group suit them.
static int find_spreads(const LiteClDevice* device, const int** spreads) {
    static const int of_cpu[] = {0}, of_gpu[] = {0, 32, 128, 256};
    const bool gpu = device->class == kLiteClGpu;
    *spreads = gpu ? of_gpu : of_cpu;
    return gpu ? (int)(sizeof of_gpu / sizeof of_gpu[0]) : 1;
}

static bool load(const LiteClDevice* device, const LiteClTuningKey* key, LiteClVariant* variant) {
    Kept kept;
    char* name = file_key(device, key);
    const bool loaded = name != NULL && lite_cl_cache_read(device, name, &kept, sizeof kept);
    lite_free(name);
    if (!loaded) return false;
    if (kept.clblast != 0 && key->clblast) {
        variant->clblast = true;
        return true;
    }
    const int* spreads;
    const int count = find_spreads(device, &spreads);
    int s = 0;
    while (s < count && spreads[s] != kept.spread) s++;
    for (int i = 0; s < count; i++) {
        const LiteClTile* tile = lite_cl_tile_at(device->class, key->bytes, key->rows, i);
        if (tile == NULL) break;
        if (tile->rows != kept.rows || tile->vectors != kept.vectors || tile->panel != kept.panel) continue;
        *variant = (LiteClVariant){tile, kept.spread, false};
        return true;
    }
    return false;
}

static void store(const LiteClDevice* device, const LiteClTuningKey* key, const LiteClVariant* variant) {
    const Kept kept = {variant->tile->rows, variant->tile->vectors, variant->tile->panel, variant->spread,
                       variant->clblast};
    char* name = file_key(device, key);
    if (name != NULL) lite_cl_cache_write(device, name, &kept, sizeof kept);
    lite_free(name);
}

// Runs `count` times and returns the nanoseconds of one run; 0 when one has failed.
static uint64_t time_runs(const LiteClPlan* plan, uint64_t count) {
    const uint64_t begin = lite_clock_ns();
    uint64_t done = 0;
    do {
        if (lite_cl_plan_enqueue(plan, NULL, NULL, NULL) != kTfLiteOk) return 0;
    } while (++done < count);
    const bool ran = plan->device->cl->clFinish(plan->queue) == CL_SUCCESS;
    return ran ? (lite_clock_ns() - begin) / done + 1 : 0;
}

// The shortest time of some runs, after a first one that may compile and does not count. 0: the variant does
// not work here.
static uint64_t time_plan(const LiteClPlan* plan) {
    uint64_t best = 0, spent = 0;
    if (time_runs(plan, 1) == 0) return 0;
    const uint64_t once = time_runs(plan, 1);
    if (once == 0) return 0;
    const uint64_t count = once < ROUND_NS ? ROUND_NS / once : 1;
    for (int i = 0; i < MAX_ROUNDS && spent < ENOUGH_NS; i++) {
        const uint64_t run = time_runs(plan, count);
        if (run == 0) return 0;
        if (best == 0 || run < best) best = run;
        spent += run * count;
    }
    return best;
}

static uint64_t time_variant(LiteClDevice* device, LiteClTuningLaunch launch, const void* state,
                             const LiteClVariant* variant) {
    LiteClPlan plan = {0};
    uint64_t best = 0;
    if (lite_cl_plan_init(&plan, device, NULL, NULL) == kTfLiteOk) {
        lite_cl_plan_begin(&plan, NULL);
        if (launch(state, &plan, variant) == kTfLiteOk && lite_cl_plan_finish(&plan) == kTfLiteOk)
            best = time_plan(&plan);
    }
    lite_cl_plan_free(&plan);
    return best;
}

static void try_variant(LiteClDevice* device, LiteClTuningLaunch launch, const void* state,
                        const LiteClVariant* other, LiteClVariant* best, uint64_t* best_time) {
    const uint64_t time = time_variant(device, launch, state, other);
    if (time == 0 || (*best_time != 0 && time >= *best_time)) return;
    *best_time = time;
    *best = *other;
}

static LiteClVariant find_fastest(LiteClDevice* device, const LiteClTuningKey* key, LiteClTuningLaunch launch,
                                  const void* state, const LiteClVariant* usual) {
    const int* spreads;
    const int count = find_spreads(device, &spreads);
    LiteClVariant best = *usual;
    uint64_t best_time = time_variant(device, launch, state, usual);
    if (key->clblast) {
        LiteClVariant other = *usual;
        other.clblast = true;
        try_variant(device, launch, state, &other, &best, &best_time);
    }
    if (key->direct) return best;
    const LiteClTile* tile;
    for (int i = 0; (tile = lite_cl_tile_at(device->class, key->bytes, key->rows, i)) != NULL; i++) {
        for (int s = 0; s < count; s++) {
            const LiteClVariant other = {tile, spreads[s], false};
            if (tile == usual->tile && spreads[s] == usual->spread) continue;
            try_variant(device, launch, state, &other, &best, &best_time);
        }
    }
    return best;
}

// Keeps the usual variant unless another one is clearly faster, and is so twice.
static void measure(LiteClDevice* device, const LiteClTuningKey* key, LiteClTuningLaunch launch,
                    const void* state, LiteClVariant* variant) {
    const LiteClVariant best = find_fastest(device, key, launch, state, variant);
    if (best.tile == variant->tile && best.spread == variant->spread && !best.clblast) return;
    const uint64_t time = time_variant(device, launch, state, &best);
    const uint64_t usual = time_variant(device, launch, state, variant);
    if (time != 0 && (usual == 0 || time < usual - usual / 16)) *variant = best;
}

void lite_cl_tuning_choose(LiteClDevice* device, const LiteClTuningKey* key, LiteClTuningLaunch launch,
                           const void* state, LiteClVariant* variant) {
    if (lite_cl_tuned_find(device, key, variant)) return;
    if (!load(device, key, variant)) {
        measure(device, key, launch, state, variant);
        store(device, key, variant);
    }
    lite_cl_tuned_keep(device, key, variant);
}
