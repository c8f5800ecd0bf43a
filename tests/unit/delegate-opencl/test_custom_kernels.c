// SPDX-License-Identifier: Apache-2.0
// A program's own operators on an OpenCL device, and formulas on the CPU: arguments, options, shapes, faults.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "oclite/flexbuffers_writer.h"
#include "oclite/oclite.h"
#include "oclite/opencl_custom.h"
#include "tensorflow/lite/c/c_api.h"
#include "tests/support/absent.h"
#include "tests/support/delegate_host.h"
#include "tests/support/model_builder.h"

// A model of one node; the first input is the model's, others are constants.
typedef struct Model {
    const char* name;
    TfLiteBuiltinOperator code; // in place of a name
    const void* params;
    BuilderTensor inputs[3]; // those with a rank or data count
    int input_count;
    BuilderTensor output;
    const void* options;
    size_t options_size;
} Model;

static uint8_t* build(const Model* m, size_t* size) {
    ModelBuilder* b = builder_create();
    BuilderInts inputs = {0, {0}};
    for (int i = 0; i < m->input_count; i++) inputs.values[inputs.count++] = builder_tensor(b, m->inputs[i]);
    const BuilderInts output = {1, {builder_tensor(b, m->output)}};
    builder_operator(b, (BuilderOperator){.code = m->code,
                                          .custom_name = m->name,
                                          .inputs = inputs,
                                          .outputs = output,
                                          .params = m->params,
                                          .custom_options = m->options,
                                          .custom_options_size = m->options_size});
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, output);
    return builder_finish(b, size);
}

static char message[4096];  // what was reported, or why a node was not taken
static char reported[4096]; // all that was reported

static void report(void* user_data, const char* format, va_list args) {
    (void)user_data;
    const size_t length = strlen(message);
    va_list again;
    va_copy(again, args);
    vsnprintf(message + length, sizeof message - length, format, args);
    const size_t so_far = strlen(reported);
    vsnprintf(reported + so_far, sizeof reported - so_far, format, again);
    va_end(again);
}

static void note_reason(void* user_data, const OcliteOpenclNode* node) {
    (void)user_data;
    if (!node->taken) snprintf(message, sizeof message, "%s", node->reason);
}

// The output of a model whose input counts up from 0, in memory to be freed; NULL: see `message`. Without a
// delegate the operator itself is what runs.
static uint8_t* run(const Model* m, TfLiteDelegate* delegate, const TfLiteOperator* op, size_t* bytes) {
    message[0] = '\0';
    size_t size;
    uint8_t *file = build(m, &size), *copy = NULL;
    TfLiteModel* model = TfLiteModelCreate(file, size);
    assert_non_null(model);
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsSetErrorReporter(options, report, NULL);
    if (delegate != NULL) TfLiteInterpreterOptionsAddDelegate(options, delegate);
    if (op != NULL) TfLiteInterpreterOptionsAddOperator(options, (TfLiteOperator*)(uintptr_t)op);
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
    if (interpreter != NULL && TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk) {
        TfLiteTensor* input = TfLiteInterpreterGetInputTensor(interpreter, 0);
        const size_t count = TfLiteTensorByteSize(input) / 4;
        for (size_t i = 0; i < count; i++) {
            if (TfLiteTensorType(input) == kTfLiteInt32) {
                ((int32_t*)TfLiteTensorData(input))[i] = (int32_t)i;
            } else {
                ((float*)TfLiteTensorData(input))[i] = (float)i;
            }
        }
        assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteOk);
        const TfLiteTensor* output = TfLiteInterpreterGetOutputTensor(interpreter, 0);
        *bytes = TfLiteTensorByteSize(output);
        copy = malloc(*bytes + 1);
        assert_non_null(copy);
        memcpy(copy, TfLiteTensorData(output), *bytes);
    } else {
        oclite_opencl_delegate_explain(delegate, note_reason, NULL);
    }
    TfLiteInterpreterDelete(interpreter);
    TfLiteInterpreterOptionsDelete(options);
    TfLiteModelDelete(model);
    free(file);
    return copy;
}

