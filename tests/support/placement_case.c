// SPDX-License-Identifier: Apache-2.0
#include "tests/support/placement_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "partitioner/partition.h"
#include "tests/support/random_numbers.h"

static bool touches(const int32_t* start, const int32_t* items, int node, int tensor) {
    for (int i = start[node]; i < start[node + 1]; i++) {
        if (items[i] == tensor) return true;
    }
    return false;
}

static void find_writers(PlacementCase* c) {
    const int nodes = c->problem.node_count;
    for (int n = 0; n < nodes; n++) {
        for (int i = c->input_start[n]; i < c->input_start[n + 1]; i++) {
            c->writers[i] = n - 1;
            while (c->writers[i] >= 0 && !touches(c->output_start, c->outputs, c->writers[i], c->inputs[i])) {
                c->writers[i]--;
            }
        }
        for (int i = c->output_start[n]; i < c->output_start[n + 1]; i++) {
            c->rewritten[i] = false;
            for (int k = n + 1; k < nodes && !c->rewritten[i]; k++) {
                c->rewritten[i] = touches(c->output_start, c->outputs, k, c->outputs[i]);
            }
        }
    }
}

static int near(int next, int nearness) {
    const int reach = nearness < next ? nearness : next;
    return next - 1 - random_below(reach);
}

// Tensors: 8 that come from outside, then one for each node; with `wild` a few that several nodes write.
static void make_edges(PlacementCase* c, int node_count, int nearness, bool wild) {
    int in = 0, out = 0;
    for (int n = 0; n < node_count; n++) {
        c->input_start[n] = in;
        c->output_start[n] = out;
        for (int k = random_below(PLACEMENT_MOST_ENDS); k > 0; k--) {
            int tensor = n == 0 || random_below(6) == 0 ? random_below(8) : 8 + near(n, nearness);
            if (wild && random_below(3) == 0) tensor = random_below(4);
            c->inputs[in++] = random_below(10) == 0 ? -1 : tensor;
        }
        if (random_below(3) == 0 && n > 0 && in > c->input_start[n]) c->inputs[in - 1] = 8 + n - 1;
        c->outputs[out++] = wild && random_below(4) == 0 ? random_below(4) : 8 + n;
        if (random_below(8) == 0) c->outputs[out++] = wild ? random_below(4) : -1;
    }
    c->input_start[node_count] = in;
    c->output_start[node_count] = out;
}

static int make_control(PlacementCase* c, int node_count) {
    const int count = node_count > 1 && random_below(2) == 0 ? random_below(node_count / 4 + 2) : 0;
    for (int i = 0; i < count; i++) {
        c->control_to[i] = 1 + random_below(node_count - 1);
        c->control_from[i] = near(c->control_to[i], 6);
    }
    return count;
}

static int64_t random_cost(int most) {
    return random_below(5) == 0 ? 0 : random_below(most);
}

static void make_costs(PlacementCase* c, int node_count) {
    const int transfer = random_below(4) == 0 ? 1 : 1 << random_below(8);
    const int never = random_below(3) == 0 ? 0 : 6;
    const int groups = random_below(2) == 0 ? 0 : 1 + random_below(node_count / 2 + 1);
    for (int n = 0; n < node_count; n++) {
        c->host_ns[n] = random_cost(100);
        c->device_ns[n] = random_cost(60);
        c->group_of[n] = groups > 0 && random_below(3) == 0 ? 7 * random_below(groups) : -1;
        if (never > 0 && random_below(never) == 0) c->device_ns[n] = OCLITE_PARTITION_NEVER;
        if (never > 0 && c->device_ns[n] >= 0 && random_below(4 * never) == 0) {
            c->host_ns[n] = OCLITE_PARTITION_NEVER;
        }
    }
    for (int t = 0; t < node_count + 8; t++) {
        c->to_device_ns[t] = random_cost(transfer);
        c->to_host_ns[t] = random_cost(transfer);
        c->wanted[t] = random_below(6) == 0;
    }
}

