// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/delegate.h"

#include <stdlib.h>
#include <string.h>

#include "delegate-opencl/fold.h"
#include "delegate-opencl/partition.h"
#include "delegate-opencl/support.h"
#include "delegate-opencl/tune.h"

// What was decided about one node.
typedef struct Decision {
    struct Decision* next;
    const void* context; // identifies the graph
    int graph;
    int node;
    char* op;
    bool taken;
    bool halves; // stores them now
    LiteClReason reason;
} Decision;

// A graph while it is delegated.
typedef struct Delegation {
    struct Delegation* next;
    const TfLiteContext* context;
    const LiteClGraph* graph;
} Delegation;

typedef struct Delegate {
    TfLiteDelegate base;
    LiteClOptions options;
    LiteClDevice* device;
    LiteClHealth health;
    LiteClProfiler profiler;
    atomic_size_t memory; // bytes that its partitions have on the device
    char warning[LITE_CL_WARNING];
    LiteClBindings bindings;
    pthread_mutex_t mutex; // guards what follows
    Decision* decisions;
    Delegation* delegations; // that are going on
    int graph_count;
} Delegate;

static void report_to_context(void* user_data, const char* format, va_list args) {
    TfLiteOpaqueContextReportErrorVa(user_data, format, args);
}

LiteReporter lite_cl_context_reporter(TfLiteContext* context) {
    return (LiteReporter){report_to_context, context};
}

static void free_decision(Decision* decision) {
    lite_free(decision->op);
    lite_free(decision);
}

// Forgets what was decided about a graph if it is being delegated again; returns its number.
static int number_graph(Delegate* delegate, const void* context) {
    int graph = -1;
    pthread_mutex_lock(&delegate->mutex);
    for (Decision** link = &delegate->decisions; *link != NULL;) {
        Decision* decision = *link;
        if (decision->context == context) {
            graph = decision->graph;
            *link = decision->next;
            free_decision(decision);
        } else {
            link = &decision->next;
        }
    }
    if (graph < 0) graph = delegate->graph_count++;
    pthread_mutex_unlock(&delegate->mutex);
    return graph;
}

static TfLiteStatus add_decisions(Delegate* delegate, const void* context, const LiteClGraph* graph,
                                  const LiteClReason* reasons, const bool* taken,
                                  const LiteReporter* reporter) {
    Decision** end = &delegate->decisions;
    while (*end != NULL) end = &(*end)->next;
    for (int n = 0; n < graph->node_count; n++) {
        Decision* decision = lite_calloc(1, sizeof *decision);
        if (decision == NULL) return lite_report(reporter, "OpenCL: out of memory");
        *decision = (Decision){.context = context, .graph = graph->number, .node = graph->nodes[n].index};
        decision->op = lite_strdup(graph->nodes[n].name);
        decision->taken = taken[n];
        if (!taken[n]) decision->reason = reasons[n];
        *end = decision;
        end = &decision->next;
        if (decision->op == NULL) return lite_report(reporter, "OpenCL: out of memory");
    }
    return kTfLiteOk;
}

static bool decide(Delegate* delegate, const LiteClGraph* graph, const LiteClNode* node,
                   LiteClReason* reason) {
    const LiteClSelected selected = {graph->number, node->index, node->name};
    if (lite_cl_health_status(&delegate->health) == kOcliteOpenclQuarantined) {
        return lite_cl_refuse(reason, "the delegate is quarantined: %.150s",
                              lite_cl_health_cause(&delegate->health));
    }
    if (!lite_cl_options_allow(&delegate->options, &selected)) {
        return lite_cl_refuse(reason, "excluded by the options");
    }
    if (node->op != NULL && node->op->doubles && !delegate->device->doubles)
        return lite_cl_refuse(reason, "the device does not compute in double precision");
    return lite_cl_node_check(node, reason);
}

