// SPDX-License-Identifier: Apache-2.0
// What the families of ops/ share.
#ifndef DELEGATE_OPENCL_OPS_OPS_H_
#define DELEGATE_OPENCL_OPS_OPS_H_

#include <stdio.h>
#include <string.h>

#include "core/base/quant.h"
#include "delegate-opencl/support.h"
#include "delegate-opencl/tune.h"
#include "kernels-cl/args.h"

// Room for a prelude.
enum { LITE_CL_PRELUDE = 4096 };

// A prelude in the making.
typedef struct LiteClPrelude {
    int length;
    char text[LITE_CL_PRELUDE];
} LiteClPrelude;

// Appends "#define " and the text.
void lite_cl_define(LiteClPrelude* prelude, const char* format, ...) LITE_PRINTF(2, 3);

// Defines how kernels use elements of a type; `prefix` tells several types apart.
//   TYPE            in memory
//   VALUE           computed with; also T, and U: unsigned, at least as wide and at least 32 bits
//   LOAD(p, i)      element i as a VALUE
//   STORE(p, i, v)  not of packed types
//   REAL            1 for floating point types, else 0; for integers also LOW and HIGH
void lite_cl_define_type(LiteClPrelude* prelude, const char* prefix, TfLiteType type);

// Defines TYPE for kernels that compute with vectors of float, stored as float or half, and how they are read
// and written: VREAD(p), VWRITE(v, p), and PART(n): a function that stores n elements, as vstore<n> does.
void lite_cl_define_vectors(LiteClPrelude* prelude, TfLiteType type);

// Defines TYPE as an integer of the element's size, for kernels that only move elements.
void lite_cl_define_element(LiteClPrelude* prelude, TfLiteType type);

static inline LiteClMultiplier lite_cl_multiplier(LiteMultiplier m) {
    return (LiteClMultiplier){m.value, m.shift};
}

// Is the tensor quantized as a whole, with a scale and a zero point that its type can hold?
// Whether the output has the type that the parameters say: the CPU kernels give it that type, a delegate
// cannot.
bool lite_cl_is_output_type(const LiteClNode* node, TfLiteType type, LiteClReason* reason);
bool lite_cl_check_quantized(const LiteClTensor* tensor, LiteClReason* reason);
// The same, and int16 without a zero point.
bool lite_cl_check_symmetric(const LiteClTensor* tensor, LiteClReason* reason);
bool lite_cl_same_quantization(const LiteClTensor* a, const LiteClTensor* b, LiteClReason* reason);

static inline bool lite_cl_is_byte(TfLiteType type) {
    return type == kTfLiteInt8 || type == kTfLiteUInt8;
}

// Of the types that products have.
static inline bool lite_cl_is_quantized(TfLiteType type) {
    return lite_cl_is_byte(type) || type == kTfLiteInt16;
}

// Whether values of these types can be moved as they are.
static inline bool lite_cl_same_elements(const LiteClTensor* a, const LiteClTensor* b, LiteClReason* reason) {
    return !lite_cl_is_quantized(a->type) || lite_cl_same_quantization(a, b, reason);
}

static inline bool lite_cl_is_float(TfLiteType type) {
    return type == kTfLiteFloat32 || type == kTfLiteFloat16 || type == kTfLiteBFloat16;
}

// A sliding window along one dimension of a checked shape; false with a reason when the parameters make none.
bool lite_cl_window(TfLitePadding padding, int in, int filter, int stride, int dilation, LiteWindow* window,
                    LiteClReason* reason);

// Input `index` as the bias of `channels` outputs: absent, or a vector.
bool lite_cl_check_bias(const LiteClNode* node, int index, int channels, LiteClReason* reason);
// The same of a convolution, whose bias has no zero point.
bool lite_cl_check_conv_bias(const LiteClNode* node, int index, int channels, LiteClReason* reason);

// The limits that a fused activation sets to results of float arithmetic, which without one keep infinities;
// those of products (lite_activation_range_f32) do not.
void lite_cl_activation_limits(TfLiteFusedActivation activation, float* low, float* high);

// What CONV_2D and DEPTHWISE_CONV_2D have in common, although their parameter structs differ.
typedef struct LiteClConvParams {
    TfLitePadding padding;
    TfLiteFusedActivation activation;
    int stride_h, stride_w;
    int dilation_h, dilation_w;
} LiteClConvParams;
#define LITE_CL_CONV_PARAMS(p)                                                                               \
    ((LiteClConvParams){(p)->padding, (p)->activation, (p)->stride_height, (p)->stride_width,                \
                        (p)->dilation_height_factor, (p)->dilation_width_factor})

// Input 1 as the filter of input 0: 4 dimensions each.
bool lite_cl_check_filter(const LiteClNode* node, LiteClReason* reason);

