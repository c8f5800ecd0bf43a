// SPDX-License-Identifier: Apache-2.0
#include "tests/api/cancel_cases.h"

#include <stdlib.h>
#include <string.h>

enum { kMaxConstants = 8 };
static void* constants[kMaxConstants];
static int constant_count;

static const TfLitePoolParams kPool = {.padding = kTfLitePaddingSame,
                                       .stride_width = 1,
                                       .stride_height = 1,
                                       .filter_width = 700,
                                       .filter_height = 700};
static const TfLiteConvParams kConv = {.padding = kTfLitePaddingSame,
                                       .stride_width = 1,
                                       .stride_height = 1,
                                       .dilation_width_factor = 1,
                                       .dilation_height_factor = 1};
static const TfLiteConv3DParams kConv3d = {.padding = kTfLitePaddingSame,
                                           .stride_width = 1,
                                           .stride_height = 1,
                                           .stride_depth = 1,
                                           .dilation_width_factor = 1,
                                           .dilation_height_factor = 1,
                                           .dilation_depth_factor = 1};
static const TfLiteDepthwiseConvParams kDepthwise = {.padding = kTfLitePaddingSame,
                                                     .stride_width = 1,
                                                     .stride_height = 1,
                                                     .depth_multiplier = 1,
                                                     .dilation_width_factor = 1,
                                                     .dilation_height_factor = 1};
static const TfLiteTransposeConvParams kTransposeConv = {
    .padding = kTfLitePaddingSame, .stride_width = 2, .stride_height = 2};
static const int32_t kTransposedSize[] = {1, 512, 512, 128};
static const TfLiteFullyConnectedParams kDense = {.activation = kTfLiteActNone};
static const TfLiteBatchMatMulParams kMatMul = {.adj_x = false};
static const TfLiteSequenceRNNParams kRnn = {.time_major = false, .activation = kTfLiteActTanh};
static const TfLiteLocalResponseNormParams kNorm = {.radius = 20000, .bias = 1, .alpha = 1, .beta = 0.5f};
static const TfLiteLSHProjectionParams kLsh = {.type = kTfLiteLshProjectionSparse};
static const int32_t kAllElements[] = {1 << 24};
static const int32_t kAllBoxes[] = {100000};
static const float kHalf[] = {0.5f}, kLowest[] = {-1.0f};
static const int32_t kFftSize[] = {4096, 8192};
static const TfLiteReduceWindowParams kReduceWindow = {.reduce_function = TfLiteReduceWindowFunctionAdd};
static const int64_t kWindow[] = {500, 500}, kOneByOne[] = {1, 1};
static const float kZeroFloat[] = {0};

#define F kTfLiteFloat32
#define I32 kTfLiteInt32
#define I64 kTfLiteInt64
#define I8 kTfLiteInt8
#define I16 kTfLiteInt16
#define CONSTANT(VALUES) .data = (VALUES)

