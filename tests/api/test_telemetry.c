// SPDX-License-Identifier: Apache-2.0
// What a telemetry profiler is told: settings, nodes, ends of invokes and of delegates' application.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/memory.h"
#include "oclite/opencl.h"
#include "tensorflow/lite/c/c_api_opaque.h"
#include "tensorflow/lite/profiling/telemetry/c/profiler.h"
#include "tests/api/cmocka_setup.h"
#include "tests/api/fixture.h"
#include "tests/support/model_builder.h"

// A profiler that writes down what it is told, a line each.
typedef struct Profiler {
    TfLiteTelemetryProfilerStruct base;
    char log[4096];
    uint32_t next_event;
    const void* interpreter_settings;
} Profiler;

static void write_down(Profiler* profiler, const char* format, ...) {
    const size_t used = strlen(profiler->log);
    va_list args;
    va_start(args, format);
    vsnprintf(profiler->log + used, sizeof profiler->log - used, format, args);
    va_end(args);
}

static void report_event(TfLiteTelemetryProfilerStruct* base, const char* event_name, uint64_t status) {
    assert_int_equal(status >> 32, 1); // the interpreter
    write_down(base->data, "%s: %u\n", event_name, (unsigned)status);
}

static void report_settings(TfLiteTelemetryProfilerStruct* base, const char* name,
                            const TfLiteTelemetrySettings* settings) {
    Profiler* profiler = base->data;
    write_down(profiler, "settings %s of %u", name, settings->source);
    if (settings->source == 1) profiler->interpreter_settings = settings->data;
    if (settings->source == 3) {
        const TfLiteTelemetryGpuDelegateSettings* gpu = settings->data;
        write_down(profiler, ", %zu nodes, backend %d",
                   TfLiteTelemetryGpuDelegateSettingsGetNumNodesDelegated(gpu),
                   TfLiteTelemetryGpuDelegateSettingsGetBackend(gpu));
    }
    write_down(profiler, "\n");
}

static uint32_t report_begin(TfLiteTelemetryProfilerStruct* base, const char* op_name, int64_t op,
                             int64_t subgraph) {
    Profiler* profiler = base->data;
    if (profiler->next_event == UINT32_MAX) return UINT32_MAX;
    write_down(profiler, "begin %u: %s %d of %d\n", profiler->next_event, op_name, (int)op, (int)subgraph);
    return profiler->next_event++;
}

static void report_end(TfLiteTelemetryProfilerStruct* base, uint32_t event) {
    write_down(base->data, "end %u\n", event);
}

static Profiler* create_profiler(void) {
    Profiler* profiler = calloc(1, sizeof *profiler);
    assert_non_null(profiler);
    profiler->base = (TfLiteTelemetryProfilerStruct){.data = profiler,
                                                     .ReportTelemetryEvent = report_event,
                                                     .ReportSettings = report_settings,
                                                     .ReportBeginOpInvokeEvent = report_begin,
                                                     .ReportEndOpInvokeEvent = report_end};
    return profiler;
}

static int reset(void** state) {
    (void)state;
    fixture_reset();
    return 0;
}

// An interpreter with the profiler and, unless NULL, the delegate. The model is released at once.
static TfLiteInterpreter* create(TfLiteModel* model, Profiler* profiler, TfLiteDelegate* delegate) {
    assert_non_null(model);
    TfLiteInterpreterOptions* options = fixture_options();
    TfLiteInterpreterOptionsSetTelemetryProfiler(options, &profiler->base);
    TfLiteInterpreterOptionsAddDelegate(options, delegate);
    TfLiteInterpreterOptions* copy = TfLiteInterpreterOptionsCopy(options);
    TfLiteInterpreterOptionsDelete(options);
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, copy);
    TfLiteInterpreterOptionsDelete(copy);
    TfLiteModelDelete(model);
    assert_non_null(interpreter);
    return interpreter;
}

#define CREATED "settings InterpreterBuilder::operator() of 1\n"

