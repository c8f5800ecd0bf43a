// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/partition/decide.h"

#include <strings.h>

#include "core/base/memory.h"
#include "delegate-opencl/graph/fold.h"
#include "delegate-opencl/graph/support.h"
#include "delegate-opencl/graph/types.h"
#include "delegate-opencl/ops/registry.h"
#include "delegate-opencl/partition/fits.h"
#include "delegate-opencl/selftest/program.h"
#include "tensorflow/lite/builtin_ops.h"

// Names an operator that may have been meant, where none has the node's name.
static bool check_name(const LiteClCustoms* customs, const LiteClNode* node, LiteClReason* reason) {
    if (node->op != NULL || node->code != kTfLiteBuiltinCustom) return true;
    const LiteClCustom* near = lite_cl_customs_near(customs, node->name);
    if (near == NULL) return true;
    const char* own = near->declaration.name;
    return lite_cl_refuse(reason, "%s; there is %.60s in %.40s: %s", node->refusal, own, near->file,
                          strcasecmp(own, node->name) == 0 ? "names are case-sensitive"
                                                           : "names have to be the same");
}

// Operators of users are theirs to try.
static bool is_of_library(const LiteClNode* node) {
    return node->op != NULL && lite_cl_op_listed(node->name) == node->op;
}

static bool decide(LiteClShared* shared, const LiteClGraph* graph, const LiteClNode* node,
                   LiteClReason* reason) {
    const LiteClSelected selected = {graph->number, node->index, node->name};
    if (lite_cl_health_status(&shared->health) == kOcliteOpenclQuarantined) {
        return lite_cl_refuse(reason, "the delegate is quarantined: %.150s",
                              lite_cl_health_cause(&shared->health));
    }
    if (!lite_cl_options_allow(&shared->options, &selected)) {
        return lite_cl_refuse(reason, "excluded by the options");
    }
    if (node->op != NULL && node->op->doubles && !shared->device->doubles)
        return lite_cl_refuse(reason, "the device does not compute in double precision");
    return lite_cl_device_suits(shared->device, reason) &&
           check_name(&shared->options.customs, node, reason) &&
           (!is_of_library(node) ||
            lite_cl_selftest_allows(&shared->selftest, node->name, reason->text, sizeof reason->text)) &&
           lite_cl_node_check(node, reason) && lite_cl_node_fits(shared->device, node, reason);
}

// Tries the operators of the nodes that would be taken, those on which there is no verdict. *bad: at least
// one of them is to be left.
static TfLiteStatus try_operators(LiteClShared* shared, const LiteClGraph* graph, const bool* taken,
                                  bool* bad, const LiteReporter* reporter) {
    *bad = false;
    if (!LITE_CL_HAS_SELFTEST || shared->selftest.verdicts == NULL) return kTfLiteOk;
    const char** names = lite_calloc((size_t)graph->node_count + 1, sizeof *names);
    if (names == NULL) return lite_report(reporter, "OpenCL: out of memory");
    int count = 0;
    for (int n = 0; n < graph->node_count; n++) {
        const LiteClNode* node = &graph->nodes[n];
        if (taken[n] && is_of_library(node) && !lite_cl_selftest_has(&shared->selftest, node->name))
            names[count++] = node->name;
    }
    // Where nothing can be tried the driver is trusted.
    (void)lite_cl_selftest_try(&shared->selftest, shared->device, names, count, false, NULL);
    LiteClReason reason;
    for (int i = 0; i < count; i++)
        *bad |= !lite_cl_selftest_allows(&shared->selftest, names[i], reason.text, sizeof reason.text);
    lite_free(names);
    return kTfLiteOk;
}

static bool may_be_sizes(const LiteClTensor* tensor) {
    return tensor != NULL && (tensor->type == kTfLiteInt32 || tensor->type == kTfLiteInt64) &&
           tensor->shape.rank <= 1 && lite_cl_fold_fits(tensor);
}

