// SPDX-License-Identifier: Apache-2.0
// Slots come and go with what is asked for; the lowest free one is taken, so that states stay short.
#include "partitioner/frontier.h"

#include <string.h>

#include "partitioner/error.h"

enum { kBits = 64 };

static int max_int(int a, int b) {
    return a > b ? a : b;
}

static bool grow(LiteFrontier* frontier) {
    const int old = frontier->slot_capacity;
    const int capacity = old == 0 ? kBits : 2 * old;
    int* nodes = lite_realloc(frontier->node_of_slot, (size_t)capacity * sizeof(int));
    if (nodes != NULL) frontier->node_of_slot = nodes;
    int* values = lite_realloc(frontier->value_of_slot, (size_t)capacity * sizeof(int));
    if (values != NULL) frontier->value_of_slot = values;
    uint64_t* used = lite_realloc(frontier->used, (size_t)capacity / kBits * sizeof(uint64_t));
    if (used != NULL) frontier->used = used;
    if (nodes == NULL || values == NULL || used == NULL) return false;
    for (int word = old / kBits; word < capacity / kBits; word++) used[word] = 0;
    frontier->slot_capacity = capacity;
    return true;
}

// The lowest free slot, -1: out of memory.
static int take_slot(LiteFrontier* frontier, int node, int value) {
    while (frontier->first_free < frontier->slot_capacity / kBits &&
           frontier->used[frontier->first_free] == UINT64_MAX) {
        frontier->first_free++;
    }
    if (frontier->first_free == frontier->slot_capacity / kBits && !grow(frontier)) return -1;
    uint64_t* word = &frontier->used[frontier->first_free];
    const int bit = __builtin_ctzll(~*word);
    *word |= UINT64_C(1) << bit;
    const int slot = frontier->first_free * kBits + bit;
    frontier->node_of_slot[slot] = node;
    frontier->value_of_slot[slot] = value;
    frontier->step.width = max_int(frontier->step.width, slot + 1);
    return slot;
}

static bool is_used(const LiteFrontier* frontier, int slot) {
    return (frontier->used[slot / kBits] >> (slot % kBits) & 1) != 0;
}

static void free_slot(LiteFrontier* frontier, int slot) {
    LiteStep* step = &frontier->step;
    step->frees[step->free_count++] = slot;
    frontier->used[slot / kBits] &= ~(UINT64_C(1) << (slot % kBits));
    if (slot / kBits < frontier->first_free) frontier->first_free = slot / kBits;
}

static void find_last_uses(LiteFrontier* frontier) {
    const LiteProblem* problem = frontier->problem;
    const int* positions = frontier->order->positions;
    for (int n = 0; n < problem->graph.node_count; n++) {
        frontier->slot_of_node[n] = -1;
        frontier->last_use[n] = lite_order_last_use(problem, positions, n);
        const int parent = frontier->order->parents[n];
        if (parent >= 0) frontier->child_counts[parent]++;
        if (parent < 0) frontier->fresh_count++;
    }
    // The node of a unit that is decided first speaks for the unit until the last one is.
    for (int u = 0; u < problem->unit_count; u++) {
        int first = -1, last = -1;
        for (int i = problem->units.start[u]; i < problem->units.start[u + 1]; i++) {
            const int n = problem->units.items[i];
            if (first < 0 || positions[n] < positions[first]) first = n;
            last = max_int(last, positions[n]);
        }
        frontier->unit_nodes[u] = first;
        frontier->last_use[first] = max_int(frontier->last_use[first], last);
    }
    for (int v = 0; v < problem->value_count; v++) {
        frontier->paid_slot[v] = -1;
        frontier->last_reader[v] = lite_order_last_reader(problem, positions, v);
    }
}

