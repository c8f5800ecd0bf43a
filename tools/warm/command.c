// SPDX-License-Identifier: Apache-2.0
// oclite warm: fills the folder of compiled programs, so that the first start of a program finds them.
#include <stdio.h>

#include "oclite/opencl.h"
#include "tools/commands.h"
#include "tools/common/progress.h"
#include "tools/common/random_input.h"
#include "tools/common/session.h"
#include "tools/common/timing.h"

typedef struct Warm {
    ToolSetup setup;
} Warm;

static void note(void* user_data, const OcliteOpenclProgress* progress) {
    *(OcliteOpenclProgress*)user_data = *progress;
    tool_progress_draw(NULL, progress);
}

// Where the device fails the CPU computes, and there is nothing to keep.
static ToolStatus check_device(const TfLiteDelegate* delegate, const char* model, ToolMessage* message) {
    if (delegate != NULL && oclite_opencl_delegate_status(delegate) == kOcliteOpenclWorking) return kToolOk;
    return tool_fail(message, kToolFile, "%s: %s", model,
                     delegate != NULL ? oclite_opencl_delegate_failure(delegate)
                                      : "there is no delegate whose programs could be kept");
}

static ToolStatus infer(TfLiteInterpreter* interpreter, const char* model, ToolMessage* message) {
    uint64_t state = 1;
    for (int i = 0; i < TfLiteInterpreterGetInputTensorCount(interpreter); i++) {
        TfLiteTensor* input = TfLiteInterpreterGetInputTensor(interpreter, i);
        const ToolStatus status =
            tool_random_fill(input, tool_random_range(TfLiteTensorType(input)), &state, message);
        if (status != kToolOk) return status;
    }
    if (TfLiteInterpreterInvoke(interpreter) == kTfLiteOk) return kToolOk;
    return tool_fail(message, kToolInvoke, "%s: the inference failed", model);
}

// Prepares the model as a program does, with an inference where `infers`, and deletes all that was made.
static ToolStatus start(const Warm* warm, const char* model, bool infers, OcliteOpenclProgress* progress,
                        double* prepared, ToolMessage* message) {
    ToolSession session;
    const double begin = tool_now();
    *progress = (OcliteOpenclProgress){0};
    ToolStatus status = tool_session_open(model, &warm->setup, &session, message);
    if (status != kToolOk) return status;
    oclite_opencl_delegate_set_progress(session.delegate, note, progress);
    if (TfLiteInterpreterAllocateTensors(session.interpreter) != kTfLiteOk)
        status = tool_fail(message, kToolAllocate, "%s: the tensors could not be allocated", model);
    *prepared = tool_now() - begin;
    if (status == kToolOk && infers) status = infer(session.interpreter, model, message);
    if (status == kToolOk) status = check_device(session.delegate, model, message);
    tool_session_close(&session);
    return status;
}

static ToolStatus warm_model(const Warm* warm, const char* model, ToolMessage* message) {
    OcliteOpenclProgress first, second;
    double prepared;
    const double begin = tool_now();
    // Programs are kept for whatever a program lets run on the device, and the times by which that is chosen.
    const bool measures = warm->setup.partition == NULL;
    Warm all = *warm, by_cost = *warm;
    if (measures) all.setup.partition = "all";
    by_cost.setup.partition = "cost";
    ToolStatus status = start(&all, model, true, &first, &prepared, message);
    if (status != kToolOk) return status;
    const double took = tool_now() - begin;
    if (status == kToolOk && measures) status = start(&by_cost, model, false, &second, &prepared, message);
    if (status == kToolOk) status = start(&all, model, false, &second, &prepared, message);
    if (status != kToolOk) return status;
    if (second.compiled > 0)
        return tool_fail(message, kToolFile,
                         "%s: %d of %d programs could not be kept; the key cache_dir names a folder", model,
                         second.compiled, second.compiled + second.loaded);
    tool_print_name(model);
    printf(": %d programs, %d compiled in %.1f s; now prepared in %.0f ms\n", first.compiled + first.loaded,
           first.compiled, took, 1000 * prepared);
    fflush(stdout);
    return kToolOk;
}

static ToolStatus run(void* settings, const ToolList* operands, ToolMessage* message) {
    Warm* warm = settings;
    ToolStatus status = kToolOk;
    for (int i = 0; status == kToolOk && i < operands->count; i++) {
        status = warm_model(warm, operands->items[i], message);
    }
    return status;
}

static const Warm kDefaults = {.setup = {.delegate = "opencl"}};

const ToolCommand tool_warm_command = {
    .name = "warm",
    .summary = "compiles the OpenCL programs of models, for programs that start later",
    .operands = "MODEL...",
    .min_operands = 1,
    .max_operands = 1 << 16,
    .description = "Prepares each model, runs it once on random inputs, and leaves the compiled programs in "
                   "the folder where the delegate looks for them: that of the key cache_dir, or else oclite "
                   "in $XDG_CACHE_HOME or ~/.cache. Then it prepares the model once more; it fails when "
                   "something has to be compiled again.\n\nPrograms are found again by the same device, "
                   "driver and version of the library, and by delegates with the same keys, but for "
                   "cache_dir. For installers and containers: the folder may be read-only later.",
    .examples = "  oclite warm *.tflite\n"
                "  oclite warm model.tflite --delegate opencl:device=pocl,cache_dir=/var/cache/my_app\n",
    .has_setup = true,
    .setup_offset = offsetof(Warm, setup),
    .size = sizeof(Warm),
    .defaults = &kDefaults,
    .has_detailed_status = true,
    .run = run,
};
