// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/delegate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/async.h"
#include "core/base/overlap.h"
#include "core/base/telemetry.h"
#include "delegate-opencl/device/open.h"
#include "delegate-opencl/graph/read.h"
#include "delegate-opencl/graph/report.h"
#include "delegate-opencl/handles.h"
#include "delegate-opencl/kernel.h"
#include "delegate-opencl/partition/account.h"
#include "delegate-opencl/partition/decide.h"
#include "delegate-opencl/partition/lists.h"
#include "delegate-opencl/partition/place.h"
#include "delegate-opencl/partition/trial.h"
#include "delegate-opencl/selftest/screen.h"
#include "partitioner/policy.h"

typedef struct Delegate {
    TfLiteDelegate base; // whose data_ is `shared`
    LiteClShared shared;
} Delegate;

static TfLiteIntArray* taken_nodes(const LiteClGraph* graph, const bool* taken) {
    TfLiteIntArray* nodes = TfLiteIntArrayCreate(graph->node_count);
    if (nodes == NULL) return NULL;
    nodes->size = 0;
    for (int n = 0; n < graph->node_count; n++) {
        if (taken[n]) nodes->data[nodes->size++] = graph->nodes[n].index;
    }
    return nodes;
}

static void leave_partition(const TfLiteDelegateParams* partition, const LiteClGraph* graph,
                            const LiteClChoice* choice) {
    for (int i = 0; i < partition->nodes_to_replace->size; i++) {
        for (int n = 0; n < graph->node_count; n++) {
            if (graph->nodes[n].index != partition->nodes_to_replace->data[i]) continue;
            choice->taken[n] =
                lite_cl_refuse(&choice->reasons[n], "partition of %d nodes left to the host by the options",
                               partition->nodes_to_replace->size);
        }
    }
}

// Leaves partitions to the host that are too small or too many.
static TfLiteStatus apply_limits(const LiteClOptions* options, TfLiteContext* context, LiteClGraph* graph,
                                 const LiteClChoice* choice, const LiteReporter* reporter) {
    const bool is_greedy = options->partition == kOclitePartitionGreedy;
    const LitePolicy policy = {.min_nodes = options->min_nodes,
                               .max_subsets = options->max_partitions > 0 ? options->max_partitions
                                              : is_greedy                 ? 1
                                                                          : -1};
    if (policy.max_subsets < 0 && policy.min_nodes <= 1) return kTfLiteOk;
    TfLiteIntArray* nodes = taken_nodes(graph, choice->taken);
    if (nodes == NULL) return lite_report(reporter, "OpenCL: out of memory");
    TfLiteDelegateParams* partitions = NULL;
    int count = 0;
    const TfLiteStatus status = context->PreviewDelegatePartitioning(context, nodes, &partitions, &count);
    TfLiteIntArrayFree(nodes);
    LITE_TRY(status);
    int* sizes = lite_arena_alloc(&graph->arena, (size_t)count, sizeof *sizes);
    int64_t* weights = lite_arena_alloc(&graph->arena, (size_t)count, sizeof *weights);
    bool* keep = lite_arena_alloc(&graph->arena, (size_t)count, sizeof *keep);
    if (sizes == NULL || weights == NULL || keep == NULL)
        return lite_report(reporter, "OpenCL: out of memory");
    for (int p = 0; p < count; p++) {
        sizes[p] = partitions[p].nodes_to_replace->size;
        weights[p] = sizes[p];
        keep[p] = true;
    }
    if (lite_policy_choose(&policy, sizes, weights, count, keep) < 0) {
        return lite_report(reporter, "OpenCL: out of memory");
    }
    for (int p = 0; p < count; p++) {
        if (!keep[p]) leave_partition(&partitions[p], graph, choice);
    }
    return kTfLiteOk;
}

