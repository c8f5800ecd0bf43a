// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/onednn/onednn.h"

#include <float.h>
#include <stdalign.h>
#include <string.h>

#include "core/base/cancel.h"
#include "core/base/cpu_path.h"
#include "core/base/parallel.h"
#include "kernels-cpu/onednn/onednn_plan.h"

// Scratch of at most so many bytes is on each thread's stack: in the arena it would add to the largest
// tensors.
#define STACK_SCRATCH (16 * 1024)

// Groups other than single channels, which oneDNN leaves to its general matrix product. Of INT8 that is wrong
// at times: oneDNN 2.6, 4 inputs and 8 outputs in 4 groups, filters of 4 by 2.
static bool has_general_groups(const LiteConvShape* s) {
    return s->groups > 1 && (s->groups != s->in_c || s->groups != s->out_c);
}

// By name only: our own kernels are as fast or faster for nearly all that was measured, with oneDNN 2.6. Its
// time over ours: FLOAT32 with AVX2 on a Zen 3, whole models, 1.02 to 1.09 on one thread and 0.93 to 1.09 on
// two; with two threads and AVX-512 on a Xeon 1.0 to 1.25 for single convolutions, 1.4 for few rows;
// transposed convolutions 1.0 to 2.5; INT8, also with AMX, more than 1, because oneDNN's sums go through
// memory before they are scaled.
static bool is_wanted(void) {
    return lite_cpu_path() == kLiteCpuOneDnn;
}

// oneDNN counts in 32 bits: given sizes that no memory holds it has divided by zero.
#define MAX_ELEMENTS (512.0 * 1024 * 1024)
#define MAX_STEP 4096

static bool has_usual_sizes(const LiteConvShape* s) {
    const double filter = (double)s->filter_h * s->filter_w * s->in_c * s->out_c;
    return (double)s->batches * s->in_h * s->in_w * s->in_c <= MAX_ELEMENTS &&
           (double)s->batches * s->out_h * s->out_w * s->out_c <= MAX_ELEMENTS && filter <= MAX_ELEMENTS &&
           s->stride_h <= MAX_STEP && s->stride_w <= MAX_STEP && s->dilation_h <= MAX_STEP &&
           s->dilation_w <= MAX_STEP && s->filter_h <= MAX_STEP && s->filter_w <= MAX_STEP;
}

static bool is_possible(const LiteOnednnProblem* problem) {
    const LiteConvShape* s = problem->shape;
    const TfLiteType type = problem->input->type;
    if (s->batches < 1 || s->in_h < 1 || s->in_w < 1 || s->in_c < 1 || s->out_h < 1 || s->out_w < 1 ||
        s->out_c < 1) {
        return false;
    }
    if (!has_usual_sizes(s)) return false;
    if (problem->weights->type != type || problem->output->type != type) return false;
    if (!problem->weights->constant || problem->weights->data == NULL) return false;
    if (lite_kernel_sparsity(problem->weights) != NULL) return false;
    return type == kTfLiteFloat32 ||
           (type == kTfLiteInt8 && !has_general_groups(s) && lite_onednn_quant_fits(problem));
}

// Without VNNI its products of bytes saturate in 16 bits.
static bool is_exact(const LiteOnednnLibrary* library, TfLiteType type) {
    const dnnl_cpu_isa_t isa = library->dnnl_get_effective_cpu_isa();
    return type == kTfLiteFloat32 || (isa & dnnl_cpu_isa_avx512_core_vnni) == dnnl_cpu_isa_avx512_core_vnni ||
           (isa & dnnl_cpu_isa_avx2_vnni) == dnnl_cpu_isa_avx2_vnni;
}

TfLiteStatus lite_onednn_prepare(TfLiteOpaqueContext* context, LiteOnednn* onednn,
                                 const LiteOnednnProblem* problem) {
    LiteOnednnPlan* old = onednn->plan;
    const int threads = lite_kernel_num_threads(context);
    onednn->plan = NULL;
    if (is_wanted() && is_possible(problem)) {
        const LiteOnednnLibrary* library = lite_onednn_library();
        if (library != NULL && is_exact(library, problem->input->type)) {
            onednn->plan = lite_onednn_plan_create(library, problem, threads, old);
        }
    }
    lite_onednn_plan_destroy(old);
    if (onednn->plan == NULL) return kTfLiteOk;
    const LiteOnednnPlan* plan = onednn->plan;
    const size_t bytes = plan->scratch > STACK_SCRATCH ? plan->scratch * (size_t)plan->part_count : 0;
    const LiteShape scratch = {1, {(int32_t)bytes}};
    return lite_kernel_temporary(context, &onednn->scratch_tensor, kTfLiteInt8, &scratch, false);
}

void lite_onednn_free(LiteOnednn* onednn) {
    lite_onednn_plan_destroy(onednn->plan);
    onednn->plan = NULL;
}

typedef struct Run {
    const LiteOnednnPlan* plan;
    const LiteOnednnData* data;
    char* scratch;
} Run;

