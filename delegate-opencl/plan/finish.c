// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/plan/finish.h"

#include "core/base/memory.h"
#include "delegate-opencl/device/memory.h"
#include "delegate-opencl/plan/series_build.h"

// The memory of intermediate tensors.
static TfLiteStatus create_arenas(LiteClPlan* plan) {
    LiteClPart* parts = lite_calloc((size_t)plan->storage_count + 1, sizeof *parts);
    if (parts == NULL) return lite_report(plan->reporter, "OpenCL: out of memory");
    int count = 0;
    for (int i = 0; i < plan->storage_count; i++) {
        const LiteClStorage* storage = &plan->storages[i];
        if (storage->kind != kLiteClArena || storage->first < 0) continue;
        const size_t bytes = storage->bytes > 0 ? storage->bytes : sizeof(float);
        parts[count++] =
            (LiteClPart){.storage = i, .bytes = bytes, .first = storage->first, .last = storage->last};
    }
    const TfLiteStatus status =
        lite_cl_arenas_create(&plan->arenas, plan->device, parts, count, plan->reporter);
    // Also after a failure: the plan releases those that there are.
    for (int i = 0; i < count; i++) {
        plan->storages[parts[i].storage].memory = parts[i].memory;
        plan->storages[parts[i].storage].address = parts[i].address;
    }
    lite_free(parts);
    return status;
}

// Gives inputs and outputs device memory, unless kernels can work on the host's memory, which each run binds.
// Empty tensors always get some, because kernels want all arguments. Variables do too: the host's memory
// keeps the old contents until a run has succeeded.
static TfLiteStatus create_boundary(LiteClPlan* plan) {
    for (int i = 0; i < plan->storage_count; i++) {
        LiteClStorage* storage = &plan->storages[i];
        const bool boundary = storage->kind == kLiteClInput || storage->kind == kLiteClOutput;
        const bool variable = storage->kind == kLiteClVariable;
        if (!boundary && !variable && storage->kind != kLiteClStatus) continue;
        if (boundary && plan->device->import_alignment > 0 && storage->bytes > 0) continue;
        if (variable) {
            storage->result = lite_calloc(storage->bytes + 1, 1);
            if (storage->result == NULL) return lite_report(plan->reporter, "OpenCL: out of memory");
        }
        cl_int error;
        storage->memory = plan->device->cl->clCreateBuffer(
            plan->device->context, boundary ? lite_cl_device_exchange_flags(plan->device) : CL_MEM_READ_WRITE,
            storage->bytes > 0 ? storage->bytes : sizeof(float), NULL, &error);
        LITE_TRY(lite_cl_check(plan->reporter, "clCreateBuffer of an input or output", error));
    }
    return kTfLiteOk;
}

static TfLiteStatus set_buffer(const LiteClPlan* plan, const LiteClStep* step, int index, cl_mem memory,
                               const LiteReporter* reporter) {
    if (step->kernel == NULL && step->product == NULL) return kTfLiteOk;
    return lite_cl_step_set_buffer(plan->device->cl, step, index, memory, reporter);
}

// The arena's parts become buffers when a kernel wants them as such.
static TfLiteStatus cut(const LiteClPlan* plan, LiteClStorage* storage, const LiteReporter* reporter) {
    if (!LITE_CL_HAS_SERIES || storage->kind != kLiteClArena || storage->memory != NULL ||
        storage->address == NULL)
        return kTfLiteOk;
    const size_t bytes = storage->bytes > 0 ? storage->bytes : sizeof(float);
    LITE_TRY(
        lite_cl_arenas_cut(&plan->arenas, plan->device, storage->address, bytes, &storage->memory, reporter));
    storage->current = storage->memory;
    return kTfLiteOk;
}

