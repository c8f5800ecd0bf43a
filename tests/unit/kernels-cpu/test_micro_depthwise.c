// SPDX-License-Identifier: Apache-2.0
// The micro kernels of depthwise convolutions on every instruction set, against plain C on random data of odd
// sizes.
#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/semantics/quant.h"
#include "kernels-cpu/micro/micro.h"
#include "tests/support/micro_case.h"
#include "tests/support/random_numbers.h"

// Some channels of a line of random shape.
static void check_float_line(const LiteMicro* plain, const LiteMicro* m, int channels, bool squares) {
    enum { kPixels = 9, kLines = 5, kStep = 150, kInput = (kLines * 40 + 60) * kStep };
    static float in[kInput], w[kLines * 5 * kStep], bias[kStep], want[kPixels * kStep], got[kPixels * kStep];
    const int step = channels + (int)(random_next() % 3);
    LiteFloatLine line = {.channels = channels,
                          .pixels = 1 + (int)(random_next() % kPixels),
                          .lines = (int)(random_next() % (kLines + 1)),
                          .columns = 1 + (int)(random_next() % 5),
                          .step = (size_t)step,
                          .in = in,
                          .column = (size_t)step * (1 + random_next() % 2),
                          .w = w,
                          .bias = bias,
                          .low = -1.0f,
                          .high = 1.5f};
    line.pixel = line.column * (1 + random_next() % 6) / 2 / (size_t)step * (size_t)step;
    line.line = 40 * (size_t)step;
    if (squares) line.lines = line.columns = 3;
    line.wrap = (int)(random_next() % (kLines + 1));
    if (line.wrap > 0)
        line.ring = (size_t)line.wrap * line.line; // as in a ring, the first line is read again
    if (line.wrap == 0) line.wrap = kLines;
    line.w_line = 5 * (size_t)step;
    line.w_column = (size_t)step;
    micro_fill_f32(in, kInput);
    micro_fill_f32(w, kLines * 5 * kStep);
    micro_fill_f32(bias, kStep);
    for (int i = 0; i < kPixels * kStep; i++) want[i] = got[i] = (float)kMicroTail;
    line.out = want;
    plain->depthwise_f32(&line);
    line.out = got;
    m->depthwise_f32(&line);
    for (int i = 0; i < kPixels * kStep; i++) micro_expect_near(got[i], want[i]);
}

static void float_line_level(const LiteMicro* plain, const LiteMicro* m) {
    for (int channels = 1; channels <= 148; channels += 1 + (channels > 40 ? 13 : 0)) {
        for (int i = 0; i < 6; i++) check_float_line(plain, m, channels, i < 2);
    }
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
        const int taps = (int)(random_next() % (kTaps + 1));
        micro_fill_bytes(bytes, sizeof bytes);
        micro_fill_bytes(init, sizeof init);
        for (int i = 0; i < kTaps * kChannels; i++)
            w16[i] = (uint16_t)(int16_t)((int)(random_next() % 511) - 255);
        got_int[channels] = kMicroTail;
        plain->depthwise_i8(channels, taps, pointers_i8, w16, init, want_int);
        m->depthwise_i8(channels, taps, pointers_i8, w16, init, got_int);
        assert_memory_equal(got_int, want_int, (size_t)channels * sizeof(int32_t));
        plain->depthwise_u8(channels, taps, pointers_u8, w16, init, want_int);
        m->depthwise_u8(channels, taps, pointers_u8, w16, init, got_int);
        assert_memory_equal(got_int, want_int, (size_t)channels * sizeof(int32_t));
        assert_int_equal(got_int[channels], kMicroTail);
    }
}

enum { kStripColumns = 5, kStripTaps = 12, kStripOut = 3 * LITE_STRIP_SIZE * LITE_MICRO_MAX_PANEL };

// The output of one channel of a pixel from the definition: weights are laid out by the vectors of a level.
static uint8_t strip_output(const LiteStrip* s, const LiteMicro* m, int row, int pixel, int n) {
    const int group = m->strip_group, groups = (s->lines + group - 1) / group;
    uint32_t sum = (uint32_t)s->init[n];
    for (int t = 0; t < s->columns * s->lines; t++) {
        const int line = t % s->lines, column = t / s->lines;
        const int y = row * s->row_stride + line * s->line_dilation;
        const int x = pixel * s->stride + column * s->dilation;
        const bool inside = x >= s->begin && x < s->end;
        const uint8_t value =
            inside ? s->in[y][(size_t)(x - s->begin) * s->step[y] + (size_t)n] ^ s->flip : s->padding;
        const int at = ((column * groups + line / group) * m->lanes + n) * group + line % group;
        sum += (uint32_t)(value * (group == 4 ? ((const int8_t*)s->w)[at] : ((const int16_t*)s->w)[at]));
    }
    return micro_scaled_byte(&s->scale, (int32_t)sum, n);
}

