// SPDX-License-Identifier: Apache-2.0
// The library's builtin operators one by one, for resolvers that hold only a few of them:
//
//     tflite::MutableOpResolver resolver;
//     resolver.AddBuiltin(tflite::BuiltinOperator_ADD, tflite::ops::builtin::Register_ADD(), 1, 5);
#ifndef TENSORFLOW_LITE_KERNELS_BUILTIN_OP_KERNELS_H_
#define TENSORFLOW_LITE_KERNELS_BUILTIN_OP_KERNELS_H_

#include "oclite/oclite.h"
#include "tensorflow/lite/c/common.h"
#include "tensorflow/lite/schema/schema_generated.h"

namespace tflite {
namespace ops {
namespace builtin {
namespace internal {

// Returns a copy of the first version's registration, which serves all versions; nullptr when there is none.
template <TfLiteBuiltinOperator code> TfLiteRegistration* Registration() {
    static TfLiteRegistration* const registration = []() -> TfLiteRegistration* {
        static TfLiteRegistration copy;
        for (int i = 0; i < oclite_operator_count(); i++) {
            const TfLiteRegistration* op = oclite_operator(i);
            if (op->builtin_code != code || op->custom_name != nullptr) continue;
            copy = *op;
            return &copy;
        }
        return nullptr;
    }();
    return registration;
}

} // namespace internal

// Register_ADD() and so on. They return nullptr for operators that the library does not implement.
#define OCLITE_REGISTER_(NAME, Name)                                                                         \
    inline TfLiteRegistration* Register_##NAME() {                                                           \
        return internal::Registration<kTfLiteBuiltin##Name>();                                               \
    }
OCLITE_BUILTIN_OPERATORS(OCLITE_REGISTER_)

// The reference has several kernels of some operators, for which its tests ask by these names. Here they are
// one and the same.
OCLITE_REGISTER_(CONVOLUTION_REF, Conv2d)
OCLITE_REGISTER_(CONVOLUTION_GENERIC_OPT, Conv2d)
OCLITE_REGISTER_(CONVOLUTION_MULTITHREADED_OPT, Conv2d)
OCLITE_REGISTER_(DEPTHWISE_CONVOLUTION_REF, DepthwiseConv2d)
OCLITE_REGISTER_(DEPTHWISE_CONVOLUTION_GENERIC_OPT, DepthwiseConv2d)
OCLITE_REGISTER_(DEPTHWISE_CONVOLUTION_NEON_OPT, DepthwiseConv2d)
OCLITE_REGISTER_(FULLY_CONNECTED_REF, FullyConnected)
OCLITE_REGISTER_(FULLY_CONNECTED_GENERIC_OPT, FullyConnected)
OCLITE_REGISTER_(FULLY_CONNECTED_PIE, FullyConnected)
OCLITE_REGISTER_(TRANSPOSECONV_REF, TransposeConv)
OCLITE_REGISTER_(TRANSPOSECONV_GENERIC_OPT, TransposeConv)
OCLITE_REGISTER_(CONV_3D_REF, Conv3d)
OCLITE_REGISTER_(CONV_3D_GENERIC_OPT, Conv3d)
OCLITE_REGISTER_(CONV_3D_TRANSPOSE_REF, Conv3dTranspose)
OCLITE_REGISTER_(CONV_3D_TRANSPOSE_GENERIC_OPT, Conv3dTranspose)
OCLITE_REGISTER_(BATCH_MATMUL_REF, BatchMatmul)
OCLITE_REGISTER_(BATCH_MATMUL_GENERIC_OPTIMIZED, BatchMatmul)
OCLITE_REGISTER_(DEQUANTIZE_REF, Dequantize)
OCLITE_REGISTER_(QUANTIZE_REF, Quantize)
OCLITE_REGISTER_(SOFTMAX_REF, Softmax)
OCLITE_REGISTER_(LOG_SOFTMAX_REF, LogSoftmax)
OCLITE_REGISTER_(LOGISTIC_REF, Logistic)
OCLITE_REGISTER_(LOGISTIC_GENERIC_OPT, Logistic)
OCLITE_REGISTER_(LOGISTIC_FIXED_POINT_OPT, Logistic)
OCLITE_REGISTER_(TANH_REF, Tanh)
OCLITE_REGISTER_(TANH_GENERIC_OPT, Tanh)
OCLITE_REGISTER_(TANH_FIXED_POINT_OPT, Tanh)
OCLITE_REGISTER_(HARD_SWISH_REF, HardSwish)
OCLITE_REGISTER_(PRELU_REF, Prelu)
OCLITE_REGISTER_(LEAKY_RELU_REF, LeakyRelu)
OCLITE_REGISTER_(RESIZE_BILINEAR_REF, ResizeBilinear)
OCLITE_REGISTER_(RESIZE_NEAREST_NEIGHBOR_REF, ResizeNearestNeighbor)
OCLITE_REGISTER_(L2NORM_REF, L2Normalization)
OCLITE_REGISTER_(L2NORM_GENERIC_OPT, L2Normalization)
OCLITE_REGISTER_(AVERAGE_POOL_REF, AveragePool2d)
OCLITE_REGISTER_(AVERAGE_POOL_GENERIC_OPT, AveragePool2d)
OCLITE_REGISTER_(MAX_POOL_REF, MaxPool2d)
OCLITE_REGISTER_(MAX_POOL_GENERIC_OPT, MaxPool2d)
OCLITE_REGISTER_(L2_POOL_REF, L2Pool2d)
OCLITE_REGISTER_(L2_POOL_GENERIC_OPT, L2Pool2d)
OCLITE_REGISTER_(ADD_REF, Add)
OCLITE_REGISTER_(ADD_GENERIC_OPT, Add)
OCLITE_REGISTER_(SUB_REF, Sub)
OCLITE_REGISTER_(SUB_GENERIC_OPT, Sub)
OCLITE_REGISTER_(MUL_REF, Mul)
OCLITE_REGISTER_(MUL_GENERIC_OPT, Mul)
OCLITE_REGISTER_(DIV_REF, Div)
OCLITE_REGISTER_(DIV_GENERIC_OPT, Div)
OCLITE_REGISTER_(MAXIMUM_REF, Maximum)
OCLITE_REGISTER_(MINIMUM_REF, Minimum)
OCLITE_REGISTER_(SLICE_REF, Slice)
OCLITE_REGISTER_(STRIDED_SLICE_REF, StridedSlice)
OCLITE_REGISTER_(TRANSPOSE_REF, Transpose)
OCLITE_REGISTER_(PAD_REF, Pad)
OCLITE_REGISTER_(PADV2_REF, Padv2)
OCLITE_REGISTER_(MEAN_REF, Mean)
OCLITE_REGISTER_(SUM_REF, Sum)
OCLITE_REGISTER_(CONCATENATION_REF, Concatenation)
OCLITE_REGISTER_(SPACE_TO_DEPTH_REF, SpaceToDepth)
OCLITE_REGISTER_(DEPTH_TO_SPACE_REF, DepthToSpace)
OCLITE_REGISTER_(BATCH_TO_SPACE_ND_REF, BatchToSpaceNd)
OCLITE_REGISTER_(SPACE_TO_BATCH_ND_REF, SpaceToBatchNd)
OCLITE_REGISTER_(LOCAL_RESPONSE_NORM_REF, LocalResponseNormalization)
#undef OCLITE_REGISTER_

} // namespace builtin
} // namespace ops
} // namespace tflite

#endif
