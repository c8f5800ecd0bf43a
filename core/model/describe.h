// SPDX-License-Identifier: Apache-2.0
// The words in which the tables of the schema are written down. Fields come in the order of their ids.
#ifndef CORE_MODEL_DESCRIBE_H_
#define CORE_MODEL_DESCRIBE_H_

#include "core/model/flatbuffer.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

// Fields that are checked, and read by id or not at all.
#define SCALAR(field, bytes)                                                                                 \
    { .name = #field, .kind = kLiteFlatScalar, .width = (bytes) }
#define STRING(field)                                                                                        \
    { .name = #field, .kind = kLiteFlatString }
#define VECTOR(field, bytes)                                                                                 \
    { .name = #field, .kind = kLiteFlatVector, .width = (bytes) }
#define CHILD(field, schema)                                                                                 \
    { .name = #field, .kind = kLiteFlatChild, .table = &(schema) }
#define TABLES(field, schema)                                                                                \
    { .name = #field, .kind = kLiteFlatTables, .table = &(schema) }
#define UNION(field, union_members)                                                                          \
    { .name = #field, .kind = kLiteFlatUnion, .members = &(union_members) }
#define DEPRECATED(field)                                                                                    \
    { .name = #field, .kind = kLiteFlatDeprecated }
// Numbers of subgraphs in a table that becomes no parameters.
#define SUBGRAPH_NUMBER(field)                                                                               \
    {                                                                                                        \
        .name = #field, .kind = kLiteFlatScalar, .width = 4, .param = {.kind = kLiteParamSubgraph }          \
    }
#define SUBGRAPH_NUMBERS(field)                                                                              \
    {                                                                                                        \
        .name = #field, .kind = kLiteFlatVector, .width = 4, .param = {.kind = kLiteParamSubgraphs }         \
    }

// A table that becomes no parameters.
#define TABLE(Name, ...)                                                                                     \
    static const LiteFlatField Name##Fields[] = {__VA_ARGS__};                                               \
    static const LiteFlatSchema Name = {                                                                     \
        .name = #Name, .field_count = COUNT(Name##Fields), .fields = Name##Fields}

// The types of a union, from 1 on.
#define UNION_OF(Name, ...)                                                                                  \
    static const LiteFlatSchema* const Name##Members[] = {NULL, __VA_ARGS__};                                \
    static const LiteFlatUnion Name = {COUNT(Name##Members), Name##Members}

// A table that becomes a TfLite<P>Params.
#define OPTIONS(Name, P, ...)                                                                                \
    static const LiteFlatField Name##Fields[] = {__VA_ARGS__};                                               \
    static const LiteFlatSchema Name = {.name = #Name,                                                       \
                                        .field_count = COUNT(Name##Fields),                                  \
                                        .fields = Name##Fields,                                              \
                                        .params_size = sizeof(TfLite##P##Params)}

// Field `field` becomes `member` of TfLite<P>Params; without _TO, the member of the same name.
#define PARAM(P, field, member, flat_kind, bytes, ...)                                                       \
    {                                                                                                        \
        .name = #field, .kind = (flat_kind), .width = (bytes), .param = {                                    \
            .offset = offsetof(TfLite##P##Params, member),                                                   \
            .size = sizeof(((TfLite##P##Params*)0)->member),                                                 \
            __VA_ARGS__                                                                                      \
        }                                                                                                    \
    }
#define PARAM_SCALAR(P, field, member, bytes, ...)                                                           \
    PARAM(P, field, member, kLiteFlatScalar, bytes, __VA_ARGS__)
#define PARAM_VECTOR(P, field, member, bytes, ...)                                                           \
    PARAM(P, field, member, kLiteFlatVector, bytes, __VA_ARGS__)

#define INT_TO(P, field, member, value)                                                                      \
    PARAM_SCALAR(P, field, member, 4, .kind = kLiteParamInt, .preset = (value))
#define INT(P, field) INT_TO(P, field, field, 0)
#define INT64(P, field) PARAM_SCALAR(P, field, field, 8, .kind = kLiteParamInt)
#define BOOL_DEFAULT(P, field, value)                                                                        \
    PARAM_SCALAR(P, field, field, 1, .kind = kLiteParamBool, .preset = (value))
#define BOOL(P, field) BOOL_DEFAULT(P, field, 0)
#define FLOAT(P, field) PARAM_SCALAR(P, field, field, 4, .kind = kLiteParamFloat)
#define SUBGRAPH_TO(P, field, member) PARAM_SCALAR(P, field, member, 4, .kind = kLiteParamSubgraph)
#define SUBGRAPH(P, field) SUBGRAPH_TO(P, field, field)
#define TYPE_TO(P, field, member, value)                                                                     \
    PARAM_SCALAR(P, field, member, 1, .kind = kLiteParamType, .preset = (value))
#define TYPE(P, field) TYPE_TO(P, field, field, 0)

// The schema's values are [0, greatest]; `shift` leads from them to the values of the member's type.
#define ENUM_TO(P, field, member, bytes, greatest, shift)                                                    \
    PARAM_SCALAR(P, field, member, bytes, .kind = kLiteParamEnum, .limit = (greatest), .preset = (shift))
#define ENUM(P, field, greatest, shift) ENUM_TO(P, field, field, 1, greatest, shift)
#define PADDING(P) ENUM(P, padding, 1, 1)
// As in the reference, an unknown value stands for none.
#define ACTIVATION(P)                                                                                        \
    PARAM_SCALAR(P, fused_activation_function, activation, 1, .kind = kLiteParamEnum,                        \
                 .limit = kTfLiteActSignBit, .open = true)

#define TEXT(P, field) PARAM(P, field, field, kLiteFlatString, 1, .kind = kLiteParamText)

// Arrays, with the member that takes their length.
#define ARRAY(P, field, member, length, bytes, ...)                                                          \
    PARAM_VECTOR(P, field, member, bytes, .count_offset = offsetof(TfLite##P##Params, length),               \
                 .count_size = sizeof(((TfLite##P##Params*)0)->length), __VA_ARGS__)
#define LONGS(P, field) ARRAY(P, field, field, num_##field, 8, .kind = kLiteParamLongs)

// Arrays without a length. An absent one has `value` in all elements; others are `times` as long as the first
// array of the table.
#define LONGS_OR(P, field, times, value)                                                                     \
    PARAM_VECTOR(P, field, field, 8, .kind = kLiteParamLongs, .limit = (times), .preset = (value))
#define LONGS_REQUIRED(P, field)                                                                             \
    PARAM_VECTOR(P, field, field, 8, .kind = kLiteParamLongs, .limit = 1, .required = true)

#endif
