// SPDX-License-Identifier: Apache-2.0
// Every instruction set of the micro kernels against level 0, plain C, on random data of odd sizes.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/quant.h"
#include "kernels-cpu/micro/micro.h"

enum { kMost = 4096, kTail = 12345 };

static uint32_t seed = 1;

static uint32_t next_random(void) {
    seed = seed * 1664525u + 1013904223u;
    return seed >> 8;
}

static float random_f32(void) {
    return (float)(int32_t)(next_random() % 2001) / 1000.0f - 1.0f;
}

static void fill_f32(float* to, int count) {
    for (int i = 0; i < count; i++) to[i] = random_f32();
}

static void fill_bytes(void* to, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) ((uint8_t*)to)[i] = (uint8_t)next_random();
}

// Calls `test` for each level that this processor has.
static void for_levels(void (*test)(const LiteMicro* plain, const LiteMicro* micro)) {
    const LiteMicro* plain = lite_micro_level(kLiteCpuReference);
    assert_non_null(plain);
    for (LiteCpuPath level = kLiteCpuReference; level < kLiteCpuPaths; level++) {
        const LiteMicro* micro = lite_micro_level(level);
        if (micro == NULL) continue;
        assert_true(micro->rows >= 1 && micro->rows <= LITE_MICRO_MAX_ROWS);
        assert_true(micro->rows_f32 >= 1 && micro->rows_f32 <= LITE_MICRO_MAX_ROWS);
        assert_true(micro->panel >= 1 && micro->panel <= LITE_MICRO_MAX_PANEL);
        assert_true(micro->lanes >= 1 && micro->panel % micro->lanes == 0);
        seed = 1;
        test(plain, micro);
    }
}

static void assert_near(float got, float want) {
    if (!(fabsf(got - want) <= 1e-5f * (1.0f + fabsf(want))))
        fail_msg("%g, expected %g", (double)got, (double)want);
}

// Tiles are computed from the definition, since levels differ in rows and panel.
static void check_gemm_f32(const LiteMicro* m, int tiles, int rows, int columns, int taps, int depth) {
    enum { kTaps = 8, kDepth = 20, kRows = 3 * LITE_MICRO_MAX_ROWS, kStep = 40 };
    static float a[kTaps][kRows][kDepth], b[kTaps * kDepth * LITE_MICRO_MAX_PANEL], c[kRows * kStep];
    float bias[LITE_MICRO_MAX_PANEL];
    const float* pointers[kTaps * kRows];
    fill_f32(&a[0][0][0], kTaps * kRows * kDepth);
    fill_f32(b, taps * depth * m->panel);
    fill_f32(bias, m->panel);
    for (int i = 0; i < tiles * taps * rows; i++) {
        const int tile = i / rows / taps, t = i / rows % taps, r = i % rows;
        pointers[(tile * taps + t) * m->rows_f32 + r] = a[t][tile * rows + r];
    }
    for (int i = 0; i < kRows * kStep; i++) c[i] = (float)kTail;
    const LiteFloatTile tile = {tiles, rows,  columns, taps, depth, pointers,       b,
                                bias,  -1.5f, 2.0f,    c,    kStep, (const char*)b, 24};
    m->gemm_f32(&tile);
    for (int r = 0; r < kRows; r++) {
        for (int n = 0; n < kStep; n++) {
            if (r >= tiles * rows || n >= columns) {
                assert_true(c[r * kStep + n] == (float)kTail); // nothing beside the tiles is written
                continue;
            }
            double sum = bias[n];
            for (int i = 0; i < taps * depth; i++) {
                sum += (double)a[i / depth][r][i % depth] * (double)b[i * m->panel + n];
            }
            assert_near(c[r * kStep + n], (float)(sum < -1.5 ? -1.5 : sum > 2.0 ? 2.0 : sum));
        }
    }
}

