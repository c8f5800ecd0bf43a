// SPDX-License-Identifier: Apache-2.0
// Times of kernels that OpenCL's events give, as a program's profilers receive them: by the nodes of the
// model, beside those that the CPU computes.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclite/oclite.h"
#include "oclite/opencl.h"
#include "tensorflow/lite/c/c_api_experimental.h"
#include "tensorflow/lite/profiling/telemetry/c/profiler.h"
#include "tests/api/cmocka_setup.h"
#include "tests/support/model_builder.h"

enum { kNodes = 4, kPartitions = 2, kRows = 1 << 14, kColumns = 4 };

// ABS -> EXP -> SUM -> ADD, of which the CPU is left EXP: two partitions.
static TfLiteModel* create_model(uint8_t** bytes) {
    static const int32_t axis = 0; // along rows, SUM and ADD would be one launch
    static const TfLiteReducerParams keep = {.keep_dims = true};
    static const TfLiteAddParams plain = {0};
    const BuilderTensor wide = {.type = kTfLiteFloat32, .rank = 2, .dims = {kRows, kColumns}};
    const BuilderTensor narrow = {.type = kTfLiteFloat32, .rank = 2, .dims = {1, kColumns}};
    ModelBuilder* b = builder_create();
    const int x = builder_tensor(b, wide);
    const int absolute = builder_tensor(b, wide);
    const int power = builder_tensor(b, wide);
    const int sum = builder_tensor(b, narrow);
    const int y = builder_tensor(b, wide);
    const int axes = builder_tensor(
        b,
        (BuilderTensor){.type = kTfLiteInt32, .rank = 1, .dims = {1}, .data = &axis, .bytes = sizeof axis});
    builder_operator(
        b, (BuilderOperator){.code = kTfLiteBuiltinAbs, .inputs = {1, {x}}, .outputs = {1, {absolute}}});
    builder_operator(
        b, (BuilderOperator){.code = kTfLiteBuiltinExp, .inputs = {1, {absolute}}, .outputs = {1, {power}}});
    builder_operator(b, (BuilderOperator){.code = kTfLiteBuiltinSum,
                                          .inputs = {2, {power, axes}},
                                          .outputs = {1, {sum}},
                                          .params = &keep});
    builder_operator(b, (BuilderOperator){.code = kTfLiteBuiltinAdd,
                                          .inputs = {2, {power, sum}},
                                          .outputs = {1, {y}},
                                          .params = &plain});
    builder_inputs(b, (BuilderInts){1, {x}});
    builder_outputs(b, (BuilderInts){1, {y}});
    size_t size;
    *bytes = builder_finish(b, &size);
    return TfLiteModelCreate(*bytes, size);
}

// What the program's profilers have been told, by the numbers of nodes.
typedef struct Told {
    TfLiteTelemetryProfilerStruct base;
    char ops[2 * kNodes][32];
    int device[2 * kNodes]; // calls
    uint64_t device_us[2 * kNodes];
    int host[2 * kNodes];
    uint64_t profile_ns[2 * kNodes];
    int profile[2 * kNodes];
} Told;

static void keep_name(Told* told, int64_t node, const char* name) {
    assert_in_range(node, 0, 2 * kNodes - 1);
    snprintf(told->ops[node], sizeof told->ops[node], "%s", name);
}

static void report_node(TfLiteTelemetryProfilerStruct* base, const char* op, uint64_t elapsed, int64_t node,
                        int64_t subgraph) {
    Told* told = base->data;
    assert_int_equal(subgraph, 0);
    keep_name(told, node, op);
    told->device[node]++;
    told->device_us[node] = elapsed;
}

static uint32_t report_begin(TfLiteTelemetryProfilerStruct* base, const char* op, int64_t node,
                             int64_t subgraph) {
    Told* told = base->data;
    assert_int_equal(subgraph, 0);
    keep_name(told, node, op);
    told->host[node]++;
    return UINT32_MAX;
}

static void profile_node(void* user_data, int subgraph, int node, uint64_t begin_ns, uint64_t end_ns) {
    Told* told = user_data;
    assert_int_equal(subgraph, 0);
    assert_in_range(node, 0, 2 * kNodes - 1);
    told->profile[node]++;
    told->profile_ns[node] = end_ns - begin_ns;
}

typedef struct Program {
    Told told;
    uint8_t* bytes;
    TfLiteModel* model;
    TfLiteDelegate* delegate;
    TfLiteInterpreter* interpreter;
} Program;

