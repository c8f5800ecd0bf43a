// SPDX-License-Identifier: Apache-2.0
// Lists of nodes in options. Entries are separated by '+'. Each is the name of an operator ("CONV_2D"), the
// number of a node in every graph ("17"), or the number of a graph and of a node in it ("1:17").
#ifndef DELEGATE_OPENCL_OPTIONS_SELECTION_H_
#define DELEGATE_OPENCL_OPTIONS_SELECTION_H_

#include <stdbool.h>
#include <stddef.h>

#include "core/base/status.h"

// A node that lists are asked for, with the numbers of OcliteOpenclNode.
typedef struct LiteClSelected {
    int graph;
    int node;
    const char* op;
} LiteClSelected;

// An entry of a list.
typedef struct LiteClEntry {
    const char* text; // in the list, of `length` characters
    int length;
    bool is_number; // else it is a name
    int graph;      // -1: all
    int node;
} LiteClEntry;

// Reads the next entry of a list that has been checked, and moves *list behind it. false: there is none.
bool lite_cl_selection_next(const char** list, LiteClEntry* entry);

// Reports an entry that is empty, or a number that is too large; the report names the option.
TfLiteStatus lite_cl_selection_check(const char* list, const char* key, const LiteReporter* reporter);

// Reports a name in a checked list that is nearly that of a builtin operator. A name in upper and lower case
// may be a custom operator's, and names that are near to none always may.
TfLiteStatus lite_cl_selection_check_names(const char* list, const char* key, const LiteReporter* reporter);

// Is it the name of a builtin operator? *nearest, which may be NULL, becomes the one that may have been meant
// otherwise, NULL without one.
bool lite_cl_selection_is_builtin(const LiteClEntry* entry, const char** nearest);

// Does the entry name the node?
bool lite_cl_selection_names(const LiteClEntry* entry, const LiteClSelected* node);

// Is the node in a list that has been checked?
bool lite_cl_selection_has(const char* list, const LiteClSelected* node);

#endif
