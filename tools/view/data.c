// SPDX-License-Identifier: Apache-2.0
#include "tools/view/data.h"

#include <math.h>

#include "tools/common/op_cost.h"
#include "tools/view/about.h"
#include "tools/view/json.h"
#include "tools/view/times.h"

// Prints scales per channel as their number and range.
static void print_affine(ViewJson* json, const TfLiteAffineQuantization* affine) {
    const TfLiteFloatArray* scale = affine->scale;
    const TfLiteIntArray* zero = affine->zero_point;
    if (scale == NULL || scale->size == 0) return;
    float low = scale->data[0], high = scale->data[0];
    for (int i = 1; i < scale->size; i++) {
        low = fminf(low, scale->data[i]);
        high = fmaxf(high, scale->data[i]);
    }
    view_json_open(json, "quantization", '{');
    view_json_integer(json, "count", scale->size);
    view_json_real(json, "low", low);
    view_json_real(json, "high", high);
    if (scale->size > 1) view_json_integer(json, "axis", affine->quantized_dimension);
    if (zero != NULL && zero->size > 0) {
        int smallest = zero->data[0], largest = zero->data[0];
        for (int i = 1; i < zero->size; i++) {
            if (zero->data[i] < smallest) smallest = zero->data[i];
            if (zero->data[i] > largest) largest = zero->data[i];
        }
        view_json_integer(json, "zero", smallest);
        if (largest != smallest) view_json_integer(json, "zeroMost", largest);
    }
    view_json_close(json, '}');
}

static void print_tensor(ViewJson* json, const TfLiteInterpreter* interpreter, int graph, int index) {
    const TfLiteTensor* tensor = oclite_interpreter_tensor(interpreter, graph, index);
    OcliteTensorMemory memory = {.first_step = -1, .last_step = -1, .arena = -1};
    oclite_interpreter_tensor_memory(interpreter, graph, index, &memory);
    view_json_open(json, NULL, '{');
    view_json_text(json, "name", TfLiteTensorName(tensor));
    view_json_text(json, "type", TfLiteTypeGetName(TfLiteTensorType(tensor)));
    const TfLiteIntArray* dims = tensor->dims;
    if (dims != NULL) view_json_integers(json, "shape", dims->data, dims->size);
    const TfLiteIntArray* signature = tensor->dims_signature;
    if (signature != NULL && dims != NULL && signature->size == dims->size &&
        !TfLiteIntArrayEqual(signature, dims)) {
        view_json_integers(json, "signature", signature->data, signature->size);
    }
    if (tensor->quantization.type == kTfLiteAffineQuantization && tensor->quantization.params != NULL) {
        print_affine(json, tensor->quantization.params);
    }
    if (tensor->is_variable) view_json_flag(json, "variable", true);
    view_json_integer(json, "bytes", (long long)memory.bytes);
    view_json_integer(json, "memory", memory.memory);
    if (memory.arena >= 0) {
        view_json_integer(json, "arena", memory.arena);
        view_json_integer(json, "offset", (long long)memory.offset);
    }
    if (memory.first_step >= 0) view_json_integer(json, "first", memory.first_step);
    if (memory.last_step >= 0) view_json_integer(json, "last", memory.last_step);
    view_json_close(json, '}');
}

static void print_parameter(void* user_data, const char* name, const char* value) {
    view_json_open(user_data, NULL, '[');
    view_json_text(user_data, NULL, name);
    view_json_text(user_data, NULL, value);
    view_json_close(user_data, ']');
}

// Prints what a node of the model has in addition to a delegate's node.
static void print_model_node(ViewJson* json, const ViewSubject* subject, int graph, int index,
                             const OcliteNode* node) {
    view_json_integer(json, "place", view_subject_place(subject, graph, node));
    view_json_open(json, "parameters", '[');
    oclite_edit_parameters(subject->file, graph, index, print_parameter, json);
    view_json_close(json, ']');
    const ToolOpCost work = tool_op_cost(subject->session.interpreter, graph, index);
    if (work.operations >= 0) view_json_real(json, "operations", work.operations);
    view_json_real(json, "moved", work.bytes_read + work.bytes_written);
}

// By which the delegate has placed it.
static void print_costs(ViewJson* json, const ViewNode* node) {
    if (node == NULL || !node->asked) return;
    view_json_flag(json, "asked", true);
    if (node->host_cost_ns >= 0) view_json_real(json, "hostCost", (double)node->host_cost_ns);
    if (node->host_cost_measured) view_json_flag(json, "hostMeasured", true);
    if (node->device_cost_ns >= 0) view_json_real(json, "deviceCost", (double)node->device_cost_ns);
    if (node->device_cost_measured) view_json_flag(json, "deviceMeasured", true);
}

