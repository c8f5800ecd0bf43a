// SPDX-License-Identifier: Apache-2.0
// Measures kernels by OpenCL's events. The times of each launch are told to whoever asks the delegate, the
// times of each node to the profiler of the host's program.
#ifndef DELEGATE_OPENCL_PLAN_PROFILE_H_
#define DELEGATE_OPENCL_PLAN_PROFILE_H_

#include "core/base/lock.h"
#include "core/base/telemetry.h"
#include "delegate-opencl/plan/plan.h"
#include "oclite/opencl.h"

// The profiles of all partitions of a delegate.
typedef struct LiteClProfiler {
    LiteLock mutex; // guards all that its profiles have
    struct LiteClProfile* first;
} LiteClProfiler;

void lite_cl_profiler_init(LiteClProfiler* profiler);
void lite_cl_profiler_destroy(LiteClProfiler* profiler);
void lite_cl_profiler_tell(LiteClProfiler* profiler,
                           void (*callback)(void* user_data, const OcliteOpenclKernel* kernel),
                           void* user_data);

struct LiteClProfile;
// The same of one profile.
void lite_cl_profile_tell(const struct LiteClProfile* profile,
                          void (*callback)(void* user_data, const OcliteOpenclKernel* kernel),
                          void* user_data);

enum { LITE_CL_MAX_JOINED = 8 };

typedef struct LiteClLaunchTimes {
    const LiteClNode* nodes[LITE_CL_MAX_JOINED];
    int node_count;
    const char* kernel;
    size_t global[3];
    size_t local[3];
    uint64_t runs;
    uint64_t last_ns;
    uint64_t total_ns;
} LiteClLaunchTimes;

// The profile of a partition: a row for each step of its plan.
typedef struct LiteClProfile {
    struct LiteClProfile* next;
    LiteClProfiler* profiler;
    const LiteClGraph* graph;
    LiteClLaunchTimes* rows;
    cl_event* events; // of a run that is going on, as many as rows
    int row_count;
} LiteClProfile;

// NULL: out of memory. `graph` is that of the partition.
LiteClProfile* lite_cl_profile_create(LiteClProfiler* profiler, const LiteClGraph* graph);
void lite_cl_profile_free(LiteClProfile* profile); // accepts NULL

// Begins anew after the plan has been built.
TfLiteStatus lite_cl_profile_begin(LiteClProfile* profile, const LiteClPlan* plan,
                                   const LiteReporter* reporter);

// Takes over the events of the first `count` steps of a run. Their times count when the run has succeeded.
void lite_cl_profile_end(LiteClProfile* profile, const LiteCl* cl, cl_uint count, bool succeeded);

// Tells the program's profiler about the last run: each node, the sum of its kernels. `telemetry` may be
// NULL.
void lite_cl_profile_report(LiteClProfile* profile, TfLiteTelemetryProfilerStruct* telemetry);

#endif
