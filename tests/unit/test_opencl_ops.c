// SPDX-License-Identifier: Apache-2.0
// The kernels of each family on an OpenCL device against plain C, on random shapes, odd ones included.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/base/shape.h"
#include "delegate-opencl/device.h"
#include "oclite/opencl.h"
#include "tests/support/delegate_host.h"

enum { MAX_ELEMENTS = 200000, EXIT_SKIPPED = 77 };

static TfLiteDelegate* delegate;
static uint32_t seed = 1;
static float data_a[MAX_ELEMENTS], data_b[MAX_ELEMENTS], data_c[MAX_ELEMENTS], expected[MAX_ELEMENTS];

static int random_int(int low, int high) {
    seed = seed * 1664525u + 1013904223u;
    return low + (int)((seed >> 8) % (uint32_t)(high - low + 1));
}

static void random_floats(float* data, int count) {
    for (int i = 0; i < count; i++) data[i] = (float)random_int(-1000, 1000) / 500.0f;
}

static int product(int rank, const int* dims) {
    int count = 1;
    for (int d = 0; d < rank; d++) count *= dims[d];
    return count;
}

static float clamp(float x, TfLiteFusedActivation activation) {
    if (activation == kTfLiteActRelu6) return x < 0 ? 0 : x > 6 ? 6 : x;
    if (activation == kTfLiteActRelu) return x < 0 ? 0 : x;
    return x;
}

// A variable with random contents, which are also written to `data`. Contents have to be set after prepare.
static int add_input(DelegateHost* host, int rank, const int* dims, float* data) {
    random_floats(data, product(rank, dims));
    return host_variable(host, rank, dims);
}

static int add_output(DelegateHost* host) {
    return host_variable(host, 0, NULL);
}

// Delegates, prepares and runs; the output has to have `count` elements near those in `expected`.
static void run_and_compare(DelegateHost* host, int input, const float* input_data, int output, int count) {
    assert_int_equal(host_delegate(host, delegate, -1), kTfLiteOk);
    assert_non_null(host->taken);
    assert_int_equal(host->taken->size, host->node_count);
    if (host_prepare(host) != kTfLiteOk) fail_msg("prepare: %s", host->message);
    for (int i = 0; i < host_elements(host, input); i++) host_floats(host, input)[i] = input_data[i];
    for (int run = 0; run < 2; run++) {
        if (host_invoke(host) != kTfLiteOk) fail_msg("invoke: %s", host->message);
        assert_int_equal(host_elements(host, output), count);
        for (int i = 0; i < count; i++) {
            const float got = host_floats(host, output)[i];
            if (!(fabsf(got - expected[i]) <= 1e-4f * (1.0f + fabsf(expected[i])))) {
                fail_msg("element %d of %d: %g, expected %g", i, count, (double)got, (double)expected[i]);
            }
        }
    }
    host_free(host);
}

typedef struct Image {
    int n, h, w, c;
} Image;

static float pixel(const float* data, Image image, int n, int y, int x, int c) {
    if (y < 0 || y >= image.h || x < 0 || x >= image.w) return 0.0f;
    return data[((n * image.h + y) * image.w + x) * image.c + c];
}

// Convolution in `groups` groups into expected[]; returns the number of outputs.
static int reference_conv(Image in, const float* x, const int filter[4], const float* w, const float* bias,
                          const TfLiteConvParams* p, Image* out) {
    const LiteWindow h =
        lite_window(p->padding, in.h, filter[1], p->stride_height, p->dilation_height_factor);
    const LiteWindow v = lite_window(p->padding, in.w, filter[2], p->stride_width, p->dilation_width_factor);
    *out = (Image){in.n, h.out, v.out, filter[0]};
    const int group_out = filter[0] / (in.c / filter[3]);
    for (int i = 0; i < out->n * out->h * out->w * out->c; i++) {
        const int k = i % out->c, ox = i / out->c % out->w, oy = i / out->c / out->w % out->h;
        const int n = i / out->c / out->w / out->h;
        double sum = bias != NULL ? (double)bias[k] : 0.0;
        for (int t = 0; t < filter[1] * filter[2] * filter[3]; t++) {
            const int c = t % filter[3], kx = t / filter[3] % filter[2], ky = t / filter[3] / filter[2];
            const int y = oy * p->stride_height - h.before + ky * p->dilation_height_factor;
            const int xx = ox * p->stride_width - v.before + kx * p->dilation_width_factor;
            sum += (double)pixel(x, in, n, y, xx, k / group_out * filter[3] + c) *
                   (double)w[k * filter[1] * filter[2] * filter[3] + t];
        }
        expected[i] = clamp((float)sum, p->activation);
    }
    return out->n * out->h * out->w * out->c;
}

