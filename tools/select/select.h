// SPDX-License-Identifier: Apache-2.0
// oclite select: which operators and types some models need, and what is written of it.
#ifndef TOOLS_SELECT_SELECT_H_
#define TOOLS_SELECT_SELECT_H_

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "tools/command.h"
#include "tools/status.h"

// A set of TfLiteType.
typedef uint64_t SelectTypes;
static inline SelectTypes select_type(int type) {
    return (unsigned)type < 64 ? (SelectTypes)1 << type : 0;
}

typedef struct SelectOp {
    char* name; // "CONV_2D", or that of a custom operator
    int code;   // TfLiteBuiltinOperator
    int first;  // versions that occur
    int last;
    SelectTypes types; // of its tensors
    bool is_known;     // the library has it; all builtin ones, of custom ones few
} SelectOp;

typedef struct Selection {
    SelectOp* ops; // sorted once all are there: builtin ones by name, then custom ones
    int count;
    SelectTypes types; // of all tensors; 0: not known
} Selection;

// Adds the operators of all graphs of a model.
ToolStatus select_add_model(Selection* selection, const char* path, ToolMessage* message);
// Adds "NAME", in all versions that the library has, "NAME:2" or "NAME:1-3", several separated by commas.
ToolStatus select_add_ops(Selection* selection, const char* list, ToolMessage* message);
// Adds types, as TfLiteTypeGetName says them, separated by commas.
ToolStatus select_add_types(Selection* selection, const char* list, ToolMessage* message);
void select_sort(Selection* selection);
void select_free(Selection* selection); // accepts {0}

// What can be written: one file each.
typedef struct SelectFile {
    const char* name;
    void (*write)(FILE* stream, const Selection* selection);
} SelectFile;
extern const SelectFile select_files[]; // ends with a NULL name

// Prints the names of types, each behind `separator`.
void select_print_types(FILE* stream, SelectTypes types, const char* separator);

#endif
