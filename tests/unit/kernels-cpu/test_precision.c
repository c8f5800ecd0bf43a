// SPDX-License-Identifier: Apache-2.0
// Packed weights as halves: what a layer computes with them is, to the bit, what it computes with weights
// that are rounded in the model, on every path and number of threads; and no further from the results of
// float32 than the roundings allow.
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "core/semantics/half.h"
#include "oclite/oclite.h"
#include "tests/support/model_builder.h"
#include "tests/support/random_numbers.h"

enum { kMost = 64 * 1024, kMatrices = 8 };

typedef struct Layer {
    const char* name;
    TfLiteBuiltinOperator code;
    int in[4];
    int rank;
    int weights[4]; // shape of its constant
    int weight_rank;
    int out[4];
    int out_rank;
    const void* params;
} Layer;

#define CONV(stride, dilation)                                                                               \
    &(const TfLiteConvParams) {                                                                              \
        .padding = kTfLitePaddingSame, .stride_width = stride, .stride_height = stride,                      \
        .dilation_width_factor = dilation, .dilation_height_factor = dilation                                \
    }
#define DENSE                                                                                                \
    &(const TfLiteFullyConnectedParams) {                                                                    \
        .keep_num_dims = true                                                                                \
    }
#define MATMUL(y)                                                                                            \
    &(const TfLiteBatchMatMulParams) {                                                                       \
        .adj_y = y                                                                                           \
    }
#define TRANSPOSED                                                                                           \
    &(const TfLiteTransposeConvParams) {                                                                     \
        .padding = kTfLitePaddingSame, .stride_width = 2, .stride_height = 2                                 \
    }

static const Layer layers[] = {
    {"1 row", kTfLiteBuiltinFullyConnected, {1, 70}, 2, {77, 70}, 2, {1, 77}, 2, DENSE},
    {"2 rows", kTfLiteBuiltinFullyConnected, {2, 70}, 2, {77, 70}, 2, {2, 77}, 2, DENSE},
    {"3 rows", kTfLiteBuiltinFullyConnected, {3, 31}, 2, {5, 31}, 2, {3, 5}, 2, DENSE},
    {"7 rows", kTfLiteBuiltinFullyConnected, {7, 64}, 2, {64, 64}, 2, {7, 64}, 2, DENSE},
    {"200 rows", kTfLiteBuiltinFullyConnected, {200, 33}, 2, {129, 33}, 2, {200, 129}, 2, DENSE},
    {"1 x 1", kTfLiteBuiltinConv2d, {1, 9, 9, 24}, 4, {40, 1, 1, 24}, 4, {1, 9, 9, 40}, 4, CONV(1, 1)},
    {"3 x 3", kTfLiteBuiltinConv2d, {1, 9, 9, 40}, 4, {24, 3, 3, 40}, 4, {1, 9, 9, 24}, 4, CONV(1, 1)},
    {"strided", kTfLiteBuiltinConv2d, {2, 9, 9, 3}, 4, {24, 3, 3, 3}, 4, {2, 5, 5, 24}, 4, CONV(2, 1)},
    {"dilated", kTfLiteBuiltinConv2d, {1, 9, 9, 16}, 4, {8, 5, 3, 16}, 4, {1, 9, 9, 8}, 4, CONV(1, 2)},
    {"grouped", kTfLiteBuiltinConv2d, {1, 9, 9, 16}, 4, {20, 3, 3, 8}, 4, {1, 9, 9, 20}, 4, CONV(1, 1)},
    {"right", kTfLiteBuiltinBatchMatmul, {3, 5, 40}, 3, {40, 50}, 2, {3, 5, 50}, 3, MATMUL(false)},
    {"turned", kTfLiteBuiltinBatchMatmul, {1, 5, 40}, 3, {50, 40}, 2, {1, 5, 50}, 3, MATMUL(true)},
    {"turned back",
     kTfLiteBuiltinTransposeConv,
     {1, 7, 7, 20},
     4,
     {12, 3, 3, 20},
     4,
     {1, 14, 14, 12},
     4,
     TRANSPOSED},
};
enum { kLayers = sizeof layers / sizeof layers[0] };

