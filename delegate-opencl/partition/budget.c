// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/partition/budget.h"

#include <math.h>
#include <string.h>

#include "delegate-opencl/partition/build.h"
#include "delegate-opencl/partition/halves.h"
#include "delegate-opencl/plan/run.h"

// The largest number of builds and runs of one search. Nodes that are not decided by then stay float32.
enum { MAX_TRIALS = 64 };

// A search for the nodes that may store float16.
typedef struct Search {
    LiteClPartition* partition;
    const TfLiteOpaqueContext* context;
    const LiteReporter* reporter;
    void** expected;    // the outputs in float32
    LiteClNode** nodes; // candidates
    int count;
    int trials;
    LiteClBudgetState found; // what the partition will be
} Search;

static const TfLiteOpaqueTensor* host_tensor(const TfLiteOpaqueContext* context, const LiteClTensor* tensor) {
    return TfLiteOpaqueContextGetOpaqueTensor(context, tensor->index);
}

// The error of two values that differ.
static double difference(float expected, float value) {
    return isfinite(expected) && isfinite(value) ? fabs((double)value - (double)expected) : INFINITY;
}

// The largest difference, relative to the largest expected value.
static double float_error(const float* expected, const float* values, size_t count) {
    double scale = 0.0, worst = 0.0;
    for (size_t i = 0; i < count; i++) {
        if (isfinite(expected[i])) scale = fmax(scale, fabs((double)expected[i]));
        const bool same = expected[i] == values[i] || (isnan(expected[i]) && isnan(values[i]));
        if (!same) worst = fmax(worst, difference(expected[i], values[i]));
    }
    if (worst == 0.0) return 0.0;
    return scale > 0.0 ? worst / scale : INFINITY;
}

static double output_error(const Search* search, int index) {
    const TfLiteOpaqueTensor* host = host_tensor(search->context, search->partition->boundary.outputs[index]);
    const size_t bytes = TfLiteOpaqueTensorByteSize(host);
    const void* values = TfLiteOpaqueTensorData(host);
    if (bytes == 0) return 0.0;
    if (search->partition->boundary.outputs[index]->type == kTfLiteFloat32)
        return float_error(search->expected[index], values, bytes / sizeof(float));
    return memcmp(search->expected[index], values, bytes) == 0 ? 0.0 : INFINITY;
}

static TfLiteStatus keep_expected(const Search* search) {
    for (int i = 0; i < search->partition->boundary.output_count; i++) {
        const TfLiteOpaqueTensor* host = host_tensor(search->context, search->partition->boundary.outputs[i]);
        const size_t bytes = TfLiteOpaqueTensorByteSize(host);
        search->expected[i] = lite_calloc(bytes + 1, 1);
        if (search->expected[i] == NULL) return lite_report(search->reporter, "OpenCL: out of memory");
        if (bytes > 0) memcpy(search->expected[i], TfLiteOpaqueTensorData(host), bytes);
    }
    return kTfLiteOk;
}

static TfLiteStatus compute(const Search* search, bool exact) {
    LITE_TRY(lite_cl_partition_build(search->partition, exact, search->reporter));
    return lite_cl_plan_run(&search->partition->plan, search->context, search->reporter);
}

static void set_range(const Search* search, int first, int count, bool wants) {
    for (int i = first; i < first + count; i++) search->nodes[i]->wants_float16 = wants;
}

// Lets these nodes store float16, besides those that already do. Takes it back when that breaks the budget.
static TfLiteStatus try_range(Search* search, int first, int count, bool* kept) {
    set_range(search, first, count, true);
    search->trials++;
    LITE_TRY(compute(search, false));
    *kept = true;
    for (int i = 0; i < search->partition->boundary.output_count && *kept; i++)
        *kept = output_error(search, i) <= search->partition->budget.error;
    if (!*kept) set_range(search, first, count, false);
    return kTfLiteOk;
}

// Lets as many nodes of a range store float16 as the budget has room for. `breaks`: all of them together have
// been tried. *all: all of them do now.
static TfLiteStatus search_range(Search* search, int first, int count, bool breaks, bool* all) {
    *all = false;
    if (count == 0 || search->trials == MAX_TRIALS) return kTfLiteOk;
    if (!breaks) LITE_TRY(try_range(search, first, count, all));
    if (*all || count == 1) return kTfLiteOk;
    const int half = count / 2;
    bool second;
    LITE_TRY(search_range(search, first, half, false, all));
    // With the first half in float16, the second half is what has been tried.
    LITE_TRY(search_range(search, first + half, count - half, *all, &second));
    *all = false;
    return kTfLiteOk;
}

// Finds the candidates: the nodes that store float16 when they are asked to. Nodes whose operators cannot are
// not worth trying.
static TfLiteStatus find_nodes(Search* search, bool again) {
    const LiteClGraph* graph = &search->partition->graph;
    for (int n = 0; n < graph->node_count; n++) {
        LiteClNode* node = &graph->nodes[n];
        if (node->precision == kLiteClAuto && (!again || node->wants_float16))
            search->nodes[search->count++] = node;
    }
    set_range(search, 0, search->count, true);
    LITE_TRY(lite_cl_partition_build(search->partition, false, search->reporter));
    int count = 0;
    for (int i = 0; i < search->count; i++) {
        search->nodes[i]->wants_float16 = false;
        if (search->nodes[i]->has_float16) search->nodes[count++] = search->nodes[i];
    }
    search->count = count;
    return kTfLiteOk;
}