const CancelCase cancel_long_cases[] = {
    {.name = "AVERAGE_POOL_2D",
     .code = kTfLiteBuiltinAveragePool2d,
     .params = &kPool,
     .inputs = {{.type = F, .dims = {1, 1500, 1500, 1}}},
     .outputs = {{.type = F}}},
    {.name = "AVERAGE_POOL_2D of many channels",
     .code = kTfLiteBuiltinAveragePool2d,
     .params = &kPool,
     .inputs = {{.type = F, .dims = {1, 500, 500, 96}}},
     .outputs = {{.type = F}}},
    {.name = "MAX_POOL_2D",
     .code = kTfLiteBuiltinMaxPool2d,
     .params = &kPool,
     .inputs = {{.type = I8, .dims = {1, 1500, 1500, 1}}},
     .outputs = {{.type = I8}}},
    {.name = "L2_POOL_2D",
     .code = kTfLiteBuiltinL2Pool2d,
     .params = &kPool,
     .inputs = {{.type = F, .dims = {1, 1500, 1500, 1}}},
     .outputs = {{.type = F}}},
    {.name = "CONV_2D",
     .code = kTfLiteBuiltinConv2d,
     .params = &kConv,
     .inputs = {{.type = F, .dims = {1, 256, 512, 256}},
                {.type = F, .dims = {256, 5, 5, 256}, .constant = true},
                {.type = F, .dims = {256}, .constant = true}},
     .outputs = {{.type = F}}},
    {.name = "CONV_2D on two threads",
     .code = kTfLiteBuiltinConv2d,
     .params = &kConv,
     .inputs = {{.type = F, .dims = {1, 512, 512, 256}},
                {.type = F, .dims = {256, 5, 5, 256}, .constant = true},
                {.type = F, .dims = {256}, .constant = true}},
     .outputs = {{.type = F}},
     .threads = 2},
    {.name = "CONV_2D of bytes",
     .code = kTfLiteBuiltinConv2d,
     .params = &kConv,
     .inputs = {{.type = I8, .dims = {1, 512, 1024, 256}, .scale = 1},
                {.type = I8, .dims = {256, 5, 5, 256}, .constant = true, .scale = 1},
                {.type = I32, .dims = {256}, .constant = true, .scale = 1}},
     .outputs = {{.type = I8, .scale = 1}}},
    {.name = "DEPTHWISE_CONV_2D",
     .code = kTfLiteBuiltinDepthwiseConv2d,
     .params = &kDepthwise,
     .inputs = {{.type = F, .dims = {1, 700, 700, 64}},
                {.type = F, .dims = {1, 41, 41, 64}, .constant = true},
                {.type = F, .dims = {64}, .constant = true}},
     .outputs = {{.type = F}}},
    {.name = "TRANSPOSE_CONV",
     .code = kTfLiteBuiltinTransposeConv,
     .params = &kTransposeConv,
     .inputs = {{.type = I32, .dims = {4}, CONSTANT(kTransposedSize)},
                {.type = F, .dims = {128, 9, 9, 512}, .constant = true},
                {.type = F, .dims = {1, 256, 256, 512}}},
     .outputs = {{.type = F}}},
    {.name = "CONV_3D",
     .code = kTfLiteBuiltinConv3d,
     .params = &kConv3d,
     .inputs = {{.type = F, .dims = {1, 32, 64, 64, 128}},
                {.type = F, .dims = {5, 5, 5, 128, 128}, .constant = true},
                {.type = F, .dims = {128}, .constant = true}},
     .outputs = {{.type = F}}},
    {.name = "FULLY_CONNECTED",
     .code = kTfLiteBuiltinFullyConnected,
     .params = &kDense,
     .inputs = {{.type = F, .dims = {16384, 4096}},
                {.type = F, .dims = {4096, 4096}, .constant = true},
                {.type = F, .dims = {4096}, .constant = true}},
     .outputs = {{.type = F}}},
    {.name = "BATCH_MATMUL",
     .code = kTfLiteBuiltinBatchMatmul,
     .params = &kMatMul,
     .inputs = {{.type = F, .dims = {4, 4096, 2048}}, {.type = F, .dims = {4, 2048, 4096}}},
     .outputs = {{.type = F}}},
    {.name = "UNIDIRECTIONAL_SEQUENCE_RNN",
     .code = kTfLiteBuiltinUnidirectionalSequenceRnn,
     .params = &kRnn,
     .inputs = {{.type = F, .dims = {1, 40000, 64}},
                {.type = F, .dims = {1024, 64}, .constant = true},
                {.type = F, .dims = {1024, 1024}, .constant = true},
                {.type = F, .dims = {1024}, .constant = true},
                {.type = F, .dims = {1, 1024}, .variable = true}},
     .outputs = {{.type = F}}},
    {.name = "NON_MAX_SUPPRESSION_V4",
     .code = kTfLiteBuiltinNonMaxSuppressionV4,
     .inputs = {{.type = F, .dims = {100000, 4}, .fill = kFillBoxes},
                {.type = F, .dims = {100000}, .fill = kFillRandom},
                {.type = I32, .data = kAllBoxes},
                {.type = F, .data = kHalf},
                {.type = F, .data = kLowest}},
     .outputs = {{.type = I32}, {.type = I32}}},
    {.name = "TOPK_V2",
     .code = kTfLiteBuiltinTopkV2,
     .inputs = {{.type = F, .dims = {1 << 24}, .fill = kFillRandom}, {.type = I32, .data = kAllElements}},
     .outputs = {{.type = F}, {.type = I32}}},
    {.name = "LOCAL_RESPONSE_NORMALIZATION",
     .code = kTfLiteBuiltinLocalResponseNormalization,
     .params = &kNorm,
     .inputs = {{.type = F, .dims = {1, 4, 100, 40000}}},
     .outputs = {{.type = F}}},
    {.name = "LSH_PROJECTION",
     .code = kTfLiteBuiltinLshProjection,
     .params = &kLsh,
     .inputs = {{.type = F, .dims = {32, 30}, .fill = kFillRandom, .constant = true},
                {.type = I32, .dims = {1 << 20}, .fill = kFillCount}},
     .outputs = {{.type = I32}}},
    {.name = "RFFT2D",
     .code = kTfLiteBuiltinRfft2d,
     .inputs = {{.type = F, .dims = {2, 4096, 8192}}, {.type = I32, .dims = {2}, CONSTANT(kFftSize)}},
     .outputs = {{.type = kTfLiteComplex64}}},
    {.name = NULL},
};

