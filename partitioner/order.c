// SPDX-License-Identifier: Apache-2.0
// Two orders, compared; ancestors by pointers that jump.
#include "partitioner/order.h"

#include "partitioner/error.h"

static int max_int(int a, int b) {
    return a > b ? a : b;
}

int lite_order_last_use(const LiteProblem* problem, const int* positions, int node) {
    int last = positions[node];
    for (int i = problem->after.start[node]; i < problem->after.start[node + 1]; i++) {
        last = max_int(last, positions[problem->after.items[i]]);
    }
    return last;
}

int lite_order_last_reader(const LiteProblem* problem, const int* positions, int value) {
    const LiteValue* v = &problem->values[value];
    int last = -1;
    for (int i = 0; i < v->reader_count; i++) last = max_int(last, positions[v->readers[i]]);
    return last;
}

// Open nodes, and slots of values: one for what is paid, one for each reader.
static int64_t width_of(const LiteProblem* problem, const int* positions) {
    int64_t width = 0;
    for (int n = 0; n < problem->graph.node_count; n++) {
        width += lite_order_last_use(problem, positions, n) - positions[n];
    }
    for (int v = 0; v < problem->value_count; v++) {
        const LiteValue* value = &problem->values[v];
        if (value->to_device_ns == 0 || value->reader_count < 2) continue;
        const int last = lite_order_last_reader(problem, positions, v);
        for (int i = 0; i < value->reader_count && i < kLiteMostReaders; i++) {
            width += last - positions[value->readers[i]];
        }
    }
    return width;
}

// Always goes on with a node that the last one has made ready, so that a branch ends before the next begins.
static void depth_first(const LiteProblem* problem, int* nodes, int* waiting, int* stack) {
    const int node_count = problem->graph.node_count;
    int depth = 0, done = 0;
    for (int n = node_count - 1; n >= 0; n--) {
        waiting[n] = problem->before.start[n + 1] - problem->before.start[n];
        if (waiting[n] == 0) stack[depth++] = n;
    }
    while (depth > 0) {
        const int n = stack[--depth];
        nodes[done++] = n;
        for (int i = problem->after.start[n + 1] - 1; i >= problem->after.start[n]; i--) {
            const int next = problem->after.items[i];
            if (--waiting[next] == 0) stack[depth++] = next;
        }
    }
}

static void find_parents(const LiteProblem* problem, LiteOrder* order, int* depths) {
    for (int i = 0; i < problem->graph.node_count; i++) {
        const int n = order->nodes[i];
        int parent = -1;
        for (int k = problem->before.start[n]; k < problem->before.start[n + 1]; k++) {
            const int b = problem->before.items[k];
            if (parent < 0 || order->positions[b] > order->positions[parent]) parent = b;
        }
        order->parents[n] = order->jumps[n] = parent;
        depths[n] = parent >= 0 ? depths[parent] + 1 : 0;
        // Two jumps of equal lengths in a row become one: any ancestor is a logarithm of steps away.
        const int jump = parent >= 0 ? order->jumps[parent] : -1;
        const int next = jump >= 0 ? order->jumps[jump] : -1;
        if (next >= 0 && depths[parent] - depths[jump] == depths[jump] - depths[next]) order->jumps[n] = next;
    }
}

OclitePartitionStatus lite_order_init(LiteOrder* order, const LiteProblem* problem, LiteArena* arena) {
    const int count = problem->graph.node_count;
    *order = (LiteOrder){
        .nodes = lite_arena_alloc(arena, (size_t)count, sizeof(int)),
        .positions = lite_arena_alloc(arena, (size_t)count, sizeof(int)),
        .parents = lite_arena_alloc(arena, (size_t)count, sizeof(int)),
        .jumps = lite_arena_alloc(arena, (size_t)count, sizeof(int)),
    };
    if (order->nodes == NULL || order->positions == NULL || order->parents == NULL || order->jumps == NULL) {
        return lite_partition_out_of_memory();
    }
    depth_first(problem, order->nodes, order->parents, order->jumps);
    for (int i = 0; i < count; i++) order->positions[order->nodes[i]] = i;
    order->width = width_of(problem, order->positions);
    for (int n = 0; n < count; n++) order->parents[n] = n;
    const int64_t width = width_of(problem, order->parents);
    if (width <= order->width) {
        order->width = width;
        for (int n = 0; n < count; n++) order->nodes[n] = order->positions[n] = n;
    }
    int* depths = lite_arena_alloc(arena, (size_t)count, sizeof(int));
    if (depths == NULL) return lite_partition_out_of_memory();
    find_parents(problem, order, depths);
    return kOclitePartitionOk;
}

int lite_order_ancestor(const LiteOrder* order, int node, int position) {
    while (node >= 0 && order->positions[node] >= position) {
        const int jump = order->jumps[node];
        node = jump >= 0 && order->positions[jump] >= position ? jump : order->parents[node];
    }
    return node;
}

bool lite_users_init(LiteUsers* users, const LiteOrder* order, int node_count, const LiteLists* uses,
                     int count, LiteArena* arena) {
    int* counts = users->first = lite_arena_alloc(arena, (size_t)count, sizeof(int));
    users->next = lite_arena_alloc(arena, (size_t)uses->start[node_count], sizeof(int));
    if (counts == NULL || users->next == NULL) return false;
    for (int i = 0; i < uses->start[node_count]; i++) counts[uses->items[i]]++;
    LiteLists* lists = &users->lists;
    if (!lite_lists_init(lists, arena, counts, count)) return false;
    for (int position = 0; position < node_count; position++) {
        const int node = order->nodes[position];
        for (int i = uses->start[node]; i < uses->start[node + 1]; i++) {
            lite_lists_add(lists, uses->items[i], node);
        }
    }
    for (int list = 0; list < count; list++) {
        const int end = lists->start[list + 1];
        users->first[list] = lists->start[list];
        for (int k = end - 1; k >= lists->start[list]; k--) {
            users->next[k] = k + 1;
            if (k + 1 == end) continue;
            const int user = lists->items[k];
            const int later = lists->items[k + 1];
            if (lite_order_ancestor(order, later, order->positions[user] + 1) == user) {
                users->next[k] = users->next[k + 1];
            }
        }
    }
    return true;
}
