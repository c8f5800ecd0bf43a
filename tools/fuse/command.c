// SPDX-License-Identifier: Apache-2.0
// oclite fuse: replaces nodes of a model by one custom operator.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclite/edit.h"
#include "tools/commands.h"
#include "tools/common/file.h"
#include "tools/common/options.h"
#include "tools/fuse/options.h"

typedef struct Fuse {
    const char* ops;
    ToolList from;
    ToolList to;
    ToolList outputs;
    int subgraph;
    const char* name;
    int version;
    const char* options;
    bool first;
    const char* out;
    // What was found.
    OcliteEdit* edit;
    int* nodes;
    int group_size;
    int groups;
} Fuse;

static ToolStatus fail_edit(ToolMessage* message) {
    return tool_fail(message, kToolFile, "%s", oclite_edit_last_error());
}

// A list of names. One text may contain several, separated by commas.
typedef struct Names {
    char* storage;
    const char** items;
    int count;
} Names;

static void free_names(Names* names) {
    free(names->items);
    free(names->storage);
}

static bool split(const char* text, Names* names) {
    size_t count = 1;
    for (const char* at = text; *at; at++) count += *at == ',';
    *names = (Names){strdup(text), calloc(count, sizeof(char*)), 0};
    if (names->storage == NULL || names->items == NULL) return false;
    char* rest = names->storage;
    for (char* name = strsep(&rest, ","); name != NULL; name = strsep(&rest, ","))
        names->items[names->count++] = name;
    return true;
}

// Finds a tensor by its name or, when none has it, by its index; -1 when there is none.
static int find_tensor(const Fuse* fuse, const char* text) {
    int number = -1;
    OcliteEditTensor tensor;
    const int named = oclite_edit_find_tensor(fuse->edit, fuse->subgraph, text);
    if (named >= 0) return named;
    const char* end = text[0] >= '0' && text[0] <= '9' ? tool_parse_int(text, &number) : NULL;
    if (end == NULL || *end) return -1;
    return oclite_edit_tensor(fuse->edit, fuse->subgraph, number, &tensor) == kTfLiteOk ? number : -1;
}

typedef struct Tensors {
    int* items;
    int count;
} Tensors;

static ToolStatus add_tensor(const Fuse* fuse, const char* text, Tensors* tensors, ToolMessage* message) {
    const int tensor = find_tensor(fuse, text);
    if (tensor < 0) return fail_edit(message);
    int* items = realloc(tensors->items, ((size_t)tensors->count + 1) * sizeof(int));
    if (items == NULL) return tool_out_of_memory(message);
    tensors->items = items;
    items[tensors->count++] = tensor;
    return kToolOk;
}

// Adds the tensors that a text names. A name may contain commas itself, so the whole text is tried first.
static ToolStatus add_tensors(const Fuse* fuse, const char* text, Tensors* tensors, ToolMessage* message) {
    if (strchr(text, ',') == NULL || find_tensor(fuse, text) >= 0)
        return add_tensor(fuse, text, tensors, message);
    Names names = {0};
    ToolStatus status = split(text, &names) ? kToolOk : tool_out_of_memory(message);
    for (int i = 0; status == kToolOk && i < names.count; i++) {
        status = add_tensor(fuse, names.items[i], tensors, message);
    }
    free_names(&names);
    return status;
}

static ToolStatus find_tensors(const Fuse* fuse, const ToolList* texts, Tensors* tensors,
                               ToolMessage* message) {
    ToolStatus status = kToolOk;
    for (int i = 0; status == kToolOk && i < texts->count; i++) {
        status = add_tensors(fuse, texts->items[i], tensors, message);
    }
    return status;
}

