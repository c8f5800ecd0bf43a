// SPDX-License-Identifier: Apache-2.0
// Models that would take all memory or run for ever, graphs that contain themselves, strings that are none.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/system.h"
#include "core/graph/allocate.h"
#include "core/graph/graph.h"
#include "core/graph/interpreter.h"
#include "core/graph/invoke.h"
#include "core/graph/state.h"
#include "core/graph/subgraph.h"
#include "core/model/schema.h"
#include "oclite/oclite.h"
#include "oclite/opencl.h"
#include "tensorflow/lite/c/c_api_experimental.h"
#include "tests/support/graph_fixture.h"

// Cycles
// ---------------------------------------------------------------------------------------------------------------

static int flag(ModelBuilder* b) {
    static const bool yes = true;
    return builder_tensor(b, (BuilderTensor){.type = kTfLiteBool, .rank = 0, .data = &yes, .bytes = 1});
}

// A subgraph whose one operator runs others; IF has a condition before its argument.
static void add_caller(ModelBuilder* b, TfLiteBuiltinOperator code, const void* params) {
    const int x = fixture_tensor(b, 4), y = fixture_tensor(b, 4);
    BuilderInts inputs = {1, {x}}, outputs = {1, {y}};
    if (code == kTfLiteBuiltinIf) inputs = (BuilderInts){2, {flag(b), x}};
    if (code == kTfLiteBuiltinCallOnce) inputs.count = outputs.count = 0;
    builder_operator(b,
                     (BuilderOperator){.code = code, .inputs = inputs, .outputs = outputs, .params = params});
    builder_inputs(b, (BuilderInts){1, {x}});
    builder_outputs(b, (BuilderInts){1, {code == kTfLiteBuiltinCallOnce ? x : y}});
}

static const TfLiteIfParams if_first = {0, 0}, if_second = {1, 1};
static const TfLiteWhileParams while_first = {0, 0}, while_second = {1, 1};
static const TfLiteCallOnceParams once_first = {0}, once_second = {1};
static const TfLiteStablehloCompositeParams composite_first = {.name = "c", .subgraph_index = 0};
static const TfLiteStablehloCompositeParams composite_second = {.name = "c", .subgraph_index = 1};

static const struct {
    TfLiteBuiltinOperator code;
    const void* first;  // params that lead to subgraph 0
    const void* second; // and to subgraph 1
} callers[] = {
    {kTfLiteBuiltinIf, &if_first, &if_second},
    {kTfLiteBuiltinWhile, &while_first, &while_second},
    {kTfLiteBuiltinCallOnce, &once_first, &once_second},
    {kTfLiteBuiltinStablehloComposite, &composite_first, &composite_second},
};
enum { kCallers = sizeof(callers) / sizeof(*callers) };

static void expect_cycle(ModelBuilder* b) {
    Fixture f;
    fixture_create(&f, b, NULL);
    assert_non_null(f.interpreter);
    TfLiteStatus status = lite_subgraph_allocate(f.graph);
    if (status == kTfLiteOk) status = lite_subgraph_invoke(f.graph);
    assert_int_equal(status, kTfLiteError);
    fixture_destroy(&f);
}

static void graphs_that_contain_themselves_are_refused(void** state) {
    (void)state;
    for (int i = 0; i < kCallers; i++) {
        ModelBuilder* b = builder_create();
        add_caller(b, callers[i].code, callers[i].first);
        expect_cycle(b);
        for (int k = 0; k < kCallers; k++) {
            b = builder_create();
            add_caller(b, callers[i].code, callers[i].second);
            builder_subgraph(b, "second");
            add_caller(b, callers[k].code, callers[k].first);
            expect_cycle(b);
        }
    }
}