static bool may_be_sizes(const LiteClTensor* tensor) {
    return tensor != NULL && (tensor->type == kTfLiteInt32 || tensor->type == kTfLiteInt64) &&
           tensor->shape.rank <= 1 && lite_cl_fold_fits(tensor);
}

// Hosts compute sizes from shapes before the first inference, as long as all nodes on the way are theirs, and
// so know the shapes of what follows. Such nodes are left to them.
static void leave_sizes(const LiteClGraph* graph, LiteClReason* reasons, bool* taken) {
    for (int n = graph->node_count - 1; n >= 0; n--) {
        const LiteClNode* node = &graph->nodes[n];
        for (int i = 0; i < node->output_count && taken[n]; i++) {
            if (!node->outputs[i]->wanted) continue;
            taken[n] = lite_cl_refuse(&reasons[n], "its result may be a size that the host computes early");
        }
        for (int i = 0; i < node->input_count && !taken[n]; i++) {
            if (may_be_sizes(node->inputs[i])) node->inputs[i]->wanted = true;
        }
    }
}

// What the host has in its memory when a partition runs: inputs of the graph and results of its own nodes.
static void assume_readable(const LiteClGraph* graph) {
    for (int t = 0; t < graph->tensor_count; t++) {
        LiteClTensor* tensor = &graph->tensors[t];
        tensor->readable = lite_cl_fold_fits(tensor);
        if (tensor->data == tensor->contents) tensor->data = NULL;
    }
}

// Leaves those nodes to the host that compute parameters of this one, which cannot read them otherwise.
static bool leave_producers(const LiteClGraph* graph, int consumer, bool* left) {
    const LiteClNode* node = &graph->nodes[consumer];
    bool found = false;
    for (int n = 0; n < consumer; n++) {
        for (int i = 0; i < node->input_count; i++) {
            const LiteClTensor* input = node->inputs[i];
            if (left[n] || !lite_cl_is_parameter(node, i) || input->data != NULL || input->readable) continue;
            for (int o = 0; o < graph->nodes[n].output_count; o++) {
                if (graph->nodes[n].outputs[o] == input && lite_cl_fold_fits(input)) found = left[n] = true;
            }
        }
    }
    return found;
}

// Decides from the first node to the last; false when nodes had to be left that were taken before.
static TfLiteStatus decide_once(Delegate* delegate, LiteClGraph* graph, LiteClReason* reasons, bool* taken,
                                bool* left, bool* done, const LiteReporter* reporter) {
    *done = true;
    assume_readable(graph);
    for (int n = 0; n < graph->node_count; n++) {
        const LiteClNode* node = &graph->nodes[n];
        taken[n] = left[n] ? lite_cl_refuse(&reasons[n], "its result is a parameter that the host has to see")
                           : decide(delegate, graph, node, &reasons[n]);
        if (!taken[n]) {
            if (node->op != NULL && leave_producers(graph, n, left)) *done = false;
            continue;
        }
        node->outputs[0]->folded = lite_cl_fold_widens(node);
        const bool readable = lite_cl_fold_readable(node);
        for (int i = 0; i < node->output_count; i++) node->outputs[i]->readable = readable;
        LITE_TRY(lite_cl_fold(graph, node, reporter));
    }
    return kTfLiteOk;
}

static TfLiteStatus decide_all(Delegate* delegate, LiteClGraph* graph, LiteClReason* reasons, bool* taken,
                               const LiteReporter* reporter) {
    bool* left = lite_arena_alloc(&graph->arena, (size_t)graph->node_count, sizeof *left);
    if (left == NULL) return lite_report(reporter, "OpenCL: out of memory");
    for (bool done = false; !done;) // each time more nodes are left
        LITE_TRY(decide_once(delegate, graph, reasons, taken, left, &done, reporter));
    leave_sizes(graph, reasons, taken);
    return kTfLiteOk;
}

