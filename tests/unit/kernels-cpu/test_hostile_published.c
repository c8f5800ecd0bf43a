// SPDX-License-Identifier: Apache-2.0
// The weaknesses that have been published for TensorFlow Lite's kernels, by the numbers of their advisories:
// what made it divide by zero, read or write outside a tensor, follow a null pointer, overflow or never end
// is an error here, or has a defined result.
//
// Elsewhere are: tensors with several writers (CVE-2020-15210, test_model_broken.c); graphs that contain
// themselves and endless loops (CVE-2021-29591, test_hostile_graph.c); sizes of integer arrays
// (CVE-2021-29605, CVE-2022-23558, tests/api/test_common.c); sparsity parameters of the file (CVE-2022-23560,
// CVE-2022-23561, test_model_broken.c).
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/hostile_case.h"

#define IMAGE FLOATS(1, 4, 4, 2)
#define FILTER FLOATS(2, 2, 2, 2)
#define CONV(...) PARAMS(Conv, kTfLitePaddingSame, __VA_ARGS__)
#define DEPTHWISE(...) PARAMS(DepthwiseConv, kTfLitePaddingSame, __VA_ARGS__)
#define POOL(...) PARAMS(Pool, kTfLitePaddingSame, __VA_ARGS__)
#define INTEGERS(...) TENSOR(Int32, DIMS(__VA_ARGS__))

static const float few_weights[20] = {0};

static const HostileCase segments[] = {
    // CVE-2020-15212, 15213, 15214: segment ids that are negative, huge or out of order
    {kTfLiteBuiltinSegmentSum, NULL, {FLOATS(2), INTS(-3, -2)}, FLOATS(2), "segment id -3 at position 0"},
    {kTfLiteBuiltinSegmentSum,
     NULL,
     {FLOATS(3), INTS(0, 1, 0)},
     FLOATS(2),
     "segment id 0 at position 2 follows 1"},
    {kTfLiteBuiltinSegmentSum,
     NULL,
     {FLOATS(1), INTS(INT32_MAX)},
     FLOATS(1),
     "segment id 2147483647 at position 0"},
    {kTfLiteBuiltinSegmentSum,
     NULL,
     {FLOATS(3), INTS(0, 1)},
     FLOATS(2),
     "dimension 0 is 2 for segment ids and 3"},
    // CVE-2019-16778: negative ids are of no segment
    {kTfLiteBuiltinUnsortedSegmentSum, NULL, {FLOATS(2), INTS(INT32_MIN, 1), INT(2)}, FLOATS(2), NULL},
    {kTfLiteBuiltinUnsortedSegmentMax,
     NULL,
     {FLOATS(2), INTS(0, 1), INT(1 << 30)},
     FLOATS(2),
     "tensor 't3' needs 4294967296 bytes"},
};

