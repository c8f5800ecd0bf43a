// SPDX-License-Identifier: Apache-2.0
// Rates of work that takes a known time, and of the devices that are here.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "oclite/opencl.h"
#include "tools/common/opencl.h"
#include "tools/common/peak_cpu.h"
#include "tools/common/peak_opencl.h"
#include "tools/common/timing.h"

static int calls;

static ToolStatus sleep_a_while(void* data, long rounds) {
    const struct timespec pause = {.tv_nsec = *(const long*)data};
    calls += rounds > 0;
    for (long r = 0; r < rounds; r++) nanosleep(&pause, NULL);
    return kToolOk;
}

static void rates_are_of_rounds(void** state) {
    (void)state;
    long pause = 1000000; // nanoseconds: at most 1000 in a second, and fewer on a machine that is busy
    double rate = 0;
    assert_int_equal(tool_rate(sleep_a_while, &pause, &rate), kToolOk);
    assert_true(rate <= 1000 && rate > 0);
    pause =
        300000000; // three rounds are enough when they take more than half a second; the first does not count
    calls = 0;
    assert_int_equal(tool_rate(sleep_a_while, &pause, &rate), kToolOk);
    assert_true(rate <= 1 / 0.3 && calls == 4);
}

// The second call is interrupted for longer than all calls may take.
static ToolStatus be_interrupted_once(void* data, long rounds) {
    int* left = data;
    const long pause = --*left == 0 ? 700000000 : 1000000;
    for (long r = 0; r < rounds; r++) nanosleep(&(struct timespec){.tv_nsec = pause}, NULL);
    return kToolOk;
}

static void one_interruption_makes_no_rate(void** state) {
    (void)state;
    int left = 2;
    double rate = 0;
    assert_int_equal(tool_rate(be_interrupted_once, &left, &rate), kToolOk);
    assert_true(rate > 20 && rate <= 1000);
}

// Whatever it does, starting takes 12 ms.
static ToolStatus start_slowly(void* data, long rounds) {
    (void)data;
    nanosleep(&(struct timespec){.tv_nsec = 12000000}, NULL);
    for (long r = 0; r < rounds; r++) nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    return kToolOk;
}

static void starting_does_not_count(void** state) {
    (void)state;
    double rate = 0;
    assert_int_equal(tool_rate(start_slowly, NULL, &rate), kToolOk);
    assert_true(rate > 100 && rate <= 5000); // one in 12.2 ms would be 82
}

static ToolStatus do_nothing(void* data, long rounds) {
    (void)data, (void)rounds;
    return kToolOk;
}

static ToolStatus fail_later(void* data, long rounds) {
    (void)rounds;
    return ++*(int*)data < 4 ? kToolOk : kToolInvoke;
}

static void nothing_has_no_rate_and_failures_end_it(void** state) {
    (void)state;
    double rate = 1;
    int count = 0;
    assert_int_equal(tool_rate(do_nothing, NULL, &rate), kToolOk);
    assert_float_equal(rate, 0, 0);
    assert_int_equal(tool_rate(fail_later, &count, &rate), kToolInvoke);
    assert_int_equal(count, 4);
}

static void the_clock_costs_something(void** state) {
    (void)state;
    const double cost = tool_clock_cost();
    assert_true(cost >= 0 && cost < 1e-3);
}

static void small_data_has_the_bandwidth_of_caches(void** state) {
    (void)state;
    ToolPeak peak = {0};
    tool_peak_add_copy(&peak, 1e4, 90);
    tool_peak_add_copy(&peak, 1e5, 60);
    tool_peak_add_copy(&peak, 1e6, 70); // the one before was disturbed
    tool_peak_add_copy(&peak, 1e7, 20);
    assert_float_equal(peak.bandwidth, 20, 0);
    assert_float_equal(tool_peak_bandwidth(&peak, 0), 90, 0);
    assert_float_equal(tool_peak_bandwidth(&peak, 99999), 90, 0);
    assert_float_equal(tool_peak_bandwidth(&peak, 1e5), 70, 0);
    assert_float_equal(tool_peak_bandwidth(&peak, 9e6), 70, 0);
    assert_float_equal(tool_peak_bandwidth(&peak, 1e9), 20, 0);
    assert_int_equal(tool_peak_copy_bytes((size_t)1 << 20, kToolPeakCopies - 1), 1 << 20);
    assert_int_equal(tool_peak_copy_bytes((size_t)1 << 20, kToolPeakCopies - 3), 1 << 16);
}

