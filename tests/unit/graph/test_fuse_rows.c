// SPDX-License-Identifier: Apache-2.0
// Nodes that reduce rows and elementwise ones that run as one (core/base/row_blocks.h): normalisations and
// softmax as converters spell them out, what only looks like them, and random ones.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/epilogue.h"
#include "core/graph/allocate.h"
#include "core/graph/graph.h"
#include "core/graph/interpreter.h"
#include "core/graph/invoke.h"
#include "core/graph/subgraph.h"
#include "tests/support/fuse_case.h"
#include "tests/support/graph_fixture.h"
#include "tests/support/random_numbers.h"

#define CODE(NAME) kTfLiteBuiltin##NAME

// How a pattern is spelled.
typedef struct Form {
    BuilderTensor shape; // of x
    bool subtracts;      // the mean or maximum from x at once
    bool multiplies;     // what is to be squared with itself
    bool divides;        // by the root
    bool negates;        // the mean
    bool scales;         // by gamma
    bool shifts;         // by beta
    int shown;           // this node's result is read by others, too; -1: none's
    bool is_output;      // because it is an output of the graph
} Form;

static int scalar(FuseGraph* g) {
    return fuse_constant(g, (BuilderTensor){.rank = 0});
}

static int for_channels(FuseGraph* g, int x) {
    const BuilderTensor* like = &g->tensors[x];
    return fuse_constant(g, (BuilderTensor){.rank = 1, .dims = {like->dims[like->rank - 1]}});
}

// Along the last `count` axes but `skipped`.
static int reduce_axes(FuseGraph* g, TfLiteBuiltinOperator code, int x, int skipped, int count, bool keeps) {
    static const int32_t axes[] = {-1, -2, -3};
    const TfLiteReducerParams params = {.keep_dims = keeps};
    BuilderTensor t = g->tensors[x];
    const int end = t.rank - skipped;
    for (int i = end - count; i < end; i++) t.dims[i] = 1;
    if (!keeps) {
        memmove(t.dims + end - count, t.dims + end, (size_t)skipped * sizeof *t.dims);
        t.rank -= count;
    }
    const int list = fuse_tensor(g, (BuilderTensor){.type = kTfLiteInt32,
                                                    .rank = 1,
                                                    .dims = {count},
                                                    .data = axes + skipped,
                                                    .bytes = (size_t)count * sizeof *axes});
    const int y = fuse_tensor(g, t);
    builder_operator(
        g->b,
        (BuilderOperator){.code = code, .inputs = {2, {x, list}}, .outputs = {1, {y}}, .params = &params});
    return g->results[g->nodes++] = y;
}

static int reduce(FuseGraph* g, TfLiteBuiltinOperator code, int x) {
    return reduce_axes(g, code, x, 0, 1, true);
}

static int binary_like(FuseGraph* g, TfLiteBuiltinOperator code, int x, int y, int like) {
    return fuse_node(g, code, x, y, fuse_tensor(g, g->tensors[like]));
}

static int square(FuseGraph* g, const Form* form, int x) {
    return form->multiplies ? fuse_binary(g, CODE(Mul), x, x) : fuse_unary(g, CODE(Square), x);
}

// 1 / sqrt(variance + epsilon), or the root alone.
static int root(FuseGraph* g, const Form* form, int variance) {
    const int sum = fuse_binary(g, CODE(Add), variance, scalar(g));
    return fuse_unary(g, form->divides ? CODE(Sqrt) : CODE(Rsqrt), sum);
}

static void finish(FuseGraph* g, const Form* form, int result) {
    BuilderInts outputs = {1, {result}};
    if (form->shown >= 0) {
        const int shown = g->results[form->shown];
        outputs.values[outputs.count++] = form->is_output ? shown : fuse_log_softmax(g, shown);
    }
    fuse_outputs(g, outputs);
}

static void scale_and_finish(FuseGraph* g, const Form* form, int x) {
    if (form->scales) x = fuse_binary(g, CODE(Mul), x, for_channels(g, x));
    if (form->shifts) x = fuse_binary(g, CODE(Add), x, for_channels(g, x));
    finish(g, form, x);
}