static TfLiteIntArray* taken_nodes(const LiteClGraph* graph, const bool* taken) {
    TfLiteIntArray* nodes = TfLiteIntArrayCreate(graph->node_count);
    if (nodes == NULL) return NULL;
    nodes->size = 0;
    for (int n = 0; n < graph->node_count; n++) {
        if (taken[n]) nodes->data[nodes->size++] = graph->nodes[n].index;
    }
    return nodes;
}

static int by_size(const void* a, const void* b) {
    const TfLiteDelegateParams *const *left = a, *const *right = b;
    const int sizes[] = {(*left)->nodes_to_replace->size, (*right)->nodes_to_replace->size};
    if (sizes[0] != sizes[1]) return sizes[0] > sizes[1] ? -1 : 1;
    // The earlier partition first: qsort alone would not say.
    return *left < *right ? -1 : *left > *right;
}

static void leave_partition(const TfLiteDelegateParams* partition, const LiteClGraph* graph,
                            LiteClReason* reasons, bool* taken) {
    for (int i = 0; i < partition->nodes_to_replace->size; i++) {
        for (int n = 0; n < graph->node_count; n++) {
            if (graph->nodes[n].index != partition->nodes_to_replace->data[i]) continue;
            taken[n] = false;
            (void)lite_cl_refuse(&reasons[n], "partition of %d nodes left to the host by the options",
                                 partition->nodes_to_replace->size);
        }
    }
}

// Gives back the partitions that are too small or too many.
static TfLiteStatus apply_limits(const Delegate* delegate, TfLiteContext* context, const LiteClGraph* graph,
                                 LiteClReason* reasons, bool* taken, const LiteReporter* reporter) {
    const int max_partitions = delegate->options.max_partitions;
    if (max_partitions == 0 && delegate->options.min_nodes <= 1) return kTfLiteOk;
    TfLiteIntArray* nodes = taken_nodes(graph, taken);
    if (nodes == NULL) return lite_report(reporter, "OpenCL: out of memory");
    TfLiteDelegateParams* partitions = NULL;
    int count = 0;
    const TfLiteStatus status = context->PreviewDelegatePartitioning(context, nodes, &partitions, &count);
    TfLiteIntArrayFree(nodes);
    LITE_TRY(status);
    const TfLiteDelegateParams** order = lite_calloc((size_t)count + 1, sizeof(*order));
    if (order == NULL) return lite_report(reporter, "OpenCL: out of memory");
    for (int p = 0; p < count; p++) order[p] = &partitions[p];
    qsort(order, (size_t)count, sizeof(*order), by_size);
    for (int p = 0; p < count; p++) {
        const bool small = order[p]->nodes_to_replace->size < delegate->options.min_nodes;
        if (small || (max_partitions > 0 && p >= max_partitions))
            leave_partition(order[p], graph, reasons, taken);
    }
    lite_free(order);
    return kTfLiteOk;
}

static void begin_delegation(Delegate* delegate, Delegation* delegation) {
    pthread_mutex_lock(&delegate->mutex);
    delegation->next = delegate->delegations;
    delegate->delegations = delegation;
    pthread_mutex_unlock(&delegate->mutex);
}

static void end_delegation(Delegate* delegate, const Delegation* delegation) {
    pthread_mutex_lock(&delegate->mutex);
    Delegation** link = &delegate->delegations;
    while (*link != delegation) link = &(*link)->next;
    *link = delegation->next;
    pthread_mutex_unlock(&delegate->mutex);
}

