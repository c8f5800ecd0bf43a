// SPDX-License-Identifier: Apache-2.0
// One position after the other, two lists of states in turn, and for each position whence its states came.
#include "partitioner/search.h"

#include <limits.h>
#include <string.h>

#include "partitioner/error.h"
#include "partitioner/frontier.h"
#include "partitioner/states.h"

// Where a state keeps what is no slot.
enum {
    kMissingEpochs = 8, // epochs whose nodes are counted, the highest odd ones
    kTopBytes = 4,      // the highest odd epoch, where it matters
    kMissingBytes = kTopBytes + kMissingEpochs * (int)sizeof(int),
};

static const int64_t kStateWork = 96; // of a state beside its slots
enum { kMostStates = 1 << 17, kFewestStates = 4, kBorrowed = 8, kMostFinds = 20000000 };

typedef struct Walk {
    const LiteProblem* problem;
    LiteSearch* search;
    LiteFrontier frontier;
    LiteStates now;
    LiteStates next;
    bool counts_nodes;
    int64_t spent;    // of search->work, beyond the equal shares
    size_t head;      // bytes of a state before its slots
    bool is_rounded;  // something was left out that might have mattered
    int64_t* rest_ns; // per position: the least that the nodes from there on cost
    uint32_t* from;   // LiteState.from of all states, position by position
    size_t from_count;
    size_t from_capacity;
    size_t* from_start; // per position
} Walk;

// A state in the making.
typedef struct Move {
    unsigned char* bytes; // all of it
    unsigned char* slots;
    int* missing; // nodes that epochs lack to be large enough: [k] is that of epoch top - 2k
    int epoch;    // of the node, as in slots
    bool on_device;
    LiteState state;
} Move;

static void shift_slots(Walk* walk, unsigned char* slots, int width) {
    bool is_far = false;
    for (int i = 0; i < width; i++) {
        const unsigned char slot = slots[i];
        const unsigned char next = slot <= kLiteFarthest ? (unsigned char)(slot + 2) : slot;
        is_far |= slot <= kLiteFarthest && next > kLiteFarthest;
        slots[i] = next;
    }
    if (!is_far) return;
    walk->is_rounded = true;
    for (int i = 0; i < width; i++) {
        if (slots[i] <= kLiteFarthest || slots[i] > kLiteFarthest + 2) continue;
        slots[i] = slots[i] % 2 != 0 ? kLiteFarDevice : kLiteFarHost;
    }
}

// A partition more; false: the limits do not allow it.
static bool raise_top(Walk* walk, Move* move) {
    move->state.top += 2;
    move->state.cost_ns += walk->problem->partition_ns;
    if ((move->state.top + 1) / 2 > walk->search->limit) return false;
    shift_slots(walk, move->slots, walk->frontier.step.grown);
    if (!walk->counts_nodes) return true;
    if (move->missing[kMissingEpochs - 1] > 0) {
        walk->is_rounded = true;
        return false;
    }
    memmove(move->missing + 1, move->missing, (kMissingEpochs - 1) * sizeof(int));
    move->missing[0] = walk->problem->min_nodes;
    return true;
}

// The earliest epoch that the node can have.
static bool find_epoch(Walk* walk, Move* move) {
    const LiteStep* step = &walk->frontier.step;
    int latest = INT_MAX;
    for (int i = 0; i < step->bound_count; i++) {
        const int epoch = move->slots[step->bounds[i]];
        if (epoch < latest && epoch <= kLiteFarthest) latest = epoch;
    }
    const int first = move->state.top + 1; // epoch 0
    if (latest == INT_MAX) latest = first;
    move->epoch = latest - (latest % 2 != move->on_device);
    if (move->epoch < 0) {
        if (!raise_top(walk, move)) return false;
        move->epoch += 2;
    }
    if (move->epoch <= kLiteFarthest) return true;
    walk->is_rounded = true;
    move->epoch = move->on_device ? kLiteFarDevice : kLiteFarHost;
    return true;
}

