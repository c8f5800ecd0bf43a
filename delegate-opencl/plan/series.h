// SPDX-License-Identifier: Apache-2.0
// Steps of a plan that one launch computes (kernels-cl/series.cl). A launch has to wake the threads of a
// CPU's driver, which takes longer than most steps do. series_build.h makes series.
#ifndef DELEGATE_OPENCL_PLAN_SERIES_H_
#define DELEGATE_OPENCL_PLAN_SERIES_H_

#include "delegate-opencl/device/device.h"
#include "kernels-cl/args/series.h"

// Of its kernel, before the buffers outside: a struct, steps, ints, addresses, counters.
enum { LITE_CL_SERIES_ARGUMENTS = 5 };

typedef struct LiteClSeries {
    int first; // step
    int count; // of steps
    cl_kernel kernel;
    void* table; // of shared.h: steps, addresses, ints, counters
    size_t bytes;
    size_t words;                        // where the ints begin
    size_t counters;                     // where they begin
    cl_uint run;                         // how many runs the counters have counted
    bool is_launched;                    // once, without an error
    bool is_dirty;                       // the counters may be off
    int outside[LITE_CL_SERIES_OUTSIDE]; // storages that are arguments
    int outside_count;
} LiteClSeries;

typedef struct LiteClSeriesList {
    LiteClSeries* all;
    int count;
} LiteClSeriesList;

void lite_cl_series_free(LiteClSeries* series, const LiteClDevice* device);
void lite_cl_series_release(LiteClSeriesList* list, const LiteClDevice* device);

// Lets series work on `memory` in place of the storage.
TfLiteStatus lite_cl_series_bind(const LiteClSeriesList* list, const LiteClDevice* device, int storage,
                                 cl_mem memory, const LiteReporter* reporter);

// The series that begins with the step; NULL: none.
LiteClSeries* lite_cl_series_at(const LiteClSeriesList* list, int step);

// Into how many ranges the items of a step are divided.
int lite_cl_series_ranges(const LiteClDevice* device);

TfLiteStatus lite_cl_series_enqueue(LiteClSeries* series, LiteClDevice* device, cl_command_queue queue,
                                    const LiteReporter* reporter);

// To be called when the device has ended a run. True when all series were computed that have been enqueued;
// else, or when the run has not `succeeded`, what the counters have counted is not known, and they begin
// anew.
bool lite_cl_series_end(const LiteClSeriesList* list, bool succeeded);

#endif
