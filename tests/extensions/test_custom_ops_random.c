// SPDX-License-Identifier: Apache-2.0
// Tables, and the operators that draw random numbers. Expected are the numbers that
// std::default_random_engine and the distributions of GNU's C++ library give, recorded from libstdc++ 12.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "oclite/custom_ops.h"
#include "tests/extensions/custom_ops_setup.h"
#include "tests/support/node_case.h"

#define OP(name) .custom_name = name, .options = {{0}}
#define ONE(Type) SHAPED(Type, DIMS(1))

// ---- Random numbers ----

// Runs a case twice and compares both outputs to the bit with the expected bytes, one after the other.
static void expect_bytes(const NodeCase* c, const void* expected, size_t size) {
    NodeRun run;
    node_open(&run, c, custom_ops_setup);
    if (node_invoke(&run, c) != kTfLiteOk) fail_msg("%s", run.messages);
    const TfLiteTensor* output = TfLiteInterpreterGetOutputTensor(run.interpreter, 0);
    const size_t half = TfLiteTensorByteSize(output);
    assert_int_equal(half * 2, size);
    assert_memory_equal(TfLiteTensorData(output), expected, half);
    assert_int_equal(TfLiteInterpreterInvoke(run.interpreter), kTfLiteOk);
    output = TfLiteInterpreterGetOutputTensor(run.interpreter, 0);
    assert_memory_equal(TfLiteTensorData(output), (const char*)expected + half, half);
    node_close(&run);
}

static const float uniform_f32[] = {0x1.0698p-17f,  0x1.0d63bp-3f,  0x1.82deb4p-1f,
                                    0x1.d5a862p-2f, 0x1.10c6dep-1f, 0x1.c06dacp-3f};
static const double uniform_f64[] = {0x1.0d63af043596fp-3, 0x1.d5a86155621c6p-2, 0x1.c06dac7f87edap-3,
                                     0x1.5b9427f99e7d1p-1, 0x1.de90113a31d9dp-1, 0x1.09f0f155b0789p-1};
static const int8_t dice[] = {0, 0, 4, 2, 3, 1, 0, 4, 4, 5, 2, 3};
static const int32_t wide_i32[] = {-1865008400, 470211269, -689632771, 1115438162, -1009961146, 143542609};
static const int64_t wide_i64[] = {INT64_C(-8616761059752331528), INT64_C(-2154730812277036087),
                                   INT64_C(-6092661118731740344), INT64_C(3832151243857508051),
                                   INT64_C(-6780561065411491190), INT64_C(-7455179445496266203)};
// A draw has 2147483646 values.
static const int64_t one_draw[] = {16801, 282475243, 1622650067, 984943652, 1144108924, 470211266};
static const int64_t two_draws[] = {INT64_C(282475248),   INT64_C(832061114659), INT64_C(586733246629),
                                    INT64_C(52997458381), INT64_C(749331546516), INT64_C(422022232780)};

static const NodeCase uniform_cases[] = {
    {OP("RandomUniform"), {CONSTANT(Int32, DIMS(2), 1, 3)}, {ONE(Float32)}},
    {OP("RandomUniform"), {NUMBERS(Int64, DIMS(1), 3)}, {ONE(Float64)}},
    {OP("RandomUniformInt"),
     {CONSTANT(Int64, DIMS(1), 6), CONSTANT(Int64, DIMS(1), 0), NUMBERS(Int32, SCALAR, 5)},
     {ONE(Int8)}},
    {OP("RandomUniformInt"),
     {NUMBERS(Int32, DIMS(1), 3), NUMBERS(Int32, DIMS(1), INT32_MIN), NUMBERS(Int64, DIMS(1), INT32_MAX)},
     {ONE(Int32)}},
    {OP("RandomUniformInt"),
     {NUMBERS(Int32, DIMS(1), 3), NUMBERS(Int64, DIMS(1), -0x1p63), NUMBERS(Int64, DIMS(1), 0x1p62)},
     {ONE(Int64)}},
    {OP("RandomUniformInt"),
     {NUMBERS(Int32, DIMS(1), 3), NUMBERS(Int8, DIMS(1), -5), NUMBERS(Int64, DIMS(1), 2147483640)},
     {ONE(Int64)}},
    {OP("RandomUniformInt"),
     {NUMBERS(Int32, DIMS(1), 3), NUMBERS(Int8, DIMS(1), 0), NUMBERS(Int64, DIMS(1), 0x1p40)},
     {ONE(Int64)}},
};

