// SPDX-License-Identifier: Apache-2.0
#include "tools/view/graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/tensor_io.h"
#include "tools/common/text.h"

// The first line has capitals in bold type, the second one smaller letters.
enum { kCapitalWidth = 10, kLetterWidth = 7, kMargin = 24, kNarrowest = 90, kWidest = 320 };

// ---- Labels ----

void view_plain_text(const char* from, int most, char* text, size_t size) {
    size_t used = 0;
    for (int count = 0; *from && count < most; count++) {
        unsigned code;
        const int length = tool_text_next(from, &code);
        if (used + 5 > size) break;
        if (code < 0x20 || (code >= 0x7f && code < 0xa0)) {
            text[used++] = ' ';
        } else if (code == TOOL_TEXT_INVALID) {
            memcpy(text + used, "\xef\xbf\xbd", 3);
            used += 3;
        } else {
            memcpy(text + used, from, (size_t)length);
            used += (size_t)length;
        }
        from += length;
    }
    text[used] = '\0';
}

static void describe_tensor(const TfLiteTensor* tensor, char* text, size_t size) {
    char shape[TOOL_SHAPE_TEXT];
    const ToolShape dims = tool_tensor_shape(tensor);
    snprintf(text, size, "%s %s", TfLiteTypeGetName(TfLiteTensorType(tensor)), tool_shape_text(&dims, shape));
}

void view_graph_label(const ViewSubject* subject, int graph, const ViewVertex* vertex, ViewLabel* label) {
    const TfLiteInterpreter* interpreter = subject->session.interpreter;
    const TfLiteTensor* tensor = oclite_interpreter_tensor(interpreter, graph, vertex->tensor);
    enum { kMaxCapitals = (kWidest - kMargin) / kCapitalWidth };
    enum { kMaxLetters = (kWidest - kMargin) / kLetterWidth };
    OcliteNode node;
    *label = (ViewLabel){"", ""};
    if (tensor != NULL) describe_tensor(tensor, label->second, sizeof(label->second));
    label->second[kMaxLetters] = '\0';
    if (vertex->kind != kViewNodeVertex) {
        snprintf(label->first, sizeof(label->first), "%s %d", vertex->kind == kViewInput ? "input" : "output",
                 vertex->index);
    } else if (oclite_interpreter_node(interpreter, graph, vertex->index, &node) == kTfLiteOk) {
        view_plain_text(node.op, kMaxCapitals, label->first, sizeof(label->first));
    }
}

static int letters(const char* text) {
    int count = 0;
    unsigned code;
    for (; *text; count++) text += tool_text_next(text, &code);
    return count;
}

static int width_of(const ViewSubject* subject, int graph, const ViewVertex* vertex) {
    ViewLabel label;
    view_graph_label(subject, graph, vertex, &label);
    const int first = kCapitalWidth * letters(label.first), second = kLetterWidth * letters(label.second);
    const int width = kMargin + (first > second ? first : second);
    return width < kNarrowest ? kNarrowest : width > kWidest ? kWidest : width;
}

// ---- Vertices ----

typedef struct Ends {
    const int* tensors;
    int count;
    int* position; // of each tensor of the graph; -1: none
    bool* made;    // of each position
} Ends;

typedef struct Maker {
    const ViewSubject* subject;
    ViewGraph* drawn;
    int tensor_count;
    Ends inputs;
    Ends outputs;
    int* producer; // the vertex that writes each tensor; -1: none
    int edge_room;
} Maker;

static bool make_ends(Ends* ends, int tensor_count) {
    ends->position = malloc(((size_t)tensor_count + 1) * sizeof(int));
    ends->made = calloc((size_t)ends->count + 1, sizeof(bool));
    if (ends->position == NULL || ends->made == NULL) return false;
    for (int t = 0; t < tensor_count; t++) ends->position[t] = -1;
    for (int i = 0; i < ends->count; i++) {
        if (ends->tensors[i] >= 0) ends->position[ends->tensors[i]] = i;
    }
    return true;
}

static int add_vertex(Maker* maker, ViewVertexKind kind, int index, int tensor) {
    ViewGraph* drawn = maker->drawn;
    ViewVertex* vertex = &drawn->vertices[drawn->vertex_count];
    *vertex = (ViewVertex){.kind = kind, .index = index, .tensor = tensor};
    vertex->width = width_of(maker->subject, drawn->graph, vertex);
    return drawn->vertex_count++;
}

static bool add_edge(Maker* maker, int tensor, int to) {
    ViewGraph* drawn = maker->drawn;
    if (tensor < 0 || maker->producer[tensor] < 0) return true;
    if (drawn->edge_count == maker->edge_room) {
        const int room = maker->edge_room * 2 + 64;
        ViewEdge* edges = realloc(drawn->edges, (size_t)room * sizeof(*edges));
        if (edges == NULL) return false;
        drawn->edges = edges;
        maker->edge_room = room;
    }
    drawn->edges[drawn->edge_count++] = (ViewEdge){maker->producer[tensor], to, tensor};
    return true;
}