// The terms with x and with the mean are added at the end.
static void layer_norm_of_terms(FuseGraph* g, const Form* form, int x) {
    const int mean = reduce(g, CODE(Mean), x);
    const int other = form->negates ? fuse_unary(g, CODE(Neg), mean) : mean;
    const int squares = fuse_binary(g, CODE(SquaredDifference), x, mean);
    const int factor = root(g, form, reduce(g, CODE(Mean), squares));
    const int scale = binary_like(g, CODE(Mul), factor, for_channels(g, x), x);
    const int with_x = fuse_binary(g, CODE(Mul), x, scale);
    const int with_mean = binary_like(g, CODE(Mul), other, scale, x);
    const int shift = form->negates || !form->shifts
                          ? with_mean
                          : binary_like(g, CODE(Sub), for_channels(g, x), with_mean, x);
    finish(g, form, fuse_binary(g, CODE(Add), with_x, shift));
}

static void layer_norm(FuseGraph* g, const void* state) {
    const Form* form = state;
    const int x = fuse_input(g, form->shape);
    if (!form->subtracts) {
        layer_norm_of_terms(g, form, x);
        return;
    }
    const int centred = fuse_binary(g, CODE(Sub), x, reduce(g, CODE(Mean), x));
    const int factor = root(g, form, reduce(g, CODE(Mean), square(g, form, centred)));
    scale_and_finish(g, form, fuse_binary(g, form->divides ? CODE(Div) : CODE(Mul), centred, factor));
}

static void rms_norm(FuseGraph* g, const void* state) {
    const Form* form = state;
    const int x = fuse_input(g, form->shape);
    const int factor = root(g, form, reduce(g, CODE(Mean), square(g, form, x)));
    scale_and_finish(g, form, fuse_binary(g, form->divides ? CODE(Div) : CODE(Mul), x, factor));
}

static void softmax(FuseGraph* g, const void* state) {
    const Form* form = state;
    int x = fuse_input(g, form->shape);
    if (form->subtracts) x = fuse_binary(g, CODE(Sub), x, reduce(g, CODE(ReduceMax), x));
    const int exp = fuse_unary(g, CODE(Exp), x);
    finish(g, form, fuse_binary(g, CODE(Div), exp, reduce(g, CODE(Sum), exp)));
}

static BuilderTensor random_shape(int most_channels) {
    BuilderTensor t = {.rank = random_int(2, 4)};
    int rows = random_int(1, 70);
    for (int i = 0; i < t.rank - 2; i++) {
        t.dims[i] = random_int(1, rows < 5 ? rows : 5);
        rows /= t.dims[i];
    }
    t.dims[t.rank - 2] = rows;
    t.dims[t.rank - 1] = random_int(1, random_below(2) ? most_channels : 70);
    return t;
}

static Form random_form(void) {
    return (Form){.shape = random_shape(700),
                  .subtracts = random_below(2),
                  .multiplies = random_below(2),
                  .divides = random_below(2),
                  .negates = random_below(2),
                  .scales = random_below(2),
                  .shifts = random_below(2),
                  .shown = -1};
}

static const FuseBuild patterns[] = {layer_norm, rms_norm, softmax};

// The last node runs all others.
static void all_are_fused(void** state) {
    (void)state;
    random_seed = 3;
    for (int i = 0; i < 450; i++) {
        const Form form = random_form();
        const FuseValue value = i % 2 ? fuse_special_value : fuse_plain_value;
        const FuseCounts counts = fuse_compare(patterns[i % 3], &form, value);
        assert_int_equal(counts.left_out, counts.nodes - 1);
    }
}

// All the same where somebody else reads what one of them gives.
static void results_are_kept(void** state) {
    (void)state;
    for (int i = 0; i < 12; i++) {
        Form form = random_form();
        form.subtracts = form.scales = form.shifts = form.negates = i < 6;
        form.is_output = i % 2;
        form.shown = 0;
        for (int nodes = 2; form.shown + 1 < nodes; form.shown++) {
            const FuseCounts counts = fuse_compare(patterns[i % 3], &form, fuse_plain_value);
            nodes = counts.nodes - !form.is_output; // without the other reader
            assert_int_equal(counts.left_out, nodes - 1);
        }
    }
}

// What looks like the pattern, but is not.

typedef enum Twist {
    kOtherAxis,     // the mean is one over another axis
    kTwoAxes,       // or over two
    kNoDimension,   // or has no dimension for the axis, so that it stands for channels
    kAllChannels,   // epsilon is another one for each channel: also fused
    kEachRow,       // or for each row: also fused
    kMoreRows,      // or makes the result larger
    kOtherFactor,   // another tensor than x is scaled: also fused
    kLong,          // rows are too long
    kLastDimension, // the mean has no dimension for the axis, and ends all: fused
} Twist;

