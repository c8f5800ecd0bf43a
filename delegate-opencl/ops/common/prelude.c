// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/common/prelude.h"

#include <stdarg.h>
#include <stdio.h>

#include "core/base/shape.h"

void lite_cl_define(LiteClPrelude* prelude, const char* format, ...) {
    char line[LITE_CL_PRELUDE];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    const size_t room = sizeof prelude->text - (size_t)prelude->length;
    const int length = snprintf(prelude->text + prelude->length, room, "#define %s\n", line);
    // What has no room does not compile: the device's compiler says where it ends.
    prelude->length += length < (int)room ? length : (int)room - 1;
}

void lite_cl_prelude_append(LiteClPrelude* prelude, const LiteClPrelude* other) {
    const size_t room = sizeof prelude->text - (size_t)prelude->length;
    const int length = snprintf(prelude->text + prelude->length, room, "%s", other->text);
    prelude->length += length < (int)room ? length : (int)room - 1;
}

// Names of OpenCL C.
typedef struct ElementType {
    TfLiteType type;
    const char* stored;
    const char* value;
    const char* wide;
    const char* load;
    const char* store;
    const char* low; // limits of integers
    const char* high;
    int real;
} ElementType;

void lite_cl_define_type(LiteClPrelude* prelude, const char* prefix, TfLiteType type) {
#define INTEGER_TYPE(Name, name, wide, low, high)                                                            \
    { kTfLite##Name, name, name, wide, "(p)[i]", "((p)[i] = (v))", low, high, 0 }
#define PACKED_TYPE(Name, value)                                                                             \
    { kTfLite##Name, "uchar", "int", "uint", value, "", "", "", 0 }
#define NIBBLE "((p)[(i) / 2] >> 4 * ((i) & 1) & 15)"
    static const ElementType types[] = {
        {kTfLiteFloat32, "float", "float", "uint", "(p)[i]", "((p)[i] = (v))", "", "", 1},
        {kTfLiteFloat16, "half", "float", "uint", "LOAD_HALF(p, i)", "STORE_HALF(p, i, v)", "", "", 1},
        {kTfLiteBFloat16, "ushort", "float", "uint", "as_float((uint)(p)[i] << 16)",
         "((p)[i] = to_bfloat16(v))", "", "", 1},
        // As far as it is real.
        {kTfLiteComplex64, "float", "float", "uint", "(p)[2 * (i)]",
         "((p)[2 * (i)] = (v), (p)[2 * (i) + 1] = 0.0f)", "", "", 1},
        // Only read; the first element is in the lowest bits.
        PACKED_TYPE(Int4, "((" NIBBLE " ^ 8) - 8)"),
        PACKED_TYPE(UInt4, NIBBLE),
        PACKED_TYPE(Int2, "((((p)[(i) / 4] >> 2 * ((i) & 3) & 3) ^ 2) - 2)"),
        {kTfLiteBool, "uchar", "uchar", "uint", "((p)[i] != 0)", "((p)[i] = (v) != 0)", "0", "1", 0},
        INTEGER_TYPE(Int8, "char", "uint", "CHAR_MIN", "CHAR_MAX"),
        INTEGER_TYPE(UInt8, "uchar", "uint", "0", "UCHAR_MAX"),
        INTEGER_TYPE(Int16, "short", "uint", "SHRT_MIN", "SHRT_MAX"),
        INTEGER_TYPE(UInt16, "ushort", "uint", "0", "USHRT_MAX"),
        INTEGER_TYPE(Int32, "int", "uint", "INT_MIN", "INT_MAX"),
        INTEGER_TYPE(UInt32, "uint", "uint", "0", "UINT_MAX"),
        INTEGER_TYPE(Int64, "long", "ulong", "LONG_MIN", "LONG_MAX"),
        INTEGER_TYPE(UInt64, "ulong", "ulong", "0", "ULONG_MAX"),
    };
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        if (types[t].type != type) continue;
        lite_cl_define(prelude, "%sTYPE %s", prefix, types[t].stored);
        lite_cl_define(prelude, "%sVALUE %s", prefix, types[t].value);
        lite_cl_define(prelude, "%sT %s", prefix, types[t].value);
        lite_cl_define(prelude, "%sU %s", prefix, types[t].wide);
        lite_cl_define(prelude, "%sLOAD(p, i) %s", prefix, types[t].load);
        lite_cl_define(prelude, "%sSTORE(p, i, v) %s", prefix, types[t].store);
        lite_cl_define(prelude, "%sREAL %d", prefix, types[t].real);
        if (types[t].real != 0) continue;
        lite_cl_define(prelude, "%sLOW %s", prefix, types[t].low);
        lite_cl_define(prelude, "%sHIGH %s", prefix, types[t].high);
    }
}

void lite_cl_define_vectors(LiteClPrelude* prelude, TfLiteType type) {
    const bool half = type == kTfLiteFloat16;
    lite_cl_define(prelude, "TYPE %s", half ? "half" : "float");
    lite_cl_define(prelude, "VREAD(p) %s(p)", half ? "VLOAD_HALF" : "VLOAD");
    lite_cl_define(prelude, "VWRITE(v, p) %s(v, p)", half ? "VSTORE_HALF" : "VSTORE");
    if (half) lite_cl_define(prelude, "PART(n, v, p) vstore_half##n(v, 0, p)");
}

void lite_cl_define_aligned_vectors(LiteClPrelude* prelude) {
    lite_cl_define(prelude, "TYPE float");
    lite_cl_define(prelude, "VREAD(p) (*(const __global vector*)(p))");
    lite_cl_define(prelude, "VWRITE(v, p) (*(__global vector*)(p) = (v))");
}

void lite_cl_define_element(LiteClPrelude* prelude, TfLiteType type) {
    const size_t size = lite_type_size(type);
    lite_cl_define(prelude, "TYPE %s",
                   size == 1   ? "uchar"
                   : size == 2 ? "ushort"
                   : size == 4 ? "uint"
                   : size == 8 ? "ulong"
                               : "ulong2");
}
