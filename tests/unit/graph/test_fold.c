// SPDX-License-Identifier: Apache-2.0
// Nodes that are computed in prepare, because all that they read is constant.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/graph/allocate.h"
#include "core/graph/apply.h"
#include "core/graph/graph.h"
#include "core/graph/inspect.h"
#include "core/graph/interpreter.h"
#include "core/graph/invoke.h"
#include "core/graph/state.h"
#include "core/graph/subgraph.h"
#include "tensorflow/lite/c/c_api_opaque.h"
#include "tests/support/graph_fixture.h"
#include "tests/support/probe_delegate.h"

static const float threes[] = {3, 3, 3, 3}, twos[] = {2, 2, 2, 2};

static int constant(ModelBuilder* b, TfLiteType type, int count, const void* data) {
    const size_t bytes = (size_t)count * (type == kTfLiteFloat16 ? 2 : 4);
    return builder_tensor(
        b, (BuilderTensor){.type = type, .rank = 1, .dims = {count}, .data = data, .bytes = bytes});
}

static void node(ModelBuilder* b, TfLiteBuiltinOperator code, int first, int second, int output,
                 const void* params) {
    builder_operator(b, (BuilderOperator){.code = code,
                                          .inputs = {second < 0 ? 1 : 2, {first, second}},
                                          .outputs = {1, {output}},
                                          .params = params});
}

// Input 0 is added to the product of constants, tensor 3; the sum is tensor 4. Input 5 is read by nobody.
static ModelBuilder* product(void) {
    static const TfLiteMulParams params = {kTfLiteActNone};
    ModelBuilder* b = builder_create();
    fixture_tensor(b, 4);
    constant(b, kTfLiteFloat32, 4, threes);
    constant(b, kTfLiteFloat32, 4, twos);
    fixture_tensor(b, 4);
    fixture_tensor(b, 4);
    fixture_tensor(b, 1);
    node(b, kTfLiteBuiltinMul, 1, 2, 3, &params);
    fixture_node2(b, "Sum", 0, 3, 4);
    builder_inputs(b, (BuilderInts){2, {0, 5}});
    builder_outputs(b, (BuilderInts){1, {4}});
    return b;
}

static TfLiteAllocationType type_of(const Fixture* f, int tensor) {
    return lite_subgraph_tensor(f->graph, tensor)->allocation_type;
}

static void expect_sum(Fixture* f, float sum) {
    fixture_fill(f, 0, 1);
    assert_int_equal(lite_subgraph_invoke(f->graph), kTfLiteOk);
    fixture_expect(f, 4, 4, sum);
}

static void allocate_anew(Fixture* f, int elements) {
    assert_int_equal(lite_subgraph_resize_input(f->graph, 5, &elements, 1), kTfLiteOk);
    assert_int_equal(lite_subgraph_allocate(f->graph), kTfLiteOk);
}

static void constants_are_computed_by_the_allocation(void** state) {
    (void)state;
    Fixture f;
    fixture_create(&f, product(), NULL);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    assert_int_equal(type_of(&f, 3), kTfLitePersistentRo);
    assert_int_equal(type_of(&f, 4), kTfLiteArenaRw);
    fixture_expect(&f, 3, 4, 6);
    expect_sum(&f, 7);
    lite_subgraph_tensor(f.graph, 3)->data.f[0] = 10; // shows that it is not computed again
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    assert_true(lite_subgraph_tensor(f.graph, 4)->data.f[0] == 11.0f);
    allocate_anew(&f, 2);
    assert_int_equal(type_of(&f, 3), kTfLitePersistentRo);
    expect_sum(&f, 7);
    fixture_destroy(&f);
}

static int steps_seen;

static void see_step(void* user_data, int subgraph, int index, uint64_t begin_ns, uint64_t end_ns) {
    (void)user_data, (void)subgraph, (void)index, (void)begin_ns, (void)end_ns;
    steps_seen++;
}

static void they_stay_nodes_of_the_plan(void** state) {
    (void)state;
    Fixture f;
    fixture_create(&f, product(), NULL);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    assert_int_equal(lite_subgraph_plan(f.graph).count, 2);
    f.interpreter->profile = see_step;
    steps_seen = 0;
    expect_sum(&f, 7);
    assert_int_equal(steps_seen, 2);
    fixture_destroy(&f);
}