static void add_input(Maker* maker, int position) {
    if (position < 0 || maker->inputs.made[position]) return;
    maker->inputs.made[position] = true;
    const int tensor = maker->inputs.tensors[position];
    const int vertex = add_vertex(maker, kViewInput, position, tensor);
    if (tensor >= 0 && maker->producer[tensor] < 0) maker->producer[tensor] = vertex;
}

static bool add_output(Maker* maker, int position) {
    if (position < 0 || maker->outputs.made[position]) return true;
    maker->outputs.made[position] = true;
    const int tensor = maker->outputs.tensors[position];
    return add_edge(maker, tensor, add_vertex(maker, kViewOutput, position, tensor));
}

static bool add_node(Maker* maker, int index, const OcliteNode* node) {
    for (int i = 0; i < node->input_count; i++) {
        if (node->inputs[i] >= 0) add_input(maker, maker->inputs.position[node->inputs[i]]);
    }
    const int vertex = add_vertex(maker, kViewNodeVertex, index, node->output_count ? node->outputs[0] : -1);
    for (int i = 0; i < node->input_count; i++) {
        if (!add_edge(maker, node->inputs[i], vertex)) return false;
    }
    for (int i = 0; i < node->output_count; i++) {
        if (node->outputs[i] >= 0) maker->producer[node->outputs[i]] = vertex;
    }
    for (int i = 0; i < node->output_count; i++) {
        if (node->outputs[i] >= 0 && !add_output(maker, maker->outputs.position[node->outputs[i]]))
            return false;
    }
    return true;
}

// Adds the model's nodes in the order of execution, and inputs and outputs beside the nodes that have them.
static bool add_all(Maker* maker) {
    const TfLiteInterpreter* interpreter = maker->subject->session.interpreter;
    OcliteNode node;
    for (int n = 0; oclite_interpreter_node(interpreter, maker->drawn->graph, n, &node) == kTfLiteOk; n++) {
        if (!node.is_delegate && !add_node(maker, n, &node)) return false;
    }
    for (int i = 0; i < maker->inputs.count; i++) add_input(maker, i);
    for (int i = 0; i < maker->outputs.count; i++) {
        if (!add_output(maker, i)) return false;
    }
    return true;
}

static int compare_edges(const void* left, const void* right) {
    const ViewEdge* a = left;
    const ViewEdge* b = right;
    if (a->to != b->to) return a->to < b->to ? -1 : 1;
    if (a->from != b->from) return a->from < b->from ? -1 : 1;
    return (a->tensor > b->tensor) - (a->tensor < b->tensor);
}

// Sorts the edges and keeps one line between two boxes.
static void sort_edges(ViewGraph* drawn) {
    if (drawn->edge_count == 0) return;
    qsort(drawn->edges, (size_t)drawn->edge_count, sizeof(*drawn->edges), compare_edges);
    int kept = 1;
    for (int e = 1; e < drawn->edge_count; e++) {
        const ViewEdge* last = &drawn->edges[kept - 1];
        const ViewEdge edge = drawn->edges[e];
        if (edge.to != last->to || edge.from != last->from) drawn->edges[kept++] = edge;
    }
    drawn->edge_count = kept;
}

static bool make(Maker* maker) {
    const TfLiteInterpreter* interpreter = maker->subject->session.interpreter;
    const int graph = maker->drawn->graph;
    oclite_interpreter_inputs(interpreter, graph, &maker->inputs.tensors, &maker->inputs.count);
    oclite_interpreter_outputs(interpreter, graph, &maker->outputs.tensors, &maker->outputs.count);
    maker->tensor_count = oclite_interpreter_tensor_count(interpreter, graph);
    const size_t most = (size_t)maker->inputs.count + (size_t)maker->outputs.count +
                        (size_t)oclite_interpreter_node_count(interpreter, graph);
    maker->drawn->vertices = calloc(most + 1, sizeof(ViewVertex));
    maker->producer = malloc(((size_t)maker->tensor_count + 1) * sizeof(int));
    if (maker->drawn->vertices == NULL || maker->producer == NULL) return false;
    for (int t = 0; t < maker->tensor_count; t++) maker->producer[t] = -1;
    return make_ends(&maker->inputs, maker->tensor_count) &&
           make_ends(&maker->outputs, maker->tensor_count) && add_all(maker);
}

ToolStatus view_graph_make(const ViewSubject* subject, int graph, ViewGraph* drawn, ToolMessage* message) {
    *drawn = (ViewGraph){.graph = graph};
    Maker maker = {.subject = subject, .drawn = drawn};
    const bool made = make(&maker);
    free(maker.producer);
    free(maker.inputs.position);
    free(maker.inputs.made);
    free(maker.outputs.position);
    free(maker.outputs.made);
    if (!made) return tool_out_of_memory(message);
    sort_edges(drawn);
    return kToolOk;
}

void view_graph_free(ViewGraph* drawn) {
    free(drawn->vertices);
    free(drawn->edges);
    *drawn = (ViewGraph){0};
}
