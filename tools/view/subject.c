// SPDX-License-Identifier: Apache-2.0
#include "tools/view/subject.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/kernel_copy.h"
#include "tools/common/random_input.h"
#include "tools/common/timing.h"

enum { kMaxEvents = 1 << 20 };

static const char kOpenCl[] = "opencl";

const ViewNode* view_subject_node(const ViewSubject* subject, int graph, int node) {
    if (graph < 0 || graph >= subject->graph_count) return NULL;
    return node >= 0 && node < subject->node_counts[graph] ? &subject->nodes[graph][node] : NULL;
}

static ViewNode* find_node(ViewSubject* subject, int graph, int node) {
    return (ViewNode*)view_subject_node(subject, graph, node);
}

int view_subject_place(const ViewSubject* subject, int graph, const OcliteNode* node) {
    if (node->delegate_node < 0) return node->resolved ? kViewOnCpu : kViewUnresolved;
    int partition = 0;
    OcliteNode other;
    for (int n = node->delegate_node - 1; n >= 0; n--) {
        if (oclite_interpreter_node(subject->session.interpreter, graph, n, &other) != kTfLiteOk) break;
        if (!other.is_delegate) break;
        partition++;
    }
    return partition;
}

// The first hues are the best that a search has found for eyes of all kinds, and for dark pages. Hues alone
// come near each other again when there are many partitions: these have other tones.
ViewColour view_colour(int partition) {
    static const int kFirst[] = {230, 17, 111, 60, 56, 57, 338, 284};
    static const int kTones[][2] = {{90, 73}, {92, 60}, {52, 68}, {88, 85}};
    const int count = (int)(sizeof(kFirst) / sizeof(kFirst[0]));
    const double kStep = 148.9;
    const int* tone = kTones[partition % 4];
    const double hue = partition < count ? kFirst[partition] : fmod(163 + kStep * partition, 360);
    return (ViewColour){hue, tone[0], tone[1]};
}

// ---- Measuring ----

static void keep_event(ViewSubject* subject, ViewEvent event) {
    if (!subject->keeps_events || subject->events_failed) return;
    if (subject->event_count == subject->event_room) {
        const int room = subject->event_room * 2 + 256;
        ViewEvent* events =
            room <= kMaxEvents ? realloc(subject->events, (size_t)room * sizeof(*events)) : NULL;
        subject->events_failed = events == NULL;
        if (events == NULL) return;
        subject->events = events;
        subject->event_room = room;
    }
    subject->events[subject->event_count++] = event;
}

static void count_call(void* user_data, int graph, int node, uint64_t begin_ns, uint64_t end_ns) {
    ViewSubject* subject = user_data;
    ViewNode* called = find_node(subject, graph, node);
    if (subject->run < 0 || called == NULL) return;
    called->calls++;
    called->host_ns += (double)(end_ns - begin_ns);
    keep_event(subject, (ViewEvent){subject->run, graph, node, begin_ns, end_ns});
}

static void free_kernels(ViewKernels* kernels) {
    for (int k = 0; k < kernels->count; k++) tool_kernel_copy_free(&kernels->items[k].launch);
    free(kernels->items);
    *kernels = (ViewKernels){0};
}

static void add_kernel(void* user_data, const OcliteOpenclKernel* kernel) {
    ViewKernels* kernels = user_data;
    const size_t count = (size_t)kernels->count;
    ViewKernel* items = realloc(kernels->items, (count + 1) * sizeof(*items));
    if (items == NULL) {
        kernels->failed = true;
        return;
    }
    kernels->items = items;
    ViewKernel* added = &items[kernels->count++];
    *added = (ViewKernel){0};
    if (!tool_kernel_copy_make(kernel, &added->launch)) kernels->failed = true;
}

// Subtracts the first inference, which prepares, compiles and warms up.
static void forget_warm_up(ViewKernels* kernels, const ViewKernels* before) {
    if (kernels->count != before->count) return;
    for (int k = 0; k < kernels->count; k++) {
        const OcliteOpenclKernel* warm_up = &before->items[k].launch;
        OcliteOpenclKernel* launch = &kernels->items[k].launch;
        if (warm_up->runs >= launch->runs) continue;
        launch->runs -= warm_up->runs;
        launch->total_ns -= warm_up->total_ns;
    }
}

static void share_kernel_times(ViewSubject* subject) {
    for (int k = 0; k < subject->kernels.count; k++) {
        const OcliteOpenclKernel* launch = &subject->kernels.items[k].launch;
        for (int n = 0; n < launch->node_count && launch->runs > 0; n++) {
            ViewNode* node = find_node(subject, launch->graph, launch->nodes[n]);
            const double mean = (double)launch->total_ns / (double)launch->runs;
            if (node != NULL) node->device_ns += mean / launch->node_count;
        }
    }
}

