// SPDX-License-Identifier: Apache-2.0
// Pseudo-random contents of inputs, of all types.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tensorflow/lite/c/common.h"
#include "tools/common/element.h"
#include "tools/common/npy.h"
#include "tools/common/random_input.h"

enum { COUNT = 1001, ROOM = COUNT * 16 };

typedef struct Filled {
    double low;
    double high;
    bool has_fractions;
    unsigned char bytes[ROOM];
} Filled;

// An element of a type that files have.
static double value_of(TfLiteType type, const unsigned char* data, size_t i) {
    switch (type) {
    case kTfLiteFloat32:
        return ((const float*)(const void*)data)[i];
    case kTfLiteFloat64:
        return ((const double*)(const void*)data)[i];
    case kTfLiteInt8:
        return ((const int8_t*)data)[i];
    case kTfLiteUInt8:
    case kTfLiteBool:
        return data[i];
    case kTfLiteInt16:
        return ((const int16_t*)(const void*)data)[i];
    case kTfLiteUInt16:
        return ((const uint16_t*)(const void*)data)[i];
    case kTfLiteInt32:
        return ((const int32_t*)(const void*)data)[i];
    case kTfLiteUInt32:
        return ((const uint32_t*)(const void*)data)[i];
    case kTfLiteInt64:
        return (double)((const int64_t*)(const void*)data)[i];
    case kTfLiteUInt64:
        return (double)((const uint64_t*)(const void*)data)[i];
    case kTfLiteFloat16: {
        const uint16_t bits = ((const uint16_t*)(const void*)data)[i];
        const int exponent = bits >> 10 & 31;
        const double fraction = (bits & 1023) / 1024.0;
        const double magnitude = exponent > 0 ? ldexp(1 + fraction, exponent - 15) : ldexp(fraction, -14);
        return bits >> 15 ? -magnitude : magnitude;
    }
    default:
        fail_msg("type %d", (int)type);
        return 0;
    }
}

static Filled fill(TfLiteType type, ToolRange range) {
    Filled filled = {.low = INFINITY, .high = -INFINITY};
    ToolMessage message = {{0}};
    TfLiteIntArray* dims = TfLiteIntArrayCreate(1);
    dims->data[0] = COUNT;
    unsigned char* data = aligned_alloc(64, 16384);
    assert_non_null(data);
    memset(data, 0xa5, 16384);
    const size_t bytes = tool_element_tensor_bytes(type, COUNT);
    TfLiteTensor tensor = {.type = type, .dims = dims, .data.data = data, .bytes = bytes, .name = "x"};
    uint64_t state = 7;
    assert_int_equal(tool_random_fill(&tensor, range, &state, &message), kToolOk);
    for (size_t i = bytes; i < 16384; i++) assert_int_equal(data[i], 0xa5);
    memcpy(filled.bytes, data, bytes);
    unsigned char* elements = aligned_alloc(64, 16384);
    assert_non_null(elements);
    tool_element_to_file(type, COUNT, data, elements);
    for (size_t i = 0; i < COUNT; i++) {
        const double value = value_of(tool_element_file_type(type), elements, i);
        filled.low = fmin(filled.low, value);
        filled.high = fmax(filled.high, value);
        filled.has_fractions |= value != floor(value);
    }
    free(elements);
    free(data);
    TfLiteIntArrayFree(dims);
    return filled;
}

// Integers take both ends of the range, floats come near to them.
static void values_are_in_the_range(void** state) {
    (void)state;
    static const TfLiteType integers[] = {kTfLiteInt8,  kTfLiteUInt8, kTfLiteInt16,  kTfLiteUInt16,
                                          kTfLiteInt32, kTfLiteInt64, kTfLiteUInt32, kTfLiteInt4,
                                          kTfLiteUInt4, kTfLiteUInt64};
    for (size_t i = 0; i < sizeof(integers) / sizeof(integers[0]); i++) {
        const Filled filled = fill(integers[i], (ToolRange){2, 5});
        assert_true(filled.low == 2 && filled.high == 5 && !filled.has_fractions);
    }
    static const TfLiteType reals[] = {kTfLiteFloat32, kTfLiteFloat64, kTfLiteFloat16, kTfLiteBFloat16};
    for (size_t i = 0; i < sizeof(reals) / sizeof(reals[0]); i++) {
        const Filled filled = fill(reals[i], (ToolRange){-3, 1});
        assert_true(filled.low >= -3 && filled.low < -2.9 && filled.high <= 1 && filled.high > 0.9);
        assert_true(filled.has_fractions);
    }
}

static void ranges_of_the_reference(void** state) {
    (void)state;
    static const struct {
        TfLiteType type;
        double low;
        double high;
    } cases[] = {{kTfLiteInt8, -127, 127}, {kTfLiteUInt8, 0, 254}, {kTfLiteInt32, 0, 99},
                 {kTfLiteInt64, 0, 99},    {kTfLiteBool, 0, 1},    {kTfLiteInt4, -8, 7},
                 {kTfLiteInt2, -2, 1},     {kTfLiteInt16, 0, 0}};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const Filled filled = fill(cases[i].type, tool_random_range(cases[i].type));
        // Of 1001 values not all bytes need occur.
        assert_true(filled.low >= cases[i].low && filled.low <= cases[i].low + 2);
        assert_true(filled.high <= cases[i].high && filled.high >= cases[i].high - 2);
    }
    const ToolRange reals = tool_random_range(kTfLiteFloat32);
    assert_true(reals.low == -0.5 && reals.high == 0.5);
}

static void values_beyond_the_type_are_its_nearest(void** state) {
    (void)state;
    Filled filled = fill(kTfLiteInt8, (ToolRange){1000, 2000});
    assert_true(filled.low == 127 && filled.high == 127);
    filled = fill(kTfLiteUInt32, (ToolRange){-1e18, -1e17});
    assert_true(filled.low == 0 && filled.high == 0);
    filled = fill(kTfLiteFloat16, (ToolRange){1e6, 1e7});
    assert_true(filled.low == 65504 && filled.high == 65504);
    filled = fill(kTfLiteFloat16, (ToolRange){1e-6, 2e-6}); // multiples of 2^-24
    assert_true(filled.low > 0.9e-6 && filled.high < 2.1e-6);
}

static void the_same_every_time(void** state) {
    (void)state;
    const Filled first = fill(kTfLiteFloat32, (ToolRange){0, 1});
    const Filled second = fill(kTfLiteFloat32, (ToolRange){0, 1});
    assert_memory_equal(first.bytes, second.bytes, COUNT * sizeof(float));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_in_the_range),
        cmocka_unit_test(ranges_of_the_reference),
        cmocka_unit_test(values_beyond_the_type_are_its_nearest),
        cmocka_unit_test(the_same_every_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
