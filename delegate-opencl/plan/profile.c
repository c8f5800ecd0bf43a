// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/plan/profile.h"

#include <stdio.h>
#include <string.h>

#include "core/base/memory.h"

void lite_cl_profiler_init(LiteClProfiler* profiler) {
    *profiler = (LiteClProfiler){0};
    lite_lock_init(&profiler->mutex);
}

void lite_cl_profiler_destroy(LiteClProfiler* profiler) {
    lite_lock_destroy(&profiler->mutex);
}

// The operators that a kernel computes.
static void name_row(const LiteClLaunchTimes* row, char* name, size_t size) {
    int length = 0;
    name[0] = '\0';
    for (int n = 0; n < row->node_count && length < (int)size; n++) {
        length +=
            snprintf(name + length, size - (size_t)length, "%s%s", n > 0 ? "+" : "", row->nodes[n]->name);
    }
}

static void tell_row(const LiteClProfile* profile, const LiteClLaunchTimes* row,
                     void (*callback)(void* user_data, const OcliteOpenclKernel* kernel), void* user_data) {
    char op[256];
    int nodes[LITE_CL_MAX_JOINED];
    name_row(row, op, sizeof op);
    for (int n = 0; n < row->node_count; n++) nodes[n] = row->nodes[n]->index;
    OcliteOpenclKernel kernel = {.graph = profile->graph->number,
                                 .nodes = nodes,
                                 .node_count = row->node_count,
                                 .op = op,
                                 .kernel = row->kernel,
                                 .runs = row->runs,
                                 .last_ns = row->last_ns,
                                 .total_ns = row->total_ns};
    memcpy(kernel.global, row->global, sizeof kernel.global);
    memcpy(kernel.local, row->local, sizeof kernel.local);
    callback(user_data, &kernel);
}

void lite_cl_profiler_tell(LiteClProfiler* profiler,
                           void (*callback)(void* user_data, const OcliteOpenclKernel* kernel),
                           void* user_data) {
    lite_lock(&profiler->mutex);
    for (const LiteClProfile* p = profiler->first; p != NULL; p = p->next) {
        for (int r = 0; r < p->row_count; r++) tell_row(p, &p->rows[r], callback, user_data);
    }
    lite_unlock(&profiler->mutex);
}

void lite_cl_profile_tell(const LiteClProfile* profile,
                          void (*callback)(void* user_data, const OcliteOpenclKernel* kernel),
                          void* user_data) {
    lite_lock(&profile->profiler->mutex);
    for (int r = 0; r < profile->row_count; r++) tell_row(profile, &profile->rows[r], callback, user_data);
    lite_unlock(&profile->profiler->mutex);
}

LiteClProfile* lite_cl_profile_create(LiteClProfiler* profiler, const LiteClGraph* graph) {
    LiteClProfile* profile = lite_calloc(1, sizeof *profile);
    if (profile == NULL) return NULL;
    *profile = (LiteClProfile){.profiler = profiler, .graph = graph};
    lite_lock(&profiler->mutex);
    LiteClProfile** end = &profiler->first;
    while (*end != NULL) end = &(*end)->next;
    *end = profile;
    lite_unlock(&profiler->mutex);
    return profile;
}

void lite_cl_profile_free(LiteClProfile* profile) {
    if (profile == NULL) return;
    lite_lock(&profile->profiler->mutex);
    LiteClProfile** link = &profile->profiler->first;
    while (*link != profile) link = &(*link)->next;
    *link = profile->next;
    lite_unlock(&profile->profiler->mutex);
    lite_free(profile->rows);
    lite_free(profile->events);
    lite_free(profile);
}

// A node that the host has computed is launched only where its result is an output.
static bool is_launched(const LiteClPlan* plan, const LiteClNode* node) {
    const LiteClTensor* output = node->outputs[0];
    return output->data == NULL ||
           (output->storage >= 0 && plan->storages[output->storage].kind == kLiteClOutput);
}

static void fill_row(const LiteClPlan* plan, const LiteClStep* step, LiteClLaunchTimes* row) {
    *row = (LiteClLaunchTimes){.kernel = step->name};
    for (const LiteClNode* n = step->node; n <= step->last && row->node_count < LITE_CL_MAX_JOINED; n++) {
        if (n == step->node || is_launched(plan, n)) row->nodes[row->node_count++] = n;
    }
    memcpy(row->global, step->global, sizeof row->global);
    memcpy(row->local, step->local, sizeof row->local);
}

TfLiteStatus lite_cl_profile_begin(LiteClProfile* profile, const LiteClPlan* plan,
                                   const LiteReporter* reporter) {
    const size_t count = (size_t)plan->step_count;
    LiteClLaunchTimes* rows = lite_calloc(count + 1, sizeof *rows);
    cl_event* events = lite_calloc(count + 1, sizeof(cl_event));
    for (size_t r = 0; rows != NULL && r < count; r++) fill_row(plan, &plan->steps[r], &rows[r]);
    lite_lock(&profile->profiler->mutex);
    lite_free(profile->rows);
    lite_free(profile->events);
    profile->rows = rows;
    profile->events = events;
    profile->row_count = rows != NULL && events != NULL ? plan->step_count : 0;
    lite_unlock(&profile->profiler->mutex);
    return rows != NULL && events != NULL ? kTfLiteOk : lite_report(reporter, "OpenCL: out of memory");
}

// A launch whose times are not known is not counted. Drivers without timers tell zeros, or the same time
// twice.
static void count_launch(const LiteCl* cl, cl_event event, LiteClLaunchTimes* row) {
    cl_ulong begin = 0, end = 0;
    if (cl->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL) !=
            CL_SUCCESS ||
        cl->clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL) != CL_SUCCESS ||
        end <= begin)
        return;
    row->last_ns = end - begin;
    row->total_ns += row->last_ns;
    row->runs++;
}

void lite_cl_profile_end(LiteClProfile* profile, const LiteCl* cl, cl_uint count, bool succeeded) {
    lite_lock(&profile->profiler->mutex);
    for (cl_uint e = 0; e < count; e++) {
        if (succeeded) count_launch(cl, profile->events[e], &profile->rows[e]);
        (void)cl->clReleaseEvent(profile->events[e]);
    }
    lite_unlock(&profile->profiler->mutex);
}

void lite_cl_profile_report(LiteClProfile* profile, TfLiteTelemetryProfilerStruct* telemetry) {
    if (telemetry == NULL || telemetry->ReportOpInvokeEvent == NULL) return;
    // The mutex is not held, because the program may call anything. Only this thread changes the rows.
    for (int r = 0; r < profile->row_count;) {
        const LiteClLaunchTimes* first = &profile->rows[r];
        uint64_t sum = 0;
        for (; r < profile->row_count && profile->rows[r].nodes[0] == first->nodes[0]; r++)
            sum += profile->rows[r].last_ns;
        char op[256];
        name_row(first, op, sizeof op);
        telemetry->ReportOpInvokeEvent(telemetry, op, (sum + 500) / 1000, first->nodes[0]->index,
                                       profile->graph->number);
    }
}
