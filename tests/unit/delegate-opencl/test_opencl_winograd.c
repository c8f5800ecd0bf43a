// SPDX-License-Identifier: Apache-2.0
// Convolutions with fewer multiplications (kernels-cl/winograd.cl): against sums in double precision, on
// devices of each class, with what is joined to them; errors against those of the direct way, infinities,
// choices.
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "delegate-opencl/device/open.h"
#include "delegate-opencl/partition/partition.h"
#include "oclite/opencl.h"
#include "tests/support/delegate_host.h"
#include "tests/support/opencl_op_case.h"
#include "tests/support/random_numbers.h"

enum { EXIT_SKIPPED = 77, MOST_CHANNELS = 70, MOST_SIDE = 19, MOST_IMAGES = 3 };

typedef enum Join { kAlone, kAddition, kHardSwish, kSquareRoot, JOINS } Join;

typedef struct Layer {
    OpImage in;
    int out_c;
    bool padded, has_bias;
    int stride, dilation;
    Join join; // what is behind it
    TfLiteFusedActivation activation;
} Layer;

static float input[kOpElements], second[kOpElements], weights[MOST_CHANNELS * 9 * MOST_CHANNELS * 4];
static float bias[MOST_CHANNELS * 4], direct[kOpElements], got[kOpElements];
static double want[kOpElements], terms;
static LiteClDevice* device; // kept open while its class is changed

static OpImage output_of(const Layer* l) {
    const int lost = l->padded ? 0 : 2 * l->dilation;
    return (OpImage){l->in.n, (l->in.h - lost + l->stride - 1) / l->stride,
                     (l->in.w - lost + l->stride - 1) / l->stride, l->out_c};
}

static int elements(OpImage image) {
    return image.n * image.h * image.w * image.c;
}

static Layer plain(OpImage in, int out_c) {
    return (Layer){in, out_c, true, true, 1, 1, kAlone, kTfLiteActNone};
}

static Layer random_layer(void) {
    Layer l = plain((OpImage){random_int(1, MOST_IMAGES), random_int(3, MOST_SIDE), random_int(3, MOST_SIDE),
                              random_int(1, MOST_CHANNELS)},
                    random_int(1, MOST_CHANNELS));
    l.padded = random_int(0, 1) == 0;
    l.has_bias = random_int(0, 3) > 0;
    l.join = (Join)random_int(0, JOINS - 1);
    l.activation = op_case_activation();
    return l;
}

static void fill_floats(float* data, int count) {
    for (int i = 0; i < count; i++) data[i] = (float)random_int(-1000000, 1000000) / 1000000;
}

static void fill(const Layer* l) {
    fill_floats(input, elements(l->in));
    fill_floats(second, elements(output_of(l)));
    fill_floats(weights, l->out_c * 9 * l->in.c);
    fill_floats(bias, l->out_c);
    if (!l->has_bias) memset(bias, 0, sizeof bias);
}

static double sum_at(const Layer* l, OpImage out, int i) {
    const int k = i % out.c, x = i / out.c % out.w, y = i / out.c / out.w % out.h,
              n = i / out.c / out.w / out.h;
    double sum = (double)bias[k];
    for (int tap = 0; tap < 9; tap++) {
        const int in_y = y + tap / 3 - l->padded, in_x = x + tap % 3 - l->padded;
        if (in_y < 0 || in_x < 0 || in_y >= l->in.h || in_x >= l->in.w) continue;
        const float* pixel = input + ((n * l->in.h + in_y) * l->in.w + in_x) * l->in.c;
        const float* w = weights + (k * 9 + tap) * l->in.c;
        for (int c = 0; c < l->in.c; c++) sum += (double)pixel[c] * (double)w[c];
    }
    return sum;
}

// Fills `want`, and `terms` with the largest sum. Of strides and dilations there is no need.
static void compute(const Layer* l) {
    const OpImage out = output_of(l);
    terms = 0.0;
    for (int i = 0; i < elements(out); i++) {
        double v = sum_at(l, out, i);
        if (fabs(v) > terms) terms = fabs(v);
        if (l->activation != kTfLiteActNone) v = fmax(v, 0.0);
        if (l->activation == kTfLiteActRelu6) v = fmin(v, 6.0);
        if (l->join == kAddition) v = fmax(v + (double)second[i], 0.0);
        if (l->join == kHardSwish) v *= fmin(fmax(v + 3.0, 0.0), 6.0) / 6.0;
        if (l->join == kSquareRoot) v = sqrt(fabs(v));
        want[i] = v;
    }
}

typedef struct Params {
    TfLiteConvParams conv;
    TfLiteAddParams add;
} Params;

