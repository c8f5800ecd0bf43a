// SPDX-License-Identifier: Apache-2.0
// The part of the model format that programs use besides a model: the codes of the builtin operators.
// Programs expect it in a file of this name. The tables of the format are not here: oclite reads them itself.
//
// A program that reads or writes tables has the file of this name that flatc makes from the schema. Where it
// is found, under one of the paths that programs use, before these headers or after them, it takes the place
// of what is below.
#ifndef TENSORFLOW_LITE_SCHEMA_SCHEMA_GENERATED_H_
#define TENSORFLOW_LITE_SCHEMA_SCHEMA_GENERATED_H_

#include <stdint.h>

#include "tensorflow/lite/builtin_ops.h"

#if !defined(FLATBUFFERS_GENERATED_SCHEMA_TFLITE_H_) &&                                                      \
    __has_include("tensorflow/compiler/mlir/lite/schema/schema_generated.h")
#include "tensorflow/compiler/mlir/lite/schema/schema_generated.h" // IWYU pragma: export
#endif
#if !defined(FLATBUFFERS_GENERATED_SCHEMA_TFLITE_H_) &&                                                      \
    __has_include("tflite/converter/schema/schema_generated.h")
#include "tflite/converter/schema/schema_generated.h" // IWYU pragma: export
#endif
#if !defined(FLATBUFFERS_GENERATED_SCHEMA_TFLITE_H_) && __has_include("tflite/schema/schema_generated.h")
#include "tflite/schema/schema_generated.h" // IWYU pragma: export
#endif
#if !defined(FLATBUFFERS_GENERATED_SCHEMA_TFLITE_H_) && defined(__has_include_next)
#if __has_include_next(<tensorflow/lite/schema/schema_generated.h>)
#include_next <tensorflow/lite/schema/schema_generated.h>
#endif
#endif