// A strip of random shape; whatever is not an output stays as it is.
static void check_strip(const LiteMicro* m) {
    enum { kInput = 40 * LITE_STRIP_SIZE };
    static uint8_t in[LITE_STRIP_LINES][kInput], got[kStripOut], want[kStripOut];
    alignas(4) static int8_t w[2 * kStripColumns * kStripTaps * LITE_MICRO_MAX_PANEL];
    static int32_t init[LITE_MICRO_MAX_PANEL], multiplier[LITE_MICRO_MAX_PANEL], shift[LITE_MICRO_MAX_PANEL];
    const int lanes = m->lanes;
    LiteStrip s = {.channels = 1 + (int)random_next() % lanes,
                   .rows = 1 + (int)random_next() % 3,
                   .stride = 1 + (int)random_next() % 3,
                   .row_stride = 1 + (int)random_next() % 2,
                   .lines = 1 + (int)random_next() % (random_next() % 2 == 0 ? 3 : kStripTaps),
                   .columns = 1 + (int)random_next() % kStripColumns,
                   .dilation = 1 + (int)random_next() % 2,
                   .line_dilation = 1 + (int)random_next() % 2,
                   .padding = (uint8_t)random_next(),
                   .flip = random_next() % 2 == 0 ? 0 : 0x80,
                   .w = w,
                   .init = init,
                   .scale = {multiplier, shift, -5, random_next() % 2 == 0 ? -128 : -5, 127, NULL},
                   .out = got};
    const int group = m->strip_group, groups = (s.lines + group - 1) / group;
    const int window = (s.columns - 1) * s.dilation + 1;
    s.pixels = 1 + (int)random_next() % ((LITE_STRIP_SIZE / groups - window) / s.stride + 1);
    s.out_step = (size_t)s.channels + random_next() % 3;
    s.out_row = (size_t)s.pixels * s.out_step;
    const int width = (s.pixels - 1) * s.stride + window;
    s.begin = (int)random_next() % 3;
    if (s.begin > width) s.begin = width;
    s.end = s.begin + (int)random_next() % (width - s.begin + 1);
    micro_fill_bytes(in, sizeof in);
    micro_fill_bytes(w, sizeof w);
    for (size_t i = 0; i < sizeof w; i++) {
        const int number = (int)i / 4 / lanes % groups, line = (int)i % 4 * group / 4;
        if (group == 2 && i % 2 == 1) w[i] = (int8_t)(w[i] % 2 - 1); // of at most 9 bits and a sign
        if (number * group + line >= s.lines) w[i] = 0;
    }
    for (int i = 0; i < lanes; i++) {
        init[i] = (int32_t)random_next() % 100000 - 50000;
        multiplier[i] = (int32_t)((1u << 30) + random_next() * 60);
        shift[i] = -8 - (int)random_next() % 4;
        if (random_next() % 256 == 0) shift[i] = 1;
    }
    for (int i = 0; i < LITE_STRIP_LINES; i++) {
        s.in[i] = in[i] + i;
        s.step[i] = i == 2 ? 0 : 17u + (unsigned)i % 8;
    }
    micro_fill_bytes(got, sizeof got);
    memcpy(want, got, sizeof got);
    for (int i = 0; i < s.rows * s.pixels * s.channels; i++) {
        const int row = i / s.channels / s.pixels, pixel = i / s.channels % s.pixels, n = i % s.channels;
        want[(size_t)row * s.out_row + (size_t)pixel * s.out_step + (size_t)n] =
            strip_output(&s, m, row, pixel, n);
    }
    m->depthwise_strip(&s);
    assert_memory_equal(got, want, sizeof got);
}

static void strip_level(const LiteMicro* plain, const LiteMicro* m) {
    (void)plain;
    for (int i = 0; i < 2000 && m->depthwise_strip != NULL; i++) check_strip(m);
}

MICRO_LEVEL_TEST(float_line)
MICRO_LEVEL_TEST(depthwise)
MICRO_LEVEL_TEST(strip)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(float_line_is_the_same_everywhere),
        cmocka_unit_test(depthwise_is_the_same_everywhere),
        cmocka_unit_test(strip_is_the_same_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
