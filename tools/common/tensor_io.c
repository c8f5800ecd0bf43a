// SPDX-License-Identifier: Apache-2.0
#include "tools/common/tensor_io.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tensorflow/lite/c/c_api_opaque.h"
#include "tools/common/element.h"

#include "tools/common/text.h"

enum { MAX_PATH = 4096 };

ToolStatus tool_input_read(const char* path, ToolInput* input, ToolMessage* message) {
    *input = (ToolInput){.path = path, .is_strings = tool_text_ends_with(path, ".json")};
    ToolStatus status = tool_file_read(path, &input->file, message);
    if (status != kToolOk) return status;
    status = input->is_strings
                 ? tool_strings_parse(path, input->file.data, input->file.size, &input->strings, message)
                 : tool_npy_parse(path, input->file.data, input->file.size, &input->array, message);
    if (status != kToolOk) tool_input_free(input);
    return status;
}

void tool_input_free(ToolInput* input) {
    tool_strings_free(&input->strings);
    tool_bytes_free(&input->file);
}

ToolStatus tool_input_check_type(const ToolInput* input, const TfLiteTensor* tensor, ToolMessage* message) {
    const TfLiteType type = TfLiteTensorType(tensor);
    const TfLiteType given = input->is_strings ? kTfLiteString : input->array.type;
    const TfLiteType expected = type == kTfLiteString ? type : tool_element_file_type(type);
    if (given == expected && given != kTfLiteNoType) return kToolOk;
    return tool_fail(message, kToolUsage, "%s: holds elements of type %s, the input \"%s\" is %s",
                     input->path, TfLiteTypeGetName(given), TfLiteTensorName(tensor),
                     TfLiteTypeGetName(type));
}

ToolShape tool_tensor_shape(const TfLiteTensor* tensor) {
    ToolShape shape = {.rank = TfLiteTensorNumDims(tensor)};
    if (shape.rank < 0) shape.rank = 0;
    if (shape.rank > TOOL_MAX_RANK) shape.rank = TOOL_MAX_RANK;
    for (int i = 0; i < shape.rank; i++) shape.dims[i] = TfLiteTensorDim(tensor, i);
    return shape;
}

ToolShape tool_input_shape(const ToolInput* input, const TfLiteTensor* tensor) {
    if (!input->is_strings) return input->array.shape;
    if (input->strings.has_shape) return input->strings.shape;
    ToolShape shape = tool_tensor_shape(tensor);
    if (shape.rank == 1) shape.dims[0] = input->strings.count;
    return shape;
}

static ToolStatus wrong_count(const ToolInput* input, const TfLiteTensor* tensor, ToolMessage* message) {
    char given[TOOL_SHAPE_TEXT];
    char expected[TOOL_SHAPE_TEXT];
    const ToolShape file_shape = tool_input_shape(input, tensor);
    const ToolShape shape = tool_tensor_shape(tensor);
    return tool_fail(message, kToolAllocate,
                     "%s: shape (%s), %zu elements, does not fit the input's shape (%s)", input->path,
                     tool_shape_text(&file_shape, given),
                     input->is_strings ? (size_t)input->strings.count : input->array.count,
                     tool_shape_text(&shape, expected));
}

static ToolStatus copy_array(const ToolArray* array, TfLiteTensor* tensor, ToolMessage* message) {
    const TfLiteType type = TfLiteTensorType(tensor);
    const size_t bytes = tool_element_tensor_bytes(type, array->count);
    if (bytes == 0) return kToolOk;
    void* elements = malloc(bytes);
    if (elements == NULL) return tool_fail(message, kToolInvoke, "out of memory");
    tool_element_to_tensor(type, array->count, array->data, elements);
    const TfLiteStatus copied = TfLiteTensorCopyFromBuffer(tensor, elements, bytes);
    free(elements);
    if (copied == kTfLiteOk) return kToolOk;
    return tool_fail(message, kToolInvoke, "the input tensor %s does not take %zu bytes",
                     TfLiteTensorName(tensor), bytes);
}

