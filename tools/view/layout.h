// SPDX-License-Identifier: Apache-2.0
// The places of the boxes and lines of graphs.
//
// Graphviz's dot computes them. Its time grows with the square of a graph's depth. So a graph of more than a
// thousand boxes is cut, in the order of execution, where the fewest lines cross, and the pieces are stacked.
// A piece that dot does not finish in time, and without dot every piece, has a layout of our own
// (tools/view/layered.h).
#ifndef TOOLS_VIEW_LAYOUT_H_
#define TOOLS_VIEW_LAYOUT_H_

#include "tools/view/graph.h"

typedef struct ViewLayout {
    float width;
    float height;
    bool is_simple;    // some of it was not laid out by dot
    ViewPoint* middle; // of each vertex
    int* first;        // of each edge's points; one more at the end
    ViewPoint* points; // of Bezier curves: 3 n + 1 for each edge
} ViewLayout;

// Makes one layout for each graph, within about `seconds`; with 0 without asking dot. Stores whether dot is
// there, if it was asked. Free each of the layouts, whatever the result. They start as {0}.
ToolStatus view_layout_make(const ViewGraph* graphs, int count, double seconds, ViewLayout* layouts,
                            bool* has_dot, ToolMessage* message);
void view_layout_free(ViewLayout* layout);

#endif