static void gemm_f32_level(const LiteMicro* plain, const LiteMicro* m) {
    (void)plain;
    for (int rows = 1; rows <= m->rows_f32; rows++) {
        for (int columns = 1; columns <= m->panel; columns++) {
            check_gemm_f32(m, 1 + (int)(next_random() % 3), rows, columns, 1 + (int)(next_random() % 8),
                           (int)(next_random() % 20));
        }
    }
}

static void gemm_i16_level(const LiteMicro* plain, const LiteMicro* m) {
    (void)plain;
    enum { kPairs = 37, kStride = 2 * kPairs + 6 };
    static int16_t a[8 * kStride], b[kPairs * LITE_MICRO_MAX_PANEL * 2];
    int32_t c[LITE_MICRO_MAX_ROWS * LITE_MICRO_MAX_PANEL], init[LITE_MICRO_MAX_PANEL];
    fill_bytes(a, sizeof a);
    fill_bytes(b, sizeof b);
    fill_bytes(init, sizeof init);
    for (int i = 0; i < 40; i++) a[i] = b[i] = INT16_MIN; // sums wrap
    for (int rows = 1; rows <= m->rows; rows++) {
        for (int pairs = 0; pairs <= kPairs; pairs += 1 + (int)(next_random() % 4)) {
            m->gemm_i16(rows, pairs, a, kStride, b, init, c);
            for (int i = 0; i < rows * m->panel; i++) {
                uint32_t sum = (uint32_t)init[i % m->panel];
                for (int k = 0; k < 2 * pairs; k++) {
                    const int16_t w = b[(k / 2 * m->panel + i % m->panel) * 2 + k % 2];
                    sum += (uint32_t)(a[i / m->panel * kStride + k] * w);
                }
                assert_int_equal(c[i], (int32_t)sum);
            }
        }
    }
}

enum { kQuads = 37, kByteRows = 50, kByteStep = LITE_MICRO_MAX_PANEL + 3 };

// The sum from the definition.
static int32_t byte_sum(const LiteMicro* m, const LiteByteRows* t, int row, int column) {
    uint32_t sum = (uint32_t)t->init[column] + (t->offsets == NULL ? 0 : (uint32_t)t->offsets[row]);
    for (int k = 0; k < 4 * t->quads; k++) {
        const int8_t w = t->b[(k / 4 * m->panel + column) * 4 + k % 4];
        const size_t line = (size_t)(row / t->line_rows), run = (size_t)(k / (4 * t->run_quads));
        const uint8_t x = t->a[line * t->line_step + (size_t)(row % t->line_rows) * t->a_stride +
                               run * t->run_step + (size_t)(k % (4 * t->run_quads))];
        sum += (uint32_t)((t->is_signed ? (int8_t)x : x) * w);
    }
    return (int32_t)sum;
}

static uint8_t scaled_byte(const LiteRequantization* q, int32_t sum, int column) {
    const int32_t y = lite_multiply(sum, (LiteMultiplier){q->multiplier[column], q->shift[column]});
    return (uint8_t)lite_clamp_i32((int32_t)((uint32_t)y + (uint32_t)q->zero_point), q->low, q->high);
}

// Three lines of rows, which may overlap each other or have a row between them, times two runs.
static void set_lines(LiteByteRows* t) {
    t->line_rows = t->rows / 3;
    t->quads = 2 * LITE_RUN_QUADS;
    t->run_quads = LITE_RUN_QUADS;
    t->a_stride = 5 + next_random() % 8;
    t->line_step = ((size_t)t->line_rows + next_random() % 2) * t->a_stride + next_random() % 2 * 7;
    t->run_step = next_random() % 40;
}