static void uniform(void** state) {
    (void)state;
    expect_bytes(&uniform_cases[0], uniform_f32, sizeof(uniform_f32));
    expect_bytes(&uniform_cases[1], uniform_f64, sizeof(uniform_f64));
    expect_bytes(&uniform_cases[2], dice, sizeof(dice));
    expect_bytes(&uniform_cases[3], wide_i32, sizeof(wide_i32));
    expect_bytes(&uniform_cases[4], wide_i64, sizeof(wide_i64));
    expect_bytes(&uniform_cases[5], one_draw, sizeof(one_draw));
    expect_bytes(&uniform_cases[6], two_draws, sizeof(two_draws));
}

static const float normal_f32[] = {-0x1.094fbap-2, 0x1.9a01fp+0,  -0x1.7fbbecp+0,
                                   0x1.e88168p-4,  -0x1.35459p-2, 0x1.d52d72p-2};
static const double normal_f64[] = {-0x1.f39264e1e80e3p-4, -0x1.1639b514ce224p+0, 0x1.5e5b40632cfecp-1,
                                    0x1.108b2625cb3a1p-5,  0x1.7d5b176a3b5f7p-1,  0x1.134d25b6d4baap-5};

static const NodeCase normal_cases[] = {
    {OP("RandomStandardNormal"), {CONSTANT(Int32, DIMS(1), 3)}, {ONE(Float32)}},
    {OP("RandomStandardNormal"), {NUMBERS(Int32, DIMS(2), 3, 1)}, {ONE(Float64)}},
};

static void normal(void** state) {
    (void)state;
    expect_bytes(&normal_cases[0], normal_f32, sizeof(normal_f32));
    expect_bytes(&normal_cases[1], normal_f64, sizeof(normal_f64));
}

#define LOGITS(Type) NUMBERS(Type, DIMS(2, 4), 0, 1, 0.5, -2, -1000, 3, 3, -1000)
static const int32_t classes_i32[] = {0, 1, 1, 2, 2, 1, 0, 1, 0, 0, 2, 2, 2, 2, 2, 2, 1, 1, 2, 1, 2, 2, 1, 2};

static const NodeCase multinomial_cases[] = {
    {OP("Multinomial"), {LOGITS(Float32), CONSTANT(Int32, SCALAR, 12)}, {SHAPED(Int32, DIMS(2, 12))}},
    {OP("Multinomial"), {LOGITS(Float64), CONSTANT(Int32, SCALAR, 12)}, {SHAPED(Int64, DIMS(2, 12))}},
};

static void multinomial(void** state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        NodeRun run;
        node_open(&run, &multinomial_cases[i], custom_ops_setup);
        assert_int_equal(node_invoke(&run, &multinomial_cases[i]), kTfLiteOk);
        const void* data = TfLiteTensorData(TfLiteInterpreterGetOutputTensor(run.interpreter, 0));
        for (int k = 0; k < 24; k++) {
            const int64_t value = i == 0 ? ((const int32_t*)data)[k] : ((const int64_t*)data)[k];
            assert_int_equal(value, classes_i32[k]);
        }
        node_close(&run);
    }
}

