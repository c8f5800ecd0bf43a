// SPDX-License-Identifier: Apache-2.0
#include "tools/common/inputs.h"

#include <stdio.h>
#include <string.h>

enum { MAX_ITEM = 160 };

// Adds an item to a list, or "..." when it does not fit. Returns false when the list is full.
static bool add_item(char text[TOOL_INPUTS_TEXT], const char* item) {
    static const char more[] = ", ...";
    const size_t length = strlen(text);
    const bool fits = length + strlen(item) + sizeof more + 2 < TOOL_INPUTS_TEXT;
    snprintf(text + length, TOOL_INPUTS_TEXT - length, "%s%s", length > 0 ? ", " : "", fits ? item : "...");
    return fits;
}

void tool_inputs_describe(const TfLiteInterpreter* interpreter, char text[TOOL_INPUTS_TEXT]) {
    const int count = TfLiteInterpreterGetInputTensorCount(interpreter);
    bool has_room = true;
    text[0] = '\0';
    for (int i = 0; i < count && has_room; i++) {
        const TfLiteTensor* tensor = TfLiteInterpreterGetInputTensor(interpreter, i);
        char item[MAX_ITEM], shape_text[TOOL_SHAPE_TEXT];
        if (tensor == NULL) { // the model lists -1
            snprintf(item, sizeof item, "%d absent", i);
        } else {
            const ToolShape shape = tool_tensor_shape(tensor);
            snprintf(item, sizeof item, "%d \"%.60s\" %s (%.80s)", i, TfLiteTensorName(tensor),
                     TfLiteTypeGetName(TfLiteTensorType(tensor)), tool_shape_text(&shape, shape_text));
        }
        has_room = add_item(text, item);
    }
}

ToolStatus tool_inputs_explain(const ToolInput* inputs, int count, const char* described, ToolStatus status,
                               ToolMessage* message) {
    char text[TOOL_INPUTS_TEXT] = "";
    bool has_room = true;
    for (int i = 0; i < count && has_room; i++) {
        const ToolInput* input = &inputs[i];
        char item[MAX_ITEM], shape_text[TOOL_SHAPE_TEXT];
        if (input->path == NULL) continue; // there was none, or it was not reached
        const ToolShape none = {.dims = {input->strings.count}, .rank = 1};
        const ToolShape* shape = !input->is_strings         ? &input->array.shape
                                 : input->strings.has_shape ? &input->strings.shape
                                                            : &none;
        snprintf(item, sizeof item, "%d %.60s %s (%.80s)", i, input->path,
                 TfLiteTypeGetName(input->is_strings ? kTfLiteString : input->array.type),
                 tool_shape_text(shape, shape_text));
        has_room = add_item(text, item);
    }
    if (text[0]) tool_fail(message, status, "the files are %s", text);
    return tool_fail(message, status, "the model's inputs are %s", described[0] ? described : "none");
}
