// SPDX-License-Identifier: Apache-2.0
#include "tools/bench/values.h"

#include <stdlib.h>
#include <string.h>

#include "tensorflow/lite/c/c_api_opaque.h"
#include "tools/common/file.h"
#include "tools/common/options.h"
#include "tools/common/tensor_io.h"
#include "tools/common/text.h"

static const char* input_name(const BenchRunner* runner, int index) {
    const TfLiteTensor* tensor = bench_runner_input(runner, index);
    const char* name = tensor != NULL ? TfLiteTensorName(tensor) : NULL;
    return name != NULL ? name : "";
}

static ToolStatus parse_layers(Bench* bench, ToolMessage* message) {
    const BenchSettings* settings = bench->settings;
    const BenchRunner* runner = &bench->runner;
    const char** names = calloc((size_t)runner->input_count + 1, sizeof(*names));
    if (names == NULL) return tool_out_of_memory(message);
    for (int i = 0; i < runner->input_count; i++) names[i] = input_name(runner, i);
    const ToolStatus status = bench_inputs_parse(
        settings->input_layer, settings->input_layer_shape, settings->input_layer_value_range,
        settings->input_layer_value_files, names, runner->input_count, &bench->inputs, message);
    for (int i = 0; status == kToolOk && i < runner->input_count; i++) {
        const char* given = bench->inputs.layers[i].name;
        if (strcmp(given, names[i]) == 0) continue;
        fprintf(bench->log, "Tensor # %d is named ", runner->inputs[i]);
        tool_put_name(bench->log, names[i]);
        fprintf(bench->log, " but flags call it %s\n", given);
    }
    free(names);
    return status;
}

static ToolStatus resize(const BenchRunner* runner, int index, const ToolShape* shape, ToolMessage* message) {
    char text[TOOL_SHAPE_TEXT];
    if (index < 0 || index >= runner->input_count) {
        return tool_fail(message, kToolAllocate, "there is no input %d to resize, the model has %d", index,
                         runner->input_count);
    }
    if (bench_runner_resize(runner, index, shape) == kTfLiteOk) return kToolOk;
    return tool_fail(message, kToolAllocate, "input %d, %s, cannot be resized to (%s)", index,
                     input_name(runner, index), tool_shape_text(shape, text));
}

ToolStatus bench_shape_inputs(Bench* bench, ToolMessage* message) {
    ToolStatus status = parse_layers(bench, message);
    for (int i = 0; i < bench->inputs.count && status == kToolOk; i++) {
        const BenchLayer* layer = &bench->inputs.layers[i];
        if (layer->has_shape) status = resize(&bench->runner, i, &layer->shape, message);
    }
    const ToolList* resizes = &bench->settings->resizes;
    for (int i = 0; i < resizes->count && status == kToolOk; i++) {
        ToolResize wanted;
        status = tool_parse_resize(resizes->items[i], &wanted, message);
        if (status == kToolOk) status = resize(&bench->runner, wanted.input, &wanted.shape, message);
    }
    return status;
}

// Splits a file into strings, which end with NUL or with the file. A file *.pb is one string.
static ToolStatus copy_strings(const char* path, const ToolBytes* bytes, TfLiteTensor* tensor,
                               ToolMessage* message) {
    const bool is_one = tool_text_ends_with(path, ".pb");
    size_t count = is_one || (bytes->size > 0 && bytes->data[bytes->size - 1]) ? 1 : 0;
    for (size_t i = 0; i < bytes->size && !is_one; i++) count += !bytes->data[i];
    const ToolShape shape = tool_tensor_shape(tensor);
    size_t expected = 0;
    if (!tool_shape_count(&shape, &expected) || (count != expected && !is_one)) {
        return tool_fail(message, kToolFile, "%s: %zu strings, the input takes %zu", path, count, expected);
    }
    const char** items = calloc(count + 1, sizeof(*items));
    int* lengths = calloc(count + 1, sizeof(*lengths));
    const char* at = bytes->data;
    for (size_t i = 0; items != NULL && lengths != NULL && i < count; i++) {
        const size_t left = bytes->size - (size_t)(at - bytes->data);
        items[i] = at;
        lengths[i] = (int)(is_one ? left : strnlen(at, left));
        at += lengths[i] + 1;
    }
    const bool is_written =
        items != NULL && lengths != NULL &&
        TfLiteOpaqueTensorWriteStrings((TfLiteOpaqueTensor*)tensor, items, (int)count, lengths) == kTfLiteOk;
    free(items);
    free(lengths);
    return is_written ? kToolOk : tool_fail(message, kToolFile, "%s: the input does not take it", path);
}

