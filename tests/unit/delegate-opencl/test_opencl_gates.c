// SPDX-License-Identifier: Apache-2.0
// Squeeze-and-excite blocks on OpenCL: the mean of an image's channels and two products are one launch, and
// the convolution that reads what their gate is multiplied with is another.
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

enum { EXIT_SKIPPED = 77, MOST_CHANNELS = 700 };

// How a block is written.
typedef enum Form {
    kConvolutions, // RELU in the first; the gate is LOGISTIC
    kSpelledOut,   // behind the first one LOGISTIC and MUL; the gate is ADD, RELU6 and MUL
    kDense,        // FULLY_CONNECTED, of means without dimensions of 1, and a RESHAPE
    kReshaped,     // a RESHAPE of such means
} Form;

// What is unusual about it.
typedef enum Odd {
    kUsual,
    kMeanRead, // by somebody else, too
    kInnerRead,
    kInnerAdded, // to the second product, which has as many columns
    kGateRead,
    kGatedRead,
    kMeanShown, // it is an output
    kGateShown,
    kGatedShown,
    kOtherAxes, // the mean is one of each column, of an image of one row
    kOtherMean, // the gate is of another image
    kLimited,   // RELU6 in the MUL
    kLargeFilter,
    kStrided,
    kSmallGate, // of one image for all
    kWideGate,  // of each column
} Odd;

typedef struct Block {
    int n, h, w, channels, inner, outputs;
    Form form;
    Odd odd;
    bool gate_first; // of the MUL's inputs
    bool behind;     // HARD_SWISH behind the last convolution
} Block;

typedef struct Graph {
    DelegateHost host;
    TfLiteConvParams convolutions[3];
    TfLiteFullyConnectedParams dense[2];
    TfLiteReducerParams reducer;
    TfLiteAddParams add;
    TfLiteMulParams plain, mul;
    float* constants[6];   // weights and bias of each product
    int x, other, seen, y; // -1: there is none
    int shown;
} Graph;

static float next_random(void) {
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return (float)(state >> 8) * 0x1p-23f - 1.0f;
}

static float* random_floats(int count, float scale) {
    float* values = malloc((size_t)count * sizeof *values);
    for (int i = 0; i < count; i++) values[i] = scale * next_random();
    return values;
}

static int unary(Graph* g, int code, int rank, const int* dims, int x) {
    const int y = host_variable(&g->host, rank, dims);
    host_node(&g->host, code, NULL, NULL, 1, (int[]){x}, y);
    return y;
}

static int binary(Graph* g, int code, void* params, int rank, const int* dims, int a, int b) {
    const int y = host_variable(&g->host, rank, dims);
    host_node(&g->host, code, NULL, params, 2, (int[]){a, b}, y);
    return y;
}

static int number(Graph* g, float value) {
    return host_constant(&g->host, kTfLiteFloat32, 0, NULL, &value);
}

static int reshape(Graph* g, int rank, const int* dims, int x) {
    const int shape = host_constant(&g->host, kTfLiteInt32, 1, &rank, dims);
    return binary(g, kTfLiteBuiltinReshape, NULL, rank, dims, x, shape);
}

// Product i of the block, by its constants: from `in` channels to `out`.
static int multiply(Graph* g, const Block* b, int i, int x, int n, int h, int w, int in, int out) {
    const int size = i == 2 && b->odd == kLargeFilter ? 3 : 1, stride = i == 2 && b->odd == kStrided ? 2 : 1;
    const bool is_dense = b->form == kDense && i < 2;
    const TfLiteFusedActivation activation =
        i == 0 && b->form != kSpelledOut ? kTfLiteActRelu : kTfLiteActNone;
    g->constants[2 * i] = random_floats(out * size * size * in, 1.5f / sqrtf((float)(in * size * size)));
    g->constants[2 * i + 1] = random_floats(out, 1.0f);
    g->convolutions[i] =
        (TfLiteConvParams){kTfLitePaddingSame, stride, stride, activation, 1, 1, kTfLiteNoType};
    const int filter =
        host_constant(&g->host, kTfLiteFloat32, is_dense ? 2 : 4,
                      is_dense ? (int[]){out, in} : (int[]){out, size, size, in}, g->constants[2 * i]);
    const int bias = host_constant(&g->host, kTfLiteFloat32, 1, &out, g->constants[2 * i + 1]);
    const int y = host_variable(
        &g->host, is_dense ? 2 : 4,
        is_dense ? (int[]){n, out} : (int[]){n, (h + stride - 1) / stride, (w + stride - 1) / stride, out});
    if (is_dense) g->dense[i] = (TfLiteFullyConnectedParams){.activation = activation};
    host_node(&g->host, is_dense ? kTfLiteBuiltinFullyConnected : kTfLiteBuiltinConv2d, NULL,
              is_dense ? (void*)&g->dense[i] : (void*)&g->convolutions[i], 3, (int[]){x, filter, bias}, y);
    return y;
}

