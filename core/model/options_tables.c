// SPDX-License-Identifier: Apache-2.0
// The members of the union BuiltinOptions: operators' options. Variables are named as the schema's tables
// are.
#include "core/model/options_tables.h"
#include "core/model/describe.h"
#include "tensorflow/lite/builtin_ops.h"
#include "tensorflow/lite/c/builtin_op_data.h"

// All options tables that have no fields.
static const LiteFlatSchema NoFields = {.name = "no fields"};

OPTIONS(Conv2DOptions, Conv, PADDING(Conv), INT_TO(Conv, stride_w, stride_width, 0),
        INT_TO(Conv, stride_h, stride_height, 0), ACTIVATION(Conv),
        INT_TO(Conv, dilation_w_factor, dilation_width_factor, 1),
        INT_TO(Conv, dilation_h_factor, dilation_height_factor, 1), TYPE(Conv, quantized_bias_type));
OPTIONS(DepthwiseConv2DOptions, DepthwiseConv, PADDING(DepthwiseConv),
        INT_TO(DepthwiseConv, stride_w, stride_width, 0), INT_TO(DepthwiseConv, stride_h, stride_height, 0),
        INT(DepthwiseConv, depth_multiplier), ACTIVATION(DepthwiseConv),
        INT_TO(DepthwiseConv, dilation_w_factor, dilation_width_factor, 1),
        INT_TO(DepthwiseConv, dilation_h_factor, dilation_height_factor, 1));
TABLE(ConcatEmbeddingsOptions, SCALAR(num_channels, 4), VECTOR(num_columns_per_channel, 4),
      VECTOR(embedding_dim_per_channel, 4));
OPTIONS(LSHProjectionOptions, LSHProjection, ENUM(LSHProjection, type, 2, 0));
OPTIONS(Pool2DOptions, Pool, PADDING(Pool), INT_TO(Pool, stride_w, stride_width, 0),
        INT_TO(Pool, stride_h, stride_height, 0), INT(Pool, filter_width), INT(Pool, filter_height),
        ACTIVATION(Pool));
OPTIONS(SVDFOptions, SVDF, INT(SVDF, rank), ACTIVATION(SVDF), BOOL(SVDF, asymmetric_quantize_inputs));
OPTIONS(RNNOptions, RNN, ACTIVATION(RNN), BOOL(RNN, asymmetric_quantize_inputs));
OPTIONS(FullyConnectedOptions, FullyConnected, ACTIVATION(FullyConnected),
        ENUM(FullyConnected, weights_format, 1, 0), BOOL(FullyConnected, keep_num_dims),
        BOOL(FullyConnected, asymmetric_quantize_inputs), TYPE(FullyConnected, quantized_bias_type));
OPTIONS(SoftmaxOptions, Softmax, FLOAT(Softmax, beta));
OPTIONS(ConcatenationOptions, Concatenation, INT(Concatenation, axis), ACTIVATION(Concatenation));
OPTIONS(AddOptions, Add, ACTIVATION(Add), BOOL_DEFAULT(Add, pot_scale_int16, 1));
OPTIONS(L2NormOptions, L2Norm, ACTIVATION(L2Norm));
OPTIONS(LocalResponseNormalizationOptions, LocalResponseNorm, INT(LocalResponseNorm, radius),
        FLOAT(LocalResponseNorm, bias), FLOAT(LocalResponseNorm, alpha), FLOAT(LocalResponseNorm, beta));
OPTIONS(LSTMOptions, LSTM, ACTIVATION(LSTM), FLOAT(LSTM, cell_clip), FLOAT(LSTM, proj_clip),
        ENUM(LSTM, kernel_type, 1, 0), BOOL(LSTM, asymmetric_quantize_inputs));
OPTIONS(ResizeBilinearOptions, ResizeBilinear, DEPRECATED(new_height), DEPRECATED(new_width),
        BOOL(ResizeBilinear, align_corners), BOOL(ResizeBilinear, half_pixel_centers));
TABLE(CallOptions, SUBGRAPH_NUMBER(subgraph));
OPTIONS(ReshapeOptions, Reshape, ARRAY(Reshape, new_shape, shape, num_dimensions, 4, .kind = kLiteParamInts));
OPTIONS(SkipGramOptions, SkipGram, INT(SkipGram, ngram_size), INT(SkipGram, max_skip_size),
        BOOL(SkipGram, include_all_ngrams));