static const int32_t kMany = 1 << 24;
static const int32_t kLastAxis[] = {1}, kSwap[] = {1, 0}, kTwice[] = {2, 2}, kBorders[] = {1, 1, 1, 1};
static const int32_t kLarger[] = {4000, 4000}, kVector[] = {1 << 24};
static const float kOne[] = {1.0f};
static const TfLiteReducerParams kReduce = {.keep_dims = false};
static const TfLiteCumsumParams kCumsum = {.exclusive = false};
static const TfLiteArgMaxParams kArgMax = {.output_type = kTfLiteInt32};
static const TfLiteSoftmaxParams kSoftmax = {.beta = 1};
static const TfLiteUniqueParams kUnique = {.index_out_type = kTfLiteInt32};
static const TfLiteGatherParams kGather = {.axis = 0};
static const TfLiteOneHotParams kOneHot = {.axis = -1};
static const TfLiteResizeBilinearParams kBilinear = {.align_corners = false};
static const TfLiteMirrorPaddingParams kMirror = {.mode = kTfLiteMirrorPaddingReflect};
static const TfLiteRandomParams kRandom = {.seed = 1, .seed2 = 2};
static const float kBoundaries[] = {1, 2, 3, 4, 5, 6, 7};
static const TfLiteBucketizeParams kBuckets = {.num_boundaries = 7, .boundaries = kBoundaries};
static const TfLiteCastParams kCast = {.in_data_type = kTfLiteFloat32, .out_data_type = kTfLiteInt32};

