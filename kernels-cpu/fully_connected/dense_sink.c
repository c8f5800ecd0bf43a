// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/fully_connected/dense_sink.h"

#include <math.h>

#include "core/base/cancel.h"
#include "kernels-cpu/support/activation.h"

static int32_t scale_sum(const LiteDenseData* data, int32_t unit, int64_t sum) {
    const double scaled = round((double)sum * data->scales[unit]) + data->quant.zero_point;
    if (!(scaled > data->quant.low)) return data->quant.low;
    return scaled < data->quant.high ? (int32_t)scaled : data->quant.high;
}

// Sums of 32 bits have their bias.
void lite_dense_store_16(const void* argument, const LiteTile* tile) {
    const LiteDenseSink* sink = argument;
    const LiteDenseViews* v = sink->views;
    const bool narrow = sink->data->accumulator == kTfLiteInt32;
    for (int r = 0; r < tile->rows; r++) {
        int16_t* out = (int16_t*)v->output.data + (size_t)(tile->row + r) * (size_t)v->units + tile->column;
        for (int n = 0; n < tile->columns; n++) {
            const int32_t unit = tile->column + n;
            const int at = r * tile->step + n;
            uint64_t sum = (uint64_t)(tile->wide != NULL ? tile->wide[at] : tile->sums[at]);
            if (tile->wide != NULL && v->has_bias) {
                sum += v->bias.type == kTfLiteInt64 ? ((const uint64_t*)v->bias.data)[unit]
                                                    : (uint64_t)((const int32_t*)v->bias.data)[unit];
            }
            if (sink->data->is_shuffled) {
                out[n] = lite_conv_quant_i16(&sink->data->quant, unit, (int64_t)sum, kTfLiteInt32, NULL);
            } else {
                out[n] = (int16_t)scale_sum(sink->data, unit, narrow ? (int32_t)(uint32_t)sum : (int64_t)sum);
            }
        }
    }
}

void lite_dense_store_8(const void* argument, const LiteTile* tile) {
    const LiteDenseSink* sink = argument;
    const LiteConvQuant* quant = &sink->data->quant;
    const size_t units = (size_t)sink->views->units;
    uint8_t* out = (uint8_t*)sink->views->output.data + (size_t)tile->row * units + tile->column;
    for (int r = 0; r < tile->rows; r++, out += units) {
        sink->scale_sums(tile->columns, tile->sums + (size_t)r * (size_t)tile->step,
                         sink->data->scales + tile->column, quant->zero_point, quant->low, quant->high, out);
    }
}

void lite_dense_store_hybrid(const void* argument, const LiteTile* tile) {
    const LiteDenseHybridSink* sink = argument;
    lite_hybrid_store_rows(&sink->rows, tile);
    if (sink->activation == kTfLiteActNone) return;
    const size_t step = (size_t)sink->rows.columns;
    float* out = sink->rows.out + (size_t)tile->row * step + tile->column;
    for (int r = 0; r < tile->rows; r++, out += step) {
        for (int n = 0; n < tile->columns; n++) out[n] = lite_activate(sink->activation, out[n]);
    }
}

void lite_dense_multiply_16x16(const LiteDenseData* data, const LiteDenseViews* v) {
    const int16_t* weights = v->weights.data;
    const int32_t zero_point = v->weights.affine->scale->size == 1 ? v->weights.zero_point : 0;
    for (int32_t r = 0; r < v->rows; r++) {
        const int16_t* in = (const int16_t*)v->input.data + (size_t)r * (size_t)v->depth;
        int16_t* out = (int16_t*)v->output.data + (size_t)r * (size_t)v->units;
        for (int32_t n = 0; n < v->units && !lite_cancelled(); n++) {
            const int16_t* w = weights + (size_t)n * (size_t)v->depth;
            int64_t sum = 0;
            for (int32_t k = 0; k < v->depth; k++) sum += (int64_t)in[k] * (w[k] - zero_point);
            if (v->has_bias && v->bias.type == kTfLiteInt32) sum += ((const int32_t*)v->bias.data)[n];
            const void* wide = v->has_bias && v->bias.type == kTfLiteInt64 ? v->bias.data : NULL;
            out[n] = lite_conv_quant_i16(&data->quant, n, sum, kTfLiteInt64, wide);
        }
    }
}
