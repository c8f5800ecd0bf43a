// SPDX-License-Identifier: Apache-2.0
#include "tools/view/piece.h"

#include <stdlib.h>

enum { kMaxOfPiece = 1000, kMinOfPiece = 300 };

int view_edges_of(const ViewGraph* graph, int vertex, int* first) {
    int low = 0, high = graph->edge_count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (graph->edges[middle].to < vertex) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *first = low;
    while (low < graph->edge_count && graph->edges[low].to == vertex) low++;
    return low;
}

static bool add_piece(const ViewGraph* graph, int first, int end, ViewPoint* middle, ViewPieces* pieces) {
    ViewPiece* items = realloc(pieces->items, ((size_t)pieces->count + 1) * sizeof(*items));
    if (items == NULL) return false;
    pieces->items = items;
    items[pieces->count++] =
        (ViewPiece){.graph = graph, .first = first, .end = end, .middle = middle + first};
    return true;
}

// crossings[v]: edges between vertices before v and others.
static int* count_crossings(const ViewGraph* graph) {
    int* crossings = calloc((size_t)graph->vertex_count + 2, sizeof(int));
    if (crossings == NULL) return NULL;
    for (int e = 0; e < graph->edge_count; e++) {
        const int from = graph->edges[e].from, to = graph->edges[e].to;
        crossings[(from < to ? from : to) + 1]++;
        crossings[(from < to ? to : from) + 1]--;
    }
    for (int v = 1; v <= graph->vertex_count; v++) crossings[v] += crossings[v - 1];
    return crossings;
}

bool view_pieces_cut(const ViewGraph* graph, ViewPoint* middle, ViewPieces* pieces) {
    int* crossings = count_crossings(graph);
    if (crossings == NULL) return false;
    bool done = true;
    for (int first = 0; first < graph->vertex_count && done;) {
        int end = graph->vertex_count;
        if (end - first > kMaxOfPiece) {
            end = first + kMaxOfPiece;
            for (int cut = end - 1; cut >= first + kMinOfPiece; cut--) {
                if (crossings[cut] < crossings[end]) end = cut;
            }
        }
        done = add_piece(graph, first, end, middle, pieces);
        first = end;
    }
    free(crossings);
    return done;
}