// Somebody else who reads the tensor.
static void read_too(Graph* g, int tensor) {
    TfLiteIntArray* dims = g->host.tensors[tensor].dims;
    g->seen = unary(g, kTfLiteBuiltinAbs, dims->size, dims->data, tensor);
}

static int add_means(Graph* g, const Block* b, int width) {
    const bool keeps = b->form == kConvolutions || b->form == kSpelledOut;
    const int axes = host_constant(&g->host, kTfLiteInt32, 1, (int[]){b->odd == kOtherAxes ? 1 : 2},
                                   b->odd == kOtherAxes ? (int[]){1} : (int[]){1, 2});
    g->reducer.keep_dims = keeps;
    const int means = binary(g, kTfLiteBuiltinMean, &g->reducer, keeps ? 4 : 2,
                             keeps ? (int[]){b->n, 1, width, b->channels} : (int[]){b->n, b->channels},
                             b->odd == kOtherMean ? g->other : g->x, axes);
    if (b->odd == kMeanRead) read_too(g, means);
    if (b->odd == kMeanShown) g->shown = means;
    return b->form == kReshaped ? reshape(g, 4, (int[]){b->n, 1, 1, b->channels}, means) : means;
}

static int add_gate(Graph* g, const Block* b, int means, int width) {
    const int* inner_dims = (int[]){b->n, 1, width, b->inner};
    const int* dims = (int[]){b->n, 1, width, b->channels};
    int inner = multiply(g, b, 0, means, b->n, 1, width, b->channels, b->inner);
    if (b->form == kSpelledOut)
        inner = binary(g, kTfLiteBuiltinMul, &g->plain, 4, inner_dims, inner,
                       unary(g, kTfLiteBuiltinLogistic, 4, inner_dims, inner));
    if (b->odd == kInnerRead) read_too(g, inner);
    int gate = multiply(g, b, 1, inner, b->n, 1, width, b->inner, b->channels);
    if (b->odd == kInnerAdded) gate = binary(g, kTfLiteBuiltinAdd, &g->add, 4, dims, gate, inner);
    if (b->form == kSpelledOut) {
        gate = binary(g, kTfLiteBuiltinAdd, &g->add, 4, dims, gate, number(g, 3.0f));
        gate = unary(g, kTfLiteBuiltinRelu6, 4, dims, gate);
        return binary(g, kTfLiteBuiltinMul, &g->plain, 4, dims, gate, number(g, 1.0f / 6.0f));
    }
    const bool dense = b->form == kDense;
    gate = unary(g, kTfLiteBuiltinLogistic, dense ? 2 : 4, dense ? (int[]){b->n, b->channels} : dims, gate);
    return dense ? reshape(g, 4, dims, gate) : gate;
}

static void build(Graph* g, const Block* b) {
    *g = (Graph){.other = -1, .seen = -1, .shown = -1};
    host_init(&g->host);
    const int* dims = (int[]){b->n, b->h, b->w, b->channels};
    const int width = b->odd == kOtherAxes || b->odd == kWideGate ? b->w : 1;
    g->x = host_variable(&g->host, 4, dims);
    if (b->odd == kOtherMean) g->other = host_variable(&g->host, 4, dims);
    int gate;
    if (b->odd == kSmallGate || b->odd == kWideGate) {
        const int count = b->odd == kSmallGate ? 1 : b->n;
        gate = g->other = host_variable(&g->host, 4, (int[]){count, 1, width, b->channels});
    } else {
        gate = add_gate(g, b, add_means(g, b, width), width);
    }
    if (b->odd == kGateRead) read_too(g, gate);
    if (b->odd == kGateShown) g->shown = gate;
    g->mul.activation = b->odd == kLimited ? kTfLiteActRelu6 : kTfLiteActNone;
    const int gated = binary(g, kTfLiteBuiltinMul, &g->mul, 4, dims, b->gate_first ? gate : g->x,
                             b->gate_first ? g->x : gate);
    if (b->odd == kGatedRead) read_too(g, gated);
    if (b->odd == kGatedShown) g->shown = gated;
    g->y = multiply(g, b, 2, gated, b->n, b->h, b->w, b->channels, b->outputs);
    TfLiteIntArray* out = g->host.tensors[g->y].dims;
    if (b->behind) g->y = unary(g, kTfLiteBuiltinHardSwish, 4, out->data, g->y);
}

static double dot(const float* weights, const double* x, int count, double start) {
    for (int i = 0; i < count; i++) start += (double)weights[i] * x[i];
    return start;
}

