// SPDX-License-Identifier: Apache-2.0
// Whole partitions at a time, which leaves the others as they are (price.h). Groups may lie in several
// partitions; these are bound together.
#include "partitioner/greedy.h"

#include <limits.h>

#include "partitioner/error.h"
#include "partitioner/policy.h"

void lite_place_none(const LiteProblem* problem, bool* on_device) {
    for (int n = 0; n < problem->graph.node_count; n++) on_device[n] = problem->sides[n] == kLiteDeviceOnly;
}

void lite_place_all(const LiteProblem* problem, bool* on_device) {
    for (int n = 0; n < problem->graph.node_count; n++) on_device[n] = problem->sides[n] != kLiteHostOnly;
}

static int find_root(int* parents, int p) {
    while (parents[p] != p) p = parents[p] = parents[parents[p]];
    return p;
}

// Per partition, the lowest of those that it is bound to.
static void bind(const LiteProblem* problem, const LiteCut* cut, int* roots) {
    for (int p = 0; p < cut->partition_count; p++) roots[p] = p;
    for (int u = 0; u < problem->unit_count; u++) {
        for (int i = problem->units.start[u] + 1; i < problem->units.start[u + 1]; i++) {
            const int a = cut->partition_of[problem->units.items[i - 1]];
            const int b = cut->partition_of[problem->units.items[i]];
            if (a < 0 || b < 0) continue;
            const int root_a = find_root(roots, a);
            const int root_b = find_root(roots, b);
            roots[root_a > root_b ? root_a : root_b] = root_a > root_b ? root_b : root_a;
        }
    }
    for (int p = 0; p < cut->partition_count; p++) roots[p] = find_root(roots, p);
}

static void keep_partitions(const LiteProblem* problem, const LiteCut* cut, const bool* keep,
                            bool* on_device) {
    for (int n = 0; n < problem->graph.node_count; n++) {
        const int p = cut->partition_of[n];
        on_device[n] = p >= 0 && keep[p];
    }
}

// What the choice is made with: per partition.
typedef struct Choice {
    int* roots;
    bool* fixed; // bound to one that is
    bool* keep;
    int64_t* weights;
} Choice;

static OclitePartitionStatus begin_choice(const LiteProblem* problem, const LiteCut* cut, LiteArena* arena,
                                          Choice* choice) {
    const size_t count = (size_t)cut->partition_count;
    *choice = (Choice){
        .roots = lite_arena_alloc(arena, count, sizeof(int)),
        .fixed = lite_arena_alloc(arena, count, sizeof(bool)),
        .keep = lite_arena_alloc(arena, count, sizeof(bool)),
        .weights = lite_arena_alloc(arena, count, sizeof(int64_t)),
    };
    if (choice->roots == NULL || choice->fixed == NULL || choice->keep == NULL || choice->weights == NULL) {
        return lite_partition_out_of_memory();
    }
    bind(problem, cut, choice->roots);
    for (size_t p = 0; p < count; p++) choice->fixed[choice->roots[p]] |= cut->fixed[p];
    for (size_t p = 0; p < count; p++) choice->fixed[p] = choice->fixed[choice->roots[p]];
    return kOclitePartitionOk;
}

// Chooses among the partitions that may go; false: those that may not are too many or too small already.
static bool choose(const LiteProblem* problem, int limit, const LiteCut* cut, const Choice* choice,
                   bool* is_out_of_memory) {
    int fixed_count = 0;
    for (int p = 0; p < cut->partition_count; p++) {
        choice->keep[p] = !choice->fixed[p];
        choice->weights[p] = cut->node_counts[p];
        fixed_count += choice->fixed[p];
        if (choice->fixed[p] && !cut->fixed[p] && cut->node_counts[p] < problem->min_nodes) return false;
    }
    if (fixed_count > limit) return false;
    const LitePolicy policy = {.min_nodes = problem->min_nodes,
                               .max_subsets = limit == INT_MAX ? -1 : limit - fixed_count};
    *is_out_of_memory = lite_policy_choose(&policy, cut->node_counts, choice->weights, cut->partition_count,
                                           choice->keep) < 0;
    if (*is_out_of_memory) return false;
    for (int p = 0; p < cut->partition_count; p++) choice->keep[p] |= choice->fixed[p];
    // All that are bound together, or none.
    for (int p = 0; p < cut->partition_count; p++) choice->keep[choice->roots[p]] &= choice->keep[p];
    for (int p = 0; p < cut->partition_count; p++) choice->keep[p] = choice->keep[choice->roots[p]];
    return true;
}

OclitePartitionStatus lite_keep_largest(const LiteProblem* problem, int limit, const LiteCut* cut,
                                        bool* on_device) {
    if (cut->fits) return kOclitePartitionOk;
    LiteArena arena = {0};
    Choice choice;
    OclitePartitionStatus status = begin_choice(problem, cut, &arena, &choice);
    if (status == kOclitePartitionOk) {
        bool is_out_of_memory = false;
        if (choose(problem, limit, cut, &choice, &is_out_of_memory)) {
            keep_partitions(problem, cut, choice.keep, on_device);
        } else if (is_out_of_memory) {
            status = lite_partition_out_of_memory();
        } else {
            lite_place_none(problem, on_device);
        }
    }
    lite_arena_free(&arena);
    return status;
}

OclitePartitionStatus lite_drop_losses(const LiteProblem* problem, const LiteCut* cut, bool* on_device) {
    LiteArena arena = {0};
    Choice choice;
    const OclitePartitionStatus status = begin_choice(problem, cut, &arena, &choice);
    if (status == kOclitePartitionOk) {
        for (int p = 0; p < cut->partition_count; p++) choice.weights[choice.roots[p]] += cut->gains[p];
        for (int p = 0; p < cut->partition_count; p++) {
            choice.keep[p] = choice.fixed[p] || choice.weights[choice.roots[p]] > 0;
        }
        keep_partitions(problem, cut, choice.keep, on_device);
    }
    lite_arena_free(&arena);
    return status;
}
