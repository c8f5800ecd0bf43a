// SPDX-License-Identifier: Apache-2.0
#include "tools/select/collect.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/nearest.h"
#include "oclite/oclite.h"
#include "tools/common/options.h"
#include "tools/common/session.h"

enum { kTypeCount = kTfLiteFloat8E5M2 + 1 };

static SelectOp* find(const Selection* selection, int code, const char* name) {
    for (int i = 0; i < selection->count; i++) {
        SelectOp* op = &selection->ops[i];
        if (op->code == code && strcmp(op->name, name) == 0) return op;
    }
    return NULL;
}

// Finds the versions of an operator that the library has; returns false when it has none.
static bool known_versions(int code, const char* name, int* first, int* last) {
    bool found = false;
    for (int i = 0; i < oclite_operator_count(); i++) {
        const TfLiteRegistration* op = oclite_operator(i);
        if (op->builtin_code != code) continue;
        if (code == kTfLiteBuiltinCustom && strcmp(op->custom_name, name) != 0) continue;
        if (!found || op->version < *first) *first = op->version;
        if (!found || op->version > *last) *last = op->version;
        found = true;
    }
    return found;
}

// Adds an operator, or versions and types to an existing one.
static ToolStatus add(Selection* selection, const SelectOp* op, ToolMessage* message) {
    SelectOp* there = find(selection, op->code, op->name);
    if (there != NULL) {
        if (op->first < there->first) there->first = op->first;
        if (op->last > there->last) there->last = op->last;
        there->types |= op->types;
        return kToolOk;
    }
    SelectOp* grown = realloc(selection->ops, ((size_t)selection->count + 1) * sizeof(*grown));
    if (grown == NULL) return tool_out_of_memory(message);
    selection->ops = grown;
    SelectOp* added = &grown[selection->count];
    int first, last;
    *added = *op;
    added->is_known = known_versions(op->code, op->name, &first, &last);
    added->name = strdup(op->name);
    if (added->name == NULL) return tool_out_of_memory(message);
    selection->count++;
    return kToolOk;
}

static SelectTypes types_of(const TfLiteInterpreter* interpreter, int graph, const int* tensors, int count) {
    SelectTypes types = 0;
    for (int i = 0; i < count; i++) {
        const TfLiteTensor* tensor = oclite_interpreter_tensor(interpreter, graph, tensors[i]);
        if (tensor != NULL) types |= select_type(TfLiteTensorType(tensor));
    }
    return types;
}

static ToolStatus add_graph(Selection* selection, const TfLiteInterpreter* interpreter, int graph,
                            ToolMessage* message) {
    for (int t = 0; t < oclite_interpreter_tensor_count(interpreter, graph); t++) {
        selection->types |= types_of(interpreter, graph, &t, 1);
    }
    OcliteNode node;
    for (int n = 0; oclite_interpreter_node(interpreter, graph, n, &node) == kTfLiteOk; n++) {
        char* name = strdup(node.op);
        if (name == NULL) return tool_out_of_memory(message);
        const SelectOp op = {.name = name,
                             .code = node.builtin_code,
                             .first = node.version,
                             .last = node.version,
                             .types = types_of(interpreter, graph, node.inputs, node.input_count) |
                                      types_of(interpreter, graph, node.outputs, node.output_count)};
        const ToolStatus status = add(selection, &op, message);
        free(name);
        if (status != kToolOk) return status;
    }
    return kToolOk;
}

ToolStatus select_add_model(Selection* selection, const char* path, ToolMessage* message) {
    ToolSession session;
    const ToolSetup setup = {0};
    ToolStatus status = tool_session_open(path, &setup, &session, message);
    if (status != kToolOk) return tool_fail(message, status, "%s: its operators are not known", path);
    const int graphs = oclite_interpreter_subgraph_count(session.interpreter);
    for (int g = 0; g < graphs && status == kToolOk; g++) {
        status = add_graph(selection, session.interpreter, g, message);
    }
    tool_session_close(&session);
    return status;
}

// Returns the code of an operator. Builtin operators have upper case names in the format; custom operators
// may have any.
static int code_of(const char* name, const char** nearest) {
    for (int code = 0; oclite_operator_name(code) != NULL; code++) {
        if (strcmp(oclite_operator_name(code), name) == 0) return code;
        lite_nearest(name, oclite_operator_name(code), nearest);
    }
    return kTfLiteBuiltinCustom;
}

