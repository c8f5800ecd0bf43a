// SPDX-License-Identifier: Apache-2.0
#include "tools/view/layers.h"

#include <stdlib.h>

enum { kSweeps = 8 };
enum { kMaxBends = 32 }; // for each box, on average

int view_layers_next(const ViewPiece* piece, int before) {
    const ViewGraph* graph = piece->graph;
    int e = before + 1;
    if (before < 0) view_edges_of(graph, piece->first, &e);
    for (; e < graph->edge_count && graph->edges[e].to < piece->end; e++) {
        if (graph->edges[e].from >= piece->first && graph->edges[e].from < graph->edges[e].to) return e;
    }
    return -1;
}

// Calls `each` for the edges of the piece that lead downwards.
static void visit_edges(ViewLayers* layers, void (*each)(ViewLayers* layers, ViewItem* from, ViewItem* to)) {
    const ViewPiece* piece = layers->piece;
    for (int e = view_layers_next(piece, -1); e >= 0; e = view_layers_next(piece, e)) {
        const ViewEdge* edge = &piece->graph->edges[e];
        each(layers, &layers->items[edge->from - piece->first], &layers->items[edge->to - piece->first]);
    }
}

// ---- Rows ----

static void push_down(ViewLayers* layers, ViewItem* from, ViewItem* to) {
    (void)layers;
    if (from->row >= to->row) to->row = from->row + 1;
}

// Leaves in `bends` how many rows the longest line of each box passes.
static void measure_line(ViewLayers* layers, ViewItem* from, ViewItem* to) {
    int* bends = &layers->bends[from - layers->items];
    const int passed = to->row - from->row - 1;
    if (passed > *bends) *bends = passed;
}

// Edges are sorted by the vertex where they end, and vertices are in the order of execution: so a row is
// known before it is asked for.
static void find_rows(ViewLayers* layers) {
    visit_edges(layers, push_down);
    visit_edges(layers, measure_line);
    for (int v = 0; v < layers->count; v++) {
        if (layers->items[v].row >= layers->row_count) layers->row_count = layers->items[v].row + 1;
    }
}

static bool add_bends(ViewLayers* layers) {
    long room = (long)layers->count * kMaxBends, total = layers->count;
    for (int v = 0; v < layers->count; v++) {
        if (layers->bends[v] > room) layers->bends[v] = 0;
        room -= layers->bends[v];
        layers->bend[v] = (int)total;
        total += layers->bends[v];
    }
    ViewItem* items = realloc(layers->items, ((size_t)total + 1) * sizeof(*items));
    if (items == NULL) return false;
    layers->items = items;
    layers->item_count = (int)total;
    for (int v = 0; v < layers->count; v++) {
        for (int b = 0; b < layers->bends[v]; b++) {
            items[layers->bend[v] + b] = (ViewItem){.vertex = -1, .row = items[v].row + 1 + b};
        }
    }
    return true;
}

// counts[i + 2] is the size of group i. Afterwards counts[i + 1] is where the group begins; when it has been
// filled from there on, where it ends.
static void add_up(int* counts, int groups) {
    for (int i = 0; i < groups; i++) counts[i + 2] += counts[i + 1];
}

// Stores the items by row, in the order of execution.
static bool fill_rows(ViewLayers* layers) {
    layers->first = calloc((size_t)layers->row_count + 2, sizeof(int));
    layers->order = calloc((size_t)layers->item_count + 1, sizeof(int));
    if (layers->first == NULL || layers->order == NULL) return false;
    for (int i = 0; i < layers->item_count; i++) layers->first[layers->items[i].row + 2]++;
    add_up(layers->first, layers->row_count);
    for (int i = 0; i < layers->item_count; i++) {
        layers->order[layers->first[layers->items[i].row + 1]++] = i;
    }
    return true;
}

// ---- Neighbours ----

ViewItem* view_layers_before(const ViewLayers* layers, const ViewItem* from, const ViewItem* to) {
    const int v = (int)(from - layers->items), passed = to->row - from->row - 1;
    if (passed == 0) return &layers->items[v];
    return passed <= layers->bends[v] ? &layers->items[layers->bend[v] + passed - 1] : NULL;
}

// Counts the neighbours, or stores them where there is room for them.
static void link_items(ViewLayers* layers, int above, int below) {
    const int ends[2] = {below, above};
    for (int side = kViewAbove; side <= kViewBelow; side++) {
        int* linked = layers->linked[side] + ends[side];
        if (layers->links[side] == NULL) {
            linked[2]++;
        } else {
            layers->links[side][linked[1]++] = ends[1 - side];
        }
    }
}

