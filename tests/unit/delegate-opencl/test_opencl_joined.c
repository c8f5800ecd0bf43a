// SPDX-License-Identifier: Apache-2.0
// Nodes that OpenCL lowers together: a convolution and the depthwise convolution, the addition or the
// elementwise nodes behind it.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "delegate-opencl/partition/partition.h"
#include "oclite/opencl.h"
#include "tests/support/delegate_host.h"

enum { EXIT_SKIPPED = 77, FEW_UNITS = 4 };

// One convolution of NHWC floats, depthwise when its filter has no input channels.
typedef struct Layer {
    int n, h, w, in, out;
    int kernel, stride;
    bool same;
    float most; // of the output
    const float* filter;
    const float* bias;
} Layer;

static int length_of(int length, const Layer* l) {
    return l->same ? (length + l->stride - 1) / l->stride : (length - l->kernel) / l->stride + 1;
}

static int padding_of(int length, const Layer* l) {
    const int whole = (length_of(length, l) - 1) * l->stride + l->kernel - length;
    return l->same && whole > 0 ? whole / 2 : 0;
}

static float* compute(const Layer* l, bool depthwise, const float* x) {
    const int out_h = length_of(l->h, l), out_w = length_of(l->w, l), in = depthwise ? 1 : l->in;
    float* y = calloc((size_t)(l->n * out_h * out_w * l->out), sizeof *y);
    for (int i = 0; i < l->n * out_h * out_w * l->out; i++) {
        const int o = i % l->out, ox = i / l->out % out_w, oy = i / l->out / out_w % out_h;
        const int n = i / l->out / out_w / out_h;
        double sum = (double)l->bias[o];
        for (int tap = 0; tap < l->kernel * l->kernel; tap++) {
            const int iy = oy * l->stride - padding_of(l->h, l) + tap / l->kernel;
            const int ix = ox * l->stride - padding_of(l->w, l) + tap % l->kernel;
            if (iy < 0 || ix < 0 || iy >= l->h || ix >= l->w) continue;
            const float* pixel = x + ((n * l->h + iy) * l->w + ix) * l->in;
            for (int c = 0; c < in; c++) {
                const int at = depthwise ? tap * l->out + o : (o * l->kernel * l->kernel + tap) * l->in + c;
                sum += (double)pixel[depthwise ? o : c] * (double)l->filter[at];
            }
        }
        y[i] = (float)fmin(fmax(sum, 0.0), (double)l->most);
    }
    return y;
}

static float next_random(void) {
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return (float)(state >> 8) * 0x1p-23f - 1.0f;
}

static const float* random_floats(int count) {
    float* values = malloc((size_t)count * sizeof *values);
    for (int i = 0; i < count; i++) values[i] = next_random();
    return values;
}

static Layer random_layer(int n, int h, int w, int in, int out, int kernel, int stride, bool same,
                          bool depthwise) {
    Layer l = {n, h, w, in, out, kernel, stride, same, 6.0f, NULL, random_floats(out)};
    l.filter = random_floats(kernel * kernel * out * (depthwise ? 1 : in));
    return l;
}

static void free_layer(const Layer* l) {
    free((void*)(uintptr_t)l->filter);
    free((void*)(uintptr_t)l->bias);
}

static int add_layer(DelegateHost* host, const Layer* l, bool depthwise, int x, TfLiteConvParams* conv,
                     TfLiteDepthwiseConvParams* params) {
    const int filter =
        depthwise
            ? host_constant(host, kTfLiteFloat32, 4, (int[]){1, l->kernel, l->kernel, l->out}, l->filter)
            : host_constant(host, kTfLiteFloat32, 4, (int[]){l->out, l->kernel, l->kernel, l->in}, l->filter);
    const int bias = host_constant(host, kTfLiteFloat32, 1, (int[]){l->out}, l->bias);
    const int y = host_variable(host, 4, (int[]){l->n, length_of(l->h, l), length_of(l->w, l), l->out});
    const TfLitePadding padding = l->same ? kTfLitePaddingSame : kTfLitePaddingValid;
    *conv = (TfLiteConvParams){padding, l->stride, l->stride, kTfLiteActRelu6, 1, 1, kTfLiteNoType};
    *params = (TfLiteDepthwiseConvParams){padding, l->stride, l->stride, 1, kTfLiteActRelu6, 1, 1};
    host_node(host, depthwise ? kTfLiteBuiltinDepthwiseConv2d : kTfLiteBuiltinConv2d, NULL,
              depthwise ? (void*)params : (void*)conv, 3, (int[]){x, filter, bias}, y);
    return y;
}