// The part's rows of an image with the padding around them.
static void copy_padded(const LiteOnednnPlan* plan, const LiteOnednnPart* part, const char* image, char* to) {
    const LiteConvShape* s = &plan->shape;
    const size_t channels = (size_t)s->in_c, line = (size_t)plan->copy_columns * channels;
    const int32_t inside = plan->copy_columns - s->pad_w;
    const size_t run = (size_t)(inside < s->in_w ? inside : s->in_w) * channels;
    const size_t before = (size_t)s->pad_w * channels, after = line - before - run;
    for (int32_t r = 0; r < part->in_rows; r++, to += line) {
        const int32_t y = part->first_in + r;
        if (y < 0 || y >= s->in_h) {
            memset(to, plan->padding, line);
            continue;
        }
        memset(to, plan->padding, before);
        memcpy(to + before, image + (size_t)y * (size_t)s->in_w * channels, run);
        memset(to + before + run, plan->padding, after);
    }
}

// As the reference's convolutions, which clamp to the range of numbers where there is no activation. A NaN
// stays.
static void saturate(float* values, int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        const float low = values[i] < -FLT_MAX ? -FLT_MAX : values[i];
        values[i] = low > FLT_MAX ? FLT_MAX : low;
    }
}

static dnnl_status_t run_part(const Run* run, const LiteOnednnPart* part, char* scratch) {
    const LiteOnednnPlan* plan = run->plan;
    const LiteOnednnLibrary* dnnl = plan->library;
    const LiteConvShape* s = &plan->shape;
    const size_t in_line = (size_t)s->in_w * (size_t)s->in_c * plan->element;
    const int64_t pixels = (int64_t)part->rows * s->out_w;
    int32_t* sums = plan->quant.init == NULL ? NULL : (int32_t*)(void*)(scratch + part->sums);
    const dnnl_exec_arg_t arguments[] = {{DNNL_ARG_SRC, part->input},
                                         {DNNL_ARG_WEIGHTS, plan->weights},
                                         {DNNL_ARG_DST, part->output},
                                         {DNNL_ARG_SCRATCHPAD, part->scratchpad},
                                         {DNNL_ARG_BIAS, plan->bias}};
    dnnl_status_t status = dnnl->dnnl_memory_set_data_handle(part->scratchpad, scratch);
    for (int32_t i = part->first_image; status == dnnl_success && i < part->end_image && !lite_cancelled();
         i++) {
        const char* input = (const char*)run->data->input + (size_t)i * (size_t)s->in_h * in_line;
        const int64_t first = ((int64_t)i * s->out_h + part->first_row) * s->out_w;
        void* output = sums != NULL ? sums : (void*)((float*)run->data->output + first * s->out_c);
        if (plan->copies) {
            copy_padded(plan, part, input, scratch + part->copy);
            input = scratch + part->copy;
        } else {
            input += (size_t)part->first_in * in_line;
        }
        status = dnnl->dnnl_memory_set_data_handle(part->input, (void*)(uintptr_t)input);
        if (status != dnnl_success) break;
        status = dnnl->dnnl_memory_set_data_handle(part->output, output);
        if (status != dnnl_success) break;
        status = dnnl->dnnl_primitive_execute(part->primitive, part->stream, plan->bias == NULL ? 4 : 5,
                                              arguments);
        if (status != dnnl_success) break;
        if (sums != NULL) {
            lite_onednn_quant_store(&plan->quant, run->data, first, pixels, sums);
        } else if (plan->saturates) {
            saturate(output, pixels * s->out_c);
        }
        if (run->data->epilogue != NULL) {
            lite_epilogue_run(run->data->epilogue, first, pixels, 0, s->out_c);
        }
    }
    return status;
}

static void run_parts(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    const Run* run = argument;
    const LiteOnednnPlan* plan = run->plan;
    alignas(64) char small[STACK_SCRATCH];
    const int before = lite_onednn_enter(plan->library);
    for (int64_t i = begin; i < end; i++) {
        LiteOnednnPart* part = plan->parts + i;
        char* scratch = plan->scratch > sizeof small ? run->scratch + (size_t)i * plan->scratch : small;
        part->status = run_part(run, part, scratch);
    }
    lite_onednn_leave(plan->library, before);
}

TfLiteStatus lite_onednn_run(TfLiteOpaqueContext* context, const char* op, const LiteOnednn* onednn,
                             const LiteOnednnData* data) {
    const LiteOnednnPlan* plan = onednn->plan;
    LiteView scratch;
    LITE_TRY(lite_kernel_temporary_view(context, op, onednn->scratch_tensor, &scratch));
    if (plan->bias != NULL) {
        if (plan->library->dnnl_memory_set_data_handle(plan->bias, (void*)(uintptr_t)data->bias) !=
            dnnl_success) {
            return lite_fail(context, "%s: oneDNN does not take the bias", op);
        }
    }
    if (plan->quant.init != NULL) lite_onednn_quant_begin(&plan->quant, data->bias);
    Run run = {plan, data, scratch.data};
    lite_parallel_for(lite_kernel_num_threads(context), plan->part_count, 1, run_parts, &run);
    for (int i = 0; i < plan->part_count; i++) {
        if (plan->parts[i].status != dnnl_success) {
            return lite_fail(context, "%s: oneDNN failed with status %d", op, (int)plan->parts[i].status);
        }
    }
    return kTfLiteOk;
}