static void open_program(Program* program, const char* delegate_options) {
    *program = (Program){.told.base = {.data = &program->told,
                                       .ReportBeginOpInvokeEvent = report_begin,
                                       .ReportOpInvokeEvent = report_node}};
    program->model = create_model(&program->bytes);
    program->delegate = oclite_opencl_delegate_create_from_string(delegate_options);
    assert_non_null(program->delegate);
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsSetTelemetryProfiler(options, &program->told.base);
    TfLiteInterpreterOptionsAddDelegate(options, program->delegate);
    program->interpreter = TfLiteInterpreterCreate(program->model, options);
    TfLiteInterpreterOptionsDelete(options);
    assert_non_null(program->interpreter);
    oclite_interpreter_set_profile(program->interpreter, profile_node, &program->told);
    assert_int_equal(TfLiteInterpreterAllocateTensors(program->interpreter), kTfLiteOk);
    float* x = TfLiteTensorData(TfLiteInterpreterGetInputTensor(program->interpreter, 0));
    for (int i = 0; i < kRows * kColumns; i++) x[i] = 0.0f;
    assert_int_equal(TfLiteInterpreterInvoke(program->interpreter), kTfLiteOk);
    const float* y = TfLiteTensorData(TfLiteInterpreterGetOutputTensor(program->interpreter, 0));
    assert_float_equal(y[0], 1 + kRows, 0.0f);
}

static void close_program(Program* program) {
    TfLiteInterpreterDelete(program->interpreter);
    oclite_opencl_delegate_delete(program->delegate);
    TfLiteModelDelete(program->model);
    free(program->bytes);
}

static void add_kernel(void* user_data, const OcliteOpenclKernel* kernel) {
    uint64_t* nanoseconds = user_data;
    assert_in_range(kernel->nodes[0], 0, kNodes - 1);
    nanoseconds[kernel->nodes[0]] += kernel->last_ns;
}

static void events_are_told_by_the_models_nodes(void** state) {
    (void)state;
    static const char* const names[kNodes] = {"ABS", "EXP", "SUM", "ADD"};
    Program program;
    open_program(&program, "profiling=1,deny=EXP");
    const Told* told = &program.told;
    uint64_t nanoseconds[kNodes] = {0};
    oclite_opencl_delegate_profile(program.delegate, add_kernel, nanoseconds);
    for (int n = 0; n < kNodes; n++) {
        const bool on_device = n != 1;
        assert_string_equal(told->ops[n], names[n]);
        assert_int_equal(told->device[n], on_device);
        assert_int_equal(told->host[n], !on_device);
        assert_int_equal(told->device_us[n], (nanoseconds[n] + 500) / 1000);
    }
    for (int n = kNodes; n < 2 * kNodes; n++) assert_int_equal(told->device[n] + told->host[n], 0);
    close_program(&program);
}

// The interpreter's profile has the partitions as a whole: no shorter than their kernels.
static void partitions_are_told_by_their_own_nodes(void** state) {
    (void)state;
    Program program;
    open_program(&program, "profiling=1,deny=EXP");
    const Told* told = &program.told;
    uint64_t nanoseconds[kNodes] = {0};
    oclite_opencl_delegate_profile(program.delegate, add_kernel, nanoseconds);
    int partitions = 0;
    OcliteNode node;
    for (int n = 0; oclite_interpreter_node(program.interpreter, 0, n, &node) == kTfLiteOk; n++) {
        assert_int_equal(told->profile[n], node.in_plan);
        uint64_t kernels = 0;
        for (int r = 0; r < node.replaced_count; r++) kernels += nanoseconds[node.replaced[r]];
        assert_true(told->profile_ns[n] >= kernels);
        partitions += node.is_delegate;
    }
    assert_int_equal(partitions, kPartitions);
    close_program(&program);
}

// Without `profiling` there are no events: the partition is a node as others are.
static void without_profiling_partitions_are_nodes(void** state) {
    (void)state;
    Program program;
    open_program(&program, "deny=EXP");
    const Told* told = &program.told;
    OcliteNode node;
    for (int n = 0; oclite_interpreter_node(program.interpreter, 0, n, &node) == kTfLiteOk; n++) {
        assert_int_equal(told->device[n], 0);
        assert_int_equal(told->host[n], node.in_plan);
        assert_int_equal(told->profile[n], node.in_plan);
    }
    close_program(&program);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_are_told_by_the_models_nodes),
        cmocka_unit_test(partitions_are_told_by_their_own_nodes),
        cmocka_unit_test(without_profiling_partitions_are_nodes),
    };
    TfLiteDelegate* delegate = oclite_opencl_delegate_create(NULL);
    if (delegate == NULL) {
        printf("no OpenCL device: %s\n", oclite_opencl_last_error());
        return 77;
    }
    oclite_opencl_delegate_delete(delegate);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
