// SPDX-License-Identifier: Apache-2.0
// The loops of pooling, reductions and searches, which are compiled for several instruction sets, against
// plain sums and maxima; blocks that are written over against rows; moves against the copy of each element.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/cpu_path.h"
#include "core/semantics/half.h"
#include "kernels-cpu/loops/arg_loops.h"
#include "kernels-cpu/loops/binary_loops.h"
#include "kernels-cpu/loops/over_loops.h"
#include "kernels-cpu/loops/pool_loops.h"
#include "kernels-cpu/loops/reduce_loops.h"
#include "kernels-cpu/loops/unary_loops.h"
#include "kernels-cpu/support/move.h"

enum { kBytes = 48000 };

static int8_t numbers[kBytes];
static float reals[kBytes];

static int fill(void** state) {
    (void)state;
    uint32_t random = 1;
    for (int i = 0; i < kBytes; i++) {
        random = random * 1664525u + 1013904223u;
        numbers[i] = (int8_t)(random >> 24);
        reals[i] = (float)numbers[i]; // whole numbers: sums are exact in any order
    }
    return 0;
}

static void for_paths(void (*test)(void)) {
    for (int path = kLiteCpuReference; path < kLiteCpuOneDnn; path++) {
        if (lite_cpu_path_choose((LiteCpuPath)path)) test();
    }
    lite_cpu_path_choose(kLiteCpuAuto);
}

// The sum and the largest of one channel of a window.
static int64_t window_of(const LitePoolLine* l, int pixel, int channel, int8_t* largest) {
    int64_t sum = 0;
    *largest = INT8_MIN;
    for (int y = 0; y < l->height; y++) {
        for (int x = 0; x < l->width; x++) {
            const int8_t value = numbers[(size_t)pixel * l->step + (size_t)y * l->line +
                                         (size_t)x * l->depth + (size_t)channel];
            sum += value;
            if (value > *largest) *largest = value;
        }
    }
    return sum;
}

static void check_line(LitePoolLine line) {
    static int8_t most[2048], mean[2048];
    static float real[2048];
    const int64_t count = (int64_t)line.height * line.width;
    line.in = numbers;
    line.out = most;
    lite_pool_loop(kLitePoolMax, kTfLiteInt8)(&line);
    line.out = mean;
    lite_pool_loop(kLitePoolAverage, kTfLiteInt8)(&line);
    line.in = reals;
    line.out = real;
    lite_pool_loop(kLitePoolAverage, kTfLiteFloat32)(&line);
    for (int p = 0; p < line.pixels; p++) {
        for (int c = 0; c < line.channels; c++) {
            const size_t at = (size_t)p * line.depth + (size_t)c;
            int8_t largest;
            const int64_t sum = window_of(&line, p, c, &largest);
            const int64_t average = (sum > 0 ? sum + count / 2 : sum - count / 2) / count;
            assert_int_equal(most[at], largest < -100 ? -100 : largest);
            assert_int_equal(mean[at], average < -100 ? -100 : average);
            assert_float_equal(real[at], (float)sum / (float)count, 1e-4f);
        }
    }
}

static void check_windows(void) {
    static const int channels[] = {1, 15, 16, 17, 64, 67, 150};
    static const int windows[][2] = {{1, 1}, {2, 3}, {9, 14}, {10, 13}, {16, 16}};
    for (size_t i = 0; i < sizeof channels / sizeof channels[0]; i++) {
        for (size_t w = 0; w < sizeof windows / sizeof windows[0]; w++) {
            const int height = windows[w][0], width = windows[w][1];
            if ((height + 1) * (width + 5) * (channels[i] + 1) > kBytes) continue;
            const size_t depth = (size_t)channels[i] + 1;
            check_line((LitePoolLine){.channels = channels[i],
                                      .pixels = 3,
                                      .height = height,
                                      .width = width,
                                      .depth = depth,
                                      .step = 2 * depth,
                                      .line = (size_t)(width + 4) * depth,
                                      .low = -1000.0f,
                                      .high = 1000.0f,
                                      .quantized_low = -100,
                                      .quantized_high = 127});
        }
    }
}

static void windows_are_the_same_everywhere(void** state) {
    (void)state;
    for_paths(check_windows);
}