static void check_gemm_u8(const LiteMicro* m, int rows, int columns, bool has_offsets, bool has_scale,
                          bool is_signed) {
    enum { kStride = 4 * kQuads + 3 };
    static uint8_t a[kByteRows * kStride], got[kByteRows * kByteStep], want[kByteRows * kByteStep];
    static int8_t b[kQuads * LITE_MICRO_MAX_PANEL * 4];
    int32_t c[kByteRows * LITE_MICRO_MAX_PANEL + 1], init[LITE_MICRO_MAX_PANEL], offsets[kByteRows];
    int32_t multiplier[LITE_MICRO_MAX_PANEL], shift[LITE_MICRO_MAX_PANEL];
    const int high = (int)next_random() % 100;
    const LiteRequantization scale = {multiplier, shift, -7, high % 2 == 0 ? -7 : -128, high, NULL};
    fill_bytes(a, sizeof a);
    fill_bytes(b, sizeof b);
    fill_bytes(got, sizeof got);
    memcpy(want, got, sizeof got);
    for (int i = 0; i < 40; i++) { // pairs of products that would saturate 16 bits
        a[i] = 255;
        b[i] = i < 20 ? -128 : 127;
    }
    for (int i = 0; i < kByteRows; i++) offsets[i] = (int32_t)next_random() % 20000;
    for (int i = 0; i < LITE_MICRO_MAX_PANEL; i++) {
        init[i] = has_scale ? (int32_t)next_random() % 20000 : (int32_t)(next_random() << 8);
        multiplier[i] = (int32_t)((1u << 30) + next_random() * 60);
        shift[i] = next_random() % 400 == 0 ? 1 : -10 - (int)next_random() % 3;
    }
    c[rows * m->panel] = kTail;
    LiteByteRows t = {.rows = rows,
                      .columns = columns,
                      .quads = (int)next_random() % (kQuads + 1),
                      .a = a,
                      .a_stride = kStride,
                      .b = b,
                      .init = init,
                      .offsets = has_offsets ? offsets : NULL,
                      .next = b,
                      .scale = has_scale ? &scale : NULL,
                      .out = got,
                      .out_step = kByteStep,
                      .is_signed = is_signed};
    t.line_rows = rows;
    t.run_quads = t.quads;
    if (t.quads == 0) t.a_stride = 0;
    if (m->takes_lines && rows % 3 == 0) set_lines(&t);
    m->gemm_u8(&t, c);
    assert_int_equal(c[rows * m->panel], kTail);
    for (int i = 0; i < rows * columns; i++) {
        const int row = i / columns, column = i % columns;
        const int32_t sum = byte_sum(m, &t, row, column);
        if (has_scale) want[row * kByteStep + column] = scaled_byte(&scale, sum, column);
        if (!has_scale) assert_int_equal(c[row * m->panel + column], sum);
    }
    assert_memory_equal(got, want, sizeof got);
}

static void gemm_u8_level(const LiteMicro* plain, const LiteMicro* m) {
    (void)plain;
    if (m->gemm_u8 == NULL) return;
    for (int rows = 1; rows <= kByteRows; rows += rows < 20 ? 1 : 5) {
        for (int columns = 1; columns <= m->panel; columns++) {
            for (int form = 0; form < (m->takes_signed ? 8 : 4); form++) {
                check_gemm_u8(m, rows, columns, form % 2 != 0, form / 2 % 2 != 0, form > 3);
            }
        }
    }
}

