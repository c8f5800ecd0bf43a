// SPDX-License-Identifier: Apache-2.0
// Operators that work, with tensors that have no elements, other ranks than they should, or lengths whose
// products overflow.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "oclite/oclite.h"
#include "tests/support/hostile_case.h"

static const uint8_t zeros[1024]; // enough for every constant, whose lengths are changed too

#define WEIGHTS(...) TENSOR(Float32, DIMS(__VA_ARGS__), .data = zeros, .bytes = sizeof(zeros))
#define WEIGHTS8(...) TENSOR(Int8, DIMS(__VA_ARGS__), .scale = 0.5f, .data = zeros, .bytes = sizeof(zeros))
#define SUMS(n) TENSOR(Int32, DIMS(n), .scale = 0.25f, .data = zeros, .bytes = sizeof(zeros))
#define CONV(...) PARAMS(Conv, kTfLitePaddingSame, __VA_ARGS__)
#define CONV_VALID(...) PARAMS(Conv, kTfLitePaddingValid, __VA_ARGS__)
#define DEPTHWISE(...) PARAMS(DepthwiseConv, kTfLitePaddingSame, __VA_ARGS__)
#define POOL(...) PARAMS(Pool, kTfLitePaddingSame, __VA_ARGS__)
#define VOLUME(...) PARAMS(Conv3D, kTfLitePaddingSame, __VA_ARGS__)
#define INTEGERS(...) TENSOR(Int32, DIMS(__VA_ARGS__))
#define BOOLS(...) TENSOR(Bool, DIMS(__VA_ARGS__))

static const HostileCase windows[] = {
    {kTfLiteBuiltinConv2d,
     CONV(1, 1, 0, 1, 1),
     {FLOATS(1, 4, 4, 2), WEIGHTS(3, 2, 2, 2), WEIGHTS(3)},
     FLOATS(1, 4, 4, 3)},
    {kTfLiteBuiltinConv2d,
     CONV_VALID(2, 2, 1, 2, 2),
     {FLOATS(2, 5, 5, 2), FLOATS(4, 2, 2, 1), FLOATS(4)},
     FLOATS(2, 2, 2, 4)},
    {kTfLiteBuiltinConv2d,
     CONV(1, 1, 0, 1, 1),
     {FLOATS(1, 4, 4, 2), WEIGHTS(3, 1, 1, 2), WEIGHTS(3)},
     FLOATS(1, 4, 4, 3)},
    {kTfLiteBuiltinConv2d,
     CONV(1, 1, 0, 1, 1),
     {Q8(1, 4, 4, 2), WEIGHTS8(3, 2, 2, 2), SUMS(3)},
     Q8(1, 4, 4, 3)},
    {kTfLiteBuiltinDepthwiseConv2d,
     DEPTHWISE(1, 1, 2, 0, 1, 1),
     {FLOATS(1, 4, 4, 2), WEIGHTS(1, 3, 3, 4), WEIGHTS(4)},
     FLOATS(1, 4, 4, 4)},
    {kTfLiteBuiltinDepthwiseConv2d,
     DEPTHWISE(2, 2, 1, 0, 1, 1),
     {Q8(1, 4, 4, 2), WEIGHTS8(1, 3, 3, 2), SUMS(2)},
     Q8(1, 2, 2, 2)},
    {kTfLiteBuiltinTransposeConv,
     PARAMS(TransposeConv, kTfLitePaddingSame, 2, 2),
     {INTS(1, 8, 8, 3), WEIGHTS(3, 2, 2, 2), FLOATS(1, 4, 4, 2)},
     FLOATS(1, 8, 8, 3)},
    {kTfLiteBuiltinTransposeConv,
     PARAMS(TransposeConv, kTfLitePaddingSame, 2, 2),
     {INTS(1, 8, 8, 3), WEIGHTS8(3, 2, 2, 2), Q8(1, 4, 4, 2)},
     Q8(1, 8, 8, 3)},
    {kTfLiteBuiltinConv3d,
     VOLUME(1, 1, 1, 1, 1, 1),
     {FLOATS(1, 2, 3, 2, 2), WEIGHTS(2, 1, 2, 2, 3), WEIGHTS(3)},
     FLOATS(1, 2, 3, 2, 3)},
    {kTfLiteBuiltinConv3dTranspose,
     VOLUME(1, 1, 1, 1, 1, 1),
     {INTS(1, 2, 2, 2, 2), WEIGHTS(1, 2, 1, 2, 3), FLOATS(1, 2, 2, 2, 3), WEIGHTS(2)},
     FLOATS(1, 2, 2, 2, 2)},
    {kTfLiteBuiltinAveragePool2d, POOL(1, 2, 3, 2), {FLOATS(1, 4, 4, 2)}, FLOATS(1, 2, 4, 2)},
    {kTfLiteBuiltinAveragePool2d, POOL(1, 1, 2, 2), {Q8(1, 4, 4, 2)}, Q8(1, 4, 4, 2)},
    {kTfLiteBuiltinMaxPool2d, POOL(2, 2, 2, 2), {FLOATS(1, 4, 4, 2)}, FLOATS(1, 2, 2, 2)},
    {kTfLiteBuiltinMaxPool2d, POOL(1, 1, 2, 2), {Q8(1, 4, 4, 2)}, Q8(1, 4, 4, 2)},
    {kTfLiteBuiltinL2Pool2d, POOL(1, 1, 2, 2), {FLOATS(1, 4, 4, 2)}, FLOATS(1, 4, 4, 2)},
    {kTfLiteBuiltinResizeBilinear,
     PARAMS(ResizeBilinear, false, true),
     {FLOATS(1, 4, 4, 2), INTS(3, 6)},
     FLOATS(1, 3, 6, 2)},
    {kTfLiteBuiltinResizeBilinear,
     PARAMS(ResizeBilinear, true, false),
     {Q8(1, 4, 4, 2), INTS(1, 1)},
     Q8(1, 1, 1, 2)},
    {kTfLiteBuiltinResizeNearestNeighbor,
     PARAMS(ResizeNearestNeighbor, true, false),
     {FLOATS(1, 4, 4, 2), INTS(1, 6)},
     FLOATS(1, 1, 6, 2)},
    {kTfLiteBuiltinLocalResponseNormalization,
     PARAMS(LocalResponseNorm, 2, 1, 1, 0.5f),
     {FLOATS(1, 2, 2, 5)},
     FLOATS(1, 2, 2, 5)},
    {kTfLiteBuiltinSpaceToDepth, PARAMS(SpaceToDepth, 2), {FLOATS(1, 4, 4, 2)}, FLOATS(1, 2, 2, 8)},
    {kTfLiteBuiltinDepthToSpace, PARAMS(DepthToSpace, 2), {FLOATS(1, 2, 2, 8)}, FLOATS(1, 4, 4, 2)},
    {kTfLiteBuiltinSpaceToBatchNd,
     NULL,
     {FLOATS(1, 4, 4, 2), INTS(2, 2), INTS2(2, 2, 0, 0, 1, 1)},
     FLOATS(4, 2, 3, 2)},
    {kTfLiteBuiltinBatchToSpaceNd,
     NULL,
     {FLOATS(4, 2, 2, 1), INTS(2, 2), INTS2(2, 2, 0, 0, 1, 0)},
     FLOATS(1, 4, 3, 1)},
};