static void check_reduction(const LiteReduceLoops* sums, const LiteReduceLoops* extremes,
                            const LiteReduceRows* rows, bool run) {
    static LiteAccumulators sum, most;
    const int64_t outputs = run ? rows->outputs : rows->count;
    sums->start(&sum, outputs);
    extremes->start(&most, outputs);
    if (run) {
        sums->run(&sum, 0, rows);
        extremes->run(&most, 0, rows);
    } else {
        sums->columns(&sum, rows);
        extremes->columns(&most, rows);
    }
    for (int64_t o = 0; o < outputs; o++) {
        int32_t want = 0;
        int8_t largest = INT8_MIN;
        for (int64_t row = 0; row < rows->rows; row++) {
            for (int64_t i = 0; i < (run ? rows->count : 1); i++) {
                const int8_t x = numbers[row * rows->stride + (run ? o * rows->next + i : o)];
                want += x;
                if (x > largest) largest = x;
            }
        }
        assert_int_equal(sum.i32[o], want);
        assert_int_equal(most.i8[o], largest);
    }
}

static void check_reductions(void) {
    LiteReduceLoops sums, extremes;
    assert_true(lite_reduce_loops(kLiteReduceSum, kLiteReduceStore, kTfLiteInt8, &sums));
    assert_true(lite_reduce_loops(kLiteReduceMaximum, kLiteReduceStore, kTfLiteInt8, &extremes));
    static const int counts[] = {1, 7, 8, 31, 32, 64, 100, 1025, 4500};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        const int64_t count = counts[i], room = kBytes / (2 * count);
        const LiteReduceRows run = {numbers, 2, count, count, room < 90 ? room : 90, 2 * count, NULL};
        check_reduction(&sums, &extremes, &run, true);
        if (count > 500) continue;
        for (int64_t many = 1; many * count <= kBytes && many <= 400; many = 2 * many + 1) {
            const LiteReduceRows columns = {numbers, many, count, count, 0, 0, NULL};
            check_reduction(&sums, &extremes, &columns, false);
        }
    }
    memset(numbers, -128, sizeof numbers); // what lanes have least room for
    const LiteReduceRows lowest = {numbers, 1, kBytes, kBytes, 1, 0, NULL};
    check_reduction(&sums, &extremes, &lowest, true);
    const LiteReduceRows lowest_columns = {numbers, 400, 100, 100, 0, 0, NULL};
    check_reduction(&sums, &extremes, &lowest_columns, false);
    fill(NULL);
}

static void reductions_are_the_same_everywhere(void** state) {
    (void)state;
    for_paths(check_reductions);
}

// Sums of INT16 and extremes of INT32, of rows that fill no vector, in memory of just their size.
static void check_few(int64_t rows, int64_t count, int64_t outputs) {
    const int64_t total = rows * count * outputs;
    int16_t* shorts = malloc((size_t)total * sizeof(int16_t));
    int32_t* ints = malloc((size_t)total * sizeof(int32_t));
    assert_true(shorts != NULL && ints != NULL);
    for (int64_t i = 0; i < total; i++) shorts[i] = (int16_t)(ints[i] = numbers[i] * 250);
    LiteReduceLoops sums, extremes;
    assert_true(lite_reduce_loops(kLiteReduceSum, kLiteReduceStore, kTfLiteInt16, &sums));
    assert_true(lite_reduce_loops(kLiteReduceMaximum, kLiteReduceStore, kTfLiteInt32, &extremes));
    const LiteReduceRows all[] = {{shorts, rows, count, count, outputs, rows * count, NULL},
                                  {ints, rows, count, count, outputs, rows * count, NULL},
                                  {shorts, rows * outputs, count, count, 0, 0, NULL},
                                  {ints, rows * outputs, count, count, 0, 0, NULL}};
    static LiteAccumulators got[4];
    sums.start(&got[0], outputs), extremes.start(&got[1], outputs);
    sums.run(&got[0], 0, &all[0]), extremes.run(&got[1], 0, &all[1]);
    sums.start(&got[2], count), extremes.start(&got[3], count);
    sums.columns(&got[2], &all[2]), extremes.columns(&got[3], &all[3]);
    for (int columns = 0; columns < 2; columns++) {
        for (int64_t o = 0; o < (columns ? count : outputs); o++) {
            int32_t sum = 0, most = INT32_MIN;
            for (int64_t i = 0; i < total / (columns ? count : outputs); i++) {
                const int32_t x = ints[columns ? i * count + o : o * rows * count + i];
                sum += x;
                if (x > most) most = x;
            }
            assert_int_equal(got[2 * columns].i32[o], sum);
            assert_int_equal(got[2 * columns + 1].i32[o], most);
        }
    }
    free(shorts);
    free(ints);
}

