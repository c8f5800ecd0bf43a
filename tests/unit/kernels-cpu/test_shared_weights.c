// SPDX-License-Identifier: Apache-2.0
// Interpreters of one model share the weights that kernels pack.
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "core/graph/build_tensor.h"
#include "core/graph/state.h"
#include "core/model/model.h"
#include "oclite/oclite.h"
#include "tensorflow/lite/c/c_api.h"
#include "tests/support/model_builder.h"
#include "tests/support/random_numbers.h"

enum { kSide = 12, kChannels = 16, kUnits = 10, kPixels = kSide * kSide, kFilterTensor = 1 };

static const TfLiteConvParams conv = {.padding = kTfLitePaddingSame,
                                      .stride_width = 1,
                                      .stride_height = 1,
                                      .dilation_width_factor = 1,
                                      .dilation_height_factor = 1};
static const TfLiteDepthwiseConvParams depthwise = {.padding = kTfLitePaddingSame,
                                                    .stride_width = 1,
                                                    .stride_height = 1,
                                                    .depth_multiplier = 1,
                                                    .dilation_width_factor = 1,
                                                    .dilation_height_factor = 1};
static const TfLiteTransposeConvParams transposed = {
    .padding = kTfLitePaddingSame, .stride_width = 2, .stride_height = 2};
static const TfLiteFullyConnectedParams dense = {.keep_num_dims = true};
static const TfLiteBatchMatMulParams product = {.adj_y = false};

enum { kWeights = 2 * kSide * kUnits * kUnits }; // what has most of them
static float floats[kWeights];
static int8_t bytes[kWeights];

static int image(ModelBuilder* b, TfLiteType type, int side, int channels) {
    return builder_tensor(b, (BuilderTensor){.type = type,
                                             .rank = 4,
                                             .dims = {1, side, side, channels},
                                             .scale = type == kTfLiteInt8 ? 0.05f : 0.0f});
}

static int weights(ModelBuilder* b, TfLiteType type, int d0, int d1, int d2, int d3) {
    const bool is_float = type == kTfLiteFloat32;
    return builder_tensor(b, (BuilderTensor){.type = type,
                                             .rank = 4,
                                             .dims = {d0, d1, d2, d3},
                                             .data = is_float ? (const void*)floats : bytes,
                                             .bytes = (size_t)(d0 * d1 * d2 * d3) * (is_float ? 4 : 1),
                                             .scale = is_float ? 0.0f : 0.01f});
}

static int matrix(ModelBuilder* b, TfLiteType type, int rows, int columns) {
    const bool is_float = type == kTfLiteFloat32;
    return builder_tensor(b, (BuilderTensor){.type = type,
                                             .rank = 2,
                                             .dims = {rows, columns},
                                             .data = is_float ? (const void*)floats : bytes,
                                             .bytes = (size_t)(rows * columns) * (is_float ? 4 : 1),
                                             .scale = is_float ? 0.0f : 0.01f});
}

static int bias(ModelBuilder* b, TfLiteType type) {
    static const float zeros[kChannels];
    return builder_tensor(b, (BuilderTensor){.type = type,
                                             .rank = 1,
                                             .dims = {kChannels},
                                             .data = zeros,
                                             .bytes = sizeof zeros,
                                             .scale = type == kTfLiteFloat32 ? 0.0f : 0.0005f});
}

static void node(ModelBuilder* b, TfLiteBuiltinOperator code, BuilderInts inputs, int output,
                 const void* params) {
    builder_operator(
        b, (BuilderOperator){.code = code, .inputs = inputs, .outputs = {1, {output}}, .params = params});
}