static void print_node(ViewJson* json, const ViewSubject* subject, int graph, int index,
                       const OcliteNode* node) {
    const ViewNode* measured = view_subject_node(subject, graph, index);
    view_json_open(json, NULL, '{');
    view_json_text(json, "op", node->op);
    if (node->version > 0) view_json_integer(json, "version", node->version);
    if (node->is_delegate) {
        view_json_integers(json, "replaced", node->replaced, node->replaced_count);
    } else {
        print_model_node(json, subject, graph, index, node);
    }
    if (node->builtin_code == kTfLiteBuiltinCustom) view_json_flag(json, "custom", true);
    view_json_integers(json, "inputs", node->inputs, node->input_count);
    view_json_integers(json, "outputs", node->outputs, node->output_count);
    if (measured != NULL && measured->calls > 0) {
        view_json_integer(json, "calls", measured->calls);
        view_json_real(json, "host", measured->host_ns);
    }
    if (measured != NULL && measured->device_ns > 0) view_json_real(json, "device", measured->device_ns);
    if (measured != NULL && measured->reason != NULL) view_json_text(json, "reason", measured->reason);
    print_costs(json, measured);
    const ViewTime time = view_time_of(subject, graph, index);
    if (time.source != kViewUnknown) {
        view_json_real(json, "time", time.ns);
        view_json_integer(json, "source", time.source);
    }
    view_json_close(json, '}');
}

// What costs have decided about a graph; nothing where they have not.
static void print_placement(ViewJson* json, const OcliteOpenclPlacement* placement) {
    const struct {
        const char* key;
        int64_t ns;
    } times[] = {{"chosen", placement->chosen_ns},
                 {"host", placement->host_ns},
                 {"all", placement->all_ns},
                 {"partition", placement->partition_ns},
                 {"chosenRun", placement->chosen_run_ns},
                 {"hostRun", placement->host_run_ns},
                 {"allRun", placement->all_run_ns},
                 {"overlappedRun", placement->overlapped_run_ns}};
    if (placement->graph < 0) return;
    view_json_open(json, "placement", '{');
    if (placement->overlapped) view_json_flag(json, "overlapped", true);
    for (size_t t = 0; t < sizeof(times) / sizeof(times[0]); t++) {
        if (times[t].ns >= 0) view_json_real(json, times[t].key, (double)times[t].ns);
    }
    view_json_close(json, '}');
}

static void print_sizes(ViewJson* json, const char* key, const size_t sizes[3]) {
    view_json_open(json, key, '[');
    for (int d = 0; d < 3; d++) view_json_integer(json, NULL, (long long)sizes[d]);
    view_json_close(json, ']');
}

static void print_kernels(ViewJson* json, const ViewSubject* subject, int graph) {
    view_json_open(json, "kernels", '[');
    for (int k = 0; k < subject->kernels.count; k++) {
        const ViewKernel* kernel = &subject->kernels.items[k];
        if (kernel->launch.graph != graph || kernel->launch.runs == 0) continue;
        view_json_open(json, NULL, '{');
        view_json_text(json, "name", kernel->launch.kernel);
        view_json_integers(json, "nodes", kernel->launch.nodes, kernel->launch.node_count);
        view_json_real(json, "ns", (double)kernel->launch.total_ns / (double)kernel->launch.runs);
        print_sizes(json, "global", kernel->launch.global);
        print_sizes(json, "local", kernel->launch.local);
        view_json_close(json, '}');
    }
    view_json_close(json, ']');
}

static void print_coordinate(ViewJson* json, float value) {
    view_json_integer(json, NULL, (long long)lrintf(value));
}

// Vertices: kind, index, x, y, width. Lines: from, to, and the points' coordinates.
static void print_layout(ViewJson* json, const ViewGraph* graph, const ViewLayout* layout) {
    view_json_open(json, "layout", '{');
    view_json_real(json, "width", layout->width);
    view_json_real(json, "height", layout->height);
    view_json_flag(json, "simple", layout->is_simple);
    view_json_open(json, "vertices", '[');
    for (int v = 0; v < graph->vertex_count; v++) {
        view_json_integer(json, NULL, graph->vertices[v].kind);
        view_json_integer(json, NULL, graph->vertices[v].index);
        print_coordinate(json, layout->middle[v].x);
        print_coordinate(json, layout->middle[v].y);
        view_json_integer(json, NULL, graph->vertices[v].width);
    }
    view_json_close(json, ']');
    view_json_open(json, "lines", '[');
    for (int e = 0; e < graph->edge_count; e++) {
        view_json_open(json, NULL, '[');
        view_json_integer(json, NULL, graph->edges[e].from);
        view_json_integer(json, NULL, graph->edges[e].to);
        for (int p = layout->first[e]; p < layout->first[e + 1]; p++) {
            print_coordinate(json, layout->points[p].x);
            print_coordinate(json, layout->points[p].y);
        }
        view_json_close(json, ']');
    }
    view_json_close(json, ']');
    view_json_close(json, '}');
}

