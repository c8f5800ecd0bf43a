// SPDX-License-Identifier: Apache-2.0
// The delegate in a context and a queue of the program's own: what goes together, what does not, and whose
// references are whose.
#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/base/memory.h"
#include "core/graph/allocate.h"
#include "core/graph/graph.h"
#include "core/graph/invoke.h"
#include "oclite/opencl.h"
#include "tests/support/cl_shim.h"
#include "tests/support/delegate_host.h"
#include "tests/support/graph_fixture.h"

enum { EXIT_SKIPPED = 77, kCount = 64 };

static const LiteCl* cl;
static cl_device_id device;
static cl_context context, other_context;

static cl_context make_context(cl_uint count, const cl_device_id* devices) {
    cl_int error;
    cl_context made = cl->clCreateContext(NULL, count, devices, NULL, NULL, &error);
    assert_int_equal(error, CL_SUCCESS);
    return made;
}

static cl_command_queue make_queue(cl_context of, cl_device_id on, cl_command_queue_properties properties) {
    cl_int error;
    cl_command_queue queue = cl->clCreateCommandQueue(of, on, properties, &error);
    assert_int_equal(error, CL_SUCCESS);
    return queue;
}

static cl_uint references_of_context(void) {
    cl_uint count = 0;
    assert_int_equal(cl->clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count, NULL),
                     CL_SUCCESS);
    return count;
}

// The device that delegates take by themselves, in contexts of the program.
static int open_contexts(void** state) {
    (void)state;
    TfLiteDelegate* any = oclite_opencl_delegate_create(NULL);
    assert_non_null(any);
    cl = lite_cl_load(NULL);
    device = oclite_opencl_delegate_device_id(any);
    oclite_opencl_delegate_delete(any);
    context = make_context(1, &device);
    other_context = make_context(1, &device);
    return 0;
}

static int close_contexts(void** state) {
    (void)state;
    cl->clReleaseContext(context);
    cl->clReleaseContext(other_context);
    return 0;
}

static TfLiteDelegate* create(void* in, void* on, void* queue) {
    OcliteOpenclDelegateOptions options = oclite_opencl_delegate_options_default();
    options.context = in;
    options.device_id = on;
    options.queue = queue;
    return oclite_opencl_delegate_create(&options);
}

// y = 2 x, all of it delegated.
static void expect_it_works(TfLiteDelegate* delegate) {
    static const TfLiteAddParams params = {.activation = kTfLiteActNone};
    ModelBuilder* b = builder_create();
    for (int i = 0; i < 2; i++) fixture_tensor(b, kCount);
    builder_operator(
        b, (BuilderOperator){
               .code = kTfLiteBuiltinAdd, .inputs = {2, {0, 0}}, .outputs = {1, {1}}, .params = &params});
    builder_inputs(b, (BuilderInts){1, {0}});
    builder_outputs(b, (BuilderInts){1, {1}});
    Fixture f;
    fixture_create(&f, b, &(LiteInterpreterOptions){.delegates = &delegate, .delegate_count = 1});
    assert_int_equal(lite_subgraph_allocate(f.graph), kTfLiteOk);
    for (int i = 1; i < 4; i++) {
        fixture_fill(&f, 0, (float)i);
        assert_int_equal(lite_subgraph_invoke(f.graph), kTfLiteOk);
        fixture_expect(&f, 1, kCount, 2 * (float)i);
    }
    assert_int_equal(oclite_opencl_delegate_status(delegate), kOcliteOpenclWorking);
    assert_string_equal(f.messages, "");
    fixture_destroy(&f);
}

