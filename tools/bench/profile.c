// SPDX-License-Identifier: Apache-2.0
#include "tools/bench/profile.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/kernel_copy.h"

static void count_call(void* user_data, int subgraph, int node, uint64_t begin_ns, uint64_t end_ns) {
    BenchProfile* profile = user_data;
    if (!profile->is_counting || subgraph < 0 || subgraph >= profile->subgraph_count || node < 0) return;
    const int place = profile->first_rows[subgraph] + node;
    if (place >= profile->first_rows[subgraph + 1]) return;
    if (profile->index[place] < 0) {
        profile->index[place] = profile->row_count;
        profile->rows[profile->row_count++] = (BenchNodeTimes){.subgraph = subgraph, .node = node};
    }
    const double microseconds = (double)(end_ns - begin_ns) * 1e-3;
    tool_moments_add(&profile->rows[profile->index[place]].microseconds, microseconds);
    profile->run_microseconds[subgraph] += microseconds;
}

ToolStatus bench_profile_start(BenchProfile* profile, TfLiteInterpreter* interpreter, ToolMessage* message) {
    const int subgraphs = oclite_interpreter_subgraph_count(interpreter);
    *profile = (BenchProfile){
        .interpreter = interpreter,
        .subgraph_count = subgraphs,
        .first_rows = calloc((size_t)subgraphs + 1, sizeof(int)),
        .run_microseconds = calloc((size_t)subgraphs + 1, sizeof(double)),
        .totals = calloc((size_t)subgraphs + 1, sizeof(ToolMoments)),
    };
    if (profile->first_rows == NULL || profile->run_microseconds == NULL || profile->totals == NULL) {
        return tool_out_of_memory(message);
    }
    for (int s = 0; s < subgraphs; s++) {
        profile->first_rows[s + 1] = profile->first_rows[s] + oclite_interpreter_node_count(interpreter, s);
    }
    const size_t nodes = (size_t)profile->first_rows[subgraphs];
    profile->index = malloc((nodes + 1) * sizeof(int));
    profile->rows = calloc(nodes + 1, sizeof(BenchNodeTimes));
    if (profile->index == NULL || profile->rows == NULL) return tool_out_of_memory(message);
    for (size_t i = 0; i < nodes; i++) profile->index[i] = -1;
    oclite_interpreter_set_profile(interpreter, count_call, profile);
    return kToolOk;
}

void bench_profile_stop(BenchProfile* profile) {
    if (profile->interpreter != NULL) oclite_interpreter_set_profile(profile->interpreter, NULL, NULL);
    profile->interpreter = NULL;
}

static void drop_kernels(BenchProfile* profile, int first) {
    for (int i = first; i < profile->kernel_count; i++) tool_kernel_copy_free(&profile->kernels[i].launch);
    profile->kernel_count = first;
}

void bench_profile_free(BenchProfile* profile) {
    bench_profile_stop(profile);
    drop_kernels(profile, 0);
    free(profile->kernels);
    free(profile->first_rows);
    free(profile->index);
    free(profile->rows);
    free(profile->run_microseconds);
    free(profile->totals);
    *profile = (BenchProfile){0};
}

void bench_profile_begin_run(BenchProfile* profile) {
    for (int s = 0; s < profile->subgraph_count; s++) profile->run_microseconds[s] = 0;
    profile->is_counting = true;
}

typedef struct Walk {
    BenchProfile* profile;
    int next; // row of the next kernel
    bool failed;
} Walk;

static bool add_row(BenchProfile* profile, const OcliteOpenclKernel* kernel) {
    const size_t count = (size_t)profile->kernel_count;
    BenchKernelTimes* rows = realloc(profile->kernels, (count + 1) * sizeof(*rows));
    if (rows == NULL) return false;
    profile->kernels = rows;
    BenchKernelTimes* row = &rows[profile->kernel_count++];
    *row = (BenchKernelTimes){0};
    return tool_kernel_copy_make(kernel, &row->launch);
}

// The delegate reports its launches in the same order every time, unless its plan was built anew: then the
// rows begin anew, too.
static void add_kernel(void* user_data, const OcliteOpenclKernel* kernel) {
    Walk* walk = user_data;
    BenchProfile* profile = walk->profile;
    if (kernel->runs == 0 || walk->failed) return;
    const int row = walk->next++;
    const OcliteOpenclKernel* before = row < profile->kernel_count ? &profile->kernels[row].launch : NULL;
    if (before != NULL &&
        !(tool_kernel_copy_same_nodes(before, kernel) && strcmp(before->kernel, kernel->kernel) == 0)) {
        drop_kernels(profile, row);
    }
    if (row == profile->kernel_count && !add_row(profile, kernel)) {
        walk->failed = true;
        return;
    }
    tool_moments_add(&profile->kernels[row].microseconds, (double)kernel->last_ns * 1e-3);
}

ToolStatus bench_profile_end_run(BenchProfile* profile, const TfLiteDelegate* delegate,
                                 ToolMessage* message) {
    profile->is_counting = false;
    for (int s = 0; s < profile->subgraph_count; s++) {
        if (profile->run_microseconds[s] > 0) {
            tool_moments_add(&profile->totals[s], profile->run_microseconds[s]);
        }
    }
    if (delegate == NULL) return kToolOk;
    Walk walk = {.profile = profile};
    oclite_opencl_delegate_profile(delegate, add_kernel, &walk);
    return walk.failed ? tool_out_of_memory(message) : kToolOk;
}

bool bench_profile_node(const BenchProfile* profile, const TfLiteInterpreter* interpreter, int row,
                        OcliteNode* node) {
    const BenchNodeTimes* times = &profile->rows[row];
    return oclite_interpreter_node(interpreter, times->subgraph, times->node, node) == kTfLiteOk;
}