// CONV_2D of 3 x 3 and of 1 x 1, TRANSPOSE_CONV, FULLY_CONNECTED and two BATCH_MATMUL.
static uint8_t* float_model(size_t* size) {
    static const int32_t shape[] = {1, 2 * kSide, 2 * kSide, kChannels};
    const TfLiteType type = kTfLiteFloat32;
    ModelBuilder* b = builder_create();
    const int x = image(b, type, kSide, kChannels), w = weights(b, type, kChannels, 3, 3, kChannels);
    const int a = image(b, type, kSide, kChannels), w1 = weights(b, type, kChannels, 1, 1, kChannels);
    const int c = image(b, type, kSide, kChannels), w2 = weights(b, type, kChannels, 3, 3, kChannels);
    const int size_of = builder_tensor(
        b,
        (BuilderTensor){.type = kTfLiteInt32, .rank = 1, .dims = {4}, .data = shape, .bytes = sizeof shape});
    const int d = image(b, type, 2 * kSide, kChannels), w3 = matrix(b, type, kUnits, kChannels);
    const int e = image(b, type, 2 * kSide, kUnits), w4 = matrix(b, type, kUnits, kUnits);
    const int f = image(b, type, 2 * kSide, kUnits), w5 = weights(b, type, 1, 2 * kSide, kUnits, kUnits);
    const int y = image(b, type, 2 * kSide, kUnits);
    node(b, kTfLiteBuiltinConv2d, (BuilderInts){3, {x, w, bias(b, type)}}, a, &conv);
    node(b, kTfLiteBuiltinConv2d, (BuilderInts){3, {a, w1, bias(b, type)}}, c, &conv);
    node(b, kTfLiteBuiltinTransposeConv, (BuilderInts){3, {size_of, w2, c}}, d, &transposed);
    node(b, kTfLiteBuiltinFullyConnected, (BuilderInts){3, {d, w3, -1}}, e, &dense);
    node(b, kTfLiteBuiltinBatchMatmul, (BuilderInts){2, {e, w4}}, f, &product);
    node(b, kTfLiteBuiltinBatchMatmul, (BuilderInts){2, {f, w5}}, y, &product); // of several matrices
    builder_inputs(b, (BuilderInts){1, {x}});
    builder_outputs(b, (BuilderInts){1, {y}});
    return builder_finish(b, size);
}

// CONV_2D, DEPTHWISE_CONV_2D and FULLY_CONNECTED.
static uint8_t* byte_model(size_t* size) {
    const TfLiteType type = kTfLiteInt8;
    ModelBuilder* b = builder_create();
    const int x = image(b, type, kSide, kChannels), w = weights(b, type, kChannels, 3, 3, kChannels);
    const int a = image(b, type, kSide, kChannels), w1 = weights(b, type, 1, 3, 3, kChannels);
    const int c = image(b, type, kSide, kChannels), w2 = matrix(b, type, kUnits, kChannels);
    const int y = image(b, type, kSide, kUnits);
    node(b, kTfLiteBuiltinConv2d, (BuilderInts){3, {x, w, bias(b, kTfLiteInt32)}}, a, &conv);
    node(b, kTfLiteBuiltinDepthwiseConv2d, (BuilderInts){3, {a, w1, bias(b, kTfLiteInt32)}}, c, &depthwise);
    node(b, kTfLiteBuiltinFullyConnected, (BuilderInts){3, {c, w2, -1}}, y, &dense);
    builder_inputs(b, (BuilderInts){1, {x}});
    builder_outputs(b, (BuilderInts){1, {y}});
    return builder_finish(b, size);
}

typedef uint8_t* (*Build)(size_t* size);
static const Build builds[] = {float_model, byte_model};
enum { kBuilds = 2 };

static void draw_weights(uint32_t seed) {
    random_seed = seed;
    for (size_t i = 0; i < sizeof bytes; i++) {
        floats[i] = (float)random_int(-1000, 1000) / 10000;
        bytes[i] = (int8_t)random_int(-127, 127);
    }
}

static size_t held(const TfLiteModel* model) {
    return lite_shared_bytes(lite_model_shared((LiteModel*)(uintptr_t)model));
}

// NULL when it cannot be allocated.
static TfLiteInterpreter* make(const TfLiteModel* model) {
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, NULL);
    if (interpreter == NULL || TfLiteInterpreterAllocateTensors(interpreter) == kTfLiteOk) return interpreter;
    TfLiteInterpreterDelete(interpreter);
    return NULL;
}

typedef struct Result {
    size_t size;
    uint8_t data[4 * 4 * kPixels * kUnits * 2];
} Result;