static const HostileCase divisors[] = {
    // CVE-2021-29585, 29586, 37684, 2022-21741: strides and filters of nothing
    {kTfLiteBuiltinConv2d,
     CONV(0, 0, 0, 1, 1),
     {IMAGE, FILTER, FLOATS(2)},
     IMAGE,
     "CONV_2D: strides are 0 and 0, expected at least 1"},
    {kTfLiteBuiltinDepthwiseConv2d,
     DEPTHWISE(0, 0, 1, 0, 1, 1),
     {IMAGE, FLOATS(1, 2, 2, 2)},
     IMAGE,
     "DEPTHWISE_CONV_2D: strides are 0 and 0, expected at least 1"},
    {kTfLiteBuiltinMaxPool2d,
     POOL(0, 0, 2, 2),
     {IMAGE},
     IMAGE,
     "MAX_POOL_2D: strides are 0 and 0, expected at least 1"},
    {kTfLiteBuiltinAveragePool2d,
     POOL(1, 1, 0, 0),
     {IMAGE},
     IMAGE,
     "AVERAGE_POOL_2D: the filter is 0 by 0, expected at least 1"},
    {kTfLiteBuiltinConv3d,
     PARAMS(Conv3D, kTfLitePaddingSame, 1, 1, 0, 1, 1, 1),
     {FLOATS(1, 4, 4, 4, 2), FLOATS(2, 2, 2, 2, 2)},
     FLOATS(1, 4, 4, 4, 2),
     "CONV_3D: stride 0 and dilation 1 of dimension"},
    // CVE-2021-29587, 29595, 29593, 29597: blocks of nothing
    {kTfLiteBuiltinSpaceToDepth, PARAMS(SpaceToDepth, 0), {IMAGE}, IMAGE, "SPACE_TO_DEPTH: "},
    {kTfLiteBuiltinDepthToSpace, PARAMS(DepthToSpace, 0), {IMAGE}, IMAGE, "DEPTH_TO_SPACE: "},
    {kTfLiteBuiltinBatchToSpaceNd,
     NULL,
     {FLOATS(4, 2, 2, 1), INTS(2, 0), INTS2(2, 2, 0, 0, 0, 0)},
     IMAGE,
     "BATCH_TO_SPACE_ND: block 0 with margins 0 and 0 in dimension 1"},
    {kTfLiteBuiltinSpaceToBatchNd,
     NULL,
     {IMAGE, INTS(2, 0), INTS2(2, 2, 0, 0, 0, 0)},
     IMAGE,
     "SPACE_TO_BATCH_ND: block 0 with margins 0 and 0 in dimension 1"},
    // CVE-2021-29588
    {kTfLiteBuiltinTransposeConv,
     PARAMS(TransposeConv, kTfLitePaddingSame, 0, 0),
     {INTS(1, 8, 8, 2), FILTER, IMAGE},
     IMAGE,
     "TRANSPOSE_CONV: strides are 0 and 0, expected at least 1"},
    // CVE-2021-29594, 2023-27579: filters without channels; CVE-2021-29602: inputs without
    {kTfLiteBuiltinConv2d,
     CONV(1, 1, 0, 1, 1),
     {IMAGE, FLOATS(2, 2, 2, 0), FLOATS(2)},
     IMAGE,
     "CONV_2D: 2 input channels are no multiple of 0 filter channels"},
    {kTfLiteBuiltinDepthwiseConv2d,
     DEPTHWISE(1, 1, 0, 0, 1, 1),
     {FLOATS(1, 4, 4, 0), FLOATS(1, 2, 2, 2)},
     IMAGE,
     "DEPTHWISE_CONV_2D: 2 output channels are no multiple of 0 input channels"},
    // CVE-2022-23557: a bias of nothing
    {kTfLiteBuiltinConv2d,
     CONV(1, 1, 0, 1, 1),
     {IMAGE, FILTER, FLOATS(0)},
     IMAGE,
     "CONV_2D: the bias has 0 elements for 2 output channels"},
    {kTfLiteBuiltinFullyConnected,
     PARAMS(FullyConnected, 0),
     {FLOATS(2, 3), FLOATS(4, 3), FLOATS(0)},
     FLOATS(2, 4),
     "FULLY_CONNECTED: the bias has 0 elements for 4 units"},
    // CVE-2021-37680: weights without inputs
    {kTfLiteBuiltinFullyConnected,
     PARAMS(FullyConnected, 0),
     {FLOATS(2, 0), FLOATS(4, 0)},
     FLOATS(2, 4),
     NULL},
    // Rows that no memory holds, given to a library that divides by what their bytes overflow to
    {kTfLiteBuiltinFullyConnected,
     PARAMS(FullyConnected, 0),
     {FLOATS(INT32_MAX, 4), TENSOR(Float32, DIMS(5, 4), .data = few_weights, .bytes = sizeof few_weights),
      FLOATS(5)},
     FLOATS(2, 5),
     "needs 34359738352 bytes"},
    {kTfLiteBuiltinFullyConnected,
     PARAMS(FullyConnected, 0),
     {FLOATS(0, 3), FLOATS(0, 3)},
     FLOATS(2, 4),
     NULL},
    // CVE-2021-29589, 29596, 29604: tables without entries
    {kTfLiteBuiltinGatherNd,
     NULL,
     {FLOATS(0, 2), INTS2(1, 1, 0)},
     FLOATS(1),
     "GATHER_ND: 1 indices into an input without elements"},
    {kTfLiteBuiltinEmbeddingLookup,
     NULL,
     {INTS(0), FLOATS(0, 4)},
     FLOATS(1, 4),
     "EMBEDDING_LOOKUP: row 0 is outside [0, 0)"},
    {kTfLiteBuiltinHashtableLookup,
     NULL,
     {INTS(0), INTEGERS(0), FLOATS(0, 4)},
     FLOATS(1, 4),
     "HASHTABLE_LOOKUP: "},
    // CVE-2021-29598: an SVDF of rank 0
    {kTfLiteBuiltinSvdf,
     PARAMS(SVDF, 0),
     {FLOATS(1, 3), FLOATS(4, 3), FLOATS(4, 5), ABSENT, STATE(1, 20)},
     FLOATS(1, 4),
     "SVDF: 4 filters cannot be split into ranks of 0"},
    {kTfLiteBuiltinSvdf,
     PARAMS(SVDF, INT32_MIN),
     {FLOATS(1, 3), FLOATS(4, 3), FLOATS(4, 5), ABSENT, STATE(1, 20)},
     FLOATS(1, 4),
     "SVDF: 4 filters cannot be split into ranks of -2147483648"},
    // CVE-2021-29599, 29600
    {kTfLiteBuiltinSplit, PARAMS(Split, 0), {INT(0), FLOATS(4)}, FLOATS(4), "SPLIT: splits into 0 parts"},
    {kTfLiteBuiltinOneHot, PARAMS(OneHot, -1), {INTEGERS(0), INT(3), SCALARF, SCALARF}, FLOATS(0, 3), NULL},
    {kTfLiteBuiltinOneHot, PARAMS(OneHot, -1), {INTS(0), INT(0), SCALARF, SCALARF}, FLOATS(1, 0), NULL},
    // CVE-2021-37683
    {kTfLiteBuiltinDiv, PARAMS(Div, 0), {INTEGERS(2), INTEGERS(2)}, INTEGERS(2), "DIV: Division by 0"},
    // CVE-2021-37691: hashes of nothing, and nothing to hash
    {kTfLiteBuiltinLshProjection,
     PARAMS(LSHProjection, kTfLiteLshProjectionDense),
     {FLOATS(2, 2), INTEGERS(0)},
     INTEGERS(4),
     "LSH_PROJECTION: the input has no items"},
    {kTfLiteBuiltinLshProjection,
     PARAMS(LSHProjection, kTfLiteLshProjectionDense),
     {FLOATS(0, 2), INTEGERS(2)},
     INTEGERS(4),
     NULL},
    {kTfLiteBuiltinLshProjection,
     PARAMS(LSHProjection, kTfLiteLshProjectionSparse),
     {FLOATS(2, 33), INTEGERS(2)},
     INTEGERS(4),
     "LSH_PROJECTION: the seeds have 2 dimensions, expected 2, the second at most 32"},
    {kTfLiteBuiltinLshProjection,
     PARAMS(LSHProjection, kTfLiteLshProjectionSparse),
     {FLOATS(3, 32), FLOATS(INT32_MAX, 0)},
     INTEGERS(3),
     NULL},
};