static ToolStatus invoke(ViewSubject* subject, ToolMessage* message) {
    const uint64_t begin = tool_now_ns();
    if (TfLiteInterpreterInvoke(subject->session.interpreter) != kTfLiteOk) {
        return tool_fail(message, kToolInvoke, "%s: the model could not be run", subject->path);
    }
    const uint64_t end = tool_now_ns();
    if (subject->run < 0) return kToolOk;
    subject->run_ns += (double)(end - begin);
    keep_event(subject, (ViewEvent){subject->run, 0, -1, begin, end});
    return kToolOk;
}

// For a trace, every run's kernels are kept.
static ToolStatus measure_runs(ViewSubject* subject, int runs, ToolMessage* message) {
    ViewKernels before = {0};
    const TfLiteDelegate* delegate = subject->session.delegate;
    subject->run = -1;
    ToolStatus status = invoke(subject, message);
    if (delegate != NULL) oclite_opencl_delegate_profile(delegate, add_kernel, &before);
    for (int run = 0; run < runs && status == kToolOk; run++) {
        subject->run = run;
        status = invoke(subject, message);
        if (status != kToolOk || delegate == NULL || (!subject->keeps_events && run + 1 < runs)) continue;
        const int first = subject->kernels.count;
        oclite_opencl_delegate_profile(delegate, add_kernel, &subject->kernels);
        for (int k = first; k < subject->kernels.count; k++) subject->kernels.items[k].run = run;
    }
    const bool failed = subject->kernels.failed || before.failed || subject->events_failed;
    if (!subject->keeps_events && !failed) {
        forget_warm_up(&subject->kernels, &before);
        share_kernel_times(subject);
    }
    free_kernels(&before);
    if (status == kToolOk && failed) status = tool_fail(message, kToolFile, "too many events for the memory");
    return status;
}

static ToolStatus measure(ViewSubject* subject, int runs, ToolMessage* message) {
    TfLiteInterpreter* interpreter = subject->session.interpreter;
    const int inputs = TfLiteInterpreterGetInputTensorCount(interpreter);
    uint64_t state = 1;
    ToolStatus status = kToolOk;
    for (int i = 0; i < inputs && status == kToolOk; i++) {
        TfLiteTensor* tensor = TfLiteInterpreterGetInputTensor(interpreter, i);
        status = tool_random_fill(tensor, tool_random_range(TfLiteTensorType(tensor)), &state, message);
    }
    if (status != kToolOk) return status;
    oclite_interpreter_set_profile(interpreter, count_call, subject);
    status = measure_runs(subject, runs, message);
    oclite_interpreter_set_profile(interpreter, NULL, NULL);
    if (status != kToolOk) return status;
    subject->runs = runs;
    subject->run_ns /= runs;
    for (int g = 0; g < subject->graph_count; g++) {
        for (int n = 0; n < subject->node_counts[g]; n++) subject->nodes[g][n].host_ns /= runs;
    }
    return kToolOk;
}

// ---- Asking ----

static void note_answer(void* user_data, const OcliteOpenclNode* answer) {
    ViewSubject* subject = user_data;
    ViewNode* node = find_node(subject, answer->graph, answer->node);
    OcliteNode of;
    if (node == NULL ||
        oclite_interpreter_node(subject->session.interpreter, answer->graph, answer->node, &of))
        return;
    if (strcmp(of.op, answer->op) != 0) return; // the delegate's graphs are numbered otherwise
    node->asked = true;
    node->host_cost_ns = answer->host_ns;
    node->device_cost_ns = answer->device_ns;
    node->host_cost_measured = answer->host_measured;
    node->device_cost_measured = answer->device_measured;
    if (!answer->taken && node->reason == NULL) node->reason = strdup(answer->reason);
}

static void note_placement(void* user_data, const OcliteOpenclPlacement* placement) {
    ViewSubject* subject = user_data;
    if (placement->graph >= subject->graph_count) return;
    bool asked = false;
    for (int n = 0; n < subject->node_counts[placement->graph]; n++)
        asked = asked || subject->nodes[placement->graph][n].asked;
    if (asked) subject->placements[placement->graph] = *placement;
}

