// SPDX-License-Identifier: Apache-2.0
// priority and throttle: hints to queues, on a device that has the extensions (its words, not its deeds) and
// on devices that do not.
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "delegate-opencl/device/cl.h"
#include "oclite/opencl.h"
#include "tensorflow/lite/delegates/external/external_delegate_interface.h"
#include "tests/support/delegate_host.h"

enum { EXIT_SKIPPED = 77, MOST = 8 };

static LiteCl real;
static const char* extensions; // that the device claims to have
static const char* version;
static cl_bitfield asked[MOST]; // properties of the last queue that was made with any
static int asked_count, queues;

static cl_int CL_API_CALL tell_device(cl_device_id device, cl_device_info what, size_t size, void* value,
                                      size_t* used) {
    const char* text = what == CL_DEVICE_EXTENSIONS ? extensions : what == CL_DEVICE_VERSION ? version : NULL;
    if (text == NULL) return real.clGetDeviceInfo(device, what, size, value, used);
    const size_t length = strlen(text) + 1;
    if (used != NULL) *used = length;
    if (value == NULL) return CL_SUCCESS;
    if (size < length) return CL_INVALID_VALUE;
    memcpy(value, text, length);
    return CL_SUCCESS;
}

static cl_command_queue CL_API_CALL make_queue(cl_context context, cl_device_id device,
                                               const cl_bitfield* properties, cl_int* error) {
    queues++;
    for (asked_count = 0; properties[asked_count] != 0 || asked_count % 2 != 0; asked_count++)
        asked[asked_count] = properties[asked_count];
    return real.clCreateCommandQueue(context, device, properties[1], error);
}

static LiteCl* table(void) {
    return (LiteCl*)(uintptr_t)lite_cl_load(NULL);
}

static int pretend(void** state) {
    (void)state;
    real = *table();
    table()->clGetDeviceInfo = tell_device;
    table()->clCreateCommandQueueWithProperties = make_queue;
    asked_count = queues = 0;
    extensions = "cl_khr_fp64 cl_khr_priority_hints cl_khr_throttle_hints";
    version = "OpenCL 3.0 fake";
    return 0;
}

static int stop_pretending(void** state) {
    (void)state;
    *table() = real;
    return 0;
}

// |x|, and how many queues were made with properties.
static void expect_it_works(TfLiteDelegate* delegate, int expected_queues) {
    assert_non_null(delegate);
    DelegateHost host;
    host_init(&host);
    const int x = host_variable(&host, 1, (int[]){4}), y = host_variable(&host, 1, (int[]){4});
    host_node(&host, kTfLiteBuiltinAbs, NULL, NULL, 1, (int[]){x}, y);
    assert_int_equal(host_delegate(&host, delegate, -1), kTfLiteOk);
    assert_int_equal(host_prepare(&host), kTfLiteOk);
    for (int i = 0; i < 4; i++) host_floats(&host, x)[i] = (float)-i;
    assert_int_equal(host_invoke(&host), kTfLiteOk);
    for (int i = 0; i < 4; i++) assert_float_equal(host_floats(&host, y)[i], (float)i, 0.0);
    assert_int_equal(queues, expected_queues);
    host_free(&host);
    oclite_opencl_delegate_delete(delegate);
}

static void expect_asked(int count, const cl_bitfield* expected) {
    assert_int_equal(asked_count, count);
    assert_memory_equal(asked, expected, (size_t)count * sizeof *expected);
}

static void hints_reach_the_queue(void** state) {
    (void)state;
    TfLiteDelegate* delegate = oclite_opencl_delegate_create_from_string("priority=high,throttle=low");
    assert_string_equal(oclite_opencl_delegate_warning(delegate), "");
    expect_it_works(delegate, 1);
    // As the extensions have them: the queue's properties, its priority, its throttle.
    expect_asked(6, (const cl_bitfield[]){0x1093, 0, 0x1096, 1, 0x1097, 4});
    static const char *const keys[] = {"throttle", "profiling"}, *const values[] = {"medium", "1"};
    expect_it_works(tflite_plugin_create_delegate(keys, values, 2, NULL), 2);
    expect_asked(4, (const cl_bitfield[]){0x1093, CL_QUEUE_PROFILING_ENABLE, 0x1097, 2});
    OcliteOpenclDelegateOptions options = oclite_opencl_delegate_options_default();
    options.priority = "low";
    expect_it_works(oclite_opencl_delegate_create(&options), 3);
    expect_asked(4, (const cl_bitfield[]){0x1093, 0, 0x1096, 4});
    expect_it_works(oclite_opencl_delegate_create(NULL), 3);
}

static void devices_without_hints_work_and_warn(void** state) {
    (void)state;
    extensions = "cl_khr_priority_hints_2 cl_khr_throttle_hints";
    TfLiteDelegate* delegate = oclite_opencl_delegate_create_from_string("priority=low,throttle=low");
    assert_string_equal(oclite_opencl_delegate_warning(delegate),
                        "option priority has no effect: the device has no cl_khr_priority_hints");
    expect_it_works(delegate, 1);
    expect_asked(4, (const cl_bitfield[]){0x1093, 0, 0x1097, 4});
    extensions = "";
    delegate = oclite_opencl_delegate_create_from_string("priority=low,throttle=high");
    assert_string_equal(
        oclite_opencl_delegate_warning(delegate),
        "option priority has no effect: the device has no cl_khr_priority_hints; option throttle "
        "has no effect: the device has no cl_khr_throttle_hints");
    expect_it_works(delegate, 1);
    assert_string_equal(oclite_opencl_delegate_warning(NULL), "");
}

// There is no function to make such a queue.
static void hints_need_opencl_2(void** state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        if (i == 0) version = "OpenCL 1.2 fake";
        if (i == 1) version = "OpenCL 3.0 fake";
        if (i == 1) table()->clCreateCommandQueueWithProperties = NULL;
        TfLiteDelegate* delegate = oclite_opencl_delegate_create_from_string("priority=high");
        assert_true(oclite_opencl_delegate_warning(delegate)[0] != '\0');
        expect_it_works(delegate, 0);
    }
}

static void other_values_are_refused(void** state) {
    (void)state;
    assert_null(oclite_opencl_delegate_create_from_string("priority=urgent"));
    assert_string_equal(oclite_opencl_last_error(),
                        "OpenCL: option priority: \"urgent\" is none of high, medium and low");
    OcliteOpenclDelegateOptions options = oclite_opencl_delegate_options_default();
    options.throttle = "1";
    assert_null(oclite_opencl_delegate_create(&options));
    assert_string_equal(oclite_opencl_last_error(),
                        "OpenCL: option throttle: \"1\" is none of high, medium and low");
    options.throttle = "high";
    options.queue = &options; // never looked at
    assert_null(oclite_opencl_delegate_create(&options));
    assert_string_equal(oclite_opencl_last_error(),
                        "OpenCL: option throttle: the program's queue has been made without it");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(hints_reach_the_queue, pretend, stop_pretending),
        cmocka_unit_test_setup_teardown(devices_without_hints_work_and_warn, pretend, stop_pretending),
        cmocka_unit_test_setup_teardown(hints_need_opencl_2, pretend, stop_pretending),
        cmocka_unit_test(other_values_are_refused),
    };
    if (!host_has_opencl()) return EXIT_SKIPPED;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