// The delegate looks at such a body when it decides.
static void bodies_that_are_the_graph_itself_are_refused(void** state) {
    (void)state;
    static const float zero;
    static const TfLiteStablehloReduceWindowParams params = {
        .window_dimensions = {1}, .window_strides = {1}, .base_dilations = {1}, .window_dilations = {1}};
    for (int opencl = 0; opencl < 2; opencl++) {
        ModelBuilder* b = builder_create();
        const int x = fixture_tensor(b, 4), y = fixture_tensor(b, 4);
        const int initial =
            builder_tensor(b, (BuilderTensor){.type = kTfLiteFloat32, .data = &zero, .bytes = 4});
        builder_operator(b, (BuilderOperator){.code = kTfLiteBuiltinStablehloReduceWindow,
                                              .inputs = {2, {x, initial}},
                                              .outputs = {1, {y}},
                                              .params = &params});
        builder_inputs(b, (BuilderInts){1, {x}});
        builder_outputs(b, (BuilderInts){1, {y}});
        TfLiteDelegate* delegate = opencl ? oclite_opencl_delegate_create(NULL) : NULL;
        Fixture f;
        fixture_create(&f, b,
                       &(LiteInterpreterOptions){.delegates = &delegate, .delegate_count = delegate != NULL});
        assert_non_null(f.interpreter);
        assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteError);
        fixture_expect_message(&f, "STABLEHLO_REDUCE_WINDOW: ");
        fixture_destroy(&f);
        oclite_opencl_delegate_delete(delegate);
    }
}

// Each subgraph calls the next twice, with other shapes each time: the last would be prepared 2^40 times.
static void preparing_without_end_is_refused(void** state) {
    (void)state;
    enum { kLevels = 40 };
    static const float contents[2] = {1, 2};
    static TfLiteIfParams params[kLevels];
    ModelBuilder* b = builder_create();
    for (int level = 0; level < kLevels; level++) {
        if (level > 0) builder_subgraph(b, "next");
        const int x = fixture_tensor(b, 1), condition = flag(b);
        params[level] = (TfLiteIfParams){level + 1, level + 1};
        for (int i = 0; i < 2 && level + 1 < kLevels; i++) {
            const int argument = builder_tensor(b, (BuilderTensor){.type = kTfLiteFloat32,
                                                                   .rank = 1,
                                                                   .dims = {i + 1},
                                                                   .data = contents,
                                                                   .bytes = 4 * ((size_t)i + 1)});
            builder_operator(b, (BuilderOperator){.code = kTfLiteBuiltinIf,
                                                  .inputs = {2, {condition, argument}},
                                                  .outputs = {1, {fixture_tensor(b, 1)}},
                                                  .params = &params[level]});
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

static LiteInterpreter* endless;
static int nodes_run;

static void cancel_later(void* user_data, int subgraph, int node, uint64_t begin_ns, uint64_t end_ns) {
    (void)user_data;
    (void)subgraph;
    (void)node;
    (void)begin_ns;
    (void)end_ns;
    if (++nodes_run == 1000) assert_int_equal(lite_interpreter_cancel(endless), kTfLiteOk);
}

static void an_endless_loop_can_be_cancelled(void** state) {
    (void)state;
    static const TfLiteWhileParams params = {1, 2};
    ModelBuilder* b = builder_create();
    add_caller(b, kTfLiteBuiltinWhile, &params);
    builder_subgraph(b, "always");
    fixture_tensor(b, 4);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {flag(b)}});
    builder_subgraph(b, "body");
    fixture_tensor(b, 4);
    fixture_tensor(b, 4);
    fixture_node(b, "Twice", 0, 1);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {1}});
    Fixture f;
    fixture_create(&f, b, &(LiteInterpreterOptions){.enable_cancellation = true});
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    endless = f.interpreter;
    nodes_run = 0;
    lite_interpreter_set_profile(f.interpreter, cancel_later, NULL);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteCancelled);
    assert_int_equal(nodes_run, 1001); // the loop itself is a node
    fixture_destroy(&f);
}