static TfLiteStatus replace(TfLiteContext* context, TfLiteDelegate* delegate, const LiteClGraph* graph,
                            const bool* taken, const LiteReporter* reporter) {
    Delegation delegation = {.context = context, .graph = graph};
    TfLiteIntArray* nodes = taken_nodes(graph, taken);
    if (nodes == NULL) return lite_report(reporter, "OpenCL: out of memory");
    begin_delegation(delegate->data_, &delegation);
    const TfLiteStatus status = nodes->size == 0
                                    ? kTfLiteOk
                                    : context->ReplaceNodeSubsetsWithDelegateKernels(
                                          context, lite_cl_partition_registration(), nodes, delegate);
    end_delegation(delegate->data_, &delegation);
    const TfLiteTelemetryGpuDelegateSettings settings = {(size_t)nodes->size, kLiteTelemetryOpencl};
    TfLiteIntArrayFree(nodes);
    lite_telemetry_report_settings(lite_telemetry_profiler(context), "GpuDelegate::DelegatePrepare",
                                   kLiteTelemetryGpu, &settings);
    return status;
}

static TfLiteStatus delegate_graph(Delegate* delegate, TfLiteContext* context, LiteClGraph* graph,
                                   const LiteReporter* reporter) {
    TfLiteIntArray* plan;
    LITE_TRY(context->GetExecutionPlan(context, &plan));
    LITE_TRY(lite_cl_graph_read(graph, context, plan, &delegate->options.customs, reporter));
    graph->number = number_graph(delegate, context);
    LiteClReason* reasons = lite_arena_alloc(&graph->arena, (size_t)graph->node_count, sizeof *reasons);
    bool* taken = lite_arena_alloc(&graph->arena, (size_t)graph->node_count, sizeof *taken);
    if (reasons == NULL || taken == NULL) return lite_report(reporter, "OpenCL: out of memory");
    LITE_TRY(decide_all(delegate, graph, reasons, taken, reporter));
    LITE_TRY(apply_limits(delegate, context, graph, reasons, taken, reporter));
    pthread_mutex_lock(&delegate->mutex);
    const TfLiteStatus status = add_decisions(delegate, context, graph, reasons, taken, reporter);
    pthread_mutex_unlock(&delegate->mutex);
    LITE_TRY(status);
    return replace(context, &delegate->base, graph, taken, reporter);
}

// A program that listens is told of the nodes, and by this flag not of their partition as well.
static void announce_profile(const Delegate* delegate, TfLiteContext* context, TfLiteDelegate* base) {
    const TfLiteTelemetryProfilerStruct* telemetry = lite_telemetry_profiler(context);
    if (delegate->options.profiling && telemetry != NULL && telemetry->ReportOpInvokeEvent != NULL)
        base->flags |= kTfLiteDelegateFlagsPerOperatorProfiling;
}

static TfLiteStatus prepare(TfLiteContext* context, TfLiteDelegate* base) {
    const LiteReporter reporter = lite_cl_context_reporter(context);
    announce_profile(base->data_, context, base);
    LiteClGraph graph = {0};
    const TfLiteStatus status = delegate_graph(base->data_, context, &graph, &reporter);
    lite_cl_graph_free(&graph);
    return status == kTfLiteOk ? kTfLiteOk : kTfLiteDelegateError;
}

static TfLiteStatus retain_queue(const LiteClDevice* device, cl_command_queue queue,
                                 const LiteReporter* reporter) {
    if (queue == NULL) return kTfLiteOk;
    return lite_cl_check(reporter, "clRetainCommandQueue", device->cl->clRetainCommandQueue(queue));
}

static LiteClDevice* open_device(LiteClOptions* options, const LiteReporter* reporter) {
    return lite_cl_external_given(&options->external)
               ? lite_cl_device_acquire_external(&options->external, reporter)
               : lite_cl_device_acquire(options->device, reporter);
}