static const HostileCase matrices[] = {
    {kTfLiteBuiltinFullyConnected,
     PARAMS(FullyConnected, 0),
     {FLOATS(2, 3), WEIGHTS(4, 3), WEIGHTS(4)},
     FLOATS(2, 4)},
    {kTfLiteBuiltinFullyConnected,
     PARAMS(FullyConnected, 0, 0, true),
     {FLOATS(2, 2, 3), FLOATS(4, 3)},
     FLOATS(2, 2, 4)},
    {kTfLiteBuiltinFullyConnected, PARAMS(FullyConnected, 0), {Q8(2, 3), WEIGHTS8(4, 3), SUMS(4)}, Q8(2, 4)},
    {kTfLiteBuiltinFullyConnected, PARAMS(FullyConnected, 0), {FLOATS(2, 3), WEIGHTS8(4, 3)}, FLOATS(2, 4)},
    {kTfLiteBuiltinBatchMatmul,
     PARAMS(BatchMatMul, false, false),
     {FLOATS(2, 1, 2, 3), FLOATS(3, 3, 4)},
     FLOATS(2, 3, 2, 4)},
    {kTfLiteBuiltinBatchMatmul, PARAMS(BatchMatMul, true, true), {FLOATS(3, 2), WEIGHTS(4, 3)}, FLOATS(2, 4)},
    {kTfLiteBuiltinBatchMatmul, PARAMS(BatchMatMul, false, false), {Q8(2, 3), Q8(3, 4)}, Q8(2, 4)},
    {kTfLiteBuiltinSvdf,
     PARAMS(SVDF, 1),
     {FLOATS(1, 3), WEIGHTS(4, 3), WEIGHTS(4, 5), WEIGHTS(4), STATE(1, 20)},
     FLOATS(1, 4)},
    {kTfLiteBuiltinRnn,
     PARAMS(RNN, 0),
     {FLOATS(2, 3), WEIGHTS(4, 3), WEIGHTS(4, 4), WEIGHTS(4), STATE(2, 4)},
     FLOATS(2, 4)},
    {kTfLiteBuiltinUnidirectionalSequenceRnn,
     PARAMS(SequenceRNN, true),
     {FLOATS(3, 2, 3), WEIGHTS(4, 3), WEIGHTS(4, 4), WEIGHTS(4), STATE(2, 4)},
     FLOATS(3, 2, 4)},
    {kTfLiteBuiltinEmbeddingLookup, NULL, {INTS(0, 1), WEIGHTS(2, 4)}, FLOATS(2, 4)},
    {kTfLiteBuiltinMatrixDiag, NULL, {FLOATS(2, 3)}, FLOATS(2, 3, 3)},
    {kTfLiteBuiltinMatrixSetDiag, NULL, {FLOATS(2, 3, 3), FLOATS(2, 3)}, FLOATS(2, 3, 3)},
    {kTfLiteBuiltinRfft2d, NULL, {FLOATS(4, 4), INTS(4, 4)}, TENSOR(Complex64, DIMS(4, 3))},
};