static const HostileCase indices[] = {
    // CVE-2020-15207: negative axes
    {kTfLiteBuiltinReduceMax,
     PARAMS(Reducer, 0),
     {FLOATS(4), INTS(-2)},
     FLOATS(1),
     "REDUCE_MAX: axis -2 is out of range for 1 dimensions"},
    {kTfLiteBuiltinSum,
     PARAMS(Reducer, 0),
     {FLOATS(4), INTS(INT32_MIN)},
     FLOATS(1),
     "SUM: axis -2147483648 is out of range for 1 dimensions"},
    // CVE-2021-29603
    {kTfLiteBuiltinArgMin,
     PARAMS(ArgMin, kTfLiteInt32),
     {FLOATS(2, 2), INT(2)},
     INTEGERS(2),
     "ARG_MIN: axis 2 is out of range for 2 dimensions"},
    {kTfLiteBuiltinArgMax,
     PARAMS(ArgMax, kTfLiteInt32),
     {SCALARF, INT(0)},
     INTEGERS(1),
     "ARG_MAX: axis 0 is out of"},
    // CVE-2021-29606, 37685
    {kTfLiteBuiltinSplitV,
     PARAMS(SplitV, 1),
     {FLOATS(4), INTS(4), INT(-2)},
     FLOATS(4),
     "SPLIT_V: axis -2 is out of range for 1 dimensions"},
    {kTfLiteBuiltinExpandDims,
     NULL,
     {FLOATS(4), INT(-3)},
     FLOATS(4),
     "EXPAND_DIMS: axis -3 is out of range for 2 dimensions"},
    // CVE-2021-37687, 2022-35937, 35938, 35939: indices
    {kTfLiteBuiltinGather,
     PARAMS(Gather, 0, 0),
     {FLOATS(4), INTS(INT32_MIN)},
     FLOATS(1),
     "GATHER: position -2147483648 is outside [0, 4)"},
    {kTfLiteBuiltinGather,
     PARAMS(Gather, 0, -7),
     {FLOATS(4), INTS(0)},
     FLOATS(1),
     "GATHER: -7 batch dimensions before axis 0"},
    {kTfLiteBuiltinGather,
     PARAMS(Gather, 1, 1),
     {FLOATS(2, 3), INTEGERS(3, 1)},
     FLOATS(2, 1),
     "GATHER: batch dimension 0 is 2 and 3"},
    {kTfLiteBuiltinGatherNd,
     NULL,
     {FLOATS(4), INTS2(1, 1, -1)},
     FLOATS(1),
     "GATHER_ND: index -1 is outside dimension 0 of 4 elements"},
    {kTfLiteBuiltinGatherNd,
     NULL,
     {FLOATS(2, 2), INTS2(1, 2, 1, INT32_MAX)},
     FLOATS(1),
     "GATHER_ND: index 2147483647 is outside dimension 1 of 2 elements"},
    {kTfLiteBuiltinScatterNd,
     NULL,
     {INTS2(1, 1, -1), FLOATS(1), INTS(4)},
     FLOATS(4),
     "SCATTER_ND: index -1 is outside dimension 0 of 4 elements"},
    {kTfLiteBuiltinScatterNd,
     NULL,
     {INTS2(1, 3, 0, 0, 0), FLOATS(1), INTS(4)},
     FLOATS(4),
     "SCATTER_ND: 3 coordinates, updates of 1 dimensions, output of 1"},
    {kTfLiteBuiltinEmbeddingLookup,
     NULL,
     {INTS(-1), FLOATS(2, 4)},
     FLOATS(1, 4),
     "EMBEDDING_LOOKUP: row -1 is outside [0, 2)"},
    {kTfLiteBuiltinEmbeddingLookup,
     NULL,
     {INTS(INT32_MAX), FLOATS(2, 4)},
     FLOATS(1, 4),
     "EMBEDDING_LOOKUP: row 2147483647 is outside [0, 2)"},
    // CVE-2022-23559: entries outside the dense shape, and shapes that overflow
    {kTfLiteBuiltinEmbeddingLookupSparse,
     PARAMS(EmbeddingLookupSparse, kTfLiteCombinerTypeSum),
     {INTS(0), INTS2(1, 2, 5, 0), INTS(2, 2), FLOATS(1), FLOATS(2, 4)},
     FLOATS(2, 4),
     "EMBEDDING_LOOKUP_SPARSE: index 0 of entry 0 is 5, outside [0, 2)"},
    {kTfLiteBuiltinEmbeddingLookupSparse,
     PARAMS(EmbeddingLookupSparse, kTfLiteCombinerTypeSum),
     {INTS(9), INTS2(1, 2, 0, 0), INTS(2, 2), FLOATS(1), FLOATS(2, 4)},
     FLOATS(2, 4),
     "EMBEDDING_LOOKUP_SPARSE: id 9 is outside [0, 2)"},
    {kTfLiteBuiltinEmbeddingLookupSparse,
     PARAMS(EmbeddingLookupSparse, kTfLiteCombinerTypeSum),
     {INTS(0), INTS2(1, 2, 0, 0), INTS(1 << 30, 2), FLOATS(1), FLOATS(2, 4)},
     FLOATS(2, 4),
     "tensor 't5' needs 17179869184 bytes"},
    {kTfLiteBuiltinEmbeddingLookupSparse,
     PARAMS(EmbeddingLookupSparse, kTfLiteCombinerTypeSum),
     {INTS(0), INTS2(1, 2, 0, 0), INTS(-1, 2), FLOATS(1), FLOATS(2, 4)},
     FLOATS(2, 4),
     "dimension 0 of the output would be -1"},
};