static int twisted_mean(FuseGraph* g, Twist twist, int x) {
    const int squares = fuse_unary(g, CODE(Square), x);
    switch (twist) {
    case kOtherAxis:
        return reduce_axes(g, CODE(Mean), squares, 1, 1, true);
    case kTwoAxes:
        return reduce_axes(g, CODE(Mean), squares, 0, 2, true);
    case kNoDimension:
    case kLastDimension:
        return reduce_axes(g, CODE(Mean), squares, 0, 1, false);
    default:
        return reduce(g, CODE(Mean), squares);
    }
}

static void twisted_rms_norm(FuseGraph* g, const void* state) {
    const Twist twist = *(const Twist*)state;
    const int32_t channels = twist == kLong ? 13000 : 24;
    const int x = fuse_input(g, (BuilderTensor){.rank = 3, .dims = {1, twist == kLong ? 4 : 24, channels}});
    const int mean = twisted_mean(g, twist, x);
    const BuilderTensor epsilons[] = {[kAllChannels] = {.rank = 1, .dims = {24}},
                                      [kEachRow] = {.rank = 3, .dims = {1, 24, 1}},
                                      [kMoreRows] = {.rank = 3, .dims = {3, 1, 1}},
                                      [kLastDimension] = {.rank = 0}};
    const int epsilon = fuse_constant(g, epsilons[twist]);
    BuilderTensor shape = g->tensors[mean];
    if (twist == kAllChannels) shape.dims[2] = 24;
    if (twist == kMoreRows) shape.dims[0] = 3;
    const int sum = fuse_node(g, CODE(Add), mean, epsilon, fuse_tensor(g, shape));
    int result = fuse_unary(g, CODE(Rsqrt), sum);
    if (twist == kLastDimension) {
        fuse_outputs(g, (BuilderInts){1, {result}});
        return;
    }
    const int other = twist == kOtherFactor ? fuse_input(g, g->tensors[x]) : x;
    BuilderTensor scaled = g->tensors[x];
    if (twist == kMoreRows) scaled.dims[0] = 3;
    result = fuse_node(g, CODE(Mul), other, result, fuse_tensor(g, scaled));
    result = fuse_binary(g, CODE(Mul), result, for_channels(g, result));
    fuse_outputs(g, (BuilderInts){1, {result}});
}

static void expect(Twist twist, int left_out) {
    assert_int_equal(fuse_compare(twisted_rms_norm, &twist, fuse_plain_value).left_out, left_out);
}

// Nodes are SQUARE, MEAN, ADD, RSQRT, MUL, MUL.
static void what_looks_like_it(void** state) {
    (void)state;
    expect(kOtherAxis, 2); // ADD with RSQRT, MUL with MUL
    expect(kTwoAxes, 2);
    expect(kNoDimension, 4); // the first four, MUL with MUL
    expect(kAllChannels, 5);
    expect(kEachRow, 5);
    expect(kMoreRows, 3); // two and two
    expect(kOtherFactor, 5);
    expect(kLong, 2);
    expect(kLastDimension, 3);
}

// Random steps.

// A tensor from outside that is broadcast to the shape, in one way or another; now and then one that repeats
// rows in turns.
static int random_operand(FuseGraph* g, const BuilderTensor* shape) {
    BuilderTensor t = *shape;
    const int kind = random_below(6);
    for (int i = 0; i < t.rank; i++) {
        const bool is_last = i + 1 == t.rank;
        const bool repeats = kind == 0 || (kind == 1 && is_last) || (kind == 2 && !is_last) ||
                             (kind == 3 && random_below(2)) || (kind == 4 && i == 0);
        if (repeats) t.dims[i] = 1;
    }
    const bool is_large = t.dims[t.rank - 1] > 300; // for a constant, where it has many rows
    if (g->input_count < kFuseInputs && (is_large || random_below(2))) return fuse_input(g, t);
    for (int i = 0; i + 1 < t.rank && is_large; i++) t.dims[i] = 1;
    return fuse_constant(g, t);
}

