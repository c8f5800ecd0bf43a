// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/window.h"

#include <math.h>

static bool has_scale(const LiteClTensor* tensor, LiteClReason* reason) {
    return (tensor->scale > 0.0f && isfinite(tensor->scale)) ||
           lite_cl_refuse(reason, "a tensor has no scale");
}

static float channel_scale(const LiteClTensor* weights, int channel) {
    const TfLiteFloatArray* scales = weights->affine->scale;
    return scales->data[scales->size == 1 ? 0 : channel];
}

static bool check_weights(const LiteClTensor* weights, int channels, bool is_uint8, LiteClReason* reason) {
    const TfLiteAffineQuantization* affine = weights->affine;
    if (affine == NULL || affine->scale == NULL || affine->scale->size < 1)
        return lite_cl_refuse(reason, "the weights have no scale");
    const int count = affine->scale->size;
    for (int i = 0; i < count; i++) {
        if (!(affine->scale->data[i] >= 0.0f) || !isfinite(affine->scale->data[i]))
            return lite_cl_refuse(reason, "scale %d of the weights", i);
    }
    const int axis = affine->quantized_dimension;
    if (count > 1 && (is_uint8 || count != channels || axis < 0 || axis >= weights->shape.rank ||
                      weights->shape.dims[axis] != channels)) {
        return lite_cl_refuse(reason, "%d scales of the weights for %d channels", count, channels);
    }
    for (int i = 0; !is_uint8 && affine->zero_point != NULL && i < affine->zero_point->size; i++) {
        if (affine->zero_point->data[i] != 0) return lite_cl_refuse(reason, "weights with a zero point");
    }
    return true;
}

static bool is_packed(const LiteClTensor* tensor) {
    return tensor->type == kTfLiteInt4 || tensor->type == kTfLiteInt2;
}

bool lite_cl_check_weight_type(const LiteClNode* node, int input, unsigned hybrid, unsigned narrow,
                               LiteClReason* reason) {
    const LiteClTensor* weights = node->inputs[1];
    const TfLiteType type = node->inputs[input]->type;
    unsigned types = 1u << type;
    if (type == kTfLiteFloat32) types |= hybrid;
    if (type == kTfLiteInt8 || type == kTfLiteInt16) types = narrow;
    if ((types >> weights->type & 1u) == 0)
        return lite_cl_refuse(reason, "weights of type %s", TfLiteTypeGetName(weights->type));
    return weights->data != NULL || (!is_packed(weights) && !node->halves) ||
           lite_cl_refuse(reason, "the weights are not constant");
}

bool lite_cl_window_check(const LiteClTensor* input, const LiteClTensor* weights, const LiteClTensor* bias,
                          const LiteClTensor* output, int channels, LiteClReason* reason) {
    const bool is_uint8 = input->type == kTfLiteUInt8;
    if (!lite_cl_is_quantized(input->type)) return lite_cl_hybrid_check(input, weights, channels, reason);
    if (!has_scale(input, reason) || !has_scale(output, reason) ||
        !check_weights(weights, channels, is_uint8, reason) || !lite_cl_check_symmetric(input, reason) ||
        !lite_cl_check_symmetric(output, reason)) {
        return false;
    }
    if (bias == NULL) return true;
    if (bias->type != kTfLiteInt32 && !(input->type == kTfLiteInt16 && bias->type == kTfLiteInt64))
        return lite_cl_refuse(reason, "bias of type %s", TfLiteTypeGetName(bias->type));
    if (weights->affine->scale->size > 1 && !is_uint8) return true;
    const double product = (double)input->scale * (double)weights->scale;
    return fabs(product - (double)bias->scale) / (double)output->scale <= 0.02 ||
           lite_cl_refuse(reason, "the bias has not the scale of the products");
}

static bool has_no_sign(const LiteClTensor* tensor) {
    return tensor->type == kTfLiteUInt8;
}

int32_t lite_cl_weight(const LiteClQuantization* q, size_t i) {
    const uint8_t* data = q->weights->data;
    // Several in a byte, the lowest bits first.
    if (q->weights->type == kTfLiteInt4) return (((data[i / 2] >> (i % 2 * 4)) & 15) ^ 8) - 8;
    if (q->weights->type == kTfLiteInt2) return (((data[i / 4] >> (i % 4 * 2)) & 3) ^ 2) - 2;
    return has_no_sign(q->weights) ? data[i] - q->weights->zero_point : (int8_t)data[i];
}

int32_t lite_cl_folded_bias(const LiteClQuantization* q, size_t channel, uint32_t weight_sum) {
    int32_t bias = 0;
    if (q->bias != NULL) memcpy(&bias, (const char*)q->bias->data + channel * sizeof bias, sizeof bias);
    return (int32_t)((uint32_t)bias - (uint32_t)q->input->zero_point * weight_sum);
}