// Parses "2" or "1-3" after the colon.
static bool parse_versions(const char* text, SelectOp* op) {
    text = tool_parse_int(text, &op->first);
    op->last = op->first;
    if (text != NULL && *text == '-') text = tool_parse_int(text + 1, &op->last);
    return text != NULL && !*text && op->first >= 1 && op->last >= op->first;
}

static ToolStatus add_named(Selection* selection, char* text, ToolMessage* message) {
    // Names of custom operators may contain colons: only digits after a colon are versions.
    char* colon = strrchr(text, ':');
    const bool has_versions = colon != NULL && isdigit((unsigned char)colon[1]);
    if (has_versions) *colon = '\0';
    const char* nearest = NULL;
    SelectOp op = {.name = text, .first = 1, .last = 1};
    op.code = code_of(text, &nearest);
    int first = 1, last = 1;
    const bool is_known = known_versions(op.code, text, &first, &last);
    if (!*text) return tool_fail(message, kToolUsage, "--ops: an operator without a name");
    if (op.code != kTfLiteBuiltinCustom && !is_known)
        return tool_fail(message, kToolUsage, "--ops: there is no kernel for %s", text);
    // A custom operator may have such a name, too: with a version it is meant.
    if (op.code == kTfLiteBuiltinCustom && !is_known && !has_versions && nearest != NULL)
        return tool_fail(message, kToolUsage, "--ops: there is no operator '%s', perhaps %s was meant", text,
                         nearest);
    op.first = first;
    op.last = last;
    if (has_versions && !parse_versions(colon + 1, &op))
        return tool_fail(message, kToolUsage, "--ops: '%s' are no versions of %s like 2 or 1-3", colon + 1,
                         text);
    if (is_known && (op.first < first || op.last > last))
        return tool_fail(message, kToolUsage, "--ops: %s has versions %d to %d, not %d to %d", text, first,
                         last, op.first, op.last);
    return add(selection, &op, message);
}

static ToolStatus add_type(Selection* selection, char* text, ToolMessage* message) {
    for (int type = kTfLiteFloat32; type < kTypeCount; type++) {
        if (strcmp(TfLiteTypeGetName((TfLiteType)type), text) != 0) continue;
        selection->types |= select_type(type);
        return kToolOk;
    }
    return tool_fail(message, kToolUsage, "--types: there is no type '%s', expected FLOAT32, INT8, ...",
                     text);
}

// Calls `take` with each part of a list.
static ToolStatus split(Selection* selection, const char* list,
                        ToolStatus (*take)(Selection* selection, char* text, ToolMessage* message),
                        ToolMessage* message) {
    char* copy = strdup(list);
    if (copy == NULL) return tool_out_of_memory(message);
    ToolStatus status = kToolOk;
    char* rest = copy;
    while (rest != NULL && status == kToolOk) status = take(selection, strsep(&rest, ","), message);
    free(copy);
    return status;
}

ToolStatus select_add_ops(Selection* selection, const char* list, ToolMessage* message) {
    return split(selection, list, add_named, message);
}

ToolStatus select_add_types(Selection* selection, const char* list, ToolMessage* message) {
    return split(selection, list, add_type, message);
}

static int compare(const void* left, const void* right) {
    const SelectOp* a = left;
    const SelectOp* b = right;
    const bool is_custom = a->code == kTfLiteBuiltinCustom;
    if (is_custom != (b->code == kTfLiteBuiltinCustom)) return is_custom ? 1 : -1;
    return strcmp(a->name, b->name);
}

void select_sort(Selection* selection) {
    if (selection->count > 0) qsort(selection->ops, (size_t)selection->count, sizeof(SelectOp), compare);
}

void select_free(Selection* selection) {
    for (int i = 0; i < selection->count; i++) free(selection->ops[i].name);
    free(selection->ops);
    *selection = (Selection){0};
}

void select_print_types(FILE* stream, SelectTypes types, const char* separator) {
    for (int type = kTfLiteFloat32; type < kTypeCount; type++) {
        if (types & select_type(type))
            fprintf(stream, "%s%s", separator, TfLiteTypeGetName((TfLiteType)type));
    }
}
