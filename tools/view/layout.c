// SPDX-License-Identifier: Apache-2.0
#include "tools/view/layout.h"

#include <stdlib.h>
#include <string.h>

#include "tools/view/graphviz.h"
#include "tools/view/layered.h"
#include "tools/view/piece.h"

enum { kPieceGap = 48, kPixelsOfInch = 72, kMaxLinePoints = 1 << 14 };

typedef struct Work {
    const ViewGraph* graphs;
    ViewLayout* layouts;
    int count;
    ViewPieces pieces;
    ViewLine** lines; // of each graph's edges
} Work;

static void write_piece(FILE* out, const ViewPiece* piece) {
    const ViewGraph* graph = piece->graph;
    fputs("digraph {\n"
          "graph [nodesep=0.25, ranksep=0.4, nslimit=4, nslimit1=4]\n"
          "node [shape=box, fixedsize=true, label=\"\"]\nedge [arrowhead=none]\n",
          out);
    for (int v = piece->first; v < piece->end; v++) {
        fprintf(out, "%d [width=%.3f, height=%.3f]\n", v, (double)graph->vertices[v].width / kPixelsOfInch,
                (double)kViewVertexHeight / kPixelsOfInch);
    }
    int first;
    view_edges_of(graph, piece->first, &first);
    for (int e = first; e < graph->edge_count && graph->edges[e].to < piece->end; e++) {
        const ViewEdge* edge = &graph->edges[e];
        if (edge->from >= piece->first && edge->from < piece->end) {
            fprintf(out, "%d -> %d\n", edge->from, edge->to);
        }
    }
    fputs("}\n", out);
}

// Read dot's lines: words and numbers, separated by blanks.

static bool take_word(const char** at, const char* word) {
    const size_t length = strlen(word);
    if (strncmp(*at, word, length) != 0 || (*at)[length] != ' ') return false;
    *at += length;
    return true;
}

static double take_number(const char** at) {
    char* end;
    const double value = strtod(*at, &end);
    *at = end;
    return value;
}

static ViewPoint take_point(const char** at, const ViewPiece* piece) {
    const double x = take_number(at) * kPixelsOfInch;
    const double y = take_number(at) * kPixelsOfInch;
    return (ViewPoint){(float)x, piece->height - (float)y};
}

static void read_node(const char* at, ViewPiece* piece) {
    const int vertex = (int)take_number(&at);
    if (vertex >= piece->first && vertex < piece->end)
        piece->middle[vertex - piece->first] = take_point(&at, piece);
}

static int find_edge(const ViewGraph* graph, int from, int to) {
    int first;
    const int end = view_edges_of(graph, to, &first);
    for (int e = first; e < end; e++) {
        if (graph->edges[e].from == from) return e;
    }
    return -1;
}

static bool read_edge(const char* at, const ViewPiece* piece, ViewLine* lines) {
    const int from = (int)take_number(&at), to = (int)take_number(&at), count = (int)take_number(&at);
    if (from < piece->first || from >= piece->end || to < piece->first || to >= piece->end) return true;
    const int edge = find_edge(piece->graph, from, to);
    if (edge < 0 || lines[edge].points != NULL || count < 4 || count > kMaxLinePoints || count % 3 != 1)
        return true;
    lines[edge] = (ViewLine){.count = count, .points = malloc((size_t)count * sizeof(ViewPoint))};
    if (lines[edge].points == NULL) return false;
    for (int p = 0; p < count; p++) lines[edge].points[p] = take_point(&at, piece);
    return true;
}

// Returns the text that dot wrote for one piece, from "graph" to "stop"; NULL when it is not complete.
static const char* read_piece(const char* text, ViewPiece* piece, ViewLine* lines, bool* has_memory) {
    const char* end = strstr(text, "\nstop\n");
    if (end == NULL) return NULL;
    while (text < end) {
        const char* at = text;
        if (take_word(&at, "graph")) {
            take_number(&at); // the scale, 1
            piece->width = (float)(take_number(&at) * kPixelsOfInch);
            piece->height = (float)(take_number(&at) * kPixelsOfInch);
        } else if (take_word(&at, "node")) {
            read_node(at, piece);
        } else if (take_word(&at, "edge")) {
            *has_memory = read_edge(at, piece, lines) && *has_memory;
        }
        text = strchr(text, '\n') + 1;
    }
    piece->done = true;
    return end + strlen("\nstop\n");
}

static ToolStatus ask_dot(Work* work, double seconds, bool* has_dot, ToolMessage* message) {
    FILE* input = tmpfile();
    if (input == NULL) return tool_fail(message, kToolFile, "no temporary file could be made");
    for (int p = 0; p < work->pieces.count; p++) write_piece(input, &work->pieces.items[p]);
    ToolBytes output = {0};
    ToolStatus status = view_graphviz_run(input, seconds, &output, has_dot, message);
    fclose(input);
    const char* at = output.data;
    bool has_memory = true;
    for (int p = 0; p < work->pieces.count && status == kToolOk && at != NULL; p++) {
        ViewPiece* piece = &work->pieces.items[p];
        at = read_piece(at, piece, work->lines[piece->graph - work->graphs], &has_memory);
    }
    tool_bytes_free(&output);
    if (!has_memory) status = tool_out_of_memory(message);
    return status;
}

// Pieces below each other.

// Returns how far the piece has to move to the right to be below the pieces that it reads.
static float find_shift(const ViewPiece* piece, const ViewLayout* layout) {
    int first, count = 0;
    double sum = 0;
    view_edges_of(piece->graph, piece->first, &first);
    for (int e = first; e < piece->graph->edge_count && piece->graph->edges[e].to < piece->end; e++) {
        const ViewEdge* edge = &piece->graph->edges[e];
        if (edge->from >= piece->first) continue;
        sum += layout->middle[edge->from].x - piece->middle[edge->to - piece->first].x;
        count++;
    }
    return count > 0 ? (float)(sum / count) : 0;
}

