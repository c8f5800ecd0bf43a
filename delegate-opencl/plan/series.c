// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/plan/series.h"

#include <string.h>

#include "core/base/memory.h"
#include "delegate-opencl/device/program.h"
#include "delegate-opencl/device/shared.h"

void lite_cl_series_free(LiteClSeries* series, const LiteClDevice* device) {
    if (series->kernel != NULL) (void)device->cl->clReleaseKernel(series->kernel);
    lite_cl_shared_free(device, series->table);
    *series = (LiteClSeries){0};
}

void lite_cl_series_release(LiteClSeriesList* list, const LiteClDevice* device) {
    for (int i = 0; i < list->count; i++) lite_cl_series_free(&list->all[i], device);
    lite_free(list->all);
    *list = (LiteClSeriesList){0};
}

TfLiteStatus lite_cl_series_bind(const LiteClSeriesList* list, const LiteClDevice* device, int storage,
                                 cl_mem memory, const LiteReporter* reporter) {
    for (int s = 0; s < list->count; s++) {
        const LiteClSeries* series = &list->all[s];
        for (int i = 0; i < series->outside_count; i++) {
            if (series->outside[i] != storage) continue;
            const cl_int error = device->cl->clSetKernelArg(
                series->kernel, (cl_uint)(LITE_CL_SERIES_ARGUMENTS + i), sizeof(cl_mem), (void*)&memory);
            LITE_TRY(lite_cl_check(reporter, "clSetKernelArg of a series", error));
        }
    }
    return kTfLiteOk;
}

LiteClSeries* lite_cl_series_at(const LiteClSeriesList* list, int step) {
    for (int i = 0; i < list->count; i++) {
        if (list->all[i].first == step) return &list->all[i];
    }
    return NULL;
}

int lite_cl_series_ranges(const LiteClDevice* device) {
    return device->workers < LITE_CL_SERIES_RANGES ? device->workers : LITE_CL_SERIES_RANGES;
}

TfLiteStatus lite_cl_series_enqueue(LiteClSeries* series, LiteClDevice* device, cl_command_queue queue,
                                    const LiteReporter* reporter) {
    if (series->is_dirty) {
        memset((char*)series->table + series->counters, 0, series->bytes - series->counters);
        series->run = 0;
        series->is_dirty = false;
    }
    const LiteClSeriesArgs args = {series->count, lite_cl_series_ranges(device), (int)series->run};
    const size_t workers[1] = {(size_t)device->workers}, one[1] = {1};
    LITE_TRY(lite_cl_check(reporter, "clSetKernelArg of a series",
                           device->cl->clSetKernelArg(series->kernel, 0, sizeof args, &args)));
    const LiteClTurn turn = lite_cl_launch_begin(device, series->kernel, series->is_launched);
    const cl_int error =
        device->cl->clEnqueueNDRangeKernel(queue, series->kernel, 1, NULL, workers, one, 0, NULL, NULL);
    lite_cl_turn_end(&turn);
    LITE_TRY(lite_cl_check(reporter, "series", error));
    series->is_launched = true;
    series->run++;
    return kTfLiteOk;
}

// Where the last step has counted its items.
static const volatile cl_uint* last_counter(const LiteClSeries* series) {
    return (const volatile cl_uint*)(const void*)((const char*)series->table + series->bytes) -
           LITE_CL_SERIES_LINE;
}

bool lite_cl_series_end(const LiteClSeriesList* list, bool succeeded) {
    bool ended = true;
    for (int i = 0; i < list->count; i++) {
        LiteClSeries* series = &list->all[i];
        const LiteClSeriesStep* last = (const LiteClSeriesStep*)series->table + series->count - 1;
        const bool is_counted = *last_counter(series) == series->run * (cl_uint)last->items;
        ended &= is_counted;
        series->is_dirty |= !succeeded || !is_counted;
    }
    return ended;
}