static TfLiteDelegate* delegate_with(const char* source) {
    OcliteOpenclOperator* op = oclite_opencl_operator_create(source, "t.cl");
    if (op == NULL) fail_msg("%s", oclite_opencl_last_error());
    OcliteOpenclDelegateOptions options = oclite_opencl_delegate_options_default();
    options.operators = (const OcliteOpenclOperator* const[]){op};
    options.operator_count = 1;
    TfLiteDelegate* delegate = oclite_opencl_delegate_create(&options);
    oclite_opencl_operator_delete(op); // the delegate keeps it
    return delegate;
}

// The model runs wholly on the device and gives these floats; or, with `reason`, is not taken because of it.
static void expect(const char* source, const Model* m, const char* reason, int count, const float* values) {
    TfLiteDelegate* delegate = delegate_with(source);
    if (delegate == NULL) fail_msg("%s", oclite_opencl_last_error());
    size_t bytes = 0;
    uint8_t* output = run(m, delegate, NULL, &bytes);
    if (reason != NULL) {
        assert_null(output);
        if (strstr(message, reason) == NULL) fail_msg("got \"%s\", expected \"%s\"", message, reason);
    } else {
        if (output == NULL) fail_msg("%s", message);
        assert_int_equal(bytes, (size_t)count * sizeof(float));
        for (int i = 0; i < count; i++) assert_float_equal(((float*)(void*)output)[i], values[i], 1e-6f);
    }
    free(output);
    oclite_opencl_delegate_delete(delegate);
}

#define FLOATS(...)                                                                                          \
    sizeof((float[]){__VA_ARGS__}) / sizeof(float), (const float[]) {                                        \
        __VA_ARGS__                                                                                          \
    }
#define F32(...)                                                                                             \
    {                                                                                                        \
        .type = kTfLiteFloat32, .rank = sizeof((int[]){__VA_ARGS__}) / sizeof(int), .dims = { __VA_ARGS__ }  \
    }

static const char rows_source[] =
    "/* oclite\n"
    "operator: Rows\n"
    "input:  x float32|int32\n"
    "input:  gain float32 optional\n"
    "output: y float32 [x.dims[0], x.elements / x.dims[0] * 2]\n"
    "option: factor float = 0.5\n"
    "option: second int from starts[1] = 7\n"
    "require: x.rank >= 1 && x.dims[0] > 0\n"
    "kernel: rows(int x.dims[1], x, gain, local float 4, y, float factor, long second, float x.scale)\n"
    "work: y.dims[1], y.dims[0]\n"
    "local: 2, 1 */\n"
    "__kernel void rows(int width, __global const TYPE_x* x, __global const float* gain, __local float* "
    "scratch,\n"
    "                   __global float* y, float factor, long second, float scale) {\n"
    "    const int column = get_global_id(0), row = get_global_id(1);\n"
    "    scratch[get_local_id(0)] = gain ? gain[0] : 1.0f;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    if (column >= 2 * width) return;\n"
    "    y[row * 2 * width + column] =\n"
    "        x[row * width + column % width] * factor * scratch[1 - get_local_id(0)] + second + scale;\n"
    "}\n";

static const void* make_options(OcliteFlexWriter* writer, bool has_text, size_t* size) {
    oclite_flex_begin_map(writer);
    oclite_flex_write_key(writer, "factor");
    if (has_text) {
        oclite_flex_write_string(writer, "many", 4);
    } else {
        oclite_flex_write_float(writer, 2.0);
    }
    oclite_flex_write_key(writer, "starts");
    oclite_flex_begin_typed_vector(writer, kOcliteFlexInt);
    oclite_flex_write_int(writer, 100);
    oclite_flex_write_int(writer, 1);
    oclite_flex_end(writer);
    oclite_flex_end(writer);
    return oclite_flex_finish(writer, size);
}

