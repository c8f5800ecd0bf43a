// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/onednn/onednn_quant.h"

// Sums that are scaled at a time, so that they stay in the first cache.
#define BLOCK_SUMS 4096

bool lite_onednn_quant_fits(const LiteOnednnProblem* problem) {
    const LiteView *weights = problem->weights, *bias = problem->bias;
    if (bias != NULL && bias->type != kTfLiteInt32) return false;
    const TfLiteIntArray* zero_points = weights->affine == NULL ? NULL : weights->affine->zero_point;
    for (int i = 0; zero_points != NULL && i < zero_points->size; i++) {
        if (zero_points->data[i] != 0) return false;
    }
    return weights->zero_point == 0;
}

// Some of oneDNN's kernels take their sums through float, some add 128 to each input and subtract as much
// from the sums. While all that stays below 2^24 nothing is rounded, whatever the input.
static bool is_exact(int64_t positive, int64_t negative) {
    return 256 * positive <= 1 << 24 && 256 * negative <= 1 << 24;
}

// False where the sums might not be exact.
static bool sum_weights(const LiteOnednnProblem* problem, int32_t* sums) {
    const LiteConvShape* s = problem->shape;
    const int32_t depth = s->in_c / s->groups;
    for (int32_t c = 0; c < s->out_c; c++) {
        const int8_t* weights = (const int8_t*)problem->weights->data + c * problem->out_stride;
        int64_t positive = 0, negative = 0;
        for (int32_t y = 0; y < s->filter_h; y++) {
            for (int32_t x = 0; x < s->filter_w; x++) {
                const int8_t* tap = weights + y * problem->row_stride + x * problem->column_stride;
                for (int32_t k = 0; k < depth; k++) {
                    const int32_t w = tap[k * problem->in_stride];
                    positive += w > 0 ? w : 0;
                    negative -= w < 0 ? w : 0;
                }
            }
        }
        if (!is_exact(positive, negative)) return false;
        sums[c] = (int32_t)(positive - negative);
    }
    return true;
}

bool lite_onednn_quant_prepare(LiteOnednnQuant* quant, const LiteOnednnProblem* problem) {
    quant->micro = lite_micro();
    quant->channels = problem->shape->out_c;
    quant->zero_point = problem->input->zero_point;
    quant->weight_sums = lite_malloc((size_t)quant->channels * sizeof(int32_t));
    quant->init = lite_malloc((size_t)quant->channels * sizeof(int32_t));
    return quant->weight_sums != NULL && quant->init != NULL && sum_weights(problem, quant->weight_sums);
}

void lite_onednn_quant_free(LiteOnednnQuant* quant) {
    lite_free(quant->weight_sums);
    lite_free(quant->init);
}

void lite_onednn_quant_begin(const LiteOnednnQuant* quant, const int32_t* bias) {
    for (int32_t c = 0; c < quant->channels; c++) {
        const uint32_t offset = (uint32_t)(quant->zero_point * quant->weight_sums[c]);
        quant->init[c] = (int32_t)((bias == NULL ? 0 : (uint32_t)bias[c]) - offset);
    }
}

static void add_init(int rows, int32_t channels, const int32_t* init, int32_t* sums) {
    for (int r = 0; r < rows; r++, sums += channels) {
        uint32_t* restrict to = (uint32_t*)sums;
        const uint32_t* restrict from = (const uint32_t*)init;
        for (int32_t c = 0; c < channels; c++) to[c] += from[c];
    }
}

void lite_onednn_quant_store(const LiteOnednnQuant* quant, const LiteOnednnData* data, int64_t first,
                             int64_t pixels, int32_t* sums) {
    const int32_t channels = quant->channels;
    const int64_t most = BLOCK_SUMS / channels + 1;
    while (pixels > 0) {
        const int rows = (int)(pixels < most ? pixels : most);
        add_init(rows, channels, quant->init, sums);
        if (data->scale != NULL) {
            quant->micro->requantize(rows, channels, sums, (size_t)channels, data->scale,
                                     (uint8_t*)data->output + first * channels, (size_t)channels);
        } else {
            const LiteTile tile = {
                .row = first, .rows = rows, .columns = channels, .step = channels, .sums = sums};
            data->sink(data->argument, &tile);
        }
        sums += (size_t)rows * (size_t)channels;
        first += rows;
        pixels -= rows;
    }
}
