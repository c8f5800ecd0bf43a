// SPDX-License-Identifier: Apache-2.0
// Which operator implements a node: the user's, then what the user's resolver finds, then the library's.
#include "core/graph/resolver.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/graph/graph.h"
#include "core/graph/node.h"
#include "core/graph/subgraph.h"

static bool same_operator(const LiteOperatorEntry* entry, const LiteModelOperator* source) {
    if (entry->builtin_code != source->builtin_code) return false;
    if (source->builtin_code != kTfLiteBuiltinCustom) return true;
    return entry->custom_name != NULL && strcmp(entry->custom_name, source->custom_name) == 0;
}

static const TfLiteOperator* find_of_library(const LiteModelOperator* source) {
    return source->builtin_code == kTfLiteBuiltinCustom
               ? lite_registry_find_custom(source->custom_name, source->version)
               : lite_registry_find_builtin(source->builtin_code, source->version);
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
    const TfLiteOperator* op = find_of_library(source);
    if (op == NULL) return false;
    *found = (TfLiteRegistration){.registration_external = (TfLiteOperator*)op};
    return true;
}

// A message under construction: what does not fit is left out.
typedef struct Text {
    char data[1000];
    size_t used;
} Text;

LITE_PRINTF(2, 3) static void append(Text* text, const char* format, ...) {
    va_list args;
    va_start(args, format);
    const size_t room = sizeof text->data - text->used;
    const int written = vsnprintf(text->data + text->used, room, format, args);
    va_end(args);
    if (written > 0) text->used += (size_t)written < room ? (size_t)written : room - 1;
}

static void append_place(Text* text, const LiteSubgraph* subgraph, const LiteModelOperator* source) {
    append(text, "Node %d of subgraph %d", (int)(source - subgraph->source->operators), subgraph->index);
    if (lite_subgraph_name(subgraph)[0] != '\0') append(text, " ('%.80s')", lite_subgraph_name(subgraph));
    append(text, " needs version %d. ", source->version);
}

// The versions in which a builtin operator would have been found.
static void append_versions(Text* text, const LiteModelOperator* source,
                            const LiteInterpreterOptions* options) {
    int first, last;
    const size_t before = text->used;
    if (!options->selected_operators_only && lite_registry_versions(source->builtin_code, &first, &last)) {
        append(text, "The library has versions %d to %d. ", first, last);
    }
    for (int i = 0; i < options->operator_count; i++) {
        const LiteOperatorEntry* entry = &options->operators[i];
        if (!same_operator(entry, source)) continue;
        append(text, "A registered one serves versions %d to %d. ", entry->first_version,
               entry->last_version);
    }
    if (text->used == before && options->selected_operators_only) {
        append(text, "It is not among the operators given, and the library's were not asked for. ");
    } else if (text->used == before && !lite_registry_is_whole()) {
        append(text, "This library was built for selected operators, and it is none of them. ");
    } else if (text->used == before) {
        append(text, "The library has no kernel for this operator. ");
    }
}

static TfLiteStatus fail_builtin(LiteSubgraph* subgraph, const LiteModelOperator* source,
                                 const LiteInterpreterOptions* options) {
    Text text = {.used = 0};
    append(&text,
           "Didn't find op for builtin opcode '%s' version '%d'. An older version of this builtin might be "
           "supported. Are you using an old TFLite binary with a newer model?\n",
           lite_operator_name(source->builtin_code), source->version);
    append_place(&text, subgraph, source);
    append_versions(&text, source, options);
    append(&text, "Convert the model with a target of these versions, or add the operator "
                  "(TfLiteInterpreterOptionsAddBuiltinOp).");
    lite_subgraph_fail(subgraph, "%s", text.data);
    return lite_subgraph_fail(subgraph, "Registration failed.");
}

// A spelling of the name in which the program's resolver or the library would have found it.
static const char* other_spelling(const LiteModelOperator* source, const LiteInterpreterOptions* options,
                                  char* name, size_t size) {
    static int (*const spell[])(int character) = {toupper, tolower};
    LiteModelOperator other = *source;
    other.custom_name = name;
    // ATAN, Atan, aTAN, atan.
    for (int i = 0; i < 4 && strlen(source->custom_name) < size; i++) {
        const char* from = source->custom_name;
        for (size_t at = 0; at <= strlen(from); at++) {
            name[at] = (char)spell[at == 0 ? i / 2 : i % 2]((unsigned char)from[at]);
        }
        TfLiteRegistration found = {0};
        if (strcmp(name, from) != 0 && find_registration(&other, options, &found)) return name;
    }
    return NULL;
}