// Leaves nodes to the host whose results may be sizes. Hosts compute sizes from shapes before the first
// inference, and so know the shapes of what follows, as long as all nodes on the way are theirs.
static TfLiteStatus leave_sizes(LiteClGraph* graph, LiteClReason* reasons, bool* taken,
                                const LiteReporter* reporter) {
    // For each tensor: may a node of the host take sizes from it?
    bool* wanted = lite_arena_alloc(&graph->arena, (size_t)graph->tensor_count, sizeof *wanted);
    if (wanted == NULL) return lite_report(reporter, "OpenCL: out of memory");
    for (int n = graph->node_count - 1; n >= 0; n--) {
        const LiteClNode* node = &graph->nodes[n];
        for (int i = 0; i < node->output_count && taken[n]; i++) {
            if (!wanted[node->outputs[i] - graph->tensors]) continue;
            taken[n] = lite_cl_refuse(&reasons[n], "its result may be a size that the host computes early");
        }
        for (int i = 0; i < node->input_count && !taken[n]; i++) {
            if (may_be_sizes(node->inputs[i])) wanted[node->inputs[i] - graph->tensors] = true;
        }
    }
    return kTfLiteOk;
}

// Assumes that the host has all small tensors in its memory when a partition runs: inputs of the graph and
// results of its own nodes.
static void assume_readable(const LiteClGraph* graph) {
    for (int t = 0; t < graph->tensor_count; t++) {
        LiteClTensor* tensor = &graph->tensors[t];
        tensor->foresight.readable = lite_cl_fold_fits(tensor);
        if (tensor->data == tensor->contents) tensor->data = NULL;
    }
}

// Leaves the nodes to the host that compute parameters of this node, which could not read them otherwise.
static bool leave_producers(const LiteClGraph* graph, int consumer, bool* left) {
    const LiteClNode* node = &graph->nodes[consumer];
    bool found = false;
    for (int i = 0; i < node->input_count && node->op != NULL; i++) {
        const LiteClTensor* input = node->inputs[i];
        if (!lite_cl_is_parameter(node, i) || input->data != NULL || input->foresight.readable ||
            !lite_cl_fold_fits(input))
            continue;
        const int producer = input->producer;
        if (producer >= 0 && producer < consumer && !left[producer]) found = left[producer] = true;
    }
    return found;
}

// Decides about all nodes, from first to last. *done is false when nodes had to be left that were taken
// before.
static TfLiteStatus decide_once(LiteClShared* shared, LiteClGraph* graph, LiteClReason* reasons, bool* taken,
                                bool* left, bool* done, const LiteReporter* reporter) {
    *done = true;
    assume_readable(graph);
    for (int n = 0; n < graph->node_count; n++) {
        const LiteClNode* node = &graph->nodes[n];
        lite_cl_give_types(node);
        taken[n] = left[n] ? lite_cl_refuse(&reasons[n], "its result is a parameter that the host has to see")
                           : decide(shared, graph, node, &reasons[n]);
        if (!taken[n]) {
            if (leave_producers(graph, n, left)) *done = false;
            continue;
        }
        node->outputs[0]->foresight.folded = lite_cl_fold_widens(node);
        const bool readable = lite_cl_fold_readable(node);
        for (int i = 0; i < node->output_count; i++) node->outputs[i]->foresight.readable = readable;
        LITE_TRY(lite_cl_fold(graph, node, reporter));
    }
    // Whose results are parameters of nodes that have been left only now.
    for (int n = graph->node_count - 1; n >= 0 && !*done; n--) {
        if (left[n]) (void)leave_producers(graph, n, left);
    }
    return kTfLiteOk;
}

TfLiteStatus lite_cl_decide(LiteClShared* shared, LiteClGraph* graph, LiteClReason* reasons, bool* taken,
                            const LiteReporter* reporter) {
    bool* left = lite_arena_alloc(&graph->arena, (size_t)graph->node_count, sizeof *left);
    if (left == NULL) return lite_report(reporter, "OpenCL: out of memory");
    for (bool done = false; !done;) { // each time more nodes are left
        bool bad = false;
        LITE_TRY(decide_once(shared, graph, reasons, taken, left, &done, reporter));
        if (done) LITE_TRY(try_operators(shared, graph, taken, &bad, reporter));
        done = done && !bad;
    }
    return leave_sizes(graph, reasons, taken, reporter);
}
