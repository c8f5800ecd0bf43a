// SPDX-License-Identifier: Apache-2.0
#include "tools/diff/inputs.h"

#include "tools/common/inputs.h"
#include "tools/common/job.h"
#include "tools/common/options.h"
#include "tools/common/random_input.h"

static ToolStatus read_files(TfLiteInterpreter* interpreter, const ToolList* files, ToolInput* inputs,
                             ToolMessage* message) {
    const int count = TfLiteInterpreterGetInputTensorCount(interpreter);
    if (files->count > count) {
        return tool_fail(message, kToolUsage, "%d input files, but the model has %d inputs", files->count,
                         count);
    }
    ToolStatus status = kToolOk;
    for (int i = 0; i < files->count && status == kToolOk; i++) {
        status = tool_input_read(files->items[i], &inputs[i], message);
        if (status != kToolOk) break;
        status = tool_input_check_type(&inputs[i], TfLiteInterpreterGetInputTensor(interpreter, i), message);
    }
    return status;
}

// After a resize an input has the shape of its file. With --resize it is enough that the number of elements
// is the same.
static ToolStatus check_count(ToolInput* input, const TfLiteTensor* tensor, ToolMessage* message) {
    char given[TOOL_SHAPE_TEXT];
    char expected[TOOL_SHAPE_TEXT];
    const ToolShape file_shape = tool_input_shape(input, tensor);
    const ToolShape shape = tool_tensor_shape(tensor);
    const size_t elements = input->is_strings ? (size_t)input->strings.count : input->array.count;
    size_t count = 0;
    if (!tool_shape_count(&shape, &count) || count != elements) {
        return tool_fail(message, kToolUsage, "%s: shape (%s) does not fit the input's shape (%s)",
                         input->path, tool_shape_text(&file_shape, given), tool_shape_text(&shape, expected));
    }
    if (input->is_strings) {
        input->strings.shape = shape;
        input->strings.has_shape = true;
    } else {
        input->array.shape = shape;
    }
    return kToolOk;
}

static ToolStatus shape_inputs(TfLiteInterpreter* interpreter, const ToolList* files, const ToolList* shapes,
                               ToolInput* inputs, ToolMessage* message) {
    bool changed = false;
    ToolStatus status = kToolOk;
    for (int i = 0; i < files->count && status == kToolOk; i++) {
        const ToolResize resize = {
            .input = i,
            .shape = tool_input_shape(&inputs[i], TfLiteInterpreterGetInputTensor(interpreter, i))};
        status = tool_job_resize(interpreter, &resize, 1, &changed, message);
    }
    for (int i = 0; i < shapes->count && status == kToolOk; i++) {
        ToolResize resize;
        status = tool_parse_resize(shapes->items[i], &resize, message);
        if (status == kToolOk) status = tool_job_resize(interpreter, &resize, 1, &changed, message);
    }
    for (int i = 0; i < files->count && status == kToolOk; i++) {
        status = check_count(&inputs[i], TfLiteInterpreterGetInputTensor(interpreter, i), message);
    }
    return status;
}

ToolStatus diff_inputs_prepare(TfLiteInterpreter* interpreter, const ToolList* files, const ToolList* shapes,
                               ToolInput* inputs, const ToolMessage* said, ToolMessage* message) {
    ToolMessage own = {{0}};
    char described[TOOL_INPUTS_TEXT];
    tool_inputs_describe(interpreter, described);
    const int count = TfLiteInterpreterGetInputTensorCount(interpreter);
    const int given = files->count < count ? files->count : count; // there is no room for more
    ToolStatus status = read_files(interpreter, files, inputs, message);
    if (status == kToolUsage) return tool_inputs_explain(inputs, given, described, status, message);
    if (status != kToolOk) return status;
    status = shape_inputs(interpreter, files, shapes, inputs, &own);
    if (status == kToolOk && TfLiteInterpreterAllocateTensors(interpreter) != kTfLiteOk) {
        status = tool_fail(&own, kToolAllocate, "the tensors could not be allocated");
    }
    if (status == kToolOk) return kToolOk;
    tool_fail(message, status, "%s%s%s", said->text, said->text[0] ? "; " : "", own.text);
    if (files->count == 0) return status;
    return tool_inputs_explain(inputs, given, described, status, message);
}

// Integers may be sizes and indices, for which small values are valid more often.
static ToolRange choose_range(const TfLiteTensor* tensor) {
    const TfLiteType type = TfLiteTensorType(tensor);
    const bool is_quantized = TfLiteTensorQuantizationParams(tensor).scale != 0;
    switch (type) {
    case kTfLiteInt16:
        return is_quantized ? (ToolRange){-32768, 32767} : (ToolRange){0, 7};
    case kTfLiteInt32:
    case kTfLiteInt64:
    case kTfLiteUInt32:
    case kTfLiteUInt64:
        return (ToolRange){0, 7};
    case kTfLiteFloat32:
    case kTfLiteFloat16:
    case kTfLiteBFloat16:
    case kTfLiteFloat64:
        return (ToolRange){-1, 1};
    default:
        return tool_random_range(type);
    }
}

ToolStatus diff_inputs_fill(TfLiteInterpreter* interpreter, int file_count, uint64_t* state,
                            ToolInput* inputs, ToolMessage* message) {
    const int count = TfLiteInterpreterGetInputTensorCount(interpreter);
    ToolStatus status = kToolOk;
    for (int i = file_count; i < count && status == kToolOk; i++) {
        TfLiteTensor* tensor = TfLiteInterpreterGetInputTensor(interpreter, i);
        tool_input_free(&inputs[i]);
        inputs[i] = (ToolInput){0};
        if (tensor == NULL) continue; // the model lists -1
        status = tool_random_fill(tensor, choose_range(tensor), state, message);
        if (status == kToolOk) status = tool_input_take(tensor, "a random input", &inputs[i], message);
    }
    return status;
}
