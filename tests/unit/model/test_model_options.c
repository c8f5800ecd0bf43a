// SPDX-License-Identifier: Apache-2.0
// Operators' options to TfLite*Params: every row of every table once, and what is special about some.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/model/model.h"
#include "core/model/open.h"
#include "core/model/options.h"
#include "core/model/schema.h"
#include "tests/support/model_builder.h"

enum { kMaxParams = 512, kSubgraphs = 3 };

static char message[512];

static void record(void* user_data, const char* format, va_list args) {
    (void)user_data;
    vsnprintf(message, sizeof(message), format, args);
}

// A model whose only operator has `code` and `params`, with three subgraphs for indices to point at.
static ModelBuilder* model_of(int code, const void* params) {
    ModelBuilder* b = builder_create();
    builder_subgraph(b, "one");
    builder_subgraph(b, "two");
    builder_operator(b, (BuilderOperator){.code = (TfLiteBuiltinOperator)code, .params = params});
    return b;
}

// Loads and releases the bytes; the model must not outlive *bytes.
static LiteModel* load(ModelBuilder* b, uint8_t** bytes) {
    size_t size;
    const LiteReporter reporter = {.report = record};
    message[0] = 0;
    *bytes = builder_finish(b, &size);
    return lite_model_create(*bytes, size, &reporter);
}

static const void* params_of(const LiteModel* model) {
    return lite_model_subgraph(model, kSubgraphs - 1)->operators[0].builtin_data;
}

// Fills every member with a value that differs from its default and from its neighbours'.
static void fill_member(const LiteFlatField* field, int id, uint8_t* params) {
    static const float floats[] = {1.5f, 2.5f};
    static const char text[] = "text";
    const LiteParam* param = &field->param;
    int64_t value = 3 + id;
    const void* pointer = param->kind == kLiteParamText ? (const void*)text : (const void*)floats;
    const uint64_t count = 2;
    memcpy(params + param->count_offset, &count, param->count_size);
    switch (param->kind) {
    case kLiteParamBool:
        value = !param->preset;
        break;
    case kLiteParamEnum:
        value = param->limit + param->preset;
        break;
    case kLiteParamType:
        value = kTfLiteInt16;
        break;
    case kLiteParamSubgraph:
        value = 1 + id % 2;
        break;
    case kLiteParamText:
    case kLiteParamFloatPointer:
    case kLiteParamBytePointer:
        memcpy(params + param->offset, &pointer, sizeof(pointer));
        return;
    case kLiteParamInts:
    case kLiteParamLongs:
    case kLiteParamSubgraphs: {
        const size_t length = param->count_size != 0 ? count : (size_t)param->size / field->width;
        for (size_t i = 0; i < length; i++) {
            value = param->kind == kLiteParamSubgraphs ? (int64_t)i : 3 + id + (int64_t)i;
            memcpy(params + param->offset + i * field->width, &value, field->width);
        }
        return;
    }
    default:
        break;
    }
    memcpy(params + param->offset, &value, param->size);
}

static void expect_member(const LiteFlatField* field, const uint8_t* expected, const uint8_t* actual) {
    const LiteParam* param = &field->param;
    const char *a, *b;
    memcpy(&a, expected + param->offset, sizeof(a));
    memcpy(&b, actual + param->offset, sizeof(b));
    assert_memory_equal(expected + param->count_offset, actual + param->count_offset, param->count_size);
    switch (param->kind) {
    case kLiteParamText:
        assert_string_equal(a, b);
        return;
    case kLiteParamFloatPointer:
        assert_memory_equal(a, b, 2 * sizeof(float));
        return;
    case kLiteParamBytePointer:
        assert_memory_equal(a, b, 2);
        return;
    default:
        assert_memory_equal(expected + param->offset, actual + param->offset, param->size);
    }
}

static void every_row_comes_through(void** state) {
    (void)state;
    int operators = 0;
    for (int code = 0; code < LITE_SCHEMA_OPERATORS; code++) {
        bool in_second;
        const LiteFlatSchema* schema = lite_options_of(code, &in_second);
        if (schema == NULL) continue;
        uint8_t params[kMaxParams] = {0};
        assert_true(schema->params_size <= sizeof(params));
        for (int id = 0; id < schema->field_count; id++) {
            if (schema->fields[id].param.kind != kLiteParamNone) fill_member(&schema->fields[id], id, params);
        }
        uint8_t* bytes;
        LiteModel* model = load(model_of(code, params), &bytes);
        assert_string_equal(message, "");
        assert_non_null(model);
        for (int id = 0; id < schema->field_count; id++) {
            if (schema->fields[id].param.kind != kLiteParamNone) {
                expect_member(&schema->fields[id], params, params_of(model));
            }
        }
        lite_model_release(model);
        free(bytes);
        operators++;
    }
    assert_int_equal(operators, 78);
}