static float input[kMost], weights[kMatrices][kMost], rounded[kMatrices][kMost];

static int count_of(const int* dims, int rank) {
    int count = 1;
    for (int i = 0; i < rank; i++) count *= dims[i];
    return count;
}

static int tensor(ModelBuilder* b, const int* dims, int rank, const float* data) {
    BuilderTensor t = {.type = kTfLiteFloat32, .rank = rank, .data = data};
    for (int i = 0; i < rank; i++) t.dims[i] = dims[i];
    if (data != NULL) t.bytes = (size_t)count_of(dims, rank) * sizeof(float);
    return builder_tensor(b, t);
}

static uint8_t* build(const Layer* l, const float* values, size_t* size) {
    static const float zeros[kMost];
    ModelBuilder* b = builder_create();
    const int x = tensor(b, l->in, l->rank, NULL), w = tensor(b, l->weights, l->weight_rank, values);
    const int y = tensor(b, l->out, l->out_rank, NULL);
    BuilderInts inputs = {2, {x, w}};
    if (l->code == kTfLiteBuiltinTransposeConv) {
        const BuilderTensor shape = {
            .type = kTfLiteInt32, .rank = 1, .dims = {4}, .data = l->out, .bytes = sizeof l->out};
        inputs = (BuilderInts){3, {builder_tensor(b, shape), w, x}};
    } else if (l->code != kTfLiteBuiltinBatchMatmul) {
        inputs = (BuilderInts){3, {x, w, tensor(b, l->weights, 1, zeros)}};
    }
    builder_operator(b, (BuilderOperator){.code = l->code,
                                          .inputs = inputs,
                                          .outputs = {1, {y}},
                                          .params = l->params,
                                          .version = l->code == kTfLiteBuiltinConv2d ? 6 : 0});
    builder_inputs(b, (BuilderInts){1, {x}});
    builder_outputs(b, (BuilderInts){1, {y}});
    return builder_finish(b, size);
}

// 4 gates of an LSTM, each with weights of the input and of the state.
static uint8_t* build_lstm(float (*values)[kMost], size_t* size) {
    enum { kSteps = 5, kCells = 20, kDepth = 24 };
    static const TfLiteUnidirectionalSequenceLSTMParams params = {.activation = kTfLiteActTanh};
    static const int in[] = {2, kSteps, kDepth}, out[] = {2, kSteps, kCells}, state[] = {2, kCells};
    static const int of_input[] = {kCells, kDepth}, of_state[] = {kCells, kCells}, cells[] = {kCells};
    static const float zeros[kCells];
    ModelBuilder* b = builder_create();
    BuilderInts inputs = {.count = 24};
    for (int i = 0; i < 24; i++) inputs.values[i] = -1;
    const int x = inputs.values[0] = tensor(b, in, 3, NULL);
    for (int g = 0; g < 4; g++) {
        inputs.values[1 + g] = tensor(b, of_input, 2, values[g]);
        inputs.values[5 + g] = tensor(b, of_state, 2, values[4 + g]);
        inputs.values[12 + g] = tensor(b, cells, 1, zeros);
    }
    for (int s = 18; s < 20; s++) {
        BuilderTensor t = {
            .type = kTfLiteFloat32, .rank = 2, .dims = {state[0], state[1]}, .is_variable = true};
        inputs.values[s] = builder_tensor(b, t);
    }
    const int y = tensor(b, out, 3, NULL);
    builder_operator(b, (BuilderOperator){.code = kTfLiteBuiltinUnidirectionalSequenceLstm,
                                          .inputs = inputs,
                                          .outputs = {1, {y}},
                                          .params = &params});
    builder_inputs(b, (BuilderInts){1, {x}});
    builder_outputs(b, (BuilderInts){1, {y}});
    return builder_finish(b, size);
}

static char text[256];

static void record(void* user_data, const char* format, va_list args) {
    (void)user_data;
    vsnprintf(text, sizeof text, format, args);
}

