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
#define OCLITE_REGISTER_VARIANTS_(X)                                                                         \
    X(CONVOLUTION_REF, Conv2d)                                                                               \
    X(CONVOLUTION_GENERIC_OPT, Conv2d)                                                                       \
    X(CONVOLUTION_MULTITHREADED_OPT, Conv2d) X(DEPTHWISE_CONVOLUTION_REF, DepthwiseConv2d) X(                \
        DEPTHWISE_CONVOLUTION_GENERIC_OPT,                                                                   \
        DepthwiseConv2d) X(DEPTHWISE_CONVOLUTION_NEON_OPT,                                                   \
                           DepthwiseConv2d) X(FULLY_CONNECTED_REF,                                           \
                                              FullyConnected) X(FULLY_CONNECTED_GENERIC_OPT, FullyConnected) \
        X(FULLY_CONNECTED_PIE, FullyConnected) X(TRANSPOSECONV_REF, TransposeConv) X(                        \
            TRANSPOSECONV_GENERIC_OPT, TransposeConv) X(CONV_3D_REF, Conv3d) X(CONV_3D_GENERIC_OPT, Conv3d)  \
            X(CONV_3D_TRANSPOSE_REF, Conv3dTranspose) X(CONV_3D_TRANSPOSE_GENERIC_OPT, Conv3dTranspose) X(   \
                BATCH_MATMUL_REF, BatchMatmul) X(BATCH_MATMUL_GENERIC_OPTIMIZED, BatchMatmul)                \
                X(DEQUANTIZE_REF, Dequantize) X(QUANTIZE_REF, Quantize) X(SOFTMAX_REF, Softmax) X(           \
                    LOG_SOFTMAX_REF, LogSoftmax) X(LOGISTIC_REF, Logistic) X(LOGISTIC_GENERIC_OPT, Logistic) \
                    X(LOGISTIC_FIXED_POINT_OPT, Logistic) X(TANH_REF, Tanh) X(TANH_GENERIC_OPT, Tanh) X(     \
                        TANH_FIXED_POINT_OPT, Tanh) X(HARD_SWISH_REF, HardSwish) X(PRELU_REF, Prelu)         \
                        X(LEAKY_RELU_REF, LeakyRelu) X(RESIZE_BILINEAR_REF, ResizeBilinear) X(               \
                            RESIZE_NEAREST_NEIGHBOR_REF, ResizeNearestNeighbor) X(L2NORM_REF,                \
                                                                                  L2Normalization)           \
                            X(L2NORM_GENERIC_OPT, L2Normalization) X(AVERAGE_POOL_REF, AveragePool2d)        \
                                X(AVERAGE_POOL_GENERIC_OPT, AveragePool2d) X(MAX_POOL_REF, MaxPool2d)        \
                                    X(MAX_POOL_GENERIC_OPT, MaxPool2d) X(L2_POOL_REF, L2Pool2d)              \
                                        X(L2_POOL_GENERIC_OPT,                                               \
                                          L2Pool2d) X(ADD_REF, Add) X(ADD_GENERIC_OPT, Add) X(SUB_REF, Sub)  \
                                            X(SUB_GENERIC_OPT,                                               \
                                              Sub) X(MUL_REF,                                                \
                                                     Mul) X(MUL_GENERIC_OPT, Mul)                            \
                                                X(DIV_REF,                                                   \
                                                  Div) X(DIV_GENERIC_OPT,                                    \
                                                         Div) X(MAXIMUM_REF, Maximum)                        \
                                                    X(MINIMUM_REF,                                           \
                                                      Minimum) X(SLICE_REF,                                  \
                                                                 Slice) X(STRIDED_SLICE_REF, StridedSlice)   \
                                                        X(TRANSPOSE_REF,                                     \
                                                          Transpose) X(PAD_REF,                              \
                                                                       Pad) X(PADV2_REF, Padv2)              \
                                                            X(MEAN_REF, Mean) X(SUM_REF, Sum) X(             \
                                                                CONCATENATION_REF,                           \
                                                                Concatenation) X(SPACE_TO_DEPTH_REF,         \
                                                                                 SpaceToDepth)               \
                                                                X(DEPTH_TO_SPACE_REF, DepthToSpace) X(       \
                                                                    BATCH_TO_SPACE_ND_REF, BatchToSpaceNd)   \
                                                                    X(SPACE_TO_BATCH_ND_REF, SpaceToBatchNd) \
                                                                        X(LOCAL_RESPONSE_NORM_REF,           \
                                                                          LocalResponseNormalization)
OCLITE_REGISTER_VARIANTS_(OCLITE_REGISTER_)
#undef OCLITE_REGISTER_VARIANTS_
#undef OCLITE_REGISTER_

} // namespace builtin
} // namespace ops
} // namespace tflite

#endif
