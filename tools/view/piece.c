// SPDX-License-Identifier: Apache-2.0
#include "tools/view/piece.h"

#include <math.h>
#include <stdlib.h>

enum { kMaxOfPiece = 1000, kMinOfPiece = 300, kRowGap = 32, kColumnGap = 24 };

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

// The simple layout: rows by depth within the piece. In a row, boxes have the order of the means of the boxes
// that they read.

typedef struct Box {
    int vertex;
    int row;
    double wish; // the wanted place of its middle
} Box;

static int compare_boxes(const void* left, const void* right) {
    const Box* a = left;
    const Box* b = right;
    if (a->row != b->row) return a->row < b->row ? -1 : 1;
    if (a->wish != b->wish) return a->wish < b->wish ? -1 : 1;
    return (a->vertex > b->vertex) - (a->vertex < b->vertex);
}

static bool is_inside(const ViewPiece* piece, const ViewEdge* edge) {
    return edge->from >= piece->first && edge->from < edge->to;
}

static void find_row(const ViewPiece* piece, Box* boxes, int vertex) {
    int first, row = 0;
    const int end = view_edges_of(piece->graph, vertex, &first);
    for (int e = first; e < end; e++) {
        const ViewEdge* edge = &piece->graph->edges[e];
        if (!is_inside(piece, edge)) continue;
        const int above = boxes[edge->from - piece->first].row;
        if (above >= row) row = above + 1;
    }
    boxes[vertex - piece->first] = (Box){.vertex = vertex, .row = row};
}

static double wish_of(const ViewPiece* piece, int vertex) {
    double sum = 0;
    int count = 0, first;
    const int end = view_edges_of(piece->graph, vertex, &first);
    for (int e = first; e < end; e++) {
        const ViewEdge* edge = &piece->graph->edges[e];
        if (!is_inside(piece, edge)) continue;
        sum += piece->middle[edge->from - piece->first].x;
        count++;
    }
    return count > 0 ? sum / count : 0;
}

// Places a row, as wide as necessary, around the mean of the wishes.
static void place_row(ViewPiece* piece, Box* boxes, int count) {
    double width = 0, wish = 0;
    for (int b = 0; b < count; b++) {
        boxes[b].wish = wish_of(piece, boxes[b].vertex);
        width += piece->graph->vertices[boxes[b].vertex].width + kColumnGap;
        wish += boxes[b].wish / count;
    }
    qsort(boxes, (size_t)count, sizeof(*boxes), compare_boxes);
    double x = wish - width / 2;
    for (int b = 0; b < count; b++) {
        const int box_width = piece->graph->vertices[boxes[b].vertex].width;
        ViewPoint* middle = &piece->middle[boxes[b].vertex - piece->first];
        middle->x = (float)(x + box_width / 2.0);
        middle->y = (float)(boxes[b].row * (kViewVertexHeight + kRowGap) + kViewVertexHeight / 2.0);
        x += box_width + kColumnGap;
    }
}

static void move_to_corner(ViewPiece* piece) {
    double left = INFINITY, right = -INFINITY;
    for (int v = piece->first; v < piece->end; v++) {
        const double middle = piece->middle[v - piece->first].x;
        const double half = piece->graph->vertices[v].width / 2.0;
        left = fmin(left, middle - half);
        right = fmax(right, middle + half);
    }
    for (int v = piece->first; v < piece->end; v++) piece->middle[v - piece->first].x -= (float)left;
    piece->width = (float)(right - left);
}

bool view_piece_place(ViewPiece* piece) {
    const int count = piece->end - piece->first;
    Box* boxes = calloc((size_t)count + 1, sizeof(*boxes));
    if (boxes == NULL) return false;
    for (int v = piece->first; v < piece->end; v++) find_row(piece, boxes, v);
    qsort(boxes, (size_t)count, sizeof(*boxes), compare_boxes);
    for (int b = 0; b < count;) {
        int end = b + 1;
        while (end < count && boxes[end].row == boxes[b].row) end++;
        place_row(piece, boxes + b, end - b);
        b = end;
    }
    const int rows = count > 0 ? boxes[count - 1].row + 1 : 0;
    piece->height = (float)(rows * (kViewVertexHeight + kRowGap) - (rows > 0 ? kRowGap : 0));
    if (count > 0) move_to_corner(piece);
    free(boxes);
    return true;
}