OclitePartitionStatus lite_frontier_init(LiteFrontier* frontier, const LiteProblem* problem,
                                         const LiteOrder* order, int finds) {
    *frontier = (LiteFrontier){.problem = problem, .order = order, .finds = finds};
    const size_t nodes = (size_t)problem->graph.node_count;
    const size_t values = (size_t)problem->value_count;
    size_t most_before = 0, most_reads = 0;
    for (size_t n = 0; n < nodes; n++) {
        const size_t before = (size_t)(problem->before.start[n + 1] - problem->before.start[n]);
        const size_t reads = (size_t)(problem->reads.start[n + 1] - problem->reads.start[n]);
        if (before > most_before) most_before = before;
        if (reads > most_reads) most_reads = reads;
    }
    LiteArena* arena = &frontier->arena;
    frontier->slot_of_node = lite_arena_alloc(arena, nodes, sizeof(int));
    frontier->unit_nodes = lite_arena_alloc(arena, (size_t)problem->unit_count, sizeof(int));
    frontier->child_counts = lite_arena_alloc(arena, nodes, sizeof(int));
    frontier->last_use = lite_arena_alloc(arena, nodes, sizeof(int));
    frontier->last_reader = lite_arena_alloc(arena, values, sizeof(int));
    frontier->paid_slot = lite_arena_alloc(arena, values, sizeof(int));
    frontier->remembered = lite_arena_alloc(arena, values, sizeof *frontier->remembered);
    LiteStep* step = &frontier->step;
    step->bounds = lite_arena_alloc(arena, most_before, sizeof(int));
    step->reads = lite_arena_alloc(arena, most_reads, sizeof(LiteStepRead));
    step->frees = lite_arena_alloc(arena, 2 + most_before + most_reads * (1 + kLiteMostReaders), sizeof(int));
    step->covers = lite_arena_alloc(arena, kLiteMostCovers, sizeof(LiteStepCover));
    if (frontier->slot_of_node == NULL || frontier->unit_nodes == NULL || frontier->child_counts == NULL ||
        frontier->last_use == NULL || frontier->last_reader == NULL || frontier->paid_slot == NULL ||
        frontier->remembered == NULL || step->bounds == NULL || step->reads == NULL || step->frees == NULL ||
        step->covers == NULL) {
        return lite_partition_out_of_memory();
    }
    const int node_count = problem->graph.node_count;
    if (!lite_users_init(&frontier->node_users, order, node_count, &problem->before, node_count, arena) ||
        !lite_users_init(&frontier->value_users, order, node_count, &problem->reads, problem->value_count,
                         arena)) {
        return lite_partition_out_of_memory();
    }
    find_last_uses(frontier);
    return kOclitePartitionOk;
}

void lite_frontier_free(LiteFrontier* frontier) {
    lite_free(frontier->node_of_slot);
    lite_free(frontier->value_of_slot);
    lite_free(frontier->used);
    lite_free(frontier->step.gates);
    lite_arena_free(&frontier->arena);
}

// What the node has to know about one of the values that it reads; false: out of memory.
static bool add_read(LiteFrontier* frontier, int position, int v) {
    const LiteValue* value = &frontier->problem->values[v];
    const bool is_last = frontier->last_reader[v] == position;
    LiteStepRead* read = &frontier->step.reads[frontier->step.read_count++];
    *read = (LiteStepRead){
        .home = value->writer >= 0 ? frontier->slot_of_node[value->writer] : -1,
        .paid = frontier->paid_slot[v],
        .to_device_ns = value->to_device_ns,
        .to_host_ns = value->writer >= 0 && !value->wanted ? value->to_host_ns : 0,
    };
    if (read->paid < 0 && read->to_host_ns > 0 && !is_last) {
        read->paid = frontier->paid_slot[v] = take_slot(frontier, -1, -1);
        read->paid_is_new = true;
        if (read->paid < 0) return false;
    }
    if (value->to_device_ns == 0) return true;
    LiteReaders* readers = frontier->remembered[v];
    if (readers != NULL) {
        read->reader_count = readers->count;
        memcpy(read->readers, readers->slots, sizeof read->readers);
    }
    if (is_last) return true;
    read->is_remembered = true;
    if (readers == NULL) {
        readers = frontier->remembered[v] = lite_arena_alloc(&frontier->arena, 1, sizeof *readers);
        if (readers == NULL) return false;
    }
    if (readers->count == kLiteMostReaders) return true;
    const int slot = take_slot(frontier, -1, readers->count == 0 ? v : -1);
    if (slot < 0) return false;
    read->has_room = true;
    read->readers[read->reader_count] = readers->slots[readers->count++] = slot;
    return true;
}

static void free_node(LiteFrontier* frontier, int node, int position) {
    if (frontier->last_use[node] != position || frontier->slot_of_node[node] < 0) return;
    free_slot(frontier, frontier->slot_of_node[node]);
    frontier->slot_of_node[node] = -1;
}

static void free_value(LiteFrontier* frontier, int v, int position) {
    if (frontier->last_reader[v] != position) return;
    if (frontier->paid_slot[v] >= 0) free_slot(frontier, frontier->paid_slot[v]);
    const LiteReaders* readers = frontier->remembered[v];
    for (int i = 0; readers != NULL && i < readers->count; i++) free_slot(frontier, readers->slots[i]);
}

// Adds whom the undecided nodes of the list wait for among the decided ones; false: one of them waits for
// nobody else but `except`, or they are too many.
static bool add_rivals(LiteFrontier* frontier, LiteStepCover* cover, LiteUsers* users, int list, int position,
                       int except, int* finds) {
    const LiteOrder* order = frontier->order;
    const int end = users->lists.start[list + 1];
    int* first = &users->first[list];
    while (*first < end && order->positions[users->lists.items[*first]] <= position) ++*first;
    for (int k = *first; k < end; k = users->next[k]) {
        if (--*finds < 0) return false;
        const int rival = lite_order_ancestor(order, users->lists.items[k], position + 1);
        if (rival < 0 || rival == except) return false;
        const int slot = frontier->slot_of_node[rival];
        bool known = false;
        for (int i = 0; i < cover->rival_count; i++) known = known || cover->rivals[i] == slot;
        if (known) continue;
        if (cover->rival_count == kLiteMostRivals) return false;
        cover->rivals[cover->rival_count++] = slot;
    }
    return true;
}