TfLiteDelegate* lite_cl_delegate_create(LiteClOptions* options, const LiteReporter* reporter) {
    LiteClDevice* device = open_device(options, reporter);
    const bool built = device != NULL &&
                       lite_cl_device_set_cache(device, options->cache_dir, reporter) == kTfLiteOk &&
                       lite_cl_customs_add_own(&options->customs, reporter) == kTfLiteOk &&
                       lite_cl_customs_build(&options->customs, device, reporter) == kTfLiteOk;
    Delegate* delegate = built ? lite_calloc(1, sizeof *delegate) : NULL;
    if (delegate == NULL && built) lite_report(reporter, "OpenCL: out of memory");
    if (delegate == NULL || retain_queue(device, options->external.queue, reporter) != kTfLiteOk) {
        lite_free(delegate);
        lite_cl_device_release(device);
        lite_cl_options_free(options);
        return NULL;
    }
    delegate->base.data_ = delegate;
    delegate->base.Prepare = prepare;
    // Without this flag hosts prepare all operators first, and fail on custom ones that only the device has.
    delegate->base.flags = kTfLiteDelegateFlagsAllowDynamicTensors;
    delegate->device = device;
    delegate->options = *options;
    lite_cl_queue_check_hints(device, &delegate->options.hints, delegate->warning);
    lite_cl_health_init(&delegate->health);
    lite_cl_profiler_init(&delegate->profiler);
    lite_cl_bindings_init(&delegate->bindings, &delegate->base, device, options->external.queue);
    pthread_mutex_init(&delegate->mutex, NULL);
    return &delegate->base;
}

void lite_cl_delegate_delete(TfLiteDelegate* base) {
    if (base == NULL) return;
    Delegate* delegate = base->data_;
    while (delegate->decisions != NULL) {
        Decision* decision = delegate->decisions;
        delegate->decisions = decision->next;
        free_decision(decision);
    }
    pthread_mutex_destroy(&delegate->mutex);
    lite_cl_health_destroy(&delegate->health);
    lite_cl_profiler_destroy(&delegate->profiler);
    lite_cl_bindings_destroy(&delegate->bindings);
    const cl_command_queue queue = delegate->options.external.queue;
    if (queue != NULL) delegate->device->cl->clReleaseCommandQueue(queue);
    lite_cl_options_free(&delegate->options);
    lite_cl_device_release(delegate->device);
    lite_free(delegate);
}

const LiteClGraph* lite_cl_delegate_graph(const TfLiteDelegate* base, const TfLiteContext* context) {
    Delegate* delegate = base->data_;
    pthread_mutex_lock(&delegate->mutex);
    const Delegation* delegation = delegate->delegations;
    while (delegation != NULL && delegation->context != context) delegation = delegation->next;
    const LiteClGraph* graph = delegation != NULL ? delegation->graph : NULL;
    pthread_mutex_unlock(&delegate->mutex);
    return graph;
}

LiteClDevice* lite_cl_delegate_device(const TfLiteDelegate* base) {
    return ((const Delegate*)base->data_)->device;
}

const LiteClOptions* lite_cl_delegate_options(const TfLiteDelegate* base) {
    return &((const Delegate*)base->data_)->options;
}

LiteClBindings* lite_cl_delegate_bindings(const TfLiteDelegate* base) {
    return &((Delegate*)base->data_)->bindings;
}

LiteClHealth* lite_cl_delegate_health(const TfLiteDelegate* base) {
    return &((Delegate*)base->data_)->health;
}

// Both are in the order of the graph's plan.
void lite_cl_delegate_note_precisions(const TfLiteDelegate* base, const LiteClGraph* partition) {
    Delegate* delegate = base->data_;
    pthread_mutex_lock(&delegate->mutex);
    int n = 0;
    for (Decision* decision = delegate->decisions; decision != NULL && n < partition->node_count;
         decision = decision->next) {
        if (decision->graph != partition->number || decision->node != partition->nodes[n].index) continue;
        decision->halves = partition->nodes[n++].narrowed;
    }
    pthread_mutex_unlock(&delegate->mutex);
}

LiteClProfiler* lite_cl_delegate_profiler(const TfLiteDelegate* base) {
    return &((Delegate*)base->data_)->profiler;
}

atomic_size_t* lite_cl_delegate_memory(const TfLiteDelegate* base) {
    return &((Delegate*)base->data_)->memory;
}

