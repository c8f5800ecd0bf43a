// SPDX-License-Identifier: Apache-2.0
// Convolutions, pools and resizes of pictures on an OpenCL device against plain C, on random shapes, odd ones
// included.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/base/shape.h"
#include "oclite/opencl.h"
#include "tests/support/delegate_host.h"
#include "tests/support/opencl_op_case.h"
#include "tests/support/random_numbers.h"

enum { EXIT_SKIPPED = 77 };

// Convolution in `groups` groups into op_expected[]; returns the number of outputs.
static int reference_conv(OpImage in, const float* x, const int filter[4], const float* w, const float* bias,
                          const TfLiteConvParams* p, OpImage* out) {
    const LiteAxisPadding h =
        lite_axis_padding(p->padding, in.h, filter[1], p->stride_height, p->dilation_height_factor);
    const LiteAxisPadding v =
        lite_axis_padding(p->padding, in.w, filter[2], p->stride_width, p->dilation_width_factor);
    *out = (OpImage){in.n, h.out, v.out, filter[0]};
    const int group_out = filter[0] / (in.c / filter[3]);
    for (int i = 0; i < out->n * out->h * out->w * out->c; i++) {
        const int k = i % out->c, ox = i / out->c % out->w, oy = i / out->c / out->w % out->h;
        const int n = i / out->c / out->w / out->h;
        double sum = bias != NULL ? (double)bias[k] : 0.0;
        for (int t = 0; t < filter[1] * filter[2] * filter[3]; t++) {
            const int c = t % filter[3], kx = t / filter[3] % filter[2], ky = t / filter[3] / filter[2];
            const int y = oy * p->stride_height - h.before + ky * p->dilation_height_factor;
            const int xx = ox * p->stride_width - v.before + kx * p->dilation_width_factor;
            sum += (double)op_case_pixel(x, in, n, y, xx, k / group_out * filter[3] + c) *
                   (double)w[k * filter[1] * filter[2] * filter[3] + t];
        }
        op_expected[i] = op_case_clamp((float)sum, p->activation);
    }
    return out->n * out->h * out->w * out->c;
}

static void convolutions(void** state) {
    (void)state;
    for (int round = 0; round < 60; round++) {
        static const int outputs[] = {1, 5, 8, 16, 21, 33, 48, 64, 70, 96, 100};
        const int groups = round % 6 == 5 ? random_int(2, 3) : 1;
        const int group_in = random_int(1, 9),
                  group_out = groups > 1 ? random_int(1, 20) : outputs[random_int(0, 10)];
        const OpImage in = {random_int(1, 2), random_int(1, 12), random_int(1, 14), group_in * groups};
        const int filter[] = {group_out * groups, random_int(1, 4), random_int(1, 4), group_in};
        const bool dilated = round % 4 == 3;
        TfLiteConvParams params = {
            .padding =
                random_int(0, 2) == 0 && in.h >= 8 && in.w >= 8 ? kTfLitePaddingValid : kTfLitePaddingSame,
            .stride_width = dilated ? 1 : random_int(1, 3),
            .stride_height = dilated ? 1 : random_int(1, 3),
            .dilation_width_factor = dilated ? 2 : 1,
            .dilation_height_factor = dilated ? 2 : 1,
            .activation = op_case_activation(),
        };
        DelegateHost host;
        host_init(&host);
        const int x = op_case_input(&host, 4, (int[]){in.n, in.h, in.w, in.c}, op_data_a);
        op_case_random(op_data_b, op_case_elements(4, filter));
        op_case_random(op_data_c, filter[0]);
        const int w = host_constant(&host, kTfLiteFloat32, 4, filter, op_data_b);
        const int bias = host_constant(&host, kTfLiteFloat32, 1, &filter[0], op_data_c);
        const int y = op_case_output(&host);
        host_node(&host, kTfLiteBuiltinConv2d, NULL, &params, 3, (int[]){x, w, bias}, y);
        OpImage out;
        const int count = reference_conv(in, op_data_a, filter, op_data_b, op_data_c, &params, &out);
        op_case_compare(&host, x, op_data_a, y, count);
    }
}

static void depthwise_convolutions(void** state) {
    (void)state;
    for (int round = 0; round < 40; round++) {
        static const int channels[] = {1, 3, 16, 17, 40};
        const OpImage in = {random_int(1, 2), random_int(1, 12), random_int(1, 20),
                            channels[random_int(0, 4)]};
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
            .activation = op_case_activation(),
        };
        // The same as a convolution: filter [out][kh][kw][1] with one group per input channel.
        const TfLiteConvParams conv = {
            params.padding,    params.stride_width,          params.stride_height,
            params.activation, params.dilation_width_factor, params.dilation_height_factor,
            kTfLiteNoType};
        DelegateHost host;
        host_init(&host);
        const int x = op_case_input(&host, 4, (int[]){in.n, in.h, in.w, in.c}, op_data_a);
        op_case_random(op_data_b, out_c * kh * kw);
        op_case_random(op_data_c, out_c);
        static float transposed[kOpElements];
        for (int i = 0; i < out_c * kh * kw; i++)
            transposed[i % (kh * kw) * out_c + i / (kh * kw)] = op_data_b[i];
        const int w = host_constant(&host, kTfLiteFloat32, 4, (int[]){1, kh, kw, out_c}, transposed);
        const int bias = host_constant(&host, kTfLiteFloat32, 1, &out_c, op_data_c);
        const int y = op_case_output(&host);
        host_node(&host, kTfLiteBuiltinDepthwiseConv2d, NULL, &params, 3, (int[]){x, w, bias}, y);
        OpImage out;
        const int count =
            reference_conv(in, op_data_a, (int[]){out_c, kh, kw, 1}, op_data_b, op_data_c, &conv, &out);
        op_case_compare(&host, x, op_data_a, y, count);
    }
}