// Adds the layer and what is behind it. Returns the last output; the inputs are tensors 0 and 1.
static int add_nodes(DelegateHost* host, const Layer* l, Params* params) {
    const int x = host_variable(host, 4, (int[]){l->in.n, l->in.h, l->in.w, l->in.c});
    const OpImage out = output_of(l);
    const int shape[] = {out.n, out.h, out.w, out.c};
    const int other = host_variable(host, 4, shape);
    const int w = host_constant(host, kTfLiteFloat32, 4, (int[]){l->out_c, 3, 3, l->in.c}, weights);
    const int b = host_constant(host, kTfLiteFloat32, 1, &l->out_c, bias);
    int y = host_variable(host, 4, shape);
    params->conv = (TfLiteConvParams){.padding = l->padded ? kTfLitePaddingSame : kTfLitePaddingValid,
                                      .stride_width = l->stride,
                                      .stride_height = l->stride,
                                      .activation = l->activation,
                                      .dilation_width_factor = l->dilation,
                                      .dilation_height_factor = l->dilation};
    params->add = (TfLiteAddParams){.activation = kTfLiteActRelu};
    host_node(host, kTfLiteBuiltinConv2d, NULL, &params->conv, 3, (int[]){x, w, b}, y);
    static const int codes[JOINS][2] = {[kAddition] = {kTfLiteBuiltinAdd, -1},
                                        [kHardSwish] = {kTfLiteBuiltinHardSwish, -1},
                                        [kSquareRoot] = {kTfLiteBuiltinAbs, kTfLiteBuiltinSqrt}};
    for (int i = 0; i < 2 && l->join != kAlone && codes[l->join][i] >= 0; i++) {
        const int next = host_variable(host, 4, shape), inputs[] = {y, other};
        const bool adds = l->join == kAddition;
        host_node(host, codes[l->join][i], NULL, adds ? &params->add : NULL, adds ? 2 : 1, inputs, next);
        y = next;
    }
    return y;
}

static TfLiteDelegate* create(const char* options) {
    TfLiteDelegate* delegate = oclite_opencl_delegate_create_from_string(options);
    if (delegate == NULL) fail_msg("%s", oclite_opencl_last_error());
    return delegate;
}

static const LiteClPlan* plan_of(const DelegateHost* host) {
    return &((const LiteClPartition*)host->partition_node.user_data)->plan;
}

static int count_steps(const LiteClPlan* plan, const char* name) {
    int count = 0;
    for (int s = 0; s < plan->step_count; s++) count += strcmp(plan->steps[s].name, name) == 0;
    return count;
}

// Runs the layer twice. Returns how many launches of winograd.cl's products there are.
static int run(const Layer* l, const char* options, float* to) {
    DelegateHost host;
    Params params;
    host_init(&host);
    const int y = add_nodes(&host, l, &params);
    TfLiteDelegate* delegate = create(options);
    assert_int_equal(host_delegate(&host, delegate, -1), kTfLiteOk);
    if (host_prepare(&host) != kTfLiteOk) fail_msg("prepare: %s", host.message);
    const int launches = count_steps(plan_of(&host), "winograd");
    assert_int_equal(launches, count_steps(plan_of(&host), "winograd_input"));
    for (int again = 0; again < 2; again++) {
        memcpy(host_floats(&host, 0), input, (size_t)elements(l->in) * sizeof *input);
        if (l->join == kAddition)
            memcpy(host_floats(&host, 1), second, (size_t)elements(output_of(l)) * sizeof *second);
        if (host_invoke(&host) != kTfLiteOk) fail_msg("invoke: %s", host.message);
    }
    assert_int_equal(host_elements(&host, y), elements(output_of(l)));
    memcpy(to, host_floats(&host, y), (size_t)elements(output_of(l)) * sizeof *to);
    host_free(&host);
    oclite_opencl_delegate_delete(delegate);
    return launches;
}

static const char* const ways[] = {"winograd=2x2", "winograd=4x4"};

static void expect(const Layer* l) {
    for (int i = 0; i < elements(output_of(l)); i++) {
        // A square root makes more of what is near zero.
        const double least = l->join == kSquareRoot ? 3e-3 : 0.0;
        if (!(fabs((double)got[i] - want[i]) <= 5e-6 * terms + 1e-5 * fabs(want[i]) + least))
            fail_msg("%dx%dx%d to %d, element %d: %g, expected %g", l->in.h, l->in.w, l->in.c, l->out_c, i,
                     (double)got[i], want[i]);
    }
}

static void is_right(void** state) {
    (void)state;
    for (int i = 0; i < 40; i++) {
        const Layer l = random_layer();
        fill(&l);
        compute(&l);
        assert_int_equal(run(&l, ways[i % 2], got), 1);
        expect(&l);
    }
}

