// SPDX-License-Identifier: Apache-2.0
#include "tools/common/options.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/nearest.h"
#include "tools/common/session.h"

ToolOptionPlace tool_option(const ToolCommand* command, int index) {
    const ToolOption* option = command->options;
    for (; option != NULL && option->name != NULL; option++) {
        if (index-- == 0) return (ToolOptionPlace){option, option->offset};
    }
    for (option = tool_setup_options; command->has_setup && option->name != NULL; option++) {
        if (index-- == 0) return (ToolOptionPlace){option, command->setup_offset + option->offset};
    }
    return (ToolOptionPlace){0};
}

ToolOptionPlace tool_helped_option(const ToolCommand* command, int index) {
    ToolOptionPlace place = {0};
    for (int i = 0; (place = tool_option(command, i)).option != NULL; i++) {
        if (place.option->help != NULL && index-- == 0) break;
    }
    return place;
}

const char* tool_parse_int(const char* text, int* value) {
    char* end = NULL;
    errno = 0;
    const long number = strtol(text, &end, 10);
    if (end == text || errno || number < INT_MIN || number > INT_MAX) return NULL;
    *value = (int)number;
    return end;
}

static bool parse_resize(const char* text, ToolResize* resize) {
    const char* at = tool_parse_int(text, &resize->input);
    if (at == NULL || *at++ != '=') return false;
    resize->shape.rank = 0;
    if (!*at) return true;
    while (resize->shape.rank < TOOL_MAX_RANK) {
        at = tool_parse_int(at, &resize->shape.dims[resize->shape.rank++]);
        if (at == NULL) return false;
        if (!*at) return true;
        if (*at++ != 'x') return false;
    }
    return false;
}

ToolStatus tool_parse_resize(const char* text, ToolResize* resize, ToolMessage* message) {
    if (parse_resize(text, resize)) return kToolOk;
    return tool_fail(message, kToolUsage, "--resize: '%s' is not of the form 0=1x224x224x3", text);
}

// Parses a number of bytes, or of units: "512K", "64M", "2G".
static bool parse_bytes(const char* text, size_t* bytes) {
    static const char units[] = "KMG";
    char* end = NULL;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 10);
    if (end == text || *text == '-' || errno || number == 0) return false;
    const char* unit = *end ? strchr(units, *end) : NULL;
    if (*end && (unit == NULL || end[1])) return false;
    const int shift = unit != NULL ? 10 * (int)(unit - units + 1) : 0;
    *bytes = (size_t)number << shift;
    return *bytes >> shift == number;
}

static ToolStatus take_integer(const ToolOption* option, const char* text, int* value, ToolMessage* message) {
    const char* end = tool_parse_int(text, value);
    if (end != NULL && !*end && *value >= option->low) return kToolOk;
    return tool_fail(message, kToolUsage, "--%s: '%s' is not an integer of at least %.0f", option->name, text,
                     option->low);
}

static ToolStatus take_real(const ToolOption* option, const char* text, double* value, ToolMessage* message) {
    char* end = NULL;
    *value = strtod(text, &end);
    if (end != text && !*end && isfinite(*value) && *value >= option->low) return kToolOk;
    return tool_fail(message, kToolUsage, "--%s: '%s' is not a number of at least %g", option->name, text,
                     option->low);
}

static ToolStatus take_bytes(const ToolOption* option, const char* text, size_t* bytes,
                             ToolMessage* message) {
    if (parse_bytes(text, bytes)) return kToolOk;
    return tool_fail(message, kToolUsage, "--%s: '%s' is no size like 1000000, 512K, 64M or 2G", option->name,
                     text);
}

static ToolStatus take_flag(const ToolOption* option, const char* text, bool* value, ToolMessage* message) {
    *value = text == NULL || strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
    if (*value || strcmp(text, "false") == 0 || strcmp(text, "0") == 0) return kToolOk;
    return tool_fail(message, kToolUsage, "--%s: '%s' is neither true nor false", option->name, text);
}

static ToolStatus take_choice(const ToolOption* option, const char* text, const char** value,
                              ToolMessage* message) {
    const size_t length = strlen(text);
    for (const char* choice = option->choices; choice != NULL; choice = strchr(choice, '|')) {
        choice += *choice == '|';
        if (strncmp(choice, text, length) == 0 && (choice[length] == '|' || !choice[length])) {
            *value = text;
            return kToolOk;
        }
    }
    return tool_fail(message, kToolUsage, "--%s: '%s' is none of %s", option->name, text, option->choices);
}

static ToolStatus add_text(ToolList* list, const char* text, ToolMessage* message) {
    const char** items = realloc(list->items, ((size_t)list->count + 1) * sizeof(*items));
    if (items == NULL) return tool_out_of_memory(message);
    list->items = items;
    list->items[list->count++] = text;
    return kToolOk;
}

