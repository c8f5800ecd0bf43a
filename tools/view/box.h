// SPDX-License-Identifier: Apache-2.0
// What pictures show and say of nodes, and of the places where they run.
#ifndef TOOLS_VIEW_BOX_H_
#define TOOLS_VIEW_BOX_H_

#include "tools/view/drawing.h"
#include "tools/view/times.h"

typedef struct ViewBox {
    ViewLabel label;
    int place;
    bool is_end; // an input or output of the graph
    ViewTime time;
    double share;   // of the time of all nodes; 0 where it is not known
    double portion; // of the slowest node's time
} ViewBox;

ViewBox view_box_of(const ViewDrawing* drawing, int graph, const ViewVertex* vertex, const ViewTimes* times);

// Where a node runs, how long it takes, what either side was said to take, and why it is not on the device,
// in a line.
enum { kViewNoteSize = 1024 };
void view_box_note(const ViewDrawing* drawing, int graph, const ViewVertex* vertex, const ViewBox* box,
                   char note[kViewNoteSize]);

// How many nodes of a graph run where: unresolved, on the CPU, in each of the first partitions.
enum { kViewMostPlaces = 12 };
typedef struct ViewPlaces {
    int counts[2 + kViewMostPlaces];
    int others; // nodes of later partitions
} ViewPlaces;

ViewPlaces view_places_of(const ViewDrawing* drawing, int graph);
void view_place_name(int place, char* text, size_t size);
// What the bars of a graph say; "" where there are none.
void view_bars_text(const ViewTimes* times, char* text, size_t size);

#endif
