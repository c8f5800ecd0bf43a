// SPDX-License-Identifier: Apache-2.0
// An operator that reads its options, as oclite/flexbuffers.h shows it: Power, y = x^exponent *
// scale[channel], with {"axis": …, "exponent": …, "mode": …, "scale": […]}.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "oclite/flexbuffers.h"
#include "oclite/flexbuffers_writer.h"
#include "tensorflow/lite/c/c_api.h"
#include "tensorflow/lite/c/c_api_opaque.h"
#include "tests/api/cmocka_setup.h"
#include "tests/support/model_builder.h"

enum { kLength = 3 };

typedef struct Power {
    int64_t axis;
    double exponent;
    bool negative;
    double scale[kLength];
} Power;

static bool read_scale(OcliteFlex vector, double scale[kLength]) {
    size_t count;
    if (!oclite_flex_vector_size(vector, &count) || count != kLength) return false;
    for (size_t i = 0; i < count; i++) {
        OcliteFlex element;
        if (!oclite_flex_vector_at(vector, i, &element) || !oclite_flex_float(element, &scale[i]))
            return false;
    }
    return true;
}

static void* power_init(TfLiteOpaqueContext* context, const char* buffer, size_t length) {
    Power power = {.axis = -1, .exponent = 1, .scale = {1, 1, 1}};
    OcliteFlex options, value;
    const char* mode = "plain";
    if (!oclite_flex_root(buffer, length, &options) || oclite_flex_kind(options) != kOcliteFlexMap) {
        TfLiteOpaqueContextReportError(context, "Power: the options are no map");
        return TfLiteKernelInitFailed();
    }
    if (oclite_flex_map_find(options, "axis", &value) && !oclite_flex_int(value, &power.axis)) {
        TfLiteOpaqueContextReportError(context, "Power: axis is not a number");
        return TfLiteKernelInitFailed();
    }
    if (oclite_flex_map_find(options, "exponent", &value)) (void)oclite_flex_float(value, &power.exponent);
    if (oclite_flex_map_find(options, "mode", &value)) (void)oclite_flex_string(value, &mode, NULL);
    power.negative = strcmp(mode, "negative") == 0;
    if (oclite_flex_map_find(options, "scale", &value) && !read_scale(value, power.scale)) {
        TfLiteOpaqueContextReportError(context, "Power: scale has not %d numbers", kLength);
        return TfLiteKernelInitFailed();
    }
    Power* result = malloc(sizeof *result);
    if (result != NULL) *result = power; // the buffer may be gone after this call
    return result;
}

static void power_free(TfLiteOpaqueContext* context, void* data) {
    (void)context;
    if (data != TfLiteKernelInitFailed()) free(data);
}

static TfLiteStatus power_prepare(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const Power* power = TfLiteOpaqueNodeGetUserData(node);
    if (power == NULL) return kTfLiteError;
    TF_LITE_OPAQUE_ENSURE_EQ(context, power->axis, 3);
    TfLiteIntArray* shape = TfLiteIntArrayCreate(1);
    if (shape == NULL) return kTfLiteError;
    shape->data[0] = kLength;
    return TfLiteOpaqueContextResizeTensor(context, TfLiteOpaqueNodeGetOutput(context, node, 0), shape);
}

static TfLiteStatus power_invoke(TfLiteOpaqueContext* context, TfLiteOpaqueNode* node) {
    const Power* power = TfLiteOpaqueNodeGetUserData(node);
    const float* x = TfLiteOpaqueTensorData(TfLiteOpaqueNodeGetInput(context, node, 0));
    float* y = TfLiteOpaqueTensorData(TfLiteOpaqueNodeGetOutput(context, node, 0));
    for (int i = 0; i < kLength; i++) {
        const double sign = power->negative ? -1 : 1;
        y[i] = (float)(sign * power->scale[i] * pow((double)x[i], power->exponent));
    }
    return kTfLiteOk;
}

typedef struct Run {
    char messages[1000];
    bool complete;
    float y[kLength];
} Run;

static void append_message(void* user_data, const char* format, va_list args) {
    char* messages = user_data;
    const size_t used = strlen(messages);
    vsnprintf(messages + used, sizeof((Run*)NULL)->messages - used, format, args);
}

