// SPDX-License-Identifier: Apache-2.0
// Two products and what is between them that run as one (core/base/row_product.h): attention in the spellings
// of converters, what only looks like it, and its memory.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/graph/allocate.h"
#include "core/graph/graph.h"
#include "core/graph/interpreter.h"
#include "core/graph/invoke.h"
#include "core/graph/subgraph.h"
#include "tests/support/fuse_case.h"
#include "tests/support/graph_fixture.h"
#include "tests/support/random_numbers.h"

#define CODE(NAME) kTfLiteBuiltin##NAME

typedef enum Scale { kNoScale, kMultiplied, kDivided, kBefore, kCapped, kScales } Scale;
typedef enum Mask { kNoMask, kOfKeys, kOfScores, kOfBatches, kOfHeads, kOfRows, kOfAll, kOfOne, kMasks } Mask;
typedef enum Twist {
    kPlain,
    kScoresRead,     // somebody else reads the scores,
    kScoresShown,    // or they are an output
    kWeightsRead,    // the same of the softmax: it is kept
    kWeightsShown,   // or an output
    kLargerMask,     // the mask has more batches than the scores
    kTransposed,     // the scores are transposed before the second product
    kOwnValues,      // the values are the weights
    kRight,          // the weights are the right operand
    kRepeatedScores, // for several values
    kMeanBetween,    // along another axis
    kReadBetween,    // a node between, which has nothing to do with it, reads a result
} Twist;

// How attention is spelled.
typedef struct Form {
    int batches, heads, rows, keys, depth, columns;
    int rank;            // of all: 2, 3 or 4
    bool adj_y;          // keys are stored as rows
    bool shared_keys;    // one matrix for all heads, also of values
    bool spelled_out;    // the softmax
    bool negates;        // before the softmax
    bool computes_mask;  // by a node
    bool computes_value; // by nodes between the two products
    bool constant_keys;
    int views; // bits: reshaped to three dimensions behind the scores, back before the mask, and at the end
    Scale scale;
    Mask mask;
    Twist twist;
    float beta;
} Form;

static BuilderTensor shape_of(const Form* form, int heads, int rows, int columns) {
    BuilderTensor t = {.rank = form->rank};
    const int32_t dims[] = {form->batches, heads, rows, columns};
    for (int i = 0; i < t.rank; i++) t.dims[i] = dims[4 - t.rank + i];
    return t;
}

static int matmul(FuseGraph* g, int x, int y, bool adj_x, bool adj_y, BuilderTensor shape) {
    const TfLiteBatchMatMulParams params = {.adj_x = adj_x, .adj_y = adj_y};
    const int z = fuse_tensor(g, shape);
    builder_operator(
        g->b, (BuilderOperator){
                  .code = CODE(BatchMatmul), .inputs = {2, {x, y}}, .outputs = {1, {z}}, .params = &params});
    return g->results[g->nodes++] = z;
}

static int softmax(FuseGraph* g, int x, float beta) {
    const TfLiteSoftmaxParams params = {.beta = beta};
    const int y = fuse_tensor(g, g->tensors[x]);
    builder_operator(
        g->b,
        (BuilderOperator){.code = CODE(Softmax), .inputs = {1, {x}}, .outputs = {1, {y}}, .params = &params});
    return g->results[g->nodes++] = y;
}

static int reduce(FuseGraph* g, TfLiteBuiltinOperator code, int x, int axis) {
    static const int32_t axes[] = {-1, -2};
    const TfLiteReducerParams params = {.keep_dims = true};
    BuilderTensor t = g->tensors[x];
    t.dims[t.rank - 1 - axis] = 1;
    const int list = fuse_tensor(
        g, (BuilderTensor){
               .type = kTfLiteInt32, .rank = 1, .dims = {1}, .data = axes + axis, .bytes = sizeof *axes});
    const int y = fuse_tensor(g, t);
    builder_operator(
        g->b,
        (BuilderOperator){.code = code, .inputs = {2, {x, list}}, .outputs = {1, {y}}, .params = &params});
    return g->results[g->nodes++] = y;
}

static int reshape(FuseGraph* g, int x, BuilderTensor shape) {
    const int y = fuse_tensor(g, shape);
    static TfLiteReshapeParams all[kFuseTensors]; // they have to live until the graph is built
    TfLiteReshapeParams* params = &all[y];
    params->num_dimensions = shape.rank;
    memcpy(params->shape, shape.dims, (size_t)shape.rank * sizeof *params->shape);
    builder_operator(
        g->b,
        (BuilderOperator){.code = CODE(Reshape), .inputs = {1, {x}}, .outputs = {1, {y}}, .params = params});
    return g->results[g->nodes++] = y;
}