typedef struct Result {
    int count;
    float values[kMost];
    OclitePackedWeights packed;
} Result;

static void run(const uint8_t* file, size_t size, const char* precision, int threads, Result* result) {
    TfLiteModel* model = TfLiteModelCreate(file, size);
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsSetNumThreads(options, threads);
    TfLiteInterpreterOptionsSetErrorReporter(options, record, NULL);
    assert_int_equal(oclite_interpreter_options_set_precision(options, precision), kTfLiteOk);
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
    TfLiteInterpreterOptionsDelete(options);
    if (TfLiteInterpreterAllocateTensors(interpreter) != kTfLiteOk) fail_msg("%s", text);
    TfLiteTensor* in = TfLiteInterpreterGetInputTensor(interpreter, 0);
    assert_int_equal(TfLiteTensorCopyFromBuffer(in, input, TfLiteTensorByteSize(in)), kTfLiteOk);
    assert_int_equal(TfLiteInterpreterInvoke(interpreter), kTfLiteOk);
    const TfLiteTensor* out = TfLiteInterpreterGetOutputTensor(interpreter, 0);
    result->count = (int)(TfLiteTensorByteSize(out) / sizeof(float));
    assert_in_range(result->count, 1, kMost);
    memcpy(result->values, TfLiteTensorData(out), TfLiteTensorByteSize(out));
    assert_int_equal(oclite_interpreter_packed_weights(interpreter, &result->packed), kTfLiteOk);
    TfLiteInterpreterDelete(interpreter);
    TfLiteModelDelete(model);
}

static Result with_floats, with_halves, again;

static bool same(const Result* a, const Result* b) {
    return a->count == b->count && memcmp(a->values, b->values, (size_t)a->count * sizeof(float)) == 0;
}

static float rounded_to(const char* precision, float x) {
    return strcmp(precision, "float16") == 0 ? lite_f16_to_f32(lite_f32_to_f16(x))
                                             : lite_bf16_to_f32(lite_f32_to_bf16(x));
}

static size_t halves_of(const Result* result, const char* precision) {
    return strcmp(precision, "float16") == 0 ? result->packed.float16_bytes : result->packed.bfloat16_bytes;
}

static void draw(const char* precision) {
    for (int i = 0; i < kMost; i++) input[i] = (float)random_int(-100000, 100000) / 100000;
    for (int m = 0; m < kMatrices; m++) {
        for (int i = 0; i < kMost; i++) {
            // Some are no normal FLOAT16, or nothing.
            const float scale = random_below(16) == 0 ? 0x1p-20f : 0.1f;
            weights[m][i] = (float)random_int(-100000, 100000) / 100000 * scale;
            rounded[m][i] = rounded_to(precision, weights[m][i]);
        }
    }
}

// Paths that take halves as weights: all but oneDNN's, and of FLOAT16 those with instructions for it.
static bool takes(const char* path, const char* precision) {
    if (strcmp(path, "onednn") == 0) return false;
    return strcmp(precision, "bfloat16") == 0 || strcmp(path, "vec128") != 0;
}

static void check_layer(const Layer* l, const char* path, const char* precision) {
    size_t size, rounded_size;
    uint8_t* file = build(l, weights[0], &size);
    uint8_t* as_rounded = build(l, rounded[0], &rounded_size);
    run(as_rounded, rounded_size, "float32", 1, &with_floats);
    run(file, size, precision, 1, &with_halves);
    if (!takes(path, precision) && strcmp(path, "auto") != 0) {
        assert_int_equal(halves_of(&with_halves, precision), 0);
        run(file, size, "float32", 1, &with_floats);
    } else if (takes(path, precision) && strcmp(path, "auto") != 0) {
        assert_int_equal(halves_of(&with_halves, precision), with_halves.packed.bytes);
        assert_in_range(with_halves.packed.bytes, 1, (with_floats.packed.bytes + 128) / 2);
    }
    if (!same(&with_floats, &with_halves)) fail_msg("%s, %s, %s", l->name, path, precision);
    for (int threads = 2; threads <= 4; threads++) {
        run(file, size, precision, threads, &again);
        assert_true(same(&with_halves, &again));
    }
    free(file);
    free(as_rounded);
}