static void ask_delegate(ViewSubject* subject) {
    const TfLiteDelegate* delegate = subject->session.delegate;
    const char* failure = oclite_opencl_delegate_failure(delegate);
    const char* warning = oclite_opencl_delegate_warning(delegate);
    oclite_opencl_delegate_explain(delegate, note_answer, subject);
    oclite_opencl_delegate_placements(delegate, note_placement, subject);
    snprintf(subject->device, sizeof(subject->device), "%s", oclite_opencl_delegate_device(delegate));
    if (failure[0]) tool_fail(&subject->device_problem, kToolInvoke, "%s", failure);
    if (warning[0]) tool_fail(&subject->device_problem, kToolInvoke, "%s", warning);
}

static ToolStatus make_nodes(ViewSubject* subject, ToolMessage* message) {
    const TfLiteInterpreter* interpreter = subject->session.interpreter;
    const int graphs = oclite_interpreter_subgraph_count(interpreter);
    subject->node_counts = calloc((size_t)graphs + 1, sizeof(*subject->node_counts));
    subject->nodes = calloc((size_t)graphs + 1, sizeof(*subject->nodes));
    subject->placements = calloc((size_t)graphs + 1, sizeof(*subject->placements));
    if (subject->node_counts == NULL || subject->nodes == NULL || subject->placements == NULL)
        return tool_out_of_memory(message);
    for (int g = 0; g < graphs; g++) {
        subject->placements[g].graph = -1;
        const int count = oclite_interpreter_node_count(interpreter, g);
        subject->nodes[g] = calloc((size_t)count + 1, sizeof(ViewNode));
        if (subject->nodes[g] == NULL) return tool_out_of_memory(message);
        subject->node_counts[g] = count;
        subject->graph_count = g + 1;
    }
    return kToolOk;
}

// Returns whether to time kernels: when something is measured, unless the user says otherwise.
static bool wants_profiling(const char* delegate, const ViewMeasure* measure) {
    const size_t length = strlen(kOpenCl);
    if (delegate == NULL || strncmp(delegate, kOpenCl, length) != 0 || measure->runs == 0) return false;
    return (!delegate[length] || delegate[length] == ':') && strstr(delegate, "profiling") == NULL;
}

static ToolStatus look_at(ViewSubject* subject, const ViewMeasure* measurement, ToolMessage* message) {
    TfLiteInterpreter* interpreter = subject->session.interpreter;
    bool changed = false;
    ToolStatus status =
        tool_job_resize(interpreter, measurement->resizes, measurement->resize_count, &changed, message);
    if (status != kToolOk) return status;
    subject->allocated = TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk;
    status = make_nodes(subject, message);
    if (status != kToolOk) return status;
    size_t size = 0;
    const void* bytes = oclite_model_data(subject->session.model, &size);
    subject->file = oclite_edit_create(bytes, size);
    if (subject->file == NULL)
        return tool_fail(message, kToolFile, "%s: %s", subject->path, oclite_edit_last_error());
    if (!subject->allocated) {
        status = tool_fail(message, kToolAllocate, "%s: the tensors could not be allocated", subject->path);
    } else if (measurement->runs > 0) {
        status = measure(subject, measurement->runs, message);
    }
    if (status == kToolAllocate || status == kToolInvoke) {
        subject->problem = *message;
        *message = (ToolMessage){{0}};
        status = kToolOk;
    }
    if (subject->session.delegate != NULL) ask_delegate(subject);
    return status;
}

ToolStatus view_subject_open(ViewSubject* subject, const char* path, const ToolSetup* setup,
                             const ViewMeasure* measurement, ToolMessage* message) {
    *subject = (ViewSubject){.path = path, .threads = setup->threads, .run = -1};
    subject->keeps_events = measurement->keep_events;
    ToolSetup timed = *setup;
    char* text = NULL;
    if (wants_profiling(setup->delegate, measurement)) {
        text = tool_session_profiled(setup->delegate);
        if (text == NULL) return tool_out_of_memory(message);
        timed.delegate = text;
    }
    const ToolStatus status = tool_session_open(path, &timed, &subject->session, message);
    free(text);
    return status == kToolOk ? look_at(subject, measurement, message) : status;
}

void view_subject_close(ViewSubject* subject) {
    for (int g = 0; g < subject->graph_count; g++) {
        for (int n = 0; n < subject->node_counts[g]; n++) free(subject->nodes[g][n].reason);
        free(subject->nodes[g]);
    }
    free(subject->nodes);
    free(subject->node_counts);
    free(subject->placements);
    free(subject->events);
    oclite_edit_delete(subject->file); // before the model, whose bytes it has
    free_kernels(&subject->kernels);
    tool_session_close(&subject->session);
    *subject = (ViewSubject){0};
}