static const HostileCase absent[] = {
    // CVE-2020-15209, 15211, 2021-29592, 37681, 37688, 37689: inputs that are not there, states that are none
    {kTfLiteBuiltinConv2d,
     CONV(1, 1, 0, 1, 1),
     {IMAGE, ABSENT, FLOATS(2)},
     IMAGE,
     "CONV_2D: input 1 is absent"},
    {kTfLiteBuiltinAdd, PARAMS(Add, 0), {ABSENT, FLOATS(2)}, FLOATS(2), "ADD: input 0 is absent"},
    {kTfLiteBuiltinFullyConnected,
     PARAMS(FullyConnected, 0),
     {FLOATS(2, 3), ABSENT},
     FLOATS(2, 4),
     "FULLY_CONNECTED: input 1 is absent"},
    {kTfLiteBuiltinTransposeConv,
     PARAMS(TransposeConv, kTfLitePaddingSame, 1, 1),
     {ABSENT, FILTER, IMAGE},
     IMAGE,
     "TRANSPOSE_CONV: input 0 is absent"},
    {kTfLiteBuiltinSplitV,
     PARAMS(SplitV, 1),
     {FLOATS(4), ABSENT, INT(0)},
     FLOATS(4),
     "SPLIT_V: input 1 is absent"},
    {kTfLiteBuiltinStridedSlice,
     PARAMS(StridedSlice, 0),
     {FLOATS(4), INTS(0), ABSENT, INTS(1)},
     FLOATS(4),
     "STRIDED_SLICE: input 2 is absent"},
    {kTfLiteBuiltinStridedSlice,
     PARAMS(StridedSlice, 0),
     {FLOATS(4), INTS(0), TENSOR(Int64, DIMS(1)), INTS(1)},
     FLOATS(4),
     "STRIDED_SLICE: end of type INT64 is not supported"},
    {kTfLiteBuiltinReshape, NULL, {FLOATS(4), ABSENT}, FLOATS(4), "RESHAPE: "},
    {kTfLiteBuiltinReshape, NULL, {FLOATS(4), FLOATS(1)}, FLOATS(4), "RESHAPE: "},
    {kTfLiteBuiltinSvdf,
     PARAMS(SVDF, 1),
     {FLOATS(1, 3), FLOATS(4, 3), FLOATS(4, 5), ABSENT, ABSENT},
     FLOATS(1, 4),
     "SVDF: input 4 is absent"},
    {kTfLiteBuiltinSvdf,
     PARAMS(SVDF, 1),
     {FLOATS(1, 3), FLOATS(4, 3), FLOATS(4, 5), ABSENT, FLOATS(1, 20)},
     FLOATS(1, 4),
     "SVDF: the state is not a variable tensor"},
    {kTfLiteBuiltinL2Normalization, PARAMS(L2Norm, 0), {FLOATS(0, 4)}, FLOATS(0, 4), NULL},
    {kTfLiteBuiltinL2Normalization, PARAMS(L2Norm, 0), {FLOATS(4, 0)}, FLOATS(4, 0), NULL},
    // CVE-2021-29590: nothing to compare
    {kTfLiteBuiltinMaximum, NULL, {FLOATS(0), FLOATS(1)}, FLOATS(0), NULL},
    {kTfLiteBuiltinMinimum, NULL, {FLOATS(0, 3), FLOATS(1, 3)}, FLOATS(0, 3), NULL},
    {kTfLiteBuiltinMinimum,
     NULL,
     {FLOATS(0), FLOATS(2)},
     FLOATS(0),
     "MINIMUM: Given shapes, [0] and [2], are not broadcastable."},
};

