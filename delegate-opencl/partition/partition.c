// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/partition/partition.h"

#include "core/base/async.h"
#include "delegate-opencl/device/open.h"
#include "delegate-opencl/graph/fold.h"
#include "delegate-opencl/graph/read.h"
#include "delegate-opencl/graph/report.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/graph/types.h"
#include "delegate-opencl/partition/account.h"
#include "delegate-opencl/partition/trial.h"

// Finds those of the given tensors that the nodes use and that are no constants.
static TfLiteStatus find_boundary(LiteClPartition* partition, const TfLiteIntArray* indices,
                                  LiteClTensor*** tensors, int* count, const LiteReporter* reporter) {
    *tensors = lite_arena_alloc(&partition->graph.arena, (size_t)indices->size, sizeof(**tensors));
    if (*tensors == NULL) return lite_report(reporter, "OpenCL: out of memory");
    for (int i = 0; i < indices->size; i++) {
        LiteClTensor* tensor = lite_cl_graph_tensor(&partition->graph, indices->data[i]);
        if (tensor != NULL && tensor->data == NULL) (*tensors)[(*count)++] = tensor;
    }
    return kTfLiteOk;
}

static TfLiteStatus ask_for_parameters(LiteClPartition* partition, const LiteReporter* reporter) {
    LiteArena* arena = &partition->graph.arena;
    lite_cl_fold_ask(&partition->graph);
    partition->built =
        lite_arena_alloc(arena, (size_t)partition->boundary.input_count, sizeof *partition->built);
    if (partition->built == NULL) return lite_report(reporter, "OpenCL: out of memory");
    for (int i = 0; i < partition->boundary.input_count; i++) {
        if (!partition->boundary.inputs[i]->foresight.asked) continue;
        partition->built[i].contents = lite_arena_alloc(arena, LITE_CL_MAX_KNOWN, sizeof(int64_t));
        if (partition->built[i].contents == NULL) return lite_report(reporter, "OpenCL: out of memory");
    }
    return kTfLiteOk;
}

// Inputs get the types that the operators before the partition give them.
static void give_types(LiteClPartition* partition, const LiteClGraph* whole, const TfLiteIntArray* inputs) {
    for (int i = 0; i < inputs->size && whole != NULL; i++) {
        LiteClTensor* input = lite_cl_graph_tensor(&partition->graph, inputs->data[i]);
        const LiteClTensor* known = lite_cl_graph_tensor(whole, inputs->data[i]);
        if (input != NULL && known != NULL) input->type = known->type;
    }
    for (int n = 0; n < partition->graph.node_count; n++) lite_cl_give_types(&partition->graph.nodes[n]);
}

static void find_kept(LiteClPartition* partition) {
    for (int n = 0; n < partition->graph.node_count; n++) {
        const LiteClNode* node = &partition->graph.nodes[n];
        for (int i = 0; i < node->input_count; i++) {
            if (!lite_cl_keeps_input(node, i) || node->inputs[i]->data != NULL) continue;
            partition->writes_variables = node->inputs[i]->kept = true;
        }
    }
}

static void choose_precisions(LiteClPartition* partition, const LiteClOptions* options) {
    const LiteClGraph* graph = &partition->graph;
    for (int n = 0; n < graph->node_count; n++) {
        LiteClNode* node = &graph->nodes[n];
        const LiteClSelected selected = {graph->number, node->index, node->name};
        node->precision = lite_cl_options_precision(options, &selected);
        node->wants_float16 = node->precision == kLiteClFloat16;
        if (node->precision == kLiteClAuto) partition->budget.state = kLiteClUnmeasured;
    }
    partition->budget.error = options->error_budget;
}

