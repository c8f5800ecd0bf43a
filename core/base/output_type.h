// SPDX-License-Identifier: Apache-2.0
// Operators that give an output its type whatever the model declares, as LiteRT's do in prepare. The others
// take the declaration as it is: they look at it, or refuse it.
#ifndef CORE_BASE_OUTPUT_TYPE_H_
#define CORE_BASE_OUTPUT_TYPE_H_

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

// The type that this comes to: `input` is that of the input with the number `source`, kTfLiteNoType if it is
// absent or no input has the number, `params` the operator's parameters or NULL. kTfLiteNoType: the declared
// one stays. So it does for handles.
TfLiteType lite_output_type_given(LiteOutputType from, TfLiteType input, const void* params);

#endif