static bool cover_node(LiteFrontier* frontier, LiteStepCover* cover, int slot, int position, int* finds) {
    const int node = frontier->node_of_slot[slot];
    *cover = (LiteStepCover){.is_node = true, .slot_count = 1, .slots = {slot}};
    return add_rivals(frontier, cover, &frontier->node_users, node, position, node, finds);
}

static bool cover_value(LiteFrontier* frontier, LiteStepCover* cover, int v, int position, int* finds) {
    const LiteReaders* readers = frontier->remembered[v];
    *cover = (LiteStepCover){.slot_count = readers->count};
    memcpy(cover->slots, readers->slots, sizeof cover->slots);
    return add_rivals(frontier, cover, &frontier->value_users, v, position, -1, finds);
}

static void find_covers(LiteFrontier* frontier, int position) {
    LiteStep* step = &frontier->step;
    int finds = frontier->finds;
    for (int slot = 0; slot < step->width && finds > 0 && step->cover_count < kLiteMostCovers; slot++) {
        if (!is_used(frontier, slot)) continue;
        LiteStepCover* cover = &step->covers[step->cover_count];
        const int value = frontier->value_of_slot[slot];
        finds--;
        if (frontier->node_of_slot[slot] >= 0) {
            if (cover_node(frontier, cover, slot, position, &finds)) step->cover_count++;
        } else if (value >= 0) {
            if (cover_value(frontier, cover, value, position, &finds)) step->cover_count++;
        }
    }
}

// Where every later node comes behind a decided one.
static void find_gates(LiteFrontier* frontier) {
    LiteStep* step = &frontier->step;
    if (frontier->problem->min_nodes < 2 || step->has_fresh) return;
    for (int slot = 0; slot < step->width; slot++) {
        if (!is_used(frontier, slot)) continue;
        const int node = frontier->node_of_slot[slot];
        if (node >= 0 && frontier->child_counts[node] > 0) step->gates[step->gate_count++] = slot;
    }
}

static void end_step(LiteFrontier* frontier, int position) {
    const LiteProblem* problem = frontier->problem;
    LiteStep* step = &frontier->step;
    const int node = step->node;
    for (int i = problem->before.start[node]; i < problem->before.start[node + 1]; i++) {
        free_node(frontier, problem->before.items[i], position);
    }
    free_node(frontier, frontier->unit_nodes[problem->unit_of[node]], position);
    for (int i = problem->reads.start[node]; i < problem->reads.start[node + 1]; i++) {
        free_value(frontier, problem->reads.items[i], position);
    }
    while (step->width > 0 && !is_used(frontier, step->width - 1)) step->width--;
    const int parent = frontier->order->parents[node];
    if (parent >= 0) frontier->child_counts[parent]--;
    if (parent < 0) frontier->fresh_count--;
    step->has_fresh = frontier->fresh_count > 0;
}

OclitePartitionStatus lite_frontier_step(LiteFrontier* frontier, int position) {
    const LiteProblem* problem = frontier->problem;
    LiteStep* step = &frontier->step;
    const int node = step->node = frontier->order->nodes[position];
    step->bound_count = step->read_count = step->free_count = step->cover_count = step->gate_count = 0;
    step->wanted_ns = 0;
    const int speaker = frontier->unit_nodes[problem->unit_of[node]];
    step->unit = speaker != node ? frontier->slot_of_node[speaker] : -1;
    for (int i = problem->before.start[node]; i < problem->before.start[node + 1]; i++) {
        step->bounds[step->bound_count++] = frontier->slot_of_node[problem->before.items[i]];
    }
    bool has_memory = true;
    for (int i = problem->reads.start[node]; i < problem->reads.start[node + 1]; i++) {
        has_memory = has_memory && add_read(frontier, position, problem->reads.items[i]);
    }
    for (int i = problem->writes.start[node]; i < problem->writes.start[node + 1]; i++) {
        const LiteValue* value = &problem->values[problem->writes.items[i]];
        if (value->wanted) step->wanted_ns += value->to_host_ns;
    }
    step->own = -1;
    if (frontier->last_use[node] > position) {
        step->own = frontier->slot_of_node[node] = take_slot(frontier, node, -1);
        has_memory = has_memory && step->own >= 0;
    }
    if (!has_memory) return lite_partition_out_of_memory();
    step->grown = step->width;
    end_step(frontier, position);
    if (step->width > frontier->gate_capacity && problem->min_nodes > 1) {
        int* gates = lite_realloc(step->gates, 2 * (size_t)step->width * sizeof(int));
        if (gates == NULL) return lite_partition_out_of_memory();
        step->gates = gates;
        frontier->gate_capacity = 2 * step->width;
    }
    find_covers(frontier, position);
    find_gates(frontier);
    return kOclitePartitionOk;
}