static TfLiteStatus replace(TfLiteContext* context, TfLiteDelegate* delegate, const LiteClGraph* graph,
                            const bool* taken, const LiteReporter* reporter) {
    LiteClDecisions* decisions = &lite_cl_shared_of(delegate)->decisions;
    LiteClDelegation delegation = {.context = context, .graph = graph};
    TfLiteIntArray* nodes = taken_nodes(graph, taken);
    if (nodes == NULL) return lite_report(reporter, "OpenCL: out of memory");
    lite_cl_decisions_enter(decisions, &delegation);
    const TfLiteStatus status = nodes->size == 0
                                    ? kTfLiteOk
                                    : context->ReplaceNodeSubsetsWithDelegateKernels(
                                          context, lite_cl_kernel_registration(), nodes, delegate);
    lite_cl_decisions_leave(decisions, &delegation);
    const TfLiteTelemetryGpuDelegateSettings settings = {(size_t)nodes->size, kLiteTelemetryOpencl};
    TfLiteIntArrayFree(nodes);
    lite_telemetry_report_settings(lite_telemetry_profiler(context), "GpuDelegate::DelegatePrepare",
                                   kLiteTelemetryGpu, &settings);
    return status;
}

// The host will fail at an operator that nobody has, and cannot know why the delegate has left it. Of one
// that the delegate knows nothing about it says enough itself, and another delegate may have it.
static void report_unresolved(const LiteClShared* shared, TfLiteContext* context, const LiteClGraph* graph,
                              const LiteClReason* reasons, const bool* taken, const LiteReporter* reporter) {
    const LiteClCustoms* customs = &shared->options.customs;
    // Others print all messages of a failure in a row.
    const char* end = lite_async_understood(context) ? "" : "\n";
    for (int n = 0; n < graph->node_count; n++) {
        const LiteClNode* node = &graph->nodes[n];
        if (taken[n] || !node->unresolved) continue;
        if (node->op == NULL && lite_cl_customs_near(customs, node->name) == NULL) continue;
        (void)lite_report(reporter, "OpenCL: node %d of graph %d, %.100s, which the host does not have: %s%s",
                          node->index, graph->number, node->name, reasons[n].text, end);
    }
}

// Some hosts put an operator that fails in the place of one that they do not have, and tell nobody but their
// users.
static void mark_unresolved(const LiteClOptions* options, LiteClGraph* graph) {
    for (int n = 0; n < graph->node_count; n++) {
        LiteClNode* node = &graph->nodes[n];
        const LiteClSelected selected = {graph->number, node->index, node->name};
        node->unresolved = node->unresolved || lite_cl_selection_has(options->unresolved, &selected);
    }
}

static TfLiteStatus delegate_graph(TfLiteContext* context, TfLiteDelegate* delegate, LiteClGraph* graph,
                                   const LiteReporter* reporter) {
    LiteClShared* shared = lite_cl_shared_of(delegate);
    TfLiteIntArray* plan;
    LITE_TRY(context->GetExecutionPlan(context, &plan));
    const LiteClFinder finder = lite_cl_customs_finder(&shared->options.customs);
    LITE_TRY(lite_cl_graph_read(graph, context, plan, &finder, reporter));
    graph->number = lite_cl_decisions_number(&shared->decisions, context);
    mark_unresolved(&shared->options, graph);
    LiteClChoice choice;
    if (graph->number < 0 || !lite_cl_choice_init(&choice, graph))
        return lite_report(reporter, "OpenCL: out of memory");
    LITE_TRY(lite_cl_lists_check(shared, context, graph, reporter));
    LITE_TRY(lite_cl_decide(shared, graph, choice.reasons, choice.taken, reporter));
    LITE_TRY(lite_cl_place(shared, context, graph, &choice, reporter));
    LITE_TRY(apply_limits(&shared->options, context, graph, &choice, reporter));
    LITE_TRY(lite_cl_decisions_add(&shared->decisions, graph, &choice, reporter));
    lite_cl_account_decided(shared, graph->number, reporter);
    report_unresolved(shared, context, graph, choice.reasons, choice.taken, reporter);
    const LiteOverlapService* overlap = graph->overlaps ? lite_overlap_service(context) : NULL;
    if (overlap != NULL) overlap->order(context);
    return replace(context, delegate, graph, choice.taken, reporter);
}

// A program with a profiler is told of the nodes; with this flag the host does not tell it of their partition
// as well.
static void announce_profile(TfLiteContext* context, TfLiteDelegate* delegate) {
    const TfLiteTelemetryProfilerStruct* telemetry = lite_telemetry_profiler(context);
    if (lite_cl_shared_of(delegate)->options.profiling && telemetry != NULL &&
        telemetry->ReportOpInvokeEvent != NULL)
        delegate->flags |= kTfLiteDelegateFlagsPerOperatorProfiling;
}