static void kernels_get_what_they_declare(void** state) {
    (void)state;
    Model m = {.name = "Rows", .inputs = {F32(1, 3)}, .input_count = 1, .output = F32(1, 6)};
    expect(rows_source, &m, NULL, FLOATS(7, 7.5f, 8, 7, 7.5f, 8));
    static const float gain = 10;
    m.inputs[1] = (BuilderTensor)F32(1);
    m.inputs[1].data = &gain;
    m.inputs[1].bytes = sizeof gain;
    m.input_count = 2;
    OcliteFlexWriter* writer = oclite_flex_writer_create();
    m.options = make_options(writer, false, &m.options_size);
    assert_non_null(m.options);
    m.inputs[0].type = kTfLiteInt32;
    expect(rows_source, &m, NULL, FLOATS(1, 21, 41, 1, 21, 41));
    oclite_flex_writer_delete(writer);
}

static void nodes_that_do_not_fit_are_left(void** state) {
    (void)state;
    Model m = {.name = "Rows", .inputs = {F32(1, 3)}, .input_count = 1, .output = F32(1, 6)};
    OcliteFlexWriter* writer = oclite_flex_writer_create();
    m.options = make_options(writer, true, &m.options_size);
    expect(rows_source, &m, "its option factor is no number", FLOATS(0));
    oclite_flex_writer_delete(writer);
    m.options = NULL, m.options_size = 0;
    m.inputs[0].type = kTfLiteInt8;
    expect(rows_source, &m, "x is INT8, which it is not declared to be: in t.cl it is FLOAT32, INT32",
           FLOATS(0));
    m.inputs[0] = (BuilderTensor)F32(0, 3);
    expect(rows_source, &m, "it requires x.rank >= 1 && x.dims[0] > 0", FLOATS(0));
    m.inputs[0] = (BuilderTensor)F32(3);
    expect(rows_source, &m, "an argument: no such dimension", FLOATS(0));
}

// Nobody has the operator: what the delegate knows about it comes with the error.
static void names_that_nearly_fit_are_told(void** state) {
    (void)state;
    static const struct {
        const char* name;
        const char* reason;
    } names[] = {{"rows", "there is Rows in t.cl: names are case-sensitive"},
                 {"Row", "there is Rows in t.cl: names have to be the same"},
                 {"ATAN", "there is Atan in Atan.cl: names are case-sensitive"},
                 {"Columns", NULL}}; // of which the delegate knows nothing
    TfLiteDelegate* delegate = delegate_with(rows_source);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const Model m = {.name = names[i].name, .inputs = {F32(1, 3)}, .input_count = 1, .output = F32(1, 6)};
        size_t bytes;
        reported[0] = '\0';
        assert_null(run(&m, delegate, NULL, &bytes));
        if (names[i].reason == NULL) {
            assert_null(strstr(reported, "OpenCL"));
            continue;
        }
        if (strstr(reported, names[i].reason) == NULL ||
            strstr(reported, "which the host does not have") == NULL)
            fail_msg("got \"%s\", expected \"%s\"", reported, names[i].reason);
    }
    oclite_opencl_delegate_delete(delegate);
}

// A string of the options, of which a size is the index among the words.
static void strings_are_one_of_the_words(void** state) {
    (void)state;
    static const char source[] =
        "/* oclite\noperator: Mode\ninput: x float32\noutput: y like x\n"
        "option: mode one of SLOW | FAST|FASTER = FAST\n"
        "kernel: mode(x, y, int mode * 10)\nwork: 1\n*/\n"
        "__kernel void mode(__global const float* x, __global float* y, int mode) {\n"
        "    y[0] = x[0] + mode;\n"
        "}\n";
    static const struct {
        const char* text; // NULL: there is none
        const char* reason;
        float result;
    } modes[] = {{"SLOW", NULL, 0},
                 {"FASTER", NULL, 20},
                 {NULL, NULL, 10},
                 {"FASTE", "its option mode is none of SLOW | FAST|FASTER", 0},
                 {"", "its option mode is none of", 0}};
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        Model m = {.name = "Mode", .inputs = {F32(1)}, .input_count = 1, .output = F32(1)};
        OcliteFlexWriter* writer = oclite_flex_writer_create();
        oclite_flex_begin_map(writer);
        if (modes[i].text != NULL) {
            oclite_flex_write_key(writer, "mode");
            oclite_flex_write_string(writer, modes[i].text, strlen(modes[i].text));
        }
        oclite_flex_end(writer);
        m.options = oclite_flex_finish(writer, &m.options_size);
        assert_non_null(m.options);
        expect(source, &m, modes[i].reason, FLOATS(modes[i].result));
        oclite_flex_writer_delete(writer);
    }
}

