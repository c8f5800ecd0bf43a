// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/window.h"

#include <float.h>
#include <math.h>

void lite_cl_define(LiteClPrelude* prelude, const char* format, ...) {
    char line[LITE_CL_PRELUDE];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    const size_t room = sizeof prelude->text - (size_t)prelude->length;
    const int length = snprintf(prelude->text + prelude->length, room, "#define %s\n", line);
    // What has no room does not compile: the device's compiler says where it ends.
    prelude->length += length < (int)room ? length : (int)room - 1;
}

// Names of OpenCL C.
typedef struct ElementType {
    TfLiteType type;
    const char* stored;
    const char* value;
    const char* wide;
    const char* load;
    const char* store;
    const char* low; // limits of integers
    const char* high;
    int real;
} ElementType;

void lite_cl_define_type(LiteClPrelude* prelude, const char* prefix, TfLiteType type) {
#define INTEGER_TYPE(Name, name, wide, low, high)                                                            \
    { kTfLite##Name, name, name, wide, "(p)[i]", "((p)[i] = (v))", low, high, 0 }
#define PACKED_TYPE(Name, value)                                                                             \
    { kTfLite##Name, "uchar", "int", "uint", value, "", "", "", 0 }
#define NIBBLE "((p)[(i) / 2] >> 4 * ((i) & 1) & 15)"
    static const ElementType types[] = {
        {kTfLiteFloat32, "float", "float", "uint", "(p)[i]", "((p)[i] = (v))", "", "", 1},
        {kTfLiteFloat16, "half", "float", "uint", "vload_half(i, p)", "vstore_half(v, i, p)", "", "", 1},
        {kTfLiteBFloat16, "ushort", "float", "uint", "as_float((uint)(p)[i] << 16)",
         "((p)[i] = to_bfloat16(v))", "", "", 1},
        // As far as it is real.
        {kTfLiteComplex64, "float", "float", "uint", "(p)[2 * (i)]",
         "((p)[2 * (i)] = (v), (p)[2 * (i) + 1] = 0.0f)", "", "", 1},
        // Only read; the first element is in the lowest bits.
        PACKED_TYPE(Int4, "((" NIBBLE " ^ 8) - 8)"),
        PACKED_TYPE(UInt4, NIBBLE),
        PACKED_TYPE(Int2, "((((p)[(i) / 4] >> 2 * ((i) & 3) & 3) ^ 2) - 2)"),
        {kTfLiteBool, "uchar", "uchar", "uint", "((p)[i] != 0)", "((p)[i] = (v) != 0)", "0", "1", 0},
        INTEGER_TYPE(Int8, "char", "uint", "CHAR_MIN", "CHAR_MAX"),
        INTEGER_TYPE(UInt8, "uchar", "uint", "0", "UCHAR_MAX"),
        INTEGER_TYPE(Int16, "short", "uint", "SHRT_MIN", "SHRT_MAX"),
        INTEGER_TYPE(UInt16, "ushort", "uint", "0", "USHRT_MAX"),
        INTEGER_TYPE(Int32, "int", "uint", "INT_MIN", "INT_MAX"),
        INTEGER_TYPE(UInt32, "uint", "uint", "0", "UINT_MAX"),
        INTEGER_TYPE(Int64, "long", "ulong", "LONG_MIN", "LONG_MAX"),
        INTEGER_TYPE(UInt64, "ulong", "ulong", "0", "ULONG_MAX"),
    };
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        if (types[t].type != type) continue;
        lite_cl_define(prelude, "%sTYPE %s", prefix, types[t].stored);
        lite_cl_define(prelude, "%sVALUE %s", prefix, types[t].value);
        lite_cl_define(prelude, "%sT %s", prefix, types[t].value);
        lite_cl_define(prelude, "%sU %s", prefix, types[t].wide);
        lite_cl_define(prelude, "%sLOAD(p, i) %s", prefix, types[t].load);
        lite_cl_define(prelude, "%sSTORE(p, i, v) %s", prefix, types[t].store);
        lite_cl_define(prelude, "%sREAL %d", prefix, types[t].real);
        if (type == kTfLiteBFloat16) lite_cl_define(prelude, "NUMBERS");
        if (types[t].real != 0) continue;
        lite_cl_define(prelude, "%sLOW %s", prefix, types[t].low);
        lite_cl_define(prelude, "%sHIGH %s", prefix, types[t].high);
    }
}

void lite_cl_define_vectors(LiteClPrelude* prelude, TfLiteType type) {
    const bool half = type == kTfLiteFloat16;
    lite_cl_define(prelude, "TYPE %s", half ? "half" : "float");
    if (half) lite_cl_define(prelude, "NUMBERS");
    lite_cl_define(prelude, "VREAD(p) %s(p)", half ? "VLOAD_HALF" : "VLOAD");
    lite_cl_define(prelude, "VWRITE(v, p) %s(v, p)", half ? "VSTORE_HALF" : "VSTORE");
    lite_cl_define(prelude, "PART(n) %s##n", half ? "vstore_half" : "vstore");
}

void lite_cl_define_element(LiteClPrelude* prelude, TfLiteType type) {
    const size_t size = lite_type_size(type);
    lite_cl_define(prelude, "TYPE %s",
                   size == 1   ? "uchar"
                   : size == 2 ? "ushort"
                   : size == 4 ? "uint"
                   : size == 8 ? "ulong"
                               : "ulong2");
}

bool lite_cl_is_output_type(const LiteClNode* node, TfLiteType type, LiteClReason* reason) {
    const TfLiteType declared = node->outputs[0]->type;
    return declared == type || lite_cl_refuse(reason, "an output of type %s, parameters say %s",
                                              TfLiteTypeGetName(declared), TfLiteTypeGetName(type));
}

bool lite_cl_check_quantized(const LiteClTensor* tensor, LiteClReason* reason) {
    int32_t low, high;
    if (!(tensor->scale > 0.0f) || !isfinite(tensor->scale)) {
        return lite_cl_refuse(reason, "a tensor of type %s has no scale", TfLiteTypeGetName(tensor->type));
    }
    if (!lite_type_limits(tensor->type, &low, &high) || tensor->zero_point < low ||
        tensor->zero_point > high) {
        return lite_cl_refuse(reason, "zero point %d of type %s", (int)tensor->zero_point,
                              TfLiteTypeGetName(tensor->type));
    }
    return true;
}

bool lite_cl_check_symmetric(const LiteClTensor* tensor, LiteClReason* reason) {
    if (!lite_cl_check_quantized(tensor, reason)) return false;
    if (tensor->type != kTfLiteInt16 || tensor->zero_point == 0) return true;
    return lite_cl_refuse(reason, "zero point %d of type INT16", (int)tensor->zero_point);
}

bool lite_cl_same_quantization(const LiteClTensor* a, const LiteClTensor* b, LiteClReason* reason) {
    if (a->scale == b->scale && a->zero_point == b->zero_point) return true;
    return lite_cl_refuse(reason, "input and output differ in scale or zero point");
}

bool lite_cl_window(TfLitePadding padding, int in, int filter, int stride, int dilation, LiteWindow* window,
                    LiteClReason* reason) {
    if (padding != kTfLitePaddingSame && padding != kTfLitePaddingValid) {
        return lite_cl_refuse(reason, "padding %d", (int)padding);
    }
    // Upper limits so that kernels may add and multiply these without overflow.
    if (filter < 1 || stride < 1 || stride > 1 << 20 || dilation < 1 ||
        (int64_t)(filter - 1) * dilation >= INT32_MAX / 4) {
        return lite_cl_refuse(reason, "filter length %d, stride %d, dilation %d", filter, stride, dilation);
    }
    *window = lite_window(padding, in, filter, stride, dilation);
    if (window->out < 1 && (in > 0 || padding == kTfLitePaddingValid))
        return lite_cl_refuse(reason, "filter length %d exceeds input length %d", filter, in);
    return true;
}

// Sums of INT16 have the type that the parameters declare, of which the bias has to be.
static bool check_declared_bias(const LiteClNode* node, const LiteClTensor* bias, LiteClReason* reason) {
    const TfLiteType declared = node->bias_type;
    if (declared == kTfLiteNoType || declared == kTfLiteFloat32) return true;
    if (declared != kTfLiteInt32 && declared != kTfLiteInt64)
        return lite_cl_refuse(reason, "a bias declared as %s", TfLiteTypeGetName(declared));
    return bias == NULL || bias->type == declared ||
           lite_cl_refuse(reason, "a bias of type %s, declared as %s", TfLiteTypeGetName(bias->type),
                          TfLiteTypeGetName(declared));
}

bool lite_cl_check_bias(const LiteClNode* node, int index, int channels, LiteClReason* reason) {
    const LiteClTensor* bias = lite_cl_input(node, index);
    const TfLiteType type = lite_cl_element_type(node);
    if (type == kTfLiteInt16 && !check_declared_bias(node, bias, reason)) return false;
    if (bias == NULL) return true;
    if (bias->data == NULL && node->halves) return lite_cl_refuse(reason, "the bias is not constant");
    const bool is_long = type == kTfLiteInt16 && bias->type == kTfLiteInt64;
    if (bias->type != (lite_cl_is_float(type) ? kTfLiteFloat32 : kTfLiteInt32) && !is_long)
        return lite_cl_refuse(reason, "bias of type %s", TfLiteTypeGetName(bias->type));
    if (lite_shape_elements(&bias->shape) != channels) {
        return lite_cl_refuse(reason, "the bias has %lld elements for %d outputs",
                              (long long)lite_shape_elements(&bias->shape), channels);
    }
    return true;
}

bool lite_cl_check_conv_bias(const LiteClNode* node, int index, int channels, LiteClReason* reason) {
    const LiteClTensor* bias = lite_cl_input(node, index);
    if (!lite_cl_check_bias(node, index, channels, reason)) return false;
    return bias == NULL || bias->type == kTfLiteFloat32 || bias->zero_point == 0 ||
           lite_cl_refuse(reason, "a bias with zero point %d", (int)bias->zero_point);
}

void lite_cl_activation_limits(TfLiteFusedActivation activation, float* low, float* high) {
    lite_activation_range_f32(activation, low, high);
    if (*low <= -FLT_MAX) *low = -INFINITY;
    if (*high >= FLT_MAX) *high = INFINITY;
}

bool lite_cl_check_filter(const LiteClNode* node, LiteClReason* reason) {
    const LiteClTensor* input = node->inputs[0];
    const LiteClTensor* filter = node->inputs[1];
    if (input->shape.rank != 4 || filter->shape.rank != 4) {
        return lite_cl_refuse(reason, "input and filter have %d and %d dimensions, not 4", input->shape.rank,
                              filter->shape.rank);
    }
    return true;
}

bool lite_cl_conv_windows(const LiteClNode* node, const LiteClConvParams* params, LiteWindow* h,
                          LiteWindow* w, LiteClReason* reason) {
    const int32_t* in = node->inputs[0]->shape.dims;
    const int32_t* filter = node->inputs[1]->shape.dims;
    return lite_cl_window(params->padding, in[1], filter[1], params->stride_h, params->dilation_h, h,
                          reason) &&
           lite_cl_window(params->padding, in[2], filter[2], params->stride_w, params->dilation_w, w, reason);
}

bool lite_cl_conv_infer(const LiteClNode* node, const LiteClConvParams* params, int out_channels,
                        LiteShape* output, LiteClReason* reason) {
    LiteWindow h, w; // activations that are not a range are not applied
    if (node->input_count > 2 && node->inputs[2] == NULL)
        return lite_cl_refuse(reason, "input 2, the bias, is absent");
    if (!lite_cl_check_conv_bias(node, 2, out_channels, reason)) return false;
    if (!lite_cl_conv_windows(node, params, &h, &w, reason)) return false;
    if (!lite_cl_window_check(node->inputs[0], node->inputs[1], lite_cl_input(node, 2), node->outputs[0],
                              out_channels, reason)) {
        return false;
    }
    *output = (LiteShape){4, {node->inputs[0]->shape.dims[0], h.out, w.out, out_channels}};
    return true;
}

TfLiteStatus lite_cl_launch_unary(LiteClPlan* plan, const LiteClNode* node, const LiteClLaunch* launch) {
    LiteClLaunch whole = *launch;
    whole.buffer_count = 2;
    whole.buffers[0] = lite_cl_plan_tensor(plan, node->inputs[0]);
    whole.buffers[1] = lite_cl_plan_tensor(plan, node->outputs[0]);
    return lite_cl_plan_launch(plan, &whole);
}

TfLiteStatus lite_cl_launch_buffers(LiteClPlan* plan, const LiteClNode* node, const LiteClLaunch* launch,
                                    bool status) {
    LiteClLaunch whole = *launch;
    for (int i = 0; i < node->input_count; i++)
        whole.buffers[whole.buffer_count++] = lite_cl_plan_tensor(plan, node->inputs[i]);
    whole.buffers[whole.buffer_count++] = lite_cl_plan_tensor(plan, node->outputs[0]);
    if (status) whole.buffers[whole.buffer_count++] = lite_cl_plan_status(plan);
    return lite_cl_plan_launch(plan, &whole);
}

size_t lite_cl_vector_items(const LiteClDevice* device, int channels, int vector) {
    return device->class == kLiteClGpu ? lite_cl_chunks(channels, vector) : 1;
}

LiteClAxis lite_cl_axis(const LiteShape* shape, int axis) {
    LiteClAxis result = {1, shape->dims[axis], 1};
    for (int d = 0; d < shape->rank; d++) {
        if (d < axis) result.outer *= shape->dims[d];
        if (d > axis) result.inner *= shape->dims[d];
    }
    return result;
}

bool lite_cl_append_dim(LiteShape* shape, int64_t length, LiteClReason* reason) {
    if (shape->rank == LITE_MAX_RANK || length < 0 || length > INT32_MAX)
        return lite_cl_refuse(reason, "dimension %d of the output would be %lld", shape->rank,
                              (long long)length);
    shape->dims[shape->rank++] = (int32_t)length;
    return true;
}

bool lite_cl_dimension_bits(const int64_t* dims, int count, int rank, unsigned* bits, LiteClReason* reason) {
    *bits = 0;
    if (count < 0 || count > LITE_MAX_RANK) return lite_cl_refuse(reason, "%d dimensions", count);
    for (int i = 0; i < count; i++) {
        if (dims[i] < 0 || dims[i] >= rank || (*bits >> dims[i] & 1u) != 0)
            return lite_cl_refuse(reason, "dimension %lld of %d", (long long)dims[i], rank);
        *bits |= 1u << dims[i];
    }
    return true;
}

bool lite_cl_constant_axis(const LiteClNode* node, int index, int rank, int* axis, LiteClReason* reason) {
    LiteClInts ints;
    if (!lite_cl_constant_ints(node, index, &ints, reason)) return false;
    if (ints.count != 1) return lite_cl_refuse(reason, "%d axes", ints.count);
    if (ints.values[0] < -rank || ints.values[0] >= rank)
        return lite_cl_refuse(reason, "axis %lld of %d dimensions", (long long)ints.values[0], rank);
    *axis = (int)(ints.values[0] < 0 ? ints.values[0] + rank : ints.values[0]);
    return true;
}