static ToolStatus take_value(ToolOptionPlace place, const char* text, void* settings, ToolMessage* message) {
    const ToolOption* option = place.option;
    void* field = (char*)settings + place.offset;
    if (option->kind == kToolFlag) return take_flag(option, text, field, message);
    if (option->kind == kToolCall) return option->take(settings, text, message);
    if (text == NULL) return tool_fail(message, kToolUsage, "--%s needs a value", option->name);
    switch (option->kind) {
    case kToolText:
    case kToolPath:
        *(const char**)field = text;
        return kToolOk;
    case kToolChoice:
        return take_choice(option, text, field, message);
    case kToolInteger:
        return take_integer(option, text, field, message);
    case kToolReal:
        return take_real(option, text, field, message);
    case kToolBytes:
        return take_bytes(option, text, field, message);
    case kToolTexts:
    case kToolPaths:
        return add_text(field, text, message);
    default:
        return kToolOk;
    }
}

// Compares names: '-' and '_' are equal, and the name ends at '=' or at the end of the text.
static bool is_name(const char* name, const char* text, size_t length) {
    if (name == NULL || strlen(name) != length) return false;
    for (size_t i = 0; i < length; i++) {
        const char c = text[i] == '-' ? '_' : text[i];
        if ((name[i] == '-' ? '_' : name[i]) != c) return false;
    }
    return true;
}

// "--name", "--alias", "-a"
static ToolOptionPlace find_option(const ToolCommand* command, const char* text) {
    const bool is_short = text[1] != '-';
    const char* name = text + (is_short ? 1 : 2);
    const size_t length = strcspn(name, "=");
    ToolOptionPlace place = {0};
    if (is_short && length != 1) return place;
    for (int i = 0; (place = tool_option(command, i)).option != NULL; i++) {
        if (is_name(place.option->alias, name, length)) break;
        if (!is_short && is_name(place.option->name, name, length)) break;
    }
    return place;
}

static ToolStatus fail_unknown(const ToolCommand* command, const char* text, ToolMessage* message) {
    char name[64];
    snprintf(name, sizeof(name), "%.*s", (int)strcspn(text, "="), text);
    const char* word = name + strspn(name, "-");
    const char* nearest = NULL;
    ToolOptionPlace place = {0};
    for (int i = 0; (place = tool_option(command, i)).option != NULL; i++) {
        lite_nearest(word, place.option->name, &nearest);
        if (place.option->alias != NULL && place.option->alias[1])
            lite_nearest(word, place.option->alias, &nearest);
    }
    return tool_fail(message, kToolUsage, "unknown option '%s'%s%s%s, see oclite %s --help", text,
                     nearest != NULL ? " (--" : "", nearest != NULL ? nearest : "",
                     nearest != NULL ? "?)" : "", command->name);
}

// Parses the option at *next and moves *next behind it and its value.
static ToolStatus take_option(const ToolCommand* command, int count, char** arguments, int* next,
                              void* settings, ToolMessage* message) {
    const char* text = arguments[(*next)++];
    const ToolOptionPlace place = find_option(command, text);
    if (place.option == NULL) return fail_unknown(command, text, message);
    const char* equals = strchr(text, '=');
    const char* value = equals != NULL ? equals + 1 : NULL;
    if (place.option->value != NULL && value == NULL) {
        if (*next == count) return tool_fail(message, kToolUsage, "%s needs a value", text);
        value = arguments[(*next)++];
    }
    if (value != NULL && place.option->value == NULL && place.option->kind != kToolFlag) {
        return tool_fail(message, kToolUsage, "--%s takes no value", place.option->name);
    }
    const ToolStatus status = take_value(place, value, settings, message);
    if (status != kToolOk || !command->has_given) return status;
    return add_text((void*)((char*)settings + command->given_offset), place.option->name, message);
}

static ToolStatus check_operands(const ToolCommand* command, const ToolList* operands, ToolMessage* message) {
    if (operands->count > command->max_operands) {
        return tool_fail(message, kToolUsage, "'%s' is one argument too many: oclite %s [OPTION]... %s",
                         operands->items[command->max_operands], command->name, command->operands);
    }
    if (operands->count >= command->min_operands) return kToolOk;
    return tool_fail(message, kToolUsage, "an argument is missing: oclite %s [OPTION]... %s", command->name,
                     command->operands);
}

ToolStatus tool_options_parse(const ToolCommand* command, int count, char** arguments, void* settings,
                              ToolList* operands, ToolMessage* message) {
    ToolStatus status = kToolOk;
    bool has_ended = false; // by "--"
    for (int next = 0; next < count && status == kToolOk;) {
        const char* text = arguments[next];
        if (!has_ended && strcmp(text, "--") == 0) {
            has_ended = true;
            next++;
        } else if (!has_ended && text[0] == '-' && text[1]) {
            status = take_option(command, count, arguments, &next, settings, message);
        } else {
            status = add_text(operands, text, message);
            next++;
        }
    }
    return status == kToolOk ? check_operands(command, operands, message) : status;
}

void tool_options_free(const ToolCommand* command, void* settings, ToolList* operands) {
    ToolOptionPlace place = {0};
    for (int i = 0; (place = tool_option(command, i)).option != NULL; i++) {
        if (place.option->kind != kToolTexts && place.option->kind != kToolPaths) continue;
        ToolList* list = (void*)((char*)settings + place.offset);
        free(list->items);
        *list = (ToolList){0};
    }
    if (command->has_given) {
        ToolList* given = (void*)((char*)settings + command->given_offset);
        free(given->items);
        *given = (ToolList){0};
    }
    free(operands->items);
    *operands = (ToolList){0};
}