// The sizes are known before the first inference, whatever size the input has: there is one segment.
static void shapes_are_constants(void** state) {
    (void)state;
    ModelBuilder* b = builder_create();
    fixture_tensor(b, 4);
    const int shape = builder_tensor(b, (BuilderTensor){.type = kTfLiteInt32, .rank = 1, .dims = {1}});
    const int rank = builder_tensor(b, (BuilderTensor){.type = kTfLiteInt32});
    fixture_tensor(b, 4);
    node(b, kTfLiteBuiltinShape, 0, -1, shape, &(TfLiteShapeParams){kTfLiteInt32});
    node(b, kTfLiteBuiltinRank, 0, -1, rank, NULL);
    node(b, kTfLiteBuiltinReshape, 0, shape, 3, NULL);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){2, {3, rank}});
    Fixture f;
    fixture_create(&f, b, NULL);
    static const int sizes[] = {4, 9, 2};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(lite_subgraph_resize_input(f.graph, 0, &sizes[i], 1), kTfLiteOk);
        assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
        assert_int_equal(type_of(&f, shape), kTfLitePersistentRo);
        assert_int_equal(type_of(&f, rank), kTfLitePersistentRo);
        assert_int_equal(lite_subgraph_tensor(f.graph, shape)->data.i32[0], sizes[i]);
        assert_int_equal(lite_subgraph_tensor(f.graph, rank)->data.i32[0], 1);
        assert_int_equal(f.graph->segment_count, 1);
        assert_int_equal(lite_subgraph_tensor(f.graph, 3)->dims->data[0], sizes[i]);
        fixture_fill(&f, 0, 5);
        assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
        fixture_expect(&f, 3, sizes[i], 5);
    }
    fixture_destroy(&f);
}

// x[n][depth] by the rows n and depth of a table: weights that are another constant after each allocation,
// most often at the same place.
static void weights_are_packed_anew(void** state) {
    (void)state;
    enum { kDepth = 256 };
    static float table[kDepth + 1][kDepth];
    static const TfLiteGatherParams rows = {.axis = 0};
    static const TfLiteFullyConnectedParams dense = {.activation = kTfLiteActNone};
    for (int row = 0; row <= kDepth; row++) {
        for (int i = 0; i < kDepth; i++) table[row][i] = (float)row;
    }
    const BuilderTensor matrix = {.type = kTfLiteFloat32, .rank = 2, .dims = {1, kDepth}};
    BuilderTensor whole = matrix;
    whole.dims[0] = kDepth + 1;
    whole.data = table;
    whole.bytes = sizeof table;
    ModelBuilder* b = builder_create();
    const int x = builder_tensor(b, matrix), all = builder_tensor(b, whole);
    const int shape = builder_tensor(b, (BuilderTensor){.type = kTfLiteInt32, .rank = 1, .dims = {2}});
    const int weights = builder_tensor(b, matrix), y = builder_tensor(b, matrix);
    node(b, kTfLiteBuiltinShape, x, -1, shape, &(TfLiteShapeParams){kTfLiteInt32});
    node(b, kTfLiteBuiltinGather, all, shape, weights, &rows);
    node(b, kTfLiteBuiltinFullyConnected, x, weights, y, &dense);
    builder_inputs(b, (BuilderInts){1, {x}});
    builder_outputs(b, (BuilderInts){1, {y}});
    Fixture f;
    fixture_create(&f, b, NULL);
    for (int i = 0; i < 12; i++) {
        const int n = 1 + i % 3, dims[] = {n, kDepth};
        assert_int_equal(lite_subgraph_resize_input(f.graph, x, dims, 2), kTfLiteOk);
        assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
        assert_int_equal(type_of(&f, weights), kTfLitePersistentRo);
        fixture_fill(&f, x, 1);
        assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
        const float* sums = lite_subgraph_tensor(f.graph, y)->data.f;
        assert_true(sums[0] == (float)(kDepth * n));
        assert_true(sums[1] == (float)(kDepth * kDepth));
    }
    fixture_destroy(&f);
}