static void check_all_few(void) {
    for (int64_t count = 1; count < 26; count++) {
        for (int64_t rows = 1; rows < 12; rows += 5) {
            for (int64_t outputs = 1; outputs < 80; outputs += 13) check_few(rows, count, outputs);
        }
    }
}

static void few_integers_are_the_same_everywhere(void** state) {
    (void)state;
    for_paths(check_all_few);
}

// Bits, but that any NaN is as good as another.
static bool is_same_float(float a, float b) {
    return (isnan(a) && isnan(b)) || lite_float_to_bits(a) == lite_float_to_bits(b);
}

typedef struct FloatReduction {
    LiteReduction reduction;
    LiteAccumulators run, columns;
} FloatReduction;

static void reduce_floats(FloatReduction* f, const LiteReduceRows* rows) {
    LiteReduceLoops loops;
    assert_true(lite_reduce_loops(f->reduction, kLiteReduceStore, kTfLiteFloat32, &loops));
    loops.start(&f->run, rows->outputs);
    loops.run(&f->run, 0, rows);
    loops.start(&f->columns, rows->count);
    loops.columns(&f->columns, rows);
    const LiteAccumulators once = f->columns;
    loops.combine(&f->columns, &once, rows->count);
}

// Results of the path that compilers make of plain loops are those of the others: order, zeros and NaN.
static void check_float_rows(const LiteReduceRows* rows) {
    static FloatReduction want[] = {{.reduction = kLiteReduceSum},
                                    {.reduction = kLiteReduceProduct},
                                    {.reduction = kLiteReduceMaximum},
                                    {.reduction = kLiteReduceMinimum}};
    for (size_t k = 0; k < sizeof want / sizeof want[0]; k++) {
        assert_true(lite_cpu_path_choose(kLiteCpuReference));
        reduce_floats(&want[k], rows);
        for (int path = kLiteCpuReference + 1; path < kLiteCpuOneDnn; path++) {
            static FloatReduction got;
            if (!lite_cpu_path_choose((LiteCpuPath)path)) continue;
            got.reduction = want[k].reduction;
            reduce_floats(&got, rows);
            for (int64_t i = 0; i < rows->outputs; i++)
                assert_true(is_same_float(got.run.f32[i], want[k].run.f32[i]));
            for (int64_t i = 0; i < rows->count; i++)
                assert_true(is_same_float(got.columns.f32[i], want[k].columns.f32[i]));
        }
    }
    lite_cpu_path_choose(kLiteCpuAuto);
}

static void reductions_of_floats_are_the_same_everywhere(void** state) {
    (void)state;
    enum { LONGEST = 300, ROWS = 21, OUTPUTS = 19 };
    static float data[1 + LONGEST * (ROWS + OUTPUTS)];
    static const float special[] = {NAN, INFINITY, -INFINITY, 0.0f, -0.0f, 1e-40f, 3e38f, -3e38f};
    static const int counts[] = {1, 7, 8, 9, 15, 16, 17, 24, 31, 32, 63, 64, 65, 100, 255, 256, 257, 300};
    static const int many[] = {1, 2, 4, 5, 8, 9, 13, ROWS};
    for (int among = 0; among < 3; among++) { // none, a few, nothing but special ones
        for (size_t i = 0; i < sizeof data / sizeof data[0]; i++) {
            const bool is_special = among == 2 || (among == 1 && numbers[i] % 16 == 0);
            data[i] = is_special ? special[(unsigned)numbers[2 * i] % 8] : (float)numbers[3 * i] * 0.37f;
        }
        for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
            for (size_t m = 0; m < sizeof many / sizeof many[0]; m++) {
                const LiteReduceRows rows = {data + 1, many[m], LONGEST, counts[c], OUTPUTS, LONGEST, NULL};
                check_float_rows(&rows);
            }
        }
    }
}

static void check_search(const LiteArgLoops* greatest, const LiteArgLoops* least, const void* data,
                         size_t element, int64_t count) {
    for (int64_t first = 0; first < 40; first++) {
        int64_t most = 0, fewest = 0;
        for (int64_t i = 0; i < count; i++) {
            if (reals[first + i] > reals[first + most]) most = i;
            if (reals[first + i] < reals[first + fewest]) fewest = i;
        }
        const char* from = (const char*)data + (size_t)first * element;
        assert_int_equal(greatest->along(from, count), most);
        assert_int_equal(least->along(from, count), fewest);
    }
}

