// SPDX-License-Identifier: Apache-2.0
#include "tools/bench/inputs.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tools/common/options.h"

// Returns the first `separator` that is not doubled (two stand for the character itself); NULL when there is
// none.
static const char* find_separator(const char* text, char separator) {
    const char* found = strchr(text, separator);
    while (found != NULL && found[1] == separator) found = strchr(found + 2, separator);
    return found;
}

// Returns a copy of the text up to `separator` or the end. *text moves behind the separator, or becomes NULL
// at the end.
static char* take_item(const char** text, char separator, bool may_be_doubled) {
    if (*text == NULL) return strdup("");
    const char* end = may_be_doubled ? find_separator(*text, separator) : strchr(*text, separator);
    char* item = end != NULL ? strndup(*text, (size_t)(end - *text)) : strdup(*text);
    *text = end != NULL ? end + 1 : NULL;
    return item;
}

static int count_items(const char* text, char separator) {
    int count = text != NULL && *text ? 1 : 0;
    for (; count > 0 && *text; text++) count += *text == separator;
    return count;
}

static ToolStatus parse_shape(const char* text, ToolShape* shape, ToolMessage* message) {
    const char* at = text;
    shape->rank = 0;
    while (*at) {
        if (shape->rank == TOOL_MAX_RANK) break;
        at = tool_parse_int(at, &shape->dims[shape->rank]);
        if (at == NULL || shape->dims[shape->rank] < 0 || (*at && *at != ',')) {
            return tool_fail(message, kToolUsage,
                             "--input_layer_shape: '%s' is not of the form 1,224,224,3 with the sizes to use",
                             text);
        }
        shape->rank++;
        if (!*at) return kToolOk;
        at++;
    }
    if (!*text) return kToolOk;
    return tool_fail(message, kToolUsage, "--input_layer_shape: '%s' is not of the form 1,224,224,3", text);
}

static BenchLayer* find_layer(const BenchInputs* inputs, const char* name) {
    for (int i = 0; i < inputs->count; i++) {
        if (strcmp(inputs->layers[i].name, name) == 0) return &inputs->layers[i];
    }
    return NULL;
}

static ToolStatus no_layer(const BenchInputs* inputs, const char* option, const char* name,
                           ToolMessage* message) {
    return tool_fail(message, kToolFile, "%s: there is no input '%s'%s%s", option, name,
                     inputs->count > 0 ? "; the first is " : "",
                     inputs->count > 0 ? inputs->layers[0].name : "");
}

static void undouble(char* text, char separator) {
    char* to = text;
    for (const char* from = text; *from; from++) {
        if (*from == separator && from[1] == separator) from++;
        *to++ = *from;
    }
    *to = '\0';
}

// Parses NAME,LOW,HIGH. The name may contain commas, and "::" for a colon.
static ToolStatus parse_range(BenchInputs* inputs, char* item, ToolMessage* message) {
    static const char option[] = "--input_layer_value_range";
    undouble(item, ':');
    char* high_text = strrchr(item, ',');
    if (high_text != NULL) *high_text++ = '\0';
    char* low_text = high_text != NULL ? strrchr(item, ',') : NULL;
    if (low_text != NULL) *low_text++ = '\0';
    char* low_end = NULL;
    char* high_end = NULL;
    const double low = low_text != NULL ? strtod(low_text, &low_end) : 0;
    const double high = high_text != NULL ? strtod(high_text, &high_end) : 0;
    if (low_text == NULL || low_end == low_text || *low_end || high_end == high_text || *high_end ||
        !(low <= high) || !(high - low < 1e300)) {
        return tool_fail(message, kToolUsage, "%s: '%s%s%s%s%s' is not of the form NAME,LOW,HIGH", option,
                         item, low_text != NULL ? "," : "", low_text != NULL ? low_text : "",
                         high_text != NULL ? "," : "", high_text != NULL ? high_text : "");
    }
    BenchLayer* layer = find_layer(inputs, item);
    if (layer == NULL) return no_layer(inputs, option, item, message);
    layer->has_range = true;
    layer->range = (ToolRange){low, high};
    return kToolOk;
}