// Some channels of a line of random shape.
static void check_float_line(const LiteMicro* plain, const LiteMicro* m, int channels, bool squares) {
    enum { kPixels = 9, kLines = 5, kStep = 150, kInput = (kLines * 40 + 60) * kStep };
    static float in[kInput], w[kLines * 5 * kStep], bias[kStep], want[kPixels * kStep], got[kPixels * kStep];
    const int step = channels + (int)(next_random() % 3);
    LiteFloatLine line = {.channels = channels,
                          .pixels = 1 + (int)(next_random() % kPixels),
                          .lines = (int)(next_random() % (kLines + 1)),
                          .columns = 1 + (int)(next_random() % 5),
                          .step = (size_t)step,
                          .in = in,
                          .column = (size_t)step * (1 + next_random() % 2),
                          .w = w,
                          .bias = bias,
                          .low = -1.0f,
                          .high = 1.5f};
    line.pixel = line.column * (1 + next_random() % 6) / 2 / (size_t)step * (size_t)step;
    line.line = 40 * (size_t)step;
    if (squares) line.lines = line.columns = 3;
    line.wrap = (int)(next_random() % (kLines + 1));
    if (line.wrap > 0)
        line.ring = (size_t)line.wrap * line.line; // as in a ring, the first line is read again
    if (line.wrap == 0) line.wrap = kLines;
    line.w_line = 5 * (size_t)step;
    fill_f32(in, kInput);
    fill_f32(w, kLines * 5 * kStep);
    fill_f32(bias, kStep);
    for (int i = 0; i < kPixels * kStep; i++) want[i] = got[i] = (float)kTail;
    line.out = want;
    plain->depthwise_f32(&line);
    line.out = got;
    m->depthwise_f32(&line);
    for (int i = 0; i < kPixels * kStep; i++) assert_near(got[i], want[i]);
}

static void float_line_level(const LiteMicro* plain, const LiteMicro* m) {
    for (int channels = 1; channels <= 148; channels += 1 + (channels > 40 ? 13 : 0)) {
        for (int i = 0; i < 6; i++) check_float_line(plain, m, channels, i < 2);
    }
}

// NaN is no value to be clamped.
static void nan_level(const LiteMicro* plain, const LiteMicro* m) {
    (void)plain;
    float a = NAN, b[LITE_MICRO_MAX_PANEL], bias[LITE_MICRO_MAX_PANEL] = {0}, c[LITE_MICRO_MAX_PANEL];
    const float* pointer = &a;
    fill_f32(b, LITE_MICRO_MAX_PANEL);
    const LiteFloatTile tile = {1,    1,    m->panel, 1, 1,  &pointer,       b,
                                bias, 0.0f, 6.0f,     c, 40, (const char*)b, 0};
    m->gemm_f32(&tile);
    for (int n = 0; n < m->panel; n++) assert_true(isnan(c[n]));
}

static void depthwise_level(const LiteMicro* plain, const LiteMicro* m) {
    enum { kChannels = 150, kTaps = 9 };
    static uint8_t bytes[kTaps][kChannels];
    static uint32_t w16[kTaps * kChannels];
    const uint8_t* pointers_u8[kTaps];
    const int8_t* pointers_i8[kTaps];
    for (int t = 0; t < kTaps; t++) {
        pointers_u8[t] = bytes[t];
        pointers_i8[t] = (const int8_t*)bytes[t];
    }
    for (int channels = 1; channels <= kChannels; channels += 1 + (channels > 40 ? 13 : 0)) {
        int32_t init[kChannels], want_int[kChannels + 1], got_int[kChannels + 1];
        const int taps = (int)(next_random() % (kTaps + 1));
        fill_bytes(bytes, sizeof bytes);
        fill_bytes(init, sizeof init);
        for (int i = 0; i < kTaps * kChannels; i++)
            w16[i] = (uint16_t)(int16_t)((int)(next_random() % 511) - 255);
        got_int[channels] = kTail;
        plain->depthwise_i8(channels, taps, pointers_i8, w16, init, want_int);
        m->depthwise_i8(channels, taps, pointers_i8, w16, init, got_int);
        assert_memory_equal(got_int, want_int, (size_t)channels * sizeof(int32_t));
        plain->depthwise_u8(channels, taps, pointers_u8, w16, init, want_int);
        m->depthwise_u8(channels, taps, pointers_u8, w16, init, got_int);
        assert_memory_equal(got_int, want_int, (size_t)channels * sizeof(int32_t));
        assert_int_equal(got_int[channels], kTail);
    }
}

enum { kStripColumns = 5, kStripTaps = 12, kStripOut = 3 * LITE_STRIP_SIZE * LITE_MICRO_MAX_PANEL };

