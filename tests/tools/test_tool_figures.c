// SPDX-License-Identifier: Apache-2.0
// What the tools say of measurements: moments, percentiles; and Protocol Buffers.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tools/common/protobuf.h"
#include "tools/common/statistics.h"

static bool is_near(double value, double expected) {
    return fabs(value - expected) <= 1e-12 * fabs(expected);
}

static void moments_of_a_few_values(void** state) {
    (void)state;
    ToolMoments moments = {0};
    assert_true(tool_moments_deviation(&moments) == 0);
    static const double values[] = {4, 2, 9, 1, 4};
    for (size_t i = 0; i < 5; i++) tool_moments_add(&moments, values[i]);
    assert_int_equal(moments.count, 5);
    assert_true(moments.first == 4 && moments.last == 4 && moments.min == 1 && moments.max == 9);
    assert_true(moments.sum == 20 && is_near(moments.mean, 4));
    assert_true(is_near(tool_moments_variance(&moments), 38.0 / 5));
    assert_true(is_near(tool_moments_deviation(&moments), sqrt(38.0 / 5)));
}

// The difference of two sums of squares would have no digit left.
static void deviation_of_large_values(void** state) {
    (void)state;
    ToolMoments moments = {0};
    for (int i = 0; i < 1000; i++) tool_moments_add(&moments, 1e9 + (i % 2 ? 0.25 : -0.25));
    assert_true(fabs(tool_moments_deviation(&moments) - 0.25) < 1e-6);
}

static void percentiles_are_ranks(void** state) {
    (void)state;
    ToolSeries series = {0};
    assert_true(tool_series_percentile(&series, 50) == 0);
    for (int i = 0; i < 200; i++) assert_true(tool_series_add(&series, (i * 7) % 200)); // each of 0 to 199
    assert_true(tool_series_percentile(&series, 0) == 0);
    assert_true(tool_series_percentile(&series, 5) == 10);
    assert_true(tool_series_percentile(&series, 50) == 100);
    assert_true(tool_series_percentile(&series, 99) == 198);
    assert_true(tool_series_percentile(&series, 100) == 199);
    tool_series_free(&series);
    assert_true(tool_series_add(&series, 3) && tool_series_percentile(&series, 99) == 3);
    tool_series_free(&series);
}

// Longer than what is kept: moments stay exact, percentiles are of every fourth value.
static void long_series_need_no_more_memory(void** state) {
    (void)state;
    enum { COUNT = 3 * TOOL_SERIES_KEPT };
    ToolSeries series = {0};
    for (int i = 0; i < COUNT; i++) assert_true(tool_series_add(&series, i));
    assert_int_equal(series.moments.count, COUNT);
    assert_int_equal(series.stride, 4);
    assert_true(series.capacity == TOOL_SERIES_KEPT && series.kept_count == COUNT / 4);
    for (int percent = 1; percent < 100; percent++) {
        const double expected = COUNT / 100.0 * percent;
        assert_true(fabs(tool_series_percentile(&series, percent) - expected) <= 4);
    }
    tool_series_free(&series);
}

// Examples of the format's documentation.
static void messages_are_encoded(void** state) {
    (void)state;
    ToolProto proto = {0};
    ToolProto inner = {0};
    tool_proto_integer(&proto, 1, 150);
    tool_proto_text(&proto, 2, "testing");
    tool_proto_integer(&inner, 1, 150);
    tool_proto_message(&proto, 3, &inner);
    tool_proto_integers(&proto, 6, (const int[]){3, 270, 86942}, 3);
    tool_proto_integers(&proto, 7, NULL, 0);
    tool_proto_integer(&proto, 1, -2);
    tool_proto_float(&proto, 4, 1);
    static const unsigned char expected[] =
        "\x08\x96\x01\x12\x07testing\x1a\x03\x08\x96\x01\x32\x06\x03\x8e\x02\x9e\xa7\x05"
        "\x08\xfe\xff\xff\xff\xff\xff\xff\xff\xff\x01\x25\x00\x00\x80\x3f";
    assert_false(proto.has_failed);
    assert_int_equal(proto.size, sizeof(expected) - 1);
    assert_memory_equal(proto.data, expected, proto.size);
    tool_proto_free(&proto);
    assert_null(inner.data);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments_of_a_few_values), cmocka_unit_test(deviation_of_large_values),
        cmocka_unit_test(percentiles_are_ranks),   cmocka_unit_test(long_series_need_no_more_memory),
        cmocka_unit_test(messages_are_encoded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