static int transpose(FuseGraph* g, int x) {
    static const int32_t orders[5][4] = {[2] = {1, 0}, [3] = {0, 2, 1}, [4] = {0, 1, 3, 2}};
    BuilderTensor t = g->tensors[x];
    const int order = fuse_tensor(g, (BuilderTensor){.type = kTfLiteInt32,
                                                     .rank = 1,
                                                     .dims = {t.rank},
                                                     .data = orders[t.rank],
                                                     .bytes = (size_t)t.rank * sizeof **orders});
    const int32_t rows = t.dims[t.rank - 2];
    t.dims[t.rank - 2] = t.dims[t.rank - 1];
    t.dims[t.rank - 1] = rows;
    const int y = fuse_tensor(g, t);
    builder_operator(
        g->b, (BuilderOperator){.code = CODE(Transpose), .inputs = {2, {x, order}}, .outputs = {1, {y}}});
    return g->results[g->nodes++] = y;
}

static int scalar(FuseGraph* g) {
    static const float value = 0.37f;
    return fuse_tensor(g, (BuilderTensor){.rank = 0, .data = &value, .bytes = sizeof value});
}

static int scaled(FuseGraph* g, const Form* form, int x) {
    switch (form->scale) {
    case kMultiplied:
        return fuse_binary(g, CODE(Mul), x, scalar(g));
    case kDivided:
        return fuse_binary(g, CODE(Div), x, scalar(g));
    case kCapped:
        return fuse_binary(g, CODE(Mul), fuse_unary(g, CODE(Tanh), fuse_binary(g, CODE(Mul), x, scalar(g))),
                           scalar(g));
    default:
        return x;
    }
}

static int masked(FuseGraph* g, const Form* form, int x) {
    if (form->mask == kNoMask && form->twist != kLargerMask) return x;
    BuilderTensor t = g->tensors[x];
    const int last = t.rank - 1;
    for (int i = 0; i < t.rank; i++) {
        const bool is_own = form->mask == kOfAll || (form->mask == kOfKeys && i == last) ||
                            (form->mask == kOfScores && i >= last - 1) ||
                            (form->mask == kOfBatches && (i == last || i == 0)) ||
                            (form->mask == kOfHeads && i == last - 2) ||
                            (form->mask == kOfRows && i == last - 1);
        if (!is_own) t.dims[i] = 1;
    }
    BuilderTensor sum = g->tensors[x];
    if (form->twist == kLargerMask) t.dims[0] = sum.dims[0] = 2;
    if (form->mask == kOfOne) t.rank = 0;
    if (form->mask == kOfKeys && form->twist != kLargerMask)
        t = (BuilderTensor){.rank = 1, .dims = {t.dims[last]}};
    int mask = fuse_input(g, t);
    if (form->computes_mask) mask = fuse_binary(g, CODE(Mul), mask, scalar(g));
    return random_below(2) ? fuse_node(g, CODE(Add), x, mask, fuse_tensor(g, sum))
                           : fuse_node(g, CODE(Add), mask, x, fuse_tensor(g, sum));
}

static int weights_of(FuseGraph* g, const Form* form, int x) {
    if (!form->spelled_out) return softmax(g, x, form->beta);
    const int exp = fuse_unary(g, CODE(Exp), fuse_binary(g, CODE(Sub), x, reduce(g, CODE(ReduceMax), x, 0)));
    return fuse_binary(g, CODE(Div), exp, reduce(g, CODE(Sum), exp, 0));
}

static int values_of(FuseGraph* g, const Form* form) {
    const int value =
        fuse_input(g, shape_of(form, form->shared_keys ? 1 : form->heads, form->keys, form->columns));
    if (!form->computes_value) return value;
    return fuse_unary(g, CODE(Neg), fuse_log_softmax(g, value));
}

static int scores_of(FuseGraph* g, const Form* form) {
    const int heads = form->shared_keys ? 1 : form->heads;
    int x = fuse_input(g, shape_of(form, form->heads, form->rows, form->depth));
    if (form->scale == kBefore) x = fuse_binary(g, CODE(Mul), x, scalar(g));
    const BuilderTensor keys = form->adj_y ? shape_of(form, heads, form->keys, form->depth)
                                           : shape_of(form, heads, form->depth, form->keys);
    const int y = form->constant_keys ? fuse_constant(g, keys) : fuse_input(g, keys);
    return matmul(g, x, y, false, form->adj_y, shape_of(form, form->heads, form->rows, form->keys));
}

