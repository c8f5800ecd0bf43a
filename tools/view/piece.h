// SPDX-License-Identifier: Apache-2.0
// Pieces of graphs, and the places where a graph is cut.
#ifndef TOOLS_VIEW_PIECE_H_
#define TOOLS_VIEW_PIECE_H_

#include <stdbool.h>

#include "tools/view/graph.h"

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

// The line of an edge within a piece. `lines` of a graph are as many as its edges.
typedef struct ViewLine {
    int count;
    ViewPoint* points; // from the piece's corner; NULL: none
} ViewLine;

// Adds the pieces of a graph.
bool view_pieces_cut(const ViewGraph* graph, ViewPoint* middle, ViewPieces* pieces);
// Returns the edges that end at a vertex, [*first, result).
int view_edges_of(const ViewGraph* graph, int vertex, int* first);

#endif