static void rates_that_differ_are_of_a_busy_machine(void** state) {
    (void)state;
    ToolPeak peak = {0};
    tool_peak_add_float32(&peak, 100);
    assert_false(tool_peak_is_busy(&peak));
    tool_peak_add_float32(&peak, 110);
    assert_false(tool_peak_is_busy(&peak));
    assert_float_equal(peak.float32, 110, 0);
    tool_peak_add_float32(&peak, 50);
    assert_true(tool_peak_is_busy(&peak));
    assert_float_equal(peak.float32_least, 50, 0);
}

static void the_processor_has_peaks(void** state) {
    (void)state;
    ToolMessage message = {{0}};
    ToolPeak peak;
    for (int threads = 1; threads <= 2; threads++) {
        assert_int_equal(tool_peak_cpu(threads, &peak, &message), kToolOk);
        assert_true(peak.float32 > 1e8 && peak.float32 < 1e13);
        assert_true(peak.bandwidth > 1e8 && peak.bandwidth < 1e13);
        assert_true(peak.int8 > 1e8 &&
                    (peak.int8_from == kToolPeakLibrary || peak.int8_from == kToolPeakDots));
        double dots = 0;
        assert_int_equal(tool_peak_cpu_dots(threads, &dots, &message), kToolOk);
        assert_true(dots < 1e14 && (dots > 1e8 || dots == 0));
        // Without instructions for bytes there is nothing but the library's own products.
        if (dots == 0) assert_int_equal(peak.int8_from, kToolPeakLibrary);
        assert_float_equal(peak.launch, 0, 0);
    }
}

static void the_device_has_peaks(void** state) {
    (void)state;
    TfLiteDelegate* delegate = oclite_opencl_delegate_create(NULL);
    if (delegate == NULL) {
        print_message("%s\n", oclite_opencl_last_error());
        skip();
    }
    ToolMessage message = {{0}};
    ToolPeak peak;
    const ToolStatus status = tool_peak_opencl(delegate, &peak, &message);
    oclite_opencl_delegate_delete(delegate);
    if (status != kToolOk) fail_msg("%s", message.text);
    assert_true(peak.float32 > 1e8 && peak.int8 > 1e8 && peak.bandwidth > 1e8);
    assert_true(peak.launch > 1e-9 && peak.launch < 1 && peak.round_trip >= peak.launch / 4);
}

static void extensions_are_whole_words(void** state) {
    (void)state;
    assert_true(tool_opencl_has("cl_khr_fp16", "cl_khr_fp16"));
    assert_true(tool_opencl_has("cl_a cl_khr_fp16 ", "cl_khr_fp16"));
    assert_true(tool_opencl_has("cl_khr_fp16_more cl_khr_fp16", "cl_khr_fp16"));
    assert_false(tool_opencl_has("cl_khr_fp16_more my_cl_khr_fp16", "cl_khr_fp16"));
    assert_false(tool_opencl_has("", "cl_khr_fp16"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_are_of_rounds),
        cmocka_unit_test(one_interruption_makes_no_rate),
        cmocka_unit_test(starting_does_not_count),
        cmocka_unit_test(nothing_has_no_rate_and_failures_end_it),
        cmocka_unit_test(the_clock_costs_something),
        cmocka_unit_test(small_data_has_the_bandwidth_of_caches),
        cmocka_unit_test(rates_that_differ_are_of_a_busy_machine),
        cmocka_unit_test(the_processor_has_peaks),
        cmocka_unit_test(the_device_has_peaks),
        cmocka_unit_test(extensions_are_whole_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
