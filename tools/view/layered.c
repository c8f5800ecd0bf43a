// SPDX-License-Identifier: Apache-2.0
#include "tools/view/layered.h"

#include <math.h>
#include <stdlib.h>

#include "tools/view/layers.h"

enum { kRowGap = 36, kColumnGap = 24, kBendGap = 10, kSweeps = 8 };
static const double kBendWeight = 4; // lines straight, rather than boxes in the middle

// ---- Places in rows ----

// Items that touch each other move as one.
typedef struct Block {
    double weight;
    double sum; // of the wishes of its first item
    int end;    // in the row
} Block;

static double width_of(const ViewLayers* layers, const ViewItem* item) {
    return item->vertex >= 0 ? layers->piece->graph->vertices[item->vertex].width : 0;
}

// How far the middle of an item is from that of the one before it, at least.
static double distance(const ViewLayers* layers, const ViewItem* left, const ViewItem* right) {
    const bool are_boxes = left->vertex >= 0 && right->vertex >= 0;
    return (width_of(layers, left) + width_of(layers, right)) / 2 + (are_boxes ? kColumnGap : kBendGap);
}

// Gives the items of a row the places that are nearest to their wishes, by the least squares, without a
// change of their order: those whose wishes collide share the mean.
static void fit_row(ViewLayers* layers, int row, const double* weights, Block* blocks) {
    const int first = layers->first[row], count = layers->first[row + 1] - first;
    double offset = 0;
    int used = 0;
    for (int i = 0; i < count; i++) {
        const ViewItem* item = &layers->items[layers->order[first + i]];
        if (i > 0) offset += distance(layers, &layers->items[layers->order[first + i - 1]], item);
        blocks[used++] = (Block){weights[i], weights[i] * (item->wish - offset), i + 1};
        while (used > 1 && blocks[used - 2].sum / blocks[used - 2].weight >
                               blocks[used - 1].sum / blocks[used - 1].weight) {
            used--;
            blocks[used - 1].weight += blocks[used].weight;
            blocks[used - 1].sum += blocks[used].sum;
            blocks[used - 1].end = blocks[used].end;
        }
    }
    offset = 0;
    for (int i = 0, b = 0; i < count; i++) {
        ViewItem* item = &layers->items[layers->order[first + i]];
        if (i > 0) offset += distance(layers, &layers->items[layers->order[first + i - 1]], item);
        if (i == blocks[b].end) b++;
        item->x = blocks[b].sum / blocks[b].weight + offset;
    }
}

// Returns how many neighbours an item has on a side, and adds their middles to *sum.
static int sum_middles(const ViewLayers* layers, int item, int side, double* sum) {
    const int first = layers->linked[side][item], end = layers->linked[side][item + 1];
    for (int n = first; n < end; n++) *sum += layers->items[layers->links[side][n]].x;
    return end - first;
}

// Moves the items of a row towards their neighbours on the sides [from, to].
static void move_row(ViewLayers* layers, int row, int from, int to, double* weights, Block* blocks) {
    const double kIdle = 0.01; // nobody is near, so it can go aside
    for (int at = layers->first[row]; at < layers->first[row + 1]; at++) {
        ViewItem* item = &layers->items[layers->order[at]];
        double sum = 0;
        int neighbours = 0;
        for (int side = from; side <= to; side++) {
            neighbours += sum_middles(layers, layers->order[at], side, &sum);
        }
        item->wish = neighbours > 0 ? sum / neighbours : item->x;
        weights[at - layers->first[row]] = neighbours == 0 ? kIdle : item->vertex < 0 ? kBendWeight : 1;
    }
    fit_row(layers, row, weights, blocks);
}

