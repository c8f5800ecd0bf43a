// SPDX-License-Identifier: Apache-2.0
// Lists of nodes in options. Entries are separated by '+'. Each is the name of an operator ("CONV_2D"), the
// number of a node in every graph ("17"), or the number of a graph and of a node in it ("1:17").
#ifndef DELEGATE_OPENCL_OPTIONS_SELECTION_H_
#define DELEGATE_OPENCL_OPTIONS_SELECTION_H_

#include <stdbool.h>

#include "core/base/status.h"

// A node that lists are asked for, with the numbers of OcliteOpenclNode.
typedef struct LiteClSelected {
    int graph;
    int node;
    const char* op;
} LiteClSelected;

// Reports an entry that is empty, or a number that is too large; the report names the option.
TfLiteStatus lite_cl_selection_check(const char* list, const char* key, const LiteReporter* reporter);

// Is the node in a list that has been checked?
bool lite_cl_selection_has(const char* list, const LiteClSelected* node);

#endif