static void nodes_and_invokes_are_reported(void** state) {
    (void)state;
    Profiler* profiler = create_profiler();
    TfLiteInterpreter* interpreter = create(fixture_model(2), profiler, NULL);
    fixture_check_run(interpreter, 4.0f);
    assert_string_equal(profiler->log, CREATED "begin 0: Twice 0 of 0\nend 0\nbegin 1: Twice 1 of 0\nend 1\n"
                                               "Invoke: 0\n");
    TfLiteInterpreterDelete(interpreter);
    free(profiler);
}

static void failures_are_reported(void** state) {
    (void)state;
    Profiler* profiler = create_profiler();
    TfLiteInterpreter* interpreter = create(fixture_model(1), profiler, NULL);
    assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteError); // not allocated yet
    assert_string_equal(profiler->log, CREATED "Invoke: 1\n");
    TfLiteInterpreterDelete(interpreter);
    free(profiler);
}

static void functions_may_be_absent(void** state) {
    (void)state;
    Profiler* profiler = create_profiler();
    profiler->base = (TfLiteTelemetryProfilerStruct){.data = profiler};
    TfLiteInterpreter* interpreter = create(fixture_model(1), profiler, NULL);
    fixture_check_run(interpreter, 2.0f);
    TfLiteInterpreterDelete(interpreter);
    profiler->base.ReportBeginOpInvokeEvent = report_begin;
    interpreter = create(fixture_model(1), profiler, NULL);
    fixture_check_run(interpreter, 2.0f);
    TfLiteInterpreterDelete(interpreter);
    assert_string_equal(profiler->log, "begin 0: Twice 0 of 0\n");
    free(profiler);
}

static void no_end_for_an_event_that_wants_none(void** state) {
    (void)state;
    Profiler* profiler = create_profiler();
    profiler->next_event = UINT32_MAX;
    TfLiteInterpreter* interpreter = create(fixture_model(1), profiler, NULL);
    fixture_check_run(interpreter, 2.0f);
    assert_string_equal(profiler->log, CREATED "Invoke: 0\n");
    TfLiteInterpreterDelete(interpreter);
    free(profiler);
}

// A model from the builder, whose bytes go with the test program.
static TfLiteModel* load(ModelBuilder* builder) {
    static uint8_t* bytes;
    size_t size;
    free(bytes);
    bytes = builder_finish(builder, &size);
    return TfLiteModelCreateWithErrorReporter(bytes, size, fixture_report, NULL);
}

static const BuilderTensor kFloats = {.type = kTfLiteFloat32, .rank = 1, .dims = {kLength}};

static void add_branch(ModelBuilder* builder) {
    builder_subgraph(builder, "branch");
    const int x = builder_tensor(builder, kFloats);
    const int y = builder_tensor(builder, kFloats);
    builder_operator(builder,
                     (BuilderOperator){.custom_name = "Twice", .inputs = {1, {x}}, .outputs = {1, {y}}});
    builder_inputs(builder, (BuilderInts){1, {x}});
    builder_outputs(builder, (BuilderInts){1, {y}});
}

static void control_flow_encloses_its_nodes(void** state) {
    (void)state;
    static const TfLiteIfParams params = {1, 2};
    static const bool yes = true;
    ModelBuilder* builder = builder_create();
    const int x = builder_tensor(builder, kFloats);
    const int condition =
        builder_tensor(builder, (BuilderTensor){.type = kTfLiteBool, .data = &yes, .bytes = 1});
    const int y = builder_tensor(builder, kFloats);
    builder_operator(builder, (BuilderOperator){.code = kTfLiteBuiltinIf,
                                                .inputs = {2, {condition, x}},
                                                .outputs = {1, {y}},
                                                .params = &params});
    builder_inputs(builder, (BuilderInts){1, {x}});
    builder_outputs(builder, (BuilderInts){1, {y}});
    add_branch(builder);
    add_branch(builder);
    Profiler* profiler = create_profiler();
    TfLiteInterpreter* interpreter = create(load(builder), profiler, NULL);
    fixture_check_run(interpreter, 2.0f);
    assert_string_equal(profiler->log,
                        CREATED "begin 0: IF 0 of 0\nbegin 1: Twice 0 of 1\nend 1\nInvoke: 0\nend 0\n"
                                "Invoke: 0\n");
    TfLiteInterpreterDelete(interpreter);
    free(profiler);
}

