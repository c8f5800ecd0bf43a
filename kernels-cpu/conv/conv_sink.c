// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/conv/conv_sink.h"

void lite_conv_store_8(const void* argument, const LiteTile* tile) {
    const LiteConvSink* sink = argument;
    const LiteMicro* micro = sink->gemm->micro;
    const LiteRequantization q = lite_conv_quant_from(sink->quant, tile->column);
    uint8_t* out = (uint8_t*)sink->output + tile->column;
    const size_t step = (size_t)tile->step;
    if (sink->grid == NULL) {
        const size_t out_c = (size_t)sink->gemm->shape.out_c;
        micro->requantize(tile->rows, tile->columns, tile->sums, step, &q, out + (size_t)tile->row * out_c,
                          out_c);
        return;
    }
    const int32_t width = sink->gemm->shape.out_w;
    for (int r = 0, rows; r < tile->rows; r += rows) { // of one output line
        const int64_t row = tile->row + r, left = width - row % width;
        rows = left < tile->rows - r ? (int)left : tile->rows - r;
        micro->requantize(rows, tile->columns, tile->sums + (size_t)r * step, step, &q,
                          out + lite_gemm_offset(&sink->gemm->shape, sink->grid, row),
                          (size_t)sink->grid->pixel);
    }
}

void lite_conv_store_16(const void* argument, const LiteTile* tile) {
    const LiteConvSink* sink = argument;
    for (int r = 0; r < tile->rows; r++) {
        const int64_t at = lite_gemm_offset(&sink->gemm->shape, sink->grid, tile->row + r) + tile->column;
        for (int n = 0; n < tile->columns; n++) {
            ((int16_t*)sink->output)[at + n] = lite_conv_quant_i16(
                sink->quant, tile->column + n, tile->wide[r * tile->step + n], sink->bias_type, sink->bias);
        }
    }
}

void lite_conv_store_hybrid(const void* argument, const LiteTile* tile) {
    const LiteConvSink* sink = argument;
    const float* bias = sink->bias;
    for (int r = 0; r < tile->rows; r++) {
        const int64_t at = lite_gemm_offset(&sink->gemm->shape, sink->grid, tile->row + r) + tile->column;
        const float scale = sink->scales[(tile->row + r) / tile->batch_rows];
        for (int n = 0; n < tile->columns; n++) {
            const float weight = lite_channel_scale(sink->filter, tile->column + n);
            const float x = (float)tile->sums[r * tile->step + n] * (scale * weight) +
                            (bias == NULL ? 0.0f : bias[tile->column + n]);
            ((float*)sink->output)[at + n] = lite_clamp_f32(x, sink->low, sink->high);
        }
    }
}
