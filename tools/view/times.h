// SPDX-License-Identifier: Apache-2.0
// How long nodes take where they run, and how that is known.
#ifndef TOOLS_VIEW_TIMES_H_
#define TOOLS_VIEW_TIMES_H_

#include "tools/view/subject.h"

// The page's scripts have the same numbers.
typedef enum ViewSource {
    kViewUnknown,
    kViewTimed,    // in the runs of the view
    kViewTried,    // in the delegate's trials
    kViewEstimated // by the delegate
} ViewSource;

typedef struct ViewTime {
    ViewSource source;
    double ns; // of one inference
} ViewTime;

// What runs along with another node, whose time is that of both, has no time.
ViewTime view_time_of(const ViewSubject* subject, int graph, int node);

typedef struct ViewTimes {
    int count; // of nodes with a time
    int estimated;
    double total;
    double slowest;
} ViewTimes;

ViewTimes view_times_of(const ViewSubject* subject, int graph);

// "measured", "measured in trials" or "estimated".
const char* view_source_text(ViewSource source);

// A time as people read it, for example "12.3 us".
enum { kViewTimeText = 32 };
const char* view_time_text(double ns, char text[kViewTimeText]);
// The same of a time by which the delegate has placed a node, and how it is known.
enum { kViewCostText = 64 };
const char* view_cost_text(int64_t ns, bool measured, char text[kViewCostText]);

#endif