static void strings_are_there_before_the_first_inference(void** state) {
    (void)state;
    static const int32_t strings[] = {3, 20, 21, 23, 26, 0x63626261, 0x6363}, positions[] = {2, 0};
    static const TfLiteGatherParams params = {.axis = 0};
    ModelBuilder* b = builder_create();
    builder_tensor(
        b, (BuilderTensor){.type = kTfLiteString, .rank = 1, .dims = {3}, .data = strings, .bytes = 26});
    constant(b, kTfLiteInt32, 2, positions);
    builder_tensor(b, (BuilderTensor){.type = kTfLiteString, .rank = 1, .dims = {1}});
    node(b, kTfLiteBuiltinGather, 0, 1, 2, &params);
    builder_outputs(b, (BuilderInts){1, {2}});
    Fixture f;
    fixture_create(&f, b, NULL);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    for (int i = 0; i < 2; i++) {
        const TfLiteTensor* output = lite_subgraph_tensor(f.graph, 2);
        const char* item;
        int length;
        assert_int_equal(output->allocation_type, kTfLiteDynamic);
        assert_int_equal(output->dims->data[0], 2);
        assert_int_equal(TfLiteOpaqueTensorGetString((const TfLiteOpaqueTensor*)output, 0, &item, &length),
                         kTfLiteOk);
        assert_int_equal(length, 3);
        assert_memory_equal(item, "ccc", 3);
        assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    }
    fixture_destroy(&f);
}

static void failures_are_those_of_the_allocation(void** state) {
    (void)state;
    static const int32_t positions[] = {0, 7};
    static const TfLiteGatherParams params = {.axis = 0};
    ModelBuilder* b = builder_create();
    constant(b, kTfLiteFloat32, 4, threes);
    constant(b, kTfLiteInt32, 2, positions);
    fixture_tensor(b, 2);
    node(b, kTfLiteBuiltinGather, 0, 1, 2, &params);
    builder_outputs(b, (BuilderInts){1, {2}});
    Fixture f;
    fixture_create(&f, b, NULL);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteError);
        fixture_expect_message(&f, "GATHER: position 7 is outside [0, 4)");
        assert_int_equal(type_of(&f, 2), kTfLiteArenaRw);
        assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteError);
    }
    assert_int_equal(f.interpreter->memory_used, 0);
    fixture_destroy(&f);
}

// A constant repeated 1000 times: 16000 bytes.
static ModelBuilder* tiles(void) {
    static const int32_t times[] = {1000};
    ModelBuilder* b = builder_create();
    constant(b, kTfLiteFloat32, 4, threes);
    constant(b, kTfLiteInt32, 1, times);
    fixture_tensor(b, 4000);
    node(b, kTfLiteBuiltinTile, 0, 1, 2, NULL);
    builder_outputs(b, (BuilderInts){1, {2}});
    return b;
}

static void their_memory_counts(void** state) {
    (void)state;
    Fixture f;
    fixture_create(&f, tiles(), &(LiteInterpreterOptions){.memory_limit = 15999});
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteError);
    fixture_expect_message(&f, "needs 16000 bytes: more than the 15999 that are left");
    fixture_destroy(&f);
    fixture_create(&f, tiles(), &(LiteInterpreterOptions){.memory_limit = 16000});
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    assert_int_equal(f.interpreter->memory_used, 16000);
    assert_int_equal(lite_subgraph_memory(f.graph), 16000);
    OcliteTensorMemory memory;
    assert_true(lite_subgraph_tensor_memory(f.graph, 2, &memory));
    assert_int_equal(memory.memory, kOcliteMemoryOwn);
    fixture_expect(&f, 2, 4000, 3);
    fixture_destroy(&f);
}

static void the_programs_memory_is_written_in_inferences(void** state) {
    (void)state;
    static _Alignas(64) float own[16];
    const TfLiteCustomAllocation allocation = {own, sizeof own};
    Fixture f;
    fixture_create(&f, product(), NULL);
    assert_int_equal(lite_subgraph_set_custom_allocation(f.graph, 3, &allocation, 0), kTfLiteOk);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    assert_int_equal(type_of(&f, 3), kTfLiteCustom);
    expect_sum(&f, 7);
    assert_true(own[3] == 6.0f);
    fixture_destroy(&f);
}

// A delegate for tensors of any size computes what it has taken when it runs.
static void what_a_delegate_takes_is_no_constant(void** state) {
    (void)state;
    static const int first[] = {0};
    ProbeDelegate probe;
    probe_init(&probe, kTfLiteDelegateFlagsAllowDynamicTensors);
    probe.nodes = first;
    probe.node_count = 1;
    Fixture f;
    fixture_create(&f, product(), NULL);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    assert_int_equal(lite_interpreter_apply_delegate(f.interpreter, &probe.delegate), kTfLiteOk);
    assert_int_equal(lite_subgraph_plan(f.graph).count, 2);
    assert_int_equal(type_of(&f, 3), kTfLiteArenaRw);
    assert_int_equal(lite_delegate_remove_everywhere(f.interpreter), kTfLiteOk);
    assert_int_equal(type_of(&f, 3), kTfLitePersistentRo);
    expect_sum(&f, 7);
    fixture_destroy(&f);
}

