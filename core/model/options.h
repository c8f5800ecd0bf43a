// SPDX-License-Identifier: Apache-2.0
// From operators' options in the file to the TfLite*Params structs that kernels read. One row of an options
// table says where a field lies in the file (the row's index is the field's id) and which member it becomes.
#ifndef CORE_MODEL_OPTIONS_H_
#define CORE_MODEL_OPTIONS_H_

#include "core/model/loader.h"

// The options table of a builtin operator, NULL for operators without parameters. *in_second: it belongs to
// the union BuiltinOptions2 instead of BuiltinOptions.
const LiteFlatSchema* lite_options_of(int builtin_code, bool* in_second);

// Bytes of the TfLite*Params of a builtin operator; 0 for operators without parameters.
size_t lite_options_params_size(int builtin_code);

// TensorType of the file to TfLiteType; kTfLiteNoType for unknown values.
TfLiteType lite_options_tensor_type(int tensor_type);

// The TfLite*Params of an operator; NULL for builtin codes without parameters.
TfLiteStatus lite_load_params(LiteLoader* loader, LiteFlatTable op, int builtin_code, const void** params);

// The subgraph that the operator calls, number `call` of those that it does; -1 when there are not so many.
int lite_options_callee(const LiteModelOperator* op, int call);

#endif
