// SPDX-License-Identifier: Apache-2.0
// The parameters of builtin operators, which TfLiteOpaqueNodeGetBuiltinData returns. They belong to the
// model.
//
// The comment of each struct names its operators. Operators that no comment names have no parameters. The
// function in a field `activation` is applied to the output. asymmetric_quantize_inputs concerns operators
// with float inputs and quantized weights. The layouts are part of the ABI.
#ifndef TENSORFLOW_LITE_C_BUILTIN_OP_DATA_H_
#define TENSORFLOW_LITE_C_BUILTIN_OP_DATA_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensorflow/lite/c/common.h"

#ifdef __cplusplus
extern "C" {
#endif

// The largest number of dimensions of operators whose parameters are arrays, and of branches of a case.
#define TFLITE_RESHAPE_PARAMS_MAX_DIMENSION_COUNT 8
#define TFLITE_STABLEHLO_SCATTER_PARAMS_MAX_DIMENSION_COUNT 8
#define TFLITE_STABLEHLO_GATHER_PARAMS_MAX_DIMENSION_COUNT 8
#define TFLITE_STABLEHLO_REDUCE_WINDOW_PARAMS_MAX_DIMENSION_COUNT 8
#define TFLITE_STABLEHLO_PAD_PARAMS_MAX_DIMENSION_COUNT 8
#define TFLITE_STABLEHLO_CASE_PARAMS_MAX_BRANCH_COUNT 20

// ---- Enumerations ----

// The padding of convolutions and poolings: SAME gives ceil(in / stride) outputs, VALID reads inside the
// input only.
typedef enum TfLitePadding {
    kTfLitePaddingUnknown = 0,
    kTfLitePaddingSame = 1,
    kTfLitePaddingValid = 2,
} TfLitePadding;

// REFLECT does not repeat the element at the edge, SYMMETRIC repeats it.
typedef enum TfLiteMirrorPaddingMode {
    kTfLiteMirrorPaddingUnknown = 0,
    kTfLiteMirrorPaddingReflect = 1,
    kTfLiteMirrorPaddingSymmetric = 2,
} TfLiteMirrorPaddingMode;

// A function that is applied to an operator's output: max(x, 0), clamping to [-1, 1] and to [0, 6], …
typedef enum TfLiteFusedActivation {
    kTfLiteActNone = 0,
    kTfLiteActRelu = 1,
    kTfLiteActReluN1To1 = 2,
    kTfLiteActRelu6 = 3,
    kTfLiteActTanh = 4,
    kTfLiteActSignBit = 5,
    kTfLiteActSigmoid = 6,
} TfLiteFusedActivation;

typedef enum TfLiteFullyConnectedWeightsFormat {
    kTfLiteFullyConnectedWeightsFormatDefault = 0,
    kTfLiteFullyConnectedWeightsFormatShuffled4x16Int8 = 1,
} TfLiteFullyConnectedWeightsFormat;

typedef enum TfLiteLSHProjectionType {
    kTfLiteLshProjectionUnknown = 0,
    kTfLiteLshProjectionSparse = 1,
    kTfLiteLshProjectionDense = 2,
} TfLiteLSHProjectionType;

// FULL has all gates, projections and normalizations as inputs, BASIC one weight matrix.
typedef enum TfLiteLSTMKernelType {
    kTfLiteLSTMFullKernel = 0,
    kTfLiteLSTMBasicKernel = 1,
} TfLiteLSTMKernelType;

typedef enum TfLiteCombinerType {
    kTfLiteCombinerTypeSum = 0,
    kTfLiteCombinerTypeMean = 1,
    kTfLiteCombinerTypeSqrtn = 2,
} TfLiteCombinerType;

typedef enum TfLiteRngAlgorithm {
    kTfLiteRngAlgorithmUnknown = 0,
    kTfLiteRngAlgorithmDefault = 1,
    kTfLiteRngAlgorithmPhilox = 2,
    kTfLiteRngAlgorithmThreefry = 3,
} TfLiteRngAlgorithm;

typedef enum TfLiteReduceWindowFunction {
    TfLiteReduceWindowFunctionUnsupported = 0,
    TfLiteReduceWindowFunctionAdd = 1,
    TfLiteReduceWindowFunctionMul = 2,
    TfLiteReduceWindowFunctionMin = 3,
    TfLiteReduceWindowFunctionMax = 4,
    TfLiteReduceWindowFunctionAll = 5,
    TfLiteReduceWindowFunctionAny = 6,
} TfLiteReduceWindowFunction;

// ---- Parts of the structs ----

// The only member of the structs of operators without parameters: C has no empty structs.
typedef struct EmptyStructPlaceholder {
    char dummy;
} EmptyStructPlaceholder;

// The padding before the first element, and how much larger the padding at the end is, in elements.
typedef struct TfLitePaddingValues {
    int width;
    int height;
    int width_offset;
    int height_offset;
} TfLitePaddingValues;

// ---- Convolution and pooling ----

// CONV_2D. quantized_bias_type: kTfLiteNoType unless the model says otherwise.
typedef struct TfLiteConvParams {
    TfLitePadding padding;
    int stride_width;
    int stride_height;
    TfLiteFusedActivation activation;
    int dilation_width_factor;
    int dilation_height_factor;
    TfLiteType quantized_bias_type;
} TfLiteConvParams;

// CONV_3D
typedef struct TfLiteConv3DParams {
    TfLitePadding padding;
    int stride_width;
    int stride_height;
    int stride_depth;
    int dilation_width_factor;
    int dilation_height_factor;
    int dilation_depth_factor;
    TfLiteFusedActivation activation;
} TfLiteConv3DParams;

// CONV_3D_TRANSPOSE
typedef TfLiteConv3DParams TfLiteConv3DTransposeParams;

// DEPTHWISE_CONV_2D. depth_multiplier: output channels for each input channel.
typedef struct TfLiteDepthwiseConvParams {
    TfLitePadding padding;
    int stride_width;
    int stride_height;
    int depth_multiplier;
    TfLiteFusedActivation activation;
    int dilation_width_factor;
    int dilation_height_factor;
} TfLiteDepthwiseConvParams;

// TRANSPOSE_CONV
typedef struct TfLiteTransposeConvParams {
    TfLitePadding padding;
    int stride_width;
    int stride_height;
    TfLiteFusedActivation activation;
    TfLiteType quantized_bias_type;
} TfLiteTransposeConvParams;

// AVERAGE_POOL_2D, MAX_POOL_2D, L2_POOL_2D. computed: for the operator's own use.
typedef struct TfLitePoolParams {
    TfLitePadding padding;
    int stride_width;
    int stride_height;
    int filter_width;
    int filter_height;
    TfLiteFusedActivation activation;
    struct {
        TfLitePaddingValues padding;
    } computed;
} TfLitePoolParams;

// ---- Matrix products ----

// FULLY_CONNECTED. keep_num_dims: the output has the input's number of dimensions.
typedef struct TfLiteFullyConnectedParams {
    TfLiteFusedActivation activation;
    TfLiteFullyConnectedWeightsFormat weights_format;
    bool keep_num_dims;
    bool asymmetric_quantize_inputs;
    TfLiteType quantized_bias_type;
} TfLiteFullyConnectedParams;

// BATCH_MATMUL. adj_x, adj_y: that operand is transposed.
typedef struct TfLiteBatchMatMulParams {
    bool adj_x;
    bool adj_y;
    bool asymmetric_quantize_inputs;
} TfLiteBatchMatMulParams;

// ---- Recurrent networks ----

// RNN
typedef struct TfLiteRNNParams {
    TfLiteFusedActivation activation;
    bool asymmetric_quantize_inputs;
} TfLiteRNNParams;

// UNIDIRECTIONAL_SEQUENCE_RNN. time_major: dimension 0 is time, else batch.
typedef struct TfLiteSequenceRNNParams {
    bool time_major;
    TfLiteFusedActivation activation;
    bool asymmetric_quantize_inputs;
} TfLiteSequenceRNNParams;

// BIDIRECTIONAL_SEQUENCE_RNN. merge_outputs: both directions in one output.
typedef struct TfLiteBidirectionalSequenceRNNParams {
    bool time_major;
    TfLiteFusedActivation activation;
    bool merge_outputs;
    bool asymmetric_quantize_inputs;
} TfLiteBidirectionalSequenceRNNParams;

// LSTM. A clip of 0 means none.
typedef struct TfLiteLSTMParams {
    TfLiteFusedActivation activation;
    float cell_clip;
    float proj_clip;
    TfLiteLSTMKernelType kernel_type;
    bool asymmetric_quantize_inputs;
} TfLiteLSTMParams;

// UNIDIRECTIONAL_SEQUENCE_LSTM
typedef struct TfLiteUnidirectionalSequenceLSTMParams {
    TfLiteFusedActivation activation;
    float cell_clip;
    float proj_clip;
    bool time_major;
    bool asymmetric_quantize_inputs;
    bool diagonal_recurrent_tensors;
} TfLiteUnidirectionalSequenceLSTMParams;

// BIDIRECTIONAL_SEQUENCE_LSTM
typedef struct TfLiteBidirectionalSequenceLSTMParams {
    TfLiteFusedActivation activation;
    float cell_clip;
    float proj_clip;
    bool merge_outputs;
    bool time_major;
    bool asymmetric_quantize_inputs;
} TfLiteBidirectionalSequenceLSTMParams;

// SVDF
typedef struct TfLiteSVDFParams {
    int rank;
    TfLiteFusedActivation activation;
    bool asymmetric_quantize_inputs;
} TfLiteSVDFParams;

// ---- Elementwise and normalization ----

// ADD
typedef struct TfLiteAddParams {
    TfLiteFusedActivation activation;
    bool pot_scale_int16;
} TfLiteAddParams;

// SUB
typedef struct TfLiteSubParams {
    TfLiteFusedActivation activation;
    bool pot_scale_int16;
} TfLiteSubParams;

// MUL
typedef struct TfLiteMulParams {
    TfLiteFusedActivation activation;
} TfLiteMulParams;

// DIV
typedef struct TfLiteDivParams {
    TfLiteFusedActivation activation;
} TfLiteDivParams;

// L2_NORMALIZATION
typedef struct TfLiteL2NormParams {
    TfLiteFusedActivation activation;
} TfLiteL2NormParams;

// LOCAL_RESPONSE_NORMALIZATION: x / (bias + alpha * sum of squares over 2 * radius + 1 channels) ^ beta
typedef struct TfLiteLocalResponseNormParams {
    int radius;
    float bias;
    float alpha;
    float beta;
} TfLiteLocalResponseNormParams;

// SOFTMAX: of beta * x
typedef struct TfLiteSoftmaxParams {
    float beta;
} TfLiteSoftmaxParams;

// LEAKY_RELU: alpha * x below 0
typedef struct TfLiteLeakyReluParams {
    float alpha;
} TfLiteLeakyReluParams;

// GELU. approximate: by tanh, else exact.
typedef struct TfLiteGeluParams {
    bool approximate;
} TfLiteGeluParams;

// FAKE_QUANT
typedef struct TfLiteFakeQuantParams {
    float min;
    float max;
    int num_bits;
    bool narrow_range;
} TfLiteFakeQuantParams;

// BUCKETIZE. boundaries, increasing, belong to the model.
typedef struct TfLiteBucketizeParams {
    int num_boundaries;
    const float* boundaries;
} TfLiteBucketizeParams;

// CUMSUM. exclusive: without the element itself; reverse: from the end.
typedef struct TfLiteCumsumParams {
    bool exclusive;
    bool reverse;
} TfLiteCumsumParams;

// ---- Reductions and indices ----

// MEAN, SUM, REDUCE_…. keep_dims: reduced dimensions stay, with length 1.
typedef struct TfLiteReducerParams {
    bool keep_dims;
} TfLiteReducerParams;

// ARG_MAX
typedef struct TfLiteArgMaxParams {
    TfLiteType output_type;
} TfLiteArgMaxParams;

// ARG_MIN
typedef struct TfLiteArgMinParams {
    TfLiteType output_type;
} TfLiteArgMinParams;

// GATHER
typedef struct TfLiteGatherParams {
    int axis;
    int batch_dims;
} TfLiteGatherParams;

// ONE_HOT. A negative axis counts from the end.
typedef struct TfLiteOneHotParams {
    int axis;
} TfLiteOneHotParams;

// UNIQUE
typedef struct TfLiteUniqueParams {
    TfLiteType index_out_type;
} TfLiteUniqueParams;

// SPARSE_TO_DENSE
typedef struct TfLiteSparseToDenseParams {
    bool validate_indices;
} TfLiteSparseToDenseParams;

// EMBEDDING_LOOKUP_SPARSE
typedef struct TfLiteEmbeddingLookupSparseParams {
    TfLiteCombinerType combiner;
} TfLiteEmbeddingLookupSparseParams;

// LSH_PROJECTION
typedef struct TfLiteLSHProjectionParams {
    TfLiteLSHProjectionType type;
} TfLiteLSHProjectionParams;

// SKIP_GRAM
typedef struct TfLiteSkipGramParams {
    int ngram_size;
    int max_skip_size;
    bool include_all_ngrams;
} TfLiteSkipGramParams;

// ---- Shape and layout ----

// RESHAPE, where the shape is not an input
typedef struct TfLiteReshapeParams {
    int32_t shape[TFLITE_RESHAPE_PARAMS_MAX_DIMENSION_COUNT];
    int num_dimensions;
} TfLiteReshapeParams;

// SQUEEZE. Without dimensions: all of length 1.
typedef struct TfLiteSqueezeParams {
    int32_t squeeze_dims[8];
    int num_squeeze_dims;
} TfLiteSqueezeParams;

// CONCATENATION
typedef struct TfLiteConcatenationParams {
    int axis;
    TfLiteFusedActivation activation;
} TfLiteConcatenationParams;

// PACK
typedef struct TfLitePackParams {
    int values_count;
    int axis;
} TfLitePackParams;

// UNPACK
typedef struct TfLiteUnpackParams {
    int num;
    int axis;
} TfLiteUnpackParams;

// SPLIT
typedef struct TfLiteSplitParams {
    int num_splits;
} TfLiteSplitParams;

// SPLIT_V
typedef struct TfLiteSplitVParams {
    int num_splits;
} TfLiteSplitVParams;

// STRIDED_SLICE. Bit i of a mask is about dimension i; offset: `end` counts from `begin`.
typedef struct TfLiteStridedSliceParams {
    int begin_mask;
    int end_mask;
    int ellipsis_mask;
    int new_axis_mask;
    int shrink_axis_mask;
    bool offset;
} TfLiteStridedSliceParams;

// TRANSPOSE
typedef struct TfLiteTransposeParams {
    EmptyStructPlaceholder placeholder;
} TfLiteTransposeParams;

// REVERSE_SEQUENCE
typedef struct TfLiteReverseSequenceParams {
    int seq_dim;
    int batch_dim;
} TfLiteReverseSequenceParams;

// PAD
typedef struct TfLitePadParams {
    EmptyStructPlaceholder placeholder;
} TfLitePadParams;

// PADV2
typedef struct TfLitePadV2Params {
    EmptyStructPlaceholder placeholder;
} TfLitePadV2Params;

// MIRROR_PAD
typedef struct TfLiteMirrorPaddingParams {
    TfLiteMirrorPaddingMode mode;
} TfLiteMirrorPaddingParams;

// SPACE_TO_BATCH_ND
typedef struct TfLiteSpaceToBatchNDParams {
    EmptyStructPlaceholder placeholder;
} TfLiteSpaceToBatchNDParams;

// BATCH_TO_SPACE_ND
typedef struct TfLiteBatchToSpaceNDParams {
    EmptyStructPlaceholder placeholder;
} TfLiteBatchToSpaceNDParams;

// SPACE_TO_DEPTH
typedef struct TfLiteSpaceToDepthParams {
    int block_size;
} TfLiteSpaceToDepthParams;

// DEPTH_TO_SPACE
typedef struct TfLiteDepthToSpaceParams {
    int block_size;
} TfLiteDepthToSpaceParams;

// RESIZE_BILINEAR
typedef struct TfLiteResizeBilinearParams {
    bool align_corners;
    bool half_pixel_centers;
} TfLiteResizeBilinearParams;

// RESIZE_NEAREST_NEIGHBOR
typedef struct TfLiteResizeNearestNeighborParams {
    bool align_corners;
    bool half_pixel_centers;
} TfLiteResizeNearestNeighborParams;

// CAST
typedef struct TfLiteCastParams {
    TfLiteType in_data_type;
    TfLiteType out_data_type;
} TfLiteCastParams;

// SHAPE
typedef struct TfLiteShapeParams {
    TfLiteType out_type;
} TfLiteShapeParams;

// RANK
typedef struct TfLiteRankParams {
    EmptyStructPlaceholder placeholder;
} TfLiteRankParams;

// MATRIX_DIAG
typedef struct TfLiteMatrixDiagParams {
    EmptyStructPlaceholder placeholder;
} TfLiteMatrixDiagParams;

// MATRIX_SET_DIAG
typedef struct TfLiteMatrixSetDiagParams {
    EmptyStructPlaceholder placeholder;
} TfLiteMatrixSetDiagParams;

// ---- Control flow, state and random numbers ----

// IF
typedef struct TfLiteIfParams {
    int then_subgraph_index;
    int else_subgraph_index;
} TfLiteIfParams;

// WHILE
typedef struct TfLiteWhileParams {
    int cond_subgraph_index;
    int body_subgraph_index;
} TfLiteWhileParams;

// CALL_ONCE
typedef struct TfLiteCallOnceParams {
    int init_subgraph_index;
} TfLiteCallOnceParams;

// HASHTABLE
typedef struct TfLiteHashtableParams {
    int table_id;
    TfLiteType key_dtype;
    TfLiteType value_dtype;
} TfLiteHashtableParams;

// VAR_HANDLE. The strings belong to the model; NULL when absent.
typedef struct TfLiteVarHandleParams {
    const char* container;
    const char* shared_name;
} TfLiteVarHandleParams;

// RANDOM_UNIFORM, RANDOM_STANDARD_NORMAL, MULTINOMIAL. Both seeds 0: not reproducible.
typedef struct TfLiteRandomParams {
    int seed;
    int seed2;
} TfLiteRandomParams;

// ---- StableHLO ----

// STABLEHLO_CONCATENATE
typedef struct TfLiteStablehloConcatenateParams {
    int64_t dimension;
} TfLiteStablehloConcatenateParams;

// STABLEHLO_SCATTER
typedef struct TfLiteStablehloScatterParams {
    bool indices_are_sorted;
    int64_t update_window_dims[TFLITE_STABLEHLO_SCATTER_PARAMS_MAX_DIMENSION_COUNT];
    int num_update_window_dims;
    int64_t inserted_window_dims[TFLITE_STABLEHLO_SCATTER_PARAMS_MAX_DIMENSION_COUNT];
    int num_inserted_window_dims;
    int64_t scatter_dims_to_operand_dims[TFLITE_STABLEHLO_SCATTER_PARAMS_MAX_DIMENSION_COUNT];
    int num_scatter_dims_to_operand_dims;
    int64_t index_vector_dim;
    bool unique_indices;
    int update_computation_subgraph_index;
} TfLiteStablehloScatterParams;

// STABLEHLO_RNG_BIT_GENERATOR
typedef struct TfLiteStablehloRngBitGeneratorParams {
    TfLiteRngAlgorithm algorithm;
} TfLiteStablehloRngBitGeneratorParams;

// STABLEHLO_GATHER
typedef struct TfLiteStablehloGatherParams {
    int64_t offset_dims[TFLITE_STABLEHLO_GATHER_PARAMS_MAX_DIMENSION_COUNT];
    int num_offset_dims;
    int64_t collapsed_slice_dims[TFLITE_STABLEHLO_GATHER_PARAMS_MAX_DIMENSION_COUNT];
    int num_collapsed_slice_dims;
    int64_t start_index_map[TFLITE_STABLEHLO_GATHER_PARAMS_MAX_DIMENSION_COUNT];
    int num_start_index_map;
    int64_t index_vector_dim;
    int64_t slice_sizes[TFLITE_STABLEHLO_GATHER_PARAMS_MAX_DIMENSION_COUNT];
    int num_slice_sizes;
    bool indices_are_sorted;
} TfLiteStablehloGatherParams;

// STABLEHLO_REDUCE_WINDOW. padding: low and high of each dimension.
typedef struct TfLiteStablehloReduceWindowParams {
    int64_t window_dimensions[TFLITE_STABLEHLO_REDUCE_WINDOW_PARAMS_MAX_DIMENSION_COUNT];
    int64_t window_strides[TFLITE_STABLEHLO_REDUCE_WINDOW_PARAMS_MAX_DIMENSION_COUNT];
    int64_t base_dilations[TFLITE_STABLEHLO_REDUCE_WINDOW_PARAMS_MAX_DIMENSION_COUNT];
    int64_t window_dilations[TFLITE_STABLEHLO_REDUCE_WINDOW_PARAMS_MAX_DIMENSION_COUNT];
    int64_t padding[2 * TFLITE_STABLEHLO_REDUCE_WINDOW_PARAMS_MAX_DIMENSION_COUNT];
    int body_subgraph_index;
} TfLiteStablehloReduceWindowParams;

// REDUCE_WINDOW
typedef struct TfLiteReduceWindowParams {
    enum TfLiteReduceWindowFunction reduce_function;
} TfLiteReduceWindowParams;

// STABLEHLO_PAD
typedef struct TfLiteStablehloPadParams {
    int64_t edge_padding_low[TFLITE_STABLEHLO_PAD_PARAMS_MAX_DIMENSION_COUNT];
    int64_t edge_padding_high[TFLITE_STABLEHLO_PAD_PARAMS_MAX_DIMENSION_COUNT];
    int64_t interior_padding[TFLITE_STABLEHLO_PAD_PARAMS_MAX_DIMENSION_COUNT];
} TfLiteStablehloPadParams;

// STABLEHLO_COMPOSITE. attributes: a FlexBuffers map in the model.
typedef struct TfLiteStablehloCompositeParams {
    const char* name;
    int32_t subgraph_index;
    int32_t version;
    const uint8_t* attributes;
    size_t attributes_size;
} TfLiteStablehloCompositeParams;

// STABLEHLO_CASE
typedef struct TfLiteStablehloCaseParams {
    int32_t branch_subgraph_indices[TFLITE_STABLEHLO_CASE_PARAMS_MAX_BRANCH_COUNT];
    uint32_t num_branches;
} TfLiteStablehloCaseParams;

#ifdef __cplusplus
}
#endif

#endif