OPTIONS(SpaceToDepthOptions, SpaceToDepth, INT(SpaceToDepth, block_size));
OPTIONS(EmbeddingLookupSparseOptions, EmbeddingLookupSparse, ENUM(EmbeddingLookupSparse, combiner, 2, 0));
OPTIONS(MulOptions, Mul, ACTIVATION(Mul));
OPTIONS(GatherOptions, Gather, INT(Gather, axis), INT(Gather, batch_dims));
OPTIONS(ReducerOptions, Reducer, BOOL(Reducer, keep_dims));
OPTIONS(SubOptions, Sub, ACTIVATION(Sub), BOOL_DEFAULT(Sub, pot_scale_int16, 1));
OPTIONS(DivOptions, Div, ACTIVATION(Div));
OPTIONS(SqueezeOptions, Squeeze,
        ARRAY(Squeeze, squeeze_dims, squeeze_dims, num_squeeze_dims, 4, .kind = kLiteParamInts));
OPTIONS(SequenceRNNOptions, SequenceRNN, BOOL(SequenceRNN, time_major), ACTIVATION(SequenceRNN),
        BOOL(SequenceRNN, asymmetric_quantize_inputs));
OPTIONS(StridedSliceOptions, StridedSlice, INT(StridedSlice, begin_mask), INT(StridedSlice, end_mask),
        INT(StridedSlice, ellipsis_mask), INT(StridedSlice, new_axis_mask),
        INT(StridedSlice, shrink_axis_mask), BOOL(StridedSlice, offset));
OPTIONS(SplitOptions, Split, INT(Split, num_splits));
OPTIONS(CastOptions, Cast, TYPE(Cast, in_data_type), TYPE(Cast, out_data_type));
OPTIONS(ArgMaxOptions, ArgMax, TYPE(ArgMax, output_type));
OPTIONS(TransposeConvOptions, TransposeConv, PADDING(TransposeConv),
        INT_TO(TransposeConv, stride_w, stride_width, 0), INT_TO(TransposeConv, stride_h, stride_height, 0),
        ACTIVATION(TransposeConv), TYPE(TransposeConv, quantized_bias_type));
OPTIONS(SparseToDenseOptions, SparseToDense, BOOL(SparseToDense, validate_indices));
OPTIONS(ShapeOptions, Shape, TYPE(Shape, out_type));
OPTIONS(ArgMinOptions, ArgMin, TYPE(ArgMin, output_type));
OPTIONS(FakeQuantOptions, FakeQuant, FLOAT(FakeQuant, min), FLOAT(FakeQuant, max), INT(FakeQuant, num_bits),
        BOOL(FakeQuant, narrow_range));
OPTIONS(PackOptions, Pack, INT(Pack, values_count), INT(Pack, axis));
OPTIONS(OneHotOptions, OneHot, INT(OneHot, axis));
OPTIONS(UnpackOptions, Unpack, INT(Unpack, num), INT(Unpack, axis));
OPTIONS(BidirectionalSequenceLSTMOptions, BidirectionalSequenceLSTM, ACTIVATION(BidirectionalSequenceLSTM),
        FLOAT(BidirectionalSequenceLSTM, cell_clip), FLOAT(BidirectionalSequenceLSTM, proj_clip),
        BOOL(BidirectionalSequenceLSTM, merge_outputs),
        BOOL_DEFAULT(BidirectionalSequenceLSTM, time_major, 1),
        BOOL(BidirectionalSequenceLSTM, asymmetric_quantize_inputs));
OPTIONS(BidirectionalSequenceRNNOptions, BidirectionalSequenceRNN, BOOL(BidirectionalSequenceRNN, time_major),
        ACTIVATION(BidirectionalSequenceRNN), BOOL(BidirectionalSequenceRNN, merge_outputs),
        BOOL(BidirectionalSequenceRNN, asymmetric_quantize_inputs));