const CancelCase cancel_short_cases[] = {
    {.name = "ATAN2",
     .code = kTfLiteBuiltinAtan2,
     .inputs = {{.type = F, .dims = {1 << 24}, .fill = kFillOnes},
                {.type = F, .dims = {1 << 24}, .fill = kFillRandom}},
     .outputs = {{.type = F}}},
    {.name = "COS",
     .code = kTfLiteBuiltinCos,
     .inputs = {{.type = F, .dims = {1 << 25}, .fill = kFillRandom}},
     .outputs = {{.type = F}}},
    {.name = "CAST",
     .code = kTfLiteBuiltinCast,
     .params = &kCast,
     .inputs = {{.type = F, .dims = {1 << 26}, .fill = kFillRandom}},
     .outputs = {{.type = I32}}},
    {.name = "SUM",
     .code = kTfLiteBuiltinSum,
     .params = &kReduce,
     .inputs = {{.type = F, .dims = {8000, 16000}}, {.type = I32, .dims = {1}, CONSTANT(kLastAxis)}},
     .outputs = {{.type = F}}},
    {.name = "CUMSUM",
     .code = kTfLiteBuiltinCumsum,
     .params = &kCumsum,
     .inputs = {{.type = F, .dims = {4000, 8000}}, {.type = I32, .data = kLastAxis}},
     .outputs = {{.type = F}}},
    {.name = "ARG_MAX",
     .code = kTfLiteBuiltinArgMax,
     .params = &kArgMax,
     .inputs = {{.type = F, .dims = {8000, 16000}, .fill = kFillCount}, {.type = I32, .data = kLastAxis}},
     .outputs = {{.type = I32}}},
    {.name = "SOFTMAX",
     .code = kTfLiteBuiltinSoftmax,
     .params = &kSoftmax,
     .inputs = {{.type = F, .dims = {8000, 8000}, .fill = kFillRandom}},
     .outputs = {{.type = F}}},
    {.name = "LOG_SOFTMAX",
     .code = kTfLiteBuiltinLogSoftmax,
     .inputs = {{.type = F, .dims = {8000, 8000}, .fill = kFillRandom}},
     .outputs = {{.type = F}}},
    {.name = "L2_NORMALIZATION",
     .code = kTfLiteBuiltinL2Normalization,
     .inputs = {{.type = F, .dims = {8000, 8000}, .fill = kFillRandom}},
     .outputs = {{.type = F}}},
    {.name = "TRANSPOSE",
     .code = kTfLiteBuiltinTranspose,
     .inputs = {{.type = F, .dims = {8000, 8000}, .fill = kFillCount},
                {.type = I32, .dims = {2}, CONSTANT(kSwap)}},
     .outputs = {{.type = F}}},
    {.name = "TILE",
     .code = kTfLiteBuiltinTile,
     .inputs = {{.type = F, .dims = {4000, 4000}, .fill = kFillCount},
                {.type = I32, .dims = {2}, CONSTANT(kTwice)}},
     .outputs = {{.type = F}}},
    {.name = "MIRROR_PAD",
     .code = kTfLiteBuiltinMirrorPad,
     .params = &kMirror,
     .inputs = {{.type = F, .dims = {8000, 8000}, .fill = kFillCount},
                {.type = I32, .dims = {2, 2}, CONSTANT(kBorders)}},
     .outputs = {{.type = F}}},
    {.name = "RESIZE_BILINEAR",
     .code = kTfLiteBuiltinResizeBilinear,
     .params = &kBilinear,
     .inputs = {{.type = F, .dims = {1, 64, 64, 3}, .fill = kFillRandom},
                {.type = I32, .dims = {2}, CONSTANT(kLarger)}},
     .outputs = {{.type = F}}},
    {.name = "GATHER",
     .code = kTfLiteBuiltinGather,
     .params = &kGather,
     .inputs = {{.type = F, .dims = {1 << 20, 2}, .fill = kFillCount}, {.type = I32, .dims = {1 << 24}}},
     .outputs = {{.type = F}}},
    {.name = "WHERE",
     .code = kTfLiteBuiltinWhere,
     .inputs = {{.type = F, .dims = {1 << 25}, .fill = kFillOnes}},
     .outputs = {{.type = I64}}},
    {.name = "UNIQUE",
     .code = kTfLiteBuiltinUnique,
     .params = &kUnique,
     .inputs = {{.type = I32, .dims = {1 << 22}, .fill = kFillCount}},
     .outputs = {{.type = I32}, {.type = I32}}},
    {.name = "SCATTER_ND",
     .code = kTfLiteBuiltinScatterNd,
     .inputs = {{.type = I32, .dims = {1 << 24, 1}, .fill = kFillCount},
                {.type = F, .dims = {1 << 24}, .fill = kFillRandom},
                {.type = I32, .dims = {1}, CONSTANT(kVector)}},
     .outputs = {{.type = F}}},
    {.name = "SEGMENT_SUM",
     .code = kTfLiteBuiltinSegmentSum,
     .inputs = {{.type = F, .dims = {1 << 24, 2}, .fill = kFillRandom},
                {.type = I32, .dims = {1 << 24}, .fill = kFillCount}},
     .outputs = {{.type = F}}},
    {.name = "SPARSE_TO_DENSE",
     .code = kTfLiteBuiltinSparseToDense,
     .inputs = {{.type = I32, .dims = {1 << 24, 1}, .fill = kFillCount},
                {.type = I32, .dims = {1}, CONSTANT(kVector)},
                {.type = F, .dims = {1 << 24}, .fill = kFillRandom},
                {.type = F, .data = kZeroFloat}},
     .outputs = {{.type = F}}},
    {.name = "ONE_HOT",
     .code = kTfLiteBuiltinOneHot,
     .params = &kOneHot,
     .inputs = {{.type = I32, .dims = {1 << 24}},
                {.type = I32, .data = kLastAxis},
                {.type = F, .data = kOne},
                {.type = F, .data = kZeroFloat}},
     .outputs = {{.type = F}}},
    {.name = "BUCKETIZE",
     .code = kTfLiteBuiltinBucketize,
     .params = &kBuckets,
     .inputs = {{.type = F, .dims = {1 << 25}, .fill = kFillRandom}},
     .outputs = {{.type = I32}}},
    {.name = "EMBEDDING_LOOKUP",
     .code = kTfLiteBuiltinEmbeddingLookup,
     .inputs = {{.type = I32, .dims = {1 << 22}}, {.type = F, .dims = {16, 16}, .fill = kFillRandom}},
     .outputs = {{.type = F}}},
    {.name = "RANDOM_UNIFORM",
     .code = kTfLiteBuiltinRandomUniform,
     .params = &kRandom,
     .inputs = {{.type = I32, .dims = {1}, CONSTANT(&kMany)}},
     .outputs = {{.type = F}}},
    {.name = "REDUCE_WINDOW",
     .code = kTfLiteBuiltinReduceWindow,
     .params = &kReduceWindow,
     .inputs = {{.type = F, .dims = {700, 700}, .fill = kFillOnes},
                {.type = F, .data = kZeroFloat},
                {.type = I64, .dims = {2}, CONSTANT(kWindow)},
                {.type = I64, .dims = {2}, CONSTANT(kOneByOne)},
                {.type = I64, .dims = {2}, CONSTANT(kOneByOne)}},
     .outputs = {{.type = F}}},
    {.name = "HASHTABLE_LOOKUP",
     .code = kTfLiteBuiltinHashtableLookup,
     .inputs = {{.type = I32, .dims = {1 << 22}, .fill = kFillCount},
                {.type = I32, .dims = {1 << 22}, .fill = kFillCount},
                {.type = F, .dims = {1 << 22}, .fill = kFillRandom}},
     .outputs = {{.type = F}, {.type = kTfLiteUInt8}}},
    {.name = NULL},
};

