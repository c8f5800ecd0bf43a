// SPDX-License-Identifier: Apache-2.0
// AudioSpectrogram and Mfcc: values of the reference, and options that make no sense.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/node_case.h"

#define SPECTROGRAM(window, stride, squared)                                                                 \
    .custom_name = "AudioSpectrogram",                                                                       \
    .options = {{"window_size", window}, {"stride", stride}, {"magnitude_squared", squared}}
#define SOUND NUMBERS(Float32, DIMS(7, 2), 1, 0, 2, 0.5, -3, 1, 0, 2, 4, -1, 1, 0.25, 2, 8)
#define MFCC(lowest, highest, bands, coefficients)                                                           \
    .custom_name = "Mfcc", .options = {{"lower_frequency_limit", lowest},                                    \
                                       {"upper_frequency_limit", highest},                                   \
                                       {"filterbank_channel_count", bands},                                  \
                                       {"dct_coefficient_count", coefficients}}
#define STRENGTHS NUMBERS(Float32, DIMS(1, 1, 9), 1, 2, 3, 4, 5, 6, 7, 8, 9)
#define RATE(hertz) CONSTANT(Int32, DIMS(1), hertz)
#define OUT SHAPED(Float32, DIMS(1, 1, 1))

static const NodeCase cases[] = {
    {SPECTROGRAM(3, 2, 1),
     {SOUND},
     {NUMBERS(Float32, DIMS(2, 3, 3), 0.5625, 7.3125, 14.0625, 9, 9, 9, 5.0625, 2.8125, 0.5625, 1.265625,
              0.703125, 0.140625, 0.5625, 2.8125, 5.0625, 38.285156, 36.035156, 33.785156)}},
    {SPECTROGRAM(3, 9, 0),
     {SOUND},
     {NUMBERS(Float32, DIMS(2, 1, 3), 0.75, 2.7041634, 3.75, 1.125, 0.83852549, 0.375)}},
    {SPECTROGRAM(8, 1, 1), {SOUND}, {SHAPED(Float32, DIMS(2, 0, 5))}},
    // A window that no memory would hold, in a sound that is shorter.
    {SPECTROGRAM(1 << 30, 1, 1), {SOUND}, {SHAPED(Float32, DIMS(2, 0, (1 << 29) + 1))}},
    {MFCC(20, 4000, 4, 2),
     {STRENGTHS, RATE(16000)},
     {NUMBERS(Float32, DIMS(1, 1, 2), -18.833605, -18.616318)}},
    {MFCC(20, 4000, 4, 1),
     {SHAPED(Float32, DIMS(1, 1, 9)), RATE(16000)},
     {NUMBERS(Float32, DIMS(1, 1, 1), -78.152328)}},
    // Bands beyond the spectrogram.
    {MFCC(20, 8001, 4, 2), {STRENGTHS, RATE(14000)}, {NUMBERS(Float32, DIMS(1, 1, 2), 0, 0)}},
    {MFCC(20, 1e18, 4, 2), {STRENGTHS, RATE(1)}, {NUMBERS(Float32, DIMS(1, 1, 2), 0, 0)}},
    {MFCC(20, 4000, 4, 2), {SHAPED(Float32, DIMS(0, 3, 9)), RATE(16000)}, {SHAPED(Float32, DIMS(0, 3, 2))}},
    // What makes no sense.
    {SPECTROGRAM(1, 1, 1), {SOUND}, {OUT}, "AudioSpectrogram: window_size 1, stride 1"},
    {SPECTROGRAM(4, 0, 1), {SOUND}, {OUT}, "AudioSpectrogram: window_size 4, stride 0"},
    {SPECTROGRAM(-4, 1, 1), {SOUND}, {OUT}, "window_size -4"},
    {SPECTROGRAM(4294967300.0, 1, 1), {SOUND}, {OUT}, "window_size 4294967300"},
    {SPECTROGRAM(4, -9e18, 1), {SOUND}, {OUT}, "stride -9000000000000000000"},
    {SPECTROGRAM(4, 1, 1), {STRENGTHS}, {OUT}, "AudioSpectrogram: input has 3 dimensions, expected 2"},
    {SPECTROGRAM(4, 1, 1), {SOUND, SOUND}, {OUT}, "AudioSpectrogram"},
    {.custom_name = "AudioSpectrogram", {{0}}, {SOUND}, {OUT}, "window_size 0, stride 0"},
    {MFCC(20, 4000, 4, 0), {STRENGTHS, RATE(16000)}, {OUT}, "Mfcc: dct_coefficient_count 0 of"},
    {MFCC(20, 4000, 4, 5),
     {STRENGTHS, RATE(16000)},
     {OUT},
     "dct_coefficient_count 5 of filterbank_channel_count 4"},
    {MFCC(20, 4000, 1e18, 4), {STRENGTHS, RATE(16000)}, {OUT}, "out of memory for 2147483647 bands"},
    {MFCC(-20, 4000, 4, 2), {STRENGTHS, RATE(16000)}, {OUT}, "lower_frequency_limit -20"},
    {MFCC(4000, 4000, 4, 2),
     {STRENGTHS, RATE(16000)},
     {OUT},
     "lower_frequency_limit 4000, upper_frequency_limit 4000"},
    {MFCC(20, 4000, 4, 2), {STRENGTHS, RATE(0)}, {OUT}, "Mfcc: a sample rate of 0"},
    {MFCC(20, 4000, 4, 2), {STRENGTHS, RATE(-8000)}, {OUT}, "Mfcc: a sample rate of -8000"},
    {MFCC(20, 4000, 4, 2), {STRENGTHS, CONSTANT(Int32, DIMS(2), 1, 1)}, {OUT}, "sample rate of 2 numbers"},
    {MFCC(20, 4000, 4, 2),
     {SHAPED(Float32, DIMS(1, 2, 1)), RATE(8000)},
     {OUT},
     "spectrogram of 1 frequencies"},
    {MFCC(20, 4000, 4, 2), {SOUND, RATE(8000)}, {OUT}, "spectrogram has 2 dimensions, expected 3"},
};

static void sounds_and_errors(void** state) {
    (void)state;
    NODE_CHECK(cases, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sounds_and_errors)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