static ToolStatus write_strings(const ToolStrings* strings, TfLiteTensor* tensor, ToolMessage* message) {
    if (TfLiteOpaqueTensorWriteStrings((TfLiteOpaqueTensor*)tensor, strings->items, strings->count,
                                       strings->lengths) == kTfLiteOk) {
        return kToolOk;
    }
    return tool_fail(message, kToolInvoke, "the input tensor %s does not take %d strings",
                     TfLiteTensorName(tensor), strings->count);
}

bool tool_tensor_is_constant(const TfLiteTensor* tensor) {
    return TfLiteOpaqueTensorGetAllocationType((const TfLiteOpaqueTensor*)tensor) == kTfLiteMmapRo;
}

static bool same_strings(const ToolStrings* strings, const TfLiteOpaqueTensor* tensor) {
    for (int i = 0; i < strings->count; i++) {
        const char* item;
        int length;
        if (TfLiteOpaqueTensorGetString(tensor, i, &item, &length) != kTfLiteOk) return false;
        if (length != strings->lengths[i] || memcmp(item, strings->items[i], (size_t)length) != 0)
            return false;
    }
    return true;
}

static bool same_elements(const ToolArray* array, const TfLiteTensor* tensor) {
    const TfLiteType type = TfLiteTensorType(tensor);
    const size_t bytes = tool_element_tensor_bytes(type, array->count);
    void* elements = malloc(bytes + 1);
    if (elements == NULL) return false;
    tool_element_to_tensor(type, array->count, array->data, elements);
    const bool same = bytes == 0 || (bytes == TfLiteTensorByteSize(tensor) &&
                                     memcmp(elements, TfLiteTensorData(tensor), bytes) == 0);
    free(elements);
    return same;
}

static ToolStatus check_constant(const ToolInput* input, const TfLiteTensor* tensor, ToolMessage* message) {
    if (input->is_strings ? same_strings(&input->strings, (const TfLiteOpaqueTensor*)tensor)
                          : same_elements(&input->array, tensor))
        return kToolOk;
    return tool_fail(message, kToolInvoke, "%s: the input %s is a constant of the model, with other contents",
                     input->path, TfLiteTensorName(tensor));
}

ToolStatus tool_input_copy(const ToolInput* input, TfLiteTensor* tensor, ToolMessage* message) {
    const ToolShape shape = tool_tensor_shape(tensor);
    const size_t given = input->is_strings ? (size_t)input->strings.count : input->array.count;
    size_t count = 0;
    if (!tool_shape_count(&shape, &count) || count != given) return wrong_count(input, tensor, message);
    if (tool_tensor_is_constant(tensor)) return check_constant(input, tensor, message);
    if (input->is_strings) return write_strings(&input->strings, tensor, message);
    return copy_array(&input->array, tensor, message);
}

static ToolStatus clear_strings(TfLiteTensor* tensor, int count, ToolMessage* message) {
    ToolStrings empty = {
        .count = count,
        .items = calloc((size_t)count + 1, sizeof(*empty.items)),
        .lengths = calloc((size_t)count + 1, sizeof(*empty.lengths)),
    };
    ToolStatus status = kToolInvoke;
    if (empty.items != NULL && empty.lengths != NULL) {
        for (int i = 0; i < count; i++) empty.items[i] = "";
        status = write_strings(&empty, tensor, message);
    } else {
        tool_fail(message, kToolInvoke, "out of memory");
    }
    tool_strings_free(&empty);
    return status;
}

ToolStatus tool_tensor_clear(TfLiteTensor* tensor, ToolMessage* message) {
    if (tool_tensor_is_constant(tensor)) return kToolOk;
    const TfLiteType type = TfLiteTensorType(tensor);
    const ToolShape shape = tool_tensor_shape(tensor);
    size_t count = 0;
    if (type == kTfLiteString && tool_shape_count(&shape, &count) && count <= 1u << 30) {
        return clear_strings(tensor, (int)count, message);
    }
    // Handles remain unchanged.
    void* data = TfLiteTensorData(tensor);
    if (data != NULL && tool_element_file_type(type) != kTfLiteNoType)
        memset(data, 0, TfLiteTensorByteSize(tensor));
    return kToolOk;
}

