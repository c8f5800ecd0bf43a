// SPDX-License-Identifier: Apache-2.0
#include "tools/view/picture.h"

#include <math.h>
#include <string.h>

#include "tools/view/box.h"

// ---- DOT ----

static void print_quoted(FILE* out, const char* text) {
    for (; *text; text++) {
        if (*text == '"' || *text == '\\') fputc('\\', out);
        fputc(*text, out);
    }
}

// What is no partition's. The page has the same in its style sheet.
static const char kCpuColour[] = "#dfe5ee", kUnresolvedColour[] = "#f4a9a8";

// As hue, saturation and value.
static void print_dot_colour(FILE* out, int place) {
    if (place < 0) {
        fputs(place == kViewUnresolved ? kUnresolvedColour : kCpuColour, out);
        return;
    }
    const ViewColour colour = view_colour(place);
    const double lightness = colour.lightness / 100.0;
    const double value = lightness + colour.saturation / 100.0 * fmin(lightness, 1 - lightness);
    fprintf(out, "%.3f %.3f %.3f", colour.hue / 360, 2 * (1 - lightness / value), value);
}

// A node with a time has a white stripe on its right, as wide as it is faster than the slowest node.
static const double kAlmostAll = 0.99;

static void print_dot_fill(FILE* out, int place, double portion) {
    const bool is_striped = portion > 0 && portion < kAlmostAll;
    fputs(is_striped ? ", style=striped, fillcolor=\"" : ", fillcolor=\"", out);
    print_dot_colour(out, place);
    if (is_striped) fprintf(out, ";%.3f:white", fmax(portion, 1 - kAlmostAll));
    fputs("\"", out);
}

static void print_dot_vertex(FILE* out, const ViewDrawing* drawing, int graph, int v,
                             const ViewTimes* times) {
    const ViewVertex* vertex = &drawing->graphs[graph].vertices[v];
    const ViewBox box = view_box_of(drawing, graph, vertex, times);
    fprintf(out, "  g%dv%d [label=\"", graph, v);
    print_quoted(out, box.label.first);
    fputs("\\n", out);
    print_quoted(out, box.label.second);
    fputs("\"", out);
    if (box.is_end) {
        fputs(", shape=ellipse, style=\"\"]\n", out);
        return;
    }
    char note[kViewNoteSize];
    view_box_note(drawing, graph, vertex, &box, note);
    print_dot_fill(out, box.place, box.portion);
    fputs(", tooltip=\"", out);
    print_quoted(out, note);
    fputs("\"]\n", out);
}

static void print_dot_legend(FILE* out, const ViewDrawing* drawing, int graph, const ViewTimes* times) {
    const ViewPlaces places = view_places_of(drawing, graph);
    char name[64], bars[128];
    fprintf(out, "  subgraph cluster_%d_legend {\n  label=\"legend\"\n", graph);
    for (int place = kViewUnresolved; place < kViewMostPlaces; place++) {
        const int count = places.counts[place - kViewUnresolved];
        if (count == 0) continue;
        view_place_name(place, name, sizeof(name));
        fprintf(out, "  g%dp%d [label=\"%s (%d)\"", graph, place - kViewUnresolved, name, count);
        print_dot_fill(out, place, 0);
        fputs("]\n", out);
    }
    view_bars_text(times, bars, sizeof(bars));
    if (places.others > 0)
        fprintf(out, "  g%dothers [shape=plain, style=\"\", label=\"and %d in later partitions\"]\n", graph,
                places.others);
    if (bars[0])
        fprintf(out, "  g%dtime [shape=plain, style=\"\", label=\"coloured part: %s\"]\n", graph, bars);
    fputs("  }\n", out);
}

void view_print_dot(FILE* out, const ViewDrawing* drawing) {
    const ViewSubject* subject = drawing->subject;
    fputs("digraph model {\n"
          "  node [shape=box, style=filled, fontname=\"sans-serif\", fontsize=11]\n",
          out);
    for (int g = 0; g < subject->graph_count; g++) {
        const ViewGraph* graph = &drawing->graphs[g];
        const ViewTimes times = view_times_of(subject, g);
        fprintf(out, "  subgraph cluster_%d {\n  label=\"graph %d\"\n", g, g);
        for (int v = 0; v < graph->vertex_count; v++) print_dot_vertex(out, drawing, g, v, &times);
        for (int e = 0; e < graph->edge_count; e++) {
            fprintf(out, "  g%dv%d -> g%dv%d\n", g, graph->edges[e].from, g, graph->edges[e].to);
        }
        fputs("  }\n", out);
        print_dot_legend(out, drawing, g, &times);
    }
    fputs("}\n", out);
}

// ---- SVG ----

enum { kBorder = 20, kTitleHeight = 30, kLegendRow = 20, kLegendWidth = 360, kBarHeight = 4, kBarInset = 5 };

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

static const char* svg_colour(int place, char* text, size_t size) {
    if (place >= 0) {
        const ViewColour of = view_colour(place);
        snprintf(text, size, "hsl(%.0f,%d%%,%d%%)", of.hue, of.saturation, of.lightness);
        return text;
    }
    return place == kViewUnresolved ? kUnresolvedColour : kCpuColour;
}

// A line below the text of a box, filled as far as the node's part of the slowest one's time; hollow where
// that is estimated.
static void print_svg_bar(FILE* out, double x, double y, double width, double portion, bool is_estimated) {
    fprintf(out,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill=\"#223\" fill-opacity=\".15\"/>\n",
            x, y, width, kBarHeight);
    fprintf(out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" fill=\"%s\" stroke=\"#223\"/>\n",
            x, y, fmax(width * portion, 1), kBarHeight, is_estimated ? "#fff" : "#223");
}