// Of a step that has a kernel, or is a product.
static TfLiteStatus bind_step(LiteClPlan* plan, const LiteClStep* step, const LiteReporter* reporter) {
    for (int b = 0; b < step->buffer_count; b++) {
        LiteClStorage* storage = &plan->storages[step->buffers[b]];
        LITE_TRY(cut(plan, storage, reporter));
        if (storage->current != NULL) LITE_TRY(set_buffer(plan, step, b, storage->current, reporter));
    }
    return kTfLiteOk;
}

static TfLiteStatus fill_kernel(LiteClPlan* plan, const LiteClStep* step, const LiteReporter* reporter) {
    const LiteCl* cl = plan->device->cl;
    if (step->local_bytes > 0)
        LITE_TRY(lite_cl_step_set_value(cl, step, step->buffer_count + 1, (size_t)step->local_bytes, NULL,
                                        reporter));
    LITE_TRY(lite_cl_step_set_value(cl, step, 0, (size_t)step->argument_words * sizeof(int), step->arguments,
                                    reporter));
    return bind_step(plan, step, reporter);
}

static TfLiteStatus make_kernel(LiteClPlan* plan, LiteClStep* step, const LiteReporter* reporter) {
    if (step->kernel != NULL || step->product != NULL) return kTfLiteOk;
    LITE_TRY(lite_cl_program_kernel(plan->device, step->program, step->name, reporter, &step->kernel));
    const TfLiteStatus status = fill_kernel(plan, step, reporter);
    if (status == kTfLiteOk) return kTfLiteOk;
    (void)plan->device->cl->clReleaseKernel(step->kernel);
    step->kernel = NULL;
    return status;
}

TfLiteStatus lite_cl_plan_make_kernels(LiteClPlan* plan, const LiteReporter* reporter) {
    for (int s = 0; LITE_CL_HAS_SERIES && s < plan->step_count; s++)
        LITE_TRY(make_kernel(plan, &plan->steps[s], reporter));
    return kTfLiteOk;
}

// Steps of series go without, unless the run may be cancelled (run.c).
static TfLiteStatus make_kernels(LiteClPlan* plan) {
    for (int s = 0; s < plan->step_count; s++) {
        const LiteClSeries* series = lite_cl_series_at(&plan->series, s);
        if (series != NULL)
            s += series->count - 1;
        else
            LITE_TRY(make_kernel(plan, &plan->steps[s], plan->reporter));
    }
    return kTfLiteOk;
}

TfLiteStatus lite_cl_plan_bind(LiteClPlan* plan, int index, cl_mem memory, const LiteReporter* reporter) {
    LiteClStorage* storage = &plan->storages[index];
    storage->lent = memory != storage->memory;
    storage->current = memory;
    if (LITE_CL_HAS_SERIES)
        LITE_TRY(lite_cl_series_bind(&plan->series, plan->device, index, memory, reporter));
    for (int s = storage->first; s >= 0 && s <= storage->last; s++) {
        const LiteClStep* step = &plan->steps[s];
        for (int b = 0; b < step->buffer_count; b++) {
            if (step->buffers[b] == index) LITE_TRY(set_buffer(plan, step, b, memory, reporter));
        }
    }
    return kTfLiteOk;
}

TfLiteStatus lite_cl_plan_finish(LiteClPlan* plan) {
    lite_cl_plan_drop_old(plan);
    if (LITE_CL_HAS_SERIES) lite_cl_plan_trim(plan);
    LITE_TRY(create_arenas(plan));
    LITE_TRY(create_boundary(plan));
    for (int i = 0; i < plan->storage_count; i++) plan->storages[i].current = plan->storages[i].memory;
    for (int i = 0; i < plan->step_count; i++) {
        const LiteClStep* step = &plan->steps[i];
        if (step->kernel != NULL || step->product != NULL) LITE_TRY(bind_step(plan, step, plan->reporter));
    }
    if (LITE_CL_HAS_SERIES) {
        lite_cl_series_build(plan);
        LITE_TRY(make_kernels(plan));
    }
    lite_cl_plan_count(plan);
    plan->reporter = NULL;
    return kTfLiteOk;
}