static void count_node(Walk* walk, Move* move) {
    if (!walk->counts_nodes || !move->on_device) return;
    const int k = move->epoch / 2;
    if (k >= kMissingEpochs) return;
    const LiteSide side = walk->problem->sides[walk->frontier.step.node];
    if (side == kLiteDeviceOnly) move->missing[k] = 0;
    if (move->missing[k] > 0) move->missing[k]--;
}

// Notes that the node's partition has the value on the device; false: it had it.
static bool note_reader(Walk* walk, const LiteStepRead* read, Move* move) {
    unsigned char* slots = move->slots;
    int i = 0;
    while (i < read->reader_count && slots[read->readers[i]] < move->epoch) i++;
    if (i < read->reader_count && slots[read->readers[i]] == move->epoch && move->epoch <= kLiteFarthest) {
        return false;
    }
    if (!read->is_remembered) return true;
    const int end = read->reader_count + read->has_room;
    if (!read->has_room && slots[read->readers[end - 1]] != kLiteNoEpoch) walk->is_rounded = true;
    for (int k = end - 1; k > i; k--) slots[read->readers[k]] = slots[read->readers[k - 1]];
    if (i < end) slots[read->readers[i]] = (unsigned char)move->epoch;
    return true;
}

static void read_value(Walk* walk, const LiteStepRead* read, Move* move) {
    unsigned char* slots = move->slots;
    const int home = read->home >= 0 ? slots[read->home] : kLiteFarHost;
    const bool from_device = home % 2 != 0;
    const bool is_inside = move->on_device && home == move->epoch && home <= kLiteFarthest;
    const bool leaves = from_device && !is_inside;
    const bool was_paid = read->paid >= 0 && !read->paid_is_new && slots[read->paid] == kLitePaid;
    if (leaves && !was_paid) move->state.cost_ns += read->to_host_ns;
    if (read->paid >= 0) slots[read->paid] = leaves || was_paid ? kLitePaid : kLiteUnpaid;
    if (read->has_room) slots[read->readers[read->reader_count]] = kLiteNoEpoch;
    if (!move->on_device || is_inside || read->to_device_ns == 0) return;
    if (note_reader(walk, read, move)) move->state.cost_ns += read->to_device_ns;
}

static void forget(const LiteStep* step, Move* move) {
    for (int i = 0; i < step->free_count; i++) move->slots[step->frees[i]] = kLiteNoEpoch;
    for (int i = 0; i < step->cover_count; i++) {
        const LiteStepCover* cover = &step->covers[i];
        // Readers are in ascending order: there are none, or the node is far already.
        if (move->slots[cover->slots[0]] > kLiteFarthest) continue;
        int earliest = -1;
        for (int k = 0; k < cover->rival_count; k++) {
            if (move->slots[cover->rivals[k]] > earliest) earliest = move->slots[cover->rivals[k]];
        }
        for (int k = 0; k < cover->slot_count; k++) {
            unsigned char* slot = &move->slots[cover->slots[k]];
            if (*slot <= earliest || *slot > kLiteFarthest) continue;
            *slot = !cover->is_node ? kLiteNoEpoch : *slot % 2 != 0 ? kLiteFarDevice : kLiteFarHost;
        }
    }
}

// Whether the epochs that lack nodes can still get some.
static bool can_fill(const Walk* walk, const Move* move) {
    const LiteStep* step = &walk->frontier.step;
    if (!walk->counts_nodes || step->has_fresh) return true;
    int earliest = -1;
    for (int i = 0; i < step->gate_count; i++) {
        if (move->slots[step->gates[i]] > earliest) earliest = move->slots[step->gates[i]];
    }
    for (int k = 0; k < kMissingEpochs; k++) {
        if (move->missing[k] > 0 && 2 * k + 1 > earliest) return false;
    }
    return true;
}