static int random_step(FuseGraph* g, const BuilderTensor* whole, const int* values, int count) {
    static const TfLiteBuiltinOperator reductions[] = {CODE(Mean), CODE(Sum), CODE(ReduceMax),
                                                       CODE(ReduceMin), CODE(ReduceProd)};
    static const TfLiteBuiltinOperator unaries[] = {CODE(Tanh), CODE(Neg), CODE(Square), CODE(Exp),
                                                    CODE(Rsqrt)};
    static const TfLiteBuiltinOperator binaries[] = {
        CODE(Add), CODE(Sub), CODE(Mul), CODE(Div), CODE(Maximum), CODE(SquaredDifference), CODE(Pow)};
    const int x = random_below(2) ? values[count - 1] : values[random_below(count)];
    const BuilderTensor* shape = &g->tensors[x];
    const bool is_whole = shape->dims[shape->rank - 1] == whole->dims[whole->rank - 1];
    const int kind = random_below(4);
    if (kind == 0 && is_whole) return reduce(g, reductions[random_below(5)], x);
    if (kind == 1) return fuse_unary(g, unaries[random_below(5)], x);
    const TfLiteBuiltinOperator code = binaries[random_below(7)];
    const int y =
        random_below(3) ? values[random_below(count)] : random_operand(g, random_below(4) ? shape : whole);
    const BuilderTensor* other = &g->tensors[y];
    const bool is_larger = other->dims[other->rank - 1] > shape->dims[shape->rank - 1];
    BuilderTensor result = *whole;
    if (!is_larger) result.dims[result.rank - 1] = shape->dims[shape->rank - 1];
    const bool reversed = random_below(2);
    return fuse_node(g, code, reversed ? y : x, reversed ? x : y, fuse_tensor(g, result));
}

static void random_steps(FuseGraph* g, const void* state) {
    (void)state;
    const BuilderTensor whole = random_shape(random_below(20) ? 300 : 5000);
    int values[LITE_EPILOGUE_STEPS + 4], count = 0;
    values[count++] = fuse_input(g, whole);
    const int steps = random_int(2, LITE_EPILOGUE_STEPS + 2);
    for (int s = 0; s < steps; s++) {
        values[count] = random_step(g, &whole, values, count);
        count++;
    }
    BuilderInts outputs = {1, {values[count - 1]}};
    for (int i = 1; i + 1 < count && outputs.count < 5; i++) {
        if (random_below(6) == 0) outputs.values[outputs.count++] = values[i];
    }
    fuse_outputs(g, outputs);
}

static void random_graphs(void** state) {
    (void)state;
    int fused = 0;
    random_seed = 7;
    for (int i = 0; i < 1000; i++) {
        const FuseValue value = i % 4 == 0 ? fuse_special_value : fuse_plain_value;
        fused += fuse_compare(random_steps, NULL, value).left_out > 3;
    }
    assert_true(fused > 300);
}

// Inferences that are cancelled while the last node runs the others.

typedef struct Asked {
    int count;
    int enough; // so often that the answer becomes yes
} Asked;

static bool is_cancelled(void* user_data) {
    Asked* asked = user_data;
    return ++asked->count > asked->enough;
}

static void an_inference_is_cancelled(void** state) {
    (void)state;
    const Form form = {.shape = {.rank = 2, .dims = {16000, 500}}, .subtracts = true, .shown = -1};
    Fixture f;
    FuseGraph g = {.b = builder_create()};
    softmax(&g, &form);
    fixture_create(&f, g.b, &(LiteInterpreterOptions){.num_threads = 2});
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    TfLiteTensor* input = lite_subgraph_tensor(f.graph, g.inputs[0]);
    const TfLiteTensor* output = lite_subgraph_tensor(f.graph, g.results[g.nodes - 1]);
    for (size_t i = 0; i < input->bytes / sizeof(float); i++) input->data.f[i] = 1;
    Asked asked = {.enough = 1 + g.nodes}; // once for the plan, and once for each node
    lite_interpreter_set_cancellation(f.interpreter, is_cancelled, &asked);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteError);
    assert_int_equal(asked.count, asked.enough + 1);
    asked = (Asked){.enough = 1 << 20};
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    for (size_t i = 0; i < output->bytes / sizeof(float); i++) {
        if (output->data.f[i] != 1.0f / 500) fail_msg("element %zu is %a", i, (double)output->data.f[i]);
    }
    fixture_destroy(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_are_fused),
        cmocka_unit_test(results_are_kept),
        cmocka_unit_test(what_looks_like_it),
        cmocka_unit_test(random_graphs),
        cmocka_unit_test(an_inference_is_cancelled),
    };
    return cmocka_run_group_tests(tests, fuse_fill, NULL);
}