// Runs a model of one Power with 1, 2, 3.
static Run run_with(const void* options, size_t size) {
    const BuilderTensor floats = {.type = kTfLiteFloat32, .rank = 1, .dims = {kLength}};
    static const float x[kLength] = {1, 2, 3};
    Run run = {{0}, false, {0}};
    ModelBuilder* b = builder_create();
    builder_tensor(b, floats);
    builder_tensor(b, floats);
    builder_operator(b, (BuilderOperator){.custom_name = "Power",
                                          .inputs = {1, {0}},
                                          .outputs = {1, {1}},
                                          .custom_options = options,
                                          .custom_options_size = size});
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {1}});
    size_t bytes;
    uint8_t* file = builder_finish(b, &bytes);
    TfLiteModel* model = TfLiteModelCreate(file, bytes);
    TfLiteOperator* power = TfLiteOperatorCreate(kTfLiteBuiltinCustom, "Power", 1, NULL);
    TfLiteOperatorSetInit(power, power_init);
    TfLiteOperatorSetFree(power, power_free);
    TfLiteOperatorSetPrepare(power, power_prepare);
    TfLiteOperatorSetInvoke(power, power_invoke);
    TfLiteInterpreterOptions* settings = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsSetErrorReporter(settings, append_message, run.messages);
    TfLiteInterpreterOptionsAddOperator(settings, power);
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, settings);
    TfLiteInterpreterOptionsDelete(settings);
    run.complete = TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk &&
                   TfLiteTensorCopyFromBuffer(TfLiteInterpreterGetInputTensor(interpreter, 0), x, sizeof x) ==
                       kTfLiteOk &&
                   TfLiteInterpreterInvoke(interpreter) == kTfLiteOk &&
                   TfLiteTensorCopyToBuffer(TfLiteInterpreterGetOutputTensor(interpreter, 0), run.y,
                                            sizeof run.y) == kTfLiteOk;
    TfLiteInterpreterDelete(interpreter);
    TfLiteOperatorDelete(power);
    TfLiteModelDelete(model);
    free(file);
    return run;
}

static void options_arrive_in_init(void** state) {
    (void)state;
    OcliteFlexWriter* writer = oclite_flex_writer_create();
    oclite_flex_begin_map(writer);
    oclite_flex_write_key(writer, "scale");
    oclite_flex_begin_typed_vector(writer, kOcliteFlexFloat);
    for (int i = 0; i < kLength; i++) oclite_flex_write_float(writer, i + 0.5);
    oclite_flex_end(writer);
    oclite_flex_write_key(writer, "axis");
    oclite_flex_write_int(writer, 3);
    oclite_flex_write_key(writer, "exponent");
    oclite_flex_write_uint(writer, 2);
    oclite_flex_write_key(writer, "mode");
    oclite_flex_write_string(writer, "negative", 8);
    oclite_flex_end(writer);
    size_t size;
    const void* options = oclite_flex_finish(writer, &size);
    assert_non_null(options);
    const Run run = run_with(options, size);
    oclite_flex_writer_delete(writer);
    assert_string_equal(run.messages, "");
    assert_true(run.complete);
    for (int i = 0; i < kLength; i++) {
        assert_float_equal(run.y[i], -((float)i + 0.5f) * (float)((i + 1) * (i + 1)), 1e-6f);
    }
}

static void expect_failure(const void* options, size_t size, const char* message) {
    const Run run = run_with(options, size);
    assert_false(run.complete);
    assert_non_null(strstr(run.messages, message));
}

static void other_options_are_told(void** state) {
    (void)state;
    OcliteFlexWriter* writer = oclite_flex_writer_create();
    oclite_flex_begin_map(writer);
    oclite_flex_write_key(writer, "axis");
    oclite_flex_write_string(writer, "last", 4);
    oclite_flex_end(writer);
    size_t size;
    const void* options = oclite_flex_finish(writer, &size);
    expect_failure(options, size, "axis is not a number");
    expect_failure(options, size - 1, "no map");
    expect_failure(NULL, 0, "no map");
    oclite_flex_writer_delete(writer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_arrive_in_init),
        cmocka_unit_test(other_options_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