static void a_condition_that_nothing_writes_is_refused(void** state) {
    (void)state;
    static const TfLiteWhileParams params = {1, 1};
    ModelBuilder* b = builder_create();
    const int x = builder_tensor(b, (BuilderTensor){.type = kTfLiteBool, .rank = 0});
    const int y = builder_tensor(b, (BuilderTensor){.type = kTfLiteBool, .rank = 0});
    builder_operator(
        b, (BuilderOperator){
               .code = kTfLiteBuiltinWhile, .inputs = {1, {x}}, .outputs = {1, {y}}, .params = &params});
    builder_inputs(b, (BuilderInts){1, {x}});
    builder_outputs(b, (BuilderInts){1, {y}});
    builder_subgraph(b, "both");
    builder_inputs(b, (BuilderInts){1, {builder_tensor(b, (BuilderTensor){.type = kTfLiteBool, .rank = 0})}});
    builder_outputs(b,
                    (BuilderInts){1, {builder_tensor(b, (BuilderTensor){.type = kTfLiteBool, .rank = 0})}});
    Fixture f;
    fixture_create(&f, b, NULL);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteError);
    fixture_expect_message(&f, "WHILE: nothing in its subgraph writes the condition");
    fixture_destroy(&f);
}

// Twice(0) = 1; Repeat(1) = 0, a graph input that the first node was prepared for.
static void inputs_that_nodes_write_keep_their_size(void** state) {
    (void)state;
    ModelBuilder* b = builder_create();
    for (int i = 0; i < 2; i++) fixture_tensor(b, 4);
    fixture_node(b, "Twice", 0, 1);
    fixture_node(b, "Repeat", 1, 0);
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {1}});
    Fixture f;
    fixture_create(&f, b, NULL);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    for (int value = 2; value < 4; value++) {
        TfLiteTensor* input = lite_subgraph_tensor(f.graph, 0);
        assert_int_equal(TfLiteTensorRealloc(16, input), kTfLiteOk); // as Repeat has made it dynamic
        fixture_fill(&f, 0, (float)value);
        assert_int_equal(lite_subgraph_invoke(f.graph), value == 2 ? kTfLiteOk : kTfLiteError);
    }
    fixture_expect_message(&f, "tensor 't0' is written by a node, but an earlier one reads it");
    fixture_destroy(&f);
}

// Memory
// ---------------------------------------------------------------------------------------------------------------

static void create_limited(Fixture* f, ModelBuilder* b, size_t limit) {
    fixture_create(f, b, &(LiteInterpreterOptions){.memory_limit = limit});
    assert_non_null(f->interpreter);
}

// A chain of tensors of 4 elements, resized to 1024: the input and two buffers of 4096 bytes.
static void the_limit_is_what_tensors_need(void** state) {
    (void)state;
    static const int dims[] = {1024};
    for (size_t missing = 0; missing < 2; missing++) {
        Fixture f;
        create_limited(&f, fixture_chain("Twice", 6), 3 * 4096 - missing);
        assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
        assert_int_equal(lite_subgraph_resize_input(f.graph, 0, dims, 1), kTfLiteOk);
        assert_int_equal(lite_subgraph_allocate(f.graph), missing ? kTfLiteError : kTfLiteOk);
        if (missing) {
            fixture_expect_message(&f,
                                   "tensor 't1' needs 4096 bytes and others more: more than the 8191 that "
                                   "are left of the limit of 12287");
            assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteError);
            static const int fewer[] = {1000};
            assert_int_equal(lite_subgraph_resize_input(f.graph, 0, fewer, 1), kTfLiteOk);
            assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
        }
        assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
        fixture_destroy(&f);
    }
}

static void inputs_count(void** state) {
    (void)state;
    static const int dims[] = {1 << 20};
    Fixture f;
    create_limited(&f, fixture_chain("Twice", 1), 1 << 20);
    assert_int_equal(lite_subgraph_resize_input(f.graph, 0, dims, 1), kTfLiteOk);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteError);
    fixture_expect_message(&f, "tensor 't0' needs 4194304 bytes: more than the 1048576 that are left");
    assert_null(lite_subgraph_tensor(f.graph, 0)->data.raw);
    fixture_destroy(&f);
}

