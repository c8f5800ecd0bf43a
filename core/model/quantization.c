// SPDX-License-Identifier: Apache-2.0
// Quantization of tensors. The statistics (min, max) that old files carry are not used by anything.
#include "core/model/quantization.h"

#include <math.h>

#include "core/base/shape.h"

// One zero point per scale. A single zero point in the file is that of all scales.
static TfLiteStatus read_zero_points(LiteLoader* loader, LiteFlatVector vector, int count, TfLiteType type,
                                     TfLiteIntArray** result) {
    TfLiteIntArray* zero_points = lite_load_alloc(loader, (size_t)count + 1, sizeof(int));
    if (zero_points == NULL) return kTfLiteError;
    int32_t low, high;
    if (!lite_type_limits(type, &low, &high)) {
        low = INT32_MIN;
        high = INT32_MAX;
    }
    zero_points->size = count;
    for (int i = 0; i < count; i++) {
        const int64_t value = lite_flat_i64_at(vector, vector.count == 1 ? 0 : (uint32_t)i);
        if (value < low || value > high) {
            return lite_load_fail(loader, "quantization: zero_point[%d] is %lld, not in [%d, %d]", i,
                                  (long long)value, low, high);
        }
        zero_points->data[i] = (int)value;
    }
    *result = zero_points;
    return kTfLiteOk;
}

static TfLiteStatus check_scales(LiteLoader* loader, const TfLiteFloatArray* scales) {
    LITE_TRY(lite_load_charge(loader, (size_t)scales->size));
    for (int i = 0; i < scales->size; i++) {
        if (!isfinite(scales->data[i]) || scales->data[i] < 0) {
            return lite_load_fail(loader, "quantization: scale[%d] is %g", i, (double)scales->data[i]);
        }
    }
    return kTfLiteOk;
}

// There must be as many scales as the quantized dimension is long, or one. The dimension must exist even with
// a single scale, for which it means nothing. Vectors are excepted: converters have given a bias the
// dimension of its filter.
static TfLiteStatus check_channels(const LiteLoader* loader, const LiteModelTensor* tensor,
                                   TfLiteAffineQuantization* affine) {
    const int scales = affine->scale->size;
    const int rank = tensor->shape.count;
    if (rank == 1 && affine->quantized_dimension > 0) affine->quantized_dimension = 0;
    const int dimension = affine->quantized_dimension;
    if (dimension < 0 || (rank > 0 && dimension >= rank)) {
        return lite_load_fail(loader,
                              "quantization: quantized_dimension is %d, but the tensor has %d dimensions",
                              dimension, rank);
    }
    if (scales == 1 || rank == 0 || tensor->shape.data[dimension] == scales) return kTfLiteOk;
    return lite_load_fail(loader, "quantization: %d scales for the %d channels of dimension %d", scales,
                          tensor->shape.data[dimension], dimension);
}

static TfLiteStatus read_affine(LiteLoader* loader, LiteFlatTable table, LiteModelTensor* result) {
    const LiteFlatVector scales = lite_flat_vector(table, kQuantizationScale);
    const LiteFlatVector zero_points = lite_flat_vector(table, kQuantizationZeroPoint);
    if (scales.count == 0) return kTfLiteOk;
    if (zero_points.count != scales.count && zero_points.count != 1) {
        return lite_load_fail(loader, "quantization: %u scales, but %u zero points", scales.count,
                              zero_points.count);
    }
    TfLiteAffineQuantization* affine = lite_load_alloc(loader, 1, sizeof(*affine));
    if (affine == NULL) return kTfLiteError;
    affine->scale = (TfLiteFloatArray*)lite_load_int_array(scales);
    affine->quantized_dimension = lite_flat_i32(table, kQuantizationQuantizedDimension, 0);
    LITE_TRY(check_scales(loader, affine->scale));
    LITE_TRY(check_channels(loader, result, affine));
    LITE_TRY(read_zero_points(loader, zero_points, affine->scale->size, result->type, &affine->zero_point));
    result->quantization = (TfLiteQuantization){kTfLiteAffineQuantization, affine};
    return kTfLiteOk;
}