// Settings of the model.

// What converters store: {environment, options {model_optimization_modes}}.
static uint8_t* conversion_metadata(const int32_t* modes, size_t count, size_t* size) {
    LiteTree* tree = lite_tree_create();
    LiteTreeTable* environment = lite_tree_child(lite_tree_root(tree), 0);
    lite_tree_string(environment, 0, "2.21.0");
    LiteTreeTable* options = lite_tree_child(lite_tree_root(tree), 1);
    lite_tree_vector(options, 0, modes, count, sizeof *modes, 4);
    return flat_finish(tree, "NONE", size);
}

static TfLiteModel* quantized_model(const void* metadata, size_t bytes) {
    static const TfLiteAddParams params = {.activation = kTfLiteActNone};
    const BuilderTensor quantized = {
        .type = kTfLiteInt8, .rank = 1, .dims = {kLength}, .scale = 0.5f, .zero_point = -3};
    ModelBuilder* builder = builder_create();
    const int x = builder_tensor(builder, quantized);
    const int y = builder_tensor(builder, quantized);
    builder_tensor(builder, kFloats);
    builder_operator(builder, (BuilderOperator){.code = kTfLiteBuiltinAdd,
                                                .inputs = {2, {x, x}},
                                                .outputs = {1, {y}},
                                                .params = &params});
    builder_inputs(builder, (BuilderInts){1, {x}});
    builder_outputs(builder, (BuilderInts){1, {y}});
    if (metadata != NULL) builder_metadata(builder, "CONVERSION_METADATA", metadata, bytes);
    add_branch(builder);
    return load(builder);
}

static void settings_tell_of_the_model(void** state) {
    (void)state;
    static const int32_t modes[] = {1003, 2000};
    size_t size;
    uint8_t* metadata = conversion_metadata(modes, 2, &size);
    Profiler* profiler = create_profiler();
    TfLiteInterpreter* interpreter = create(quantized_model(metadata, size), profiler, NULL);
    const TfLiteTelemetryInterpreterSettings* settings = profiler->interpreter_settings;
    const TfLiteTelemetryConversionMetadata* conversion =
        TfLiteTelemetryInterpreterSettingsGetConversionMetadata(settings);
    assert_int_equal(TfLiteTelemetryConversionMetadataGetNumModelOptimizationModes(conversion), 2);
    assert_memory_equal(TfLiteTelemetryConversionMetadataGetModelOptimizationModes(conversion), modes,
                        sizeof modes);
    assert_int_equal(TfLiteTelemetryInterpreterSettingsGetNumSubgraphInfo(settings), 2);
    TfLiteTelemetrySubgraphInfo* info =
        (TfLiteTelemetrySubgraphInfo*)TfLiteTelemetryInterpreterSettingsGetSubgraphInfo(settings);
    assert_int_equal(TfLiteTelemetrySubgraphInfoGetNumQuantizations(info), 3);
    const TfLiteQuantization* quantizations = TfLiteTelemetrySubgraphInfoGetQuantizations(info);
    assert_int_equal(quantizations[1].type, kTfLiteAffineQuantization);
    const TfLiteAffineQuantization* affine = quantizations[1].params;
    assert_float_equal(affine->scale->data[0], 0.5f, 0.0f);
    assert_int_equal(affine->zero_point->data[0], -3);
    assert_int_equal(quantizations[2].type, kTfLiteNoQuantization);
    TfLiteInterpreterDelete(interpreter);
    free(profiler);
    free(metadata);
}

// Whatever is in the metadata, the model runs; what cannot be read is not there.
static void broken_conversion_metadata_counts_as_none(void** state) {
    (void)state;
    static const int32_t modes[] = {1003};
    size_t size;
    uint8_t* metadata = conversion_metadata(modes, 1, &size);
    Profiler* profiler = create_profiler();
    for (size_t bytes = 0; bytes < size; bytes++) {
        TfLiteInterpreter* interpreter = create(quantized_model(metadata, bytes), profiler, NULL);
        const TfLiteTelemetryConversionMetadata* conversion =
            TfLiteTelemetryInterpreterSettingsGetConversionMetadata(profiler->interpreter_settings);
        const size_t count = TfLiteTelemetryConversionMetadataGetNumModelOptimizationModes(conversion);
        assert_true(count == 0 || (count == 1 && bytes >= 4));
        TfLiteInterpreterDelete(interpreter);
        profiler->log[0] = '\0';
        fixture_reset();
    }
    TfLiteInterpreterDelete(create(quantized_model(NULL, 0), profiler, NULL));
    free(profiler);
    free(metadata);
}

