// SPDX-License-Identifier: Apache-2.0
#include "partitioner/timeline.h"

// Items that nothing keeps from being executed, the best one first: a heap of keys.
typedef struct Ready {
    int64_t* keys; // the class, then the number of the item
    int count;
} Ready;

typedef enum Class { PARTITION, LEADS_TO_PARTITION, OTHER, WAITS } Class; // in the order of preference

static void push(Ready* ready, Class class, int item) {
    const int64_t key = (int64_t) class << 32 | item;
    int at = ready->count++;
    for (; at > 0 && ready->keys[(at - 1) / 2] > key; at = (at - 1) / 2)
        ready->keys[at] = ready->keys[(at - 1) / 2];
    ready->keys[at] = key;
}

static int pop(Ready* ready) {
    const int best = (int)(ready->keys[0] & INT32_MAX);
    const int64_t last = ready->keys[--ready->count];
    int at = 0;
    for (int child; (child = 2 * at + 1) < ready->count; at = child) {
        if (child + 1 < ready->count && ready->keys[child + 1] < ready->keys[child]) child++;
        if (ready->keys[child] >= last) break;
        ready->keys[at] = ready->keys[child];
    }
    ready->keys[at] = last;
    return best;
}

// Per item.
typedef struct Order {
    const LiteItems* items;
    bool* leads;  // to a partition
    int* missing; // how many of those that it waits for have not been executed
    bool* waits;  // for a partition that goes on
    Ready ready;
} Order;

static void look_ahead(Order* o) {
    const LiteLists* after = &o->items->after;
    for (int item = o->items->count - 1; item >= 0; item--) {
        for (int i = after->start[item]; i < after->start[item + 1]; i++) {
            const int later = after->items[i];
            o->missing[later]++;
            o->leads[item] |= o->leads[later] || o->items->is_partition[later];
        }
    }
}

static void add_ready(Order* o, int item) {
    Class class = o->leads[item] ? LEADS_TO_PARTITION : OTHER;
    if (o->items->is_partition[item]) class = PARTITION;
    push(&o->ready, o->waits[item] ? WAITS : class, item);
}

static void release(Order* o, int item) {
    const LiteLists* after = &o->items->after;
    for (int i = after->start[item]; i < after->start[item + 1]; i++) {
        const int later = after->items[i];
        o->waits[later] |= o->items->is_partition[item];
        if (--o->missing[later] == 0) add_ready(o, later);
    }
}

bool lite_timeline_order(const LiteItems* items, LiteArena* arena, int* order) {
    const size_t count = (size_t)items->count;
    Order o = {.items = items,
               .leads = lite_arena_alloc(arena, count, sizeof *o.leads),
               .missing = lite_arena_alloc(arena, count, sizeof *o.missing),
               .waits = lite_arena_alloc(arena, count, sizeof *o.waits),
               .ready = {.keys = lite_arena_alloc(arena, count, sizeof *o.ready.keys)}};
    if (o.leads == NULL || o.missing == NULL || o.waits == NULL || o.ready.keys == NULL) return false;
    look_ahead(&o);
    for (int item = 0; item < items->count; item++) {
        if (o.missing[item] == 0) add_ready(&o, item);
    }
    for (int i = 0; o.ready.count > 0; i++) {
        order[i] = pop(&o.ready);
        release(&o, order[i]);
    }
    return true;
}

bool lite_timeline_span(const LiteItems* items, const int* order, const int64_t* ns, LiteArena* arena,
                        int64_t* span) {
    int64_t* begin = lite_arena_alloc(arena, (size_t)items->count, sizeof *begin); // not before
    if (begin == NULL) return false;
    int64_t host = 0, device = 0;
    for (int i = 0; i < items->count; i++) {
        const int item = order[i];
        if (host < begin[item]) host = begin[item];
        int64_t* side = items->is_partition[item] ? &device : &host;
        if (host < device && items->is_partition[item]) host = device;
        if (*side < host) *side = host;
        *side += ns[item];
        for (int k = items->after.start[item]; k < items->after.start[item + 1]; k++) {
            int64_t* later = &begin[items->after.items[k]];
            if (*later < *side) *later = *side;
        }
    }
    *span = host > device ? host : device;
    return true;
}
