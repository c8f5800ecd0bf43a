// SPDX-License-Identifier: Apache-2.0
#include "tools/diff/side.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclite/oclite.h"
#include "oclite/opencl.h"
#include "tools/common/job.h"

static bool is_cpu_path(const char* name) {
    const char* path = NULL;
    for (int i = 0; (path = oclite_available_cpu_path(i)) != NULL; i++) {
        if (strcmp(path, name) == 0) return true;
    }
    return false;
}

static bool begins_with(const char* text, const char* word) {
    const size_t length = strlen(word);
    return strncmp(text, word, length) == 0 && (text[length] == '\0' || text[length] == ':');
}

static ToolStatus refuse(const DiffSide* side, ToolMessage* message) {
    char known[128] = "";
    for (int i = 1; oclite_available_cpu_path(i) != NULL; i++) {
        const size_t length = strlen(known);
        snprintf(known + length, sizeof(known) - length, "%s, ", oclite_available_cpu_path(i));
    }
    return tool_fail(message, kToolUsage,
                     "--%c: '%s' is none of cpu, %sthese with :float32, :bfloat16 or :float16, "
                     "opencl[:KEY=VALUE,...], litert[:reference|builtin]",
                     side->name - 'A' + 'a', side->text, known);
}

static ToolStatus open_litert(DiffSide* side, const char* python, const char* folder, ToolMessage* message) {
    const char* colon = strchr(side->text, ':');
    const char* resolver = colon != NULL ? colon + 1 : "auto";
    if (strcmp(resolver, "auto") != 0 && strcmp(resolver, "reference") != 0 &&
        strcmp(resolver, "builtin") != 0) {
        return refuse(side, message);
    }
    side->resolver = resolver;
    side->litert = diff_litert_start(python, folder, message);
    return side->litert != NULL ? kToolOk : kToolFile;
}

static bool is_precision(const char* name) {
    const char* precision = NULL;
    for (int i = 0; (precision = oclite_precision_name(i)) != NULL; i++) {
        if (strcmp(precision, name) == 0) return true;
    }
    return false;
}

static ToolStatus open_cpu(DiffSide* side, ToolMessage* message) {
    const char* colon = strchr(side->text, ':');
    const size_t length = colon != NULL ? (size_t)(colon - side->text) : strlen(side->text);
    if (length >= sizeof(side->path)) return refuse(side, message);
    memcpy(side->path, side->text, length);
    side->path[length] = '\0';
    if (strcmp(side->path, "cpu") != 0) {
        if (!is_cpu_path(side->path)) return refuse(side, message);
        side->setup.cpu = side->path;
    }
    if (colon == NULL) return kToolOk;
    if (!is_precision(colon + 1)) return refuse(side, message);
    side->setup.precision = colon + 1;
    return kToolOk;
}

ToolStatus diff_side_open(DiffSide* side, char name, const char* text, int threads, const char* python,
                          const char* folder, ToolMessage* message) {
    *side = (DiffSide){.name = name, .text = text, .setup = {.cpu = "auto", .threads = threads}};
    if (begins_with(text, "litert")) return open_litert(side, python, folder, message);
    if (begins_with(text, "opencl")) {
        side->setup.delegate = text;
        side->setup.partition = "all"; // what is slower there is compared, too
        return tool_session_delegate(&side->setup, &side->keeper, message);
    }
    return open_cpu(side, message);
}

void diff_side_close(DiffSide* side) {
    diff_litert_stop(side->litert);
    oclite_opencl_delegate_delete(side->keeper);
    free(side->taken);
    free(side->is_half);
    *side = (DiffSide){0};
}

// The messages of the library about a model come before the reason why it did not work.
static ToolStatus fail(const DiffModel* model, ToolStatus status, const ToolMessage* why,
                       ToolMessage* message) {
    return tool_fail(message, status, "%c, %s: %s", model->side->name, model->side->text, why->text);
}

static ToolStatus open_session(DiffModel* model, const char* path, bool profiling, ToolMessage* message) {
    ToolSetup setup = model->side->setup;
    char* text = NULL;
    if (profiling && setup.delegate != NULL) {
        text = tool_session_profiled(setup.delegate);
        if (text == NULL) return tool_out_of_memory(message);
        setup.delegate = text;
    }
    const ToolStatus status = tool_session_open(path, &setup, &model->session, message);
    free(text);
    return status;
}