static TfLiteStatus prepare(TfLiteContext* context, TfLiteDelegate* delegate) {
    const LiteReporter reporter = lite_cl_context_reporter(context);
    if (lite_cl_is_forked()) (void)lite_report(&reporter, "%s", lite_cl_forked_text);
    announce_profile(context, delegate);
    LiteClGraph graph = {0};
    const TfLiteStatus status = delegate_graph(context, delegate, &graph, &reporter);
    lite_cl_graph_free(&graph);
    return status == kTfLiteOk ? kTfLiteOk : kTfLiteDelegateError;
}

static TfLiteStatus retain_queue(const LiteClDevice* device, cl_command_queue queue,
                                 const LiteReporter* reporter) {
    if (queue == NULL) return kTfLiteOk;
    return lite_cl_check(reporter, "clRetainCommandQueue", device->cl->clRetainCommandQueue(queue));
}

// Users who want to know what the delegate does want its times too, which a queue of the program's may not
// have.
static void want_times(LiteClOptions* options) {
    const bool tells = options->verbose != 0 || options->report[0] != '\0';
    if (tells && options->external.queue == NULL) options->profiling = 1;
}

// CLBlast is opened only where it may be used. What was asked for by name and is not to be had is an error.
static TfLiteStatus open_clblast(LiteClOptions* options, LiteClDevice* device, const LiteReporter* reporter) {
    const bool named = options->gemm == kLiteClGemmByClblast, wanted = named || options->tuning != 0;
    if (lite_cl_is_forked() || options->gemm == kLiteClGemmByUs) return kTfLiteOk;
    if (wanted && lite_cl_clblast_has(device, kLiteClClblastFloats, named ? reporter : NULL))
        return kTfLiteOk;
    options->gemm = kLiteClGemmByUs;
    return named ? kTfLiteError : kTfLiteOk;
}

// The folder that the option names; NULL: none.
static const char* named_folder(const LiteClOptions* options) {
    const char* folder = options->cache_dir;
    const bool names_none = folder == NULL || folder[0] == '\0' || strcmp(folder, "off") == 0;
    return names_none ? NULL : folder;
}

static TfLiteStatus open_cache(const LiteClOptions* options, LiteClDevice* device,
                               const LiteReporter* reporter) {
    const char* variable = secure_getenv("OCLITE_OPENCL_CACHE");
    const bool is_off = variable != NULL && strcmp(variable, "off") == 0;
    const bool is_usual = !is_off && (options->cache_dir == NULL || options->cache_dir[0] == '\0');
    if (is_usual && !lite_cl_is_forked()) lite_cl_device_set_usual_cache(device);
    return lite_cl_device_set_cache(device, named_folder(options), reporter);
}

static LiteClDevice* open_device(LiteClOptions* options, LiteClSelftest* selftest,
                                 const LiteReporter* reporter) {
    const LiteClAdmission admission = {lite_cl_selftest_admit, selftest};
    want_times(options);
    lite_cl_selftest_init(selftest, options->selftest, named_folder(options));
    lite_cl_selftest_screen(selftest);
    LiteClDevice* device = lite_cl_external_given(&options->external)
                               ? lite_cl_device_acquire_external(&options->external, reporter)
                               : lite_cl_device_acquire_admitted(options->device, &admission, reporter);
    if (device != NULL) lite_cl_selftest_begin(selftest, device);
    return device;
}

// Drivers that should have been tried and cannot be.
static void warn_of_trust(LiteClShared* shared) {
    const size_t length = strlen(shared->warning);
    if (shared->selftest.tells)
        snprintf(shared->warning + length, sizeof shared->warning - length, "%s%s", length > 0 ? "; " : "",
                 shared->selftest.trusted);
}

// Readies what a delegate has of its own, whatever its options.
static void begin(Delegate* delegate, LiteClDevice* device) {
    LiteClShared* shared = &delegate->shared;
    delegate->base.data_ = shared;
    delegate->base.Prepare = prepare;
    // Without this flag hosts prepare all operators first, and fail on custom operators that only the
    // device has.
    delegate->base.flags = kTfLiteDelegateFlagsAllowDynamicTensors;
    shared->device = device;
    lite_cl_health_init(&shared->health);
    lite_cl_profiler_init(&shared->profiler);
    lite_cl_handles_install(&delegate->base);
    lite_cl_bindings_init(&shared->bindings, &delegate->base, device, shared->options.external.queue);
    lite_cl_decisions_init(&shared->decisions);
    atomic_init(&shared->lists_checked, false);
    atomic_init(&shared->halves_checked, false);
}

