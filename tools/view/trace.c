// SPDX-License-Identifier: Apache-2.0
#include "tools/view/trace.h"

#include "tools/view/json.h"
#include "tools/view/times.h"

enum { kHost = 1, kDevice = 2 };

static void print_name(ViewJson* json, const char* what, int process, const char* name) {
    view_json_open(json, NULL, '{');
    view_json_text(json, "ph", "M");
    view_json_text(json, "name", what);
    view_json_integer(json, "pid", process);
    view_json_integer(json, "tid", 1);
    view_json_open(json, "args", '{');
    view_json_text(json, "name", name);
    view_json_close(json, '}');
    view_json_close(json, '}');
}

// Begins an event. Times are microseconds since the first event, to the nanosecond. The "args" are left open.
static void open_slice(ViewJson* json, const char* name, const char* category, int process, double begin_ns,
                       double ns) {
    view_json_open(json, NULL, '{');
    view_json_text(json, "ph", "X");
    view_json_text(json, "name", name);
    view_json_text(json, "cat", category);
    view_json_integer(json, "pid", process);
    view_json_integer(json, "tid", 1);
    view_json_real(json, "ts", begin_ns * 1e-3);
    view_json_real(json, "dur", ns * 1e-3);
    view_json_open(json, "args", '{');
}

static void close_slice(ViewJson* json) {
    view_json_close(json, '}');
    view_json_close(json, '}');
}

static void print_cost(ViewJson* json, const char* key, int64_t ns, bool measured) {
    char text[kViewCostText];
    if (ns >= 0) view_json_text(json, key, view_cost_text(ns, measured, text));
}

// By which the delegate has placed a node, and why it is not on the device.
static void print_costs(ViewJson* json, const ViewNode* node) {
    if (node == NULL || !node->asked) return;
    print_cost(json, "placed by: on the CPU", node->host_cost_ns, node->host_cost_measured);
    print_cost(json, "placed by: on the device", node->device_cost_ns, node->device_cost_measured);
    if (node->reason != NULL) view_json_text(json, "not on the device", node->reason);
}

static void print_event(ViewJson* json, const ViewSubject* subject, const ViewEvent* event, uint64_t start) {
    OcliteNode node = {.op = "inference"};
    if (event->node >= 0) {
        oclite_interpreter_node(subject->session.interpreter, event->graph, event->node, &node);
    }
    open_slice(json, node.op,
               event->node < 0    ? "inference"
               : node.is_delegate ? "delegate"
                                  : "node",
               kHost, (double)(event->begin_ns - start), (double)(event->end_ns - event->begin_ns));
    if (event->node >= 0) {
        view_json_integer(json, "graph", event->graph);
        view_json_integer(json, "node", event->node);
        const TfLiteTensor* output =
            node.output_count > 0
                ? oclite_interpreter_tensor(subject->session.interpreter, event->graph, node.outputs[0])
                : NULL;
        if (output != NULL) view_json_text(json, "output", TfLiteTensorName(output));
        print_costs(json, view_subject_node(subject, event->graph, event->node));
    } else {
        view_json_integer(json, "run", event->run);
    }
    close_slice(json);
}

// Returns the last event of the run of the delegate's node that has the kernel; NULL when there is none.
static const ViewEvent* find_partition(const ViewSubject* subject, const ViewKernel* kernel) {
    OcliteNode node;
    if (kernel->launch.node_count == 0 ||
        oclite_interpreter_node(subject->session.interpreter, kernel->launch.graph, kernel->launch.nodes[0],
                                &node) != kTfLiteOk) {
        return NULL;
    }
    for (int e = subject->event_count - 1; e >= 0; e--) {
        const ViewEvent* event = &subject->events[e];
        if (event->run < kernel->run) break;
        if (event->run == kernel->run && event->graph == kernel->launch.graph &&
            event->node == node.delegate_node) {
            return event;
        }
    }
    return NULL;
}

// OpenCL reports how long a kernel took, but the delegate does not report when it began. So the kernels of a
// partition are drawn in their order, one after the other, from the beginning of the partition on.
static void print_device(ViewJson* json, const ViewSubject* subject, uint64_t start) {
    const ViewEvent* last = NULL;
    double at = 0;
    for (int k = 0; k < subject->kernels.count; k++) {
        const ViewKernel* kernel = &subject->kernels.items[k];
        const ViewEvent* partition = find_partition(subject, kernel);
        if (partition == NULL) continue;
        if (partition != last) at = (double)(partition->begin_ns - start);
        last = partition;
        open_slice(json, kernel->launch.op, "kernel", kDevice, at, (double)kernel->launch.last_ns);
        view_json_text(json, "kernel", kernel->launch.kernel);
        view_json_integer(json, "graph", kernel->launch.graph);
        view_json_integers(json, "nodes", kernel->launch.nodes, kernel->launch.node_count);
        close_slice(json);
        at += (double)kernel->launch.last_ns;
    }
}

void view_print_trace(FILE* out, const ViewSubject* subject) {
    ViewJson json = {.out = out};
    uint64_t start = UINT64_MAX;
    for (int e = 0; e < subject->event_count; e++) {
        if (subject->events[e].begin_ns < start) start = subject->events[e].begin_ns;
    }
    view_json_open(&json, NULL, '{');
    view_json_text(&json, "displayTimeUnit", "ms");
    view_json_open(&json, "traceEvents", '[');
    print_name(&json, "process_name", kHost, "oclite");
    print_name(&json, "thread_name", kHost, "nodes");
    if (subject->device[0]) {
        print_name(&json, "process_name", kDevice, subject->device);
        print_name(&json, "thread_name", kDevice,
                   "kernels (times by the device, placed one after the other)");
    }
    for (int e = 0; e < subject->event_count; e++) print_event(&json, subject, &subject->events[e], start);
    print_device(&json, subject, start);
    view_json_close(&json, ']');
    view_json_close(&json, '}');
    fputc('\n', out);
}