static void link_line(ViewLayers* layers, ViewItem* from, ViewItem* to) {
    const ViewItem* above = view_layers_before(layers, from, to);
    if (above != NULL) link_items(layers, (int)(above - layers->items), (int)(to - layers->items));
}

static void link_all(ViewLayers* layers) {
    visit_edges(layers, link_line);
    for (int v = 0; v < layers->count; v++) {
        for (int b = 0; b < layers->bends[v]; b++) {
            link_items(layers, b == 0 ? v : layers->bend[v] + b - 1, layers->bend[v] + b);
        }
    }
}

static bool find_neighbours(ViewLayers* layers) {
    for (int side = kViewAbove; side <= kViewBelow; side++) {
        layers->linked[side] = calloc((size_t)layers->item_count + 2, sizeof(int));
        if (layers->linked[side] == NULL) return false;
    }
    link_all(layers);
    for (int side = kViewAbove; side <= kViewBelow; side++) {
        add_up(layers->linked[side], layers->item_count);
        layers->links[side] =
            malloc(((size_t)layers->linked[side][layers->item_count + 1] + 1) * sizeof(int));
        if (layers->links[side] == NULL) return false;
    }
    link_all(layers);
    return true;
}

// Returns how many neighbours an item has on a side, and adds their places to *sum.
static int sum_places(const ViewLayers* layers, int item, int side, double* sum) {
    const int first = layers->linked[side][item], end = layers->linked[side][item + 1];
    for (int n = first; n < end; n++) {
        *sum += layers->items[layers->links[side][n]].place;
    }
    return end - first;
}

// ---- The order in rows ----

static int compare_items(const void* left, const void* right) {
    const ViewItem* a = *(ViewItem* const*)left;
    const ViewItem* b = *(ViewItem* const*)right;
    if (a->wish != b->wish) return a->wish < b->wish ? -1 : 1;
    return (a->place > b->place) - (a->place < b->place);
}

static void number_row(ViewLayers* layers, int row) {
    for (int at = layers->first[row]; at < layers->first[row + 1]; at++) {
        layers->items[layers->order[at]].place = at - layers->first[row];
    }
}

static void sort_row(ViewLayers* layers, int row, int side, ViewItem** sorted) {
    const int first = layers->first[row], count = layers->first[row + 1] - first;
    for (int i = 0; i < count; i++) {
        ViewItem* item = &layers->items[layers->order[first + i]];
        double sum = 0;
        const int neighbours = sum_places(layers, layers->order[first + i], side, &sum);
        item->wish = neighbours > 0 ? sum / neighbours : item->place;
        sorted[i] = item;
    }
    qsort(sorted, (size_t)count, sizeof(*sorted), compare_items);
    for (int i = 0; i < count; i++) layers->order[first + i] = (int)(sorted[i] - layers->items);
    number_row(layers, row);
}

static bool sort_rows(ViewLayers* layers) {
    ViewItem** sorted = calloc((size_t)layers->item_count + 1, sizeof(*sorted));
    if (sorted == NULL) return false;
    for (int r = 0; r < layers->row_count; r++) number_row(layers, r);
    for (int sweep = 0; sweep < kSweeps; sweep++) {
        for (int r = 1; r < layers->row_count; r++) sort_row(layers, r, kViewAbove, sorted);
        if (sweep + 1 == kSweeps) break;
        for (int r = layers->row_count - 2; r >= 0; r--) sort_row(layers, r, kViewBelow, sorted);
    }
    free(sorted);
    return true;
}

// ---- All ----

bool view_layers_make(ViewPiece* piece, ViewLayers* layers) {
    const int count = piece->end - piece->first;
    *layers = (ViewLayers){.piece = piece, .count = count};
    layers->items = calloc((size_t)count + 1, sizeof(*layers->items));
    layers->bend = calloc((size_t)count + 1, sizeof(int));
    layers->bends = calloc((size_t)count + 1, sizeof(int));
    if (layers->items == NULL || layers->bend == NULL || layers->bends == NULL) return false;
    for (int v = 0; v < count; v++) layers->items[v].vertex = piece->first + v;
    find_rows(layers);
    return add_bends(layers) && fill_rows(layers) && find_neighbours(layers) && sort_rows(layers);
}

void view_layers_free(ViewLayers* layers) {
    free(layers->items);
    free(layers->bend);
    free(layers->bends);
    free(layers->first);
    free(layers->order);
    for (int side = kViewAbove; side <= kViewBelow; side++) {
        free(layers->links[side]);
        free(layers->linked[side]);
    }
    *layers = (ViewLayers){0};
}
