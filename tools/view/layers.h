// SPDX-License-Identifier: Apache-2.0
// A piece in rows: boxes, and the bends of lines that pass rows, in an order with few crossings.
//
// After Sugiyama: rows by the longest path, the order in rows by the means of the neighbours' places.
#ifndef TOOLS_VIEW_LAYERS_H_
#define TOOLS_VIEW_LAYERS_H_

#include "tools/view/piece.h"

// A box, or the bend of a line in a row that it passes. Lines from the same box share their bends.
typedef struct ViewItem {
    int vertex; // of the graph; -1: a bend
    int row;
    int place; // in its row
    double x;  // the middle
    double wish;
} ViewItem;

typedef struct ViewLayers {
    ViewPiece* piece;
    int count; // of the boxes, which are the first items
    int item_count;
    ViewItem* items;
    int* bend;  // of each box: its first bend, one row below; the others follow
    int* bends; // how many it has
    int row_count;
    int* first; // of each row in `order`; one more at the end
    int* order;
    int* links[2];  // items: the neighbours above, and below, of each item
    int* linked[2]; // of each item: where its neighbours begin; one more at the end
} ViewLayers;

enum { kViewAbove, kViewBelow };

// The piece has one vertex at least. Release with view_layers_free, whatever the result; false: memory ran
// out.
bool view_layers_make(ViewPiece* piece, ViewLayers* layers);
void view_layers_free(ViewLayers* layers);

// The next edge behind number `before` (-1: the first one) that leads downwards within the piece; -1: none.
int view_layers_next(const ViewPiece* piece, int before);
// The item above `to` through which the line of an edge comes; NULL: it has too long a way.
ViewItem* view_layers_before(const ViewLayers* layers, const ViewItem* from, const ViewItem* to);

#endif
