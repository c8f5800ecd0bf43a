// SPDX-License-Identifier: Apache-2.0
#include "partitioner/overlap.h"

#include <stdlib.h>
#include <string.h>

#include "partitioner/error.h"
#include "partitioner/timeline.h"

// What one improvement may do: nodes times trials.
enum { kWork = 20000000, kSweeps = 3 };

// ---- The time that a placement takes ----

// Nodes in the order of the subsets of lite_partition, which respects the edges.
static bool sort_nodes(const LiteProblem* problem, const bool* on_device, LiteArena* arena, int* sorted) {
    const int nodes = problem->graph.node_count;
    int* subset_of = lite_arena_alloc(arena, (size_t)nodes, sizeof *subset_of);
    int subset_count;
    if (subset_of == NULL ||
        lite_partition(&problem->graph, on_device, subset_of, &subset_count) != kLitePartitionOk)
        return false;
    int* next = lite_arena_alloc(arena, (size_t)subset_count + 1, sizeof *next);
    if (next == NULL) return false;
    for (int n = 0; n < nodes; n++) next[subset_of[n] + 1]++;
    for (int s = 0; s < subset_count; s++) next[s + 1] += next[s];
    for (int n = 0; n < nodes; n++) sorted[next[subset_of[n]]++] = n;
    return true;
}

// What the host executes, for a cut.
typedef struct Contracted {
    LiteItems items;
    int* item_of; // per node
    int64_t* ns;  // per item
    bool* is_partition;
} Contracted;

static bool number_items(const LiteProblem* problem, const LiteCut* cut, const int* sorted, LiteArena* arena,
                         Contracted* c) {
    int* item_of_partition = lite_arena_alloc(arena, (size_t)cut->partition_count, sizeof(int)); // + 1
    if (item_of_partition == NULL) return false;
    for (int i = 0; i < problem->graph.node_count; i++) {
        const int node = sorted[i], p = cut->partition_of[node];
        if (p >= 0 && item_of_partition[p] > 0) {
            c->item_of[node] = item_of_partition[p] - 1;
            continue;
        }
        const int item = c->items.count++;
        c->item_of[node] = item;
        c->is_partition[item] = p >= 0;
        c->ns[item] = p >= 0 ? cut->costs[p] : problem->host_ns[node];
        if (p >= 0) item_of_partition[p] = item + 1;
    }
    return true;
}

// The edges between different items.
static bool link_items(const LiteProblem* problem, LiteArena* arena, Contracted* c) {
    const LiteLists* after = &problem->after;
    int* counts = lite_arena_alloc(arena, (size_t)c->items.count, sizeof *counts);
    if (counts == NULL) return false;
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1 && !lite_lists_init(&c->items.after, arena, counts, c->items.count)) return false;
        for (int n = 0; n < problem->graph.node_count; n++) {
            for (int i = after->start[n]; i < after->start[n + 1]; i++) {
                const int from = c->item_of[n], to = c->item_of[after->items[i]];
                if (from == to) continue;
                if (pass == 0)
                    counts[from]++;
                else
                    lite_lists_add(&c->items.after, from, to);
            }
        }
    }
    return true;
}

static bool find_span(const LiteProblem* problem, const bool* on_device, const LiteCut* cut, LiteArena* arena,
                      int64_t* span) {
    const size_t nodes = (size_t)problem->graph.node_count;
    Contracted c = {.item_of = lite_arena_alloc(arena, nodes, sizeof *c.item_of),
                    .ns = lite_arena_alloc(arena, nodes, sizeof *c.ns),
                    .is_partition = lite_arena_alloc(arena, nodes, sizeof *c.is_partition)};
    int* sorted = lite_arena_alloc(arena, nodes, sizeof *sorted);
    if (c.item_of == NULL || c.ns == NULL || c.is_partition == NULL || sorted == NULL) return false;
    if (!sort_nodes(problem, on_device, arena, sorted) || !number_items(problem, cut, sorted, arena, &c) ||
        !link_items(problem, arena, &c))
        return false;
    c.items.is_partition = c.is_partition;
    return lite_timeline_order(&c.items, arena, sorted) && // which has room for all items
           lite_timeline_span(&c.items, sorted, c.ns, arena, span);
}