OPTIONS(UnidirectionalSequenceLSTMOptions, UnidirectionalSequenceLSTM, ACTIVATION(UnidirectionalSequenceLSTM),
        FLOAT(UnidirectionalSequenceLSTM, cell_clip), FLOAT(UnidirectionalSequenceLSTM, proj_clip),
        BOOL(UnidirectionalSequenceLSTM, time_major),
        BOOL(UnidirectionalSequenceLSTM, asymmetric_quantize_inputs),
        BOOL(UnidirectionalSequenceLSTM, diagonal_recurrent_tensors));
OPTIONS(ResizeNearestNeighborOptions, ResizeNearestNeighbor, BOOL(ResizeNearestNeighbor, align_corners),
        BOOL(ResizeNearestNeighbor, half_pixel_centers));
OPTIONS(LeakyReluOptions, LeakyRelu, FLOAT(LeakyRelu, alpha));
OPTIONS(MirrorPadOptions, MirrorPadding, ENUM(MirrorPadding, mode, 1, 1));
OPTIONS(SplitVOptions, SplitV, INT(SplitV, num_splits));
OPTIONS(UniqueOptions, Unique, TYPE_TO(Unique, idx_out_type, index_out_type, 2));
OPTIONS(ReverseSequenceOptions, ReverseSequence, INT(ReverseSequence, seq_dim),
        INT(ReverseSequence, batch_dim));
OPTIONS(IfOptions, If, SUBGRAPH(If, then_subgraph_index), SUBGRAPH(If, else_subgraph_index));
OPTIONS(WhileOptions, While, SUBGRAPH(While, cond_subgraph_index), SUBGRAPH(While, body_subgraph_index));
OPTIONS(DepthToSpaceOptions, DepthToSpace, INT(DepthToSpace, block_size));
OPTIONS(BatchMatMulOptions, BatchMatMul, BOOL(BatchMatMul, adj_x), BOOL(BatchMatMul, adj_y),
        BOOL(BatchMatMul, asymmetric_quantize_inputs));
OPTIONS(CumsumOptions, Cumsum, BOOL(Cumsum, exclusive), BOOL(Cumsum, reverse));
OPTIONS(CallOnceOptions, CallOnce, SUBGRAPH(CallOnce, init_subgraph_index));
OPTIONS(Conv3DOptions, Conv3D, PADDING(Conv3D), INT_TO(Conv3D, stride_d, stride_depth, 0),
        INT_TO(Conv3D, stride_w, stride_width, 0), INT_TO(Conv3D, stride_h, stride_height, 0),
        ACTIVATION(Conv3D), INT_TO(Conv3D, dilation_d_factor, dilation_depth_factor, 1),
        INT_TO(Conv3D, dilation_w_factor, dilation_width_factor, 1),
        INT_TO(Conv3D, dilation_h_factor, dilation_height_factor, 1));
OPTIONS(HashtableOptions, Hashtable, INT(Hashtable, table_id), TYPE(Hashtable, key_dtype),
        TYPE(Hashtable, value_dtype));
OPTIONS(VarHandleOptions, VarHandle, TEXT(VarHandle, container), TEXT(VarHandle, shared_name));
OPTIONS(RandomOptions, Random, INT64(Random, seed), INT64(Random, seed2));
OPTIONS(BucketizeOptions, Bucketize,
        ARRAY(Bucketize, boundaries, boundaries, num_boundaries, 4, .kind = kLiteParamFloatPointer,
              .required = true));
OPTIONS(GeluOptions, Gelu, BOOL(Gelu, approximate));