// Groups that neither side can run become single nodes.
static void mend_groups(PlacementCase* c, int node_count) {
    for (int n = 0; n < node_count; n++) {
        bool host = true, device = true;
        for (int k = 0; k < node_count && c->group_of[n] >= 0; k++) {
            if (c->group_of[k] != c->group_of[n]) continue;
            host = host && c->host_ns[k] != OCLITE_PARTITION_NEVER;
            device = device && c->device_ns[k] != OCLITE_PARTITION_NEVER;
        }
        if (!host && !device) c->group_of[n] = -1;
    }
}

static bool are_grouped(const PlacementCase* c, int a, int b) {
    return a == b || (c->group_of[a] >= 0 && c->group_of[a] == c->group_of[b]);
}

static void find_forced(PlacementCase* c) {
    for (int n = 0; n < c->problem.node_count; n++) {
        c->forced[n] = false;
        for (int k = 0; k < c->problem.node_count; k++) {
            if (are_grouped(c, n, k) && c->host_ns[k] == OCLITE_PARTITION_NEVER) c->forced[n] = true;
        }
    }
}

void placement_case_make(PlacementCase* c, int node_count, int nearness) {
    make_edges(c, node_count, nearness, random_below(2) == 0);
    const int control_count = make_control(c, node_count);
    make_costs(c, node_count);
    mend_groups(c, node_count);
    c->problem = (OclitePartitionProblem){
        .size = sizeof c->problem,
        .node_count = node_count,
        .tensor_count = node_count + 8,
        .input_start = c->input_start,
        .inputs = c->inputs,
        .output_start = c->output_start,
        .outputs = c->outputs,
        .control_count = control_count,
        .control_from = c->control_from,
        .control_to = c->control_to,
        .host_ns = c->host_ns,
        .device_ns = c->device_ns,
        .to_device_ns = c->to_device_ns,
        .to_host_ns = c->to_host_ns,
        .group_of = c->group_of,
        .wanted_outside = c->wanted,
        .partition_ns = random_below(3) == 0 ? 0 : random_below(120),
        .max_partitions = random_below(3) == 0 ? 1 + random_below(3) : 0,
        .min_nodes = random_below(3) == 0 ? random_below(5) : 0,
    };
    find_writers(c);
    find_forced(c);
}

bool placement_case_allows(const PlacementCase* c, const bool* on_device) {
    const int nodes = c->problem.node_count;
    for (int n = 0; n < nodes; n++) {
        if ((on_device[n] ? c->device_ns : c->host_ns)[n] == OCLITE_PARTITION_NEVER) return false;
        for (int k = 0; k < n && c->group_of[n] >= 0; k++) {
            if (are_grouped(c, n, k) && on_device[n] != on_device[k]) return false;
        }
    }
    return true;
}

// The partitions as lite_partition cuts them, its subset for each node of the device and -1 for the others.
static int cut(const PlacementCase* c, const bool* on_device, int* subset_of) {
    const OclitePartitionProblem* p = &c->problem;
    const LitePartitionGraph graph = {p->node_count,    p->tensor_count, p->input_start,
                                      p->inputs,        p->output_start, p->outputs,
                                      p->control_count, p->control_from, p->control_to};
    int subset_count = 0;
    assert_int_equal(lite_partition(&graph, on_device, subset_of, &subset_count), kLitePartitionOk);
    int count = 0;
    for (int s = 0; s < subset_count; s++) {
        int on_which = 0;
        while (subset_of[on_which] != s) on_which++;
        count += on_device[on_which];
    }
    for (int n = 0; n < p->node_count; n++) {
        if (!on_device[n]) subset_of[n] = -1;
    }
    return count;
}

// The first input or output of this node's partition with the same tensor, from the same side of its border.
static bool partition_has_read(const PlacementCase* c, const int* subset_of, int node, int input) {
    for (int n = 0; n <= node; n++) {
        if (subset_of[n] != subset_of[node]) continue;
        for (int i = c->input_start[n]; i < c->input_start[n + 1] && i < input; i++) {
            const int writer = c->writers[i];
            const bool inside = writer >= 0 && subset_of[writer] == subset_of[n];
            if (c->inputs[i] == c->inputs[input] && !inside) return true;
        }
    }
    return false;
}

static bool is_read_outside(const PlacementCase* c, const int* subset_of, int node, int output) {
    for (int n = node + 1; n < c->problem.node_count; n++) {
        if (subset_of[n] == subset_of[node]) continue;
        for (int i = c->input_start[n]; i < c->input_start[n + 1]; i++) {
            if (c->inputs[i] == c->outputs[output] && c->writers[i] == node) return true;
        }
    }
    return c->wanted[c->outputs[output]] && !c->rewritten[output];
}