static void check_lstm(const char* path, const char* precision) {
    size_t size, rounded_size;
    uint8_t* file = build_lstm(weights, &size);
    uint8_t* as_rounded = build_lstm(rounded, &rounded_size);
    run(as_rounded, rounded_size, "float32", 1, &with_floats);
    run(file, size, precision, 1, &with_halves);
    if (!takes(path, precision)) run(file, size, "float32", 1, &with_floats);
    if (!same(&with_floats, &with_halves)) fail_msg("LSTM, %s, %s", path, precision);
    if (takes(path, precision)) assert_true(halves_of(&with_halves, precision) > 0);
    free(file);
    free(as_rounded);
}

static const char* const precisions[] = {"bfloat16", "float16"};

// "auto" is one of the others.
static void layers_compute_with_rounded_weights(void** state) {
    (void)state;
    assert_int_equal(oclite_set_winograd("off"), kTfLiteOk);
    const char* path;
    for (int i = 1; (path = oclite_available_cpu_path(i)) != NULL; i++) {
        assert_int_equal(oclite_set_cpu_path(path), kTfLiteOk);
        for (int p = 0; p < 2; p++) {
            draw(precisions[p]);
            for (int l = 0; l < kLayers; l++) check_layer(&layers[l], path, precisions[p]);
            if (strcmp(path, "onednn") != 0) check_lstm(path, precisions[p]); // which it does not compute
        }
    }
    assert_int_equal(oclite_set_cpu_path("auto"), kTfLiteOk);
    assert_int_equal(oclite_set_winograd("auto"), kTfLiteOk);
}

// The largest sum of magnitudes of a layer's products, and of its inputs.
static void magnitudes(const Layer* l, double* products, double* inputs) {
    static Result sums;
    static float kept[kMost], ones[kMost];
    size_t size;
    memcpy(kept, input, sizeof kept);
    for (int i = 0; i < kMost; i++) {
        input[i] = fabsf(input[i]);
        rounded[1][i] = fabsf(weights[0][i]);
        ones[i] = 1.0f;
    }
    double* const to[] = {products, inputs};
    for (int k = 0; k < 2; k++) {
        uint8_t* file = build(l, k == 0 ? rounded[1] : ones, &size);
        run(file, size, "float32", 1, &sums);
        *to[k] = 0.0;
        for (int i = 0; i < sums.count; i++) *to[k] = fmax(*to[k], (double)sums.values[i]);
        free(file);
    }
    memcpy(input, kept, sizeof kept);
}

// |y - y'| <= sum |x| |w - w'|, and |w - w'| <= 2^-8 |w| of BFLOAT16 and max(2^-11 |w|, 2^-25) of FLOAT16. By
// Winograd's way that may grow by 64 / 9 with tiles of 2 and 620 / 9 with tiles of 4, the products of what
// its matrices' rows sum up to.
static void check_errors(const char* winograd, double growth) {
    assert_int_equal(oclite_set_winograd(winograd), kTfLiteOk);
    for (int p = 0; p < 2; p++) {
        draw(precisions[p]);
        for (int l = 0; l < kLayers; l++) {
            size_t size;
            double products, inputs, most = 0.0;
            magnitudes(&layers[l], &products, &inputs);
            uint8_t* file = build(&layers[l], weights[0], &size);
            run(file, size, "float32", 1, &with_floats);
            run(file, size, precisions[p], 1, &with_halves);
            free(file);
            for (int i = 0; i < with_floats.count; i++) {
                most = fmax(most, fabs((double)with_floats.values[i] - (double)with_halves.values[i]));
            }
            const double rounding = p == 0 ? 0x1p-8 * products : 0x1p-11 * products + 0x1p-25 * inputs;
            const double bound = growth * (rounding + 1000 * 0x1p-24 * products);
            if (!(most <= bound))
                fail_msg("%s, %s: %g, at most %g", layers[l].name, precisions[p], most, bound);
            if (halves_of(&with_halves, precisions[p]) > 0) assert_true(most > 0.0);
        }
    }
    assert_int_equal(oclite_set_winograd("auto"), kTfLiteOk);
}