static TfLiteFusedActivation random_activation(void) {
    static const TfLiteFusedActivation choices[] = {kTfLiteActNone, kTfLiteActRelu, kTfLiteActRelu6};
    return choices[random_int(0, 2)];
}

static void convolutions(void** state) {
    (void)state;
    for (int round = 0; round < 60; round++) {
        static const int outputs[] = {1, 5, 8, 16, 21, 33, 48, 64, 70, 96, 100};
        const int groups = round % 6 == 5 ? random_int(2, 3) : 1;
        const int group_in = random_int(1, 9),
                  group_out = groups > 1 ? random_int(1, 20) : outputs[random_int(0, 10)];
        const Image in = {random_int(1, 2), random_int(1, 12), random_int(1, 14), group_in * groups};
        const int filter[] = {group_out * groups, random_int(1, 4), random_int(1, 4), group_in};
        const bool dilated = round % 4 == 3;
        TfLiteConvParams params = {
            .padding =
                random_int(0, 2) == 0 && in.h >= 8 && in.w >= 8 ? kTfLitePaddingValid : kTfLitePaddingSame,
            .stride_width = dilated ? 1 : random_int(1, 3),
            .stride_height = dilated ? 1 : random_int(1, 3),
            .dilation_width_factor = dilated ? 2 : 1,
            .dilation_height_factor = dilated ? 2 : 1,
            .activation = random_activation(),
        };
        DelegateHost host;
        host_init(&host);
        const int x = add_input(&host, 4, (int[]){in.n, in.h, in.w, in.c}, data_a);
        random_floats(data_b, product(4, filter));
        random_floats(data_c, filter[0]);
        const int w = host_constant(&host, kTfLiteFloat32, 4, filter, data_b);
        const int bias = host_constant(&host, kTfLiteFloat32, 1, &filter[0], data_c);
        const int y = add_output(&host);
        host_node(&host, kTfLiteBuiltinConv2d, NULL, &params, 3, (int[]){x, w, bias}, y);
        Image out;
        const int count = reference_conv(in, data_a, filter, data_b, data_c, &params, &out);
        run_and_compare(&host, x, data_a, y, count);
    }
}

static void depthwise_convolutions(void** state) {
    (void)state;
    for (int round = 0; round < 40; round++) {
        static const int channels[] = {1, 3, 16, 17, 40};
        const Image in = {random_int(1, 2), random_int(1, 12), random_int(1, 20), channels[random_int(0, 4)]};
        const int multiplier = round % 4 == 0 ? random_int(2, 3) : 1, out_c = in.c * multiplier;
        const int kh = round % 3 == 0 ? 1 : 3, kw = round % 3 == 0 ? 2 : 3;
        const bool dilated = round % 4 == 3;
        TfLiteDepthwiseConvParams params = {
            .padding = in.h >= 8 && in.w >= 8 && round % 2 == 0 ? kTfLitePaddingValid : kTfLitePaddingSame,
            .stride_width = dilated ? 1 : random_int(1, 2),
            .stride_height = dilated ? 1 : random_int(1, 2),
            .depth_multiplier = multiplier,
            .dilation_width_factor = dilated ? 3 : 1,
            .dilation_height_factor = dilated ? 3 : 1,
            .activation = random_activation(),
        };
        // The same as a convolution: filter [out][kh][kw][1] with one group per input channel.
        const TfLiteConvParams conv = {
            params.padding,    params.stride_width,          params.stride_height,
            params.activation, params.dilation_width_factor, params.dilation_height_factor,
            kTfLiteNoType};
        DelegateHost host;
        host_init(&host);
        const int x = add_input(&host, 4, (int[]){in.n, in.h, in.w, in.c}, data_a);
        random_floats(data_b, out_c * kh * kw);
        random_floats(data_c, out_c);
        static float transposed[MAX_ELEMENTS];
        for (int i = 0; i < out_c * kh * kw; i++)
            transposed[i % (kh * kw) * out_c + i / (kh * kw)] = data_b[i];
        const int w = host_constant(&host, kTfLiteFloat32, 4, (int[]){1, kh, kw, out_c}, transposed);
        const int bias = host_constant(&host, kTfLiteFloat32, 1, &out_c, data_c);
        const int y = add_output(&host);
        host_node(&host, kTfLiteBuiltinDepthwiseConv2d, NULL, &params, 3, (int[]){x, w, bias}, y);
        Image out;
        const int count = reference_conv(in, data_a, (int[]){out_c, kh, kw, 1}, data_b, data_c, &conv, &out);
        run_and_compare(&host, x, data_a, y, count);
    }
}