// Whether the node's partition is.
static bool is_large_enough(const PlacementCase* c, const int* subset_of, int node) {
    int size = 0;
    for (int k = 0; k < c->problem.node_count && size < c->problem.min_nodes; k++) {
        if (subset_of[k] == subset_of[node]) size += c->forced[k] ? c->problem.min_nodes : 1;
    }
    return size >= c->problem.min_nodes;
}

int64_t placement_case_price(const PlacementCase* c, const bool* on_device, int forced_partitions, bool* fits,
                             int* partition_count) {
    static int subset_of[PLACEMENT_MOST_NODES];
    const OclitePartitionProblem* p = &c->problem;
    *partition_count = cut(c, on_device, subset_of);
    int64_t cost = *partition_count * p->partition_ns;
    *fits = p->max_partitions == 0 || *partition_count <= p->max_partitions ||
            *partition_count <= forced_partitions;
    for (int n = 0; n < p->node_count; n++) {
        cost += (on_device[n] ? c->device_ns : c->host_ns)[n];
        if (!on_device[n]) continue;
        if (!is_large_enough(c, subset_of, n)) *fits = false;
        for (int i = c->input_start[n]; i < c->input_start[n + 1]; i++) {
            const int writer = c->writers[i];
            if (c->inputs[i] < 0 || (writer >= 0 && subset_of[writer] == subset_of[n])) continue;
            if (!partition_has_read(c, subset_of, n, i)) cost += c->to_device_ns[c->inputs[i]];
        }
        for (int i = c->output_start[n]; i < c->output_start[n + 1]; i++) {
            bool again = false; // a node may name a tensor twice
            for (int k = c->output_start[n]; k < i; k++) again = again || c->outputs[k] == c->outputs[i];
            if (c->outputs[i] < 0 || again) continue;
            if (is_read_outside(c, subset_of, n, i)) cost += c->to_host_ns[c->outputs[i]];
        }
    }
    return cost;
}

// The node `b` waits for `a` because of a tensor, by the words of the header.
static bool waits(const PlacementCase* c, int b, int a) {
    for (int i = c->input_start[b]; i < c->input_start[b + 1]; i++) {
        if (c->inputs[i] >= 0 && c->writers[i] == a) return true;
    }
    for (int i = c->output_start[b]; i < c->output_start[b + 1]; i++) {
        if (c->outputs[i] < 0) continue;
        if (touches(c->input_start, c->inputs, a, c->outputs[i])) return true;
        if (touches(c->output_start, c->outputs, a, c->outputs[i])) return true;
    }
    return false;
}

// The node `b` waits for `a`.
static void check_edge(const int32_t* partition_of, int* highest, int a, int b) {
    if (partition_of[b] >= 0 && partition_of[a] >= 0) assert_true(partition_of[a] <= partition_of[b]);
    // Through a node outside of it a path leads to later partitions only.
    if (partition_of[b] >= 0 && partition_of[a] < 0) assert_true(highest[a] < partition_of[b]);
    if (highest[a] > highest[b]) highest[b] = highest[a];
}

void placement_case_check(const PlacementCase* c, const int32_t* partition_of, int partition_count) {
    // The highest partition on any path that ends in a node.
    static int highest[PLACEMENT_MOST_NODES];
    int seen = 0;
    for (int b = 0; b < c->problem.node_count; b++) {
        const int own = partition_of[b];
        assert_in_range(own + 1, 0, partition_count);
        highest[b] = own;
        for (int a = 0; a < b; a++) {
            if (waits(c, b, a)) check_edge(partition_of, highest, a, b);
        }
        for (int i = 0; i < c->problem.control_count; i++) {
            if (c->control_to[i] == b) check_edge(partition_of, highest, c->control_from[i], b);
        }
        if (own >= 0) assert_int_equal(highest[b], own);
    }
    for (int p = 0; p < partition_count; p++) {
        for (int n = 0; n < c->problem.node_count; n++) {
            if (partition_of[n] != p) continue;
            seen++;
            break;
        }
    }
    assert_int_equal(seen, partition_count);
}
