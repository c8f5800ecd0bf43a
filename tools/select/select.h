// SPDX-License-Identifier: Apache-2.0
// Operators and types that some models need.
#ifndef TOOLS_SELECT_SELECT_H_
#define TOOLS_SELECT_SELECT_H_

#include <stdbool.h>
#include <stdint.h>

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
    bool is_known;     // the library has it: all builtin operators, and a few custom ones
} SelectOp;

typedef struct Selection {
    SelectOp* ops; // sorted by select_sort: builtin ones by name, then custom ones
    int count;
    SelectTypes types; // of all tensors; 0: not known
} Selection;

#endif
