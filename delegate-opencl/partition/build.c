// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/partition/build.h"

#include "delegate-opencl/graph/fold.h"
#include "delegate-opencl/graph/followers.h"
#include "delegate-opencl/ops/common/chain.h"
#include "delegate-opencl/ops/common/row_steps.h"
#include "delegate-opencl/partition/account.h"
#include "delegate-opencl/partition/precision.h"
#include "delegate-opencl/plan/finish.h"

static TfLiteStatus place_boundary(LiteClPartition* partition, LiteClStorageKind kind, LiteClTensor** tensors,
                                   int count) {
    LiteClPlan* plan = &partition->plan;
    for (int i = 0; i < count; i++) {
        const bool keeps = tensors[i]->kept && kind == kLiteClInput;
        tensors[i]->storage =
            lite_cl_plan_add_storage(plan, keeps ? kLiteClVariable : kind, lite_cl_tensor_bytes(tensors[i]));
        if (tensors[i]->storage < 0) return kTfLiteError;
        plan->storages[tensors[i]->storage].tensor = tensors[i]->index;
    }
    return kTfLiteOk;
}

// A plan that is being built.
typedef struct Build {
    LiteClPartition* partition;
    bool has_float16; // some node is to store it
} Build;

// The nodes that may be lowered together with node n. Their other inputs are float32 then.
static TfLiteStatus find_followers(const Build* build, int n, LiteClFollowers* followers) {
    lite_cl_followers_find(&build->partition->graph, n, followers);
    if (!build->has_float16) return kTfLiteOk;
    const bool is_float = followers->count > 0 && followers->closed[0] && !followers->nodes[0]->wants_float16;
    followers->count = is_float ? 1 : 0;
    if (is_float) return lite_cl_precision_bring(&build->partition->plan, followers->nodes[0]);
    return kTfLiteOk;
}

// Lowers node *n with its followers, of which the last becomes *n, if they may and ought to be.
static TfLiteStatus join(const Build* build, int* n) {
    const LiteClNode* node = &build->partition->graph.nodes[*n];
    LiteClFollowers followers;
    int joined = 0;
    if (node->op->join == NULL) return kTfLiteOk;
    LITE_TRY(find_followers(build, *n, &followers));
    if (followers.count == 0) return kTfLiteOk;
    LITE_TRY(node->op->join(&build->partition->plan, node, &followers, &joined));
    if (joined > 0) *n = followers.places[joined - 1];
    return kTfLiteOk;
}

// Lowers node *n, and perhaps further nodes with it; then *n is the last of them.
static TfLiteStatus lower_next(const Build* build, int* n) {
    LiteClPlan* plan = &build->partition->plan;
    LiteClNode* node = &build->partition->graph.nodes[*n];
    bool joined = false;
    if (build->has_float16 && node->wants_float16) return lite_cl_precision_lower(plan, node);
    if (build->has_float16) {
        LITE_TRY(lite_cl_precision_bring(plan, node));
    } else {
        LITE_TRY(lite_cl_chain_lower(plan, &build->partition->graph, n, &joined));
        if (LITE_CL_HAS_ROW_STEPS && !joined)
            LITE_TRY(lite_cl_row_steps_lower(plan, &build->partition->graph, n, &joined));
        if (joined) return kTfLiteOk;
    }
    const int first = *n;
    LITE_TRY(join(build, n));
    return *n != first ? kTfLiteOk : node->op->lower(plan, node);
}

static TfLiteStatus lower(const Build* build, int* n) {
    const int first = build->partition->plan.step_count;
    const LiteClNode* node = &build->partition->graph.nodes[*n];
    LITE_TRY(lower_next(build, n));
    lite_cl_plan_attribute(&build->partition->plan, first, node, &build->partition->graph.nodes[*n]);
    return kTfLiteOk;
}

static bool wants_float16(const LiteClPartition* partition) {
    for (int n = 0; n < partition->graph.node_count; n++) {
        if (partition->graph.nodes[n].wants_float16) return true;
    }
    return false;
}

static void tell(const LiteClPartition* partition, int done) {
    const LiteClListener* listener = &partition->shared->listener;
    const LiteClDevice* device = partition->device;
    if (listener->tell == NULL) return;
    const OcliteOpenclProgress progress = {partition->graph.node_count, done, device->programs_compiled,
                                           device->programs_loaded};
    listener->tell(listener->user_data, &progress);
}

static TfLiteStatus build_plan(LiteClPartition* partition, bool exact, const LiteReporter* reporter) {
    LiteClPlan* plan = &partition->plan;
    const Build build = {partition, !exact && wants_float16(partition)};
    lite_cl_plan_begin(plan, reporter);
    for (int t = 0; t < partition->graph.tensor_count; t++) partition->graph.tensors[t].storage = -1;
    LITE_TRY(
        place_boundary(partition, kLiteClInput, partition->boundary.inputs, partition->boundary.input_count));
    LITE_TRY(place_boundary(partition, kLiteClOutput, partition->boundary.outputs,
                            partition->boundary.output_count));
    LITE_TRY(lite_cl_precision_begin(&partition->graph, build.has_float16, reporter));
    for (int n = 0; n < partition->graph.node_count; n++) {
        if (!lite_cl_is_folded(&partition->graph.nodes[n])) LITE_TRY(lower(&build, &n));
        tell(partition, n + 1);
    }
    LITE_TRY(lite_cl_plan_finish(plan)); // which may compile, too
    tell(partition, partition->graph.node_count);
    lite_cl_account_keep(partition->shared, partition->profile);
    return partition->profile != NULL ? lite_cl_profile_begin(partition->profile, plan, reporter) : kTfLiteOk;
}

TfLiteStatus lite_cl_partition_build(LiteClPartition* partition, bool exact, const LiteReporter* reporter) {
    const bool was_ready = partition->ready;
    partition->ready = false;
    LITE_TRY(build_plan(partition, exact, reporter));
    lite_cl_decisions_note_precisions(&partition->shared->decisions, &partition->graph);
    partition->ready = was_ready;
    return kTfLiteOk;
}