// Also used on other threads, where nothing may be asserted.
static bool run(TfLiteInterpreter* interpreter, Result* result) {
    TfLiteTensor* input = TfLiteInterpreterGetInputTensor(interpreter, 0);
    const size_t size = TfLiteTensorByteSize(input);
    if (TfLiteTensorType(input) == kTfLiteFloat32) {
        float* x = TfLiteTensorData(input);
        for (size_t i = 0; i < size / sizeof *x; i++) x[i] = (float)(i % 23) / 23;
    } else {
        int8_t* x = TfLiteTensorData(input);
        for (size_t i = 0; i < size; i++) x[i] = (int8_t)(i % 23);
    }
    if (TfLiteInterpreterInvoke(interpreter) != kTfLiteOk) return false;
    const TfLiteTensor* output = TfLiteInterpreterGetOutputTensor(interpreter, 0);
    result->size = TfLiteTensorByteSize(output);
    if (result->size > sizeof result->data) return false;
    memcpy(result->data, TfLiteTensorData(output), result->size);
    return true;
}

static Result wanted, got;

static bool same(TfLiteInterpreter* interpreter, const Result* as) {
    return run(interpreter, &got) && got.size == as->size && memcmp(got.data, as->data, got.size) == 0;
}

static void interpreters_hold_one_copy(void** state) {
    (void)state;
    enum { kMany = 8 };
    for (int k = 0; k < kBuilds; k++) {
        size_t size;
        uint8_t* file = builds[k](&size);
        TfLiteModel* model = TfLiteModelCreate(file, size);
        TfLiteInterpreter* interpreters[kMany];
        assert_int_equal(held(model), 0);
        interpreters[0] = make(model);
        assert_non_null(interpreters[0]);
        assert_true(run(interpreters[0], &wanted));
        const size_t once = held(model);
        assert_true(once >= (k == 0 ? sizeof floats : sizeof bytes));
        for (int i = 1; i < kMany; i++) {
            interpreters[i] = make(model);
            assert_non_null(interpreters[i]);
            assert_true(same(interpreters[i], &wanted));
            assert_int_equal(held(model), once);
        }
        for (int i = 0; i < kMany; i++) {
            assert_true(same(interpreters[i], &wanted));
            TfLiteInterpreterDelete(interpreters[i]);
        }
        assert_int_equal(held(model), 0);
        TfLiteModelDelete(model);
        free(file);
    }
}

static void the_order_of_deletion_does_not_matter(void** state) {
    (void)state;
    static const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    size_t size;
    uint8_t* file = float_model(&size);
    for (int i = 0; i < 6; i++) {
        TfLiteModel* model = TfLiteModelCreate(file, size);
        TfLiteInterpreter* interpreters[3];
        for (int n = 0; n < 3; n++) interpreters[n] = make(model);
        assert_true(run(interpreters[0], &wanted));
        if (i % 2 == 0) TfLiteModelDelete(model);
        for (int n = 0; n < 3; n++) {
            for (int rest = n; rest < 3; rest++) assert_true(same(interpreters[orders[i][rest]], &wanted));
            TfLiteInterpreterDelete(interpreters[orders[i][n]]);
        }
        if (i % 2 == 0) continue;
        assert_int_equal(held(model), 0);
        TfLiteModelDelete(model);
    }
    free(file);
}

static void* come_and_go(void* argument) {
    const TfLiteModel* model = argument;
    Result* result = malloc(sizeof *result);
    bool good = result != NULL;
    for (int i = 0; i < 15 && good; i++) {
        TfLiteInterpreter* interpreter = make(model);
        good = interpreter != NULL && run(interpreter, result) && result->size == wanted.size &&
               memcmp(result->data, wanted.data, wanted.size) == 0;
        TfLiteInterpreterDelete(interpreter);
    }
    free(result);
    return good ? argument : NULL;
}

static void threads_come_and_go(void** state) {
    (void)state;
    enum { kThreads = 3 };
    for (int k = 0; k < kBuilds; k++) {
        size_t size;
        uint8_t* file = builds[k](&size);
        TfLiteModel* model = TfLiteModelCreate(file, size);
        TfLiteInterpreter* interpreter = make(model);
        assert_true(run(interpreter, &wanted));
        TfLiteInterpreterDelete(interpreter);
        pthread_t threads[kThreads];
        for (int i = 0; i < kThreads; i++) {
            assert_int_equal(pthread_create(&threads[i], NULL, come_and_go, model), 0);
        }
        for (int i = 0; i < kThreads; i++) {
            void* good = NULL;
            assert_int_equal(pthread_join(threads[i], &good), 0);
            assert_non_null(good);
        }
        assert_int_equal(held(model), 0);
        TfLiteModelDelete(model);
        free(file);
    }
}