static ToolStatus set_outputs(Fuse* fuse, ToolMessage* message) {
    Tensors tensors = {0};
    if (!fuse->outputs.count) return kToolOk;
    ToolStatus status = find_tensors(fuse, &fuse->outputs, &tensors, message);
    if (status == kToolOk &&
        oclite_edit_set_outputs(fuse->edit, fuse->subgraph, tensors.items, tensors.count) != kTfLiteOk) {
        status = fail_edit(message);
    }
    free(tensors.items);
    return status;
}

// ---- Finding ----

static ToolStatus take_nodes(Fuse* fuse, int group_size, int groups, ToolMessage* message) {
    fuse->group_size = group_size;
    fuse->groups = groups;
    fuse->nodes = calloc((size_t)group_size * (size_t)groups + 1, sizeof(int));
    return fuse->nodes != NULL ? kToolOk : tool_out_of_memory(message);
}

// Returns the node that has this operator and reads what `node` writes, through *tensor; -1 when there is
// none.
static int find_reader(const Fuse* fuse, int node_count, int node, const char* op, int* tensor) {
    OcliteEditNode maker, reader;
    if (oclite_edit_node(fuse->edit, fuse->subgraph, node, &maker) != kTfLiteOk) return -1;
    for (int i = 0; i < node_count; i++) {
        if (oclite_edit_node(fuse->edit, fuse->subgraph, i, &reader) != kTfLiteOk) return -1;
        if (strcmp(reader.op, op) != 0) continue;
        for (int j = 0; j < reader.input_count * maker.output_count; j++) {
            *tensor = maker.outputs[j % maker.output_count];
            if (reader.inputs[j / maker.output_count] == *tensor) return i;
        }
    }
    return -1;
}

static bool is_needed_elsewhere(const Fuse* fuse, const OcliteEditSubgraph* graph, int tensor, int reader) {
    OcliteEditNode node;
    for (int i = 0; i < graph->output_count; i++) {
        if (graph->outputs[i] == tensor) return true;
    }
    for (int i = 0; i < graph->node_count; i++) {
        if (i == reader || oclite_edit_node(fuse->edit, fuse->subgraph, i, &node) != kTfLiteOk) continue;
        for (int j = 0; j < node.input_count; j++) {
            if (node.inputs[j] == tensor) return true;
        }
    }
    return false;
}

// Explains where two operators of the chain follow each other, but another node needs the tensor between
// them.
static void print_near_miss(const Fuse* fuse, const Names* ops) {
    OcliteEditSubgraph graph;
    OcliteEditNode node;
    int tensor;
    if (oclite_edit_subgraph(fuse->edit, fuse->subgraph, &graph) != kTfLiteOk) return;
    for (int k = 0; k + 1 < ops->count; k++) {
        for (int i = 0; i < graph.node_count; i++) {
            if (oclite_edit_node(fuse->edit, fuse->subgraph, i, &node) != kTfLiteOk) return;
            if (strcmp(node.op, ops->items[k]) != 0) continue;
            const int reader = find_reader(fuse, graph.node_count, i, ops->items[k + 1], &tensor);
            if (reader < 0 || !is_needed_elsewhere(fuse, &graph, tensor, reader)) continue;
            printf("#%d %s and #%d %s are none because tensor %d is needed elsewhere, too\n", i,
                   ops->items[k], reader, ops->items[k + 1], tensor);
            return;
        }
    }
}

static ToolStatus find_chains(Fuse* fuse, const Names* ops, ToolMessage* message) {
    const int found = oclite_edit_find_chains(fuse->edit, fuse->subgraph, ops->items, ops->count, NULL, 0);
    if (found < 0) return fail_edit(message);
    const ToolStatus status = take_nodes(fuse, ops->count, fuse->first && found > 1 ? 1 : found, message);
    if (status != kToolOk) return status;
    oclite_edit_find_chains(fuse->edit, fuse->subgraph, ops->items, ops->count, fuse->nodes, fuse->groups);
    if (found == 0) print_near_miss(fuse, ops);
    return kToolOk;
}