static int rank_of(const CancelTensor* tensor) {
    int rank = 0;
    while (rank < 6 && tensor->dims[rank] > 0) rank++;
    return rank;
}

static const void* zeros(size_t bytes) {
    void* data = calloc(1, bytes);
    if (data == NULL || constant_count == kMaxConstants) abort();
    constants[constant_count++] = data;
    return data;
}

static size_t size_of(TfLiteType type) {
    return type == kTfLiteInt64 ? 8 : type == kTfLiteInt8 ? 1 : 4;
}

// A float: random numbers of constants are those of inputs, too.
void cancel_case_fill(const CancelTensor* tensor, void* data, size_t bytes) {
    float* floats = data;
    int32_t* integers = data;
    uint32_t state = 1;
    const size_t count = bytes / sizeof *floats;
    memset(data, 0, bytes);
    if (tensor->fill == kFillZeros || size_of(tensor->type) != sizeof *floats) return;
    for (size_t i = 0; i < count; i++) {
        state = state * 1664525 + 1013904223;
        float value = 1.0f;
        if (tensor->fill == kFillCount) value = (float)i;
        if (tensor->fill == kFillRandom) value = (float)(state >> 8) / (1 << 21);
        if (tensor->fill == kFillBoxes) value = (float)(i / 4 * 2 + i % 4 / 2); // y0, x0, y1, x1
        if (tensor->type == kTfLiteFloat32) {
            floats[i] = value;
        } else {
            integers[i] = tensor->fill == kFillCount ? (int32_t)i : (int32_t)value;
        }
    }
}

static int add_tensor(ModelBuilder* b, const CancelTensor* tensor) {
    BuilderTensor t = {.type = tensor->type,
                       .rank = rank_of(tensor),
                       .scale = tensor->scale,
                       .is_variable = tensor->variable,
                       .data = tensor->data};
    size_t elements = 1;
    for (int i = 0; i < t.rank; i++) elements *= (size_t)(t.dims[i] = tensor->dims[i]);
    if (tensor->constant) t.data = zeros(elements * size_of(tensor->type));
    if (tensor->constant && tensor->fill != kFillZeros) {
        cancel_case_fill(tensor, (void*)(uintptr_t)t.data, elements * size_of(tensor->type));
    }
    if (t.data != NULL) t.bytes = elements * size_of(tensor->type);
    return builder_tensor(b, t);
}

ModelBuilder* cancel_case_build(const CancelCase* a_case) {
    ModelBuilder* b = builder_create();
    BuilderOperator op = {.code = a_case->code, .custom_name = a_case->custom, .params = a_case->params};
    BuilderInts inputs = {0};
    for (int i = 0; i < 8 && a_case->inputs[i].type != kTfLiteNoType; i++) {
        const CancelTensor* tensor = &a_case->inputs[i];
        const int t = op.inputs.values[op.inputs.count++] = add_tensor(b, tensor);
        const bool given = tensor->data != NULL || tensor->constant || tensor->variable;
        if (!given) inputs.values[inputs.count++] = t;
    }
    for (int i = 0; i < 4 && a_case->outputs[i].type != kTfLiteNoType; i++) {
        op.outputs.values[op.outputs.count++] = add_tensor(b, &a_case->outputs[i]);
    }
    builder_operator(b, op);
    builder_inputs(b, inputs);
    builder_outputs(b, op.outputs);
    return b;
}

void cancel_case_free(void) {
    while (constant_count > 0) free(constants[--constant_count]);
}