#define NAN_VALUE __builtin_nan("")
#define SAMPLES CONSTANT(Int32, SCALAR, 2)
#define ROW NUMBERS(Float32, DIMS(1, 2), 0, 1)
#define SHAPE NUMBERS(Int32, DIMS(1), 3)
#define NUMBER(Type, value) NUMBERS(Type, DIMS(1), value)

static const NodeCase errors_cases[] = {
    {OP("RandomUniform"),
     {CONSTANT(Int32, DIMS(2), 2, -1)},
     {ONE(Float32)},
     "RandomUniform: a dimension of -1"},
    {OP("RandomUniform"), {NUMBERS(Int64, DIMS(1), 4294967297)}, {ONE(Float32)}, "a dimension of 4294967297"},
    {OP("RandomUniform"), {NUMBERS(Int32, DIMS(2), 65536, 65536)}, {ONE(Float32)}, "needs 17179869184 bytes"},
    {OP("RandomUniform"), {SHAPED(Int32, DIMS(9))}, {ONE(Float32)}, "a shape of 9 dimensions, at most 8"},
    {OP("RandomUniform"), {NUMBERS(Int32, SCALAR, 3)}, {ONE(Float32)}, "NumDimensions(shape) != 1 (0 != 1)"},
    {OP("RandomUniform"), {SHAPE}, {ONE(Int32)}, "output of type INT32, expected FLOAT32 or FLOAT64"},
    {OP("RandomUniform"),
     {NUMBER(Float32, 3)},
     {ONE(Float32)},
     "shape of type FLOAT32, expected INT32 or INT64"},
    {OP("RandomStandardNormal"), {NUMBER(Int64, 3)}, {ONE(Float32)}, "shape of type INT64, expected INT32"},
    {OP("RandomStandardNormal"), {SHAPE, SHAPE}, {ONE(Float32)}, "2 inputs and 1 outputs, expected 1 and 1"},
    {OP("RandomUniformInt"), {SHAPE, SHAPE}, {ONE(Int32)}, "2 inputs and 1 outputs, expected 3 and 1"},
    {OP("RandomUniformInt"),
     {SHAPE, NUMBER(Int32, 5), NUMBER(Int32, 5)},
     {ONE(Int32)},
     "min 5 and max 5 for INT32"},
    {OP("RandomUniformInt"), {SHAPE, NUMBER(Int32, 0), NUMBER(Int32, 128)}, {ONE(Int8)}, "max 128 for INT8"},
    {OP("RandomUniformInt"),
     {SHAPE, NUMBER(Int32, 0), SHAPED(Int32, DIMS(0))},
     {ONE(Int8)},
     "max has no element"},
    {OP("RandomUniformInt"),
     {SHAPE, NUMBER(Float32, 0), NUMBER(Int32, 9)},
     {ONE(Int8)},
     "min of type FLOAT32"},
    {OP("Multinomial"),
     {ROW, NUMBERS(Int32, SCALAR, 2)},
     {ONE(Int32)},
     "the number of samples is no constant"},
    {OP("Multinomial"), {ROW, CONSTANT(Int32, SCALAR, -2)}, {ONE(Int32)}, "Multinomial: a dimension of -2"},
    {OP("Multinomial"),
     {ROW, CONSTANT(Int32, DIMS(1), 2)},
     {ONE(Int32)},
     "NumDimensions(number of samples) != 0"},
    {OP("Multinomial"), {SHAPED(Float32, DIMS(1, 0)), SAMPLES}, {ONE(Int32)}, "logits of 0 classes"},
    {OP("Multinomial"), {ONE(Float32), SAMPLES}, {ONE(Int32)}, "NumDimensions(logits) != 2 (1 != 2)"},
    {OP("Multinomial"), {ROW, SAMPLES}, {ONE(Float32)}, "output of type FLOAT32, expected INT32 or INT64"},
    {OP("Multinomial"),
     {NUMBERS(Float32, DIMS(2, 2), 0, 1, NAN_VALUE, NAN_VALUE), SAMPLES},
     {ONE(Int32)},
     "row 1 of the logits has no probabilities"},
};

