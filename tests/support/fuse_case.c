// SPDX-License-Identifier: Apache-2.0
#include "tests/support/fuse_case.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/graph/allocate.h"
#include "core/graph/graph.h"
#include "core/graph/invoke.h"
#include "core/graph/subgraph.h"
#include "tests/support/graph_fixture.h"
#include "tests/support/random_numbers.h"

float fuse_numbers[kFuseNumbers];

int fuse_fill(void** state) {
    (void)state;
    for (int i = 0; i < kFuseNumbers; i++) fuse_numbers[i] = (float)random_int(-1000, 1000) / 1000;
    return 0;
}

int fuse_tensor(FuseGraph* g, BuilderTensor tensor) {
    tensor.type = tensor.type == kTfLiteNoType ? kTfLiteFloat32 : tensor.type;
    assert_true(g->count < kFuseTensors);
    g->tensors[g->count++] = tensor;
    return builder_tensor(g->b, tensor);
}

int fuse_constant(FuseGraph* g, BuilderTensor tensor) {
    tensor.bytes = sizeof(float);
    for (int i = 0; i < tensor.rank; i++) tensor.bytes *= (size_t)tensor.dims[i];
    tensor.data = fuse_numbers + random_below(100);
    assert_true(tensor.bytes <= (kFuseNumbers - 100) * sizeof(float));
    return fuse_tensor(g, tensor);
}

int fuse_input(FuseGraph* g, BuilderTensor tensor) {
    assert_true(g->input_count < kFuseInputs);
    return g->inputs[g->input_count++] = fuse_tensor(g, tensor);
}

int fuse_node(FuseGraph* g, TfLiteBuiltinOperator code, int first, int second, int output) {
    static const TfLiteAddParams plain = {.activation = kTfLiteActNone};
    builder_operator(g->b, (BuilderOperator){.code = code,
                                             .inputs = {second < 0 ? 1 : 2, {first, second}},
                                             .outputs = {1, {output}},
                                             .params = second < 0 ? NULL : &plain});
    return g->results[g->nodes++] = output;
}

int fuse_unary(FuseGraph* g, TfLiteBuiltinOperator code, int x) {
    return fuse_binary(g, code, x, -1);
}

int fuse_binary(FuseGraph* g, TfLiteBuiltinOperator code, int x, int y) {
    BuilderTensor like = g->tensors[x];
    like.data = NULL;
    like.bytes = 0;
    return fuse_node(g, code, x, y, fuse_tensor(g, like));
}

int fuse_log_softmax(FuseGraph* g, int x) {
    const int y = fuse_tensor(g, g->tensors[x]);
    builder_operator(
        g->b, (BuilderOperator){.code = kTfLiteBuiltinLogSoftmax, .inputs = {1, {x}}, .outputs = {1, {y}}});
    return y;
}

void fuse_outputs(FuseGraph* g, BuilderInts outputs) {
    BuilderInts inputs = {g->input_count, {0}};
    memcpy(inputs.values, g->inputs, sizeof g->inputs);
    builder_inputs(g->b, inputs);
    builder_outputs(g->b, outputs);
}

float fuse_plain_value(void) {
    return (float)random_int(-3000, 3000) / 1000;
}

float fuse_special_value(void) {
    static const float specials[] = {NAN, INFINITY, -INFINITY, 0.0f, -0.0f, 3e38f, -3e38f, 1e-40f};
    return random_below(50) == 0 ? specials[random_below(8)] : fuse_plain_value();
}

// All outputs, one after the other. Release with free().
static float* copy_outputs(const Fixture* f, size_t* bytes) {
    const LiteModelInts outputs = lite_subgraph_outputs(f->graph);
    *bytes = 0;
    for (int i = 0; i < outputs.count; i++) *bytes += lite_subgraph_tensor(f->graph, outputs.data[i])->bytes;
    char* copy = malloc(*bytes);
    assert_non_null(copy);
    char* to = copy;
    for (int i = 0; i < outputs.count; i++) {
        const TfLiteTensor* output = lite_subgraph_tensor(f->graph, outputs.data[i]);
        memcpy(to, output->data.raw, output->bytes);
        to += output->bytes;
    }
    return (float*)(void*)copy;
}

// Whether the node computes numbers that are where one of its inputs was.
static bool is_over(const Fixture* f, const LiteNode* node) {
    const TfLiteTensor* output = lite_subgraph_tensor(f->graph, node->node.outputs->data[0]);
    const int code = node->methods->registration.builtin_code;
    bool found = false;
    if (code != kTfLiteBuiltinAdd && code != kTfLiteBuiltinSub && code != kTfLiteBuiltinMul) return false;
    for (int i = 0; i < node->node.inputs->size; i++) {
        const TfLiteTensor* input = lite_subgraph_tensor(f->graph, node->node.inputs->data[i]);
        found |= input != NULL && input->data.raw != NULL && input->data.raw == output->data.raw;
    }
    return found;
}

typedef struct Case {
    FuseBuild build;
    const void* state;
    FuseValue value;
} Case;

// Runs the graph twice. Release the outputs of the second run with free().
static float* run(const Case* c, int threads, bool fused, size_t* bytes, FuseCounts* counts) {
    Fixture f;
    FuseGraph g = {.b = builder_create()};
    const uint32_t seed = random_seed;
    c->build(&g, c->state);
    const LiteInterpreterOptions options = {.num_threads = threads, .preserve_all_tensors = !fused};
    fixture_create(&f, g.b, &options);
    assert_non_null(f.interpreter);
    if (lite_subgraph_allocate(f.graph) != kTfLiteOk) fail_msg("%s", f.messages);
    float* copy = NULL;
    for (int again = 0; again < 2; again++) {
        for (int i = 0; i < g.input_count; i++) {
            const TfLiteTensor* input = lite_subgraph_tensor(f.graph, g.inputs[i]);
            for (size_t k = 0; k < input->bytes / sizeof(float); k++) input->data.f[k] = c->value();
        }
        if (lite_subgraph_invoke(f.graph) != kTfLiteOk) fail_msg("%s", f.messages);
        free(copy);
        copy = copy_outputs(&f, bytes);
    }
    *counts = (FuseCounts){.nodes = lite_subgraph_node_count(f.graph)};
    for (int i = 0; i < counts->nodes; i++) {
        counts->left_out += f.graph->nodes[i]->left_to > 0;
        counts->in_place += f.graph->nodes[i]->places != NULL;
        counts->over += is_over(&f, f.graph->nodes[i]);
    }
    fixture_destroy(&f);
    random_seed = seed;
    return copy;
}

static bool is_same(float a, float b) {
    return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

FuseCounts fuse_compare(FuseBuild build, const void* state, FuseValue value) {
    const Case c = {build, state, value};
    size_t bytes, fused_bytes;
    FuseCounts none, fused = {0};
    float* want = run(&c, 1, false, &bytes, &none);
    assert_int_equal(none.left_out, 0);
    assert_int_equal(none.in_place, 0);
    assert_int_equal(none.over, 0);
    for (int threads = 1; threads <= 3; threads++) {
        float* got = run(&c, threads, true, &fused_bytes, &fused);
        assert_int_equal(fused_bytes, bytes);
        for (size_t i = 0; i < bytes / sizeof(float); i++) {
            if (!is_same(got[i], want[i]))
                fail_msg("element %zu is %a, one by one %a", i, (double)got[i], (double)want[i]);
        }
        free(got);
    }
    free(want);
    random_next(); // another graph the next time
    return fused;
}