static const LiteFlatSchema* const members[] = {
    [0] = NULL,
    &Conv2DOptions,
    &DepthwiseConv2DOptions,
    &ConcatEmbeddingsOptions,
    &LSHProjectionOptions,
    &Pool2DOptions,
    &SVDFOptions,
    &RNNOptions,
    &FullyConnectedOptions,
    &SoftmaxOptions,
    [10] = &ConcatenationOptions,
    &AddOptions,
    &L2NormOptions,
    &LocalResponseNormalizationOptions,
    &LSTMOptions,
    &ResizeBilinearOptions,
    &CallOptions,
    &ReshapeOptions,
    &SkipGramOptions,
    &SpaceToDepthOptions,
    [20] = &EmbeddingLookupSparseOptions,
    &MulOptions,
    &NoFields,
    &GatherOptions,
    &NoFields,
    &NoFields,
    &NoFields,
    &ReducerOptions,
    &SubOptions,
    &DivOptions,
    [30] = &SqueezeOptions,
    &SequenceRNNOptions,
    &StridedSliceOptions,
    &NoFields,
    &NoFields,
    &SplitOptions,
    &NoFields,
    &CastOptions,
    &NoFields,
    &NoFields,
    [40] = &ArgMaxOptions,
    &NoFields,
    &NoFields,
    &NoFields,
    &NoFields,
    &NoFields,
    &NoFields,
    &NoFields,
    &NoFields,
    &TransposeConvOptions,
    [50] = &SparseToDenseOptions,
    &NoFields,
    &NoFields,
    &NoFields,
    &NoFields,
    &ShapeOptions,
    &NoFields,
    &ArgMinOptions,
    &FakeQuantOptions,
    &PackOptions,
    [60] = &NoFields,
    &OneHotOptions,
    &NoFields,
    &NoFields,
    &UnpackOptions,
    &NoFields,
    &NoFields,
    &NoFields,
    &NoFields,
    &BidirectionalSequenceLSTMOptions,
    [70] = &BidirectionalSequenceRNNOptions,
    &UnidirectionalSequenceLSTMOptions,
    &NoFields,
    &NoFields,
    &ResizeNearestNeighborOptions,
    &LeakyReluOptions,
    &NoFields,
    &MirrorPadOptions,
    &NoFields,
    &SplitVOptions,
    [80] = &UniqueOptions,
    &NoFields,
    &NoFields,
    &NoFields,
    &NoFields,
    &NoFields,
    &NoFields,
    &ReverseSequenceOptions,
    &NoFields,
    &NoFields,
    [90] = &NoFields,
    &NoFields,
    &IfOptions,
    &WhileOptions,
    &DepthToSpaceOptions,
    &NoFields,
    &NoFields,
    &NoFields,
    &NoFields,
    &NoFields,
    [100] = &NoFields,
    &BatchMatMulOptions,
    &CumsumOptions,
    &CallOnceOptions,
    &NoFields,
    &NoFields,
    &Conv3DOptions,
    &HashtableOptions,
    &NoFields,
    &NoFields,
    [110] = &NoFields,
    &VarHandleOptions,
    &NoFields,
    &NoFields,
    &RandomOptions,
    &BucketizeOptions,
    &GeluOptions,
    &NoFields,
    &NoFields,
    &NoFields,
    [120] = &NoFields,
    &NoFields,
    &NoFields,
    &NoFields,
    &NoFields,
    &NoFields,
    &NoFields,
};
const LiteFlatUnion lite_schema_builtin_options = {COUNT(members), members};