size_t oclite_opencl_delegate_memory(const TfLiteDelegate* delegate) {
    return delegate != NULL ? atomic_load(lite_cl_delegate_memory(delegate)) : 0;
}

OcliteOpenclStatus oclite_opencl_delegate_status(const TfLiteDelegate* delegate) {
    return delegate != NULL ? lite_cl_health_status(lite_cl_delegate_health(delegate)) : kOcliteOpenclWorking;
}

const char* oclite_opencl_delegate_failure(const TfLiteDelegate* delegate) {
    return delegate != NULL ? lite_cl_health_cause(lite_cl_delegate_health(delegate)) : "";
}

const char* oclite_opencl_delegate_warning(const TfLiteDelegate* delegate) {
    return delegate != NULL ? ((const Delegate*)delegate->data_)->warning : "";
}

const char* oclite_opencl_delegate_device(const TfLiteDelegate* delegate) {
    return delegate != NULL ? lite_cl_delegate_device(delegate)->description : "";
}

static void measure_tile(const LiteClDevice* device, bool bytes, int tile[2]) {
    const LiteClTile* large = lite_cl_tile(device->class, bytes, 1 << 12, 1 << 12);
    tile[0] = large->rows;
    tile[1] = large->vectors * lite_cl_tune(device->class)->vector;
}

TfLiteStatus oclite_opencl_delegate_properties(const TfLiteDelegate* delegate, OcliteOpenclDevice* result) {
    static const char* const names[] = {
        [kLiteClCpu16] = "cpu16", [kLiteClCpu8] = "cpu8", [kLiteClCpu4] = "cpu4", [kLiteClGpu] = "gpu"};
    if (delegate == NULL || result == NULL) return kTfLiteError;
    const LiteClDevice* device = lite_cl_delegate_device(delegate);
    *result = (OcliteOpenclDevice){.device_class = names[device->class],
                                   .vector = lite_cl_tune(device->class)->vector,
                                   .units = device->units,
                                   .shares_memory = device->shares_memory,
                                   .exact_divide = device->exact_divide,
                                   .doubles = device->doubles,
                                   .byte_products = device->dots,
                                   .alignment = device->alignment,
                                   .max_allocation = device->max_allocation,
                                   .local_memory = device->local_memory};
    measure_tile(device, false, result->float_tile);
    measure_tile(device, true, result->byte_tile);
    return kTfLiteOk;
}

void* oclite_opencl_delegate_context(const TfLiteDelegate* delegate) {
    return delegate != NULL ? (void*)lite_cl_delegate_device(delegate)->context : NULL;
}

void* oclite_opencl_delegate_device_id(const TfLiteDelegate* delegate) {
    return delegate != NULL ? (void*)lite_cl_delegate_device(delegate)->id : NULL;
}

void oclite_opencl_delegate_explain(const TfLiteDelegate* base,
                                    void (*callback)(void* user_data, const OcliteOpenclNode* node),
                                    void* user_data) {
    if (base == NULL || callback == NULL) return;
    Delegate* delegate = base->data_;
    pthread_mutex_lock(&delegate->mutex);
    for (const Decision* decision = delegate->decisions; decision != NULL; decision = decision->next) {
        const OcliteOpenclNode node = {.graph = decision->graph,
                                       .node = decision->node,
                                       .op = decision->op,
                                       .taken = decision->taken,
                                       .reason = decision->reason.text,
                                       .float16 = decision->halves};
        callback(user_data, &node);
    }
    pthread_mutex_unlock(&delegate->mutex);
}

void oclite_opencl_delegate_profile(const TfLiteDelegate* delegate,
                                    void (*callback)(void* user_data, const OcliteOpenclKernel* kernel),
                                    void* user_data) {
    if (delegate == NULL || callback == NULL) return;
    lite_cl_profiler_tell(lite_cl_delegate_profiler(delegate), callback, user_data);
}
