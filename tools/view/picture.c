// SPDX-License-Identifier: Apache-2.0
#include "tools/view/picture.h"

#include <math.h>
#include <string.h>

typedef struct Box {
    ViewLabel label;
    int place;
    bool is_end; // an input or output of the graph
} Box;

static Box box_of(const ViewDrawing* drawing, int graph, const ViewVertex* vertex) {
    Box box = {.is_end = vertex->kind != kViewNodeVertex, .place = kViewOnCpu};
    OcliteNode node;
    view_graph_label(drawing->subject, graph, vertex, &box.label);
    if (!box.is_end && oclite_interpreter_node(drawing->subject->session.interpreter, graph, vertex->index,
                                               &node) == kTfLiteOk) {
        box.place = view_subject_place(drawing->subject, graph, &node);
    }
    return box;
}

// ---- DOT ----

static void print_quoted(FILE* out, const char* text) {
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') fputc('\\', out);
        fputc(*text, out);
    }
}

// As hue, saturation and value.
static void print_dot_colour(FILE* out, ViewColour colour) {
    const double lightness = colour.lightness / 100.0;
    const double value = lightness + colour.saturation / 100.0 * fmin(lightness, 1 - lightness);
    fprintf(out, ", fillcolor=\"%.3f %.3f %.3f\"", colour.hue / 360, 2 * (1 - lightness / value), value);
}

static void print_dot_vertex(FILE* out, const ViewDrawing* drawing, int graph, int v) {
    const Box box = box_of(drawing, graph, &drawing->graphs[graph].vertices[v]);
    fprintf(out, "  g%dv%d [label=\"", graph, v);
    print_quoted(out, box.label.first);
    fputs("\\n", out);
    print_quoted(out, box.label.second);
    fputs("\"", out);
    if (box.is_end) fputs(", shape=ellipse, style=\"\"", out);
    if (box.place == kViewUnresolved) fputs(", fillcolor=\"#f4a9a8\"", out);
    if (box.place >= 0) print_dot_colour(out, view_colour(box.place));
    fputs("]\n", out);
}

void view_print_dot(FILE* out, const ViewDrawing* drawing) {
    const ViewSubject* subject = drawing->subject;
    fputs("digraph model {\n"
          "  node [shape=box, style=filled, fillcolor=\"#dfe5ee\", fontname=\"sans-serif\", fontsize=11]\n",
          out);
    for (int g = 0; g < subject->graph_count; g++) {
        const ViewGraph* graph = &drawing->graphs[g];
        fprintf(out, "  subgraph cluster_%d {\n  label=\"graph %d\"\n", g, g);
        for (int v = 0; v < graph->vertex_count; v++) print_dot_vertex(out, drawing, g, v);
        for (int e = 0; e < graph->edge_count; e++) {
            fprintf(out, "  g%dv%d -> g%dv%d\n", g, graph->edges[e].from, g, graph->edges[e].to);
        }
        fputs("  }\n", out);
    }
    fputs("}\n", out);
}

// ---- SVG ----

enum { kBorder = 20, kTitleHeight = 30 };

static void print_escaped(FILE* out, const char* text) {
    for (; *text; text++) {
        switch (*text) {
        case '<':
            fputs("&lt;", out);
            break;
        case '&':
            fputs("&amp;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        default:
            fputc(*text, out);
        }
    }
}

static void print_svg_vertex(FILE* out, const ViewDrawing* drawing, int graph, int v) {
    const ViewVertex* vertex = &drawing->graphs[graph].vertices[v];
    const ViewPoint middle = drawing->layouts[graph].middle[v];
    const Box box = box_of(drawing, graph, vertex);
    char colour[64] = "#dfe5ee";
    if (box.place == kViewUnresolved) snprintf(colour, sizeof(colour), "#f4a9a8");
    if (box.place >= 0) {
        const ViewColour of = view_colour(box.place);
        snprintf(colour, sizeof(colour), "hsl(%.0f,%d%%,%d%%)", of.hue, of.saturation, of.lightness);
    }
    fprintf(
        out,
        "<rect x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%d\" rx=\"%d\" fill=\"%s\" stroke=\"#667\"/>\n",
        middle.x - (float)vertex->width / 2, middle.y - kViewVertexHeight / 2.0f, vertex->width,
        kViewVertexHeight, box.is_end ? kViewVertexHeight / 2 : 4, box.is_end ? "#fff" : colour);
    fprintf(out, "<text x=\"%.0f\" y=\"%.0f\" font-weight=\"bold\">", middle.x, middle.y - 4);
    print_escaped(out, box.label.first);
    fprintf(out, "</text><text x=\"%.0f\" y=\"%.0f\" fill=\"#445\">", middle.x, middle.y + 12);
    print_escaped(out, box.label.second);
    fputs("</text>\n", out);
}

static void print_svg_edge(FILE* out, const ViewLayout* layout, int edge) {
    const ViewPoint* points = layout->points + layout->first[edge];
    const int count = layout->first[edge + 1] - layout->first[edge];
    fprintf(out, "<path d=\"M%.0f %.0fC", points[0].x, points[0].y);
    for (int p = 1; p < count; p++) fprintf(out, "%.0f %.0f ", points[p].x, points[p].y);
    fputs("\"/>\n", out);
}

static void print_svg_graph(FILE* out, const ViewDrawing* drawing, int g, double top) {
    const ViewGraph* graph = &drawing->graphs[g];
    fprintf(out,
            "<g transform=\"translate(%d %.0f)\">\n<text x=\"0\" y=\"-10\" text-anchor=\"start\">graph "
            "%d</text>\n",
            kBorder, top, g);
    fputs("<g fill=\"none\" stroke=\"#889\" marker-end=\"url(#tip)\">\n", out);
    for (int e = 0; e < graph->edge_count; e++) print_svg_edge(out, &drawing->layouts[g], e);
    fputs("</g>\n", out);
    for (int v = 0; v < graph->vertex_count; v++) print_svg_vertex(out, drawing, g, v);
    fputs("</g>\n", out);
}

void view_print_svg(FILE* out, const ViewDrawing* drawing) {
    double width = 0, height = kBorder;
    for (int g = 0; g < drawing->subject->graph_count; g++) {
        if (drawing->layouts[g].width > width) width = drawing->layouts[g].width;
        height += drawing->layouts[g].height + kTitleHeight + kBorder;
    }
    fprintf(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
        "font-family=\"sans-serif\" font-size=\"12\" text-anchor=\"middle\">\n"
        "<defs><marker id=\"tip\" markerWidth=\"8\" markerHeight=\"8\" refX=\"7\" refY=\"4\" orient=\"auto\">"
        "<path d=\"M0 0L8 4L0 8Z\" fill=\"#889\" stroke=\"none\"/></marker></defs>\n"
        "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
        width + 2 * kBorder, height);
    double top = kBorder + kTitleHeight;
    for (int g = 0; g < drawing->subject->graph_count; g++) {
        print_svg_graph(out, drawing, g, top);
        top += drawing->layouts[g].height + kTitleHeight + kBorder;
    }
    fputs("</svg>\n", out);
}