OclitePartitionStatus lite_overlap_span(const LiteProblem* problem, const bool* on_device, int limit,
                                        LiteCut* cut, int64_t* span) {
    PARTITION_TRY(lite_price(problem, on_device, limit, cut));
    LiteArena arena = {0};
    const bool ok = find_span(problem, on_device, cut, &arena, span);
    lite_arena_free(&arena);
    return ok ? kOclitePartitionOk : lite_partition_out_of_memory();
}

// ---- Branches ----

typedef struct Branches {
    int count;
    int* branch_of; // per node, -1: in none
} Branches;

static int find(int* parent, int node) {
    while (parent[node] != node) node = parent[node] = parent[parent[node]];
    return node;
}

// Per node: whether each other one leads to it or comes from it.
static bool mark_dividing(const LiteProblem* problem, LiteArena* arena, bool* divides) {
    const int nodes = problem->graph.node_count;
    int* nearest =
        lite_arena_alloc(arena, (size_t)nodes + 1, sizeof *nearest); // node that one from here on waits for
    if (nearest == NULL) return false;
    nearest[nodes] = nodes;
    for (int n = nodes - 1; n >= 0; n--) {
        const LiteLists* before = &problem->before;
        nearest[n] = before->start[n] == before->start[n + 1] ? -1 : nearest[n + 1];
        for (int i = before->start[n]; i < before->start[n + 1]; i++) {
            if (before->items[i] < nearest[n]) nearest[n] = before->items[i];
        }
    }
    int furthest = 0; // node that waits for an earlier one
    for (int n = 0; n < nodes; n++) {
        const LiteLists* after = &problem->after;
        divides[n] = furthest <= n && nearest[n + 1] >= n;
        if (after->start[n] == after->start[n + 1]) furthest = nodes;
        for (int i = after->start[n]; i < after->start[n + 1]; i++) {
            if (after->items[i] > furthest) furthest = after->items[i];
        }
    }
    return true;
}

// Of a region with a single branch it is as good as none.
static bool find_branches(const LiteProblem* problem, LiteArena* arena, Branches* branches) {
    const int nodes = problem->graph.node_count;
    bool* divides = lite_arena_alloc(arena, (size_t)nodes, sizeof *divides);
    int* parent = lite_arena_alloc(arena, (size_t)nodes, sizeof *parent);
    branches->branch_of = lite_arena_alloc(arena, (size_t)nodes, sizeof *branches->branch_of);
    if (divides == NULL || parent == NULL || branches->branch_of == NULL ||
        !mark_dividing(problem, arena, divides))
        return false;
    for (int n = 0; n < nodes; n++) parent[n] = n;
    for (int n = 0; n < nodes; n++) {
        for (int i = problem->after.start[n]; i < problem->after.start[n + 1] && !divides[n]; i++) {
            const int later = problem->after.items[i];
            if (!divides[later]) parent[find(parent, n)] = find(parent, later);
        }
    }
    for (int first = 0, end; first < nodes; first = end) {
        int roots = 0;
        for (end = first; end < nodes && !divides[end]; end++) roots += find(parent, end) == end;
        for (int n = first; n < end; n++) {
            if (find(parent, n) == n) branches->branch_of[n] = roots > 1 ? branches->count++ : -1;
        }
        for (int n = first; n < end; n++) branches->branch_of[n] = branches->branch_of[find(parent, n)];
        if (end < nodes) branches->branch_of[end++] = -1;
    }
    return true;
}

// ---- Moves ----

typedef struct Branch {
    int number;
    int64_t host_ns;
} Branch;

static int compare_branches(const void* a, const void* b) {
    const Branch* x = a;
    const Branch* y = b;
    if (x->host_ns != y->host_ns) return x->host_ns > y->host_ns ? -1 : 1;
    return x->number - y->number;
}