// Parses NAME:FILE, where "::" stands for a ':' of either.
static ToolStatus parse_file(BenchInputs* inputs, char* item, ToolMessage* message) {
    static const char option[] = "--input_layer_value_files";
    char* file = (char*)(uintptr_t)find_separator(item, ':');
    if (file != NULL) *file++ = '\0';
    if (file != NULL) undouble(file, ':');
    undouble(item, ':');
    if (file == NULL || !*file) {
        return tool_fail(message, kToolUsage, "%s: '%s' is not of the form NAME:FILE", option, item);
    }
    BenchLayer* layer = find_layer(inputs, item);
    if (layer == NULL) return no_layer(inputs, option, item, message);
    free(layer->file);
    layer->file = strdup(file);
    return layer->file != NULL ? kToolOk : tool_out_of_memory(message);
}

static ToolStatus parse_each(BenchInputs* inputs, const char* text, char separator,
                             ToolStatus (*parse)(BenchInputs* inputs, char* item, ToolMessage* message),
                             ToolMessage* message) {
    ToolStatus status = kToolOk;
    while (status == kToolOk && text != NULL && *text) {
        char* item = take_item(&text, separator, separator == ':');
        status = item != NULL ? parse(inputs, item, message) : tool_out_of_memory(message);
        free(item);
    }
    return status;
}

static ToolStatus parse_names(BenchInputs* inputs, const char* names, const char* shapes,
                              ToolMessage* message) {
    const bool has_shapes = shapes != NULL && *shapes;
    for (int i = 0; i < inputs->count; i++) {
        BenchLayer* layer = &inputs->layers[i];
        layer->name = take_item(&names, ',', false);
        if (layer->name == NULL) return tool_out_of_memory(message);
        if (!has_shapes) continue;
        char* shape = take_item(&shapes, ':', false);
        if (shape == NULL) return tool_out_of_memory(message);
        layer->has_shape = true;
        const ToolStatus status = parse_shape(shape, &layer->shape, message);
        free(shape);
        if (status != kToolOk) return status;
    }
    return kToolOk;
}

static ToolStatus copy_names(BenchInputs* inputs, const char* const* known, ToolMessage* message) {
    for (int i = 0; i < inputs->count; i++) {
        inputs->layers[i].name = strdup(known[i]);
        if (inputs->layers[i].name == NULL) return tool_out_of_memory(message);
    }
    return kToolOk;
}

// The reference assigns layers in the order of the model's inputs, whatever their names. When all names are
// those of inputs, the layers are assigned by name.
static void order_by_name(BenchInputs* inputs, const char* const* known) {
    for (int i = 0; i < inputs->count; i++) {
        if (find_layer(inputs, known[i]) == NULL) return;
    }
    for (int i = 0; i < inputs->count; i++) {
        BenchLayer* layer = find_layer(inputs, known[i]);
        if (layer < &inputs->layers[i]) continue; // two inputs have the same name
        const BenchLayer other = inputs->layers[i];
        inputs->layers[i] = *layer;
        *layer = other;
    }
}

ToolStatus bench_inputs_parse(const char* names, const char* shapes, const char* ranges, const char* files,
                              const char* const* known, int count, BenchInputs* inputs,
                              ToolMessage* message) {
    const int name_count = count_items(names, ',');
    const int shape_count = count_items(shapes, ':');
    *inputs = (BenchInputs){.layers = calloc((size_t)count + 1, sizeof(BenchLayer)), .count = count};
    if (inputs->layers == NULL) return tool_out_of_memory(message);
    if (shape_count > 0 && shape_count != name_count) {
        return tool_fail(message, kToolUsage,
                         "--input_layer_shape has %d shapes and --input_layer %d names, as in "
                         "--input_layer=a,b --input_layer_shape=1,224,224,3:1,20",
                         shape_count, name_count);
    }
    if (name_count > 0 && name_count != count) {
        return tool_fail(message, kToolFile, "--input_layer has %d names, but the model has %d inputs",
                         name_count, count);
    }
    ToolStatus status =
        name_count > 0 ? parse_names(inputs, names, shapes, message) : copy_names(inputs, known, message);
    if (status == kToolOk && name_count > 0) order_by_name(inputs, known);
    if (status == kToolOk) status = parse_each(inputs, ranges, ':', parse_range, message);
    if (status == kToolOk) status = parse_each(inputs, files, ',', parse_file, message);
    return status;
}

void bench_inputs_free(BenchInputs* inputs) {
    for (int i = 0; inputs->layers != NULL && i < inputs->count; i++) {
        free(inputs->layers[i].name);
        free(inputs->layers[i].file);
    }
    free(inputs->layers);
    *inputs = (BenchInputs){0};
}
