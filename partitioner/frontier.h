// SPDX-License-Identifier: Apache-2.0
// What the search has to remember of decided nodes, position by position, in bytes: slots.
//
// A slot holds one of
// - a node's epoch, while others wait for the node: how far it is below the highest one. With `top`, the
//   highest odd epoch that has a node (-1: none yet), epoch e is top + 1 - e, so that odd numbers are on the
//   device. Whether an epoch rises above others depends on such differences alone;
// - kLiteFarHost or kLiteFarDevice, where only the side matters: no later node can get into that epoch;
// - whether the partition that wrote a value has paid for bringing it to the host: kLitePaid, kLiteUnpaid;
// - the epoch of a partition that has paid for bringing a value to the device. A value has up to
//   kLiteMostReaders such slots, in ascending order, the unused ones last.
// Unused slots hold kLiteNoEpoch, so that equal bytes are equal states.
//
// The frontier says for each position which slots the node there reads, and which it fills and frees.
#ifndef PARTITIONER_FRONTIER_H_
#define PARTITIONER_FRONTIER_H_

#include "partitioner/order.h"

enum {
    kLiteFarthest = 239, // the largest difference
    kLiteUnpaid = 250,
    kLitePaid = 251,
    kLiteFarDevice = 253,
    kLiteFarHost = 254,
    kLiteNoEpoch = 255,
    kLiteMostCovers = 128, // in one step
    kLiteMostRivals = 4,   // of one cover
};

// The node reads a value.
typedef struct LiteStepRead {
    int home; // slot of the writer, -1: nobody has written it
    int paid; // slot, -1: it need not be remembered
    bool paid_is_new;
    int reader_count;              // slots of partitions that have read it, before this node
    int readers[kLiteMostReaders]; // and behind them, where there is room, one for this node
    bool has_room;                 // it is to be remembered, in readers[reader_count]
    bool is_remembered;            // it is to be remembered, if need be in the place of the earliest
    int64_t to_device_ns;
    int64_t to_host_ns; // 0 where it is paid anyway
} LiteStepRead;

// Slots whose epochs no later node can get into, where all rivals are in later epochs: each node that will
// ask for the slots waits for a rival.
typedef struct LiteStepCover {
    bool is_node; // else partitions that have read a value, which are then forgotten
    int slot_count;
    int slots[kLiteMostReaders];
    int rival_count;
    int rivals[kLiteMostRivals];
} LiteStepCover;

typedef struct LiteStep {
    int node;
    int unit; // slot of a decided node of the same unit, -1: there is none
    int own;  // slot to fill, -1: nobody waits for the node
    int bound_count;
    int* bounds; // slots of nodes that it waits for
    int read_count;
    LiteStepRead* reads;
    int64_t wanted_ns; // for values that the host needs in the end
    int free_count;
    int* frees;
    int cover_count;
    LiteStepCover* covers;
    int grown;      // slots in use are below this one before any is freed,
    int width;      // and below this one afterwards
    bool has_fresh; // some node after this one waits for no other: it can get into any epoch
    // Where min_nodes matters: unless there is a fresh one, no later node comes before the earliest of these.
    int gate_count;
    int* gates; // slots
} LiteStep;

// Slots of the partitions that have read a value.
typedef struct LiteReaders {
    int count;
    int slots[kLiteMostReaders];
} LiteReaders;

typedef struct LiteFrontier {
    const LiteProblem* problem;
    const LiteOrder* order;
    LiteStep step;
    int finds;       // ancestors that may be looked for in a step
    int fresh_count; // undecided nodes that wait for no other
    int* unit_nodes; // per unit: its node that is decided first
    LiteUsers node_users;
    LiteUsers value_users;
    // Per node and per value.
    int* slot_of_node;
    int* child_counts; // undecided nodes whose parent it is
    int* last_use;
    int* last_reader;
    int* paid_slot;
    LiteReaders** remembered; // NULL: no readers to be remembered yet
    // Per slot.
    int slot_capacity;
    int* node_of_slot;  // -1: none
    int* value_of_slot; // first slot of a value's readers; -1: none
    uint64_t* used;     // bits
    int first_free;     // no word of `used` before this one has a zero
    int gate_capacity;
    LiteArena arena;
} LiteFrontier;

// `finds` bounds the work of a step; more of them find more equal states.
OclitePartitionStatus lite_frontier_init(LiteFrontier* frontier, const LiteProblem* problem,
                                         const LiteOrder* order, int finds);
void lite_frontier_free(LiteFrontier* frontier);

// Makes frontier->step what is to be done at the position; positions come one after the other.
OclitePartitionStatus lite_frontier_step(LiteFrontier* frontier, int position);

#endif