// The longest first.
static Branch* sort_branches(const LiteProblem* problem, const Branches* branches, LiteArena* arena) {
    Branch* sorted = lite_arena_alloc(arena, (size_t)branches->count, sizeof *sorted);
    if (sorted == NULL) return NULL;
    for (int b = 0; b < branches->count; b++) sorted[b].number = b;
    for (int n = 0; n < problem->graph.node_count; n++) {
        if (branches->branch_of[n] >= 0 && problem->host_ns[n] > 0)
            sorted[branches->branch_of[n]].host_ns += problem->host_ns[n];
    }
    qsort(sorted, (size_t)branches->count, sizeof *sorted, compare_branches);
    return sorted;
}

// Whether anything moves. A group that is not in the branch as a whole stays.
static bool move_branch(const LiteProblem* problem, const Branches* branches, int branch, bool to_device,
                        bool* on_device) {
    bool moved = false;
    for (int u = 0; u < problem->unit_count; u++) {
        const int begin = problem->units.start[u], end = problem->units.start[u + 1];
        const int first = problem->units.items[begin];
        bool moves = problem->sides[first] == kLiteEitherSide && on_device[first] != to_device;
        for (int i = begin; i < end && moves; i++)
            moves = branches->branch_of[problem->units.items[i]] == branch;
        for (int i = begin; i < end && moves; i++) on_device[problem->units.items[i]] = to_device;
        moved |= moves;
    }
    return moved;
}

typedef struct Moves {
    const LiteProblem* problem;
    Branches branches;
    int limit;
    LiteCut* cut;
    bool* trial;
} Moves;

static OclitePartitionStatus try_move(const Moves* m, int branch, bool to_device, bool* on_device,
                                      int64_t* span, bool* better) {
    const size_t nodes = (size_t)m->problem->graph.node_count;
    int64_t now = 0;
    memcpy(m->trial, on_device, nodes * sizeof *on_device);
    if (!move_branch(m->problem, &m->branches, branch, to_device, m->trial)) return kOclitePartitionOk;
    PARTITION_TRY(lite_overlap_span(m->problem, m->trial, m->limit, m->cut, &now));
    if (!m->cut->fits || now >= *span) return kOclitePartitionOk;
    *better = true;
    *span = now;
    memcpy(on_device, m->trial, nodes * sizeof *on_device);
    return kOclitePartitionOk;
}

static OclitePartitionStatus improve(Moves* m, LiteArena* arena, bool* on_device, int64_t* span) {
    const size_t nodes = (size_t)m->problem->graph.node_count;
    if (!find_branches(m->problem, arena, &m->branches)) return lite_partition_out_of_memory();
    const Branch* sorted = sort_branches(m->problem, &m->branches, arena);
    m->trial = lite_arena_alloc(arena, nodes, sizeof *m->trial);
    if (sorted == NULL || m->trial == NULL) return lite_partition_out_of_memory();
    const int64_t most = kWork / (2 * kSweeps) / (m->problem->graph.node_count + 1);
    bool better = true;
    for (int sweep = 0; sweep < kSweeps && better; sweep++) {
        better = false;
        for (int b = 0; b < m->branches.count && b < most; b++) {
            PARTITION_TRY(try_move(m, sorted[b].number, true, on_device, span, &better));
            PARTITION_TRY(try_move(m, sorted[b].number, false, on_device, span, &better));
        }
    }
    return kOclitePartitionOk;
}

OclitePartitionStatus lite_overlap_improve(const LiteProblem* problem, bool* on_device, int limit,
                                           LiteCut* cut, int64_t* span) {
    LiteArena arena = {0};
    Moves moves = {.problem = problem, .limit = limit, .cut = cut};
    PARTITION_TRY(lite_overlap_span(problem, on_device, limit, cut, span));
    const OclitePartitionStatus status = improve(&moves, &arena, on_device, span);
    lite_arena_free(&arena);
    return status;
}
