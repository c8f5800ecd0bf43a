// SPDX-License-Identifier: Apache-2.0
#include "tools/arguments.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclite/oclite.h"

bool tool_argument_is(ToolArguments* arguments, const char* name) {
    if (arguments->next == arguments->count || strcmp(arguments->items[arguments->next], name) != 0)
        return false;
    ++arguments->next;
    return true;
}

const char* tool_argument_value(ToolArguments* arguments, const char* name, ToolMessage* message) {
    if (arguments->next < arguments->count) return arguments->items[arguments->next++];
    tool_fail(message, kToolUsage, "%s needs a value", name);
    return NULL;
}

// Reads an int and returns what follows it; NULL when there is none.
static const char* parse_int(const char* text, int* value) {
    char* end = NULL;
    errno = 0;
    const long number = strtol(text, &end, 10);
    if (end == text || errno || number < INT_MIN || number > INT_MAX) return NULL;
    *value = (int)number;
    return end;
}

bool tool_argument_integer(ToolArguments* arguments, const char* name, int low, int* value,
                           ToolMessage* message) {
    const char* text = tool_argument_value(arguments, name, message);
    if (!text) return false;
    const char* end = parse_int(text, value);
    if (end && !*end && *value >= low) return true;
    tool_fail(message, kToolUsage, "%s: '%s' is not an integer of at least %d", name, text, low);
    return false;
}

static bool parse_resize(const char* text, ToolResize* resize) {
    const char* at = parse_int(text, &resize->input);
    if (!at || *at++ != '=') return false;
    resize->shape.rank = 0;
    if (!*at) return true;
    while (resize->shape.rank < TOOL_MAX_RANK) {
        at = parse_int(at, &resize->shape.dims[resize->shape.rank++]);
        if (!at) return false;
        if (!*at) return true;
        if (*at++ != 'x') return false;
    }
    return false;
}

bool tool_argument_resize(ToolArguments* arguments, ToolResize* resize, ToolMessage* message) {
    const char* text = tool_argument_value(arguments, "--resize", message);
    if (!text) return false;
    if (parse_resize(text, resize)) return true;
    tool_fail(message, kToolUsage, "--resize: '%s' is not of the form 0=1x224x224x3", text);
    return false;
}

// A number of bytes, or of units: "512K", "64M", "2G".
static bool parse_bytes(const char* text, size_t* bytes) {
    static const char units[] = "KMG";
    char* end = NULL;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 10);
    if (end == text || *text == '-' || errno || number == 0) return false;
    const char* unit = *end ? strchr(units, *end) : NULL;
    if (*end && (!unit || end[1])) return false;
    const int shift = unit ? 10 * (int)(unit - units + 1) : 0;
    *bytes = (size_t)number << shift;
    return *bytes >> shift == number;
}

static bool take_memory_limit(ToolArguments* arguments, size_t* bytes, ToolMessage* message) {
    const char* text = tool_argument_value(arguments, "--memory-limit", message);
    if (!text) return false;
    if (parse_bytes(text, bytes)) return true;
    tool_fail(message, kToolUsage, "--memory-limit: '%s' is no size like 1000000, 512K, 64M or 2G", text);
    return false;
}

// The path is the process's, not one model's: it is chosen at once.
static ToolStatus take_cpu_path(ToolArguments* arguments, ToolMessage* message) {
    const char* name = tool_argument_value(arguments, "--cpu", message);
    if (!name) return kToolUsage;
    if (oclite_set_cpu_path(name) == kTfLiteOk) return kToolOk;
    char known[128] = "";
    for (int i = 0; oclite_available_cpu_path(i); ++i) {
        const size_t length = strlen(known);
        snprintf(known + length, sizeof(known) - length, "%s%s", i > 0 ? ", " : "",
                 oclite_available_cpu_path(i));
    }
    return tool_fail(message, kToolUsage, "--cpu: '%s' is none of those here: %s", name, known);
}

ToolStatus tool_argument_setup(ToolArguments* arguments, ToolSetup* setup, bool* matched,
                               ToolMessage* message) {
    *matched = true;
    if (tool_argument_is(arguments, "--delegate")) {
        setup->delegate = tool_argument_value(arguments, "--delegate", message);
        return setup->delegate ? kToolOk : kToolUsage;
    }
    if (tool_argument_is(arguments, "--threads")) {
        return tool_argument_integer(arguments, "--threads", 1, &setup->threads, message) ? kToolOk
                                                                                          : kToolUsage;
    }
    if (tool_argument_is(arguments, "--memory-limit")) {
        return take_memory_limit(arguments, &setup->memory_limit, message) ? kToolOk : kToolUsage;
    }
    if (tool_argument_is(arguments, "--cpu")) return take_cpu_path(arguments, message);
    *matched = false;
    return kToolOk;
}

ToolStatus tool_argument_model(ToolArguments* arguments, const char** model, ToolMessage* message) {
    const char* text = arguments->items[arguments->next++];
    if (text[0] == '-' && text[1] != '\0') return tool_fail(message, kToolUsage, "unknown option '%s'", text);
    if (*model) return tool_fail(message, kToolUsage, "'%s': there is a model already, '%s'", text, *model);
    *model = text;
    return kToolOk;
}