static void fully_connected(void** state) {
    (void)state;
    static const int shapes[][3] = {{1, 7, 3},    {1, 100, 130}, {5, 33, 64},
                                    {50, 20, 21}, {13, 1, 1},    {2, 300, 1001}};
    for (int s = 0; s < 6; s++) {
        const int rows = shapes[s][0], depth = shapes[s][1], units = shapes[s][2];
        TfLiteFullyConnectedParams params = {.activation = random_activation(), .keep_num_dims = s % 2 == 1};
        DelegateHost host;
        host_init(&host);
        const int x = add_input(&host, 3, (int[]){rows, 1, depth}, data_a);
        static float weights[310000];
        random_floats(weights, units * depth);
        random_floats(data_c, units);
        const int w = host_constant(&host, kTfLiteFloat32, 2, (int[]){units, depth}, weights);
        const int bias = host_constant(&host, kTfLiteFloat32, 1, &units, data_c);
        const int y = add_output(&host);
        host_node(&host, kTfLiteBuiltinFullyConnected, NULL, &params, 3, (int[]){x, w, bias}, y);
        for (int i = 0; i < rows * units; i++) {
            double sum = (double)data_c[i % units];
            for (int k = 0; k < depth; k++) {
                sum += (double)data_a[i / units * depth + k] * (double)weights[i % units * depth + k];
            }
            expected[i] = clamp((float)sum, params.activation);
        }
        run_and_compare(&host, x, data_a, y, rows * units);
    }
}

static void pools(void** state) {
    (void)state;
    for (int round = 0; round < 24; round++) {
        const bool max = round % 2 == 0;
        const Image in = {random_int(1, 2), random_int(4, 11), random_int(4, 11), random_int(1, 20)};
        TfLitePoolParams params = {.padding = round % 3 == 0 ? kTfLitePaddingValid : kTfLitePaddingSame,
                                   .stride_width = random_int(1, 3),
                                   .stride_height = random_int(1, 3),
                                   .filter_width = random_int(1, 4),
                                   .filter_height = random_int(1, 4),
                                   .activation = random_activation()};
        const LiteWindow h = lite_window(params.padding, in.h, params.filter_height, params.stride_height, 1);
        const LiteWindow w = lite_window(params.padding, in.w, params.filter_width, params.stride_width, 1);
        DelegateHost host;
        host_init(&host);
        const int x = add_input(&host, 4, (int[]){in.n, in.h, in.w, in.c}, data_a);
        const int y = add_output(&host);
        host_node(&host, max ? kTfLiteBuiltinMaxPool2d : kTfLiteBuiltinAveragePool2d, NULL, &params, 1, &x,
                  y);
        const int count = in.n * h.out * w.out * in.c;
        for (int i = 0; i < count; i++) {
            const int c = i % in.c, ox = i / in.c % w.out, oy = i / in.c / w.out % h.out,
                      n = i / in.c / w.out / h.out;
            float top = -INFINITY, sum = 0.0f;
            int inside = 0;
            for (int t = 0; t < params.filter_height * params.filter_width; t++) {
                const int yy = oy * params.stride_height - h.before + t / params.filter_width;
                const int xx = ox * params.stride_width - w.before + t % params.filter_width;
                if (yy < 0 || yy >= in.h || xx < 0 || xx >= in.w) continue;
                top = fmaxf(top, pixel(data_a, in, n, yy, xx, c));
                sum += pixel(data_a, in, n, yy, xx, c);
                inside++;
            }
            expected[i] = clamp(max ? top : sum / (float)inside, params.activation);
        }
        run_and_compare(&host, x, data_a, y, count);
    }
}