static void pools(void** state) {
    (void)state;
    for (int round = 0; round < 24; round++) {
        const bool max = round % 2 == 0;
        const OpImage in = {random_int(1, 2), random_int(4, 11), random_int(4, 11), random_int(1, 20)};
        TfLitePoolParams params = {.padding = round % 3 == 0 ? kTfLitePaddingValid : kTfLitePaddingSame,
                                   .stride_width = random_int(1, 3),
                                   .stride_height = random_int(1, 3),
                                   .filter_width = random_int(1, 4),
                                   .filter_height = random_int(1, 4),
                                   .activation = op_case_activation()};
        const LiteAxisPadding h =
            lite_axis_padding(params.padding, in.h, params.filter_height, params.stride_height, 1);
        const LiteAxisPadding w =
            lite_axis_padding(params.padding, in.w, params.filter_width, params.stride_width, 1);
        DelegateHost host;
        host_init(&host);
        const int x = op_case_input(&host, 4, (int[]){in.n, in.h, in.w, in.c}, op_data_a);
        const int y = op_case_output(&host);
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
                top = fmaxf(top, op_case_pixel(op_data_a, in, n, yy, xx, c));
                sum += op_case_pixel(op_data_a, in, n, yy, xx, c);
                inside++;
            }
            op_expected[i] = op_case_clamp(max ? top : sum / (float)inside, params.activation);
        }
        op_case_compare(&host, x, op_data_a, y, count);
    }
}

static void bilinear_resizes(void** state) {
    (void)state;
    for (int round = 0; round < 12; round++) {
        const OpImage in = {1, random_int(1, 8), random_int(1, 8), random_int(1, 20)};
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
        const int x = op_case_input(&host, 4, (int[]){1, in.h, in.w, in.c}, op_data_a);
        const int to = host_constant(&host, kTfLiteInt32, 1, (int[]){2}, size);
        const int y = op_case_output(&host);
        host_node(&host, kTfLiteBuiltinResizeBilinear, NULL, &params, 2, (int[]){x, to}, y);
        const int count = size[0] * size[1] * in.c;
        for (int i = 0; i < count; i++) {
            const float v = ((float)(i / in.c / size[1]) + shift) * scale[0] - shift;
            const float h = ((float)(i / in.c % size[1]) + shift) * scale[1] - shift;
            const int y0 = (int)fmaxf(floorf(v), 0), y1 = (int)fminf(ceilf(v), (float)(in.h - 1));
            const int x0 = (int)fmaxf(floorf(h), 0), x1 = (int)fminf(ceilf(h), (float)(in.w - 1));
            const float dy = v - (float)y0, dx = h - (float)x0;
            const int c = i % in.c;
            op_expected[i] = op_case_pixel(op_data_a, in, 0, y0, x0, c) * (1 - dy) * (1 - dx) +
                             op_case_pixel(op_data_a, in, 0, y1, x0, c) * dy * (1 - dx) +
                             op_case_pixel(op_data_a, in, 0, y0, x1, c) * (1 - dy) * dx +
                             op_case_pixel(op_data_a, in, 0, y1, x1, c) * dy * dx;
        }
        op_case_compare(&host, x, op_data_a, y, count);
    }
}

// With an argument: as a GPU with fast local memory, whose kernels PoCL compiles for minutes.
int main(int argc, char** argv) {
    (void)argv;
    if (!host_has_opencl()) return EXIT_SKIPPED;
    const struct CMUnitTest kernels[] = {
        cmocka_unit_test(convolutions),
        cmocka_unit_test(depthwise_convolutions),
        cmocka_unit_test(pools),
        cmocka_unit_test(bilinear_resizes),
    };
    if (argc > 1)
        return cmocka_run_group_tests_name("with local memory", kernels, op_case_open_with_local_tiles,
                                           op_case_close);
    return cmocka_run_group_tests_name("as it is", kernels, op_case_open, op_case_close) +
           cmocka_run_group_tests_name("as a GPU", kernels, op_case_open_as_gpu, op_case_close) +
           cmocka_run_group_tests_name("as a narrow CPU", kernels, op_case_open_as_narrow_cpu, op_case_close);
}