static ToolStatus find_ops(Fuse* fuse, ToolMessage* message) {
    Names ops = {0};
    const ToolStatus status =
        split(fuse->ops, &ops) ? find_chains(fuse, &ops, message) : tool_out_of_memory(message);
    free_names(&ops);
    return status;
}

static ToolStatus find_between(Fuse* fuse, ToolMessage* message) {
    Tensors from = {0}, to = {0};
    ToolStatus status = find_tensors(fuse, &fuse->from, &from, message);
    if (status == kToolOk) status = find_tensors(fuse, &fuse->to, &to, message);
    for (int round = 0; status == kToolOk && round < 2; round++) { // first their number, then the nodes
        const int found =
            oclite_edit_find_between(fuse->edit, fuse->subgraph, from.items, from.count, to.items, to.count,
                                     fuse->nodes, fuse->nodes != NULL ? fuse->group_size : 0);
        if (found < 0) status = fail_edit(message);
        if (found == 0) break;
        if (found > 0 && round == 0) status = take_nodes(fuse, found, 1, message);
    }
    free(from.items);
    free(to.items);
    return status;
}

// ---- Replacing ----

static ToolStatus print_groups(const Fuse* fuse, ToolMessage* message) {
    for (int g = 0; g < fuse->groups; g++) {
        for (int i = 0; i < fuse->group_size; i++) {
            const int number = fuse->nodes[g * fuse->group_size + i];
            OcliteEditNode node;
            if (oclite_edit_node(fuse->edit, fuse->subgraph, number, &node) != kTfLiteOk)
                return fail_edit(message);
            printf("%s#%d ", i ? ", " : "", number);
            tool_print_name(node.op);
        }
        printf(" -> ");
        tool_print_name(fuse->name);
        putchar('\n');
    }
    return kToolOk;
}

static ToolStatus replace(Fuse* fuse, ToolMessage* message) {
    ToolBytes options = {0};
    ToolStatus status = fuse->options != NULL ? fuse_options(fuse->options, &options, message) : kToolOk;
    const OcliteEditOperator op = {fuse->name, fuse->version, options.data, options.size};
    if (status == kToolOk && fuse->groups > 0) {
        status = print_groups(fuse, message);
        if (status == kToolOk && oclite_edit_replace(fuse->edit, fuse->subgraph, fuse->nodes,
                                                     fuse->group_size, fuse->groups, &op) != kTfLiteOk) {
            status = fail_edit(message);
        }
    }
    tool_bytes_free(&options);
    return status;
}

static ToolStatus fuse_model(Fuse* fuse, const char* path, ToolMessage* message) {
    fuse->edit = oclite_edit_create_from_file(path);
    if (fuse->edit == NULL) return tool_fail(message, kToolFile, "%s: %s", path, oclite_edit_last_error());
    ToolStatus status = set_outputs(fuse, message);
    if (status == kToolOk) status = fuse->ops != NULL ? find_ops(fuse, message) : find_between(fuse, message);
    if (status == kToolOk) status = replace(fuse, message);
    if (status != kToolOk) return status;
    size_t size;
    const void* data = oclite_edit_data(fuse->edit, &size);
    status = tool_file_write(fuse->out, data, size, NULL, 0, message);
    if (status != kToolOk) return status;
    if (fuse->groups == 0) {
        printf("nothing matched: %s is the model as it was%s\n", fuse->out,
               fuse->outputs.count ? ", with other outputs" : "");
    } else {
        printf("%d in the place of %d nodes: %s, %zu bytes\n", fuse->groups, fuse->groups * fuse->group_size,
               fuse->out, size);
    }
    return kToolOk;
}

