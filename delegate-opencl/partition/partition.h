// SPDX-License-Identifier: Apache-2.0
// A part of the host's graph that runs on the device as one node.
#ifndef DELEGATE_OPENCL_PARTITION_PARTITION_H_
#define DELEGATE_OPENCL_PARTITION_PARTITION_H_

#include "delegate-opencl/cost/drift.h"
#include "delegate-opencl/graph/boundary.h"
#include "delegate-opencl/partition/host_nodes.h"
#include "delegate-opencl/partition/shared.h"
#include "delegate-opencl/plan/plan.h"

// What a plan depends on: the shape of an input, and its contents if they have to be known.
typedef struct LiteClBuilt {
    LiteShape shape;
    void* contents; // NULL: they need not be known
    size_t bytes;   // 0: they were not known
} LiteClBuilt;

// precision=auto, see budget.h.
typedef enum LiteClBudgetState {
    kLiteClUnmeasurable, // there is nothing to measure: no node is kLiteClAuto
    kLiteClUnmeasured,   // such nodes are float32 until they have been measured
    kLiteClMeasured,     // they are as the budget allows
    kLiteClGuarded,      // the same, and results that are no numbers are a reason to measure again
} LiteClBudgetState;

typedef struct LiteClBudget {
    LiteClBudgetState state;
    double error; // allowed
} LiteClBudget;

typedef struct LiteClPartition {
    LiteClShared* shared; // of its delegate
    LiteClDevice* device;
    LiteClGraph graph;
    LiteClPlan plan;
    LiteClBoundary boundary;
    LiteClBuilt* built;    // the inputs that the plan was built for
    bool ready;            // the plan is built for them
    bool late;             // parameters were not known in prepare: invoke reads them and builds the plan
    bool writes_variables; // a node does
    LiteClBudget budget;
    LiteClDrift drift;
    bool goes_on;                  // the host may run other nodes while it works
    bool has_begun;                // and it does just now
    bool has_run;                  // an inference has succeeded
    LiteClHostNodes host_nodes;    // none in hosts of ours, which take nodes back
    bool told;                     // the host has been told that they compute
    struct LiteClProfile* profile; // NULL: nobody wants times
    struct LiteClAsync* async;     // NULL: the host has not asked for it
} LiteClPartition;

// Reads the nodes that `params` lists. Call it only while the host delegates. NULL after a report, or when
// out of memory.
LiteClPartition* lite_cl_partition_create(TfLiteContext* context, const TfLiteDelegateParams* params);
void lite_cl_partition_destroy(LiteClPartition* partition); // accepts NULL

// Is the device given up? The host has been told why, or can ask.
bool lite_cl_partition_is_quarantined(const LiteClPartition* partition);

#endif
