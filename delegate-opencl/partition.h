// SPDX-License-Identifier: Apache-2.0
// The kernel of a delegated partition: the node by which the host replaces the nodes that were taken.
#ifndef DELEGATE_OPENCL_PARTITION_H_
#define DELEGATE_OPENCL_PARTITION_H_

#include "delegate-opencl/graph.h"
#include "delegate-opencl/health.h"
#include "delegate-opencl/plan.h"

// What a plan depends on: the shape of an input, and its contents where they are asked for.
typedef struct LiteClBuilt {
    LiteShape shape;
    void* contents; // NULL: not asked for
    size_t bytes;   // 0: not known then
} LiteClBuilt;

typedef struct LiteClPartition {
    struct LiteClPartition* next; // of the delegate's
    const TfLiteContext* context;
    LiteClDevice* device;
    LiteClHealth* health; // the delegate's
    LiteClGraph graph;
    LiteClPlan plan;
    int input_count;
    int output_count;
    LiteClTensor** inputs; // of the partition, constants and unused ones left out
    LiteClTensor** outputs;
    LiteClBuilt* built; // for which inputs the plan was built
    bool ready;         // ... if it was
    bool late;          // parameters were not known when shapes were inferred last
    bool prepared_late; // ... in prepare: invoke has to look at them, and builds the plan
    bool keeps;         // a node writes variables
    TfLiteDelegate* delegate;
    bool narrow;    // the plan was built with nodes that are, see precision.h
    bool automatic; // some node is, see budget.h
    bool exact;     // build as if none were narrow
    bool measured;  // nodes are narrow as the budget allows
    bool guarded;   // results that are no numbers are a reason to measure again
    double error_budget;
    struct LiteClProfile* profile; // NULL: none is asked for
    struct LiteClAsync* async;     // NULL: the host has not asked for it
} LiteClPartition;

TfLiteRegistration lite_cl_partition_registration(void);

// Brings the plan, and the host's idea of the outputs' shapes, up to date with the inputs' shapes and
// parameters. Where parameters are known only in invoke, outputs become dynamic and the plan is built there.
TfLiteStatus lite_cl_partition_prepare(LiteClPartition* partition, TfLiteContext* context);
// Builds the plan for the shapes that were inferred last, and the precisions that the nodes have now.
TfLiteStatus lite_cl_partition_build(LiteClPartition* partition, const LiteReporter* reporter);
// Whether there is nothing to do for it.
bool lite_cl_partition_is_current(const LiteClPartition* partition, const TfLiteOpaqueContext* context);

#endif
