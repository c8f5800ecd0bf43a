// SPDX-License-Identifier: Apache-2.0
#include "core/base/planner.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"

// The search for gaps is quadratic. Graphs of real networks stay far below this number. Beyond it buffers are
// placed one after the other, so that no file can make the search slow.
enum { kMaxGreedy = 1 << 14 };

// Largest first; ties by first step, then by position, so that the order is total.
static int compare_usages(const void* a, const void* b) {
    const LiteUsage* x = *(LiteUsage* const*)a;
    const LiteUsage* y = *(LiteUsage* const*)b;
    if (x->bytes != y->bytes) return x->bytes > y->bytes ? -1 : 1;
    if (x->first != y->first) return x->first < y->first ? -1 : 1;
    return x < y ? -1 : x > y;
}

static bool alive_together(const LiteUsage* a, const LiteUsage* b) {
    return a->first <= b->last && b->first <= a->last;
}

static bool align_up(size_t value, size_t alignment, size_t* aligned) {
    if (value > SIZE_MAX - (alignment - 1)) return false;
    *aligned = (value + alignment - 1) & ~(alignment - 1);
    return true;
}

// `placed` is sorted by offset. Finds the lowest gap among the buffers that are alive together with `usage`,
// and inserts `usage` there.
//
//     offset 0 ----[ A ]-------[ B ]--[ C ]---->      B is not alive together: the gap goes from A to C
static bool place(LiteUsage* usage, LiteUsage** placed, int placed_count, size_t alignment) {
    size_t offset = 0;
    for (int i = 0; i < placed_count; i++) {
        const LiteUsage* other = placed[i];
        if (!alive_together(usage, other)) continue;
        if (other->offset >= offset && other->offset - offset >= usage->bytes) break;
        size_t end;
        if (!align_up(other->offset + other->bytes, alignment, &end)) return false;
        if (end > offset) offset = end;
    }
    if (usage->bytes > SIZE_MAX - offset) return false;
    usage->offset = offset;
    int position = placed_count;
    while (position > 0 && placed[position - 1]->offset > offset) position--;
    memmove(placed + position + 1, placed + position, (size_t)(placed_count - position) * sizeof *placed);
    placed[position] = usage;
    return true;
}

static bool place_in_line(LiteUsage* usages, int count, size_t alignment, size_t* total) {
    for (int i = 0; i < count; i++) {
        if (usages[i].bytes == 0) continue;
        size_t offset;
        if (!align_up(*total, alignment, &offset) || usages[i].bytes > SIZE_MAX - offset) return false;
        usages[i].offset = offset;
        *total = offset + usages[i].bytes;
    }
    return true;
}

static bool place_in_order(LiteUsage* const* order, int used, LiteUsage** placed, size_t alignment,
                           size_t* total) {
    *total = 0;
    for (int i = 0; i < used; i++) {
        if (!place(order[i], placed, i, alignment)) return false;
        if (order[i]->offset + order[i]->bytes > *total) *total = order[i]->offset + order[i]->bytes;
    }
    return true;
}

// Bytes that are alive together at the busiest step: no placement takes fewer. Some buffer begins then.
static size_t find_least(LiteUsage* const* order, int used) {
    size_t least = 0;
    for (int i = 0; i < used; i++) {
        size_t live = 0;
        for (int k = 0; k < used; k++) {
            if (order[k]->first <= order[i]->first && order[i]->first <= order[k]->last)
                live += order[k]->bytes;
        }
        if (live > least) least = live;
    }
    return least;
}

// Those whose place is the highest go first the next time.
static void bring_forward(LiteUsage** order, int used, size_t total) {
    for (int i = 0; i < used; i++) {
        LiteUsage* usage = order[i];
        if (usage->offset + usage->bytes < total) continue;
        memmove(order + 1, order, (size_t)i * sizeof(*order));
        order[0] = usage;
    }
}

static void keep_offsets(const LiteUsage* usages, int count, size_t* offsets) {
    for (int i = 0; i < count; i++) offsets[i] = usages[i].offset;
}

// Tries other orders while the one that *total is of has left gaps. `offsets` is room for `count`.
static void place_closely(LiteUsage* usages, int count, LiteUsage** order, int used, size_t alignment,
                          size_t* offsets, size_t* total) {
    enum { MOST_TRIALS = 32, MOST_STEPS = 1 << 20 }; // a trial takes the square of `used`
    const int64_t affordable = used > 0 ? MOST_STEPS / ((int64_t)used * used) : 0;
    const int64_t trials = affordable < MOST_TRIALS ? affordable : MOST_TRIALS;
    if (trials == 0) return;
    const size_t least = find_least(order, used), enough = least + least / 64;
    size_t best = *total, now = best;
    keep_offsets(usages, count, offsets);
    for (int64_t trial = 0; trial < trials && best > enough; trial++) {
        bring_forward(order, used, now);
        if (!place_in_order(order, used, order + count, alignment, &now)) break;
        if (now >= best) continue;
        best = now;
        keep_offsets(usages, count, offsets);
    }
    *total = best;
    for (int i = 0; i < count; i++) usages[i].offset = offsets[i];
}

static bool place_all(LiteUsage* usages, int count, size_t alignment, bool closely, size_t* total) {
    *total = 0;
    for (int i = 0; i < count; i++) usages[i].offset = 0;
    if (count > kMaxGreedy) return place_in_line(usages, count, alignment, total);

    LiteUsage** order = lite_calloc((size_t)count * 2, sizeof *order);
    size_t* offsets = closely ? lite_calloc((size_t)count + 1, sizeof *offsets) : NULL;
    bool ok = order != NULL && (offsets != NULL || !closely);
    int used = 0;
    for (int i = 0; i < count && ok; i++) {
        if (usages[i].bytes > 0) order[used++] = &usages[i];
    }
    if (used > 0) qsort(order, (size_t)used, sizeof *order, compare_usages);
    ok = ok && place_in_order(order, used, order + count, alignment, total);
    if (closely && ok) place_closely(usages, count, order, used, alignment, offsets, total);
    lite_free(offsets);
    lite_free(order);
    return ok;
}

bool lite_planner_place(LiteUsage* usages, int count, size_t alignment, size_t* total) {
    return place_all(usages, count, alignment, false, total);
}

bool lite_planner_place_closely(LiteUsage* usages, int count, size_t alignment, size_t* total) {
    return place_all(usages, count, alignment, true, total);
}