LiteMultiplier lite_cl_channel_multiplier(const LiteClQuantization* q, size_t channel) {
    const double product = q->coarse || has_no_sign(q->input)
                               ? (double)(q->input->scale * q->weights->scale)
                               : (double)q->input->scale * (double)channel_scale(q->weights, (int)channel);
    return lite_quantize_multiplier(product / (double)q->output->scale);
}

double lite_cl_channel_factor(const LiteClQuantization* q, size_t channel) {
    return (double)q->input->scale * (double)channel_scale(q->weights, (int)channel) /
           (double)q->output->scale;
}

static void pack_factors(const void* state, float* packed) {
    const LiteClQuantization* q = state;
    for (int c = 0; c < q->channels; c++) ((double*)(void*)packed)[c] = lite_cl_channel_factor(q, (size_t)c);
}

static void pack_multipliers(const void* state, float* packed) {
    const LiteClQuantization* q = state;
    for (int c = 0; c < q->channels; c++)
        ((int32_t*)(void*)packed)[c] = lite_cl_channel_multiplier(q, (size_t)c).value;
}

static void pack_shifts(const void* state, float* packed) {
    const LiteClQuantization* q = state;
    for (int c = 0; c < q->channels; c++)
        ((int32_t*)(void*)packed)[c] = lite_cl_channel_multiplier(q, (size_t)c).shift;
}

void lite_cl_quantized_limits(const LiteClTensor* output, TfLiteFusedActivation activation, int* low,
                              int* high) {
    int32_t from, to;
    (void)lite_activation_range_quantized(activation, output->type, output->scale, output->zero_point, &from,
                                          &to);
    *low = from;
    *high = to;
}

typedef struct Zeros {
    int value;
    size_t bytes;
} Zeros;

static void pack_zeros(const void* state, float* packed) {
    const Zeros* zeros = state;
    memset(packed, zeros->value, zeros->bytes);
}

int lite_cl_zeros(LiteClPlan* plan, const LiteClTensor* input, size_t count) {
    const Zeros zeros = {lite_cl_is_byte(input->type) ? (uint8_t)input->zero_point : 0,
                         count * lite_type_size(input->type)};
    return lite_cl_plan_constant(plan, plan, zeros.value, zeros.bytes, pack_zeros, &zeros);
}

static void pack_weights(const void* state, float* packed) {
    const LiteClWindow* window = state;
    const LiteClWeights* w = &window->weights;
    const LiteClQuantization quantization = {.weights = w->tensor};
    const bool packed_type = is_packed(w->tensor);
    const size_t size = packed_type ? 1 : lite_type_size(w->tensor->type);
    char* to = (char*)packed;
    for (int64_t tap = 0; tap < w->taps; tap++) {
        for (int64_t in = 0; in < window->args.group_in; in++) {
            for (int64_t out = 0; out < window->args.out_c; out++, to += size) {
                const int64_t at = tap * w->tap + in * w->in + out * w->out;
                if (packed_type) {
                    *to = (char)lite_cl_weight(&quantization, (size_t)at);
                } else {
                    memcpy(to, (const char*)w->tensor->data + (size_t)at * size, size);
                }
            }
        }
    }
}

static int place_weights(LiteClPlan* plan, const LiteClNode* node, const LiteClWindow* window) {
    const LiteClWeights* w = &window->weights;
    const int64_t in = window->args.group_in, out = window->args.out_c;
    const bool unpacks = is_packed(w->tensor);
    const bool in_place = w->out == 1 && w->in == out && w->tap == in * out && !unpacks;
    if (in_place) return lite_cl_plan_tensor(plan, w->tensor);
    const size_t bytes = (size_t)(w->taps * in * out) * (unpacks ? 1 : lite_type_size(w->tensor->type));
    if (w->tensor->data != NULL)
        return lite_cl_plan_constant(plan, &node->inputs, 0, bytes, pack_weights, window);
    const int scratch = lite_cl_plan_add_storage(plan, kLiteClArena, bytes);
    LiteMove move = {0};
    lite_move_add(&move, w->taps, w->tap, in * out);
    lite_move_add(&move, in, w->in, out);
    lite_move_add(&move, out, w->out, 1);
    if (lite_cl_move_storage(plan, &move, w->tensor->type, lite_cl_plan_tensor(plan, w->tensor), 0, scratch,
                             0) != kTfLiteOk) {
        return -1;
    }
    return scratch;
}