// The output of one channel of a pixel from the definition: weights are laid out by the vectors of a level.
static uint8_t strip_output(const LiteStrip* s, int lanes, int row, int pixel, int n) {
    const int groups = (s->lines + 3) / 4;
    uint32_t sum = (uint32_t)s->init[n];
    for (int t = 0; t < s->columns * s->lines; t++) {
        const int line = t % s->lines, column = t / s->lines;
        const int y = row * s->row_stride + line * s->line_dilation;
        const int x = pixel * s->stride + column * s->dilation;
        const bool inside = x >= s->begin && x < s->end;
        const uint8_t value =
            inside ? s->in[y][(size_t)(x - s->begin) * s->step[y] + (size_t)n] ^ s->flip : s->padding;
        sum += (uint32_t)(value * s->w[((column * groups + line / 4) * lanes + n) * 4 + line % 4]);
    }
    return scaled_byte(&s->scale, (int32_t)sum, n);
}

// A strip of random shape; whatever is not an output stays as it is.
static void check_strip(const LiteMicro* m) {
    enum { kInput = 40 * LITE_STRIP_SIZE };
    static uint8_t in[LITE_STRIP_LINES][kInput], got[kStripOut], want[kStripOut];
    static int8_t w[kStripColumns * kStripTaps * LITE_MICRO_MAX_PANEL];
    static int32_t init[LITE_MICRO_MAX_PANEL], multiplier[LITE_MICRO_MAX_PANEL], shift[LITE_MICRO_MAX_PANEL];
    const int lanes = m->lanes;
    LiteStrip s = {.channels = 1 + (int)next_random() % lanes,
                   .rows = 1 + (int)next_random() % 3,
                   .stride = 1 + (int)next_random() % 3,
                   .row_stride = 1 + (int)next_random() % 2,
                   .lines = 1 + (int)next_random() % (next_random() % 2 == 0 ? 3 : kStripTaps),
                   .columns = 1 + (int)next_random() % kStripColumns,
                   .dilation = 1 + (int)next_random() % 2,
                   .line_dilation = 1 + (int)next_random() % 2,
                   .padding = (uint8_t)next_random(),
                   .flip = next_random() % 2 == 0 ? 0 : 0x80,
                   .w = w,
                   .init = init,
                   .scale = {multiplier, shift, -5, next_random() % 2 == 0 ? -128 : -5, 127, NULL},
                   .out = got};
    const int groups = (s.lines + 3) / 4;
    const int window = (s.columns - 1) * s.dilation + 1;
    s.pixels = 1 + (int)next_random() % ((LITE_STRIP_SIZE / groups - window) / s.stride + 1);
    s.out_step = (size_t)s.channels + next_random() % 3;
    s.out_row = (size_t)s.pixels * s.out_step;
    const int width = (s.pixels - 1) * s.stride + window;
    s.begin = (int)next_random() % 3;
    if (s.begin > width) s.begin = width;
    s.end = s.begin + (int)next_random() % (width - s.begin + 1);
    fill_bytes(in, sizeof in);
    fill_bytes(w, sizeof w);
    for (size_t i = 0; i < sizeof w; i++) {
        const int four = (int)i / 4 / lanes % groups;
        if (four * 4 + (int)(i % 4) >= s.lines) w[i] = 0;
    }
    for (int i = 0; i < lanes; i++) {
        init[i] = (int32_t)next_random() % 100000 - 50000;
        multiplier[i] = (int32_t)((1u << 30) + next_random() * 60);
        shift[i] = -8 - (int)next_random() % 4;
        if (next_random() % 256 == 0) shift[i] = 1;
    }
    for (int i = 0; i < LITE_STRIP_LINES; i++) {
        s.in[i] = in[i] + i;
        s.step[i] = i == 2 ? 0 : 17u + (unsigned)i % 8;
    }
    fill_bytes(got, sizeof got);
    memcpy(want, got, sizeof got);
    for (int i = 0; i < s.rows * s.pixels * s.channels; i++) {
        const int row = i / s.channels / s.pixels, pixel = i / s.channels % s.pixels, n = i % s.channels;
        want[(size_t)row * s.out_row + (size_t)pixel * s.out_step + (size_t)n] =
            strip_output(&s, lanes, row, pixel, n);
    }
    m->depthwise_strip(&s);
    assert_memory_equal(got, want, sizeof got);
}