// Decides about the node of this step for state `number`.
static void try_side(Walk* walk, int number, bool on_device, int64_t rest_ns) {
    const LiteStep* step = &walk->frontier.step;
    const unsigned char* old = lite_states_bytes(&walk->now, number);
    if (step->unit >= 0 && (old[walk->head + (size_t)step->unit] % 2 != 0) != on_device) return;
    Move move = {.bytes = lite_states_next(&walk->next), .on_device = on_device};
    const size_t width = walk->next.width;
    const size_t common = walk->now.width < width ? walk->now.width : width;
    memcpy(move.bytes, old, common);
    memset(move.bytes + common, kLiteNoEpoch, width - common);
    move.slots = move.bytes + walk->head;
    move.missing = (int*)(void*)(move.bytes + kTopBytes);
    move.state = walk->now.list[number];
    move.state.from = 2 * (uint32_t)number + on_device;
    move.state.cost_ns += lite_problem_node_ns(walk->problem, step->node, on_device);
    if (!find_epoch(walk, &move)) return;
    count_node(walk, &move);
    for (int i = 0; i < step->read_count; i++) read_value(walk, &step->reads[i], &move);
    if (on_device) move.state.cost_ns += step->wanted_ns;
    if (step->own >= 0) move.slots[step->own] = (unsigned char)move.epoch;
    if (move.state.cost_ns + rest_ns >= walk->search->known_ns || !can_fill(walk, &move)) return;
    forget(step, &move);
    const int top = step->has_fresh || walk->search->limit != INT_MAX ? move.state.top : 0;
    memcpy(move.bytes, &top, kTopBytes);
    lite_states_add(&walk->next, move.state);
}

static bool keep_from(Walk* walk, int position) {
    const size_t needed = walk->from_count + (size_t)walk->now.count;
    if (needed > walk->from_capacity) {
        const size_t capacity = 2 * needed;
        uint32_t* from = lite_realloc(walk->from, capacity * sizeof(uint32_t));
        if (from == NULL) return false;
        walk->from = from;
        walk->from_capacity = capacity;
    }
    walk->from_start[position] = walk->from_count;
    for (int i = 0; i < walk->now.count; i++) walk->from[walk->from_count++] = walk->now.list[i].from;
    return true;
}

// The most states that the allowed work leaves to the position. Half of it is shared out equally; the other
// half goes to where the states are, and may be borrowed from positions to come.
static int most_states(const Walk* walk, int position, size_t width) {
    const int64_t share = walk->search->work / walk->problem->graph.node_count / 2;
    const int64_t pool = share * (position + 1) + walk->search->work / kBorrowed - walk->spent;
    const int64_t most = (share + (pool > 0 ? pool : 0)) / (kStateWork + (int64_t)width);
    if (most < kFewestStates) return kFewestStates;
    return most > kMostStates ? kMostStates : (int)most;
}

static OclitePartitionStatus take_step(Walk* walk, int position) {
    PARTITION_TRY(lite_frontier_step(&walk->frontier, position));
    const LiteStep* step = &walk->frontier.step;
    const size_t width = (walk->head + (size_t)step->grown + 7) / 8 * 8;
    const int most = most_states(walk, position, width);
    const int64_t share = walk->search->work / walk->problem->graph.node_count / 2;
    const int64_t work = walk->now.count * (kStateWork + (int64_t)width);
    if (work > share) walk->spent += work - share;
    if (!lite_states_begin(&walk->next, 2 * (size_t)walk->now.count, width)) {
        return lite_partition_out_of_memory();
    }
    const LiteSide side = walk->problem->sides[step->node];
    for (int i = 0; i < walk->now.count; i++) {
        if (side != kLiteDeviceOnly) try_side(walk, i, false, walk->rest_ns[position + 1]);
        if (side != kLiteHostOnly) try_side(walk, i, true, walk->rest_ns[position + 1]);
    }
    if (walk->next.count > most) walk->is_rounded = true;
    if (!lite_states_keep(&walk->next, most)) return lite_partition_out_of_memory();
    const LiteStates states = walk->now;
    walk->now = walk->next;
    walk->next = states;
    return keep_from(walk, position) ? kOclitePartitionOk : lite_partition_out_of_memory();
}

