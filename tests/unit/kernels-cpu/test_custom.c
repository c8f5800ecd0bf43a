// SPDX-License-Identifier: Apache-2.0
// Custom operators whose options are the bytes of C structs, or that have none: values, and options and
// shapes that make no sense; on the CPU and on OpenCL.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/node_case.h"

enum { kSame = kTfLitePaddingSame, kValid = kTfLitePaddingValid };

#define BYTES(...) .bytes = (const int32_t[]){__VA_ARGS__}, .byte_count = sizeof((int32_t[]){__VA_ARGS__})
// Padding, strides and filter in x and y, activation.
#define POOL(...) .custom_name = "MaxPoolingWithArgmax2D", BYTES(__VA_ARGS__)
#define UNPOOL(...) .custom_name = "MaxUnpooling2D", BYTES(__VA_ARGS__)
// Padding, strides in x and y.
#define BIAS(...) .custom_name = "Convolution2DTransposeBias", BYTES(__VA_ARGS__)
#define RESAMPLER .custom_name = "Resampler"

#define IMAGE NUMBERS(Float32, DIMS(1, 2, 4, 1), 1, 5, 2, 2, 3, 4, 8, -1)
#define POOLED SHAPED(Float32, DIMS(1, 1, 2, 1))
#define LINE NUMBERS(Float32, DIMS(1, 1, 2, 1), 1, 2)
#define FILTER CONSTANT(Float32, DIMS(1, 1, 3, 1), 1, 10, 100)
#define OFFSET CONSTANT(Float32, DIMS(1), 0.5)
#define OUT SHAPED(Float32, DIMS(1))