// Tiles beyond what the caches hold are done by several pairs of launches; the last has fewer.
static void many_tiles_are_divided(void** state) {
    (void)state;
    const int least = device->class == kLiteClCpu16 ? 2 : 1; // vectors of others are filled up less
    Layer l = plain((OpImage){1, 75, 79, 33}, 9);
    l.join = kAddition;
    fill(&l);
    compute(&l);
    assert_true(run(&l, "winograd=2x2", got) >= least);
    expect(&l);
    const Layer other = plain((OpImage){3, 1, 901, 33}, 14);
    fill(&other);
    compute(&other);
    assert_true(run(&other, "winograd=4x4", got) >= least);
    expect(&other);
}

static double largest_error(const Layer* l, const float* values) {
    double most = 0.0;
    for (int i = 0; i < elements(output_of(l)); i++) most = fmax(most, fabs((double)values[i] - want[i]));
    return most;
}

// The largest error is at most 4 times that of the direct way with tiles of 2, 16 times with those of 4.
static void errors_are_bounded(void** state) {
    (void)state;
    static const int channels[] = {1, 2, 3, 8, 16, 32, 70};
    double ratios[2] = {0.0, 0.0};
    for (int i = 0; i < 7 * 3; i++) {
        const Layer l = plain((OpImage){1, 18, 18, channels[i % 7]}, 24);
        fill(&l);
        compute(&l);
        assert_int_equal(run(&l, "winograd=off", direct), 0);
        for (int t = 0; t < 2; t++) {
            assert_int_equal(run(&l, ways[t], got), 1);
            ratios[t] = fmax(ratios[t], largest_error(&l, got) / largest_error(&l, direct));
        }
    }
    printf("largest errors over those of the direct way: %.2f and %.2f\n", ratios[0], ratios[1]);
    assert_true(ratios[0] <= 4.0 && ratios[1] <= 16.0);
}

static void expect_as_direct(const Layer* l) {
    double most = 0.0;
    for (int i = 0; i < elements(output_of(l)); i++)
        if (fabsf(direct[i]) < FLT_MAX) most = fmax(most, fabs((double)direct[i]));
    for (int i = 0; i < elements(output_of(l)); i++) {
        if (isnan(direct[i]) || fabsf(direct[i]) >= FLT_MAX) {
            assert_true((isnan(direct[i]) && isnan(got[i])) || got[i] == direct[i]);
        } else if (!(fabs((double)got[i] - (double)direct[i]) <= 1e-5 * most + 1e-6)) {
            fail_msg("%dx%dx%dx%d to %d, element %d: %g, in the direct way %g", l->in.n, l->in.h, l->in.w,
                     l->in.c, l->out_c, i, (double)got[i], (double)direct[i]);
        }
    }
}

// Infinities, NaN and what overflows, of inputs and of weights, reach the outputs that they reach in the
// direct way, and no other.
static void special_values_stay(void** state) {
    (void)state;
    static const float specials[] = {INFINITY, -INFINITY, NAN, FLT_MAX, -FLT_MAX};
    for (int i = 0; i < 30; i++) {
        Layer l = random_layer();
        l.join = i % 3 == 0 ? kAddition : kAlone;
        if (i % 5 >= 2) { // the errors of a tile are those of its largest output, which must not be cut off
            l.join = kAlone;
            l.activation = kTfLiteActNone;
        }
        fill(&l);
        const int count = random_int(1, 3);
        for (int k = 0; k < count; k++) input[random_int(0, elements(l.in) - 1)] = specials[(i + k / 2) % 5];
        if (i % 5 == 0) weights[random_int(0, l.out_c * 9 * l.in.c - 1)] = specials[i / 5 % 3];
        assert_int_equal(run(&l, "winograd=off", direct), 0);
        assert_int_equal(run(&l, ways[i % 2], got), 1);
        expect_as_direct(&l);
    }
}

static bool takes(Layer l, const char* options) {
    fill(&l);
    return run(&l, options, got) > 0;
}

// Only what is large enough, and of the kind; on GPUs only where it is asked for.
static void choice_is_by_size(void** state) {
    (void)state;
    const bool is_gpu = device->class == kLiteClGpu;
    const Layer large = plain((OpImage){1, 28, 28, 64}, 64), small = plain((OpImage){1, 5, 5, 3}, 4);
    assert_int_equal(takes(large, ""), !is_gpu);
    assert_int_equal(takes(large, "winograd=auto"), !is_gpu);
    assert_int_equal(takes(large, "winograd=auto,tuning=1,cache_dir=off"), !is_gpu); // which is not measured
    assert_false(takes(large, "winograd=off"));
    assert_false(takes(small, "winograd=auto"));
    assert_true(takes(small, "winograd=2x2"));
    assert_false(takes(large, "winograd=4x4,precision=float16"));
    Layer other = large;
    other.stride = 2;
    assert_false(takes(other, "winograd=4x4"));
    other = large, other.dilation = 2;
    assert_false(takes(other, "winograd=4x4"));
    // Its weights would be four times as many.
    const Layer few_pixels = plain((OpImage){1, 7, 7, 256}, 64);
    if (device->class == kLiteClCpu16) assert_false(takes(few_pixels, "winograd=auto"));
}