static void another_model_at_the_same_address(void** state) {
    (void)state;
    static Result results[2];
    size_t sizes[2];
    uint8_t* files[2];
    for (int i = 0; i < 2; i++) {
        draw_weights(10 + (uint32_t)i);
        files[i] = float_model(&sizes[i]);
        TfLiteModel* model = TfLiteModelCreate(files[i], sizes[i]);
        TfLiteInterpreter* interpreter = make(model);
        assert_true(run(interpreter, &results[i]));
        TfLiteInterpreterDelete(interpreter);
        TfLiteModelDelete(model);
    }
    assert_memory_not_equal(results[0].data, results[1].data, results[0].size);
    uint8_t* place = malloc(sizes[0] > sizes[1] ? sizes[0] : sizes[1]);
    assert_non_null(place);
    for (int i = 0; i < 4; i++) {
        const size_t size = sizes[i % 2];
        memcpy(place, files[i % 2], size);
        TfLiteModel* models[2] = {TfLiteModelCreate(place, size), TfLiteModelCreate(place, size)};
        TfLiteInterpreter* interpreters[2] = {make(models[0]), make(models[1])};
        for (int n = 0; n < 2; n++) TfLiteModelDelete(models[n]);
        for (int n = 0; n < 2; n++) {
            assert_true(same(interpreters[n], &results[i % 2]));
            TfLiteInterpreterDelete(interpreters[n]);
        }
    }
    free(place);
    for (int i = 0; i < 2; i++) free(files[i]);
}

static void each_path_has_its_own(void** state) {
    (void)state;
    enum { kMostPaths = 16 };
    static Result alone[kMostPaths];
    for (int k = 0; k < kBuilds; k++) {
        size_t size;
        uint8_t* file = builds[k](&size);
        TfLiteModel* model = TfLiteModelCreate(file, size);
        TfLiteInterpreter* interpreters[kMostPaths][2];
        int count = 0;
        for (const char* path; (path = oclite_available_cpu_path(count)) != NULL; count++) {
            assert_true(count < kMostPaths);
            assert_int_equal(oclite_set_cpu_path(path), kTfLiteOk);
            TfLiteInterpreter* single = make(model);
            assert_true(run(single, &alone[count]));
            TfLiteInterpreterDelete(single);
            assert_int_equal(held(model), 0);
        }
        for (int n = 0; n < 2; n++) {
            for (int p = 0; p < count; p++) {
                assert_int_equal(oclite_set_cpu_path(oclite_available_cpu_path(p)), kTfLiteOk);
                interpreters[p][n] = make(model);
                assert_true(same(interpreters[p][n], &alone[p]));
            }
        }
        for (int p = 0; p < count; p++) { // and a node that is prepared again for another path
            assert_int_equal(oclite_set_cpu_path(oclite_available_cpu_path(p)), kTfLiteOk);
            const int dims[] = {1, kSide, kSide, kChannels};
            TfLiteInterpreter* other = interpreters[(p + 1) % count][0];
            assert_int_equal(TfLiteInterpreterResizeInputTensor(other, 0, dims, 4), kTfLiteOk);
            assert_int_equal(TfLiteInterpreterAllocateTensors(other), kTfLiteOk);
            assert_true(run(other, &got));
        }
        for (int p = 0; p < count; p++) {
            for (int n = 0; n < 2; n++) TfLiteInterpreterDelete(interpreters[p][n]);
        }
        assert_int_equal(held(model), 0);
        assert_int_equal(oclite_set_cpu_path("auto"), kTfLiteOk);
        TfLiteModelDelete(model);
        free(file);
    }
}

static void resized_interpreters_share_on(void** state) {
    (void)state;
    for (int k = 0; k < kBuilds; k++) {
        size_t size;
        uint8_t* file = builds[k](&size);
        TfLiteModel* model = TfLiteModelCreate(file, size);
        TfLiteInterpreter* first = make(model);
        TfLiteInterpreter* second = make(model);
        assert_true(run(first, &wanted));
        const size_t once = held(model);
        for (int i = 0; i < 3; i++) {
            const int dims[] = {1, i == 1 ? 5 : kSide, kSide, kChannels};
            // TRANSPOSE_CONV has its shape from the model.
            const TfLiteStatus expected = i == 1 && k == 0 ? kTfLiteError : kTfLiteOk;
            assert_int_equal(TfLiteInterpreterResizeInputTensor(second, 0, dims, 4), kTfLiteOk);
            assert_int_equal(TfLiteInterpreterAllocateTensors(second), expected);
            assert_true(same(first, &wanted));
            if (i != 1) assert_true(same(second, &wanted));
            if (i != 1) assert_int_equal(held(model), once);
        }
        TfLiteInterpreterDelete(first);
        assert_true(same(second, &wanted));
        TfLiteInterpreterDelete(second);
        TfLiteModelDelete(model);
        free(file);
    }
}