static TfLiteStatus fill_with_one(TfLiteContext* context, TfLiteNode* of) {
    TfLiteTensor* output = &context->tensors[of->outputs->data[0]];
    for (size_t i = 0; i < output->bytes / sizeof(float); i++) output->data.f[i] = 1;
    return kTfLiteOk;
}

// As what programs call the library's operators by: both functions have to be its own.
static void registrations_fold_too(void** state) {
    (void)state;
    LiteOperatorEntry entry = {.builtin_code = kTfLiteBuiltinMul, .first_version = 1, .last_version = 1};
    for (int i = 0; i < lite_registry_count(); i++) {
        const TfLiteRegistration* own = lite_registry_registration(i);
        if (own->builtin_code == kTfLiteBuiltinMul && own->version == 1) entry.registration = *own;
    }
    const LiteInterpreterOptions options = {.operators = &entry, .operator_count = 1};
    Fixture f;
    fixture_create(&f, product(), &options);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    assert_int_equal(type_of(&f, 3), kTfLitePersistentRo);
    expect_sum(&f, 7);
    fixture_destroy(&f);
    entry.registration.invoke = fill_with_one;
    fixture_create(&f, product(), &options);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    assert_int_equal(type_of(&f, 3), kTfLiteArenaRw);
    expect_sum(&f, 2);
    fixture_destroy(&f);
}

static void expect_branch(Fixture* f, bool condition, float expected) {
    *lite_subgraph_tensor(f->graph, 0)->data.b = condition;
    fixture_fill(f, 1, 1);
    assert_int_equal(lite_subgraph_invoke(f->graph), kTfLiteOk);
    fixture_expect(f, 2, 4, expected);
}

static void bodies_have_constants(void** state) {
    (void)state;
    static const TfLiteIfParams params = {1, 2};
    static const TfLiteMulParams mul = {kTfLiteActNone};
    ModelBuilder* b = builder_create();
    builder_tensor(b, (BuilderTensor){.type = kTfLiteBool});
    fixture_tensor(b, 4);
    fixture_tensor(b, 4);
    node(b, kTfLiteBuiltinIf, 0, 1, 2, &params);
    builder_inputs(b, (BuilderInts){2, {0, 1}});
    builder_outputs(b, (BuilderInts){1, {2}});
    for (int branch = 0; branch < 2; branch++) {
        builder_subgraph(b, "branch");
        fixture_tensor(b, 4);
        constant(b, kTfLiteFloat32, 4, branch == 0 ? twos : threes);
        fixture_tensor(b, 4);
        fixture_tensor(b, 4);
        node(b, kTfLiteBuiltinMul, 1, 1, 2, &mul);
        fixture_node2(b, "Sum", 0, 2, 3);
        builder_inputs(b, (BuilderInts){1, {0}});
        builder_outputs(b, (BuilderInts){1, {3}});
    }
    Fixture f;
    fixture_create(&f, b, NULL);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    for (int branch = 1; branch < 3; branch++) {
        const TfLiteTensor* square = lite_subgraph_tensor(f.interpreter->subgraphs[branch], 2);
        assert_int_equal(square->allocation_type, kTfLitePersistentRo);
    }
    for (int i = 0; i < 2; i++) {
        expect_branch(&f, true, 5);
        expect_branch(&f, false, 10);
    }
    fixture_destroy(&f);
}

// Each subgraph calls the next twice, with other shapes each time, and the last computes 1 MiB.
static void computing_without_end_is_refused(void** state) {
    (void)state;
    enum { kLevels = 13 };
    static const int32_t times[] = {1 << 16};
    static TfLiteIfParams params[kLevels];
    ModelBuilder* b = builder_create();
    for (int level = 0; level < kLevels; level++) {
        if (level > 0) builder_subgraph(b, "next");
        const int x = fixture_tensor(b, 1);
        const int condition = builder_tensor(b, (BuilderTensor){.type = kTfLiteBool});
        params[level] = (TfLiteIfParams){level + 1, level + 1};
        for (int i = 0; i < 2 && level + 1 < kLevels; i++) {
            const int argument = constant(b, kTfLiteFloat32, i + 1, threes);
            node(b, kTfLiteBuiltinIf, condition, argument, fixture_tensor(b, 1), &params[level]);
        }
        if (level + 1 == kLevels) {
            const int row = constant(b, kTfLiteFloat32, 4, threes),
                      count = constant(b, kTfLiteInt32, 1, times);
            node(b, kTfLiteBuiltinTile, row, count, fixture_tensor(b, 1), NULL);
        }
        builder_inputs(b, (BuilderInts){1, {x}});
        builder_outputs(b, (BuilderInts){1, {x}});
    }
    Fixture f;
    fixture_create(&f, b, NULL);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteError);
    fixture_expect_message(&f, "subgraphs call each other too often to be prepared");
    fixture_destroy(&f);
}