static void check_searches(void) {
    static const int counts[] = {1, 7, 31, 32, 64, 100, 1024, 1025, 4500};
    static const struct {
        TfLiteType type;
        const void* data;
        size_t element;
    } arrays[] = {{kTfLiteFloat32, reals, sizeof(float)}, {kTfLiteInt8, numbers, 1}};
    for (size_t a = 0; a < 2; a++) {
        LiteArgLoops greatest, least;
        assert_true(lite_arg_loops(arrays[a].type, true, &greatest));
        assert_true(lite_arg_loops(arrays[a].type, false, &least));
        for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
            check_search(&greatest, &least, arrays[a].data, arrays[a].element, counts[i]);
        }
    }
    float some[100] = {0};
    some[50] = some[90] = 2.0f;
    some[60] = NAN;
    LiteArgLoops greatest;
    assert_true(lite_arg_loops(kTfLiteFloat32, true, &greatest));
    assert_int_equal(greatest.along(some, 100), 50);
    some[0] = NAN; // which every number replaces
    assert_int_equal(greatest.along(some, 100), 50);
    for (int i = 0; i < 100; i++) some[i] = NAN;
    assert_int_equal(greatest.along(some, 100), 0);
}

static void searches_find_the_first_everywhere(void** state) {
    (void)state;
    for_paths(check_searches);
}

// From pixels to planes, out of memory of just that size.
static void planes_of_few_channels_are_whole(void** state) {
    (void)state;
    for (size_t element = 1; element <= 8; element *= 2) {
        for (int64_t channels = 1; channels < 19; channels++) {
            for (int64_t pixels = 1; pixels < 40; pixels += channels < 6 ? 1 : 7) {
                const size_t bytes = (size_t)(channels * pixels) * element;
                char *from = malloc(bytes), *to = malloc(bytes);
                assert_true(from != NULL && to != NULL);
                memcpy(from, numbers, bytes);
                LiteMove move = {0};
                lite_move_add(&move, channels, 1, pixels);
                lite_move_add(&move, pixels, channels, 1);
                lite_move_run(&move, from, to, element, 1);
                for (int64_t i = 0; i < channels * pixels; i++) {
                    const char* source = from + (size_t)(i % pixels * channels + i / pixels) * element;
                    assert_memory_equal(to + (size_t)i * element, source, element);
                }
                free(from);
                free(to);
            }
        }
    }
}

// Blocks of pixels into channels and back: columns of a block follow each other on both sides.
static void check_blocks(int64_t block, int64_t channels, size_t element) {
    enum { kHeight = 3, kWidth = 37 };
    const int64_t line = block * channels, deep = block * line, count = kHeight * kWidth * deep;
    const int64_t dims[] = {kHeight, block, kWidth, line};
    const int64_t wide[] = {block * kWidth * line, kWidth * line, line, 1};
    const int64_t in_deep[] = {kWidth * deep, line, deep, 1};
    LiteMove to_wide = {0}, back = {0};
    for (int i = 0; i < 4; i++) {
        lite_move_add(&to_wide, dims[i], in_deep[i], wide[i]);
        lite_move_add(&back, dims[i], wide[i], in_deep[i]);
    }
    char *from = malloc((size_t)count * element), *to = malloc((size_t)count * element);
    assert_true(from != NULL && to != NULL && (size_t)count * element <= sizeof numbers);
    memcpy(from, numbers, (size_t)count * element);
    lite_move_run(&to_wide, from, to, element, 1);
    for (int64_t i = 0; i < count; i++) {
        const int64_t y = i / (kWidth * line), x = i / line % kWidth;
        const int64_t at = (y / block * kWidth + x) * deep + y % block * line + i % line;
        assert_memory_equal(to + (size_t)i * element, from + (size_t)at * element, element);
    }
    memset(from, 0, (size_t)count * element);
    lite_move_run(&back, to, from, element, 1);
    assert_memory_equal(from, numbers, (size_t)count * element);
    free(from);
    free(to);
}

static void blocks_of_pixels_are_whole(void** state) {
    (void)state;
    for (size_t element = 1; element <= 8; element *= 2) {
        for (int64_t block = 1; block <= 4; block++) {
            for (int64_t channels = 1; channels <= 3; channels++) check_blocks(block, channels, element);
        }
    }
}