static const LiteClPlan* start(DelegateHost* host, TfLiteDelegate** delegate, int extra_output) {
    *delegate = oclite_opencl_delegate_create_from_string(NULL);
    assert_non_null(*delegate);
    assert_int_equal(host_delegate(host, *delegate, extra_output), kTfLiteOk);
    assert_int_equal(host_prepare(host), kTfLiteOk);
    return &((const LiteClPartition*)host->partition_node.user_data)->plan;
}

static void expect(DelegateHost* host, int tensor, const float* want) {
    for (int i = 0; i < host_elements(host, tensor); i++) {
        if (!(fabsf(host_floats(host, tensor)[i] - want[i]) <= 1e-4f))
            fail_msg("element %d of tensor %d: %g, not %g", i, tensor, (double)host_floats(host, tensor)[i],
                     (double)want[i]);
    }
}

static void fill(DelegateHost* host, int tensor) {
    for (int i = 0; i < host_elements(host, tensor); i++) host_floats(host, tensor)[i] = next_random();
}

// The pair, of which the intermediate may be an output too; then nothing is joined.
static void check_pair(const Layer* conv, const Layer* depthwise, bool shown) {
    DelegateHost host;
    host_init(&host);
    TfLiteConvParams params[2];
    TfLiteDepthwiseConvParams depthwise_params[2];
    const int x = host_variable(&host, 4, (int[]){conv->n, conv->h, conv->w, conv->in});
    const int middle = add_layer(&host, conv, false, x, &params[0], &depthwise_params[0]);
    const int y = add_layer(&host, depthwise, true, middle, &params[1], &depthwise_params[1]);
    TfLiteDelegate* delegate;
    const LiteClPlan* plan = start(&host, &delegate, shown ? middle : -1);
    if (plan->device->class == kLiteClGpu || shown) assert_int_equal(plan->step_count, 2);
    if (plan->device->class != kLiteClGpu && !shown && plan->device->units <= FEW_UNITS)
        assert_int_equal(plan->step_count, 1);
    for (int run = 0; run < 2; run++) {
        fill(&host, x);
        assert_int_equal(host_invoke(&host), kTfLiteOk);
        float* between = compute(conv, false, host_floats(&host, x));
        float* want = compute(depthwise, true, between);
        expect(&host, y, want);
        if (shown) expect(&host, middle, between);
        free(between);
        free(want);
    }
    host_free(&host);
    oclite_opencl_delegate_delete(delegate);
}