static bool has_numbers_only(const LiteClPartition* partition, const TfLiteOpaqueContext* context) {
    for (int i = 0; i < partition->boundary.output_count; i++) {
        if (partition->boundary.outputs[i]->type != kTfLiteFloat32) continue;
        const TfLiteOpaqueTensor* host = host_tensor(context, partition->boundary.outputs[i]);
        const float* values = TfLiteOpaqueTensorData(host);
        const size_t count = TfLiteOpaqueTensorByteSize(host) / sizeof *values;
        for (size_t v = 0; v < count; v++) {
            if (!isfinite(values[v])) return false;
        }
    }
    return true;
}

// Computes everything in float32, also where the options ask for float16: errors are measured against it.
static TfLiteStatus compute_expected(Search* search) {
    LITE_TRY(compute(search, true));
    search->found = has_numbers_only(search->partition, search->context) ? kLiteClGuarded : kLiteClMeasured;
    return keep_expected(search);
}

// Half is left where it does not make an inference faster.
static TfLiteStatus keep_if_faster(Search* search) {
    int count = 0;
    for (int i = 0; i < search->count; i++) {
        if (search->nodes[i]->wants_float16) search->nodes[count++] = search->nodes[i];
    }
    if (count == 0) return kTfLiteOk;
    LiteClHalvesTimes times;
    LITE_TRY(lite_cl_halves_compare(search->partition, search->context, search->nodes, count, &times,
                                    search->reporter));
    if (!lite_cl_halves_pay(&times)) set_range(search, 0, count, false);
    return kTfLiteOk;
}

static TfLiteStatus search_all(Search* search, bool again) {
    LITE_TRY(find_nodes(search, again));
    LITE_TRY(compute_expected(search));
    bool all;
    LITE_TRY(search_range(search, 0, search->count, false, &all));
    LITE_TRY(keep_if_faster(search));
    search->partition->budget.state = search->found;
    LITE_TRY(lite_cl_partition_build(search->partition, false, search->reporter));
    lite_cl_plan_drop_unused(&search->partition->plan);
    return kTfLiteOk;
}

static TfLiteStatus measure(LiteClPartition* partition, const TfLiteOpaqueContext* context, bool again,
                            const LiteReporter* reporter) {
    Search search = {.partition = partition, .context = context, .reporter = reporter};
    search.expected = lite_calloc((size_t)partition->boundary.output_count + 1, sizeof *search.expected);
    search.nodes = lite_calloc((size_t)partition->graph.node_count + 1, sizeof *search.nodes);
    const TfLiteStatus status = search.expected != NULL && search.nodes != NULL
                                    ? search_all(&search, again)
                                    : lite_report(reporter, "OpenCL: out of memory");
    for (int i = 0; search.expected != NULL && i < partition->boundary.output_count; i++)
        lite_free(search.expected[i]);
    lite_free(search.expected);
    lite_free(search.nodes);
    if (status == kTfLiteCancelled)
        partition->budget.state = kLiteClUnmeasured; // the next inference searches
    return status;
}

// Does an input have different values, or does no input have more than one value?
static bool is_telling(const LiteClPartition* partition, const TfLiteOpaqueContext* context) {
    int uniform = 0;
    for (int i = 0; i < partition->boundary.input_count; i++) {
        const TfLiteOpaqueTensor* host = host_tensor(context, partition->boundary.inputs[i]);
        const size_t bytes = TfLiteOpaqueTensorByteSize(host),
                     size = lite_type_size(partition->boundary.inputs[i]->type);
        const char* data = TfLiteOpaqueTensorData(host);
        if (data == NULL || size == 0 || bytes <= size) continue;
        if (memcmp(data, data + size, bytes - size) != 0) return true;
        uniform++;
    }
    return uniform == 0;
}

static bool can_widen(const LiteClPartition* partition) {
    for (int n = 0; n < partition->graph.node_count; n++) {
        if (partition->graph.nodes[n].precision == kLiteClAuto && partition->graph.nodes[n].wants_float16)
            return true;
    }
    return false;
}

TfLiteStatus lite_cl_budget_before(LiteClPartition* partition, const TfLiteOpaqueContext* context,
                                   const LiteReporter* reporter) {
    if (partition->budget.state != kLiteClUnmeasured || !lite_cl_is_repeatable(partition, context) ||
        !is_telling(partition, context))
        return kTfLiteOk;
    return measure(partition, context, false, reporter);
}

TfLiteStatus lite_cl_budget_after(LiteClPartition* partition, const TfLiteOpaqueContext* context, bool* again,
                                  const LiteReporter* reporter) {
    *again = partition->budget.state == kLiteClGuarded && lite_cl_is_repeatable(partition, context) &&
             can_widen(partition) && !has_numbers_only(partition, context);
    return *again ? measure(partition, context, true, reporter) : kTfLiteOk;
}