// The gate of row `row` of image n, of which `means` are those of its channels.
static void compute_gate(const Graph* g, const Block* b, const double* means, double* gate) {
    double inner[MOST_CHANNELS];
    for (int k = 0; k < b->inner; k++) {
        const double v =
            dot(g->constants[0] + k * b->channels, means, b->channels, (double)g->constants[1][k]);
        inner[k] = b->form == kSpelledOut ? v / (1.0 + exp(-v)) : fmax(v, 0.0);
    }
    for (int c = 0; c < b->channels; c++) {
        double v = dot(g->constants[2] + c * b->inner, inner, b->inner, (double)g->constants[3][c]);
        if (b->odd == kInnerAdded) v += inner[c];
        gate[c] = b->form == kSpelledOut ? fmin(fmax(v + 3.0, 0.0), 6.0) / 6.0 : 1.0 / (1.0 + exp(-v));
    }
}

static double* compute_gates(Graph* g, const Block* b) {
    const int width = b->odd == kOtherAxes || b->odd == kWideGate ? b->w : 1, c = b->channels;
    const float* x = host_floats(&g->host, b->odd == kOtherMean ? g->other : g->x);
    double* gates = calloc((size_t)(b->n * width * c), sizeof *gates);
    for (int row = 0; row < b->n * width; row++) {
        double means[MOST_CHANNELS] = {0};
        const int pixels = b->h * b->w / width;
        for (int i = 0; i < pixels * c; i++) {
            const int column = width > 1 ? row % width : i / c % b->w,
                      line = width > 1 ? i / c : i / c / b->w;
            means[i % c] += (double)x[((row / width * b->h + line) * b->w + column) * c + i % c] / pixels;
        }
        if (b->odd == kSmallGate || b->odd == kWideGate) {
            for (int i = 0; i < c; i++)
                gates[row * c + i] =
                    (double)host_floats(&g->host, g->other)[(b->odd == kSmallGate ? 0 : row) * c + i];
        } else {
            compute_gate(g, b, means, gates + row * c);
        }
    }
    return gates;
}

static double gated_at(Graph* g, const Block* b, const double* gates, int n, int line, int column, int c) {
    const int width = b->odd == kOtherAxes || b->odd == kWideGate ? b->w : 1;
    const double gate = gates[(n * width + (width > 1 ? column : 0)) * b->channels + c];
    const double v =
        gate * (double)host_floats(&g->host, g->x)[((n * b->h + line) * b->w + column) * b->channels + c];
    return b->odd == kLimited ? fmin(fmax(v, 0.0), 6.0) : v;
}

static double output_at(Graph* g, const Block* b, const double* gates, int i) {
    const int size = b->odd == kLargeFilter ? 3 : 1, stride = b->odd == kStrided ? 2 : 1;
    const int out_h = (b->h + stride - 1) / stride, out_w = (b->w + stride - 1) / stride;
    const int o = i % b->outputs, ox = i / b->outputs % out_w, oy = i / b->outputs / out_w % out_h;
    double sum = (double)g->constants[5][o];
    for (int tap = 0; tap < size * size; tap++) {
        const int line = oy * stride + tap / size - size / 2, column = ox * stride + tap % size - size / 2;
        if (line < 0 || column < 0 || line >= b->h || column >= b->w) continue;
        for (int c = 0; c < b->channels; c++) {
            sum += (double)g->constants[4][(o * size * size + tap) * b->channels + c] *
                   gated_at(g, b, gates, i / b->outputs / out_w / out_h, line, column, c);
        }
    }
    return b->behind ? sum * fmin(fmax(sum + 3.0, 0.0), 6.0) / 6.0 : sum;
}

static void fill(Graph* g, int tensor) {
    for (int i = 0; tensor >= 0 && i < host_elements(&g->host, tensor); i++)
        host_floats(&g->host, tensor)[i] = next_random() + 0.5f;
}

static void run(Graph* g, const Block* b) {
    fill(g, g->x);
    fill(g, g->other);
    assert_int_equal(host_invoke(&g->host), kTfLiteOk);
    double* gates = compute_gates(g, b);
    const bool shows_gate = b->odd == kGateRead || b->odd == kGateShown;
    const int shown = b->odd == kGateRead ? g->seen : g->shown;
    for (int i = 0; shows_gate && i < b->n * b->channels; i++)
        assert_true(fabs((double)host_floats(&g->host, shown)[i] - gates[i]) <= 1e-5);
    for (int i = 0; i < host_elements(&g->host, g->y); i++) {
        const double want = output_at(g, b, gates, i);
        if (!(fabs((double)host_floats(&g->host, g->y)[i] - want) <= 1e-5 * fmax(1.0, fabs(want))))
            fail_msg("%d x %d x %d x %d, form %d, odd %d: element %d: %g, not %g", b->n, b->h, b->w,
                     b->channels, b->form, b->odd, i, (double)host_floats(&g->host, g->y)[i], want);
    }
    free(gates);
}

