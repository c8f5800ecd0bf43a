// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/loops.h"
#include "kernels-cpu/quantize.h"

#define LOOP(NAME, FUNCTION, IN, OUT)                                                                        \
    static void NAME(const LiteRow* row) {                                                                   \
        const LiteQuantize q = *(const LiteQuantize*)row->params;                                            \
        const IN* in = row->in[0];                                                                           \
        OUT* restrict out = row->out;                                                                        \
        const int64_t count = row->count;                                                                    \
        for (int64_t i = 0; i < count; i++) out[i] = (OUT)FUNCTION(in[i], &q);                               \
    }
#define LOOPS(SUFFIX, STORED)                                                                                \
    LOOP(f32_to_##SUFFIX, lite_quantize_one, float, STORED)                                                  \
    LOOP(SUFFIX##_to_f32, lite_dequantize_one, STORED, float)
LOOPS(i8, int8_t)
LOOPS(u8, uint8_t)
LOOPS(i16, int16_t)

LITE_EXPORT_LOOPS(LiteRowFunction, lite_quantize_loop, (TfLiteType from, TfLiteType to), (from, to)) {
    const bool real = from == kTfLiteFloat32;
    switch (real ? to : to == kTfLiteFloat32 ? from : kTfLiteNoType) {
    case kTfLiteInt8:
        return real ? f32_to_i8 : i8_to_f32;
    case kTfLiteUInt8:
        return real ? f32_to_u8 : u8_to_f32;
    case kTfLiteInt16:
        return real ? f32_to_i16 : i16_to_f32;
    default:
        return NULL;
    }
}
