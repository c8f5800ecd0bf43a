// SPDX-License-Identifier: Apache-2.0
// A subgraph as a drawing: boxes for nodes, inputs and outputs, lines for the tensors between them.
#ifndef TOOLS_VIEW_GRAPH_H_
#define TOOLS_VIEW_GRAPH_H_

#include "tools/view/subject.h"

typedef enum ViewVertexKind { kViewInput, kViewNodeVertex, kViewOutput } ViewVertexKind;

enum { kViewVertexHeight = 40, kViewTextSize = 128 };

typedef struct ViewVertex {
    ViewVertexKind kind;
    int index;  // of the node; else the position among the inputs or outputs
    int tensor; // the tensor of the second line; -1 for none
    int width;  // in pixels, as kViewVertexHeight
} ViewVertex;

typedef struct ViewEdge {
    int from; // vertices
    int to;
    int tensor; // the first one, where there are several
} ViewEdge;

typedef struct ViewPoint {
    float x; // pixels, y grows downwards
    float y;
} ViewPoint;

// Vertices are in the order of execution, edges sorted by `to`, then `from`.
typedef struct ViewGraph {
    int graph;
    int vertex_count;
    ViewVertex* vertices;
    int edge_count;
    ViewEdge* edges;
} ViewGraph;

// Release with view_graph_free, which accepts {0}.
ToolStatus view_graph_make(const ViewSubject* subject, int graph, ViewGraph* drawn, ToolMessage* message);
void view_graph_free(ViewGraph* drawn);

// Copies at most `most` characters. Line breaks and control characters become spaces, bytes that are not
// UTF-8 U+FFFD.
void view_plain_text(const char* from, int most, char* text, size_t size);

// The two lines of a box, cut off. Line breaks and control characters become spaces.
typedef struct ViewLabel {
    char first[kViewTextSize];
    char second[kViewTextSize];
} ViewLabel;
void view_graph_label(const ViewSubject* subject, int graph, const ViewVertex* vertex, ViewLabel* label);

#endif