static void broadcasts(void** state) {
    (void)state;
    static const int codes[] = {kTfLiteBuiltinAdd, kTfLiteBuiltinSub, kTfLiteBuiltinMul,
                                kTfLiteBuiltinMaximum};
    for (int round = 0; round < 40; round++) {
        const int rank = random_int(0, 8), which = random_int(0, 3);
        int a_dims[8], b_dims[8], dims[8], a_at[8], b_at[8];
        for (int d = 0; d < rank; d++) {
            dims[d] = random_int(1, rank < 4 ? 20 : 4);
            const int shape = random_int(0, 3);
            a_dims[d] = shape == 0 ? 1 : dims[d];
            b_dims[d] = shape == 1 ? 1 : dims[d];
            if (shape == 0 && d == 0) dims[d] = b_dims[d];
        }
        // One of the two may have fewer dimensions.
        int skip_a = 0;
        while (skip_a < rank && a_dims[skip_a] == 1 && random_int(0, 1) == 1) skip_a++;
        TfLiteAddParams params = {.activation = which < 3 ? random_activation() : kTfLiteActNone};
        DelegateHost host;
        host_init(&host);
        const int a = add_input(&host, rank - skip_a, a_dims + skip_a, data_a);
        random_floats(data_b, product(rank, b_dims));
        const int b = host_constant(&host, kTfLiteFloat32, rank, b_dims, data_b);
        const int y = add_output(&host);
        host_node(&host, codes[which], NULL, &params, 2, (int[]){a, b}, y);
        int a_stride = 1, b_stride = 1;
        for (int d = rank - 1; d >= 0; d--) {
            a_at[d] = a_dims[d] == 1 ? 0 : a_stride;
            b_at[d] = b_dims[d] == 1 ? 0 : b_stride;
            a_stride *= a_dims[d];
            b_stride *= b_dims[d];
        }
        const int count = product(rank, dims);
        for (int i = 0; i < count; i++) {
            int at_a = 0, at_b = 0;
            for (int d = rank - 1, rest = i; d >= 0; rest /= dims[d--]) {
                at_a += rest % dims[d] * a_at[d];
                at_b += rest % dims[d] * b_at[d];
            }
            const float l = data_a[at_a], r = data_b[at_b];
            const float results[] = {l + r, l - r, l * r, l > r ? l : r};
            expected[i] = clamp(results[which], params.activation);
        }
        run_and_compare(&host, a, data_a, y, count);
    }
}

static void formulas(void** state) {
    (void)state;
    const int count = 5000;
    for (int f = 0; f < 4; f++) {
        static const int codes[] = {kTfLiteBuiltinLogistic, kTfLiteBuiltinTanh, kTfLiteBuiltinRelu6,
                                    kTfLiteBuiltinCustom};
        DelegateHost host;
        host_init(&host);
        const int x = add_input(&host, 2, (int[]){count / 50, 50}, data_a);
        const int y = add_output(&host);
        host_node(&host, codes[f], f == 3 ? "Atan" : NULL, NULL, 1, &x, y);
        for (int i = 0; i < count; i++) {
            const float v = data_a[i];
            const float results[] = {1.0f / (1.0f + expf(-v)), tanhf(v), clamp(v, kTfLiteActRelu6), atanf(v)};
            expected[i] = results[f];
        }
        run_and_compare(&host, x, data_a, y, count);
    }
}

static void softmaxes(void** state) {
    (void)state;
    for (int round = 0; round < 6; round++) {
        const int rows = random_int(1, 20), width = round == 0 ? 1001 : random_int(1, 40);
        TfLiteSoftmaxParams params = {.beta = round % 2 == 0 ? 1.0f : 0.5f};
        DelegateHost host;
        host_init(&host);
        const int x = add_input(&host, 2, (int[]){rows, width}, data_a);
        const int y = add_output(&host);
        host_node(&host, kTfLiteBuiltinSoftmax, NULL, &params, 1, &x, y);
        for (int r = 0; r < rows; r++) {
            double sum = 0.0;
            for (int i = 0; i < width; i++) sum += exp((double)params.beta * (double)data_a[r * width + i]);
            for (int i = 0; i < width; i++) {
                expected[r * width + i] =
                    (float)(exp((double)params.beta * (double)data_a[r * width + i]) / sum);
            }
        }
        run_and_compare(&host, x, data_a, y, rows * width);
    }
}