static void end(LiteClShared* shared) {
    lite_cl_account_destroy(&shared->account);
    lite_cl_decisions_destroy(&shared->decisions);
    lite_cl_health_destroy(&shared->health);
    lite_cl_profiler_destroy(&shared->profiler);
    lite_cl_bindings_destroy(&shared->bindings);
}

void lite_cl_delegate_delete(TfLiteDelegate* delegate) {
    if (delegate == NULL) return;
    LiteClShared* shared = lite_cl_shared_of(delegate);
    lite_cl_account_end(shared);
    end(shared);
    const cl_command_queue queue = shared->options.external.queue;
    if (queue != NULL) shared->device->cl->clReleaseCommandQueue(queue);
    lite_cl_options_free(&shared->options);
    lite_cl_selftest_free(&shared->selftest);
    lite_cl_device_release(shared->device);
    lite_free((Delegate*)delegate);
}

// What options and verdicts have in memory stays the parent's.
static TfLiteDelegate* create_child(const LiteClShared* parent, LiteClGraphTrial* trial) {
    static char no_report[] = "";
    Delegate* child = lite_calloc(1, sizeof *child);
    if (child == NULL) return NULL;
    LiteClOptions* options = &child->shared.options;
    *options = parent->options;
    options->external = (LiteClExternal){0};
    options->profiling = trial->times && parent->device->limits.timers;
    options->verbose = 0;
    options->report = no_report;
    if (options->precision == kLiteClAuto) options->precision = kLiteClFloat32; // until it is measured
    child->shared.selftest = parent->selftest;
    child->shared.trial = trial;
    begin(child, parent->device);
    if (lite_cl_account_init(&child->shared.account, false, NULL, NULL) == kTfLiteOk) return &child->base;
    end(&child->shared);
    lite_free(child);
    return NULL;
}

static void delete_child(TfLiteDelegate* child) {
    end(lite_cl_shared_of(child));
    lite_free((Delegate*)child);
}

TfLiteDelegate* lite_cl_delegate_create(LiteClOptions* options, const LiteReporter* reporter) {
    const bool fine = lite_cl_options_check(options, reporter) == kTfLiteOk;
    LiteClSelftest selftest = {0};
    LiteClDevice* device = fine ? open_device(options, &selftest, reporter) : NULL;
    const bool built =
        device != NULL && open_cache(options, device, reporter) == kTfLiteOk &&
        lite_cl_customs_add_own(&options->customs, reporter) == kTfLiteOk &&
        open_clblast(options, device, reporter) == kTfLiteOk &&
        (lite_cl_is_forked() || lite_cl_customs_build(&options->customs, device, reporter) == kTfLiteOk);
    Delegate* delegate = built ? lite_calloc(1, sizeof *delegate) : NULL;
    if (delegate == NULL && built) lite_report(reporter, "OpenCL: out of memory");
    if (delegate == NULL || retain_queue(device, options->external.queue, reporter) != kTfLiteOk) {
        lite_free(delegate);
        lite_cl_selftest_free(&selftest);
        lite_cl_device_release(device);
        lite_cl_options_free(options);
        return NULL;
    }
    LiteClShared* shared = &delegate->shared;
    shared->options = *options;
    shared->selftest = selftest;
    begin(delegate, device);
    if (LITE_CL_HAS_COSTS) shared->create_child = create_child;
    shared->delete_child = delete_child;
    lite_cl_queue_check_hints(device, &shared->options.hints, shared->warning);
    if (shared->options.profiling && !lite_cl_queue_check_timers(device, shared->warning))
        shared->options.profiling = 0;
    warn_of_trust(shared);
    const bool told = lite_cl_account_init(&shared->account, options->verbose != 0, options->report,
                                           reporter) == kTfLiteOk &&
                      lite_cl_account_begin(shared, reporter) == kTfLiteOk;
    if (told) return &delegate->base;
    lite_cl_delegate_delete(&delegate->base);
    return NULL;
}
