// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/conv/conv_sink.h"

#include "kernels-cpu/loops/hybrid_loops.h"

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
    const TfLiteFloatArray* scales = sink->filter->affine->scale;
    const float* bias = sink->bias;
    LiteHybridSums all = {.rows = 1,
                          .columns = tile->columns,
                          .sums_step = (size_t)tile->step,
                          .is_per_channel = scales->size > 1,
                          .weights = scales->size > 1 ? scales->data + tile->column : scales->data,
                          .bias = bias != NULL ? bias + tile->column : NULL,
                          .low = sink->low,
                          .high = sink->high,
                          .out_step = (size_t)sink->gemm->shape.out_c};
    const LiteHybridLoops loops = lite_hybrid_loops();
    for (int r = 0; r < tile->rows; r += all.rows) { // of one batch
        const int64_t row = tile->row + r, left = tile->batch_rows - row % tile->batch_rows;
        if (sink->grid == NULL) all.rows = left < tile->rows - r ? (int)left : tile->rows - r;
        all.sums = tile->sums + (size_t)r * all.sums_step;
        all.scales = sink->scales + row / tile->batch_rows;
        all.out = (float*)sink->output + lite_gemm_offset(&sink->gemm->shape, sink->grid, row) + tile->column;
        loops.scale(&all);
    }
}