static void means(void** state) {
    (void)state;
    for (int round = 0; round < 24; round++) {
        const int rank = random_int(1, 5);
        int dims[5], axes[5], axis_count = 0, kept_stride[5], stride = 1;
        for (int d = 0; d < rank; d++) {
            dims[d] = random_int(1, 9);
            if (random_int(0, 1) == 1) axes[axis_count++] = random_int(0, 1) == 1 ? d : d - rank;
        }
        if (round == 0) dims[rank - 1] = 37;
        bool reduced[5] = {false};
        for (int i = 0; i < axis_count; i++) reduced[axes[i] < 0 ? axes[i] + rank : axes[i]] = true;
        for (int d = rank - 1; d >= 0; d--) {
            kept_stride[d] = reduced[d] ? 0 : stride;
            if (!reduced[d]) stride *= dims[d];
        }
        TfLiteReducerParams params = {.keep_dims = round % 2 == 0};
        DelegateHost host;
        host_init(&host);
        const int x = add_input(&host, rank, dims, data_a);
        const int axis = host_constant(&host, kTfLiteInt32, 1, &axis_count, axes);
        const int y = add_output(&host);
        host_node(&host, kTfLiteBuiltinMean, NULL, &params, 2, (int[]){x, axis}, y);
        for (int i = 0; i < stride; i++) expected[i] = 0.0f;
        const int count = product(rank, dims);
        for (int i = 0; i < count; i++) {
            int at = 0;
            for (int d = rank - 1, rest = i; d >= 0; rest /= dims[d--]) at += rest % dims[d] * kept_stride[d];
            expected[at] += data_a[i] * (float)stride / (float)count;
        }
        run_and_compare(&host, x, data_a, y, stride);
    }
}

static void pads(void** state) {
    (void)state;
    for (int round = 0; round < 20; round++) {
        const int rank = random_int(1, 5);
        int dims[5], out_dims[5], paddings[10];
        for (int d = 0; d < rank; d++) {
            dims[d] = random_int(1, 6);
            paddings[2 * d] = random_int(0, 3) / 2;
            paddings[2 * d + 1] = random_int(0, 3) / 2;
            out_dims[d] = dims[d] + paddings[2 * d] + paddings[2 * d + 1];
        }
        DelegateHost host;
        host_init(&host);
        const int x = add_input(&host, rank, dims, data_a);
        const int amounts = host_constant(&host, kTfLiteInt32, 2, (int[]){rank, 2}, paddings);
        const int y = add_output(&host);
        host_node(&host, kTfLiteBuiltinPad, NULL, NULL, 2, (int[]){x, amounts}, y);
        const int count = product(rank, out_dims);
        for (int i = 0; i < count; i++) {
            int at = 0, stride = 1;
            bool inside = true;
            for (int d = rank - 1, rest = i; d >= 0; rest /= out_dims[d--]) {
                const int index = rest % out_dims[d] - paddings[2 * d];
                inside = inside && index >= 0 && index < dims[d];
                at += index * stride;
                stride *= dims[d];
            }
            expected[i] = inside ? data_a[at] : 0.0f;
        }
        run_and_compare(&host, x, data_a, y, count);
    }
}

static void concatenations(void** state) {
    (void)state;
    for (int axis = -1; axis < 3; axis++) {
        const int lengths[] = {3, 1, 5};
        TfLiteConcatenationParams params = {.axis = axis};
        DelegateHost host;
        host_init(&host);
        int inputs[3], dims[] = {4, 6, 7};
        const int where = axis < 0 ? 2 : axis;
        dims[where] = lengths[0];
        inputs[0] = add_input(&host, 3, dims, data_a);
        float* constants[] = {NULL, data_b, data_c};
        for (int i = 1; i < 3; i++) {
            dims[where] = lengths[i];
            random_floats(constants[i], product(3, dims));
            inputs[i] = host_constant(&host, kTfLiteFloat32, 3, dims, constants[i]);
        }
        const int y = add_output(&host);
        host_node(&host, kTfLiteBuiltinConcatenation, NULL, &params, 3, inputs, y);
        int inner = 1, outer = 1, count = 0;
        for (int d = 0; d < 3; d++) *(d < where ? &outer : &inner) *= d == where ? 1 : dims[d];
        for (int r = 0; r < outer; r++) {
            for (int i = 0; i < 3; i++) {
                const float* source = i == 0 ? data_a : constants[i];
                for (int k = 0; k < lengths[i] * inner; k++)
                    expected[count++] = source[r * lengths[i] * inner + k];
            }
        }
        run_and_compare(&host, inputs[0], data_a, y, count);
    }
}

