// SPDX-License-Identifier: Apache-2.0
// Placement by cost against all placements there are, on small graphs, and against its own alternatives on
// large ones.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "oclite/partition.h"
#include "partitioner/place.h"
#include "tests/support/placement_case.h"
#include "tests/support/random_numbers.h"

#ifdef __SANITIZE_ADDRESS__
enum { LARGE_GRAPHS = 200 };
#else
enum { LARGE_GRAPHS = 1000 };
#endif
enum { SMALL_GRAPHS = 10000, SMALL_NODES = 16 };

static PlacementCase sample;

static void place(OclitePartitionMode mode, int64_t work, int32_t* partition_of,
                  OclitePartitionResult* result) {
    *result = (OclitePartitionResult){.size = sizeof *result};
    const OclitePartitionStatus status = lite_place(&sample.problem, mode, work, partition_of, result);
    assert_string_equal(oclite_partition_last_error(), "");
    assert_int_equal(status, kOclitePartitionOk);
}

static int64_t price_of(const int32_t* partition_of, int forced, bool* fits) {
    static bool on_device[PLACEMENT_MOST_NODES];
    int count = 0;
    for (int n = 0; n < sample.problem.node_count; n++) on_device[n] = partition_of[n] >= 0;
    assert_true(placement_case_allows(&sample, on_device));
    return placement_case_price(&sample, on_device, forced, fits, &count);
}

static int forced_partitions(void) {
    int count = 0;
    bool fits;
    (void)placement_case_price(&sample, sample.forced, 0, &fits, &count);
    return count;
}

// The least that any placement within the limits costs.
static int64_t search(int forced) {
    const int nodes = sample.problem.node_count;
    int64_t best = INT64_MAX;
    for (uint32_t set = 0; set < UINT32_C(1) << nodes; set++) {
        bool on_device[SMALL_NODES];
        for (int n = 0; n < nodes; n++) on_device[n] = (set >> n & 1) != 0;
        if (!placement_case_allows(&sample, on_device)) continue;
        bool fits;
        int count;
        const int64_t cost = placement_case_price(&sample, on_device, forced, &fits, &count);
        if (fits && cost < best) best = cost;
    }
    return best;
}

static int small_size(int round) {
    if (round % 500 == 0) return SMALL_NODES;
    return round % 20 == 0 ? 8 + random_below(5) : 1 + random_below(8);
}

static void test_small_graphs(void** state) {
    (void)state;
    random_seed = 1;
    for (int round = 0; round < SMALL_GRAPHS; round++) {
        placement_case_make(&sample, small_size(round), round % 3 == 0 ? 3 : SMALL_NODES);
        const int forced = forced_partitions();
        int32_t partition_of[SMALL_NODES];
        OclitePartitionResult result;
        place(kOclitePartitionCost, kLitePlaceWork, partition_of, &result);
        bool fits;
        const int64_t cost = price_of(partition_of, forced, &fits);
        const int64_t least = search(forced);
        if (cost != least || !result.exact) print_error("graph %d\n", round);
        assert_true(cost == least);
        assert_true(result.total_ns == cost);
        assert_true(result.exact);
        assert_true(fits);
        placement_case_check(&sample, partition_of, result.partition_count);
    }
}

// Every mode is valid, prices itself right and keeps to the limits; what cost finds is the cheapest of them.
static void check_modes(int64_t work, int* exact_count) {
    static int32_t partition_of[PLACEMENT_MOST_NODES];
    static bool on_device[PLACEMENT_MOST_NODES];
    const int forced = forced_partitions();
    int64_t least = INT64_MAX;
    const OclitePartitionMode modes[] = {kOclitePartitionNone, kOclitePartitionGreedy, kOclitePartitionAll,
                                         kOclitePartitionCost};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        OclitePartitionResult result, priced = {.size = sizeof priced};
        place(modes[i], work, partition_of, &result);
        bool fits;
        assert_true(price_of(partition_of, forced, &fits) == result.total_ns);
        assert_true(fits);
        placement_case_check(&sample, partition_of, result.partition_count);
        for (int n = 0; n < sample.problem.node_count; n++) on_device[n] = partition_of[n] >= 0;
        assert_int_equal(oclite_partition_price(&sample.problem, on_device, NULL, &priced),
                         kOclitePartitionOk);
        assert_true(priced.total_ns == result.total_ns && priced.host_ns == result.host_ns &&
                    priced.all_ns == result.all_ns && priced.partition_count == result.partition_count);
        if (modes[i] == kOclitePartitionNone) assert_true(result.total_ns == result.host_ns);
        if (modes[i] == kOclitePartitionCost) {
            assert_true(result.total_ns <= least);
            *exact_count += result.exact;
        }
        if (result.total_ns < least) least = result.total_ns;
    }
}

static void test_large_graphs(void** state) {
    (void)state;
    random_seed = 2;
    int exact_count = 0;
    for (int round = 0; round < LARGE_GRAPHS; round++) {
        const int nodes = round % 50 == 0 ? random_int(1000, 2000) : random_int(200, 400);
        placement_case_make(&sample, nodes, round % 2 == 0 ? 3 : 40);
        check_modes(round % 100 == 99 ? kLitePlaceWork : kLitePlaceWork / 100, &exact_count);
    }
    print_message("%d of %d large graphs are known to be placed best\n", exact_count, LARGE_GRAPHS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_small_graphs),
        cmocka_unit_test(test_large_graphs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