static void running_out_of_memory_is_an_error(void** state) {
    (void)state;
    static const int32_t modes[] = {1003};
    size_t size;
    uint8_t* metadata = conversion_metadata(modes, 1, &size);
    Profiler* profiler = create_profiler();
    TfLiteModel* model = quantized_model(metadata, size);
    TfLiteInterpreterOptions* options = fixture_options();
    TfLiteInterpreterOptionsSetTelemetryProfiler(options, &profiler->base);
    TfLiteInterpreter* interpreter = NULL;
    int failures = 0;
    while (interpreter == NULL) {
        profiler->log[0] = '\0';
        lite_memory_fail_after(failures++);
        interpreter = TfLiteInterpreterCreate(model, options);
        lite_memory_fail_after(-1);
        assert_true(failures < 1000);
    }
    assert_true(failures > 10);
    assert_string_equal(profiler->log, CREATED);
    TfLiteInterpreterDelete(interpreter);
    TfLiteInterpreterOptionsDelete(options);
    TfLiteModelDelete(model);
    free(profiler);
    free(metadata);
}

static void nothing_is_in_nothing(void** state) {
    (void)state;
    assert_null(TfLiteTelemetryInterpreterSettingsGetConversionMetadata(NULL));
    assert_null(TfLiteTelemetryConversionMetadataGetModelOptimizationModes(NULL));
    assert_int_equal(TfLiteTelemetryConversionMetadataGetNumModelOptimizationModes(NULL), 0);
    assert_int_equal(TfLiteTelemetryInterpreterSettingsGetNumSubgraphInfo(NULL), 0);
    assert_null(TfLiteTelemetryInterpreterSettingsGetSubgraphInfo(NULL));
    assert_int_equal(TfLiteTelemetrySubgraphInfoGetNumQuantizations(NULL), 0);
    assert_null(TfLiteTelemetrySubgraphInfoGetQuantizations(NULL));
    assert_int_equal(TfLiteTelemetryGpuDelegateSettingsGetNumNodesDelegated(NULL), 0);
    assert_int_equal(TfLiteTelemetryGpuDelegateSettingsGetBackend(NULL), 0);
    TfLiteInterpreterOptionsSetTelemetryProfiler(NULL, NULL);
}

// Delegates.

static TfLiteStatus double_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    TfLiteIntArray* shape = TfLiteIntArrayCreate(1);
    shape->data[0] = kLength;
    return TfLiteOpaqueContextResizeTensor(context, TfLiteOpaqueNodeGetOutput(context, node, 0), shape);
}

static TfLiteStatus double_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const float* x = TfLiteOpaqueTensorData(TfLiteOpaqueNodeGetInput(context, node, 0));
    float* y = TfLiteOpaqueTensorData(TfLiteOpaqueNodeGetOutput(context, node, 0));
    for (int i = 0; i < kLength; i++) y[i] = 2.0f * x[i];
    return kTfLiteOk;
}

// Takes all nodes; refuses when `data` is not NULL.
static TfLiteStatus take_all(TfLiteOpaqueContext* context, TfLiteOpaqueDelegate* delegate, void* data) {
    TfLiteIntArray* plan;
    if (data != NULL) return kTfLiteError;
    TF_LITE_OPAQUE_ENSURE_STATUS(TfLiteOpaqueContextGetExecutionPlan(context, &plan));
    TfLiteOperator* kernel = TfLiteOperatorCreate(kTfLiteBuiltinDelegate, "Doubler", 1);
    TfLiteOperatorSetPrepare(kernel, double_prepare);
    TfLiteOperatorSetInvoke(kernel, double_invoke);
    return TfLiteOpaqueContextReplaceNodeSubsetsWithDelegateKernels(context, kernel, plan, delegate);
}

