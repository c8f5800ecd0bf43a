// SPDX-License-Identifier: Apache-2.0
#include "tools/common/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/file.h"
#include "tools/common/inputs.h"
#include "tools/common/tensor_io.h"

enum { MAX_STEM = 4000 };

static bool same_shape(const ToolShape* a, const ToolShape* b) {
    return a->rank == b->rank && memcmp(a->dims, b->dims, (size_t)a->rank * sizeof(int)) == 0;
}

static ToolStatus resize_input(TfLiteInterpreter* interpreter, int index, const ToolShape* shape,
                               bool* changed, ToolMessage* message) {
    char text[TOOL_SHAPE_TEXT];
    const TfLiteTensor* tensor = TfLiteInterpreterGetInputTensor(interpreter, index);
    if (tensor == NULL) {
        return tool_fail(message, kToolAllocate, "there is no input %d to resize, the model has %d", index,
                         TfLiteInterpreterGetInputTensorCount(interpreter));
    }
    const ToolShape before = tool_tensor_shape(tensor);
    if (same_shape(&before, shape)) return kToolOk;
    *changed = true;
    if (TfLiteInterpreterResizeInputTensor(interpreter, index, shape->dims, shape->rank) == kTfLiteOk)
        return kToolOk;
    return tool_fail(message, kToolAllocate, "input %d cannot be resized to (%s)", index,
                     tool_shape_text(shape, text));
}

ToolStatus tool_job_resize(TfLiteInterpreter* interpreter, const ToolResize* resizes, int count,
                           bool* changed, ToolMessage* message) {
    ToolStatus status = kToolOk;
    for (int i = 0; i < count && status == kToolOk; i++) {
        status = resize_input(interpreter, resizes[i].input, &resizes[i].shape, changed, message);
    }
    return status;
}

static bool has_resize(const ToolRun* run, int input) {
    for (int i = 0; i < run->resize_count; i++) {
        if (run->resizes[i].input == input) return true;
    }
    return false;
}

static ToolStatus read_inputs(TfLiteInterpreter* interpreter, const ToolRun* run, ToolInput* inputs,
                              ToolMessage* message) {
    const int count = TfLiteInterpreterGetInputTensorCount(interpreter);
    if (run->file_count > count) {
        return tool_fail(message, kToolUsage, "%d input files, but the model has %d inputs", run->file_count,
                         count);
    }
    ToolStatus status = kToolOk;
    for (int i = 0; i < run->file_count && status == kToolOk; i++) {
        if (run->files[i] == NULL) continue;
        status = tool_input_read(run->files[i], &inputs[i], message);
        if (status != kToolOk) break;
        status = tool_input_check_type(&inputs[i], TfLiteInterpreterGetInputTensor(interpreter, i), message);
    }
    return status;
}

static ToolStatus shape_inputs(TfLiteInterpreter* interpreter, const ToolRun* run, const ToolInput* inputs,
                               bool is_first, ToolMessage* message) {
    bool changed = is_first;
    ToolStatus status = tool_job_resize(interpreter, run->resizes, run->resize_count, &changed, message);
    for (int i = 0; i < run->file_count && status == kToolOk; i++) {
        if (run->files[i] == NULL || has_resize(run, i)) continue;
        const ToolShape shape = tool_input_shape(&inputs[i], TfLiteInterpreterGetInputTensor(interpreter, i));
        status = resize_input(interpreter, i, &shape, &changed, message);
    }
    if (status != kToolOk || !changed) return status;
    if (TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk) return kToolOk;
    return tool_fail(message, kToolAllocate, "the tensors could not be allocated");
}

static ToolStatus fill_inputs(TfLiteInterpreter* interpreter, const ToolRun* run, const ToolInput* inputs,
                              ToolMessage* message) {
    const int count = TfLiteInterpreterGetInputTensorCount(interpreter);
    ToolStatus status = kToolOk;
    for (int i = 0; i < count && status == kToolOk; i++) {
        TfLiteTensor* tensor = TfLiteInterpreterGetInputTensor(interpreter, i);
        const bool is_given = i < run->file_count && run->files[i] != NULL;
        status = is_given ? tool_input_copy(&inputs[i], tensor, message) : tool_tensor_clear(tensor, message);
    }
    return status;
}

static ToolStatus write_outputs(TfLiteInterpreter* interpreter, const char* folder, int run,
                                ToolMessage* message) {
    const int count = TfLiteInterpreterGetOutputTensorCount(interpreter);
    char prefix[24] = "";
    if (run > 0) snprintf(prefix, sizeof(prefix), "run%d_", run);
    ToolStatus status = kToolOk;
    for (int i = 0; i < count && status == kToolOk; i++) {
        char stem[MAX_STEM];
        if (snprintf(stem, sizeof(stem), "%s/%sout%d", folder, prefix, i) >= MAX_STEM) {
            return tool_fail(message, kToolFile, "%s: the path is too long", folder);
        }
        status = tool_tensor_write(TfLiteInterpreterGetOutputTensor(interpreter, i), stem, message);
    }
    return status;
}

static ToolStatus run_once(TfLiteInterpreter* interpreter, const ToolJob* job, int index, ToolInput* inputs,
                           ToolMessage* message) {
    const ToolRun* run = &job->runs[index];
    char described[TOOL_INPUTS_TEXT];
    tool_inputs_describe(interpreter, described);
    ToolStatus status = read_inputs(interpreter, run, inputs, message);
    if (status == kToolOk) status = shape_inputs(interpreter, run, inputs, index == 0, message);
    if (status == kToolOk) status = fill_inputs(interpreter, run, inputs, message);
    if (run->file_count > 0 && (status == kToolUsage || status == kToolAllocate))
        return tool_inputs_explain(inputs, run->file_count, described, status, message);
    if (status != kToolOk) return status;
    if (TfLiteInterpreterInvoke(interpreter) != kTfLiteOk) {
        return tool_fail(message, kToolInvoke, "the model could not be run");
    }
    return write_outputs(interpreter, job->out, index, message);
}

ToolStatus tool_job_run(const ToolJob* job, const ToolSetup* setup, ToolMessage* message) {
    ToolSession session;
    ToolStatus status = tool_session_open(job->model, setup, &session, message);
    if (status != kToolOk) return status;
    status = tool_folder_make(job->out, message);
    for (int r = 0; r < job->run_count && status == kToolOk; r++) {
        const int count = job->runs[r].file_count;
        ToolInput* inputs = calloc((size_t)count + 1, sizeof(ToolInput));
        status = inputs != NULL ? run_once(session.interpreter, job, r, inputs, message)
                                : tool_out_of_memory(message);
        for (int i = 0; inputs != NULL && i < count; i++) tool_input_free(&inputs[i]);
        free(inputs);
    }
    if (job->finished != NULL) job->finished(&session, job->user_data);
    tool_session_close(&session);
    return status;
}