static void errors_are_bounded(void** state) {
    (void)state;
    check_errors("off", 1.0);
    check_errors("2x2", 64.0 / 9.0);
    check_errors("4x4", 620.0 / 9.0);
}

static void winograd_has_halves_where_they_do(void** state) {
    (void)state;
    static const char* const tiles[] = {"2x2", "4x4"};
    const Layer* l = &layers[6];
    for (int t = 0; t < 2; t++) {
        assert_int_equal(oclite_set_winograd(tiles[t]), kTfLiteOk);
        for (int p = 0; p < 2; p++) {
            size_t size;
            draw(precisions[p]);
            uint8_t* file = build(l, weights[0], &size);
            run(file, size, "float32", 1, &with_floats);
            run(file, size, precisions[p], 1, &with_halves);
            const bool is_half = !(t == 1 && p == 0);
            if (takes(oclite_available_cpu_path(2), precisions[p])) {
                assert_int_equal(with_halves.packed.bytes, with_floats.packed.bytes / (is_half ? 2 : 1));
            }
            run(file, size, precisions[p], 3, &again);
            assert_true(same(&with_halves, &again));
            free(file);
        }
    }
    assert_int_equal(oclite_set_winograd("auto"), kTfLiteOk);
}

// Weights that halves cannot stand for remain floats, with the bits of these.
static void expect_floats(const Layer* l, const char* precision, bool is_half) {
    size_t size;
    uint8_t* file = build(l, weights[0], &size);
    run(file, size, precision, 1, &with_halves);
    assert_int_equal(halves_of(&with_halves, precision) > 0, is_half);
    if (!is_half) {
        run(file, size, "float32", 1, &with_floats);
        assert_true(same(&with_halves, &with_floats));
        assert_int_equal(with_halves.packed.bytes, with_floats.packed.bytes);
    }
    free(file);
}