static void append_near_miss(Text* text, const LiteModelOperator* source,
                             const LiteInterpreterOptions* options) {
    const char* wanted = source->custom_name;
    const char* near = NULL;
    for (int i = 0; i < options->operator_count; i++) {
        const LiteOperatorEntry* entry = &options->operators[i];
        if (entry->custom_name == NULL || strcasecmp(entry->custom_name, wanted) != 0) continue;
        if (strcmp(entry->custom_name, wanted) == 0) {
            append(text, "The one registered under this name serves versions %d to %d. ",
                   entry->first_version, entry->last_version);
            return;
        }
        near = entry->custom_name;
    }
    char spelling[128];
    if (near == NULL) near = other_spelling(source, options, spelling, sizeof spelling);
    if (near != NULL) {
        append(text, "There is a registered operator '%.100s': names are case-sensitive. ", near);
    }
}

// The message for an unresolved custom operator that is to be run: what is wrong, and the cure. NULL: out of
// memory.
static const char* explain_custom(LiteSubgraph* subgraph, const LiteModelOperator* source,
                                  const LiteInterpreterOptions* options) {
    Text text = {.used = 0};
    if (strncmp(source->custom_name, "Flex", 4) == 0) {
        append(&text, "Select TensorFlow op(s), included in the given model, is(are) not supported by this "
                      "interpreter. Make sure you apply/link the Flex delegate before inference. For the "
                      "Android, it can be resolved by adding "
                      "\"org.tensorflow:tensorflow-lite-select-tf-ops\" dependency. See instructions: "
                      "https://www.tensorflow.org/lite/guide/ops_select\n");
    } else {
        append(&text,
               "Encountered unresolved custom op: %.200s.\nSee instructions: "
               "https://www.tensorflow.org/lite/guide/ops_custom \n",
               source->custom_name);
    }
    append_place(&text, subgraph, source);
    append_near_miss(&text, source, options);
    if (!lite_registry_is_whole()) append(&text, "This library was built for selected operators. ");
    append(&text,
           "Register '%.100s' before the interpreter is created "
           "(TfLiteInterpreterOptionsAddOperator), or apply a delegate that runs it.",
           source->custom_name);
    char* hint = lite_arena_alloc(&subgraph->arena, text.used + 1, 1);
    if (hint != NULL) memcpy(hint, text.data, text.used + 1);
    return hint;
}

// Those that a node of the same operator has got. A model has few operators; one that has many is not to be
// searched from end to end for each node.
static LiteMethods* find_methods(const LiteSubgraph* subgraph, const LiteModelOperator* source) {
    enum { kMost = 32 };
    LiteMethods* methods = subgraph->methods;
    for (int i = 0; i < kMost && methods != NULL; i++, methods = methods->next) {
        const TfLiteRegistration* found = &methods->registration;
        if (found->builtin_code == (int32_t)source->builtin_code && found->version == source->version &&
            found->custom_name == source->custom_name) {
            return methods;
        }
    }
    return NULL;
}

TfLiteStatus lite_resolve(LiteSubgraph* subgraph, LiteNode* node, const LiteInterpreterOptions* options) {
    const LiteModelOperator* source = node->source;
    node->methods = find_methods(subgraph, source);
    node->resolved = node->methods != NULL;
    if (node->resolved) return kTfLiteOk;
    LiteMethods* methods = lite_arena_alloc(&subgraph->arena, 1, sizeof *methods);
    if (methods == NULL) return lite_subgraph_fail(subgraph, "out of memory");
    TfLiteRegistration found = {0};
    node->resolved = find_registration(source, options, &found);
    if (!node->resolved) {
        if (source->builtin_code != kTfLiteBuiltinCustom) return fail_builtin(subgraph, source, options);
        methods->hint = explain_custom(subgraph, source, options);
        if (methods->hint == NULL) return lite_subgraph_fail(subgraph, "out of memory");
        found = (TfLiteRegistration){0};
    }
    methods->is_library =
        found.registration_external != NULL && found.registration_external == find_of_library(source);
    // The node keeps the model's name: an operator may be registered under another name than its own.
    found.builtin_code = source->builtin_code;
    found.custom_name = source->custom_name;
    found.version = source->version;
    lite_node_fill_methods(methods, &found);
    node->methods = methods;
    if (!node->resolved) return kTfLiteOk; // what it says names the node
    methods->next = subgraph->methods;
    subgraph->methods = methods;
    return kTfLiteOk;
}
