// SPDX-License-Identifier: Apache-2.0
// The functions of oclite/partition.h.
#include "partitioner/place.h"

#include <limits.h>
#include <string.h>

#include "partitioner/error.h"
#include "partitioner/greedy.h"
#include "partitioner/improve.h"
#include "partitioner/overlap.h"
#include "partitioner/search.h"

// What is known before anything is chosen, and the choice.
typedef struct Placing {
    LiteProblem problem;
    LiteArena arena;
    LiteBest best;
    bool* trial;
    int64_t none_ns;
    int64_t all_ns;
    bool overlaps;   // mode Overlap
    int64_t span_ns; // then, of the choice
    bool is_exact;
} Placing;

static OclitePartitionStatus begin(Placing* placing, const OclitePartitionProblem* given) {
    lite_partition_begin();
    LiteProblem* problem = &placing->problem;
    PARTITION_TRY(lite_problem_init(problem, given));
    LiteBest* best = &placing->best;
    const size_t nodes = (size_t)problem->graph.node_count;
    best->problem = problem;
    best->on_device = lite_arena_alloc(&placing->arena, nodes, sizeof(bool));
    placing->trial = lite_arena_alloc(&placing->arena, nodes, sizeof(bool));
    if (best->on_device == NULL || placing->trial == NULL) return lite_partition_out_of_memory();
    PARTITION_TRY(lite_cut_init(&best->cut, problem, &placing->arena));
    lite_place_all(problem, placing->trial);
    PARTITION_TRY(lite_price(problem, placing->trial, INT_MAX, &best->cut));
    placing->all_ns = best->cut.total_ns;
    lite_place_none(problem, best->on_device);
    PARTITION_TRY(lite_price(problem, best->on_device, INT_MAX, &best->cut));
    placing->none_ns = best->total_ns = best->cut.total_ns;
    best->limit = lite_partition_limit(problem, &best->cut);
    return kOclitePartitionOk;
}

static void end(Placing* placing) {
    lite_problem_free(&placing->problem);
    lite_arena_free(&placing->arena);
}

// All that the device can run, as far as the limits allow.
static OclitePartitionStatus place_greedily(Placing* placing, bool* on_device) {
    const LiteProblem* problem = &placing->problem;
    LiteBest* best = &placing->best;
    lite_place_all(problem, on_device);
    PARTITION_TRY(lite_price(problem, on_device, best->limit, &best->cut));
    return lite_keep_largest(problem, best->limit, &best->cut, on_device);
}

static OclitePartitionStatus place_by_cost(Placing* placing, int64_t work) {
    const LiteProblem* problem = &placing->problem;
    LiteBest* best = &placing->best;
    PARTITION_TRY(place_greedily(placing, placing->trial));
    PARTITION_TRY(lite_offer(best, placing->trial));
    // From both ends, so that the search has a good placement to compare with.
    lite_place_none(problem, placing->trial);
    PARTITION_TRY(lite_improve(best, placing->trial));
    lite_place_all(problem, placing->trial);
    PARTITION_TRY(lite_improve(best, placing->trial));
    LiteSearch search = {.limit = best->limit, .work = work, .known_ns = best->total_ns};
    PARTITION_TRY(lite_search(problem, &search, placing->trial));
    if (search.is_found) PARTITION_TRY(lite_offer(best, placing->trial));
    placing->is_exact = search.is_complete;
    if (placing->is_exact) return kOclitePartitionOk;
    memcpy(placing->trial, best->on_device, (size_t)problem->graph.node_count * sizeof(bool));
    return lite_improve(best, placing->trial);
}

// A placement that the moves of overlap.h begin with: in placing->trial.
static OclitePartitionStatus improve_overlapped(Placing* placing, bool* on_device) {
    LiteBest* best = &placing->best;
    int64_t span = 0;
    PARTITION_TRY(lite_overlap_improve(best->problem, placing->trial, best->limit, &best->cut, &span));
    if (placing->overlaps && span >= placing->span_ns) return kOclitePartitionOk;
    placing->overlaps = true;
    placing->span_ns = span;
    memcpy(on_device, placing->trial, (size_t)best->problem->graph.node_count * sizeof(bool));
    return kOclitePartitionOk;
}

// From the cheapest placement, the one with all that the device can run, and the one with as little as
// possible: where a trunk and its branches are on one side, moves of single branches lead nowhere.
static OclitePartitionStatus place_overlapped(Placing* placing, int64_t work) {
    LiteBest* best = &placing->best;
    const size_t nodes = (size_t)best->problem->graph.node_count;
    PARTITION_TRY(place_by_cost(placing, work));
    placing->is_exact = false;
    bool* chosen = lite_arena_alloc(&placing->arena, nodes, sizeof *chosen);
    if (chosen == NULL) return lite_partition_out_of_memory();
    memcpy(placing->trial, best->on_device, nodes * sizeof(bool));
    PARTITION_TRY(improve_overlapped(placing, chosen));
    PARTITION_TRY(place_greedily(placing, placing->trial));
    PARTITION_TRY(improve_overlapped(placing, chosen));
    lite_place_none(best->problem, placing->trial);
    PARTITION_TRY(improve_overlapped(placing, chosen));
    memcpy(best->on_device, chosen, nodes * sizeof(bool));
    return kOclitePartitionOk;
}