static void print_graph(ViewJson* json, const ViewDrawing* drawing, int graph) {
    const TfLiteInterpreter* interpreter = drawing->subject->session.interpreter;
    const int* tensors = NULL;
    int count = 0;
    OcliteNode node;
    view_json_open(json, NULL, '{');
    view_json_text(json, "name", oclite_interpreter_subgraph_name(interpreter, graph));
    oclite_interpreter_inputs(interpreter, graph, &tensors, &count);
    view_json_integers(json, "inputs", tensors, count);
    oclite_interpreter_outputs(interpreter, graph, &tensors, &count);
    view_json_integers(json, "outputs", tensors, count);
    oclite_interpreter_plan(interpreter, graph, &tensors, &count);
    view_json_integers(json, "plan", tensors, count);
    view_json_open(json, "arenas", '[');
    for (int a = 0; oclite_interpreter_arena_bytes(interpreter, graph, a) > 0; a++) {
        view_json_integer(json, NULL, (long long)oclite_interpreter_arena_bytes(interpreter, graph, a));
    }
    view_json_close(json, ']');
    view_json_open(json, "tensors", '[');
    for (int t = 0; t < oclite_interpreter_tensor_count(interpreter, graph); t++) {
        print_tensor(json, interpreter, graph, t);
    }
    view_json_close(json, ']');
    view_json_open(json, "nodes", '[');
    for (int n = 0; oclite_interpreter_node(interpreter, graph, n, &node) == kTfLiteOk; n++) {
        print_node(json, drawing->subject, graph, n, &node);
    }
    view_json_close(json, ']');
    print_placement(json, &drawing->subject->placements[graph]);
    print_kernels(json, drawing->subject, graph);
    print_layout(json, &drawing->graphs[graph], &drawing->layouts[graph]);
    view_json_close(json, '}');
}

// Of as many partitions as a subgraph has at most.
static void print_colours(ViewJson* json, const ViewSubject* subject) {
    int most = 0;
    for (int g = 0; g < subject->graph_count; g++) {
        OcliteNode node;
        int count = 0;
        for (int n = 0; oclite_interpreter_node(subject->session.interpreter, g, n, &node) == kTfLiteOk;
             n++) {
            count += node.is_delegate;
        }
        if (count > most) most = count;
    }
    view_json_open(json, "colours", '[');
    for (int p = 0; p < most; p++) {
        const ViewColour colour = view_colour(p);
        view_json_open(json, NULL, '[');
        view_json_integer(json, NULL, lrint(colour.hue));
        view_json_integer(json, NULL, colour.saturation);
        view_json_integer(json, NULL, colour.lightness);
        view_json_close(json, ']');
    }
    view_json_close(json, ']');
}

static const char* file_name(const char* path) {
    const char* name = path;
    for (const char* at = path; *at; at++) {
        if (*at == '/' && at[1]) name = at + 1;
    }
    return name;
}

void view_print_data(FILE* out, const ViewDrawing* drawing) {
    const ViewSubject* subject = drawing->subject;
    ViewJson json = {.out = out};
    size_t size = 0;
    oclite_model_data(subject->session.model, &size);
    view_json_open(&json, NULL, '{');
    view_json_text(&json, "model", file_name(subject->path));
    view_print_about(&json, subject->session.model);
    view_json_integer(&json, "bytes", (long long)size);
    view_json_text(&json, "version", oclite_version());
    view_json_text(&json, "cpu", oclite_cpu_path());
    view_json_integer(&json, "threads", subject->threads);
    view_json_text(&json, "device", subject->device);
    view_json_text(&json, "deviceProblem", subject->device_problem.text);
    view_json_text(&json, "problem", subject->problem.text);
    view_json_flag(&json, "allocated", subject->allocated);
    view_json_integer(&json, "runs", subject->runs);
    view_json_real(&json, "ns", subject->run_ns);
    view_json_integer(&json, "memory", (long long)oclite_interpreter_memory(subject->session.interpreter));
    if (subject->session.delegate != NULL) {
        const size_t device = oclite_opencl_delegate_memory(subject->session.delegate);
        view_json_integer(&json, "deviceMemory", (long long)device);
        OcliteOpenclDevice properties = {0};
        oclite_opencl_delegate_properties(subject->session.delegate, &properties);
        view_json_flag(&json, "sharesMemory", properties.shares_memory);
    }
    print_colours(&json, subject);
    view_json_open(&json, "graphs", '[');
    for (int g = 0; g < subject->graph_count; g++) print_graph(&json, drawing, g);
    view_json_close(&json, ']');
    view_json_close(&json, '}');
}