static void outputs_sized_in_an_inference_count(void** state) {
    (void)state;
    Fixture f;
    create_limited(&f, fixture_chain("Repeat", 1), 1000);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    fixture_fill(&f, 0, 300);
    assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteError);
    fixture_expect_message(&f, "tensor 't1' needs 1200 bytes: more than the 984 that are left of the limit");
    for (int count = 246; count > 0; count -= 61) { // smaller ones keep the memory
        fixture_fill(&f, 0, (float)count);
        assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
        fixture_expect(&f, 1, count, (float)count);
    }
    assert_int_equal(f.interpreter->memory_used, 1000);
    fixture_destroy(&f);
}

// Operators that take memory by themselves: for an output, as those of strings do, and for their own use.

static TfLiteStatus prepare_dynamic(TfLiteContext* context, TfLiteNode* node) {
    context->tensors[node->outputs->data[0]].allocation_type = kTfLiteDynamic;
    return kTfLiteOk;
}

static TfLiteStatus invoke_output(TfLiteContext* context, TfLiteNode* node) {
    return TfLiteTensorRealloc(5000, &context->tensors[node->outputs->data[0]]);
}

static TfLiteStatus invoke_scratch(TfLiteContext* context, TfLiteNode* node) {
    (void)context;
    (void)node;
    void* scratch = lite_malloc(5000);
    lite_free(scratch);
    return scratch != NULL ? kTfLiteOk : kTfLiteError;
}

static void what_operators_take_counts(void** state) {
    (void)state;
    static const TfLiteRegistration output = {.prepare = prepare_dynamic, .invoke = invoke_output};
    static const TfLiteRegistration scratch = {.invoke = invoke_scratch};
    static const LiteOperatorEntry entries[] = {{kTfLiteBuiltinCustom, "Output", 1, 1, output},
                                                {kTfLiteBuiltinCustom, "Own", 1, 1, scratch}};
    static const struct {
        size_t limit; // the input takes 4000
        const char* message;
    } cases[2][2] = {{{8000, "tensor 't1' needs 5000 bytes: more than the 4000 that are left"}, {9000, NULL}},
                     {{4900, "Node number 0 (Own) failed to invoke"}, {5000, NULL}}};
    static const int dims[] = {1000};
    for (int i = 0; i < 4; i++) {
        const char* message = cases[i / 2][i % 2].message;
        const LiteInterpreterOptions options = {
            .operators = entries, .operator_count = 2, .memory_limit = cases[i / 2][i % 2].limit};
        Fixture f;
        fixture_create(&f, fixture_chain(entries[i / 2].custom_name, 1), &options);
        assert_int_equal(lite_subgraph_resize_input(f.graph, 0, dims, 1), kTfLiteOk);
        assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
        assert_int_equal(lite_subgraph_invoke(f.graph), message != NULL ? kTfLiteError : kTfLiteOk);
        if (message != NULL) fixture_expect_message(&f, message);
        fixture_destroy(&f);
    }
    void* memory = lite_malloc(5000); // the limits have gone with their interpreters
    assert_non_null(memory);
    lite_free(memory);
}

static void the_machine_is_the_limit(void** state) {
    (void)state;
    Fixture f;
    create_limited(&f, fixture_chain("Twice", 1), 0);
    assert_int_equal(f.interpreter->memory_limit, lite_physical_memory());
    assert_true(lite_physical_memory() > 1 << 20);
    fixture_destroy(&f);
}

