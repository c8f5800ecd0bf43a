// SPDX-License-Identifier: Apache-2.0
// Element types as macros see them: one line per type, one suffix for everything that belongs to it.
//
// For suffix f16, stored_f16 is what lies in memory (uint16_t), value_f16 what is computed with (float);
// load_f16 and store_f16 lead from one to the other. bool is stored as any byte, read as 0 or 1.
#ifndef KERNELS_CPU_SUPPORT_TYPES_H_
#define KERNELS_CPU_SUPPORT_TYPES_H_

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/semantics/half.h"
#include "tensorflow/lite/c/c_api_types.h"

// X(suffix, TfLiteType, stored type, value type, lowest value, highest value)
#define LITE_REAL_TYPES(X)                                                                                   \
    X(f32, kTfLiteFloat32, float, float, -INFINITY, INFINITY)                                                \
    X(f64, kTfLiteFloat64, double, double, -(double)INFINITY, (double)INFINITY)                              \
    X(f16, kTfLiteFloat16, uint16_t, float, -INFINITY, INFINITY)                                             \
    X(bf16, kTfLiteBFloat16, uint16_t, float, -INFINITY, INFINITY)

#define LITE_INTEGER_TYPES(X)                                                                                \
    X(i8, kTfLiteInt8, int8_t, int8_t, INT8_MIN, INT8_MAX)                                                   \
    X(u8, kTfLiteUInt8, uint8_t, uint8_t, 0, UINT8_MAX)                                                      \
    X(i16, kTfLiteInt16, int16_t, int16_t, INT16_MIN, INT16_MAX)                                             \
    X(u16, kTfLiteUInt16, uint16_t, uint16_t, 0, UINT16_MAX)                                                 \
    X(i32, kTfLiteInt32, int32_t, int32_t, INT32_MIN, INT32_MAX)                                             \
    X(u32, kTfLiteUInt32, uint32_t, uint32_t, 0, UINT32_MAX)                                                 \
    X(i64, kTfLiteInt64, int64_t, int64_t, INT64_MIN, INT64_MAX)                                             \
    X(u64, kTfLiteUInt64, uint64_t, uint64_t, 0, UINT64_MAX)                                                 \
    X(b8, kTfLiteBool, uint8_t, bool, false, true)

#define LITE_TYPES(X) LITE_REAL_TYPES(X) LITE_INTEGER_TYPES(X)

// X(suffix, …) for all of them.
#define LITE_EACH_SUFFIX(X, ...)                                                                             \
    X(f32, __VA_ARGS__)                                                                                      \
    X(f64, __VA_ARGS__)                                                                                      \
    X(f16, __VA_ARGS__)                                                                                      \
    X(bf16, __VA_ARGS__)                                                                                     \
    X(i8, __VA_ARGS__)                                                                                       \
    X(u8, __VA_ARGS__)                                                                                       \
    X(i16, __VA_ARGS__)                                                                                      \
    X(u16, __VA_ARGS__)                                                                                      \
    X(i32, __VA_ARGS__)                                                                                      \
    X(u32, __VA_ARGS__)                                                                                      \
    X(i64, __VA_ARGS__)                                                                                      \
    X(u64, __VA_ARGS__)                                                                                      \
    X(b8, __VA_ARGS__)

// Is the type in a set of core/base/types.h? A constant.
#define LITE_SET_HAS(TYPES, SUFFIX) (((TYPES) >> type_##SUFFIX & 1u) != 0)

#define LITE_DEFINE_TYPE(SUFFIX, TYPE, STORED, VALUE, LOW, HIGH)                                             \
    typedef STORED stored_##SUFFIX;                                                                          \
    typedef VALUE value_##SUFFIX;
LITE_TYPES(LITE_DEFINE_TYPE)
#undef LITE_DEFINE_TYPE

// type_f32 is kTfLiteFloat32, …
enum {
#define LITE_TYPE_CODE(SUFFIX, TYPE, STORED, VALUE, LOW, HIGH) type_##SUFFIX = TYPE,
    LITE_TYPES(LITE_TYPE_CODE)
#undef LITE_TYPE_CODE
};

// One value of any of the types.
typedef union LiteScalar {
#define LITE_MEMBER(SUFFIX, TYPE, STORED, VALUE, LOW, HIGH) VALUE SUFFIX;
    LITE_TYPES(LITE_MEMBER)
#undef LITE_MEMBER
} LiteScalar;

#define load_f32(x) (x)
#define load_f64(x) (x)
#define load_f16(x) lite_f16_to_f32(x)
#define load_bf16(x) lite_bf16_to_f32(x)
#define load_i8(x) (x)
#define load_u8(x) (x)
#define load_i16(x) (x)
#define load_u16(x) (x)
#define load_i32(x) (x)
#define load_u32(x) (x)
#define load_i64(x) (x)
#define load_u64(x) (x)
#define load_b8(x) ((x) != 0)

#define store_f32(x) (x)
#define store_f64(x) (x)
#define store_f16(x) lite_f32_to_f16(x)
#define store_bf16(x) lite_f32_to_bf16(x)
#define store_i8(x) (x)
#define store_u8(x) (x)
#define store_i16(x) (x)
#define store_u16(x) (x)
#define store_i32(x) (x)
#define store_u32(x) (x)
#define store_i64(x) (x)
#define store_u64(x) (x)
#define store_b8(x) (x)

#endif