const LiteFlatSchema* const lite_schema_operator_options[LITE_SCHEMA_OPERATORS] = {
    [kTfLiteBuiltinAdd] = &AddOptions,
    [kTfLiteBuiltinAveragePool2d] = &Pool2DOptions,
    [kTfLiteBuiltinConcatenation] = &ConcatenationOptions,
    [kTfLiteBuiltinConv2d] = &Conv2DOptions,
    [kTfLiteBuiltinDepthwiseConv2d] = &DepthwiseConv2DOptions,
    [kTfLiteBuiltinDepthToSpace] = &DepthToSpaceOptions,
    [kTfLiteBuiltinFullyConnected] = &FullyConnectedOptions,
    [kTfLiteBuiltinL2Normalization] = &L2NormOptions,
    [kTfLiteBuiltinL2Pool2d] = &Pool2DOptions,
    [kTfLiteBuiltinLocalResponseNormalization] = &LocalResponseNormalizationOptions,
    [kTfLiteBuiltinLshProjection] = &LSHProjectionOptions,
    [kTfLiteBuiltinLstm] = &LSTMOptions,
    [kTfLiteBuiltinMaxPool2d] = &Pool2DOptions,
    [kTfLiteBuiltinMul] = &MulOptions,
    [kTfLiteBuiltinReshape] = &ReshapeOptions,
    [kTfLiteBuiltinResizeBilinear] = &ResizeBilinearOptions,
    [kTfLiteBuiltinRnn] = &RNNOptions,
    [kTfLiteBuiltinSoftmax] = &SoftmaxOptions,
    [kTfLiteBuiltinSpaceToDepth] = &SpaceToDepthOptions,
    [kTfLiteBuiltinSvdf] = &SVDFOptions,
    [kTfLiteBuiltinSkipGram] = &SkipGramOptions,
    [kTfLiteBuiltinEmbeddingLookupSparse] = &EmbeddingLookupSparseOptions,
    [kTfLiteBuiltinUnidirectionalSequenceRnn] = &SequenceRNNOptions,
    [kTfLiteBuiltinGather] = &GatherOptions,
    [kTfLiteBuiltinMean] = &ReducerOptions,
    [kTfLiteBuiltinSub] = &SubOptions,
    [kTfLiteBuiltinDiv] = &DivOptions,
    [kTfLiteBuiltinSqueeze] = &SqueezeOptions,
    [kTfLiteBuiltinUnidirectionalSequenceLstm] = &UnidirectionalSequenceLSTMOptions,
    [kTfLiteBuiltinStridedSlice] = &StridedSliceOptions,
    [kTfLiteBuiltinBidirectionalSequenceRnn] = &BidirectionalSequenceRNNOptions,
    [kTfLiteBuiltinSplit] = &SplitOptions,
    [kTfLiteBuiltinBidirectionalSequenceLstm] = &BidirectionalSequenceLSTMOptions,
    [kTfLiteBuiltinCast] = &CastOptions,
    [kTfLiteBuiltinArgMax] = &ArgMaxOptions,
    [kTfLiteBuiltinTransposeConv] = &TransposeConvOptions,
    [kTfLiteBuiltinSparseToDense] = &SparseToDenseOptions,
    [kTfLiteBuiltinSum] = &ReducerOptions,
    [kTfLiteBuiltinShape] = &ShapeOptions,
    [kTfLiteBuiltinArgMin] = &ArgMinOptions,
    [kTfLiteBuiltinFakeQuant] = &FakeQuantOptions,
    [kTfLiteBuiltinReduceProd] = &ReducerOptions,
    [kTfLiteBuiltinReduceMax] = &ReducerOptions,
    [kTfLiteBuiltinPack] = &PackOptions,
    [kTfLiteBuiltinOneHot] = &OneHotOptions,
    [kTfLiteBuiltinUnpack] = &UnpackOptions,
    [kTfLiteBuiltinReduceMin] = &ReducerOptions,
    [kTfLiteBuiltinReduceAny] = &ReducerOptions,
    [kTfLiteBuiltinResizeNearestNeighbor] = &ResizeNearestNeighborOptions,
    [kTfLiteBuiltinLeakyRelu] = &LeakyReluOptions,
    [kTfLiteBuiltinMirrorPad] = &MirrorPadOptions,
    [kTfLiteBuiltinSplitV] = &SplitVOptions,
    [kTfLiteBuiltinUnique] = &UniqueOptions,
    [kTfLiteBuiltinReverseSequence] = &ReverseSequenceOptions,
    [kTfLiteBuiltinIf] = &IfOptions,
    [kTfLiteBuiltinWhile] = &WhileOptions,
    [kTfLiteBuiltinBatchMatmul] = &BatchMatMulOptions,
    [kTfLiteBuiltinCumsum] = &CumsumOptions,
    [kTfLiteBuiltinCallOnce] = &CallOnceOptions,
    [kTfLiteBuiltinConv3d] = &Conv3DOptions,
    [kTfLiteBuiltinHashtable] = &HashtableOptions,
    [kTfLiteBuiltinReduceAll] = &ReducerOptions,
    [kTfLiteBuiltinConv3dTranspose] = &Conv3DOptions,
    [kTfLiteBuiltinVarHandle] = &VarHandleOptions,
    [kTfLiteBuiltinRandomStandardNormal] = &RandomOptions,
    [kTfLiteBuiltinBucketize] = &BucketizeOptions,
    [kTfLiteBuiltinRandomUniform] = &RandomOptions,
    [kTfLiteBuiltinMultinomial] = &RandomOptions,
    [kTfLiteBuiltinGelu] = &GeluOptions,
};