static void bilinear_resizes(void** state) {
    (void)state;
    for (int round = 0; round < 12; round++) {
        const Image in = {1, random_int(1, 8), random_int(1, 8), random_int(1, 20)};
        const int size[] = {random_int(1, 15), random_int(1, 70)};
        TfLiteResizeBilinearParams params = {.align_corners = round % 3 == 1,
                                             .half_pixel_centers = round % 3 == 2};
        const float shift = params.half_pixel_centers ? 0.5f : 0.0f;
        const int inputs[] = {in.h, in.w};
        float scale[2];
        for (int d = 0; d < 2; d++) {
            scale[d] = params.align_corners && size[d] > 1 ? (float)(inputs[d] - 1) / (float)(size[d] - 1)
                                                           : (float)inputs[d] / (float)size[d];
        }
        DelegateHost host;
        host_init(&host);
        const int x = add_input(&host, 4, (int[]){1, in.h, in.w, in.c}, data_a);
        const int to = host_constant(&host, kTfLiteInt32, 1, (int[]){2}, size);
        const int y = add_output(&host);
        host_node(&host, kTfLiteBuiltinResizeBilinear, NULL, &params, 2, (int[]){x, to}, y);
        const int count = size[0] * size[1] * in.c;
        for (int i = 0; i < count; i++) {
            const float v = ((float)(i / in.c / size[1]) + shift) * scale[0] - shift;
            const float h = ((float)(i / in.c % size[1]) + shift) * scale[1] - shift;
            const int y0 = (int)fmaxf(floorf(v), 0), y1 = (int)fminf(ceilf(v), (float)(in.h - 1));
            const int x0 = (int)fmaxf(floorf(h), 0), x1 = (int)fminf(ceilf(h), (float)(in.w - 1));
            const float dy = v - (float)y0, dx = h - (float)x0;
            const int c = i % in.c;
            expected[i] = pixel(data_a, in, 0, y0, x0, c) * (1 - dy) * (1 - dx) +
                          pixel(data_a, in, 0, y1, x0, c) * dy * (1 - dx) +
                          pixel(data_a, in, 0, y0, x1, c) * (1 - dy) * dx +
                          pixel(data_a, in, 0, y1, x1, c) * dy * dx;
        }
        run_and_compare(&host, x, data_a, y, count);
    }
}

// The device shared by all delegates, kept open while its class is changed.
static LiteClDevice* device;

static int open_delegate(void** state) {
    (void)state;
    const LiteReporter silent = {0};
    device = lite_cl_device_acquire(NULL, &silent);
    delegate = oclite_opencl_delegate_create(NULL);
    return device != NULL && delegate != NULL ? 0 : -1;
}

static int close_delegate(void** state) {
    (void)state;
    oclite_opencl_delegate_delete(delegate);
    lite_cl_device_release(device);
    return 0;
}

// As on a GPU: small tiles, work-groups of many items, memory of its own.
static int open_as_gpu(void** state) {
    const int status = open_delegate(state);
    if (status == 0) {
        device->class = kLiteClGpu;
        device->shares_memory = false;
    }
    return status;
}

// As on a CPU with narrow registers.
static int open_as_narrow_cpu(void** state) {
    const int status = open_delegate(state);
    if (status == 0) device->class = kLiteClCpu4;
    return status;
}

int main(void) {
    if (!host_has_opencl()) return EXIT_SKIPPED;
    const struct CMUnitTest kernels[] = {
        cmocka_unit_test(convolutions),
        cmocka_unit_test(depthwise_convolutions),
        cmocka_unit_test(fully_connected),
        cmocka_unit_test(pools),
        cmocka_unit_test(broadcasts),
        cmocka_unit_test(formulas),
        cmocka_unit_test(softmaxes),
        cmocka_unit_test(means),
        cmocka_unit_test(pads),
        cmocka_unit_test(concatenations),
        cmocka_unit_test(bilinear_resizes),
    };
    return cmocka_run_group_tests_name("as it is", kernels, open_delegate, close_delegate) +
           cmocka_run_group_tests_name("as a GPU", kernels, open_as_gpu, close_delegate) +
           cmocka_run_group_tests_name("as a narrow CPU", kernels, open_as_narrow_cpu, close_delegate);
}
