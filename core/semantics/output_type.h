// SPDX-License-Identifier: Apache-2.0
// Operators that give an output its type whatever the model declares, as LiteRT's do in prepare. The others
// take the declaration as it is: they look at it, or refuse it.
#ifndef CORE_SEMANTICS_OUTPUT_TYPE_H_
#define CORE_SEMANTICS_OUTPUT_TYPE_H_

#include "tensorflow/lite/c/c_api_types.h"

// Where an output's type comes from.
enum {
    kLiteTypeDeclared = -1,     // from the model
    kLiteTypeOfParameters = -2, // from the first field of the operator's parameters
    kLiteTypeFixed = -3,        // it is always the same
};
typedef struct LiteOutputType {
    int source;      // one of these, or the number of the input whose type it is
    TfLiteType type; // with kLiteTypeFixed
} LiteOutputType;

// Of output `index` of an operator, as its registration names it: by code, custom ones by name too.
LiteOutputType lite_output_type(int builtin_code, const char* custom_name, int index);

// Is it a type of tensors with contents? Others, of handles and unknown ones, are given to no output.
bool lite_output_type_settable(TfLiteType given);

#endif
