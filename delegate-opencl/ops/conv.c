// SPDX-License-Identifier: Apache-2.0
#include "delegate-opencl/ops/window.h"

// How the constants of a product are laid out, see LiteClConvArgs.
typedef struct Packing {
    const LiteClProduct* product;
    int panels; // per group
    int panel;  // columns
    int depth;  // rows of a panel
} Packing;

static void pack_weights(const void* state, float* packed) {
    const Packing* p = state;
    const size_t group_out = (size_t)p->product->args.group_out, depth = (size_t)p->depth,
                 panel = (size_t)p->panel;
    const size_t outputs = (size_t)p->product->groups * group_out;
    for (size_t o = 0; o < outputs; o++) {
        const size_t group = o / group_out, column = o % group_out;
        float* out = packed + (group * (size_t)p->panels + column / panel) * depth * panel + column % panel;
        for (size_t k = 0; k < depth; k++) {
            out[k * panel] = lite_cl_constant_float(p->product->filter, o * depth + k);
        }
    }
}

static void pack_bias(const void* state, float* packed) {
    const Packing* p = state;
    const size_t group_out = (size_t)p->product->args.group_out;
    const size_t outputs = (size_t)p->product->groups * group_out;
    for (size_t o = 0; o < outputs; o++) {
        const size_t group = o / group_out, column = o % group_out;
        packed[group * (size_t)p->panels * (size_t)p->panel + column] =
            lite_cl_constant_float(p->product->bias, o);
    }
}

TfLiteStatus lite_cl_lower_product(LiteClPlan* plan, const LiteClNode* node, const LiteClProduct* product) {
    const LiteClConvArgs* args = &product->args;
    const LiteClDevice* device = plan->device;
    const LiteClTile* tile = lite_cl_tile(device->class, args->pixels, args->group_out);
    const int vector = lite_cl_tune(device->class)->vector;
    const int rows_dim = device->class == kLiteClGpu ? 1 : 0;
    char prelude[LITE_CL_PRELUDE];
    snprintf(prelude, sizeof prelude,
             "#define VW %d\n#define MR %d\n#define NV %d\n#define PANEL %d\n#define ROWS_DIM %d\n", vector,
             tile->rows, tile->vectors, tile->panel, rows_dim);
    const Packing packing = {.product = product,
                             .panels = (int)lite_cl_chunks(args->group_out, tile->panel),
                             .panel = tile->panel,
                             .depth = args->kernel_h * args->kernel_w * args->group_in};
    const size_t columns = (size_t)product->groups * (size_t)packing.panels * (size_t)tile->panel;
    const size_t weights = columns * (size_t)packing.depth * sizeof(float);
    const size_t rows = lite_cl_chunks(args->pixels, tile->rows);
    const size_t column_tiles = lite_cl_chunks(args->group_out, vector * tile->vectors);
    // A kernel row's taps, see `run` in conv.cl.
    const size_t zeros = (size_t)args->kernel_w * (size_t)args->group_in * sizeof(float);
    // The owner of each constant is something of this node that no other constant has.
    const LiteClLaunch launch = {
        .family = "conv",
        .kernel = "conv",
        .prelude = prelude,
        .args = args,
        .args_size = sizeof *args,
        .buffer_count = 5,
        .buffers = {lite_cl_plan_tensor(plan, node->inputs[0]),
                    lite_cl_plan_constant(plan, &node->inputs, tile->panel, weights, pack_weights, &packing),
                    lite_cl_plan_constant(plan, &node->input_count, tile->panel, columns * sizeof(float),
                                          product->bias != NULL ? pack_bias : NULL, &packing),
                    lite_cl_plan_constant(plan, plan, 0, zeros, NULL, NULL),
                    lite_cl_plan_tensor(plan, node->outputs[0])},
        .items = {rows_dim == 0 ? rows : column_tiles, rows_dim == 0 ? column_tiles : rows,
                  (size_t)product->groups},
    };
    return lite_cl_plan_launch(plan, &launch);
}

static bool infer(const LiteClNode* node, LiteShape* output, LiteClReason* reason) {
    if (!lite_cl_check_filter(node, reason)) return false;
    const TfLiteConvParams* params = node->params;
    const int32_t* filter = node->inputs[1]->shape.dims;
    const int in_channels = node->inputs[0]->shape.dims[3], out_channels = filter[0];
    const int group_in = filter[3];
    if (group_in < 1 || in_channels % group_in != 0 || in_channels == 0 ||
        out_channels % (in_channels / group_in) != 0) {
        return lite_cl_refuse(reason, "%d input channels, filter of %d x %d channels", in_channels,
                              out_channels, group_in);
    }
    return lite_cl_conv_infer(node, &LITE_CL_CONV_PARAMS(params), out_channels, output, reason);
}

static TfLiteStatus lower(LiteClPlan* plan, const LiteClNode* node) {
    const TfLiteConvParams* params = node->params;
    const int32_t* in = node->inputs[0]->shape.dims;
    const int32_t* filter = node->inputs[1]->shape.dims;
    const int32_t* out = node->outputs[0]->shape.dims;
    if (lite_cl_is_byte(node->inputs[0]->type))
        return lite_cl_window_conv(plan, node, &LITE_CL_CONV_PARAMS(params), false);
    LiteClReason reason;
    LiteWindow h, w;
    if (!lite_cl_conv_windows(node, &LITE_CL_CONV_PARAMS(params), &h, &w, &reason))
        return lite_report(plan->reporter, "%s: %s", node->name, reason.text);
    const int groups = in[3] / filter[3];
    LiteClProduct product = {.groups = groups, .filter = node->inputs[1], .bias = lite_cl_input(node, 2)};
    product.args = (LiteClConvArgs){
        .pixels = out[0] * out[1] * out[2],
        .images = out[0],
        .out_h = out[1],
        .out_w = out[2],
        .out_c = out[3],
        .in_h = in[1],
        .in_w = in[2],
        .in_c = in[3],
        .group_in = filter[3],
        .group_out = out[3] / groups,
        .kernel_h = filter[1],
        .kernel_w = filter[2],
        .stride_h = params->stride_height,
        .stride_w = params->stride_width,
        .dilation_h = params->dilation_height_factor,
        .dilation_w = params->dilation_width_factor,
        .pad_top = h.before,
        .pad_left = w.before,
    };
    lite_activation_range_f32(params->activation, &product.args.low, &product.args.high);
    return lite_cl_lower_product(plan, node, &product);
}

const LiteClOp lite_cl_op_CONV_2D = {
    .params_size = LITE_CL_PARAMS_UP_TO(TfLiteConvParams, dilation_height_factor),
    .min_inputs = 2,
    .max_inputs = 3,
    .inputs = "TT.",
    .types = LITE_CL_TYPE(Float32) | LITE_CL_BYTES,
    .infer = infer,
    .lower = lower,
};
