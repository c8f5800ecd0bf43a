// SPDX-License-Identifier: Apache-2.0
// Rows and columns of bytes, short and long, on OpenCL to the bit of the CPU. With an argument: as on a GPU
// with fast local memory.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "oclite/opencl.h"
#include "tensorflow/lite/c/c_api.h"
#include "tests/support/model_builder.h"
#include "tests/support/opencl_op_case.h"
#include "tests/support/random_numbers.h"

enum { EXIT_SKIPPED = 77, ROWS = 3, MOST = 4096 };

static uint8_t input[ROWS * MOST], results[2][ROWS * MOST];

// SOFTMAX or LOG_SOFTMAX of rows; MEAN or SUM of columns of an image, of `width` pixels and ROWS channels.
static uint8_t* build(TfLiteBuiltinOperator code, TfLiteType type, int width, size_t* size) {
    static const TfLiteSoftmaxParams softmax = {.beta = 1.0f};
    static const TfLiteReducerParams reducer = {.keep_dims = false};
    static const int32_t axis = 0;
    const bool keeps = code == kTfLiteBuiltinSoftmax || code == kTfLiteBuiltinLogSoftmax;
    const int64_t low = type == kTfLiteInt8 ? -128 : 0;
    const int64_t zero = code == kTfLiteBuiltinSoftmax      ? low
                         : code == kTfLiteBuiltinLogSoftmax ? low + 255
                                                            : 3;
    const float scale = code == kTfLiteBuiltinSoftmax      ? 1.0f / 256
                        : code == kTfLiteBuiltinLogSoftmax ? 16.0f / 256
                                                           : 0.1f;
    ModelBuilder* b = builder_create();
    const BuilderTensor whole = {
        .type = type, .rank = 2, .dims = {keeps ? ROWS : width, keeps ? width : ROWS}};
    BuilderTensor x = whole, y = whole;
    x.scale = 0.05f;
    x.zero_point = 3;
    y.scale = scale;
    y.zero_point = zero;
    if (!keeps) y.rank = 1, y.dims[0] = ROWS;
    const int in = builder_tensor(b, x), out = builder_tensor(b, y);
    const int along = builder_tensor(
        b,
        (BuilderTensor){.type = kTfLiteInt32, .rank = 1, .dims = {1}, .data = &axis, .bytes = sizeof axis});
    builder_operator(b, (BuilderOperator){.code = code,
                                          .version = 2,
                                          .inputs = {keeps ? 1 : 2, {in, along}},
                                          .outputs = {1, {out}},
                                          .params = keeps ? (const void*)&softmax : &reducer});
    builder_inputs(b, (BuilderInts){1, {in}});
    builder_outputs(b, (BuilderInts){1, {out}});
    return builder_finish(b, size);
}

static size_t run(const uint8_t* file, size_t size, TfLiteDelegate* delegate, uint8_t* result) {
    TfLiteModel* model = TfLiteModelCreate(file, size);
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    if (delegate != NULL) TfLiteInterpreterOptionsAddDelegate(options, delegate);
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
    TfLiteInterpreterOptionsDelete(options);
    assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
    TfLiteTensor* x = TfLiteInterpreterGetInputTensor(interpreter, 0);
    memcpy(TfLiteTensorData(x), input, TfLiteTensorByteSize(x));
    assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteOk);
    const TfLiteTensor* y = TfLiteInterpreterGetOutputTensor(interpreter, 0);
    const size_t bytes = TfLiteTensorByteSize(y);
    memcpy(result, TfLiteTensorData(y), bytes);
    TfLiteInterpreterDelete(interpreter);
    TfLiteModelDelete(model);
    return bytes;
}

static void rows_are_those_of_the_cpu(void** state) {
    (void)state;
    static const TfLiteBuiltinOperator codes[] = {kTfLiteBuiltinSoftmax, kTfLiteBuiltinLogSoftmax,
                                                  kTfLiteBuiltinMean, kTfLiteBuiltinSum};
    static const int widths[] = {1, 31, 32, 33, 255, 1000, 1024, MOST};
    static const TfLiteType types[] = {kTfLiteInt8, kTfLiteUInt8};
    for (size_t i = 0; i < sizeof input; i++) input[i] = (uint8_t)random_int(0, 255);
    for (int k = 0; k < 4 * 8 * 2; k++) {
        size_t size;
        uint8_t* file = build(codes[k % 4], types[k / 4 % 2], widths[k / 8], &size);
        TfLiteDelegate* delegate = oclite_opencl_delegate_create(NULL);
        assert_non_null(delegate);
        const size_t bytes = run(file, size, NULL, results[0]);
        assert_int_equal(run(file, size, delegate, results[1]), bytes);
        // Where it fails, the CPU computes what is right.
        assert_int_equal(oclite_opencl_delegate_status(delegate), kOcliteOpenclWorking);
        assert_memory_equal(results[0], results[1], bytes);
        oclite_opencl_delegate_delete(delegate);
        free(file);
    }
}

int main(int argc, char** argv) {
    (void)argv;
    if (!host_has_opencl()) return EXIT_SKIPPED;
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_those_of_the_cpu)};
    return cmocka_run_group_tests(tests, argc > 1 ? op_case_open_with_local_tiles : op_case_open,
                                  op_case_close);
}