ToolStatus diff_model_open(DiffSide* side, const char* path, bool profiling, DiffModel* model,
                           ToolMessage* message) {
    *model = (DiffModel){.side = side};
    const ToolStatus status = side->resolver != NULL
                                  ? diff_litert_open(side->litert, path, side->resolver, side->setup.threads,
                                                     &model->number, &model->messages)
                                  : open_session(model, path, profiling, &model->messages);
    if (status == kToolOk) return status;
    fail(model, status, &model->messages, message);
    *model = (DiffModel){0};
    return status;
}

void diff_model_close(DiffModel* model) {
    if (model->side == NULL) return;
    if (model->side->resolver != NULL) diff_litert_close(model->side->litert, model->number);
    tool_session_close(&model->session);
    *model = (DiffModel){0};
}

static ToolStatus give_inputs(DiffModel* model, const ToolInput* inputs, int count) {
    TfLiteInterpreter* interpreter = model->session.interpreter;
    ToolMessage* message = &model->messages;
    ToolStatus status = kToolOk;
    bool changed = !model->is_allocated;
    for (int i = 0; i < count && status == kToolOk; i++) {
        const TfLiteTensor* tensor = TfLiteInterpreterGetInputTensor(interpreter, i);
        if (tensor == NULL) continue; // the model lists -1
        const ToolResize resize = {.input = i, .shape = tool_input_shape(&inputs[i], tensor)};
        status = tool_job_resize(interpreter, &resize, 1, &changed, message);
    }
    if (status == kToolOk && changed && TfLiteInterpreterAllocateTensors(interpreter) != kTfLiteOk) {
        status = tool_fail(message, kToolAllocate, "the tensors could not be allocated");
    }
    if (status == kToolOk) model->is_allocated = true;
    for (int i = 0; i < count && status == kToolOk; i++) {
        TfLiteTensor* tensor = TfLiteInterpreterGetInputTensor(interpreter, i);
        if (tensor != NULL) status = tool_input_copy(&inputs[i], tensor, message);
    }
    return status;
}

static ToolStatus invoke_session(DiffModel* model, const ToolInput* inputs, int input_count,
                                 ToolInput* outputs, int output_count) {
    TfLiteInterpreter* interpreter = model->session.interpreter;
    ToolMessage* message = &model->messages;
    oclite_set_cpu_path(model->side->setup.cpu);
    ToolStatus status = give_inputs(model, inputs, input_count);
    if (status != kToolOk) return status;
    if (TfLiteInterpreterInvoke(interpreter) != kTfLiteOk) {
        return tool_fail(message, kToolInvoke, "the model could not be run");
    }
    for (int i = 0; i < output_count && status == kToolOk; i++) {
        const TfLiteTensor* tensor = TfLiteInterpreterGetOutputTensor(interpreter, i);
        if (tensor == NULL) return tool_fail(message, kToolInvoke, "there is no output %d", i);
        status = tool_input_take(tensor, TfLiteTensorName(tensor), &outputs[i], message);
        outputs[i].path = "a tensor";
    }
    return status;
}

ToolStatus diff_model_invoke(DiffModel* model, const ToolInput* inputs, int input_count, ToolInput* outputs,
                             int output_count, ToolMessage* message) {
    DiffSide* side = model->side;
    for (int i = 0; i < output_count; i++) outputs[i] = (ToolInput){0};
    const ToolStatus status = side->resolver != NULL
                                  ? diff_litert_invoke(side->litert, model->number, inputs, input_count,
                                                       outputs, output_count, &model->messages)
                                  : invoke_session(model, inputs, input_count, outputs, output_count);
    if (status == kToolOk) return status;
    diff_values_free(outputs, output_count);
    return fail(model, status, &model->messages, message);
}

static void keep_node(void* user_data, const OcliteOpenclNode* node) {
    const DiffSide* side = user_data;
    if (node->graph != 0 || node->node < 0 || node->node >= side->node_count) return;
    side->taken[node->node] = node->taken;
    side->is_half[node->node] = node->float16;
}

ToolStatus diff_side_learn(DiffSide* side, const DiffModel* model, int node_count, ToolMessage* message) {
    if (model->session.delegate == NULL) return kToolOk;
    side->node_count = node_count;
    side->taken = calloc((size_t)node_count + 1, sizeof(*side->taken));
    side->is_half = calloc((size_t)node_count + 1, sizeof(*side->is_half));
    if (side->taken == NULL || side->is_half == NULL) return tool_out_of_memory(message);
    oclite_opencl_delegate_explain(model->session.delegate, keep_node, side);
    return kToolOk;
}

void diff_values_free(ToolInput* values, int count) {
    for (int i = 0; values != NULL && i < count; i++) {
        tool_input_free(&values[i]);
        values[i] = (ToolInput){0};
    }
}