static TfLiteStatus read_partition(LiteClPartition* partition, TfLiteContext* context,
                                   const TfLiteDelegateParams* params, const LiteReporter* reporter) {
    LiteClShared* shared = partition->shared;
    const LiteClOptions* options = &shared->options;
    const LiteClGraph* whole = lite_cl_decisions_graph(&shared->decisions, context);
    const LiteClFinder finder = lite_cl_customs_finder(&options->customs);
    LITE_TRY(lite_cl_graph_read(&partition->graph, context, params->nodes_to_replace, &finder, reporter));
    if (!lite_async_understood(context))
        LITE_TRY(lite_cl_host_nodes_read(&partition->host_nodes, context, params, reporter));
    partition->graph.widened = &partition->device->widened;
    partition->graph.number = whole != NULL ? whole->number : 0;
    partition->graph.overlaps = whole != NULL && whole->overlaps;
    if (LITE_CL_HAS_COSTS) lite_cl_drift_begin(&partition->drift, whole, &partition->graph);
    give_types(partition, whole, params->input_tensors);
    LITE_TRY(lite_cl_fold_sparse(&partition->graph, reporter));
    LITE_TRY(lite_cl_fold_inputs(&partition->graph, whole, params->input_tensors, reporter));
    find_kept(partition);
    choose_precisions(partition, options);
    LITE_TRY(find_boundary(partition, params->input_tensors, &partition->boundary.inputs,
                           &partition->boundary.input_count, reporter));
    LITE_TRY(find_boundary(partition, params->output_tensors, &partition->boundary.outputs,
                           &partition->boundary.output_count, reporter));
    LITE_TRY(ask_for_parameters(partition, reporter));
    partition->plan.watchdog_ms = options->watchdog_ms;
    if (options->profiling) {
        partition->profile = lite_cl_profile_create(&shared->profiler, &partition->graph);
        if (partition->profile == NULL) return lite_report(reporter, "OpenCL: out of memory");
    }
    partition->plan.profile = partition->profile;
    partition->plan.memory = &shared->memory;
    partition->plan.hints = options->hints;
    // A measurement without an end could not be given up.
    partition->plan.tuning = options->tuning != 0 && options->watchdog_ms == 0;
    partition->plan.gemm_by = shared->options.gemm;
    // A driver that a child has to try is not trusted with what no child tries.
    partition->plan.alone = shared->selftest.mode == kLiteClSelftestOff;
    partition->plan.no_series = shared->options.series == 0 || shared->selftest.verdicts != NULL;
    if (LITE_CL_HAS_WINOGRAD) partition->plan.winograd = shared->options.winograd;
    return lite_cl_plan_init(&partition->plan, partition->device, options->external.queue, reporter);
}

void lite_cl_partition_destroy(LiteClPartition* partition) {
    if (partition == NULL) return;
    if (partition->plan.bindings != NULL)
        lite_cl_bindings_leave(partition->plan.bindings, &partition->boundary);
    lite_cl_plan_free(&partition->plan);
    lite_cl_account_keep(partition->shared, partition->profile);
    if (LITE_CL_HAS_COSTS && partition->shared->trial != NULL && partition->profile != NULL)
        lite_cl_measured_add(partition->shared->trial->measured, partition->profile);
    lite_cl_host_nodes_free(&partition->host_nodes);
    lite_cl_profile_free(partition->profile);
    if (partition->has_run) lite_cl_account_update(partition->shared);
    if (LITE_CL_HAS_COSTS) lite_cl_drift_end(&partition->drift, partition->device, &partition->graph);
    lite_cl_graph_free(&partition->graph);
    lite_cl_device_release(partition->device);
    lite_free(partition);
}

LiteClPartition* lite_cl_partition_create(TfLiteContext* context, const TfLiteDelegateParams* params) {
    const LiteReporter reporter = lite_cl_context_reporter(context);
    LiteClPartition* partition = lite_calloc(1, sizeof *partition);
    if (partition == NULL) return NULL;
    partition->shared = lite_cl_shared_of(params->delegate);
    partition->device = lite_cl_device_retain(partition->shared->device);
    partition->boundary.context = context;
    LiteClWitness witness;
    lite_cl_witness_init(&witness, &reporter);
    if (read_partition(partition, context, params, &witness.reporter) != kTfLiteOk) {
        lite_cl_health_fail(&partition->shared->health, kOcliteOpenclPartlyFailed, witness.first);
        lite_cl_partition_destroy(partition);
        return NULL;
    }
    partition->plan.bindings = &partition->shared->bindings;
    lite_cl_bindings_enter(partition->plan.bindings, &partition->boundary);
    return partition;
}

bool lite_cl_partition_is_quarantined(const LiteClPartition* partition) {
    return lite_cl_health_status(&partition->shared->health) == kOcliteOpenclQuarantined;
}