static void check_delegate(TfLiteOpaqueDelegateBuilder builder, const char* expected) {
    TfLiteOpaqueDelegate* delegate = TfLiteOpaqueDelegateCreate(&builder);
    Profiler* profiler = create_profiler();
    TfLiteInterpreter* interpreter = create(fixture_model(1), profiler, delegate);
    fixture_check_run(interpreter, 2.0f);
    assert_string_equal(profiler->log, expected);
    TfLiteInterpreterDelete(interpreter);
    TfLiteOpaqueDelegateDelete(delegate);
    free(profiler);
}

static void delegates_are_reported(void** state) {
    (void)state;
    check_delegate((TfLiteOpaqueDelegateBuilder){.Prepare = take_all},
                   CREATED "ModifyGraphWithDelegate: 0\nbegin 0: Doubler 1 of 0\nend 0\nInvoke: 0\n");
}

static void refusals_are_reported(void** state) {
    (void)state;
    static int refuse;
    const TfLiteOpaqueDelegateBuilder builder = {.Prepare = take_all, .data = &refuse};
    TfLiteOpaqueDelegate* delegate = TfLiteOpaqueDelegateCreate(&builder);
    Profiler* profiler = create_profiler();
    TfLiteInterpreter* interpreter = create(fixture_model(1), profiler, NULL);
    assert_int_equal(TfLiteInterpreterModifyGraphWithDelegate(interpreter, delegate), kTfLiteDelegateError);
    assert_string_equal(profiler->log, CREATED "ModifyGraphWithDelegate: 2\n");
    TfLiteInterpreterDelete(interpreter);
    TfLiteOpaqueDelegateDelete(delegate);
    free(profiler);
}

static void kernels_that_profile_operators_are_not_counted_twice(void** state) {
    (void)state;
    check_delegate(
        (TfLiteOpaqueDelegateBuilder){.Prepare = take_all, .flags = kTfLiteDelegateFlagsPerOperatorProfiling},
        CREATED "ModifyGraphWithDelegate: 0\nInvoke: 0\n");
}

static void opencl_reports_what_it_takes(void** state) {
    (void)state;
    TfLiteDelegate* delegate = oclite_opencl_delegate_create(NULL);
    if (delegate == NULL) {
        printf("%s\n", oclite_opencl_last_error());
        skip();
    }
    Profiler* profiler = create_profiler();
    TfLiteInterpreter* interpreter = create(fixture_add_model(), profiler, delegate);
    fixture_check_run(interpreter, 2.0f);
    assert_string_equal(profiler->log,
                        CREATED "settings GpuDelegateKernel::Prepare of 3, 1 nodes, backend 1\n"
                                "settings GpuDelegate::DelegatePrepare of 3, 1 nodes, backend 1\n"
                                "ModifyGraphWithDelegate: 0\nbegin 0: OpenCL 1 of 0\nend 0\nInvoke: 0\n");
    TfLiteInterpreterDelete(interpreter);
    oclite_opencl_delegate_delete(delegate);
    free(profiler);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(nodes_and_invokes_are_reported, reset),
        cmocka_unit_test_teardown(failures_are_reported, reset),
        cmocka_unit_test_teardown(functions_may_be_absent, reset),
        cmocka_unit_test_teardown(no_end_for_an_event_that_wants_none, reset),
        cmocka_unit_test_teardown(control_flow_encloses_its_nodes, reset),
        cmocka_unit_test_teardown(settings_tell_of_the_model, reset),
        cmocka_unit_test_teardown(broken_conversion_metadata_counts_as_none, reset),
        cmocka_unit_test_teardown(running_out_of_memory_is_an_error, reset),
        cmocka_unit_test(nothing_is_in_nothing),
        cmocka_unit_test_teardown(delegates_are_reported, reset),
        cmocka_unit_test_teardown(refusals_are_reported, reset),
        cmocka_unit_test_teardown(kernels_that_profile_operators_are_not_counted_twice, reset),
        cmocka_unit_test_teardown(opencl_reports_what_it_takes, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