static ModelBuilder* dequantizing(const void* halves, int count) {
    ModelBuilder* b = builder_create();
    fixture_tensor(b, count);
    constant(b, kTfLiteFloat16, count, halves);
    fixture_tensor(b, 4);
    fixture_tensor(b, count);
    fixture_tensor(b, count);
    fixture_tensor(b, 1);
    node(b, kTfLiteBuiltinDequantize, 1, -1, 3, NULL);
    fixture_node2(b, "Sum", 0, 3, 4);
    builder_inputs(b, (BuilderInts){2, {0, 5}});
    builder_outputs(b, (BuilderInts){1, {4}});
    return b;
}

static void dequantized_constants_are_kept(void** state) {
    (void)state;
    static const uint16_t halves[] = {0x4600, 0x4600, 0x4600, 0x4600};
    Fixture f;
    fixture_create(&f, dequantizing(halves, 4), NULL);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    assert_int_equal(type_of(&f, 3), kTfLitePersistentRo);
    expect_sum(&f, 7);
    lite_subgraph_tensor(f.graph, 3)->data.f[0] = 10; // shows that it is not computed again
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
    assert_true(lite_subgraph_tensor(f.graph, 4)->data.f[0] == 11.0f);
    allocate_anew(&f, 2);
    expect_sum(&f, 7);
    fixture_destroy(&f);
    static _Alignas(64) float own[16];
    const TfLiteCustomAllocation allocation = {own, sizeof own};
    fixture_create(&f, dequantizing(halves, 4), NULL);
    assert_int_equal(lite_subgraph_set_custom_allocation(f.graph, 3, &allocation, 0), kTfLiteOk);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    expect_sum(&f, 7);
    assert_true(own[3] == 6.0f);
    fixture_destroy(&f);
}

// What is large and follows from the model alone is one for all its interpreters.
static void interpreters_share_what_they_compute_alike(void** state) {
    (void)state;
    enum { kCount = 2048 };
    static uint16_t halves[kCount];
    for (int i = 0; i < kCount; i++) halves[i] = 0x4600;
    Fixture f;
    fixture_create(&f, dequantizing(halves, kCount), NULL);
    const LiteOperatorEntry* operators;
    LiteInterpreterOptions options = {.operator_count = fixture_operators(&operators)};
    options.operators = operators;
    LiteInterpreter* other = lite_interpreter_create(f.model, &options);
    assert_non_null(other);
    LiteSubgraph* graph = lite_interpreter_subgraph(other, 0);
    const TfLiteTensor* there = lite_subgraph_tensor(graph, 3);
    for (int round = 0; round < 2; round++) {
        allocate_anew(&f, 1);
        assert_int_equal(lite_subgraph_allocate(graph), kTfLiteOk);
        const TfLiteTensor* here = lite_subgraph_tensor(f.graph, 3);
        assert_ptr_equal(here->data.raw, there->data.raw);
        assert_int_equal(here->allocation_type, kTfLiteMmapRo); // nobody frees it or writes it
        assert_true(here->data.f[kCount - 1] == 6.0f);
    }
    assert_int_equal(lite_shared_account(lite_model_shared(f.model)).bytes, kCount * sizeof(float));
    lite_interpreter_destroy(other);
    assert_true(lite_subgraph_tensor(f.graph, 3)->data.f[7] == 6.0f);
    fixture_destroy(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_are_computed_by_the_allocation),
        cmocka_unit_test(they_stay_nodes_of_the_plan),
        cmocka_unit_test(shapes_are_constants),
        cmocka_unit_test(weights_are_packed_anew),
        cmocka_unit_test(strings_are_there_before_the_first_inference),
        cmocka_unit_test(failures_are_those_of_the_allocation),
        cmocka_unit_test(their_memory_counts),
        cmocka_unit_test(the_programs_memory_is_written_in_inferences),
        cmocka_unit_test(what_a_delegate_takes_is_no_constant),
        cmocka_unit_test(registrations_fold_too),
        cmocka_unit_test(bodies_have_constants),
        cmocka_unit_test(computing_without_end_is_refused),
        cmocka_unit_test(dequantized_constants_are_kept),
        cmocka_unit_test(interpreters_share_what_they_compute_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