static void strip_level(const LiteMicro* plain, const LiteMicro* m) {
    (void)plain;
    for (int i = 0; i < 2000 && m->depthwise_strip != NULL; i++) check_strip(m);
}

typedef struct Columns {
    int32_t multiplier[kMost], shift[kMost], start[kMost];
} Columns;

static void check_requantize(const LiteMicro* plain, const LiteMicro* m, const int32_t* in,
                             const Columns* columns, int rows, int count) {
    enum { kStep = 70 };
    static uint8_t want[kMost], got[kMost];
    const LiteRequantization forms[] = {
        {columns->multiplier, columns->shift, -5, -128, 127, NULL},
        {columns->multiplier, columns->shift, -128, -100, 90, columns->start},
        {columns->multiplier, columns->shift, 130, 17, 201, columns->start},
        {columns->multiplier, columns->shift, 0, 0, 255, columns->start},
        {columns->multiplier, columns->shift, -7, -7, 100, NULL},
    };
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        memset(want, 7, sizeof want);
        memset(got, 7, sizeof got);
        plain->requantize(rows, count, in, kStep, &forms[f], want, kStep + 1);
        m->requantize(rows, count, in, kStep, &forms[f], got, kStep + 1);
        assert_memory_equal(got, want, sizeof got);
    }
}

static void requantize_level(const LiteMicro* plain, const LiteMicro* m) {
    static int32_t in[kMost];
    static Columns columns;
    for (int round = 0; round < 400; round++) {
        // Multipliers of models, about 2^-2 to 2^-20, in three quarters of the rounds; else any.
        const bool usual = round % 4 != 0;
        for (int i = 0; i < kMost; i++) {
            in[i] = (int32_t)(next_random() << 8 | next_random() % 256) >> next_random() % 30;
            if (i % 61 == 0) in[i] = i % 2 == 0 ? INT32_MIN + (int32_t)(next_random() % 3) : INT32_MAX;
            columns.multiplier[i] = (int32_t)((1u << 30) + next_random() * 60);
            columns.start[i] = (int32_t)(next_random() << 8) >> next_random() % 32;
            columns.shift[i] = usual ? -2 - (int32_t)next_random() % 19 : (int32_t)(next_random() % 62) - 31;
            if (!usual && i % 50 == 0) columns.multiplier[i] = 0;
            // Products that are half of the last place, whose rounding depends on the sign.
            if (round % 3 != 0) continue;
            columns.multiplier[i] = 1 << 30;
            in[i] = (in[i] >> 8) * 2 + 1;
            if (usual && columns.shift[i] > -30) in[i] *= 1 << (-columns.shift[i] % 8);
        }
        check_requantize(plain, m, in, &columns, 1 + (int)next_random() % 9, 1 + (int)next_random() % 70);
    }
}

static void bytes_level(const LiteMicro* plain, const LiteMicro* m) {
    static uint8_t in[kMost], want[kMost], got[kMost];
    fill_bytes(in, sizeof in);
    for (size_t count = 0; count < 300; count++) {
        plain->copy_u8(count, in + 1, 0x80, want);
        m->copy_u8(count, in + 1, 0x80, got);
        assert_memory_equal(got, want, sizeof got);
        assert_int_equal(m->sum_u8(count, in + 2), plain->sum_u8(count, in + 2));
    }
}

