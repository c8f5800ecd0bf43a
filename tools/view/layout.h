// SPDX-License-Identifier: Apache-2.0
// Where boxes and lines of graphs go.
//
// Graphviz's dot lays them out. Its time grows with the square of a graph's depth; so a graph of more than a
// thousand boxes is cut in the order of execution, where the fewest lines cross, and the pieces are stacked.
// A piece that dot has not done in time is laid out in a simple way: rows by depth, boxes below what they
// read.
#ifndef TOOLS_VIEW_LAYOUT_H_
#define TOOLS_VIEW_LAYOUT_H_

#include "tools/view/graph.h"

typedef struct ViewPoint {
    float x; // pixels, y grows downwards
    float y;
} ViewPoint;

typedef struct ViewLayout {
    float width;
    float height;
    bool is_simple;    // some of it was not laid out by dot
    ViewPoint* middle; // of each vertex
    int* first;        // of each edge's points; one more at the end
    ViewPoint* points; // of Bezier curves: 3 n + 1 for each edge
} ViewLayout;

// One layout for each graph, within about `seconds`; 0: only in the simple way. Free each of them whatever
// the result; they start as {0}.
ToolStatus view_layout_make(const ViewGraph* graphs, int count, double seconds, ViewLayout* layouts,
                            ToolMessage* message);
void view_layout_free(ViewLayout* layout);

// piece.c

// Vertices [first, end) of a graph.
typedef struct ViewPiece {
    const ViewGraph* graph;
    int first;
    int end;
    bool done;
    float width;
    float height;
    ViewPoint* middle; // of its vertices, from its upper left corner; points into the layout's
} ViewPiece;

typedef struct ViewPieces {
    ViewPiece* items;
    int count;
} ViewPieces;

// Adds the pieces of a graph.
bool view_pieces_cut(const ViewGraph* graph, ViewPoint* middle, ViewPieces* pieces);
// Lays it out without dot.
bool view_piece_place(ViewPiece* piece);
// The edges that end at a vertex: [*first, result).
int view_edges_of(const ViewGraph* graph, int vertex, int* first);

#endif