static void read_back(const Walk* walk, bool* on_device) {
    int best = 0;
    for (int i = 1; i < walk->now.count; i++) {
        if (walk->now.list[i].cost_ns < walk->now.list[best].cost_ns) best = i;
    }
    for (int position = walk->problem->graph.node_count - 1; position >= 0; position--) {
        const uint32_t from = walk->from[walk->from_start[position] + (size_t)best];
        on_device[walk->frontier.order->nodes[position]] = from % 2 != 0;
        best = (int)(from / 2);
    }
}

static OclitePartitionStatus walk_order(Walk* walk, const LiteOrder* order, bool* on_device) {
    const int nodes = walk->problem->graph.node_count;
    for (int i = nodes - 1; i >= 0; i--) {
        const int n = order->nodes[i];
        const int64_t host = walk->problem->host_ns[n];
        const int64_t device = walk->problem->device_ns[n];
        const LiteSide side = walk->problem->sides[n];
        const bool is_host = side == kLiteHostOnly || (side == kLiteEitherSide && host < device);
        walk->rest_ns[i] = walk->rest_ns[i + 1] + (is_host ? host : device);
    }
    if (!lite_states_begin(&walk->now, 1, (walk->head + 7) / 8 * 8)) return lite_partition_out_of_memory();
    memset(lite_states_next(&walk->now), kLiteNoEpoch, walk->now.width);
    memset(lite_states_next(&walk->now), 0, walk->head);
    lite_states_add(&walk->now, (LiteState){.top = -1});
    for (int i = 0; i < nodes && walk->now.count > 0; i++) PARTITION_TRY(take_step(walk, i));
    walk->search->is_found = walk->now.count > 0;
    walk->search->is_complete = !walk->is_rounded;
    if (walk->search->is_found) read_back(walk, on_device);
    return kOclitePartitionOk;
}

OclitePartitionStatus lite_search(const LiteProblem* problem, LiteSearch* search, bool* on_device) {
    LiteArena arena = {0};
    LiteOrder order;
    search->is_found = search->is_complete = false;
    OclitePartitionStatus status = lite_order_init(&order, problem, &arena);
    const size_t nodes = (size_t)problem->graph.node_count;
    // Of graphs that are too wide even a few states are too much.
    const int64_t least_work = kFewestStates * (order.width + kStateWork * (int64_t)nodes);
    if (status != kOclitePartitionOk || nodes == 0 || least_work > search->work) {
        lite_arena_free(&arena);
        return status;
    }
    const bool counts_nodes = problem->min_nodes > 1;
    Walk walk = {
        .problem = problem,
        .search = search,
        .counts_nodes = counts_nodes,
        .head = counts_nodes ? kMissingBytes : kTopBytes,
        .rest_ns = lite_arena_alloc(&arena, nodes + 1, sizeof(int64_t)),
        .from_start = lite_arena_alloc(&arena, nodes, sizeof(size_t)),
    };
    const int64_t finds = kMostFinds / (problem->graph.node_count + 1);
    status = walk.rest_ns == NULL || walk.from_start == NULL
                 ? lite_partition_out_of_memory()
                 : lite_frontier_init(&walk.frontier, problem, &order, finds > 4096 ? 4096 : (int)finds);
    if (status == kOclitePartitionOk) status = walk_order(&walk, &order, on_device);
    lite_frontier_free(&walk.frontier);
    lite_states_free(&walk.now);
    lite_states_free(&walk.next);
    lite_free(walk.from);
    lite_arena_free(&arena);
    return status;
}