static void gather_level(const LiteMicro* plain, const LiteMicro* m) {
    static uint8_t in[kMost], want[kMost + LITE_GATHER_SLACK], got[kMost + LITE_GATHER_SLACK];
    fill_bytes(in, sizeof in);
    for (int i = 0; i < 1000 && m->gather_u8 != NULL; i++) {
        const int pixels = 1 + (int)next_random() % 9, lines = 1 + (int)next_random() % 4;
        const size_t run = 1 + next_random() % 70, out_step = run * (size_t)lines + next_random() % 4;
        const uint8_t* from[4];
        for (int l = 0; l < lines; l++) from[l] = in + next_random() % (kMost - 9 * 80 - LITE_GATHER_SLACK);
        plain->gather_u8(pixels, lines, from, 80, run, 0x80, want, out_step);
        m->gather_u8(pixels, lines, from, 80, run, 0x80, got, out_step);
        for (int p = 0; p < pixels; p++) {
            const size_t at = (size_t)p * out_step;
            assert_memory_equal(got + at, want + at, run * (size_t)lines);
        }
    }
}

static void widen_level(const LiteMicro* plain, const LiteMicro* m) {
    static uint8_t in[kMost];
    static int16_t want[kMost], got[kMost];
    fill_bytes(in, sizeof in);
    for (int count = 0; count < 200; count++) {
        plain->widen_i8(count, (const int8_t*)in + 1, -128, want);
        m->widen_i8(count, (const int8_t*)in + 1, -128, got);
        assert_memory_equal(got, want, (size_t)count * sizeof(int16_t));
        plain->widen_u8(count, in + 3, 255, want);
        m->widen_u8(count, in + 3, 255, got);
        assert_memory_equal(got, want, (size_t)count * sizeof(int16_t));
    }
}

#define LEVEL_TEST(NAME)                                                                                     \
    static void NAME##_is_the_same_everywhere(void** state) {                                                \
        (void)state;                                                                                         \
        for_levels(NAME##_level);                                                                            \
    }
LEVEL_TEST(gemm_f32)
LEVEL_TEST(nan)
LEVEL_TEST(float_line)
LEVEL_TEST(gemm_i16)
LEVEL_TEST(gemm_u8)
LEVEL_TEST(depthwise)
LEVEL_TEST(strip)
LEVEL_TEST(requantize)
LEVEL_TEST(widen)
LEVEL_TEST(bytes)
LEVEL_TEST(gather)

static void levels_can_be_forced(void** state) {
    (void)state;
    const LiteMicro* best = lite_micro();
    assert_non_null(best);
    for (LiteCpuPath level = kLiteCpuReference; level <= kLiteCpuAvx512Amx; level++) {
        if (!lite_cpu_path_choose(level)) continue;
        assert_ptr_equal(lite_micro(), lite_micro_level(level));
        assert_string_equal(lite_micro()->name, lite_cpu_path_name(level));
    }
    assert_true(lite_cpu_path_choose(kLiteCpuAuto));
    assert_ptr_equal(lite_micro(), best);
    assert_null(lite_micro_level(kLiteCpuAuto));
    assert_null(lite_micro_level(kLiteCpuPaths));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gemm_f32_is_the_same_everywhere),
        cmocka_unit_test(nan_is_the_same_everywhere),
        cmocka_unit_test(float_line_is_the_same_everywhere),
        cmocka_unit_test(gemm_i16_is_the_same_everywhere),
        cmocka_unit_test(gemm_u8_is_the_same_everywhere),
        cmocka_unit_test(depthwise_is_the_same_everywhere),
        cmocka_unit_test(strip_is_the_same_everywhere),
        cmocka_unit_test(requantize_is_the_same_everywhere),
        cmocka_unit_test(widen_is_the_same_everywhere),
        cmocka_unit_test(bytes_is_the_same_everywhere),
        cmocka_unit_test(gather_is_the_same_everywhere),
        cmocka_unit_test(levels_can_be_forced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
