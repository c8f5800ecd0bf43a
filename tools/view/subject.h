// SPDX-License-Identifier: Apache-2.0
// What a view shows: a model with its interpreter, and what was measured and asked about its nodes.
#ifndef TOOLS_VIEW_SUBJECT_H_
#define TOOLS_VIEW_SUBJECT_H_

#include <stdbool.h>
#include <stdint.h>

#include "oclite/edit.h"
#include "oclite/oclite.h"
#include "oclite/opencl.h"
#include "tools/common/job.h"
#include "tools/common/session.h"

// What is known of a node in addition to the interpreter's description. Times are means over the runs.
typedef struct ViewNode {
    int calls;               // in all runs
    double host_ns;          // of one run
    double device_ns;        // of one run: its kernels; an equal share of a kernel of several nodes
    bool asked;              // the delegate was asked about it
    int64_t host_cost_ns;    // by which the delegate has placed it; -1: it has not asked
    int64_t device_cost_ns;  // likewise
    bool host_cost_measured; // else estimated
    bool device_cost_measured;
    char* reason; // why the delegate has not taken it; NULL when it has, or was not asked
} ViewNode;

// A launch on the device.
typedef struct ViewKernel {
    int run;                   // in which it was timed
    OcliteOpenclKernel launch; // a copy
} ViewKernel;

typedef struct ViewKernels {
    ViewKernel* items;
    int count;
    bool failed; // memory ran out
} ViewKernels;

// A run of a node, or of a whole inference when `node` is -1.
typedef struct ViewEvent {
    int run;
    int graph;
    int node;
    uint64_t begin_ns;
    uint64_t end_ns;
} ViewEvent;

typedef struct ViewSubject {
    const char* path;
    ToolSession session;
    OcliteEdit* file;           // the model as it is in its file, for parameters
    char device[256];           // of the delegate; "": there is none
    ToolMessage device_problem; // what has failed on it, and which options have no effect; "" for none
    ToolMessage problem;        // why the model could not be allocated or run; "" when it could
    bool allocated;
    int threads;   // 0: the library's choice
    int runs;      // that were timed
    double run_ns; // of one
    int graph_count;
    int* node_counts; // delegates' nodes are among them
    ViewNode** nodes;
    OcliteOpenclPlacement* placements; // of each graph; its `graph` is -1 where costs have not decided
    ViewKernels kernels;
    bool keeps_events;
    ViewEvent* events;
    int event_count;
    int event_room;
    bool events_failed;
    int run; // the present one; -1: none that counts
} ViewSubject;

typedef struct ViewMeasure {
    int runs; // 0: nothing is measured
    bool keep_events;
    const ToolResize* resizes;
    int resize_count;
} ViewMeasure;

// A model that cannot be allocated or run is a subject nevertheless, with its problem. To be closed in any
// case.
ToolStatus view_subject_open(ViewSubject* subject, const char* path, const ToolSetup* setup,
                             const ViewMeasure* measure, ToolMessage* message);
void view_subject_close(ViewSubject* subject);

// NULL when there is no such node.
const ViewNode* view_subject_node(const ViewSubject* subject, int graph, int node);

// Where a node runs.
enum { kViewOnCpu = -1, kViewUnresolved = -2 };
// A partition, counted from 0 within the graph, or one of the above.
int view_subject_place(const ViewSubject* subject, int graph, const OcliteNode* node);
// Of a partition: hue in degrees, saturation and lightness in percent. Neighbours are far from each other,
// and some seventy can be told apart, the first eight also by people who do not see red or green.
typedef struct ViewColour {
    double hue;
    int saturation;
    int lightness;
} ViewColour;
ViewColour view_colour(int partition);

#endif
