// SPDX-License-Identifier: Apache-2.0
// Lists of nodes in options: entries separated by '+', each the name of an operator ("CONV_2D"), the number
// of a node ("17", in every graph that the delegate is applied to), or of one in a certain graph ("1:17").
#ifndef DELEGATE_OPENCL_SELECTION_H_
#define DELEGATE_OPENCL_SELECTION_H_

#include <stdbool.h>

#include "core/base/status.h"

// A node that a list may have, with the numbers of OcliteOpenclNode.
typedef struct LiteClSelected {
    int graph;
    int node;
    const char* op;
} LiteClSelected;

// Reports an entry that is empty, or a number too large, with the option's key.
TfLiteStatus lite_cl_selection_check(const char* list, const char* key, const LiteReporter* reporter);

// Is the node in a list that has been checked?
bool lite_cl_selection_has(const char* list, const LiteClSelected* node);

#endif