static const HostileCase reductions[] = {
    {kTfLiteBuiltinSoftmax, PARAMS(Softmax, 1), {FLOATS(2, 3)}, FLOATS(2, 3)},
    {kTfLiteBuiltinSoftmax,
     PARAMS(Softmax, 1),
     {Q8(2, 3)},
     TENSOR(Int8, DIMS(2, 3), .scale = 1.f / 256, .zero_point = -128)},
    {kTfLiteBuiltinLogSoftmax, NULL, {FLOATS(2, 3)}, FLOATS(2, 3)},
    {kTfLiteBuiltinL2Normalization, PARAMS(L2Norm, 0), {FLOATS(2, 3)}, FLOATS(2, 3)},
    {kTfLiteBuiltinMean, PARAMS(Reducer, true), {FLOATS(2, 3, 2), INTS(1, 0)}, FLOATS(1, 1, 2)},
    {kTfLiteBuiltinMean, PARAMS(Reducer, false), {Q8(1, 2, 3, 2), INTS(1, 2)}, Q8(1, 2)},
    {kTfLiteBuiltinSum, PARAMS(Reducer, false), {FLOATS(2, 3), INTS(-1)}, FLOATS(2)},
    {kTfLiteBuiltinReduceProd, PARAMS(Reducer, false), {FLOATS(2, 3), INTS(0)}, FLOATS(3)},
    {kTfLiteBuiltinReduceMax, PARAMS(Reducer, false), {Q8(2, 3), INTS(0)}, Q8(3)},
    {kTfLiteBuiltinReduceAny, PARAMS(Reducer, false), {BOOLS(2, 3), INTS(0)}, BOOLS(3)},
    {kTfLiteBuiltinArgMax, PARAMS(ArgMax, kTfLiteInt32), {FLOATS(2, 3), INT(1)}, INTEGERS(2)},
    {kTfLiteBuiltinCumsum, PARAMS(Cumsum, true, true), {FLOATS(2, 3), INT(1)}, FLOATS(2, 3)},
    {kTfLiteBuiltinSegmentSum, NULL, {FLOATS(2, 3), INTS(0, 1)}, FLOATS(2, 3)},
    {kTfLiteBuiltinUnsortedSegmentSum, NULL, {FLOATS(2, 3), INTS(0, 1), INT(2)}, FLOATS(2, 3)},
};