static void option_is_checked(void** state) {
    (void)state;
    assert_null(oclite_opencl_delegate_create_from_string("winograd=3x3"));
    assert_non_null(
        strstr(oclite_opencl_last_error(), "option winograd: \"3x3\" is none of auto, off, 2x2 and 4x4"));
    OcliteOpenclDelegateOptions options = oclite_opencl_delegate_options_default();
    options.winograd = "on";
    assert_null(oclite_opencl_delegate_create(&options));
    options.winograd = "4x4";
    TfLiteDelegate* delegate = oclite_opencl_delegate_create(&options);
    assert_non_null(delegate);
    oclite_opencl_delegate_delete(delegate);
}

static void note_progress(void* user_data, const OcliteOpenclProgress* progress) {
    *(int*)user_data = progress->compiled + progress->loaded;
}

// Other shapes of the input go on with what the first one has chosen: no other program, no other weights.
static void resizes_keep_the_choice(void** state) {
    (void)state;
    Layer l = plain((OpImage){1, 24, 26, 40}, 48);
    DelegateHost host;
    Params params;
    int programs = 0;
    fill(&l);
    host_init(&host);
    const int y = add_nodes(&host, &l, &params);
    TfLiteDelegate* delegate = create("winograd=auto");
    oclite_opencl_delegate_set_progress(delegate, note_progress, &programs);
    assert_int_equal(host_delegate(&host, delegate, -1), kTfLiteOk);
    assert_int_equal(host_prepare(&host), kTfLiteOk);
    const int launches = count_steps(plan_of(&host), "winograd");
    assert_int_equal(launches, device->class != kLiteClGpu);
    const int needed = programs;
    for (int i = 0; i < 10; i++) {
        l.in = (OpImage){random_int(1, 2), random_int(2, 30), random_int(2, 30), l.in.c};
        fill_floats(input, elements(l.in));
        compute(&l);
        host_resize(&host, 0, 4, (int[]){l.in.n, l.in.h, l.in.w, l.in.c});
        assert_int_equal(host_prepare(&host), kTfLiteOk);
        assert_int_equal(count_steps(plan_of(&host), "winograd"), launches);
        memcpy(host_floats(&host, 0), input, (size_t)elements(l.in) * sizeof *input);
        assert_int_equal(host_invoke(&host), kTfLiteOk);
        memcpy(got, host_floats(&host, y), (size_t)elements(output_of(&l)) * sizeof *got);
        expect(&l);
    }
    assert_int_equal(programs, needed);
    host_free(&host);
    oclite_opencl_delegate_delete(delegate);
}

static int open(void** state) {
    (void)state;
    const LiteReporter silent = {0};
    device = lite_cl_device_acquire(NULL, &silent);
    return device != NULL ? 0 : -1;
}

static int open_as(LiteClClass class) {
    const int status = open(NULL);
    if (status == 0) device->class = class;
    if (status == 0 && class == kLiteClGpu) device->import_alignment = 0;
    return status;
}

static int open_as_gpu(void** state) {
    (void)state;
    return open_as(kLiteClGpu);
}

static int open_as_narrow_cpu(void** state) {
    (void)state;
    return open_as(kLiteClCpu4);
}

static int open_as_cpu8(void** state) {
    (void)state;
    return open_as(kLiteClCpu8);
}

static int close(void** state) {
    (void)state;
    lite_cl_device_release(device);
    return 0;
}

int main(void) {
    if (!host_has_opencl()) return EXIT_SKIPPED;
    const struct CMUnitTest all[] = {
        cmocka_unit_test(is_right),
        cmocka_unit_test(many_tiles_are_divided),
        cmocka_unit_test(errors_are_bounded),
        cmocka_unit_test(special_values_stay),
        cmocka_unit_test(choice_is_by_size),
        cmocka_unit_test(option_is_checked),
        cmocka_unit_test(resizes_keep_the_choice),
    };
    const struct CMUnitTest kernels[] = {
        cmocka_unit_test(is_right),
        cmocka_unit_test(special_values_stay),
        cmocka_unit_test(choice_is_by_size),
        cmocka_unit_test(resizes_keep_the_choice),
    };
    return cmocka_run_group_tests_name("as it is", all, open, close) +
           cmocka_run_group_tests_name("as a GPU", kernels, open_as_gpu, close) +
           cmocka_run_group_tests_name("as a CPU with 8 lanes", kernels, open_as_cpu8, close) +
           cmocka_run_group_tests_name("as a narrow CPU", kernels, open_as_narrow_cpu, close);
}