static BuilderTensor flat(const Form* form, const BuilderTensor* t) {
    return (BuilderTensor){.rank = 3,
                           .dims = {form->batches * form->heads, form->rows, t->dims[t->rank - 1]}};
}

static void finish(FuseGraph* g, const Form* form, int scores, int weights, int result) {
    const int read = form->twist == kScoresRead || form->twist == kScoresShown ? scores : weights;
    BuilderInts outputs = {1, {result}};
    if (form->twist == kScoresRead || form->twist == kWeightsRead) {
        outputs.values[outputs.count++] = fuse_log_softmax(g, read);
    } else if (form->twist == kScoresShown || form->twist == kWeightsShown) {
        outputs.values[outputs.count++] = read;
    }
    fuse_outputs(g, outputs);
}

static int product_with_values(FuseGraph* g, const Form* form, int weights, int value) {
    BuilderTensor shape = g->tensors[weights];
    if (form->twist == kOwnValues) return matmul(g, weights, weights, false, false, shape);
    if (form->twist == kRight) {
        shape.dims[shape.rank - 2] = form->columns;
        return matmul(g, value, weights, true, false, shape);
    }
    shape.dims[shape.rank - 1] = form->columns;
    if (form->twist == kRepeatedScores) shape.dims[0] = 3;
    if (form->twist == kTransposed) return matmul(g, transpose(g, weights), value, false, false, shape);
    return matmul(g, weights, value, false, false, shape);
}

static void attention(FuseGraph* g, const void* state) {
    const Form* form = state;
    const int scores = scores_of(g, form);
    int x = scores, other = -1;
    if (form->views & 1) x = reshape(g, x, flat(form, &g->tensors[x]));
    x = scaled(g, form, x);
    if (form->views & 2) x = reshape(g, x, shape_of(form, form->heads, form->rows, form->keys));
    x = masked(g, form, x);
    if (form->negates) x = fuse_unary(g, CODE(Neg), x);
    if (form->twist == kReadBetween) other = fuse_log_softmax(g, x);
    if (form->twist == kMeanBetween) x = fuse_binary(g, CODE(Sub), x, reduce(g, CODE(Mean), x, 1));
    x = weights_of(g, form, x);
    if (form->views & 4) x = reshape(g, x, shape_of(form, form->heads, form->rows, form->keys));
    BuilderTensor repeated = shape_of(form, form->heads, form->keys, form->columns);
    repeated.dims[0] = 3;
    const int value = form->twist == kRepeatedScores ? fuse_input(g, repeated) : values_of(g, form);
    const int result = product_with_values(g, form, x, value);
    if (other < 0) {
        finish(g, form, scores, x, result);
    } else {
        fuse_outputs(g, (BuilderInts){2, {result, other}});
    }
}

static Form random_form(void) {
    Form form = {.batches = random_int(1, 3),
                 .heads = random_int(1, 4),
                 .rows = random_int(1, random_below(3) ? 40 : 150),
                 .keys = random_int(1, random_below(4) ? 90 : 1500),
                 .depth = random_int(1, 70),
                 .columns = random_int(1, 70),
                 .rank = random_int(2, 4),
                 .adj_y = random_below(2),
                 .spelled_out = random_below(4) == 0,
                 .negates = random_below(4) == 0,
                 .computes_mask = random_below(2),
                 .computes_value = random_below(2),
                 .scale = (Scale)random_below(kScales),
                 .mask = (Mask)random_below(kMasks),
                 .beta = random_below(2) ? 1.0f : 0.3f};
    if (form.keys > 200 && form.rows > 50) form.rows = 50;
    if (form.rank < 4) form.batches = 1;
    if (form.rank < 3) form.heads = 1;
    if (form.rank == 4 && random_below(2)) form.views = random_int(3, 5);
    if (form.rank > 2 && random_below(3) == 0) form.shared_keys = true;
    if (form.mask == kOfHeads && form.rank == 2) form.mask = kOfOne;
    form.constant_keys = random_below(4) == 0 && form.keys < 90;
    if (form.heads == 1 || form.shared_keys)
        form.constant_keys = false; // a single one would be another product
    return form;
}

// Steps that are not among those that run as one.
static int count_others(const Form* form) {
    return (form->scale == kBefore) + (form->mask != kNoMask && form->computes_mask) +
           2 * form->computes_value;
}

// The second product runs all but what has nothing to do with it.
static void attention_is_fused(void** state) {
    (void)state;
    random_seed = 5;
    for (int i = 0; i < 600; i++) {
        const Form form = random_form();
        const FuseValue value = i % 3 == 0 ? fuse_special_value : fuse_plain_value;
        const FuseCounts counts = fuse_compare(attention, &form, value);
        if (counts.left_out != counts.nodes - 1 - count_others(&form)) {
            fail_msg("graph %d: %d of %d nodes are left out", i, counts.left_out, counts.nodes);
        }
    }
}