static void kernels_that_do_not_compile_are_refused(void** state) {
    (void)state;
    static const char source[] = "/* oclite\noperator: Bad\ninput: x float32\noutput: y like x\n"
                                 "kernel: bad(x, y)\nwork: 1 */\n"
                                 "__kernel void bad(__global const float* x, __global float* y) {\n"
                                 "    y[0] = z[0];\n}\n";
    assert_null(delegate_with(source));
    assert_non_null(strstr(oclite_opencl_last_error(), "t.cl"));
    assert_non_null(strstr(oclite_opencl_last_error(), ":8:")); // the driver's line
    OcliteOpenclDelegateOptions options = oclite_opencl_delegate_options_default();
    options.operators = (const OcliteOpenclOperator* const[]){NULL};
    options.operator_count = 1;
    assert_null(oclite_opencl_delegate_create(&options));
    char option[160];
    const char* absent = absent_path();
    snprintf(option, sizeof option, "custom_ops=%s", absent);
    assert_null(oclite_opencl_delegate_create_from_string(option));
    assert_non_null(strstr(oclite_opencl_last_error(), absent));
}

static void builtin_operators_can_be_replaced(void** state) {
    (void)state;
    static const char source[] =
        "/* oclite\noperator: ADD\ninput: a float32\ninput: b float32\noutput: y like a\n"
        "option: activation int from builtin_data[0]\nrequire: activation == 0\n"
        "kernel: add(a, b, y)\nwork: y.elements */\n"
        "__kernel void add(__global const float* a, __global const float* b, __global float* y) {\n"
        "    const int i = get_global_id(0);\n    y[i] = a[i] + b[i] + 1000;\n}\n";
    static const float addend[] = {10, 20, 30};
    TfLiteAddParams params = {.activation = kTfLiteActNone};
    Model m = {.code = kTfLiteBuiltinAdd,
               .params = &params,
               .inputs = {F32(3), F32(3)},
               .input_count = 2,
               .output = F32(3)};
    m.inputs[1].data = addend;
    m.inputs[1].bytes = sizeof addend;
    expect(source, &m, NULL, FLOATS(1010, 1021, 1032));
    params.activation = kTfLiteActRelu; // left to the host, whose ADD it is
    TfLiteDelegate* delegate = delegate_with(source);
    size_t bytes;
    uint8_t* output = run(&m, delegate, NULL, &bytes);
    assert_non_null(output);
    assert_float_equal(((float*)(void*)output)[2], 32, 0);
    free(output);
    oclite_opencl_delegate_delete(delegate);
}

