// SPDX-License-Identifier: Apache-2.0
// Which operator implements a node: the user's, then what the user's resolver finds, then the library's.
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/graph/graph.h"

static bool same_operator(const LiteOperatorEntry* entry, const LiteModelOperator* source) {
    if (entry->builtin_code != source->builtin_code) return false;
    if (source->builtin_code != kTfLiteBuiltinCustom) return true;
    return entry->custom_name != NULL && strcmp(entry->custom_name, source->custom_name) == 0;
}

static bool find_registration(const LiteModelOperator* source, const LiteInterpreterOptions* options,
                              TfLiteRegistration* found) {
    // The last one added wins, so that a user can override what a helper registered before.
    for (int i = options->operator_count - 1; i >= 0; i--) {
        const LiteOperatorEntry* entry = &options->operators[i];
        if (!same_operator(entry, source)) continue;
        if (source->version < entry->first_version || source->version > entry->last_version) continue;
        *found = entry->registration;
        return true;
    }
    if (options->resolve != NULL && options->resolve(options->resolve_data, source->builtin_code,
                                                     source->custom_name, source->version, found)) {
        return true;
    }
    if (options->selected_operators_only) return false;
    const TfLiteOperator* op = source->builtin_code == kTfLiteBuiltinCustom
                                   ? lite_registry_find_custom(source->custom_name, source->version)
                                   : lite_registry_find_builtin(source->builtin_code, source->version);
    if (op == NULL) return false;
    *found = (TfLiteRegistration){.registration_external = (TfLiteOperator*)op};
    return true;
}

// Writes the versions in which a builtin operator would have been found.
static void accepted_versions(const LiteModelOperator* source, const LiteInterpreterOptions* options,
                              char* text, size_t size) {
    int first, last;
    size_t used = 0;
    text[0] = '\0';
    if (!options->selected_operators_only && lite_registry_versions(source->builtin_code, &first, &last)) {
        used = (size_t)snprintf(text, size, " Versions %d to %d are accepted.", first, last);
    }
    for (int i = 0; i < options->operator_count && used < size; i++) {
        const LiteOperatorEntry* entry = &options->operators[i];
        if (!same_operator(entry, source)) continue;
        used += (size_t)snprintf(text + used, size - used, " A registered one accepts %d to %d.",
                                 entry->first_version, entry->last_version);
    }
    if (used == 0) snprintf(text, size, " There is no kernel for this operator.");
}

// How to cure an unresolved custom operator. NULL: out of memory.
static const char* make_hint(LiteArena* arena, const LiteModelOperator* source,
                             const LiteInterpreterOptions* options) {
    char text[512];
    int used = 0;
    for (int i = 0; i < options->operator_count && used == 0; i++) {
        const LiteOperatorEntry* entry = &options->operators[i];
        const char* name = entry->custom_name;
        if (name == NULL || strcasecmp(name, source->custom_name) != 0) continue;
        if (strcmp(name, source->custom_name) == 0) {
            used = snprintf(text, sizeof text,
                            "The one registered under this name serves versions %d to %d, the model asks for "
                            "version %d. ",
                            entry->first_version, entry->last_version, source->version);
        } else {
            used = snprintf(text, sizeof text,
                            "There is a registered operator '%s': names are case-sensitive. ", name);
        }
    }
    if (used < 0 || used >= (int)sizeof text) used = 0;
    snprintf(
        text + used, sizeof text - (size_t)used,
        "Register it before the interpreter is created (TfLiteInterpreterOptionsAddOperator), or apply a "
        "delegate that runs it");
    char* hint = lite_arena_alloc(arena, strlen(text) + 1, 1);
    if (hint != NULL) strcpy(hint, text);
    return hint;
}

TfLiteStatus lite_resolve(LiteSubgraph* subgraph, LiteNode* node, const LiteInterpreterOptions* options) {
    const LiteModelOperator* source = node->source;
    TfLiteRegistration found = {0};
    node->resolved = find_registration(source, options, &found);
    if (!node->resolved) {
        if (source->builtin_code != kTfLiteBuiltinCustom) {
            char versions[160];
            accepted_versions(source, options, versions, sizeof versions);
            lite_subgraph_fail(subgraph, "Didn't find op for builtin opcode '%s' version '%d'.%s",
                               lite_operator_name(source->builtin_code), source->version, versions);
            return lite_subgraph_fail(subgraph, "Registration failed.");
        }
        node->hint = make_hint(&subgraph->arena, source, options);
        if (node->hint == NULL) return lite_subgraph_fail(subgraph, "out of memory");
        found = (TfLiteRegistration){0};
    }
    // Names are the model's: that under which an operator was registered need not be its own.
    found.builtin_code = source->builtin_code;
    found.custom_name = source->custom_name;
    found.version = source->version;
    lite_node_set_registration(node, &found);
    return kTfLiteOk;
}