static void print_svg_vertex(FILE* out, const ViewDrawing* drawing, int graph, int v,
                             const ViewTimes* times) {
    const ViewVertex* vertex = &drawing->graphs[graph].vertices[v];
    const ViewPoint middle = drawing->layouts[graph].middle[v];
    const ViewBox box = view_box_of(drawing, graph, vertex, times);
    const double left = middle.x - (double)vertex->width / 2, top = middle.y - kViewVertexHeight / 2.0;
    char colour[64];
    fputs("<g>", out);
    if (!box.is_end) {
        char note[kViewNoteSize];
        view_box_note(drawing, graph, vertex, &box, note);
        fputs("<title>", out);
        print_escaped(out, note);
        fputs("</title>\n", out);
    }
    fprintf(
        out,
        "<rect x=\"%.0f\" y=\"%.0f\" width=\"%d\" height=\"%d\" rx=\"%d\" fill=\"%s\" stroke=\"#667\"/>\n",
        left, top, vertex->width, kViewVertexHeight, box.is_end ? kViewVertexHeight / 2 : 4,
        box.is_end ? "#fff" : svg_colour(box.place, colour, sizeof(colour)));
    if (box.portion > 0)
        print_svg_bar(out, left + kBarInset, top + kViewVertexHeight - kBarHeight - 1,
                      vertex->width - 2 * kBarInset, box.portion, box.time.source == kViewEstimated);
    fprintf(out, "<text x=\"%.0f\" y=\"%.0f\" font-weight=\"bold\">", middle.x, middle.y - 6);
    print_escaped(out, box.label.first);
    fprintf(out, "</text><text x=\"%.0f\" y=\"%.0f\" fill=\"#445\">", middle.x, middle.y + 10);
    print_escaped(out, box.label.second);
    fputs("</text></g>\n", out);
}

static void print_svg_edge(FILE* out, const ViewLayout* layout, int edge) {
    const ViewPoint* points = layout->points + layout->first[edge];
    const int count = layout->first[edge + 1] - layout->first[edge];
    fprintf(out, "<path d=\"M%.0f %.0fC", points[0].x, points[0].y);
    for (int p = 1; p < count; p++) fprintf(out, "%.0f %.0f ", points[p].x, points[p].y);
    fputs("\"/>\n", out);
}

static void print_svg_legend_text(FILE* out, double y, const char* text) {
    fprintf(out, "<text x=\"24\" y=\"%.0f\" text-anchor=\"start\">%s</text>\n", y, text);
}

static double legend_height(const ViewDrawing* drawing, int graph) {
    const ViewPlaces places = view_places_of(drawing, graph);
    int rows = (places.others > 0) + (view_times_of(drawing->subject, graph).count > 0);
    for (int place = 0; place < 2 + kViewMostPlaces; place++) rows += places.counts[place] > 0;
    return rows * kLegendRow;
}

static void print_svg_legend(FILE* out, const ViewDrawing* drawing, int graph, const ViewTimes* times,
                             double top) {
    const ViewPlaces places = view_places_of(drawing, graph);
    char name[64], text[160], colour[64];
    double y = top;
    for (int place = kViewUnresolved; place < kViewMostPlaces; place++) {
        const int count = places.counts[place - kViewUnresolved];
        if (count == 0) continue;
        view_place_name(place, name, sizeof(name));
        snprintf(text, sizeof(text), "%s (%d)", name, count);
        fprintf(out, "<rect x=\"0\" y=\"%.0f\" width=\"16\" height=\"14\" fill=\"%s\" stroke=\"#667\"/>\n", y,
                svg_colour(place, colour, sizeof(colour)));
        print_svg_legend_text(out, y + 11, text);
        y += kLegendRow;
    }
    if (places.others > 0) {
        snprintf(text, sizeof(text), "and %d in later partitions", places.others);
        print_svg_legend_text(out, y + 11, text);
        y += kLegendRow;
    }
    view_bars_text(times, text, sizeof(text));
    if (text[0]) {
        print_svg_bar(out, 0, y + 5, 16, 1, times->estimated == times->count);
        print_svg_legend_text(out, y + 11, text);
    }
}

static double graph_height(const ViewDrawing* drawing, int graph) {
    const double legend = legend_height(drawing, graph);
    return drawing->layouts[graph].height + kTitleHeight + kBorder + (legend > 0 ? legend + kBorder : 0);
}

static void print_svg_graph(FILE* out, const ViewDrawing* drawing, int g, double top) {
    const ViewGraph* graph = &drawing->graphs[g];
    const ViewTimes times = view_times_of(drawing->subject, g);
    fprintf(out,
            "<g transform=\"translate(%d %.0f)\">\n<text x=\"0\" y=\"-10\" text-anchor=\"start\">graph "
            "%d</text>\n",
            kBorder, top, g);
    fputs("<g fill=\"none\" stroke=\"#889\" marker-end=\"url(#tip)\">\n", out);
    for (int e = 0; e < graph->edge_count; e++) print_svg_edge(out, &drawing->layouts[g], e);
    fputs("</g>\n", out);
    for (int v = 0; v < graph->vertex_count; v++) print_svg_vertex(out, drawing, g, v, &times);
    print_svg_legend(out, drawing, g, &times, drawing->layouts[g].height + kBorder);
    fputs("</g>\n", out);
}

void view_print_svg(FILE* out, const ViewDrawing* drawing) {
    double width = kLegendWidth, height = kBorder;
    for (int g = 0; g < drawing->subject->graph_count; g++) {
        if (drawing->layouts[g].width > width) width = drawing->layouts[g].width;
        height += graph_height(drawing, g);
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
        top += graph_height(drawing, g);
    }
    fputs("</svg>\n", out);
}
