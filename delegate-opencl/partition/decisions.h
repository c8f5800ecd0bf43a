// SPDX-License-Identifier: Apache-2.0
// What a delegate has decided about the nodes that it was shown, for those who ask for explanations; and the
// graphs that it is being shown now.
#ifndef DELEGATE_OPENCL_PARTITION_DECISIONS_H_
#define DELEGATE_OPENCL_PARTITION_DECISIONS_H_

#include <stdbool.h>

#include "core/base/lock.h"
#include "core/base/trial.h"
#include "delegate-opencl/device/device.h"
#include "delegate-opencl/graph/graph.h"
#include "delegate-opencl/graph/reason.h"
#include "delegate-opencl/partition/basis.h"
#include "oclite/opencl.h"

// A graph while it is delegated.
typedef struct LiteClDelegation {
    struct LiteClDelegation* next;
    const TfLiteContext* context;
    const LiteClGraph* graph;
} LiteClDelegation;

// How long a node takes on either side, in nanoseconds; -1: nobody has asked.
typedef struct LiteClNodeTimes {
    int64_t host;
    int64_t device;
    bool host_measured; // else estimated
    bool device_measured;
} LiteClNodeTimes;

typedef struct LiteClDecisions {
    LiteLock mutex;                // guards what follows
    LiteClDelegation* delegations; // that are going on
    struct LiteClDecided* graphs;  // by number
    int graph_count;
    int graph_capacity;
    int* slots; // a hash table of the graphs' contexts: 1 + the number, or 0
} LiteClDecisions;

void lite_cl_decisions_init(LiteClDecisions* decisions);
void lite_cl_decisions_destroy(LiteClDecisions* decisions);

// The number of a graph, which its context identifies; -1 when out of memory. Forgets what was decided when
// the graph was delegated before.
int lite_cl_decisions_number(LiteClDecisions* decisions, const void* context);
// What was decided about the nodes of a graph: node n is taken, or reasons[n] says why not.
typedef struct LiteClChoice {
    bool* taken;
    LiteClReason* reasons;
    LiteClNodeTimes* times;
    OcliteOpenclPlacement* placement; // one; its graph is -1 where costs have not decided
} LiteClChoice;

// Makes room for the nodes of the graph, in its arena. false: out of memory.
bool lite_cl_choice_init(LiteClChoice* choice, LiteClGraph* graph);

// Remembers the decisions about all nodes of a graph.
TfLiteStatus lite_cl_decisions_add(LiteClDecisions* decisions, const LiteClGraph* graph,
                                   const LiteClChoice* choice, const LiteReporter* reporter);
// Remembers which nodes of a partition store float16 now.
void lite_cl_decisions_note_precisions(LiteClDecisions* decisions, const LiteClGraph* partition);
// Tells the decisions, in the order of graphs and nodes.
void lite_cl_decisions_tell(LiteClDecisions* decisions,
                            void (*callback)(void* user_data, const OcliteOpenclNode* node), void* user_data);

// The same of the graphs that were placed by cost.
void lite_cl_decisions_tell_placements(LiteClDecisions* decisions,
                                       void (*callback)(void* user_data,
                                                        const OcliteOpenclPlacement* placement),
                                       void* user_data);

// What a placement by cost of the graph holds for. Without memory it holds for ever.
void lite_cl_decisions_note_basis(LiteClDecisions* decisions, const LiteClGraph* graph,
                                  const LiteClExpected* expected);
// LiteIsOutdated, of the graph that the context identifies. What was measured of it, and has proved wrong, is
// forgotten.
bool lite_cl_decisions_are_outdated(LiteClDecisions* decisions, LiteClDevice* device, TfLiteContext* context,
                                    const LiteGraphUse* use);
// How often that was so.
int lite_cl_decisions_revisions(LiteClDecisions* decisions, int number);

// From `enter` to `leave` partitions of the delegation's graph find it.
void lite_cl_decisions_enter(LiteClDecisions* decisions, LiteClDelegation* delegation);
void lite_cl_decisions_leave(LiteClDecisions* decisions, const LiteClDelegation* delegation);
// All nodes of the host's graph that is being delegated; NULL: it is not.
const LiteClGraph* lite_cl_decisions_graph(LiteClDecisions* decisions, const TfLiteContext* context);

#endif