// The dimensions in one of their orders, at addresses that are no multiples of anything.
static void check_order(const int64_t dims[4], int order, size_t element) {
    int left[4] = {0, 1, 2, 3};
    int64_t from_strides[4] = {dims[1] * dims[2] * dims[3], dims[2] * dims[3], dims[3], 1};
    int axes[4];
    for (int i = 0; i < 4; i++) {
        const int at = order % (4 - i);
        order /= 4 - i;
        axes[i] = left[at];
        for (int k = at; k < 3; k++) left[k] = left[k + 1];
    }
    const int64_t count = dims[0] * from_strides[0];
    char *from = malloc((size_t)count * element + 1), *to = malloc((size_t)count * element + 1);
    assert_true(from != NULL && to != NULL);
    for (size_t i = 0; i < (size_t)count * element; i++) from[i + 1] = (char)(i * 2654435761u >> 11);
    LiteMove move = {0};
    int64_t to_stride = count;
    for (int i = 0; i < 4; i++) {
        to_stride /= dims[axes[i]];
        lite_move_add(&move, dims[axes[i]], from_strides[axes[i]], to_stride);
    }
    lite_move_run(&move, from + 1, to + 1, element, 1 + axes[0]);
    for (int64_t i = 0; i < count; i++) {
        int64_t rest = i, at = 0;
        for (int k = 3; k >= 0; k--) {
            at += rest % dims[axes[k]] * from_strides[axes[k]];
            rest /= dims[axes[k]];
        }
        assert_true(memcmp(to + 1 + (size_t)i * element, from + 1 + (size_t)at * element, element) == 0);
    }
    free(from);
    free(to);
}

static void check_orders(void) {
    // The last ones have lines that share places in a cache.
    static const int64_t shapes[][4] = {{2, 5, 33, 19},   {1, 2, 47, 50},   {3, 16, 8, 32},   {1, 1, 64, 65},
                                        {7, 4, 9, 2},     {1, 19, 3, 523},  {2, 1, 35, 2052}, {1, 15, 7, 13},
                                        {1, 1, 67, 2048}, {1, 1, 2048, 67}, {1, 1, 512, 130}};
    for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++) {
        for (int order = 0; order < 24; order++) {
            for (size_t element = 1; element <= 8; element *= 2) check_order(shapes[s], order, element);
        }
    }
}

static void moves_of_all_orders_are_whole(void** state) {
    (void)state;
    for_paths(check_orders);
}

// Rows of a block that a function is written over get the bits of its row function, and what lies between
// them stays.
static void check_over(LiteBlockFunction over, LiteRowFunction alone, const void* params) {
    static float got[4096], want[4096];
    assert_non_null(over);
    for (int columns = 1; columns < 70; columns++) {
        for (int gap = 0; gap < 3; gap++) {
            const int step = columns + gap, rows = 1 + columns % 7;
            memcpy(got, reals, sizeof got);
            memcpy(want, reals, sizeof want);
            for (int r = 0; r < rows; r++) {
                const float* x = reals + r * step;
                alone(&(LiteRow){.out = want + r * step,
                                 .in = {x, x + 5000},
                                 .step = {1, 1},
                                 .count = columns,
                                 .params = params});
            }
            over(&(LiteBlock){got, reals + 5000, step, rows, columns, params});
            assert_memory_equal(got, want, sizeof got);
        }
    }
}

static void check_overs(void) {
    const LiteBinaryRange range = {.low = {.f32 = -90.0f}, .high = {.f32 = 100.0f}};
    const LiteUnaryParams params = {0};
    check_over(lite_unary_over_loop(kLiteUnaryHARD_SWISH),
               lite_unary_loop(kLiteUnaryHARD_SWISH, kTfLiteFloat32), &params);
    check_over(lite_unary_times_over_loop(kLiteUnaryLOGISTIC),
               lite_unary_times_loop(kLiteUnaryLOGISTIC, kTfLiteFloat32), &params);
    check_over(lite_binary_over_loop(kLiteBinaryADD), lite_binary_loop(kLiteBinaryADD, kTfLiteFloat32),
               &range);
    assert_null(lite_unary_over_loop(kLiteUnaryEXP));
    assert_null(lite_binary_over_loop(kLiteBinarySUB));
}

static void blocks_are_written_over(void** state) {
    (void)state;
    for_paths(check_overs);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_are_the_same_everywhere),
        cmocka_unit_test(reductions_are_the_same_everywhere),
        cmocka_unit_test(few_integers_are_the_same_everywhere),
        cmocka_unit_test(reductions_of_floats_are_the_same_everywhere),
        cmocka_unit_test(searches_find_the_first_everywhere),
        cmocka_unit_test(planes_of_few_channels_are_whole),
        cmocka_unit_test(blocks_of_pixels_are_whole),
        cmocka_unit_test(moves_of_all_orders_are_whole),
        cmocka_unit_test(blocks_are_written_over),
    };
    return cmocka_run_group_tests(tests, fill, NULL);
}