// Of one interpreter the program replaces the filter of the first node.
static void what_the_program_sets_is_not_shared(void** state) {
    (void)state;
    static float zeros[kChannels * 9 * kChannels];
    const int32_t dims[] = {kChannels, 3, 3, kChannels};
    size_t size;
    uint8_t* file = float_model(&size);
    TfLiteModel* model = TfLiteModelCreate(file, size);
    TfLiteInterpreter* first = make(model);
    TfLiteInterpreter* second = make(model);
    assert_true(run(first, &wanted));
    const size_t once = held(model);
    const OcliteNewTensor filter = {.type = kTfLiteFloat32, .rank = 4, .dims = dims};
    LiteSubgraph* graph = lite_interpreter_subgraph((LiteInterpreter*)second, 0);
    assert_int_equal(lite_build_constant(graph, kFilterTensor, &filter, zeros, sizeof zeros), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterAllocateTensors(second), kTfLiteOk);
    assert_true(run(second, &got));
    for (size_t i = 0; i < got.size; i++) assert_int_equal(got.data[i] & 0x7f, 0);
    assert_true(same(first, &wanted));
    TfLiteInterpreterDelete(first);
    assert_in_range(held(model), 1, once - 1);
    assert_true(run(second, &got));
    for (size_t i = 0; i < got.size; i++) assert_int_equal(got.data[i] & 0x7f, 0);
    TfLiteInterpreterDelete(second);
    TfLiteModelDelete(model);
    free(file);
}

// Allocates the interpreter though an allocation fails: then once more.
static void allocate_despite(TfLiteInterpreter* interpreter, int64_t point, bool* failed) {
    lite_memory_fail_once(point);
    const TfLiteStatus status = TfLiteInterpreterAllocateTensors(interpreter);
    *failed = lite_memory_failures() > 0;
    lite_memory_fail_once(-1);
    if (status != kTfLiteOk) assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
}

// Whatever allocation of the second interpreter fails, the first one keeps what it has.
static void memory_runs_out(void** state) {
    (void)state;
    for (int k = 0; k < kBuilds; k++) {
        size_t size;
        uint8_t* file = builds[k](&size);
        TfLiteModel* model = TfLiteModelCreate(file, size);
        for (int kept = 0; kept < 2; kept++) {
            TfLiteInterpreter* first = kept == 1 ? make(model) : NULL;
            if (kept == 1) assert_true(run(first, &wanted));
            const size_t before = held(model);
            bool failed = true;
            for (int64_t point = 0; failed; point++) {
                TfLiteInterpreter* second = TfLiteInterpreterCreate(model, NULL);
                allocate_despite(second, point, &failed);
                assert_true(run(second, &got));
                // Without memory for its tiles, a convolution is computed in the direct way, which rounds
                // otherwise.
                if (k == 1 && kept == 1) assert_true(same(second, &wanted));
                TfLiteInterpreterDelete(second);
                assert_int_equal(held(model), before);
            }
            if (kept == 1) assert_true(same(first, &wanted));
            TfLiteInterpreterDelete(first);
        }
        TfLiteModelDelete(model);
        free(file);
    }
}

static int begin(void** state) {
    (void)state;
    draw_weights(1);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(interpreters_hold_one_copy, begin),
        cmocka_unit_test_setup(the_order_of_deletion_does_not_matter, begin),
        cmocka_unit_test_setup(threads_come_and_go, begin),
        cmocka_unit_test_setup(another_model_at_the_same_address, begin),
        cmocka_unit_test_setup(each_path_has_its_own, begin),
        cmocka_unit_test_setup(resized_interpreters_share_on, begin),
        cmocka_unit_test_setup(what_the_program_sets_is_not_shared, begin),
        cmocka_unit_test_setup(memory_runs_out, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
