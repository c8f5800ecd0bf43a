// SPDX-License-Identifier: Apache-2.0
#include "tools/profile.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "oclite/oclite.h"
#include "oclite/opencl.h"
#include "tools/kernel.h"

static void count_call(void* user_data, int subgraph, int node, uint64_t begin_ns, uint64_t end_ns) {
    ToolProfile* profile = user_data;
    if (!profile->is_counting || subgraph < 0 || subgraph >= profile->subgraph_count || node < 0) return;
    const int place = profile->first_rows[subgraph] + node;
    if (place >= profile->first_rows[subgraph + 1]) return;
    if (profile->index[place] < 0) {
        profile->index[place] = profile->row_count;
        profile->rows[profile->row_count++] = (ToolNodeTimes){.subgraph = subgraph, .node = node};
    }
    const double microseconds = (double)(end_ns - begin_ns) * 1e-3;
    tool_moments_add(&profile->rows[profile->index[place]].microseconds, microseconds);
    profile->run_microseconds[subgraph] += microseconds;
}

ToolStatus tool_profile_start(ToolProfile* profile, TfLiteInterpreter* interpreter, ToolMessage* message) {
    const int subgraphs = oclite_interpreter_subgraph_count(interpreter);
    *profile = (ToolProfile){
        .interpreter = interpreter,
        .subgraph_count = subgraphs,
        .first_rows = calloc((size_t)subgraphs + 1, sizeof(int)),
        .run_microseconds = calloc((size_t)subgraphs + 1, sizeof(double)),
        .totals = calloc((size_t)subgraphs + 1, sizeof(ToolMoments)),
    };
    if (!profile->first_rows || !profile->run_microseconds || !profile->totals) {
        return tool_fail(message, kToolFile, "out of memory");
    }
    for (int s = 0; s < subgraphs; ++s) {
        profile->first_rows[s + 1] = profile->first_rows[s] + oclite_interpreter_node_count(interpreter, s);
    }
    const size_t nodes = (size_t)profile->first_rows[subgraphs];
    profile->index = malloc((nodes + 1) * sizeof(int));
    profile->rows = calloc(nodes + 1, sizeof(ToolNodeTimes));
    if (!profile->index || !profile->rows) return tool_fail(message, kToolFile, "out of memory");
    for (size_t i = 0; i < nodes; ++i) profile->index[i] = -1;
    oclite_interpreter_set_profile(interpreter, count_call, profile);
    return kToolOk;
}

void tool_profile_stop(ToolProfile* profile) {
    if (profile->interpreter) oclite_interpreter_set_profile(profile->interpreter, NULL, NULL);
    profile->interpreter = NULL;
}

static void drop_kernels(ToolProfile* profile, int first) {
    for (int i = first; i < profile->kernel_count; ++i) tool_kernel_free(&profile->kernels[i].launch);
    profile->kernel_count = first;
}

void tool_profile_free(ToolProfile* profile) {
    tool_profile_stop(profile);
    drop_kernels(profile, 0);
    free(profile->kernels);
    free(profile->first_rows);
    free(profile->index);
    free(profile->rows);
    free(profile->run_microseconds);
    free(profile->totals);
    *profile = (ToolProfile){0};
}

void tool_profile_begin_run(ToolProfile* profile) {
    for (int s = 0; s < profile->subgraph_count; ++s) profile->run_microseconds[s] = 0;
    profile->is_counting = true;
}

typedef struct Walk {
    ToolProfile* profile;
    int next; // row of the kernel that comes
    bool failed;
} Walk;

static bool add_row(ToolProfile* profile, const OcliteOpenclKernel* kernel) {
    const size_t count = (size_t)profile->kernel_count;
    ToolKernelTimes* rows = realloc(profile->kernels, (count + 1) * sizeof(*rows));
    if (!rows) return false;
    profile->kernels = rows;
    ToolKernelTimes* row = &rows[profile->kernel_count++];
    *row = (ToolKernelTimes){0};
    return tool_kernel_copy(kernel, &row->launch);
}

// The delegate tells of its launches in the same order every time, unless its plan was built anew: then rows
// begin anew, too.
static void add_kernel(void* user_data, const OcliteOpenclKernel* kernel) {
    Walk* walk = user_data;
    ToolProfile* profile = walk->profile;
    if (kernel->runs == 0 || walk->failed) return;
    const int row = walk->next++;
    const OcliteOpenclKernel* before = row < profile->kernel_count ? &profile->kernels[row].launch : NULL;
    if (before && !(tool_kernel_same_nodes(before, kernel) && strcmp(before->kernel, kernel->kernel) == 0)) {
        drop_kernels(profile, row);
    }
    if (row == profile->kernel_count && !add_row(profile, kernel)) {
        walk->failed = true;
        return;
    }
    tool_moments_add(&profile->kernels[row].microseconds, (double)kernel->last_ns * 1e-3);
}

ToolStatus tool_profile_end_run(ToolProfile* profile, const TfLiteDelegate* delegate, ToolMessage* message) {
    profile->is_counting = false;
    for (int s = 0; s < profile->subgraph_count; ++s) {
        if (profile->run_microseconds[s] > 0) {
            tool_moments_add(&profile->totals[s], profile->run_microseconds[s]);
        }
    }
    if (!delegate) return kToolOk;
    Walk walk = {.profile = profile};
    oclite_opencl_delegate_profile(delegate, add_kernel, &walk);
    return walk.failed ? tool_fail(message, kToolFile, "out of memory") : kToolOk;
}
