// SPDX-License-Identifier: Apache-2.0
#include "kernels-cpu/gemm/blockwise.h"

#include "core/base/parallel.h"
#include "core/semantics/half.h"
#include "kernels-cpu/support/activation.h"
#include "kernels-cpu/support/check.h"
#include "kernels-cpu/support/packed.h"

// Products that a thread is worth waking for.
#define GRAIN 65536
// The sum of a block, products of 8 by 4 bits, fits 32 bits.
#define MAX_BLOCK (1 << 20)

bool lite_is_blockwise(const LiteView* matrix) {
    return TfLiteOpaqueTensorGetQuantization(matrix->tensor).type == kTfLiteBlockwiseQuantization;
}

TfLiteStatus lite_blocks(TfLiteOpaqueContext* context, const char* op, const LiteView* matrix, uint32_t types,
                         LiteBlocks* blocks) {
    const TfLiteBlockwiseQuantization* blockwise = TfLiteOpaqueTensorGetQuantization(matrix->tensor).params;
    LITE_TRY(lite_check_types(context, op, "blockwise quantization", matrix, types));
    if (blockwise == NULL || matrix->shape.rank != 2) {
        return lite_fail(context, "%s: blockwise quantization of %d dimensions, expected 2", op,
                         matrix->shape.rank);
    }
    const int32_t rows = matrix->shape.dims[0], columns = matrix->shape.dims[1];
    if (blockwise->blocksize < 1 || blockwise->blocksize > MAX_BLOCK || columns % blockwise->blocksize != 0) {
        return lite_fail(context, "%s: blocks of %d in rows of %d elements", op, blockwise->blocksize,
                         columns);
    }
    blocks->size = blockwise->blocksize;
    blocks->count = columns / blockwise->blocksize;
    TfLiteOpaqueTensor* scales = TfLiteOpaqueContextGetOpaqueTensor(context, blockwise->scale);
    const size_t wanted = (size_t)rows * (size_t)blocks->count * sizeof(uint16_t);
    if (scales == NULL || TfLiteOpaqueTensorType(scales) != kTfLiteFloat16 ||
        TfLiteOpaqueTensorByteSize(scales) < wanted ||
        (wanted > 0 && TfLiteOpaqueTensorGetAllocationType(scales) != kTfLiteMmapRo)) {
        return lite_fail(context, "%s: the %lld blocks of each of %d rows have no constant FLOAT16 scales",
                         op, (long long)blocks->count, rows);
    }
    blocks->scales = TfLiteOpaqueTensorData(scales);
    return kTfLiteOk;
}

TfLiteStatus lite_block_weights_reserve(TfLiteOpaqueContext* context, const char* op,
                                        LiteBlockWeights* weights, const LiteView* matrix) {
    if (weights->values != NULL && weights->elements == matrix->count) return kTfLiteOk;
    lite_block_weights_free(weights);
    weights->values = lite_calloc((size_t)matrix->count + 1, sizeof(int8_t));
    weights->sums = lite_calloc((size_t)matrix->shape.dims[0] + 1, sizeof(float));
    if (weights->values == NULL || weights->sums == NULL) {
        return lite_fail(context, "%s: out of memory for %lld weights", op, (long long)matrix->count);
    }
    weights->elements = matrix->count;
    return kTfLiteOk;
}

void lite_block_weights_unpack(LiteBlockWeights* weights, const LiteView* matrix, const LiteBlocks* blocks) {
    int8_t* to = weights->values;
    for (int64_t i = 0; i < matrix->count; i++) {
        to[i] = (int8_t)lite_packed_get(matrix->data, kTfLiteInt4, i);
    }
    for (int32_t n = 0; n < matrix->shape.dims[0]; n++) {
        const uint16_t* scales = blocks->scales + n * blocks->count;
        float total = 0.0f;
        for (int64_t b = 0; b < blocks->count; b++, to += blocks->size) {
            int32_t sum = 0;
            for (int32_t k = 0; k < blocks->size; k++) sum += to[k];
            total += lite_f16_to_f32(scales[b]) * (float)sum;
        }
        weights->sums[n] = total;
    }
    weights->source = matrix->data;
}

void lite_block_weights_free(LiteBlockWeights* weights) {
    lite_free(weights->values);
    lite_free(weights->sums);
    *weights = (LiteBlockWeights){0};
}

// Units [begin, end) of all rows.
static void multiply(void* argument, int64_t begin, int64_t end, int thread) {
    (void)thread;
    const LiteBlockProduct* p = argument;
    for (int32_t m = 0; m < p->rows; m++) {
        const int8_t* row = p->input->values + (size_t)m * (size_t)p->depth;
        for (int64_t n = begin; n < end; n++) {
            const int8_t* a = row;
            const int8_t* w = p->weights->values + n * p->depth;
            const uint16_t* scales = p->blocks.scales + n * p->blocks.count;
            float total = 0.0f;
            for (int64_t b = 0; b < p->blocks.count; b++, a += p->blocks.size, w += p->blocks.size) {
                int32_t sum = 0;
                for (int32_t k = 0; k < p->blocks.size; k++) sum += a[k] * w[k];
                total += (float)sum * lite_f16_to_f32(scales[b]);
            }
            total -= (float)p->input->zero_points[m] * p->weights->sums[n];
            total *= p->input->scales[m];
            if (p->bias != NULL) total += p->bias[n];
            p->output[(int64_t)m * p->units + n] = lite_activate(p->activation, total);
        }
    }
}

void lite_block_product(LiteBlockProduct* product, int threads) {
    const int64_t work = (int64_t)product->rows * product->depth + 1;
    lite_parallel_for(threads, product->units, GRAIN / work + 1, multiply, product);
}