// X(name in the format, name in builtin_ops.h) for each operator.
// clang-format off
#define OCLITE_BUILTIN_OPERATORS(X) \
    X(ADD, Add) X(AVERAGE_POOL_2D, AveragePool2d) X(CONCATENATION, Concatenation) \
    X(CONV_2D, Conv2d) X(DEPTHWISE_CONV_2D, DepthwiseConv2d) X(DEPTH_TO_SPACE, DepthToSpace) \
    X(DEQUANTIZE, Dequantize) X(EMBEDDING_LOOKUP, EmbeddingLookup) X(FLOOR, Floor) \
    X(FULLY_CONNECTED, FullyConnected) X(HASHTABLE_LOOKUP, HashtableLookup) \
    X(L2_NORMALIZATION, L2Normalization) X(L2_POOL_2D, L2Pool2d) \
    X(LOCAL_RESPONSE_NORMALIZATION, LocalResponseNormalization) X(LOGISTIC, Logistic) \
    X(LSH_PROJECTION, LshProjection) X(LSTM, Lstm) X(MAX_POOL_2D, MaxPool2d) X(MUL, Mul) \
    X(RELU, Relu) X(RELU_N1_TO_1, ReluN1To1) X(RELU6, Relu6) X(RESHAPE, Reshape) \
    X(RESIZE_BILINEAR, ResizeBilinear) X(RNN, Rnn) X(SOFTMAX, Softmax) \
    X(SPACE_TO_DEPTH, SpaceToDepth) X(SVDF, Svdf) X(TANH, Tanh) \
    X(CONCAT_EMBEDDINGS, ConcatEmbeddings) X(SKIP_GRAM, SkipGram) X(CALL, Call) \
    X(CUSTOM, Custom) X(EMBEDDING_LOOKUP_SPARSE, EmbeddingLookupSparse) X(PAD, Pad) \
    X(UNIDIRECTIONAL_SEQUENCE_RNN, UnidirectionalSequenceRnn) X(GATHER, Gather) \
    X(BATCH_TO_SPACE_ND, BatchToSpaceNd) X(SPACE_TO_BATCH_ND, SpaceToBatchNd) \
    X(TRANSPOSE, Transpose) X(MEAN, Mean) X(SUB, Sub) X(DIV, Div) X(SQUEEZE, Squeeze) \
    X(UNIDIRECTIONAL_SEQUENCE_LSTM, UnidirectionalSequenceLstm) X(STRIDED_SLICE, StridedSlice) \
    X(BIDIRECTIONAL_SEQUENCE_RNN, BidirectionalSequenceRnn) X(EXP, Exp) X(TOPK_V2, TopkV2) \
    X(SPLIT, Split) X(LOG_SOFTMAX, LogSoftmax) X(DELEGATE, Delegate) \
    X(BIDIRECTIONAL_SEQUENCE_LSTM, BidirectionalSequenceLstm) X(CAST, Cast) X(PRELU, Prelu) \
    X(MAXIMUM, Maximum) X(ARG_MAX, ArgMax) X(MINIMUM, Minimum) X(LESS, Less) X(NEG, Neg) \
    X(PADV2, Padv2) X(GREATER, Greater) X(GREATER_EQUAL, GreaterEqual) X(LESS_EQUAL, LessEqual) \
    X(SELECT, Select) X(SLICE, Slice) X(SIN, Sin) X(TRANSPOSE_CONV, TransposeConv) \
    X(SPARSE_TO_DENSE, SparseToDense) X(TILE, Tile) X(EXPAND_DIMS, ExpandDims) X(EQUAL, Equal) \
    X(NOT_EQUAL, NotEqual) X(LOG, Log) X(SUM, Sum) X(SQRT, Sqrt) X(RSQRT, Rsqrt) X(SHAPE, Shape) \
    X(POW, Pow) X(ARG_MIN, ArgMin) X(FAKE_QUANT, FakeQuant) X(REDUCE_PROD, ReduceProd) \
    X(REDUCE_MAX, ReduceMax) X(PACK, Pack) X(LOGICAL_OR, LogicalOr) X(ONE_HOT, OneHot) \
    X(LOGICAL_AND, LogicalAnd) X(LOGICAL_NOT, LogicalNot) X(UNPACK, Unpack) \
    X(REDUCE_MIN, ReduceMin) X(FLOOR_DIV, FloorDiv) X(REDUCE_ANY, ReduceAny) X(SQUARE, Square) \
    X(ZEROS_LIKE, ZerosLike) X(FILL, Fill) X(FLOOR_MOD, FloorMod) X(RANGE, Range) \
    X(RESIZE_NEAREST_NEIGHBOR, ResizeNearestNeighbor) X(LEAKY_RELU, LeakyRelu) \
    X(SQUARED_DIFFERENCE, SquaredDifference) X(MIRROR_PAD, MirrorPad) X(ABS, Abs) \
    X(SPLIT_V, SplitV) X(UNIQUE, Unique) X(CEIL, Ceil) X(REVERSE_V2, ReverseV2) X(ADD_N, AddN) \
    X(GATHER_ND, GatherNd) X(COS, Cos) X(WHERE, Where) X(RANK, Rank) X(ELU, Elu) \
    X(REVERSE_SEQUENCE, ReverseSequence) X(MATRIX_DIAG, MatrixDiag) X(QUANTIZE, Quantize) \
    X(MATRIX_SET_DIAG, MatrixSetDiag) X(ROUND, Round) X(HARD_SWISH, HardSwish) X(IF, If) \
    X(WHILE, While) X(NON_MAX_SUPPRESSION_V4, NonMaxSuppressionV4) \
    X(NON_MAX_SUPPRESSION_V5, NonMaxSuppressionV5) X(SCATTER_ND, ScatterNd) \
    X(SELECT_V2, SelectV2) X(DENSIFY, Densify) X(SEGMENT_SUM, SegmentSum) \
    X(BATCH_MATMUL, BatchMatmul) \
    X(PLACEHOLDER_FOR_GREATER_OP_CODES, PlaceholderForGreaterOpCodes) X(CUMSUM, Cumsum) \
    X(CALL_ONCE, CallOnce) X(BROADCAST_TO, BroadcastTo) X(RFFT2D, Rfft2d) X(CONV_3D, Conv3d) \
    X(IMAG, Imag) X(REAL, Real) X(COMPLEX_ABS, ComplexAbs) X(HASHTABLE, Hashtable) \
    X(HASHTABLE_FIND, HashtableFind) X(HASHTABLE_IMPORT, HashtableImport) \
    X(HASHTABLE_SIZE, HashtableSize) X(REDUCE_ALL, ReduceAll) \
    X(CONV_3D_TRANSPOSE, Conv3dTranspose) X(VAR_HANDLE, VarHandle) \
    X(READ_VARIABLE, ReadVariable) X(ASSIGN_VARIABLE, AssignVariable) \
    X(BROADCAST_ARGS, BroadcastArgs) X(RANDOM_STANDARD_NORMAL, RandomStandardNormal) \
    X(BUCKETIZE, Bucketize) X(RANDOM_UNIFORM, RandomUniform) X(MULTINOMIAL, Multinomial) \
    X(GELU, Gelu) X(DYNAMIC_UPDATE_SLICE, DynamicUpdateSlice) X(RELU_0_TO_1, Relu0To1) \
    X(UNSORTED_SEGMENT_PROD, UnsortedSegmentProd) X(UNSORTED_SEGMENT_MAX, UnsortedSegmentMax) \
    X(UNSORTED_SEGMENT_SUM, UnsortedSegmentSum) X(ATAN2, Atan2) \
    X(UNSORTED_SEGMENT_MIN, UnsortedSegmentMin) X(SIGN, Sign) X(BITCAST, Bitcast) \
    X(BITWISE_XOR, BitwiseXor) X(RIGHT_SHIFT, RightShift) \
    X(STABLEHLO_LOGISTIC, StablehloLogistic) X(STABLEHLO_ADD, StablehloAdd) \
    X(STABLEHLO_DIVIDE, StablehloDivide) X(STABLEHLO_MULTIPLY, StablehloMultiply) \
    X(STABLEHLO_MAXIMUM, StablehloMaximum) X(STABLEHLO_RESHAPE, StablehloReshape) \
    X(STABLEHLO_CLAMP, StablehloClamp) X(STABLEHLO_CONCATENATE, StablehloConcatenate) \
    X(STABLEHLO_BROADCAST_IN_DIM, StablehloBroadcastInDim) \
    X(STABLEHLO_CONVOLUTION, StablehloConvolution) X(STABLEHLO_SLICE, StablehloSlice) \
    X(STABLEHLO_CUSTOM_CALL, StablehloCustomCall) X(STABLEHLO_REDUCE, StablehloReduce) \
    X(STABLEHLO_ABS, StablehloAbs) X(STABLEHLO_AND, StablehloAnd) \
    X(STABLEHLO_COSINE, StablehloCosine) X(STABLEHLO_EXPONENTIAL, StablehloExponential) \
    X(STABLEHLO_FLOOR, StablehloFloor) X(STABLEHLO_LOG, StablehloLog) \
    X(STABLEHLO_MINIMUM, StablehloMinimum) X(STABLEHLO_NEGATE, StablehloNegate) \
    X(STABLEHLO_OR, StablehloOr) X(STABLEHLO_POWER, StablehloPower) \
    X(STABLEHLO_REMAINDER, StablehloRemainder) X(STABLEHLO_RSQRT, StablehloRsqrt) \
    X(STABLEHLO_SELECT, StablehloSelect) X(STABLEHLO_SUBTRACT, StablehloSubtract) \
    X(STABLEHLO_TANH, StablehloTanh) X(STABLEHLO_SCATTER, StablehloScatter) \
    X(STABLEHLO_COMPARE, StablehloCompare) X(STABLEHLO_CONVERT, StablehloConvert) \
    X(STABLEHLO_DYNAMIC_SLICE, StablehloDynamicSlice) \
    X(STABLEHLO_DYNAMIC_UPDATE_SLICE, StablehloDynamicUpdateSlice) \
    X(STABLEHLO_PAD, StablehloPad) X(STABLEHLO_IOTA, StablehloIota) \
    X(STABLEHLO_DOT_GENERAL, StablehloDotGeneral) \
    X(STABLEHLO_REDUCE_WINDOW, StablehloReduceWindow) X(STABLEHLO_SORT, StablehloSort) \
    X(STABLEHLO_WHILE, StablehloWhile) X(STABLEHLO_GATHER, StablehloGather) \
    X(STABLEHLO_TRANSPOSE, StablehloTranspose) X(DILATE, Dilate) \
    X(STABLEHLO_RNG_BIT_GENERATOR, StablehloRngBitGenerator) X(REDUCE_WINDOW, ReduceWindow) \
    X(STABLEHLO_COMPOSITE, StablehloComposite) X(STABLEHLO_SHIFT_LEFT, StablehloShiftLeft) \
    X(STABLEHLO_CBRT, StablehloCbrt) X(STABLEHLO_CASE, StablehloCase)
// clang-format on

#ifndef FLATBUFFERS_GENERATED_SCHEMA_TFLITE_H_
namespace tflite {

// The root table of a model, for the functions that take such a pointer.
struct Model;

enum BuiltinOperator : int32_t {
#define OCLITE_ENUMERATOR_(NAME, Name) BuiltinOperator_##NAME = kTfLiteBuiltin##Name,
    OCLITE_BUILTIN_OPERATORS(OCLITE_ENUMERATOR_)
#undef OCLITE_ENUMERATOR_
        BuiltinOperator_MIN = BuiltinOperator_ADD,
    BuiltinOperator_MAX = BuiltinOperator_STABLEHLO_CASE
};

// Returns a name such as "CONV_2D"; "" for codes that the format does not define.
inline const char* EnumNameBuiltinOperator(BuiltinOperator op) {
    switch (op) {
#define OCLITE_NAME_(NAME, Name)                                                                             \
    case BuiltinOperator_##NAME:                                                                             \
        return #NAME;
        OCLITE_BUILTIN_OPERATORS(OCLITE_NAME_)
#undef OCLITE_NAME_
    }
    return "";
}

} // namespace tflite
#endif

#endif