void lite_cl_add_scaling(LiteClPlan* plan, const LiteClNode* node, const LiteClQuantization* q,
                         LiteClLaunch* launch) {
    const size_t bytes = (size_t)q->channels * sizeof(int32_t);
    int* buffers = launch->buffers + launch->buffer_count;
    if (q->once) {
        buffers[0] = lite_cl_plan_constant(plan, &node->outputs, 0, 2 * bytes, pack_factors, q);
        launch->buffer_count++;
        return;
    }
    buffers[0] = lite_cl_plan_constant(plan, &node->outputs, 0, bytes, pack_multipliers, q);
    buffers[1] = lite_cl_plan_constant(plan, &node->output_count, 0, bytes, pack_shifts, q);
    launch->buffer_count += 2;
}

static bool scales_sums(const LiteClWindow* window) {
    return lite_cl_is_quantized(window->input->type) && !window->bare;
}

static void fill_limits(const LiteClNode* node, const LiteClWindow* window, LiteClWindowArgs* args) {
    const LiteClTensor *output = node->outputs[0], *weights = window->weights.tensor;
    lite_activation_range_f32(window->activation, &args->low, &args->high);
    if (window->infinite) lite_cl_activation_limits(window->activation, &args->low, &args->high);
    if (!scales_sums(window)) return;
    args->zero_x = window->input->zero_point;
    args->zero_w = weights->affine->scale->size == 1 ? weights->zero_point : 0;
    args->zero_y = output->zero_point;
    lite_cl_quantized_limits(output, window->activation, &args->int_low, &args->int_high);
}

// Packed types are unpacked to bytes.
static const char* element_name(TfLiteType type, bool with_sign) {
    switch (type) {
    case kTfLiteFloat32:
        return "float";
    case kTfLiteInt32:
        return "int";
    case kTfLiteInt64:
        return "long";
    case kTfLiteInt16:
        return "short";
    default:
        return type == kTfLiteUInt8 || !with_sign ? "uchar" : "char";
    }
}

// A vector does not cross the border of a group.
static int vector_of(LiteClPlan* plan, const LiteClWindowArgs* args, bool depthwise) {
    const bool grouped = args->group_out < args->out_c && !depthwise;
    int vector = lite_cl_vector(plan->device->class, grouped ? args->group_out : args->out_c);
    while (grouped && args->group_out % vector != 0) vector /= 2;
    return vector;
}

static bool has_long_sums(const LiteClNode* node, const LiteClWindow* window) {
    return window->input->type == kTfLiteInt16 || node->outputs[0]->type == kTfLiteInt16 || window->once;
}

// Zeros, which are so in any type, are as long as the longest.
static int place_bias(LiteClPlan* plan, const LiteClWindow* window) {
    if (window->bias != NULL) return lite_cl_plan_tensor(plan, (LiteClTensor*)(uintptr_t)window->bias);
    const size_t bytes = (size_t)window->args.out_c * sizeof(int64_t);
    return lite_cl_plan_constant(plan, plan, 0, bytes, NULL, NULL);
}

static void pack_channel_scales(const void* state, float* packed) {
    const LiteClWindow* window = state;
    for (int c = 0; c < window->args.out_c; c++) packed[c] = channel_scale(window->weights.tensor, c);
}

static const char* bias_name(const LiteClWindow* window) {
    if (window->bias != NULL) return element_name(window->bias->type, true);
    return element_name(window->input->type == kTfLiteFloat32 ? kTfLiteFloat32 : kTfLiteInt32, true);
}

static void define_types(LiteClPrelude* prelude, const LiteClNode* node, const LiteClWindow* window) {
    const TfLiteType input = window->input->type, weights = window->weights.tensor->type;
    const bool is_hybrid = window->hybrid != NULL, signs = !window->as_unsigned;
    lite_cl_define(prelude, "TYPE %s", window->hybrid != NULL ? "char" : element_name(input, signs));
    lite_cl_define(prelude, "W_TYPE %s", is_hybrid ? "char" : element_name(weights, signs));
    lite_cl_define(prelude, "B_TYPE %s", bias_name(window));
    lite_cl_define(prelude, "Y_TYPE %s", element_name(node->outputs[0]->type, true));
    if (is_hybrid) lite_cl_define(prelude, "HYBRID");
    if (window->bare) lite_cl_define(prelude, "PLAIN_SUMS");
    if (!scales_sums(window)) return;
    lite_cl_define(prelude, "QUANTIZED");
    if (window->once) lite_cl_define(prelude, "DOUBLE_FACTORS");
    if (!has_long_sums(node, window)) return;
    lite_cl_define(prelude, "LONG_SUMS");
    const TfLiteType bias = window->bias != NULL ? window->bias->type : node->bias_type;
    if (lite_cl_is_byte(input) || (bias == kTfLiteInt32 && weights != kTfLiteInt16))
        lite_cl_define(prelude, "NARROW");
}