static const HostileCase moves[] = {
    {kTfLiteBuiltinAdd, PARAMS(Add, 0), {FLOATS(2, 1, 3), FLOATS(4, 1)}, FLOATS(2, 4, 3)},
    {kTfLiteBuiltinMul, PARAMS(Mul, 0), {Q8(2, 3), Q8(3)}, Q8(2, 3)},
    {kTfLiteBuiltinLess, NULL, {FLOATS(2, 1), FLOATS(3)}, BOOLS(2, 3)},
    {kTfLiteBuiltinPrelu, NULL, {FLOATS(1, 2, 2, 3), WEIGHTS(1, 1, 3)}, FLOATS(1, 2, 2, 3)},
    {kTfLiteBuiltinSelectV2, NULL, {BOOLS(2, 1), FLOATS(3), FLOATS(2, 3)}, FLOATS(2, 3)},
    {kTfLiteBuiltinConcatenation, PARAMS(Concatenation, -1), {FLOATS(2, 3), FLOATS(2, 1)}, FLOATS(2, 4)},
    {kTfLiteBuiltinPack, PARAMS(Pack, 2, 1), {FLOATS(2, 3), FLOATS(2, 3)}, FLOATS(2, 2, 3)},
    {kTfLiteBuiltinUnpack, PARAMS(Unpack, 1, 0), {FLOATS(1, 3)}, FLOATS(3)},
    {kTfLiteBuiltinSplit, PARAMS(Split, 1), {INT(1), FLOATS(2, 3)}, FLOATS(2, 3)},
    {kTfLiteBuiltinPad, NULL, {FLOATS(2, 3), INTS2(2, 2, 1, 0, 0, 2)}, FLOATS(3, 5)},
    {kTfLiteBuiltinMirrorPad,
     PARAMS(MirrorPadding, kTfLiteMirrorPaddingReflect),
     {FLOATS(2, 3), INTS2(2, 2, 1, 0, 0, 2)},
     FLOATS(3, 5)},
    {kTfLiteBuiltinTile, NULL, {FLOATS(2, 3), INTS(2, 1)}, FLOATS(4, 3)},
    {kTfLiteBuiltinTranspose, NULL, {FLOATS(2, 3, 4), INTS(2, 0, 1)}, FLOATS(4, 2, 3)},
    {kTfLiteBuiltinReverseV2, NULL, {FLOATS(2, 3), INTS(1)}, FLOATS(2, 3)},
    {kTfLiteBuiltinReverseSequence, PARAMS(ReverseSequence, 1, 0), {FLOATS(2, 3), INTS(1, 3)}, FLOATS(2, 3)},
    {kTfLiteBuiltinReshape, PARAMS(Reshape, {3, -1}, 2), {FLOATS(2, 3)}, FLOATS(3, 2)},
    {kTfLiteBuiltinSlice, NULL, {FLOATS(2, 3), INTS(1, 0), INTS(1, -1)}, FLOATS(1, 3)},
    {kTfLiteBuiltinStridedSlice,
     PARAMS(StridedSlice, 1, 0, 0, 0, 2),
     {FLOATS(2, 3), INTS(0, 1), INTS(2, 2), INTS(1, 1)},
     FLOATS(2)},
    {kTfLiteBuiltinDynamicUpdateSlice, NULL, {FLOATS(2, 3), FLOATS(1, 2), INTS(1, 1)}, FLOATS(2, 3)},
    {kTfLiteBuiltinGather, PARAMS(Gather, 1, 0), {FLOATS(2, 3), INTS(2, 0)}, FLOATS(2, 2)},
    {kTfLiteBuiltinGather, PARAMS(Gather, 1, 1), {FLOATS(2, 3), INTEGERS(2, 2)}, FLOATS(2, 2)},
    {kTfLiteBuiltinGatherNd, NULL, {FLOATS(2, 3), INTS2(1, 2, 1, 2)}, FLOATS(1)},
    {kTfLiteBuiltinScatterNd, NULL, {INTS2(1, 1, 1), FLOATS(1, 3), INTS(2, 3)}, FLOATS(2, 3)},
    {kTfLiteBuiltinOneHot, PARAMS(OneHot, -1), {INTEGERS(2), INT(3), SCALARF, SCALARF}, FLOATS(2, 3)},
    {kTfLiteBuiltinBroadcastTo, NULL, {FLOATS(3), INTS(2, 3)}, FLOATS(2, 3), .version = 2},
    {kTfLiteBuiltinWhere, NULL, {BOOLS(2, 3)}, TENSOR(Int64, DIMS(1, 2))},
    {kTfLiteBuiltinDilate, NULL, {FLOATS(2, 3), INTS(1, 2), SCALARF}, FLOATS(2, 5)},
};

// On each of the processor's paths: they differ in the operators that compute most.
static void vary(const HostileCase* cases, size_t count) {
    if (getenv("HOSTILE_ON") != NULL) {
        hostile_vary(cases, count);
        return;
    }
    for (int i = 0; oclite_available_cpu_path(i) != NULL; i++) {
        assert_int_equal(oclite_set_cpu_path(oclite_available_cpu_path(i)), kTfLiteOk);
        hostile_vary(cases, count);
    }
    assert_int_equal(oclite_set_cpu_path("auto"), kTfLiteOk);
}

static void windows_over_nothing(void** state) {
    (void)state;
    vary(windows, sizeof(windows) / sizeof(*windows));
}

static void matrices_of_nothing(void** state) {
    (void)state;
    vary(matrices, sizeof(matrices) / sizeof(*matrices));
}

static void reductions_of_nothing(void** state) {
    (void)state;
    hostile_vary(reductions, sizeof(reductions) / sizeof(*reductions));
}

static void moves_of_nothing(void** state) {
    (void)state;
    hostile_vary(moves, sizeof(moves) / sizeof(*moves));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_over_nothing),
        cmocka_unit_test(matrices_of_nothing),
        cmocka_unit_test(reductions_of_nothing),
        cmocka_unit_test(moves_of_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