static void errors(void** state) {
    (void)state;
    NODE_CHECK(errors_cases, custom_ops_setup);
}

// ---- Tables ----

static double halves[256], squares[513];
static const NodeCase table_cases[] = {
    {OP("Table"),
     {NUMBERS(Int8, DIMS(2, 2), -128, -1, 0, 127), {.type = kTfLiteInt8, DIMS(256), .numbers = halves}},
     {NUMBERS(Int8, DIMS(2, 2), -64, 0, 0, 63)}},
    // Values between those of the table lie on lines.
    {OP("Table"),
     {NUMBERS(Int16, DIMS(5), -32768, -32767, -32704, 0, 32767),
      {.type = kTfLiteInt16, DIMS(513), .numbers = squares, .constant = true}},
     {NUMBERS(Int16, DIMS(5), 384, 383, 320, -16000, 383)}},
    {OP("Table"),
     {ONE(Int8), SHAPED(Int8, DIMS(255))},
     {ONE(Int8)},
     "Table: a table of 255 values, expected 256"},
    {OP("Table"),
     {ONE(Int16), SHAPED(Int16, DIMS(512))},
     {ONE(Int16)},
     "a table of 512 values, expected 513"},
    {OP("Table"), {ONE(Int8), SHAPED(Int8, DIMS(1, 256))}, {ONE(Int8)}, "NumDimensions(table) != 1 (2 != 1)"},
    {OP("Table"), {ONE(Int8), SHAPED(Int16, DIMS(513))}, {ONE(Int8)}, "table of type INT16, expected INT8"},
    {OP("Table"),
     {ONE(UInt8), SHAPED(Int8, DIMS(256))},
     {ONE(Int8)},
     "input of type UINT8, expected INT16 or INT8"},
    {OP("Table"),
     {{.type = kTfLiteInt16, DIMS(1), .scale = 1.0f, .zero_point = 1}, SHAPED(Int16, DIMS(513))},
     {ONE(Int16)},
     "input of INT16 has zero point 1, expected 0"},
};

static void table(void** state) {
    (void)state;
    for (int i = 0; i < 256; i++) halves[i] = (i - 128) / 2;
    for (int i = 0; i < 513; i++) squares[i] = (i - 256) * (i - 256) / 4 - 16000;
    NODE_CHECK(table_cases, custom_ops_setup);
}

static void operators_have_names(void** state) {
    (void)state;
    int count = 0;
    for (; oclite_custom_ops_operator(count) != NULL; count++) {
        TfLiteOperator* op = oclite_custom_ops_operator(count);
        assert_int_equal(TfLiteOperatorGetBuiltInCode(op), kTfLiteBuiltinCustom);
        for (int i = 0; i < count; i++) {
            assert_string_not_equal(TfLiteOperatorGetCustomName(op),
                                    TfLiteOperatorGetCustomName(oclite_custom_ops_operator(i)));
        }
    }
    assert_int_equal(count, 17);
    assert_string_equal(TfLiteOperatorGetCustomName(oclite_custom_ops_operator(0)), "Roll");
    assert_null(oclite_custom_ops_operator(-1));
    assert_int_equal(oclite_custom_ops_add_operators(NULL), kTfLiteError);
}

// Without an argument on the CPU, with the folder of the .cl files on OpenCL.
int main(int argc, char** argv) {
    static const char* const on_opencl[] = {"Table", NULL};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uniform), cmocka_unit_test(normal), cmocka_unit_test(multinomial),
        cmocka_unit_test(errors),  cmocka_unit_test(table),  cmocka_unit_test(operators_have_names),
    };
    const int status = custom_ops_open(argc, argv);
    if (status != 0) return status;
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    return failures + custom_ops_close(on_opencl) > 0 ? 1 : 0;
}