// Of the output, so few that a CPU shares their channels too.
#define FEW_PIXELS 64

TfLiteStatus lite_cl_window_lower(LiteClPlan* plan, const LiteClNode* node, const LiteClWindow* window) {
    const LiteClHybrid* hybrid = window->hybrid;
    LiteClWindowArgs args = window->args;
    fill_limits(node, window, &args);
    const bool quantized = scales_sums(window);
    const bool depthwise = args.group_in == 1 && args.group_out == 1 && args.in_c == args.out_c;
    const int vector = vector_of(plan, &args, depthwise);
    LiteClPrelude prelude = {0};
    define_types(&prelude, node, window);
    lite_cl_define(&prelude, "VW %d", vector);
    if (depthwise) lite_cl_define(&prelude, "DEPTHWISE");
    if (window->transposed) lite_cl_define(&prelude, "TRANSPOSED");
    LiteClLaunch launch = {
        .family = "window",
        .kernel = "window",
        .prelude = prelude.text,
        .args = &args,
        .args_size = sizeof args,
        .buffer_count = 3,
        .buffers = {hybrid != NULL ? hybrid->values : lite_cl_plan_tensor(plan, window->input),
                    place_weights(plan, node, window), place_bias(plan, window)},
        // Some pixels give a CPU enough items.
        .items = {args.pixels < FEW_PIXELS ? lite_cl_chunks(args.out_c, vector)
                                           : lite_cl_vector_items(plan->device, args.out_c, vector),
                  (size_t)args.pixels, 1},
    };
    if (quantized) {
        const LiteClQuantization quantization = {.input = window->input,
                                                 .weights = window->weights.tensor,
                                                 .bias = window->bias,
                                                 .output = node->outputs[0],
                                                 .channels = args.out_c,
                                                 .once = window->once,
                                                 .coarse = window->coarse};
        lite_cl_add_scaling(plan, node, &quantization, &launch);
    } else if (hybrid != NULL) {
        launch.buffers[launch.buffer_count++] = hybrid->scales;
        launch.buffers[launch.buffer_count++] = lite_cl_plan_constant(
            plan, &node->outputs, 0, (size_t)args.out_c * sizeof(float), pack_channel_scales, window);
    }
    launch.buffers[launch.buffer_count++] = lite_cl_plan_tensor(plan, node->outputs[0]);
    return args.out_c > 0 ? lite_cl_plan_launch(plan, &launch) : kTfLiteOk;
}

LiteClWindowArgs lite_cl_window_product(int rows, int depth, int columns) {
    const LiteClWindowAxis one = {1, 1, 1, 1, 1, 0}; // each row is an image
    return (LiteClWindowArgs){.pixels = rows,
                              .axes = {one, one, one},
                              .in_c = depth,
                              .out_c = columns,
                              .group_in = depth,
                              .group_out = columns};
}

TfLiteStatus lite_cl_window_depthwise(LiteClPlan* plan, const LiteClNode* node,
                                      const LiteClConvParams* params) {
    const int32_t *in = node->inputs[0]->shape.dims, *filter = node->inputs[1]->shape.dims;
    const int32_t* out = node->outputs[0]->shape.dims;
    LiteClReason reason;
    LiteWindow h, w;
    (void)lite_cl_conv_windows(node, params, &h, &w, &reason); // infer has agreed to it
    LiteClHybrid hybrid;
    const bool is_hybrid = lite_cl_is_hybrid(node->inputs[0], node->inputs[1]);
    if (is_hybrid) LITE_TRY(lite_cl_quantize_images(plan, node->inputs[0], true, &hybrid));
    const LiteClWindow window = {
        .args = {.pixels = out[0] * out[1] * out[2],
                 .axes = {{1, 1, 1, 1, 1, 0},
                          {in[1], out[1], filter[1], params->stride_h, params->dilation_h, h.before},
                          {in[2], out[2], filter[2], params->stride_w, params->dilation_w, w.before}},
                 .in_c = in[3],
                 .out_c = out[3],
                 .group_in = 1,
                 .group_out = out[3] / in[3]},
        .input = node->inputs[0],
        .weights = {node->inputs[1], (int64_t)filter[1] * filter[2], out[3], 0, 1},
        .bias = lite_cl_input(node, 2),
        .hybrid = is_hybrid ? &hybrid : NULL,
        .activation = params->activation,
    };
    return lite_cl_window_lower(plan, node, &window);
}