static void what_goes_together(void** state) {
    (void)state;
    cl_command_queue queue = make_queue(context, device, 0);
    const struct {
        void *context, *device, *queue, *result;
    } cases[] = {
        {context, NULL, NULL, context},  {context, device, NULL, context},  {NULL, NULL, queue, context},
        {context, NULL, queue, context}, {context, device, queue, context}, {NULL, device, queue, context},
        {NULL, device, NULL, NULL},
    };
    const cl_uint before = references_of_context();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        TfLiteDelegate* delegate = create(cases[i].context, cases[i].device, cases[i].queue);
        if (delegate == NULL) fail_msg("case %d: %s", (int)i, oclite_opencl_last_error());
        void* used = oclite_opencl_delegate_context(delegate);
        assert_ptr_equal(oclite_opencl_delegate_device_id(delegate), device);
        if (cases[i].result != NULL) assert_ptr_equal(used, cases[i].result);
        // A device alone is in the context of other delegates.
        TfLiteDelegate* any = oclite_opencl_delegate_create(NULL);
        assert_true((oclite_opencl_delegate_context(any) == used) == (cases[i].result == NULL));
        expect_it_works(delegate);
        expect_it_works(any);
        oclite_opencl_delegate_delete(any);
        oclite_opencl_delegate_delete(delegate);
        assert_int_equal(references_of_context(), before);
    }
    cl->clReleaseCommandQueue(queue);
}

static void a_timed_queue_keeps_times(void** state) {
    (void)state;
    OcliteOpenclDelegateOptions options = oclite_opencl_delegate_options_default();
    cl_command_queue queue = make_queue(context, device, 0);
    options.queue = queue;
    options.profiling = true;
    assert_null(oclite_opencl_delegate_create(&options));
    assert_string_equal(oclite_opencl_last_error(),
                        "OpenCL: option profiling: option queue was made without CL_QUEUE_PROFILING_ENABLE");
    cl->clReleaseCommandQueue(queue);
    options.queue = queue = make_queue(context, device, CL_QUEUE_PROFILING_ENABLE);
    TfLiteDelegate* delegate = oclite_opencl_delegate_create(&options);
    cl->clReleaseCommandQueue(queue);
    assert_non_null(delegate);
    expect_it_works(delegate);
    oclite_opencl_delegate_delete(delegate);
}

// Two delegates in one context of the program share what is compiled.
static void one_context_twice(void** state) {
    (void)state;
    TfLiteDelegate* first = create(context, NULL, NULL);
    TfLiteDelegate* second = create(context, NULL, NULL);
    TfLiteDelegate* third = create(other_context, NULL, NULL);
    assert_ptr_equal(oclite_opencl_delegate_context(first), oclite_opencl_delegate_context(second));
    assert_ptr_equal(oclite_opencl_delegate_context(third), other_context);
    expect_it_works(first);
    oclite_opencl_delegate_delete(first);
    expect_it_works(second);
    expect_it_works(third);
    oclite_opencl_delegate_delete(second);
    oclite_opencl_delegate_delete(third);
}

static void expect_refused(void* in, void* on, void* queue, const char* why) {
    TfLiteDelegate* made = create(in, on, queue);
    if (made != NULL) fail_msg("taken, not refused: %s", why);
    if (strstr(oclite_opencl_last_error(), why) == NULL)
        fail_msg("\"%s\" is not in \"%s\"", why, oclite_opencl_last_error());
}

// A device as it may be given, but of no context here.
static cl_device_id make_sub_device(void) {
    void* library = dlopen("libOpenCL.so.1", RTLD_NOW);
    __typeof__(clCreateSubDevices)* create_sub_devices;
    *(void**)&create_sub_devices = dlsym(library, "clCreateSubDevices");
    const cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl_device_id parts[64];
    cl_uint count = 0;
    const cl_int error = create_sub_devices(device, properties, 64, parts, &count);
    dlclose(library);
    return error == CL_SUCCESS && count > 0 ? parts[0] : NULL;
}

static void what_does_not(void** state) {
    (void)state;
    const cl_uint before = references_of_context();
    cl_command_queue queue = make_queue(context, device, 0);
    cl_command_queue free_order = make_queue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    expect_refused(other_context, NULL, queue, "option queue: it is of another context");
    expect_refused(NULL, NULL, free_order, "option queue: it runs commands out of order");
    expect_refused(context, device, free_order, "option queue: it runs commands out of order");
    OcliteOpenclDelegateOptions options = oclite_opencl_delegate_options_default();
    options.device = "cpu";
    options.context = context;
    assert_null(oclite_opencl_delegate_create(&options));
    assert_non_null(strstr(oclite_opencl_last_error(), "option device: \"cpu\" chooses a device"));
    assert_null(oclite_opencl_delegate_create_from_string("context=1"));
    assert_non_null(strstr(oclite_opencl_last_error(), "option \"context\": there is none"));
    cl_device_id part = make_sub_device();
    if (part != NULL) {
        expect_refused(context, part, NULL, "option device_id: it is no device of option context");
        expect_refused(NULL, part, queue, "option queue: it is of another device than option device_id");
    }
    cl->clReleaseCommandQueue(queue);
    cl->clReleaseCommandQueue(free_order);
    assert_int_equal(references_of_context(), before);
}