static void check_range(const Layer* l) {
    const int count = count_of(l->weights, l->weight_rank);
    const struct {
        const char* precision;
        float value;
        bool is_half;
    } cases[] = {
        {"float16", 65504.0f, true},     {"float16", 65519.0f, true},   {"float16", 65520.0f, false},
        {"float16", -1e30f, false},      {"float16", INFINITY, true},   {"float16", NAN, true},
        {"bfloat16", 1e30f, true},       {"bfloat16", -FLT_MAX, false}, {"bfloat16", INFINITY, true},
        {"bfloat16", 0x1.fep127f, true}, {"float16", 1e-40f, true},     {"bfloat16", 1e-40f, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        draw(cases[i].precision);
        weights[0][random_below(count)] = cases[i].value;
        expect_floats(l, cases[i].precision, cases[i].is_half);
    }
    for (int k = 0; k < 3; k++) { // all below the least normal FLOAT16, one of them it, and all zeros
        draw("float16");
        for (int i = 0; i < count; i++) weights[0][i] *= k == 2 ? 0.0f : 0x1p-12f;
        if (k == 1) weights[0][random_below(count)] = 0x1p-14f;
        expect_floats(l, "float16", k != 0);
        expect_floats(l, "bfloat16", true);
    }
}

static void weights_out_of_range_remain_floats(void** state) {
    (void)state;
    assert_int_equal(oclite_set_cpu_path("reference"), kTfLiteOk);
    check_range(&layers[0]);
    assert_int_equal(oclite_set_cpu_path("auto"), kTfLiteOk);
    assert_int_equal(oclite_set_winograd("off"), kTfLiteOk);
    if (takes(oclite_available_cpu_path(2), "float16") || oclite_available_cpu_path(3) != NULL) {
        check_range(&layers[0]);
        check_range(&layers[6]);
    }
    assert_int_equal(oclite_set_winograd("auto"), kTfLiteOk);
}

static TfLiteInterpreter* make(const TfLiteModel* model, const char* precision) {
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    assert_int_equal(oclite_interpreter_options_set_precision(options, precision), kTfLiteOk);
    TfLiteInterpreter* interpreter = TfLiteInterpreterCreate(model, options);
    TfLiteInterpreterOptionsDelete(options);
    return interpreter;
}

static void precisions_of_a_model_are_apart(void** state) {
    (void)state;
    size_t size;
    draw("bfloat16");
    uint8_t* file = build(&layers[0], weights[0], &size);
    TfLiteModel* model = TfLiteModelCreate(file, size);
    TfLiteInterpreter *floats = make(model, "float32"), *halves = make(model, "bfloat16");
    OclitePackedWeights packed;
    assert_int_equal(TfLiteInterpreterAllocateTensors(floats), kTfLiteOk);
    assert_int_equal(oclite_interpreter_packed_weights(floats, &packed), kTfLiteOk);
    const size_t alone = packed.bytes;
    assert_int_equal(packed.bfloat16_bytes, 0);
    assert_int_equal(TfLiteInterpreterAllocateTensors(halves), kTfLiteOk);
    assert_int_equal(oclite_interpreter_packed_weights(floats, &packed), kTfLiteOk);
    assert_int_equal(packed.bytes, alone + packed.bfloat16_bytes);
    assert_true(packed.bfloat16_bytes > 0);
    TfLiteInterpreterDelete(floats);
    assert_int_equal(oclite_interpreter_packed_weights(halves, &packed), kTfLiteOk);
    assert_int_equal(packed.bytes, packed.bfloat16_bytes);
    TfLiteInterpreterDelete(halves);
    TfLiteModelDelete(model);
    free(file);
}

static void memory_runs_out(void** state) {
    (void)state;
    size_t size;
    draw("bfloat16");
    uint8_t* file = build(&layers[6], weights[0], &size);
    TfLiteModel* model = TfLiteModelCreate(file, size);
    bool failed = true;
    for (int64_t point = 0; failed; point++) {
        TfLiteInterpreter* interpreter = make(model, "bfloat16");
        lite_memory_fail_once(point);
        const TfLiteStatus status = TfLiteInterpreterAllocateTensors(interpreter);
        failed = lite_memory_failures() > 0;
        lite_memory_fail_once(-1);
        if (status != kTfLiteOk) assert_int_equal(TfLiteInterpreterAllocateTensors(interpreter), kTfLiteOk);
        TfLiteInterpreterDelete(interpreter);
    }
    TfLiteModelDelete(model);
    free(file);
}

static void other_names_are_errors(void** state) {
    (void)state;
    TfLiteInterpreterOptions* options = TfLiteInterpreterOptionsCreate();
    TfLiteInterpreterOptionsSetErrorReporter(options, record, NULL);
    assert_int_equal(oclite_interpreter_options_set_precision(options, "half"), kTfLiteError);
    assert_string_equal(text, "precision \"half\" is none of float32, bfloat16, float16");
    assert_int_equal(oclite_interpreter_options_set_precision(options, NULL), kTfLiteError);
    assert_int_equal(oclite_interpreter_options_set_precision(options, ""), kTfLiteError);
    assert_int_equal(oclite_interpreter_options_set_precision(NULL, "float16"), kTfLiteError);
    TfLiteInterpreterOptionsDelete(options);
    for (int i = 0; i < 3; i++) assert_non_null(oclite_precision_name(i));
    assert_null(oclite_precision_name(3));
    assert_null(oclite_precision_name(-1));
    OclitePackedWeights packed;
    assert_int_equal(oclite_interpreter_packed_weights(NULL, &packed), kTfLiteError);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(layers_compute_with_rounded_weights),
        cmocka_unit_test(errors_are_bounded),
        cmocka_unit_test(winograd_has_halves_where_they_do),
        cmocka_unit_test(weights_out_of_range_remain_floats),
        cmocka_unit_test(precisions_of_a_model_are_apart),
        cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(other_names_are_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