static void convolutions_join_depthwise_ones(void** state) {
    (void)state;
    static const struct {
        int n, h, w, in, out, kernel, stride;
        bool same;
        int tap, tap_stride; // of the depthwise convolution
        bool tap_same;
    } cases[] = {
        // Bands of rows, and whole images.
        {1, 67, 6, 8, 96, 1, 1, true, 3, 1, true},
        {8, 9, 13, 5, 20, 1, 1, true, 3, 2, true},
        {8, 11, 12, 6, 50, 3, 1, false, 5, 1, true},
        {8, 17, 20, 8, 33, 1, 2, true, 1, 2, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const Layer conv = random_layer(cases[i].n, cases[i].h, cases[i].w, cases[i].in, cases[i].out,
                                        cases[i].kernel, cases[i].stride, cases[i].same, false);
        const Layer depthwise =
            random_layer(conv.n, length_of(conv.h, &conv), length_of(conv.w, &conv), conv.out, conv.out,
                         cases[i].tap, cases[i].tap_stride, cases[i].tap_same, true);
        check_pair(&conv, &depthwise, false);
        if (i == 0) check_pair(&conv, &depthwise, true);
        free_layer(&conv);
        free_layer(&depthwise);
    }
}

// y = most(conv(x) + other), from either side; joined where both have the same shape and nobody else reads.
static void check_sum(int channels, bool first, bool broadcasts, bool twice) {
    enum { SIDE = 7, IN = 9 };
    DelegateHost host;
    host_init(&host);
    const Layer layer = random_layer(1, SIDE, SIDE, IN, channels, 1, 1, true, false);
    TfLiteConvParams conv;
    TfLiteDepthwiseConvParams unused;
    TfLiteAddParams add = {.activation = kTfLiteActRelu6};
    const int x = host_variable(&host, 4, (int[]){1, SIDE, SIDE, IN});
    const int rows = broadcasts ? 1 : SIDE;
    const int other = host_variable(&host, 4, (int[]){1, rows, rows, channels});
    const int product = add_layer(&host, &layer, false, x, &conv, &unused);
    const int y = host_variable(&host, 4, (int[]){1, SIDE, SIDE, channels});
    const int added = twice ? product : other;
    host_node(&host, kTfLiteBuiltinAdd, NULL, &add, 2,
              first ? (int[]){product, added} : (int[]){added, product}, y);
    TfLiteDelegate* delegate;
    const LiteClPlan* plan = start(&host, &delegate, -1);
    assert_int_equal(plan->step_count, broadcasts ? 2 : 1);
    fill(&host, x);
    if (!twice) fill(&host, other);
    assert_int_equal(host_invoke(&host), kTfLiteOk);
    float* want = compute(&layer, false, host_floats(&host, x));
    for (int i = 0; i < SIDE * SIDE * channels; i++) {
        const float addend = twice ? want[i] : host_floats(&host, other)[broadcasts ? i % channels : i];
        want[i] = fminf(fmaxf(want[i] + addend, 0.0f), 6.0f);
    }
    expect(&host, y, want);
    free(want);
    free_layer(&layer);
    host_free(&host);
    oclite_opencl_delegate_delete(delegate);
}

static void convolutions_join_additions(void** state) {
    (void)state;
    check_sum(64, true, false, false);
    check_sum(24, false, false, false);
    check_sum(3, true, false, false);
    check_sum(24, true, true, false);
    check_sum(24, true, false, true);
}

// What is behind a convolution.
typedef enum Behind {
    kHardSwish,
    kFactor,       // MUL by a constant of one element
    kFactorFirst,  // the same, from the left
    kLimited,      // MUL with an activation
    kSquare,       // MUL by itself
    kOtherFormula, // an operator like HARD_SWISH
    kSwish,        // LOGISTIC, and MUL by what it is of
    kInputFactor,  // one element, no constant
    kColumns,      // a constant of one element for each channel
} Behind;

static const float the_factor = 0.375f;

static int add_factor(DelegateHost* host, Behind behind, int channels, int* given) {
    static const float columns[] = {0.375f, 0.375f, 0.375f, 0.375f, 0.375f, 0.375f, 0.375f, 0.375f, 0.375f};
    assert_true(behind != kColumns || channels <= (int)(sizeof columns / sizeof columns[0]));
    if (behind == kInputFactor) return *given = host_variable(host, 1, (int[]){1});
    return behind == kColumns ? host_constant(host, kTfLiteFloat32, 1, (int[]){channels}, columns)
                              : host_constant(host, kTfLiteFloat32, 1, (int[]){1}, &the_factor);
}

static float behind_value(Behind behind, float x) {
    switch (behind) {
    case kHardSwish:
        return x * fminf(fmaxf(x + 3.0f, 0.0f), 6.0f) / 6.0f;
    case kSquare:
        return x * x;
    case kOtherFormula:
        return fmaxf(x, 0.0f);
    case kLimited:
        return fminf(x * the_factor, 1.0f);
    case kSwish:
        return x / (1.0f + expf(-x));
    default:
        return x * the_factor;
    }
}

// y = behind(conv(x)). Joined in all forms but the last two, where the convolution's output is no output too.
static void check_behind(const Layer* layer, bool depthwise, Behind behind, bool shown) {
    DelegateHost host;
    host_init(&host);
    TfLiteConvParams conv;
    TfLiteDepthwiseConvParams params;
    TfLiteMulParams mul = {.activation = behind == kLimited ? kTfLiteActReluN1To1 : kTfLiteActNone};
    const int x = host_variable(&host, 4, (int[]){layer->n, layer->h, layer->w, layer->in});
    const int middle = add_layer(&host, layer, depthwise, x, &conv, &params);
    const int y = host_variable(
        &host, 4, (int[]){layer->n, length_of(layer->h, layer), length_of(layer->w, layer), layer->out});
    int given = -1;
    if (behind == kHardSwish || behind == kOtherFormula) {
        const int code = behind == kHardSwish ? kTfLiteBuiltinHardSwish : kTfLiteBuiltinRelu;
        host_node(&host, code, NULL, NULL, 1, (int[]){middle}, y);
    } else {
        int other = middle;
        if (behind == kSwish) {
            other = host_variable(
                &host, 4,
                (int[]){layer->n, length_of(layer->h, layer), length_of(layer->w, layer), layer->out});
            host_node(&host, kTfLiteBuiltinLogistic, NULL, NULL, 1, (int[]){middle}, other);
        } else if (behind != kSquare) {
            other = add_factor(&host, behind, layer->out, &given);
        }
        host_node(&host, kTfLiteBuiltinMul, NULL, &mul, 2,
                  behind == kFactorFirst ? (int[]){other, middle} : (int[]){middle, other}, y);
    }
    TfLiteDelegate* delegate;
    const LiteClPlan* plan = start(&host, &delegate, shown ? middle : -1);
    assert_int_equal(plan->step_count, behind <= kSwish && !shown ? 1 : 2);
    for (int run = 0; run < 2; run++) {
        fill(&host, x);
        if (given >= 0) host_floats(&host, given)[0] = the_factor;
        assert_int_equal(host_invoke(&host), kTfLiteOk);
        float* between = compute(layer, depthwise, host_floats(&host, x));
        if (shown) expect(&host, middle, between);
        for (int i = 0; i < host_elements(&host, y); i++) between[i] = behind_value(behind, between[i]);
        expect(&host, y, between);
        free(between);
    }
    host_free(&host);
    oclite_opencl_delegate_delete(delegate);
}

static void convolutions_join_what_is_behind(void** state) {
    (void)state;
    const Layer layers[] = {
        random_layer(1, 7, 9, 5, 9, 3, 1, true, false),
        random_layer(2, 5, 5, 9, 9, 3, 2, true, true),
        random_layer(1, 1, 1, 40, 72, 1, 1, true, false),
        random_layer(1, 9, 8, 67, 67, 5, 1, false, true),
    };
    for (int i = 0; i < (int)(sizeof layers / sizeof layers[0]); i++) {
        const bool depthwise = i % 2 == 1;
        for (Behind behind = kHardSwish; behind <= kColumns; behind++) {
            if (behind != kColumns || layers[i].out == 9) check_behind(&layers[i], depthwise, behind, false);
        }
        check_behind(&layers[i], depthwise, kHardSwish, true);
        check_behind(&layers[i], depthwise, kFactor, true);
        check_behind(&layers[i], depthwise, kSquare, true);
        free_layer(&layers[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(convolutions_join_depthwise_ones),
        cmocka_unit_test(convolutions_join_additions),
        cmocka_unit_test(convolutions_join_what_is_behind),
    };
    if (!host_has_opencl()) return EXIT_SKIPPED;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