static bool move_rows(ViewLayers* layers) {
    double* weights = calloc((size_t)layers->item_count + 1, sizeof(*weights));
    Block* blocks = calloc((size_t)layers->item_count + 1, sizeof(*blocks));
    const bool has_memory = weights != NULL && blocks != NULL;
    for (int sweep = 0; sweep < kSweeps && has_memory; sweep++) {
        const bool is_last = sweep + 2 >= kSweeps; // then between the neighbours of both sides
        for (int r = 0; r < layers->row_count; r++) {
            move_row(layers, r, kViewAbove, is_last ? kViewBelow : kViewAbove, weights, blocks);
        }
        for (int r = layers->row_count - 1; r >= 0; r--) {
            move_row(layers, r, is_last ? kViewAbove : kViewBelow, kViewBelow, weights, blocks);
        }
    }
    free(weights);
    free(blocks);
    return has_memory;
}

// ---- The result ----

static double middle_of_row(int row) {
    return row * (kViewVertexHeight + kRowGap) + kViewVertexHeight / 2.0;
}

static void store_places(const ViewLayers* layers) {
    ViewPiece* piece = layers->piece;
    double left = INFINITY, right = -INFINITY;
    for (int i = 0; i < layers->item_count; i++) {
        const double half = width_of(layers, &layers->items[i]) / 2;
        left = fmin(left, layers->items[i].x - half);
        right = fmax(right, layers->items[i].x + half);
    }
    for (int i = 0; i < layers->item_count; i++) layers->items[i].x -= left;
    for (int v = 0; v < layers->count; v++) {
        const ViewItem* item = &layers->items[v];
        piece->middle[v] = (ViewPoint){(float)item->x, (float)middle_of_row(item->row)};
    }
    piece->width = (float)(right - left);
    piece->height = (float)(middle_of_row(layers->row_count - 1) + kViewVertexHeight / 2.0);
}

// Adds a curve to (x, y) that leaves and arrives vertically. A point straight below the last one takes its
// place.
static void draw_to(ViewLine* line, double x, double y) {
    const ViewPoint* last = &line->points[line->count - 1];
    const bool goes_on = line->count > 1 && fabsf(line->points[line->count - 4].x - last->x) < 0.5f;
    if (goes_on && fabs(x - last->x) < 0.5) {
        line->count -= 3;
        last = &line->points[line->count - 1];
    }
    const float half = (last->y + (float)y) / 2;
    ViewPoint* added = &line->points[line->count];
    added[0] = (ViewPoint){last->x, half};
    added[1] = (ViewPoint){(float)x, half};
    added[2] = (ViewPoint){(float)x, (float)y};
    line->count += 3;
}

static bool draw_line(const ViewLayers* layers, const ViewItem* from, const ViewItem* to, ViewLine* line) {
    const int passed = to->row - from->row - 1;
    const double half = kViewVertexHeight / 2.0;
    line->points = malloc((size_t)(6 * passed + 4) * sizeof(ViewPoint));
    if (line->points == NULL) return false;
    line->points[0] = (ViewPoint){(float)from->x, (float)(middle_of_row(from->row) + half)};
    line->count = 1;
    for (int b = 0; b < passed; b++) {
        const ViewItem* bend = &layers->items[layers->bend[from - layers->items] + b];
        draw_to(line, bend->x, middle_of_row(bend->row) - half);
        draw_to(line, bend->x, middle_of_row(bend->row) + half);
    }
    draw_to(line, to->x, middle_of_row(to->row) - half);
    return true;
}

static bool draw_lines(const ViewLayers* layers, ViewLine* lines) {
    const ViewPiece* piece = layers->piece;
    for (int e = view_layers_next(piece, -1); e >= 0; e = view_layers_next(piece, e)) {
        const ViewEdge* edge = &piece->graph->edges[e];
        const ViewItem* from = &layers->items[edge->from - piece->first];
        const ViewItem* to = &layers->items[edge->to - piece->first];
        if (view_layers_before(layers, from, to) == NULL) continue;
        if (!draw_line(layers, from, to, &lines[e])) return false;
    }
    return true;
}

bool view_layered_place(ViewPiece* piece, ViewLine* lines) {
    ViewLayers layers;
    bool has_memory = view_layers_make(piece, &layers) && move_rows(&layers);
    if (has_memory) {
        store_places(&layers);
        has_memory = draw_lines(&layers, lines);
    }
    view_layers_free(&layers);
    return has_memory;
}