static void operators_without_parameters_have_none(void** state) {
    (void)state;
    bool in_second;
    assert_null(lite_options_of(-1, &in_second));
    assert_null(lite_options_of(LITE_SCHEMA_OPERATORS, &in_second));
    uint8_t* bytes;
    LiteModel* model = load(model_of(kTfLiteBuiltinRelu, NULL), &bytes);
    assert_non_null(model);
    assert_null(params_of(model));
    lite_model_release(model);
    free(bytes);
}

static LiteTreeTable* options_of(ModelBuilder* b, int union_id) {
    return lite_tree_at(builder_operator_table(b, 0), union_id, 0);
}

// The tables' own defaults, where they are not 0: what a writer leaves out.
static void absent_fields_have_their_defaults(void** state) {
    (void)state;
    static const TfLiteConvParams conv = {.padding = kTfLitePaddingValid,
                                          .quantized_bias_type = kTfLiteInt32};
    ModelBuilder* b = model_of(kTfLiteBuiltinConv2d, &conv);
    for (int id = 0; id < 7; id++) lite_tree_remove(options_of(b, kOperatorBuiltinOptions), id);
    uint8_t* bytes;
    LiteModel* model = load(b, &bytes);
    assert_non_null(model);
    const TfLiteConvParams* params = params_of(model);
    assert_int_equal(params->padding, kTfLitePaddingSame);
    assert_int_equal(params->stride_width, 0);
    assert_int_equal(params->dilation_height_factor, 1);
    assert_int_equal(params->quantized_bias_type, kTfLiteFloat32);
    lite_model_release(model);
    free(bytes);
}

static void windows_have_strides_of_one(void** state) {
    (void)state;
    static const TfLiteStablehloReduceWindowParams window = {.window_dimensions = {1}};
    static const int64_t dimensions[] = {2, 3};
    ModelBuilder* b = model_of(kTfLiteBuiltinStablehloReduceWindow, &window);
    LiteTreeTable* options = options_of(b, kOperatorBuiltinOptions2);
    lite_tree_vector(options, 0, dimensions, 2, 8, 8);
    for (int id = 1; id < 5; id++) lite_tree_remove(options, id);
    uint8_t* bytes;
    LiteModel* model = load(b, &bytes);
    assert_string_equal(message, "");
    assert_non_null(model);
    const TfLiteStablehloReduceWindowParams* params = params_of(model);
    assert_int_equal(params->window_dimensions[1], 3);
    assert_int_equal(params->window_dimensions[2], 0);
    assert_int_equal(params->window_strides[1], 1);
    assert_int_equal(params->base_dilations[0], 1);
    assert_int_equal(params->window_dilations[1], 1);
    assert_int_equal(params->padding[3], 0);
    lite_model_release(model);
    free(bytes);
}

static void text_may_be_absent(void** state) {
    (void)state;
    static const TfLiteVarHandleParams handle = {.shared_name = "counter"};
    uint8_t* bytes;
    LiteModel* model = load(model_of(kTfLiteBuiltinVarHandle, &handle), &bytes);
    assert_non_null(model);
    const TfLiteVarHandleParams* params = params_of(model);
    assert_null(params->container);
    assert_string_equal(params->shared_name, "counter");
    lite_model_release(model);
    free(bytes);
}