static ToolStatus take_strings(const TfLiteOpaqueTensor* tensor, ToolInput* input, ToolMessage* message) {
    ToolStrings* strings = &input->strings;
    const int count =
        TfLiteTensorData((const TfLiteTensor*)tensor) != NULL ? TfLiteOpaqueTensorGetStringCount(tensor) : 0;
    if (count < 0) return tool_fail(message, kToolInvoke, "%s: not a well-formed string tensor", input->path);
    *strings = (ToolStrings){
        .count = count,
        .items = calloc((size_t)count + 1, sizeof(*strings->items)),
        .lengths = calloc((size_t)count + 1, sizeof(*strings->lengths)),
        .has_shape = true,
        .shape = tool_tensor_shape((const TfLiteTensor*)tensor),
    };
    if (strings->items == NULL || strings->lengths == NULL) {
        return tool_fail(message, kToolFile, "%s: out of memory", input->path);
    }
    size_t bytes = 0;
    for (int i = 0; i < count; i++) {
        if (TfLiteOpaqueTensorGetString(tensor, i, &strings->items[i], &strings->lengths[i]) != kTfLiteOk) {
            return tool_fail(message, kToolInvoke, "%s: string %d is not readable", input->path, i);
        }
        bytes += (size_t)strings->lengths[i];
    }
    strings->storage = malloc(bytes + 1);
    if (strings->storage == NULL) return tool_fail(message, kToolFile, "%s: out of memory", input->path);
    char* end = strings->storage;
    for (int i = 0; i < count; i++) {
        if (strings->lengths[i] > 0) memcpy(end, strings->items[i], (size_t)strings->lengths[i]);
        strings->items[i] = end;
        end += strings->lengths[i];
    }
    return kToolOk;
}

static ToolStatus take_array(const TfLiteTensor* tensor, ToolInput* input, ToolMessage* message) {
    const TfLiteType type = TfLiteTensorType(tensor);
    ToolArray* array = &input->array;
    *array = (ToolArray){.type = tool_element_file_type(type), .shape = tool_tensor_shape(tensor)};
    if (array->type == kTfLiteNoType) return kToolOk;
    const void* data = TfLiteTensorData(tensor);
    if (!tool_shape_count(&array->shape, &array->count) ||
        TfLiteTensorByteSize(tensor) != tool_element_tensor_bytes(type, array->count) ||
        (array->count && data == NULL)) {
        return tool_fail(message, kToolInvoke, "%s: the output's size is not that of its shape", input->path);
    }
    array->bytes = array->count * tool_npy_element_size(array->type);
    input->file = (ToolBytes){.data = malloc(array->bytes + 1), .size = array->bytes};
    if (input->file.data == NULL) return tool_fail(message, kToolFile, "%s: out of memory", input->path);
    tool_element_to_file(type, array->count, data, input->file.data);
    array->data = input->file.data;
    return kToolOk;
}

ToolStatus tool_input_take(const TfLiteTensor* tensor, const char* path, ToolInput* input,
                           ToolMessage* message) {
    *input = (ToolInput){.path = path, .is_strings = TfLiteTensorType(tensor) == kTfLiteString};
    const ToolStatus status = input->is_strings
                                  ? take_strings((const TfLiteOpaqueTensor*)tensor, input, message)
                                  : take_array(tensor, input, message);
    if (status != kToolOk) tool_input_free(input);
    return status;
}

ToolStatus tool_input_write(const ToolInput* input, const char* stem, ToolMessage* message) {
    char path[MAX_PATH];
    if (!input->is_strings && input->array.type == kTfLiteNoType) return kToolOk;
    snprintf(path, sizeof(path), "%s.%s", stem, input->is_strings ? "json" : "npy");
    return input->is_strings ? tool_strings_write(path, &input->strings, message)
                             : tool_npy_write(path, &input->array, message);
}

ToolStatus tool_tensor_write(const TfLiteTensor* tensor, const char* stem, ToolMessage* message) {
    ToolInput output;
    ToolStatus status = tool_input_take(tensor, stem, &output, message);
    if (status == kToolOk) status = tool_input_write(&output, stem, message);
    tool_input_free(&output);
    return status;
}