static const NodeCase cases[] = {
    {POOL(kSame, 2, 2, 2, 2, kTfLiteActNone), .inputs = {IMAGE},
     .outputs = {NUMBERS(Float32, DIMS(1, 1, 2, 1), 5, 8), NUMBERS(Float32, DIMS(1, 1, 2, 1), 1.1, 2.1)}},
    {POOL(kSame, 3, 2, 3, 1, kTfLiteActRelu6, 0, 0), .inputs = {IMAGE},
     .outputs = {NUMBERS(Float32, DIMS(1, 1, 2, 1), 5, 2), NUMBERS(Float32, DIMS(1, 1, 2, 1), 2.1, 0.1)}},
    {POOL(kValid, 1, 1, 4, 2, kTfLiteActRelu6), .inputs = {IMAGE},
     .outputs = {NUMBERS(Float32, DIMS(1, 1, 1, 1), 6), NUMBERS(Float32, DIMS(1, 1, 1, 1), 6.1)}},
    {UNPOOL(kSame, 2, 2, 2, 2, 0),
     .inputs = {NUMBERS(Float32, DIMS(1, 1, 2, 1), 5, 8), NUMBERS(Float32, DIMS(1, 1, 2, 1), 1.1, 2.1)},
     .outputs = {NUMBERS(Float32, DIMS(1, 2, 4, 1), 0, 5, 0, 0, 0, 0, 8, 0)}},
    // The later window counts; places that are none are left out.
    {UNPOOL(kSame, 1, 1, 2, 1, 0),
     .inputs = {NUMBERS(Float32, DIMS(1, 1, 2, 1), 5, 8), NUMBERS(Float32, DIMS(1, 1, 2, 1), 1.1, 0.1)},
     .outputs = {NUMBERS(Float32, DIMS(1, 1, 4, 1), 0, 8, 0, 0)}},
    {UNPOOL(kSame, 2, 2, 2, 2, 0),
     .inputs = {NUMBERS(Float32, DIMS(1, 1, 2, 1), 5, 8), NUMBERS(Float32, DIMS(1, 1, 2, 1), 4.1, -1)},
     .outputs = {NUMBERS(Float32, DIMS(1, 2, 4, 1), 0, 0, 0, 0, 0, 0, 0, 0)}},
    {UNPOOL(kSame, 4, 4, 2, 2, 0),
     .inputs = {NUMBERS(Float32, DIMS(1, 1, 2, 1), 5, 8), NUMBERS(Float32, DIMS(1, 1, 2, 1), 1e30, 3.1)},
     .outputs = {NUMBERS(Float32, DIMS(1, 2, 4, 1), 0, 0, 0, 0, 0, 0, 0, 0)}},
    // Indices are numbers of elements in the image, over several images and channels.
    {UNPOOL(kSame, 2, 2, 2, 2, 0),
     .inputs = {NUMBERS(Float32, DIMS(1, 1, 2, 1), 13, 4), NUMBERS(Int32, DIMS(1, 1, 2, 1), 1, 6)},
     .outputs = {NUMBERS(Float32, DIMS(1, 2, 4, 1), 0, 13, 0, 0, 0, 0, 4, 0)}},
    {UNPOOL(kValid, 2, 1, 3, 1, 0),
     .inputs = {NUMBERS(Float32, DIMS(2, 1, 2, 1), 1, 2, 3, 4), NUMBERS(Int32, DIMS(2, 1, 2, 1), 0, 4, 2, 2)},
     .outputs = {NUMBERS(Float32, DIMS(2, 1, 5, 1), 1, 0, 0, 0, 2, 0, 0, 4, 0, 0)}},
    {UNPOOL(kSame, 1, 1, 9, 9, 0),
     .inputs = {NUMBERS(Float32, DIMS(1, 1, 1, 2), 5, 6), NUMBERS(Int32, DIMS(1, 1, 1, 2), 1, 0)},
     .outputs = {NUMBERS(Float32, DIMS(1, 1, 1, 2), 6, 5)}},
    {UNPOOL(kSame, 2, 2, 2, 2, 0),
     .inputs = {SHAPED(Float32, DIMS(0, 1, 2, 1)), SHAPED(Int32, DIMS(0, 1, 2, 1))},
     .outputs = {SHAPED(Float32, DIMS(0, 2, 4, 1))}},
    {BIAS(kValid, 2, 1), .inputs = {LINE, FILTER, OFFSET},
     .outputs = {NUMBERS(Float32, DIMS(1, 1, 5, 1), 1.5, 10.5, 102.5, 20.5, 200.5)}},
    {BIAS(kSame, 2, 3, 1, 0), .inputs = {LINE, FILTER, OFFSET},
     .outputs = {NUMBERS(Float32, DIMS(1, 1, 4, 1), 1.5, 10.5, 102.5, 20.5)}},
    {RESAMPLER,
     .inputs = {NUMBERS(Float32, DIMS(1, 2, 2, 1), 1, 2, 3, 4),
                NUMBERS(Float32, DIMS(1, 5, 2), 0.5, 0.5, -0.5, 0, 1, 1, 5, 5, -1e30, 1e30)},
     .outputs = {NUMBERS(Float32, DIMS(1, 5, 1), 2.5, 0.5, 4, 0, 0)}},
    // What makes no sense.
    {POOL(kSame, 2, 2, 2, 2), .inputs = {IMAGE}, .outputs = {POOLED, POOLED},
     .message = "MaxPoolingWithArgmax2D: the options are too short"},
    {POOL(kSame, 0, 2, 2, 2, 0), .inputs = {IMAGE}, .outputs = {POOLED, POOLED},
     .message = "strides of 2 and 0"},
    {POOL(kSame, 2, 2, -1, 2, 0), .inputs = {IMAGE}, .outputs = {POOLED, POOLED},
     .message = "a filter of 2 by -1"},
    {POOL(7, 2, 2, 2, 2, 0), .inputs = {IMAGE}, .outputs = {POOLED, POOLED}, .message = "padding 7"},
    {POOL(kSame, 2, 2, 2, 2, 0), .inputs = {NUMBERS(Float32, DIMS(4), 1, 2, 3, 4)},
     .outputs = {POOLED, POOLED}, .message = "input of 1 dimensions, expected 4"},
    {POOL(kSame, 2, 2, 2, 2, 0), .inputs = {IMAGE}, .outputs = {POOLED}, .message = "MaxPoolingWithArgmax2D"},
    {.custom_name = "MaxUnpooling2D",
     .bytes = "",
     .byte_count = 1,
     .inputs = {LINE, LINE},
     .outputs = {OUT},
     .message = "MaxUnpooling2D: the options are too short"},
    {UNPOOL(kSame, INT32_MIN, 2, 2, 2, 0), .inputs = {LINE, LINE}, .outputs = {OUT},
     .message = "strides of 2 and -2147483648"},
    {UNPOOL(kSame, 2, 2, 1 << 30, 1, 0), .inputs = {LINE, LINE}, .outputs = {OUT},
     .message = "would be 2147483648"},
    {UNPOOL(kSame, INT32_MAX, INT32_MAX, INT16_MAX, INT16_MAX, 0), .inputs = {LINE, LINE}, .outputs = {OUT},
     .message = "bytes"},
    {UNPOOL(kSame, 2, 2, 2, 2, 0), .inputs = {LINE, NUMBERS(Float32, DIMS(1, 2, 1, 1), 0, 0)},
     .outputs = {OUT}, .message = "the input is [1, 1, 2, 1], its places [1, 2, 1, 1]"},
    {UNPOOL(kSame, 2, 2, 2, 2, 0), .inputs = {LINE, NUMBERS(Int32, DIMS(1, 1, 2, 1), 7, 8)}, .outputs = {OUT},
     .message = "MaxUnpooling2D: index 8, of 8 elements of an image"},
    {UNPOOL(kSame, 2, 2, 2, 2, 0), .inputs = {LINE, NUMBERS(Int32, DIMS(1, 1, 2, 1), -1, 0)},
     .outputs = {OUT}, .message = "index -1"},
    {UNPOOL(kSame, 2, 2, 2, 2, 0), .inputs = {LINE, SHAPED(Int32, DIMS(1, 2, 2, 1))}, .outputs = {OUT},
     .message = "Input and indices must have the same shape."},
    {UNPOOL(kSame, 1 << 30, 1, 1, 1, 0), .inputs = {LINE, SHAPED(Int32, DIMS(1, 1, 2, 1))}, .outputs = {OUT},
     .message = "would be 2147483648"},
    {UNPOOL(kValid, 2, 3, 1, 1, 0),
     .inputs = {SHAPED(Float32, DIMS(1, 0, 2, 1)), SHAPED(Int32, DIMS(1, 0, 2, 1))}, .outputs = {OUT},
     .message = "would be -2"},
    {UNPOOL(kSame, 2, 2, 2, 2, 0), .inputs = {LINE, SHAPED(Int64, DIMS(1, 1, 2, 1))}, .outputs = {OUT},
     .message = "places of type INT64"},
    {BIAS(kSame, 2), .inputs = {LINE, FILTER, OFFSET}, .outputs = {OUT},
     .message = "Convolution2DTransposeBias: the options are too short"},
    {BIAS(0, 2, 2), .inputs = {LINE, FILTER, OFFSET}, .outputs = {OUT}, .message = "padding 0"},
    {BIAS(kSame, 2, -2), .inputs = {LINE, FILTER, OFFSET}, .outputs = {OUT},
     .message = "strides are -2 and 2"},
    {BIAS(kValid, INT32_MAX, 1), .inputs = {LINE, FILTER, OFFSET}, .outputs = {OUT},
     .message = "would be 2147483650"},
    {BIAS(kSame, 2, 2), .inputs = {LINE, FILTER, CONSTANT(Float32, DIMS(2), 0, 0)}, .outputs = {OUT},
     .message = "do not fit together"},
    {BIAS(kSame, 2, 2), .inputs = {SHAPED(Float32, DIMS(1, 0, 2, 1)), FILTER, OFFSET}, .outputs = {OUT},
     .message = "do not fit together"},
    {RESAMPLER, .inputs = {IMAGE, NUMBERS(Float32, DIMS(1, 1, 3), 0, 0, 0)}, .outputs = {OUT},
     .message =
         "Resampler: an image of shape [1, 2, 4, 1] and a warp of shape [1, 1, 3] do not fit together"},
    {RESAMPLER, .inputs = {IMAGE, NUMBERS(Float32, DIMS(2, 2), 0, 0, 0, 0)}, .outputs = {OUT},
     .message = "do not fit together"},
    {RESAMPLER, .inputs = {IMAGE, NUMBERS(Int32, DIMS(1, 2), 0, 0)}, .outputs = {OUT},
     .message = "warp of type INT32"},
};

static void values_and_errors(void** state) {
    (void)state;
    NODE_CHECK(cases, NULL);
}

static void on_opencl(void** state) {
    (void)state;
    node_check_opencl(cases, sizeof cases / sizeof cases[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(values_and_errors), cmocka_unit_test(on_opencl)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