static void options_carry_the_limit(void** state) {
    (void)state;
    size_t size;
    uint8_t* bytes = builder_finish(fixture_chain("Output", 1), &size);
    TfLiteModel* model = TfLiteModelCreate(bytes, size);
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    static const TfLiteRegistration op = {.prepare = prepare_dynamic, .invoke = invoke_output};
    TfLiteInterpreterOptionsAddCustomOp(options, "Output", &op, 1, 1);
    for (size_t limit = 5015; limit <= 5016; limit++) { // the input has 16 bytes
        oclite_interpreter_options_set_memory_limit(options, limit);
        TfLiteInterpreterOptions* copy = TfLiteInterpreterOptionsCopy(options);
        TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, copy);
        TfLiteInterpreterOptionsDelete(copy);
        assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
        assert_int_equal(TfLiteInterpreterInvoke(interpreter), limit < 5016 ? kTfLiteError : kTfLiteOk);
        TfLiteInterpreterDelete(interpreter);
    }
    oclite_interpreter_options_set_memory_limit(NULL, 1);
    TfLiteInterpreterOptionsDelete(options);
    TfLiteModelDelete(model);
    free(bytes);
}

// 4 bytes of the file each: what an interpreter has for one of them must not be much.
static void very_many_subgraphs_take_little(void** state) {
    (void)state;
    enum { kSubgraphs = 8000 };
    ModelBuilder* b = fixture_chain("Twice", 1);
    LiteTreeTable* subgraph = builder_subgraph_table(b);
    for (int i = 1; i < kSubgraphs; i++) lite_tree_append_table(builder_model(b), kModelSubgraphs, subgraph);
    Fixture f;
    fixture_create(&f, b, NULL);
    assert_int_equal(lite_interpreter_subgraph_count(f.interpreter), kSubgraphs);
    size_t tensors = 0;
    for (int i = 0; i < kSubgraphs; i++) {
        tensors += (size_t)lite_interpreter_subgraph(f.interpreter, i)->tensor_capacity;
    }
    assert_true(tensors < 150000);
    fixture_destroy(&f);
}

// Strings that the program gives
// ---------------------------------------------------------------------------------------------------------------

static const struct {
    int words;
    uint32_t contents[6];
    const char* message; // NULL: they are good
} strings[] = {
    {5, {2, 16, 18, 20, 0x64636261}, NULL},
    {0, {0}, "has no contents"},
    {1, {2}, "a string tensor of 2 strings has 4 bytes"},
    {3, {2, 16, 16}, "a string tensor of 2 strings has 12 bytes"},
    {5, {3, 16, 18, 20, 0}, "holds 3 strings, its shape has 2"},
    {5, {UINT32_MAX, 16, 18, 20, 0}, "holds -1 strings"},
    {5, {2, 0, 18, 20, 0}, "string 0 of a tensor starts at byte 0"},
    {5, {2, 16, 15, 20, 0}, "string 1 of a tensor starts at byte 15"},
    {5, {2, 16, 18, 21, 0}, "string 2 of a tensor starts at byte 21 of 20"},
    {5, {2, 16, 0x80000000, 20, 0}, "string 1 of a tensor starts at byte -2147483648"},
};

static void strings_are_checked_before_they_are_read(void** state) {
    (void)state;
    static const int32_t positions[] = {1, 0};
    static const TfLiteGatherParams params = {.axis = 0};
    for (size_t i = 0; i < sizeof(strings) / sizeof(*strings); i++) {
        ModelBuilder* b = builder_create();
        builder_tensor(b, (BuilderTensor){.type = kTfLiteString, .rank = 1, .dims = {2}});
        builder_tensor(
            b, (BuilderTensor){.type = kTfLiteInt32, .rank = 1, .dims = {2}, .data = positions, .bytes = 8});
        builder_tensor(b, (BuilderTensor){.type = kTfLiteString, .rank = 1, .dims = {2}});
        builder_operator(b, (BuilderOperator){.code = kTfLiteBuiltinGather,
                                              .inputs = {2, {0, 1}},
                                              .outputs = {1, {2}},
                                              .params = &params});
        builder_inputs(b, (BuilderInts){1, {0}});
        builder_outputs(b, (BuilderInts){1, {2}});
        Fixture f;
        fixture_create(&f, b, NULL);
        assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
        TfLiteTensor* input = lite_subgraph_tensor(f.graph, 0);
        const size_t bytes = 4 * (size_t)strings[i].words;
        assert_int_equal(TfLiteTensorRealloc(bytes, input), kTfLiteOk);
        memcpy(input->data.raw, strings[i].contents, bytes);
        assert_int_equal(lite_subgraph_invoke(f.graph),
                         strings[i].message != NULL ? kTfLiteError : kTfLiteOk);
        if (strings[i].message != NULL) fixture_expect_message(&f, strings[i].message);
        fixture_destroy(&f);
    }
}

