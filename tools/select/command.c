// SPDX-License-Identifier: Apache-2.0
// oclite select: lists what a runtime needs that runs only some models.
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tensorflow/lite/builtin_ops.h"
#include "tools/commands.h"
#include "tools/common/file.h"
#include "tools/select/collect.h"
#include "tools/select/write.h"

typedef struct SelectSettings {
    const char* out;
    ToolList ops;
    ToolList types;
    bool list;
} SelectSettings;

static void print_list(const Selection* selection) {
    for (int i = 0; i < selection->count; i++) {
        const SelectOp* op = &selection->ops[i];
        tool_print_name(op->name);
        printf(op->first == op->last ? " %d" : " %d-%d", op->first, op->last);
        select_print_types(stdout, op->types, " ");
        if (op->code == kTfLiteBuiltinCustom) printf(op->is_known ? " (custom)" : " (the program's own)");
        printf("\n");
    }
    printf("types:");
    select_print_types(stdout, selection->types, " ");
    printf(selection->types ? "\n" : " all\n");
}

enum { kMaxFiles = 4 };

typedef struct Outputs {
    int count;
    char paths[kMaxFiles][PATH_MAX];
    ToolOutput outputs[kMaxFiles];
} Outputs;

static ToolStatus open_one(Outputs* all, const char* folder, const SelectFile* file, ToolMessage* message) {
    char* path = all->paths[all->count];
    const int length = snprintf(path, sizeof(all->paths[0]), "%s/%s", folder, file->name);
    if (length >= (int)sizeof(all->paths[0])) return tool_fail(message, kToolFile, "%s: too long", folder);
    return tool_output_open(path, &all->outputs[all->count++], message);
}

// Writes all files before the first one gets its name, so that there is a complete set or none.
static ToolStatus write_files(const char* folder, const Selection* selection, ToolMessage* message) {
    Outputs all = {.count = 0};
    ToolStatus status = kToolOk;
    for (const SelectFile* file = select_files; file->name != NULL && status == kToolOk; file++) {
        status = open_one(&all, folder, file, message);
        FILE* stream = all.count > 0 ? all.outputs[all.count - 1].stream : NULL;
        if (status != kToolOk) break;
        file->write(stream, selection);
        errno = 0;
        if (fflush(stream) != 0 || ferror(stream))
            status = tool_fail(message, kToolFile, "%s: %s", all.paths[all.count - 1],
                               strerror(errno ? errno : EIO));
    }
    for (int i = 0; i < all.count; i++) status = tool_output_close(&all.outputs[i], status, message);
    return status;
}

static ToolStatus collect(Selection* selection, const SelectSettings* settings, const ToolList* models,
                          ToolMessage* message) {
    ToolStatus status = kToolOk;
    for (int i = 0; i < models->count && status == kToolOk; i++) {
        status = select_add_model(selection, models->items[i], message);
    }
    for (int i = 0; i < settings->ops.count && status == kToolOk; i++) {
        status = select_add_ops(selection, settings->ops.items[i], message);
    }
    for (int i = 0; i < settings->types.count && status == kToolOk; i++) {
        status = select_add_types(selection, settings->types.items[i], message);
    }
    if (status == kToolOk && selection->count == 0)
        return tool_fail(message, kToolFile, "there are no operators in what was given");
    select_sort(selection);
    return status;
}

// Removes a folder that it has made when nothing can be written into it.
static ToolStatus write_folder(const char* folder, const Selection* selection, ToolMessage* message) {
    struct stat about;
    const bool is_new = stat(folder, &about) != 0;
    ToolStatus status = tool_folder_make(folder, message);
    if (status != kToolOk) return status;
    status = write_files(folder, selection, message);
    if (status != kToolOk && is_new) rmdir(folder);
    return status;
}

static ToolStatus run_select(void* settings, const ToolList* operands, ToolMessage* message) {
    const SelectSettings* wanted = settings;
    if (!wanted->list && wanted->out == NULL)
        return tool_fail(message, kToolUsage, "where to? --out DIR, or --list for a list");
    if (operands->count == 0 && wanted->ops.count == 0)
        return tool_fail(message, kToolUsage, "which operators? Those of a MODEL, or --ops LIST");
    Selection selection = {0};
    ToolStatus status = collect(&selection, wanted, operands, message);
    if (status == kToolOk && wanted->out != NULL) status = write_folder(wanted->out, &selection, message);
    if (status == kToolOk && wanted->list) print_list(&selection);
    select_free(&selection);
    return status;
}

static const ToolOption kOptions[] = {
    {.name = "out",
     .alias = "o",
     .value = "DIR",
     .help = "The folder to write to; it is made unless it is there.",
     .kind = kToolPath,
     .offset = offsetof(SelectSettings, out)},
    {.name = "list",
     .help = "Prints the operators, their versions and types.",
     .kind = kToolFlag,
     .offset = offsetof(SelectSettings, list)},
    {.name = "ops",
     .value = "LIST",
     .help = "More operators: names, separated by commas, each in all versions that the library has, or in "
             "those behind a colon: ADD,CONV_2D:1-3,Atan:1.",
     .kind = kToolTexts,
     .offset = offsetof(SelectSettings, ops)},
    {.name = "types",
     .value = "LIST",
     .help =
         "More types of tensors, separated by commas: FLOAT32,INT8. Without models and without this: all.",
     .kind = kToolTexts,
     .offset = offsetof(SelectSettings, types)},
    {0},
};

const ToolCommand tool_select_command = {
    .name = "select",
    .summary = "writes what a runtime of some models' operators alone is made from",
    .operands = "[MODEL]...",
    .max_operands = 1 << 20,
    .description = "Collects the operators of all graphs of the models, builtin and custom, with their "
                   "versions, and the types of their tensors, and writes into the folder:\n\n"
                   "  selected_ops.cmake  for a build of the library with these alone:\n"
                   "                      cmake -DOCLITE_SELECTED_OPS=DIR/selected_ops.cmake\n"
                   "  selected_ops.c, .h  a function that adds them to TfLiteInterpreterOptions\n"
                   "  selected_ops.cc     the same as RegisterSelectedOps, for a MutableOpResolver\n\n"
                   "Custom operators that the library does not have are the program's own: the C source "
                   "names them in a comment, the C++ source calls a function of the program for each.",
    .examples = "  oclite select mobilenet.tflite --out selected\n"
                "  oclite select --list a.tflite b.tflite --ops SOFTMAX\n",
    .options = kOptions,
    .size = sizeof(SelectSettings),
    .run = run_select,
};