static void operators_say_what_they_call(void** state) {
    (void)state;
    static const TfLiteStablehloCaseParams branches = {{2, 0, 1}, 3};
    static const TfLiteIfParams branch = {1, 2};
    static const TfLiteWhileParams loop = {2, 1};
    static const TfLiteCallOnceParams once = {1};
    static const TfLiteStablehloCompositeParams composite = {.subgraph_index = 2};
    static const struct {
        int code;
        const void* params;
        int count;
        int calls[3];
    } cases[] = {{kTfLiteBuiltinIf, &branch, 2, {1, 2}},
                 {kTfLiteBuiltinWhile, &loop, 2, {2, 1}},
                 {kTfLiteBuiltinCallOnce, &once, 1, {1}},
                 {kTfLiteBuiltinStablehloComposite, &composite, 1, {2}},
                 {kTfLiteBuiltinStablehloCase, &branches, 3, {2, 0, 1}},
                 {kTfLiteBuiltinRelu, NULL, 0, {0}},
                 {kTfLiteBuiltinReshape, NULL, 0, {0}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t* bytes;
        LiteModel* model = load(model_of(cases[i].code, cases[i].params), &bytes);
        assert_non_null(model);
        const LiteModelOperator* op = &lite_model_subgraph(model, kSubgraphs - 1)->operators[0];
        for (int k = 0; k < cases[i].count; k++) {
            assert_int_equal(lite_options_callee(op, k), cases[i].calls[k]);
        }
        assert_int_equal(lite_options_callee(op, cases[i].count), -1);
        lite_model_release(model);
        free(bytes);
    }
}

// Faults: a field of the options is removed (count -1) or becomes a vector or a scalar (width below 0).
typedef struct Fault {
    int code;
    int field;
    int count;
    int width;
    int64_t value; // of the scalar, or of every element
    const char* expected;
} Fault;

static const Fault faults[] = {
    {kTfLiteBuiltinReshape, 0, 9, 4, 1, "ReshapeOptions.new_shape has 9 elements, at most 8 can be used"},
    {kTfLiteBuiltinSqueeze, 0, 9, 4, 1, "SqueezeOptions.squeeze_dims has 9 elements"},
    {kTfLiteBuiltinConv2d, 0, 0, -1, 2,
     "operator 0 (CONV_2D): Conv2DOptions.padding is 2, which is not known"},
    {kTfLiteBuiltinCast, 1, 0, -1, 23, "CastOptions.out_data_type is 23, which is not known"},
    {kTfLiteBuiltinLstm, 3, 0, -1, 2, "LSTMOptions.kernel_type is 2"},
    {kTfLiteBuiltinMirrorPad, 0, 0, -1, 255, "MirrorPadOptions.mode is -1"},
    {kTfLiteBuiltinReduceWindow, 0, 0, -4, 7, "ReduceWindowOptions.reduce_function is 7"},
    {kTfLiteBuiltinWhile, 1, 0, -4, 3,
     "WhileOptions.body_subgraph_index is 3, but the model has 3 subgraphs"},
    {kTfLiteBuiltinIf, 0, 0, -4, -1, "IfOptions.then_subgraph_index is -1"},
    {kTfLiteBuiltinStablehloCase, 0, 21, 4, 1, "branch_subgraph_indices has 21 elements, at most 20"},
    {kTfLiteBuiltinStablehloCase, 0, 2, 4, 3, "branch_subgraph_indices is 3, but the model has 3 subgraphs"},
    {kTfLiteBuiltinBucketize, 0, -1, 0, 0, "BucketizeOptions.boundaries is missing"},
    {kTfLiteBuiltinStablehloPad, 1, -1, 0, 0, "StablehloPadOptions.edge_padding_high is missing"},
    {kTfLiteBuiltinStablehloPad, 2, 7, 8, 0,
     "StablehloPadOptions.interior_padding has 7 elements, expected 8"},
    {kTfLiteBuiltinStablehloReduceWindow, 0, -1, 0, 0, "window_dimensions is missing"},
    {kTfLiteBuiltinStablehloReduceWindow, 4, 15, 8, 0, "padding has 15 elements, expected 16"},
    {kTfLiteBuiltinStablehloGather, 4, 9, 8, 0, "slice_sizes has 9 elements, at most 8"},
};

static void faults_are_named(void** state) {
    (void)state;
    static const uint8_t zeros[kMaxParams];
    for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
        const Fault* fault = &faults[i];
        uint8_t elements[24 * 8] = {0};
        for (int k = 0; k < fault->count; k++) {
            memcpy(elements + k * fault->width, &fault->value, (size_t)fault->width);
        }
        bool in_second;
        ModelBuilder* b = model_of(fault->code, zeros);
        lite_options_of(fault->code, &in_second);
        LiteTreeTable* options =
            options_of(b, in_second ? kOperatorBuiltinOptions2 : kOperatorBuiltinOptions);
        if (fault->width < 0)
            lite_tree_scalar(options, fault->field, -fault->width, (uint64_t)fault->value);
        else if (fault->count < 0)
            lite_tree_remove(options, fault->field);
        else
            lite_tree_vector(options, fault->field, elements, (size_t)fault->count, (size_t)fault->width, 8);
        uint8_t* bytes;
        LiteModel* model = load(b, &bytes);
        if (strstr(message, fault->expected) == NULL) assert_string_equal(message, fault->expected);
        assert_null(model);
        free(bytes);
    }
}

static void options_that_must_be_there_are_asked_for(void** state) {
    (void)state;
    uint8_t* bytes;
    assert_null(load(model_of(kTfLiteBuiltinStablehloPad, NULL), &bytes));
    assert_non_null(strstr(message, "operator 0 (STABLEHLO_PAD): its StablehloPadOptions are missing"));
    free(bytes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_row_comes_through),
        cmocka_unit_test(operators_without_parameters_have_none),
        cmocka_unit_test(absent_fields_have_their_defaults),
        cmocka_unit_test(windows_have_strides_of_one),
        cmocka_unit_test(text_may_be_absent),
        cmocka_unit_test(operators_say_what_they_call),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(options_that_must_be_there_are_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