// The windows of a convolution in both dimensions.
bool lite_cl_conv_windows(const LiteClNode* node, const LiteClConvParams* params, LiteWindow* h,
                          LiteWindow* w, LiteClReason* reason);

// The output of a convolution of which filter and channels are checked: bias, activation and windows are
// checked here.
bool lite_cl_conv_infer(const LiteClNode* node, const LiteClConvParams* params, int out_channels,
                        LiteShape* output, LiteClReason* reason);

// Converts `count` elements from one storage to another, numbers to numbers.
TfLiteStatus lite_cl_cast_storage(LiteClPlan* plan, int64_t count, TfLiteType from_type, int from,
                                  TfLiteType to_type, int to);

// Launches a kernel that reads input 0 and writes the output: `launch` lacks the buffers only.
TfLiteStatus lite_cl_launch_unary(LiteClPlan* plan, const LiteClNode* node, const LiteClLaunch* launch);

// Launches a kernel that reads all inputs, at most 6, and writes the output; `status`: with the status behind
// them.
TfLiteStatus lite_cl_launch_buffers(LiteClPlan* plan, const LiteClNode* node, const LiteClLaunch* launch,
                                    bool status);

// Element i of a float constant (the model's bytes may be unaligned).
static inline float lite_cl_constant_float(const LiteClTensor* tensor, size_t i) {
    float value;
    memcpy(&value, (const char*)tensor->data + i * sizeof value, sizeof value);
    return value;
}

// Items along dimension 0 for kernels that walk channel vectors: one on a CPU, which then does them all, a
// vector each elsewhere.
size_t lite_cl_vector_items(const LiteClDevice* device, int channels, int vector);

// Elements of the shape before, at and behind an axis.
typedef struct LiteClAxis {
    int outer;
    int length;
    int inner;
} LiteClAxis;
LiteClAxis lite_cl_axis(const LiteShape* shape, int axis);

// A constant input of one integer, an axis of `rank` dimensions that may count from the end.
bool lite_cl_constant_axis(const LiteClNode* node, int index, int rank, int* axis, LiteClReason* reason);

// Appends a dimension to the shape of an output; false with a reason when it is none or one too many.
bool lite_cl_append_dim(LiteShape* shape, int64_t length, LiteClReason* reason);

// A list of different dimensions of `rank`, as bits; false with a reason when it is none.
bool lite_cl_dimension_bits(const int64_t* dims, int count, int rank, unsigned* bits, LiteClReason* reason);

// Items for `count` elements, `chunk` each.
static inline size_t lite_cl_chunks(int count, int chunk) {
    return ((size_t)count + (size_t)chunk - 1) / (size_t)chunk;
}

// A convolution or matrix product of input 0 on kernels-cl/conv.cl: product.c. The lowering packs the
// weights, fills in the tile and the output's limits, and launches. `filter` is [groups * group_out][depth].
typedef struct LiteClProduct {
    LiteClConvArgs args;
    TfLiteFusedActivation activation;
    int groups;
    const LiteClTensor* filter;
    const LiteClTensor* bias; // NULL: zeros
    bool once;                // quantized sums are scaled in double precision and rounded once
    bool asymmetric;          // how floats are quantized for 8-bit weights
    bool infinite;            // results beyond all floats are infinite, not the largest float
    const void* owner;        // of the constants, as are the three bytes behind it; NULL: the node
    LiteClTensor* addend;     // of floats: what the output is added to, NULL: nothing
    TfLiteFusedActivation sum_activation; // of this sum
} LiteClProduct;
TfLiteStatus lite_cl_lower_product(LiteClPlan* plan, const LiteClNode* node, const LiteClProduct* product);
// The same between other tensors, with an owner.
TfLiteStatus lite_cl_launch_product(LiteClPlan* plan, const LiteClProduct* product, LiteClTensor* input,
                                    LiteClTensor* output);
// Adds weights and bias, in panels of so many columns, to a launch's buffers.
void lite_cl_add_weights(LiteClPlan* plan, const LiteClProduct* product, const LiteClTensor* input, int panel,
                         LiteClLaunch* launch);
// A constant of zeros for the padding of a product's input.
int lite_cl_product_zeros(LiteClPlan* plan, const LiteClProduct* product, const LiteClTensor* input);
// Defines the tile for kernels-cl/products.cl.
void lite_cl_define_tile(LiteClPrelude* prelude, int vector, const LiteClTile* tile);
// Is it left to window.cl? Sums of 64 bits, bytes that were floats, results of another type, weights that are
// not constant.
bool lite_cl_product_is_general(const LiteClNode* node, const LiteClProduct* product);
// The arguments of a matrix product, without a range.
LiteClConvArgs lite_cl_product_args(int rows, int depth, int columns);

#endif