// Each function, on the CPU and on the device.
static void formulas_are_the_same_everywhere(void** state) {
    (void)state;
    static const char* const formulas[] = {
#define FUNCTION(NAME, arguments, result, device) CALL_##arguments(NAME),
#define CALL_1(NAME) #NAME "(x / 16)"
#define CALL_2(NAME) #NAME "(x - 3, c + 0.5)"
#define CALL_3(NAME) #NAME "(x, x, c)"
#include "delegate-opencl/custom/functions.def"
        "x > 3 && x != 5 || !(x >= 1) ? -x * 2 : x % 4 / (c - 2)",
        "(x < 2) + (x <= 2) * 10 + (x == 2) * 100",
        "factor * x - (c - x) - 1.5e-3",
    };
    static const float c = 3;
    Model m = {.name = "Formula", .inputs = {F32(3, 50), F32(1)}, .input_count = 2, .output = F32(3, 50)};
    m.inputs[1].data = &c;
    m.inputs[1].bytes = sizeof c;
    for (size_t i = 0; i < sizeof formulas / sizeof formulas[0]; i++) {
        char source[512];
        snprintf(source, sizeof source,
                 "/* oclite\noperator: Formula\ninput: x float32|float16\ninput: c float32|float16\n"
                 "output: y like x\noption: factor float = 3\nelementwise: y = %s */",
                 formulas[i]);
        OcliteOpenclOperator* op = oclite_opencl_operator_create(source, "t.cl");
        TfLiteOperator* cpu = oclite_opencl_operator_cpu(op);
        TfLiteDelegate* delegate = delegate_with(source);
        assert_non_null(cpu);
        size_t bytes, other;
        float *want = (float*)(void*)run(&m, NULL, cpu, &bytes),
              *got = (float*)(void*)run(&m, delegate, NULL, &other);
        if (want == NULL || got == NULL) fail_msg("%s: %s", formulas[i], message);
        assert_int_equal(bytes, other);
        for (size_t k = 0; k < bytes / sizeof(float); k++) {
            const bool same = isnan(want[k]) ? isnan(got[k]) : got[k] == want[k];
            if (!same && !(fabsf(got[k] - want[k]) <= 1e-5f * (1 + fabsf(want[k]))))
                fail_msg("%s: element %zu is %g, on the CPU %g", formulas[i], k, (double)got[k],
                         (double)want[k]);
        }
        free(want);
        free(got);
        oclite_opencl_delegate_delete(delegate);
        TfLiteOperatorDelete(cpu);
        oclite_opencl_operator_delete(op);
    }
}

static void the_cpu_refuses_what_does_not_fit(void** state) {
    (void)state;
    static const char source[] =
        "/* oclite\noperator: F\ninput: x float32\ninput: c float32\noutput: y like x\n"
        "option: k int\nelementwise: y = x + c * k */";
    OcliteOpenclOperator* op = oclite_opencl_operator_create(source, "t.cl");
    assert_non_null(op);
    assert_string_equal(oclite_opencl_operator_name(op), "F");
    TfLiteOperator* cpu = oclite_opencl_operator_cpu(op);
    Model m = {.name = "F", .inputs = {F32(3), F32(2)}, .input_count = 2, .output = F32(3)};
    static const float c[2] = {1, 2};
    m.inputs[1].data = c;
    m.inputs[1].bytes = sizeof c;
    size_t bytes;
    assert_null(run(&m, NULL, cpu, &bytes));
    assert_non_null(strstr(message, "F: its options have no k"));
    OcliteFlexWriter* writer = oclite_flex_writer_create();
    oclite_flex_begin_map(writer);
    oclite_flex_write_key(writer, "k");
    oclite_flex_write_int(writer, 1);
    oclite_flex_end(writer);
    m.options = oclite_flex_finish(writer, &m.options_size);
    assert_null(run(&m, NULL, cpu, &bytes));
    assert_non_null(strstr(message, "F: input 1 has neither the output's shape nor one element"));
    m.inputs[0].type = kTfLiteInt32;
    assert_null(run(&m, NULL, cpu, &bytes));
    assert_non_null(strstr(message, "F: input 0 is INT32, not FLOAT32"));
    oclite_flex_writer_delete(writer);
    TfLiteOperatorDelete(cpu);
    oclite_opencl_operator_delete(op);
    assert_null(oclite_opencl_operator_cpu(NULL));
}

int main(void) {
    if (!host_has_opencl()) return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_get_what_they_declare),
        cmocka_unit_test(nodes_that_do_not_fit_are_left),
        cmocka_unit_test(names_that_nearly_fit_are_told),
        cmocka_unit_test(strings_are_one_of_the_words),
        cmocka_unit_test(kernels_that_do_not_compile_are_refused),
        cmocka_unit_test(builtin_operators_can_be_replaced),
        cmocka_unit_test(formulas_are_the_same_everywhere),
        cmocka_unit_test(the_cpu_refuses_what_does_not_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