// Windows and padding are numbers that need no memory.
static void windows_that_would_take_too_long_are_refused(void** state) {
    (void)state;
    static const float zero;
    TfLiteStablehloReduceWindowParams params = {.body_subgraph_index = 1};
    for (int i = 0; i < TFLITE_STABLEHLO_REDUCE_WINDOW_PARAMS_MAX_DIMENSION_COUNT; i++) {
        params.window_dimensions[i] = i > 0 ? 1 : (1 << 30) - 1000;
        params.window_strides[i] = params.base_dilations[i] = params.window_dilations[i] = 1;
        params.padding[2 * i] = params.padding[2 * i + 1] = i > 0 ? 0 : 1 << 29;
    }
    const BuilderTensor scalar = {.type = kTfLiteFloat32};
    ModelBuilder* b = builder_create();
    const int x = fixture_tensor(b, 4), y = fixture_tensor(b, 4);
    const int initial = builder_tensor(b, (BuilderTensor){.type = kTfLiteFloat32, .data = &zero, .bytes = 4});
    builder_operator(b, (BuilderOperator){.code = kTfLiteBuiltinStablehloReduceWindow,
                                          .inputs = {2, {x, initial}},
                                          .outputs = {1, {y}},
                                          .params = &params});
    builder_inputs(b, (BuilderInts){1, {x}});
    builder_outputs(b, (BuilderInts){1, {y}});
    builder_subgraph(b, "sum");
    const int left = builder_tensor(b, scalar), right = builder_tensor(b, scalar),
              sum = builder_tensor(b, scalar);
    builder_operator(b, (BuilderOperator){.code = kTfLiteBuiltinStablehloAdd,
                                          .inputs = {2, {left, right}},
                                          .outputs = {1, {sum}}});
    builder_inputs(b, (BuilderInts){2, {left, right}});
    builder_outputs(b, (BuilderInts){1, {sum}});
    Fixture f;
    fixture_create(&f, b, NULL);
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteError);
    fixture_expect_message(&f, "STABLEHLO_REDUCE_WINDOW: windows of 1.07374e+09 elements at 1005 places");
    fixture_destroy(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(graphs_that_contain_themselves_are_refused),
        cmocka_unit_test(bodies_that_are_the_graph_itself_are_refused),
        cmocka_unit_test(preparing_without_end_is_refused),
        cmocka_unit_test(an_endless_loop_can_be_cancelled),
        cmocka_unit_test(a_condition_that_nothing_writes_is_refused),
        cmocka_unit_test(inputs_that_nodes_write_keep_their_size),
        cmocka_unit_test(the_limit_is_what_tensors_need),
        cmocka_unit_test(inputs_count),
        cmocka_unit_test(outputs_sized_in_an_inference_count),
        cmocka_unit_test(what_operators_take_counts),
        cmocka_unit_test(the_machine_is_the_limit),
        cmocka_unit_test(options_carry_the_limit),
        cmocka_unit_test(very_many_subgraphs_take_little),
        cmocka_unit_test(strings_are_checked_before_they_are_read),
        cmocka_unit_test(windows_that_would_take_too_long_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