// What looks like it.

static void expect_with(Twist twist, int views, int left_out) {
    const Form form = {.batches = 1,
                       .heads = 2,
                       .rows = 24,
                       .keys = 24,
                       .depth = 16,
                       .columns = 24,
                       .rank = 4,
                       .scale = kMultiplied,
                       .mask = kOfKeys,
                       .views = views,
                       .twist = twist,
                       .beta = 1};
    const FuseCounts counts = fuse_compare(attention, &form, fuse_plain_value);
    if (counts.left_out != left_out) fail_msg("%d: %d nodes are left out", (int)twist, counts.left_out);
}

static void expect(Twist twist, int left_out) {
    expect_with(twist, 0, left_out);
}

// Nodes are BATCH_MATMUL, MUL, ADD, SOFTMAX, BATCH_MATMUL.
static void what_looks_like_it(void** state) {
    (void)state;
    expect(kPlain, 4);
    expect(kScoresRead, 2); // MUL, ADD and SOFTMAX
    expect(kScoresShown, 2);
    expect(kWeightsRead, 4);
    expect(kWeightsShown, 4);
    expect(kLargerMask, 2); // BATCH_MATMUL with MUL, ADD with SOFTMAX
    expect(kTransposed, 2); // BATCH_MATMUL, MUL and ADD
    expect(kOwnValues, 2);
    expect(kRight, 2);
    expect(kRepeatedScores, 2);
    expect(kMeanBetween, 3); // and SUB with SOFTMAX
    expect(kReadBetween, 2);
    for (int views = 3; views <= 5; views++) { // with RESHAPEs
        const int nodes = views == 4 ? 1 : 2;
        expect_with(kPlain, views, 4 + nodes);
        expect_with(kWeightsRead, views, 4 + nodes);
        expect_with(kWeightsShown, views, 4 + nodes);
    }
}

// Memory, and inferences that are cancelled.

static const Form large = {.batches = 1,
                           .heads = 8,
                           .rows = 1024,
                           .keys = 1024,
                           .depth = 64,
                           .columns = 64,
                           .rank = 4,
                           .adj_y = true,
                           .scale = kMultiplied,
                           .mask = kOfKeys,
                           .beta = 1};

static FuseGraph create(Fixture* f, const LiteInterpreterOptions* options) {
    FuseGraph g = {.b = builder_create()};
    attention(&g, &large);
    fixture_create(f, g.b, options);
    assert_int_equal(lite_subgraph_allocate(f->graph), kTfLiteOk);
    for (int i = 0; i < g.input_count; i++) {
        const TfLiteTensor* input = lite_subgraph_tensor(f->graph, g.inputs[i]);
        for (size_t k = 0; k < input->bytes / sizeof(float); k++) input->data.f[k] = fuse_plain_value();
    }
    return g;
}

static void scores_have_no_memory(void** state) {
    (void)state;
    const size_t scores = sizeof(float) * 8 * 1024 * 1024;
    for (int fused = 0; fused < 2; fused++) {
        Fixture f;
        create(&f, &(LiteInterpreterOptions){.num_threads = 2, .preserve_all_tensors = !fused});
        const size_t arena = f.graph->segments[0].capacity;
        if (fused) assert_in_range(arena, 1, scores / 4);
        if (!fused) assert_true(arena >= 4 * scores);
        fixture_destroy(&f);
    }
}

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
    Fixture f;
    const FuseGraph g = create(&f, &(LiteInterpreterOptions){.num_threads = 2});
    const TfLiteTensor* output = lite_subgraph_tensor(f.graph, g.results[g.nodes - 1]);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    float* want = malloc(output->bytes);
    assert_non_null(want);
    memcpy(want, output->data.f, output->bytes);
    Asked asked = {.enough = 1 + g.nodes}; // once for the plan, and once for each node
    lite_interpreter_set_cancellation(f.interpreter, is_cancelled, &asked);
    memset(output->data.f, 0, output->bytes);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteError);
    assert_int_equal(asked.count, asked.enough + 1);
    asked = (Asked){.enough = 1 << 20};
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    assert_memory_equal(output->data.f, want, output->bytes);
    free(want);
    fixture_destroy(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(attention_is_fused),
        cmocka_unit_test(what_looks_like_it),
        cmocka_unit_test(scores_have_no_memory),
        cmocka_unit_test(an_inference_is_cancelled),
    };
    return cmocka_run_group_tests(tests, fuse_fill, NULL);
}