// A context that says it had two devices: not all drivers can make one.
static cl_int CL_API_CALL tell_two(cl_context of, cl_context_info what, size_t size, void* value,
                                   size_t* used) {
    (void)of;
    const cl_device_id both[] = {device, (cl_device_id)(void*)&device};
    if (what != CL_CONTEXT_DEVICES) return CL_INVALID_VALUE;
    if (used != NULL) *used = sizeof both;
    if (value != NULL && size >= sizeof both) memcpy(value, both, sizeof both);
    return CL_SUCCESS;
}

static void a_context_of_two_devices(void** state) {
    (void)state;
    LiteCl* table = (LiteCl*)(uintptr_t)cl;
    const LiteCl real = *table;
    table->clGetContextInfo = tell_two;
    expect_refused(context, NULL, NULL, "option context: it has 2 devices, and no option device_id");
    TfLiteDelegate* delegate = create(context, device, NULL);
    assert_non_null(delegate);
    expect_it_works(delegate);
    oclite_opencl_delegate_delete(delegate);
    *table = real;
}

// What the program has let go of is the delegate's.
static void objects_that_the_program_releases(void** state) {
    (void)state;
    cl_context own = make_context(1, &device);
    cl_command_queue queue = make_queue(own, device, 0);
    TfLiteDelegate* delegate = create(NULL, NULL, queue);
    TfLiteDelegate* second = create(own, NULL, NULL);
    cl->clReleaseCommandQueue(queue);
    cl->clReleaseContext(own);
    expect_it_works(delegate);
    expect_it_works(second);
    oclite_opencl_delegate_delete(delegate);
    expect_it_works(second);
    oclite_opencl_delegate_delete(second);
}

// All commands are in the program's queue, and the delegate makes none.
static void commands_are_in_the_queue(void** state) {
    (void)state;
    cl_command_queue queue = make_queue(context, device, 0);
    shim_install();
    TfLiteDelegate* delegate = create(NULL, NULL, queue);
    expect_it_works(delegate);
    assert_int_equal(shim_count(kShimQueues), 0);
    assert_true(shim_count(kShimKernels) >= 3);
    assert_ptr_equal(shim_last_queue(), queue);
    oclite_opencl_delegate_delete(delegate);
    assert_int_equal(shim_live_objects(), 0);
    shim_remove();
    cl->clReleaseCommandQueue(queue);
}

// Each call of OpenCL fails in turn; nothing is left over, and the reason is told.
static void a_call_fails(void** state) {
    (void)state;
    cl_command_queue queue = make_queue(context, device, 0);
    TfLiteDelegate* holder = create(NULL, NULL, queue); // keeps what is compiled
    expect_it_works(holder);
    int failed = 1;
    for (int n = 1; failed > 0; n++) {
        const int64_t before = lite_memory_live();
        shim_install();
        shim_fail(n, false);
        TfLiteDelegate* delegate = create(NULL, NULL, queue);
        if (delegate == NULL) assert_string_not_equal(oclite_opencl_last_error(), "");
        oclite_opencl_delegate_delete(delegate);
        failed = shim_failures();
        assert_int_equal(shim_live_objects(), 0);
        shim_remove();
        assert_int_equal(lite_memory_live(), before);
    }
    oclite_opencl_delegate_delete(holder);
    cl->clReleaseCommandQueue(queue);
}

int main(void) {
    lite_memory_count_live(true);
    if (!host_has_opencl()) return EXIT_SKIPPED;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_goes_together),
        cmocka_unit_test(a_timed_queue_keeps_times),
        cmocka_unit_test(one_context_twice),
        cmocka_unit_test(what_does_not),
        cmocka_unit_test(objects_that_the_program_releases),
        cmocka_unit_test(a_context_of_two_devices),
        cmocka_unit_test(commands_are_in_the_queue),
        cmocka_unit_test(a_call_fails),
    };
    return cmocka_run_group_tests(tests, open_contexts, close_contexts);
}