static ToolStatus copy_bytes(const char* path, TfLiteTensor* tensor, ToolMessage* message) {
    ToolBytes bytes = {0};
    ToolStatus status = tool_file_read(path, &bytes, message);
    if (status != kToolOk) return status;
    const TfLiteType type = TfLiteTensorType(tensor);
    if (type == kTfLiteString) {
        status = copy_strings(path, &bytes, tensor, message);
    } else if (bytes.size != TfLiteTensorByteSize(tensor)) {
        status = tool_fail(message, kToolFile, "%s: %zu bytes, the input %s takes %zu", path, bytes.size,
                           TfLiteTensorName(tensor), TfLiteTensorByteSize(tensor));
    } else if (bytes.size > 0 && TfLiteTensorCopyFromBuffer(tensor, bytes.data, bytes.size) != kTfLiteOk) {
        status =
            tool_fail(message, kToolFile, "%s: the input %s %s", path, TfLiteTensorName(tensor),
                      tool_tensor_is_constant(tensor) ? "is a constant of the model" : "does not take it");
    }
    tool_bytes_free(&bytes);
    return status;
}

static ToolStatus copy_file(const char* path, TfLiteTensor* tensor, ToolMessage* message) {
    if (!tool_text_ends_with(path, ".npy") && !tool_text_ends_with(path, ".json"))
        return copy_bytes(path, tensor, message);
    ToolInput input = {0};
    ToolStatus status = tool_input_read(path, &input, message);
    if (status != kToolOk) return status;
    status = tool_input_check_type(&input, tensor, message);
    if (status == kToolOk) status = tool_input_copy(&input, tensor, message);
    tool_input_free(&input);
    return status == kToolOk ? kToolOk : kToolFile;
}

ToolStatus bench_fill_inputs(Bench* bench, ToolMessage* message) {
    ToolStatus status = kToolOk;
    uint64_t state = 1;
    for (int i = 0; i < bench->inputs.count && status == kToolOk; i++) {
        const BenchLayer* layer = &bench->inputs.layers[i];
        TfLiteTensor* tensor = bench_runner_input(&bench->runner, i);
        if (tensor == NULL) continue;
        if (layer->file != NULL) {
            status = copy_file(layer->file, tensor, message);
        } else {
            const ToolRange range =
                layer->has_range ? layer->range : tool_random_range(TfLiteTensorType(tensor));
            status = tool_random_fill(tensor, range, &state, message);
        }
    }
    return status;
}

ToolStatus bench_save_outputs(const Bench* bench, ToolMessage* message) {
    const char* path = bench->settings->output_path;
    if (path == NULL) return kToolOk;
    ToolOutput output = {0};
    const ToolStatus status = tool_output_open(path, &output, message);
    if (status != kToolOk) return status;
    for (int i = 0; i < bench->runner.output_count; i++) {
        const TfLiteTensor* tensor = bench_runner_output(&bench->runner, i);
        if (tensor == NULL) continue;
        const void* data = TfLiteTensorData(tensor);
        if (data != NULL) fwrite(data, 1, TfLiteTensorByteSize(tensor), output.stream);
    }
    return tool_output_close(&output, status, message);
}
