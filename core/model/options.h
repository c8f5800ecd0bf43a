// SPDX-License-Identifier: Apache-2.0
// From operators' options in the file to the TfLite*Params structs that kernels read. One row of an options
// table says where a field lies in the file (its index is its id) and which member it becomes.
#ifndef CORE_MODEL_OPTIONS_H_
#define CORE_MODEL_OPTIONS_H_

#include "core/model/flatbuffer.h"

typedef enum LiteParamKind {
    kLiteParamNone, // the field has no member
    kLiteParamBool,
    kLiteParamInt, // of any width in the file and in memory
    kLiteParamFloat,
    kLiteParamEnum,      // a value in [0, limit], to which `preset` is added
    kLiteParamType,      // TensorType, to TfLiteType
    kLiteParamSubgraph,  // index of a subgraph
    kLiteParamText,      // const char*
    kLiteParamInts,      // array of int32_t
    kLiteParamLongs,     // array of int64_t, filled with `preset` when absent; `limit` times as long as the
                         // table's first vector when limit is not 0
    kLiteParamSubgraphs, // array of int32_t
    kLiteParamFloatPointer, // const float*
    kLiteParamBytePointer,  // const uint8_t*
} LiteParamKind;

// The options table of a builtin operator, NULL for operators without parameters. *in_second: it belongs to
// the union BuiltinOptions2 instead of BuiltinOptions.
const LiteFlatSchema* lite_options_of(int builtin_code, bool* in_second);

// TensorType of the file to TfLiteType; kTfLiteNoType for unknown values.
TfLiteType lite_options_tensor_type(int tensor_type);

#endif