static OclitePartitionStatus place(Placing* placing, OclitePartitionMode mode, int64_t work) {
    switch (mode) {
    case kOclitePartitionCost:
        return place_by_cost(placing, work);
    case kOclitePartitionGreedy:
    case kOclitePartitionAll:
        return place_greedily(placing, placing->best.on_device);
    case kOclitePartitionOverlap:
        return place_overlapped(placing, work);
    case kOclitePartitionNone:
        return kOclitePartitionOk;
    }
    return lite_partition_fail(kOclitePartitionBadGraph, "mode %d is none of OclitePartitionMode", (int)mode);
}

// Prices what is in best.on_device, and hands all out.
static OclitePartitionStatus finish(Placing* placing, int32_t* partition_of, OclitePartitionResult* result) {
    LiteBest* best = &placing->best;
    PARTITION_TRY(lite_price(&placing->problem, best->on_device, best->limit, &best->cut));
    if (partition_of != NULL) {
        memcpy(partition_of, best->cut.partition_of,
               (size_t)placing->problem.graph.node_count * sizeof *partition_of);
    }
    if (result == NULL) return kOclitePartitionOk;
    *result = (OclitePartitionResult){
        .size = result->size,
        .total_ns = placing->overlaps ? placing->span_ns : best->cut.total_ns,
        .host_ns = placing->none_ns,
        .all_ns = placing->all_ns,
        .partition_count = best->cut.partition_count,
        .exact = placing->is_exact,
    };
    return kOclitePartitionOk;
}

static OclitePartitionStatus check_result(const OclitePartitionResult* result) {
    if (result == NULL || result->size >= sizeof *result) return kOclitePartitionOk;
    return lite_partition_fail(kOclitePartitionBadGraph,
                               "the result has size %zu, not sizeof(OclitePartitionResult), %zu",
                               result->size, sizeof *result);
}

OclitePartitionStatus lite_place(const OclitePartitionProblem* problem, OclitePartitionMode mode,
                                 int64_t work, int32_t* partition_of, OclitePartitionResult* result) {
    Placing placing = {0};
    OclitePartitionStatus status = begin(&placing, problem);
    if (status == kOclitePartitionOk) status = check_result(result);
    if (status == kOclitePartitionOk && partition_of == NULL && placing.problem.graph.node_count > 0) {
        status = lite_partition_fail(kOclitePartitionBadGraph, "partition_of is NULL");
    }
    if (status == kOclitePartitionOk) status = place(&placing, mode, work);
    if (status == kOclitePartitionOk) status = finish(&placing, partition_of, result);
    end(&placing);
    return status;
}

OclitePartitionStatus oclite_partition(const OclitePartitionProblem* problem, OclitePartitionMode mode,
                                       int32_t* partition_of, OclitePartitionResult* result) {
    return lite_place(problem, mode, kLitePlaceWork, partition_of, result);
}

// The sides that are given are those that the nodes can be on.
static OclitePartitionStatus check_sides(const LiteProblem* problem, const bool* on_device) {
    if (on_device == NULL && problem->graph.node_count > 0) {
        return lite_partition_fail(kOclitePartitionBadGraph, "on_device is NULL");
    }
    for (int n = 0; n < problem->graph.node_count; n++) {
        const int64_t ns = lite_problem_node_ns(problem, n, on_device[n]);
        if (ns == OCLITE_PARTITION_NEVER) {
            return lite_partition_fail(kOclitePartitionImpossible, "node %d: the %s cannot run it", n,
                                       on_device[n] ? "device" : "host");
        }
        const int first = problem->units.items[problem->units.start[problem->unit_of[n]]];
        if (on_device[n] != on_device[first]) {
            return lite_partition_fail(kOclitePartitionImpossible,
                                       "nodes %d and %d are of one group, but on two sides", first, n);
        }
    }
    return kOclitePartitionOk;
}

OclitePartitionStatus oclite_partition_price(const OclitePartitionProblem* problem, const bool* on_device,
                                             int32_t* partition_of, OclitePartitionResult* result) {
    Placing placing = {0};
    OclitePartitionStatus status = begin(&placing, problem);
    if (status == kOclitePartitionOk) status = check_result(result);
    const size_t nodes = (size_t)placing.problem.graph.node_count;
    if (status == kOclitePartitionOk) status = check_sides(&placing.problem, on_device);
    if (status == kOclitePartitionOk) {
        if (nodes > 0) memcpy(placing.best.on_device, on_device, nodes * sizeof(bool));
        status = finish(&placing, partition_of, result);
    }
    end(&placing);
    return status;
}