static void move_points(ViewPoint* points, int count, float x, float y) {
    for (int p = 0; p < count; p++) {
        points[p].x += x;
        points[p].y += y;
    }
}

// Joins the pieces of a graph, the first of which is `*next`, and moves `*next` behind them.
static void stack(Work* work, int g, int* next) {
    const ViewGraph* graph = &work->graphs[g];
    ViewLayout* layout = &work->layouts[g];
    ViewLine* lines = work->lines[g];
    float left = 0, right = 0, top = 0;
    int edge = 0; // of the piece: edges are sorted by the vertex where they end
    for (; *next < work->pieces.count && work->pieces.items[*next].graph == graph; (*next)++) {
        ViewPiece* piece = &work->pieces.items[*next];
        const float x = find_shift(piece, layout), y = top;
        move_points(piece->middle, piece->end - piece->first, x, y);
        for (; edge < graph->edge_count && graph->edges[edge].to < piece->end; edge++) {
            move_points(lines[edge].points, lines[edge].count, x, y);
        }
        if (x < left) left = x;
        if (x + piece->width > right) right = x + piece->width;
        layout->is_simple = layout->is_simple || !piece->done;
        layout->height = top + piece->height;
        top = layout->height + kPieceGap;
    }
    layout->width = right - left;
    move_points(layout->middle, graph->vertex_count, -left, 0);
    for (int e = 0; e < graph->edge_count; e++) move_points(lines[e].points, lines[e].count, -left, 0);
}

// Draws a line that dot does not know: between pieces, or in a simple piece.
static void draw_line(const ViewLayout* layout, const ViewEdge* edge, ViewPoint* points) {
    const ViewPoint from = layout->middle[edge->from], to = layout->middle[edge->to];
    const float half = kViewVertexHeight / 2.0f;
    const float reach = to.y - from.y > 160 ? 80 : 40;
    points[0] = (ViewPoint){from.x, from.y + half};
    points[1] = (ViewPoint){from.x, from.y + half + reach};
    points[2] = (ViewPoint){to.x, to.y - half - reach};
    points[3] = (ViewPoint){to.x, to.y - half};
}

static bool draw_lines(const Work* work, int g) {
    const ViewGraph* graph = &work->graphs[g];
    ViewLayout* layout = &work->layouts[g];
    size_t count = 0;
    for (int e = 0; e < graph->edge_count; e++) {
        const ViewLine* line = &work->lines[g][e];
        layout->first[e] = (int)count;
        count += (size_t)(line->points != NULL ? line->count : 4);
    }
    layout->first[graph->edge_count] = (int)count;
    layout->points = malloc((count + 1) * sizeof(ViewPoint));
    if (layout->points == NULL) return false;
    for (int e = 0; e < graph->edge_count; e++) {
        const ViewLine* line = &work->lines[g][e];
        ViewPoint* points = layout->points + layout->first[e];
        if (line->points != NULL) {
            memcpy(points, line->points, (size_t)line->count * sizeof(ViewPoint));
        } else {
            draw_line(layout, &graph->edges[e], points);
        }
    }
    return true;
}

static bool prepare(Work* work) {
    work->lines = calloc((size_t)work->count + 1, sizeof(*work->lines));
    if (work->lines == NULL) return false;
    for (int g = 0; g < work->count; g++) {
        const ViewGraph* graph = &work->graphs[g];
        ViewLayout* layout = &work->layouts[g];
        work->lines[g] = calloc((size_t)graph->edge_count + 1, sizeof(ViewLine));
        layout->middle = calloc((size_t)graph->vertex_count + 1, sizeof(ViewPoint));
        layout->first = calloc((size_t)graph->edge_count + 1, sizeof(int));
        if (work->lines[g] == NULL || layout->middle == NULL || layout->first == NULL) return false;
        if (!view_pieces_cut(graph, layout->middle, &work->pieces)) return false;
    }
    return true;
}

static bool finish(Work* work) {
    for (int p = 0; p < work->pieces.count; p++) {
        ViewPiece* piece = &work->pieces.items[p];
        if (!piece->done && !view_layered_place(piece, work->lines[piece->graph - work->graphs]))
            return false;
    }
    int next = 0;
    for (int g = 0; g < work->count; g++) {
        stack(work, g, &next);
        if (!draw_lines(work, g)) return false;
    }
    return true;
}

static void release(Work* work) {
    for (int g = 0; g < work->count && work->lines != NULL; g++) {
        for (int e = 0; e < work->graphs[g].edge_count && work->lines[g] != NULL; e++)
            free(work->lines[g][e].points);
        free(work->lines[g]);
    }
    free(work->lines);
    free(work->pieces.items);
}

ToolStatus view_layout_make(const ViewGraph* graphs, int count, double seconds, ViewLayout* layouts,
                            bool* has_dot, ToolMessage* message) {
    Work work = {.graphs = graphs, .layouts = layouts, .count = count};
    ToolStatus status = kToolOk;
    bool has_memory = prepare(&work);
    *has_dot = true;
    if (has_memory && work.pieces.count > 0 && seconds > 0) {
        status = ask_dot(&work, seconds, has_dot, message);
    }
    if (has_memory && status == kToolOk) has_memory = finish(&work);
    release(&work);
    return has_memory ? status : tool_out_of_memory(message);
}

void view_layout_free(ViewLayout* layout) {
    free(layout->middle);
    free(layout->first);
    free(layout->points);
    *layout = (ViewLayout){0};
}