static ToolStatus run(void* settings, const ToolList* operands, ToolMessage* message) {
    Fuse* fuse = settings;
    const bool between = fuse->from.count || fuse->to.count;
    if (fuse->name == NULL || !fuse->name[0]) return tool_fail(message, kToolUsage, "--name is missing");
    if (fuse->out == NULL) return tool_fail(message, kToolUsage, "--out is missing");
    if (fuse->ops != NULL ? between : !fuse->from.count || !fuse->to.count) {
        return tool_fail(message, kToolUsage, "either --ops is needed, or --from and --to");
    }
    return fuse_model(fuse, operands->items[0], message);
}

static void release(void* settings) {
    Fuse* fuse = settings;
    free(fuse->nodes);
    oclite_edit_delete(fuse->edit);
}

static const ToolOption kOptions[] = {
    {.name = "ops",
     .value = "OP,OP,...",
     .help =
         "A chain of operators, as oclite info names them: each gives what it makes to the next one alone.",
     .kind = kToolText,
     .offset = offsetof(Fuse, ops)},
    {.name = "from",
     .value = "TENSOR,...",
     .help = "The nodes that compute the tensors of --to out of these, by name or number, and of constants. "
             "May be given several times.",
     .kind = kToolTexts,
     .offset = offsetof(Fuse, from)},
    {.name = "to",
     .value = "TENSOR,...",
     .help = "See --from.",
     .kind = kToolTexts,
     .offset = offsetof(Fuse, to)},
    {.name = "name",
     .value = "NAME",
     .help = "What the custom operator is called.",
     .kind = kToolText,
     .offset = offsetof(Fuse, name)},
    {.name = "version",
     .value = "N",
     .help = "The custom operator's version, by default 1.",
     .kind = kToolInteger,
     .low = 1,
     .offset = offsetof(Fuse, version)},
    {.name = "options",
     .value = "JSON|FILE",
     .help = "The custom operator's options: a JSON object, or FILE.json, becomes a FlexBuffers map; any "
             "other file is taken as it is.",
     .kind = kToolPath,
     .offset = offsetof(Fuse, options)},
    {.name = "first",
     .help = "Only the first chain, not all that there are.",
     .kind = kToolFlag,
     .offset = offsetof(Fuse, first)},
    {.name = "outputs",
     .value = "TENSOR,...",
     .help = "Makes these tensors the model's outputs beforehand. (What is an output cannot be inside of a "
             "chain.)",
     .kind = kToolTexts,
     .offset = offsetof(Fuse, outputs)},
    {.name = "subgraph",
     .value = "N",
     .help = "The subgraph that is changed, by default 0, the main one.",
     .kind = kToolInteger,
     .offset = offsetof(Fuse, subgraph)},
    {.name = "out",
     .alias = "o",
     .value = "FILE",
     .help = "The new model.",
     .kind = kToolPath,
     .offset = offsetof(Fuse, out)},
    {0},
};

const ToolCommand tool_fuse_command = {
    .name = "fuse",
    .summary = "replaces series of nodes by a custom operator, in a new model",
    .operands = "MODEL",
    .min_operands = 1,
    .max_operands = 1,
    .description =
        "Nodes are found by their operators (--ops) or by the tensors between which they are (--from, --to), "
        "whose numbers oclite info prints. Each series becomes one node of the custom operator. Its inputs "
        "are all that the nodes read, constants too, in the order of their first use; its outputs are what "
        "is needed behind them.\n\n"
        "When nothing matches, the new model is the old one, byte for byte, and the exit status is 0. Nodes "
        "that cannot become one, because a value leaves them and comes back, are an error.\n\n"
        "The new operator is the program's: oclite has it by --operators, a library, and the OpenCL delegate "
        "by its option custom_ops.",
    .examples = "  oclite fuse atan.tflite --ops ADD,Atan --name AtanOffset --out fused.tflite\n"
                "  oclite fuse model.tflite --from input --to Identity --name Whole --out whole.tflite\n",
    .options = kOptions,
    .size = sizeof(Fuse),
    .defaults = &(const Fuse){.version = 1},
    .run = run,
    .release = release,
};
