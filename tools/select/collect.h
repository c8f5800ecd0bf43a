// SPDX-License-Identifier: Apache-2.0
// Collects the operators and types that models and the command line name.
#ifndef TOOLS_SELECT_COLLECT_H_
#define TOOLS_SELECT_COLLECT_H_

#include <stdio.h>

#include "tools/common/status.h"
#include "tools/select/select.h"

// Adds the operators of all graphs of a model.
ToolStatus select_add_model(Selection* selection, const char* path, ToolMessage* message);
// Adds "NAME", in all versions that the library has, "NAME:2" or "NAME:1-3", several separated by commas.
ToolStatus select_add_ops(Selection* selection, const char* list, ToolMessage* message);
// Adds types by their TfLiteTypeGetName, separated by commas.
ToolStatus select_add_types(Selection* selection, const char* list, ToolMessage* message);
void select_sort(Selection* selection);
void select_free(Selection* selection); // accepts {0}

// Prints the names of types, each after `separator`.
void select_print_types(FILE* stream, SelectTypes types, const char* separator);

#endif