static void finish(Graph* g, TfLiteDelegate* delegate) {
    for (int i = 0; i < 6; i++) free(g->constants[i]);
    host_free(&g->host);
    oclite_opencl_delegate_delete(delegate);
}

static const LiteClPlan* start(Graph* g, TfLiteDelegate** delegate) {
    *delegate = oclite_opencl_delegate_create_from_string(NULL);
    assert_non_null(*delegate);
    assert_int_equal(host_delegate(&g->host, *delegate, g->shown), kTfLiteOk);
    assert_int_equal(host_prepare(&g->host), kTfLiteOk);
    return &((const LiteClPartition*)g->host.partition_node.user_data)->plan;
}

// In so many launches, on processors.
static void check(const Block* block, int launches) {
    Graph graph;
    TfLiteDelegate* delegate;
    build(&graph, block);
    const LiteClPlan* plan = start(&graph, &delegate);
    if (plan->device->class != kLiteClGpu && plan->step_count != launches)
        fail_msg("%d x %d x %d x %d, form %d, odd %d: %d launches, not %d", block->n, block->h, block->w,
                 block->channels, block->form, block->odd, plan->step_count, launches);
    for (int i = 0; i < 2; i++) run(&graph, block);
    finish(&graph, delegate);
}

static void blocks_are_two_launches(void** state) {
    (void)state;
    static const Block blocks[] = {
        {1, 7, 5, 24, 9, 20, kConvolutions, kUsual, false, false},
        {1, 5, 6, 7, 3, 5, kConvolutions, kUsual, true, true},
        {3, 4, 5, 40, 16, 70, kConvolutions, kUsual, false, true},
        {2, 3, 7, 19, 70, 33, kSpelledOut, kUsual, true, false},
        {1, 9, 2, 67, 5, 8, kSpelledOut, kUsual, false, true},
        {1, 1, 1, 20, 12, 9, kSpelledOut, kUsual, false, false},
    };
    for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) check(&blocks[i], 2);
    for (int n = 1; n <= 2; n++) {
        check(&(Block){n, 4, 6, 33, 8, 17, kDense, kUsual, false, false}, 2);
        check(&(Block){n, 4, 6, 33, 8, 17, kReshaped, kUsual, false, false}, 2);
    }
}

// Where one core would take longer than the launches that are saved.
static void large_parts_stay_alone(void** state) {
    (void)state;
    check(&(Block){1, 128, 130, 20, 8, 16, kConvolutions, kUsual, false, false}, 3);
    check(&(Block){1, 3, 3, 640, 330, 16, kConvolutions, kUsual, false, false}, 4);
    // Many columns, of vectors of up to 16.
    check(&(Block){1, 21, 20, 96, 8, 120, kConvolutions, kUsual, true, true}, 3);
}

static void others_read_what_is_between(void** state) {
    (void)state;
    static const struct {
        Odd odd;
        int launches;
    } cases[] = {
        {kMeanRead, 4},    {kInnerRead, 5}, {kInnerAdded, 5}, {kGateRead, 3},  {kGatedRead, 4},
        {kMeanShown, 3},   {kGateShown, 2}, {kGatedShown, 3}, {kOtherMean, 2}, {kLimited, 3},
        {kLargeFilter, 3}, {kStrided, 3},   {kOtherAxes, 4},  {kSmallGate, 2}, {kWideGate, 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check(&(Block){2, 5, 6, 24, 24, 20, kConvolutions, cases[i].odd, false, false}, cases[i].launches);
        if (cases[i].odd != kMeanShown && cases[i].odd != kInnerAdded)
            check(&(Block){2, 5, 6, 24, 24, 20, kSpelledOut, cases[i].odd, true, false}, cases[i].launches);
    }
}

// The same plan for images of other sizes, and more of them.
static void images_are_resized(void** state) {
    (void)state;
    Block block = {1, 6, 7, 24, 9, 20, kConvolutions, kUsual, false, true};
    Graph graph;
    TfLiteDelegate* delegate;
    build(&graph, &block);
    (void)start(&graph, &delegate);
    for (int i = 0; i < 6; i++) {
        block.n = 1 + i % 3;
        block.h = 2 + 3 * i;
        block.w = 9 - i;
        host_resize(&graph.host, graph.x, 4, (int[]){block.n, block.h, block.w, block.channels});
        assert_int_equal(host_prepare(&graph.host), kTfLiteOk);
        run(&graph, &block);
    }
    finish(&graph, delegate);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_two_launches),
        cmocka_unit_test(large_parts_stay_alone),
        cmocka_unit_test(others_read_what_is_between),
        cmocka_unit_test(images_are_resized),
    };
    if (!host_has_opencl()) return EXIT_SKIPPED;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