static const float small_scale[] = {1e-30f}, large_scale[] = {1e30f}, two_scales[] = {0.5f, 0.25f};

static const float one[] = {1};
#define SPARSE TENSOR(Float32, DIMS(1000), .data = one, .bytes = sizeof(one), .sparse = true)

static const HostileCase sizes[] = {
    // CVE-2022-23560: a sparse tensor stores less than its shape says
    {kTfLiteBuiltinDensify, NULL, {SPARSE}, FLOATS(1000), NULL},
    {kTfLiteBuiltinAbs, NULL, {SPARSE}, FLOATS(1000), "ABS: input 0 is sparse, 4 bytes for 1000 elements"},
    {kTfLiteBuiltinReshape,
     PARAMS(Reshape, {10, 100}, 2),
     {SPARSE},
     FLOATS(10, 100),
     "RESHAPE: input 0 is sparse"},
    {kTfLiteBuiltinFullyConnected,
     PARAMS(FullyConnected, 0),
     {FLOATS(1, 1), FLOATS(1000, 1), SPARSE},
     FLOATS(1, 1000),
     "FULLY_CONNECTED: input 2 is sparse"},
    // CVE-2020-15208, 2022-41894: tensors that do not fit together
    {kTfLiteBuiltinMul,
     PARAMS(Mul, 0),
     {FLOATS(2, 3), FLOATS(3, 3)},
     FLOATS(3, 3),
     "MUL: Given shapes, [2,3] and [3,3], are not broadcastable."},
    {kTfLiteBuiltinConv3dTranspose,
     PARAMS(Conv3D, kTfLitePaddingSame, 1, 1, 1, 1, 1, 1),
     {INTS(1, 2, 2, 2, 2), FLOATS(1, 1, 1, 2, 3), FLOATS(1, 2, 2, 2, 3), FLOATS(100)},
     FLOATS(1, 2, 2, 2, 2),
     "CONV_3D_TRANSPOSE: the bias has 100 elements"},
    {kTfLiteBuiltinConv3dTranspose,
     PARAMS(Conv3D, kTfLitePaddingSame, 1, 1, 1, 1, 1, 1),
     {INTS(1, 2, 2, 2, INT32_MAX), FLOATS(1, 1, 1, 2, 3), FLOATS(1, 2, 2, 2, 3)},
     FLOATS(1, 2, 2, 2, 2),
     "CONV_3D_TRANSPOSE: output shape [1, 2, 2, 2, 2147483647]"},
    // CVE-2021-29601
    {kTfLiteBuiltinConcatenation,
     PARAMS(Concatenation, -1),
     {FLOATS(0, INT32_MAX), FLOATS(0, 1)},
     FLOATS(0, 8),
     "CONCATENATION: dimension 1 of the output would be 2147483648"},
    {kTfLiteBuiltinReshape,
     PARAMS(Reshape, {INT32_MAX, INT32_MAX, INT32_MAX, 4}, 4),
     {FLOATS(4)},
     FLOATS(2, 2),
     "RESHAPE: "},
    // CVE-2021-37686: more new axes than dimensions, and an ellipsis for nothing
    {kTfLiteBuiltinStridedSlice,
     PARAMS(StridedSlice, 0, 0, 1, -1, 0),
     {FLOATS(4), INTS(0, 0, 0, 0), INTS(1, 1, 1, 1), INTS(1, 1, 1, 1)},
     FLOATS(1),
     NULL},
    {kTfLiteBuiltinStridedSlice,
     PARAMS(StridedSlice, 0, 0, -1, 0, 0),
     {FLOATS(4, 4), INTS(0, 0, 0, 0), INTS(1, 1, 1, 1), INTS(1, 1, 1, 1)},
     FLOATS(1),
     "STRIDED_SLICE: more than one ellipsis"},
    // CVE-2022-29212: products of scales beyond one; CVE-2021-37682: quantization that is not there
    {kTfLiteBuiltinMul,
     PARAMS(Mul, 0),
     {TENSOR(Int8, DIMS(4), .scale_count = 1, .scales = large_scale),
      TENSOR(Int8, DIMS(4), .scale_count = 1, .scales = large_scale)},
     TENSOR(Int8, DIMS(4), .scale_count = 1, .scales = small_scale),
     NULL},
    {kTfLiteBuiltinConv2d,
     CONV(1, 1, 0, 1, 1),
     {Q8(1, 4, 4, 2), TENSOR(Int8, DIMS(2, 2, 2, 2)), TENSOR(Int32, DIMS(2))},
     Q8(1, 4, 4, 2),
     "CONV_2D: the filter has no quantization scale"},
    {kTfLiteBuiltinConv2d,
     CONV(1, 1, 0, 1, 1),
     {Q8(1, 4, 4, 2), TENSOR(Int8, DIMS(3, 2, 2, 2), .scale_count = 2, .scales = two_scales), INTEGERS(3)},
     Q8(1, 4, 4, 3),
     "scale"},
    {kTfLiteBuiltinFullyConnected,
     PARAMS(FullyConnected, 0),
     {Q8(2, 3), TENSOR(Int8, DIMS(4, 3)), INTEGERS(4)},
     Q8(2, 4),
     "FULLY_CONNECTED: "},
};

static void segments_that_cannot_be(void** state) {
    (void)state;
    hostile_check(segments, sizeof(segments) / sizeof(*segments));
}

static void divisors_of_zero(void** state) {
    (void)state;
    hostile_check(divisors, sizeof(divisors) / sizeof(*divisors));
}

static void indices_out_of_range(void** state) {
    (void)state;
    hostile_check(indices, sizeof(indices) / sizeof(*indices));
}

static void tensors_that_are_not_there(void** state) {
    (void)state;
    hostile_check(absent, sizeof(absent) / sizeof(*absent));
}

static void sizes_that_overflow(void** state) {
    (void)state;
    hostile_check(sizes, sizeof(sizes) / sizeof(*sizes));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(segments_that_cannot_be), cmocka_unit_test(divisors_of_zero),
        cmocka_unit_test(indices_out_of_range),    cmocka_unit_test(tensors_that_are_not_there),
        cmocka_unit_test(sizes_that_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
