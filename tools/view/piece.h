// SPDX-License-Identifier: Apache-2.0
// Pieces of graphs: the places where a graph is cut, and the layout of a piece without dot.
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

// Adds the pieces of a graph.
bool view_pieces_cut(const ViewGraph* graph, ViewPoint* middle, ViewPieces* pieces);
// Computes the layout of a piece without dot.
bool view_piece_place(ViewPiece* piece);
// Returns the edges that end at a vertex, [*first, result).
int view_edges_of(const ViewGraph* graph, int vertex, int* first);

#endif