// Scales and zero points of these are tensors; zero points may be absent.
static TfLiteStatus check_block(LiteLoader* loader, int scales, int zero_points, int block,
                                int tensor_count) {
    if (scales < 0 || scales >= tensor_count || zero_points < -1 || zero_points >= tensor_count) {
        return lite_load_fail(
            loader, "quantization: scales are tensor %d, zero points tensor %d, but there are %d tensors",
            scales, zero_points, tensor_count);
    }
    if (block < 0) return lite_load_fail(loader, "quantization: block_size is %d", block);
    return kTfLiteOk;
}

static TfLiteStatus read_blockwise(LiteLoader* loader, LiteFlatTable table, LiteFlatTable details,
                                   int tensor_count, LiteModelTensor* result) {
    TfLiteBlockwiseQuantization* blockwise = lite_load_alloc(loader, 1, sizeof(*blockwise));
    if (blockwise == NULL) return kTfLiteError;
    blockwise->scale = lite_flat_i32(details, kBlockwiseScales, 0);
    blockwise->zero_point = lite_flat_i32(details, kBlockwiseZeroPoints, 0);
    blockwise->blocksize = lite_flat_i32(details, kBlockwiseBlockSize, 0);
    blockwise->quantized_dimension = lite_flat_i32(table, kQuantizationQuantizedDimension, 0);
    result->quantization = (TfLiteQuantization){kTfLiteBlockwiseQuantization, blockwise};
    LITE_TRY(
        check_block(loader, blockwise->scale, blockwise->zero_point, blockwise->blocksize, tensor_count));
    if (blockwise->quantized_dimension >= 0 && blockwise->quantized_dimension < result->shape.count) {
        return kTfLiteOk;
    }
    return lite_load_fail(loader, "quantization: quantized_dimension is %d, but the tensor has %d dimensions",
                          blockwise->quantized_dimension, result->shape.count);
}

static TfLiteStatus read_multi_axis(LiteLoader* loader, LiteFlatTable details, int tensor_count,
                                    LiteModelTensor* result) {
    TfLiteMultiAxisQuantization* multi = lite_load_alloc(loader, 1, sizeof(*multi));
    if (multi == NULL) return kTfLiteError;
    multi->scales = lite_flat_i32(details, kBlockwiseScales, 0);
    multi->zero_points = lite_flat_i32(details, kBlockwiseZeroPoints, 0);
    multi->blocksize = lite_flat_i32(details, kBlockwiseBlockSize, 0);
    multi->quantized_dimensions =
        lite_load_int_array(lite_flat_vector(details, kMultiAxisQuantizedDimensions));
    result->quantization = (TfLiteQuantization){kTfLiteMultiAxisQuantization, multi};
    LITE_TRY(check_block(loader, multi->scales, multi->zero_points, multi->blocksize, tensor_count));
    if (multi->quantized_dimensions == NULL) {
        return lite_load_fail(loader, "quantization: quantized_dimensions are missing");
    }
    const TfLiteIntArray* axes = multi->quantized_dimensions;
    LITE_TRY(lite_load_charge(loader, (size_t)axes->size));
    for (int i = 0; i < axes->size; i++) {
        if (axes->data[i] >= 0 && axes->data[i] < result->shape.count) continue;
        return lite_load_fail(
            loader, "quantization: quantized_dimensions[%d] is %d, but the tensor has %d dimensions", i,
            axes->data[i], result->shape.count);
    }
    return kTfLiteOk;
}

TfLiteStatus lite_load_quantization(LiteLoader* loader, LiteFlatTable tensor, int tensor_count,
                                    LiteModelTensor* result) {
    const LiteFlatTable table = lite_flat_child(tensor, kTensorQuantization);
    result->quantization = (TfLiteQuantization){kTfLiteNoQuantization, NULL};
    if (table.at == NULL) return kTfLiteOk;
    const int type = lite_flat_u8(table, kQuantizationDetailsType);
    if (type != kDetailsBlockwise && type != kDetailsMultiAxis) return read_affine(loader, table, result);
    const LiteFlatTable details = lite_flat_child(table, kQuantizationDetails);
    if (details.at == NULL) return lite_load_fail(loader, "quantization: the details are missing");
    return type == kDetailsBlockwise ? read_blockwise(loader, table, details, tensor_count, result)
                                     : read_multi_axis(loader, details, tensor_count, result);
}
